/* sdy-pad-for-divisibility in upstream's forms: pad inner values on the global module, so that all shards have one size.
 *
 * 	%0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>          "x"=4
 * 	%0 = stablehlo.pad %arg0, %zero, low = [0], high = [1], ... and the slice of tensor<8xf32>
 *
 * Gathers of a padded dimension slice the padding off. Products and convolutions get zeros in contracted dimensions, unless the
 * padding is known to be zero. Arguments and results of functions must be divisible
 * (sdy-update-non-divisible-input-output-shardings). */
#include "dialect/comparison.h"
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "partition/partition.h"
#include "upstream/upstream_shapes.h"
#include "support/vec.h"
#include "upstream/upstream_passes.h"

struct padding {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_map original_types; /* maps a value, and its replacement, to the value's type before the pass */
	struct sr_map zero_padded_values; /* set of values whose padding is known to be zero */
	struct sr_builder builder;
};

static const struct sr_type *original_type(const struct padding *p, const struct sr_value *v)
{
	const struct sr_type *t = sr_map_get(&p->original_types, v);
	return t ? t : v->type;
}

static const struct sr_type *divisible_type(const struct padding *p, const struct sr_type *type, const struct sr_attr *sharding)
{
	return sr_upstream_divisible(p->ctx, p->module, type, sharding);
}

static bool shards_divide(const struct padding *p, const struct sr_value *v)
{
	const struct sr_type *t = original_type(p, v);
	return divisible_type(p, t, sr_value_sharding(p->ctx, v)) == t;
}

static void set_original_type(struct padding *p, const struct sr_value *v, const struct sr_type *type)
{
	sr_map_put(&p->original_types, v, (void *)(uintptr_t)type);
}

static void set_zeroed(struct padding *p, const struct sr_value *v, bool has_zero_padding)
{
	if (has_zero_padding)
		sr_map_put(&p->zero_padded_values, v, p);
}

static bool is_zeroed(const struct padding *p, const struct sr_value *v)
{
	return sr_map_get(&p->zero_padded_values, v);
}

/* ---- masking ---- */

static struct sr_value *shard_like(struct padding *p, struct sr_value *v, const struct sr_attr *sharding)
{
	if (sharding)
		sr_value_set_sharding(p->ctx, v, sharding);
	return v;
}

/* Return the i1 mask of positions within the given extents, in the dimensions of the bit set `dims`; NULL if all positions are. */
static struct sr_value *mask_within(struct padding *p, struct sr_value *v, const struct sr_type *type_before_pass, uint32_t dims)
{
	const struct sr_attr *s = sr_value_sharding(p->ctx, v);
	const struct sr_type *type = sr_type_tensor(p->ctx, SR_I32, v->type->rank, v->type->shape);
	struct sr_value *mask = NULL;
	for (int d = 0; d < type->rank; d++) {
		struct sr_named_attr dim = {SR_NAME_iota_dimension, sr_attr_i64(p->ctx, d)};
		if (type_before_pass->shape[d] == type->shape[d] || !(dims >> d & 1))
			continue;
		struct sr_op *iota = sr_build(&p->builder, SR_OP_stablehlo_iota, NULL, 0, &dim, 1, &type, 1);
		struct sr_value *positions = shard_like(p, sr_result(iota, 0), s),
				*limit = sr_build_scalar(&p->builder, SR_I32, type_before_pass->shape[d]);
		limit = shard_like(p, sr_build_broadcast(&p->builder, limit, type, NULL), s);
		struct sr_value *in = shard_like(p, sr_build_compare(&p->builder, positions, SR_LT, limit, NULL), s);
		mask = mask ? shard_like(p, sr_build_binary(&p->builder, SR_OP_stablehlo_and, mask, in), s) : in;
	}
	return mask;
}

static struct sr_value *mask_padding(struct padding *p, struct sr_value *v, const struct sr_type *type_before_pass,
				     struct sr_value *fill, uint32_t dims)
{
	const struct sr_attr *s = sr_value_sharding(p->ctx, v);
	struct sr_value *mask = v->type == type_before_pass ? NULL : mask_within(p, v, type_before_pass, dims);
	if (!mask)
		return v;
	fill = shard_like(p, sr_build_broadcast(&p->builder, fill, v->type, NULL), s);
	return shard_like(p, sr_build_select(&p->builder, mask, v, fill), s);
}

static void zero_operand(struct padding *p, struct sr_op *op, int i, uint32_t dims)
{
	struct sr_value *v = sr_operand(op, i);
	const struct sr_type *type_before_pass = original_type(p, v);
	if (v->type != type_before_pass && !is_zeroed(p, v))
		sr_op_set_operand(op, i, mask_padding(p, v, type_before_pass, sr_build_zero_scalar(&p->builder, v->type->element), dims));
}

static uint32_t dims_bit_set(const int64_t *dims, int64_t n)
{
	uint32_t bits = 0;
	for (int64_t i = 0; i < n; i++)
		bits |= 1u << dims[i];
	return bits;
}

/* ---- ops ---- */

/* Return the result type inferred from the present operand types; NULL if it cannot be inferred. */
static const struct sr_type *inferred_result_type(struct padding *p, struct sr_op *op, int i)
{
	const struct sr_type *t = sr_result(op, i)->type,
			     **types = SR_NEW_ARRAY(p->ctx->scratch, const struct sr_type *, op->n_results);
	if (sr_op_has(op, SR_ELEMENTWISE)) {
		for (int k = 0; k < op->n_operands; k++)
			if (sr_operand_type(op, k)->rank == t->rank)
				return sr_operand_type(op, k);
	} else if (op->n_operands && sr_op_has(op, SR_INFERRED_RESULT)) {
		struct sr_infer in = {p->ctx, op, types, &p->ctx->diags, false};
		if (sr_op_infer(&in) == SR_OK)
			return types[i];
		sr_diags_clear(&p->ctx->diags);
	}
	return NULL;
}

/* Pad the results to a multiple of their shards, and to at least the inferred extents. */
static enum sr_status pad_results(struct padding *p, struct sr_op *op)
{
	if (sr_op_has(op, SR_TERMINATOR))
		return SR_OK;
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *v = sr_result(op, i);
		const struct sr_type *required_type = divisible_type(p, v->type, sr_value_sharding(p->ctx, v)),
				     *inferred_type = inferred_result_type(p, op, i);
		int64_t *shape = sr_dup(p->ctx->scratch, required_type->shape, (size_t)required_type->rank, sizeof *shape);
		for (int d = 0; inferred_type && inferred_type->rank == required_type->rank && d < required_type->rank; d++)
			shape[d] = inferred_type->shape[d] > shape[d] ? inferred_type->shape[d] : shape[d];
		if (required_type->kind == SR_TYPE_TENSOR)
			v->type = sr_type_with_shape(p->ctx, required_type, required_type->rank, shape);
	}
	return SR_OK;
}

/* Slice the result, in the dimensions of the bit set `dims`, to the shape `to`, and let all readers use the slice. */
static void slice_for_readers(struct padding *p, struct sr_op *op, const struct sr_type *to, uint32_t dims, bool is_zeroed)
{
	struct sr_value *v = sr_result(op, 0);
	const struct sr_type *type_before_pass = original_type(p, v);
	int64_t *shape = sr_dup(p->ctx->scratch, v->type->shape, (size_t)v->type->rank, sizeof *shape);
	for (int d = 0; d < v->type->rank; d++)
		if (dims >> d & 1 && to->shape[d] < shape[d])
			shape[d] = to->shape[d];
	struct sr_use *uses = v->uses;
	struct sr_builder builder = {.ctx = p->ctx, .block = op->block, .anchor = op->next, .loc = op->loc};
	struct sr_value *sliced_value = sr_upstream_slice_to(&builder, v, shape, sr_value_sharding(p->ctx, v));
	for (struct sr_use *use = uses, *next; sliced_value != v && use; use = next) {
		next = use->next;
		if (use->owner != sliced_value->def)
			sr_use_set(use, sliced_value);
	}
	set_original_type(p, sliced_value, type_before_pass);
	set_zeroed(p, sliced_value, is_zeroed);
}

/* Pad the operand of a slicing collective to a multiple of the shards into which it is sliced. */
static void pad_operand(struct padding *p, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *type_before_pass = original_type(p, v),
			     *to = divisible_type(p, v->type, sr_op_attr(op, SR_NAME_out_sharding));
	bool has_zero_padding = v->type == type_before_pass || is_zeroed(p, v);
	if (to != v->type) {
		v = sr_upstream_pad_to(&p->builder, v, to->shape, NULL, sr_value_sharding(p->ctx, v));
		set_original_type(p, v, type_before_pass);
		set_zeroed(p, v, has_zero_padding);
		sr_op_set_operand(op, 0, v);
	}
	sr_result(op, 0)->type = v->type;
	set_zeroed(p, sr_result(op, 0), is_zeroed(p, v));
}

static uint32_t gathered_dims(const struct sr_op *op)
{
	const struct sr_attr *list = sr_op_attr(op, SR_NAME_gathering_axes);
	uint32_t dims = 0;
	for (int d = 0; d < list->n; d++)
		if (list->list[d]->axes && list->list[d]->axes->n)
			dims |= 1u << d;
	return dims;
}

static enum sr_status pad_gather(struct padding *p, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0);
	if (shards_divide(p, in))
		return SR_OK;
	const struct sr_type *type_before_pass = sr_result(op, 0)->type;
	sr_result(op, 0)->type = in->type;
	slice_for_readers(p, op, type_before_pass, gathered_dims(op), is_zeroed(p, in));
	return SR_OK;
}

static enum sr_status pad_slicing(struct padding *p, struct sr_op *op)
{
	const struct sr_type *t = original_type(p, sr_operand(op, 0));
	if (divisible_type(p, t, sr_op_attr(op, SR_NAME_out_sharding)) != t)
		pad_operand(p, op);
	else
		sr_result(op, 0)->type = sr_operand_type(op, 0);
	return SR_OK;
}

static enum sr_status pad_exchange(struct padding *p, struct sr_op *op)
{
	const struct sr_attr *params = sr_op_attr(op, SR_NAME_params);
	bool has_zero_padding = is_zeroed(p, sr_operand(op, 0));
	uint32_t sources = 0;
	if (shards_divide(p, sr_operand(op, 0)) && shards_divide(p, sr_result(op, 0)))
		return SR_OK;
	for (int i = 0; i < params->n; i++)
		sources |= 1u << params->list[i]->list[1]->i;
	const struct sr_type *type_before_pass = original_type(p, sr_operand(op, 0));
	pad_operand(p, op);
	slice_for_readers(p, op, type_before_pass, sources, has_zero_padding);
	return SR_OK;
}

static enum sr_status pad_slice(struct padding *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	struct sr_value *v = sr_result(op, 0);
	const struct sr_attr *s = sr_value_sharding(ctx, v);
	const struct sr_type *to = divisible_type(p, v->type, s);
	const int64_t *start, *limit;
	int64_t n;
	if (to == v->type || !sr_op_ints(ctx, op, SR_NAME_start_indices, &start, &n) ||
	    !sr_op_ints(ctx, op, SR_NAME_limit_indices, &limit, &n))
		return SR_OK;
	int64_t *limits = SR_NEW_ARRAY(ctx->scratch, int64_t, n);
	const struct sr_mesh *mesh = sr_sharding_mesh(p->module, s->sharding);
	for (int d = 0; d < n; d++) {
		limits[d] = start[d] + to->shape[d];
		if (limits[d] != limit[d] && !sr_upstream_slice_keeps_shards(ctx, op, d, sr_sdy_dim_shards(s->sharding, mesh, d)))
			return sr_op_error(op, &ctx->diags, SR_INVALID,
					   "moves elements of dimension %d between its shards, which do not divide it", d);
	}
	sr_op_set_attr(ctx, op, SR_NAME_limit_indices, sr_attr_i64s(ctx, limits, n));
	v->type = to;
	return SR_OK;
}

static enum sr_status pad_pad(struct padding *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	const int64_t *low, *high, *interior;
	int64_t n, *high_padding;
	bool reduces_padding = false;
	if ((shards_divide(p, in) && shards_divide(p, out)) || !sr_op_ints(ctx, op, SR_NAME_edge_padding_low, &low, &n) ||
	    !sr_op_ints(ctx, op, SR_NAME_edge_padding_high, &high, &n) ||
	    !sr_op_ints(ctx, op, SR_NAME_interior_padding, &interior, &n))
		return SR_OK;
	out->type = divisible_type(p, out->type, sr_value_sharding(ctx, out));
	high_padding = SR_NEW_ARRAY(ctx->scratch, int64_t, n);
	for (int64_t d = 0; d < n; d++) {
		int64_t size = in->type->shape[d], interior_extent = size > 1 ? (size - 1) * interior[d] : 0;
		high_padding[d] = out->type->shape[d] - size - low[d] - interior_extent;
		reduces_padding = reduces_padding || high_padding[d] < high[d];
	}
	if (reduces_padding) /* the operand's padding replaces padding that the op added: fill it with the op's value */
		sr_op_set_operand(op, 0, mask_padding(p, in, original_type(p, in), sr_operand(op, 1), UINT32_MAX));
	sr_op_set_attr(ctx, op, SR_NAME_edge_padding_high, sr_attr_i64s(ctx, high_padding, n));
	return SR_OK;
}

static enum sr_status pad_product(struct padding *p, struct sr_op *op)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	const char *const fields[] = {SR_NAME_lhs_contracting_dimensions, SR_NAME_rhs_contracting_dimensions};
	for (int i = 0; numbers && i < 2; i++) {
		const int64_t *dims;
		int64_t n;
		if (sr_struct_ints(p->ctx, numbers, fields[i], &dims, &n))
			zero_operand(p, op, i, dims_bit_set(dims, n));
	}
	return pad_results(p, op);
}

/* Pad a convolution: zero the padding of contracted dimensions, infer the result type, and slice the result to the padded
 * extents. */
static enum sr_status pad_convolution(struct padding *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	const char *const names[2][2] = {{SR_NAME_input_feature_dimension, SR_NAME_input_spatial_dimensions},
					 {SR_NAME_kernel_input_feature_dimension, SR_NAME_kernel_spatial_dimensions}};
	struct sr_value *out = sr_result(op, 0);
	const struct sr_type *required_type = divisible_type(p, out->type, sr_value_sharding(ctx, out)), *type = NULL;
	const int64_t *spatial_dims;
	int64_t n;
	for (int i = 0; i < 2; i++)
		if (sr_struct_ints(ctx, numbers, names[i][1], &spatial_dims, &n))
			zero_operand(p, op, i, dims_bit_set(spatial_dims, n) | 1u << sr_attr_field(numbers, names[i][0])->i);
	struct sr_infer in = {ctx, op, &type, &ctx->diags, false};
	out->type = sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_NONE});
	enum sr_status status = sr_op_infer(&in);
	if (status || !sr_struct_ints(ctx, numbers, SR_NAME_output_spatial_dimensions, &spatial_dims, &n))
		return status;
	for (int64_t i = 0; i < n; i++)
		if (type->shape[spatial_dims[i]] < required_type->shape[spatial_dims[i]])
			return sr_op_error(op, &ctx->diags, SR_INVALID,
					   "has a window along dimension %lld, whose shards do not divide it",
					   (long long)spatial_dims[i]);
	out->type = type;
	slice_for_readers(p, op, required_type, dims_bit_set(spatial_dims, n), true);
	return SR_OK;
}

typedef enum sr_status pad_fn(struct padding *p, struct sr_op *op);

/* Padding function for each LOCAL value; NULL: pad_results. */
static pad_fn *const paddings[SR_LOCAL_COUNT] = {
	[SR_LOCAL_all_gather] = pad_gather,
	[SR_LOCAL_all_slice] = pad_slicing,
	[SR_LOCAL_reduce_scatter] = pad_slicing,
	[SR_LOCAL_all_to_all] = pad_exchange,
	[SR_LOCAL_convolution] = pad_convolution,
	[SR_LOCAL_pad] = pad_pad,
	[SR_LOCAL_product] = pad_product,
	[SR_LOCAL_slice] = pad_slice,
};

static bool keeps_types(struct padding *p, const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		if (!shards_divide(p, sr_operand(op, i)) || sr_operand_type(op, i) != original_type(p, sr_operand(op, i)))
			return false;
	for (int i = 0; i < op->n_results; i++)
		if (!shards_divide(p, sr_result(op, i)))
			return false;
	return true;
}

/* ---- functions ---- */

static enum sr_status error_not_divisible(struct padding *p, struct sr_op *func, const char *kind, int i)
{
	sr_op_error(func, &p->ctx->diags, SR_INVALID,
		    "%s #%d has a non-divisible sharding. Shardy expects function IO to be divisible.", kind, i);
	return sr_error(&p->ctx->diags, SR_INVALID, sr_loc_source(func->loc),
			"failed to legalize operation 'func.func' that was explicitly marked illegal");
}

static enum sr_status check_func(struct padding *p, struct sr_op *func)
{
	const struct sr_type *t = sr_func_type(func);
	for (int i = 0; i < t->n_inputs; i++)
		if (divisible_type(p, t->inputs[i], sr_func_arg_attr(func, i, "sdy.sharding")) != t->inputs[i])
			return error_not_divisible(p, func, "argument", i);
	for (int i = 0; i < t->n_results; i++)
		if (divisible_type(p, t->results[i], sr_func_result_attr(func, i, "sdy.sharding")) != t->results[i])
			return error_not_divisible(p, func, "result", i);
	return SR_OK;
}

struct ops {
	struct padding *p;
	SR_VEC(struct sr_op *) list;
};

static bool list_op(void *data, struct sr_op *op)
{
	struct ops *ops = data;
	for (int i = 0; i < op->n_results; i++)
		set_original_type(ops->p, sr_result(op, i), sr_result(op, i)->type);
	sr_push(ops->p->ctx->scratch, &ops->list, op);
	return true;
}

enum sr_status sr_pad_for_divisibility(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct padding p = {.ctx = ctx, .module = sr_op_module(func)};
	struct ops ops = {.p = &p};
	enum sr_status status = check_func(&p, func);
	(void)options;
	sr_map_init(&p.original_types, ctx->scratch);
	sr_map_init(&p.zero_padded_values, ctx->scratch);
	sr_walk(func, list_op, &ops);
	for (size_t i = 0; i < ops.list.n && !status; i++) {
		struct sr_op *op = ops.list.data[i];
		pad_fn *pad = paddings[sr_local_kind_of(op)];
		p.builder = (struct sr_builder){.ctx = ctx, .anchor = op, .loc = op->loc};
		if (pad == pad_slicing || !keeps_types(&p, op))
			status = (pad ? pad : pad_results)(&p, op);
	}
	return status;
}
