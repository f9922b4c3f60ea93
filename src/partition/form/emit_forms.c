/* shardrun-emit-forms: build the forms that are recorded on ops, as manual computations. Records of ops that are computed by their
 * rule alone stay for shardrun-insert-reshards.
 *
 *	roll by one, 8 elements over "x"=4:   concatenate(slice [7:8], slice [0:7]) {shardrun.form = {name = "halo", ...}}
 *	->  a manual computation over all axes: each device sends its last element to the next (the last to the first) and
 *	    returns concatenate(received element, its own first element)
 *
 * A form is an sdy.manual_computation of the global module, so later passes treat it as any other: shardrun-insert-reshards
 * reshards its operands, shardrun-global-to-local inlines its body. An op without a record gets the cheapest form for the present
 * shardings of its operands and results. These are all ops if there was no search, and otherwise the ops that the search leaves
 * out.
 *
 * Requires: propagation done, calls inlined. Leaves: no other record; sdy.manual_computation ops. Cost: linear in the module. */
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/form/form.h"
#include "partition/insert_reshards/insert_reshards.h"
#include "partition/partition.h"
#include "partition/partition_passes.h"
#include "support/vec.h"

struct emitter {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_cost_model *costs;
	int64_t max_listed;
	SR_VEC(struct sr_op *) ops[2]; /* ops with forms: [0] concatenates, whose forms read through slices, and [1] all others */
};

/* Return the layout of tensor t (operands are numbered before results) if each factor of the op's sharding rule is sharded over its
 * axes in `axes`. Axes over which a result is reduced stay in its layout if its sharding so far has them: the result is then
 * scattered along them. */
static const struct sr_attr *layout_of(const struct sr_op_view *v, int t, const struct sr_axes *axes)
{
	struct sr_arena *arena = v->ctx->scratch;
	const struct sr_attr *target = t >= v->rule->n_operands ? v->shardings[t] : NULL;
	struct sr_sharding layout = sr_projection_sharding(arena, &v->p, t, v->mesh.name);
	struct sr_axes *axes_by_dim = sr_axes_by_dim(arena, &layout), reduced_axes = {0}, added_axes, remaining_axes,
		       *to = target ? sr_axes_by_dim(arena, sr_sharding_resolve(arena, v->mesh.mesh, target->sharding))
				    : axes_by_dim;
	for (int i = 0; i < v->rule->reduction.n; i++)
		reduced_axes = sr_axes_concat(arena, reduced_axes, axes[v->rule->reduction.indices[i]]);
	for (int d = 0; d < layout.rank; d++)
		if (sr_axes_is_strict_prefix(axes_by_dim[d], to[d]) &&
		    sr_axes_difference(arena, to[d], axes_by_dim[d], &added_axes) &&
		    sr_axes_difference(arena, added_axes, reduced_axes, &remaining_axes) && !remaining_axes.n &&
		    sr_axes_difference(arena, reduced_axes, added_axes, &reduced_axes))
			axes_by_dim[d] = to[d];
	return sr_sharding_attr_of_axes(v->ctx, &v->mesh, axes_by_dim, layout.rank);
}

/* Choose the form of an op for the present shardings, and record it. */
static void choose(struct emitter *e, struct sr_op *op)
{
	const struct sr_sharding_rule *rule = sr_form_rule(e->ctx, e->ctx->scratch, op, sr_op_rule(e->ctx, op, false));
	struct sr_op_view v;
	bool is_changed[SR_FORM_MAX_TENSORS] = {false}, is_impossible = false;
	const struct sr_attr *layouts[SR_FORM_MAX_TENSORS];
	struct sr_wire_cost cost = {0};
	if (!rule || !sr_op_view_init(&v, e->ctx, e->module, op, rule) || v.n_tensors > SR_FORM_MAX_TENSORS)
		return;
	struct sr_shardability shardability = sr_shardability_expanded(&v);
	struct sr_axes *axes = sr_common_axes(&v);
	sr_shardability_apply(&v, &shardability, axes);
	axes = sr_cheapest_axes(e->costs, &v, &shardability, axes);
	for (int f = 0; f < rule->n_factors; f++)
		sr_op_view_set_factor(&v, f, axes[f], is_changed);
	for (int t = 0; t < v.n_tensors; t++)
		layouts[t] = layout_of(&v, t, axes);
	struct sr_form_query q = {.ctx = e->ctx, .arena = e->ctx->scratch, .module = e->module, .op = op, .mesh = v.mesh,
				  .costs = e->costs, .layouts = layouts, .max_listed = e->max_listed};
	const struct sr_op_form *form = sr_form_cheapest(&q, &cost, &is_impossible);
	if (form)
		sr_form_record(e->ctx, op, form, layouts);
}

/* Reshard a result from the form's layout to the sharding that its readers expect. */
static void keep_sharding(struct emitter *e, struct sr_value *v, struct sr_mesh_ref mesh, const struct sr_attr *layout)
{
	const struct sr_attr *had = sr_sharding_or_replicated(e->ctx, v, mesh);
	struct sr_builder builder = sr_builder_after(e->ctx, v);
	if (had->sharding->mesh_name != mesh.name || !sr_sdy_sharding_is_equivalent(had->sharding, layout->sharding)) {
		struct sr_value *out = sr_build_reshard(&builder, v, had);
		sr_value_replace_except(v, out, out->def);
	}
	sr_value_set_sharding(e->ctx, v, layout);
}

static void emit(struct emitter *e, struct sr_op *op)
{
	const struct sr_attr *layouts[SR_FORM_MAX_TENSORS];
	const struct sr_attr *name = op->n_operands + op->n_results > SR_FORM_MAX_TENSORS ? NULL : sr_form_recorded(op, layouts);
	const struct sr_op_form *form = name ? sr_form_named(op, name->s) : NULL;
	if (name && sr_form_is_by_factors(name))
		return;
	if (form) {
		const struct sr_sdy_sharding *out = layouts[op->n_operands]->sharding;
		struct sr_form_query q = {.ctx = e->ctx, .arena = e->ctx->arena, .module = e->module, .op = op,
					  .mesh = {sr_sharding_mesh(e->module, out), out->mesh_name},
					  .costs = e->costs, .layouts = layouts, .max_listed = e->max_listed};
		struct sr_wire_cost cost = {0};
		if (q.mesh.mesh && form->cost(&q, &cost) == SR_FORM_USED) {
			for (int i = 0; i < op->n_results; i++)
				keep_sharding(e, sr_result(op, i), q.mesh, layouts[op->n_operands + i]);
			sr_op_remove_attr(e->ctx, op, SR_FORM);
			form->emit(&q);
			return;
		}
	}
	sr_op_remove_attr(e->ctx, op, SR_FORM);
}

static bool collect(void *data, struct sr_op *op)
{
	struct emitter *e = data;
	if (sr_form_exists(op))
		sr_push(e->ctx->arena, &e->ops[!sr_op_is(op, SR_OP_stablehlo_concatenate)], op);
	return true;
}

static bool unmark(void *data, struct sr_op *op)
{
	sr_op_remove_attr(data, op, SR_READ_THROUGH);
	return true;
}

enum sr_status sr_emit_forms(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct emitter e = {.ctx = ctx, .module = module, .costs = sr_cost_model_new(ctx, module, true),
			    .max_listed = sr_option_int(options, "max-listed-devices")};
	sr_form_mark_read_through(ctx, module);
	sr_walk(module, collect, &e);
	for (int round = 0; round < 2; round++)
		for (size_t i = e.ops[round].n; i-- > 0;) {
			struct sr_op *op = e.ops[round].data[i];
			struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
			/* an op without a block was erased together with its reader */
			if (!op->block || sr_form_is_read_through(op))
				continue;
			if (!sr_op_attr(op, SR_FORM))
				choose(&e, op);
			if (sr_op_attr(op, SR_FORM))
				emit(&e, op);
			sr_arena_release(ctx->scratch, mark);
		}
	sr_walk(module, unmark, ctx);
	return SR_OK;
}
