/* Lower two kinds of concatenations: those whose readers are elementwise, perhaps after slices and pads, so that they need no
 * buffer, and very small ones. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "kernels/nest/nest.h"
#include "work/nest/nest_from_op.h"
#include <limits.h>
#include <string.h>

enum { MAX_OPERANDS = 8, MAX_BOXES = 9, MAX_USES = 8, MIN_BYTES = 16 << 10, TINY_BYTES = 4 << 10 };

/* Where the elements of a box are: element i of the result is element i + at of the value. A value that is a scalar has all
 * elements. */
struct source {
	struct sr_value *value;
	int64_t at[SR_NEST_MAX_LOOPS];
};
/* A box of elements of the result: those with indices in [begin, end). A slice's source is preferred to its result. */
struct box {
	struct source from, slice; /* slice.value == NULL: `from` is not the source of a slice */
	int64_t begin[SR_NEST_MAX_LOOPS], end[SR_NEST_MAX_LOOPS];
};
/* The padding of a padded concatenation: the elements of the result at its borders. */
struct padding {
	struct sr_value *number; /* scalar that is the value of these elements; NULL: there is no padding */
	struct box list[2 * SR_NEST_MAX_LOOPS]; /* boxes that cover these elements */
	int n;
};
/* The boxes of a result, which do not overlap and cover it except for the padding. */
struct boxes {
	struct sr_context *ctx;
	const struct sr_type *type; /* type of the result */
	bool divides_operands;      /* true if operands that are concatenations themselves are divided, too */
	struct box list[MAX_BOXES];
	int n;
	struct padding padding;
};

/* Return true if op is a large concatenation of which one operand has most of the elements, as in rolls and halo exchanges. */
static bool has_main_operand(const struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0), max_extent = 0;
	for (int i = 0; i < op->n_operands; i++)
		if (sr_operand(op, i)->type->shape[dim] > max_extent)
			max_extent = sr_operand(op, i)->type->shape[dim];
	return op->n_operands > 1 && op->n_operands <= MAX_OPERANDS && max_extent >= sr_result(op, 0)->type->shape[dim] / 4 * 3 &&
	       sr_value_bytes(sr_result(op, 0)) >= MIN_BYTES;
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

/* Return true if op (may be NULL) is a nest that pads or shifts its operand number 1. Set at as is_dense_slice does, without regard
 * to the padding. */
static bool is_pad(struct sr_context *ctx, struct sr_op *op, int64_t *at)
{
	if (!op || !sr_op_is(op, SR_OP_work_nest) || op->n_operands != 2 || op->n_results != 1 || !sr_work_only_yields(op) ||
	    sr_operand_type(op, 0)->rank || sr_operand(sr_block_terminator(op->regions[0].first), 0)->index != 1)
		return false;
	struct sr_work_nest nest = sr_work_read(ctx, op);
	const struct sr_indexing_map *a = &nest.accesses[1];
	if (a->fill != 0 || a->index || a->divisor || a->rank != nest.n_loops || nest.parallel != nest.n_loops)
		return false;
	for (int d = 0; d < a->rank; d++) {
		for (int l = 0; l < a->n_loops; l++)
			if (sr_indexing_map_row(a, d)[l] != (l == d && nest.loops[d] > 1))
				return false;
		at[d] = sr_indexing_map_row(a, d)[a->n_loops];
	}
	return true;
}

/* Return the scalar of which all elements of the value are copies; NULL: none is known. */
static struct sr_value *scalar_of(const struct sr_value *v)
{
	const struct sr_op *nest = v->def;
	if (!nest || !sr_op_is(nest, SR_OP_work_nest) || nest->n_operands != 1 || !sr_work_only_yields(nest))
		return NULL;
	return sr_operand_type(nest, 0)->rank ? NULL : sr_operand(nest, 0);
}

static bool add_box(struct boxes *boxes, const struct box *x);

/* Add the box, whose value is the concatenation's result, as one box for each operand of the concatenation. Return false if
 * there are too many. */
static bool divide_box(struct boxes *boxes, const struct box *x, const struct sr_op *concatenate)
{
	int64_t dim = sr_op_int(concatenate, SR_NAME_dimension, 0), start = -x->from.at[dim];
	for (int i = 0; i < concatenate->n_operands; i++) {
		struct box part = *x;
		part.from.value = sr_operand(concatenate, i);
		int64_t end = start + part.from.value->type->shape[dim];
		part.begin[dim] = start > x->begin[dim] ? start : x->begin[dim];
		part.end[dim] = end < x->end[dim] ? end : x->end[dim];
		part.from.at[dim] = -start;
		if (part.begin[dim] < part.end[dim] && !add_box(boxes, &part))
			return false;
		start = end;
	}
	return true;
}

/* Add a box: of the source of a slice, and of the operands of a large concatenation instead of its result. */
static bool add_box(struct boxes *boxes, const struct box *x)
{
	int64_t at[SR_NEST_MAX_LOOPS];
	struct box added = *x;
	int n = boxes->n;
	added.slice.value = NULL;
	if (is_dense_slice(boxes->ctx, x->from.value->def, at)) {
		added.slice = x->from;
		added.from.value = sr_operand(x->from.value->def, 0);
		for (int d = 0; d < boxes->type->rank; d++)
			added.from.at[d] += at[d];
	} else if (scalar_of(x->from.value)) {
		added.slice = x->from;
		added.from.value = scalar_of(x->from.value);
	}
	const struct sr_op *concatenate = sr_value_def_of(added.from.value, SR_OP_stablehlo_concatenate);
	if (boxes->divides_operands && concatenate && has_main_operand(concatenate)) {
		if (divide_box(boxes, &added, concatenate))
			return true;
		boxes->n = n;
	}
	if (boxes->n == MAX_BOXES)
		return false;
	boxes->list[boxes->n++] = added;
	return true;
}

static int64_t box_elements(const struct boxes *boxes, const struct box *x)
{
	int64_t n = 1;
	for (int d = 0; d < boxes->type->rank; d++)
		n *= x->end[d] - x->begin[d];
	return n;
}

static bool is_same_source(const struct source *a, const struct source *b, int rank)
{
	return a->value == b->value && !memcmp(a->at, b->at, sizeof *a->at * (size_t)rank);
}

/* Return true if an element of the box is within the bounds of another source, or in another operand with the same source. */
static bool may_read(const struct boxes *boxes, const struct source *from, const struct box *x)
{
	for (int d = 0; from->value->type->rank && d < boxes->type->rank; d++)
		if (x->end[d] + from->at[d] <= 0 || x->begin[d] + from->at[d] >= from->value->type->shape[d])
			return false;
	return !is_same_source(from, &x->from, boxes->type->rank);
}

/* Return true if the source's bounds may be checked before those of boxes [0, n) except for number i: none of their elements is
 * within them. */
static bool may_precede(const struct boxes *boxes, const struct source *from, int n, int i)
{
	for (int k = 0; k < n; k++)
		if (k != i && may_read(boxes, from, &boxes->list[k]))
			return false;
	for (int k = 0; k < boxes->padding.n; k++)
		if (may_read(boxes, from, &boxes->padding.list[k]))
			return false;
	return true;
}

/* Return the number of the largest of boxes [0, n) whose bounds may be checked before those of the others; -1: none. If
 * `reads_slice`, read the result of the box's slice. */
static int find_first(const struct boxes *boxes, int n, bool reads_slice)
{
	int found = -1;
	for (int i = 0; i < n; i++) {
		const struct box *x = &boxes->list[i];
		const struct source *from = reads_slice ? &x->slice : &x->from;
		if (from->value && may_precede(boxes, from, n, i) &&
		    (found < 0 || box_elements(boxes, x) > box_elements(boxes, &boxes->list[found])))
			found = i;
	}
	return found;
}

/* Order the boxes so that an element belongs to the last box within whose source's bounds it is. Return false if there is no such
 * order. The order of two boxes, a main one and its edge with a source that has more rows:
 *
 *	[edge, main]	result[i] = main[i - 1] where 0 <= i - 1, else edge[i] */
static bool order_boxes(struct boxes *boxes)
{
	for (int n = boxes->n; n > 0; n--) {
		int i = find_first(boxes, n, false);
		if (i < 0) {
			i = find_first(boxes, n, true);
			if (i < 0)
				return false;
			boxes->list[i].from = boxes->list[i].slice;
		}
		struct box first = boxes->list[i];
		memmove(boxes->list + i, boxes->list + i + 1, sizeof first * (size_t)(n - 1 - i));
		boxes->list[n - 1] = first;
	}
	return true;
}

/* Return true if all elements of the result are within the source's bounds. */
static bool is_in_bounds(const struct boxes *boxes, const struct source *from)
{
	for (int d = 0; from->value->type->rank && d < boxes->type->rank; d++)
		if (from->at[d] < 0 || boxes->type->shape[d] + from->at[d] > from->value->type->shape[d])
			return false;
	return true;
}

/* Add an operand that has the elements of a box. Outside of its bounds, the previously added operand is read. */
static void add_operand(struct sr_nest_builder *p, const struct boxes *boxes, const struct source *from)
{
	struct sr_indexing_map *a = sr_nest_builder_add_operand(p, from->value);
	a->fill = is_in_bounds(boxes, from) ? -1 : p->nest.n_operands - 2;
	for (int d = 0; d < a->rank; d++) {
		sr_indexing_map_row(a, d)[d] = 1;
		sr_indexing_map_row(a, d)[a->n_loops] = from->at[d];
	}
}

/* Return true for a scalar constant whose bits are zero. */
static bool is_zero(struct sr_context *ctx, const struct sr_value *v)
{
	static const char zero[16];
	const struct sr_attr *number = sr_constant_value(v);
	int64_t bytes = 0;
	const void *data = number ? sr_dense_data(ctx, number, false, &bytes) : NULL;
	return data && bytes <= (int64_t)sizeof zero && !memcmp(data, zero, (size_t)bytes);
}

/* Return a scalar zero, which the first ops of the op's block define, so that all nests of the block have the same. */
static struct sr_value *zero_of_block(struct sr_lowering *l, const struct sr_type *type)
{
	enum { MAX_CONSTANTS = 64 }; /* constants that are searched */
	struct sr_block *block = l->op->block;
	struct sr_builder b = {.ctx = l->ctx, .block = block, .anchor = block->first, .loc = l->op->loc};
	int n = 0;
	for (struct sr_op *op = block->first; op && sr_op_is(op, SR_OP_stablehlo_constant) && n < MAX_CONSTANTS; op = op->next, n++)
		if (!sr_result_type(op, 0)->rank && sr_result_type(op, 0)->dtype == type->dtype &&
		    is_zero(l->ctx, sr_result(op, 0)))
			return sr_result(op, 0);
	return sr_build_zero_scalar(&b, type);
}

/* Build a nest that reads each element of the result from its box. The operands of the nest are in this order: a value for
 * elements outside all boxes, which do not occur without padding, if the first box has bounds; the boxes, the largest last if
 * possible, so that most iterations check no other box. The value for other elements is the same for all shifts of one tensor, so
 * that fused nests have it once; it is a zero if the tensor is a concatenation, into which nests write their results if nothing
 * else reads these. */
static bool build_nest(struct sr_lowering *l, const struct boxes *boxes)
{
	struct sr_nest_builder p = sr_nest_builder_over_result(l, boxes->n + 1);
	if (boxes->padding.number) {
		sr_nest_builder_add_operand(&p, boxes->padding.number);
	} else if (!is_in_bounds(boxes, &boxes->list[0].from)) {
		struct sr_value *v = boxes->list[boxes->n - 1].from.value;
		bool is_concatenation = sr_value_def_of(v, SR_OP_stablehlo_concatenate);
		sr_nest_builder_add_operand(&p, is_concatenation ? zero_of_block(l, v->type) : v);
	}
	for (int i = 0; i < boxes->n; i++)
		add_operand(&p, boxes, &boxes->list[i].from);
	sr_nest_builder_create_op(&p);
	struct sr_value *v = sr_nest_builder_arg(&p, p.nest.n_operands - 1);
	return sr_nest_builder_yield(&p, &v, 1);
}

/* Build a nest for the box, whose value is the concatenation's result. Concatenations among the operands are divided if
 * possible. */
static bool build_from_box(struct sr_lowering *l, const struct box *x, const struct padding *padding,
			   const struct sr_op *concatenate)
{
	for (int divides_operands = 1; divides_operands >= 0; divides_operands--) {
		struct boxes boxes = {.ctx = l->ctx, .type = sr_result(l->op, 0)->type, .divides_operands = divides_operands};
		boxes.padding = *padding;
		if (divide_box(&boxes, x, concatenate) && boxes.n > !padding->number && order_boxes(&boxes))
			return build_nest(l, &boxes);
	}
	return false;
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
	if (l->op->n_operands < 2 || l->op->n_operands > MAX_OPERANDS || sr_value_bytes(sr_result(l->op, 0)) > TINY_BYTES)
		return false;
	struct box x = whole_result(type);
	return build_from_box(l, &x, &(struct padding){0}, l->op);
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

/* Return true if the op is a reshape that removes or adds dimensions of extent 1 only. */
static bool is_unit_reshape(const struct sr_op *op)
{
	if (!sr_op_is(op, SR_OP_stablehlo_reshape))
		return false;
	const struct sr_type *from = sr_operand(op, 0)->type, *to = sr_result_type(op, 0);
	int d = 0;
	for (int e = 0; e < to->rank; e++) {
		if (to->shape[e] == 1)
			continue;
		while (d < from->rank && from->shape[d] == 1)
			d++;
		if (d == from->rank || from->shape[d++] != to->shape[e])
			return false;
	}
	return true;
}

/* Return how many elementwise ops read the value or its unit reshapes; INT_MAX if other ops do, too. */
static int count_elementwise_reads(struct sr_context *ctx, const struct sr_value *v, const struct sr_block *block)
{
	int n = 0;
	for (const struct sr_use *use = v->uses; use && n < INT_MAX; use = use->next) {
		int k = use->owner->block != block ? INT_MAX
			: is_unit_reshape(use->owner) ? count_elementwise_reads(ctx, sr_result(use->owner, 0), block)
			: is_elementwise_use(ctx, use) ? 1 : INT_MAX;
		n = k == INT_MAX ? k : n + k;
	}
	return n;
}

/* Return true if only a few elementwise ops read the value. */
static bool is_read_elementwise(struct sr_context *ctx, const struct sr_value *v, const struct sr_block *block)
{
	int n = count_elementwise_reads(ctx, v, block);
	return n && n <= MAX_USES;
}

/* Return true if all readers of the concatenation's result are slices and pads that only elementwise ops read, or such ops
 * themselves. */
static bool is_read_in_slices(struct sr_context *ctx, const struct sr_op *concatenate)
{
	int64_t at[SR_NEST_MAX_LOOPS];
	for (const struct sr_use *use = sr_result(concatenate, 0)->uses; use; use = use->next)
		if (!is_elementwise_use(ctx, use) && !((is_dense_slice(ctx, use->owner, at) || is_pad(ctx, use->owner, at)) &&
						       is_read_elementwise(ctx, sr_result(use->owner, 0), concatenate->block)))
			return false;
	return true;
}

/* Restrict the box, which is the whole result, to the elements that are not padding, and list the padding. The result's element i
 * is element i + at of a tensor of this type. Return false if all elements are padding. */
static bool split_padding(struct box *x, const struct sr_type *type, struct padding *padding)
{
	const struct box whole = *x;
	for (int d = 0; d < type->rank; d++) {
		struct box low = whole, high = whole;
		int64_t begin = -x->from.at[d], end = type->shape[d] - x->from.at[d];
		if (begin > x->begin[d])
			x->begin[d] = low.end[d] = begin;
		if (end < x->end[d])
			x->end[d] = high.begin[d] = end;
		if (x->begin[d] >= x->end[d])
			return false;
		if (x->begin[d] > whole.begin[d])
			padding->list[padding->n++] = low;
		if (x->end[d] < whole.end[d])
			padding->list[padding->n++] = high;
	}
	return true;
}

bool sr_nest_from_boxes(struct sr_lowering *l)
{
	int64_t at[SR_NEST_MAX_LOOPS];
	struct sr_value *result = sr_result(l->op, 0);
	struct box x = whole_result(result->type);
	struct padding padding = {0};
	const struct sr_op *concatenate = l->op;
	bool pads = is_pad(l->ctx, l->op, at);
	if (pads || is_dense_slice(l->ctx, l->op, at)) {
		concatenate = sr_value_def_of(sr_operand(l->op, pads), SR_OP_stablehlo_concatenate);
		memcpy(x.from.at, at, sizeof *at * (size_t)result->type->rank);
		if (!concatenate || !is_read_in_slices(l->ctx, concatenate))
			return false;
	}
	if (pads) {
		padding.number = sr_operand(l->op, 0);
		if (!split_padding(&x, sr_operand(l->op, 1)->type, &padding))
			return false;
	}
	return sr_op_is(concatenate, SR_OP_stablehlo_concatenate) && has_main_operand(concatenate) &&
	       is_read_elementwise(l->ctx, result, l->op->block) && build_from_box(l, &x, &padding, concatenate);
}
