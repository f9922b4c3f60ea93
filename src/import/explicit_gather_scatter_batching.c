/* Implement sdy-explicit-gather-scatter-batching: if one component of a gather's or scatter's indices is an iota along dimension
 * 0 that addresses operand dimension 0, make dimension 0 a batching dimension of operand and indices. Batching dimensions are
 * sharded without communication.
 *
 *	gather(%x, concatenate(iota 0, %i)) {collapsed_slice_dims = [0, 1], start_index_map = [0, 1]}   becomes
 *	gather(%x, %i) {collapsed_slice_dims = [1], operand_batching_dims = [0],
 *		start_indices_batching_dims = [0], start_index_map = [1]} */
#include "import/op_class.h"
#include "dialect/attr_names.h"
#include "import/import_passes.h"
#include "dialect/signature.h"
#include "support/vec.h"
#include <string.h>

/* Names of the attributes that gather and scatter have in common. */
struct dim_numbers_names {
	int code;
	const char *numbers_attr; /* name of the attribute with the dimension numbers */
	const char *def;     /* name of that attribute's row in attr_defs.def */
	const char *window, *collapsed, *input_batch, *index_batch, *map;
};

static const struct dim_numbers_names dim_numbers_table[] = {
	{SR_OP_stablehlo_gather, SR_NAME_dimension_numbers, "gather", SR_NAME_offset_dims, SR_NAME_collapsed_slice_dims, SR_NAME_operand_batching_dims,
	 SR_NAME_start_indices_batching_dims, SR_NAME_start_index_map},
	{SR_OP_stablehlo_scatter, SR_NAME_scatter_dimension_numbers, "scatter", SR_NAME_update_window_dims, SR_NAME_inserted_window_dims,
	 SR_NAME_input_batching_dims, SR_NAME_scatter_indices_batching_dims, SR_NAME_scatter_dims_to_operand_dims},
};

struct list {
	const int64_t *elements;
	int64_t n;
};

static int64_t index_in(struct list l, int64_t x)
{
	for (int64_t i = 0; i < l.n; i++)
		if (l.elements[i] == x)
			return i;
	return -1;
}

static struct list remove_element(struct sr_context *ctx, struct list l, int64_t i)
{
	int64_t *elements = SR_NEW_ARRAY(ctx->arena, int64_t, l.n);
	for (int64_t k = 0; k + 1 < l.n; k++)
		elements[k] = l.elements[k < i ? k : k + 1];
	return (struct list){elements, l.n - 1};
}

/* Return the op that produces v's values, skipping ops that preserve an iota along dimension 0. */
static const struct sr_op *source_op(const struct sr_value *v)
{
	while (v->def) {
		const struct sr_op *op = v->def;
		if (sr_op_is(op, SR_OP_stablehlo_reshape) || sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim)) {
			v = sr_operand(op, 0);
		} else if (sr_op_is(op, SR_OP_stablehlo_clamp)) {
			v = sr_operand(op, 1);
		} else if (sr_op_is(op, SR_OP_stablehlo_select)) {
			const struct sr_op *false_op = sr_operand(op, 2)->def;
			v = sr_operand(op, false_op && sr_op_is(false_op, SR_OP_stablehlo_iota) ? 2 : 1);
		} else {
			return op;
		}
	}
	return NULL;
}

static bool comes_from_iota(const struct sr_value *indices, int64_t vector_dim, int64_t component)
{
	const struct sr_op *concat = sr_value_def_of(indices, SR_OP_stablehlo_concatenate);
	if (concat) {
		if (sr_op_int(concat, SR_NAME_dimension, 0) != vector_dim || component >= concat->n_operands)
			return false;
		indices = sr_operand(concat, (int)component);
	}
	const struct sr_op *op = source_op(indices);
	return op && sr_op_is(op, SR_OP_stablehlo_iota) && sr_op_int(op, SR_NAME_iota_dimension, 0) == 0;
}

static const struct sr_type *with_dim_extent(struct sr_context *ctx, const struct sr_type *type, int64_t dim, int64_t extent)
{
	int64_t *shape = sr_dup(ctx->arena, type->shape, (size_t)type->rank, sizeof *shape);
	shape[dim] = extent;
	return sr_type_with_shape(ctx, type, type->rank, shape);
}

static struct sr_value *concatenate(struct sr_builder *b, struct sr_value *const *segments, int n, const struct sr_type *type,
				    int64_t dim)
{
	if (n == 1)
		return segments[0];
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(b->ctx, dim)};
	return sr_result(sr_build(b, SR_OP_stablehlo_concatenate, segments, n, &attr, 1, &type, 1), 0);
}

static struct sr_value *slice_dim(struct sr_builder *b, struct sr_value *v, int64_t dim, int64_t first, int64_t limit_index)
{
	struct sr_context *ctx = b->ctx;
	int rank = v->type->rank;
	int64_t *start = SR_NEW_ARRAY(ctx->arena, int64_t, rank);
	int64_t *limit = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *limit);
	int64_t *strides = SR_NEW_ARRAY(ctx->arena, int64_t, rank);
	for (int i = 0; i < rank; i++)
		strides[i] = 1;
	start[dim] = first;
	limit[dim] = limit_index;
	struct sr_named_attr attrs[3] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, start, rank)}, 
				    {SR_NAME_limit_indices, sr_attr_i64s(ctx, limit, rank)},
				    {SR_NAME_strides, sr_attr_i64s(ctx, strides, rank)}};
	const struct sr_type *type = with_dim_extent(ctx, v->type, dim, limit_index - first);
	return sr_result(sr_build(b, SR_OP_stablehlo_slice, &v, 1, attrs, 3, &type, 1), 0);
}

/* Return `indices` without one component of its index vectors. */
static struct sr_value *drop_component(struct sr_builder *b, struct sr_value *indices, int64_t dim, int64_t component)
{
	int64_t total = indices->type->shape[dim];
	const struct sr_type *type = with_dim_extent(b->ctx, indices->type, dim, total - 1);
	const struct sr_op *concat = sr_value_def_of(indices, SR_OP_stablehlo_concatenate);
	SR_VEC(struct sr_value *) pieces = {0};
	if (concat && sr_op_int(concat, SR_NAME_dimension, 0) == dim && concat->n_operands == total) {
		for (int i = 0; i < concat->n_operands; i++)
			if (i != component)
				sr_push(b->ctx->arena, &pieces, sr_operand(concat, i));
	} else {
		if (component > 0)
			sr_push(b->ctx->arena, &pieces, slice_dim(b, indices, dim, 0, component));
		if (component + 1 < total)
			sr_push(b->ctx->arena, &pieces, slice_dim(b, indices, dim, component + 1, total));
	}
	return concatenate(b, pieces.data, (int)pieces.n, type, dim);
}

static const struct sr_attr *make_dim_numbers(struct sr_context *ctx, const struct dim_numbers_names *names,
					      const struct sr_attr *old_numbers, struct list collapsed, struct list map)
{
	static const int64_t zero = 0;
	const struct sr_attr_def *def = old_numbers->def;
	const struct sr_attr **fields = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, def->n_fields);
	for (int i = 0; i < def->n_fields; i++) {
		const char *name = def->fields[i].name;
		fields[i] = old_numbers->list[i];
		if (strcmp(name, names->collapsed) == 0)
			fields[i] = sr_attr_i64s(ctx, collapsed.elements, collapsed.n);
		else if (strcmp(name, names->map) == 0)
			fields[i] = sr_attr_i64s(ctx, map.elements, map.n);
		else if (strcmp(name, names->input_batch) == 0 || strcmp(name, names->index_batch) == 0)
			fields[i] = sr_attr_i64s(ctx, &zero, 1);
	}
	return sr_attr_struct(ctx, def, fields);
}

/* Erase v's defining op if its results are unused, then the ops that define its operands if they become unused, and so on. */
static void erase_if_dead(struct sr_value *v)
{
	struct sr_op *op = v->def;
	if (!op || !sr_op_is_dead(op))
		return;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *operand = sr_operand(op, i);
		sr_op_set_operand(op, i, NULL);
		erase_if_dead(operand);
	}
	sr_op_erase(op);
}

static bool batch_op(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	const struct dim_numbers_names *names = NULL;
	for (size_t i = 0; i < sizeof dim_numbers_table / sizeof *dim_numbers_table; i++)
		if (op->info->code == dim_numbers_table[i].code)
			names = &dim_numbers_table[i];
	if (!names)
		return true;
	const struct sr_attr *numbers_attr = sr_op_attr(op, names->numbers_attr);
	int indices_operand = names == &dim_numbers_table[0] ? 1 : (op->n_operands - 1) / 2;
	struct sr_value *indices = sr_operand(op, indices_operand);
	const struct sr_type *input = sr_operand(op, 0)->type, *type = indices->type;
	struct list collapsed, batch, map;
	if (!sr_struct_ints(ctx, numbers_attr, names->collapsed, &collapsed.elements, &collapsed.n) ||
	    !sr_struct_ints(ctx, numbers_attr, names->input_batch, &batch.elements, &batch.n) ||
	    !sr_struct_ints(ctx, numbers_attr, names->map, &map.elements, &map.n))
		return true;
	const struct sr_attr *vector_dim_attr = sr_attr_field(numbers_attr, SR_NAME_index_vector_dim);
	int64_t vector_dim = vector_dim_attr ? vector_dim_attr->i : 0, component = index_in(map, 0),
		collapsed_index = index_in(collapsed, 0);
	if (batch.n > 0 || input->rank == 0 || type->rank == 0 || vector_dim >= type->rank || type->shape[vector_dim] <= 1 ||
	    type->shape[0] != input->shape[0] || component < 0 || collapsed_index < 0 ||
	    !comes_from_iota(indices, vector_dim, component))
		return true;
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	sr_op_set_operand(op, indices_operand, drop_component(&b, indices, vector_dim, component));
	erase_if_dead(indices);
	sr_op_set_attr(ctx, op, names->numbers_attr,
		       make_dim_numbers(ctx, names, numbers_attr, remove_element(ctx, collapsed, collapsed_index),
					remove_element(ctx, map, component)));
	return true;
}

enum sr_status sr_pass_explicit_gather_scatter_batching(struct sr_context *ctx, struct sr_op *func,
							const struct sr_pass_options *options)
{
	sr_walk(func, batch_op, ctx);
	return SR_OK;
}
