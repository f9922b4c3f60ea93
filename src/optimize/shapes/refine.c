/* stablehlo-refine-shapes: infer the most refined types from a function's argument types.
 *
 * Ops are visited once, in program order: when an op is reached, its operands have their final types, and computations of shapes
 * from constants and static dimensions have been folded. Ops in a region come before their parent's results, a loop's arguments
 * before its body. At a call, the callee is refined with the types of the call's operands. Leading scalar integers of a call (after
 * tokens) that are constant are dimensions: the callee gets them as constants and loses the arguments. A function is refined once,
 * so all its calls must agree. Results of a callee that are constant integers become constants at the call.
 *
 * Upstream's pass rewrites greedily; visiting in order finds the same types in one pass. */
#include "optimize/shapes/refine.h"
#include "dialect/attr_names.h"
#include "optimize/fold.h"
#include "optimize/legalize/custom_call_ops.h"
#include "optimize/pass_functions.h"
#include "optimize/shapes/refine_extents.h"
#include "optimize/shapes/refine_types.h"
#include "optimize/shapes/shape_operands.h"
#include "optimize/side_effects.h"
#include "support/vec.h"
#include <string.h>

enum { MAX_FOLDED_ELEMENTS = 1 << 16 }; /* maximum elements of a folded constant: shapes are short, and longer constants are data */

/* The arguments with which a function was refined. */
struct key {
	const struct sr_attr *const *dimensions; /* constants that replace the function's leading arguments */
	int n_dimensions, n_tokens;
	const struct sr_type *const *types; /* types of the function's remaining arguments */
	int n_types;
	bool is_in_progress; /* refinement of the function is in progress */
};

struct refiner {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_folder *folder;
	struct sr_map keys;   /* map from func op to struct key */
	struct sr_map effects; /* map from func op to &pure_mark or &impure_mark */
	bool has_failed;
};

static void refine_block(struct refiner *r, struct sr_block *block);

static void replace(struct sr_op *op, struct sr_value *replacement)
{
	sr_value_replace_all(sr_result(op, 0), replacement);
	sr_op_erase(op);
}

static struct sr_builder builder_before(struct refiner *r, struct sr_op *op)
{
	return (struct sr_builder){.ctx = r->ctx, .block = op->block, .anchor = op, .loc = op->loc};
}

/* ---------------------------------------------------------------- functions */

static char pure_mark, impure_mark;

static bool func_is_pure(struct refiner *r, struct sr_op *func);

static bool has_no_effects(void *data, struct sr_op *op)
{
	struct refiner *r = data;
	if (sr_op_is(op, SR_OP_func_call)) {
		struct sr_op *callee = sr_call_callee(r->module, op);
		return callee && func_is_pure(r, callee);
	}
	return sr_op_is(op, SR_OP_func_func) || sr_op_has(op, SR_TERMINATOR) || op->n_regions ? op->info->code != SR_OP_UNREGISTERED
										      : sr_op_is_pure(op);
}

/* Return true if neither the function nor its callees have side effects; false if that is unknown. */
static bool func_is_pure(struct refiner *r, struct sr_op *func)
{
	void **state = sr_map_at(&r->effects, func);
	if (!*state) {
		*state = &impure_mark;
		bool is_pure = sr_func_entry(func) && sr_walk(func, has_no_effects, r);
		sr_map_put(&r->effects, func, is_pure ? &pure_mark : &impure_mark);
	}
	return sr_map_get(&r->effects, func) == &pure_mark;
}

static void set_function_type(struct refiner *r, struct sr_op *func)
{
	struct sr_block *entry = sr_func_entry(func);
	const struct sr_op *end = entry->last;
	const struct sr_type **types = SR_NEW_ARRAY(r->ctx->arena, const struct sr_type *, entry->n_args + end->n_operands);
	for (int i = 0; i < entry->n_args; i++)
		types[i] = entry->args[i]->type;
	for (int i = 0; i < end->n_operands; i++)
		types[entry->n_args + i] = sr_operand(end, i)->type;
	sr_func_set_type(r->ctx, func, sr_type_function(r->ctx, types, entry->n_args, types + entry->n_args, end->n_operands));
}

/* Return a list of attributes without the elements first .. first + n - 1. */
static const struct sr_attr *list_without_range(struct sr_context *ctx, const struct sr_attr *list, int first, int n)
{
	if (!list || list->n < first + n)
		return list;
	const struct sr_attr **kept_entries = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, list->n);
	for (int i = 0; i < list->n - n; i++)
		kept_entries[i] = list->list[i < first ? i : i + n];
	return sr_attr_array(ctx, kept_entries, list->n - n);
}

/* Replace the arguments that are dimensions by constants at the beginning of the function. */
static void place_dimensions(struct refiner *r, struct sr_op *func, const struct key *key)
{
	struct sr_block *entry = sr_func_entry(func);
	struct sr_op *first = entry->first;
	for (int i = 0; i < key->n_dimensions; i++) {
		struct sr_value *arg = entry->args[key->n_tokens];
		struct sr_builder b = {.ctx = r->ctx, .block = entry, .anchor = first, .loc = arg->loc};
		sr_value_replace_all(arg, sr_build_constant(&b, key->dimensions[i]));
		sr_block_remove_arg(entry, key->n_tokens);
	}
	if (key->n_dimensions)
		sr_op_set_attr(r->ctx, func, SR_NAME_arg_attrs,
			       list_without_range(r->ctx, sr_op_attr(func, SR_NAME_arg_attrs), key->n_tokens, key->n_dimensions));
}

static bool is_same_key(const struct key *now, const struct key *earlier)
{
	if (now->n_types + now->n_tokens != earlier->n_types + earlier->n_tokens ||
	    (now->n_dimensions && now->n_dimensions != earlier->n_dimensions))
		return false;
	for (int i = 0; i < now->n_dimensions; i++)
		if (now->dimensions[i] != earlier->dimensions[i])
			return false;
	return memcmp(now->types, earlier->types, sizeof *now->types * (size_t)now->n_types) == 0;
}

static enum sr_status refine_function(struct refiner *r, struct sr_op *func, struct key *key)
{
	struct sr_block *entry = sr_func_entry(func);
	const struct key *earlier_key = sr_map_get(&r->keys, func);
	if (earlier_key && !is_same_key(key, earlier_key))
		return sr_op_error(func, &r->ctx->diags, SR_INVALID,
				   "refined with incompatible refinement keys: its calls differ in the "
				   "types of arguments or in the values of dimensions");
	if (earlier_key && earlier_key->is_in_progress)
		return sr_op_error(func, &r->ctx->diags, SR_INVALID, "Function %s is being refined recursively",
				   sr_symbol_name(func));
	if (earlier_key)
		return SR_OK;
	if (!entry || entry->next || !entry->last)
		return sr_op_error(func, &r->ctx->diags, SR_INVALID, "must have exactly one block");
	sr_map_put(&r->keys, func, key);
	key->is_in_progress = true;
	place_dimensions(r, func, key);
	for (int i = 0; i < key->n_types; i++)
		sr_value_refine(r->ctx, entry->args[key->n_tokens + i], key->types[i]);
	refine_block(r, entry);
	set_function_type(r, func);
	key->is_in_progress = false;
	return SR_OK;
}

/* ---------------------------------------------------------------- calls */

static bool is_dimension(const struct sr_value *v)
{
	const struct sr_type *t = v->type;
	return t->kind == SR_TYPE_TENSOR && t->rank == 0 && t->element->kind == SR_TYPE_INTEGER && sr_constant_value(v);
}

static struct key *key_of_call(struct refiner *r, const struct sr_op *call)
{
	struct key *key = SR_NEW(r->ctx->arena, struct key);
	const struct sr_attr **dimensions = SR_NEW_ARRAY(r->ctx->arena, const struct sr_attr *, call->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(r->ctx->arena, const struct sr_type *, call->n_operands);
	while (key->n_tokens < call->n_operands && sr_operand(call, key->n_tokens)->type->kind == SR_TYPE_TOKEN)
		key->n_tokens++;
	int i = key->n_tokens;
	for (; i < call->n_operands && is_dimension(sr_operand(call, i)); i++)
		dimensions[key->n_dimensions++] = sr_constant_value(sr_operand(call, i));
	for (; i < call->n_operands; i++)
		types[key->n_types++] = sr_operand(call, i)->type;
	key->dimensions = dimensions;
	key->types = types;
	return key;
}

/* Replace the results of a call that are constant integers in the callee. Returns true if the call has no other results. */
static bool use_constant_results(struct refiner *r, struct sr_op *call, const struct sr_op *end)
{
	struct sr_builder b = builder_before(r, call);
	bool is_all_constant = true;
	for (int i = 0; i < call->n_results; i++) {
		const struct sr_attr *value = sr_constant_value(sr_operand(end, i));
		if (!value || !sr_dtype_is_integer(value->type->dtype))
			is_all_constant = false;
		else if (sr_result(call, i)->uses)
			sr_value_replace_all(sr_result(call, i), sr_build_constant(&b, value));
	}
	return is_all_constant;
}

static void refine_call(struct refiner *r, struct sr_op *call)
{
	struct sr_op *callee = sr_call_callee(r->module, call);
	struct key *key = callee && sr_func_entry(callee) ? key_of_call(r, call) : NULL;
	if (!key)
		return;
	if (refine_function(r, callee, key)) {
		r->has_failed = true;
		return;
	}
	for (int i = 0; i < key->n_dimensions; i++)
		sr_op_remove_operand(call, key->n_tokens);
	if (key->n_dimensions)
		sr_op_set_attr(r->ctx, call, SR_NAME_arg_attrs,
			       list_without_range(r->ctx, sr_op_attr(call, SR_NAME_arg_attrs), key->n_tokens, key->n_dimensions));
	const struct sr_op *end = sr_func_entry(callee)->last;
	for (int i = 0; i < call->n_results; i++)
		sr_value_refine(r->ctx, sr_result(call, i), sr_operand(end, i)->type);
	if (use_constant_results(r, call, end) && func_is_pure(r, callee))
		sr_op_erase(call);
}

/* ---------------------------------------------------------------- ops */

static bool refine_results(struct refiner *r, struct sr_op *op)
{
	const struct sr_type **known_types = SR_NEW_ARRAY(r->ctx->arena, const struct sr_type *, op->n_results);
	bool has_changed = false;
	sr_known_types(r->ctx, op, known_types);
	for (int i = 0; i < op->n_results; i++)
		has_changed = sr_value_refine(r->ctx, sr_result(op, i), known_types[i]) || has_changed;
	return has_changed;
}

/* Return true for the custom call stablehlo.shape_refinement_operand_wrapper, which keeps an argument's declared type for its users
 * until they are refined. */
static bool is_type_wrapper(const struct sr_op *op)
{
	const struct sr_attr *target = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	return target && strcmp(target->s, "stablehlo.shape_refinement_operand_wrapper") == 0;
}

static void refine_op(struct refiner *r, struct sr_op *op);

/* Refine the ops that were inserted between two ops; NULL stands for the beginning or end of the block. */
static void refine_between(struct refiner *r, struct sr_block *block, const struct sr_op *last, const struct sr_op *end)
{
	struct sr_op *next;
	for (struct sr_op *op = last ? last->next : block->first; op != end; op = next) {
		next = op->next;
		refine_op(r, op);
	}
}

/* Replace a custom call that stands for an op (custom_call_ops.h), once its operands are constant, and refine the new ops. */
static bool refine_named_call(struct refiner *r, struct sr_op *call)
{
	struct sr_op *last = call->prev;
	struct sr_builder b = builder_before(r, call);
	if (!sr_replace_call_by_op(&b, call))
		return false;
	refine_between(r, call->block, last, call);
	sr_op_erase(call);
	return true;
}

static void refine_custom_call(struct refiner *r, struct sr_op *call)
{
	if (refine_named_call(r, call))
		return;
	if (sr_check_shape_operands(r->ctx, call)) {
		r->has_failed = true;
		return;
	}
	if (is_type_wrapper(call) && call->n_operands && call->n_results == 1)
		sr_value_refine(r->ctx, sr_result(call, 0), sr_operand(call, 0)->type);
	refine_results(r, call);
	if (is_type_wrapper(call) && call->n_operands && sr_operand(call, 0)->type == sr_result(call, 0)->type)
		replace(call, sr_operand(call, 0));
}

static void refine_cast(struct refiner *r, struct sr_op *cast)
{
	if (cast->n_operands == 1 && cast->n_results == 1)
		sr_value_refine(r->ctx, sr_result(cast, 0), sr_operand(cast, 0)->type);
	if (cast->n_operands == 1 && cast->n_results == 1 && sr_operand(cast, 0)->type == sr_result(cast, 0)->type)
		replace(cast, sr_operand(cast, 0));
}

static void refine_while(struct refiner *r, struct sr_op *loop)
{
	for (int region = 0; region < loop->n_regions; region++) {
		struct sr_block *block = loop->regions[region].first;
		for (int i = 0; block && i < block->n_args && i < loop->n_operands; i++)
			sr_value_refine(r->ctx, block->args[i], sr_operand(loop, i)->type);
		if (block)
			refine_block(r, block);
	}
	refine_results(r, loop);
}

static void refine_get_dimension_size(struct refiner *r, struct sr_op *op)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0);
	struct sr_builder b = builder_before(r, op);
	if (t->kind == SR_TYPE_TENSOR && dim < t->rank && t->shape[dim] != SR_DYNAMIC)
		replace(op, sr_build_constant(&b, sr_splat_number(r->ctx, sr_result(op, 0)->type, (double)t->shape[dim])));
}

static void refine_extents(struct refiner *r, struct sr_op *op)
{
	sr_refine_extents(r->ctx, op);
}

static void refine_assuming(struct refiner *r, struct sr_op *op)
{
	struct sr_block *block = op->block;
	const struct sr_op *last = op->prev, *end = op->next;
	if (sr_refine_assuming(op, r->ctx))
		refine_between(r, block, last, end);
	else if (op->regions[0].first)
		refine_block(r, op->regions[0].first);
}

/* Ops that need more than the refinement of their result types, with the function for each. */
static const struct {
	enum sr_op_code code;
	void (*refine)(struct refiner *r, struct sr_op *op);
} rows[] = {
	{SR_OP_builtin_unrealized_conversion_cast, refine_cast},
	{SR_OP_func_call, refine_call},
	{SR_OP_shape_assuming, refine_assuming},
	{SR_OP_shape_broadcast, refine_extents},
	{SR_OP_shape_shape_of, refine_extents},
	{SR_OP_stablehlo_custom_call, refine_custom_call},
	{SR_OP_stablehlo_get_dimension_size, refine_get_dimension_size},
	{SR_OP_stablehlo_while, refine_while},
};

static void refine_op(struct refiner *r, struct sr_op *op)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (sr_op_is(op, rows[i].code)) {
			rows[i].refine(r, op);
			return;
		}
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first; b; b = b->next)
			refine_block(r, b);
	if (strcmp(op->info->dialect, "stablehlo") == 0)
		sr_materialize_extents(r->ctx, op);
	if (op->n_results)
		refine_results(r, op);
	const struct sr_attr *value = sr_fold(r->folder, op);
	struct sr_builder b = builder_before(r, op);
	if (value)
		replace(op, sr_build_constant(&b, value));
}

static void refine_block(struct refiner *r, struct sr_block *block)
{
	struct sr_op *next, *previous;
	for (struct sr_op *op = block->first; op; op = next) {
		next = op->next;
		refine_op(r, op);
	}
	for (struct sr_op *op = block->last; op; op = previous) {
		previous = op->prev;
		if (sr_op_is_trivially_dead(op))
			sr_op_erase(op);
	}
}

/* ---------------------------------------------------------------- */

struct sr_op *sr_refine_entry(struct sr_context *ctx, struct sr_op *module)
{
	struct sr_op *single_func = NULL, *entry = NULL;
	int n = 0;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next) {
		if (!sr_op_is(op, SR_OP_func_func))
			continue;
		single_func = op;
		n++;
		if (strcmp(sr_symbol_name(op), "main") == 0)
			entry = op;
	}
	if (n != 1 && !entry)
		sr_op_error(module, &ctx->diags, SR_INVALID,
			    "must have no more than one function or a `main` function to clearly identify which function will be "
			    "refined");
	return n == 1 ? single_func : entry;
}

static const struct sr_type *const *declared_types(struct sr_context *ctx, const struct sr_block *entry)
{
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, entry->n_args);
	for (int i = 0; i < entry->n_args; i++)
		types[i] = entry->args[i]->type;
	return types;
}

enum sr_status sr_refine_shapes(struct sr_context *ctx, struct sr_op *module, struct sr_op *func,
				const struct sr_type *const *types)
{
	static const struct sr_fold_options options = {
	    .max_elements = MAX_FOLDED_ELEMENTS, .integers_only = true, .shapes_only = true};
	struct refiner r = {.ctx = ctx, .module = module, .folder = sr_folder_new(ctx, &options)};
	struct sr_block *entry = sr_func_entry(func);
	if (!entry || entry->next)
		return sr_op_error(func, &ctx->diags, SR_INVALID, "must have exactly one block");
	if (types && sr_refine_arguments(ctx, func, types, entry->n_args))
		return SR_INVALID;
	sr_map_init(&r.keys, ctx->arena);
	sr_map_init(&r.effects, ctx->arena);
	struct key key = {.types = declared_types(ctx, entry), .n_types = entry->n_args};
	if (!refine_function(&r, func, &key) && !r.has_failed)
		return SR_OK;
	sr_verify(ctx, module); /* the verifier reports calls that no longer match their callees */
	return SR_INVALID;
}

enum sr_status sr_run_refine_shapes(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	struct sr_op *entry = sr_refine_entry(ctx, root);
	return entry ? sr_refine_shapes(ctx, root, entry, NULL) : SR_INVALID;
}
