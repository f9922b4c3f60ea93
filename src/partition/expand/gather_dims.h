/* Dimension numbers of gather and scatter: the same roles under two sets of attribute names. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_GATHER_DIMS_H
#define SR_PARTITION_EXPAND_GATHER_DIMS_H

#include "partition/expand/expand.h"

struct sr_dim_list {
	const int64_t *at;
	int64_t n;
};

/* slices: the result of a gather, the updates of a scatter. */
struct sr_gather_dims {
	struct sr_dim_list offset;      /* dimensions of the slices that are operand dimensions */
	struct sr_dim_list single;      /* operand dimensions without a slice dimension: collapsed, inserted */
	struct sr_dim_list batch;       /* operand batching dimensions */
	struct sr_dim_list index_batch; /* dimensions of the indices that correspond to `batch` */
	struct sr_dim_list map;         /* operand dimension that each component of an index addresses */
	int vector;                     /* dimension of the indices that holds an index; their rank if each index is a scalar */
	const struct sr_type *operand, *indices, *slices;
};

/* Of a gather or scatter with one operand; false: others. */
bool sr_gather_dims_read(struct sr_expansion *p, struct sr_gather_dims *n);
int sr_dim_list_find(struct sr_dim_list list, int64_t dim);             /* position in the list; -1: not found */
/* Return the slice dimension of operand dimension d, or the indices' dimension if it is a batch; -1: neither. */
int sr_gather_dims_offset_dim(const struct sr_gather_dims *n, int d);
int sr_gather_dims_batch_dim(const struct sr_gather_dims *n, int d);
/* Return the indices' dimension of slice dimension d, or the reverse; -1: none. */
int sr_gather_dims_index_dim(const struct sr_gather_dims *n, int d);
int sr_gather_dims_slices_dim(const struct sr_gather_dims *n, int d);

/* Return one component of every index, in the indices' shape without the vector dimension. */
struct sr_value *sr_gather_dims_component(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *indices,
					  int component);
/* Build indices from their components. */
struct sr_value *sr_gather_dims_join(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *const *components);

#endif
