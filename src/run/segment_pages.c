/* Mapping of parts of a device's arena into the shared segment: the pages of buffers that other devices read in place. All other
 * pages are private. Buffers keep the offsets that the plan gives them. */
#include "collectives/transport.h"
#include "run/device.h"
#include "run/device_memory.h"
#include "support/checked.h"
#include "support/large_pages.h"
#include <stdlib.h>

enum { PAGE = 4096, GAP = 256 << 10 }; /* distance in bytes below which ranges are merged, since each range costs a mapping */

struct range {
	int64_t begin, end; /* range of page-aligned offsets in the arena */
};

struct ranges {
	struct range *data;
	int64_t n;
};

static int by_begin(const void *x, const void *y)
{
	const struct range *a = x, *b = y;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void merge_ranges(struct ranges *r)
{
	int64_t n = 0;
	if (r->n)
		qsort(r->data, (size_t)r->n, sizeof *r->data, by_begin);
	for (int64_t i = 0; i < r->n; i++) {
		struct range *last_range = n ? &r->data[n - 1] : NULL;
		if (last_range && r->data[i].begin <= last_range->end + GAP)
			last_range->end = r->data[i].end > last_range->end ? r->data[i].end : last_range->end;
		else
			r->data[n++] = r->data[i];
	}
	r->n = n;
}

static int64_t add_buffer(const struct sr_program *p, int32_t *buffers, int64_t n, int32_t buffer)
{
	if (sr_program_buffers(p)[buffer].bytes > SR_SLOT_BYTES)
		buffers[n++] = buffer;
	return n;
}

int64_t sr_program_shared_buffers(const struct sr_program *p, const struct sr_transport *transport, struct sr_arena *arena,
				  int32_t **out)
{
	int32_t *buffers = *out = SR_NEW_ARRAY(arena, int32_t, 2 * p->instrs.n);
	int64_t n = 0;
	/* true if collectives may be hierarchical: the members of a node then read each other's results, which contain data from
	 * other nodes */
	bool is_hierarchical = transport && sr_transport_node_devices(transport) < p->n_devices;
	for (uint64_t i = 0; transport && i < p->instrs.n; i++) {
		const struct sr_instr *step = sr_program_instrs(p) + i;
		const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + step->params);
		const int32_t *operands = sr_program_operands(p) + step->first_operand;
		if (step->kind != SR_INSTR_COLLECTIVE)
			continue;
		n = add_buffer(p, buffers, n, operands[0]);
		if (c->coll == SR_ALL_REDUCE || is_hierarchical)
			n = add_buffer(p, buffers, n, operands[1]);
	}
	return n;
}

/* Extend a range to complete large pages, unless these exceed the arena, of which `bytes` are used: the kernel provides no large
 * page of which a part is private. */
static struct range extend_range(struct range r, int64_t bytes)
{
	int64_t begin = r.begin / SR_LARGE_PAGE * SR_LARGE_PAGE;
	int64_t end = (r.end + SR_LARGE_PAGE - 1) / SR_LARGE_PAGE * SR_LARGE_PAGE;
	return (struct range){begin + SR_LARGE_PAGE <= bytes ? begin : r.begin, end <= bytes ? end : r.end};
}

static struct ranges find_ranges(const struct sr_device *d, struct sr_arena *arena)
{
	int32_t *buffers;
	int64_t n = sr_program_shared_buffers(d->program, d->transport, arena, &buffers);
	struct ranges r = {SR_NEW_ARRAY(arena, struct range, n), n};
	for (int64_t i = 0; i < n; i++) {
		const struct sr_buffer *b = sr_program_buffers(d->program) + buffers[i];
		struct range pages = {b->offset / PAGE * PAGE, (b->offset + b->bytes + PAGE - 1) / PAGE * PAGE};
		r.data[i] = extend_range(pages, d->program->arena_bytes);
	}
	merge_ranges(&r);
	return r;
}

bool sr_device_map_segment(struct sr_device *d, struct sr_arena *arena)
{
	struct ranges r = find_ranges(d, arena);
	for (int64_t i = 0; i < r.n; i++) {
		if (!sr_device_set_memory_share(d->memory, d->k, d->transport, r.data[i].begin, r.data[i].end))
			return false;
		d->in_segment += r.data[i].end - r.data[i].begin;
	}
	return true;
}
