/* symbol-dce: keep symbols that are not private, and symbols that live ops refer to; erase the others. */
#include "optimize/pass_functions.h"
#include "optimize/symbol_uses.h"
#include "support/vec.h"

struct liveness {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_map op_by_name; /* map from symbol name to op */
	struct sr_map live_symbols;    /* set of live symbol ops */
	SR_VEC(struct sr_op *) worklist;
};

static void make_live(struct liveness *l, struct sr_op *op)
{
	if (!op || sr_map_has(&l->live_symbols, op))
		return;
	sr_map_put(&l->live_symbols, op, op);
	sr_push(l->ctx->arena, &l->worklist, op);
}

static void mark_symbol_live(void *data, const char *name)
{
	struct liveness *l = data;
	make_live(l, sr_map_get(&l->op_by_name, name));
}

enum sr_status sr_run_symbol_dce(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct liveness l = {.ctx = ctx, .module = root};
	if (!(root->info->traits & SR_SYMBOL_TABLE))
		return SR_OK;
	sr_map_init(&l.op_by_name, ctx->arena);
	sr_map_init(&l.live_symbols, ctx->arena);
	for (struct sr_op *op = sr_module_body(root)->first; op; op = op->next) {
		const char *name = sr_symbol_name(op);
		if (name)
			sr_map_put(&l.op_by_name, name, op);
		if (!name || !sr_symbol_is_private(op))
			make_live(&l, op);
	}
	while (l.worklist.n)
		sr_symbol_uses(sr_pop(&l.worklist), mark_symbol_live, &l);
	for (struct sr_op *op = sr_module_body(root)->first, *next; op; op = next) {
		next = op->next;
		if (!sr_map_has(&l.live_symbols, op))
			sr_op_erase(op);
		else if (op->info->traits & SR_SYMBOL_TABLE)
			sr_run_symbol_dce(ctx, op, options);
	}
	return SR_OK;
}
