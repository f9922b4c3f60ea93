/* Halo exchange of convolutions over sharded spatial dimensions. If the result is sharded, each device reads the positions under
 * its windows. If the kernel is sharded (in the gradient of the weights, the image's gradient is the kernel), each device sums
 * over its part of the window and one all_reduce adds the partial sums, together with those over contracted features.
 *
 *	image 2x64x32x8 [{}, {"x"}, {}, {}], gradient 2x64x32x16 [{}, {"x"}, {}, {}], "x"=8, result 3x3x8x16
 *	->  each device gets one row from each neighbor, and sums over its own 8 rows: 3x3x8x16, unreduced over "x"
 */
#include "dialect/attr_names.h"
#include "partition/insert_reshards/explicit_reshards.h"
#include "partition/collective.h"
#include "partition/halo/halo_window.h"

enum role { IN_BATCH, IN_FEATURE, KERNEL_IN, KERNEL_OUT, OUT_BATCH, OUT_FEATURE, N_ROLES };

struct convolution {
	struct sr_expansion *h;
	struct sr_op *op;
	const char *mesh_name;
	const struct sr_attr *const *layouts;
	struct sr_value *values[3]; /* image, kernel and result of the convolution */
	/* axes per dimension of image, kernel and local result; a scattered sum has further axes in the result's layout */
	struct sr_axes *axes[3];
	int dim[N_ROLES];
	struct sr_halo_window windows[SR_MAX_RANK];
	int n_windows;
	int64_t feature_groups, batch_groups;
	struct sr_axes sum_axes; /* axes along which devices have partial sums */
};

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
		d->is_reversed = sr_op_ints(c->h->ctx, c->op, SR_NAME_window_reversal, &reversal, &n_reversal) && i < n_reversal &&
			      reversal[i];
	}
	return true;
}

static bool read(struct convolution *c)
{
	struct sr_arena *arena = c->h->arena;
	for (int t = 0; t < 3; t++) {
		struct sr_value *v = c->values[t] = t < 2 ? sr_operand(c->op, t) : sr_result(c->op, 0);
		if (!sr_halo_is_supported(v->type, c->layouts[t]->sharding))
			return false;
		c->axes[t] = sr_axes_by_dim(arena, sr_sharding_resolve(arena, c->h->mesh, c->layouts[t]->sharding));
	}
	c->feature_groups = sr_op_int(c->op, SR_NAME_feature_group_count, 1);
	c->batch_groups = sr_op_int(c->op, SR_NAME_batch_group_count, 1);
	return c->op->n_operands == 2 && read_dims(c);
}

/* Find the axes that are summed over: those of the kernel's contracted dimensions. If the sum is scattered, also remove them from
 * the result's axes. */
static void find_sums(struct convolution *c)
{
	struct sr_arena *arena = c->h->arena;
	c->sum_axes = c->axes[1][c->dim[KERNEL_IN]];
	for (int i = 0; i < c->n_windows; i++)
		c->sum_axes = sr_axes_concat(arena, c->sum_axes, c->axes[1][c->windows[i].kernel]);
	for (int d = 0; d < c->values[2]->type->rank; d++)
		c->axes[2][d] = sr_axes_prefix_without_overlaps(arena, c->axes[2][d], c->sum_axes);
}

/* Return true if each device has whole groups. */
static bool are_groups_divisible(const struct convolution *c)
{
	int64_t n = sr_axes_size(c->axes[2][c->dim[OUT_FEATURE]]);
	return (c->feature_groups == 1 || c->feature_groups % n == 0) && (c->batch_groups == 1 || c->batch_groups % n == 0);
}

/* Set up the transfers of the sharded window dimensions, and add their cost. Returns whether the form is used, unused or
 * impossible. */
static enum sr_form_use set_up(struct convolution *c, struct sr_wire_cost *cost)
{
	enum sr_form_use use = SR_FORM_UNUSED;
	find_sums(c);
	if (!are_groups_divisible(c))
		return SR_FORM_IMPOSSIBLE;
	for (int i = 0; i < c->n_windows; i++) {
		struct sr_halo_window *d = &c->windows[i];
		bool sums_window = c->axes[1][d->kernel].n > 0;
		struct sr_axes axes = sums_window ? c->axes[1][d->kernel] : c->axes[2][d->out];
		struct sr_halo_dim halo_dim = {axes, sr_axes_size(axes)};
		if (halo_dim.shards == 1)
			continue;
		const struct sr_type *image = c->values[0]->type, *result = c->values[2]->type;
		double bytes = sr_halo_bytes_along(c->h, image, c->layouts[0]->sharding, d->in);
		if (!sr_axes_equal(axes, c->axes[0][d->in]) || (sums_window && c->axes[2][d->out].n) ||
		    !sr_halo_window_shard(c->h, d, halo_dim, sums_window, result->shape[d->out], image->shape[d->in]) ||
		    !sr_halo_transfer_cost(d->transfer, bytes, cost))
			return SR_FORM_IMPOSSIBLE;
		use = SR_FORM_USED;
	}
	return use;
}

/* ---------------------------------------------------------------- building */

static const struct sr_attr *sharding_of(const struct convolution *c, int t, struct sr_axes unreduced_axes)
{
	struct sr_context *ctx = c->h->ctx;
	int rank = c->values[t]->type->rank;
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(ctx->arena, struct sr_dim_sharding, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = (struct sr_dim_sharding){c->axes[t][d], true, -1};
	struct sr_sharding s = {.mesh_name = c->mesh_name, .mesh = c->mesh_name ? NULL : c->h->mesh, .dims = dims, .rank = rank};
	s.unreduced = sr_axes_sort_and_merge(ctx->arena, c->h->mesh, unreduced_axes);
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
	for (int i = 0; i < c->n_windows; i++) {
		struct sr_halo_window *d = &c->windows[i];
		if (!d->transfer)
			continue;
		image = sr_halo_window_exchange(c->h, d, image, (struct sr_halo_fill){.kind = SR_FILL_ZERO});
		if (d->is_window_sharded)
			kernel = sr_halo_masked(c->h, kernel, d->kernel, d->shards, d->size, NULL);
	}
	const struct sr_type *type = sr_expand_local_type(c->h, c->values[2]->type, c->axes[2]);
	struct sr_op *op = sr_form_clone(c->h, (struct sr_value *[]){image, kernel}, 2, &type, 1);
	sr_halo_window_write(c->h, op, c->windows, c->n_windows, SR_NAME_lhs_dilation);
	divide_groups(c, op);
	return sr_result(op, 0);
}

static void build(struct convolution *c)
{
	struct sr_context *ctx = c->h->ctx;
	const struct sr_attr *reduced_sharding = sharding_of(c, 2, (struct sr_axes){0}),
			     *partial_sharding = sharding_of(c, 2, c->sum_axes);
	struct sr_builder builder = sr_builder_before(ctx, c->op);
	const struct sr_attr *layouts[] = {c->layouts[0], c->layouts[1], partial_sharding};
	struct sr_value **args = sr_form_begin(c->h, NULL, 0, layouts), *local = build_local(c, args[0], args[1]),
			*out = sr_result(c->h->manual_op, 0);
	if (c->sum_axes.n)
		out = sr_build_all_reduce(&builder, out, sr_axes_sort_and_merge(ctx->arena, c->h->mesh, c->sum_axes), c->h->mesh,
					  SR_UNREDUCED_SUM, reduced_sharding);
	if (!sr_sdy_sharding_is_equivalent(c->layouts[2]->sharding, reduced_sharding->sharding))
		out = sr_build_reshard(&builder, out, c->layouts[2]);
	sr_value_replace_all(c->values[2], out);
	sr_form_end(c->h, &local);
}

/* Return true if the factor is the first factor of a spatial dimension of the image. */
static bool supports(const struct sr_op_view *v, int factor)
{
	const struct sr_attr *numbers = sr_op_attr(v->op, SR_NAME_dimension_numbers);
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, 0);
	const int64_t *in;
	int64_t n;
	if (!numbers || !sr_struct_ints(v->ctx, numbers, SR_NAME_input_spatial_dimensions, &in, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		if (map->dims[in[i]].n && map->dims[in[i]].factors[0] == factor)
			return true;
	return false;
}

static bool begin(struct convolution *c, struct sr_expansion *h, const struct sr_form_query *q)
{
	*c = (struct convolution){.h = h, .op = q->op, .mesh_name = q->mesh.name, .layouts = q->layouts};
	return read(c);
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sr_expansion h = sr_halo_of(q);
	struct convolution c;
	return begin(&c, &h, q) ? set_up(&c, sum) : SR_FORM_UNUSED;
}

static void emit(const struct sr_form_query *q)
{
	struct sr_expansion h = sr_halo_of(q);
	struct sr_wire_cost sum = {0};
	struct convolution c;
	begin(&c, &h, q);
	set_up(&c, &sum);
	build(&c);
}

const struct sr_op_form sr_halo_of_convolution = {"halo", supports, cost, emit};
