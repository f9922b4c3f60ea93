/* Rewriting, as in upstream's pass, of ops whose local form needs more than local types: attributes with extents and offsets. */
#include "upstream/upstream_local.h"
#include "dialect/attr_names.h"
#include "partition/device_coordinate.h"
#include "dialect/op_builders.h"

static struct sr_axes *axes_of(struct sr_local *l, const struct sr_value *v)
{
	struct sr_axes *axes = SR_NEW_ARRAY(l->ctx->scratch, struct sr_axes, v->type->rank);
	for (int d = 0; d < v->type->rank; d++)
		axes[d] = sr_local_axes(l, v, d);
	return axes;
}

static const struct sr_type *global_type(const struct sr_local *l, const struct sr_value *v)
{
	const struct sr_local_value *info = sr_local_find(l, v);
	return info ? info->global_type : v->type;
}

static const int64_t *ints(struct sr_local *l, const struct sr_op *op, const char *name)
{
	const int64_t *v = NULL;
	int64_t n;
	return sr_op_ints(l->ctx, op, name, &v, &n) && n ? v : NULL;
}

static enum sr_status mismatch_error(struct sr_local *l, struct sr_op *op, int dim)
{
	return sr_op_error(op, &l->ctx->diags, SR_INVALID,
			   "dimension %d has mismatched sharding axes. This requires a reshard which should have been handled by "
			   "previous passes.",
			   dim);
}

/* Rewrite a constant: a splat becomes a smaller splat; other constants are built replicated and sliced. */
enum sr_status sr_upstream_constant(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *out = sr_result(op, 0);
	const struct sr_attr *value = sr_op_attr(op, SR_NAME_value);
	struct sr_axes *axes = axes_of(l, out);
	if (!sr_op_is(op, SR_OP_sdy_constant) && out->type == global_type(l, out))
		return SR_OK;
	if (out->type == global_type(l, out) || value->dense->splat)
		return sr_local_constant(l, op);
	struct sr_value *v = sr_upstream_slice_shard(l, sr_build_constant(&l->builder, value), axes, out->type);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

enum sr_status sr_upstream_iota(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *out = sr_result(op, 0);
	const struct sr_attr *dim = sr_op_attr(op, SR_NAME_iota_dimension);
	if (sr_upstream_is_replicated(l, out))
		return SR_OK;
	struct sr_axes axes = sr_local_axes(l, out, (int)dim->i);
	struct sr_named_attr attr = {SR_NAME_iota_dimension, dim};
	struct sr_value *v = sr_result(sr_build(&l->builder, SR_OP_stablehlo_iota, NULL, 0, &attr, 1, &out->type, 1), 0);
	if (axes.n) {
		struct sr_value *offset = sr_upstream_offset(l, axes, out->type->shape[dim->i]);
		offset = sr_build_convert(&l->builder, offset, out->type->dtype);
		v = sr_build_binary(&l->builder, SR_OP_stablehlo_add, v, sr_build_broadcast(&l->builder, offset, out->type, NULL));
	}
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* Return true if a slice moves no element to another shard. */
static bool keeps_shards(const struct sr_type *in, const struct sr_type *out, int dim, int64_t stride, int64_t shards)
{
	return shards <= 1 || (stride == 1 && (in->shape[dim] + shards - 1) / shards == (out->shape[dim] + shards - 1) / shards);
}

enum sr_status sr_upstream_slice(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	int rank = in->type->rank;
	const int64_t *start = ints(l, op, SR_NAME_start_indices), *limit = ints(l, op, SR_NAME_limit_indices),
		      *strides = ints(l, op, SR_NAME_strides);
	if (sr_upstream_is_replicated(l, in) && sr_upstream_is_replicated(l, out))
		return SR_OK;
	int64_t *to = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank);
	const struct sr_type *operand_type = global_type(l, in);
	for (int d = 0; d < rank; d++) {
		struct sr_axes axes = sr_local_axes(l, in, d);
		bool is_full = limit[d] == operand_type->shape[d];
		if (!sr_axes_equal(axes, sr_local_axes(l, out, d)))
			return mismatch_error(l, op, d);
		to[d] = !axes.n ? limit[d] : is_full ? in->type->shape[d] : out->type->shape[d];
		if (axes.n &&
		    (start[d] || (!is_full && !keeps_shards(operand_type, global_type(l, out), d, strides[d], sr_axes_size(axes)))))
			return sr_op_error(op, &l->ctx->diags, SR_INVALID,
					   "dimension %d is sharded but the slice is not a full slice and requires device "
					   "communication.",
					   d);
	}
	struct sr_value *v = sr_build_slice(&l->builder, in, start, to, strides);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* ---- pad ---- */

/* For one dimension and each device: offset of the device's operand shard in its result shard, and the minimum and maximum of these
 * offsets. Length of `offsets`: number of devices. */
struct offsets {
	int64_t *offsets, min, max;
};

static struct offsets offsets_of(struct sr_local *l, struct sr_op *op, int dim, int64_t low, int64_t interior)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	struct sr_axes axes = sr_local_axes(l, in, dim);
	int64_t n = sr_mesh_devices(l->mesh);
	struct offsets o = {SR_NEW_ARRAY(l->ctx->scratch, int64_t, n), INT64_MAX, INT64_MIN};
	for (int64_t i = 0; i < n; i++) {
		int64_t k = sr_mesh_coordinate_along(l->mesh, i, axes);
		o.offsets[i] = k * in->type->shape[dim] * (interior + 1) + low - k * out->type->shape[dim];
		o.min = o.offsets[i] < o.min ? o.offsets[i] : o.min;
		o.max = o.offsets[i] > o.max ? o.offsets[i] : o.max;
	}
	return o;
}

static int64_t dilated_extent(const struct sr_type *t, int dim, int64_t interior)
{
	return (t->shape[dim] - 1) * (interior + 1) + 1;
}

static struct sr_value *pad_uniformly(struct sr_local *l, struct sr_op *op, const struct offsets *o, const int64_t *interior)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	int rank = in->type->rank;
	int64_t *low = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank), *high = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank);
	for (int d = 0; d < rank; d++) {
		low[d] = o[d].min;
		high[d] = out->type->shape[d] - dilated_extent(in->type, d, interior[d]) - low[d];
	}
	return sr_build_pad(&l->builder, in, sr_operand(op, 1), low, high, interior);
}

/* Pad by the maximum amounts over the devices, and slice at an offset that depends on the device. */
static struct sr_value *pad_and_slice(struct sr_local *l, struct sr_op *op, const struct offsets *o, const int64_t *interior)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	int rank = in->type->rank;
	int64_t n = sr_mesh_devices(l->mesh), *table = SR_NEW_ARRAY(l->ctx->scratch, int64_t, n);
	int64_t *low = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank), *high = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank);
	struct sr_value **starts = SR_NEW_ARRAY(l->ctx->scratch, struct sr_value *, rank);
	for (int d = 0; d < rank; d++) {
		low[d] = o[d].max > 0 ? o[d].max : 0;
		high[d] = out->type->shape[d] - o[d].min - dilated_extent(in->type, d, interior[d]);
		high[d] = high[d] > 0 ? high[d] : 0;
	}
	struct sr_value *v = sr_build_pad(&l->builder, in, sr_operand(op, 1), low, high, interior),
			*id = sr_build_device_id(&l->builder, l->upstream->uses_replica_id);
	for (int d = 0; d < rank; d++) {
		for (int64_t i = 0; i < n; i++)
			table[i] = low[d] - o[d].offsets[i];
		starts[d] = o[d].min == o[d].max ? sr_build_scalar(&l->builder, SR_I64, table[0])
						    : sr_device_lookup(&l->builder, table, n, SR_I64, id);
	}
	return sr_build_dynamic_slice(&l->builder, v, starts, out->type->shape);
}

enum sr_status sr_upstream_pad(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	int rank = in->type->rank;
	const int64_t *low = ints(l, op, SR_NAME_edge_padding_low), *interior = ints(l, op, SR_NAME_interior_padding);
	struct offsets *o = SR_NEW_ARRAY(l->ctx->scratch, struct offsets, rank);
	bool uniform = true;
	for (int d = 0; d < rank; d++)
		if (!sr_axes_equal(sr_local_axes(l, in, d), sr_local_axes(l, out, d)))
			return mismatch_error(l, op, d);
	if (sr_upstream_is_replicated(l, in))
		return SR_OK;
	for (int d = 0; d < rank; d++) {
		o[d] = offsets_of(l, op, d, low[d], interior[d]);
		uniform = uniform && o[d].min == o[d].max;
	}
	struct sr_value *v = uniform ? pad_uniformly(l, op, o, interior) : pad_and_slice(l, op, o, interior);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* ---- ops that run unchanged if their dimensions are sharded suitably ---- */

enum sr_status sr_upstream_concatenate(struct sr_local *l, struct sr_op *op)
{
	int dim = (int)sr_op_int(op, SR_NAME_dimension, 0);
	struct sr_value *out = sr_result(op, 0);
	if (sr_local_axes(l, out, dim).n)
		return sr_op_error(op, &l->ctx->diags, SR_INVALID,
				   "dimension %d is sharded but the concatenation is on this dimension.", dim);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *in = sr_operand(op, i);
		if (sr_local_axes(l, in, dim).n)
			return sr_op_error(op, &l->ctx->diags, SR_INVALID,
					   "operand %d is sharded on concatenation dimension %d. This is not supported.", i, dim);
		for (int d = 0; d < in->type->rank; d++)
			if (!sr_axes_equal(sr_local_axes(l, in, d), sr_local_axes(l, out, d)))
				return mismatch_error(l, op, d);
	}
	return SR_OK;
}

static void add_axes(struct sr_local *l, struct sr_axes *to, const struct sr_value *v, int64_t dim)
{
	struct sr_axes axes = sr_local_axes(l, v, (int)dim);
	for (int i = 0; i < axes.n; i++)
		if (!sr_axes_has(*to, axes.refs[i]))
			*to = sr_axes_append(l->ctx->scratch, *to, axes.refs[i]);
}

static void localize_groups(struct sr_local *l, struct sr_op *op, const char *name, const struct sr_value *v, int64_t dim)
{
	int64_t groups = sr_op_int(op, name, 1), shards = sr_axes_size(sr_local_axes(l, v, (int)dim));
	if (groups > 1)
		sr_op_set_attr(l->ctx, op, name, sr_attr_i64(l->ctx, groups / (shards < groups ? shards : groups)));
}

enum sr_status sr_upstream_convolution(struct sr_local *l, struct sr_op *op)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	struct sr_value *image = sr_operand(op, 0), *kernel = sr_operand(op, 1);
	struct sr_axes summed_axes = {0};
	const int64_t *spatial_dims;
	int64_t n;
	if (sr_upstream_is_replicated(l, image) && sr_upstream_is_replicated(l, kernel) &&
	    sr_upstream_is_replicated(l, sr_result(op, 0)))
		return SR_OK;
	add_axes(l, &summed_axes, kernel, sr_attr_field(numbers, SR_NAME_kernel_input_feature_dimension)->i);
	if (sr_struct_ints(l->ctx, numbers, SR_NAME_kernel_spatial_dimensions, &spatial_dims, &n))
		for (int64_t i = 0; i < n; i++)
			add_axes(l, &summed_axes, kernel, spatial_dims[i]);
	enum sr_status status = summed_axes.n ? sr_upstream_expect_reduction(l, op, summed_axes) : SR_OK;
	if (status)
		return status;
	localize_groups(l, op, SR_NAME_feature_group_count, kernel,
			sr_attr_field(numbers, SR_NAME_kernel_output_feature_dimension)->i);
	localize_groups(l, op, SR_NAME_batch_group_count, image, sr_attr_field(numbers, SR_NAME_input_batch_dimension)->i);
	sr_op_remove_attr(l->ctx, op, "sdy.sharding");
	return SR_OK;
}

enum sr_status sr_upstream_product(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *x = sr_operand(op, 0);
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	int64_t last = x->type->rank - 1, n = 1;
	const int64_t *dims = &last;
	struct sr_axes summed_axes = {0};
	if (sr_upstream_is_replicated(l, x) ||
	    (numbers && !sr_struct_ints(l->ctx, numbers, SR_NAME_lhs_contracting_dimensions, &dims, &n)))
		return SR_OK;
	for (int64_t i = 0; i < n; i++)
		add_axes(l, &summed_axes, x, dims[i]);
	return summed_axes.n ? sr_upstream_expect_reduction(l, op, summed_axes) : SR_OK;
}

/* Check a window op: windows along a sharded dimension must stay within a shard, so there may be no padding, and no window wider
 * than its stride. */
enum sr_status sr_upstream_window(struct sr_local *l, struct sr_op *op)
{
	const struct sr_value *in = sr_operand(op, 0);
	const int64_t *padding = ints(l, op, SR_NAME_padding), *window = ints(l, op, SR_NAME_window_dimensions),
		      *strides = ints(l, op, SR_NAME_window_strides);
	for (int d = 0; d < in->type->rank; d++) {
		int64_t size = window ? window[d] : 1, stride = strides ? strides[d] : 1;
		bool is_padded = padding && (padding[2 * d] || padding[2 * d + 1]);
		if (sr_axes_size(sr_local_axes(l, in, d)) > 1 && (is_padded || size > stride || (stride != 1 && stride < size)))
			return sr_op_error(op, &l->ctx->diags, SR_INVALID,
					   "dimension %d is sharded but is not a pass-through dimension.", d);
	}
	return SR_OK;
}
