/* shardrun-schedule: order the ops of every block by live memory, innermost blocks first.
 *
 * Requires: work nests, calls, collectives, loops and branches. Leaves: the same values in another order with a lower peak, with
 * values rematerialized (rematerialize.c) if that lowers it; then, on request, an order in which collectives run while other ops
 * compute (schedule_overlap.c). Effects and in-place updates keep their order. All devices run the same module, hence the same
 * order. Ops that need no instruction in the order found have the attribute SR_WORK_ELIDED. */
#include "work/schedule/schedule.h"
#include "support/arena_child.h"
#include "work/work_passes.h"

enum { ROUNDS = 3 }; /* rounds of rematerialization; a recomputation may make others possible */

struct schedule {
	struct sr_context *ctx;
	bool overlap_collectives;        /* true: order ops for overlap of collectives and computation */
	int64_t memory;       /* memory limit of a function in bytes; 0: none */
	struct sr_map inner_peaks; /* maps an op to the peak bytes of its regions */
};

/* Build the graph of the block in its current order, with elided ops marked. */
static struct sr_schedule_graph *graph_of(struct schedule *s, struct sr_arena *arena, struct sr_block *block)
{
	sr_work_mark_elided(s->ctx, block);
	return sr_schedule_graph_new(s->ctx, arena, block, &s->inner_peaks);
}

static void move_ops(const struct sr_schedule_graph *g, const int *order)
{
	int i = 0;
	while (i < g->n && order[i] == i)
		i++;
	for (; i < g->n; i++)
		sr_op_move_before(g->ops[order[i]], sr_block_terminator(g->block));
}

/* Put the block in the order with the lowest peak among a few; return the peak. */
static int64_t put_in_order(struct sr_schedule_graph *g)
{
	int *order = SR_NEW_ARRAY(g->arena, int, g->n);
	int64_t peak = sr_schedule_best(g, order);
	move_ops(g, order);
	return peak;
}

/* Put the block in an order that overlaps collectives and computation; return its peak. */
static int64_t overlap(struct sr_schedule_graph *g)
{
	int *order = SR_NEW_ARRAY(g->arena, int, g->n);
	for (int i = 0; i < g->n; i++)
		order[i] = i;
	if (sr_schedule_overlap(g, order))
		move_ops(g, order);
	return sr_schedule_peak(g, order, NULL);
}

/* Return the bytes of arguments and results, results in donated memory counted once. */
static int64_t entry_bytes(const struct sr_block *block)
{
	const struct sr_op *func = block->region->op;
	const struct sr_type *type = sr_func_type(func);
	int64_t argument_bytes = 0, results = 0, bytes;
	for (int i = 0; i < type->n_results; i++)
		results += sr_type_bytes(type->results[i], &bytes) ? bytes : 0;
	for (int i = 0; i < type->n_inputs; i++) {
		if (!sr_type_bytes(type->inputs[i], &bytes))
			continue;
		argument_bytes += bytes;
		results -= sr_schedule_is_donated(func, i) ? bytes : 0;
	}
	return argument_bytes + (results > 0 ? results : 0);
}

/* Rematerialize and reorder in rounds. goal as in sr_schedule_rematerialize. Return the resulting peak. */
static int64_t rematerialize(struct schedule *s, struct sr_arena *arena, struct sr_block *block, int64_t peak, int64_t goal)
{
	for (int i = 0; i < ROUNDS && (!goal || peak > goal) &&
			sr_schedule_rematerialize(s->ctx, graph_of(s, arena, block), goal);
	     i++)
		peak = put_in_order(graph_of(s, arena, block));
	return peak;
}

/* Schedule a block; return its peak. Dependence graphs are in an arena that is freed before the next block. */
static int64_t schedule_block(struct schedule *s, struct sr_block *block)
{
	struct sr_arena *arena = sr_arena_new_child(s->ctx->arena);
	int64_t peak = put_in_order(graph_of(s, arena, block));
	peak = rematerialize(s, arena, block, peak, 0);
	if (s->memory && sr_op_is(block->region->op, SR_OP_func_func)) {
		int64_t goal = s->memory - entry_bytes(block);
		peak = rematerialize(s, arena, block, peak, goal > 1 ? goal : 1);
	}
	if (s->overlap_collectives)
		peak = overlap(graph_of(s, arena, block));
	sr_work_mark_elided(s->ctx, block); /* the order has changed since the last graph */
	sr_arena_free(arena);
	return peak;
}

/* Schedule the blocks of a region, nested ones first; return the largest peak. */
static int64_t schedule_region(struct schedule *s, struct sr_region *region)
{
	int64_t max_peak = 0;
	for (struct sr_block *block = region->first; block; block = block->next) {
		for (struct sr_op *op = block->first; op; op = op->next) {
			int64_t inner_peak = 0;
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++) {
				int64_t peak = schedule_region(s, &op->regions[i]);
				inner_peak = peak > inner_peak ? peak : inner_peak;
			}
			if (inner_peak)
				sr_map_put(&s->inner_peaks, op, (void *)(intptr_t)inner_peak);
		}
		int64_t peak = block->last && sr_op_has(block->last, SR_TERMINATOR) ? schedule_block(s, block) : 0;
		max_peak = peak > max_peak ? peak : max_peak;
	}
	return max_peak;
}

enum sr_status sr_run_schedule(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct schedule s = {
	    .ctx = ctx, .overlap_collectives = sr_option_bool(options, "overlap"), .memory = sr_option_int(options, "memory")};
	sr_map_init(&s.inner_peaks, ctx->arena);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			schedule_region(&s, &op->regions[0]);
	return SR_OK;
}
