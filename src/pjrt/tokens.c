/* Tokens among main's arguments and results. Programs have no tokens, but frameworks pass and expect a buffer for each. As argument they
 * pass an array of no elements, or a token that a program returned; results have PJRT's type for tokens, which has no elements to read.
 *
 *	@main(%arg0: !stablehlo.token) -> !stablehlo.token {
 *	  %0 = stablehlo.after_all %arg0 : !stablehlo.token
 *	  return %0 : !stablehlo.token
 * becomes
 *	@main(%arg0: tensor<0xi1>) -> tensor<0xi1> {
 *	  %t = stablehlo.create_token : !stablehlo.token
 *	  %0 = stablehlo.after_all %t : !stablehlo.token
 *	  %c = stablehlo.constant dense<> : tensor<0xi1>
 *	  return %c : tensor<0xi1>
 *
 * Ops with effects do not depend on these tokens: they are kept, and stay in order. */
#include "dialect/ops.h"
#include "plan/plan.h"
#include "pjrt/options.h"

static const char *const shardings[] = {"sdy.sharding", "mhlo.sharding"}; /* attributes with a token's sharding, whose rank is 0 */
enum { SHARDINGS = sizeof shardings / sizeof *shardings };

static bool is_token(const struct sr_type *t)
{
	return t->kind == SR_TYPE_TOKEN;
}

static const struct sr_type *replace_argument(struct sr_context *ctx, struct sr_op *func, int i, const struct sr_type *type)
{
	struct sr_block *entry = sr_func_entry(func);
	struct sr_value *arg = entry->args[i];
	struct sr_builder b = {.ctx = ctx, .block = entry, .anchor = entry->first, .loc = func->loc};
	sr_value_replace_all(arg, sr_result(sr_build(&b, SR_OP_stablehlo_create_token, NULL, 0, NULL, 0, &arg->type, 1), 0));
	for (int k = 0; k < SHARDINGS; k++)
		sr_func_set_arg_attr(ctx, func, i, shardings[k], NULL);
	return arg->type = type;
}

static const struct sr_type *replace_result(struct sr_context *ctx, struct sr_op *func, int i, const struct sr_type *type)
{
	struct sr_op *end = sr_block_terminator(sr_func_entry(func));
	struct sr_builder b = {.ctx = ctx, .anchor = end, .loc = end->loc};
	sr_op_set_operand(end, i, sr_build_splat(&b, type, 0));
	for (int k = 0; k < SHARDINGS; k++)
		sr_func_set_result_attr(ctx, func, i, shardings[k], NULL);
	return type;
}

enum sr_status sr_pjrt_replace_tokens(struct sr_context *ctx, struct sr_op *module, const uint8_t **tokens)
{
	static const int64_t no_elements[] = {0};
	enum sr_status status = SR_OK;
	*tokens = NULL;
	struct sr_op *func = sr_find_entry_function(ctx, module, NULL, &status);
	if (status || !func || !sr_func_entry(func))
		return status;
	const struct sr_type *type = sr_func_type(func), *array = sr_type_tensor(ctx, SR_I1, 1, no_elements);
	const struct sr_type **in = sr_dup(ctx->arena, type->inputs, (size_t)type->n_inputs, sizeof(void *));
	const struct sr_type **out = sr_dup(ctx->arena, type->results, (size_t)type->n_results, sizeof(void *));
	uint8_t *is_token_result = SR_NEW_ARRAY(ctx->arena, uint8_t, type->n_results);
	bool has_token_argument = false;
	for (int i = 0; i < type->n_inputs; i++) {
		has_token_argument = has_token_argument || is_token(in[i]);
		in[i] = is_token(in[i]) ? replace_argument(ctx, func, i, array) : in[i];
	}
	for (int i = 0; i < type->n_results; i++) {
		is_token_result[i] = is_token(out[i]);
		if (is_token_result[i])
			*tokens = is_token_result;
		out[i] = is_token(out[i]) ? replace_result(ctx, func, i, array) : out[i];
	}
	if (has_token_argument || *tokens)
		sr_func_set_type(ctx, func, sr_type_function(ctx, in, type->n_inputs, out, type->n_results));
	return SR_OK;
}
