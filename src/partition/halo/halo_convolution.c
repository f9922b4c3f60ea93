/* Halo exchange of convolutions over sharded spatial dimensions. If the result is sharded, each device reads the positions under
 * its windows. If the kernel is sharded (in the gradient of the weights, the image's gradient is the kernel), each device sums
 * over its part of the window and one all_reduce adds the partial sums. Contracted batch and feature dimensions join the same
 * sum.
 *
 *	image 2x64x32x8 [{}, {"x"}, {}, {}], gradient 2x64x32x16 [{}, {"x"}, {}, {}], "x"=8, result 3x3x8x16
 *	->  each device gets one row from each neighbor, and sums over its own 8 rows: 3x3x8x16, unreduced over "x"
 */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "partition/insert_reshards/explicit_reshards.h"
#include "partition/collective.h"
#include "partition/halo/halo_window.h"
#include "support/checked.h"

enum role { IN_BATCH, IN_FEATURE, KERNEL_IN, KERNEL_OUT, OUT_BATCH, OUT_FEATURE, N_ROLES };

struct convolution {
	struct sr_halo *h;
	struct sr_op *op;
	const char *mesh_name;
	struct sr_value *values[3];         /* image, kernel, result */
	struct sr_axes *given[3], *axes[3]; /* [rank]: axes before the pass, and axes that the local op takes and makes */
	int dim[N_ROLES];
	struct sr_halo_window windows[SR_MAX_RANK];
	int n_windows;
	int64_t feature_groups, batch_groups;
	struct sr_axes sum_axes; /* axes along which devices have partial sums */
};

static struct sr_axes unused_prefix(const struct convolution *c, struct sr_axes required, struct sr_axes taken)
{
	return sr_axes_prefix_without_overlaps(c->h->ctx->arena, required, taken);
}

static bool read_dims(struct convolution *c)
{
	static const char *const roles[N_ROLES] = {SR_NAME_input_batch_dimension,         SR_NAME_input_feature_dimension,
						   SR_NAME_kernel_input_feature_dimension, SR_NAME_kernel_output_feature_dimension,
						   SR_NAME_output_batch_dimension,        SR_NAME_output_feature_dimension};
	const struct sr_attr *numbers = sr_op_attr(c->op, SR_NAME_dimension_numbers);
	const int64_t *in, *kernel, *out;
	int64_t n;
	if (!numbers || !sr_struct_ints(c->h->ctx, numbers, SR_NAME_kernel_spatial_dimensions, &kernel, &n) ||
	    !sr_struct_ints(c->h->ctx, numbers, SR_NAME_output_spatial_dimensions, &out, &n) ||
	    !sr_struct_ints(c->h->ctx, numbers, SR_NAME_input_spatial_dimensions, &in, &n))
		return false;
	for (int r = 0; r < N_ROLES; r++) {
		const struct sr_attr *a = sr_attr_field(numbers, roles[r]);
		c->dim[r] = a ? (int)a->i : 0;
	}
	for (int64_t i = 0; i < n; i++) {
		struct sr_halo_window *d = &c->windows[c->n_windows++];
		const int64_t *reversal;
		int64_t n_reversal;
		*d = (struct sr_halo_window){.in = (int)in[i], .kernel = (int)kernel[i], .out = (int)out[i],
					    .size = c->values[1]->type->shape[kernel[i]]};
		sr_halo_window_read(c->h, c->op, d, i, SR_NAME_lhs_dilation, SR_NAME_rhs_dilation);
		d->reversed = sr_op_ints(c->h->ctx, c->op, SR_NAME_window_reversal, &reversal, &n_reversal) && i < n_reversal &&
			      reversal[i];
	}
	return true;
}

static bool read(struct convolution *c)
{
	struct sr_arena *arena = c->h->ctx->arena;
	for (int t = 0; t < 3; t++) {
		struct sr_value *v = c->values[t] = t < 2 ? sr_operand(c->op, t) : sr_result(c->op, 0);
		const struct sr_attr *s = sr_value_sharding(c->h->ctx, v);
		struct sr_sdy_sharding reduced_sharding = sr_sdy_replicated_sharding(arena, c->mesh_name, v->type->rank, true);
		const struct sr_mesh *mesh = s ? sr_sharding_mesh(c->h->module, s->sharding) : c->h->mesh;
		if (!mesh || !sr_mesh_equal(mesh, c->h->mesh) ||
		    !sr_halo_is_supported(v->type, s ? s->sharding : &reduced_sharding) || (s && s->sharding->unreduced.n))
			return false;
		c->given[t] = sr_axes_by_dim(arena, sr_sharding_resolve(arena, mesh, s ? s->sharding : &reduced_sharding));
		c->axes[t] = SR_NEWS(arena, struct sr_axes, v->type->rank);
	}
	c->feature_groups = sr_op_int(c->op, SR_NAME_feature_group_count, 1);
	c->batch_groups = sr_op_int(c->op, SR_NAME_batch_group_count, 1);
	return c->op->n_operands == 2 && read_dims(c);
}

/* ---------------------------------------------------------------- partitioning */

/* Return the axes to partition the window along: those of kernel or image if the window is larger than the result, as in the
 * gradient of the weights. */
static struct sr_axes window_axes(const struct convolution *c, const struct sr_halo_window *d)
{
	struct sr_axes of_kernel = c->given[1][d->kernel], of_image = c->given[0][d->in];
	int64_t positions = c->values[2]->type->shape[d->out];
	if (d->size <= positions)
		return (struct sr_axes){0};
	return of_kernel.n ? of_kernel : of_image;
}

/* Partition contracted features along the axes of one operand, if they can join the sum. */
static void partition_contraction(struct convolution *c)
{
	struct sr_axes of_image = c->given[0][c->dim[IN_FEATURE]], of_kernel = c->given[1][c->dim[KERNEL_IN]];
	struct sr_axes axes = unused_prefix(c, of_image.n ? of_image : of_kernel, c->sum_axes);
	if (c->feature_groups > 1 || c->values[1]->type->shape[c->dim[KERNEL_IN]] % sr_axes_size(axes))
		return;
	/* the result uses these axes: it would have to be sliced again */
	for (int d = 0; d < c->values[2]->type->rank && !c->sum_axes.n; d++)
		axes = unused_prefix(c, axes, c->given[2][d]);
	c->axes[0][c->dim[IN_FEATURE]] = c->axes[1][c->dim[KERNEL_IN]] = axes;
	c->sum_axes = sr_axes_concat(c->h->ctx->arena, c->sum_axes, axes);
}

/* Partition batch and output features as the result has them; whole groups only. */
static void follow_result(struct convolution *c)
{
	struct sr_axes features = unused_prefix(c, c->given[2][c->dim[OUT_FEATURE]], c->sum_axes),
		       batch = unused_prefix(c, c->given[2][c->dim[OUT_BATCH]], c->sum_axes);
	int64_t groups = c->feature_groups > 1 ? c->feature_groups : c->batch_groups, n = sr_axes_size(features);
	if (groups > 1 && (groups % n || (c->feature_groups > 1 && c->batch_groups > 1)))
		features.n = 0;
	if (c->batch_groups > 1)
		batch.n = 0;
	if (c->feature_groups > 1)
		c->axes[0][c->dim[IN_FEATURE]] = features;
	c->axes[0][c->dim[IN_BATCH]] = c->batch_groups > 1 ? features : batch;
	c->axes[1][c->dim[KERNEL_OUT]] = c->axes[2][c->dim[OUT_FEATURE]] = features;
	c->axes[2][c->dim[OUT_BATCH]] = batch;
}

/* Partition the window dimensions. False: none can be, or a transfer is impossible. */
static bool partition_windows(struct convolution *c)
{
	bool some = false;
	for (int i = 0; i < c->n_windows; i++) {
		struct sr_halo_window *d = &c->windows[i];
		struct sr_axes axes = unused_prefix(c, window_axes(c, d), c->sum_axes);
		bool sums = axes.n > 0;
		if (sums) {
			c->axes[1][d->kernel] = axes;
			c->sum_axes = sr_axes_concat(c->h->ctx->arena, c->sum_axes, axes);
		}
	}
	for (int i = 0; i < c->n_windows; i++) {
		struct sr_halo_window *d = &c->windows[i];
		bool sums = c->axes[1][d->kernel].n > 0;
		struct sr_axes axes = sums ? c->axes[1][d->kernel] : unused_prefix(c, c->given[2][d->out], c->sum_axes);
		int64_t n = sr_axes_size(axes);
		if (n == 1)
			continue;
		c->axes[0][d->in] = axes;
		if (!sums)
			c->axes[2][d->out] = axes;
		if (!sr_halo_window_shard(c->h, d, (struct sr_halo_dim){axes, n}, sums, c->values[2]->type->shape[d->out],
					  c->values[0]->type->shape[d->in]))
			return false;
		some = true;
	}
	return some;
}

/* ---------------------------------------------------------------- price */

static double local_bytes(const struct convolution *c, int t, const struct sr_axes *axes)
{
	const struct sr_type *type = c->values[t]->type;
	double bytes = (double)sr_dtype_bytes(type->dtype);
	for (int d = 0; d < type->rank; d++)
		bytes *= (double)sr_ceil_div(type->shape[d], sr_axes_size(axes[d]));
	return bytes;
}

/* Return the price of gathering operand t along its sharded spatial dimensions. */
static double gather_price(const struct convolution *c, int t)
{
	struct sr_axes axes = {0};
	for (int i = 0; i < c->n_windows; i++)
		axes = sr_axes_concat(c->h->ctx->scratch, axes, c->given[t][t ? c->windows[i].kernel : c->windows[i].in]);
	return sr_halo_gather_cost(c->h, local_bytes(c, t, c->given[t]) * (double)sr_axes_size(axes), axes);
}

static bool pays(const struct convolution *c)
{
	double sent = 0, shard_extent = local_bytes(c, 0, c->axes[0]), n = (double)sr_axes_size(c->sum_axes);
	bool scatters = false;
	for (int i = 0; i < c->n_windows; i++)
		if (c->windows[i].exchange)
			sent += sr_halo_transfer_cost(c->windows[i].exchange, shard_extent / (double)c->windows[i].shard_extent);
	for (int d = 0; d < c->values[2]->type->rank; d++)
		scatters = scatters || sr_axes_size(c->given[2][d]) > sr_axes_size(c->axes[2][d]);
	double sums = local_bytes(c, 2, c->axes[2]);
	sent += sr_cost_model_collective(c->h->costs, c->h->mesh, scatters ? SR_REDUCE_SCATTER : SR_ALL_REDUCE, scatters ? sums / n : sums,
					 c->sum_axes, c->h->latency);
	return sent < gather_price(c, 0) + gather_price(c, 1);
}

/* ---------------------------------------------------------------- building */

static const struct sr_attr *sharding_of(const struct convolution *c, int t, struct sr_axes unreduced)
{
	struct sr_context *ctx = c->h->ctx;
	int rank = c->values[t]->type->rank;
	struct sr_dim_sharding *dims = SR_NEWS(ctx->arena, struct sr_dim_sharding, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = (struct sr_dim_sharding){c->axes[t][d], true, -1};
	struct sr_sharding s = {.mesh_name = c->mesh_name, .mesh = c->mesh_name ? NULL : c->h->mesh, .dims = dims, .rank = rank};
	s.unreduced = sr_axes_sort_and_merge(ctx->arena, c->h->mesh, unreduced);
	return sr_sharding_attr(ctx, c->h->mesh, &s);
}

static void divide_groups(struct convolution *c, struct sr_op *op)
{
	int64_t n = sr_axes_size(c->axes[2][c->dim[OUT_FEATURE]]);
	if (c->feature_groups > 1)
		sr_op_set_attr(c->h->ctx, op, SR_NAME_feature_group_count, sr_attr_i64(c->h->ctx, c->feature_groups / n));
	if (c->batch_groups > 1)
		sr_op_set_attr(c->h->ctx, op, SR_NAME_batch_group_count, sr_attr_i64(c->h->ctx, c->batch_groups / n));
}

static struct sr_value *build_local(struct convolution *c, struct sr_value *image, struct sr_value *kernel)
{
	struct sr_context *ctx = c->h->ctx;
	const struct sr_type *type = c->values[2]->type;
	int64_t *shape = sr_dup(ctx->arena, type->shape, (size_t)type->rank, sizeof *shape);
	for (int i = 0; i < c->n_windows; i++) {
		struct sr_halo_window *d = &c->windows[i];
		if (!d->exchange)
			continue;
		image = sr_halo_window_exchange(c->h, d, image, (struct sr_halo_fill){.kind = SR_FILL_ZERO});
		if (d->along_window)
			kernel = sr_halo_masked(c->h, kernel, d->kernel, d->along, d->size, NULL);
	}
	for (int d = 0; d < type->rank; d++)
		shape[d] = sr_ceil_div(shape[d], sr_axes_size(c->axes[2][d]));
	struct sr_op *op = sr_op_clone(ctx, c->op, NULL);
	sr_op_remove_attr(ctx, op, "sdy.sharding");
	sr_halo_window_write(c->h, op, c->windows, c->n_windows, SR_NAME_lhs_dilation);
	divide_groups(c, op);
	sr_op_set_operand(op, 0, image);
	sr_op_set_operand(op, 1, kernel);
	sr_result(op, 0)->type = sr_type_with_shape(ctx, type, type->rank, shape);
	sr_op_append(c->h->at.block, op);
	return sr_result(op, 0);
}

static void build(struct convolution *c)
{
	struct sr_context *ctx = c->h->ctx;
	const struct sr_attr *shardings[] = {sharding_of(c, 0, (struct sr_axes){0}), sharding_of(c, 1, (struct sr_axes){0})},
			     *required = sr_value_sharding(ctx, c->values[2]),
			     *reduced_sharding = sharding_of(c, 2, (struct sr_axes){0}),
			     *partial_sharding = sharding_of(c, 2, c->sum_axes);
	struct sr_builder after = sr_builder_before(ctx, c->op);
	struct sr_op *manual = sr_halo_begin(c->h, c->op, c->values, shardings, 2, partial_sharding);
	struct sr_value **args = manual->regions[0].first->args, *local = build_local(c, args[0], args[1]),
			*out = sr_result(manual, 0);
	if (c->sum_axes.n)
		out = sr_build_all_reduce(&after, out, sr_axes_sort_and_merge(ctx->arena, c->h->mesh, c->sum_axes), c->h->mesh,
					  SR_UNREDUCED_SUM, reduced_sharding);
	if (!sr_sdy_sharding_is_equivalent(required ? required->sharding : NULL, reduced_sharding->sharding))
		out = sr_build_reshard(&after, out, required);
	sr_value_replace_all(c->values[2], out);
	sr_halo_end(c->h, c->op, manual, local);
}

bool sr_halo_expand_convolution(struct sr_halo *h, struct sr_op *op)
{
	struct convolution c = {.h = h, .op = op};
	for (int i = -1; i < op->n_operands && !c.mesh_name; i++) {
		const struct sr_attr *s = sr_value_sharding(h->ctx, i < 0 ? sr_result(op, 0) : sr_operand(op, i));
		c.mesh_name = s ? s->sharding->mesh_name : NULL;
	}
	if (!c.mesh_name || !read(&c) || !partition_windows(&c))
		return false;
	partition_contraction(&c);
	follow_result(&c);
	if (!pays(&c))
		return false;
	build(&c);
	return true;
}
