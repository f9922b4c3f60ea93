/* Geometry of a scatter as loops over windows, and of the windows of select_and_scatter; depends on shapes alone. Internal to
 * this folder. */
#ifndef SR_KERNELS_FAST_SCATTER_WINDOWS_H
#define SR_KERNELS_FAST_SCATTER_WINDOWS_H

#include "kernels/element.h"

struct sr_scatter_loop { /* a loop: iteration count, and strides in elements */
	int64_t n, indices, updates, operand;
};

struct sr_scatter_windows {
	const struct sr_scatter_params *p;
	struct sr_scatter_loop batch[SR_KERNEL_MAX_RANK], window[SR_KERNEL_MAX_RANK]; /* slowest first, without loops of one iteration */
	int n_batch, n_window;
	struct {
		/* offset in an index vector; stride in the operand; maximum start at which the window is in bounds */
		int64_t at, stride, limit;
	} components[SR_KERNEL_MAX_RANK];
	int64_t operand_stride[SR_KERNEL_MAX_RANK], updates_stride[SR_KERNEL_MAX_RANK];
	int64_t elements, operand_elements, update_elements; /* elements of one window; of the operand; of the updates */
	bool row;    /* a window is contiguous in the operand and in the updates */
	bool may_be_partial; /* windows extend along a dimension that an index moves them in, so they can be partly out of bounds */
};

void sr_scatter_windows_describe(const struct sr_scatter_params *p, struct sr_scatter_windows *w);
/* Return true if processing one window after another preserves the order of updates. */
bool sr_scatter_keeps_order(const struct sr_gather_params *g);
/* Return the operand offset of element e of a window that begins at `operand` and is moved by the index vector at `first`, and
 * set *update to its offset in the window's updates; -1: out of bounds. */
int64_t sr_scatter_element(const struct sr_scatter_windows *w, const void *indices, int64_t first, int64_t operand, int64_t e,
			 int64_t *update);

/* ---- select_and_scatter ---- */

struct sr_select_geometry {
	int rank;                     /* number of dimensions before the run */
	/* contiguous elements behind a window position, over trailing dimensions in which windows have extent 1 */
	int64_t run;
	int64_t stride[SR_KERNEL_MAX_RANK]; /* strides of the operand */
	int64_t elements, positions;
};

struct sr_window_cells { /* cells of the window at one position that are inside the operand */
	int rank;
	int64_t n[SR_KERNEL_MAX_RANK], step[SR_KERNEL_MAX_RANK];
	int64_t first; /* operand offset of the first cell */
};

struct sr_select_geometry sr_select_geometry_of(const struct sr_reduce_window_params *w);
/* Compute the cells; false if there are none. */
bool sr_select_cells(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w, const int64_t *position,
		struct sr_window_cells *c);
bool sr_select_next_position(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w, int64_t *position);

#endif
