/* Dimension numbers of gather and scatter, which have equal roles under two sets of attribute names. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_GATHER_DIMS_H
#define SR_PARTITION_EXPAND_GATHER_DIMS_H

#include "partition/expand/expand.h"

struct sr_dim_list {
	const int64_t *dims;
	int64_t n;
};

/* Dimension numbers of a gather or scatter. "Slices" are the result of a gather and the updates of a scatter. */
struct sr_gather_dims {
	/* dimensions of the slices that correspond to operand dimensions (offset_dims, update_window_dims) */
	struct sr_dim_list offset_dims;
	struct sr_dim_list collapsed_dims; /* operand dimensions without a slice dimension: collapsed or inserted ones */
	struct sr_dim_list batch_dims;  /* operand batching dimensions */
	struct sr_dim_list index_batch_dims; /* dimensions of the indices that correspond to `batch_dims` */
	struct sr_dim_list map;         /* operand dimension that each component of an index addresses */
	/* dimension of the indices that holds an index vector; each index is a scalar: rank of the indices */
	int index_vector_dim;
	const struct sr_type *operand, *indices, *slices;
};

/* Read the dimension numbers of a gather or scatter with one operand; return false for other ops. */
bool sr_gather_dims_read(struct sr_context *ctx, const struct sr_op *op, struct sr_gather_dims *n);
/* Return true if an index addresses the operand's dimension with this factor. */
bool sr_gather_dims_is_indexed(const struct sr_gather_dims *n, const struct sr_op_view *v, int factor);
/* Return the position of a dimension in the list; -1 if it is not found. */
int sr_dim_list_find(struct sr_dim_list list, int64_t dim);
/* Return the dimension of the slices (sr_gather_dims_offset_dim), or of the indices (sr_gather_dims_batch_dim), that corresponds to
 * operand dimension d; -1: none. */
int sr_gather_dims_offset_dim(const struct sr_gather_dims *n, int d);
int sr_gather_dims_batch_dim(const struct sr_gather_dims *n, int d);
/* Return the indices' dimension that corresponds to slice dimension d; -1: none. */
int sr_gather_dims_index_dim(const struct sr_gather_dims *n, int d);

/* Return one component of all index vectors, in the indices' shape without the index vector dimension. */
struct sr_value *sr_gather_dims_component(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *indices,
					  int component);
/* Build indices by concatenating their components. */
struct sr_value *sr_gather_dims_join(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *const *components);

#endif
