/* Infer result types of control flow, tokens, tuples and futures. */
#include "dialect/infer/infer.h"
#include <string.h>

sr_infer_fn sr_infer_async_done, sr_infer_async_start, sr_infer_case, sr_infer_get_tuple_element, sr_infer_if,
	sr_infer_optimization_barrier, sr_infer_token, sr_infer_tuple, sr_infer_while;

enum sr_status sr_infer_token(struct sr_infer *in)
{
	in->types[0] = sr_type_intern(in->ctx, &(struct sr_type){.kind = SR_TYPE_TOKEN});
	return SR_OK;
}

enum sr_status sr_infer_tuple(struct sr_infer *in)
{
	int n = in->op->n_operands;
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, n);
	for (int i = 0; i < n; i++)
		types[i] = sr_infer_operand(in, i);
	in->types[0] = sr_type_intern(in->ctx, &(struct sr_type){.kind = SR_TYPE_TUPLE, .inputs = types, .n_inputs = n});
	return SR_OK;
}

enum sr_status sr_infer_get_tuple_element(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	int64_t index = sr_op_int(in->op, "index", 0);
	if (index >= t->n_inputs)
		return sr_infer_error(in, "index %lld is out of bounds of operand with size %d", (long long)index, t->n_inputs);
	in->types[0] = t->inputs[index];
	return SR_OK;
}

/* Infer that each result has the type of the operand at its index. */
static enum sr_status infer_as_operands(struct sr_infer *in)
{
	if (in->op->n_results != in->op->n_operands)
		return sr_infer_error(in, "requires the same number of operands and results");
	for (int i = 0; i < in->op->n_results; i++)
		in->types[i] = sr_infer_operand(in, i);
	return SR_OK;
}

enum sr_status sr_infer_optimization_barrier(struct sr_infer *in)
{
	return infer_as_operands(in);
}

/* ---------------------------------------------------------------- branches */

static const char *describe_types(const struct sr_infer *in, const struct sr_op *terminator)
{
	struct sr_buf out;
	sr_buf_init(&out, in->ctx->arena);
	for (int i = 0; i < terminator->n_operands; i++)
		sr_buf_printf(&out, "%s'%s'", i ? ", " : "", sr_infer_type_str(in, sr_operand(terminator, i)->type));
	return sr_buf_string(&out);
}

static bool has_same_results(const struct sr_op *a, const struct sr_op *b)
{
	if (a->n_operands != b->n_operands)
		return false;
	for (int i = 0; i < a->n_operands; i++)
		if (!sr_types_compatible(sr_operand(a, i)->type, sr_operand(b, i)->type))
			return false;
	return true;
}

/* Merge the types of two branches: a dimension is static if both agree, and bounded by the larger bound if both have one. */
static const struct sr_type *merge_branch_types(const struct sr_infer *in, const struct sr_type *a, const struct sr_type *b)
{
	if (a == b || !sr_is_ranked(a) || !sr_is_ranked(b))
		return a;
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, a->rank), *bounds = SR_NEW_ARRAY(in->ctx->arena, int64_t, a->rank);
	for (int d = 0; d < a->rank; d++) {
		int64_t x = sr_dimension_upper_bound(a, d), y = sr_dimension_upper_bound(b, d);
		shape[d] = a->shape[d] == b->shape[d] ? a->shape[d] : SR_DYNAMIC;
		bounds[d] = sr_is_dynamic(x) || sr_is_dynamic(y) ? SR_DYNAMIC : x > y ? x : y;
	}
	return sr_infer_tensor(in, a, a->rank, shape, bounds);
}

static enum sr_status check_branch(struct sr_infer *in, int i)
{
	struct sr_block *block = sr_region_block(in->op, i);
	const struct sr_op *terminator = sr_region_end(in->op, i), *first_terminator = sr_region_end(in->op, 0);
	if (!block || !terminator)
		return sr_infer_error(in, "expect non-empty region");
	if (block->n_args != 0)
		return sr_infer_error(in, "branch %d must have 0 arguments, but found %d", i, block->n_args);
	if (!has_same_results(first_terminator, terminator))
		return sr_infer_error(in, "branch 0 and branch %d have mismatched return types: %s vs %s", i,
				      describe_types(in, first_terminator), describe_types(in, terminator));
	return SR_OK;
}

static enum sr_status infer_branches(struct sr_infer *in)
{
	for (int i = 0; i < in->op->n_regions; i++)
		if (check_branch(in, i))
			return SR_INVALID;
	const struct sr_op *first_terminator = sr_region_end(in->op, 0);
	if (first_terminator->n_operands != in->op->n_results)
		return sr_infer_error(in, "has %d results, but its branches return %d values", in->op->n_results,
				      first_terminator->n_operands);
	for (int r = 0; r < in->op->n_results; r++) {
		const struct sr_type *t = sr_operand(first_terminator, r)->type;
		for (int i = 1; i < in->op->n_regions; i++)
			t = merge_branch_types(in, t, sr_operand(sr_region_end(in->op, i), r)->type);
		in->types[r] = t;
	}
	return SR_OK;
}

static bool is_scalar(const struct sr_type *t)
{
	return sr_is_ranked(t) && t->rank == 0;
}

enum sr_status sr_infer_if(struct sr_infer *in)
{
	if (!is_scalar(sr_infer_operand(in, 0)))
		return sr_infer_error(in, "operand should be rank 0 tensor but got rank %d", sr_infer_operand(in, 0)->rank);
	return infer_branches(in);
}

enum sr_status sr_infer_case(struct sr_infer *in)
{
	if (!is_scalar(sr_infer_operand(in, 0)))
		return sr_infer_error(in, "operand should be rank 0 tensor but got rank %d", sr_infer_operand(in, 0)->rank);
	if (in->op->n_regions == 0)
		return sr_infer_error(in, "expect at least one branch");
	return infer_branches(in);
}

/* ---------------------------------------------------------------- loops */

static const char *describe_operands(const struct sr_infer *in)
{
	return describe_types(in, in->op);
}

static enum sr_status check_loop_block(struct sr_infer *in, int region, const char *block_name)
{
	const struct sr_block *block = sr_region_block(in->op, region);
	bool is_compatible = block && block->n_args == in->op->n_operands;
	struct sr_buf out;
	sr_buf_init(&out, in->ctx->arena);
	for (int i = 0; block && i < block->n_args; i++) {
		is_compatible = is_compatible && sr_types_compatible(sr_infer_operand(in, i), block->args[i]->type);
		sr_buf_printf(&out, "%s'%s'", i ? ", " : "", sr_infer_type_str(in, block->args[i]->type));
	}
	if (is_compatible)
		return SR_OK;
	return sr_infer_error(in, "expect operands to be compatible with %s block arguments but got %s vs %s", block_name,
			      describe_operands(in), sr_buf_string(&out));
}

enum sr_status sr_infer_while(struct sr_infer *in)
{
	const struct sr_op *cond_terminator = sr_region_end(in->op, 0), *body_terminator = sr_region_end(in->op, 1);
	in->is_verifying = true;
	if (check_loop_block(in, 0, "condition") || check_loop_block(in, 1, "body"))
		return SR_INVALID;
	if (!cond_terminator || !body_terminator)
		return sr_infer_error(in, "The while %s-region expected to have a terminator", cond_terminator ? "body" : "cond");
	bool is_compatible = body_terminator->n_operands == in->op->n_operands;
	for (int i = 0; is_compatible && i < body_terminator->n_operands; i++)
		is_compatible = sr_types_compatible(sr_infer_operand(in, i), sr_operand(body_terminator, i)->type);
	if (!is_compatible)
		return sr_infer_error(in, "expect operands to be compatible with body block return types but got %s vs %s",
				      describe_operands(in), describe_types(in, body_terminator));
	if (cond_terminator->n_operands != 1)
		return sr_infer_error(in, "expect condition body returns a single value but got %d", cond_terminator->n_operands);
	const struct sr_type *t = sr_operand(cond_terminator, 0)->type;
	if (!is_scalar(t) || t->element->dtype != SR_I1)
		return sr_infer_error(in, "expect condition block return a zero-ranked tensor of i1 but got '%s'",
				      sr_infer_type_str(in, t));
	return infer_as_operands(in);
}

/* ---------------------------------------------------------------- futures */

static const char future_prefix[] = "stablehlo.future<";

static const struct sr_type *future_type_of(struct sr_context *ctx, const struct sr_op *terminator)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	sr_buf_puts(&out, future_prefix);
	for (int i = 0; i < terminator->n_operands; i++) {
		sr_buf_puts(&out, i ? ", " : "");
		sr_type_print(sr_operand(terminator, i)->type, &out);
	}
	sr_buf_putc(&out, '>');
	return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_OPAQUE, .text = sr_intern(ctx, sr_buf_string(&out))});
}

static enum sr_status check_async_body(struct sr_infer *in, const struct sr_block *block, const struct sr_op *terminator)
{
	const struct sr_op *wrapped_op = block->first;
	if (!wrapped_op || wrapped_op->next != terminator)
		return sr_infer_error(in, "region must contain exactly one operation and a return");
	if (!sr_op_has(wrapped_op, SR_COLLECTIVE) && !sr_op_is(wrapped_op, SR_OP_stablehlo_slice) &&
	    !sr_op_is(wrapped_op, SR_OP_stablehlo_dynamic_slice) &&
	    !sr_op_is(wrapped_op, SR_OP_stablehlo_dynamic_update_slice))
		return sr_infer_error(in, "region must contain a collective or slice operation");
	if (block->n_args != in->op->n_operands)
		return sr_infer_error(in, "number of operands (%d) must match number of region arguments (%d)", in->op->n_operands,
				      block->n_args);
	for (int i = 0; i < block->n_args; i++)
		if (block->args[i]->type != sr_infer_operand(in, i))
			return sr_infer_error(in, "operand type '%s' at index %d must match region argument type '%s'",
					      sr_infer_type_str(in, sr_infer_operand(in, i)), i,
					      sr_infer_type_str(in, block->args[i]->type));
	return SR_OK;
}

enum sr_status sr_infer_async_start(struct sr_infer *in)
{
	struct sr_block *block = sr_region_block(in->op, 0);
	const struct sr_op *terminator = sr_region_end(in->op, 0);
	if (!block || !terminator)
		return sr_infer_error(in, "expect non-empty region");
	if (check_async_body(in, block, terminator))
		return SR_INVALID;
	in->types[0] = future_type_of(in->ctx, terminator);
	return SR_OK;
}

/* Check that async_done's result has the type of the future, whose text lists its types between brackets. */
enum sr_status sr_infer_async_done(struct sr_infer *in)
{
	const char *text = sr_infer_operand(in, 0)->text;
	if (!in->types[0])
		return SR_OK;
	const char *expected_text = sr_printf(in->ctx->arena, "%s%s>", future_prefix, sr_infer_type_str(in, in->types[0]));
	if (strcmp(text, expected_text) == 0)
		return SR_OK;
	size_t n = strlen(text), prefix = sizeof future_prefix - 1;
	return sr_infer_error(in, "inferred type(s) '%.*s' are incompatible with return type(s) of operation '%s'",
			      n > prefix ? (int)(n - prefix - 1) : 0, text + prefix, sr_infer_type_str(in, in->types[0]));
}
