/* shardrun-merge-products: compute several matrix products of few rows as one, as an unrolled recurrent network has them. A product
 * of few rows takes the time of reading the weights.
 *
 *	y1 = x1 @ W;  y2 = x2 @ W           =>    Y = [x1; x2] @ W, of which y1 and y2 are slices
 *	g = a1^T @ b1 + a2^T @ b2 + c       =>    g = [a1; a2]^T @ [b1; b2] + c
 *
 * Products of the same weights are merged if none depends on another. The sums are rounded in another order. The products of a
 * loop's iterations are for shardrun-chunk-loops. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "work/chunk/chunk.h"
#include "work/work_passes.h"
#include <stdlib.h>
#include <string.h>

/* No product is merged after as many walks over the ops of its block, for linear time, and at least as many ops. */
enum { MAX_WALKS = 256, MIN_WALKED = 1 << 22 };

struct product { /* product of two matrices; transposes of its operands are a part of it */
	struct sr_op *op;
	struct sr_value *operands[2];
	int contracted[2];         /* the contracted dimension of each operand */
	struct sr_chunk_sizes sizes;
	bool is_merged;
	struct sr_value *sum_term; /* of a sum: the product with its transposes and conversions */
	int n_before;              /* of products of the same weights: number of those in the longest chain that it depends on */
};

struct merge {
	struct sr_context *ctx;
	int64_t min_work;
	struct sr_block *block;
	int64_t n_ops, n_walked; /* number of ops of the block, and of those that were walked over to find dependences */
	int last_mark; /* mark of the users of the products that were merged last; larger than n_before of all products */
	SR_VEC(struct product) products;
};

static bool read_product(struct sr_context *ctx, struct sr_op *op, struct product *p)
{
	const int64_t *dims;
	int64_t n;
	*p = (struct product){.op = op};
	if (!sr_chunk_product_sizes(ctx, op, &p->sizes) || sr_result_type(op, 0)->rank != 2)
		return false;
	for (int side = 0; side < 2; side++) {
		struct sr_value *v = sr_operand(op, side);
		dims = sr_chunk_contracting_dims(ctx, op, side, &n);
		if (v->type->rank != 2 || n != 1)
			return false;
		int contracted = (int)dims[0];
		for (struct sr_op *t = v->def; t && sr_op_is(t, SR_OP_stablehlo_transpose); t = v->def) {
			sr_op_ints(ctx, t, SR_NAME_permutation, &dims, &n);
			contracted = (int)dims[contracted];
			v = sr_operand(t, 0);
		}
		p->operands[side] = v;
		p->contracted[side] = contracted;
	}
	return true;
}

static bool have_equal_attrs(const struct sr_op *a, const struct sr_op *b, const char *except)
{
	if (a->n_attrs != b->n_attrs)
		return false;
	for (int i = 0; i < a->n_attrs; i++)
		if (strcmp(a->attrs[i].name, b->attrs[i].name) != 0 ||
		    (a->attrs[i].value != b->attrs[i].value && !(except && strcmp(a->attrs[i].name, except) == 0)))
			return false;
	return true;
}

static bool are_alike(const struct product *a, const struct product *b)
{
	for (int side = 0; side < 2; side++)
		if (a->contracted[side] != b->contracted[side] || a->operands[side]->type->dtype != b->operands[side]->type->dtype)
			return false;
	return sr_result_type(a->op, 0)->dtype == sr_result_type(b->op, 0)->dtype &&
	       have_equal_attrs(a->op, b->op, SR_NAME_dot_dimension_numbers);
}

/* Return how many of n alike products become one product: of some SR_CHUNK_ROWS rows, and of SR_CHUNK_MAX_BYTES at most. side:
 * number of the operands with the rows; -1: the products are terms of a sum. 1: none are merged. */
static int products_per_merge(struct product *const *list, int n, int side)
{
	int64_t rows = 0, bytes = 1, size;
	for (int i = 0; i < n; i++) {
		const struct product *p = list[i];
		int64_t of_operands = sr_value_bytes(p->operands[0]) + sr_value_bytes(p->operands[1]);
		int64_t own = side < 0 ? of_operands : sr_value_bytes(sr_result(p->op, 0));
		rows += side < 0 ? p->sizes.contracted : p->sizes.free[side];
		bytes = own > bytes ? own : bytes;
	}
	size = rows > SR_CHUNK_ROWS ? (int64_t)n * SR_CHUNK_ROWS / rows : n;
	size = size > SR_CHUNK_MAX_BYTES / bytes ? SR_CHUNK_MAX_BYTES / bytes : size;
	if (size < 2)
		return 1;
	int64_t parts = (n + size - 1) / size;
	return (int)((n + parts - 1) / parts);
}

/* Build a product of these operands with the contracted dimensions, attributes and element type of product p. */
static struct sr_value *build_product(struct sr_builder *b, const struct product *p, struct sr_value *const operands[2])
{
	const struct sr_attr *contracting[2];
	int64_t shape[2];
	for (int side = 0; side < 2; side++) {
		contracting[side] = sr_attr_i64s(b->ctx, &(int64_t){p->contracted[side]}, 1);
		shape[side] = operands[side]->type->shape[!p->contracted[side]];
	}
	struct sr_op *copy = sr_chunk_clone_product(b->ctx, p->op, operands, contracting);
	sr_result(copy, 0)->type = sr_type_with_shape(b->ctx, sr_result_type(p->op, 0), 2, shape);
	sr_op_insert_before(b->anchor, copy);
	return sr_result(copy, 0);
}

/* Concatenate operands `side` of n products along dimension `dim`. */
static struct sr_value *concatenate_operands(struct sr_builder *b, struct product *const *list, int n, int side, int dim)
{
	struct sr_value **v = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, n);
	for (int i = 0; i < n; i++)
		v[i] = list[i]->operands[side];
	return sr_build_concatenate(b, v, n, dim);
}

/* ---- products of the same weights ---- */

struct dependence {
	const struct sr_block *block;
	int mark; /* the largest mark of the ops of the block that define operands */
};

static bool add_dependence(void *data, struct sr_value *v)
{
	struct dependence *d = data;
	if (v->def && v->def->block == d->block && v->def->mark > d->mark)
		d->mark = v->def->mark;
	return true;
}

static int largest_mark(struct merge *m, struct sr_op *op)
{
	struct dependence d = {m->block, 0};
	m->n_walked++;
	sr_walk_outer_operands(op, add_dependence, &d);
	return d.mark;
}

static bool has_walks_left(const struct merge *m)
{
	return m->n_walked < MIN_WALKED || m->n_walked < MAX_WALKS * m->n_ops;
}

/* Set n_before of n products, in the order of the block. */
static void find_dependences(struct merge *m, struct product *const *list, int n)
{
	int next = 0;
	for (struct sr_op *op = m->block->first; op; op = op->next) {
		op->mark = largest_mark(m, op);
		if (next < n && list[next]->op == op) {
			list[next++]->n_before = op->mark;
			op->mark++;
		}
	}
}

/* Move the ops that depend on one of n products, the first of which is list[0], to a place just before `end`. Return false, and
 * move none, if one of them has effects. */
static bool move_users(struct merge *m, struct product *const *list, int n, struct sr_op *end)
{
	SR_VEC(struct sr_op *) users = {0};
	int next = 1, own = ++m->last_mark;
	list[0]->op->mark = own;
	for (struct sr_op *op = list[0]->op->next; op != end; op = op->next) {
		if (next < n && op == list[next]->op) {
			op->mark = own;
			next++;
			continue;
		}
		op->mark = largest_mark(m, op);
		if (op->mark != own)
			continue;
		if (!sr_op_is_pure(op))
			return false;
		sr_push(m->ctx->scratch, &users, op);
	}
	for (size_t i = 0; i < users.n; i++)
		sr_op_move_before(users.data[i], end);
	return true;
}

/* Merge n products, in the order of the block, whose operands `side` have the rows. */
static void merge_rows(struct merge *m, struct product *const *list, int n, int side)
{
	const struct product *first = list[0], *last = list[n - 1];
	int64_t at = 0;
	if (n < 2 || !has_walks_left(m) || !move_users(m, list, n, last->op->next))
		return;
	struct sr_builder b = {.ctx = m->ctx, .block = m->block, .anchor = last->op->next, .loc = first->op->loc};
	struct sr_value *operands[2];
	operands[side] = concatenate_operands(&b, list, n, side, !first->contracted[side]);
	operands[!side] = first->operands[!side];
	struct sr_value *v = build_product(&b, first, operands);
	for (int i = 0; i < n; i++) {
		sr_value_replace_all(sr_result(list[i]->op, 0), sr_build_slice_dim(&b, v, side, at, list[i]->sizes.free[side], 1));
		at += list[i]->sizes.free[side];
		list[i]->is_merged = true;
	}
}

/* Compare products by n_before, and equal ones by their places in the block. */
static int compare_places(const void *a, const void *b)
{
	const struct product *x = *(struct product *const *)a, *y = *(struct product *const *)b;
	if (x->n_before != y->n_before)
		return x->n_before < y->n_before ? -1 : 1;
	return x->op == y->op ? 0 : sr_op_is_before(x->op, y->op) ? -1 : 1;
}

struct group { /* products of the same weights */
	SR_VEC(struct product *) products;
};

/* Merge the products of the group that are like product i. */
static void merge_group(struct merge *m, const struct group *g, size_t i, int side)
{
	struct group alike = {0};
	struct product **list;
	for (size_t k = 0; k < g->products.n; k++) {
		struct product *other = g->products.data[k];
		bool is_alike = !other->is_merged && are_alike(g->products.data[i], other);
		if (k == i ? other->is_merged : k < i && is_alike) /* they have been tried with an earlier product */
			return;
		other->n_before = 0;
		if (is_alike)
			sr_push(m->ctx->scratch, &alike.products, other);
	}
	if (alike.products.n < 2 || !has_walks_left(m))
		return;
	list = alike.products.data;
	qsort(list, alike.products.n, sizeof *list, compare_places);
	find_dependences(m, list, (int)alike.products.n);
	qsort(list, alike.products.n, sizeof *list, compare_places);
	for (int n_left = (int)alike.products.n, n = 0; n_left > 0; n_left -= n, list += n) {
		for (n = 1; n < n_left && list[n]->n_before == list[0]->n_before;)
			n++;
		int size = products_per_merge(list, n, side);
		if (size > 1) /* earlier merges have moved ops */
			qsort(list, (size_t)n, sizeof *list, compare_places);
		for (int k = 0; k < n; k += size)
			merge_rows(m, list + k, n - k < size ? n - k : size, side);
	}
}

/* Merge products of the same weights, which are operand !side of each. */
static void merge_same_weights(struct merge *m, int side)
{
	SR_VEC(struct group *) groups = {0};
	struct sr_map of_weights;
	sr_map_init(&of_weights, m->ctx->scratch);
	for (size_t i = 0; i < m->products.n; i++) {
		struct product *p = &m->products.data[i];
		struct group *g = sr_map_get(&of_weights, p->operands[!side]);
		if (p->is_merged || !sr_chunk_is_slow(m->min_work, &p->sizes, p->sizes.free[side]))
			continue;
		if (!g) {
			g = SR_NEW(m->ctx->scratch, struct group);
			sr_map_put(&of_weights, p->operands[!side], g);
			sr_push(m->ctx->scratch, &groups, g);
		}
		sr_push(m->ctx->scratch, &g->products, p);
	}
	for (size_t k = 0; k < groups.n; k++)
		for (size_t i = 0; i + 1 < groups.data[k]->products.n; i++)
			merge_group(m, groups.data[k], i, side);
}

/* ---- sums of products ---- */

/* Return the addition of the block that is the only reader of v; NULL: none. */
static struct sr_op *reading_addition(const struct merge *m, const struct sr_value *v)
{
	struct sr_op *op = sr_value_has_one_use(v) ? v->uses->owner : NULL;
	return op && op->block == m->block && sr_op_is(op, SR_OP_stablehlo_add) ? op : NULL;
}

struct sum {
	SR_VEC(struct sr_value *) terms;
	SR_VEC(struct product) products; /* terms that are products of few terms each, perhaps transposed or converted */
};

/* Gather the terms of the addition, and of those that only it reads. */
static void gather_terms(const struct merge *m, struct sr_op *addition, struct sum *s)
{
	SR_VEC(struct sr_value *) open = {0};
	sr_push(m->ctx->scratch, &open, sr_operand(addition, 1));
	sr_push(m->ctx->scratch, &open, sr_operand(addition, 0));
	while (open.n) {
		struct sr_value *v = open.data[--open.n];
		bool is_own = v->def && v->def->block == m->block && sr_value_has_one_use(v);
		if (is_own && sr_op_is(v->def, SR_OP_stablehlo_add)) {
			sr_push(m->ctx->scratch, &open, sr_operand(v->def, 1));
			sr_push(m->ctx->scratch, &open, sr_operand(v->def, 0));
			continue;
		}
		struct sr_op *op = sr_chunk_product_of_term(m->block, v);
		struct product p;
		sr_push(m->ctx->scratch, &s->terms, v);
		if (op && read_product(m->ctx, op, &p) && sr_chunk_is_slow(m->min_work, &p.sizes, p.sizes.contracted)) {
			p.sum_term = v;
			sr_push(m->ctx->scratch, &s->products, p);
		}
	}
}

/* Return true if two terms are equal functions of their products. */
static bool have_equal_chains(const struct product *a, const struct product *b)
{
	const struct sr_op *x = a->sum_term->def, *y = b->sum_term->def;
	for (; x != a->op && y != b->op; x = sr_operand(x, 0)->def, y = sr_operand(y, 0)->def)
		if (x->info != y->info || sr_result_type(x, 0) != sr_result_type(y, 0) || !have_equal_attrs(x, y, NULL))
			return false;
	return x == a->op && y == b->op && sr_result_type(x, 0) == sr_result_type(y, 0);
}

/* Build the sum of n products as one product, with their transposes and conversions. */
static struct sr_value *build_sum(struct sr_builder *b, struct product *const *list, int n)
{
	struct sr_value *operands[2];
	struct sr_map values;
	for (int side = 0; side < 2; side++)
		operands[side] = concatenate_operands(b, list, n, side, list[0]->contracted[side]);
	sr_map_init(&values, b->ctx->scratch);
	sr_map_put(&values, sr_result(list[0]->op, 0), build_product(b, list[0], operands));
	for (struct sr_op *op = list[0]->op; op != list[0]->sum_term->def;) {
		op = sr_result(op, 0)->uses->owner;
		sr_op_insert_before(b->anchor, sr_op_clone(b->ctx, op, &values));
	}
	return sr_map_get(&values, list[0]->sum_term);
}

/* Merge the products among the terms of an addition. */
static void merge_sum(struct merge *m, struct sr_op *addition)
{
	struct sum s = {0};
	SR_VEC(struct product *) alike = {0};
	SR_VEC(struct sr_value *) sums = {0};
	struct sr_builder b = {.ctx = m->ctx, .block = m->block, .anchor = addition, .loc = addition->loc};
	gather_terms(m, addition, &s);
	for (size_t i = 0; i + 1 < s.products.n; i++) {
		alike.n = 0;
		for (size_t k = i; k < s.products.n && !s.products.data[i].is_merged; k++)
			if (!s.products.data[k].is_merged && are_alike(&s.products.data[i], &s.products.data[k]) &&
			    have_equal_chains(&s.products.data[i], &s.products.data[k]))
				sr_push(m->ctx->scratch, &alike, &s.products.data[k]);
		int n = (int)alike.n, size = n ? products_per_merge(alike.data, n, -1) : 1;
		for (int k = 0; k < n && size > 1; k += size) {
			int n_merged = n - k < size ? n - k : size;
			if (n_merged > 1)
				sr_push(m->ctx->scratch, &sums, build_sum(&b, alike.data + k, n_merged));
			for (int l = k; l < k + n_merged && n_merged > 1; l++)
				alike.data[l]->is_merged = true;
		}
	}
	if (!sums.n)
		return;
	const struct product *next = s.products.data, *end = next + s.products.n;
	for (size_t i = 0; i < s.terms.n; i++) {
		bool is_product = next < end && next->sum_term == s.terms.data[i];
		if (!is_product || !next->is_merged)
			sr_push(m->ctx->scratch, &sums, s.terms.data[i]);
		next += is_product;
	}
	struct sr_value *v = sums.data[0];
	for (size_t i = 1; i < sums.n; i++)
		v = sr_build_binary(&b, SR_OP_stablehlo_add, v, sums.data[i]);
	sr_value_replace_all(sr_result(addition, 0), v);
}

/* ---- the pass ---- */

static void merge_block(struct merge *m)
{
	SR_VEC(struct sr_op *) additions = {0};
	struct product p;
	for (struct sr_op *op = m->block->first; op; op = op->next) {
		bool is_sum = sr_op_is(op, SR_OP_stablehlo_add) && sr_result_type(op, 0)->rank >= 1 &&
			      sr_dtype_is_float(sr_result_type(op, 0)->dtype) && !reading_addition(m, sr_result(op, 0));
		if (is_sum)
			sr_push(m->ctx->scratch, &additions, op);
	}
	for (size_t i = 0; i < additions.n; i++)
		merge_sum(m, additions.data[i]);
	if (additions.n)
		sr_chunk_erase_unused_ops(m->block);
	for (struct sr_op *op = m->block->first; op; op = op->next, m->n_ops++)
		if (read_product(m->ctx, op, &p))
			sr_push(m->ctx->scratch, &m->products, p);
	m->last_mark = (int)m->products.n;
	for (int side = 0; side < 2; side++)
		merge_same_weights(m, side);
	if (m->products.n)
		sr_chunk_erase_unused_ops(m->block);
}

static bool visit(void *data, struct sr_op *op)
{
	const struct merge *options = data;
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *block = op->regions[r].first; block; block = block->next) {
			struct sr_arena_position mark = sr_arena_mark(options->ctx->scratch);
			struct merge m = {.ctx = options->ctx, .min_work = options->min_work, .block = block};
			merge_block(&m);
			sr_arena_release(options->ctx->scratch, mark);
		}
	return true;
}

enum sr_status sr_run_merge_products(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	bool is_on;
	enum sr_status status = sr_chunk_read_mode(ctx, options, &is_on);
	struct merge m = {.ctx = ctx, .min_work = is_on ? 0 : SR_CHUNK_MIN_WORK};
	if (!status && strcmp(sr_option_string(options, "mode"), "off") != 0)
		sr_walk_post(module, visit, &m);
	return status;
}
