/* Implement sdy-to-gspmd: convert sdy to GSPMD's representation, mhlo.sharding strings and sharding custom calls, which JAX
 * emitted before Shardy. Inverse: shardrun-import-gspmd.
 *
 *	sdy.sharding on arguments, results and ops       mhlo.sharding, canonical V2 (v1: with the list of devices)
 *	sdy.sharding_constraint, reshard, collectives    custom_call @Sharding, open dimensions in unspecified_dims
 *	sdy.sharding_group                               custom_call @Sharding of {unknown shard_as N}
 *	sdy.manual_computation                           custom calls @SPMDFullToShardShape, the body, @SPMDShardToFullShape
 *	propagation barriers, sharding rules, priorities dropped: GSPMD has no equivalent
 *
 * Shardings inside a manual computation have the manual axes as a subgroup, or are {manual} if no other axis is left. Requires no
 * named computations (sdy-export-named-computations). Leaves no sdy ops or attributes. */
#include "import/forms/custom_call.h"
#include "dialect/attr_names.h"
#include "import/edges/edge_ops.h"
#include "import/import_passes.h"
#include "dialect/ops.h"
#include "mesh/tiling.h"
#include <string.h>

/* Mesh and manual axes of all manual computations that enclose an op. */
struct manual_context {
	const struct sr_mesh *mesh; /* mesh of the manual axes; NULL: no manual computation encloses the op */
	struct sr_axes manual_axes;
};

struct exporter {
	struct sr_context *ctx;
	struct sr_op *module;
	enum sr_status status;
	bool lists_devices; /* true for tilings that list their devices, the form before V2 */
	/* maps an interned function name to a call of the function, preferably one inside a manual computation */
	struct sr_map calls;
	struct sr_map texts;   /* cache: maps a sharding to its text outside of manual computations */
	struct sr_map contexts; /* maps a function to the struct manual_context * of its calls */
};

/* ---------------------------------------------------------------- shardings as text */

static struct sr_tiling make_tiling(struct exporter *e, struct sr_op *op, const struct sr_attr *attr,
				    const struct manual_context *context)
{
	struct sr_arena *arena = e->ctx->arena;
	const struct sr_mesh *mesh = sr_sharding_mesh(e->module, attr->sharding);
	struct sr_tiling t = {.kind = SR_TILING_REPLICATED};
	if (!mesh)
		return t;
	const struct sr_sharding *s = sr_sharding_resolve(arena, mesh, attr->sharding);
	struct sr_axes *dims = SR_NEW_ARRAY(arena, struct sr_axes, s->rank);
	for (int i = 0; i < s->rank; i++)
		dims[i] = s->dims[i].axes;
	if (s->unreduced.n > 0 && s->unreduced_kind != SR_UNREDUCED_SUM)
		e->status = sr_op_error(op, &e->ctx->diags, SR_UNSUPPORTED,
					"has an unreduced sharding with a reduction other than sum, which mhlo.sharding cannot express");
	struct sr_axes manual = context->mesh && sr_mesh_equal(mesh, context->mesh) ? context->manual_axes : (struct sr_axes){0};
	t = sr_tiling_of_axes(arena, mesh, dims, s->rank, manual, s->unreduced);
	return e->lists_devices ? sr_tiling_to_v1(arena, &t) : t;
}

static const struct sr_attr *tiling_text(struct exporter *e, const struct sr_tiling *t)
{
	struct sr_buf buf;
	sr_buf_init(&buf, e->ctx->arena);
	sr_tiling_print(t, &buf);
	return sr_attr_string(e->ctx, buf.data, buf.n);
}

static const struct sr_attr *sharding_text(struct exporter *e, struct sr_op *op, const struct sr_attr *attr,
					   const struct manual_context *context)
{
	const struct sr_attr *text = context->mesh ? NULL : sr_map_get(&e->texts, attr);
	if (text)
		return text;
	struct sr_tiling t = make_tiling(e, op, attr, context);
	text = tiling_text(e, &t);
	if (!context->mesh)
		sr_map_put(&e->texts, attr, (void *)(uintptr_t)text);
	return text;
}

/* Return the text of the shardings of all results: a single sharding, or a tuple of them. */
static const struct sr_attr *sharding_list_text(struct exporter *e, struct sr_op *op, const struct sr_attr *list,
						const struct manual_context *context)
{
	if (list->n == 1)
		return sharding_text(e, op, list->list[0], context);
	struct sr_tiling *elements = SR_NEW_ARRAY(e->ctx->arena, struct sr_tiling, list->n);
	for (int i = 0; i < list->n; i++)
		elements[i] = make_tiling(e, op, list->list[i], context);
	struct sr_tiling tuple = {.kind = SR_TILING_TUPLE, .elements = elements, .n_elements = list->n};
	return tiling_text(e, &tuple);
}

/* Return a backend_config that lists the open dimensions as unspecified_dims. */
static const struct sr_attr *make_backend_config(struct exporter *e, const struct sr_sdy_sharding *s)
{
	struct sr_buf buf;
	const char *sep = "unspecified_dims=[";
	sr_buf_init(&buf, e->ctx->arena);
	for (int i = 0; s && i < s->rank; i++)
		if (!s->dims[i].closed) {
			sr_buf_printf(&buf, "%s%d", sep, i);
			sep = ",";
		}
	if (buf.n > 0)
		sr_buf_putc(&buf, ']');
	return sr_attr_string(e->ctx, buf.data, buf.n);
}

static struct sr_value *insert_call(struct exporter *e, struct sr_op *anchor, const char *target, struct sr_value *input,
				    const struct sr_type *type, const struct sr_attr *text, const struct sr_attr *config)
{
	struct sr_op *op = sr_build_custom_call(e->ctx, anchor, anchor->loc, target, &input, 1, &type, 1);
	sr_op_set_attr(e->ctx, op, SR_MHLO_SHARDING, text);
	sr_op_set_attr(e->ctx, op, SR_NAME_backend_config, config);
	return sr_result(op, 0);
}

/* ---------------------------------------------------------------- ops */

static void drop_op(struct exporter *e, struct sr_op *op, const struct manual_context *context)
{
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), sr_operand(op, 0));
	sr_op_erase(op);
}

/* Replace op by a @Sharding custom call. `op` is a constraint, reshard or collective: its result has the operand's value. */
static void export_as_custom_call(struct exporter *e, struct sr_op *op, const struct manual_context *context)
{
	const struct sr_attr *attr = sr_op_attr(op, SR_NAME_sharding);
	attr = attr ? attr : sr_op_attr(op, SR_NAME_out_sharding);
	struct sr_value *v = insert_call(e, op, "Sharding", sr_operand(op, 0), sr_result(op, 0)->type,
					 sharding_text(e, op, attr, context),
					 make_backend_config(e, attr->sharding));
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
}

static bool is_other_user(void *data, struct sr_use *use)
{
	return use->owner != data;
}

/* Replace a sharding group by a shard_as annotation. All other users of the value use the annotated value, which is the group's
 * member. */
static void export_group(struct exporter *e, struct sr_op *op, const struct manual_context *context)
{
	struct sr_tiling t = {.kind = SR_TILING_UNKNOWN, .group = SR_TILING_SHARD_AS, .group_id = sr_op_int(op, SR_NAME_group_id, 0)};
	struct sr_value *v = sr_operand(op, 0);
	struct sr_op *next_op = v->def ? v->def->next : v->block->first;
	struct sr_value *member = insert_call(e, next_op, "Sharding", v, v->type, tiling_text(e, &t), make_backend_config(e, NULL));
	sr_value_replace_if(v, member, is_other_user, member->def);
	sr_op_erase(op);
}

static void export_constant(struct exporter *e, struct sr_op *op, const struct manual_context *context)
{
	sr_sdy_constant_to_stablehlo(e->ctx, op);
}

static void report_unsupported(struct exporter *e, struct sr_op *op, const struct manual_context *context)
{
	e->status = sr_op_error(op, &e->ctx->diags, SR_UNSUPPORTED,
				"cannot be exported to GSPMD: convert named computations to calls with -sdy-export-named-computations first");
}

/* ---------------------------------------------------------------- enclosing manual computations */

/* Return the context inside a manual computation, whose manual axes are those of `outer_context` and those of the computation. */
static struct manual_context inner_context(struct exporter *e, const struct sr_op *op, const struct manual_context *outer_context)
{
	struct manual_context body_context = *outer_context;
	const struct sr_attr *axes = sr_op_attr(op, SR_NAME_manual_axes);
	static const char *const names[] = {SR_NAME_in_shardings, SR_NAME_out_shardings};
	for (int k = 0; k < 2; k++) {
		const struct sr_attr *list = sr_op_attr(op, names[k]);
		for (int i = 0; !body_context.mesh && i < list->n; i++) {
			const struct sr_mesh *mesh = sr_sharding_mesh(e->module, list->list[i]->sharding);
			body_context.mesh = mesh && mesh->n_axes > 0 ? mesh : NULL;
		}
	}
	if (body_context.mesh)
		body_context.manual_axes = sr_axes_sort_and_merge(e->ctx->arena, body_context.mesh,
						   sr_axes_concat(e->ctx->arena, outer_context->manual_axes,
								  sr_axes_resolve(e->ctx->arena, body_context.mesh, *axes->axes)));
	return body_context;
}

static bool find_call(void *data, struct sr_op *op)
{
	struct exporter *e = data;
	const struct sr_attr *callee = sr_op_is(op, SR_OP_func_call) ? sr_op_attr(op, SR_NAME_callee) : NULL;
	if (callee && (sr_op_parent_of(op, SR_OP_sdy_manual_computation) || !sr_map_has(&e->calls, callee->s)))
		sr_map_put(&e->calls, callee->s, op);
	return true;
}

static const struct manual_context *context_of_func(struct exporter *e, struct sr_op *func);

static const struct manual_context *context_of_op(struct exporter *e, struct sr_op *op)
{
	struct sr_op *parent = sr_op_parent(op);
	struct manual_context *inner = SR_NEW(e->ctx->arena, struct manual_context);
	if (!parent || sr_op_is(parent, SR_OP_func_func))
		return parent ? context_of_func(e, parent) : inner;
	if (!sr_op_is(parent, SR_OP_sdy_manual_computation))
		return context_of_op(e, parent);
	*inner = inner_context(e, parent, context_of_op(e, parent));
	return inner;
}

/* Return the context of func's calls. If a function is called recursively or in several contexts, return the context found
 * first. */
static const struct manual_context *context_of_func(struct exporter *e, struct sr_op *func)
{
	const struct manual_context *known_context = sr_map_get(&e->contexts, func);
	struct sr_op *call = sr_map_get(&e->calls, sr_intern(e->ctx, sr_symbol_name(func)));
	if (known_context)
		return known_context;
	sr_map_put(&e->contexts, func, SR_NEW(e->ctx->arena, struct manual_context));
	if (call)
		sr_map_put(&e->contexts, func, (void *)(uintptr_t)context_of_op(e, call));
	return sr_map_get(&e->contexts, func);
}

static void find_contexts(struct exporter *e)
{
	sr_map_init(&e->calls, e->ctx->arena);
	sr_map_init(&e->contexts, e->ctx->arena);
	sr_map_init(&e->texts, e->ctx->arena);
	sr_walk(e->module, find_call, e);
	for (struct sr_op *op = sr_module_body(e->module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			context_of_func(e, op);
}

/* ---------------------------------------------------------------- manual computations */

/* Return the sharding text of a value inside a manual computation, which consists of the manual axes only. */
static const struct sr_attr *local_sharding_text(struct exporter *e, const struct manual_context *body_context,
						 const struct sr_type *type)
{
	struct sr_tiling t = {.kind = SR_TILING_MANUAL};
	int rank = type->kind == SR_TYPE_TENSOR ? type->rank : 0;
	if (body_context->mesh)
		t = sr_tiling_of_axes(e->ctx->arena, body_context->mesh, SR_NEW_ARRAY(e->ctx->arena, struct sr_axes, rank), rank,
				      body_context->manual_axes, (struct sr_axes){0});
	if (e->lists_devices)
		t = sr_tiling_to_v1(e->ctx->arena, &t);
	return tiling_text(e, &t);
}

static void export_block(struct exporter *e, struct sr_block *block, const struct manual_context *context);

/* Replace a manual computation by entry custom calls, the ops of its body, and exit custom calls. */
static void export_manual_computation(struct exporter *e, struct sr_op *op, const struct manual_context *context)
{
	const struct sr_attr *in_shardings = sr_op_attr(op, SR_NAME_in_shardings),
			     *out_shardings = sr_op_attr(op, SR_NAME_out_shardings);
	struct sr_block *body = op->regions[0].first;
	struct manual_context in = inner_context(e, op, context);
	export_block(e, body, &in);
	if (e->status)
		return;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_attr *config = make_backend_config(e, in_shardings->list[i]->sharding);
		const struct sr_type *local_type = body->args[i]->type;
		struct sr_value *v = sr_operand(op, i);
		v = insert_call(e, op, "Sharding", v, v->type, sharding_text(e, op, in_shardings->list[i], context), config);
		v = insert_call(e, op, "SPMDFullToShardShape", v, local_type, local_sharding_text(e, &in, local_type), config);
		sr_value_replace_all(body->args[i], v);
	}
	struct sr_op *terminator = sr_block_terminator(body);
	for (struct sr_op *inner = body->first, *next; inner != terminator; inner = next) {
		next = inner->next;
		sr_op_unlink(inner);
		sr_op_insert_before(op, inner);
	}
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_attr *config = make_backend_config(e, out_shardings->list[i]->sharding);
		struct sr_value *v = sr_operand(terminator, i);
		v = insert_call(e, op, "Sharding", v, v->type, local_sharding_text(e, &in, v->type), config);
		v = insert_call(e, op, "SPMDShardToFullShape", v, sr_result(op, i)->type,
				sharding_text(e, op, out_shardings->list[i], context),
				config);
		sr_value_replace_all(sr_result(op, i), v);
	}
	sr_op_erase(op);
}

/* ---------------------------------------------------------------- op table and pass */

static const struct {
	enum sr_op_code code;
	void (*run)(struct exporter *e, struct sr_op *op, const struct manual_context *context);
} op_exporters[] = {
	{SR_OP_sdy_sharding_constraint, export_as_custom_call},
	{SR_OP_sdy_reshard, export_as_custom_call},
	{SR_OP_sdy_sharding_group, export_group},
	{SR_OP_sdy_constant, export_constant},
	{SR_OP_sdy_propagation_barrier, drop_op},
	{SR_OP_sdy_data_flow_edge, drop_op},
	{SR_OP_sdy_func_data_flow_edge, drop_op},
	{SR_OP_sdy_manual_computation, export_manual_computation},
	{SR_OP_sdy_named_computation, report_unsupported},
};

static void export_func_values(struct exporter *e, struct sr_op *func, const struct sr_func_value_kind *value_kind,
			       const struct manual_context *context)
{
	const struct sr_attr **dicts = value_kind->dicts(e->ctx, func);
	for (int i = 0; i < value_kind->count(func); i++) {
		const struct sr_attr *a = sr_dict_get(dicts[i], "sdy.sharding");
		if (!a)
			continue;
		dicts[i] = sr_dict_with(e->ctx, dicts[i], "sdy.sharding", NULL);
		dicts[i] = sr_dict_with(e->ctx, dicts[i], SR_MHLO_SHARDING, sharding_text(e, func, a, context));
	}
	value_kind->set_dicts(e->ctx, func, dicts);
}

static void export_op(struct exporter *e, struct sr_op *op, const struct manual_context *context)
{
	if (sr_op_is(op, SR_OP_func_func)) {
		context = context_of_func(e, op);
		for (int s = 0; s < 2; s++)
			export_func_values(e, op, &sr_func_value_kinds[s], context);
	}
	for (size_t i = 0; i < sizeof op_exporters / sizeof *op_exporters; i++)
		if (sr_op_is(op, op_exporters[i].code)) {
			op_exporters[i].run(e, op, context);
			return;
		}
	if (sr_op_attr(op, SR_NAME_out_sharding)) {
		export_as_custom_call(e, op, context);
		return;
	}
	const struct sr_attr *list = sr_op_attr(op, "sdy.sharding");
	if (list && list->kind == SR_ATTR_SHARDINGS) {
		sr_op_set_attr(e->ctx, op, SR_MHLO_SHARDING, sharding_list_text(e, op, list, context));
		sr_op_remove_attr(e->ctx, op, "sdy.sharding");
	}
	sr_op_remove_attr(e->ctx, op, "sdy.sharding_rule");
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *block = op->regions[i].first; block; block = block->next)
			export_block(e, block, context);
}

static void export_block(struct exporter *e, struct sr_block *block, const struct manual_context *context)
{
	for (struct sr_op *op = block->first, *next; op && !e->status; op = next) {
		next = op->next;
		export_op(e, op, context);
	}
}

/* Erase the mesh ops and record their number of devices as mhlo.num_partitions. */
static void drop_meshes(struct exporter *e)
{
	int64_t n_devices = 1;
	for (struct sr_op *op = sr_module_body(e->module)->first, *next; op; op = next) {
		next = op->next;
		const struct sr_mesh *mesh = sr_op_mesh(op);
		if (!mesh)
			continue;
		n_devices = mesh->n_axes > 0 ? sr_mesh_devices(mesh) : n_devices;
		sr_op_erase(op);
	}
	if (n_devices == 1 || n_devices > INT32_MAX || sr_op_attr(e->module, "mhlo.num_partitions"))
		return;
	const struct sr_type *i32 = sr_type_scalar(e->ctx, SR_I32);
	sr_op_set_attr(e->ctx, e->module, "mhlo.num_partitions", sr_attr_int(e->ctx, n_devices, i32));
	sr_op_set_attr(e->ctx, e->module, "mhlo.num_replicas", sr_attr_int(e->ctx, 1, i32));
}

enum sr_status sr_pass_export_gspmd(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct exporter e = {.ctx = ctx, .module = module, .lists_devices = sr_option_bool(options, "v1")};
	find_contexts(&e);
	export_block(&e, sr_module_body(module), &(struct manual_context){0});
	if (!e.status)
		drop_meshes(&e);
	return e.status;
}
