/* Geometry of a scatter as loops over windows, and of the windows of select_and_scatter; computed from shapes alone. Internal to
 * kernels/fast/scatter. */
#ifndef SR_KERNELS_FAST_SCATTER_WINDOWS_H
#define SR_KERNELS_FAST_SCATTER_WINDOWS_H

#include "kernels/element.h"

struct sr_scatter_loop { /* a loop of a scatter: number of iterations, and strides in elements */
	int64_t n, indices, updates, operand;
};

struct sr_scatter_windows {
	const struct sr_scatter_params *p;
	/* loops over windows, and loops inside a window, slowest first; loops of one iteration are left out */
	struct sr_scatter_loop batch[SR_KERNEL_MAX_RANK], window[SR_KERNEL_MAX_RANK];
	int n_batch, n_window;
	struct {
		/* for each component of an index vector: its offset in the vector; stride in the operand; maximum start at which
		 * the window is in bounds */
		int64_t at, stride, limit;
	} components[SR_KERNEL_MAX_RANK];
	int64_t operand_stride[SR_KERNEL_MAX_RANK], updates_stride[SR_KERNEL_MAX_RANK];
	/* number of elements of one window, of the operand, and of the updates */
	int64_t elements, operand_elements, update_elements;
	bool is_contiguous; /* true if a window is contiguous in the operand and in the updates */
	/* true if windows have an extent above 1 along a dimension that indices address, so that they can be partly out of
	 * bounds */
	bool may_be_partial;
};

void sr_scatter_windows_describe(const struct sr_scatter_params *p, struct sr_scatter_windows *w);
/* Return true if processing one window after another applies the updates of each operand element in the reference's order. */
bool sr_scatter_keeps_order(const struct sr_gather_params *g);
/* Return the operand offset of element e of a window that begins at `operand` and is moved by the index vector at `first`; -1 if it
 * is out of bounds. *update: offset of the element in the window's updates. */
int64_t sr_scatter_element(const struct sr_scatter_windows *w, const void *indices, int64_t first, int64_t operand, int64_t e,
			 int64_t *update);

/* ---- select_and_scatter ---- */

struct sr_select_geometry {
	int rank;                     /* number of dimensions before the contiguous run */
	/* number of contiguous elements at each window position: the product of the trailing dimensions in which windows have
	 * extent 1 */
	int64_t run;
	int64_t stride[SR_KERNEL_MAX_RANK]; /* strides of the operand's dimensions, in elements */
	int64_t elements, positions;
	int64_t first_element, first_position; /* where the groups begin in the operand and in the source */
};

struct sr_window_cells { /* the elements (cells) of the window at one position that are inside the operand */
	int rank;
	int64_t n[SR_KERNEL_MAX_RANK], step[SR_KERNEL_MAX_RANK];
	int64_t first; /* operand offset of the first element */
};

/* Describe the groups begin to end - 1 of a select_and_scatter; *groups: its window with one leading dimension in place of those
 * that number the groups. */
struct sr_select_geometry sr_select_geometry_of(const struct sr_reduce_window_params *w, int64_t begin, int64_t end,
		struct sr_reduce_window_params *groups);
/* Compute which elements of the window at a position are inside the operand. Returns false if there are none. */
bool sr_select_cells(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w, const int64_t *position,
		struct sr_window_cells *c);
/* Return the number of windows, *step elements apart, that have the same elements as the window at `position`: those of a
 * contiguous run, or those at the next positions of its row, if they are inside the operand. */
int64_t sr_select_windows(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w,
			  const int64_t *position, int64_t *step);
/* Move `position` past these windows. Returns false after the last position. */
bool sr_select_next_position(const struct sr_select_geometry *geometry, const struct sr_reduce_window_params *w, int64_t windows,
		int64_t *position);

#endif
