/* Lower two kinds of concatenations: those whose readers are elementwise, so that they need no buffer, and very small ones. */
#include "dialect/attr_names.h"
#include "kernels/nest/nest.h"
#include "work/nest/nest_from_op.h"
#include <string.h>

enum { MAX_OPERANDS = 8, MAX_BOXES = 9, MAX_USES = 4, MIN_BYTES = 16 << 10, TINY_BYTES = 4 << 10 };

/* A box of elements of the result: those with indices in [begin, end), each of which is element index + at of `value`. */
struct box {
	struct sr_value *value;
	int64_t begin[SR_NEST_MAX_LOOPS], end[SR_NEST_MAX_LOOPS], at[SR_NEST_MAX_LOOPS];
};
/* The boxes of a result, which do not overlap and cover it. */
struct boxes {
	struct sr_context *ctx;
	const struct sr_type *type; /* type of the result */
	struct box list[MAX_BOXES];
	int n;
};

static int64_t bytes_of(const struct sr_value *v)
{
	int64_t n;
	return sr_type_bytes(v->type, &n) ? n : 0;
}

static struct sr_op *concatenate_of(const struct sr_value *v)
{
	return v->def && sr_op_is(v->def, SR_OP_stablehlo_concatenate) ? v->def : NULL;
}

/* Return true if op is a large concatenation of which one operand has most of the elements, as in rolls and halo exchanges. */
static bool has_main_operand(const struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0), max_extent = 0;
	for (int i = 0; i < op->n_operands; i++)
		if (sr_operand(op, i)->type->shape[dim] > max_extent)
			max_extent = sr_operand(op, i)->type->shape[dim];
	return op->n_operands > 1 && op->n_operands <= MAX_OPERANDS && max_extent >= sr_result(op, 0)->type->shape[dim] / 4 * 3 &&
	       bytes_of(sr_result(op, 0)) >= MIN_BYTES;
}

/* Return true if op (may be NULL) is a nest that slices with strides of 1, and set at[d] to the first index of each dimension. */
static bool is_dense_slice(struct sr_context *ctx, struct sr_op *op, int64_t *at)
{
	struct sr_indexing_map a;
	if (!sr_work_is_slice(ctx, op, &a))
		return false;
	for (int d = 0; d < a.rank; d++) {
		if (sr_result(op, 0)->type->shape[d] > 1 && sr_indexing_map_row(&a, d)[d] != 1)
			return false;
		at[d] = sr_indexing_map_row(&a, d)[a.n_loops];
	}
	return true;
}

/* Return true if the elements of the result that have an element of the box's value at offset `at` are those of the box. */
static bool is_whole(const struct boxes *boxes, const struct box *x)
{
	for (int d = 0; d < boxes->type->rank; d++)
		if ((x->begin[d] > 0 && x->begin[d] + x->at[d] > 0) ||
		    (x->end[d] < boxes->type->shape[d] && x->end[d] + x->at[d] < x->value->type->shape[d]))
			return false;
	return true;
}

static bool add_box(struct boxes *boxes, struct box *x);

/* Add the box, whose value is the concatenation's result, as one box for each operand of the concatenation. Return false if
 * there are too many, or one is not whole. */
static bool divide_box(struct boxes *boxes, const struct box *x, const struct sr_op *concatenate)
{
	int64_t dim = sr_op_int(concatenate, SR_NAME_dimension, 0), start = -x->at[dim];
	for (int i = 0; i < concatenate->n_operands; i++) {
		struct box part = *x;
		part.value = sr_operand(concatenate, i);
		int64_t end = start + part.value->type->shape[dim];
		part.begin[dim] = start > x->begin[dim] ? start : x->begin[dim];
		part.end[dim] = end < x->end[dim] ? end : x->end[dim];
		part.at[dim] = -start;
		if (part.begin[dim] < part.end[dim] && !add_box(boxes, &part))
			return false;
		start = end;
	}
	return true;
}

/* Add a box: read from the source of a slice instead of the slice, and from the operands of a large concatenation instead of
 * its result, if that is possible. */
static bool add_box(struct boxes *boxes, struct box *x)
{
	int64_t at[SR_NEST_MAX_LOOPS];
	struct box source = *x;
	int n = boxes->n;
	if (is_dense_slice(boxes->ctx, x->value->def, at)) {
		source.value = sr_operand(x->value->def, 0);
		for (int d = 0; d < boxes->type->rank; d++)
			source.at[d] += at[d];
	}
	const struct sr_op *concatenate = concatenate_of(source.value);
	if (concatenate && has_main_operand(concatenate)) {
		if (divide_box(boxes, &source, concatenate))
			return true;
		boxes->n = n;
	}
	const struct box *added = is_whole(boxes, &source) ? &source : x;
	if (boxes->n == MAX_BOXES || !is_whole(boxes, added))
		return false;
	boxes->list[boxes->n++] = *added;
	return true;
}

static int64_t box_elements(const struct boxes *boxes, const struct box *x)
{
	int64_t n = 1;
	for (int d = 0; d < boxes->type->rank; d++)
		n *= x->end[d] - x->begin[d];
	return n;
}

/* Add an operand that has the elements of a box. Outside of its bounds, the previously added operand is read. */
static void add_operand(struct sr_nest_builder *p, const struct box *x)
{
	struct sr_indexing_map *a = sr_nest_builder_add_operand(p, x->value);
	a->fill = p->nest.n_operands - 2;
	for (int d = 0; d < a->rank; d++) {
		sr_indexing_map_row(a, d)[d] = 1;
		sr_indexing_map_row(a, d)[a->n_loops] = x->at[d];
	}
}

/* Build a nest that reads each element of the result from its box. The operands of the nest are in this order: a value for
 * elements outside all boxes, which do not occur; all boxes but the largest; the largest, which most iterations read, so that
 * these check no other box. The first operand is the same for all shifts of one tensor, so that fused nests have it once. */
static bool build_nest(struct sr_lowering *l, const struct boxes *boxes)
{
	struct sr_nest_builder p = sr_nest_builder_over_result(l, boxes->n + 1);
	int largest = 0;
	for (int i = 1; i < boxes->n; i++)
		if (box_elements(boxes, &boxes->list[i]) > box_elements(boxes, &boxes->list[largest]))
			largest = i;
	sr_nest_builder_add_operand(&p, boxes->list[largest].value);
	for (int i = 0; i < boxes->n; i++)
		if (i != largest)
			add_operand(&p, &boxes->list[i]);
	add_operand(&p, &boxes->list[largest]);
	sr_nest_builder_create_op(&p);
	struct sr_value *v = sr_nest_builder_arg(&p, p.nest.n_operands - 1);
	return sr_nest_builder_yield(&p, &v, 1);
}

static struct box whole_result(const struct sr_type *type)
{
	struct box x = {0};
	memcpy(x.end, type->shape, sizeof *x.end * (size_t)type->rank);
	return x;
}

/* Lower a concatenation so small that a copy per operand takes longer than a nest with comparisons. Gathers read the components
 * of index vectors through the concatenation. */
bool sr_nest_from_concatenate(struct sr_lowering *l)
{
	const struct sr_type *type = sr_result(l->op, 0)->type;
	for (const struct sr_use *use = sr_result(l->op, 0)->uses; use; use = use->next)
		if (sr_op_is(use->owner, SR_OP_stablehlo_gather))
			return false;
	if (l->op->n_operands < 2 || l->op->n_operands > MAX_OPERANDS || bytes_of(sr_result(l->op, 0)) > TINY_BYTES)
		return false;
	struct boxes boxes = {.ctx = l->ctx, .type = type};
	struct box x = whole_result(type);
	return divide_box(&boxes, &x, l->op) && build_nest(l, &boxes);
}

/* Return true if the use is the operand of an elementwise op, lowered or not. */
static bool is_elementwise_use(struct sr_context *ctx, const struct sr_use *use)
{
	if (!sr_op_is(use->owner, SR_OP_work_nest))
		return use->owner->info->traits & SR_ELEMENTWISE;
	struct sr_work_nest nest = sr_work_read(ctx, use->owner);
	int dim_of_loop[SR_NEST_MAX_LOOPS];
	if (nest.parallel != nest.n_loops ||
	    !sr_indexing_map_is_permutation(&nest.accesses[sr_use_index(use)], use->value->type->shape, dim_of_loop))
		return false;
	for (int l = 0; l < nest.n_loops; l++)
		if (dim_of_loop[l] != l && nest.loops[l] != 1)
			return false;
	return true;
}

/* Return true if only a few elementwise ops read the value. */
static bool is_read_elementwise(struct sr_context *ctx, const struct sr_value *v, const struct sr_block *block)
{
	int uses = 0;
	for (const struct sr_use *use = v->uses; use; use = use->next, uses++)
		if (use->owner->block != block || !is_elementwise_use(ctx, use))
			return false;
	return uses && uses <= MAX_USES;
}

/* Return true if all readers of the concatenation's result are slices that only elementwise ops read, or such ops themselves. */
static bool is_read_in_slices(struct sr_context *ctx, const struct sr_op *concatenate)
{
	int64_t at[SR_NEST_MAX_LOOPS];
	for (const struct sr_use *use = sr_result(concatenate, 0)->uses; use; use = use->next)
		if (!is_elementwise_use(ctx, use) && !(is_dense_slice(ctx, use->owner, at) &&
						       is_read_elementwise(ctx, sr_result(use->owner, 0), concatenate->block)))
			return false;
	return true;
}

bool sr_nest_from_boxes(struct sr_lowering *l)
{
	int64_t at[SR_NEST_MAX_LOOPS];
	struct sr_value *result = sr_result(l->op, 0);
	struct boxes boxes = {.ctx = l->ctx, .type = result->type};
	struct box x = whole_result(result->type);
	const struct sr_op *concatenate = l->op;
	if (is_dense_slice(l->ctx, l->op, at)) {
		concatenate = concatenate_of(sr_operand(l->op, 0));
		memcpy(x.at, at, sizeof *at * (size_t)result->type->rank);
		if (!concatenate || !is_read_in_slices(l->ctx, concatenate))
			return false;
	}
	return sr_op_is(concatenate, SR_OP_stablehlo_concatenate) && has_main_operand(concatenate) &&
	       is_read_elementwise(l->ctx, result, l->op->block) && divide_box(&boxes, &x, concatenate) && boxes.n > 1 &&
	       build_nest(l, &boxes);
}
