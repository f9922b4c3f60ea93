/* shardrun-replicate-values: every device computes the entire program on replicated values. This is correct for every program.
 * Arguments are gathered at entry, results are sliced at the return. Manual computations keep their local bodies: their operands
 * are sliced and their results gathered, in nested ones as well. Also shardrun-unshard: the module for a single device.
 *
 *	%arg0 {sdy.sharding = [{"x"}]}   ->   %0 = sdy.reshard %arg0 <@mesh, [{}]>; every use reads %0
 *
 * Requires: calls inlined. Leaves: sdy.reshard at the boundaries of functions and manual computations, no other shardings. */
#include "partition/partition_passes.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "partition/insert_probes.h"
#include <string.h>

struct replication {
	struct sr_context *ctx;
	enum sr_status status;
};

static struct sr_value *reshard(struct replication *r, struct sr_value *v, const struct sr_attr *to, struct sr_op *anchor,
				struct sr_block *at_start)
{
	struct sr_builder b = {.ctx = r->ctx, .anchor = anchor ? anchor : at_start->first, .loc = anchor ? anchor->loc : v->loc};
	struct sr_named_attr sharding = {SR_NAME_sharding, to};
	return sr_result(sr_build(&b, SR_OP_sdy_reshard, &v, 1, &sharding, 1, &v->type, 1), 0);
}

/* Return the replicated sharding on the mesh of `original_sharding`. */
static const struct sr_attr *replicated_sharding(struct replication *r, const struct sr_sdy_sharding *original_sharding, int rank)
{
	struct sr_sdy_sharding s = sr_sdy_replicated_sharding(r->ctx->arena, original_sharding->mesh_name, rank, true);
	s.mesh = original_sharding->mesh;
	return sr_attr_sharding(r->ctx, &s);
}

static bool is_other_reader(void *data, struct sr_use *use)
{
	return use->owner != data;
}

/* Remove from a list of shardings all axes but the manual ones, so that values are replicated along the other axes. */
static void keep_manual_axes(struct replication *r, struct sr_op *op, const char *name)
{
	const struct sr_attr *list = sr_op_attr(op, name), *manual_axes = sr_op_attr(op, SR_NAME_manual_axes);
	const struct sr_attr **kept_shardings = SR_NEW_ARRAY(r->ctx->arena, const struct sr_attr *, list->n);
	for (int i = 0; i < list->n; i++) {
		struct sr_sdy_sharding s = *list->list[i]->sharding;
		struct sr_sdy_dim *dims = SR_NEW_ARRAY(r->ctx->arena, struct sr_sdy_dim, s.rank);
		for (int d = 0; d < s.rank; d++) {
			struct sr_sdy_axis *refs = SR_NEW_ARRAY(r->ctx->arena, struct sr_sdy_axis, s.dims[d].axes.n);
			dims[d] = (struct sr_sdy_dim){.axes = {refs, 0}, .closed = true, .priority = -1};
			for (int k = 0; k < s.dims[d].axes.n; k++)
				for (int m = 0; m < manual_axes->axes->n; m++)
					if (manual_axes->axes->refs[m].axis == s.dims[d].axes.refs[k].axis)
						refs[dims[d].axes.n++] = s.dims[d].axes.refs[k];
		}
		s.dims = dims;
		kept_shardings[i] = sr_attr_sharding(r->ctx, &s);
	}
	sr_op_set_attr(r->ctx, op, name, sr_attr_shardings(r->ctx, kept_shardings, list->n));
}

static void manual_computation(struct replication *r, struct sr_op *op)
{
	keep_manual_axes(r, op, SR_NAME_in_shardings);
	keep_manual_axes(r, op, SR_NAME_out_shardings);
	const struct sr_attr *in = sr_op_attr(op, SR_NAME_in_shardings), *out = sr_op_attr(op, SR_NAME_out_shardings);
	for (int i = 0; i < op->n_operands; i++)
		if (in && i < in->n && sr_operand(op, i)->type->kind == SR_TYPE_TENSOR)
			sr_op_set_operand(op, i, reshard(r, sr_operand(op, i), in->list[i], op, NULL));
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *v = sr_result(op, i), *gathered_value;
		if (v->type->kind != SR_TYPE_TENSOR)
			continue;
		gathered_value = reshard(r, v, replicated_sharding(r, out->list[i]->sharding, v->type->rank), op->next, NULL);
		sr_value_replace_if(v, gathered_value, is_other_reader, gathered_value->def);
	}
}

static bool strip_shardings(void *data, struct sr_op *op)
{
	struct replication *r = data;
	if (sr_op_is(op, SR_OP_sdy_manual_computation))
		return true;
	sr_op_remove_attr(r->ctx, op, "sdy.sharding");
	if (sr_op_is(op, SR_OP_sdy_sharding_constraint) || sr_op_is(op, SR_OP_sdy_reshard) ||
	    sr_op_is(op, SR_OP_sdy_propagation_barrier) || sr_op_is(op, SR_OP_sdy_sharding_group)) {
		if (op->n_results)
			sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
		sr_op_erase(op);
	}
	return true;
}

static bool collect_manual(void *data, struct sr_op *op)
{
	struct replication *r = data;
	if (sr_op_is(op, SR_OP_sdy_manual_computation))
		manual_computation(r, op);
	return true;
}

static void replicate_function(struct replication *r, struct sr_op *func)
{
	struct sr_block *entry = sr_func_entry(func);
	struct sr_op *end = sr_block_terminator(entry);
	sr_walk_post(func, strip_shardings, r);
	sr_walk(func, collect_manual, r);
	for (int i = 0; i < entry->n_args; i++) {
		const struct sr_attr *s = sr_func_arg_attr(func, i, "sdy.sharding");
		struct sr_value *v = entry->args[i], *gathered_value;
		if (!s || v->type->kind != SR_TYPE_TENSOR)
			continue;
		gathered_value = reshard(r, v, replicated_sharding(r, s->sharding, v->type->rank), NULL, entry);
		sr_value_replace_if(v, gathered_value, is_other_reader, gathered_value->def);
	}
	for (int i = 0; i < end->n_operands; i++) {
		const struct sr_attr *s = sr_func_result_attr(func, i, "sdy.sharding");
		if (s && sr_operand(end, i)->type->kind == SR_TYPE_TENSOR)
			sr_op_set_operand(end, i, reshard(r, sr_operand(end, i), s, end, NULL));
	}
}

enum sr_status sr_replicate_values(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct replication r = {.ctx = ctx};
	(void)options;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func) && sr_func_entry(op))
			replicate_function(&r, op);
	return SR_OK;
}

/* ---- shardrun-unshard ---- */

static bool zeros_for_manual(void *data, struct sr_op *op)
{
	struct replication *r = data;
	if (!sr_op_is(op, SR_OP_sdy_manual_computation) || sr_op_parent_of(op, SR_OP_sdy_manual_computation))
		return true;
	struct sr_builder at = {.ctx = r->ctx, .anchor = op, .loc = op->loc};
	for (int i = 0; i < op->n_results && !r->status; i++) {
		if (sr_type_is_static(sr_result(op, i)->type))
			sr_value_replace_all(sr_result(op, i), sr_build_splat(&at, sr_result(op, i)->type, 0));
		else
			r->status = sr_op_error(op, &r->ctx->diags, SR_UNSUPPORTED,
						"has a result that is no static tensor: a single device cannot replace it");
	}
	if (!r->status)
		sr_op_erase(op);
	return true;
}

/* Replace an sdy op by its operand: on a single device all of these ops are the identity. */
static bool replace_sdy_op(void *data, struct sr_op *op)
{
	struct replication *r = data;
	sr_op_remove_attr(r->ctx, op, "sdy.sharding");
	if (strcmp(op->info->dialect, "sdy") || sr_op_has(op, SR_TERMINATOR) || sr_op_has(op, SR_CONSTANT) || op->n_regions)
		return true;
	if (op->n_results == 1 && op->n_operands == 1)
		sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
	sr_op_erase(op);
	return true;
}

enum sr_status sr_unshard_module(struct sr_context *ctx, struct sr_op *module)
{
	struct replication r = {.ctx = ctx};
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next) {
		const struct sr_type *t = sr_op_is(op, SR_OP_func_func) ? sr_func_type(op) : NULL;
		for (int i = 0; t && i < t->n_inputs; i++)
			sr_func_set_arg_attr(ctx, op, i, "sdy.sharding", NULL);
		for (int i = 0; t && i < t->n_results; i++)
			sr_func_set_result_attr(ctx, op, i, "sdy.sharding", NULL);
	}
	sr_walk_post(module, zeros_for_manual, &r);
	if (!r.status)
		sr_walk_post(module, replace_sdy_op, &r);
	return r.status;
}

enum sr_status sr_unshard(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	return sr_unshard_module(ctx, module);
}
