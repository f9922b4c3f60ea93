/* Build the loops of a strip-mined group (strip_mine.c): for each range of rows, one stablehlo.while over its blocks. Where the blocks
 * do not divide the rows, the last block begins earlier and computes some rows twice; sums over rows have a second loop instead, over
 * the rows left. */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "dialect/signature.h"
#include "work/strip/strip.h"
#include <string.h>

/* A member whose result ops outside of the group use. */
struct output {
	struct sr_op *member;
	struct sr_strip_dims dims;
	bool is_swapped; /* the loop exchanges the product's operands; its state is transposed after the loop */
	int64_t permutation[SR_MAX_RANK]; /* of that transpose */
	const struct sr_type *type; /* type of the loop's state */
	struct sr_value *value;     /* state before the next loop */
	struct sr_value *state;     /* in the loop's body */
};

/* The block of a value that is defined outside of the group. */
struct slice {
	struct sr_value *v, *block;
	struct sr_strip_dims dims;
};

struct build {
	struct sr_strip_group *g;
	struct sr_context *ctx;
	struct output *outputs;
	int n_outputs;
	int64_t block_extent[SR_MAX_RANK], n_blocks; /* of the loop that is being built; behind the loops, the number of columns */
	struct sr_strip_rectangle range;
	/* in the loop's body */
	struct sr_builder body;
	struct sr_value *start[SR_MAX_RANK], *zero; /* first index of the block along each loop, and first column */
	struct sr_map values; /* struct sr_value * of the group -> its block */
	SR_VEC(struct slice) slices;
};

static struct sr_value *index_constant(struct sr_builder *b, int64_t v)
{
	return sr_build_scalar(b, SR_I64, v);
}

static struct sr_value *binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, int64_t y)
{
	return sr_build_binary(b, code, x, index_constant(b, y));
}

/* Return the type with the block's extents along the loops. */
static const struct sr_type *block_type(const struct build *p, const struct sr_type *t, const struct sr_strip_dims *dims)
{
	int64_t shape[SR_MAX_RANK];
	memcpy(shape, t->shape, sizeof *shape * (size_t)t->rank);
	for (int l = 0; l <= p->g->n_loops; l++)
		if (dims->dim[l] >= 0)
			shape[dims->dim[l]] = p->block_extent[l];
	return sr_type_with_shape(p->ctx, t, t->rank, shape);
}

static void set_starts(const struct build *p, int rank, const struct sr_strip_dims *dims, struct sr_value **starts)
{
	for (int d = 0; d < rank; d++)
		starts[d] = p->zero;
	for (int l = 0; l <= p->g->n_loops; l++)
		if (dims->dim[l] >= 0)
			starts[dims->dim[l]] = p->start[l];
}

static struct sr_value *slice_block(struct build *p, struct sr_value *v, const struct sr_strip_dims *dims)
{
	struct sr_value *starts[SR_MAX_RANK];
	set_starts(p, v->type->rank, dims, starts);
	return sr_build_dynamic_slice(&p->body, v, starts, block_type(p, v->type, dims)->shape);
}

static bool varies(const struct build *p, const struct sr_strip_dims *dims)
{
	for (int l = 0; l < p->g->n_loops; l++)
		if (dims->dim[l] >= 0)
			return true;
	return dims->dim[p->g->n_loops] >= 0 && p->range.n_columns < p->g->columns;
}

/* Return the block of a value that is defined outside of the group. The block of a transpose is the transposed block of its operand,
 * if each iteration has different rows of it: a product can read it in place, and the whole transpose is not in memory. */
static struct sr_value *outer_block(struct build *p, struct sr_value *v, const struct sr_strip_dims *dims)
{
	struct sr_op *def = v->def;
	const int64_t *permutation;
	int64_t n;
	if (!def || def->block != p->g->seed->block || !sr_op_is(def, SR_OP_stablehlo_transpose) ||
	    dims->dim[p->g->n_loops - 1] < 0 || !sr_op_ints(p->ctx, def, SR_NAME_permutation, &permutation, &n))
		return slice_block(p, v, dims);
	struct sr_strip_dims source = *dims;
	for (int l = 0; l <= p->g->n_loops; l++)
		if (dims->dim[l] >= 0)
			source.dim[l] = (int8_t)permutation[dims->dim[l]];
	return sr_build_transpose(&p->body, slice_block(p, sr_operand(def, 0), &source), permutation);
}

/* Return the block of an operand of the group: computed in the loop, or sliced. */
static struct sr_value *block_of(struct build *p, struct sr_value *v, const struct sr_strip_dims *dims)
{
	struct sr_value *own = sr_map_get(&p->values, v);
	if (own || !varies(p, dims))
		return own ? own : v;
	for (size_t i = 0; i < p->slices.n; i++)
		if (p->slices.data[i].v == v && sr_strip_equal_dims(p->g, &p->slices.data[i].dims, dims))
			return p->slices.data[i].block;
	struct sr_value *block = outer_block(p, v, dims);
	sr_push(p->ctx->scratch, &p->slices, (struct slice){v, block, *dims});
	return block;
}

/* ---- ops of the body ---- */

/* Build the positions of the block along the iota's dimension. */
static struct sr_value *build_iota(struct build *p, const struct sr_op *op, const struct sr_type *type,
				   const struct sr_strip_dims *dims)
{
	int64_t d = sr_op_int(op, SR_NAME_iota_dimension, 0);
	struct sr_value *iota = sr_build_iota(&p->body, type->dtype, type, d);
	for (int l = 0; l <= p->g->n_loops; l++)
		if (dims->dim[l] == d && p->start[l] != p->zero) {
			struct sr_value *start = sr_build_convert(&p->body, p->start[l], type->dtype);
			start = sr_build_broadcast(&p->body, start, type, NULL);
			return sr_build_binary(&p->body, SR_OP_stablehlo_add, iota, start);
		}
	return iota;
}

static const struct sr_attr *swapped_numbers(struct sr_context *ctx, const struct sr_op *product)
{
	static const char *const fields[4] = {SR_NAME_lhs_batching_dimensions, SR_NAME_rhs_batching_dimensions,
					      SR_NAME_lhs_contracting_dimensions, SR_NAME_rhs_contracting_dimensions};
	const struct sr_attr *numbers = sr_op_attr(product, SR_NAME_dot_dimension_numbers), *swapped[4];
	for (int f = 0; f < 4; f++)
		swapped[f] = sr_attr_field(numbers, fields[f ^ 1]);
	return sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), swapped);
}

/* Return the output whose member is the op; NULL if no op outside of the group uses the op's result. */
static struct output *output_of(const struct build *p, const struct sr_op *op)
{
	for (int i = 0; i < p->n_outputs; i++)
		if (p->outputs[i].member == op)
			return &p->outputs[i];
	return NULL;
}

/* If operand i of the product is a softmax, exponential(x - m) / s with one s for each row, divide the product's result by s instead:
 * it has fewer elements. `original` is the operand outside of the loop. Return the quotient; NULL if nothing is changed. */
static struct sr_value *divide_result(struct build *p, struct sr_op *product, int i, const struct sr_value *original)
{
	struct sr_op *quotient = sr_operand(product, i)->def;
	const struct sr_type *type = sr_result_type(product, 0);
	int64_t dims[SR_MAX_RANK], shape[SR_MAX_RANK], n_dims;
	const int64_t *from;
	int n = 0;
	if (!quotient || quotient->block != p->body.block || !sr_op_is(quotient, SR_OP_stablehlo_divide) || original->uses->next ||
	    type->dtype != SR_F32)
		return NULL;
	const struct sr_op *e = sr_operand(quotient, 0)->def, *divisors = sr_operand(quotient, 1)->def;
	if (!e || !sr_op_is(e, SR_OP_stablehlo_exponential) || !sr_operand(e, 0)->def ||
	    !sr_op_is(sr_operand(e, 0)->def, SR_OP_stablehlo_subtract) || !divisors ||
	    !sr_op_is(divisors, SR_OP_stablehlo_broadcast_in_dim) || sr_operand_type(quotient, 0)->dtype != SR_F32)
		return NULL;
	struct sr_value *s = sr_operand(divisors, 0);
	sr_op_ints(p->ctx, divisors, SR_NAME_broadcast_dimensions, &from, &n_dims);
	for (int d = 0; d < s->type->rank; d++)
		if (s->type->shape[d] > 1) {
			shape[n] = s->type->shape[d];
			dims[n] = sr_strip_result_dim(p->ctx, product, i, (int)from[d]);
			if (dims[n++] < 0)
				return NULL;
		}
	sr_op_set_operand(product, i, sr_result(e, 0));
	sr_op_erase(quotient);
	s = sr_build_broadcast(&p->body, sr_build_reshape(&p->body, s, n, shape), type, dims);
	return sr_build_binary(&p->body, SR_OP_stablehlo_divide, sr_result(product, 0), s);
}

static void build_op(struct build *p, struct sr_op *op)
{
	const struct sr_strip_dims *dims = sr_strip_dims_of(p->g, op);
	const struct output *out = output_of(p, op);
	bool is_scatter = sr_op_is(op, SR_OP_stablehlo_scatter);
	const struct sr_type *type = block_type(p, out ? out->type : sr_result_type(op, 0), out ? &out->dims : dims);
	struct sr_value *operands[3];
	p->body.loc = op->loc;
	if (sr_op_is(op, SR_OP_stablehlo_iota)) {
		sr_map_put(&p->values, sr_result(op, 0), build_iota(p, op, type, dims));
		return;
	}
	struct sr_op *copy = sr_op_clone(p->ctx, op, NULL);
	if (sr_op_is(op, SR_OP_stablehlo_constant)) {
		const struct sr_dense *dense = sr_constant_value(sr_result(op, 0))->dense;
		sr_op_set_attr(p->ctx, copy, SR_NAME_value, sr_attr_dense(p->ctx, type, dense->data, dense->n_bytes));
	}
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_strip_dims operand_dims = sr_strip_operand_dims(p->g, op, i, dims);
		if (sr_strip_is_sum(p->g, op))
			operand_dims.dim[p->g->n_loops - 1] = dims->summed[i];
		if (is_scatter && i == 0) {
			operands[i] = out->state;
			continue;
		}
		if (i < 2 && dims->columns[i] >= 0)
			operand_dims.dim[p->g->n_loops] = dims->columns[i];
		operands[i] = block_of(p, sr_operand(op, i), &operand_dims);
	}
	for (int i = 0; i < op->n_operands; i++)
		sr_op_set_operand(copy, i, operands[out && out->is_swapped ? 1 - i : i]);
	if (out && out->is_swapped)
		sr_op_set_attr(p->ctx, copy, SR_NAME_dot_dimension_numbers, swapped_numbers(p->ctx, op));
	sr_result(copy, 0)->type = type;
	sr_op_append(p->body.block, copy);
	struct sr_value *result = NULL;
	for (int i = 0; i < op->n_operands && !result && sr_op_is(op, SR_OP_stablehlo_dot_general); i++)
		result = divide_result(p, copy, i, sr_operand(op, out && out->is_swapped ? 1 - i : i));
	sr_map_put(&p->values, sr_result(op, 0), result ? result : sr_result(copy, 0));
}

/* Store the block of the output in the loop's state. Return the next state. */
static struct sr_value *store(struct build *p, const struct output *out)
{
	struct sr_value *state = out->state, *v = sr_map_get(&p->values, sr_result(out->member, 0)), *starts[SR_MAX_RANK];
	if (sr_op_is(out->member, SR_OP_stablehlo_scatter))
		return v;
	if (sr_strip_is_sum(p->g, out->member)) {
		struct sr_value *sum = varies(p, &out->dims) ? slice_block(p, state, &out->dims) : state;
		v = sr_build_binary(&p->body, SR_OP_stablehlo_add, sum, v);
		if (!varies(p, &out->dims))
			return v;
	}
	set_starts(p, state->type->rank, &out->dims, starts);
	return sr_build_update_slice(&p->body, state, v, starts);
}

/* ---- loops ---- */

/* Compute where the block of iteration `i` starts along each loop, and its first column. Rows are the innermost loop. */
static void build_starts(struct build *p, struct sr_value *i)
{
	struct sr_builder *b = &p->body;
	int row = p->g->n_loops - 1;
	int64_t size = p->block_extent[row], n = (p->range.n_rows - 1) / size + 1; /* n: blocks along the loop inside of loop l */
	p->zero = index_constant(b, 0);
	p->start[row + 1] = p->range.first_column ? index_constant(b, p->range.first_column) : p->zero;
	struct sr_value *start = row ? binary(b, SR_OP_stablehlo_remainder, i, n) : i;
	start = binary(b, SR_OP_stablehlo_multiply, start, size);
	if (p->range.first_row)
		start = binary(b, SR_OP_stablehlo_add, start, p->range.first_row);
	if (n * size > p->range.n_rows)
		start = binary(b, SR_OP_stablehlo_minimum, start, p->range.first_row + p->range.n_rows - size);
	p->start[row] = start;
	for (int l = row - 1; l >= 0; l--) {
		i = binary(b, SR_OP_stablehlo_divide, i, n);
		n = p->g->extent[l] / p->block_extent[l];
		p->start[l] = l ? binary(b, SR_OP_stablehlo_remainder, i, n) : i;
		if (p->block_extent[l] > 1)
			p->start[l] = binary(b, SR_OP_stablehlo_multiply, p->start[l], p->block_extent[l]);
	}
}

/* Erase the ops of the body that have no users, since divide_result replaced their users. */
static void erase_unused_ops(struct build *p)
{
	for (struct sr_op *op = p->body.block->last, *previous; op; op = previous) {
		previous = op->prev;
		if (op->n_results && !sr_result(op, 0)->uses)
			sr_op_erase(op);
	}
}

static void build_body(struct build *p, struct sr_op *loop)
{
	struct sr_block *block = p->body.block;
	struct sr_value **next = SR_NEW_ARRAY(p->ctx->scratch, struct sr_value *, p->n_outputs + 1);
	sr_map_init(&p->values, p->ctx->scratch);
	p->slices.n = 0;
	build_starts(p, block->args[0]);
	for (int i = 0; i < p->n_outputs; i++)
		p->outputs[i].state = block->args[i + 1];
	for (size_t i = 0; i < p->g->ops.n; i++)
		build_op(p, p->g->ops.data[i]);
	p->body.loc = loop->loc;
	next[0] = binary(&p->body, SR_OP_stablehlo_add, block->args[0], 1);
	for (int i = 0; i < p->n_outputs; i++)
		next[i + 1] = store(p, &p->outputs[i]);
	sr_build(&p->body, SR_OP_stablehlo_return, next, p->n_outputs + 1, NULL, 0, NULL, 0);
	erase_unused_ops(p);
}

/* Build the while op that computes the group for a range of rows, `size` rows in each iteration. Returns it. */
static struct sr_op *build_loop(struct build *p, struct sr_builder *b, struct sr_strip_rectangle range, int64_t size)
{
	int n = p->n_outputs + 1, row = p->g->n_loops - 1;
	struct sr_value **state = SR_NEW_ARRAY(p->ctx->scratch, struct sr_value *, n);
	struct sr_builder regions[2];
	p->range = range;
	p->n_blocks = (range.n_rows - 1) / size + 1;
	memcpy(p->block_extent, p->g->block_extent, sizeof p->block_extent);
	p->block_extent[row] = size;
	p->block_extent[row + 1] = range.n_columns;
	for (int l = 0; l < row; l++)
		p->n_blocks *= p->g->extent[l] / p->g->block_extent[l];
	for (int i = 0; i < n; i++)
		state[i] = i ? p->outputs[i - 1].value : index_constant(b, 0);
	struct sr_op *loop = sr_build_while(b, state, n, regions);
	struct sr_value *n_blocks = index_constant(&regions[0], p->n_blocks);
	struct sr_value *go_on = sr_build_compare(&regions[0], regions[0].block->args[0], SR_LT, n_blocks, NULL);
	sr_build(&regions[0], SR_OP_stablehlo_return, &go_on, 1, NULL, 0, NULL, 0);
	p->body = regions[1];
	build_body(p, loop);
	for (int i = 1; i < n; i++)
		p->outputs[i - 1].value = sr_result(loop, i);
	return loop;
}

/* Build the loops over the range: if blocks do not divide its rows and there are sums, a second one over the rows left. Return the
 * last one. */
static struct sr_op *build_range(struct build *p, struct sr_builder *b, struct sr_strip_rectangle range)
{
	int64_t size = p->g->block_extent[p->g->n_loops - 1], n_left = p->g->n_sums ? range.n_rows % size : 0;
	struct sr_op *loop = NULL;
	range.n_rows -= n_left;
	if (range.n_rows)
		loop = build_loop(p, b, range, size < range.n_rows ? size : range.n_rows);
	range.first_row += range.n_rows, range.n_rows = n_left;
	return n_left ? build_loop(p, b, range, n_left) : loop;
}

/* ---- outputs ---- */

/* Exchange the operands of a product whose right operand is wide, so that the rows of its result are contiguous in the loop. In a
 * sum over rows, the wide operand becomes the right one instead: the product has few long rows, and kernels need not transpose the
 * wide operand to pack it. */
static void swap_operands(struct build *p, struct output *out)
{
	struct sr_op *op = out->member;
	const struct sr_attr *precisions = sr_op_attr(op, SR_NAME_precision_config);
	const struct sr_type *t = out->type;
	int64_t shape[SR_MAX_RANK];
	int n_batch, n_lhs;
	bool is_sum = sr_strip_is_sum(p->g, op);
	int wide = is_sum ? 0 : 1; /* the operand that must not be wide: exchanged if it is */
	if (!sr_op_is(op, SR_OP_stablehlo_dot_general) ||
	    sr_operand_type(op, 0)->dtype != sr_operand_type(op, 1)->dtype ||
	    (precisions && precisions->n == 2 && precisions->list[0] != precisions->list[1]))
		return;
	struct sr_strip_dims wide_dims = sr_strip_operand_dims(p->g, op, wide, &out->dims);
	if (is_sum)
		wide_dims.dim[p->g->n_loops - 1] = out->dims.summed[wide];
	if (!sr_strip_is_wide(p->g, sr_operand(op, wide), &wide_dims))
		return;
	sr_work_product_dims(p->ctx, op, &n_batch, &n_lhs);
	int n_rhs = t->rank - n_batch - n_lhs;
	for (int d = 0; d < t->rank; d++)
		out->permutation[d] = d < n_batch ? d : d < n_batch + n_lhs ? d + n_rhs : d - n_lhs;
	for (int d = 0; d < t->rank; d++)
		shape[out->permutation[d]] = t->shape[d];
	for (int l = 0; l <= p->g->n_loops; l++)
		if (out->dims.dim[l] >= 0)
			out->dims.dim[l] = (int8_t)out->permutation[out->dims.dim[l]];
	out->type = sr_type_with_shape(p->ctx, t, t->rank, shape);
	out->is_swapped = true;
}

static void add_output(struct build *p, struct sr_builder *b, struct sr_op *member)
{
	struct output *out = &p->outputs[p->n_outputs++];
	*out = (struct output){.member = member, .dims = *sr_strip_dims_of(p->g, member), .type = sr_result_type(member, 0)};
	if (sr_op_is(member, SR_OP_stablehlo_scatter)) { /* blocks are scattered into the result of the ones before */
		out->value = sr_operand(member, 0);
		return;
	}
	if (sr_strip_is_sum(p->g, member) && sr_dtype_bytes(out->type->dtype) < 4)
		out->type = sr_type_tensor(p->ctx, SR_F32, out->type->rank, out->type->shape);
	swap_operands(p, out);
	b->loc = member->loc;
	out->value = sr_build_splat(b, out->type, 0);
}

/* Let the users outside of the group read the loop's results, and erase the ops of the group that have no users left. */
static void replace_group(struct build *p, struct sr_builder *b)
{
	for (int i = 0; i < p->n_outputs; i++) {
		struct output *out = &p->outputs[i];
		struct sr_value *v = out->value, *result = sr_result(out->member, 0);
		b->loc = out->member->loc;
		if (out->is_swapped)
			v = sr_build_transpose(b, v, out->permutation);
		sr_value_replace_all(result, sr_build_convert(b, v, result->type->dtype));
	}
	for (size_t i = p->g->ops.n; i-- > 0;)
		if (!sr_result(p->g->ops.data[i], 0)->uses)
			sr_op_retire(p->ctx, p->g->ops.data[i]);
}

struct sr_op *sr_strip_build(struct sr_strip_group *g)
{
	struct sr_op *anchor = g->last_member->next, *loop = NULL, *next;
	struct sr_builder b = {.ctx = g->ctx, .block = g->seed->block, .anchor = anchor, .loc = g->seed->loc};
	struct build p = {.g = g, .ctx = g->ctx};
	p.outputs = SR_NEW_ARRAY(g->ctx->scratch, struct output, g->ops.n);
	for (size_t i = 0; i < g->ops.n; i++)
		if (g->ops.data[i]->mark & SR_STRIP_MEMBER && sr_strip_has_outer_use(g, g->ops.data[i]))
			add_output(&p, &b, g->ops.data[i]);
	b.loc = g->seed->loc;
	for (int i = 0; i < g->n_ranges; i++)
		loop = build_range(&p, &b, g->ranges[i]);
	for (struct sr_op *op = g->first_member; op != loop; op = next) {
		next = op->next;
		if (op->mark & SR_STRIP_AFTER)
			sr_op_move_before(op, anchor);
	}
	b.anchor = loop->next;
	replace_group(&p, &b);
	return anchor->prev;
}
