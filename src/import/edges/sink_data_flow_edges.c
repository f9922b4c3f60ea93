/* Implement sdy-sink-data-flow-edges, the inverse of sdy-add-data-flow-edges: erase the edge ops and move their shardings to the
 * ops they belong to: sdy.sharding of a while or case, in- and out-shardings of a computation. */
#include "import/edges/edge_ops.h"
#include "dialect/attr_names.h"
#include "import/import_passes.h"
#include "dialect/ops.h"

/* Prefix shardings of a manual computation's arguments with its manual axes. */
static const struct sr_attr *prefix_manual_axes(struct sr_context *ctx, const struct sr_op *op, const struct sr_attr *shardings)
{
	const struct sr_attr *in_shardings = sr_op_attr(op, SR_NAME_in_shardings),
			     *manual_axes = sr_op_attr(op, SR_NAME_manual_axes);
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, shardings->n);
	for (int i = 0; i < shardings->n; i++)
		list[i] = sr_sharding_with_axes(ctx, in_shardings->list[i], shardings->list[i], manual_axes);
	return sr_attr_shardings(ctx, list, shardings->n);
}

/* Collect attribute `name` from the owners' edge ops into the array attribute `list_name` of op. */
static void sink_debug_attr(struct sr_context *ctx, struct sr_op *op, struct sr_value *const *owners, int n, const char *name,
			    const char *list_name)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, n);
	int n_list = 0;
	for (int i = 0; i < n; i++) {
		struct sr_op *edge = sr_edge_op(owners[i]);
		const struct sr_attr *a = edge ? sr_op_attr(edge, name) : NULL;
		if (a)
			list[n_list++] = a;
	}
	sr_op_set_attr(ctx, op, list_name, sr_attr_array(ctx, list, n_list));
}

struct sink {
	struct sr_context *ctx;
	bool moves_origins; /* true to move the debug attribute sdy.sharding_origins, too */
	bool moves_edges;   /* true to move the debug attribute sdy.propagation_edges, too */
};

/* Move the debug attributes of the edge ops to op. For while and case, no block argument owns an edge, so their attribute for
 * block arguments is an empty array. */
static void sink_debug_attrs(const struct sink *s, struct sr_op *op)
{
	struct sr_block *body = sr_edge_count(op) > op->n_results ? op->regions[0].first : NULL;
	struct sr_value *const *arg_owners = body ? body->args : NULL, *const *result_owners = sr_result_list(s->ctx,
															    op);
	int n_args = body ? body->n_args : 0;
	struct {
		bool is_enabled;
		struct sr_value *const *owners;
		int n;
		const char *name, *list_name;
	} attr_moves[] = {
		{s->moves_origins, arg_owners, n_args, "sdy.sharding_origins", "sdy.block_arg_sharding_origins"},
		{s->moves_edges, arg_owners, n_args, "sdy.propagation_edges", "sdy.block_arg_propagation_edges"},
		{s->moves_origins, result_owners, op->n_results, "sdy.sharding_origins", "sdy.result_sharding_origins"},
		{s->moves_edges, result_owners, op->n_results, "sdy.propagation_edges", "sdy.result_propagation_edges"},
	};
	for (size_t i = 0; i < sizeof attr_moves / sizeof *attr_moves; i++)
		if (attr_moves[i].is_enabled)
			sink_debug_attr(s->ctx, op, attr_moves[i].owners, attr_moves[i].n, attr_moves[i].name,
					attr_moves[i].list_name);
}

static void sink_to_owner(struct sr_context *ctx, struct sr_op *op)
{
	bool is_manual = sr_op_is(op, SR_OP_sdy_manual_computation),
	     has_body = is_manual || sr_op_is(op, SR_OP_sdy_named_computation);
	const struct sr_attr *arg_shardings = has_body
						  ? sr_edge_shardings(ctx, op->regions[0].first->args, op->regions[0].first->n_args)
						  : NULL;
	if (arg_shardings)
		sr_op_set_attr(ctx, op, SR_NAME_in_shardings,
			       is_manual ? prefix_manual_axes(ctx, op, arg_shardings) : arg_shardings);
	const struct sr_attr *result_shardings = sr_edge_shardings(ctx, sr_result_list(ctx, op), op->n_results);
	if (result_shardings)
		sr_op_set_attr(ctx, op, has_body ? SR_NAME_out_shardings : "sdy.sharding", result_shardings);
}

static bool sink_op(void *data, struct sr_op *op)
{
	struct sink *s = data;
	if (sr_op_is(op, SR_OP_sdy_data_flow_edge)) {
		sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
		sr_op_erase(op);
	} else if (sr_op_has(op, SR_DATA_FLOW_EDGE)) {
		sink_to_owner(s->ctx, op);
		sink_debug_attrs(s, op);
	}
	return true;
}

enum sr_status sr_pass_sink_data_flow_edges(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct sink s = {ctx, sr_option_bool(options, "sink-debug-sharding-origins"),
			 sr_option_bool(options, "sink-debug-propagation-edge-sharding")};
	sr_walk(func, sink_op, &s);
	return SR_OK;
}
