/* shardrun-lower-to-work: every op that is a tile becomes one, by the TILE column. */
#include "kernels/tile.h"
#include "work/passes.h"
#include "work/tile_of.h"

static sr_tile_of_fn *const tile_of[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define TILE(f) sr_tile_of_##f,
#include "dialect/all.ops"
};

/* Dense tensors with elements, of types and ranks that kernels know. */
static bool fits(const struct sr_value *v)
{
	int64_t n;
	const struct sr_type *t = v->type;
	return t->kind == SR_TYPE_TENSOR && sr_type_is_static(t) && t->dtype != SR_DTYPE_NONE && t->rank <= SR_TILE_LOOPS &&
	       sr_type_elements(t, &n) && n > 0;
}

static int64_t elements(const struct sr_value *v)
{
	int64_t n = 0;
	return sr_type_elements(v->type, &n) ? n : 0;
}

/* All operands and results fit, and there is more than one element: a scalar's kernel is called at once. */
static bool all_fit(const struct sr_op *op)
{
	int64_t most = 1;
	for (int i = 0; i < op->n_operands + op->n_results; i++) {
		const struct sr_value *v = i < op->n_operands ? sr_operand(op, i) : sr_result(op, i - op->n_operands);
		if (!fits(v))
			return false;
		most = elements(v) > most ? elements(v) : most;
	}
	return op->n_results > 0 && most > 1;
}

static void lower_op(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_lowering l = {.ctx = ctx, .op = op, .builder = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc}};
	if (!op->info->code || !all_fit(op) || !tile_of[op->info->code](&l))
		return;
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), sr_result(l.tile, i));
	sr_op_erase(op);
}

/* Regions that run as they stand: bodies of functions, loops and branches, not those of reducers and comparators. */
static void lower_region(struct sr_context *ctx, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next)
		for (struct sr_op *op = block->first, *next; op; op = next) {
			next = op->next;
			for (int i = 0; sr_op_has(op, SR_CONTROL) && i < op->n_regions; i++)
				lower_region(ctx, &op->regions[i]);
			lower_op(ctx, op);
		}
}

enum sr_status sr_run_lower_to_work(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			lower_region(ctx, &op->regions[0]);
	return SR_OK;
}
