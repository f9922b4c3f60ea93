/* shardrun-skip-partial-windows: give scatters XLA's semantics of windows that are partly out of bounds.
 *
 * StableHLO skips those elements of an update's window that are out of bounds. XLA skips the window as a whole, and JAX computes
 * derivatives of scatters accordingly. Frameworks that compile for XLA expect the latter. If a window would be
 * partly out of bounds, its index is set to the operand's extent, where the window is completely out of bounds:
 *
 *	scatter(%x: tensor<10xf32>, %i: tensor<3x1xi32>, %u: tensor<3x2xf32>)      windows of 2 elements
 * becomes
 *	%valid = %i >= 0 && %i <= 8
 *	scatter(%x, select(%valid, %i, 10), %u)
 *
 * Scatters whose windows have extent 1 along all indexed dimensions, and constant indices in bounds, are left as they are. */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "optimize/legalize/decompose.h"
#include "optimize/pass_functions.h"
#include "support/integers.h"

struct windows {
	struct sr_op *op;
	struct sr_value *indices;
	/* dimension of the indices that holds an index vector; the rank of the indices if each index is a scalar */
	int vector;
	int64_t n;        /* length of an index vector */
	int64_t *limits;  /* for each component of an index vector: its greatest value for which the window is in bounds */
	int64_t *extents; /* for each component of an index vector: the operand's extent */
};

/* Set sizes[d] to the extent of the update's window along the operand's dimension d. */
static void window_sizes(struct sr_context *ctx, const struct sr_attr *numbers, const struct sr_type *operand, const struct sr_type *updates,
			 int64_t *sizes)
{
	const int64_t *window, *inserted_dims, *batching;
	int64_t n_window = 0, n_inserted = 0, n_batching = 0, k = 0;
	sr_struct_ints(ctx, numbers, SR_NAME_update_window_dims, &window, &n_window);
	sr_struct_ints(ctx, numbers, SR_NAME_inserted_window_dims, &inserted_dims, &n_inserted);
	sr_struct_ints(ctx, numbers, SR_NAME_input_batching_dims, &batching, &n_batching);
	for (int d = 0; d < operand->rank; d++)
		sizes[d] = sr_list_has(inserted_dims, n_inserted, d) || sr_list_has(batching, n_batching, d)
			       ? 1
			       : updates->shape[window[k++]];
}

/* Read the windows of a scatter. Return false if none can be partly out of bounds, or shapes are dynamic. */
static bool read_windows(struct sr_context *ctx, struct sr_op *op, struct windows *w)
{
	int n_inputs = (op->n_operands - 1) / 2;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_scatter_dimension_numbers);
	const struct sr_attr *vector = sr_attr_field(numbers, SR_NAME_index_vector_dim);
	const struct sr_type *operand = sr_operand(op, 0)->type, *updates = sr_operand(op, n_inputs + 1)->type;
	const int64_t *map;
	bool is_any_partial = false;
	*w = (struct windows){.op = op, .indices = sr_operand(op, n_inputs), .vector = vector ? (int)vector->i : 0};
	if (!sr_type_is_static(operand) || !sr_type_is_static(updates) || !sr_type_is_static(w->indices->type) ||
	    !sr_struct_ints(ctx, numbers, SR_NAME_scatter_dims_to_operand_dims, &map, &w->n))
		return false;
	int64_t *sizes = SR_NEW_ARRAY(ctx->scratch, int64_t, operand->rank);
	window_sizes(ctx, numbers, operand, updates, sizes);
	w->limits = SR_NEW_ARRAY(ctx->scratch, int64_t, w->n);
	w->extents = SR_NEW_ARRAY(ctx->scratch, int64_t, w->n);
	for (int64_t i = 0; i < w->n; i++) {
		w->extents[i] = operand->shape[map[i]];
		w->limits[i] = w->extents[i] - sizes[map[i]];
		is_any_partial = is_any_partial || sizes[map[i]] > 1;
	}
	return is_any_partial;
}

/* Return true if the indices are constant and all windows are in bounds. */
static bool are_in_bounds(struct sr_context *ctx, const struct windows *w)
{
	const struct sr_attr *constant = sr_constant_value(w->indices);
	const struct sr_type *t = w->indices->type;
	const int64_t *v;
	int64_t n, n_components, inner = 1;
	if (!constant || !sr_attr_ints(ctx, constant, &v, &n) || !sr_type_elements(t, &n_components) || n != n_components)
		return false;
	for (int d = w->vector + 1; d < t->rank; d++)
		inner *= t->shape[d];
	for (int64_t i = 0; i < n; i++)
		if (v[i] < 0 || v[i] > w->limits[i / inner % w->n])
			return false;
	return true;
}

/* Return an index type that holds all extents: i32 if the indices are i32 and all extents fit, else i64. */
static enum sr_dtype index_type(const struct windows *w)
{
	enum sr_dtype type = w->indices->type->dtype;
	for (int64_t i = 0; i < w->n; i++)
		if (type != SR_I32 || w->extents[i] > INT32_MAX)
			type = SR_I64;
	return type;
}

/* Build a value for each component, broadcast to all indices of type `t`. */
static struct sr_value *for_each_component(struct sr_builder *b, const struct windows *w, const struct sr_type *t, const int64_t *values)
{
	int64_t dim = w->vector;
	int rank = w->vector < t->rank;
	struct sr_value *v = sr_build_constant(b, sr_attr_dense_i64(b->ctx, rank, &w->n, values));
	return sr_build_broadcast(b, sr_build_convert(b, v, t->dtype), t, &dim);
}

static bool skip_partial_windows(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	struct windows w;
	if (!sr_op_is(op, SR_OP_stablehlo_scatter) || !read_windows(ctx, op, &w) || are_in_bounds(ctx, &w))
		return true;
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_value *indices = sr_build_convert(&b, w.indices, index_type(&w));
	const struct sr_type *t = indices->type;
	struct sr_value *first = sr_build_compare(&b, indices, SR_GE, sr_build_splat(&b, t, 0), NULL);
	struct sr_value *last = sr_build_compare(&b, indices, SR_LE, for_each_component(&b, &w, t, w.limits), NULL);
	struct sr_value *is_valid = sr_build_infer(&b, SR_OP_stablehlo_and, (struct sr_value *[]){first, last}, 2, NULL, 0);
	struct sr_value *choices[] = {is_valid, indices, for_each_component(&b, &w, t, w.extents)};
	sr_op_set_operand(op, (op->n_operands - 1) / 2, sr_build_infer(&b, SR_OP_stablehlo_select, choices, 3, NULL, 0));
	return true;
}

enum sr_status sr_run_skip_partial_windows(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	(void)sr_walk(root, skip_partial_windows, ctx);
	return SR_OK;
}
