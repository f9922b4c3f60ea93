/* Buffer coalescing, as register allocators coalesce copies (Chaitin). Candidates are the two ends of a copy, an operand and a
 * result of an instruction that may run in place, and a donated argument and the result declared for it. A candidate's benefit
 * is its bytes times the estimated iterations of the enclosing loops. Candidates are merged in order of benefit if their classes
 * do not interfere, that is, are never live at the same point. Among equal benefits a donated argument comes first, because a
 * result that shares memory with a temporary instead is allocated anew by each execution. Lowering copies a value whenever it
 * moves between buffers; this pass removes the copies of loop state, in-place updates and results.
 *
 * Cost: n log n for the order; a class of more than MAX_RANGES live ranges is not merged further, so that merging stays linear. */
#include "plan/place/coalesce.h"
#include "plan/place/effects.h"
#include <stdlib.h>

enum { MAX_RANGES = 512, LOOP_ITERATIONS = 8, MAX_DEPTH = 12 };

struct interference { /* a buffer with which a class must not be merged, whatever their live ranges are */
	int buffer;
	struct interference *next;
};

struct candidate {
	double benefit;
	int from, to;
	size_t order;
};

struct coalesce {
	struct sr_plan_builder *b;
	struct sr_arena *arena;
	struct sr_buffer_classes *s;
	SR_VEC(struct candidate) candidates;
	sr_effects effects;
	struct interference **interference; /* for each class, stored at its first member: its interferences */
};

/* ---- candidates ---- */

static void add_candidate(struct coalesce *c, int first, int second, double weight)
{
	const struct sr_buffer *x = &c->b->buffers.data[first], *y = &c->b->buffers.data[second];
	if (first != second && x->bytes && x->bytes == y->bytes)
		sr_push(c->arena, &c->candidates, (struct candidate){(double)x->bytes * weight, first, second, c->candidates.n});
}

static void add_interference(struct coalesce *c, int buffer, int interfering)
{
	struct interference *a = SR_NEW(c->arena, struct interference);
	*a = (struct interference){interfering, c->interference[buffer]};
	c->interference[buffer] = a;
}

/* Add candidates for operands that are read elementwise. Such an operand is a candidate with every result that it may share
 * memory with, and interferes with the other results. */
static void add_in_place_candidates(struct coalesce *c, const struct sr_instr *instr, const struct sr_instr_traits *traits,
				    double iterations)
{
	const int32_t *operands = c->b->operands.data + instr->first_operand;
	sr_instr_effects(c->b, instr, traits->start, &c->effects);
	for (uint32_t i = 0; i < instr->n_operands; i++)
		for (uint32_t k = 0; c->effects.data[i] == SR_EFFECT_READ_ELEMENTWISE && k < instr->n_operands; k++) {
			if (c->effects.data[k] != SR_EFFECT_WRITE)
				continue;
			if (!traits->may_share || traits->may_share(c->b, instr, i, k)) {
				add_candidate(c, operands[i], operands[k], iterations);
			} else {
				add_interference(c, operands[i], operands[k]);
				add_interference(c, operands[k], operands[i]);
			}
		}
}

static void add_candidates(struct coalesce *c, int computation, int depth)
{
	double iterations = 1;
	for (int i = 0; i < depth && i < MAX_DEPTH; i++)
		iterations *= LOOP_ITERATIONS;
	for (size_t i = 0; i < c->b->computations.data[computation].instrs.n; i++) {
		const struct sr_instr *instr = &c->b->computations.data[computation].instrs.data[i];
		const struct sr_instr_traits *traits = sr_instr_traits_of(instr);
		const int32_t *operands = c->b->operands.data + instr->first_operand;
		int nested_computation;
		if (sr_instr_is_copy(c->b, instr))
			/* the benefit counts twice, since the copy instruction is removed */
			add_candidate(c, operands[0], operands[1], 2 * iterations);
		else if (traits->flow == SR_FLOW_STRAIGHT && traits->start)
			add_in_place_candidates(c, instr, traits, iterations);
		for (int k = 0; traits->computation && (nested_computation = traits->computation(c->b, instr, k)) >= 0; k++)
			add_candidates(c, nested_computation, depth + (traits->flow != SR_FLOW_BRANCHES));
	}
}

static void add_donated_candidates(struct coalesce *c)
{
	for (size_t i = 0; i < c->b->values.n; i++) {
		struct sr_io *io = &c->b->values.data[i];
		if (io->aliases >= 0)
			add_candidate(c, c->b->values.data[io->aliases].buffer, io->buffer, 1);
	}
}

static int compare_benefits(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	if (a->benefit != b->benefit)
		return a->benefit > b->benefit ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* ---- classes ---- */

static int buffer_class(struct coalesce *c, int buffer)
{
	int *parent = c->s->class_of, root = buffer;
	while (parent[root] != root)
		root = parent[root];
	while (parent[buffer] != root) {
		int next = parent[buffer];
		parent[buffer] = root;
		buffer = next;
	}
	return root;
}

/* Return true if the ranges intersect: each range of the shorter list is searched in the longer one. */
static bool ranges_intersect(const struct sr_ranges *x, const struct sr_ranges *y)
{
	const struct sr_ranges *few = x->n < y->n ? x : y, *many = few == x ? y : x;
	for (int64_t i = 0; i < few->n; i++) {
		/* binary search: index of the first range that ends at or after the start of the range */
		int64_t low = 0, high = many->n;
		while (low < high) {
			int64_t middle = (low + high) / 2;
			if (many->data[middle].to < few->data[i].from)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < many->n && many->data[low].from <= few->data[i].to)
			return true;
	}
	return false;
}

/* Return true if class y contains a buffer that interferes with x. */
static bool class_interferes(struct coalesce *c, int x, int y)
{
	for (const struct interference *a = c->interference[x]; a; a = a->next)
		if (buffer_class(c, a->buffer) == y)
			return true;
	return false;
}

static void merge_interferences(struct coalesce *c, int merged_class, int kept_class)
{
	struct interference **end = &c->interference[merged_class];
	while (*end)
		end = &(*end)->next;
	*end = c->interference[kept_class];
	c->interference[kept_class] = c->interference[merged_class];
}

static struct sr_ranges merge_ranges(struct coalesce *c, const struct sr_ranges *x, const struct sr_ranges *y)
{
	struct sr_ranges out = {SR_NEW_ARRAY(c->arena, struct sr_range, x->n + y->n), 0};
	for (int64_t i = 0, k = 0; i < x->n || k < y->n;) {
		struct sr_range r = k == y->n || (i < x->n && x->data[i].from < y->data[k].from) ? x->data[i++] : y->data[k++];
		if (out.n && out.data[out.n - 1].to + 1 == r.from)
			out.data[out.n - 1].to = r.to;
		else
			out.data[out.n++] = r;
	}
	return out;
}

static void try_merge(struct coalesce *c, const struct candidate *w)
{
	int x = buffer_class(c, w->from), y = buffer_class(c, w->to), first = x < y ? x : y;
	const struct sr_ranges *a = &c->s->ranges[x], *b = &c->s->ranges[y];
	if (x == y || a->n + b->n > MAX_RANGES || ranges_intersect(a, b) || class_interferes(c, x, y))
		return;
	merge_interferences(c, first == x ? y : x, first);
	c->s->ranges[first] = merge_ranges(c, a, b);
	c->s->class_of[x] = c->s->class_of[y] = first;
}

/* ---- results ---- */

static void drop_copies(struct coalesce *c)
{
	for (size_t computation = 0; computation < c->b->computations.n; computation++) {
		struct sr_instr_list *list = &c->b->computations.data[computation];
		size_t n = 0;
		for (size_t i = 0; i < list->instrs.n; i++) {
			const struct sr_instr *instr = &list->instrs.data[i];
			const int32_t *operands = c->b->operands.data + instr->first_operand;
			if (!sr_instr_is_copy(c->b, instr) || c->s->class_of[operands[0]] != c->s->class_of[operands[1]])
				list->instrs.data[n++] = *instr;
		}
		list->instrs.n = n;
	}
}

/* Record in each result the donated argument whose class contains the result. */
static void name_aliases(struct coalesce *c)
{
	const struct sr_plan_builder *b = c->b;
	int *argument = SR_NEW_ARRAY(c->arena, int, b->buffers.n);
	for (size_t i = 0; i < b->values.n; i++) {
		struct sr_io *io = &b->values.data[i];
		int class = c->s->class_of[io->buffer];
		if (b->uses.data[io->buffer] & SR_USE_RESULT)
			io->aliases = argument[class] - 1;
		else if (b->buffers.data[io->buffer].bytes)
			argument[class] = (int)i + 1;
	}
}

void sr_plan_coalesce_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *classes)
{
	struct coalesce c = {.b = b, .arena = b->arena, .s = classes};
	classes->class_of = SR_NEW_ARRAY(b->arena, int, b->buffers.n);
	classes->ranges = SR_NEW_ARRAY(b->arena, struct sr_ranges, b->buffers.n);
	c.interference = SR_NEW_ARRAY(b->arena, struct interference *, b->buffers.n);
	classes->n_times = sr_plan_liveness(b, classes->ranges);
	for (size_t i = 0; i < b->buffers.n; i++)
		classes->class_of[i] = (int)i;
	add_donated_candidates(&c);
	add_candidates(&c, 0, 0);
	if (c.candidates.n)
		qsort(c.candidates.data, c.candidates.n, sizeof *c.candidates.data, compare_benefits);
	for (size_t i = 0; i < c.candidates.n; i++)
		try_merge(&c, &c.candidates.data[i]);
	for (size_t i = 0; i < b->buffers.n; i++)
		classes->class_of[i] = buffer_class(&c, (int)i);
	drop_copies(&c);
	name_aliases(&c);
}
