/* Binding of arguments and results to memory of the caller. A value's region is its buffer, rounded up to 64 bytes. A value can be
 * bound if every buffer that overlaps its region is inside it: these buffers are parts of the value, or temporaries that use a
 * donated argument's memory after its last read or a result's memory before its first write. All of them move with the region.
 * Regions of bindable values are disjoint or equal; if they are equal, a result uses the memory of a donated argument and has no
 * binding of its own. */
#include "run/execution_context.h"
#include "support/checked.h"
#include <stdlib.h>

enum { ALIGN = 64 };

struct region {
	int64_t begin, end; /* byte offsets of the region in the device's arena */
	int value;          /* index of the argument or result, arguments first */
};

struct member { /* an address of an execution context that is inside a region */
	int64_t entry;  /* index in the context's `addresses`, which `operands` follow in memory */
	int64_t offset; /* byte offset of the address in the region */
};

struct sr_bindings {
	const struct region *sorted; /* regions of all values, sorted by offset; length: n */
	const int64_t *max_end;      /* for each sorted region: the greatest end among it and the regions before it; length: n */
	bool *is_fixed;            /* for each value: true if the value cannot be bound to the memory of an array */
	int *donor;                /* for each result: the donated argument whose region it uses; -1: none */
	int64_t *first;            /* for each value: index of its first entry in `members`; length: number of values + 1 */
	struct member *members;
	bool *is_shared;              /* for each value: true if its region contains a buffer that other devices read in place */
	int64_t n;
};

static int64_t round_to_alignment(int64_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static int by_place(const void *x, const void *y)
{
	const struct region *a = x, *b = y;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end != b->end ? (a->end < b->end ? -1 : 1) : a->value - b->value;
}

/* Return the last of the first n regions that overlaps [begin, end), or -1. */
static int64_t last_overlap(const struct sr_bindings *s, int64_t n, int64_t begin, int64_t end)
{
	while (n > 0 && s->max_end[n - 1] > begin) {
		n--;
		if (s->sorted[n].end > begin && s->sorted[n].begin < end)
			return n;
	}
	return -1;
}

/* Return the number of regions that begin before `end`. */
static int64_t count_before(const struct sr_bindings *s, int64_t end)
{
	int64_t lo = 0, hi = s->n;
	while (lo < hi) {
		int64_t mid = (lo + hi) / 2;
		if (s->sorted[mid].begin < end)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Set `is_fixed` for values whose regions overlap a buffer that is not entirely inside the region. */
static void fix_partial_overlaps(const struct sr_program *p, struct sr_bindings *s)
{
	const struct sr_buffer *buffers = sr_program_buffers(p);
	for (uint64_t b = 0; b < p->buffers.n; b++) {
		int64_t begin = buffers[b].offset, end = begin + buffers[b].bytes;
		if (!buffers[b].bytes)
			continue;
		for (int64_t i = last_overlap(s, count_before(s, end), begin, end); i >= 0; i = last_overlap(s, i, begin, end))
			if (s->sorted[i].begin > begin || s->sorted[i].end < end)
				s->is_fixed[s->sorted[i].value] = true;
	}
}

/* Set `is_fixed` for values that overlap a constant, since constants are written only once. */
static void fix_constants(const struct sr_program *p, struct sr_bindings *s)
{
	for (uint64_t k = 0; k < p->constants.n; k++) {
		const struct sr_buffer *b = sr_program_buffers(p) + sr_program_constants(p)[k].buffer;
		int64_t end = b->offset + b->bytes;
		for (int64_t i = b->bytes ? last_overlap(s, count_before(s, end), b->offset, end) : -1; i >= 0; i = last_overlap(s, i, b->offset, end))
			s->is_fixed[s->sorted[i].value] = true;
	}
}

/* Choose the owner of each region that several values have: an argument, or the first result. A result in a region that cannot be
 * bound is copied. */
static void assign_owners(const struct sr_program *p, struct sr_bindings *s)
{
	const struct sr_io *values = sr_program_values(p);
	for (int64_t i = 0, first = 0; i < s->n; i++) {
		const struct region *a = &s->sorted[first], *b = &s->sorted[i];
		if (i == first || b->begin != a->begin || b->end != a->end) {
			first = i;
			continue;
		}
		bool is_donated = a->value < p->n_arguments && values[a->value].donated;
		if (is_donated && i == first + 1 && !s->is_fixed[a->value])
			s->donor[b->value] = a->value;
		s->is_fixed[b->value] = true;
	}
}

/* Return the value whose region contains the buffer, so that the buffer moves when the value is bound; -1: the buffer is fixed. */
static int binding_owner(const struct sr_bindings *s, const struct sr_buffer *b)
{
	int64_t end = b->offset + b->bytes;
	for (int64_t i = b->bytes ? last_overlap(s, count_before(s, end), b->offset, end) : -1; i >= 0; i = last_overlap(s, i, b->offset, end))
		if (!s->is_fixed[s->sorted[i].value])
			return s->sorted[i].value;
	return -1;
}

static void add_member(struct sr_bindings *s, int64_t *next, int value, int64_t entry, const struct sr_buffer *b,
		       const struct sr_buffer *own)
{
	if (value >= 0)
		s->members[next[value]++] = (struct member){entry, b->offset - own->offset};
}

/* Record each table entry that holds an address inside the region of a bindable value. owners[i]: value with which buffer i
 * moves. */
static void fill_members(const struct sr_program *p, struct sr_bindings *s, const int *owners, int64_t *next)
{
	const struct sr_buffer *buffers = sr_program_buffers(p);
	const struct sr_io *values = sr_program_values(p);
	const int32_t *operands = sr_program_operands(p);
	int64_t entry = 0;
	for (uint64_t b = 0; b < p->buffers.n; b++, entry++)
		if (owners[b] >= 0)
			add_member(s, next, owners[b], entry, &buffers[b], &buffers[values[owners[b]].buffer]);
	for (uint64_t i = 0; i < p->operands.n; i++, entry++) {
		int32_t b = operands[i];
		if (owners[b] >= 0)
			add_member(s, next, owners[b], entry, &buffers[b], &buffers[values[owners[b]].buffer]);
	}
}

static void count_members(const struct sr_program *p, struct sr_bindings *s, const int *owners, int n_values)
{
	const int32_t *operands = sr_program_operands(p);
	for (uint64_t b = 0; b < p->buffers.n; b++)
		s->first[owners[b] + 1]++; /* buffers without owner (-1) are counted in first[0] */
	for (uint64_t i = 0; i < p->operands.n; i++)
		s->first[owners[operands[i]] + 1]++;
	s->first[0] = 0;
	for (int v = 0; v < n_values; v++)
		s->first[v + 1] += s->first[v];
}

static void sort_regions(const struct sr_program *p, struct sr_bindings *s, struct sr_arena *arena, int n_values)
{
	struct region *sorted = SR_NEW_ARRAY(arena, struct region, n_values);
	int64_t *max_end = SR_NEW_ARRAY(arena, int64_t, n_values);
	for (int i = 0; i < n_values; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + sr_program_values(p)[i].buffer;
		s->donor[i] = -1;
		s->is_fixed[i] = !b->bytes;
		if (b->bytes)
			sorted[s->n++] = (struct region){b->offset, b->offset + round_to_alignment(b->bytes), i};
	}
	if (s->n)
		qsort(sorted, (size_t)s->n, sizeof *sorted, by_place);
	for (int64_t i = 0; i < s->n; i++)
		max_end[i] = i && max_end[i - 1] > sorted[i].end ? max_end[i - 1] : sorted[i].end;
	s->sorted = sorted;
	s->max_end = max_end;
}

/* Set `is_shared` for the values whose region contains a buffer that other devices read in place. */
static void mark_shared(const struct sr_program *p, struct sr_bindings *s, const int *owners,
			const struct sr_transport *transport, struct sr_arena *arena)
{
	int32_t *buffers;
	int64_t n = sr_program_shared_buffers(p, transport, arena, &buffers);
	for (int64_t i = 0; i < n; i++)
		if (owners[buffers[i]] >= 0)
			s->is_shared[owners[buffers[i]]] = true;
}

void sr_loaded_make_bindings(struct sr_loaded_program *l, const struct sr_transport *transport, struct sr_arena *arena)
{
	const struct sr_program *p = l->program;
	int n = p->n_arguments + p->n_results, *owners = SR_NEW_ARRAY(arena, int, p->buffers.n);
	struct sr_bindings *s = l->bindings = SR_NEW(arena, struct sr_bindings);
	int64_t *next = SR_NEW_ARRAY(arena, int64_t, n);
	s->is_fixed = SR_NEW_ARRAY(arena, bool, n);
	s->donor = SR_NEW_ARRAY(arena, int, n);
	s->first = SR_NEW_ARRAY(arena, int64_t, n + 1);
	s->is_shared = SR_NEW_ARRAY(arena, bool, n);
	sort_regions(p, s, arena, n);
	fix_partial_overlaps(p, s);
	fix_constants(p, s);
	assign_owners(p, s);
	for (uint64_t b = 0; b < p->buffers.n; b++)
		owners[b] = binding_owner(s, &sr_program_buffers(p)[b]);
	mark_shared(p, s, owners, transport, arena);
	count_members(p, s, owners, n);
	s->members = SR_NEW_ARRAY(arena, struct member, s->first[n]);
	for (int v = 0; v < n; v++)
		next[v] = s->first[v];
	fill_members(p, s, owners, next);
}

bool sr_context_bind(struct sr_execution_context *x, int i, void *data)
{
	const struct sr_bindings *s = x->loaded->bindings;
	if (s->is_fixed[i])
		return false;
	if (x->bound[i] == data)
		return true;
	int32_t buffer = sr_program_values(x->program)[i].buffer;
	char *base = data ? data : x->device->arena + sr_program_buffers(x->program)[buffer].offset;
	for (int64_t m = s->first[i]; m < s->first[i + 1]; m++)
		x->addresses[s->members[m].entry] = base + s->members[m].offset;
	x->bound[i] = data;
	return true;
}

int sr_loaded_result_donor(const struct sr_loaded_program *l, int i)
{
	return l->bindings->donor[i];
}

bool sr_loaded_value_is_shared(const struct sr_loaded_program *l, int i)
{
	int owner = sr_loaded_binding_owner(l, i);
	return owner >= 0 && l->bindings->is_shared[owner];
}

int sr_loaded_binding_owner(const struct sr_loaded_program *l, int i)
{
	const struct sr_bindings *s = l->bindings;
	return s->donor[i] >= 0 ? s->donor[i] : s->is_fixed[i] ? -1 : i;
}
