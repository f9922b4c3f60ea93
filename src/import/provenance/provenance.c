/* Collect the program's sharding annotations and record propagated axes. */
#include "import/provenance/provenance.h"
#include "dialect/attr_names.h"
#include "dialect/sdy/propagation_edges.h"
#include "import/edges/data_flow_edge.h"
#include "dialect/ops.h"
#include <string.h>

const sr_annotated_axes *sr_provenance_annotated_axes(const struct sr_provenance *provenance, const struct sr_value *v)
{
	return sr_map_get(&provenance->annotated, v);
}

void sr_provenance_record(struct sr_provenance *provenance, const struct sr_propagated_axis *event)
{
	sr_push(provenance->ctx->arena, &provenance->propagated, *event);
}

const char *sr_annotation_name(struct sr_arena *arena, const struct sr_annotation *a)
{
	switch (a->kind) {
	case SR_ANNOTATION_INPUT: return sr_printf(arena, "input: %d", a->index);
	case SR_ANNOTATION_OUTPUT: return sr_printf(arena, "output: %d", a->index);
	case SR_ANNOTATION_CONSTRAINT: return sr_printf(arena, "constraint_%d", a->id);
	case SR_ANNOTATION_MC_INPUT: return sr_printf(arena, "mc_%d_input: %d", a->id, a->index);
	case SR_ANNOTATION_MC_OUTPUT: return sr_printf(arena, "mc_%d_output: %d", a->id, a->index);
	}
	return "";
}

/* ---------------------------------------------------------------- annotations */

/* Record `annotation` as the source of every axis of v's sharding, unless an earlier annotation has provided the axis. */
static void record_annotation(struct sr_provenance *provenance, struct sr_value *v, const struct sr_attr *sharding,
			      struct sr_annotation annotation)
{
	struct sr_arena *arena = provenance->ctx->arena;
	struct sr_value *shardable = sr_shardable_value(v);
	const struct sr_mesh *mesh = sharding && shardable ? sr_sharding_mesh(provenance->module, sharding->sharding) : NULL;
	for (int d = 0; mesh && d < sharding->sharding->rank; d++) {
		struct sr_sdy_axes axes = sharding->sharding->dims[d].axes;
		for (int i = 0; i < axes.n; i++) {
			struct sr_axis_ref axis = sr_axis_resolve(mesh, axes.refs[i]);
			void **list = sr_map_at(&provenance->annotated, shardable);
			if (!*list)
				*list = SR_NEW(arena, sr_annotated_axes);
			sr_annotated_axes *annotated_axes = *list;
			bool is_known = false;
			for (size_t k = 0; k < annotated_axes->n; k++)
				is_known = is_known || sr_axis_ref_equal(annotated_axes->data[k].axis, axis);
			if (!is_known)
				sr_push(arena, annotated_axes, (struct sr_annotated_axis){axis, mesh, annotation});
		}
	}
}

struct reader {
	struct sr_provenance *provenance;
	int n_constraints, n_computations;
	bool names_origins; /* true to give ops an sdy.sharding_origin_name */
};

static void name_origin(struct reader *r, struct sr_op *op, const char *name)
{
	struct sr_context *ctx = r->provenance->ctx;
	if (r->names_origins)
		sr_op_set_attr(ctx, op, "sdy.sharding_origin_name", sr_attr_string(ctx, name, strlen(name)));
}

static bool read_constraint(void *data, struct sr_op *op)
{
	struct reader *r = data;
	struct sr_provenance *provenance = r->provenance;
	if (!sr_op_is(op, SR_OP_sdy_sharding_constraint))
		return true;
	struct sr_annotation annotation = {SR_ANNOTATION_CONSTRAINT, op, 0, r->n_constraints++};
	record_annotation(provenance, sr_result(op, 0), sr_op_attr(op, SR_NAME_sharding), annotation);
	record_annotation(provenance, sr_operand(op, 0), sr_value_sharding(provenance->ctx, sr_operand(op, 0)), annotation);
	name_origin(r, op, sr_annotation_name(provenance->ctx->arena, &annotation));
	return true;
}

static bool read_computation(void *data, struct sr_op *op)
{
	struct reader *r = data;
	struct sr_provenance *provenance = r->provenance;
	if (!sr_op_is(op, SR_OP_sdy_manual_computation))
		return true;
	const struct sr_attr *in_shardings = sr_op_attr(op, SR_NAME_in_shardings),
			     *out_shardings = sr_op_attr(op, SR_NAME_out_shardings);
	for (int i = 0; i < in_shardings->n; i++) {
		struct sr_annotation annotation = {SR_ANNOTATION_MC_INPUT, op, i, r->n_computations};
		struct sr_op *edge = sr_edge_op(op->regions[0].first->args[i]);
		if (edge)
			record_annotation(provenance, sr_result(edge, 0), in_shardings->list[i], annotation);
		record_annotation(provenance, sr_operand(op, i), sr_value_sharding(provenance->ctx, sr_operand(op, i)), annotation);
	}
	for (int i = 0; i < out_shardings->n; i++) {
		struct sr_op *edge = sr_edge_op(sr_result(op, i));
		struct sr_annotation annotation = {SR_ANNOTATION_MC_OUTPUT, op, i, r->n_computations};
		if (edge)
			record_annotation(provenance, sr_result(edge, 0), out_shardings->list[i], annotation);
	}
	name_origin(r, op, sr_printf(provenance->ctx->arena, "mc_%d", r->n_computations));
	r->n_computations++;
	return true;
}

/* Record the annotations of a function's arguments and results. The ops in its body are recorded first, so that a constraint on
 * an argument takes precedence over the argument's own sharding. */
static void read_func(struct sr_provenance *provenance, struct sr_op *func)
{
	struct sr_block *entry = sr_func_entry(func);
	struct sr_op *terminator = entry ? sr_block_terminator(entry) : NULL;
	struct sr_annotation annotation = {.kind = SR_ANNOTATION_INPUT, .op = func};
	for (annotation.index = 0; entry && annotation.index < entry->n_args; annotation.index++)
		record_annotation(provenance, entry->args[annotation.index],
				  sr_value_sharding(provenance->ctx, entry->args[annotation.index]), annotation);
	annotation.kind = SR_ANNOTATION_OUTPUT;
	for (annotation.index = 0; terminator && annotation.index < terminator->n_operands; annotation.index++)
		record_annotation(provenance, sr_operand(terminator, annotation.index),
				  sr_func_result_attr(func, annotation.index, "sdy.sharding"), annotation);
}

static bool read_last_step(void *data, struct sr_op *op)
{
	struct sr_provenance *provenance = data;
	const struct sr_attr *edges = sr_op_attr(op, "sdy.propagation_edges");
	if (edges && sr_propagation_edges_last(edges) >= provenance->step)
		provenance->step = sr_propagation_edges_last(edges) + 1;
	return true;
}

void sr_provenance_init(struct sr_provenance *provenance, struct sr_context *ctx, struct sr_op *module, bool names_origins)
{
	*provenance = (struct sr_provenance){.ctx = ctx, .module = module};
	struct reader r = {.provenance = provenance, .names_origins = names_origins};
	sr_map_init(&provenance->annotated, ctx->arena);
	sr_walk(module, read_last_step, provenance);
	sr_walk_post(module, read_constraint, &r);
	sr_walk_post(module, read_computation, &r);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			read_func(provenance, op);
}

struct sr_provenance_request sr_provenance_request_read(const struct sr_pass_options *options)
{
	return (struct sr_provenance_request){.origins = sr_option_bool(options, "debug-sharding-origins"),
					  .edges = sr_option_bool(options, "debug-propagation-edge-sharding")};
}

void sr_provenance_write(const struct sr_provenance *provenance, struct sr_provenance_request request)
{
	if (request.origins)
		sr_provenance_write_origins(provenance);
	if (request.edges)
		sr_provenance_write_edges(provenance);
}
