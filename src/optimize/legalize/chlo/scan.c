/* Rewrite chlo.scan as a while loop. Iteration i takes slice i of every input along the dimension (counted from the end if
 * reversed), runs the body on the slices and the carries, and writes the body's outputs into slice i of the results. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "optimize/legalize/chlo/structure.h"
#include "optimize/legalize/decompose.h"
#include <string.h>

struct scan {
	struct sr_context *ctx;
	struct sr_op *op;
	struct sr_block *body;
	int64_t dim;
	struct sr_value *n; /* number of loop iterations */
	int n_inputs, n_carries, n_outputs;
};

static const struct sr_type *index_type(struct sr_context *ctx)
{
	return sr_type_tensor(ctx, SR_I64, 0, NULL);
}

static struct sr_value *index_constant(struct sr_builder *b, int64_t v)
{
	return sr_build_constant(b, sr_attr_dense(b->ctx, index_type(b->ctx), &v, sizeof v));
}

static struct sr_value *binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_build_infer(b, code, (struct sr_value *[]){x, y}, 2, NULL, 0);
}

static struct sr_value *reshape(struct sr_builder *b, struct sr_value *v, const struct sr_type *to)
{
	return sr_result(sr_build(b, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, &to, 1), 0);
}

/* Set the start indices of slice number `at` of a tensor: `at` along the scan dimension, 0 along the others. Returns their
 * number. */
static int set_starts(struct sr_builder *b, const struct scan *s, int rank, struct sr_value *at, struct sr_value **out)
{
	struct sr_value *zero = index_constant(b, 0);
	for (int d = 0; d < rank; d++)
		out[d] = d == s->dim ? at : zero;
	return rank;
}

static struct sr_value *slice_at(struct sr_builder *b, const struct scan *s, struct sr_value *v, struct sr_value *at,
				 const struct sr_type *to)
{
	struct sr_value *operands[SR_MAX_RANK + 1] = {v};
	int64_t sizes[SR_MAX_RANK];
	int rank = v->type->rank;
	memcpy(sizes, v->type->shape, sizeof(int64_t) * (size_t)rank);
	sizes[s->dim] = 1;
	set_starts(b, s, rank, at, operands + 1);
	struct sr_named_attr attr = {SR_NAME_slice_sizes, sr_attr_i64s(b->ctx, sizes, rank)};
	return reshape(b, sr_build_infer(b, SR_OP_stablehlo_dynamic_slice, operands, rank + 1, &attr, 1), to);
}

static struct sr_value *update_slice_at(struct sr_builder *b, const struct scan *s, struct sr_value *v, struct sr_value *stack,
					struct sr_value *at)
{
	struct sr_value *starts[SR_MAX_RANK];
	int64_t shape[SR_MAX_RANK];
	int rank = stack->type->rank;
	memcpy(shape, stack->type->shape, sizeof(int64_t) * (size_t)rank);
	shape[s->dim] = 1;
	set_starts(b, s, rank, at, starts);
	return sr_build_update_slice(b, stack, reshape(b, v, sr_type_with_shape(b->ctx, stack->type, rank, shape)), starts);
}

static void fill_condition(const struct scan *s, struct sr_builder *b)
{
	struct sr_value *v = sr_build_compare(b, b->block->args[0], SR_LT, s->n, NULL);
	sr_build(b, SR_OP_stablehlo_return, &v, 1, NULL, 0, NULL, 0);
}

/* Build the body of the while loop. The loop carries the counter, the carries and the outputs. */
static void fill_body(const struct scan *s, struct sr_builder *b)
{
	struct sr_block *block = b->block;
	struct sr_value **state = SR_NEW_ARRAY(s->ctx->arena, struct sr_value *, block->n_args), *at = block->args[0];
	struct sr_op *end = sr_block_terminator(s->body);
	struct sr_map map;
	sr_map_init(&map, s->ctx->arena);
	if (sr_op_int(s->op, SR_NAME_is_reverse, 0))
		at = binary(b, SR_OP_stablehlo_subtract, binary(b, SR_OP_stablehlo_subtract, s->n, index_constant(b, 1)), at);
	for (int i = 0; i < s->n_inputs; i++)
		sr_map_put(&map, s->body->args[i], slice_at(b, s, sr_operand(s->op, i), at, s->body->args[i]->type));
	for (int i = 0; i < s->n_carries; i++)
		sr_map_put(&map, s->body->args[s->n_inputs + i], block->args[1 + i]);
	for (struct sr_op *op = s->body->first; op != end; op = op->next)
		sr_op_append(block, sr_op_clone(s->ctx, op, &map));
	for (int i = 0; i < end->n_operands; i++) {
		struct sr_value *yielded_value = sr_operand(end, i),
				*v = sr_map_has(&map, yielded_value) ? sr_map_get(&map, yielded_value) : yielded_value;
		if (i < s->n_outputs)
			state[1 + s->n_carries + i] = update_slice_at(b, s, v, block->args[1 + s->n_carries + i], at);
		else
			state[1 + i - s->n_outputs] = v;
	}
	state[0] = binary(b, SR_OP_stablehlo_add, block->args[0], index_constant(b, 1));
	sr_build(b, SR_OP_stablehlo_return, state, block->n_args, NULL, 0, NULL, 0);
}

/* Build the number of iterations: the extent of the first input along the scan dimension. */
static struct sr_value *trip_count(struct sr_builder *b, const struct scan *s)
{
	if (s->n_inputs == 0)
		return index_constant(b, sr_op_int(s->op, SR_NAME_scan_dim_size, 0));
	struct sr_value *input = sr_operand(s->op, 0);
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(b->ctx, s->dim)};
	return sr_build_convert(b, sr_build_infer(b, SR_OP_stablehlo_get_dimension_size, &input, 1, &attr, 1), SR_I64);
}

static struct sr_value *build_zeros(struct sr_builder *b, const struct sr_type *type)
{
	struct sr_value *zero = sr_build_splat(b, sr_type_tensor_of(b->ctx, type->element, 0, NULL, NULL), 0);
	return sr_build_broadcast(b, zero, type, NULL);
}

bool sr_chlo_scan(struct sr_builder *b, struct sr_op *op)
{
	struct scan s = {.ctx = b->ctx, .op = op, .body = op->regions[0].first, .dim = sr_op_int(op, SR_NAME_dimension, 0)};
	int first;
	sr_op_segment(op, "inputs", &first, &s.n_inputs);
	sr_op_segment(op, "inits", &first, &s.n_carries);
	s.n_outputs = op->n_results - s.n_carries;
	int n = 1 + s.n_carries + s.n_outputs;
	struct sr_value **state = SR_NEW_ARRAY(b->ctx->arena, struct sr_value *, n);
	struct sr_builder regions[2];
	if (s.n_outputs < 0 || !s.body || s.body->n_args != s.n_inputs + s.n_carries)
		return false;
	for (int i = 0; i < op->n_operands + op->n_results; i++)
		if (!sr_type_is_static(i < op->n_operands ? sr_operand(op, i)->type : sr_result(op, i - op->n_operands)->type))
			return false;
	s.n = trip_count(b, &s);
	state[0] = index_constant(b, 0);
	for (int i = 0; i < s.n_carries; i++)
		state[1 + i] = sr_operand(op, first + i);
	for (int i = 0; i < s.n_outputs; i++)
		state[1 + s.n_carries + i] = build_zeros(b, sr_result(op, i)->type);
	struct sr_op *loop = sr_build_while(b, state, n, regions);
	fill_condition(&s, &regions[0]);
	fill_body(&s, &regions[1]);
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i),
				     sr_result(loop, i < s.n_outputs ? 1 + s.n_carries + i : 1 + i - s.n_outputs));
	sr_op_erase(op);
	return true;
}
