/* Write provenance as sdy.sharding_origins: for each value, the annotation that each axis comes from, found by replaying the
 * recorded propagation. "self" means the value's own annotation. Axes from a sharding on an op, or through a sharding group, are
 * omitted, since these origins have no name. */
#include "import/provenance/provenance.h"
#include <string.h>

static sr_annotated_axes *axes_of_value(struct sr_arena *arena, struct sr_map *origins, const struct sr_value *v)
{
	void **list = sr_map_at(origins, v);
	if (!*list)
		*list = SR_NEW(arena, sr_annotated_axes);
	return *list;
}

/* Return the list's entry for the axis or, if there is none, for an axis that contains it or is contained in it (a reshape may
 * split or merge axes). */
static const struct sr_annotated_axis *find_annotated(const sr_annotated_axes *list, struct sr_axis_ref axis)
{
	for (size_t i = 0; list && i < list->n; i++)
		if (sr_axis_ref_equal(list->data[i].axis, axis))
			return &list->data[i];
	for (size_t i = 0; list && i < list->n; i++)
		if (sr_axis_contains(list->data[i].axis, axis) || sr_axis_contains(axis, list->data[i].axis))
			return &list->data[i];
	return NULL;
}

static bool has_axis(const sr_annotated_axes *list, struct sr_axis_ref axis)
{
	for (size_t i = 0; i < list->n; i++)
		if (sr_axis_ref_equal(list->data[i].axis, axis))
			return true;
	return false;
}

/* Compute, for each value, its axes and their annotations at the end of the pass, as a map from values to sr_annotated_axes *. */
static void compute_origins(const struct sr_provenance *provenance, struct sr_map *origins)
{
	struct sr_arena *arena = provenance->ctx->arena;
	sr_map_init(origins, arena);
	for (size_t i = 0; i < provenance->annotated.n; i++) {
		const sr_annotated_axes *source_axes = provenance->annotated.entries[i].value;
		sr_annotated_axes *list = axes_of_value(arena, origins, provenance->annotated.entries[i].key);
		for (size_t k = 0; k < source_axes->n; k++)
			sr_push(arena, list, source_axes->data[k]);
	}
	for (size_t i = 0; i < provenance->propagated.n; i++) {
		const struct sr_propagated_axis *event = &provenance->propagated.data[i];
		const struct sr_annotated_axis *origin = event->op ? find_annotated(sr_map_get(origins, event->from), event->axis)
			: NULL;
		if (!origin)
			continue;
		struct sr_annotated_axis entry = {event->axis, event->mesh, origin->annotation};
		sr_annotated_axes *list = axes_of_value(arena, origins, event->to);
		if (!has_axis(list, event->axis))
			sr_push(arena, list, entry);
	}
}

/* ---------------------------------------------------------------- writing attributes */

/* Return upstream's text of an axis: "x" or "x:(1)2". */
static const char *axis_name(const struct sr_provenance *provenance, const struct sr_annotated_axis *a)
{
	if (a->axis.pre == 1 && a->axis.size == sr_mesh_axis_size(a->mesh, a->axis.axis))
		return a->axis.axis;
	return sr_intern(provenance->ctx, sr_printf(provenance->ctx->arena, "%s:(%lld)%lld", a->axis.axis, (long long)a->axis.pre,
						    (long long)a->axis.size));
}

/* Return true if the annotations are equal. Like upstream, do not distinguish functions. */
static bool is_same(const struct sr_annotation *a, const struct sr_annotation *b)
{
	bool is_func_annotation = a->kind == SR_ANNOTATION_INPUT || a->kind == SR_ANNOTATION_OUTPUT;
	return a->kind == b->kind && a->index == b->index && (is_func_annotation || a->op == b->op);
}

/* Return a dictionary that maps an axis to the name of its annotation. `own_annotation` is the annotation of the value itself; NULL
 * if it cannot have one. */
static const struct sr_attr *make_origins_dict(const struct sr_provenance *provenance, const sr_annotated_axes *list,
					       const struct sr_annotation *own_annotation)
{
	struct sr_context *ctx = provenance->ctx;
	struct sr_named_attr *entries = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, (int)list->n);
	for (size_t i = 0; i < list->n; i++) {
		const struct sr_annotation *by = &list->data[i].annotation;
		const char *name = own_annotation && is_same(by, own_annotation) ? "self" : sr_annotation_name(ctx->arena, by);
		entries[i] = (struct sr_named_attr){axis_name(provenance, &list->data[i]), sr_attr_string(ctx, name, strlen(name))};
	}
	return sr_attr_dict(ctx, entries, (int)list->n);
}

static void write_result(struct sr_context *ctx, const struct sr_value *v, const struct sr_attr *dict)
{
	const struct sr_attr *old = sr_op_attr(v->def, "sdy.sharding_origins"), *empty_dict = sr_attr_dict(ctx, NULL, 0);
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, v->def->n_results);
	for (int i = 0; i < v->def->n_results; i++)
		list[i] = i == v->index ? dict : old && old->kind == SR_ATTR_ARRAY && i < old->n ? old->list[i] : empty_dict;
	sr_op_set_attr(ctx, v->def, "sdy.sharding_origins", sr_attr_array(ctx, list, v->def->n_results));
}

/* Return the annotation of the computation's operand or result to which this edge op belongs. */
static struct sr_annotation boundary_annotation(const struct sr_op *edge)
{
	const struct sr_value *owner = sr_operand(edge, 0);
	if (owner->def)
		return (struct sr_annotation){SR_ANNOTATION_MC_OUTPUT, owner->def, owner->index, 0};
	return (struct sr_annotation){SR_ANNOTATION_MC_INPUT, owner->block->region->op, owner->index, 0};
}

static void write_value(const struct sr_provenance *provenance, const struct sr_value *v, const sr_annotated_axes *list)
{
	struct sr_context *ctx = provenance->ctx;
	struct sr_op *owner = sr_value_owner(v);
	struct sr_annotation own_annotation = {SR_ANNOTATION_CONSTRAINT, owner, 0, 0};
	if (!v->def) {
		own_annotation = (struct sr_annotation){SR_ANNOTATION_INPUT, owner, v->index, 0};
		sr_func_set_arg_attr(ctx, owner, v->index, "sdy.sharding_origins",
				     make_origins_dict(provenance, list, &own_annotation));
		return;
	}
	if (sr_op_is(owner, SR_OP_sdy_data_flow_edge))
		own_annotation = boundary_annotation(owner);
	else if (!sr_op_is(owner, SR_OP_sdy_sharding_constraint)) {
		write_result(ctx, v, make_origins_dict(provenance, list, NULL));
		return;
	}
	sr_op_set_attr(ctx, owner, "sdy.sharding_origins", make_origins_dict(provenance, list, &own_annotation));
}

/* Write the origins to the function's result that returns v. If several results return v, use the most recently added one. */
static void write_returned(const struct sr_provenance *provenance, const struct sr_value *v, const sr_annotated_axes *list)
{
	struct sr_op *owner = sr_value_owner(v);
	struct sr_op *func = sr_op_is(owner, SR_OP_func_func) ? owner : sr_op_parent_of(owner, SR_OP_func_func);
	struct sr_block *entry = func ? sr_func_entry(func) : NULL;
	const struct sr_use *use = entry ? v->uses : NULL;
	while (use && use->owner != sr_block_terminator(entry))
		use = use->next;
	if (!use)
		return;
	struct sr_annotation own_annotation = {SR_ANNOTATION_OUTPUT, func, sr_use_index(use), 0};
	sr_func_set_result_attr(provenance->ctx, func, own_annotation.index, "sdy.sharding_origins",
				make_origins_dict(provenance, list, &own_annotation));
}

void sr_provenance_write_origins(const struct sr_provenance *provenance)
{
	struct sr_map origins;
	compute_origins(provenance, &origins);
	for (size_t i = 0; i < origins.n; i++) {
		const struct sr_value *v = origins.entries[i].key;
		if (v->def &&
		    !v->def->block) /* Skip an op that was erased after the axis was recorded: there is nothing to annotate. */
			continue;
		write_returned(provenance, v, origins.entries[i].value);
		write_value(provenance, v, origins.entries[i].value);
	}
}
