/* Implement shardrun-export-frontend-attributes: encode Shardy's meshes, shardings and ops as frontend attributes and custom
 * calls, which survive a conversion to HLO. import_frontend_attributes.c lists the encodings and decodes them.
 *
 *	%0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]>
 *
 * becomes
 *
 *	%0 = custom_call @Sharding(%arg0)
 *		{mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}]>]>"}}
 *
 * A reshard is re-imported as a sharding_constraint. Requires no named computations and no sdy collectives. Leaves no sdy ops or
 * attributes. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/forms/custom_call.h"
#include "import/import_passes.h"
#include "text/text.h"
#include <string.h>

struct exporter {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_symbols symbols;
	enum sr_status status;
};

/* ---------------------------------------------------------------- attributes as text */

static const struct sr_attr *attr_as_text(struct exporter *e, const struct sr_attr *attr)
{
	struct sr_buf buf;
	sr_buf_init(&buf, e->ctx->arena);
	sr_print_attr(e->ctx, attr, &buf);
	return sr_attr_string(e->ctx, buf.data, buf.n);
}

/* Print manual axes, whose attribute name differs from that of other axis lists. */
static const struct sr_attr *manual_axes_as_text(struct exporter *e, const struct sr_sdy_axes *axes)
{
	struct sr_buf buf;
	sr_buf_init(&buf, e->ctx->arena);
	for (int i = 0; i < axes->n; i++)
		sr_buf_printf(&buf, "%s\"%s\"", i > 0 ? ", " : "#sdy<manual_axes{", axes->refs[i].axis);
	sr_buf_puts(&buf, axes->n > 0 ? "}>" : "#sdy<manual_axes{}>");
	return sr_attr_string(e->ctx, buf.data, buf.n);
}

static void add_frontend_attr(struct exporter *e, struct sr_op *op, const char *name, const struct sr_attr *text)
{
	const struct sr_attr *frontend_attrs = sr_op_attr(op, SR_FRONTEND_ATTRIBUTES);
	sr_op_set_attr(e->ctx, op, SR_FRONTEND_ATTRIBUTES, sr_dict_with(e->ctx, frontend_attrs, name, text));
}

/* Move attribute `name` of op to the frontend attribute `frontend_name`, as text. */
static void move_attr(struct exporter *e, struct sr_op *op, const char *name, const char *frontend_name)
{
	const struct sr_attr *value = sr_op_attr(op, name);
	if (!value)
		return;
	sr_op_remove_attr(e->ctx, op, name);
	add_frontend_attr(e, op, frontend_name, attr_as_text(e, value));
}

static const struct sr_attr *make_single_sharding_list(struct exporter *e, const struct sr_attr *sharding)
{
	return sr_attr_shardings(e->ctx, &sharding, 1);
}

/* ---------------------------------------------------------------- ops */

/* Replace a one-operand op by a custom call; its result, if any, has the operand's type. */
static struct sr_op *replace_by_call(struct exporter *e, struct sr_op *op, const char *target, const char *name,
				     const struct sr_attr *value)
{
	struct sr_value *input = sr_operand(op, 0);
	struct sr_op *call = sr_build_custom_call(e->ctx, op, op->loc, target, &input, 1, &input->type, op->n_results);
	add_frontend_attr(e, call, name, attr_as_text(e, value));
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), sr_result(call, i));
	sr_op_erase(op);
	return call;
}

static void export_constraint(struct exporter *e, struct sr_op *op)
{
	replace_by_call(e, op, "Sharding", "xla.sdy.sharding", make_single_sharding_list(e, sr_op_attr(op, SR_NAME_sharding)));
}

static void export_group(struct exporter *e, struct sr_op *op)
{
	struct sr_op *call = replace_by_call(e, op, "xla.sdy.ShardingGroup", "xla.sdy.sharding_group_id",
					     sr_op_attr(op, SR_NAME_group_id));
	sr_op_set_attr(e->ctx, call, SR_NAME_has_side_effect, sr_attr_bool(e->ctx, true));
}

static void export_barrier(struct exporter *e, struct sr_op *op)
{
	const struct sr_attr *direction = sr_attr_i64(e->ctx, sr_op_attr(op, SR_NAME_allowed_direction)->i);
	replace_by_call(e, op, "xla.sdy.PropagationBarrier", "xla.sdy.allowed_direction", direction);
}

static void export_constant(struct exporter *e, struct sr_op *op)
{
	sr_sdy_constant_to_stablehlo(e->ctx, op);
}

static void report_unsupported(struct exporter *e, struct sr_op *op)
{
	e->status = sr_op_error(op, &e->ctx->diags, SR_UNSUPPORTED, "cannot be exported as a frontend attribute");
}

/* Insert a custom call that converts n values between global and local shapes at the boundary of a manual computation. */
static struct sr_op *insert_boundary_call(struct exporter *e, struct sr_op *op, const char *target,
					  struct sr_value *const *operands, const struct sr_type *const *types, int n,
					  const char *list_name)
{
	struct sr_op *call = sr_build_custom_call(e->ctx, op, op->loc, target, operands, n, types, n);
	add_frontend_attr(e, call, sr_printf(e->ctx->arena, "xla.sdy.%s", list_name), attr_as_text(e, sr_op_attr(op, list_name)));
	add_frontend_attr(e, call, "xla.sdy.manual_axes", manual_axes_as_text(e, sr_op_attr(op, SR_NAME_manual_axes)->axes));
	sr_op_set_attr(e->ctx, call, SR_NAME_has_side_effect, sr_attr_bool(e->ctx, true));
	return call;
}

static void export_manual_computation(struct exporter *e, struct sr_op *op)
{
	struct sr_context *ctx = e->ctx;
	struct sr_op *func = sr_outline_body(&e->symbols, op, "xla.sdy.manual_computation_body");
	const struct sr_type *local_type = sr_func_type(func);
	int n_in = op->n_operands, n_out = op->n_results, n = n_in > n_out ? n_in : n_out;
	struct sr_value **values = SR_NEW_ARRAY(ctx->arena, struct sr_value *, n);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, n_out);
	for (int i = 0; i < n_in; i++)
		values[i] = sr_operand(op, i);
	struct sr_op *entry_call = NULL, *exit_call = NULL;
	if (n_in > 0)
		entry_call = insert_boundary_call(e, op, "xla.sdy.GlobalToLocalShape", values, local_type->inputs, n_in,
						  SR_NAME_in_shardings);
	for (int i = 0; i < n_in; i++)
		values[i] = sr_result(entry_call, i);
	struct sr_named_attr callee = {SR_NAME_callee, sr_attr_symbol(ctx, sr_symbol_name(func))};
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_op *call = sr_build(&b, SR_OP_func_call, values, n_in, &callee, 1, local_type->results, n_out);
	for (int i = 0; i < n_out; i++) {
		values[i] = sr_result(call, i);
		types[i] = sr_result(op, i)->type;
	}
	if (n_out > 0)
		exit_call = insert_boundary_call(e, op, "xla.sdy.LocalToGlobalShape", values, types, n_out, SR_NAME_out_shardings);
	for (int i = 0; i < n_out; i++)
		sr_value_replace_all(sr_result(op, i), sr_result(exit_call, i));
	sr_op_erase(op);
}

static const struct {
	enum sr_op_code code;
	void (*run)(struct exporter *e, struct sr_op *op);
} op_exporters[] = {
	{SR_OP_sdy_sharding_constraint, export_constraint}, {SR_OP_sdy_reshard, export_constraint},
	{SR_OP_sdy_sharding_group, export_group},           {SR_OP_sdy_propagation_barrier, export_barrier},
	{SR_OP_sdy_constant, export_constant},              {SR_OP_sdy_manual_computation, export_manual_computation},
	{SR_OP_sdy_named_computation, report_unsupported},       {SR_OP_sdy_data_flow_edge, report_unsupported},
	{SR_OP_sdy_func_data_flow_edge, report_unsupported},
};

/* ---------------------------------------------------------------- functions and the module */

static void export_arguments(struct exporter *e, struct sr_op *func)
{
	const struct sr_attr **dicts = sr_func_arg_dicts(e->ctx, func);
	for (int i = 0; i < sr_func_type(func)->n_inputs; i++) {
		const struct sr_attr *sharding = sr_dict_get(dicts[i], "sdy.sharding");
		const struct sr_attr *frontend_attrs = sr_dict_get(dicts[i], SR_FRONTEND_ATTRIBUTES);
		if (!sharding)
			continue;
		frontend_attrs = sr_dict_with(e->ctx, frontend_attrs, "xla.sdy.sharding", attr_as_text(e, sharding));
		dicts[i] = sr_dict_with(e->ctx, dicts[i], "sdy.sharding", NULL);
		dicts[i] = sr_dict_with(e->ctx, dicts[i], SR_FRONTEND_ATTRIBUTES, frontend_attrs);
	}
	sr_func_set_arg_dicts(e->ctx, func, dicts);
}

/* Move result shardings into custom calls before the return, since HLO has no result attributes. */
static void export_results(struct exporter *e, struct sr_op *func)
{
	struct sr_block *entry_call = sr_func_entry(func);
	const struct sr_attr **dicts = sr_func_result_dicts(e->ctx, func);
	for (int i = 0; entry_call && i < sr_func_type(func)->n_results; i++) {
		const struct sr_attr *sharding = sr_dict_get(dicts[i], "sdy.sharding");
		struct sr_op *terminator = sr_block_terminator(entry_call);
		struct sr_value *v = sr_operand(terminator, i);
		if (!sharding)
			continue;
		struct sr_op *call = sr_build_custom_call(e->ctx, terminator, terminator->loc, "xla.sdy.FuncResultSharding", &v, 1,
							  &v->type, 1);
		add_frontend_attr(e, call, "xla.sdy.sharding", attr_as_text(e, make_single_sharding_list(e, sharding)));
		sr_op_set_attr(e->ctx, call, SR_NAME_has_side_effect, sr_attr_bool(e->ctx, true));
		sr_op_set_operand(terminator, i, sr_result(call, 0));
		dicts[i] = sr_dict_with(e->ctx, dicts[i], "sdy.sharding", NULL);
	}
	sr_func_set_result_dicts(e->ctx, func, dicts);
}

/* Export an op. Called in post-order, so that a manual computation's body is exported before it is outlined. */
static bool export_op(void *data, struct sr_op *op)
{
	struct exporter *e = data;
	for (size_t i = 0; i < sizeof op_exporters / sizeof *op_exporters; i++)
		if (sr_op_is(op, op_exporters[i].code)) {
			op_exporters[i].run(e, op);
			return !e->status;
		}
	if (sr_op_attr(op, SR_NAME_out_sharding)) {
		report_unsupported(e, op);
	} else if (sr_op_is(op, SR_OP_func_func)) {
		export_arguments(e, op);
		export_results(e, op);
	} else {
		move_attr(e, op, "sdy.sharding", "xla.sdy.sharding");
		move_attr(e, op, "sdy.sharding_rule", "xla.sdy.sharding_rule");
	}
	return !e->status;
}

static void export_meshes(struct exporter *e)
{
	SR_VEC(struct sr_named_attr) entries = {0};
	for (struct sr_op *op = sr_module_body(e->module)->first, *next; op; op = next) {
		next = op->next;
		if (!sr_op_is(op, SR_OP_sdy_mesh))
			continue;
		sr_push(e->ctx->arena, &entries,
			(struct sr_named_attr){sr_intern(e->ctx, sr_symbol_name(op)), sr_op_attr(op, SR_NAME_mesh)});
		sr_op_erase(op);
	}
	if (entries.n > 0)
		add_frontend_attr(e, e->module, "xla.sdy.meshes",
				  attr_as_text(e, sr_attr_dict(e->ctx, entries.data, (int)entries.n)));
}

enum sr_status sr_pass_export_frontend_attributes(struct sr_context *ctx, struct sr_op *module,
						  const struct sr_pass_options *options)
{
	struct exporter e = {.ctx = ctx, .module = module};
	sr_symbols_init(&e.symbols, ctx, module);
	sr_walk_post(module, export_op, &e);
	if (!e.status)
		export_meshes(&e);
	return e.status;
}
