/* Patterns of sdy.reshard that reduce the number of reshards. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/patterns.h"
#include "support/vec.h"

/* reshard(reshard(x)), the inner one without other users -> reshard(x) to the outer sharding. */
bool sr_pattern_reshard_of_reshard(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *inner = sr_operand(op, 0)->def;
	if (!inner || !sr_op_is(inner, SR_OP_sdy_reshard) || !sr_result(inner, 0)->uses || sr_result(inner, 0)->uses->next)
		return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *source = sr_operand(inner, 0);
	struct sr_named_attr attr = {SR_NAME_sharding, sr_op_attr(op, SR_NAME_sharding)};
	struct sr_op *new_op = sr_build(&b, SR_OP_sdy_reshard, &source, 1, &attr, 1, &sr_result(op, 0)->type, 1);
	sr_rewrite_notify_inserted(rw, new_op);
	sr_rewrite_replace(rw, op, sr_result(new_op, 0));
	return true;
}

/* ---------------------------------------------------------------- equal data in another shape */

static bool has_same_placement(struct sr_arena *arena, const struct sr_sharding *a, const struct sr_type *ta,
			       const struct sr_sharding *b, const struct sr_type *tb)
{
	if (!sr_type_is_static(ta) || !sr_type_is_static(tb) || ta->encoding || tb->encoding || a->rank != ta->rank ||
	    b->rank != tb->rank)
		return false;
	return sr_sharding_same_placement(arena, a, ta->shape, b, tb->shape, false);
}

/* ---------------------------------------------------------------- common reshards */

static bool moves_no_data(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_reshape) || sr_op_is(op, SR_OP_stablehlo_transpose);
}

/* Return the sharding that the root of a chain of reshapes and transposes must have so that v, the end of the chain, has
 * `sharding`. */
static struct sr_sharding sharding_at_root(struct sr_rewriter *rw, const struct sr_sharding *sharding, const struct sr_value *v)
{
	struct sr_sharding s = *sharding;
	for (const struct sr_op *op = v->def; op && moves_no_data(op); op = v->def) {
		v = sr_operand(op, 0);
		if (sr_op_is(op, SR_OP_stablehlo_reshape)) {
			if (v->type->rank != sr_result(op, 0)->type->rank)
				break;
			continue;
		}
		const int64_t *perm;
		int64_t n;
		sr_op_ints(rw->ctx, op, SR_NAME_permutation, &perm, &n);
		struct sr_dim_sharding *dims = SR_NEW_ARRAY(rw->ctx->arena, struct sr_dim_sharding, s.rank);
		for (int i = 0; i < s.rank; i++)
			dims[perm[i]] = s.dims[i];
		s.dims = dims;
	}
	return s;
}

/* Return the result of an earlier reshard in the block, of `root` or of a reshape of it, that places the data on devices as
 * `target` does; NULL: there is none. */
static struct sr_value *earlier_reshard(struct sr_rewriter *rw, struct sr_value *root, const struct sr_mesh *mesh,
					const struct sr_sharding *target, struct sr_op *op)
{
	SR_VEC(struct sr_value *) worklist = {0};
	struct sr_map visited;
	sr_map_init(&visited, rw->ctx->arena);
	sr_push(rw->ctx->arena, &worklist, root);
	while (worklist.n) {
		struct sr_value *v = sr_pop(&worklist);
		if (sr_map_has(&visited, v))
			continue;
		sr_map_put(&visited, v, v);
		for (const struct sr_use *use = v->uses; use; use = use->next) {
			struct sr_op *user = use->owner;
			if (user == op)
				continue;
			if (sr_op_is(user, SR_OP_stablehlo_reshape))
				sr_push(rw->ctx->arena, &worklist, sr_result(user, 0));
			if (sr_op_is(user, SR_OP_sdy_reshard) && user->block == op->block && sr_op_is_before(user, op) &&
			    has_same_placement(rw->ctx->arena,
					   sr_sharding_resolve(rw->ctx->arena, mesh, sr_op_attr(user, SR_NAME_sharding)->sharding),
					       sr_result(user, 0)->type, target, sr_result(op, 0)->type))
				return sr_result(user, 0);
		}
	}
	return NULL;
}

/* Return a builder that inserts after v's definition. */
static struct sr_builder builder_after(struct sr_rewriter *rw, const struct sr_value *v, const struct sr_op *op)
{
	struct sr_block *block = sr_value_block(v);
	return (struct sr_builder){.ctx = rw->ctx, .block = block, .anchor = v->def ? v->def->next : block->first, .loc = op->loc};
}

/* Clone the chain of ops from `root` to `target`, with `start` in place of `root`. */
static struct sr_value *repeat_chain(struct sr_rewriter *rw, const struct sr_value *root, struct sr_value *target,
				     struct sr_value *start)
{
	if (target == root)
		return start;
	struct sr_op *op = target->def, *copy = sr_op_clone(rw->ctx, op, NULL);
	struct sr_value *input = repeat_chain(rw, root, sr_operand(op, 0), start);
	sr_op_set_operand(copy, 0, input);
	struct sr_builder b = builder_after(rw, input, op);
	if (b.anchor)
		sr_op_insert_before(b.anchor, copy);
	else
		sr_op_append(b.block, copy);
	sr_rewrite_notify_inserted(rw, copy);
	return sr_result(copy, 0);
}

/* reshard that places data as an earlier reshard does, with reshapes and transposes between -> result of the earlier one,
 * reshaped. */
bool sr_pattern_repeated_reshard(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *input = sr_operand(op, 0), *root = input;
	while (root->def && moves_no_data(root->def))
		root = sr_operand(root->def, 0);
	const struct sr_sdy_sharding *to = sr_op_attr(op, SR_NAME_sharding)->sharding;
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(op), to);
	if (!mesh)
		return false;
	struct sr_sharding target = sharding_at_root(rw, sr_sharding_resolve(rw->ctx->arena, mesh, to), input);
	struct sr_value *earlier_value = earlier_reshard(rw, root, mesh, &target, op);
	if (!earlier_value)
		return false;
	if (earlier_value->type != root->type) {
		struct sr_builder b = builder_after(rw, earlier_value, op);
		struct sr_op *reshape = sr_build(&b, SR_OP_stablehlo_reshape, &earlier_value, 1, NULL, 0, &root->type, 1);
		sr_rewrite_notify_inserted(rw, reshape);
		earlier_value = sr_result(reshape, 0);
	}
	sr_rewrite_replace(rw, op, repeat_chain(rw, root, input, earlier_value));
	return true;
}
