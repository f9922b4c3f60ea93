/* shardrun-pad: round up extents that are not divisible by their shards; padding never reaches a result.
 *
 *	%0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0]   %arg0: 10 over "x"=4
 *	the argument gets 12 elements; its last two are replaced by 0 before the reduction
 *
 * Requires: conflicts resolved, reshards lowered to sdy collectives. Leaves: every extent divisible by its shards, the entry's
 * exact types as `shardrun.global_type`. An op for which the PAD column has no method runs on replicated values. Upstream's pass,
 * sdy-pad-for-divisibility, is upstream/upstream_pad.c. */
#include "partition/collective.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "kernels/kernel.h"
#include "partition/local/pad.h"
#include "partition/partition.h"
#include "partition/reshard/reshard_plan.h"
#include "partition/partition_passes.h"
#include "support/vec.h"
#include "dialect/signature.h"
#include "support/checked.h"
#include <math.h>

const struct sr_pad_value *sr_pad_find(const struct sr_padding *p, const struct sr_value *v)
{
	return sr_map_get(&p->values, v);
}

static bool is_dim_padded(const struct sr_padding *p, const struct sr_value *v, int dim)
{
	const struct sr_pad_value *info = sr_pad_find(p, v);
	return info && info->unpadded_type != info->padded_type && info->unpadded_type->shape[dim] != info->padded_type->shape[dim];
}

static bool is_padded(const struct sr_padding *p, const struct sr_value *v)
{
	const struct sr_pad_value *info = sr_pad_find(p, v);
	return info && info->unpadded_type != info->padded_type;
}

/* ---- building ---- */

static struct sr_value *set_result_sharding(struct sr_padding *p, struct sr_op *op, const struct sr_attr *sharding)
{
	if (sharding)
		sr_value_set_sharding(p->ctx, sr_result(op, 0), sharding);
	return sr_result(op, 0);
}

const struct sr_attr *sr_pad_scalar(struct sr_padding *p, enum sr_dtype type, int64_t i, double d)
{
	char element[16] = {0};
	sr_element_set(type, element, i, d, 0);
	return sr_attr_dense(p->ctx, sr_type_tensor(p->ctx, type, 0, NULL), element, sr_dtype_bytes(type));
}

static struct sr_value *splat(struct sr_padding *p, const struct sr_type *type, const struct sr_attr *scalar,
			      const struct sr_attr *sharding)
{
	int64_t n;
	const void *data = sr_dense_data(p->ctx, scalar, false, &n);
	struct sr_value *v = sr_build_constant(&p->builder, sr_attr_dense(p->ctx, type, data, n));
	return set_result_sharding(p, v->def, sharding);
}

/* Return v with the elements beyond its exact extents, in the dimensions of the bit set `dims`, replaced by the scalar constant
 * `fill`. */
static struct sr_value *mask_padding(struct sr_padding *p, struct sr_value *v, uint32_t dims, const struct sr_attr *fill)
{
	struct sr_context *ctx = p->ctx;
	const struct sr_pad_value *info = sr_pad_find(p, v);
	enum sr_dtype index_type = SR_I32;
	for (int d = 0; d < v->type->rank; d++)
		index_type = v->type->shape[d] > INT32_MAX ? SR_I64 : index_type;
	const struct sr_type *index = sr_type_tensor(ctx, index_type, v->type->rank, v->type->shape),
			     *pred = sr_type_tensor(ctx, SR_I1, v->type->rank, v->type->shape);
	struct sr_named_attr lt[] = {sr_comparison_attr(ctx, SR_LT), sr_comparison_type_attr(ctx, "SIGNED")};
	struct sr_value *mask = NULL;
	for (int d = 0; d < v->type->rank; d++) {
		struct sr_named_attr dim = {SR_NAME_iota_dimension, sr_attr_i64(ctx, d)};
		if (!(dims >> d & 1) || !is_dim_padded(p, v, d))
			continue;
		struct sr_value *count = set_result_sharding(
		    p, sr_build(&p->builder, SR_OP_stablehlo_iota, NULL, 0, &dim, 1, &index, 1), info->sharding);
		struct sr_value *pair[] = {
		    count, splat(p, index, sr_pad_scalar(p, index_type, info->unpadded_type->shape[d], 0), info->sharding)};
		struct sr_value *dim_mask = set_result_sharding(
		    p, sr_build(&p->builder, SR_OP_stablehlo_compare, pair, 2, lt, 2, &pred, 1), info->sharding);
		struct sr_value *masks[] = {mask, dim_mask};
		mask = mask ? set_result_sharding(p, sr_build(&p->builder, SR_OP_stablehlo_and, masks, 2, NULL, 0, &pred, 1),
						  info->sharding)
				: dim_mask;
	}
	if (!mask)
		return v;
	struct sr_value *operands[] = {mask, v, splat(p, v->type, fill, info->sharding)};
	return set_result_sharding(p, sr_build(&p->builder, SR_OP_stablehlo_select, operands, 3, NULL, 0, &v->type, 1),
				   info->sharding);
}

/* ---- replicated values ---- */

const struct sr_attr *sr_pad_replicated(struct sr_padding *p, const struct sr_sdy_sharding *like)
{
	struct sr_sdy_sharding s = sr_sdy_replicated_sharding(p->ctx->arena, like->mesh_name, like->rank, true);
	s.mesh = like->mesh;
	return sr_attr_sharding(p->ctx, &s);
}

static struct sr_value *collective(struct sr_padding *p, enum sr_op_code code, struct sr_value *v,
				   const struct sr_sdy_sharding *axes_of, const struct sr_attr *out)
{
	const struct sr_mesh *mesh = sr_sharding_mesh(p->module, axes_of);
	struct sr_collective c = {.code = code,
				  .mesh = mesh,
				  .axes = sr_axes_by_dim(p->ctx->arena, sr_sharding_resolve(p->ctx->arena, mesh, axes_of)),
				  .out = out};
	return sr_collective_build(&p->builder, &c, v);
}

/* Build the exact replicated value of v, which is sharded and padded: all_gather and slice. */
static struct sr_value *gather_exact(struct sr_padding *p, struct sr_value *v)
{
	struct sr_context *ctx = p->ctx;
	const struct sr_pad_value *info = sr_pad_find(p, v);
	if (!info || !info->sharding)
		return v;
	int rank = v->type->rank;
	const struct sr_attr *replicated_sharding = sr_pad_replicated(p, info->sharding->sharding);
	v = collective(p, SR_OP_sdy_all_gather, v, info->sharding->sharding, replicated_sharding);
	if (v->type == info->unpadded_type)
		return v;
	int64_t *zero = SR_NEW_ARRAY(ctx->arena, int64_t, rank), *one = SR_NEW_ARRAY(ctx->arena, int64_t, rank);
	for (int d = 0; d < rank; d++)
		one[d] = 1;
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, zero, rank)},
				   {SR_NAME_limit_indices, sr_attr_i64s(ctx, info->unpadded_type->shape, rank)},
				   {SR_NAME_strides, sr_attr_i64s(ctx, one, rank)}};
	return set_result_sharding(p, sr_build(&p->builder, SR_OP_stablehlo_slice, &v, 1, attrs, 3, &info->unpadded_type, 1),
				   replicated_sharding);
}

static const struct sr_type *padded_type(struct sr_padding *p, const struct sr_type *exact_type, const struct sr_attr *sharding)
{
	const struct sr_mesh *mesh = sharding ? sr_sharding_mesh(p->module, sharding->sharding) : NULL;
	if (!mesh || exact_type->kind != SR_TYPE_TENSOR || sharding->sharding->rank != exact_type->rank)
		return exact_type;
	int64_t *shape = sr_dup(p->ctx->arena, exact_type->shape, (size_t)exact_type->rank, sizeof *shape);
	for (int d = 0; d < exact_type->rank; d++) {
		int64_t shards = sr_sdy_dim_shards(sharding->sharding, mesh, d);
		if (shape[d] % shards)
			shape[d] = sr_ceil_div(shape[d], shards) * shards;
	}
	return sr_type_with_shape(p->ctx, exact_type, exact_type->rank, shape);
}

/* Build the padded value with this sharding from v, which is exact and replicated: pad and all_slice. */
static struct sr_value *slice_exact(struct sr_padding *p, struct sr_value *v, const struct sr_attr *sharding)
{
	struct sr_context *ctx = p->ctx;
	const struct sr_type *type = padded_type(p, v->type, sharding);
	int rank = v->type->rank;
	if (!sharding)
		return v;
	if (type != v->type) {
		int64_t *zero = SR_NEW_ARRAY(ctx->arena, int64_t, rank), *high = SR_NEW_ARRAY(ctx->arena, int64_t, rank);
		for (int d = 0; d < rank; d++)
			high[d] = type->shape[d] - v->type->shape[d];
		struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(ctx, zero, rank)},
					   {SR_NAME_edge_padding_high, sr_attr_i64s(ctx, high, rank)},
					   {SR_NAME_interior_padding, sr_attr_i64s(ctx, zero, rank)}};
		struct sr_value *operands[] = {v, sr_build_constant(&p->builder, sr_pad_scalar(p, v->type->dtype, 0, 0))};
		v = set_result_sharding(p, sr_build(&p->builder, SR_OP_stablehlo_pad, operands, 2, attrs, 3, &type, 1),
					sr_pad_replicated(p, sharding->sharding));
	}
	const struct sr_attr *has = sr_value_sharding(ctx, v);
	if (has && !sr_mesh_equal(sr_sharding_mesh(p->module, has->sharding), sr_sharding_mesh(p->module, sharding->sharding)))
		v = sr_relabel_sharding(&p->builder, v, sr_pad_replicated(p, sharding->sharding)->sharding);
	return collective(p, SR_OP_sdy_all_slice, v, sharding->sharding, sharding);
}

/* Run the op on exact replicated values. This is correct for every op. */
static enum sr_status replicate(struct sr_padding *p, struct sr_op *op)
{
	struct sr_value **new_results = SR_NEW_ARRAY(p->ctx->arena, struct sr_value *, op->n_results);
	const struct sr_attr **shardings = SR_NEW_ARRAY(p->ctx->arena, const struct sr_attr *, op->n_results);
	for (int i = 0; i < op->n_operands; i++)
		sr_op_set_operand(op, i, gather_exact(p, sr_operand(op, i)));
	for (int i = 0; i < op->n_results; i++)
		shardings[i] = sr_value_sharding(p->ctx, sr_result(op, i));
	sr_op_remove_attr(p->ctx, op, "sdy.sharding");
	struct sr_builder outer_builder = p->builder;
	p->builder.anchor = op->next;
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *v = sr_result(op, i);
		const struct sr_pad_value *info = sr_pad_find(p, v);
		struct sr_use *uses = v->uses;
		if (info)
			v->type = info->unpadded_type;
		new_results[i] = v;
		if (!uses)
			continue;
		/* Replace only the uses that v has now: a placeholder separates them from those that slice_exact adds. */
		struct sr_value *placeholder = SR_NEW(p->ctx->arena, struct sr_value);
		*placeholder = (struct sr_value){.type = v->type};
		sr_value_replace_all(v, placeholder);
		new_results[i] = slice_exact(p, v, shardings[i]);
		sr_value_replace_all(placeholder, new_results[i]);
		if (info && new_results[i] != v)
			sr_map_put(&p->values, new_results[i], (void *)(uintptr_t)info);
		sr_map_remove(&p->values, v);
	}
	p->builder = outer_builder;
	return SR_OK;
}

/* ---- the PAD column ---- */

/* Pad an op whose padded dimensions correspond one by one in operands and results and that does not combine elements along them:
 * only types change, and the value of a constant. */
static enum sr_status pad_any(struct sr_padding *p, struct sr_op *op)
{
	const struct sr_attr *value = sr_op_has(op, SR_CONSTANT) ? sr_op_attr(op, SR_NAME_value) : NULL;
	(void)p;
	if (!value || !is_padded(p, sr_result(op, 0)))
		return SR_OK;
	if (value->kind == SR_ATTR_DENSE && value->dense->splat) {
		int64_t n;
		const void *data = sr_dense_data(p->ctx, value, false, &n);
		sr_op_set_attr(p->ctx, op, SR_NAME_value, sr_attr_dense(p->ctx, sr_result(op, 0)->type, data, n));
		return SR_OK;
	}
	return replicate(p, op);
}

static uint32_t padded_dims(const struct sr_padding *p, const struct sr_value *v, const int64_t *dims, int64_t n)
{
	uint32_t mask = 0;
	for (int64_t i = 0; i < n; i++)
		if (is_dim_padded(p, v, (int)dims[i]))
			mask |= 1u << dims[i];
	return mask;
}

/* Pad a reduction: padding of reduced dimensions is replaced by the reducer's identity. */
static enum sr_status pad_identity(struct sr_padding *p, struct sr_op *op)
{
	const int64_t *dims;
	int64_t n;
	int k = op->n_operands / 2;
	sr_op_ints(p->ctx, op, SR_NAME_dimensions, &dims, &n);
	for (int i = 0; i < k; i++) {
		uint32_t mask = padded_dims(p, sr_operand(op, i), dims, n);
		const struct sr_attr *fill;
		if (!mask)
			continue;
		fill = sr_reducer_identity(p->ctx, sr_op_reducer(op), sr_operand(op, i)->type->dtype);
		if (!fill)
			return replicate(p, op);
		sr_op_set_operand(op, i, mask_padding(p, sr_operand(op, i), mask, fill));
	}
	return SR_OK;
}

/* Pad a product: padding of contracting dimensions must be zero in both operands, since zero times NaN is NaN. */
static enum sr_status pad_zero(struct sr_padding *p, struct sr_op *op)
{
	/* the attribute is NULL for a stablehlo.dot of matrices */
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	static const char *const fields[] = {SR_NAME_lhs_contracting_dimensions, SR_NAME_rhs_contracting_dimensions};
	for (int i = 0; i < 2 && i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		const int64_t *dims;
		int64_t n, dot = i ? 0 : v->type->rank - 1;
		if (!numbers || !sr_struct_ints(p->ctx, numbers, fields[i], &dims, &n))
			dims = &dot, n = 1;
		uint32_t mask = padded_dims(p, v, dims, n);
		if (mask)
			sr_op_set_operand(op, i, mask_padding(p, v, mask, sr_pad_scalar(p, v->type->dtype, 0, 0)));
	}
	return SR_OK;
}

/* Adjust an attribute with extents: an exact extent becomes the padded one, except in the dimensions of the bit set
 * `excepted_dims`. */
static void set_padded_extents(struct sr_padding *p, struct sr_op *op, const char *name, uint32_t excepted_dims)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_pad_value *info = sr_pad_find(p, v);
	const int64_t *extents;
	int64_t n;
	if (!info || !sr_op_ints(p->ctx, op, name, &extents, &n) || n != v->type->rank)
		return;
	int64_t *new_extents = sr_dup(p->ctx->arena, extents, (size_t)n, sizeof *new_extents);
	for (int64_t d = 0; d < n; d++)
		if (new_extents[d] == info->unpadded_type->shape[d] && !(excepted_dims >> d & 1))
			new_extents[d] = info->padded_type->shape[d];
	sr_op_set_attr(p->ctx, op, name, sr_attr_i64s(p->ctx, new_extents, n));
}

static enum sr_status pad_slice(struct sr_padding *p, struct sr_op *op)
{
	set_padded_extents(p, op, SR_NAME_limit_indices, 0);
	return SR_OK;
}

/* Adjust slice_sizes of a gather, which takes one element of collapsed and batching dimensions even if their extent is 1. */
static enum sr_status pad_slice_sizes(struct sr_padding *p, struct sr_op *op)
{
	static const char *const fields[] = {SR_NAME_collapsed_slice_dims, SR_NAME_operand_batching_dims};
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	uint32_t n_single = 0;
	for (size_t i = 0; numbers && i < sizeof fields / sizeof *fields; i++) {
		const int64_t *dims;
		int64_t n;
		if (sr_struct_ints(p->ctx, numbers, fields[i], &dims, &n))
			for (int64_t k = 0; k < n; k++)
				n_single |= 1u << dims[k];
	}
	set_padded_extents(p, op, SR_NAME_slice_sizes, n_single);
	return SR_OK;
}

static bool is_any_padded(const struct sr_padding *p, const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		if (is_padded(p, sr_operand(op, i)))
			return true;
	for (int i = 0; i < op->n_results; i++)
		if (is_padded(p, sr_result(op, i)))
			return true;
	return false;
}

/* Return true if each padded dimension of the reshape corresponds to exactly one dimension of the other side. */
static bool reshape_is_plain(const struct sr_padding *p, const struct sr_op *op)
{
	const struct sr_pad_value *in = sr_pad_find(p, sr_operand(op, 0)), *out = sr_pad_find(p, sr_result(op, 0));
	int i = 0, o = 0;
	if (!in || !out)
		return false;
	while (i < in->unpadded_type->rank || o < out->unpadded_type->rank) {
		int64_t a = i < in->unpadded_type->rank ? in->unpadded_type->shape[i] : 1,
			b = o < out->unpadded_type->rank ? out->unpadded_type->shape[o] : 1;
		if (i < in->unpadded_type->rank && o < out->unpadded_type->rank && a == b) {
			if (in->padded_type->shape[i] != out->padded_type->shape[o])
				return false;
			i++, o++;
		} else if (i < in->unpadded_type->rank && a == 1 && in->padded_type->shape[i] == 1) {
			i++;
		} else if (o < out->unpadded_type->rank && b == 1 && out->padded_type->shape[o] == 1) {
			o++;
		} else { /* The remaining dimensions are merged or split by the reshape, so none of them may be padded. */
			for (; i < in->unpadded_type->rank; i++)
				if (in->padded_type->shape[i] != in->unpadded_type->shape[i])
					return false;
			for (; o < out->unpadded_type->rank; o++)
				if (out->padded_type->shape[o] != out->unpadded_type->shape[o])
					return false;
			return true;
		}
	}
	return true;
}

static enum sr_status pad_reshape(struct sr_padding *p, struct sr_op *op)
{
	return reshape_is_plain(p, op) ? SR_OK : replicate(p, op);
}

/* Run the op on replicated values if any of its values is padded. */
static enum sr_status pad_replicated(struct sr_padding *p, struct sr_op *op)
{
	return is_any_padded(p, op) ? replicate(p, op) : SR_OK;
}

bool sr_pad_is_library_call(const struct sr_op *op)
{
	const struct sr_attr *name = sr_op_attr(op, SR_NAME_call_target_name);
	return name && name->s && sr_lapack_find(name->s) >= 0;
}

/* Pad a LAPACK call, which computes each matrix of a batch, or each column, independently. Padding is zeroed, since iterative
 * routines take long to converge on NaN. */
static enum sr_status pad_library(struct sr_padding *p, struct sr_op *op)
{
	if (!sr_pad_is_library_call(op))
		return pad_replicated(p, op);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		if (is_padded(p, v))
			sr_op_set_operand(op, i, mask_padding(p, v, UINT32_MAX, sr_pad_scalar(p, v->type->dtype, 0, 0)));
	}
	return SR_OK;
}

static sr_pad_fn *const pad_collective = sr_pad_collective;

static sr_pad_fn *padding_of(const struct sr_op *op)
{
	switch (sr_op_code_of(op)) {
#define OP(dialect, name, signature, attributes) case SR_OP_##dialect##_##name:
#define PAD(what) return pad_##what;
#include "dialect/table/all.ops"
	default:
		return pad_replicated;
	}
}

/* ---- the pass ---- */

struct value_recording {
	struct sr_padding *p;
	SR_VEC(struct sr_op *) ops;
	bool is_any_padded;
};

static void note_value(struct value_recording *n, struct sr_value *v)
{
	struct sr_pad_value *info = SR_NEW(n->p->ctx->arena, struct sr_pad_value);
	info->unpadded_type = v->type;
	info->sharding = sr_value_sharding(n->p->ctx, v);
	info->padded_type = padded_type(n->p, v->type, info->sharding);
	n->is_any_padded = n->is_any_padded || info->unpadded_type != info->padded_type;
	sr_map_put(&n->p->values, v, info);
}

static bool note_op(void *data, struct sr_op *op)
{
	struct value_recording *n = data;
	sr_push(n->p->ctx->arena, &n->ops, op);
	for (int i = 0; i < op->n_results; i++)
		note_value(n, sr_result(op, i));
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *block = op->regions[r].first; block; block = block->next)
			for (int i = 0; i < block->n_args; i++)
				note_value(n, block->args[i]);
	return true;
}

static void pad_function(struct sr_padding *p, struct sr_op *func)
{
	const struct sr_type *t = sr_func_type(func);
	struct sr_block *entry = sr_func_entry(func);
	const struct sr_type **in = SR_NEW_ARRAY(p->ctx->arena, const struct sr_type *, t->n_inputs),
			     **out = SR_NEW_ARRAY(p->ctx->arena, const struct sr_type *, t->n_results);
	for (int i = 0; i < t->n_inputs; i++)
		in[i] = entry ? entry->args[i]->type : t->inputs[i];
	for (int i = 0; i < t->n_results; i++)
		out[i] = padded_type(p, t->results[i], sr_func_result_attr(func, i, "sdy.sharding"));
	sr_func_keep_global_types(p->ctx, func);
	sr_func_set_type(p->ctx, func, sr_type_function(p->ctx, in, t->n_inputs, out, t->n_results));
}

static enum sr_status pad_op(struct sr_padding *p, struct sr_op *op)
{
	p->builder = (struct sr_builder){.ctx = p->ctx, .anchor = op, .loc = op->loc};
	enum sr_status status = sr_pad_apply_init_once(p, op);
	if (status)
		return status;
	return padding_of(op)(p, op);
}

enum sr_status sr_pad_shards(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_padding p = {.ctx = ctx, .module = module};
	struct value_recording n = {.p = &p};
	enum sr_status status = SR_OK;
	(void)options;
	sr_map_init(&p.values, ctx->arena);
	sr_walk(module, note_op, &n);
	for (size_t i = 0; n.is_any_padded && i < p.values.n; i++)
		((struct sr_value *)(uintptr_t)p.values.entries[i].key)->type =
			((struct sr_pad_value *)p.values.entries[i].value)->padded_type;
	for (size_t i = 0; !status && i < n.ops.n; i++)
		status = pad_op(&p, n.ops.data[i]);
	for (struct sr_op *op = sr_module_body(module)->first; n.is_any_padded && op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			pad_function(&p, op);
	return status;
}
