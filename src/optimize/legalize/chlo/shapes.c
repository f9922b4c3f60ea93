/* Computation of shapes in the legalization of chlo.
 *
 * A bounded dimension is broadcast to its bound and then reduced to its size: broadcast_in_dim, then set_dimension_size to the
 * get_dimension_size of the operand that has the dimension. Shapes without bounds are values of the shape dialect. */
#include "optimize/legalize/chlo/shapes.h"
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include <string.h>

struct extent {
	int64_t size;            /* static size of the dimension, or its bound */
	struct sr_value *source; /* value whose dimension number `dim` has this extent at run time; NULL: the extent is static */
	int dim;
};

bool sr_chlo_is_bounded(const struct sr_type *t)
{
	if (t->kind != SR_TYPE_TENSOR)
		return false;
	const int64_t *bounds = sr_type_bounds(t);
	for (int d = 0; d < t->rank; d++)
		if (sr_is_dynamic(t->shape[d]) && (!bounds || sr_is_dynamic(bounds[d])))
			return false;
	return true;
}

static void extents_of(struct sr_value *v, struct extent *out)
{
	const int64_t *bounds = sr_type_bounds(v->type);
	for (int d = 0; d < v->type->rank; d++) {
		bool is_static = !sr_is_dynamic(v->type->shape[d]);
		out[d] = (struct extent){is_static ? v->type->shape[d] : bounds[d], is_static ? NULL : v, d};
	}
}

/* Merge extents by NumPy's rule: trailing dimensions are aligned, and extent 1 is broadcast. Returns false if they are
 * incompatible. */
static bool merge(struct extent *extents, int rank, const struct extent *e, int n)
{
	for (int i = 0; i < n; i++) {
		struct extent *at = &extents[rank - n + i];
		if (at->size == 1)
			*at = e[i];
		else if (e[i].size != 1 && (e[i].size != at->size || !e[i].source != !at->source))
			return false;
	}
	return true;
}

static const struct sr_type *type_of(struct sr_context *ctx, const struct sr_type *element, const struct extent *e, int rank)
{
	int64_t shape[SR_MAX_RANK], bounds[SR_MAX_RANK];
	const struct sr_attr *encoding = NULL;
	bool is_bounded = false;
	for (int d = 0; d < rank; d++) {
		shape[d] = e[d].source ? SR_DYNAMIC : e[d].size;
		bounds[d] = e[d].source ? e[d].size : SR_DYNAMIC;
		is_bounded = is_bounded || e[d].source;
	}
	if (is_bounded) {
		const struct sr_attr *list = sr_attr_i64s(ctx, bounds, rank);
		encoding = sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "type_extensions"), &list);
	}
	return sr_type_tensor_of(ctx, element, rank, shape, encoding);
}

static struct sr_value *dimension_size(struct sr_builder *b, struct sr_value *v, int dim)
{
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(b->ctx, dim)};
	return sr_build_infer(b, SR_OP_stablehlo_get_dimension_size, &v, 1, &attr, 1);
}

static struct sr_value *broadcast_to(struct sr_builder *b, struct sr_value *v, const struct extent *to, int rank)
{
	struct extent padded_extents[SR_MAX_RANK];
	int64_t dims[SR_MAX_RANK];
	int n = v->type->rank, first = rank - n;
	if (v->type == type_of(b->ctx, v->type->element, to, rank))
		return v;
	for (int d = 0; d < rank; d++) {
		padded_extents[d] = to[d];
		if (d < first || !sr_is_dynamic(v->type->shape[d - first]))
			padded_extents[d].source = NULL;
	}
	for (int i = 0; i < n; i++)
		dims[i] = first + i;
	const struct sr_type *type = type_of(b->ctx, v->type->element, padded_extents, rank);
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(b->ctx, dims, n)};
	v = sr_result(sr_build(b, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1, &type, 1), 0);
	for (int d = 0; d < rank; d++) {
		if (!to[d].source || padded_extents[d].source)
			continue;
		struct sr_value *operands[] = {v, dimension_size(b, to[d].source, to[d].dim)};
		struct sr_named_attr dim = {SR_NAME_dimension, sr_attr_i64(b->ctx, d)};
		padded_extents[d] = to[d];
		type = type_of(b->ctx, v->type->element, padded_extents, rank);
		v = sr_result(sr_build(b, SR_OP_stablehlo_set_dimension_size, operands, 2, &dim, 1, &type, 1), 0);
	}
	return v;
}

bool sr_chlo_broadcast_bounded(struct sr_builder *b, struct sr_value *const *operands, int n, struct sr_value **out)
{
	struct extent merged_extents[SR_MAX_RANK], e[SR_MAX_RANK];
	int rank = 0;
	for (int i = 0; i < n; i++)
		rank = operands[i]->type->rank > rank ? operands[i]->type->rank : rank;
	for (int d = 0; d < rank; d++)
		merged_extents[d] = (struct extent){1, NULL, d};
	for (int i = 0; i < n; i++) {
		extents_of(operands[i], e);
		if (!merge(merged_extents, rank, e, operands[i]->type->rank))
			return false;
	}
	for (int i = 0; i < n; i++)
		out[i] = broadcast_to(b, operands[i], merged_extents, rank);
	return true;
}

static const struct sr_type *index_list(struct sr_context *ctx, int n)
{
	return sr_type_tensor_of(ctx, sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_INDEX}), 1, (int64_t[]){n}, NULL);
}

struct sr_value *sr_chlo_shape_of(struct sr_builder *b, struct sr_value *v)
{
	const struct sr_type *type = index_list(b->ctx, v->type->rank);
	if (!sr_type_is_static(v->type))
		return sr_result(sr_build(b, SR_OP_shape_shape_of, &v, 1, NULL, 0, &type, 1), 0);
	struct sr_named_attr attr = {SR_NAME_shape, sr_attr_dense(b->ctx, type, v->type->shape,
								  v->type->rank * (int64_t)sizeof *v->type->shape)};
	return sr_result(sr_build(b, SR_OP_shape_const_shape, NULL, 0, &attr, 1, &type, 1), 0);
}

struct sr_value *sr_chlo_constant_like(struct sr_builder *b, const struct sr_type *element, const void *bytes,
				       struct sr_value *like)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *type = sr_type_tensor_of(ctx, element, like->type->rank, like->type->shape, like->type->encoding);
	bool is_static = sr_type_is_static(type);
	const struct sr_type *constant_type = is_static ? type : sr_type_tensor_of(ctx, element, 0, NULL, NULL);
	struct sr_value *v = sr_build_constant(b, sr_attr_dense(ctx, constant_type, bytes, sr_dtype_bytes(type->dtype)));
	if (is_static)
		return v;
	if (sr_chlo_is_bounded(type)) {
		struct extent e[SR_MAX_RANK];
		extents_of(like, e);
		return broadcast_to(b, v, e, type->rank);
	}
	struct sr_value *operands[] = {v, sr_chlo_shape_of(b, like)};
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(ctx, NULL, 0)};
	return sr_result(sr_build(b, SR_OP_stablehlo_dynamic_broadcast_in_dim, operands, 2, &attr, 1, &type, 1), 0);
}

struct sr_value *sr_chlo_extent(struct sr_builder *b, struct sr_value *v, int dim)
{
	if (!sr_is_dynamic(v->type->shape[dim]))
		return sr_build_scalar(b, SR_I64, v->type->shape[dim]);
	return sr_build_convert(b, dimension_size(b, v, dim), SR_I64);
}

struct sr_value *sr_chlo_as_row(struct sr_builder *b, struct sr_value *scalar)
{
	return sr_build_reshape(b, scalar, 1, (int64_t[]){1});
}

struct sr_value *sr_chlo_rows(struct sr_builder *b, struct sr_value *const *rows, int n)
{
	return sr_build_concatenate(b, rows, n, 0);
}
