/* Keep a module's symbol table, order functions by the call graph, and clone functions. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include <string.h>

/* ---------------------------------------------------------------- symbols */

void sr_symbols_init(struct sr_symbols *symbols, struct sr_context *ctx, struct sr_op *module)
{
	*symbols = (struct sr_symbols){.ctx = ctx, .module = module};
	sr_map_init(&symbols->by_name, ctx->arena);
	sr_map_init(&symbols->functions_being_cloned, ctx->arena);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_symbol_name(op))
			sr_map_put(&symbols->by_name, sr_intern(ctx, sr_symbol_name(op)), op);
}

struct sr_op *sr_symbols_find(const struct sr_symbols *symbols, const char *name)
{
	return sr_map_get(&symbols->by_name, sr_intern(symbols->ctx, name));
}

const char *sr_symbols_insert(struct sr_symbols *symbols, struct sr_op *op)
{
	struct sr_context *ctx = symbols->ctx;
	const char *base_name = sr_symbol_name(op), *name = base_name;
	if (!op->block)
		sr_op_append(sr_module_body(symbols->module), op);
	while (sr_symbols_find(symbols, name) && sr_symbols_find(symbols, name) != op)
		name = sr_printf(ctx->arena, "%s_%d", base_name, symbols->next_suffix++);
	name = sr_intern(ctx, name);
	if (name != base_name)
		sr_op_set_attr(ctx, op, SR_NAME_sym_name, sr_attr_string(ctx, name, strlen(name)));
	sr_map_put(&symbols->by_name, name, op);
	return name;
}

void sr_symbols_erase(struct sr_symbols *symbols, struct sr_op *op)
{
	sr_map_remove(&symbols->by_name, sr_intern(symbols->ctx, sr_symbol_name(op)));
	sr_op_erase(op);
}

/* ---------------------------------------------------------------- calls */

static bool collect_call(void *data, struct sr_op *op)
{
	struct {
		struct sr_context *ctx;
		sr_op_vec calls;
	} *c = data;
	if (sr_op_is(op, SR_OP_func_call))
		sr_push(c->ctx->arena, &c->calls, op);
	return true;
}

sr_op_vec sr_calls_of(struct sr_context *ctx, struct sr_op *root)
{
	struct {
		struct sr_context *ctx;
		sr_op_vec calls;
	} c = {ctx, {0}};
	sr_walk_post(root, collect_call, &c);
	return c.calls;
}

struct post_order {
	struct sr_context *ctx;
	const struct sr_symbols *symbols;
	struct sr_map visited;
	sr_op_vec funcs;
};

static void visit_callees_first(struct post_order *o, struct sr_op *func)
{
	if (sr_map_has(&o->visited, func) || !sr_func_entry(func))
		return;
	sr_map_put(&o->visited, func, func);
	sr_op_vec calls = sr_calls_of(o->ctx, func);
	for (size_t i = 0; i < calls.n; i++) {
		const struct sr_attr *callee = sr_op_attr(calls.data[i], SR_NAME_callee);
		struct sr_op *callee_func = callee ? sr_symbols_find(o->symbols, callee->s) : NULL;
		if (callee_func && sr_op_is(callee_func, SR_OP_func_func))
			visit_callees_first(o, callee_func);
	}
	sr_push(o->ctx->arena, &o->funcs, func);
}

sr_op_vec sr_funcs_callees_first(struct sr_context *ctx, struct sr_op *module)
{
	struct sr_symbols symbols;
	sr_symbols_init(&symbols, ctx, module);
	struct post_order o = {.ctx = ctx, .symbols = &symbols};
	sr_map_init(&o.visited, ctx->arena);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			visit_callees_first(&o, op);
	return o.funcs;
}

struct sr_op *sr_callee(const struct sr_symbols *symbols, const struct sr_op *call)
{
	const struct sr_attr *name = sr_op_attr(call, SR_NAME_callee);
	struct sr_op *func = name ? sr_symbols_find(symbols, name->s) : NULL;
	if (func && sr_op_is(func, SR_OP_func_func))
		return func;
	sr_error(&symbols->ctx->diags, SR_INVALID, sr_loc_source(call->loc), "call of @%s, which is not a function of the module",
		 name ? name->s : "");
	return NULL;
}

struct sr_op *sr_main_func(struct sr_op *module)
{
	struct sr_op *last_func = NULL;
	int n = 0;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func)) {
			last_func = op;
			n++;
		}
	return n == 1 ? last_func : sr_symbol_find(module, "main");
}

enum sr_status sr_for_each_call(struct sr_context *ctx, struct sr_op *module,
				void (*fn)(struct sr_context *ctx, struct sr_op *call, struct sr_op *callee))
{
	struct sr_symbols symbols;
	sr_symbols_init(&symbols, ctx, module);
	sr_op_vec calls = sr_calls_of(ctx, module);
	for (size_t i = 0; i < calls.n; i++) {
		struct sr_op *callee = sr_callee(&symbols, calls.data[i]);
		if (!callee)
			return SR_INVALID;
		fn(ctx, calls.data[i], callee);
	}
	return SR_OK;
}

void sr_set_callee(struct sr_context *ctx, struct sr_op *call, const char *name)
{
	sr_op_set_attr(ctx, call, SR_NAME_callee, sr_attr_symbol(ctx, name));
}

const char *sr_func_original_name(const struct sr_op *func)
{
	const struct sr_attr *name = sr_op_attr(func, "sdy.original_func_name");
	return name && name->kind == SR_ATTR_STRING ? name->s : sr_symbol_name(func);
}

struct sr_op *sr_func_clone_with_callees(struct sr_symbols *symbols, struct sr_op *func)
{
	struct sr_context *ctx = symbols->ctx;
	if (sr_map_has(&symbols->functions_being_cloned, func)) {
		sr_op_error(func, &ctx->diags, SR_UNSUPPORTED, "@%s calls itself", sr_symbol_name(func));
		return NULL;
	}
	sr_map_put(&symbols->functions_being_cloned, func, func);
	const char *name = sr_func_original_name(func);
	struct sr_op *clone = sr_op_clone(ctx, func, NULL);
	sr_op_set_attr(ctx, clone, "sdy.original_func_name", sr_attr_string(ctx, name, strlen(name)));
	sr_op_vec calls = sr_calls_of(ctx, clone);
	for (size_t i = 0; i < calls.n; i++) {
		struct sr_op *callee = sr_callee(symbols, calls.data[i]);
		struct sr_op *callee_clone = callee ? sr_func_clone_with_callees(symbols, callee) : NULL;
		if (!callee_clone)
			return NULL;
		sr_set_callee(ctx, calls.data[i], sr_symbol_name(callee_clone));
	}
	sr_map_remove(&symbols->functions_being_cloned, func);
	sr_symbols_insert(symbols, clone);
	return clone;
}

/* ---------------------------------------------------------------- shardings of arguments and results */

const struct sr_attr *sr_replicated_like(struct sr_context *ctx, const struct sr_sdy_sharding *mesh_source,
					 const struct sr_type *type, bool is_closed)
{
	int rank = type->kind == SR_TYPE_TENSOR ? type->rank : 0;
	struct sr_sdy_sharding s = sr_sdy_replicated_sharding(ctx->arena, mesh_source->mesh_name, rank, is_closed);
	s.mesh = mesh_source->mesh;
	return sr_attr_sharding(ctx, &s);
}

typedef const struct sr_attr *get_attr_fn(const struct sr_op *func, int i, const char *name);

static const struct sr_attr *collect_shardings(struct sr_context *ctx, const struct sr_op *func, get_attr_fn *get,
					       const struct sr_type *const *types, int n)
{
	const struct sr_sdy_sharding *like = NULL;
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, n);
	for (int i = 0; i < n; i++) {
		list[i] = get(func, i, "sdy.sharding");
		const struct sr_mesh *mesh = list[i] && !like ? sr_sharding_mesh(sr_op_module(func), list[i]->sharding) : NULL;
		if (mesh && !sr_mesh_is_single_device(mesh))
			like = list[i]->sharding;
	}
	if (!like)
		return NULL;
	for (int i = 0; i < n; i++)
		if (!list[i])
			list[i] = sr_replicated_like(ctx, like, types[i], false);
	return sr_attr_shardings(ctx, list, n);
}

const struct sr_attr *sr_func_arg_shardings(struct sr_context *ctx, const struct sr_op *func)
{
	const struct sr_type *type = sr_func_type(func);
	return collect_shardings(ctx, func, sr_func_arg_attr, type->inputs, type->n_inputs);
}

const struct sr_attr *sr_func_result_shardings(struct sr_context *ctx, const struct sr_op *func)
{
	const struct sr_type *type = sr_func_type(func);
	return collect_shardings(ctx, func, sr_func_result_attr, type->results, type->n_results);
}

static const struct sr_type *function_type_of_body(struct sr_context *ctx, const struct sr_block *body)
{
	const struct sr_op *end = sr_block_terminator(body);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, body->n_args + end->n_operands);
	for (int i = 0; i < body->n_args; i++)
		types[i] = body->args[i]->type;
	for (int i = 0; i < end->n_operands; i++)
		types[body->n_args + i] = sr_operand(end, i)->type;
	return sr_type_function(ctx, types, body->n_args, types + body->n_args, end->n_operands);
}

static void replace_terminator(struct sr_context *ctx, struct sr_block *block)
{
	struct sr_op *old = sr_block_terminator(block);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, old->n_operands);
	for (int i = 0; i < old->n_operands; i++)
		operands[i] = sr_operand(old, i);
	struct sr_builder b = {.ctx = ctx, .block = block, .loc = old->loc};
	sr_build(&b, SR_OP_func_return, operands, old->n_operands, NULL, 0, NULL, 0);
	sr_op_erase(old);
}

struct sr_op *sr_outline_body(struct sr_symbols *symbols, struct sr_op *op, const char *name)
{
	struct sr_context *ctx = symbols->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_sym_name, sr_attr_string(ctx, name, strlen(name))},
				   {SR_NAME_function_type, sr_attr_type(ctx, function_type_of_body(ctx, op->regions[0].first))},
				   {SR_NAME_sym_visibility, sr_attr_string(ctx, "private", strlen("private"))}};
	struct sr_builder b = {.ctx = ctx, .block = sr_module_body(symbols->module), .loc = op->loc};
	struct sr_op *func = sr_build(&b, SR_OP_func_func, NULL, 0, attrs, sizeof attrs / sizeof *attrs, NULL, 0);
	sr_region_take(&func->regions[0], &op->regions[0]);
	replace_terminator(ctx, func->regions[0].first);
	sr_symbols_insert(symbols, func);
	return func;
}
