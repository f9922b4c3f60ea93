/* Implement shardrun-import-gspmd: convert GSPMD's mhlo.sharding strings and sharding custom calls to sdy.
 *
 *	mhlo.sharding on arguments, results and ops                                  sdy.sharding
 *	custom_call @Sharding(%0) {mhlo.sharding = "{devices=[4,2]<=[8]}"}            sdy.sharding_constraint
 *		with unspecified_dims                                                open dimensions
 *	custom_call @Sharding(%0) {mhlo.sharding = "{unknown shard_as 3}"}            sdy.sharding_group
 *	custom_call @Sharding(%0) {mhlo.sharding = "{manual}"}                        %0
 *	custom_call @SPMDFullToShardShape ... custom_call @SPMDShardToFullShape       sdy.manual_computation
 *
 * Creates the smallest meshes that can express all shardings of the module. An existing sdy.sharding takes precedence. Arguments
 * and results on a single device ({maximal device=N}), and values that a function returns, become replicated, since Shardy has no
 * single-device inputs and outputs.
 * Those whose sharding does not divide their dimensions evenly get the attribute shardrun.uneven.
 * Requires a verified module; does not change one without these attributes. Reports malformed shardings and those that do not
 * match their value or the number of devices. */
#include "import/forms/gspmd.h"
#include "dialect/attr_names.h"
#include "import/import_passes.h"

static const struct sr_gspmd_open_dims no_open_dims;
static const struct sr_tiling replicated_tiling = {.kind = SR_TILING_REPLICATED};

static bool divides_evenly(const struct sr_tiling *t, const struct sr_type *type)
{
	for (int d = 0; t->kind == SR_TILING_TILED && d < sr_tiling_rank(t) && d < type->rank; d++)
		if (type->shape[d] != SR_DYNAMIC && type->shape[d] % t->dims[d])
			return false;
	return true;
}

/* Return true if t is a sharding on one of the module's devices. */
static bool is_on_one_device(const struct sr_gspmd *g, const struct sr_tiling *t)
{
	return t->kind == SR_TILING_MAXIMAL && (g->n_devices == 0 || t->device < g->n_devices);
}

static void import_func_values(struct sr_gspmd *g, struct sr_op *func, const struct sr_func_value_kind *value_kind,
			       const struct sr_type *const *types)
{
	const struct sr_attr **dicts = value_kind->dicts(g->ctx, func);
	for (int i = 0; i < value_kind->count(func) && !g->status; i++) {
		const struct sr_tiling *t = sr_gspmd_tile(g, sr_dict_get(dicts[i], SR_MHLO_SHARDING));
		if (!t)
			continue;
		sr_gspmd_set_subject(g, value_kind, i);
		if (is_on_one_device(g, t))
			t = &replicated_tiling;
		const struct sr_attr *sharding = sr_gspmd_sharding(g, func, NULL, t, types[i], no_open_dims);
		dicts[i] = sr_dict_with(g->ctx, dicts[i], SR_MHLO_SHARDING, NULL);
		if (!sharding || sr_dict_get(dicts[i], "sdy.sharding"))
			continue;
		dicts[i] = sr_dict_with(g->ctx, dicts[i], "sdy.sharding", sharding);
		if (!divides_evenly(t, types[i]))
			dicts[i] = sr_dict_with(g->ctx, dicts[i], SR_UNEVEN_SHARDING, sr_attr_unit(g->ctx));
	}
	value_kind->set_dicts(g->ctx, func, dicts);
	g->subject = "";
}

static void erase_identity(struct sr_op *call)
{
	sr_value_replace_all(sr_result(call, 0), sr_operand(call, 0));
	sr_op_erase(call);
}

/* Return true if the sharding restricts its value: a closed dimension, axes, or unreduced axes. */
static bool is_restrictive(const struct sr_sdy_sharding *s)
{
	for (int i = 0; i < s->rank; i++)
		if (s->dims[i].closed || s->dims[i].axes.n > 0)
			return true;
	return s->rank == 0 || s->unreduced.n > 0;
}

static void import_group(struct sr_gspmd *g, struct sr_op *call, const struct sr_tiling *t)
{
	struct sr_value *input = sr_operand(call, 0);
	struct sr_named_attr attrs[] = {{sr_intern(g->ctx, SR_NAME_group_id), sr_attr_i64(g->ctx, t->group_id)}};
	struct sr_builder b = {.ctx = g->ctx, .block = call->block, .anchor = call, .loc = call->loc};
	sr_build(&b, SR_OP_sdy_sharding_group, &input, 1, attrs, 1, NULL, 0);
}

static void import_constraint(struct sr_gspmd *g, struct sr_op *call, const struct sr_tiling *t)
{
	if (call->n_operands != 1 || call->n_results != 1 || sr_operand(call, 0)->type != sr_result(call, 0)->type) {
		g->status = sr_op_error(call, &g->ctx->diags, SR_INVALID,
					"@Sharding must have one operand and a result of its type");
		return;
	}
	struct sr_gspmd_open_dims open_dims = sr_gspmd_unspecified_dims(g->ctx, call);
	const struct sr_attr *sharding = t ? sr_gspmd_sharding(g, call, NULL, t, sr_result(call, 0)->type, open_dims) : NULL;
	if (g->status)
		return;
	if (t && t->group)
		import_group(g, call, t);
	if (sharding && is_restrictive(sharding->sharding))
		sr_replace_custom_call(g->ctx, call, SR_OP_sdy_sharding_constraint, SR_NAME_sharding, sharding, NULL);
	else
		erase_identity(call);
}

static bool is_returned(const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (sr_op_is(use->owner, SR_OP_func_return))
			return true;
	return false;
}

/* Convert an op's mhlo.sharding. A tuple has one element per result; a sharding that is no tuple applies to all results. */
static void import_op_shardings(struct sr_gspmd *g, struct sr_op *op, const struct sr_tiling *t)
{
	int n = op->n_results;
	const struct sr_attr **list = SR_NEW_ARRAY(g->ctx->arena, const struct sr_attr *, n);
	bool has_sharding = false, is_tuple = t->kind == SR_TILING_TUPLE;
	if (is_tuple && t->n_elements != n) {
		g->status = sr_op_error(op, &g->ctx->diags, SR_INVALID, "has %d shardings for %d results", t->n_elements, n);
		return;
	}
	for (int i = 0; i < n && !g->status; i++) {
		const struct sr_tiling *tiling = is_tuple ? &t->elements[i] : t;
		if (is_on_one_device(g, tiling) && is_returned(sr_result(op, i)))
			tiling = &replicated_tiling;
		list[i] = sr_gspmd_sharding(g, op, NULL, tiling, op->results[i].type, no_open_dims);
		has_sharding = has_sharding || list[i];
	}
	sr_op_remove_attr(g->ctx, op, SR_MHLO_SHARDING);
	for (int i = 0; i < n; i++)
		if (has_sharding && list[i])
			sr_value_set_sharding(g->ctx, sr_result(op, i), list[i]);
}

static bool import_op(void *data, struct sr_op *op)
{
	struct sr_gspmd *g = data;
	const struct sr_tiling *t = sr_gspmd_tile(g, sr_op_attr(op, SR_MHLO_SHARDING));
	if (sr_op_is(op, SR_OP_func_func)) {
		const struct sr_type *type = sr_func_type(op);
		import_func_values(g, op, &sr_func_value_kinds[0], type->inputs);
		import_func_values(g, op, &sr_func_value_kinds[1], type->results);
	} else if (sr_is_custom_call_to(op, "Sharding")) {
		import_constraint(g, op, t);
	} else if (t && !sr_op_attr(op, "sdy.sharding")) {
		import_op_shardings(g, op, t);
	} else if (t) {
		sr_op_remove_attr(g->ctx, op, SR_MHLO_SHARDING);
	}
	return !g->status;
}

enum sr_status sr_pass_import_gspmd(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_gspmd g = {.ctx = ctx, .module = module};
	if (!sr_gspmd_read(&g))
		return g.status;
	sr_gspmd_make_meshes(&g);
	sr_gspmd_import_manual(&g);
	if (!g.status)
		sr_walk(module, import_op, &g);
	return g.status;
}
