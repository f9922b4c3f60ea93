/* Rewrite chlo.ragged_dot as one dot_general with a dimension for groups.
 *
 * The ragged dimension of lhs is divided into g consecutive groups with the sizes in group_sizes. lhs is broadcast to a new leading
 * dimension of g groups; group i keeps its own range of the ragged dimension and is zero elsewhere. The product depends on the
 * ragged dimension, as in JAX:
 * - free (m): [g, m, k] x [g, k, n], contracting (g, k), gives [m, n]; rows of no group are zero.
 * - contracting (k): [g, m, k] x [g, k, n], contracting k with batch g, gives [g, m, n]; rhs is masked like lhs, since 0 * Inf is
 *   not 0.
 * - batch (b): the plain product, since groups are independent.
 *
 * group_sizes is [g], or has leading dimensions for those before the ragged one among its kind (for m, batch dimensions as
 * well). */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include "optimize/legalize/chlo/structure.h"
#include "optimize/legalize/decompose.h"
#include <string.h>

struct ints {
	const int64_t *v;
	int64_t n;
};

enum { LHS, RHS };

struct ragged_dot {
	struct sr_context *ctx;
	struct sr_op *op;
	struct ints batch[2], contracting[2], dimension, group;
};

static struct ints field(struct sr_context *ctx, const struct sr_op *op, const char *name)
{
	struct ints list = {0};
	sr_struct_ints(ctx, sr_op_attr(op, SR_NAME_ragged_dot_dimension_numbers), name, &list.v, &list.n);
	return list;
}

/* Return the index of x in a list; its length if missing. */
static int64_t index_of(struct ints list, int64_t x)
{
	int64_t i = 0;
	while (i < list.n && list.v[i] != x)
		i++;
	return i;
}

static bool has(struct ints list, int64_t x)
{
	return index_of(list, x) < list.n;
}

/* Return the list of dimensions, each plus one, preceded by `first` unless that is negative. */
static const struct sr_attr *shift_dims(struct sr_context *ctx, int64_t first, struct ints list)
{
	int64_t *v = SR_NEW_ARRAY(ctx->arena, int64_t, list.n + 1), n = 0;
	if (first >= 0)
		v[n++] = first;
	for (int64_t i = 0; i < list.n; i++)
		v[n++] = list.v[i] + 1;
	return sr_attr_i64s(ctx, v, n);
}

static const struct sr_attr *prepend(struct sr_context *ctx, int64_t group, struct ints list)
{
	int64_t *v = SR_NEW_ARRAY(ctx->arena, int64_t, list.n + 1);
	v[0] = group;
	for (int64_t i = 0; i < list.n; i++)
		v[i + 1] = list.v[i];
	return sr_attr_i64s(ctx, v, list.n + 1);
}

/* ---- groups ---- */

/* Return the dimensions of an operand that correspond to the leading dimensions of group_sizes; an empty list if its shape is
 * [g]. */
static struct ints group_prefix_dims(const struct ragged_dot *r, int side, int64_t ragged)
{
	int64_t *v = SR_NEW_ARRAY(r->ctx->arena, int64_t, SR_MAX_RANK), n = 0;
	if (sr_operand(r->op, 2)->type->rank < 2)
		return (struct ints){v, 0};
	for (int64_t i = 0; i < r->batch[side].n; i++)
		v[n++] = r->batch[side].v[i];
	if (has(r->contracting[side], ragged))
		for (int64_t i = 0; i < index_of(r->contracting[side], ragged); i++)
			v[n++] = r->contracting[side].v[i];
	else
		for (int64_t i = 0; i < ragged; i++)
			if (!has(r->batch[side], i) && !has(r->contracting[side], i))
				v[n++] = i;
	return (struct ints){v, n};
}

/* Build an operand with a leading dimension for the groups, [g, ...]: each group keeps its range of the ragged dimension and is
 * zero elsewhere. */
static struct sr_value *mask_groups(struct sr_builder *b, const struct ragged_dot *r, int side, int64_t ragged)
{
	struct sr_context *ctx = b->ctx;
	struct sr_value *x = sr_operand(r->op, side), *sizes = sr_operand(r->op, 2);
	struct ints prefix_dims = group_prefix_dims(r, side, ragged);
	int64_t shape[SR_MAX_RANK], dims[SR_MAX_RANK];
	shape[0] = sizes->type->shape[sizes->type->rank - 1];
	memcpy(shape + 1, x->type->shape, sizeof *shape * (size_t)x->type->rank);
	const struct sr_type *to = sr_type_tensor_of(ctx, x->type->element, x->type->rank + 1, shape, NULL);
	const struct sr_type *index_tensor = sr_type_tensor_of(ctx, sizes->type->element, x->type->rank + 1, shape, NULL);
	for (int64_t i = 0; i < prefix_dims.n; i++)
		dims[i] = prefix_dims.v[i] + 1;
	dims[prefix_dims.n] = 0;
	struct sr_value *ends = sr_build_prefix_sums(b, sizes);
	struct sr_value *starts = sr_build_infer(b, SR_OP_stablehlo_subtract, (struct sr_value *[]){ends, sizes}, 2, NULL, 0);
	ends = sr_build_broadcast(b, ends, index_tensor, dims);
	starts = sr_build_broadcast(b, starts, index_tensor, dims);
	struct sr_named_attr iota_dim = {SR_NAME_iota_dimension, sr_attr_i64(ctx, ragged + 1)};
	struct sr_value *at = sr_result(sr_build(b, SR_OP_stablehlo_iota, NULL, 0, &iota_dim, 1, &index_tensor, 1), 0);
	struct sr_value *range_tests[] = {sr_build_compare(b, at, SR_GE, starts, NULL), sr_build_compare(b, at, SR_LT, ends, NULL)};
	for (int d = 0; d < x->type->rank; d++)
		dims[d] = d + 1;
	struct sr_value *select_operands[] = {sr_build_infer(b, SR_OP_stablehlo_and, range_tests, 2, NULL, 0),
					      sr_build_broadcast(b, x, to, dims), sr_build_splat(b, to, 0)};
	return sr_build_infer(b, SR_OP_stablehlo_select, select_operands, 3, NULL, 0);
}

/* ---- product ---- */

/* Return the attribute precision_config with the enum of stablehlo instead of that of chlo. */
static const struct sr_attr *precision(struct sr_context *ctx, const struct sr_attr *config)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, config->n);
	for (int i = 0; i < config->n; i++)
		list[i] = sr_attr_enum(ctx, "stablehlo", "precision", sr_attr_enum_name(config->list[i]));
	return sr_attr_array(ctx, list, config->n);
}

/* Replace op by a dot_general. fields: batching and contracting dimensions of lhs and rhs, in the order of #stablehlo.dot. */
static void product(struct sr_builder *b, struct sr_op *op, struct sr_value *const *operands, const struct sr_attr *const *fields)
{
	const struct sr_attr *config = sr_op_attr(op, SR_NAME_precision_config);
	const struct sr_type *type = sr_result(op, 0)->type;
	struct sr_named_attr attrs[2] = {{SR_NAME_dot_dimension_numbers,
					  sr_attr_struct(b->ctx, sr_attr_def_find("stablehlo", "dot"), fields)}};
	int n = 1;
	if (config)
		attrs[n++] = (struct sr_named_attr){SR_NAME_precision_config, precision(b->ctx, config)};
	sr_value_replace_all(sr_result(op, 0), sr_result(sr_build(b, SR_OP_stablehlo_dot_general, operands, 2, attrs, n, &type, 1), 0));
	sr_op_erase(op);
}

bool sr_chlo_ragged_dot(struct sr_builder *b, struct sr_op *op)
{
	struct sr_context *ctx = b->ctx;
	struct ragged_dot r = {ctx, op,
			   {field(ctx, op, SR_NAME_lhs_batching_dimensions), field(ctx, op, SR_NAME_rhs_batching_dimensions)},
			   {field(ctx, op, SR_NAME_lhs_contracting_dimensions), field(ctx, op, SR_NAME_rhs_contracting_dimensions)},
			   field(ctx, op, SR_NAME_lhs_ragged_dimensions), field(ctx, op, SR_NAME_rhs_group_dimensions)};
	struct sr_value *operands[] = {sr_operand(op, 0), sr_operand(op, 1)};
	const struct sr_type *lhs = operands[LHS]->type, *rhs = operands[RHS]->type, *sizes = sr_operand(op, 2)->type;
	if (!sr_type_is_static(lhs) || !sr_type_is_static(rhs) || !sr_type_is_static(sizes))
		return false;
	if (r.dimension.n != 1 || sizes->rank == 0 || lhs->rank >= SR_MAX_RANK || rhs->rank >= SR_MAX_RANK)
		return false;
	int64_t ragged_dim = r.dimension.v[0], at = index_of(r.contracting[LHS], ragged_dim);
	if (has(r.batch[LHS], ragged_dim)) {
		const struct sr_attr *dot_fields[] = {sr_attr_i64s(ctx, r.batch[LHS].v, r.batch[LHS].n),
						 sr_attr_i64s(ctx, r.batch[RHS].v, r.batch[RHS].n),
						 sr_attr_i64s(ctx, r.contracting[LHS].v, r.contracting[LHS].n),
						 sr_attr_i64s(ctx, r.contracting[RHS].v, r.contracting[RHS].n)};
		product(b, op, operands, dot_fields);
		return true;
	}
	operands[LHS] = mask_groups(b, &r, LHS, ragged_dim);
	if (at < r.contracting[LHS].n) {
		const struct sr_attr *group_dims[] = {shift_dims(ctx, 0, r.batch[LHS]), shift_dims(ctx, 0, r.batch[RHS]),
						   shift_dims(ctx, -1, r.contracting[LHS]), shift_dims(ctx, -1, r.contracting[RHS])};
		operands[RHS] = mask_groups(b, &r, RHS, r.contracting[RHS].v[at]);
		product(b, op, operands, group_dims);
		return true;
	}
	const struct sr_attr *reduction_dims[] = {
	    shift_dims(ctx, -1, r.batch[LHS]), sr_attr_i64s(ctx, r.batch[RHS].v, r.batch[RHS].n),
	    shift_dims(ctx, 0, r.contracting[LHS]), prepend(ctx, r.group.v[0], r.contracting[RHS])};
	product(b, op, operands, reduction_dims);
	return true;
}
