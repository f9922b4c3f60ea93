/* shardrun-strip-mine: compute a group of ops between matrix products block by block, so that a large value between the products is
 * never in memory as a whole (loop fusion and strip-mining, Wolfe 1989). Attention is such a group: its matrix of scores has a row
 * for each query, and no op between the products mixes rows.
 *
 *	s = dot_general(q, k)                    while (block of rows r of each matrix of the batch):
 *	p = softmax(s)                   =>          s' = dot_general(q[r], k);  p' = softmax(s')
 *	o = dot_general(p, v)                        o[r] = dot_general(p', v)
 *
 * A group grows from a seed, a product whose result is large, wide and has at most MAX_CONTRACTED multiply-adds per element:
 *
 * - Wide operands of the group's ops are computed in the loop, too (copies): masks, and in a backward pass the scores of the
 *   forward pass, so that the forward pass need not keep them. Operands that are not wide are read by slices.
 * - Users of the group's wide values, and of reductions of them, join the group (members), if they keep rows apart, up to products
 *   whose result is not wide. A product that contracts the rows (the gradients of keys and values) is a sum over the blocks.
 * - No op of the group may depend on an op outside that depends on the group.
 *
 * A scatter is a seed, too: its large updates, such as the messages of a graph's edges, are copies if nothing else reads them and
 * they are computed from small values and by gathers. Each block of them is scattered into the result of the blocks before, in the
 * order of the whole scatter, so that no bit changes.
 *
 * The loop pays off if no wide value of the group has users outside. Seeds are tried from the end of a block: a backward pass that
 * computes the scores again is the condition for the forward pass to drop them. */
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "dialect/trip_count.h"
#include "support/integers.h"
#include "work/strip/strip.h"
#include "work/work_passes.h"
#include <stdlib.h>
#include <string.h>

enum {
	MAX_CONTRACTED = 256, /* maximum multiply-adds per element of a wide product: more are not computed twice */
	MAX_CHAIN = 4,        /* maximum ops between a copy and a product that joins the group because of it */
	MAX_DEPTH = 64,       /* maximum length of a chain of copies */
	MIN_ROWS = 64, MAX_ROWS = 128, /* limits of the rows of a block for each thread */
	DEFAULT_THREADS = 2, /* if the number of threads is not known */
	MIN_BLOCKS = 4
};

struct search {
	struct sr_context *ctx;
	int64_t min_bytes;   /* minimum bytes of the seed's result */
	int64_t block_bytes; /* bytes of the seed's result in a block, between the limits of rows */
	int64_t rows;        /* rows of a block; 0: by block_bytes */
	int64_t threads;     /* threads that share a block */
};

bool sr_strip_is_wide(const struct sr_strip_group *g, const struct sr_value *v, const struct sr_strip_dims *dims)
{
	return dims->dim[g->n_loops - 1] >= 0 && sr_strip_width(g, v, dims) >= g->columns;
}

static bool is_member(const struct sr_op *op)
{
	return op->mark & SR_STRIP_MEMBER;
}

bool sr_strip_has_outer_use(const struct sr_strip_group *g, const struct sr_op *member)
{
	for (const struct sr_use *use = sr_result(member, 0)->uses; use; use = use->next)
		if (use->owner->block != g->seed->block || !sr_strip_is_in(use->owner))
			return true;
	return false;
}

bool sr_strip_is_sum(const struct sr_strip_group *g, const struct sr_op *op)
{
	return is_member(op) && sr_strip_dims_of(g, op)->dim[g->n_loops - 1] < 0;
}

static void set_mark(struct sr_strip_group *g, struct sr_op *op, int flags)
{
	if (!op->mark && flags)
		sr_push(g->ctx->scratch, &g->marked, op);
	op->mark |= flags;
}

static void add_to_group(struct sr_strip_group *g, struct sr_op *op, const struct sr_strip_dims *dims, int mark)
{
	struct sr_strip_dims *own = SR_NEW(g->ctx->scratch, struct sr_strip_dims);
	*own = *dims;
	own->columns[0] = own->columns[1] = -1;
	sr_map_put(&g->dims, op, own);
	set_mark(g, op, mark | (sr_op_is(op, SR_OP_stablehlo_dot_general) ? SR_STRIP_OF_PRODUCT : 0));
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *def = sr_operand(op, i)->def;
		op->mark |= def && def->block == op->block && sr_strip_is_in(def) ? def->mark & SR_STRIP_OF_PRODUCT : 0;
	}
}

/* ---- operands ---- */

static bool provide(struct sr_strip_group *g, struct sr_value *v, const struct sr_strip_dims *dims, int depth);

/* Let the loop compute the op's result again, whose dimensions `dims` the loops run over. Return false if it cannot. */
static bool copy_op(struct sr_strip_group *g, struct sr_op *op, const struct sr_strip_dims *dims, int depth)
{
	if (!op || op->block != g->seed->block || depth > MAX_DEPTH || !sr_strip_knows_op(op) ||
	    (sr_op_is(op, SR_OP_stablehlo_gather) && !sr_op_is(g->seed, SR_OP_stablehlo_scatter)) ||
	    op->mark & (SR_STRIP_AFTER | SR_STRIP_READS) ||
	    (sr_op_is(op, SR_OP_stablehlo_dot_general) && sr_work_contracted_elements(g->ctx, op) > MAX_CONTRACTED))
		return false;
	for (int l = 0; l < g->n_loops; l++)
		if (dims->dim[l] >= 0 && sr_result_type(op, 0)->shape[dims->dim[l]] != g->extent[l])
			return false;
	if (!sr_strip_keeps_dims(g, op, dims))
		return false;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_strip_dims operand_dims = sr_strip_operand_dims(g, op, i, dims);
		if (!provide(g, sr_operand(op, i), &operand_dims, depth + 1))
			return false;
	}
	add_to_group(g, op, dims, SR_STRIP_COPY);
	return true;
}

/* Return true if the op makes a value of one repeated element, or of positions. */
static bool is_fill(const struct sr_op *op)
{
	return !op->n_operands || (sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim) && !sr_operand_type(op, 0)->rank);
}

/* Make sure that the loop can read the value, from the group or by slices. Return false if the group has it with other
 * dimensions. */
static bool provide(struct sr_strip_group *g, struct sr_value *v, const struct sr_strip_dims *dims, int depth)
{
	if (v->def && v->def->block == g->seed->block && sr_strip_is_in(v->def)) {
		bool is_equal = sr_strip_equal_dims(g, sr_strip_dims_of(g, v->def), dims);
		g->shared_iota = !is_equal && sr_op_is(v->def, SR_OP_stablehlo_iota) ? v->def : g->shared_iota;
		return is_equal;
	}
	if (v->def && (sr_strip_is_wide(g, v, dims) || is_fill(v->def)))
		copy_op(g, v->def, dims, depth);
	return true;
}

/* ---- members ---- */

/* Find the dimensions of the op's result from those of operand i, which is in the group. *row_dim: the operand's dimension of rows
 * if the op, a product, contracts it; else -1. */
static bool result_dims(struct sr_strip_group *g, struct sr_op *op, int i, struct sr_strip_dims *out, int *row_dim)
{
	const struct sr_strip_dims *in = sr_strip_dims_of(g, sr_operand(op, i)->def);
	*row_dim = -1;
	out->dim[g->n_loops] = -1;
	for (int l = 0; l < g->n_loops; l++) {
		int d = in->dim[l] < 0 ? SR_STRIP_LOST : sr_strip_result_dim(g->ctx, op, i, in->dim[l]);
		if (in->dim[l] >= 0 && d < 0 && l == g->n_loops - 1 && sr_op_is(op, SR_OP_stablehlo_dot_general)) {
			*row_dim = in->dim[l];
			d = SR_STRIP_NO_DIM;
		} else if (d < 0) {
			return false;
		}
		out->dim[l] = (int8_t)d;
	}
	return true;
}

/* Return true if users of the group's value may join the group: it is wide, or was reduced from wide values. */
static bool passes_on(const struct sr_strip_group *g, const struct sr_value *v)
{
	const struct sr_op *def = v->def;
	if (!def || def->block != g->seed->block || !sr_strip_is_in(def))
		return false;
	return sr_strip_is_wide(g, v, sr_strip_dims_of(g, def)) || (is_member(def) && !sr_op_is(def, SR_OP_stablehlo_dot_general));
}

/* Let the op join the group by its operand i. Return false if it cannot. */
static bool join_by(struct sr_strip_group *g, struct sr_op *op, int i, int mark)
{
	struct sr_strip_dims dims = {0};
	int row_dim;
	if (!sr_strip_knows_op(op) || sr_op_is(op, SR_OP_stablehlo_gather) || !result_dims(g, op, i, &dims, &row_dim))
		return false;
	for (int k = 0; k < op->n_operands; k++) {
		struct sr_strip_dims operand_dims = sr_strip_operand_dims(g, op, k, &dims);
		if (row_dim >= 0) {
			dims.summed[k] = (int8_t)(k == i ? row_dim : sr_strip_contracted_with(g->ctx, op, i, row_dim));
			operand_dims.dim[g->n_loops - 1] = dims.summed[k];
		}
		if (!provide(g, sr_operand(op, k), &operand_dims, 0))
			return false;
	}
	add_to_group(g, op, &dims, mark);
	return true;
}

static bool join(struct sr_strip_group *g, struct sr_op *op, int mark)
{
	for (int i = 0; i < op->n_operands; i++)
		if (passes_on(g, sr_operand(op, i)) && join_by(g, op, i, mark))
			return true;
	return false;
}

/* Let the loop compute v if at most `depth` elementwise ops and transposes compute it from a wide value of the group that depends
 * on a product. Return true if v is such a value then. */
static bool copy_chain(struct sr_strip_group *g, struct sr_value *v, int depth)
{
	struct sr_op *op = v->def;
	if (!op || op->block != g->seed->block || op->mark & (SR_STRIP_AFTER | SR_STRIP_READS))
		return false;
	if (!sr_strip_is_in(op) && depth && (sr_op_has(op, SR_ELEMENTWISE) || sr_op_is(op, SR_OP_stablehlo_transpose)))
		for (int i = 0; i < op->n_operands && !sr_strip_is_in(op); i++)
			if (copy_chain(g, sr_operand(op, i), depth - 1))
				join_by(g, op, i, SR_STRIP_COPY);
	return sr_strip_is_in(op) && op->mark & SR_STRIP_OF_PRODUCT && passes_on(g, v);
}

/* Return true if a product reads a wide value that the loop computes anyway, perhaps through elementwise ops. */
static bool reads_copy(struct sr_strip_group *g, struct sr_op *product)
{
	return copy_chain(g, sr_operand(product, 0), MAX_CHAIN) || copy_chain(g, sr_operand(product, 1), MAX_CHAIN);
}

static void extend_to(struct sr_strip_group *g, struct sr_op *op)
{
	if (!g->last_reader || sr_op_is_before(g->last_reader, op))
		g->last_reader = op;
}

/* Set a flag on the ops of the block that use the op's results, also inside of their regions. */
static void mark_users(struct sr_strip_group *g, const struct sr_op *op, int flag)
{
	const struct sr_block *block = g->seed->block;
	for (int r = 0; r < op->n_results; r++)
		for (const struct sr_use *use = sr_result(op, r)->uses; use; use = use->next) {
			struct sr_op *user = sr_op_ancestor_in(block, use->owner);
			if (!user)
				continue;
			set_mark(g, user, flag);
			if (flag == SR_STRIP_READS)
				extend_to(g, user);
		}
}

/* Let ops join the group, in order from `op` on. Copies found by an earlier call stay, unless they depend on members now. */
static void add_members(struct sr_strip_group *g, struct sr_op *op)
{
	for (size_t i = 0; i < g->marked.n; i++)
		g->marked.data[i]->mark &= g->marked.data[i] == g->seed ? ~0 : ~(SR_STRIP_MEMBER | SR_STRIP_READS | SR_STRIP_AFTER);
	bool is_behind_seed = false;
	for (; op && !(is_behind_seed && g->last_reader && sr_op_is_before(g->last_reader, op)); op = op->next) {
		is_behind_seed = is_behind_seed || op == g->seed;
		if (op->mark & (SR_STRIP_READS | SR_STRIP_AFTER))
			op->mark &= ~SR_STRIP_COPY;
		bool may_join = op != g->seed && !(op->mark & (SR_STRIP_ANCESTOR | SR_STRIP_AFTER)) && op->next;
		if (may_join && (op->mark & SR_STRIP_READS || (op->mark & SR_STRIP_CANDIDATE && reads_copy(g, op))) &&
		    !join(g, op, SR_STRIP_MEMBER) && op->mark & SR_STRIP_READS)
			op->mark |= SR_STRIP_AFTER;
		if (op->mark & SR_STRIP_AFTER)
			mark_users(g, op, SR_STRIP_AFTER);
		else if (is_member(op))
			mark_users(g, op, SR_STRIP_READS);
	}
}

/* ---- products that read copies ---- */

/* Return the op that computes the latest operand of the seed, before ops that only rearrange its elements; NULL if no op of the
 * block does. A product before this op is not likely to belong to the group: the gradient of values reads what the seed reads. */
static struct sr_op *latest_source(const struct sr_op *seed)
{
	struct sr_op *latest = NULL;
	for (int i = 0; i < 2; i++) {
		struct sr_op *def = sr_operand(seed, i)->def;
		while (def && def->block == seed->block &&
		       (sr_op_is(def, SR_OP_stablehlo_transpose) || sr_op_is(def, SR_OP_stablehlo_reshape)))
			def = sr_operand(def, 0)->def;
		if (def && def->block == seed->block && (!latest || sr_op_is_before(latest, def)))
			latest = def;
	}
	return latest;
}

/* Mark the products behind `from` that read the wide value v, perhaps through elementwise ops and transposes, as candidates. Return
 * the first of them and `first`. */
static struct sr_op *mark_candidates(struct sr_strip_group *g, const struct sr_value *v, const struct sr_op *from, int depth,
				     struct sr_op *first)
{
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_op *user = use->owner;
		if (user->block != g->seed->block || user->mark & SR_STRIP_IN)
			continue;
		if (!sr_op_is(user, SR_OP_stablehlo_dot_general)) {
			if (depth && (sr_op_has(user, SR_ELEMENTWISE) || sr_op_is(user, SR_OP_stablehlo_transpose)))
				first = mark_candidates(g, sr_result(user, 0), from, depth - 1, first);
		} else if (!from || sr_op_is_before(from, user)) {
			set_mark(g, user, SR_STRIP_CANDIDATE);
			extend_to(g, user);
			first = sr_op_is_before(user, first) ? user : first;
		}
	}
	return first;
}

/* Mark the ops behind `from` that the seed depends on. */
static void mark_ancestors(struct sr_strip_group *g, const struct sr_op *from)
{
	SR_VEC(struct sr_op *) stack = {0};
	sr_push(g->ctx->scratch, &stack, g->seed);
	while (stack.n) {
		struct sr_op *op = sr_pop(&stack);
		for (int i = 0; i < op->n_operands; i++) {
			struct sr_op *def = sr_operand(op, i)->def;
			if (!def || def->block != g->seed->block || def->mark & SR_STRIP_ANCESTOR || sr_op_is_before(def, from))
				continue;
			set_mark(g, def, SR_STRIP_ANCESTOR);
			sr_push(g->ctx->scratch, &stack, def);
		}
	}
}

/* Let products that read the group's copies join the group, too. */
static void add_readers_of_copies(struct sr_strip_group *g)
{
	const struct sr_op *from = latest_source(g->seed);
	struct sr_op *first = g->seed;
	size_t n_marked = g->marked.n;
	bool has_candidate = false;
	for (size_t i = 0; i < n_marked; i++) {
		const struct sr_op *op = g->marked.data[i];
		const int flags = SR_STRIP_COPY | SR_STRIP_OF_PRODUCT;
		if ((op->mark & flags) == flags && sr_strip_is_wide(g, sr_result(op, 0), sr_strip_dims_of(g, op)))
			first = mark_candidates(g, sr_result(op, 0), from, MAX_CHAIN, first);
	}
	for (size_t i = 0; i < g->marked.n; i++)
		has_candidate = has_candidate || g->marked.data[i]->mark & SR_STRIP_CANDIDATE;
	if (!has_candidate)
		return;
	mark_ancestors(g, first);
	add_members(g, first);
}

/* ---- search ---- */

/* Return true if the loop must compute the op: an op of the group uses it, or it makes a narrow value of a wide one. */
static bool is_needed(const struct sr_strip_group *g, const struct sr_op *op)
{
	for (const struct sr_use *use = sr_result(op, 0)->uses; use; use = use->next)
		if (use->owner->block == g->seed->block && sr_strip_is_in(use->owner))
			return true;
	if (!is_member(op) || sr_strip_is_wide(g, sr_result(op, 0), sr_strip_dims_of(g, op)))
		return false;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_value *v = sr_operand(op, i);
		const struct sr_op *def = v->def;
		if (def && def->block == g->seed->block && sr_strip_is_in(def) && sr_strip_is_wide(g, v, sr_strip_dims_of(g, def)))
			return true;
	}
	return false;
}

static int compare_order(const void *x, const void *y)
{
	struct sr_op *const *a = x, *const *b = y;
	return *a == *b ? 0 : sr_op_is_before(*a, *b) ? -1 : 1;
}

/* Collect the ops of the group in order, without those that nothing in the group needs. Return true if the group keeps its wide
 * values from memory. */
static bool finish_group(struct sr_strip_group *g)
{
	int n_results = 0;
	size_t n_needed = 0;
	bool has_wide_output = false;
	for (size_t i = 0; i < g->marked.n; i++)
		if (sr_strip_is_in(g->marked.data[i]))
			sr_push(g->ctx->scratch, &g->ops, g->marked.data[i]);
	qsort(g->ops.data, g->ops.n, sizeof *g->ops.data, compare_order);
	for (size_t i = g->ops.n; i-- > 0;) {
		struct sr_op *op = g->ops.data[i];
		if (!is_needed(g, op)) {
			op->mark = is_member(op) ? SR_STRIP_AFTER : op->mark & ~SR_STRIP_COPY;
			continue;
		}
		if (!is_member(op))
			continue;
		bool is_wide = sr_strip_is_wide(g, sr_result(op, 0), sr_strip_dims_of(g, op));
		g->last_member = g->last_member ? g->last_member : op;
		g->first_member = op;
		g->n_sums += sr_strip_is_sum(g, op);
		n_results += !is_wide && (sr_op_is(op, SR_OP_stablehlo_dot_general) || sr_op_is(op, SR_OP_stablehlo_reduce) ||
					  sr_op_is(op, SR_OP_stablehlo_scatter));
		has_wide_output = has_wide_output || (is_wide && sr_strip_has_outer_use(g, op));
	}
	for (size_t i = 0; i < g->ops.n; i++)
		if (sr_strip_is_in(g->ops.data[i]))
			g->ops.data[n_needed++] = g->ops.data[i];
	g->ops.n = n_needed;
	return n_results > 0 && is_member(g->seed) && !has_wide_output;
}

/* Return true if ops that execute after the loop can be moved behind the group's last member: they have no side effects, or are
 * collectives. */
static bool can_move_users(const struct sr_strip_group *g)
{
	for (const struct sr_op *op = g->first_member; op != g->last_member; op = op->next)
		if (op->mark & SR_STRIP_AFTER && !sr_op_is_pure(op) && !sr_op_has(op, SR_COLLECTIVE))
			return false;
	return true;
}

static void clear_marks(struct sr_strip_group *g)
{
	for (size_t i = 0; i < g->marked.n; i++)
		g->marked.data[i]->mark = 0;
}

/* Return true if a dimension of the product's operand i becomes dimension d of the result. */
static bool has_dim(struct sr_context *ctx, const struct sr_op *product, int i, int d)
{
	for (int k = 0; k < sr_operand_type(product, i)->rank; k++)
		if (sr_strip_result_dim(ctx, product, i, k) == d)
			return true;
	return false;
}

static bool is_batch_dim(struct sr_context *ctx, const struct sr_op *product, int d)
{
	return has_dim(ctx, product, 0, d) && has_dim(ctx, product, 1, d);
}

/* Return the number of matrices of a block: one for each thread, so that the rows that a thread computes stay in its cache. It
 * divides the extent. */
static int64_t block_of_batch(const struct search *s, int64_t extent)
{
	int64_t n = s->threads < extent ? s->threads : extent;
	while (extent % n)
		n--;
	return n;
}

/* Set the loops of the group: over the seed's batch dimensions and over dimension `rows` of its result. Return the number of
 * blocks. */
static int64_t set_loops(const struct search *s, struct sr_strip_group *g, int rows, struct sr_strip_dims *dims)
{
	const struct sr_type *t = sr_result_type(g->seed, 0);
	int64_t n_blocks = 1, n_rows = s->rows;
	g->columns = 1;
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] > 1 && is_batch_dim(s->ctx, g->seed, d)) {
			n_blocks *= g->extent[g->n_loops] = t->shape[d];
			g->block_extent[g->n_loops] = 1;
			dims->dim[g->n_loops++] = (int8_t)d;
		} else if (d != rows && t->shape[d] > g->columns) {
			g->columns = t->shape[d];
		}
	g->extent[g->n_loops] = t->shape[rows];
	dims->dim[g->n_loops++] = (int8_t)rows;
	dims->dim[g->n_loops] = -1;
	if (!n_rows) {
		int64_t n_matrices = g->n_loops > 1 ? block_of_batch(s, g->extent[g->n_loops - 2]) : 1;
		n_rows = s->block_bytes / (4 * sr_strip_width(g, sr_result(g->seed, 0), dims)) / MIN_ROWS * MIN_ROWS;
		n_rows = sr_min(sr_max(n_rows, MIN_ROWS), MAX_ROWS) * sr_max(s->threads / n_matrices, 1);
		if (g->n_loops > 1)
			g->block_extent[g->n_loops - 2] = n_matrices;
	}
	g->block_extent[g->n_loops - 1] = n_rows < t->shape[rows] ? n_rows : t->shape[rows];
	return n_blocks * ((t->shape[rows] - 1) / n_rows + 1);
}

/* Find the group that grows from the seed, to be computed in blocks along dimension `rows` of the seed's result. Return false if
 * there is none that pays off. The ops of the group stay marked. */
static bool find_group(const struct search *s, struct sr_strip_group *g, struct sr_op *seed, int rows)
{
	struct sr_strip_dims dims;
	*g = (struct sr_strip_group){.ctx = s->ctx, .seed = seed};
	sr_map_init(&g->dims, s->ctx->scratch);
	if (set_loops(s, g, rows, &dims) < MIN_BLOCKS)
		return false;
	add_to_group(g, seed, &dims, SR_STRIP_MEMBER);
	for (int i = 0; i < 2; i++) {
		struct sr_strip_dims operand_dims = sr_strip_operand_dims(g, seed, i, &dims);
		provide(g, sr_operand(seed, i), &operand_dims, 0);
	}
	add_members(g, seed);
	add_readers_of_copies(g);
	if (!finish_group(g) || !can_move_users(g))
		return false;
	sr_strip_set_ranges(g);
	return true;
}

/* Return true if the op is a product with a large result and few multiply-adds per element. */
static bool is_seed(const struct search *s, struct sr_op *op)
{
	int64_t bytes, out, in[2];
	return sr_op_is(op, SR_OP_stablehlo_dot_general) && sr_strip_knows_op(op) &&
	       sr_dtype_is_float(sr_result_type(op, 0)->dtype) && sr_type_bytes(sr_result_type(op, 0), &bytes) &&
	       bytes >= s->min_bytes &&
	       sr_type_elements(sr_result_type(op, 0), &out) && sr_type_elements(sr_operand_type(op, 0), &in[0]) &&
	       sr_type_elements(sr_operand_type(op, 1), &in[1]) && out >= 2 * (in[0] > in[1] ? in[0] : in[1]) &&
	       sr_work_contracted_elements(s->ctx, op) <= MAX_CONTRACTED;
}

/* Give each user of the iota its own. */
static void split_iota(struct sr_context *ctx, struct sr_op *iota)
{
	while (sr_result(iota, 0)->uses->next) {
		const struct sr_use *use = sr_result(iota, 0)->uses;
		struct sr_op *copy = sr_op_clone(ctx, iota, NULL);
		copy->mark = 0;
		sr_op_insert_before(iota, copy);
		sr_op_set_operand(use->owner, sr_use_index(use), sr_result(copy, 0));
	}
}

/* Replace the group of the seed by loops. Of the possible dimensions of rows, those of the left operand are tried first. Return the
 * last op behind the loops, or the last loop; NULL if there is no group. */
static struct sr_op *strip_mine(struct search *s, struct sr_op *seed)
{
	const struct sr_type *t = sr_result_type(seed, 0);
	struct sr_op *last = NULL;
	for (int d = 0; d < t->rank && !last; d++) {
		struct sr_strip_group g;
		if (t->shape[d] == 1 || is_batch_dim(s->ctx, seed, d))
			continue;
		bool is_found = find_group(s, &g, seed, d);
		while (g.shared_iota) {
			clear_marks(&g);
			split_iota(s->ctx, g.shared_iota);
			is_found = find_group(s, &g, seed, d);
		}
		if (is_found)
			last = sr_strip_build(&g);
		clear_marks(&g);
		sr_ops_reclaim(s->ctx);
	}
	return last;
}

/* ---- scatters ---- */

/* Return the scatter's dimension of updates along which its loop runs, the only one of its indices and the outermost; -1 if there
 * is none, or if a row of updates is short. */
static int rows_of_updates(const struct search *s, const struct sr_op *scatter, int *dim_of_indices)
{
	enum { MIN_COLUMNS = 16, CACHES = 8 }; /* updates that fit a few times the caches are as fast in one piece */
	const struct sr_type *indices = sr_operand_type(scatter, 1), *updates = sr_operand_type(scatter, 2);
	const struct sr_attr *numbers = sr_op_attr(scatter, SR_NAME_scatter_dimension_numbers);
	const struct sr_attr *batching = numbers ? sr_attr_field(numbers, SR_NAME_input_batching_dims) : NULL;
	int64_t bytes, n;
	int rows = -1;
	if (!numbers || (batching && batching->n) || !sr_type_is_static(updates) || !sr_type_is_static(indices) ||
	    !sr_type_bytes(updates, &bytes) || bytes / CACHES < s->min_bytes || !sr_type_elements(updates, &n))
		return -1;
	for (int d = 0; d < indices->rank; d++) {
		int dim = sr_strip_slices_dim(s->ctx, scatter, d);
		if (dim < 0)
			continue;
		if (rows >= 0)
			return -1;
		rows = dim;
		*dim_of_indices = d;
	}
	for (int d = 0; d < rows; d++)
		if (updates->shape[d] != 1)
			return -1;
	return rows >= 0 && n / sr_max(updates->shape[rows], 1) >= MIN_COLUMNS ? rows : -1;
}

/* Return true if the loop computes the updates, nothing else reads what it computes, and it reads no other large values: then the
 * updates are not in memory, and no nest that reads such values is divided. */
static bool computes_updates(const struct sr_strip_group *g)
{
	bool computes = false;
	for (size_t i = 0; i < g->ops.n; i++) {
		const struct sr_op *op = g->ops.data[i];
		bool is_view = sr_op_is(op, SR_OP_stablehlo_reshape) || sr_op_is(op, SR_OP_stablehlo_transpose);
		if (is_member(op) || is_fill(op))
			continue;
		computes = computes || !is_view;
		if (sr_strip_has_outer_use(g, op))
			return false;
		for (int k = 0; k < op->n_operands; k++) {
			const struct sr_value *v = sr_operand(op, k);
			struct sr_strip_dims dims = sr_strip_operand_dims(g, op, k, sr_strip_dims_of(g, op));
			bool is_own = v->def && v->def->block == g->seed->block && sr_strip_is_in(v->def);
			if (!is_own && sr_strip_is_wide(g, v, &dims))
				return false;
		}
	}
	return computes;
}

/* Find the ops that compute the updates of a scatter and that nothing else reads, to be computed in blocks of rows. */
static bool find_updates(const struct search *s, struct sr_strip_group *g, struct sr_op *scatter)
{
	enum { BLOCK_BYTES = 512 << 10 }; /* of the updates for each thread */
	struct sr_value *updates = sr_operand(scatter, 2);
	struct sr_strip_dims dims = {.dim = {-1, -1}, .summed = {-1}}, rows = dims;
	int dim_of_indices = 0, dim = rows_of_updates(s, scatter, &dim_of_indices);
	if (dim < 0 || !sr_result(scatter, 0)->uses)
		return false;
	*g = (struct sr_strip_group){.ctx = s->ctx, .seed = scatter, .n_loops = 1, .n_ranges = 1};
	g->extent[0] = updates->type->shape[dim];
	sr_map_init(&g->dims, s->ctx->scratch);
	rows.dim[0] = dims.summed[2] = (int8_t)dim;
	dims.summed[1] = (int8_t)dim_of_indices;
	g->columns = sr_strip_width(g, updates, &rows);
	int64_t n_rows = s->rows ? s->rows : s->threads * BLOCK_BYTES / sr_dtype_bytes(updates->type->dtype) / g->columns;
	g->block_extent[0] = sr_max(n_rows, 1);
	if (g->extent[0] / MIN_BLOCKS < g->block_extent[0])
		return false;
	g->ranges = SR_NEW(s->ctx->scratch, struct sr_strip_rectangle);
	*g->ranges = (struct sr_strip_rectangle){0, g->extent[0], 0, g->columns};
	add_to_group(g, scatter, &dims, SR_STRIP_MEMBER);
	provide(g, updates, &rows, 0);
	return !g->shared_iota && finish_group(g) && computes_updates(g);
}

static struct sr_op *strip_updates(struct search *s, struct sr_op *scatter)
{
	struct sr_strip_group g = {0};
	struct sr_op *last = find_updates(s, &g, scatter) ? sr_strip_build(&g) : NULL;
	clear_marks(&g);
	sr_ops_reclaim(s->ctx);
	return last;
}

static void strip_mine_region(struct search *s, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next) {
		for (struct sr_op *op = block->first; op; op = op->next) {
			op->mark = 0;
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				strip_mine_region(s, &op->regions[i]);
		}
		for (struct sr_op *op = block->last, *last; op; op = last ? last : op->prev) {
			struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
			bool is_scatter = sr_op_is(op, SR_OP_stablehlo_scatter) && op->n_operands == 3;
			last = is_scatter ? strip_updates(s, op) : is_seed(s, op) ? strip_mine(s, op) : NULL;
			sr_arena_release(s->ctx->scratch, mark);
		}
	}
}

enum sr_status sr_run_strip_mine(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	enum { ROWS_IF_ON = 8 };
	struct sr_machine machine;
	struct search s = {.ctx = ctx, .min_bytes = sr_option_int(options, "min-bytes"), .rows = sr_option_int(options, "rows"),
			   .threads = sr_option_int(options, "threads")};
	const char *mode = sr_option_string(options, "mode");
	bool is_on = strcmp(mode, "on") == 0;
	if (strcmp(mode, "off") == 0)
		return SR_OK;
	if (!is_on && strcmp(mode, "auto") != 0)
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "mode is auto, on or off, not '%s'", mode);
	if (ctx->machine)
		machine = *ctx->machine;
	else
		sr_machine_default(&machine);
	s.block_bytes = machine.cache_bytes[SR_LEVEL_L2] + machine.cache_bytes[SR_LEVEL_L3] / 2;
	if (s.rows == 0 && is_on)
		s.rows = ROWS_IF_ON;
	if (s.min_bytes < 0)
		s.min_bytes = is_on ? 0 : machine.cache_bytes[SR_LEVEL_L2] + machine.cache_bytes[SR_LEVEL_L3];
	if (s.threads < 1)
		s.threads = DEFAULT_THREADS;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			strip_mine_region(&s, &op->regions[0]);
	sr_annotate_trip_counts(ctx, module);
	return SR_OK;
}
