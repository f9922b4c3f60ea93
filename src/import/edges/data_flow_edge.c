/* Find the data-flow edges of ops: owners, sources and non-owner targets. */
#include "import/edges/data_flow_edge.h"

/* How values flow through an op with the DATA_FLOW_EDGE trait. */
struct edge_form {
	int code;
	bool args_own_edges;      /* operands flow to the block arguments, which are owners of edges */
	bool operands_flow_to_results; /* operand i is a source of the edge of result i */
	bool args_are_targets;   /* the block arguments of all regions are non-owner targets of the edges of the results */
	int first_source;   /* index of the first region whose terminator's operands are sources */
};

static const struct edge_form edge_forms[] = {
	{SR_OP_stablehlo_while, .operands_flow_to_results = true, .args_are_targets = true, .first_source = 1},
	{SR_OP_stablehlo_case},
	{SR_OP_stablehlo_optimization_barrier, .operands_flow_to_results = true},
	{SR_OP_sdy_manual_computation, .args_own_edges = true},
	{SR_OP_sdy_named_computation, .args_own_edges = true},
};

static const struct edge_form *edge_form_of(const struct sr_op *op)
{
	if (!op || !sr_op_has(op, SR_DATA_FLOW_EDGE))
		return NULL;
	for (size_t i = 0; i < sizeof edge_forms / sizeof *edge_forms; i++)
		if (edge_forms[i].code == op->info->code)
			return &edge_forms[i];
	return NULL;
}

static const struct sr_block *body_block(const struct sr_op *op)
{
	return op->n_regions ? op->regions[0].first : NULL;
}

static int count_owned_args(const struct sr_op *op, const struct edge_form *form)
{
	return form->args_own_edges && body_block(op) ? body_block(op)->n_args : 0;
}

int sr_edge_count(const struct sr_op *op)
{
	const struct edge_form *form = edge_form_of(op);
	return form ? count_owned_args(op, form) + op->n_results : 0;
}

static struct sr_use *yielded_use(const struct sr_region *region, int i)
{
	const struct sr_op *terminator = region->first ? sr_block_terminator(region->first) : NULL;
	return terminator && i < terminator->n_operands ? &terminator->operands[i] : NULL;
}

struct sr_edge sr_edge_of(struct sr_context *ctx, struct sr_value *owner)
{
	const struct sr_op *op = sr_value_owner(owner);
	const struct edge_form *form = edge_form_of(op);
	struct sr_value **sources = SR_NEW_ARRAY(ctx->arena, struct sr_value *, 1 + op->n_regions);
	struct sr_use **uses = SR_NEW_ARRAY(ctx->arena, struct sr_use *, 1 + op->n_regions);
	int n = 0;
	if ((!owner->def || form->operands_flow_to_results) && owner->index < op->n_operands)
		uses[n++] = &op->operands[owner->index];
	for (int r = form->first_source; owner->def && r < op->n_regions; r++) {
		struct sr_use *use = yielded_use(&op->regions[r], owner->index);
		if (use)
			uses[n++] = use;
	}
	for (int i = 0; i < n; i++)
		sources[i] = uses[i]->value;
	return (struct sr_edge){owner, sources, uses, n};
}

struct sr_edge sr_edge_at(struct sr_context *ctx, const struct sr_op *op, int i)
{
	int n_args = count_owned_args(op, edge_form_of(op));
	return sr_edge_of(ctx, i < n_args ? body_block(op)->args[i] : sr_result(op, i - n_args));
}

struct sr_value *sr_edge_owner(struct sr_context *ctx, struct sr_value *v)
{
	struct sr_op *op = sr_value_owner(v);
	const struct edge_form *form = edge_form_of(op);
	if (!form)
		return NULL;
	if (v->def || form->args_own_edges)
		return v;
	return form->args_are_targets && v->index < op->n_results ? sr_result(op, v->index) : NULL;
}

struct sr_value *sr_edge_owner_of_source(const struct sr_use *use)
{
	struct sr_op *op = use->owner;
	bool is_yield = sr_op_has(op, SR_TERMINATOR);
	if (is_yield)
		op = sr_op_parent(op);
	const struct edge_form *form = edge_form_of(op);
	if (!form)
		return NULL;
	int i = sr_use_index(use);
	if (!is_yield && form->args_own_edges)
		return i < count_owned_args(op, form) ? body_block(op)->args[i] : NULL;
	/* As in upstream, the condition's yield and the index operand of a case also count as sources of the result with the
	 * same index. The only effect is a redundant update of the result's edge. */
	return i < op->n_results ? sr_result(op, i) : NULL;
}

void sr_edge_for_each_non_owner_target(struct sr_value *owner, void (*fn)(void *data, struct sr_value *target), void *data)
{
	struct sr_op *op = sr_value_owner(owner);
	const struct edge_form *form = edge_form_of(op);
	for (int r = 0; form && form->args_are_targets && r < op->n_regions; r++) {
		const struct sr_block *block = op->regions[r].first;
		if (block && owner->index < block->n_args)
			fn(data, block->args[owner->index]);
	}
}

struct sr_op *sr_edge_op(const struct sr_value *owner)
{
	if (!owner || !owner->uses || owner->uses->next)
		return NULL;
	struct sr_op *user = owner->uses->owner;
	return sr_op_is(user, SR_OP_sdy_data_flow_edge) ? user : NULL;
}

struct sr_op *sr_edge_op_of_target(struct sr_context *ctx, struct sr_value *v)
{
	struct sr_value *owner = sr_edge_owner(ctx, v);
	return owner ? sr_edge_op(owner) : NULL;
}
