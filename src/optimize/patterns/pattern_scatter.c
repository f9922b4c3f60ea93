/* Pattern of a scatter of few windows at indices that are known at run time, in the body of a loop. */
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include "dialect/trip_count.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"

enum {
	MAX_COMBINED = 4096, /* maximum elements of a window whose old and new elements are combined */
	MAX_SELECTED = 16,   /* maximum elements of a window that replaces old elements if its index is in bounds */
	MAX_WINDOWS = 8      /* maximum windows of at most MAX_SELECTED elements */
};

/* A scatter of windows that have one element along each dimension that an index selects. */
struct windows {
	struct sr_value *x, *indices, *elements;
	const struct sr_type *type;      /* of the tensor x */
	int64_t n, n_elements;           /* windows, and elements of each */
	int64_t extent[SR_MAX_RANK];     /* of the window along each dimension of x */
	struct sr_ints to;               /* dimension of x of each component of the index vector */
	const struct sr_reducer *reducer; /* op that combines old and new elements; NULL: new elements replace old ones */
};

static bool read_windows(struct sr_context *ctx, const struct sr_op *op, struct windows *w)
{
	struct sr_match_scatter s;
	int64_t n_indices, n_all;
	if (!sr_match_read_scatter(ctx, op, &s))
		return false;
	*w = (struct windows){.x = sr_operand(op, 0), .indices = sr_operand(op, 1), .elements = sr_operand(op, 2), .to = s.to,
			      .reducer = s.reducer};
	w->type = w->x->type;
	int64_t first_window_dim = w->elements->type->rank - s.window.n;
	if (!sr_type_elements(w->indices->type, &n_indices) || !sr_type_elements(w->elements->type, &n_all) || w->to.n == 0)
		return false;
	w->n = n_indices / w->to.n;
	if (w->n < 1 || w->n > MAX_WINDOWS || (w->n > 1 && s.index_vector_dim < w->indices->type->rank - 1))
		return false;
	w->n_elements = n_all / w->n;
	for (int64_t i = 0; i < s.window.n; i++) /* the dimensions of windows are the last ones */
		if (w->n > 1 && s.window.v[i] != first_window_dim + i)
			return false;
	for (int d = 0, k = 0; d < w->type->rank; d++)
		w->extent[d] = sr_list_has(s.inserted.v, s.inserted.n, d) ? 1 : w->elements->type->shape[s.window.v[k++]];
	for (int64_t i = 0; i < w->to.n; i++)
		if (w->extent[w->to.v[i]] != 1 || w->type->shape[w->to.v[i]] < 1)
			return false;
	return true;
}

/* Return component i of the only index vector if it is a value of its own; else NULL. */
static const struct sr_value *component(const struct windows *w, int i)
{
	const struct sr_value *v = w->indices;
	if (w->n > 1)
		return NULL;
	for (; v->def; v = sr_operand(v->def, 0)) {
		if (sr_op_is(v->def, SR_OP_stablehlo_concatenate))
			return v->def->n_operands == w->to.n ? sr_operand(v->def, i) : NULL;
		if (!sr_op_is(v->def, SR_OP_stablehlo_reshape) && !sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim))
			break;
	}
	return w->to.n == 1 ? w->indices : NULL;
}

/* Return true if component i of the index vector is in bounds in every iteration. */
static bool is_in_bounds(struct sr_context *ctx, const struct windows *w, int i)
{
	const struct sr_value *v = component(w, i);
	struct sr_integer_range range;
	return v && sr_loop_integer_range(ctx, v, &range) && range.low >= 0 && range.high < w->type->shape[w->to.v[i]];
}

/* Build the start index of window k in each dimension, and return the condition that all are in bounds; NULL: they are in every
 * iteration. */
static struct sr_value *build_starts(struct sr_builder *b, const struct windows *w, int64_t k, struct sr_value **starts)
{
	const struct sr_type *scalar = sr_type_with_shape(b->ctx, w->indices->type, 0, NULL);
	int64_t n_indices = w->n * w->to.n;
	struct sr_value *vector = sr_build_reshape(b, w->indices, 1, &n_indices), *condition = NULL;
	struct sr_value *zero = sr_build_integer(b, scalar, 0);
	for (int d = 0; d < w->type->rank; d++)
		starts[d] = zero;
	for (int i = 0; i < (int)w->to.n; i++) {
		int64_t dim = w->to.v[i];
		struct sr_value *start = sr_build_reshape(b, sr_build_slice_dim(b, vector, 0, k * w->to.n + i, 1, 1), 0, NULL);
		starts[dim] = start;
		if (is_in_bounds(b->ctx, w, i))
			continue;
		for (int end = 0; end < 2; end++) {
			struct sr_value *bound = end ? sr_build_integer(b, scalar, w->type->shape[dim]) : zero;
			bound = sr_build_compare(b, start, end ? SR_LT : SR_GE, bound, NULL);
			condition = condition ? sr_build_binary(b, SR_OP_stablehlo_and, condition, bound) : bound;
		}
	}
	return condition;
}

/* Return true if a dynamic_update_slice is at least as quick. */
static bool pays(struct sr_context *ctx, const struct windows *w)
{
	bool is_inside = true;
	for (int i = 0; i < (int)w->to.n; i++)
		is_inside = is_inside && is_in_bounds(ctx, w, i);
	return w->n_elements <= (w->reducer && w->n == 1 ? MAX_COMBINED : MAX_SELECTED) || (is_inside && !w->reducer);
}

/* Build x with window k updated. */
static struct sr_value *build_update(struct sr_builder *b, const struct windows *w, int64_t k, struct sr_value *x)
{
	struct sr_value *operands[SR_MAX_RANK + 2], *old = NULL;
	struct sr_value *is_inside = build_starts(b, w, k, operands + 2);
	int64_t n_all = w->n * w->n_elements;
	struct sr_value *new = w->elements;
	if (w->n > 1)
		new = sr_build_slice_dim(b, sr_build_reshape(b, new, 1, &n_all), 0, k * w->n_elements, w->n_elements, 1);
	new = sr_build_reshape(b, new, w->type->rank, w->extent);
	if (w->reducer || is_inside)
		old = sr_build_dynamic_slice(b, x, operands + 2, w->extent);
	if (w->reducer)
		new = sr_build_binary(b, w->reducer->code, old, new);
	if (is_inside)
		new = sr_build_select(b, is_inside, new, old);
	return sr_build_update_slice(b, x, new, operands + 2);
}

static bool decompose(struct sr_builder *b, struct sr_op *op)
{
	struct windows w;
	if (!read_windows(b->ctx, op, &w) || !pays(b->ctx, &w))
		return false;
	struct sr_value *x = w.x;
	for (int64_t k = 0; k < w.n; k++)
		x = build_update(b, &w, k, x);
	sr_value_replace_all(sr_result(op, 0), x);
	return true;
}

/* Scatter of at most MAX_WINDOWS windows in the body of a loop, x.at[i].set(v) or x.at[i].add(v) -> dynamic_update_slices, one
 * after another, which a compiled loop executes itself. At an index out of bounds, where the scatter does nothing, they store the
 * old elements. */
bool sr_pattern_scatter_in_loop(struct sr_rewriter *rw, struct sr_op *op)
{
	bool is_in_loop = sr_op_parent_of(op, SR_OP_stablehlo_while);
	return !rw->config->keeps_shardings && is_in_loop && sr_rewrite_decompose(rw, op, decompose);
}
