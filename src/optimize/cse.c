/* cse: common subexpression elimination, equivalent to MLIR's pass of that name.
 *
 * Ops are visited in order, with a hash table of the ops seen and one scope per region, so that a replacement dominates the op it
 * replaces. Ops are equal if names, operands in order, attributes, result types and regions (op by op, inner values corresponding)
 * are equal. Regions are processed before their op; an isolated op starts an empty table. Cost: linear in the module.
 *
 * With the option `collectives`, which MLIR lacks, the pass also merges equal collectives of a partitioned module, for example two
 * all_gathers of one value over the same groups. This is safe because a device that reaches the second collective has taken part in
 * the first. */
#include "optimize/pass_functions.h"
#include "optimize/side_effects.h"
#include "support/vec.h"

struct table_entry {
	struct sr_op *op;
	uint64_t hash;
	struct table_entry *next; /* next entry in the same hash bucket */
	struct table_entry *older; /* entry that was inserted before this one; leaving a scope removes entries in this order */
};

struct table {
	struct table_entry **buckets; /* hash buckets, length: n_buckets, a power of two or 0 */
	size_t n_buckets, n;
	struct table_entry *newest;
};

struct cse {
	struct sr_context *ctx;
	bool merges_collectives;
	SR_VEC(struct sr_op *) dead;
};

/* ---------------------------------------------------------------- equality */

static bool regions_equal(struct sr_map *map, const struct sr_region *a, const struct sr_region *b);

/* Return true if two ops are equal. `map`: correspondence of the values inside a's regions to values inside b's. */
static bool ops_equal(struct sr_map *map, const struct sr_op *a, const struct sr_op *b)
{
	if (a->info != b->info || a->n_operands != b->n_operands || a->n_results != b->n_results || a->n_attrs != b->n_attrs ||
	    a->n_regions != b->n_regions)
		return false;
	for (int i = 0; i < a->n_operands; i++) {
		void *mapped_value = map->n ? sr_map_get(map, sr_operand(a, i)) : NULL;
		if ((mapped_value ? mapped_value : sr_operand(a, i)) != sr_operand(b, i))
			return false;
	}
	for (int i = 0; i < a->n_results; i++)
		if (a->results[i].type != b->results[i].type)
			return false;
	for (int i = 0; i < a->n_attrs; i++)
		if (a->attrs[i].name != b->attrs[i].name || a->attrs[i].value != b->attrs[i].value)
			return false;
	for (int i = 0; i < a->n_regions; i++)
		if (!regions_equal(map, &a->regions[i], &b->regions[i]))
			return false;
	return true;
}

static bool blocks_equal(struct sr_map *map, const struct sr_block *a, const struct sr_block *b)
{
	if (a->n_args != b->n_args)
		return false;
	for (int i = 0; i < a->n_args; i++) {
		if (a->args[i]->type != b->args[i]->type)
			return false;
		sr_map_put(map, a->args[i], b->args[i]);
	}
	const struct sr_op *x = a->first, *y = b->first;
	for (; x && y; x = x->next, y = y->next) {
		if (!ops_equal(map, x, y))
			return false;
		for (int i = 0; i < x->n_results; i++)
			sr_map_put(map, &x->results[i], &y->results[i]);
	}
	return x == y;
}

static bool regions_equal(struct sr_map *map, const struct sr_region *a, const struct sr_region *b)
{
	const struct sr_block *x = a->first, *y = b->first;
	for (; x && y; x = x->next, y = y->next)
		if (!blocks_equal(map, x, y))
			return false;
	return x == y;
}

static uint64_t hash_op(const struct sr_op *op)
{
	uint64_t h = (uint64_t)(uintptr_t)op->info;
	for (int i = 0; i < op->n_operands; i++)
		h = sr_hash_mix(h, (uint64_t)(uintptr_t)sr_operand(op, i));
	for (int i = 0; i < op->n_attrs; i++)
		h = sr_hash_mix(h, (uint64_t)(uintptr_t)op->attrs[i].value);
	for (int i = 0; i < op->n_results; i++)
		h = sr_hash_mix(h, (uint64_t)(uintptr_t)op->results[i].type);
	return h ^ h >> 32;
}

/* ---------------------------------------------------------------- hash table */

static struct table_entry **bucket(const struct table *t, uint64_t hash)
{
	return &t->buckets[hash & (t->n_buckets - 1)];
}

static struct sr_op *lookup(struct cse *c, const struct table *t, const struct sr_op *op, uint64_t hash)
{
	for (struct table_entry *k = t->n ? *bucket(t, hash) : NULL; k; k = k->next) {
		struct sr_map map;
		sr_map_init(&map, c->ctx->scratch);
		if (k->hash == hash && ops_equal(&map, op, k->op))
			return k->op;
	}
	return NULL;
}

/* Double the number of buckets. The newest entry stays first in each bucket, as leave_scope requires. */
static void grow_table(struct cse *c, struct table *t)
{
	struct table_entry *oldest_first = NULL;
	for (struct table_entry *k = t->newest; k; k = k->older) {
		k->next = oldest_first;
		oldest_first = k;
	}
	t->n_buckets = t->n_buckets ? 2 * t->n_buckets : 64;
	t->buckets = SR_NEW_ARRAY(c->ctx->scratch, struct table_entry *, t->n_buckets);
	for (struct table_entry *k = oldest_first, *next; k; k = next) {
		struct table_entry **at = bucket(t, k->hash);
		next = k->next;
		k->next = *at;
		*at = k;
	}
}

static void insert_op(struct cse *c, struct table *t, struct sr_op *op, uint64_t hash)
{
	if (t->n++ == t->n_buckets)
		grow_table(c, t);
	struct table_entry *k = SR_NEW(c->ctx->scratch, struct table_entry), **at = bucket(t, hash);
	*k = (struct table_entry){op, hash, *at, t->newest};
	*at = t->newest = k;
}

static void leave_scope(struct table *t, struct table_entry *outer_newest)
{
	for (; t->newest != outer_newest; t->newest = t->newest->older, t->n--)
		*bucket(t, t->newest->hash) = t->newest->next;
}

/* ---------------------------------------------------------------- traversal */

/* Return true for collectives without a token, whose results depend only on the devices' operands. */
static bool is_repeatable(const struct sr_op *op)
{
	return op->info->traits & SR_COLLECTIVE && op->n_results == 1 && op->results[0].type->kind != SR_TYPE_TOKEN;
}

static void simplify_op(struct cse *c, struct table *t, struct sr_op *op)
{
	if (op->info->traits & SR_TERMINATOR)
		return;
	if (sr_op_is_trivially_dead(op)) {
		sr_push(c->ctx->scratch, &c->dead, op);
		return;
	}
	for (int i = 0; i < op->n_regions; i++)
		if (op->regions[i].first != op->regions[i].last)
			return;
	if (op->n_results == 0 || !(sr_op_is_pure(op) || (c->merges_collectives && is_repeatable(op))))
		return;
	uint64_t hash = hash_op(op);
	struct sr_op *old = lookup(c, t, op, hash);
	if (!old) {
		insert_op(c, t, op, hash);
		return;
	}
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), sr_result(old, i));
	if (old->loc->kind == SR_LOC_UNKNOWN)
		old->loc = op->loc;
	sr_push(c->ctx->scratch, &c->dead, op);
}

static void simplify_region(struct cse *c, struct table *t, struct sr_region *region);

static void simplify_block(struct cse *c, struct table *t, struct sr_block *block)
{
	for (struct sr_op *op = block->first; op; op = op->next) {
		struct table *inner = op->n_regions && (op->info->traits & SR_ISOLATED) ? SR_NEW(c->ctx->scratch, struct table) : t;
		for (int i = 0; i < op->n_regions; i++)
			simplify_region(c, inner, &op->regions[i]);
		simplify_op(c, t, op);
	}
}

static void simplify_region(struct cse *c, struct table *t, struct sr_region *region)
{
	for (struct sr_block *b = region->first; b; b = b->next) {
		struct table_entry *scope = t->newest;
		simplify_block(c, t, b);
		leave_scope(t, scope);
	}
}

enum sr_status sr_run_cse(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct cse c = {.ctx = ctx, .merges_collectives = sr_option_bool(options, "collectives")};
	for (int i = 0; i < root->n_regions; i++)
		simplify_region(&c, SR_NEW(ctx->scratch, struct table), &root->regions[i]);
	for (size_t i = 0; i < c.dead.n; i++)
		sr_op_erase(c.dead.data[i]);
	return SR_OK;
}
