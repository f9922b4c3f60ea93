/* stablehlo-wrap-in-composite: wrap each op listed in op-names in a composite, whose decomposition is a private function of the op:
 *
 *	%r = stablehlo.add %a, %b
 *	=> %r = stablehlo.composite "stablehlo.add" %a, %b {decomposition = @stablehlo.add.impl, version = 1 : i32}
 *	   func.func private @stablehlo.add.impl(%a, %b) { %0 = stablehlo.add %a, %b  return %0 }
 *
 * The composite has the op's attributes. An op whose regions capture values from outside is not wrapped. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "optimize/legalize/name_list.h"
#include "optimize/pass_functions.h"
#include "support/vec.h"

struct wrapper {
	struct sr_context *ctx;
	struct sr_op *module;
	const char *names;
	int64_t version;
	SR_VEC(struct sr_op *) ops;
};

/* Return an unused symbol name. */
static const char *free_name(struct wrapper *w, const char *op)
{
	const char *name = sr_printf(w->ctx->arena, "%s.impl", op);
	for (int i = 0; sr_symbol_find(w->module, name); i++)
		name = sr_printf(w->ctx->arena, "%s.impl_%d", op, i);
	return name;
}

/* Build the decomposition: a function with a copy of the op, inserted after the function that contains op. */
static void make_function(struct wrapper *w, const char *name, struct sr_op *op)
{
	struct sr_context *ctx = w->ctx;
	struct sr_builder builder = {
		.ctx = ctx, .block = sr_module_body(w->module), .anchor = sr_op_parent(op)->next, .loc = op->loc};
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_operands + op->n_results);
	struct sr_value **results = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_results);
	for (int i = 0; i < op->n_operands; i++)
		types[i] = sr_operand(op, i)->type;
	for (int i = 0; i < op->n_results; i++)
		types[op->n_operands + i] = sr_result(op, i)->type;
	const struct sr_type *t = sr_type_function(ctx, types, op->n_operands, types + op->n_operands, op->n_results);
	struct sr_named_attr attrs[] = {{SR_NAME_function_type, sr_attr_type(ctx, t)},
				   {SR_NAME_sym_name, sr_attr_string(ctx, name, sr_interned_length(sr_intern(ctx, name)))},
				   {SR_NAME_sym_visibility, sr_attr_string(ctx, "private", 7)}};
	struct sr_op *func = sr_build(&builder, SR_OP_func_func, NULL, 0, attrs, 3, NULL, 0);
	struct sr_block *body = sr_block_new(ctx, &func->regions[0]);
	struct sr_map map;
	sr_map_init(&map, ctx->arena);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *arg = sr_block_add_arg(ctx, body, types[i], op->loc);
		sr_map_put(&map, sr_operand(op, i), arg);
	}
	struct sr_op *copy = sr_op_clone(ctx, op, &map);
	for (int i = 0; i < op->n_operands; i++)
		sr_op_set_operand(copy, i, body->args[i]); /* an operand that occurs twice becomes two arguments of the function */
	sr_op_append(body, copy);
	for (int i = 0; i < op->n_results; i++)
		results[i] = sr_result(copy, i);
	struct sr_builder body_builder = {.ctx = ctx, .block = body, .loc = op->loc};
	sr_build(&body_builder, SR_OP_func_return, results, op->n_results, NULL, 0, NULL, 0);
}

static void wrap(struct wrapper *w, struct sr_op *op)
{
	struct sr_context *ctx = w->ctx;
	const char *of = op->info->name, *name = free_name(w, of);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_results);
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = sr_operand(op, i);
	for (int i = 0; i < op->n_results; i++)
		types[i] = sr_result(op, i)->type;
	make_function(w, name, op);
	struct sr_named_attr attrs[] = {
		{sr_intern(ctx, SR_NAME_name), sr_attr_string(ctx, of, sr_interned_length(of))},
		{sr_intern(ctx, SR_NAME_decomposition), sr_attr_symbol(ctx, name)},
		{sr_intern(ctx, SR_NAME_version), sr_attr_i32(ctx, w->version)},
		{sr_intern(ctx, SR_NAME_composite_attributes), sr_attr_dict(ctx, op->attrs, op->n_attrs)},
	};
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_stablehlo_composite), .loc = op->loc, .operands = operands,
				  .n_operands = op->n_operands, .results = types, .n_results = op->n_results, .attrs = attrs,
				  .n_attrs = op->n_attrs ? 4 : 3};
	struct sr_op *composite = sr_op_new(ctx, &spec); /* the new composite has no regions */
	sr_op_insert_before(op, composite);
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), sr_result(composite, i));
	sr_op_erase(op);
}

/* Return true if all operands of op are defined inside `owner`. Called on the ops inside `owner`. */
static bool uses_own_values(void *owner, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands && op != owner; i++) {
		const struct sr_block *block = sr_value_block(sr_operand(op, i));
		if (!block || !sr_op_is_ancestor(owner, block->region->op))
			return false;
	}
	return true;
}

static bool collect(void *data, struct sr_op *op)
{
	struct wrapper *w = data;
	if (sr_op_parent(op) && sr_op_is(sr_op_parent(op), SR_OP_func_func) && sr_name_is_listed(w->names, op->info->name) &&
	    sr_walk(op, uses_own_values, op))
		sr_push(w->ctx->arena, &w->ops, op);
	return true;
}

enum sr_status sr_run_wrap_in_composite(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct wrapper w = {.ctx = ctx, .module = root, .names = sr_option_string(options, "op-names"),
			    .version = sr_option_int(options, "version")};
	sr_walk(root, collect, &w);
	for (size_t i = 0; i < w.ops.n; i++)
		wrap(&w, w.ops.data[i]);
	return SR_OK;
}
