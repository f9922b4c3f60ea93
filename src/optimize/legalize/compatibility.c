/* stablehlo-compatibility-expander: rewrite features that StableHLO lacks in versions before `target`.
 *
 *	tan, since 1.4                                            sine / cosine; of complex numbers by tan and tanh of the parts
 *	batching dimensions of gather and scatter, since 1.1      index dimensions with iota indices
 *	replica groups as mesh axes, since 1.16                   lists of ids
 *	ranges as locations, since 1.9                            their beginnings */
#include "optimize/legalize/decompose.h"
#include "dialect/attr_names.h"
#include "optimize/legalize/formula.h"
#include "optimize/patterns/match.h"
#include "optimize/pass_functions.h"
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- tan */

static bool expand_tan(struct sr_rewriter *rw, struct sr_op *op)
{
	static const struct sr_formula formulas[] = {
		{"tan", {"x"}, "sine(x) / cosine(x)"},
		{"tan_complex", {"z"},
		 "x = real(z); like x; t = sine(x) / cosine(x); h = tanh(imag(z)); complex(t, h) / complex(1, -(t * h))"},
	};
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *x = sr_operand(op, 0);
	sr_rewrite_replace(rw, op, sr_formula_build(&b, &formulas[sr_dtype_is_complex(x->type->dtype)], &x, NULL, NULL, NULL));
	return true;
}

/* ---------------------------------------------------------------- batching dimensions */

/* Corresponding field names of the dimension numbers of gather and scatter. */
struct numbers {
	const char *attr, *collapsed, *batching, *indices_batching, *map;
};
static const struct numbers gather_numbers = {
	SR_NAME_dimension_numbers, SR_NAME_collapsed_slice_dims, SR_NAME_operand_batching_dims, SR_NAME_start_indices_batching_dims,
	SR_NAME_start_index_map};
static const struct numbers scatter_numbers = {
	SR_NAME_scatter_dimension_numbers, SR_NAME_inserted_window_dims, SR_NAME_input_batching_dims,
	SR_NAME_scatter_indices_batching_dims, SR_NAME_scatter_dims_to_operand_dims};

static struct sr_ints field(struct sr_context *ctx, const struct sr_attr *numbers, const char *name)
{
	struct sr_ints list = {0};
	sr_struct_ints(ctx, numbers, name, &list.v, &list.n);
	return list;
}

static const struct sr_attr *attr_with_field(struct sr_context *ctx, const struct sr_attr *structure, const char *name,
					     const struct sr_attr *value)
{
	const struct sr_attr **fields = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, structure->n);
	for (int i = 0; i < structure->n; i++)
		fields[i] = strcmp(structure->def->fields[i].name, name) == 0 ? value : structure->list[i];
	return sr_attr_struct(ctx, structure->def, fields);
}

static struct sr_ints concat_dims(struct sr_context *ctx, struct sr_ints a, struct sr_ints b, bool is_sorted)
{
	int64_t *v = SR_NEW_ARRAY(ctx->arena, int64_t, a.n + b.n), n = 0;
	for (int64_t i = 0; i < a.n + b.n; i++) {
		int64_t x = i < a.n ? a.v[i] : b.v[i - a.n], at = n++;
		for (; is_sorted && at > 0 && v[at - 1] > x; at--)
			v[at] = v[at - 1];
		v[at] = x;
	}
	return (struct sr_ints){v, n};
}

/* Return the element type for the concatenated indices: that of the present indices, if it holds the extents of these dimensions,
 * else i32 or i64. */
static enum sr_dtype index_type(const struct sr_type *indices, struct sr_ints dims)
{
	enum sr_dtype t = indices->dtype;
	for (int64_t i = 0; i < dims.n; i++) {
		int64_t extent = indices->shape[dims.v[i]];
		int bits = sr_dtypes[t].bits - (sr_dtypes[t].class == SR_CLASS_SINT);
		if (bits < 63 && extent >> bits > 0)
			t = extent > INT32_MAX ? SR_I64 : SR_I32;
	}
	return t;
}

/* Concatenate an iota for each batching dimension with the indices, along the index vector's dimension. */
static struct sr_value *batched_indices(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *indices, int64_t vector,
					struct sr_ints dims)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_builder b = sr_rewrite_before(rw, op);
	enum sr_dtype dtype = index_type(indices->type, dims);
	if (dtype != indices->type->dtype)
		indices = sr_build_convert(&b, indices, dtype);
	int rank = indices->type->rank;
	int64_t *shape = SR_NEW_ARRAY(ctx->arena, int64_t, rank + 1);
	memcpy(shape, indices->type->shape, sizeof *shape * (size_t)rank);
	if (vector == rank) { /* scalar indices become vectors of one element */
		shape[rank++] = 1;
		const struct sr_type *t = sr_type_with_shape(ctx, indices->type, rank, shape);
		indices = sr_result(sr_rewrite_create(rw, op, SR_OP_stablehlo_reshape, &indices, 1, NULL, 0, t), 0);
	}
	struct sr_value **index_columns = SR_NEW_ARRAY(ctx->arena, struct sr_value *, dims.n + 1);
	int64_t length = shape[vector];
	shape[vector] = 1;
	for (int64_t i = 0; i < dims.n; i++) {
		struct sr_named_attr dim = {SR_NAME_iota_dimension, sr_attr_i64(ctx, dims.v[i])};
		const struct sr_type *t = sr_type_with_shape(ctx, indices->type, rank, shape);
		index_columns[i] = sr_result(sr_rewrite_create(rw, op, SR_OP_stablehlo_iota, NULL, 0, &dim, 1, t), 0);
	}
	index_columns[dims.n] = indices;
	shape[vector] = length + dims.n;
	struct sr_named_attr concatenate_dim = {SR_NAME_dimension, sr_attr_i64(ctx, vector)};
	const struct sr_type *t = sr_type_with_shape(ctx, indices->type, rank, shape);
	return sr_result(
	    sr_rewrite_create(rw, op, SR_OP_stablehlo_concatenate, index_columns, (int)dims.n + 1, &concatenate_dim, 1, t), 0);
}

static bool expand_batching(struct sr_rewriter *rw, struct sr_op *op, const struct numbers *names, int at)
{
	struct sr_context *ctx = rw->ctx;
	const struct sr_attr *numbers = sr_op_attr(op, names->attr), *no_field = NULL;
	struct sr_ints batching = field(ctx, numbers, names->batching), dims = field(ctx, numbers, names->indices_batching);
	struct sr_value *indices = sr_operand(op, at);
	if (!batching.n || !sr_type_is_static(indices->type) || indices->type->dtype == SR_DTYPE_NONE)
		return false;
	for (int64_t i = 0; i < batching.n; i++)
		if (sr_is_dynamic(sr_operand(op, 0)->type->shape[batching.v[i]]))
			return false;
	struct sr_ints map = concat_dims(ctx, batching, field(ctx, numbers, names->map), false),
		       collapsed = concat_dims(ctx, field(ctx, numbers, names->collapsed), batching, true);
	bool is_sorted = sr_op_int(op, SR_NAME_indices_are_sorted, 0) && sr_is_sorted(dims.v, dims.n) && sr_is_sorted(map.v, map.n);
	sr_op_set_operand(op, at, batched_indices(rw, op, indices, sr_field_int(numbers, SR_NAME_index_vector_dim, 0), dims));
	numbers = attr_with_field(ctx, numbers, names->collapsed, sr_attr_i64s(ctx, collapsed.v, collapsed.n));
	numbers = attr_with_field(ctx, numbers, names->map, sr_attr_i64s(ctx, map.v, map.n));
	numbers = attr_with_field(ctx, attr_with_field(ctx, numbers, names->batching, no_field), names->indices_batching, no_field);
	sr_op_set_attr(ctx, op, names->attr, numbers);
	sr_op_set_attr(ctx, op, SR_NAME_indices_are_sorted, sr_attr_bool(ctx, is_sorted));
	sr_rewrite_notify_modified(rw, op);
	return true;
}

static bool expand_gather(struct sr_rewriter *rw, struct sr_op *op)
{
	return expand_batching(rw, op, &gather_numbers, 1);
}

static bool expand_scatter(struct sr_rewriter *rw, struct sr_op *op)
{
	return expand_batching(rw, op, &scatter_numbers, op->n_operands / 2);
}

/* ---------------------------------------------------------------- replica groups */

static bool expand_groups(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	const struct sr_attr *a = sr_op_attr(op, SR_NAME_replica_groups);
	struct sr_groups groups;
	if (!a || a->kind != SR_ATTR_STRUCT || sr_op_groups(ctx, op, &groups))
		return false;
	sr_op_set_attr(ctx, op, SR_NAME_replica_groups,
		       sr_attr_dense_i64(ctx, 2, (int64_t[]){groups.n_groups, groups.group_size}, groups.ids));
	sr_rewrite_notify_modified(rw, op);
	return true;
}

/* ---------------------------------------------------------------- locations */

static const struct sr_attr *loc_without_ranges(struct sr_context *ctx, const struct sr_attr *loc)
{
	struct sr_attr copy = *loc;
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, loc->n);
	copy.end_line = copy.end_col = 0;
	for (int i = 0; i < loc->n; i++)
		list[i] = loc_without_ranges(ctx, loc->list[i]);
	copy.list = list;
	return sr_attr_intern(ctx, &copy);
}

static bool strip_ranges(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	op->loc = loc_without_ranges(ctx, op->loc);
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first; b; b = b->next)
			for (int k = 0; k < b->n_args; k++)
				b->args[k]->loc = loc_without_ranges(ctx, b->args[k]->loc);
	return true;
}

/* ---------------------------------------------------------------- versions */

struct version {
	int major, minor;
};

static bool is_older_version(struct version v, int major, int minor)
{
	return v.major < major || (v.major == major && v.minor < minor);
}

enum { PATTERNS = 4, ROUNDS = 10 };
static const struct {
	struct version since;
	struct sr_pattern pattern;
} expansions[PATTERNS] = {
	{{1, 1}, {SR_OP_stablehlo_gather, expand_gather}},
	{{1, 1}, {SR_OP_stablehlo_scatter, expand_scatter}},
	{{1, 4}, {SR_OP_stablehlo_tan, expand_tan}},
	{{1, 16}, {SR_OP_UNREGISTERED, expand_groups}},
};

enum sr_status sr_run_compatibility_expander(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct sr_pattern patterns[PATTERNS + 1] = {{0}};
	struct sr_rewrite_config config = {.tables = {patterns}, .max_rounds = ROUNDS};
	struct version target;
	const char *text = sr_option_string(options, "target");
	int n = 0, patch, end = 0;
	if (sscanf(text, "%d.%d.%d%n", &target.major, &target.minor, &patch, &end) != 3 || text[end])
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
				"Invalid target version argument '%s'. Target must have the form #.#.#.", text);
	for (int i = 0; i < PATTERNS; i++)
		if (is_older_version(target, expansions[i].since.major, expansions[i].since.minor))
			patterns[n++] = expansions[i].pattern;
	sr_rewrite_greedily(ctx, root, &config);
	if (is_older_version(target, 1, 9))
		sr_walk(root, strip_ranges, ctx);
	return SR_OK;
}
