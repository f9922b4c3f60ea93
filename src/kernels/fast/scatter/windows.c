/* Computation of the loops over the windows of a scatter, and of the windows of select_and_scatter, from the op's dimension
 * numbers. */
#include "kernels/fast/scatter/windows.h"
#include <string.h>

/* Compute the strides of a dense shape; return its number of elements. */
static int64_t compute_strides(const int64_t *shape, int rank, int64_t *to)
{
	int64_t stride = 1;

	for (int d = rank - 1; d >= 0; d--) {
		to[d] = stride;
		stride *= shape[d];
	}
	return stride;
}

/* Append a loop to a list, or merge it with the last loop if together they are a single strided loop. */
static void add_loop(struct sr_scatter_loop *list, int *n, struct sr_scatter_loop s)
{
	struct sr_scatter_loop *last_loop = *n ? &list[*n - 1] : NULL;

	if (last_loop && last_loop->indices == s.indices * s.n && last_loop->updates == s.updates * s.n &&
	    last_loop->operand == s.operand * s.n)
		*last_loop = (struct sr_scatter_loop){last_loop->n * s.n, s.indices, s.updates, s.operand};
	else if (s.n != 1)
		list[(*n)++] = s;
}

/* Return true if windows have an extent above 1 along a dimension that indices address, so that a window can be partly out of
 * bounds. */
static bool may_cross_bounds(const struct sr_gather_params *g)
{
	for (int k = 0; k < g->n_index_map; k++)
		if (g->slice_sizes[g->index_map[k]] > 1)
			return true;
	return false;
}

void sr_scatter_windows_describe(const struct sr_scatter_params *p, struct sr_scatter_windows *w)
{
	const struct sr_gather_params *g = &p->g;
	int64_t indices[SR_KERNEL_MAX_RANK], *updates = w->updates_stride;

	*w = (struct sr_scatter_windows){.p = p, .elements = 1, .may_be_partial = may_cross_bounds(g)};
	compute_strides(g->indices, g->indices_rank, indices);
	w->operand_elements = compute_strides(g->operand, g->operand_rank, w->operand_stride);
	w->update_elements = compute_strides(g->out, g->out_rank, updates);
	if (p->splat)
		memset(updates, 0, sizeof w->updates_stride);
	for (int d = 0, i = 0; d < g->out_rank; d++) {
		if (g->out_operand_dim[d] >= 0) {
			w->elements *= g->out[d];
			add_loop(w->window, &w->n_window,
				 (struct sr_scatter_loop){.n = g->out[d], .updates = updates[d],
					      .operand = w->operand_stride[g->out_operand_dim[d]]});
			continue;
		}
		i += i == g->index_vector_dim;
		struct sr_scatter_loop s = {.n = g->out[d], .indices = indices[i], .updates = updates[d]};
		for (int o = 0; o < g->operand_rank; o++)
			if (g->batch_of_operand[o] == i)
				s.operand += w->operand_stride[o];
		add_loop(w->batch, &w->n_batch, s);
		i++;
	}
	for (int k = 0; k < g->n_index_map; k++) {
		int o = g->index_map[k];
		w->components[k].at = g->index_vector_dim < g->indices_rank ? k * indices[g->index_vector_dim] : 0;
		w->components[k].stride = w->operand_stride[o];
		w->components[k].limit = g->operand[o] - g->slice_sizes[o];
	}
	w->is_contiguous = w->n_window == 1 && w->window[0].operand == 1 && (w->window[0].updates == 1 || p->splat) &&
			   !w->may_be_partial;
}

bool sr_scatter_keeps_order(const struct sr_gather_params *g)
{
	bool is_inside = false, is_batch_after_window = false;

	for (int d = 0; d < g->out_rank; d++) {
		is_batch_after_window |= is_inside && g->out_operand_dim[d] < 0;
		is_inside |= g->out_operand_dim[d] >= 0;
	}
	return !is_batch_after_window || !may_cross_bounds(g);
}

int64_t sr_scatter_element(const struct sr_scatter_windows *w, const void *indices, int64_t first, int64_t operand, int64_t e,
			   int64_t *update)
{
	const struct sr_gather_params *g = &w->p->g;
	int64_t x[SR_KERNEL_MAX_RANK] = {0};

	*update = 0;
	for (int d = g->out_rank - 1; d >= 0; d--)
		if (g->out_operand_dim[d] >= 0) {
			x[g->out_operand_dim[d]] = e % g->out[d];
			*update += e % g->out[d] * w->updates_stride[d];
			e /= g->out[d];
		}
	for (int k = 0; k < g->n_index_map; k++) {
		int64_t start, o = g->index_map[k];
		sr_index_load_strided((enum sr_dtype)g->index_type, indices, first + w->components[k].at, 1, 1, &start);
		if (start < -x[o] || start >= g->operand[o] - x[o])
			return -1;
		x[o] += start;
	}
	for (int o = 0; o < g->operand_rank; o++)
		operand += x[o] * w->operand_stride[o];
	return operand;
}

/* Replace the first n dimensions of a window, which number groups, by one of `groups` iterations. */
static struct sr_reduce_window_params with_groups(const struct sr_reduce_window_params *w, int n, int64_t groups)
{
	struct sr_reduce_window_params to = *w;

	if (!n)
		return to;
	to.rank = w->rank - n + 1;
	for (int d = 0; d < to.rank; d++) {
		int from = d + n - 1;
		to.in[d] = d ? w->in[from] : groups;
		to.out[d] = d ? w->out[from] : groups;
		to.window[d] = w->window[from];
		to.stride[d] = w->stride[from];
		to.pad_low[d] = w->pad_low[from];
		to.window_dilation[d] = w->window_dilation[from];
	}
	return to;
}

struct sr_select_geometry sr_select_geometry_of(const struct sr_reduce_window_params *all, int64_t begin, int64_t end,
		struct sr_reduce_window_params *groups)
{
	int leading = sr_select_and_scatter_leading_dims(all);
	struct sr_select_geometry geometry = {.run = 1, .positions = 1};
	const struct sr_reduce_window_params *w = groups;

	*groups = with_groups(all, leading, end - begin);
	geometry.rank = w->rank;
	geometry.elements = compute_strides(w->in, w->rank, geometry.stride);
	while (geometry.rank && w->window[geometry.rank - 1] == 1 && w->stride[geometry.rank - 1] == 1 &&
			!w->pad_low[geometry.rank - 1] &&
	       w->in[geometry.rank - 1] == w->out[geometry.rank - 1])
		geometry.run *= w->in[--geometry.rank];
	for (int d = 0; d < w->rank; d++)
		geometry.positions *= w->out[d];
	if (leading && end > begin) {
		geometry.first_element = geometry.elements / (end - begin) * begin;
		geometry.first_position = geometry.positions / (end - begin) * begin;
	}
	return geometry;
}

bool sr_select_cells(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w, const int64_t *position,
		     struct sr_window_cells *c)
{
	c->rank = geometry->rank;
	c->first = 0;
	for (int d = 0; d < geometry->rank; d++) {
		int64_t by = w->window_dilation[d], x = position[d] * w->stride[d] - w->pad_low[d],
			low = x < 0 ? (-x + by - 1) / by : 0;
		int64_t high = x >= w->in[d] ? 0 : (w->in[d] - x + by - 1) / by;
		high = high < w->window[d] ? high : w->window[d];
		if (high <= low)
			return false;
		c->n[d] = high - low;
		c->step[d] = by * geometry->stride[d];
		c->first += (x + low * by) * geometry->stride[d];
	}
	return true;
}

int64_t sr_select_windows(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w,
			  const int64_t *position, int64_t *step)
{
	int d = geometry->rank - 1;

	*step = 1;
	if (geometry->run > 1 || d < 0)
		return geometry->run;
	int64_t first = position[d] * w->stride[d] - w->pad_low[d], extent = (w->window[d] - 1) * w->window_dilation[d];
	*step = w->stride[d];
	if (first < 0 || first + extent >= w->in[d])
		return 1;
	int64_t inside = (w->in[d] - 1 - first - extent) / w->stride[d] + 1, left = w->out[d] - position[d];
	return inside < left ? inside : left;
}

bool sr_select_next_position(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w, int64_t windows,
			     int64_t *position)
{
	if (geometry->rank && geometry->run == 1)
		position[geometry->rank - 1] += windows - 1;
	for (int d = geometry->rank - 1; d >= 0; d--) {
		if (++position[d] < w->out[d])
			return true;
		position[d] = 0;
	}
	return false;
}
