/* loop-invariant-motion: hoist ops whose results are the same in every iteration out of while loops.
 *
 * An op without side effects, or a collective, is invariant if its operands are defined outside the loop, are invariant, or are
 * carried values that the body yields unchanged. (The hoisted op reads the loop's operand instead.) A cheap op (trait CHEAP:
 * constant, broadcast, iota) is hoisted only if another hoisted op needs it: recomputing it in every iteration takes less time than
 * reading it. The same holds for masks that compare an index with a constant, or the sum of an index and a scalar, as on a shard:
 * they are constant in most iterations of a compiled loop nest, and for large sums and products of broadcast vectors, such as
 * the damping at the borders of a grid: the vectors stay in the cache. (Option hoist-masks is for interpreted nests, and hoists
 * both.) Inner loops are processed first, so that an op can be hoisted out of several nested loops. */
#include "dialect/ops.h"
#include "kernels/nest/nest.h"
#include "optimize/affine_pieces.h"
#include "optimize/pass_functions.h"
#include "optimize/side_effects.h"

enum {
	MAX_EXPANSION_OPS = 4,           /* sums and products that take less time than a read from memory */
	MIN_EXPANSION = 16,              /* elements of the result for each element of a vector */
	MIN_EXPANSION_BYTES = 256 << 10, /* smaller results stay in the cache */
};

struct motion {
	struct sr_context *ctx;
	int64_t max_bytes;
	bool hoists_masks; /* hoist masks of borders, too */
	struct sr_op *loop;
	struct sr_map invariant_ops; /* loop-invariant ops of the loop's body */
};

static bool results_fit(const struct motion *m, const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++) {
		int64_t bytes;
		const struct sr_type *type = op->results[i].type;
		if (type->kind != SR_TYPE_TENSOR || !sr_type_bytes(type, &bytes) || bytes > m->max_bytes)
			return false;
	}
	return true;
}

static bool is_passed_through(const struct motion *m, const struct sr_value *v)
{
	const struct sr_block *body = m->loop->regions[1].first;
	return !v->def && v->block == body && sr_operand(body->last, v->index) == v;
}

static bool is_invariant_value(void *data, struct sr_value *v)
{
	const struct motion *m = data;
	if (is_passed_through(m, v) || (v->def && sr_map_has(&m->invariant_ops, v->def)))
		return true;
	const struct sr_block *block = sr_value_block(v);
	return !sr_op_is_ancestor(m->loop, block->region->op);
}

/* Return true if the op may leave its loop: its operands, and those of the ops in its regions, are loop-invariant or defined within
 * the op. */
static bool can_move(struct motion *m, struct sr_op *op)
{
	if (op->info->traits & SR_TERMINATOR || !(sr_op_is_removable(op) || op->info->traits & SR_COLLECTIVE) || op->n_results == 0)
		return false;
	return results_fit(m, op) && sr_walk_outer_operands(op, is_invariant_value, m);
}

static bool move_use(void *data, struct sr_op *op);

/* Return true if the op broadcasts a value with a small part of its large result's elements. */
static bool expands_few_elements(const struct sr_op *op)
{
	int64_t n, n_source, bytes;
	return sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim) && sr_type_elements(op->results[0].type, &n) &&
	       sr_type_elements(sr_operand(op, 0)->type, &n_source) && n_source <= n / MIN_EXPANSION &&
	       sr_type_bytes(op->results[0].type, &bytes) && bytes >= MIN_EXPANSION_BYTES;
}

/* Move an op before the loop, after first moving the ops that define its operands. */
static void move(struct motion *m, struct sr_op *op)
{
	sr_walk(op, move_use, m);
	sr_op_move_before(op, m->loop);
}

/* Move the op that defines operand i of `op` before the loop. A copy of a large broadcast is moved if the loop's ops read it, too:
 * these would read the expanded array in each iteration. */
static void move_operand(struct motion *m, struct sr_op *op, int i)
{
	struct sr_value *v = sr_operand(op, i);
	struct sr_op *def = v->def;
	if (!m->hoists_masks && expands_few_elements(def) && v->uses->next) {
		def = sr_op_clone(m->ctx, def, NULL);
		sr_op_insert_before(v->def, def);
		sr_op_set_operand(op, i, sr_result(def, 0));
	}
	move(m, def);
}

static bool move_use(void *data, struct sr_op *op)
{
	struct motion *m = data;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		if (is_passed_through(m, v))
			sr_op_set_operand(op, i, sr_operand(m->loop, v->index));
		else if (v->def && v->def->block == m->loop->regions[1].first && sr_map_has(&m->invariant_ops, v->def))
			move_operand(m, op, i);
	}
	return true;
}

static bool is_sum(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_add) || sr_op_is(op, SR_OP_stablehlo_subtract);
}

/* Return true if v is an index, a constant, a scalar that is broadcast, or a sum or difference of those. */
static bool is_index(const struct sr_value *v)
{
	const struct sr_op *op = v->def;
	while (op && (sr_op_is(op, SR_OP_stablehlo_convert) || sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim))) {
		if (v->type->rank && !sr_operand(op, 0)->type->rank)
			return true;
		op = sr_operand(op, 0)->def;
	}
	return op && (is_sum(op) ? is_index(sr_operand(op, 0)) && is_index(sr_operand(op, 1))
				 : sr_op_is(op, SR_OP_stablehlo_iota) || sr_op_is(op, SR_OP_stablehlo_constant));
}

/* Return true if the op compares the index of a shard's element, the sum of an index and a scalar, with a constant. The grid's
 * border is presumed to be there. */
static bool is_border_of_shard(struct sr_context *ctx, const struct sr_op *op)
{
	const struct sr_value *index = sr_operand(op, 0);
	const struct sr_affine_pieces *number = sr_affine_pieces_of(ctx, sr_operand(op, 1));
	return number && number->dim < 0 && index->def && is_sum(index->def) && is_index(index) && !sr_affine_pieces_of(ctx, index);
}

/* Return true if the op is a comparison of an index with a constant that has one result for all but few indices, or combines such
 * comparisons. */
static bool is_border_mask(struct sr_context *ctx, const struct sr_op *op)
{
	bool is_logical = sr_op_is(op, SR_OP_stablehlo_and) || sr_op_is(op, SR_OP_stablehlo_or) || sr_op_is(op, SR_OP_stablehlo_not);
	for (int i = 0; is_logical && i < op->n_operands; i++)
		if (!sr_operand(op, i)->def || (!is_border_mask(ctx, sr_operand(op, i)->def) && !is_index(sr_operand(op, i))))
			return false;
	if (!sr_op_is(op, SR_OP_stablehlo_compare))
		return is_logical;
	const struct sr_affine_pieces *p = sr_affine_pieces_of(ctx, sr_result(op, 0));
	int64_t longest = 0;
	if (!p)
		return is_border_of_shard(ctx, op);
	for (int i = 0; i < p->n; i++)
		if (sr_affine_piece_end(p, i) - p->pieces[i].begin > longest)
			longest = sr_affine_piece_end(p, i) - p->pieces[i].begin;
	return sr_nest_peels(p->extent, p->extent - longest) && is_index(sr_operand(op, 0)) && is_index(sr_operand(op, 1));
}

/* Return true if the op is a sum of indices that only masks of borders read. */
static bool is_border_index(struct sr_context *ctx, const struct sr_op *op)
{
	bool is_border = is_sum(op) && sr_result(op, 0)->type->rank && is_index(sr_result(op, 0));
	for (const struct sr_use *use = is_border ? sr_result(op, 0)->uses : NULL; is_border && use; use = use->next)
		is_border = is_border_mask(ctx, use->owner);
	return is_border;
}

/* Return true if sums and products compute v from values with a small part of its elements. *ops: increased by their number, up to
 * MAX_EXPANSION_OPS. */
static bool is_computed_from_few(const struct sr_value *v, int *ops)
{
	const struct sr_op *op = v->def;
	const struct sr_attr *number = sr_constant_value(v);
	if (number || (op && expands_few_elements(op)))
		return !number || number->dense->splat;
	bool is_one = op && (is_sum(op) || sr_op_is(op, SR_OP_stablehlo_multiply)) && ++*ops <= MAX_EXPANSION_OPS;
	for (int i = 0; is_one && i < op->n_operands; i++)
		is_one = is_computed_from_few(sr_operand(op, i), ops);
	return is_one;
}

/* Return true if few sums and products compute the op's large result from broadcast vectors, and only elementwise ops read it. */
static bool is_expansion(const struct sr_op *op)
{
	int ops = 0;
	bool is_one = op->n_results == 1 && op->results[0].type->kind == SR_TYPE_TENSOR &&
		      sr_dtype_is_float(op->results[0].type->dtype) && is_computed_from_few(&op->results[0], &ops);
	for (const struct sr_use *use = is_one ? op->results[0].uses : NULL; use && is_one; use = use->next)
		is_one = use->owner->info->traits & SR_ELEMENTWISE;
	return is_one;
}

static bool visit(void *data, struct sr_op *op)
{
	struct motion *m = data;
	if (!sr_op_is(op, SR_OP_stablehlo_while))
		return true;
	m->loop = op;
	sr_map_init(&m->invariant_ops, m->ctx->arena);
	struct sr_block *body = op->regions[1].first;
	for (struct sr_op *inner = body->first; inner; inner = inner->next)
		if (can_move(m, inner))
			sr_map_put(&m->invariant_ops, inner, inner);
	for (size_t i = 0; i < m->invariant_ops.n; i++) {
		struct sr_op *inner = m->invariant_ops.entries[i].value;
		bool is_kept = inner->info->traits & SR_REMATERIALIZABLE ||
			       (!m->hoists_masks && (is_border_mask(m->ctx, inner) || is_border_index(m->ctx, inner) ||
						     is_expansion(inner)));
		if (inner->block == body && !is_kept)
			move(m, inner);
	}
	return true;
}

enum sr_status sr_run_loop_invariant_motion(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct motion m = {.ctx = ctx, .max_bytes = sr_option_int(options, "max-bytes"),
			   .hoists_masks = sr_option_bool(options, "hoist-masks")};
	sr_walk_post(root, visit, &m);
	return SR_OK;
}
