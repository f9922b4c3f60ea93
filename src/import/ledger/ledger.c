/* The ledger's beginning, the annotations of the program, and its entries. */
#include "import/ledger/ledger.h"
#include "dialect/names.h"
#include "dialect/sdy/edges.h"
#include "import/edges/edge.h"
#include "dialect/ops.h"
#include <string.h>

const sr_annotated_vec *sr_ledger_annotated(const struct sr_ledger *ledger, const struct sr_value *v)
{
	return sr_map_get(&ledger->annotated, v);
}

void sr_ledger_add(struct sr_ledger *ledger, const struct sr_gain *gain)
{
	sr_push(ledger->ctx->arena, &ledger->gains, *gain);
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

/* Every axis of the sharding; the first annotation that gives an axis to a value stands. */
static void annotate(struct sr_ledger *ledger, struct sr_value *v, const struct sr_attr *sharding, struct sr_annotation by)
{
	struct sr_arena *arena = ledger->ctx->arena;
	struct sr_value *at = sr_shardable_value(v);
	const struct sr_mesh *mesh = sharding && at ? sr_sharding_mesh(ledger->module, sharding->sharding) : NULL;
	for (int d = 0; mesh && d < sharding->sharding->rank; d++) {
		struct sr_written_axes axes = sharding->sharding->dims[d].axes;
		for (int i = 0; i < axes.n; i++) {
			struct sr_axis_ref axis = sr_axis_resolve(mesh, axes.refs[i]);
			void **list = sr_map_at(&ledger->annotated, at);
			if (!*list)
				*list = SR_NEW(arena, sr_annotated_vec);
			sr_annotated_vec *all = *list;
			bool known = false;
			for (size_t k = 0; k < all->n; k++)
				known = known || sr_axis_ref_equal(all->data[k].axis, axis);
			if (!known)
				sr_push(arena, all, (struct sr_annotated){axis, mesh, by});
		}
	}
}

struct reader {
	struct sr_ledger *ledger;
	int constraints, computations;
	bool name;
};

static void name_origin(struct reader *r, struct sr_op *op, const char *name)
{
	struct sr_context *ctx = r->ledger->ctx;
	if (r->name)
		sr_op_set_attr(ctx, op, "sdy.sharding_origin_name", sr_attr_string(ctx, name, strlen(name)));
}

static bool read_constraint(void *data, struct sr_op *op)
{
	struct reader *r = data;
	struct sr_ledger *ledger = r->ledger;
	if (!sr_op_is(op, SR_OP_sdy_sharding_constraint))
		return true;
	struct sr_annotation by = {SR_ANNOTATION_CONSTRAINT, op, 0, r->constraints++};
	annotate(ledger, sr_result(op, 0), sr_op_attr(op, SR_NAME_sharding), by);
	annotate(ledger, sr_operand(op, 0), sr_value_sharding(ledger->ctx, sr_operand(op, 0)), by);
	name_origin(r, op, sr_annotation_name(ledger->ctx->arena, &by));
	return true;
}

static bool read_computation(void *data, struct sr_op *op)
{
	struct reader *r = data;
	struct sr_ledger *ledger = r->ledger;
	if (!sr_op_is(op, SR_OP_sdy_manual_computation))
		return true;
	const struct sr_attr *in = sr_op_attr(op, SR_NAME_in_shardings), *out = sr_op_attr(op, SR_NAME_out_shardings);
	for (int i = 0; i < in->n; i++) {
		struct sr_annotation by = {SR_ANNOTATION_MC_INPUT, op, i, r->computations};
		struct sr_op *edge = sr_edge_op(op->regions[0].first->args[i]);
		if (edge)
			annotate(ledger, sr_result(edge, 0), in->list[i], by);
		annotate(ledger, sr_operand(op, i), sr_value_sharding(ledger->ctx, sr_operand(op, i)), by);
	}
	for (int i = 0; i < out->n; i++) {
		struct sr_op *edge = sr_edge_op(sr_result(op, i));
		struct sr_annotation by = {SR_ANNOTATION_MC_OUTPUT, op, i, r->computations};
		if (edge)
			annotate(ledger, sr_result(edge, 0), out->list[i], by);
	}
	name_origin(r, op, sr_printf(ledger->ctx->arena, "mc_%d", r->computations));
	r->computations++;
	return true;
}

/* Behind the others: what a constraint says of a function's argument counts as the constraint's. */
static void read_func(struct sr_ledger *ledger, struct sr_op *func)
{
	struct sr_block *entry = sr_func_entry(func);
	struct sr_op *end = entry ? sr_block_terminator(entry) : NULL;
	struct sr_annotation by = {.kind = SR_ANNOTATION_INPUT, .op = func};
	for (by.index = 0; entry && by.index < entry->n_args; by.index++)
		annotate(ledger, entry->args[by.index], sr_value_sharding(ledger->ctx, entry->args[by.index]), by);
	by.kind = SR_ANNOTATION_OUTPUT;
	for (by.index = 0; end && by.index < end->n_operands; by.index++)
		annotate(ledger, sr_operand(end, by.index), sr_func_result_attr(func, by.index, "sdy.sharding"), by);
}

static bool read_last_step(void *data, struct sr_op *op)
{
	struct sr_ledger *ledger = data;
	const struct sr_attr *edges = sr_op_attr(op, "sdy.propagation_edges");
	if (edges && sr_propagation_edges_last(edges) >= ledger->step)
		ledger->step = sr_propagation_edges_last(edges) + 1;
	return true;
}

void sr_ledger_begin(struct sr_ledger *ledger, struct sr_context *ctx, struct sr_op *module, bool name)
{
	*ledger = (struct sr_ledger){.ctx = ctx, .module = module};
	struct reader r = {.ledger = ledger, .name = name};
	sr_map_init(&ledger->annotated, ctx->arena);
	sr_walk(module, read_last_step, ledger);
	sr_walk_post(module, read_constraint, &r);
	sr_walk_post(module, read_computation, &r);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			read_func(ledger, op);
}

struct sr_ledger_request sr_ledger_request_read(const struct sr_pass_options *options)
{
	return (struct sr_ledger_request){.origins = sr_option_bool(options, "debug-sharding-origins"),
					  .edges = sr_option_bool(options, "debug-propagation-edge-sharding")};
}

void sr_ledger_write(const struct sr_ledger *ledger, struct sr_ledger_request request)
{
	if (request.origins)
		sr_ledger_write_origins(ledger);
	if (request.edges)
		sr_ledger_write_edges(ledger);
}
