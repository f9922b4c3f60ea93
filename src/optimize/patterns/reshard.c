/* Patterns of sdy.reshard: fewer changes of layout. */
#include "dialect/ops.h"
#include "dialect/names.h"
#include "optimize/patterns/patterns.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

/* reshard of a reshard nobody else reads: straight to the second sharding. */
bool sr_pattern_reshard_of_reshard(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *inner = sr_operand(op, 0)->def;
	if (!inner || !sr_op_is(inner, SR_OP_sdy_reshard) || !sr_result(inner, 0)->uses || sr_result(inner, 0)->uses->next)
		return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *from = sr_operand(inner, 0);
	struct sr_named attr = {SR_NAME_sharding, sr_op_attr(op, SR_NAME_sharding)};
	struct sr_op *made = sr_build(&b, SR_OP_sdy_reshard, &from, 1, &attr, 1, &sr_result(op, 0)->type, 1);
	sr_rewrite_made(rw, made);
	sr_rewrite_replace(rw, op, sr_result(made, 0));
	return true;
}

/* ---------------------------------------------------------------- equal data in another shape
 * Two shardings of a row-major tensor in two shapes place data alike where each axis, as a stride in elements, is the same. */

struct stride {
	struct sr_axis_ref axis;
	int64_t stride;
	int order; /* of finding: keeps the sort stable */
};

typedef SR_VEC(struct stride) stride_vec;

static int by_stride(const void *a, const void *b)
{
	const struct stride *x = a, *y = b;
	if (x->stride != y->stride)
		return x->stride < y->stride ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Parts of one axis that follow each other in stride as they do in the axis count as one. */
static void merge_strides(stride_vec *list)
{
	size_t n = 0;
	for (size_t i = 0; i < list->n; i++) {
		struct stride s = list->data[i], *back = n ? &list->data[n - 1] : NULL;
		if (back && sr_axis_can_merge(s.axis, back->axis) && s.stride == back->stride * back->axis.size)
			back->axis = sr_axis_merge(s.axis, back->axis);
		else
			list->data[n++] = s;
	}
	list->n = n;
}

static stride_vec strides(struct sr_arena *arena, const struct sr_sharding *s, const struct sr_type *type)
{
	stride_vec list = {0};
	int64_t inner = 1;
	for (int d = type->rank - 1; d >= 0; d--) {
		struct sr_axes axes = s->dims[d].axes;
		int64_t shards = sr_axes_size(axes), step = inner * ((type->shape[d] + shards - 1) / shards);
		for (int i = axes.n - 1; i >= 0; i--) {
			sr_push(arena, &list, (struct stride){axes.refs[i], step, (int)list.n});
			step *= axes.refs[i].size;
		}
		inner *= type->shape[d];
	}
	if (list.n)
		qsort(list.data, list.n, sizeof *list.data, by_stride);
	merge_strides(&list);
	return list;
}

static bool same_placement(struct sr_arena *arena, const struct sr_sharding *a, const struct sr_type *ta,
			   const struct sr_sharding *b, const struct sr_type *tb)
{
	if (a->mesh_name != b->mesh_name || !sr_axes_equal(a->replicated, b->replicated) || !sr_type_is_static(ta) ||
	    !sr_type_is_static(tb) || ta->encoding || tb->encoding || a->rank != ta->rank || b->rank != tb->rank)
		return false;
	stride_vec x = strides(arena, a, ta), y = strides(arena, b, tb);
	for (size_t i = 0; i < x.n && x.n == y.n; i++)
		if (!sr_axis_ref_equal(x.data[i].axis, y.data[i].axis) || x.data[i].stride != y.data[i].stride)
			return false;
	return x.n == y.n;
}

/* ---------------------------------------------------------------- the same reshard again */

static bool moves_no_data(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_reshape) || sr_op_is(op, SR_OP_stablehlo_transpose);
}

/* The sharding at the start of the chain of reshapes and transposes that ends in v, as far as transposes can be undone. */
static struct sr_sharding at_root(struct sr_rewriter *rw, const struct sr_sharding *sharding, const struct sr_value *v)
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
		struct sr_dim_sharding *dims = SR_NEWS(rw->ctx->arena, struct sr_dim_sharding, s.rank);
		for (int i = 0; i < s.rank; i++)
			dims[perm[i]] = s.dims[i];
		s.dims = dims;
	}
	return s;
}

/* An earlier reshard in the same block, reached from the root over reshapes alone, that already places the data so. */
static struct sr_value *earlier_reshard(struct sr_rewriter *rw, struct sr_value *root, const struct sr_mesh *mesh,
					const struct sr_sharding *target, struct sr_op *op)
{
	SR_VEC(struct sr_value *) work = {0};
	struct sr_map visited;
	sr_map_init(&visited, rw->ctx->arena);
	sr_push(rw->ctx->arena, &work, root);
	while (work.n) {
		struct sr_value *v = sr_pop(&work);
		if (sr_map_has(&visited, v))
			continue;
		sr_map_put(&visited, v, v);
		for (const struct sr_use *use = v->uses; use; use = use->next) {
			struct sr_op *user = use->owner;
			if (user == op)
				continue;
			if (sr_op_is(user, SR_OP_stablehlo_reshape))
				sr_push(rw->ctx->arena, &work, sr_result(user, 0));
			if (sr_op_is(user, SR_OP_sdy_reshard) && user->block == op->block && sr_op_is_before(user, op) &&
			    same_placement(rw->ctx->arena,
					   sr_sharding_resolve(rw->ctx->arena, mesh, sr_op_attr(user, SR_NAME_sharding)->sharding),
					   sr_result(user, 0)->type, target, sr_result(op, 0)->type))
				return sr_result(user, 0);
		}
	}
	return NULL;
}

/* Right behind what v comes from. */
static struct sr_builder after(struct sr_rewriter *rw, const struct sr_value *v, const struct sr_op *op)
{
	struct sr_block *block = sr_value_block(v);
	return (struct sr_builder){.ctx = rw->ctx, .block = block, .anchor = v->def ? v->def->next : block->first, .loc = op->loc};
}

/* The chain from root to `target` again, from `start`. */
static struct sr_value *repeat_chain(struct sr_rewriter *rw, const struct sr_value *root, struct sr_value *target,
			struct sr_value *start)
{
	if (target == root)
		return start;
	struct sr_op *op = target->def, *copy = sr_op_clone(rw->ctx, op, NULL);
	struct sr_value *input = repeat_chain(rw, root, sr_operand(op, 0), start);
	sr_op_set_operand(copy, 0, input);
	struct sr_builder b = after(rw, input, op);
	if (b.anchor)
		sr_op_insert_before(b.anchor, copy);
	else
		sr_op_append(b.block, copy);
	sr_rewrite_made(rw, copy);
	return sr_result(copy, 0);
}

/* reshard of what an earlier reshard, up to reshapes and transposes between, has placed already: its result, reshaped. */
bool sr_pattern_common_reshard(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *input = sr_operand(op, 0), *root = input;
	while (root->def && moves_no_data(root->def))
		root = sr_operand(root->def, 0);
	const struct sr_written_sharding *to = sr_op_attr(op, SR_NAME_sharding)->sharding;
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(op), to);
	if (!mesh)
		return false;
	struct sr_sharding target = at_root(rw, sr_sharding_resolve(rw->ctx->arena, mesh, to), input);
	struct sr_value *found = earlier_reshard(rw, root, mesh, &target, op);
	if (!found)
		return false;
	if (found->type != root->type) {
		struct sr_builder b = after(rw, found, op);
		struct sr_op *reshape = sr_build(&b, SR_OP_stablehlo_reshape, &found, 1, NULL, 0, &root->type, 1);
		sr_rewrite_made(rw, reshape);
		found = sr_result(reshape, 0);
	}
	sr_rewrite_replace(rw, op, repeat_chain(rw, root, input, found));
	return true;
}
