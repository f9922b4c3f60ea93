/* Rewriting of gather and scatter with sharded indexed dimensions as in upstream's pass: each device subtracts its offset from the
 * indices and ignores those of other shards.
 *
 * Gather: dimensions with slice size 1 may be sharded. Indices are clamped, and results of other shards' indices are zero; the
 * all_reduce that follows adds the devices' results. Scatter: indices are not clamped, so other shards' indices are out of
 * bounds. If updates are sharded along batch dimensions, the first device along their axes starts from the operand, the others
 * from the identity. */
#include "upstream/upstream_local.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "dialect/op_builders.h"
#include "support/integers.h"
#include <math.h>

struct indexed_op {
	struct sr_local *l;
	struct sr_op *op;
	struct sr_value *operand, *indices;
	const struct sr_type *operand_type; /* type of the operand */
	/* operand dimension of each index component; operand dimensions that are sharded and indexed */
	const int64_t *map, *owned_dims;
	int64_t n_map, n_owned, vector;  /* lengths of `map` and `owned_dims`; dimension of the indices that holds the components */
};

static bool has_several_components(const struct indexed_op *x)
{
	return x->vector < x->indices->type->rank && x->indices->type->shape[x->vector] != 1;
}

/* Broadcast one scalar per component to the shape of the indices. */
static struct sr_value *splat_per_component(struct indexed_op *x, struct sr_value *const *components)
{
	struct sr_builder *b = &x->l->builder;
	struct sr_context *ctx = x->l->ctx;
	if (!has_several_components(x))
		return sr_build_broadcast(b, components[0], x->indices->type, NULL);
	struct sr_value **row = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, x->n_map);
	for (int64_t i = 0; i < x->n_map; i++)
		row[i] = sr_build_reshape(b, components[i], 1, (int64_t[]){1});
	return sr_build_broadcast(b, sr_build_concatenate(b, row, (int)x->n_map, 0), x->indices->type, &x->vector);
}

static struct sr_value *constant_per_component(struct indexed_op *x, const int64_t *values)
{
	struct sr_context *ctx = x->l->ctx;
	const struct sr_type *type = x->indices->type;
	if (x->n_map <= 1 || x->vector >= type->rank)
		return sr_build_splat(&x->l->builder, type, (double)values[0]);
	const struct sr_type *row = sr_type_with_shape(ctx, type, 1, &x->n_map);
	int64_t bytes = sr_dtype_bytes(type->dtype);
	char *data = sr_alloc(ctx->scratch, (size_t)x->n_map, (size_t)bytes);
	for (int64_t i = 0; i < x->n_map; i++)
		sr_element_set(type->dtype, data + i * bytes, values[i], (double)values[i], 0);
	struct sr_value *v = sr_build_constant(&x->l->builder, sr_attr_dense(ctx, row, data, x->n_map * bytes));
	return sr_build_broadcast(&x->l->builder, v, type, &x->vector);
}

/* Clamp the indices to the last valid position of each dimension. */
static struct sr_value *clamped(struct indexed_op *x)
{
	struct sr_context *ctx = x->l->ctx;
	int64_t *last = SR_NEW_ARRAY(ctx->scratch, int64_t, x->n_map);
	for (int64_t i = 0; i < x->n_map; i++)
		last[i] = x->operand_type->shape[x->map[i]] - 1;
	struct sr_value *low = sr_build_splat(&x->l->builder, x->indices->type, 0), *high = constant_per_component(x, last);
	struct sr_value *operands[] = {low, x->indices, high};
	return sr_result(sr_build(&x->l->builder, SR_OP_stablehlo_clamp, operands, 3, NULL, 0, &x->indices->type, 1), 0);
}

/* Return the offset of the device's shard along dimension d as an element of the type of the indices. The convert is there for equal
 * types too, as upstream prints it. */
static struct sr_value *shard_offset(struct indexed_op *x, int64_t d)
{
	struct sr_local *l = x->l;
	struct sr_value *offset = sr_upstream_offset(l, sr_local_axes(l, x->operand, (int)d), x->operand->type->shape[d]);
	const struct sr_type *type = sr_type_tensor(l->ctx, x->indices->type->dtype, 0, NULL);
	return sr_result(sr_build(&l->builder, SR_OP_stablehlo_convert, &offset, 1, NULL, 0, &type, 1), 0);
}

/* Return the indices minus the offset of the device's shard. *is_in_range, if not NULL: mask of the indices that are inside of the
 * shard. */
static struct sr_value *to_local_indices(struct indexed_op *x, struct sr_value *base, struct sr_value **is_in_range)
{
	struct sr_local *l = x->l;
	struct sr_builder *b = &l->builder;
	enum sr_dtype type = x->indices->type->dtype;
	struct sr_value **begins = SR_NEW_ARRAY(l->ctx->scratch, struct sr_value *, x->n_map),
			**ends = SR_NEW_ARRAY(l->ctx->scratch, struct sr_value *, x->n_map);
	for (int64_t i = 0; i < x->n_map; i++) {
		int64_t d = x->map[i], size = x->operand->type->shape[d];
		bool is_owned = sr_list_has(x->owned_dims, x->n_owned, d);
		begins[i] = is_owned ? shard_offset(x, d) : sr_build_scalar(b, type, 0);
		if (is_in_range)
			ends[i] = is_owned ? sr_build_binary(b, SR_OP_stablehlo_add, begins[i], sr_build_scalar(b, type, size - 1))
					: sr_build_scalar(b, type, x->operand_type->shape[d] - 1);
	}
	struct sr_value *begin = splat_per_component(x, begins), *end = is_in_range ? splat_per_component(x, ends) : NULL,
			*v = sr_build_binary(b, SR_OP_stablehlo_subtract, base, begin);
	if (is_in_range) {
		struct sr_value *at_least_begin = sr_build_compare(b, base, SR_GE, begin, NULL);
		*is_in_range = sr_build_binary(b, SR_OP_stablehlo_and, at_least_begin, sr_build_compare(b, base, SR_LE, end, NULL));
	}
	return v;
}

/* Return the mask is_in_range (NULL: no restriction), restricted to the first device along each sharded dimension that is not
 * indexed: such a dimension is read at position 0, which is in the first shard. */
static struct sr_value *is_in_range_of_first(struct indexed_op *x, struct sr_value *is_in_range)
{
	struct sr_local *l = x->l;
	struct sr_value *first = NULL;
	for (int64_t i = 0; i < x->n_owned; i++) {
		int64_t d = x->owned_dims[i];
		if (sr_list_has(x->map, x->n_map, d))
			continue;
		struct sr_value *offset = sr_upstream_offset(l, sr_local_axes(l, x->operand, (int)d), x->operand->type->shape[d]),
				*zero = sr_build_scalar(&l->builder, SR_I64, 0),
				*is_at_position_0 = sr_build_compare(&l->builder, offset, SR_EQ, zero, NULL);
		first = first ? sr_build_binary(&l->builder, SR_OP_stablehlo_and, first, is_at_position_0) : is_at_position_0;
	}
	if (!first || !is_in_range)
		return first ? first : is_in_range;
	return sr_build_binary(&l->builder, SR_OP_stablehlo_and, is_in_range,
			       sr_build_broadcast(&l->builder, first, is_in_range->type, NULL));
}

static bool is_any_dim_indexed(const struct indexed_op *x)
{
	for (int64_t i = 0; i < x->n_owned; i++)
		if (sr_list_has(x->map, x->n_map, x->owned_dims[i]))
			return true;
	return false;
}

/* Reduce the mask along the component dimension: true if all components are. */
static struct sr_value *all_components_true(struct indexed_op *x, struct sr_value *mask)
{
	struct sr_builder *b = &x->l->builder;
	return x->vector >= mask->type->rank
		       ? mask
		       : sr_build_reduction(b, mask, sr_build_scalar(b, SR_I1, 1), SR_OP_stablehlo_and, &x->vector, 1);
}

/* Broadcast the mask of indices to the shape of the gather's result. */
static struct sr_value *broadcast_to_result(struct indexed_op *x, struct sr_value *mask, const struct sr_attr *numbers,
					    const struct sr_type *result)
{
	int64_t *batch = SR_NEW_ARRAY(x->l->ctx->scratch, int64_t, result->rank), n_offset = 0, n = 0;
	const int64_t *offset;
	sr_struct_ints(x->l->ctx, numbers, SR_NAME_offset_dims, &offset, &n_offset);
	for (int d = 0; d < result->rank; d++)
		if (!sr_list_has(offset, n_offset, d))
			batch[n++] = d;
	return sr_build_broadcast(&x->l->builder, mask, result, batch);
}

/* Find the sharded dimensions of slice size 1 that are not batching dimensions, and the local slice sizes. */
static enum sr_status read_gather(struct indexed_op *x, const struct sr_attr *numbers, int64_t *sizes, struct sr_axes *summed_axes)
{
	struct sr_local *l = x->l;
	const int64_t *batch;
	int64_t n_batch, *owned_dims = SR_NEW_ARRAY(l->ctx->scratch, int64_t, x->operand_type->rank);
	sr_struct_ints(l->ctx, numbers, SR_NAME_operand_batching_dims, &batch, &n_batch);
	for (int d = 0; d < x->operand_type->rank; d++) {
		struct sr_axes axes = sr_local_axes(l, x->operand, d);
		int64_t shards = sr_axes_size(axes);
		if (shards <= 1 || sr_list_has(batch, n_batch, d))
			continue;
		if (sizes[d] == 1) {
			owned_dims[x->n_owned++] = d;
			*summed_axes = sr_axes_concat(l->ctx->scratch, *summed_axes, axes);
		} else if (sizes[d] != x->operand_type->shape[d]) {
			return sr_op_error(x->op, &l->ctx->diags, SR_INVALID,
					   "reads a part of dimension %d, which is sharded; it should have been gathered", d);
		} else {
			sizes[d] /= shards;
		}
	}
	x->owned_dims = owned_dims;
	return SR_OK;
}

enum sr_status sr_upstream_gather(struct sr_local *l, struct sr_op *op)
{
	struct sr_context *ctx = l->ctx;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	struct indexed_op x = {.l = l, .op = op, .operand = sr_operand(op, 0), .indices = sr_operand(op, 1)};
	struct sr_axes summed_axes = {0};
	struct sr_value *is_in_range = NULL, *indices = x.indices;
	const int64_t *slice_sizes;
	int64_t rank;
	if (sr_upstream_is_replicated(l, x.operand) || !sr_op_ints(ctx, op, SR_NAME_slice_sizes, &slice_sizes, &rank))
		return SR_OK;
	int64_t *sizes = sr_dup(ctx->scratch, slice_sizes, (size_t)rank, sizeof *sizes);
	x.operand_type = sr_local_find(l, x.operand)->global_type;
	sr_struct_ints(ctx, numbers, SR_NAME_start_index_map, &x.map, &x.n_map);
	x.vector = sr_attr_field(numbers, SR_NAME_index_vector_dim) ? sr_attr_field(numbers, SR_NAME_index_vector_dim)->i : 0;
	enum sr_status status = read_gather(&x, numbers, sizes, &summed_axes);
	if (!status && x.n_owned)
		status = sr_upstream_expect_reduction(l, op, summed_axes);
	if (status)
		return status;
	sr_local_set_ints(l, op, SR_NAME_slice_sizes, sizes, rank);
	if (!x.n_owned)
		return SR_OK;
	if (is_any_dim_indexed(&x))
		indices = to_local_indices(&x, clamped(&x), &is_in_range);
	is_in_range = is_in_range_of_first(&x, is_in_range);
	struct sr_op *shard = sr_op_clone(ctx, op, NULL);
	sr_op_insert_before(op, shard);
	sr_op_set_operand(shard, 1, indices);
	const struct sr_type *type = sr_result(shard, 0)->type;
	is_in_range = broadcast_to_result(&x, is_in_range->type->rank ? all_components_true(&x, is_in_range) : is_in_range, numbers,
					  type);
	struct sr_value *v = sr_build_select(&l->builder, is_in_range, sr_result(shard, 0), sr_build_splat(&l->builder, type, 0));
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* ---- scatter ---- */

/* Return the axes that shard batch dimensions of the updates and no dimension of the operand: results are partial along them. */
static struct sr_axes partial_axes(struct indexed_op *x, const struct sr_attr *numbers)
{
	struct sr_local *l = x->l;
	struct sr_value *update = sr_operand(x->op, (x->op->n_operands + 1) / 2);
	struct sr_axes out = {0}, used_axes = {0};
	const int64_t *window;
	int64_t n;
	for (int d = 0; d < x->operand_type->rank; d++)
		used_axes = sr_axes_concat(l->ctx->scratch, used_axes, sr_local_axes(l, x->operand, d));
	sr_struct_ints(l->ctx, numbers, SR_NAME_update_window_dims, &window, &n);
	for (int d = 0; d < update->type->rank; d++) {
		struct sr_axes axes = sr_list_has(window, n, d) ? (struct sr_axes){0} : sr_local_axes(l, update, d);
		for (int i = 0; i < axes.n; i++)
			if (!sr_axes_has(used_axes, axes.refs[i]))
				out = sr_axes_append(l->ctx->scratch, out, axes.refs[i]);
	}
	return out;
}

/* Return the start value of partial results on devices other than the first; for a maximum upstream uses the lowest finite value,
 * for a minimum the highest. */
static const struct sr_attr *start_of(struct sr_context *ctx, const struct sr_op *op, enum sr_dtype type)
{
	const struct sr_reducer *r = sr_op_reducer(op);
	char element[16] = {0};
	if (!r || sr_dtypes[type].class != SR_CLASS_FLOAT ||
	    (r->identity != SR_IDENTITY_LOWEST && r->identity != SR_IDENTITY_HIGHEST))
		return sr_reducer_identity(ctx, r, type);
	uint64_t bits = sr_float_encode(type, INFINITY);
	while (!isfinite(sr_float_decode(type, bits)))
		bits--;
	double max_value = sr_float_decode(type, bits);
	sr_element_set(type, element, 0, r->identity == SR_IDENTITY_LOWEST ? -max_value : max_value, 0);
	return sr_attr_dense(ctx, sr_type_tensor(ctx, type, 0, NULL), element, sr_dtype_bytes(type));
}

static enum sr_status start_from_operand_once(struct indexed_op *x, struct sr_axes axes)
{
	struct sr_local *l = x->l;
	struct sr_builder *b = &l->builder;
	const struct sr_type *type = x->operand->type;
	const struct sr_attr *start = start_of(l->ctx, x->op, type->dtype);
	int64_t n = sr_mesh_devices(l->mesh), zero = 0;
	if (!start)
		return sr_op_error(x->op, &l->ctx->diags, SR_UNSUPPORTED, "failed to get scatter reduction identity.");
	bool *first = SR_NEW_ARRAY(l->ctx->scratch, bool, n);
	for (int64_t i = 0; i < n; i++)
		first[i] = sr_mesh_coordinate_along(l->mesh, i, axes) == 0;
	struct sr_value *identity = sr_build_constant(b, start), *id = sr_build_device_id(b, l->upstream->uses_replica_id);
	struct sr_value *table = sr_build_constant(b, sr_attr_dense(l->ctx, sr_type_tensor(l->ctx, SR_I1, 1, &n), first, n)),
			*is_first_device = sr_build_dynamic_slice(b, table, &id, (int64_t[]){1});
	is_first_device = sr_build_broadcast(b, is_first_device, type, &zero);
	identity = sr_build_broadcast(b, identity, type, NULL);
	for (int i = 0; i < x->op->n_operands / 2; i++)
		sr_op_set_operand(x->op, i, sr_build_select(b, is_first_device, sr_operand(x->op, i), identity));
	return SR_OK;
}

enum sr_status sr_upstream_scatter(struct sr_local *l, struct sr_op *op)
{
	struct sr_context *ctx = l->ctx;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_scatter_dimension_numbers);
	struct indexed_op x = {.l = l, .op = op, .operand = sr_operand(op, 0), .indices = sr_operand(op, (op->n_operands - 1) / 2)};
	const struct sr_local_value *info = sr_local_find(l, x.operand);
	x.operand_type = info ? info->global_type : x.operand->type;
	int64_t *owned_dims = SR_NEW_ARRAY(ctx->scratch, int64_t, x.operand_type->rank), n_inserted;
	const int64_t *inserted_dims;
	sr_struct_ints(ctx, numbers, SR_NAME_scatter_dims_to_operand_dims, &x.map, &x.n_map);
	sr_struct_ints(ctx, numbers, SR_NAME_inserted_window_dims, &inserted_dims, &n_inserted);
	x.vector = sr_attr_field(numbers, SR_NAME_index_vector_dim) ? sr_attr_field(numbers, SR_NAME_index_vector_dim)->i : 0;
	x.owned_dims = owned_dims;
	struct sr_axes axes_of_partials = partial_axes(&x, numbers);
	enum sr_status status = axes_of_partials.n ? start_from_operand_once(&x, axes_of_partials) : SR_OK;
	for (int d = 0; !status && d < x.operand_type->rank; d++) {
		if (!sr_local_axes(l, x.operand, d).n)
			continue;
		if (sr_list_has(x.map, x.n_map, d))
			owned_dims[x.n_owned++] = d;
		else if (sr_list_has(inserted_dims, n_inserted, d))
			status = sr_op_error(op, &ctx->diags, SR_UNSUPPORTED,
					     "sharding operand dimension %d that is not indexed but in inserted window dimension "
					     "is not supported.",
					     d);
	}
	if (!status && x.n_owned)
		sr_op_set_operand(op, (op->n_operands - 1) / 2, to_local_indices(&x, x.indices, NULL));
	return status;
}
