/* Nests that only copy and need no buffer: slices whose readers (concatenations, matrix products, and updates of the slice's
 * source) can read the slice's source at strides, and copies of all elements in their order (reshapes). */
#include "work/work.h"
#include "dialect/infer/infer.h"

bool sr_work_only_yields(const struct sr_op *nest)
{
	const struct sr_op *first = nest->regions[0].first->first;
	return sr_op_is(first, SR_OP_work_yield) && !sr_operand(first, 0)->def;
}

/* Return true if loop d indexes dimension d of both sides, with unit stride along the last dimension; loops of extent 1 are
 * ignored. */
static bool is_slice(const struct sr_work_nest *nest, const struct sr_indexing_map *in_map, const struct sr_indexing_map *out_map)
{
	int rank = nest->n_loops;
	if (!sr_indexing_map_is_affine(in_map) || in_map->rank != rank || out_map->rank != rank || nest->parallel != rank)
		return false;
	for (int d = 0; d < rank; d++)
		for (int l = 0; l <= rank; l++) {
			int64_t in = sr_indexing_map_row(in_map, d)[l], out = sr_indexing_map_row(out_map, d)[l];
			if (l < rank && nest->loops[l] == 1)
				continue;
			if (out != (l == d) || in < 0 || (l < rank && l != d && in) || (l == d && (!in || (d == rank - 1 && in != 1))))
				return false;
		}
	return true;
}

bool sr_work_is_slice(struct sr_context *ctx, struct sr_op *op, struct sr_indexing_map *access)
{
	if (!op || !sr_op_is(op, SR_OP_work_nest) || op->n_operands != 1 || op->n_results != 1 || !sr_work_only_yields(op))
		return false;
	struct sr_work_nest nest = sr_work_read(ctx, op);
	*access = nest.accesses[0];
	return is_slice(&nest, &nest.accesses[0], &nest.result_indexing_maps[0]);
}

/* ---- slices for readers ---- */

enum { MAX_RESHAPES = 4, MAX_USES = 256 }; /* maximum number of reshapes in sequence, and of uses inspected */

/* Record that dimension d of the source starts at a run-time index. Return false if the index is not one integer for all
 * iterations. */
static bool add_start(const struct sr_work_nest *nest, const struct sr_indexing_map *in_map, int d, int64_t stride,
		      struct sr_strided_view *v)
{
	struct sr_value *start = in_map->index[d] < nest->n_operands ? nest->operands[in_map->index[d]] : NULL;
	int64_t n;
	if (!start || !sr_dtype_is_integer(start->type->dtype) || !sr_type_elements(start->type, &n) || n != 1 || in_map->limit[d] < 0)
		return false;
	if (in_map->limit[d])
		v->starts[v->n_starts++] = (struct sr_strided_view_start){start, in_map->limit[d], stride};
	return true;
}

/* Find the strides, in elements of the source, of each dimension of the result. */
static bool find_strides(const struct sr_work_nest *nest, const struct sr_indexing_map *in_map, const int *dim_of_loop,
			 struct sr_strided_view *v)
{
	int64_t stride = 1;
	for (int d = in_map->rank - 1; d >= 0; d--) {
		const int64_t *row = sr_indexing_map_row(in_map, d);
		if (row[in_map->n_loops] < 0 || (in_map->index && in_map->index[d] >= 0 && !add_start(nest, in_map, d, stride, v)))
			return false;
		v->offset += row[in_map->n_loops] * stride;
		for (int l = 0; l < in_map->n_loops; l++) {
			if (nest->loops[l] > 1 && row[l] < 0)
				return false;
			if (dim_of_loop[l] >= 0)
				v->stride[dim_of_loop[l]] += row[l] * stride;
		}
		stride *= v->source->type->shape[d];
	}
	for (int l = 0; l < nest->n_loops; l++)
		if (nest->loops[l] > 1 && (dim_of_loop[l] < 0 || !v->stride[dim_of_loop[l]])) /* a broadcast reads one element several times */
			return false;
	return true;
}

/* Return true if strides decrease and the last dimension is contiguous, as concatenation requires, which copies rows. */
static bool has_contiguous_rows(const struct sr_type *t, const int64_t *stride)
{
	int64_t previous_stride = INT64_MAX;
	for (int d = 0; d < t->rank; d++) {
		if (t->shape[d] > 1 && (stride[d] > previous_stride || (d == t->rank - 1 && stride[d] != 1)))
			return false;
		previous_stride = t->shape[d] > 1 ? stride[d] : previous_stride;
	}
	return true;
}

/* Return true if a matrix product can read these strides: contiguous along the last dimension or, for a large value, along any
 * dimension. */
static bool is_readable_by_matmul(const struct sr_type *t, const int64_t *stride)
{
	int64_t n, last = 1;
	bool is_any_contiguous = false;
	for (int d = 0; d < t->rank; d++) {
		last = t->shape[d] > 1 ? stride[d] : last;
		is_any_contiguous = is_any_contiguous || (t->shape[d] > 1 && stride[d] == 1);
	}
	return last == 1 || (is_any_contiguous && sr_type_elements(t, &n) && n >= SR_WORK_LARGE_ELEMENTS);
}

/* Reshape a strided value: find its strides when its elements have the shape of `out_type`. Adjacent dimensions with a common
 * stride are merged and split. Return false if no strides express the reshape. */
static bool reshape_strides(const struct sr_type *in_type, const int64_t *stride, const struct sr_type *out_type, int64_t *out)
{
	int64_t remaining_extent = 1, next = 0; /* extent of merged dimensions of `in_type` that is not used yet, and its stride */
	for (int d = in_type->rank - 1, k = out_type->rank - 1; k >= 0; k--) {
		out[k] = 0;
		if (out_type->shape[k] == 1)
			continue;
		while (remaining_extent == 1 && d >= 0) {
			next = stride[d];
			remaining_extent = in_type->shape[d--];
		}
		for (; d >= 0 && (in_type->shape[d] == 1 || stride[d] == next * remaining_extent); d--)
			remaining_extent *= in_type->shape[d];
		if (remaining_extent % out_type->shape[k])
			return false;
		out[k] = next;
		next *= out_type->shape[k];
		remaining_extent /= out_type->shape[k];
	}
	return true;
}

bool sr_work_update_offset(struct sr_context *ctx, const struct sr_op *op, int64_t *offset)
{
	const struct sr_type *t = sr_operand_type(op, 0), *update = sr_operand_type(op, 1);
	int64_t stride = 1;
	*offset = 0;
	for (int d = t->rank - 1; d >= 0; stride *= t->shape[d--]) {
		struct sr_ints start;
		int64_t last = t->shape[d] - update->shape[d];
		if (!sr_value_ints(ctx, sr_operand(op, 2 + d), &start))
			return false;
		*offset += stride * (start.v[0] < 0 ? 0 : start.v[0] > last ? last : start.v[0]);
	}
	return true;
}

/* Return true if the op updates the view's source at a constant position with the view, which has the strides `stride` as the
 * update, and elements that the update does not overwrite. The update is then a copy within the source. */
static bool copies_within_source(struct sr_context *ctx, const struct sr_use *use, const struct sr_strided_view *view,
				 const int64_t *stride)
{
	const struct sr_op *op = use->owner;
	const struct sr_type *t = view->source->type, *update = use->value->type;
	int64_t offset, from = view->offset, step = 1;
	bool is_disjoint = false;
	if (!sr_op_is(op, SR_OP_stablehlo_dynamic_update_slice) || sr_use_index(use) != 1 || sr_operand(op, 0) != view->source ||
	    view->n_starts || !sr_work_update_offset(ctx, op, &offset))
		return false;
	for (int d = t->rank - 1; d >= 0; step *= t->shape[d--]) {
		int64_t first = from % t->shape[d], first_updated = offset % t->shape[d], n = update->shape[d];
		if ((n > 1 && stride[d] != step) || first + n > t->shape[d])
			return false;
		is_disjoint = is_disjoint || first + n <= first_updated || first_updated + n <= first;
		from /= t->shape[d];
		offset /= t->shape[d];
	}
	return is_disjoint;
}

/* Return true if all readers of v, the view or a reshape of it, are in the value's block and can read it at these strides. */
static bool readers_accept(struct sr_context *ctx, const struct sr_strided_view *view, const struct sr_value *v,
			   const int64_t *stride, int depth)
{
	const struct sr_use *use = v->uses;
	int64_t reshaped_strides[SR_MAX_RANK];
	for (; use; use = use->next) {
		struct sr_op *op = use->owner;
		if (op->block != v->def->block)
			return false;
		if (sr_op_is(op, SR_OP_stablehlo_concatenate) && has_contiguous_rows(v->type, stride))
			continue;
		if (sr_op_has(op, SR_MATMUL) && is_readable_by_matmul(v->type, stride))
			continue;
		if (copies_within_source(ctx, use, view, stride))
			continue;
		if (depth == MAX_RESHAPES || !sr_op_has(op, SR_VIEW) || op->n_results != 1 ||
		    !reshape_strides(v->type, stride, sr_result_type(op, 0), reshaped_strides) ||
		    !readers_accept(ctx, view, sr_result(op, 0), reshaped_strides, depth + 1))
			return false;
	}
	return v->uses != NULL;
}

/* Return the last op that reads the value or a reshape of it. */
static struct sr_op *last_reader(const struct sr_value *v)
{
	struct sr_op *last = NULL;
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_op *reader = sr_op_has(use->owner, SR_VIEW) ? last_reader(sr_result(use->owner, 0)) : use->owner;
		last = !last || sr_op_is_before(last, reader) ? reader : last;
	}
	return last;
}

/* Return true if an op between `first` and `last` reads v and has a result of v's type, so that it might be computed in v's
 * memory. Also true if there are too many uses to inspect. */
static bool may_be_overwritten(const struct sr_value *v, struct sr_op *first, struct sr_op *last, int depth)
{
	int n_checked = 0;
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_op *op = sr_op_ancestor_in(first->block, use->owner);
		if (n_checked++ == MAX_USES)
			return true;
		if (!op || op == first)
			continue;
		if (sr_op_has(op, SR_VIEW) && op->n_results == 1 && (depth == MAX_RESHAPES || may_be_overwritten(sr_result(op, 0), first, last, depth + 1)))
			return true;
		for (int k = 0; k < op->n_results && !sr_op_has(op, SR_VIEW); k++)
			if (sr_result_type(op, k) == v->type && sr_op_is_before(first, op) && sr_op_is_before(op, last))
				return true;
	}
	return false;
}

/* Return true if the source is loop state of the enclosing while loop and its next value is computed between `first` and `last`. */
static bool is_loop_state_updated(const struct sr_value *source, const struct sr_op *first, const struct sr_op *last)
{
	const struct sr_block *block = first->block;
	if (source->def || sr_value_block(source) != block || !sr_op_is(block->region->op, SR_OP_stablehlo_while))
		return false;
	const struct sr_op *next = sr_operand(sr_block_terminator(block), source->index)->def;
	return next && next->block == block && sr_op_is_before(first, next) && sr_op_is_before(next, last);
}

/* Return true if the source's memory is not overwritten before the last reader of the slice, so the source need not be copied. */
static bool source_is_unchanged(struct sr_op *op, const struct sr_value *source)
{
	struct sr_op *last = last_reader(sr_result(op, 0));
	while (source->def && sr_op_has(source->def, SR_VIEW) && source->def->n_results == 1)
		source = sr_operand(source->def, 0);
	return !is_loop_state_updated(source, op, last) && !may_be_overwritten(source, op, last, 0);
}

/* Describe the result of a nest that only slices. Return false if it does more, or if strides cannot express the slice. */
static bool find_view(struct sr_context *ctx, struct sr_op *op, struct sr_strided_view *view)
{
	if (!sr_op_is(op, SR_OP_work_nest) || op->n_results != 1 || !sr_work_only_yields(op))
		return false;
	const struct sr_value *yielded_value = sr_operand(op->regions[0].first->first, 0);
	const struct sr_type *type = sr_result_type(op, 0);
	struct sr_work_nest nest = sr_work_read(ctx, op);
	const struct sr_indexing_map *in_map = &nest.accesses[yielded_value->index], *out_map = &nest.result_indexing_maps[0];
	int *dim_of_loop = SR_NEW_ARRAY(ctx->scratch, int, nest.n_loops + 1);
	if (in_map->divisor || in_map->fill >= 0 || nest.parallel != nest.n_loops ||
	    !sr_indexing_map_is_permutation(out_map, type->shape, dim_of_loop))
		return false;
	*view = (struct sr_strided_view){.source = nest.operands[yielded_value->index], .operand = yielded_value->index};
	view->stride = SR_NEW_ARRAY(ctx->scratch, int64_t, type->rank + 1);
	view->starts = SR_NEW_ARRAY(ctx->scratch, struct sr_strided_view_start, in_map->rank + 1);
	return view->source->type->dtype == type->dtype && find_strides(&nest, in_map, dim_of_loop, view);
}

bool sr_work_may_elide_slice(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_strided_view view;
	return find_view(ctx, op, &view) && readers_accept(ctx, &view, sr_result(op, 0), view.stride, 0) &&
	       source_is_unchanged(op, view.source);
}

bool sr_work_elided_slice(struct sr_context *ctx, struct sr_op *op, struct sr_strided_view *view)
{
	return sr_work_is_elided(op) && find_view(ctx, op, view);
}

bool sr_work_reads_elided_slice(struct sr_context *ctx, const struct sr_value *v, struct sr_strided_view *view)
{
	const struct sr_value *slice_result = v;
	while (slice_result->def && sr_op_has(slice_result->def, SR_VIEW) && slice_result->def->n_results == 1)
		slice_result = sr_operand(slice_result->def, 0);
	if (!slice_result->def || !sr_work_elided_slice(ctx, slice_result->def, view))
		return false;
	int64_t *stride = SR_NEW_ARRAY(ctx->scratch, int64_t, v->type->rank + 1);
	bool is_strided = reshape_strides(slice_result->type, view->stride, v->type, stride);
	view->stride = stride;
	return is_strided;
}

/* ---- views ---- */

/* Return how much an iteration of loop l adds to the linear index of the element in the tensor; l = n_loops: the constant
 * offset. */
static int64_t linear_stride(const struct sr_indexing_map *a, const struct sr_type *t, int l)
{
	int64_t sum = 0, stride = 1;
	for (int d = a->rank - 1; d >= 0; d--) {
		sum += sr_indexing_map_row(a, d)[l] * stride;
		stride *= t->shape[d];
	}
	return sum;
}

bool sr_work_is_reshape(struct sr_context *ctx, struct sr_op *op)
{
	if (!sr_op_is(op, SR_OP_work_nest) || op->n_operands != 1 || op->n_results != 1 || !sr_work_only_yields(op))
		return false;
	const struct sr_type *in_type = sr_operand_type(op, 0), *out_type = sr_result_type(op, 0);
	struct sr_work_nest nest = sr_work_read(ctx, op);
	const struct sr_indexing_map *in = &nest.accesses[0], *out = &nest.result_indexing_maps[0];
	int64_t n, points = 1;
	if (in_type->dtype != out_type->dtype || nest.parallel != nest.n_loops || !sr_indexing_map_is_affine(in) ||
	    !sr_indexing_map_is_affine(out) || !sr_type_elements(in_type, &n))
		return false;
	for (int l = 0; l <= nest.n_loops; l++)
		if ((l == nest.n_loops || nest.loops[l] > 1) && linear_stride(in, in_type, l) != linear_stride(out, out_type, l))
			return false;
	for (int l = 0; l < nest.n_loops; l++)
		points *= nest.loops[l];
	return points == n && sr_type_elements(out_type, &n) && points == n;
}
