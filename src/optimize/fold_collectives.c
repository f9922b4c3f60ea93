/* Folding of two collectives into one: a collective whose operand is the result of another one, which has no other user, becomes a
 * collective over the groups of both.
 *
 *	all_gather(all_gather(%x) over y) over x, same dimension       all_gather(%x) over x, y
 *	all_reduce(all_reduce(%x) over y) over x, same reducer         all_reduce(%x) over x, y
 *
 * A member's new group consists of the inner groups of its outer group's members, one after another, so that gathered elements keep
 * their order. One reduction over the new group sends fewer bytes than two reductions. The collectives stay if the union of inner
 * groups is not the same for all members of an outer group. */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "optimize/move_converts.h"
#include "optimize/patterns/match.h"
#include <string.h>

/* ---- groups by mesh axes ---- */

/* Return true if no axis or part of an axis is in both lists. */
static bool are_disjoint(const struct sr_attr *x, const struct sr_attr *y)
{
	for (int i = 0; i < x->n; i++)
		for (int k = 0; k < y->n; k++)
			if (sr_attr_field(x->list[i], SR_NAME_name) == sr_attr_field(y->list[k], SR_NAME_name))
				return false;
	return true;
}

static const struct sr_attr *combine_axes(struct sr_context *ctx, const struct sr_attr *outer, const struct sr_attr *inner)
{
	const struct sr_attr *mesh = sr_attr_field(outer, SR_NAME_mesh), *x = sr_attr_field(outer, SR_NAME_axes),
			     *y = sr_attr_field(inner, SR_NAME_axes);
	if (outer->def != inner->def || mesh != sr_attr_field(inner, SR_NAME_mesh) || !x || !y || !are_disjoint(x, y))
		return NULL;
	const struct sr_attr **all_axes = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, x->n + y->n);
	memcpy(all_axes, x->list, (size_t)x->n * sizeof *all_axes);
	memcpy(all_axes + x->n, y->list, (size_t)y->n * sizeof *all_axes);
	return sr_attr_struct(ctx, outer->def, (const struct sr_attr *[]){mesh, sr_attr_array(ctx, all_axes, x->n + y->n)});
}

/* ---- listed groups ---- */

/* Return an array that maps each device to the number of its inner group; -1: the device is in none or in several. */
static int64_t *inner_group_of_devices(struct sr_context *ctx, const struct sr_groups *g, int64_t n)
{
	int64_t *row_of = SR_NEW_ARRAY(ctx->scratch, int64_t, n);
	memset(row_of, 0xff, (size_t)n * sizeof *row_of);
	for (int64_t i = 0; i < g->n_groups * g->group_size; i++)
		row_of[g->ids[i]] = row_of[g->ids[i]] < 0 ? i / g->group_size : -1;
	return row_of;
}

/* Return an upper bound of the device numbers in the groups; 0 if a group is padded with -1. */
static int64_t bound_of(const struct sr_groups *g)
{
	int64_t bound = 0;
	for (int64_t i = 0; i < g->n_groups * g->group_size; i++) {
		if (g->ids[i] < 0)
			return 0;
		bound = g->ids[i] + 1 > bound ? g->ids[i] + 1 : bound;
	}
	return bound;
}

/* Set rows[] to the numbers of the inner groups of an outer group's members. Returns false if a member is in no inner group. */
static bool inner_rows(const struct sr_groups *outer, int64_t group, const int64_t *row_of, int64_t n, int64_t *rows)
{
	for (int64_t i = 0; i < outer->group_size; i++) {
		int64_t id = outer->ids[group * outer->group_size + i];
		rows[i] = id < n ? row_of[id] : -1;
		if (rows[i] < 0)
			return false;
	}
	return true;
}

/* Combine listed groups: outer groups that consist of the same inner groups become one group. Return NULL if an inner group would
 * be in two combined groups. */
static const struct sr_attr *combine_listed(struct sr_context *ctx, const struct sr_groups *outer, const struct sr_groups *inner)
{
	int64_t n = bound_of(inner), size = outer->group_size * inner->group_size, n_rows = 0;
	if (!n || !bound_of(outer) || outer->n_groups * outer->group_size != inner->n_groups * inner->group_size ||
	    inner->n_groups % outer->group_size)
		return NULL;
	int64_t *row_of = inner_group_of_devices(ctx, inner, n), *rows = SR_NEW_ARRAY(ctx->scratch, int64_t, outer->group_size);
	/* for each inner group: 1 + its position in the new list; 0: not in the list yet */
	int64_t *position_of_group = SR_NEW_ARRAY(ctx->scratch, int64_t, inner->n_groups);
	int64_t *ids = SR_NEW_ARRAY(ctx->scratch, int64_t, inner->n_groups * inner->group_size);
	for (int64_t g = 0; g < outer->n_groups; g++) {
		if (!inner_rows(outer, g, row_of, n, rows))
			return NULL;
		bool is_placed = position_of_group[rows[0]] != 0;
		for (int64_t i = 0; i < outer->group_size; i++) {
			if (is_placed ? position_of_group[rows[i]] != position_of_group[rows[0]] + i ||
				      (position_of_group[rows[0]] - 1) % outer->group_size != 0
				: position_of_group[rows[i]] != 0)
				return NULL;
			if (is_placed)
				continue;
			memcpy(ids + n_rows * inner->group_size, inner->ids + rows[i] * inner->group_size,
			       (size_t)inner->group_size * sizeof *ids);
			position_of_group[rows[i]] = ++n_rows;
		}
	}
	if (n_rows != inner->n_groups)
		return NULL;
	return sr_attr_dense_i64(ctx, 2, (int64_t[]){n_rows / outer->group_size, size}, ids);
}

/* Return the groups of the folded collective, or NULL if the two collectives' groups cannot be combined. */
static const struct sr_attr *combine_groups(struct sr_context *ctx, struct sr_op *outer, struct sr_op *inner)
{
	const struct sr_attr *x = sr_op_attr(outer, SR_NAME_replica_groups), *y = sr_op_attr(inner, SR_NAME_replica_groups);
	struct sr_groups a, b;
	if (!sr_have_same_group_numbering(outer, inner) || !x || !y || x->kind != y->kind)
		return NULL;
	if (x->kind == SR_ATTR_STRUCT)
		return combine_axes(ctx, x, y);
	if (sr_op_groups(ctx, outer, &a) || sr_op_groups(ctx, inner, &b))
		return NULL;
	return combine_listed(ctx, &a, &b);
}

/* ---- the patterns ---- */

static bool fold(struct sr_rewriter *rw, struct sr_op *op, struct sr_op *inner)
{
	const struct sr_attr *groups = combine_groups(rw->ctx, op, inner);
	if (!groups)
		return false;
	sr_op_set_attr(rw->ctx, op, SR_NAME_replica_groups, groups);
	sr_op_set_operand(op, 0, sr_operand(inner, 0));
	sr_rewrite_erase(rw, inner);
	sr_rewrite_notify_modified(rw, op);
	return true;
}

/* Return the collective of the same kind that defines op's only operand, if op is the only user of its result; otherwise NULL. */
static struct sr_op *foldable_inner(const struct sr_op *op)
{
	struct sr_op *inner = op->n_operands == 1 ? sr_value_def_of(sr_operand(op, 0), sr_op_code_of(op)) : NULL;
	bool is_only_read_by_op = inner && inner->block == op->block && sr_value_has_one_use(sr_result(inner, 0));
	return is_only_read_by_op && inner->n_operands == 1 ? inner : NULL;
}

bool sr_pattern_gather_of_gather(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *inner = foldable_inner(op);
	return inner && sr_op_int(op, SR_NAME_all_gather_dim, -1) == sr_op_int(inner, SR_NAME_all_gather_dim, -1) &&
	       fold(rw, op, inner);
}

bool sr_pattern_reduce_of_reduce(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *inner = foldable_inner(op);
	const struct sr_reducer *reducer = inner ? sr_op_reducer(op) : NULL;
	return reducer && sr_op_reducer(inner) == reducer && fold(rw, op, inner);
}
