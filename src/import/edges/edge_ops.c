/* Insert sdy.data_flow_edge ops and read their shardings. */
#include "import/edges/edge_ops.h"
#include "dialect/attr_names.h"
#include "import/calls/call_graph.h"
#include "import/op_class.h"
#include "dialect/ops.h"

static bool is_other_user(void *data, struct sr_use *use)
{
	return use->owner != data;
}

struct sr_op *sr_insert_after_value(struct sr_context *ctx, struct sr_value *v, int code, const struct sr_attr *loc,
				    const struct sr_named_attr *attrs, int n_attrs)
{
	struct sr_builder b = {.ctx = ctx, .block = v->def ? v->def->block : v->block,
			       .anchor = v->def ? v->def->next : v->block->first, .loc = loc};
	struct sr_op *op = sr_build(&b, (enum sr_op_code)code, &v, 1, attrs, n_attrs, &v->type, 1);
	sr_value_replace_if(v, sr_result(op, 0), is_other_user, op);
	return op;
}

void sr_edges_add(struct sr_context *ctx, struct sr_op *op)
{
	int n = sr_edge_count(op), n_args = n > op->n_results ? n - op->n_results : 0;
	/* Iterate backwards, since each op is inserted directly after its owner. */
	for (int pass = 0; pass < 2; pass++)
		for (int i = pass == 0 ? n_args : n; i-- > (pass == 0 ? 0 : n_args);) {
			struct sr_value *owner = sr_edge_at(ctx, op, i).target;
			struct sr_named_attr attr = {SR_NAME_sharding, NULL};
			if (!sr_type_is_static_tensor(owner->type) || sr_edge_op(owner))
				continue;
			attr.value = sr_value_sharding(ctx, owner);
			sr_insert_after_value(ctx, owner, SR_OP_sdy_data_flow_edge, owner->def ? owner->def->loc : owner->loc,
					      &attr, 1);
		}
}

const struct sr_attr *sr_edge_shardings(struct sr_context *ctx, struct sr_value *const *owners, int n)
{
	const struct sr_sdy_sharding *mesh_source = NULL;
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, n);
	for (int i = 0; i < n; i++) {
		struct sr_op *edge = sr_edge_op(owners[i]);
		list[i] = edge ? sr_op_attr(edge, SR_NAME_sharding) : NULL;
		if (list[i] && !mesh_source)
			mesh_source = list[i]->sharding;
	}
	if (!mesh_source)
		return NULL;
	for (int i = 0; i < n; i++)
		if (!list[i])
			list[i] = sr_replicated_like(ctx, mesh_source, owners[i]->type, false);
	return sr_attr_shardings(ctx, list, n);
}

struct sr_value **sr_result_list(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_value **list = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_results);
	for (int i = 0; i < op->n_results; i++)
		list[i] = sr_result(op, i);
	return list;
}
