/* The greedy driver, MLIR's.
 *
 * A round starts by reading the root in order: equal constants of one function (or other isolated op) become one, and a constant
 * that does not stand at the top of it, in a run of constants, is moved to its very front; all other ops go on the work list. Then
 * ops are taken from the list: a dead one is erased, else its patterns are tried. Rounds go on until one changes nothing. */
#include "optimize/legalize/name_list.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/rewrite.h"
#include "optimize/side_effects.h"

/* Ops that MLIR knows as constants; sdy.constant is none, so that its copies keep their shardings. */
static const enum sr_op_code constants[] = {SR_OP_stablehlo_constant, SR_OP_chlo_constant};

struct driver {
	struct sr_rewriter rw;
	const struct sr_pattern **by_code[SR_OP_COUNT]; /* NULL-terminated; NULL: none */
	struct sr_map unique; /* of one isolated op: value attribute -> struct unique */
	struct sr_map owned;  /* constants that are one of the unique ones */
};

struct unique {
	const struct sr_type *type;
	int code;
	struct sr_op *op;
	struct unique *next;
};

static bool is_constant(const struct sr_op *op)
{
	for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
		if (sr_op_is(op, constants[i]))
			return true;
	return false;
}

/* ---------------------------------------------------------------- constants */

/* The block at whose front constants of this block stand: that of the nearest isolated (or unknown) op around it. */
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
	else if (block->first == op || (op->prev && sr_map_has(&c->owned, op->prev)))
		return;
	sr_op_move_before(op, block->first);
}

/* True where the constant is the first of its value. The key holds the block, since functions do not share constants. */
static bool enter_constant(struct driver *c, struct sr_op *op)
{
	struct sr_block *block = constant_block(op->block);
	struct sr_map *unique = sr_map_get(&c->unique, block);
	if (!unique) {
		unique = SR_NEW(c->rw.ctx->scratch, struct sr_map);
		sr_map_init(unique, c->rw.ctx->scratch);
		sr_map_put(&c->unique, block, unique);
	}
	void **at = sr_map_at(unique, sr_op_attr(op, SR_NAME_value));
	for (struct unique *u = *at; u; u = u->next)
		if (u->type == sr_result(op, 0)->type && u->code == op->info->code) {
			sr_rewrite_replace(&c->rw, op, sr_result(u->op, 0));
			return false;
		}
	struct unique *u = SR_NEW(c->rw.ctx->scratch, struct unique);
	*u = (struct unique){sr_result(op, 0)->type, op->info->code, op, *at};
	*at = u;
	move_to_front(c, op);
	sr_map_put(&c->owned, op, op);
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
	if (!c->rw.config->sharded && is_constant(op) && op->block && !enter_constant(c, op)) {
		c->rw.changed = true;
		return true;
	}
	if (op->block)
		sr_rewrite_notify_inserted(&c->rw, op);
	return true;
}

static void reverse(struct sr_rewriter *rw)
{
	for (size_t i = 0, j = rw->work.n; i + 1 < j; i++) {
		struct sr_op *op = rw->work.data[--j];
		rw->work.data[j] = rw->work.data[i];
		rw->work.data[i] = op;
	}
	for (size_t i = 0; i < rw->work.n; i++)
		if (rw->work.data[i])
			rw->work.data[i]->mark = (int)i + 1;
}

static bool apply_first(struct driver *c, const struct sr_pattern **patterns, struct sr_op *op)
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
		c->rw.changed = true;
		return;
	}
	int code = op->info->code;
	if ((code != SR_OP_UNREGISTERED && apply_first(c, c->by_code[code], op)) ||
	    apply_first(c, c->by_code[SR_OP_UNREGISTERED], op))
		c->rw.changed = true;
}

static bool run_round(struct driver *c, struct sr_op *root)
{
	sr_map_init(&c->unique, c->rw.ctx->scratch);
	sr_map_init(&c->owned, c->rw.ctx->scratch);
	c->rw.changed = false;
	c->rw.work.n = 0;
	sr_walk(root, clear_mark, NULL);
	if (c->rw.config->bottom_up) {
		sr_walk_post(root, collect, c);
	} else {
		sr_walk(root, collect, c);
		reverse(&c->rw);
	}
	while (c->rw.work.n) {
		struct sr_op *op = sr_pop(&c->rw.work);
		if (!op)
			continue;
		op->mark = 0;
		if (op != root)
			process(c, op);
	}
	return c->rw.changed;
}

/* ---------------------------------------------------------------- which patterns */

static bool wanted(const struct sr_rewrite_config *config, const struct sr_pattern *p)
{
	const char *label = p->label ? p->label : "";
	return (!config->only || !*config->only || sr_name_is_listed(config->only, label)) &&
	       !sr_name_is_listed(config->never, label);
}

static void add_pattern(struct driver *c, const struct sr_pattern *p)
{
	const struct sr_pattern **list = c->by_code[p->code];
	int n = 0;
	while (list && list[n])
		n++;
	c->by_code[p->code] = SR_NEWS(c->rw.ctx->scratch, const struct sr_pattern *, n + 2);
	for (int i = 0; i < n; i++)
		c->by_code[p->code][i] = list[i];
	c->by_code[p->code][n] = p;
}

void sr_rewrite_greedily(struct sr_context *ctx, struct sr_op *root, const struct sr_rewrite_config *config)
{
	struct driver *c = SR_NEW(ctx->scratch, struct driver);
	c->rw.ctx = ctx;
	c->rw.config = config;
	for (int t = 0; t < SR_REWRITE_TABLES && config->tables[t]; t++)
		for (const struct sr_pattern *p = config->tables[t]; p->apply; p++)
			if (wanted(config, p))
				add_pattern(c, p);
	for (int64_t i = 0; i < config->max_rounds && run_round(c, root); i++)
		;
}
