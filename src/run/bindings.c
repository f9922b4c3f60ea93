/* Arguments and results in memory of the caller's. A value's region is its buffer, rounded up to 64 bytes. Every buffer that meets the region
 * of one that can be bound lies within it: it is a part of the value, or a temporary where a donated argument is read no more or a result
 * not yet written. So all of them move with it, and nothing else does. Regions that can be bound are apart, or equal: then a result is
 * in the memory of a donated argument, and has no binding of its own. */
#include "run/device.h"
#include "support/checked.h"
#include <stdlib.h>

enum { ALIGN = 64 };

struct slot {
	int64_t begin, end; /* in the arena */
	int value;          /* argument or result */
};

struct member { /* a buffer, or an operand where it is one of `at` or `operands` */
	void **place;
	int64_t offset; /* within the region */
};

struct sr_bindings {
	const struct slot *sorted; /* [n], by place */
	const int64_t *reach;      /* [n]: the furthest end of it and those before */
	bool *fixed;               /* [values]: stays in the arena */
	int *taken;                /* [values]: results, the donated argument whose region it is; -1 */
	int64_t *first;            /* [values + 1]: in members */
	struct member *members;
	void **bound;              /* [values] */
	int64_t n;
};

static int64_t aligned(int64_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static int by_place(const void *x, const void *y)
{
	const struct slot *a = x, *b = y;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end != b->end ? (a->end < b->end ? -1 : 1) : a->value - b->value;
}

/* The last of the first n slots that meets [begin, end); -1: none. */
static int64_t meeting(const struct sr_bindings *s, int64_t n, int64_t begin, int64_t end)
{
	while (n > 0 && s->reach[n - 1] > begin) {
		n--;
		if (s->sorted[n].end > begin && s->sorted[n].begin < end)
			return n;
	}
	return -1;
}

/* The number of slots that begin before `end`. */
static int64_t before(const struct sr_bindings *s, int64_t end)
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

/* Values whose regions are cut by a buffer stay. */
static void fix(const struct sr_device *d, struct sr_bindings *s)
{
	const struct sr_buffer *buffers = sr_program_buffers(d->program);
	for (uint64_t b = 0; b < d->program->buffers.n; b++) {
		int64_t begin = buffers[b].offset, end = begin + buffers[b].bytes;
		if (!buffers[b].bytes)
			continue;
		for (int64_t i = meeting(s, before(s, end), begin, end); i >= 0; i = meeting(s, i, begin, end))
			if (s->sorted[i].begin > begin || s->sorted[i].end < end)
				s->fixed[s->sorted[i].value] = true;
	}
}

/* Where a constant lies, which is put there once, nothing may be taken away. */
static void fix_constants(const struct sr_device *d, struct sr_bindings *s)
{
	for (uint64_t k = 0; k < d->program->constants.n; k++) {
		const struct sr_buffer *b = sr_program_buffers(d->program) + sr_program_constants(d->program)[k].buffer;
		int64_t end = b->offset + b->bytes;
		for (int64_t i = b->bytes ? meeting(s, before(s, end), b->offset, end) : -1; i >= 0; i = meeting(s, i, b->offset, end))
			s->fixed[s->sorted[i].value] = true;
	}
}

/* Of the values of one region one has it: an argument, or the first result. A result that shares with what must stay is copied. */
static void share(const struct sr_device *d, struct sr_bindings *s)
{
	const struct sr_io *values = sr_program_values(d->program);
	for (int64_t i = 0, first = 0; i < s->n; i++) {
		const struct slot *a = &s->sorted[first], *b = &s->sorted[i];
		if (i == first || b->begin != a->begin || b->end != a->end) {
			first = i;
			continue;
		}
		bool is_donated = a->value < d->program->n_arguments && values[a->value].donated;
		if (is_donated && i == first + 1 && !s->fixed[a->value])
			s->taken[b->value] = a->value;
		s->fixed[b->value] = true;
	}
}

/* The value whose binding moves the buffer; -1: none. */
static int owner(const struct sr_bindings *s, const struct sr_buffer *b)
{
	int64_t end = b->offset + b->bytes;
	for (int64_t i = b->bytes ? meeting(s, before(s, end), b->offset, end) : -1; i >= 0; i = meeting(s, i, b->offset, end))
		if (!s->fixed[s->sorted[i].value])
			return s->sorted[i].value;
	return -1;
}

static void enter(struct sr_bindings *s, int64_t *next, int value, void **place, const struct sr_buffer *b, const struct sr_buffer *own)
{
	if (value >= 0)
		s->members[next[value]++] = (struct member){place, b->offset - own->offset};
}

/* Every place that says where a buffer of a bound value lies. owners[buffers]. */
static void fill_members(const struct sr_device *d, struct sr_bindings *s, const int *owners, int64_t *next)
{
	const struct sr_buffer *buffers = sr_program_buffers(d->program);
	const struct sr_io *values = sr_program_values(d->program);
	const int32_t *operands = sr_program_operands(d->program);
	for (uint64_t b = 0; b < d->program->buffers.n; b++)
		if (owners[b] >= 0)
			enter(s, next, owners[b], &d->at[b], &buffers[b], &buffers[values[owners[b]].buffer]);
	for (uint64_t i = 0; i < d->program->operands.n; i++) {
		int32_t b = operands[i];
		if (owners[b] >= 0)
			enter(s, next, owners[b], &d->operands[i], &buffers[b], &buffers[values[owners[b]].buffer]);
	}
}

static void count_members(const struct sr_device *d, struct sr_bindings *s, const int *owners, int n_values)
{
	const int32_t *operands = sr_program_operands(d->program);
	for (uint64_t b = 0; b < d->program->buffers.n; b++)
		s->first[owners[b] + 1]++; /* -1 counts in first[0] */
	for (uint64_t i = 0; i < d->program->operands.n; i++)
		s->first[owners[operands[i]] + 1]++;
	s->first[0] = 0;
	for (int v = 0; v < n_values; v++)
		s->first[v + 1] += s->first[v];
}

static void sort_slots(const struct sr_device *d, struct sr_bindings *s, struct sr_arena *arena, int n_values)
{
	struct slot *sorted = SR_NEWS(arena, struct slot, n_values);
	int64_t *reach = SR_NEWS(arena, int64_t, n_values);
	for (int i = 0; i < n_values; i++) {
		const struct sr_buffer *b = sr_program_buffers(d->program) + sr_program_values(d->program)[i].buffer;
		s->taken[i] = -1;
		s->fixed[i] = !b->bytes;
		if (b->bytes)
			sorted[s->n++] = (struct slot){b->offset, b->offset + aligned(b->bytes), i};
	}
	if (s->n)
		qsort(sorted, (size_t)s->n, sizeof *sorted, by_place);
	for (int64_t i = 0; i < s->n; i++)
		reach[i] = i && reach[i - 1] > sorted[i].end ? reach[i - 1] : sorted[i].end;
	s->sorted = sorted;
	s->reach = reach;
}

void sr_device_make_bindings(struct sr_device *d, struct sr_arena *arena)
{
	const struct sr_program *p = d->program;
	int n = p->n_arguments + p->n_results, *owners = SR_NEWS(arena, int, p->buffers.n);
	struct sr_bindings *s = d->slots = SR_NEW(arena, struct sr_bindings);
	int64_t *next = SR_NEWS(arena, int64_t, n);
	s->fixed = SR_NEWS(arena, bool, n);
	s->taken = SR_NEWS(arena, int, n);
	s->bound = SR_NEWS(arena, void *, n);
	s->first = SR_NEWS(arena, int64_t, n + 1);
	sort_slots(d, s, arena, n);
	fix(d, s);
	fix_constants(d, s);
	share(d, s);
	for (uint64_t b = 0; b < p->buffers.n; b++)
		owners[b] = owner(s, &sr_program_buffers(p)[b]);
	count_members(d, s, owners, n);
	s->members = SR_NEWS(arena, struct member, s->first[n]);
	for (int v = 0; v < n; v++)
		next[v] = s->first[v];
	fill_members(d, s, owners, next);
}

bool sr_device_bind(struct sr_device *d, int i, void *data)
{
	struct sr_bindings *s = d->slots;
	if (s->fixed[i])
		return false;
	if (s->bound[i] == data)
		return true;
	char *base = data ? data : d->arena + sr_program_buffers(d->program)[sr_program_values(d->program)[i].buffer].offset;
	for (int64_t m = s->first[i]; m < s->first[i + 1]; m++)
		*s->members[m].place = base + s->members[m].offset;
	s->bound[i] = data;
	return true;
}

int sr_device_result_donor(const struct sr_device *d, int i)
{
	return d->slots->taken[i];
}

int sr_device_binding_owner(const struct sr_device *d, int i)
{
	const struct sr_bindings *s = d->slots;
	return s->taken[i] >= 0 ? s->taken[i] : s->fixed[i] ? -1 : i;
}
