/* A scatter as loops over windows, and the windows of a selection: what follows from shapes alone. Internal to this folder. */
#ifndef SR_KERNELS_FAST_SCATTER_WINDOWS_H
#define SR_KERNELS_FAST_SCATTER_WINDOWS_H

#include "kernels/element.h"

struct sr_side { /* a loop: points, and elements that a step moves on by */
	int64_t n, indices, updates, operand;
};

struct sr_windows {
	const struct sr_scatter_params *p;
	struct sr_side batch[SR_KERNEL_MAX_RANK], window[SR_KERNEL_MAX_RANK]; /* slowest first; of one point each: none */
	int n_batch, n_window;
	struct {
		int64_t at, stride, limit; /* in an index vector; of the operand; the last start of a window that is inside */
	} components[SR_KERNEL_MAX_RANK];
	int64_t operand_stride[SR_KERNEL_MAX_RANK], updates_stride[SR_KERNEL_MAX_RANK];
	int64_t elements, operand_elements, update_elements; /* of a window, and of all */
	bool row;    /* a window is elements that lie together, in the updates too */
	bool partly; /* an index moves windows in a dimension that they go along: one may be inside in part */
};

void sr_windows_describe(const struct sr_scatter_params *p, struct sr_windows *w);
/* May windows be taken one after another? */
bool sr_windows_in_order(const struct sr_gather_params *g);
/* Element e of a window that begins at `operand` and is moved by the index vector at `first`: where it is in the operand, and in
 * the window's updates; -1: outside. */
int64_t sr_windows_place(const struct sr_windows *w, const void *indices, int64_t first, int64_t operand, int64_t e,
			 int64_t *update);

/* ---- select_and_scatter: a scatter to where windows select ---- */

struct sr_pool {
	int rank;                     /* of the dimensions before the run */
	int64_t run;                  /* elements behind each of their places, which windows leave as they are */
	int64_t stride[SR_KERNEL_MAX_RANK]; /* of the operand, whose elements these are: */
	int64_t elements, places;
};

struct sr_cells { /* of the window at a place, as far as they are inside the operand */
	int rank;
	int64_t n[SR_KERNEL_MAX_RANK], step[SR_KERNEL_MAX_RANK];
	int64_t first; /* element of the operand */
};

struct sr_pool sr_pool_of(const struct sr_reduce_window_params *w);
/* False: there are none. */
bool sr_pool_cells(const struct sr_pool *pool, const struct sr_reduce_window_params *w, const int64_t *place, struct sr_cells *c);
bool sr_pool_next(const struct sr_pool *pool, const struct sr_reduce_window_params *w, int64_t *place);

#endif
