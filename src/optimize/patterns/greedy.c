/* The greedy pattern driver, after MLIR's GreedyPatternRewriteDriver.
 *
 * A round first visits all ops. Equal constants in a function (or other isolated op) are merged, and a constant that is not in the
 * run of constants at the function's beginning is moved there. Other ops go on the worklist. Then ops are popped from the worklist:
 * a dead op is erased, and patterns are applied to the others. Rounds repeat until a round changes nothing. */
#include "optimize/legalize/name_list.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/rewrite.h"
#include "optimize/side_effects.h"

/* Ops that MLIR treats as constants. sdy.constant is not one, so that its copies keep their shardings. */
static const enum sr_op_code constants[] = {SR_OP_stablehlo_constant, SR_OP_chlo_constant};

struct driver {
	struct sr_rewriter rw;
	/* patterns by op code, NULL-terminated lists; NULL: no patterns for the op */
	const struct sr_pattern **patterns_by_code[SR_OP_COUNT];
	struct sr_map unique_constants; /* for each block, a map from value attributes to struct unique_constant */
	struct sr_map placed_constants;  /* set of the constants in `unique_constants` */
};

struct unique_constant {
	const struct sr_type *type;
	int code;
	struct sr_op *op;
	struct unique_constant *next;
};

static bool is_constant(const struct sr_op *op)
{
	for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
		if (sr_op_is(op, constants[i]))
			return true;
	return false;
}

/* ---------------------------------------------------------------- constants */

/* Return the block at whose beginning constants are placed: that of the nearest isolated (or unregistered) op around `block`. */
static struct sr_block *constant_block(const struct sr_block *block)
{
	for (;;) {
		const struct sr_op *owner = block->region->op;
		if (owner->info->traits & SR_ISOLATED || owner->info->code == SR_OP_UNREGISTERED || !owner->block)
			return block->region->first;
		block = owner->block;
	}
}

static void move_to_front(struct driver *c, struct sr_op *op)
{
	struct sr_block *block = constant_block(op->block);
	if (op->block != block)
		op->loc = c->rw.ctx->unknown_loc;
	else if (block->first == op || (op->prev && sr_map_has(&c->placed_constants, op->prev)))
		return;
	sr_op_move_before(op, block->first);
}

/* Register a constant. Returns true if it is the first one with its value; otherwise replaces it by the first one. Functions do not
 * share constants. */
static bool enter_constant(struct driver *c, struct sr_op *op)
{
	struct sr_block *block = constant_block(op->block);
	struct sr_map *unique = sr_map_get(&c->unique_constants, block);
	if (!unique) {
		unique = SR_NEW(c->rw.ctx->scratch, struct sr_map);
		sr_map_init(unique, c->rw.ctx->scratch);
		sr_map_put(&c->unique_constants, block, unique);
	}
	void **at = sr_map_at(unique, sr_op_attr(op, SR_NAME_value));
	for (struct unique_constant *u = *at; u; u = u->next)
		if (u->type == sr_result(op, 0)->type && u->code == op->info->code) {
			sr_rewrite_replace(&c->rw, op, sr_result(u->op, 0));
			return false;
		}
	struct unique_constant *u = SR_NEW(c->rw.ctx->scratch, struct unique_constant);
	*u = (struct unique_constant){sr_result(op, 0)->type, op->info->code, op, *at};
	*at = u;
	move_to_front(c, op);
	sr_map_put(&c->placed_constants, op, op);
	return true;
}

/* ---------------------------------------------------------------- rounds */

static bool clear_mark(void *data, struct sr_op *op)
{
	op->mark = 0;
	return true;
}

static bool collect(void *data, struct sr_op *op)
{
	struct driver *c = data;
	if (!c->rw.config->keeps_shardings && is_constant(op) && op->block && !enter_constant(c, op)) {
		c->rw.has_changed = true;
		return true;
	}
	if (op->block)
		sr_rewrite_notify_inserted(&c->rw, op);
	return true;
}

static void reverse(struct sr_rewriter *rw)
{
	for (size_t i = 0, j = rw->worklist.n; i + 1 < j; i++) {
		struct sr_op *op = rw->worklist.data[--j];
		rw->worklist.data[j] = rw->worklist.data[i];
		rw->worklist.data[i] = op;
	}
	for (size_t i = 0; i < rw->worklist.n; i++)
		if (rw->worklist.data[i])
			rw->worklist.data[i]->mark = (int)i + 1;
}

static bool apply_first_match(struct driver *c, const struct sr_pattern **patterns, struct sr_op *op)
{
	for (; patterns && *patterns; patterns++)
		if ((*patterns)->apply(&c->rw, op))
			return true;
	return false;
}

static void process(struct driver *c, struct sr_op *op)
{
	if (sr_op_is_trivially_dead(op)) {
		sr_rewrite_erase(&c->rw, op);
		c->rw.has_changed = true;
		return;
	}
	int code = op->info->code;
	if ((code != SR_OP_UNREGISTERED && apply_first_match(c, c->patterns_by_code[code], op)) ||
	    apply_first_match(c, c->patterns_by_code[SR_OP_UNREGISTERED], op))
		c->rw.has_changed = true;
}

static bool run_round(struct driver *c, struct sr_op *root)
{
	sr_map_init(&c->unique_constants, c->rw.ctx->scratch);
	sr_map_init(&c->placed_constants, c->rw.ctx->scratch);
	c->rw.has_changed = false;
	c->rw.worklist.n = 0;
	sr_walk(root, clear_mark, NULL);
	if (c->rw.config->bottom_up) {
		sr_walk_post(root, collect, c);
	} else {
		sr_walk(root, collect, c);
		reverse(&c->rw);
	}
	while (c->rw.worklist.n) {
		struct sr_op *op = sr_pop(&c->rw.worklist);
		if (!op)
			continue;
		op->mark = 0;
		if (op != root)
			process(c, op);
	}
	return c->rw.has_changed;
}

/* ---------------------------------------------------------------- enabled patterns */

static bool is_enabled(const struct sr_rewrite_config *config, const struct sr_pattern *p)
{
	const char *label = p->label ? p->label : "";
	return (!config->enabled || !*config->enabled || sr_name_is_listed(config->enabled, label)) &&
	       !sr_name_is_listed(config->disabled, label);
}

static void add_pattern(struct driver *c, const struct sr_pattern *p)
{
	const struct sr_pattern **list = c->patterns_by_code[p->code];
	int n = 0;
	while (list && list[n])
		n++;
	c->patterns_by_code[p->code] = SR_NEW_ARRAY(c->rw.ctx->scratch, const struct sr_pattern *, n + 2);
	for (int i = 0; i < n; i++)
		c->patterns_by_code[p->code][i] = list[i];
	c->patterns_by_code[p->code][n] = p;
}

void sr_rewrite_greedily(struct sr_context *ctx, struct sr_op *root, const struct sr_rewrite_config *config)
{
	struct driver *c = SR_NEW(ctx->scratch, struct driver);
	c->rw.ctx = ctx;
	c->rw.config = config;
	for (int t = 0; t < SR_REWRITE_TABLES && config->tables[t]; t++)
		for (const struct sr_pattern *p = config->tables[t]; p->apply; p++)
			if (is_enabled(config, p))
				add_pattern(c, p);
	for (int64_t i = 0; i < config->max_rounds && run_round(c, root); i++)
		;
}
