/* Windows of a scatter or a selection from its dimension numbers. */
#include "kernels/fast/scatter/windows.h"
#include <string.h>

/* Strides of a dense shape; returns its elements. */
static int64_t strides(const int64_t *shape, int rank, int64_t *to)
{
	int64_t stride = 1;

	for (int d = rank - 1; d >= 0; d--) {
		to[d] = stride;
		stride *= shape[d];
	}
	return stride;
}

/* Loops that go on where the next one ends are one. */
static void push(struct sr_side *list, int *n, struct sr_side s)
{
	struct sr_side *last = *n ? &list[*n - 1] : NULL;

	if (last && last->indices == s.indices * s.n && last->updates == s.updates * s.n && last->operand == s.operand * s.n)
		*last = (struct sr_side){last->n * s.n, s.indices, s.updates, s.operand};
	else if (s.n != 1)
		list[(*n)++] = s;
}

/* Do windows go along a dimension that an index moves them in? Then one may be inside in part. */
static bool moves(const struct sr_gather_params *g)
{
	for (int k = 0; k < g->n_index_map; k++)
		if (g->slice_sizes[g->index_map[k]] > 1)
			return true;
	return false;
}

void sr_windows_describe(const struct sr_scatter_params *p, struct sr_windows *w)
{
	const struct sr_gather_params *g = &p->g;
	int64_t indices[SR_KERNEL_MAX_RANK], *updates = w->updates_stride;

	*w = (struct sr_windows){.p = p, .elements = 1, .partly = moves(g)};
	strides(g->indices, g->indices_rank, indices);
	w->operand_elements = strides(g->operand, g->operand_rank, w->operand_stride);
	w->update_elements = strides(g->out, g->out_rank, updates);
	if (p->splat)
		memset(updates, 0, sizeof w->updates_stride);
	for (int d = 0, i = 0; d < g->out_rank; d++) {
		if (g->out_operand_dim[d] >= 0) {
			w->elements *= g->out[d];
			push(w->window, &w->n_window,
			     (struct sr_side){.n = g->out[d], .updates = updates[d],
					      .operand = w->operand_stride[g->out_operand_dim[d]]});
			continue;
		}
		i += i == g->index_vector_dim;
		struct sr_side s = {.n = g->out[d], .indices = indices[i], .updates = updates[d]};
		for (int o = 0; o < g->operand_rank; o++)
			if (g->batch_of_operand[o] == i)
				s.operand += w->operand_stride[o];
		push(w->batch, &w->n_batch, s);
		i++;
	}
	for (int k = 0; k < g->n_index_map; k++) {
		int o = g->index_map[k];
		w->components[k].at = g->index_vector_dim < g->indices_rank ? k * indices[g->index_vector_dim] : 0;
		w->components[k].stride = w->operand_stride[o];
		w->components[k].limit = g->operand[o] - g->slice_sizes[o];
	}
	w->row = w->n_window == 1 && w->window[0].operand == 1 && (w->window[0].updates == 1 || p->splat) && !w->partly;
}

bool sr_windows_in_order(const struct sr_gather_params *g)
{
	bool inside = false, crosses = false;

	for (int d = 0; d < g->out_rank; d++) {
		crosses |= inside && g->out_operand_dim[d] < 0;
		inside |= g->out_operand_dim[d] >= 0;
	}
	return !crosses || !moves(g);
}

int64_t sr_windows_place(const struct sr_windows *w, const void *indices, int64_t first, int64_t operand, int64_t e,
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

struct sr_pool sr_pool_of(const struct sr_reduce_window_params *w)
{
	struct sr_pool pool = {.rank = w->rank, .run = 1, .places = 1};

	pool.elements = strides(w->in, w->rank, pool.stride);
	while (pool.rank && w->window[pool.rank - 1] == 1 && w->stride[pool.rank - 1] == 1 && !w->pad_low[pool.rank - 1] &&
	       w->in[pool.rank - 1] == w->out[pool.rank - 1])
		pool.run *= w->in[--pool.rank];
	for (int d = 0; d < w->rank; d++)
		pool.places *= w->out[d];
	return pool;
}

bool sr_pool_cells(const struct sr_pool *pool, const struct sr_reduce_window_params *w, const int64_t *place, struct sr_cells *c)
{
	c->rank = pool->rank;
	c->first = 0;
	for (int d = 0; d < pool->rank; d++) {
		int64_t by = w->window_dilation[d], x = place[d] * w->stride[d] - w->pad_low[d],
			low = x < 0 ? (-x + by - 1) / by : 0;
		int64_t high = x >= w->in[d] ? 0 : (w->in[d] - x + by - 1) / by;
		high = high < w->window[d] ? high : w->window[d];
		if (high <= low)
			return false;
		c->n[d] = high - low;
		c->step[d] = by * pool->stride[d];
		c->first += (x + low * by) * pool->stride[d];
	}
	return true;
}

bool sr_pool_next(const struct sr_pool *pool, const struct sr_reduce_window_params *w, int64_t *place)
{
	for (int d = pool->rank - 1; d >= 0; d--) {
		if (++place[d] < w->out[d])
			return true;
		place[d] = 0;
	}
	return false;
}
