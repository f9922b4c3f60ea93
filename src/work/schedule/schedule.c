/* shardrun-schedule: the order of every block's ops by the memory that lives, innermost blocks first.
 *
 * Requires work: tiles, and calls, collectives, loops and branches. Leaves the same values in another order of ops, where that
 * takes less at its peak, and values made again (rematerialize.c) where that lowers it; then, where that is asked for, an order in which
 * collectives are under way while other ops run (schedule_overlap.c). Effects and updates in place stay in order, and all devices
 * have one order since they have one module. */
#include "work/schedule/schedule.h"
#include "work/work_passes.h"

enum { ROUNDS = 3 }; /* of values made again: one makes way for others */

struct schedule {
	struct sr_context *ctx;
	bool overlaps;        /* collectives are under way while other ops run */
	int64_t memory;       /* bytes that a function is to take at most; 0: not said */
	struct sr_map inside; /* op -> bytes that its regions take at their peak */
};

static void move_ops(const struct sr_schedule_graph *g, const int *order)
{
	int i = 0;
	while (i < g->n && order[i] == i)
		i++;
	for (; i < g->n; i++)
		sr_op_move_before(g->ops[order[i]], sr_block_terminator(g->block));
}

/* In the best order of a few; its peak. */
static int64_t put_in_order(struct sr_schedule_graph *g)
{
	int *order = SR_NEWS(g->arena, int, g->n);
	int64_t peak = sr_schedule_best(g, order);
	move_ops(g, order);
	return peak;
}

/* With collectives under way while others run; the peak of that. */
static int64_t overlap(struct sr_schedule_graph *g)
{
	int *order = SR_NEWS(g->arena, int, g->n);
	for (int i = 0; i < g->n; i++)
		order[i] = i;
	if (sr_schedule_overlap(g, order))
		move_ops(g, order);
	return sr_schedule_peak(g, order, NULL);
}

/* Of arguments and results, as far as these are not in the memory of donated arguments. */
static int64_t taken_by_entry(const struct sr_block *block)
{
	const struct sr_op *func = block->region->op;
	const struct sr_type *type = sr_func_type(func);
	int64_t taken = 0, results = 0, bytes;
	for (int i = 0; i < type->n_results; i++)
		results += sr_type_bytes(type->results[i], &bytes) ? bytes : 0;
	for (int i = 0; i < type->n_inputs; i++) {
		if (!sr_type_bytes(type->inputs[i], &bytes))
			continue;
		taken += bytes;
		results -= sr_schedule_is_donated(func, i) ? bytes : 0;
	}
	return taken + (results > 0 ? results : 0);
}

/* goal: as sr_schedule_rematerialize has it. The peak behind that. */
static int64_t make_again(struct schedule *s, struct sr_arena *arena, struct sr_block *block, int64_t peak, int64_t goal)
{
	for (int i = 0; i < ROUNDS && (!goal || peak > goal) &&
			sr_schedule_rematerialize(s->ctx, sr_schedule_graph_new(s->ctx, arena, block, &s->inside), goal);
	     i++)
		peak = put_in_order(sr_schedule_graph_new(s->ctx, arena, block, &s->inside));
	return peak;
}

static int64_t schedule_block(struct schedule *s, struct sr_block *block)
{
	struct sr_arena *arena = sr_arena_new();
	if (!arena)
		sr_arena_unwind(s->ctx->arena);
	jmp_buf *guard = sr_arena_guard(s->ctx->arena, NULL);
	sr_arena_guard(s->ctx->arena, guard);
	sr_arena_guard(arena, guard);
	int64_t peak = put_in_order(sr_schedule_graph_new(s->ctx, arena, block, &s->inside));
	peak = make_again(s, arena, block, peak, 0);
	if (s->memory && sr_op_is(block->region->op, SR_OP_func_func)) {
		int64_t goal = s->memory - taken_by_entry(block);
		peak = make_again(s, arena, block, peak, goal > 1 ? goal : 1);
	}
	if (s->overlaps)
		peak = overlap(sr_schedule_graph_new(s->ctx, arena, block, &s->inside));
	sr_arena_free(arena);
	return peak;
}

/* Blocks that run as they stand, those inside first. */
static int64_t schedule_region(struct schedule *s, struct sr_region *region)
{
	int64_t most = 0;
	for (struct sr_block *block = region->first; block; block = block->next) {
		for (struct sr_op *op = block->first; op; op = op->next) {
			int64_t inside = 0;
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++) {
				int64_t peak = schedule_region(s, &op->regions[i]);
				inside = peak > inside ? peak : inside;
			}
			if (inside)
				sr_map_put(&s->inside, op, (void *)(intptr_t)inside);
		}
		int64_t peak = block->last && sr_op_has(block->last, SR_TERMINATOR) ? schedule_block(s, block) : 0;
		most = peak > most ? peak : most;
	}
	return most;
}

enum sr_status sr_run_schedule(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct schedule s = {.ctx = ctx, .overlaps = sr_option_bool(options, "overlap"), .memory = sr_option_int(options, "memory")};
	sr_map_init(&s.inside, ctx->arena);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			schedule_region(&s, &op->regions[0]);
	return SR_OK;
}
