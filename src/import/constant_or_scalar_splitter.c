/* Implement sdy-constant-or-scalar-splitter: give each user of a constant expression or of a broadcast scalar its own copy, so
 * that users can be sharded differently. Scalars are not copied, since they cannot be sharded.
 *
 *	%c = constant; %a = add %c, %x; %b = add %c, %y   becomes   one constant for %a and one for %b
 *
 * Constant expressions are constants, iotas, pure elementwise ops, broadcasts, reshapes and slices of constant expressions, and
 * calls of functions that contain nothing else. Replaces stablehlo.constant by sdy.constant, so that the copies are not merged by
 * folding. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/forms/custom_call.h"
#include "import/op_class.h"
#include "import/import_passes.h"

struct op_set {
	struct sr_map members;
	sr_op_vec order; /* members of the set in the order of insertion */
};

struct splitter {
	struct sr_context *ctx;
	struct sr_symbols symbols;
	struct sr_map impure_names; /* interned names of the functions and named computations that are not constant expressions */
	struct sr_op *func;
	struct op_set constants, broadcasts; /* the constant expressions and broadcast scalars of the current region */
	bool has_failed;
};

static void set_init(struct splitter *s, struct op_set *set)
{
	*set = (struct op_set){0};
	sr_map_init(&set->members, s->ctx->arena);
}

static void set_add(struct splitter *s, struct op_set *set, struct sr_op *op)
{
	sr_map_put(&set->members, op, op);
	sr_push(s->ctx->arena, &set->order, op);
}

static const char *computation_name(struct splitter *s, const struct sr_op *op)
{
	const struct sr_attr *name = sr_op_attr(op, SR_NAME_name);
	return sr_intern(s->ctx, name && name->s ? name->s : "");
}

static bool preserves_constants(struct splitter *s, const struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_func_call)) {
		const struct sr_op *func = sr_callee(&s->symbols, op);
		s->has_failed = s->has_failed || !func;
		return func && !sr_map_has(&s->impure_names, sr_intern(s->ctx, sr_func_original_name(func)));
	}
	if (sr_op_is(op, SR_OP_sdy_named_computation))
		return !sr_map_has(&s->impure_names, computation_name(s, op));
	return sr_op_is_pure(op) && (sr_op_is_elementwise(op) || sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim) ||
				     sr_op_is(op, SR_OP_stablehlo_reshape) || sr_op_is(op, SR_OP_stablehlo_slice));
}

static bool is_constant_expression(struct splitter *s, const struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_constant) || sr_op_is(op, SR_OP_stablehlo_iota))
		return true;
	if (!preserves_constants(s, op))
		return false;
	for (int i = 0; i < op->n_operands; i++)
		if (!sr_operand(op, i)->def || !sr_map_has(&s->constants.members, sr_operand(op, i)->def))
			return false;
	return true;
}

static bool is_broadcast_scalar(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim) && sr_type_is_scalar(sr_operand(op, 0)->type);
}

/* Clone the ops that define v, operands first, each clone before its original. Record them in `copies`. */
static void copy_definition(struct splitter *s, struct sr_value *v, struct sr_map *copies)
{
	if (sr_type_is_scalar(v->type) || sr_map_has(copies, v))
		return;
	struct sr_op *op = v->def;
	for (int i = 0; i < op->n_operands; i++)
		if (sr_operand(op, i)->def)
			copy_definition(s, sr_operand(op, i), copies);
	struct sr_op *copy = sr_op_clone(s->ctx, op, copies);
	sr_op_insert_before(op, copy);
	if (sr_op_is(copy, SR_OP_func_call)) {
		struct sr_op *func = sr_callee(&s->symbols, copy);
		struct sr_op *func_copy = func ? sr_func_clone_with_callees(&s->symbols, func) : NULL;
		s->has_failed = s->has_failed || !func_copy;
		if (func_copy)
			sr_set_callee(s->ctx, copy, sr_symbol_name(func_copy));
	}
	for (struct sr_use *use = v->uses; use; use = use->next)
		if (sr_op_is(use->owner, SR_OP_sdy_sharding_group))
			sr_op_insert_before(op, sr_op_clone(s->ctx, use->owner, copies));
}

static void split_operands(struct splitter *s, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		if (!v->def || sr_type_is_scalar(v->type) ||
		    !(sr_map_has(&s->constants.members, v->def) || sr_map_has(&s->broadcasts.members, v->def)))
			continue;
		struct sr_map copies;
		sr_map_init(&copies, s->ctx->arena);
		copy_definition(s, v, &copies);
		sr_op_set_operand(op, i, sr_map_get(&copies, v));
	}
}

static void mark_impure(struct splitter *s, const struct sr_op *op)
{
	struct sr_op *computation = sr_op_parent_of(op, SR_OP_sdy_named_computation);
	if (computation)
		sr_map_put(&s->impure_names, computation_name(s, computation), s);
	sr_map_put(&s->impure_names, sr_intern(s->ctx, sr_func_original_name(s->func)), s);
}

static void process_op(struct splitter *s, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_func_func) || sr_op_is(op, SR_OP_sdy_sharding_group))
		return;
	if (is_constant_expression(s, op)) {
		set_add(s, &s->constants, op);
		return;
	}
	if (!preserves_constants(s, op) && !sr_op_has(op, SR_TERMINATOR))
		mark_impure(s, op);
	if (is_broadcast_scalar(op)) {
		set_add(s, &s->broadcasts, op);
		return;
	}
	split_operands(s, op);
}

static void process_region(struct splitter *s, struct sr_region *region)
{
	for (struct sr_block *b = region->first; b; b = b->next)
		for (struct sr_op *op = b->first, *next; op; op = next) {
			next = op->next;
			process_op(s, op);
			for (int r = 0; r < op->n_regions && !sr_op_is(op, SR_OP_sdy_named_computation); r++)
				process_region(s, &op->regions[r]);
		}
}

/* Erase op if its only users are sharding groups, and erase these groups, too. */
static void erase_unused(struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		for (const struct sr_use *use = sr_result(op, i)->uses; use; use = use->next)
			if (!sr_op_is(use->owner, SR_OP_sdy_sharding_group))
				return;
	for (int i = 0; i < op->n_results; i++)
		while (sr_result(op, i)->uses)
			sr_op_erase(sr_result(op, i)->uses->owner);
	sr_op_erase(op);
}

static void split_region(struct splitter *s, struct sr_region *region)
{
	set_init(s, &s->constants);
	set_init(s, &s->broadcasts);
	process_region(s, region);
	for (size_t i = 0; i < s->broadcasts.order.n; i++)
		erase_unused(s->broadcasts.order.data[i]);
	for (size_t i = s->constants.order.n; i-- > 0;)
		erase_unused(s->constants.order.data[i]);
}

static bool split_computation(void *data, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_named_computation))
		split_region(data, &op->regions[0]);
	return true;
}

static bool replace_constant(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	if (sr_op_is(op, SR_OP_stablehlo_constant))
		sr_stablehlo_constant_to_sdy(ctx, op);
	return true;
}

enum sr_status sr_pass_constant_or_scalar_splitter(struct sr_context *ctx, struct sr_op *module,
						   const struct sr_pass_options *options)
{
	struct splitter s = {.ctx = ctx};
	sr_walk_post(module, replace_constant, ctx);
	sr_symbols_init(&s.symbols, ctx, module);
	sr_map_init(&s.impure_names, ctx->arena);
	sr_op_vec funcs = sr_funcs_callees_first(ctx, module);
	for (size_t i = 0; i < funcs.n; i++) {
		s.func = funcs.data[i];
		sr_walk_post(s.func, split_computation, &s);
		split_region(&s, &s.func->regions[0]);
	}
	return s.has_failed ? SR_INVALID : SR_OK;
}
