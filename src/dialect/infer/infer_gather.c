/* Infer result types of gather, dynamic_gather and scatter. */
#include "dialect/infer/infer.h"

sr_infer_fn sr_infer_dynamic_gather, sr_infer_gather, sr_infer_scatter;

struct gather_op {
	const struct sr_type *operand, *indices;
	struct sr_ints offset_dims, collapsed_dims, batching_dims, indices_batching_dims, start_index_map, slice_sizes;
	int64_t index_vector_dim; /* index_vector_dim: the dimension of start_indices that contains the index vectors */
};

static struct gather_op read_gather(struct sr_infer *in)
{
	const struct sr_attr *a = sr_op_attr(in->op, "dimension_numbers");
	return (struct gather_op){sr_infer_operand(in, 0), sr_infer_operand(in, 1), sr_field_ints(in, a, "offset_dims"),
			       sr_field_ints(in, a, "collapsed_slice_dims"), sr_field_ints(in, a, "operand_batching_dims"),
			       sr_field_ints(in, a, "start_indices_batching_dims"), sr_field_ints(in, a, "start_index_map"), {0},
			       sr_field_int(a, "index_vector_dim", 0)};
}

static enum sr_status check_sorted(struct sr_infer *in, struct sr_ints list, const char *name)
{
	if (sr_is_sorted(list.v, list.n))
		return SR_OK;
	return sr_infer_error(in, "expects %s to be sorted, got: [%s]", name, sr_dims_str(in->ctx, list.v, list.n));
}

static enum sr_status check_unique(struct sr_infer *in, struct sr_ints list, const char *name)
{
	if (sr_is_unique(list.v, list.n))
		return SR_OK;
	return sr_infer_error(in, "expects %s to not repeat, got: [%s]", name, sr_dims_str(in->ctx, list.v, list.n));
}

static enum sr_status check_vector_dim(struct sr_infer *in, int64_t vector_dim, int rank, const char *tensor_name)
{
	if (vector_dim >= 0 && vector_dim <= rank)
		return SR_OK;
	return sr_infer_error(in, "Expects index_vector_dim to be in range [0, rank-of('%s')] i.e. [0, %d]. got: %lld.",
			      tensor_name, rank, (long long)vector_dim);
}

/* Check that the batching dimensions of operand and indices have pairwise equal sizes. names: names of the two lists in
 * messages; suffix: suffix of the message. */
static enum sr_status check_batching_sizes(struct sr_infer *in, const int64_t *operand, struct sr_ints batching_dims,
					   const int64_t *indices,
					   struct sr_ints indices_batching_dims, const char *const names[2], const char *suffix)
{
	if (batching_dims.n != indices_batching_dims.n)
		return sr_infer_error(in, "%s and %s should have the same size%s", names[0], names[1], suffix);
	for (int64_t i = 0; i < batching_dims.n; i++) {
		int64_t a = operand[batching_dims.v[i]], b = indices[indices_batching_dims.v[i]];
		if (!sr_dims_compatible(a, b))
			return sr_infer_error(in, "%s[%lld] and %s[%lld] must have compatible sizes, but got %lld and %lld%s", names[0],
					      (long long)i, names[1], (long long)i, (long long)a, (long long)b, suffix);
	}
	return SR_OK;
}

/* Check the batching dimensions of a gather: sorted, in range, distinct from index_vector_dim, and of equal extents on both
 * sides. */
static enum sr_status check_batching(struct sr_infer *in, const struct gather_op *g)
{
	if (check_sorted(in, g->batching_dims, "operand_batching_dims") ||
	    sr_check_index_range(in, g->batching_dims, "operand_batching_dims", g->operand->rank, "rank-of('operand')") ||
	    check_unique(in, g->indices_batching_dims, "start_indices_batching_dims") ||
	    sr_check_index_range(in, g->indices_batching_dims, "start_indices_batching_dims", g->indices->rank,
				 "rank-of('start_indices')"))
		return SR_INVALID;
	if (sr_list_has(g->indices_batching_dims.v, g->indices_batching_dims.n, g->index_vector_dim))
		return sr_infer_error(in, "expects start_indices_batching_dims not to include index_vector_dim %lld",
				      (long long)g->index_vector_dim);
	static const char *const names[] = {"operand_batching_dims", "start_indices_batching_dims"};
	return check_batching_sizes(in, g->operand->shape, g->batching_dims, g->indices->shape, g->indices_batching_dims, names,
				    "");
}

static enum sr_status check_gather(struct sr_infer *in, const struct gather_op *g)
{
	int rank = g->operand->rank, indices_rank = g->indices->rank;
	if (g->offset_dims.n + g->collapsed_dims.n + g->batching_dims.n != rank)
		return sr_infer_error(in,
				      "offset_dims size (%lld) plus collapse_slice_dims size (%lld) plus operand_batching_dims "
				      "size (%lld) is not equal to operand rank (%d)",
				      (long long)g->offset_dims.n, (long long)g->collapsed_dims.n, (long long)g->batching_dims.n,
				      rank);
	if (check_vector_dim(in, g->index_vector_dim, indices_rank, "start_indices"))
		return SR_INVALID;
	int64_t coordinates = g->index_vector_dim == indices_rank ? 1 : g->indices->shape[g->index_vector_dim];
	if (!sr_is_dynamic(coordinates) && coordinates != g->start_index_map.n)
		return sr_infer_error(
			in, "start_index_map size (%lld) is not equal to size of index dimension (%lld) of start_indices (%lld)",
			(long long)g->start_index_map.n, (long long)g->index_vector_dim, (long long)coordinates);
	if (check_sorted(in, g->offset_dims, "offset_dims") || check_unique(in, g->offset_dims, "offset_dims") ||
	    sr_check_distinct(in, g->collapsed_dims, "collapsed_slice_dims", g->batching_dims, "operand_batching_dims") ||
	    check_sorted(in, g->collapsed_dims, "collapsed_slice_dims") ||
	    sr_check_index_range(in, g->collapsed_dims, "collapsed_slice_dims", rank, "rank-of('operand')") ||
	    check_batching(in, g) ||
	    sr_check_distinct(in, g->start_index_map, "start_index_map", g->batching_dims, "operand_batching_dims") ||
	    sr_check_index_range(in, g->start_index_map, "start_index_map", rank, "rank-of('operand')"))
		return SR_INVALID;
	return SR_OK;
}

static enum sr_status check_unit_slices(struct sr_infer *in, const struct gather_op *g, struct sr_ints dims, const char *name)
{
	for (int64_t i = 0; i < dims.n; i++)
		if (g->slice_sizes.v[dims.v[i]] > 1)
			return sr_infer_error(in, "Expects that for each dim in %s, slice_sizes[dim] should be <= 1, but got %lld",
					      name, (long long)g->slice_sizes.v[dims.v[i]]);
	return SR_OK;
}

static enum sr_status check_sizes(struct sr_infer *in, const struct gather_op *g)
{
	if (check_unit_slices(in, g, g->collapsed_dims, "collapsed_slice_dims") ||
	    check_unit_slices(in, g, g->batching_dims, "operand_batching_dims"))
		return SR_INVALID;
	for (int d = 0; d < g->operand->rank; d++) {
		int64_t size = g->slice_sizes.v[d], extent = g->operand->shape[d];
		if (size < 0 || (!sr_is_dynamic(extent) && size > extent))
			return sr_infer_error(in, "slice size (%lld) is out of bounds for operand dimension (%s) at index %d",
					      (long long)size, sr_dims_str(in->ctx, &extent, 1), d);
	}
	return SR_OK;
}

/* Infer the shape of the result: its dimensions offset_dims are those of the slice that are neither collapsed nor batching; its
 * other dimensions are those of start_indices without index_vector_dim. */
static enum sr_status infer_gather_result(struct sr_infer *in, const struct gather_op *g)
{
	int64_t batch = g->indices->rank - (g->index_vector_dim < g->indices->rank), rank = g->offset_dims.n + batch;
	if (sr_check_index_range(in, g->offset_dims, "offset_dims", rank, "implied-result-rank"))
		return SR_INVALID;
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, rank), from_slice = 0, from_indices = 0;
	const int64_t *bounds = sr_type_bounds(g->indices);
	int64_t *limits = SR_NEW_ARRAY(in->ctx->arena, int64_t, rank);
	for (int64_t d = 0; d < rank; d++) {
		limits[d] = SR_DYNAMIC;
		if (sr_list_has(g->offset_dims.v, g->offset_dims.n, d)) {
			while (sr_list_has(g->collapsed_dims.v, g->collapsed_dims.n, from_slice) ||
			       sr_list_has(g->batching_dims.v, g->batching_dims.n, from_slice))
				from_slice++;
			shape[d] = g->slice_sizes.v ? g->slice_sizes.v[from_slice] : SR_DYNAMIC;
			from_slice++;
		} else {
			from_indices += from_indices == g->index_vector_dim;
			if (bounds)
				limits[d] = bounds[from_indices];
			shape[d] = g->indices->shape[from_indices++];
		}
	}
	in->types[0] = sr_infer_tensor(in, g->operand, (int)rank, shape, limits);
	return SR_OK;
}

enum sr_status sr_infer_gather(struct sr_infer *in)
{
	struct gather_op g = read_gather(in);
	g.slice_sizes = sr_infer_ints(in, "slice_sizes");
	if (check_gather(in, &g))
		return SR_INVALID;
	if (g.slice_sizes.n != g.operand->rank)
		return sr_infer_error(in, "slice_sizes size (%lld) not equal to operand rank (%d)", (long long)g.slice_sizes.n,
				      g.operand->rank);
	return check_sizes(in, &g) ? SR_INVALID : infer_gather_result(in, &g);
}

enum sr_status sr_infer_dynamic_gather(struct sr_infer *in)
{
	struct gather_op g = read_gather(in);
	int64_t n = sr_infer_operand(in, 2)->shape[0];
	if (check_gather(in, &g))
		return SR_INVALID;
	if (n != g.operand->rank)
		return sr_infer_error(in, "slice_sizes size (%lld) not equal to operand rank (%d)", (long long)n, g.operand->rank);
	if (sr_value_ints(in->ctx, sr_operand(in->op, 2), &g.slice_sizes) && check_sizes(in, &g))
		return SR_INVALID;
	return infer_gather_result(in, &g);
}

/* ---------------------------------------------------------------- scatter */

struct scatter_op {
	int n; /* number of input operands, which is also that of updates and results */
	struct sr_ints update_window_dims, inserted_dims, batching_dims, indices_batching_dims, operand_dims;
	int64_t index_vector_dim;
	int64_t *indices; /* shape of scatter_indices, with a trailing 1 where the vector dimension is implied */
	int indices_rank;
};

static struct scatter_op read_scatter(struct sr_infer *in)
{
	const struct sr_attr *a = sr_op_attr(in->op, "scatter_dimension_numbers");
	int n = (in->op->n_operands - 1) / 2;
	const struct sr_type *indices = sr_infer_operand(in, n);
	struct scatter_op s = {n,
			    sr_field_ints(in, a, "update_window_dims"),
			    sr_field_ints(in, a, "inserted_window_dims"),
			    sr_field_ints(in, a, "input_batching_dims"),
			    sr_field_ints(in, a, "scatter_indices_batching_dims"),
			    sr_field_ints(in, a, "scatter_dims_to_operand_dims"),
			    sr_field_int(a, "index_vector_dim", 0),
			    NULL,
			    indices->rank};
	s.indices = SR_NEW_ARRAY(in->ctx->arena, int64_t, indices->rank + 1);
	for (int i = 0; i < indices->rank; i++)
		s.indices[i] = indices->shape[i];
	if (s.index_vector_dim == indices->rank)
		s.indices[s.indices_rank++] = 1;
	return s;
}

static enum sr_status check_scatter_list(struct sr_infer *in, struct sr_ints list, const char *name, bool requires_sorted)
{
	if (requires_sorted && !sr_is_sorted(list.v, list.n))
		return sr_infer_error(in, "Expects %s to be sorted; got: [%s].", name, sr_dims_str(in->ctx, list.v, list.n));
	if (!sr_is_unique(list.v, list.n))
		return sr_infer_error(in, "Expects %s to not repeat; got: [%s].", name, sr_dims_str(in->ctx, list.v, list.n));
	return SR_OK;
}

static enum sr_status check_scatter_batching(struct sr_infer *in, const struct scatter_op *s, const struct sr_type *t)
{
	if (sr_list_has(s->indices_batching_dims.v, s->indices_batching_dims.n, s->index_vector_dim))
		return sr_infer_error(in, "expects scatter_indices_batching_dims not to include index_vector_dim %lld.",
				      (long long)s->index_vector_dim);
	static const char *const names[] = {"input_batching_dims", "scatter_indices_batching_dims"};
	return check_batching_sizes(in, t->shape, s->batching_dims, s->indices, s->indices_batching_dims, names, ".");
}

static enum sr_status check_scatter_numbers(struct sr_infer *in, const struct scatter_op *s, const struct sr_type *t,
					    const struct sr_type *u)
{
	int64_t expected_rank = s->update_window_dims.n + s->inserted_dims.n + s->batching_dims.n,
		coordinates = s->indices[s->index_vector_dim];
	if (t->rank != expected_rank)
		return sr_infer_error(in,
				      "Expects rank-of operand to match size-of('update_window_dims') + "
				      "size-of('inserted_window_dims') + size-of('input_batching_dims') i.e. %lld but got %d.",
				      (long long)expected_rank, t->rank);
	if (check_scatter_list(in, s->update_window_dims, "update_window_dims", true) ||
	    sr_check_index_range(in, s->update_window_dims, "update_window_dims", u->rank, "rank-of('updates')") ||
	    sr_check_distinct(in, s->inserted_dims, "inserted_window_dims", s->batching_dims, "input_batching_dims") ||
	    check_scatter_list(in, s->inserted_dims, "inserted_window_dims", true) ||
	    sr_check_index_range(in, s->inserted_dims, "inserted_window_dims", t->rank, "rank-of('operand')") ||
	    check_scatter_list(in, s->batching_dims, "input_batching_dims", true) ||
	    sr_check_index_range(in, s->batching_dims, "input_batching_dims", t->rank, "rank-of('operand')") ||
	    check_scatter_list(in, s->indices_batching_dims, "scatter_indices_batching_dims", false) ||
	    sr_check_index_range(in, s->indices_batching_dims, "scatter_indices_batching_dims", s->indices_rank,
				 "rank-of('scatter_indices')") ||
	    check_scatter_batching(in, s, t))
		return SR_INVALID;
	if (!sr_is_dynamic(coordinates) && coordinates != s->operand_dims.n)
		return sr_infer_error(in, "Scatter op has %lld elements in scatter_dims_to_operand_dims and the bound of dimension "
				      "index_vector_dim=%lld of scatter_indices is %lld. These two numbers must be equal.",
				      (long long)s->operand_dims.n, (long long)s->index_vector_dim, (long long)coordinates);
	if (sr_check_distinct(in, s->operand_dims, "scatter_dims_to_operand_dims", s->batching_dims,
			      "input_batching_dims"))
		return SR_INVALID;
	return sr_check_index_range(in, s->operand_dims, "scatter_dims_to_operand_dims", t->rank, "rank-of('operand')");
}

/* Check the shape of `updates`: windows fit in the operand, and the other dimensions have the extents of scatter_indices. */
static enum sr_status check_update_shape(struct sr_infer *in, const struct scatter_op *s, const struct sr_type *t,
					 const struct sr_type *u)
{
	int64_t from_operand = 0, from_indices = 0;
	for (int d = 0; d < u->rank; d++) {
		if (!sr_list_has(s->update_window_dims.v, s->update_window_dims.n, d)) {
			from_indices += from_indices == s->index_vector_dim;
			int64_t expected = s->indices[from_indices++];
			if (!sr_dims_compatible(u->shape[d], expected))
				return sr_infer_error(in,
						      "expects bounds of the scatter dimensions of updates to be same as the "
						      "bounds of the "
						      "corresponding dimensions of scatter indices. For scatter dimension %d, "
						      "updates bound is %lld , scatter_indices bound is %lld.",
						      d, (long long)u->shape[d], (long long)expected);
			continue;
		}
		while (sr_list_has(s->inserted_dims.v, s->inserted_dims.n, from_operand) ||
		       sr_list_has(s->batching_dims.v, s->batching_dims.n, from_operand))
			from_operand++;
		int64_t max_extent = t->shape[from_operand++];
		if (!sr_is_dynamic(max_extent) && !sr_is_dynamic(u->shape[d]) && u->shape[d] > max_extent)
			return sr_infer_error(in,
					      "expects bounds of the window dimensions of updates to not exceed the bounds of the "
					      "corresponding dimensions of operand. For dimension %d, updates bound is %lld, "
					      "operand bound is %lld.",
					      d, (long long)u->shape[d], (long long)max_extent);
	}
	return SR_OK;
}

static enum sr_status check_scatter_shapes(struct sr_infer *in, int n)
{
	for (int i = 1; i < n; i++) {
		if (!sr_shapes_compatible(sr_infer_operand(in, 0), sr_infer_operand(in, i)))
			return sr_infer_error(in, "Not all inputs have compatible shapes.");
		if (!sr_shapes_compatible(sr_infer_operand(in, n + 1), sr_infer_operand(in, n + 1 + i)))
			return sr_infer_error(in, "Not all updates have compatible shapes.");
	}
	return SR_OK;
}

static enum sr_status check_update_computation(struct sr_infer *in, int n)
{
	struct sr_reduced_types *values = SR_NEW_ARRAY(in->ctx->arena, struct sr_reduced_types, n);
	if (!in->op->regions[0].first)
		return SR_OK;
	for (int i = 0; i < n; i++)
		values[i] = (struct sr_reduced_types){
		    sr_infer_operand(in, i), sr_type_tensor_of(in->ctx, sr_infer_operand(in, n + 1 + i)->element, 0, NULL, NULL)};
	return sr_check_reducer(in, 0, values, n, NULL, 0);
}

enum sr_status sr_infer_scatter(struct sr_infer *in)
{
	int n = (in->op->n_operands - 1) / 2;
	in->is_verifying = true;
	if (n == 0 || in->op->n_operands != 2 * n + 1 || in->op->n_results != n)
		return sr_infer_error(in, "expects as many updates and results as inputs, at least one of each");
	if (check_scatter_shapes(in, n))
		return SR_INVALID;
	const struct sr_type *indices = sr_infer_operand(in, n);
	const struct sr_attr *dimension_numbers = sr_op_attr(in->op, "scatter_dimension_numbers");
	if (check_vector_dim(in, sr_field_int(dimension_numbers, "index_vector_dim", 0), indices->rank,
			     "scatter_indices") ||
	    check_update_computation(in, n))
		return SR_INVALID;
	struct scatter_op s = read_scatter(in);
	for (int i = 0; i < n; i++) {
		const struct sr_type *t = sr_infer_operand(in, i), *u = sr_infer_operand(in, n + 1 + i);
		int64_t rank = s.indices_rank - 1 + s.update_window_dims.n;
		if (u->rank != rank)
			return sr_infer_error(in,
					      "expects updates tensor must be of rank %lld ( == rank-of('scatter_indices') - 1 + "
					      "size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing 1 "
					      "dimension if 'index_vector_dim' == rank-of('scatter_indices')), but got %d.",
					      (long long)rank, u->rank);
		if (check_scatter_numbers(in, &s, t, u) || check_update_shape(in, &s, t, u))
			return SR_INVALID;
		in->types[i] = sr_tensor_like(in, sr_infer_accumulator(in, 0, i, t), t);
	}
	return SR_OK;
}
