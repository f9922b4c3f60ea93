/* Creation of the pools and arenas of a device set: address ranges are reserved, and shared segments are mapped over them. */
#include "run/device_memory.h"
#include "run/agreement.h"
#include "run/backend.h"
#include "run/client.h"
#include "run/layout.h"
#include "support/checked.h"
#include "support/large_pages.h"
#include <sys/resource.h>

static const int64_t max_bytes = (int64_t)1 << 36, min_bytes = (int64_t)1 << 20;

/* Return the smaller of `bytes` and 1/n_shares of the process's resource limit `resource`. */
static int64_t limit_bytes(int64_t bytes, int resource, int64_t n_shares)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur / (rlim_t)n_shares >= (rlim_t)bytes)
		return bytes;
	return (int64_t)(limit.rlim_cur / (rlim_t)n_shares);
}

/* Return the size in bytes of each address range: that of the node's memory, reduced to a share of the addresses that a process can
 * have, since it maps the ranges of all devices of its node, and to the limit of file sizes, since segments are memory files and a
 * larger one ends the process by SIGXFSZ. */
static int64_t range_bytes(const struct sr_client *c, const struct sr_device_set *w)
{
	enum { SHARES_PER_DEVICE = 8, ADDRESS_BITS = 46 };
	int64_t bytes = c->has_machine && c->node.memory > 0 ? c->node.memory : max_bytes;
	int64_t max_range_bytes = ((int64_t)1 << ADDRESS_BITS) / (2 * w->n_devices);
	bytes = limit_bytes(bytes < max_range_bytes ? bytes : max_range_bytes, RLIMIT_AS,
			    (int64_t)SHARES_PER_DEVICE * w->n_devices);
	bytes = limit_bytes(bytes, RLIMIT_FSIZE, 1) / min_bytes * min_bytes;
	return bytes > min_bytes ? bytes : min_bytes;
}

/* Return the larger of `bytes` and the bytes that the program needs, rounded up. */
static int64_t required_bytes(int64_t bytes, int64_t min_needed)
{
	/* space for the blocks' headers, and for free blocks that are unusable because of their size class */
	if (sr_add_overflows(min_needed, min_needed / 16 + min_bytes, &min_needed))
		return bytes;
	min_needed = min_needed / min_bytes * min_bytes;
	return min_needed > bytes ? min_needed : bytes;
}

/* Return the bytes of all arguments and results, and of copies of donated arguments; INT64_MAX on overflow. */
static int64_t values_bytes(const struct sr_program *p)
{
	int64_t sum = 0;
	for (int i = 0; i < p->n_arguments + p->n_results; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		int64_t bytes = sr_program_buffers(p)[io->buffer].bytes;
		if (sr_add_overflows(sum, bytes, &sum) || (io->donated && sr_add_overflows(sum, bytes, &sum)) ||
		    sr_add_overflows(sum, (int64_t)SR_POOL_ALIGN * 2, &sum))
			return INT64_MAX;
	}
	return sum;
}

struct opening {
	struct sr_client *c;
	struct sr_device_set *w;
	const struct sr_program *program;
	int64_t bytes, file_bytes; /* desired size of each range in bytes; maximum size of a file, the minimum over all ranks */
	struct sr_diags *diags;
};

/* Reserve the address ranges of this rank's devices. */
static enum sr_status reserve_ranges(void *data)
{
	const struct opening *o = data;
	struct sr_arena *arena = o->c->arena;
	sr_client_reserve(o->c);
	struct sr_device_set_memory *m = o->w->memory = SR_NEW(arena, struct sr_device_set_memory);
	m->devices = SR_NEW_ARRAY(arena, struct sr_device_memory, o->w->n + 1);
	m->ranges = arena;
	m->backend = o->c->backend;
	m->pool_bytes = required_bytes(o->bytes, values_bytes(o->program));
	m->arena_bytes = required_bytes(o->bytes, o->program->arena_bytes);
	m->layouts = sr_layout_table_new();
	for (; m->layouts && m->n < o->w->n; m->n++) {
		struct sr_device_memory *d = &m->devices[m->n];
		d->pool = d->private_pool = sr_memory_pool_new(o->c->backend, m->pool_bytes);
		d->arena = d->pool ? o->c->backend->reserve(m->arena_bytes) : NULL;
		if (d->arena)
			continue;
		sr_memory_pool_release(d->pool);
		return sr_error(o->diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "cannot reserve %lld bytes of memory for a device",
				(long long)m->arena_bytes);
	}
	return m->layouts ? SR_OK : SR_NO_MEMORY;
}

/* Open a shared segment of `bytes` for each device, unless files may not be so large. Collective on the processes with devices. */
static enum sr_status open_segment(const struct opening *o, int64_t bytes, struct sr_shared_region **out)
{
	if (bytes > o->file_bytes || !sr_shared_region_open(o->w->transport, bytes, out))
		return SR_OK;
	return sr_error(o->diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "too many regions of the shared segment are open");
}

/* Let the device's pool contain only arrays that other processes read, and add a private pool for all other arrays, if there are
 * addresses for it. */
static void make_private_pool(const struct opening *o, struct sr_device_memory *d)
{
	struct sr_memory_pool *pool = sr_memory_pool_new(o->c->backend, o->w->memory->pool_bytes);
	sr_memory_pool_set_shared(d->pool);
	if (pool)
		d->private_pool = pool;
}

/* Open the shared segments of pools and arenas, and map the pools into theirs. Collective on the processes with devices. A pool
 * that cannot be mapped stays private, and collectives copy their operands out of it. */
static enum sr_status share_memory(void *data)
{
	const struct opening *o = data;
	struct sr_transport *t = o->w->transport;
	struct sr_device_set_memory *m = o->w->memory;
	if (!t)
		return SR_OK;
	enum sr_status status = open_segment(o, m->pool_bytes, &m->pool_segment);
	if (!status)
		status = open_segment(o, m->arena_bytes, &m->arena_segment);
	if (status)
		return status;
	bool has_readers = sr_transport_node_devices(t) > m->n;
	for (int k = 0; m->pool_segment && k < m->n; k++) {
		struct sr_memory_pool *pool = m->devices[k].pool;
		const struct sr_transport *own = sr_transport_local_device(t, k);
		if (sr_shared_region_map(m->pool_segment, own, sr_memory_pool_base(pool), 0, m->pool_bytes) && has_readers)
			make_private_pool(o, &m->devices[k]);
	}
	return SR_OK;
}

/* Reserve memory for prepare_agreement, in which no rank may fail alone. */
static enum sr_status reserve_for_agreement(void *data)
{
	const struct opening *o = data;
	sr_client_reserve(o->c);
	return SR_OK;
}

/* Open the agreement of the device set. Collective on the processes with devices. */
static enum sr_status prepare_agreement(void *data)
{
	const struct opening *o = data;
	if (!o->w->n)
		return SR_OK;
	enum sr_status status = sr_agreement_open(o->c, o->w, &o->w->memory->agreement);
	return status ? sr_error(o->diags, status, (struct sr_src_loc){0}, "cannot prepare the agreement of devices") : SR_OK;
}

enum sr_status sr_device_set_open_memory(struct sr_client *c, struct sr_device_set *w, const struct sr_program *p,
					 struct sr_diags *diags)
{
	if (w->memory)
		return SR_OK;
	uint64_t min_bytes_of_ranks, min_file_bytes, max_bytes_of_ranks;
	struct opening o = {.c = c, .w = w, .program = p, .diags = diags};
	sr_launch_min_max(&c->launch, (uint64_t)range_bytes(c, w), &min_bytes_of_ranks, &max_bytes_of_ranks);
	sr_launch_min_max(&c->launch, (uint64_t)limit_bytes(INT64_MAX, RLIMIT_FSIZE, 1), &min_file_bytes, &max_bytes_of_ranks);
	o.bytes = (int64_t)min_bytes_of_ranks;
	o.file_bytes = (int64_t)min_file_bytes;
	enum sr_status status = sr_client_stage(c, reserve_ranges, &o, diags);
	if (!status)
		status = sr_client_stage(c, share_memory, &o, diags);
	if (!status)
		status = sr_client_stage(c, reserve_for_agreement, &o, diags);
	if (!status)
		status = sr_client_stage(c, prepare_agreement, &o, diags);
	if (!status)
		return SR_OK;
	sr_device_set_memory_close(w->memory);
	w->memory = NULL; /* all ranks reset the pointer, so that the next call creates the memory on all ranks */
	return status;
}

void sr_device_set_memory_close(struct sr_device_set_memory *m)
{
	if (!m)
		return;
	for (int k = 0; k < m->n; k++) {
		if (m->devices[k].private_pool != m->devices[k].pool)
			sr_memory_pool_release(m->devices[k].private_pool);
		sr_memory_pool_release(m->devices[k].pool);
		m->backend->release(m->devices[k].arena, m->arena_bytes);
	}
	m->n = 0;
	sr_layout_table_free(m->layouts);
	m->layouts = NULL;
	sr_shared_region_close(m->pool_segment);
	sr_shared_region_close(m->arena_segment);
}

char *sr_device_set_memory_use(struct sr_device_set_memory *m, int k, int64_t bytes)
{
	struct sr_device_memory *d = &m->devices[k];
	if (bytes > m->arena_bytes)
		return NULL;
	if (bytes > d->used) {
		m->backend->use(d->arena, d->used, bytes);
		d->used = bytes;
	}
	return d->arena;
}

/* Insert a range, which overlaps no range of the list, in order. */
static void insert_range(struct sr_device_memory *d, struct sr_byte_range r, struct sr_arena *arena)
{
	size_t at = d->shared.n;
	sr_push(arena, &d->shared, r);
	for (; at && d->shared.data[at - 1].begin > r.begin; at--)
		d->shared.data[at] = d->shared.data[at - 1];
	d->shared.data[at] = r;
}

bool sr_device_set_memory_share(struct sr_device_set_memory *m, int k, const struct sr_transport *t, int64_t begin, int64_t end)
{
	struct sr_device_memory *d = &m->devices[k];
	if (!m->arena_segment)
		return true;
	for (size_t i = 0; begin < end; i++) {
		struct sr_byte_range next = i < d->shared.n ? d->shared.data[i] : (struct sr_byte_range){end, end};
		if (next.end <= begin)
			continue;
		int64_t run_end = next.begin < end ? next.begin : end;
		if (begin < run_end) {
			if (!sr_shared_region_map(m->arena_segment, t, d->arena, begin, run_end - begin))
				return false;
			sr_provide_large_pages(d->arena + begin, d->arena + run_end);
			insert_range(d, (struct sr_byte_range){begin, run_end}, m->ranges);
			i++; /* skip the inserted range, which is now at index i */
		}
		begin = next.end > begin ? next.end : begin;
	}
	return true;
}
