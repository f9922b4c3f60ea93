/* Implement shardrun-import-frontend-attributes: decode Shardy's meshes, shardings and ops from the frontend attributes and
 * custom calls that carry them through HLO. Portable artifacts without the sdy dialect, e.g. of older JAX versions, use this
 * encoding.
 *
 *	mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<...>}"} on the module    ops sdy.mesh
 *	mhlo.frontend_attributes = {xla.sdy.sharding = "..."} on arguments and ops               sdy.sharding, and the rule likewise
 *	custom_call @Sharding with xla.sdy.sharding                                              sdy.sharding_constraint
 *	custom_call @xla.sdy.FuncResultSharding before a return                                  sdy.sharding of the result
 *	custom_call @xla.sdy.GlobalToLocalShape, a call of
 *	@xla.sdy.manual_computation_body, custom_call @xla.sdy.LocalToGlobalShape                sdy.manual_computation
 *	custom_call @xla.sdy.ShardingGroup, @xla.sdy.PropagationBarrier                          sdy.sharding_group, .propagation_barrier
 *
 * Requires a verified module. Does not change a module without xla.sdy.meshes. Leaves no xla.sdy.* and no mhlo.sharding, which
 * would be redundant. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "import/forms/custom_call.h"
#include "import/import_passes.h"
#include "support/characters.h"
#include "support/vec.h"
#include "text/text.h"
#include <string.h>

static const char FRONTEND_ATTRIBUTES[] = SR_FRONTEND_ATTRIBUTES, BODY_NAME[] = "xla.sdy.manual_computation_body";
static const char RESULT_SHARDING[] = "xla.sdy.FuncResultSharding";
enum { MAX_ROUNDS = 64 }; /* maximum nesting of manual computations */

struct importer {
	struct sr_context *ctx;
	struct sr_op *module;
	enum sr_status status;
	SR_VEC(struct sr_op *) calls; /* calls of the functions that are bodies of manual computations */
};

/* ---------------------------------------------------------------- attributes as text */

/* Undo escapes that a conversion to HLO text may have added: \" or \22. */
static const char *unescape(struct sr_arena *arena, const char *s)
{
	char *unescaped_text = sr_strdup(arena, s), *terminator = unescaped_text;
	for (; *s; s++) {
		bool is_hex = s[0] == '\\' && s[1] && sr_hex_digit(s[1]) >= 0 && sr_hex_digit(s[2]) >= 0;
		if (is_hex)
			*terminator++ = (char)(sr_hex_digit(s[1]) * 16 + sr_hex_digit(s[2]));
		else
			*terminator++ = s[0] == '\\' && s[1] ? s[1] : s[0];
		s += is_hex ? 2 : s[0] == '\\' && s[1];
	}
	*terminator = 0;
	return unescaped_text;
}

/* Parse a frontend attribute's text as an attribute. Return NULL if it is absent or, with in->status set, malformed. */
static const struct sr_attr *parse_attr(struct importer *in, const struct sr_attr *frontend, const char *name,
					const struct sr_attr *loc)
{
	const struct sr_attr *text = sr_dict_get(frontend, name), *a = NULL;
	if (!text)
		return NULL;
	if (text->kind != SR_ATTR_STRING)
		in->status = sr_error(&in->ctx->diags, SR_INVALID, sr_loc_source(loc), "'%s' is not a string", name);
	else if (sr_parse_attr(in->ctx, unescape(in->ctx->arena, text->s), &a))
		in->status = SR_INVALID;
	return in->status ? NULL : a;
}

static const struct sr_attr *parse_attr_kind(struct importer *in, const struct sr_op *op, const char *name, enum sr_attr_kind kind)
{
	const struct sr_attr *a = parse_attr(in, sr_op_attr(op, FRONTEND_ATTRIBUTES), name, op->loc);
	if (!a || a->kind == kind)
		return a;
	in->status = sr_error(&in->ctx->diags, SR_INVALID, sr_loc_source(op->loc), "'%s' has the wrong kind of attribute",
			      name);
	return NULL;
}

/* Return the frontend attributes without those of Shardy; NULL if none remain. */
static const struct sr_attr *remove_sdy_entries(struct sr_context *ctx, const struct sr_attr *frontend)
{
	if (!frontend || frontend->kind != SR_ATTR_DICT)
		return frontend;
	struct sr_named_attr *remaining_attrs = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, frontend->n);
	int n = 0;
	for (int i = 0; i < frontend->n; i++)
		if (strncmp(frontend->entries[i].name, "xla.sdy.", 8) != 0)
			remaining_attrs[n++] = frontend->entries[i];
	return n ? sr_attr_dict(ctx, remaining_attrs, n) : NULL;
}

/* ---------------------------------------------------------------- module and functions */

static void import_meshes(struct importer *in, const struct sr_attr *dict)
{
	struct sr_op *first_op = sr_module_body(in->module)->first;
	for (int i = 0; i < dict->n; i++) {
		struct sr_named_attr attrs[] = {{sr_intern(in->ctx, SR_NAME_sym_name), NULL}, {sr_intern(in->ctx, SR_NAME_mesh),
											  dict->entries[i].value}};
		const char *name = dict->entries[i].name;
		if (attrs[1].value->kind != SR_ATTR_MESH || !first_op) {
			in->status = sr_error(&in->ctx->diags, SR_INVALID, sr_loc_source(in->module->loc),
					      "'xla.sdy.meshes' contains '%s', which is not a mesh", name);
			return;
		}
		attrs[0].value = sr_attr_string(in->ctx, name, strlen(name));
		struct sr_op *op = sr_op_new(in->ctx, &(struct sr_op_spec){.info = sr_info(in->ctx, SR_OP_sdy_mesh),
									   .loc = in->module->loc,
									   .attrs = attrs, .n_attrs = 2});
		sr_op_insert_before(first_op, op);
	}
}

static void import_arguments(struct importer *in, struct sr_op *func)
{
	const struct sr_attr **dicts = sr_func_arg_dicts(in->ctx, func);
	for (int i = 0; i < sr_func_type(func)->n_inputs && !in->status; i++) {
		const struct sr_attr *frontend = sr_dict_get(dicts[i], FRONTEND_ATTRIBUTES);
		const struct sr_attr *sharding = parse_attr(in, frontend, "xla.sdy.sharding", func->loc);
		if (sharding)
			dicts[i] = sr_dict_with(in->ctx, dicts[i], "sdy.sharding", sharding);
		dicts[i] = sr_dict_with(in->ctx, dicts[i], FRONTEND_ATTRIBUTES, remove_sdy_entries(in->ctx, frontend));
		dicts[i] = sr_dict_with(in->ctx, dicts[i], SR_MHLO_SHARDING, NULL);
	}
	sr_func_set_arg_dicts(in->ctx, func, dicts);
}

/* ---------------------------------------------------------------- custom calls that become one op */

static void replace_call(struct importer *in, struct sr_op *op, enum sr_op_code code, const char *attr, const struct sr_attr *value)
{
	sr_replace_custom_call(in->ctx, op, code, attr, value, remove_sdy_entries(in->ctx, sr_op_attr(op, FRONTEND_ATTRIBUTES)));
}

/* Return the sharding of a call with one operand, one result and one sharding; otherwise set in->status. */
static const struct sr_attr *read_single_sharding(struct importer *in, const struct sr_op *op)
{
	const struct sr_attr *list = parse_attr_kind(in, op, "xla.sdy.sharding", SR_ATTR_SHARDINGS);
	if (list && (list->n != 1 || op->n_operands != 1 || op->n_results != 1))
		in->status = sr_error(&in->ctx->diags, SR_INVALID, sr_loc_source(op->loc),
				      "expected one operand, one result and one sharding");
	return list && !in->status ? list->list[0] : NULL;
}

/* Set the result shardings of a function to those of the FuncResultSharding calls before its return. */
static void import_results(struct importer *in, struct sr_op *func)
{
	struct sr_block *entry = sr_func_entry(func);
	const struct sr_op *terminator = entry ? sr_block_terminator(entry) : NULL;
	const struct sr_attr **dicts = sr_func_result_dicts(in->ctx, func);
	for (int i = 0; i < sr_func_type(func)->n_results && !in->status; i++) {
		const struct sr_op *call = terminator ? sr_operand(terminator, i)->def : NULL;
		const struct sr_attr *sharding = call && sr_is_custom_call_to(call, RESULT_SHARDING)
						     ? read_single_sharding(in, call)
						     : NULL;
		if (sharding)
			dicts[i] = sr_dict_with(in->ctx, dicts[i], "sdy.sharding", sharding);
		dicts[i] = sr_dict_with(in->ctx, dicts[i], SR_MHLO_SHARDING, NULL);
	}
	sr_func_set_result_dicts(in->ctx, func, dicts);
}

/* Erase a FuncResultSharding call, whose sharding is now an attribute of the function. */
static void erase_result_sharding_call(struct importer *in, struct sr_op *op)
{
	if (!read_single_sharding(in, op))
		return;
	sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
	sr_op_erase(op);
}

static void import_sharding_group(struct importer *in, struct sr_op *op)
{
	const struct sr_attr *id = parse_attr(in, sr_op_attr(op, FRONTEND_ATTRIBUTES), "xla.sdy.sharding_group_id", op->loc);
	if (id && id->kind == SR_ATTR_INTEGER && op->n_operands == 1)
		replace_call(in, op, SR_OP_sdy_sharding_group, SR_NAME_group_id, sr_attr_i64(in->ctx, id->i));
	else if (!in->status)
		in->status = sr_error(&in->ctx->diags, SR_INVALID, sr_loc_source(op->loc), "a sharding group has no integer id");
}

static void import_barrier(struct importer *in, struct sr_op *op)
{
	static const char *const names[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};
	const struct sr_attr *text = sr_dict_get(sr_op_attr(op, FRONTEND_ATTRIBUTES), "xla.sdy.allowed_direction");
	const char *s = text && text->kind == SR_ATTR_STRING ? text->s : "";
	for (int i = 0; i < 4; i++)
		if ((!strcmp(s, names[i]) || (s[0] == '0' + i && (!s[1] || s[1] == ' '))) && op->n_operands == 1 &&
		    op->n_results == 1) {
			replace_call(in, op, SR_OP_sdy_propagation_barrier, SR_NAME_allowed_direction,
				     sr_attr_enum(in->ctx, "sdy", "propagation_direction", names[i]));
			return;
		}
	in->status = sr_error(&in->ctx->diags, SR_INVALID, sr_loc_source(op->loc),
			      "a propagation barrier of unknown direction '%s'", s);
}

static bool import_op(void *data, struct sr_op *op)
{
	struct importer *in = data;
	const struct sr_attr *frontend = sr_op_attr(op, FRONTEND_ATTRIBUTES);
	if (sr_op_is(op, SR_OP_func_func)) {
		import_arguments(in, op);
		import_results(in, op);
	}
	sr_op_remove_attr(in->ctx, op, SR_MHLO_SHARDING);
	if (sr_is_custom_call_to(op, "xla.sdy.GlobalToLocalShape") || sr_is_custom_call_to(op, "xla.sdy.LocalToGlobalShape"))
		return !in->status;
	if (sr_is_custom_call_to(op, "Sharding") && sr_dict_get(frontend, "xla.sdy.sharding")) {
		const struct sr_attr *sharding = read_single_sharding(in, op);
		if (sharding)
			replace_call(in, op, SR_OP_sdy_sharding_constraint, SR_NAME_sharding, sharding);
	} else if (sr_is_custom_call_to(op, RESULT_SHARDING)) {
		erase_result_sharding_call(in, op);
	} else if (sr_is_custom_call_to(op, "xla.sdy.ShardingGroup")) {
		import_sharding_group(in, op);
	} else if (sr_is_custom_call_to(op, "xla.sdy.PropagationBarrier")) {
		import_barrier(in, op);
	} else if (frontend) {
		const struct sr_attr *sharding = parse_attr_kind(in, op, "xla.sdy.sharding", SR_ATTR_SHARDINGS);
		const struct sr_attr *rule = in->status ? NULL : parse_attr_kind(in, op, "xla.sdy.sharding_rule", SR_ATTR_RULE);
		if (sharding)
			sr_op_set_attr(in->ctx, op, "sdy.sharding", sharding);
		if (rule)
			sr_op_set_attr(in->ctx, op, "sdy.sharding_rule", rule);
		sr_op_set_attr(in->ctx, op, FRONTEND_ATTRIBUTES, remove_sdy_entries(in->ctx, frontend));
	}
	return !in->status;
}

/* ---------------------------------------------------------------- manual computations */

static bool is_body(const char *name)
{
	return name && !strncmp(name, BODY_NAME, sizeof BODY_NAME - 1);
}

static bool find_call(void *data, struct sr_op *op)
{
	struct importer *in = data;
	const struct sr_attr *callee = sr_op_is(op, SR_OP_func_call) ? sr_op_attr(op, SR_NAME_callee) : NULL;
	if (callee && is_body(callee->s))
		sr_push(in->ctx->arena, &in->calls, op);
	return true;
}

/* Return the GlobalToLocalShape call whose results are, in order, the call's operands; NULL if there is none. */
static struct sr_op *find_entry_call(const struct sr_op *call)
{
	struct sr_op *entry = call->n_operands ? sr_operand(call, 0)->def : NULL;
	bool is_match = entry && sr_is_custom_call_to(entry, "xla.sdy.GlobalToLocalShape") &&
			entry->n_results == call->n_operands && entry->n_operands == entry->n_results;
	for (int i = 0; is_match && i < call->n_operands; i++)
		is_match = sr_operand(call, i) == sr_result(entry, i) && !sr_result(entry, i)->uses->next;
	return is_match ? entry : NULL;
}

static struct sr_op *find_exit_call(const struct sr_op *call)
{
	struct sr_use *use = call->n_results ? call->results[0].uses : NULL;
	struct sr_op *exit_call = use ? use->owner : NULL;
	bool is_match = exit_call && sr_is_custom_call_to(exit_call, "xla.sdy.LocalToGlobalShape") &&
			exit_call->n_operands == call->n_results && exit_call->n_results == exit_call->n_operands;
	for (int i = 0; is_match && i < call->n_results; i++)
		is_match = sr_operand(exit_call, i) == &call->results[i] && call->results[i].uses && !call->results[i].uses->next;
	return is_match ? exit_call : NULL;
}

static void import_manual_computation(struct importer *in, struct sr_op *call)
{
	struct sr_op *entry = find_entry_call(call), *exit_call = find_exit_call(call), *callee = sr_call_callee(in->module, call);
	if ((call->n_operands && !entry) || (call->n_results && !exit_call) || !callee || (!entry && !exit_call)) {
		in->status = sr_op_error(call, &in->ctx->diags, SR_INVALID,
					 "of a manual computation's body must be between GlobalToLocalShape and LocalToGlobalShape");
		return;
	}
	const struct sr_attr *no_shardings = sr_attr_shardings(in->ctx, NULL, 0);
	const struct sr_attr *in_shardings = entry ? parse_attr_kind(in, entry, "xla.sdy.in_shardings", SR_ATTR_SHARDINGS)
						   : no_shardings;
	const struct sr_attr *out_shardings = exit_call && !in->status
						  ? parse_attr_kind(in, exit_call, "xla.sdy.out_shardings", SR_ATTR_SHARDINGS)
						  : no_shardings;
	const struct sr_attr *axes = in->status ? NULL
		: parse_attr_kind(in, entry ? entry : exit_call, "xla.sdy.manual_axes", SR_ATTR_AXES);
	if (!in_shardings || !out_shardings || !axes) {
		if (!in->status)
			in->status = sr_op_error(call, &in->ctx->diags, SR_INVALID,
						 "of a manual computation's body lacks shardings or axes");
		return;
	}
	struct sr_named_attr attrs[] = {{sr_intern(in->ctx, SR_NAME_in_shardings), in_shardings},
					{sr_intern(in->ctx, SR_NAME_out_shardings),
										      out_shardings},
				   {sr_intern(in->ctx, SR_NAME_manual_axes), axes}};
	struct sr_value **operands = SR_NEW_ARRAY(in->ctx->arena, struct sr_value *, call->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, call->n_results);
	for (int i = 0; i < call->n_operands; i++)
		operands[i] = sr_operand(entry, i);
	for (int i = 0; i < call->n_results; i++)
		types[i] = exit_call->results[i].type;
	struct sr_op_spec spec = {.info = sr_info(in->ctx, SR_OP_sdy_manual_computation), .loc = call->loc,
				  .operands = operands, .n_operands = call->n_operands, .results = types, .n_results = call->n_results,
				  .attrs = attrs, .n_attrs = 3, .n_regions = 1};
	struct sr_op *new_op = sr_op_new(in->ctx, &spec);
	sr_region_take(&new_op->regions[0], &sr_op_clone(in->ctx, callee, NULL)->regions[0]);
	sr_func_return_to_sdy(in->ctx, &new_op->regions[0]);
	sr_op_insert_before(call, new_op);
	for (int i = 0; i < call->n_results; i++)
		sr_value_replace_all(&exit_call->results[i], sr_result(new_op, i));
	if (exit_call)
		sr_op_erase(exit_call);
	sr_op_erase(call);
	if (entry)
		sr_op_erase(entry);
}

static void import_manual_computations(struct importer *in)
{
	for (int round = 0; !in->status; round++) {
		in->calls.n = 0;
		sr_walk(in->module, find_call, in);
		if (in->calls.n == 0)
			break;
		if (round == MAX_ROUNDS)
			in->status = sr_error(&in->ctx->diags, SR_INVALID, sr_loc_source(in->module->loc),
					      "manual computations nest too deeply");
		for (size_t i = 0; i < in->calls.n && !in->status; i++)
			import_manual_computation(in, in->calls.data[i]);
	}
	for (struct sr_op *op = sr_module_body(in->module)->first, *next; op && !in->status; op = next) {
		next = op->next;
		if (sr_op_is(op, SR_OP_func_func) && is_body(sr_symbol_name(op)))
			sr_op_erase(op);
	}
}

enum sr_status sr_pass_import_frontend_attributes(struct sr_context *ctx, struct sr_op *module,
						  const struct sr_pass_options *options)
{
	struct importer in = {.ctx = ctx, .module = module};
	const struct sr_attr *frontend = sr_op_attr(module, FRONTEND_ATTRIBUTES),
		*dict = parse_attr(&in, frontend, "xla.sdy.meshes", module->loc);
	if (!dict)
		return in.status;
	if (dict->kind != SR_ATTR_DICT)
		return sr_error(&ctx->diags, SR_INVALID, sr_loc_source(module->loc),
				"'xla.sdy.meshes' is not a dictionary of meshes");
	import_meshes(&in, dict);
	sr_op_set_attr(ctx, module, FRONTEND_ATTRIBUTES, remove_sdy_entries(ctx, frontend));
	if (!in.status)
		sr_walk(module, import_op, &in);
	import_manual_computations(&in);
	return in.status;
}
