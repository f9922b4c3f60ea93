/* Dimension numbers of gather and scatter: the same roles under two sets of names. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_GATHER_DIMS_H
#define SR_PARTITION_EXPAND_GATHER_DIMS_H

#include "partition/expand/expand.h"

struct sr_dim_list {
	const int64_t *at;
	int64_t n;
};

/* slices: what a gather makes, what a scatter adds. */
struct sr_gather_dims {
	struct sr_dim_list offset;      /* dimensions of the slices that are dimensions of the operand, */
	struct sr_dim_list single;      /* but for these: one element is taken of each, */
	struct sr_dim_list batch;       /* and these, which go together with */
	struct sr_dim_list index_batch; /* these of the indices */
	struct sr_dim_list map;         /* the operand's dimension that each component of an index points along */
	int vector;                 /* the dimension of the indices that holds an index; their rank: none does */
	const struct sr_type *operand, *indices, *slices;
};

bool sr_gather_dims_read(struct sr_expansion *p, struct sr_gather_dims *n); /* of a gather or a scatter of one operand */
int sr_dim_list_find(struct sr_dim_list list, int64_t dim);             /* its place in the list; -1 */
/* The dimension of the slices that dimension d of the operand is, of the indices where it is a batch; -1: neither. */
int sr_gather_dims_offset_dim(const struct sr_gather_dims *n, int d);
int sr_gather_dims_batch_dim(const struct sr_gather_dims *n, int d);
/* The dimension of the indices that dimension d of the slices is; -1: it is one of the operand. And back. */
int sr_gather_dims_index_dim(const struct sr_gather_dims *n, int d);
int sr_gather_dims_slices_dim(const struct sr_gather_dims *n, int d);

/* A component of every index, of the indices' shape without the vector. */
struct sr_value *sr_gather_dims_component(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *indices, int component);
/* The other way round: components as indices again. */
struct sr_value *sr_gather_dims_join(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *const *components);

#endif
