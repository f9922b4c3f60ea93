/* Write provenance as sdy.propagation_edges: for each op, the axes propagated through it per step. The edges of a function are
 * an attribute of its first result, since upstream handles returned values one by one. */
#include "dialect/sdy/propagation_edges.h"
#include "import/provenance/provenance.h"
#include <stdlib.h>

typedef SR_VEC(const struct sr_propagated_axis *) axis_vec;

static bool is_same_edge(const struct sr_propagated_axis *a, const struct sr_propagated_axis *b)
{
	return a->source == b->source && a->target == b->target && sr_axis_ref_equal(a->axis, b->axis);
}

/* Append `event` unless the list has an equal edge. */
static void add_edge(struct sr_arena *arena, axis_vec *list, const struct sr_propagated_axis *event)
{
	for (size_t i = 0; i < list->n; i++)
		if (is_same_edge(list->data[i], event))
			return;
	sr_push(arena, list, event);
}

static int compare_propagated(const void *pa, const void *pb)
{
	const struct sr_propagated_axis *a = *(const struct sr_propagated_axis *const *)pa,
		*b = *(const struct sr_propagated_axis *const *)pb;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	int axes = sr_axis_compare_by_name(a->axis, b->axis);
	if (axes)
		return axes;
	return a->source != b->source ? a->source - b->source : a->target - b->target;
}

static const struct sr_attr *make_node_attr(struct sr_context *ctx, const struct sr_propagated_axis *event, int tensor)
{
	bool is_result = tensor >= event->n_operands;
	return sr_attr_edge_value_ref(ctx, is_result, is_result ? tensor - event->n_operands : tensor);
}

static const struct sr_attr *make_axis_attr(struct sr_context *ctx, const struct sr_propagated_axis *event)
{
	struct sr_sdy_axis axis = sr_axis_to_sdy(event->mesh, event->axis);
	return sr_attr_axes(ctx, &axis, 1);
}

typedef SR_VEC(const struct sr_attr *) attr_vec;

/* Return the entry for one axis and source with all its targets, starting at list[*i]; advance *i. */
static const struct sr_attr *make_edge_details(struct sr_context *ctx, const axis_vec *list, size_t *i)
{
	const struct sr_propagated_axis *first = list->data[*i];
	attr_vec targets = {0};
	for (; *i < list->n; ++*i) {
		const struct sr_propagated_axis *event = list->data[*i];
		if (event->step != first->step || event->source != first->source || !sr_axis_ref_equal(event->axis, first->axis))
			break;
		sr_push(ctx->arena, &targets, make_node_attr(ctx, event, event->target));
	}
	return sr_attr_edge_details(ctx, make_axis_attr(ctx, first), make_node_attr(ctx, first, first->source), targets.data,
				    (int)targets.n);
}

static const struct sr_attr *make_edges_attr(struct sr_context *ctx, axis_vec *list)
{
	attr_vec steps = {0};
	qsort(list->data, list->n, sizeof *list->data, compare_propagated);
	for (size_t i = 0; i < list->n;) {
		int64_t step = list->data[i]->step;
		attr_vec entries = {0};
		while (i < list->n && list->data[i]->step == step)
			sr_push(ctx->arena, &entries, make_edge_details(ctx, list, &i));
		sr_push(ctx->arena, &steps, sr_attr_edge_step(ctx, step, entries.data, (int)entries.n));
	}
	return sr_attr_propagation_edges(ctx, steps.data, (int)steps.n);
}

void sr_provenance_write_edges(const struct sr_provenance *provenance)
{
	struct sr_context *ctx = provenance->ctx;
	struct sr_map events_of_op;
	sr_map_init(&events_of_op, ctx->arena);
	for (size_t i = 0; i < provenance->propagated.n; i++) {
		struct sr_op *op = provenance->propagated.data[i].op;
		if (!op || !op->block) /* Skip an op that was erased after the axis was recorded: there is nothing to annotate. */
			continue;
		void **list = sr_map_at(&events_of_op, op);
		if (!*list)
			*list = SR_NEW(ctx->arena, axis_vec);
		add_edge(ctx->arena, *list, &provenance->propagated.data[i]);
	}
	for (size_t i = 0; i < events_of_op.n; i++) {
		axis_vec *list = events_of_op.entries[i].value;
		struct sr_op *op = list->data[0]->op;
		const struct sr_attr *edges = make_edges_attr(ctx, list);
		if (sr_op_is(op, SR_OP_func_func))
			sr_func_set_result_attr(ctx, op, 0, "sdy.propagation_edges", edges);
		else
			sr_op_set_attr(ctx, op, "sdy.propagation_edges", edges);
	}
}
