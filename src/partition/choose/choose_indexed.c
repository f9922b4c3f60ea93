/* A gather from a sharded dimension that indices point along, and a scatter into one: each device looks at its own part.
 *
 * 	%r = gather(%table, %i), collapsed 0 : 64x16, 24 -> 24x16                  %table [{"x"}, {}], "x"=4
 * becomes, with a dimension for the parts,
 * 	%t = reshape %table : 4x16x16 [{"x"}, {}, {}];  %j = %i - iota * 16 : 4x24 [{"x"}, {}]
 * 	%g = gather(%t, %j), batching 0 : 4x24x16;  %r = reduce(select(0 <= %j < 16, %g, 0)) across [0] : 24x16
 *
 * which moves what is looked up, not the table. A scatter is the same the other way: what points elsewhere is out of bounds
 * and dropped. Where moving the table is cheaper, or indices are batched, nothing is changed. */
#include "cost/cost.h"
#include "dialect/comparison.h"
#include "dialect/names.h"
#include "dialect/reducer.h"
#include "dialect/signature.h"
#include "partition/choose/choose.h"
#include <string.h>

struct indexed {
	struct sr_chooser *c;
	struct sr_context *ctx;
	const struct sr_op_view *v;
	struct sr_op *op;
	struct sr_builder at;
	bool scatter;
	const struct sr_attr *numbers;
	struct sr_value *indices;
	int dim, component;         /* of the operand; and which component of an index points along it */
	int64_t vector, n_components; /* the dimension of the indices that holds an index */
	struct sr_axes axes;        /* of the operand's dim */
	int64_t shards, part;
	struct sr_axes *operand_axes; /* [rank] */
	struct sr_op *made[24];
	int n_made;
};

/* The same roles under two sets of names, and what the fields hold. */
enum { OFFSET, COLLAPSED, BATCH, INDEX_BATCH, MAP, VECTOR, N_FIELDS };
static const char *const names[2][N_FIELDS] = {{SR_NAME_offset_dims, SR_NAME_collapsed_slice_dims, SR_NAME_operand_batching_dims,
						SR_NAME_start_indices_batching_dims, SR_NAME_start_index_map, SR_NAME_index_vector_dim},
					       {SR_NAME_update_window_dims, SR_NAME_inserted_window_dims, SR_NAME_input_batching_dims,
						SR_NAME_scatter_indices_batching_dims, SR_NAME_scatter_dims_to_operand_dims,
						SR_NAME_index_vector_dim}};

static bool field(const struct indexed *x, int which, const int64_t **list, int64_t *n)
{
	return sr_struct_ints(x->ctx, x->numbers, names[x->scatter][which], list, n);
}

static int position(const int64_t *list, int64_t n, int64_t value)
{
	for (int64_t i = 0; i < n; i++)
		if (list[i] == value)
			return (int)i;
	return -1;
}

/* ---------------------------------------------------------------- reading */

static bool find_dim(struct indexed *x)
{
	const struct sr_tensor_mapping *map = sr_projection_mapping(&x->v->p, 0);
	const struct sr_type *type = sr_operand(x->op, 0)->type;
	const int64_t *collapsed, *components, *batch;
	int64_t n, n_batch;
	if (!field(x, COLLAPSED, &collapsed, &n) || !field(x, MAP, &components, &x->n_components) ||
	    !field(x, BATCH, &batch, &n_batch) || n_batch)
		return false;
	x->dim = -1;
	x->operand_axes = SR_NEWS(x->ctx->arena, struct sr_axes, map->rank);
	for (int d = 0; d < map->rank; d++) {
		x->operand_axes[d] =
			map->dims[d].n ? x->v->p.tensors[0].factors[map->dims[d].factors[0]].axes : (struct sr_axes){0};
		int64_t shards = sr_axes_size(x->operand_axes[d]);
		if (x->dim >= 0 || shards == 1 || position(collapsed, n, d) < 0 || position(components, x->n_components, d) < 0 ||
		    type->shape[d] % shards || type->shape[d] == shards)
			continue;
		x->dim = d;
		x->component = position(components, x->n_components, d);
		x->axes = x->operand_axes[d];
		x->shards = shards;
		x->part = type->shape[d] / shards;
	}
	return x->dim >= 0;
}

/* Ends of parts are indices too; and what is not found is zero, which a type of powers of two does not have. */
static bool can_be_told(const struct indexed *x)
{
	const struct sr_type *type = sr_operand(x->op, 0)->type;
	return (x->indices->type->dtype == SR_I64 || type->shape[x->dim] <= INT32_MAX) && type->dtype != SR_F8E8M0FNU;
}

static bool read_indexed(struct indexed *x, struct sr_chooser *c, const struct sr_op_view *v)
{
	*x = (struct indexed){.c = c, .ctx = v->ctx, .v = v, .op = v->op, .at = sr_builder_before(v->ctx, v->op),
			      .scatter = sr_op_is(v->op, SR_OP_stablehlo_scatter)};
	if (!(x->scatter || sr_op_is(v->op, SR_OP_stablehlo_gather)) || v->op->n_operands != (x->scatter ? 3 : 2))
		return false;
	x->numbers = sr_op_attr(v->op, x->scatter ? SR_NAME_scatter_dimension_numbers : SR_NAME_dimension_numbers);
	x->indices = sr_operand(v->op, 1);
	const struct sr_type *t = x->indices->type;
	const struct sr_attr *vector = x->numbers ? sr_attr_field(x->numbers, SR_NAME_index_vector_dim) : NULL;
	x->vector = vector ? vector->i : 0;
	for (int i = 0; i < v->n_tensors; i++)
		if (!sr_type_is_static(sr_view_value(v, i)->type))
			return false;
	return x->numbers && (t->dtype == SR_I32 || t->dtype == SR_I64) && x->vector < t->rank && find_dim(x) && can_be_told(x);
}

/* ---------------------------------------------------------------- what it costs */

static double bytes_of(const struct sr_type *type, const struct sr_attr *sharding, const struct sr_mesh *mesh)
{
	double bytes = type->dtype == SR_DTYPE_NONE ? 4 : sr_dtype_bytes(type->dtype);
	for (int d = 0; d < type->rank; d++)
		bytes *= (double)type->shape[d] / (sharding ? (double)sr_written_dim_shards(sharding->sharding, mesh, d) : 1);
	return bytes;
}

/* The table gathered, against the rows summed or, before a scatter, gathered where they lie along the same axes. By a margin
 * of two, for the indices move too. */
static bool pays(const struct indexed *x)
{
	const struct sr_mesh *mesh = x->v->mesh.mesh;
	double n = (double)x->shards, table = bytes_of(sr_operand(x->op, 0)->type, x->v->given[0], mesh),
	       rows = bytes_of(sr_view_value(x->v, 2)->type, x->v->given[2], mesh);
	return sr_cost_pays_to_rewrite(sr_cost_wire(SR_ALL_GATHER, rows * n, n), sr_cost_wire(SR_ALL_GATHER, table * n, n));
}

/* ---------------------------------------------------------------- building */

static struct sr_value *add(struct indexed *x, enum sr_op_code code, struct sr_value *const *operands, int n,
			    const struct sr_named *attrs, int n_attrs, const struct sr_type *type, const struct sr_axes *axes)
{
	struct sr_op *op = sr_build(&x->at, code, operands, n, attrs, n_attrs, &type, 1);
	if (axes)
		sr_choose_set_axes(x->ctx, sr_result(op, 0), &x->v->mesh, axes);
	x->made[x->n_made++] = op;
	return sr_result(op, 0);
}

static struct sr_value *spread(struct indexed *x, struct sr_value *v, const int64_t *dims, int n, const struct sr_type *type,
			       const struct sr_axes *axes)
{
	struct sr_named attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(x->ctx, dims, n)};
	return add(x, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1, type, axes);
}

/* A vector with one value for this component of an index and another for the rest, spread over the indices. */
static struct sr_value *per_component(struct indexed *x, int64_t here, int64_t rest, const struct sr_type *type, int64_t dim,
				      const struct sr_axes *axes)
{
	const struct sr_type *vector = sr_type_with_shape(x->ctx, type, 1, &x->n_components);
	int64_t bytes = sr_dtype_bytes(type->dtype);
	char *data = sr_alloc(x->ctx->arena, (size_t)x->n_components, (size_t)bytes);
	for (int64_t i = 0; i < x->n_components; i++)
		sr_element_set(type->dtype, data + i * bytes, i == x->component ? here : rest, 0, 0);
	struct sr_value *v = sr_build_constant(&x->at, sr_attr_dense(x->ctx, vector, data, x->n_components * bytes));
	return spread(x, v, &dim, 1, type, axes);
}

/* A shape with the parts in front, and its axes. */
static const struct sr_type *with_parts(struct indexed *x, const struct sr_type *type, const struct sr_attr *given,
					struct sr_axes **axes)
{
	struct sr_arena *arena = x->ctx->arena;
	int64_t *shape = SR_NEWS(arena, int64_t, type->rank + 1);
	*axes = SR_NEWS(arena, struct sr_axes, type->rank + 1);
	shape[0] = x->shards;
	(*axes)[0] = x->axes;
	for (int d = 0; d < type->rank; d++) {
		shape[d + 1] = type->shape[d];
		if (given)
			(*axes)[d + 1] = sr_axes_prefix_without_overlaps(
				arena, sr_axes_resolve(arena, x->v->mesh.mesh, given->sharding->dims[d].axes), x->axes);
	}
	return sr_type_with_shape(x->ctx, type, type->rank + 1, shape);
}

static int64_t *counting(struct indexed *x, int n, int from)
{
	int64_t *list = SR_NEWS(x->ctx->arena, int64_t, n);
	for (int i = 0; i < n; i++)
		list[i] = from + i;
	return list;
}

/* Indices relative to each part: of the parts' type and axes. */
static struct sr_value *relative(struct indexed *x, const struct sr_type **type, struct sr_axes **axes)
{
	struct sr_value *v = x->indices;
	const struct sr_type *given = v->type;
	bool wide = given->dtype == SR_I64;
	*type = with_parts(x, given, x->v->given[1], axes);
	(*axes)[x->vector + 1] = (struct sr_axes){0}; /* an index is wanted whole */
	if (!x->scatter) { /* out of bounds is the nearest that is not */
		struct sr_value *clamp[] = {
			per_component(x, 0, wide ? INT64_MIN : INT32_MIN, given, x->vector, NULL), v,
			per_component(x, x->part * x->shards - 1, wide ? INT64_MAX : INT32_MAX, given, x->vector, NULL)};
		v = add(x, SR_OP_stablehlo_clamp, clamp, 3, NULL, 0, given, *axes + 1);
	}
	v = spread(x, v, counting(x, given->rank, 1), given->rank, *type, *axes);
	struct sr_named dim = {SR_NAME_iota_dimension, sr_attr_i64(x->ctx, 0)};
	struct sr_value *count = add(x, SR_OP_stablehlo_iota, NULL, 0, &dim, 1, *type, *axes);
	struct sr_value *first[] = {count, per_component(x, x->part, 0, *type, x->vector + 1, *axes)};
	struct sr_value *pair[] = {v, add(x, SR_OP_stablehlo_multiply, first, 2, NULL, 0, *type, *axes)};
	return add(x, SR_OP_stablehlo_subtract, pair, 2, NULL, 0, *type, *axes);
}

/* The operand with its dimension as parts and elements of a part. */
static struct sr_value *in_parts(struct indexed *x, struct sr_axes **axes)
{
	struct sr_value *v = sr_operand(x->op, 0);
	int rank = v->type->rank + 1;
	int64_t *shape = SR_NEWS(x->ctx->arena, int64_t, rank);
	*axes = SR_NEWS(x->ctx->arena, struct sr_axes, rank);
	for (int d = 0; d < rank; d++) {
		int from = d > x->dim ? d - 1 : d;
		shape[d] = d == x->dim ? x->shards : d == x->dim + 1 ? x->part : v->type->shape[from];
		(*axes)[d] = d == x->dim + 1 ? (struct sr_axes){0} : x->operand_axes[from];
	}
	return add(x, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, sr_type_with_shape(x->ctx, v->type, rank, shape), *axes);
}

/* Dimension numbers with the parts as a batch: operand dims from `dim` on, and all dims of indices and slices, move up by one. */
static const struct sr_attr *numbers_in_parts(struct indexed *x)
{
	const struct sr_attr_def *def = x->numbers->def;
	const struct sr_attr **list = SR_NEWS(x->ctx->arena, const struct sr_attr *, def->n_fields);
	for (int i = 0; i < def->n_fields; i++) {
		int64_t n = 0, zero = 0, dim = x->dim;
		const int64_t *old = NULL;
		int which = 0;
		while (which < N_FIELDS && strcmp(names[x->scatter][which], def->fields[i].name))
			which++;
		list[i] = x->numbers->list[i];
		if (which == BATCH || which == INDEX_BATCH) {
			list[i] = sr_attr_i64s(x->ctx, which == BATCH ? &dim : &zero, 1);
		} else if (which == VECTOR) {
			list[i] = sr_attr_i64(x->ctx, x->vector + 1);
		} else if (which < N_FIELDS && field(x, which, &old, &n)) {
			int64_t *moved = sr_dup(x->ctx->arena, old, (size_t)n, sizeof *moved);
			for (int64_t k = 0; k < n; k++)
				moved[k] += which == OFFSET || moved[k] >= dim;
			list[i] = sr_attr_i64s(x->ctx, moved, n);
		}
	}
	return sr_attr_struct(x->ctx, def, list);
}

static struct sr_value *zero_of(struct indexed *x, enum sr_dtype dtype, int64_t value)
{
	char element[16] = {0};
	sr_element_set(dtype, element, value, (double)value, 0);
	return sr_build_constant(&x->at,
				 sr_attr_dense(x->ctx, sr_type_tensor(x->ctx, dtype, 0, NULL), element, sr_dtype_bytes(dtype)));
}

/* Where an index points into a part, spread over the slices. */
static struct sr_value *inside(struct indexed *x, struct sr_value *indices, const struct sr_axes *index_axes,
			       const struct sr_type *slices, const struct sr_axes *axes)
{
	struct sr_context *ctx = x->ctx;
	const struct sr_type *t = indices->type;
	int rank = t->rank, at = (int)x->vector + 1, n = 0;
	int64_t *start = SR_NEWS(ctx->arena, int64_t, rank), *limit = sr_dup(ctx->arena, t->shape, (size_t)rank, sizeof *limit);
	int64_t *one = SR_NEWS(ctx->arena, int64_t, rank), *shape = SR_NEWS(ctx->arena, int64_t, rank),
		*dims = SR_NEWS(ctx->arena, int64_t, rank);
	struct sr_axes *left = SR_NEWS(ctx->arena, struct sr_axes, rank);
	const int64_t *offset;
	int64_t n_offset;
	start[at] = x->component, limit[at] = x->component + 1;
	for (int d = 0; d < rank; d++) {
		one[d] = 1;
		if (d != at)
			left[n] = index_axes[d], shape[n++] = t->shape[d];
	}
	struct sr_named cut[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, start, rank)},
				 {SR_NAME_limit_indices, sr_attr_i64s(ctx, limit, rank)},
				 {SR_NAME_strides, sr_attr_i64s(ctx, one, rank)}};
	int64_t *column = sr_dup(ctx->arena, t->shape, (size_t)rank, sizeof *column);
	column[at] = 1;
	struct sr_value *v =
		add(x, SR_OP_stablehlo_slice, &indices, 1, cut, 3, sr_type_with_shape(ctx, t, rank, column), index_axes);
	const struct sr_type *flat = sr_type_with_shape(ctx, t, n, shape), *flags = sr_type_tensor(ctx, SR_I1, n, shape);
	v = add(x, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, flat, left);
	struct sr_value *in[2];
	for (int i = 0; i < 2; i++) {
		struct sr_named how[] = {sr_comparison_attr(ctx, i ? SR_LT : SR_GE), sr_comparison_type_attr(ctx, "SIGNED")};
		struct sr_value *pair[] = {v, spread(x, zero_of(x, t->dtype, i ? x->part : 0), NULL, 0, flat, left)};
		in[i] = add(x, SR_OP_stablehlo_compare, pair, 2, how, 2, flags, left);
	}
	v = add(x, SR_OP_stablehlo_and, in, 2, NULL, 0, flags, left);
	field(x, OFFSET, &offset, &n_offset);
	dims[0] = 0, n = 1;
	for (int d = 1; d < slices->rank; d++)
		if (position(offset, n_offset, d - 1) < 0)
			dims[n++] = d;
	return spread(x, v, dims, n, sr_type_tensor(ctx, SR_I1, slices->rank, slices->shape), axes);
}

/* The sum over the parts, of which all but one are zero. */
static struct sr_value *sum_parts(struct indexed *x, struct sr_value *v, const struct sr_type *type)
{
	struct sr_context *ctx = x->ctx;
	int64_t zero = 0;
	struct sr_value *operands[] = {v, zero_of(x, type->dtype, 0)};
	struct sr_named dims = {SR_NAME_dimensions, sr_attr_i64s(ctx, &zero, 1)};
	struct sr_op *op = sr_op_new(ctx, &(struct sr_op_spec){.info = sr_info(ctx, SR_OP_stablehlo_reduce),
							       .loc = x->op->loc,
							       .operands = operands,
							       .n_operands = 2,
							       .results = &type,
							       .n_results = 1,
							       .attrs = &dims,
							       .n_attrs = 1,
							       .n_regions = 1});
	sr_op_insert_before(x->op, op);
	sr_build_reducer(ctx, &op->regions[0], type->dtype == SR_I1 ? SR_OP_stablehlo_or : SR_OP_stablehlo_add, type->element, op->loc);
	x->made[x->n_made++] = op;
	return sr_result(op, 0);
}

static struct sr_value *gather_parts(struct indexed *x)
{
	struct sr_context *ctx = x->ctx;
	const struct sr_type *index_type, *type;
	struct sr_axes *index_axes, *operand_axes, *axes;
	const int64_t *sizes;
	int64_t n;
	struct sr_value *operands[] = {in_parts(x, &operand_axes), relative(x, &index_type, &index_axes)};
	type = with_parts(x, sr_result(x->op, 0)->type, x->v->given[2], &axes);
	sr_op_ints(ctx, x->op, SR_NAME_slice_sizes, &sizes, &n);
	int64_t *more = SR_NEWS(ctx->arena, int64_t, n + 1);
	for (int d = 0; d <= n; d++)
		more[d] = d == x->dim ? 1 : sizes[d > x->dim ? d - 1 : d];
	struct sr_named attrs[] = {{SR_NAME_dimension_numbers, numbers_in_parts(x)}, {SR_NAME_slice_sizes, sr_attr_i64s(ctx, more, n + 1)},
				   {SR_NAME_indices_are_sorted, sr_attr_bool(ctx, false)}};
	struct sr_value *found = add(x, SR_OP_stablehlo_gather, operands, 2, attrs, 3, type, axes);
	struct sr_value *choice[] = {inside(x, operands[1], index_axes, type, axes), found,
				     spread(x, zero_of(x, type->dtype, 0), NULL, 0, type, axes)};
	return sum_parts(x, add(x, SR_OP_stablehlo_select, choice, 3, NULL, 0, type, axes), sr_result(x->op, 0)->type);
}

static struct sr_value *scatter_parts(struct indexed *x)
{
	struct sr_context *ctx = x->ctx;
	const struct sr_type *index_type, *type;
	struct sr_axes *index_axes, *operand_axes, *axes;
	struct sr_map map;
	struct sr_value *updates = sr_operand(x->op, 2), *input = in_parts(x, &operand_axes),
			*indices = relative(x, &index_type, &index_axes);
	type = with_parts(x, updates->type, x->v->given[2], &axes);
	updates = spread(x, updates, counting(x, updates->type->rank, 1), updates->type->rank, type, axes);
	struct sr_value *operands[] = {input, indices, updates};
	sr_map_init(&map, ctx->arena);
	struct sr_op *copy = sr_op_clone(ctx, x->op, &map);
	sr_op_insert_before(x->op, copy);
	sr_op_set_operands(ctx, copy, operands, 3);
	sr_op_set_attr(ctx, copy, SR_NAME_scatter_dimension_numbers, numbers_in_parts(x));
	sr_op_set_attr(ctx, copy, SR_NAME_indices_are_sorted, sr_attr_bool(ctx, false));
	sr_op_set_attr(ctx, copy, SR_NAME_unique_indices, sr_attr_bool(ctx, false));
	sr_op_remove_attr(ctx, copy, "sdy.sharding");
	copy = sr_op_with_results(ctx, copy, &input->type, 1);
	sr_choose_set_axes(ctx, sr_result(copy, 0), &x->v->mesh, operand_axes);
	x->made[x->n_made++] = copy;
	struct sr_value *v = sr_result(copy, 0);
	return add(x, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, sr_result(x->op, 0)->type, NULL);
}

enum sr_status sr_choose_indexed(struct sr_chooser *c, const struct sr_op_view *v, bool *done)
{
	struct indexed x;
	if (!read_indexed(&x, c, v) || !pays(&x))
		return SR_OK;
	struct sr_value *result = sr_result(x.op, 0), *made = x.scatter ? scatter_parts(&x) : gather_parts(&x);
	sr_value_set_sharding(x.ctx, made, sr_value_sharding(x.ctx, result));
	sr_value_replace_all(result, made);
	sr_op_erase(x.op);
	*done = true;
	return sr_choose_each(c, x.made, x.n_made);
}
