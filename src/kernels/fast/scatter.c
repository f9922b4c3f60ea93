/* SCATTER window by window: where windows begin is found for a few hundred of them at once, then each is combined by rows, or, where it is
 * one element, all of them in one loop (histograms). Windows come in the order of their indices, which gives the reference's results where
 * no two elements of a window's own dimensions can meet in the operand, or where windows are the last dimensions of the updates. */
#include "kernels/element.h"
#include "kernels/fast/fast.h"
#include <string.h>

#pragma GCC optimize("O3")

enum { FEW = 256 }; /* windows whose places are found at once */

struct side { /* a loop: points, and elements that a step moves on by */
	int64_t n, indices, updates, operand;
};

struct windows {
	const struct sr_scatter_params *p;
	struct side batch[SR_KERNEL_RANK], window[SR_KERNEL_RANK]; /* slowest first; of one point each: none */
	int n_batch, n_window;
	struct {
		int64_t at, stride, limit; /* in an index vector; of the operand; the last start of a window that is inside */
	} components[SR_KERNEL_RANK];
	int64_t operand_stride[SR_KERNEL_RANK], updates_stride[SR_KERNEL_RANK];
	int64_t elements, operand_elements, update_elements; /* of a window, and of all */
};

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
static void push(struct side *list, int *n, struct side s)
{
	struct side *last = *n ? &list[*n - 1] : NULL;

	if (last && last->indices == s.indices * s.n && last->updates == s.updates * s.n && last->operand == s.operand * s.n)
		*last = (struct side){last->n * s.n, s.indices, s.updates, s.operand};
	else if (s.n != 1)
		list[(*n)++] = s;
}

static void describe(const struct sr_scatter_params *p, struct windows *w)
{
	const struct sr_gather_params *g = &p->g;
	int64_t indices[SR_KERNEL_RANK], *updates = w->updates_stride;

	*w = (struct windows){.p = p, .elements = 1};
	strides(g->indices, g->indices_rank, indices);
	w->operand_elements = strides(g->operand, g->operand_rank, w->operand_stride);
	w->update_elements = strides(g->out, g->out_rank, updates);
	for (int d = 0, i = 0; d < g->out_rank; d++) {
		if (g->out_operand_dim[d] >= 0) {
			w->elements *= g->out[d];
			push(w->window, &w->n_window,
			     (struct side){.n = g->out[d], .updates = updates[d], .operand = w->operand_stride[g->out_operand_dim[d]]});
			continue;
		}
		i += i == g->index_vector_dim;
		struct side s = {.n = g->out[d], .indices = indices[i], .updates = updates[d]};
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
}

/* Do windows go along a dimension that an index moves them in? Then one may be inside in part. */
static bool moves(const struct sr_gather_params *g)
{
	for (int k = 0; k < g->n_index_map; k++)
		if (g->slice_sizes[g->index_map[k]] > 1)
			return true;
	return false;
}

/* May windows be taken one after another? */
static bool by_windows(const struct sr_gather_params *g)
{
	bool inside = false, crosses = false;

	for (int d = 0; d < g->out_rank; d++) {
		crosses |= inside && g->out_operand_dim[d] < 0;
		inside |= g->out_operand_dim[d] >= 0;
	}
	return !crosses || !moves(g);
}

/* Where n windows begin in the operand; -1: it is not inside as a whole. */
static void places(const struct windows *w, const void *indices, int64_t first, int64_t operand, const struct side *along, int64_t n, int64_t *at)
{
	int64_t start[FEW];

	for (int64_t i = 0; i < n; i++)
		at[i] = operand + i * along->operand;
	for (int k = 0; k < w->p->g.n_index_map; k++) {
		int64_t stride = w->components[k].stride;
		uint64_t limit = (uint64_t)w->components[k].limit;
		sr_index_numbers((enum sr_dtype)w->p->g.index_type, indices, first + w->components[k].at, along->indices, n, start);
		for (int64_t i = 0; i < n; i++)
			at[i] = at[i] < 0 || (uint64_t)start[i] > limit ? -1 : at[i] + start[i] * stride;
	}
}

/* Element e of a window that begins at `operand` and is moved by the index vector at `first`: where it is in the operand, and in the
 * window's updates; -1: outside. */
static int64_t place_of(const struct windows *w, const void *indices, int64_t first, int64_t operand, int64_t e, int64_t *update)
{
	const struct sr_gather_params *g = &w->p->g;
	int64_t x[SR_KERNEL_RANK] = {0};

	*update = 0;
	for (int d = g->out_rank - 1; d >= 0; d--)
		if (g->out_operand_dim[d] >= 0) {
			x[g->out_operand_dim[d]] = e % g->out[d];
			*update += e % g->out[d] * w->updates_stride[d];
			e /= g->out[d];
		}
	for (int k = 0; k < g->n_index_map; k++) {
		int64_t start, o = g->index_map[k];
		sr_index_numbers((enum sr_dtype)g->index_type, indices, first + w->components[k].at, 1, 1, &start);
		if (start < -x[o] || start >= g->operand[o] - x[o])
			return -1;
		x[o] += start;
	}
	for (int o = 0; o < g->operand_rank; o++)
		operand += x[o] * w->operand_stride[o];
	return operand;
}

/* ---- select_and_scatter: a scatter to where windows select ---- */

struct pool {
	int rank;                     /* of the dimensions before the run */
	int64_t run;                  /* elements behind each of their places, which windows leave as they are */
	int64_t stride[SR_KERNEL_RANK]; /* of the operand, whose elements these are: */
	int64_t elements, places;
};

struct cells { /* of the window at a place, as far as they are inside the operand */
	int rank;
	int64_t n[SR_KERNEL_RANK], step[SR_KERNEL_RANK];
	int64_t first; /* element of the operand */
};

static struct pool pool_of(const struct sr_window_params *w)
{
	struct pool pool = {.rank = w->rank, .run = 1, .places = 1};

	pool.elements = strides(w->in, w->rank, pool.stride);
	while (pool.rank && w->window[pool.rank - 1] == 1 && w->stride[pool.rank - 1] == 1 && !w->pad_low[pool.rank - 1] &&
	       w->in[pool.rank - 1] == w->out[pool.rank - 1])
		pool.run *= w->in[--pool.rank];
	for (int d = 0; d < w->rank; d++)
		pool.places *= w->out[d];
	return pool;
}

/* False: there are none. */
static bool cells_of(const struct pool *pool, const struct sr_window_params *w, const int64_t *place, struct cells *c)
{
	c->rank = pool->rank;
	c->first = 0;
	for (int d = 0; d < pool->rank; d++) {
		int64_t by = w->window_dilation[d], x = place[d] * w->stride[d] - w->pad_low[d], low = x < 0 ? (-x + by - 1) / by : 0;
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

/* The next cell in order, as elements behind the first; false: it was the last. */
static inline bool next_cell(const struct cells *c, int64_t *index, int64_t *here)
{
	for (int d = c->rank - 1; d >= 0; d--) {
		*here += c->step[d];
		if (++index[d] < c->n[d])
			return true;
		*here -= c->step[d] * c->n[d];
		index[d] = 0;
	}
	return false;
}

/* Elements behind the first of the cell of this number. */
static inline int64_t place_of_cell(const struct cells *c, int64_t number)
{
	int64_t at = 0;

	for (int d = c->rank - 1; d >= 0 && number; d--) {
		at += number % c->n[d] * c->step[d];
		number /= c->n[d];
	}
	return at;
}

static bool next_place(const struct pool *pool, const struct sr_window_params *w, int64_t *place)
{
	for (int d = pool->rank - 1; d >= 0; d--) {
		if (++place[d] < w->out[d])
			return true;
		place[d] = 0;
	}
	return false;
}

/* The element types of other classes are left to the reference. */
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 1
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 1
#define BODY "kernels/fast/scatter_body.h"
#include "kernels/map/each_type.h"
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 0
#define BODY "kernels/fast/select_body.h"
#include "kernels/map/each_type.h"

void sr_kernels_fast_scatter(struct sr_kernels *table)
{
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 1
#define BODY "kernels/map/fill_row.h"
#include "kernels/map/each_type.h"
}
