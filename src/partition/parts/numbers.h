/* Dimension numbers of gather and scatter: the same roles under two sets of names. Internal to partition. */
#ifndef SR_PARTITION_PARTS_NUMBERS_H
#define SR_PARTITION_PARTS_NUMBERS_H

#include "partition/parts/parts.h"

struct sr_dims {
	const int64_t *at;
	int64_t n;
};

/* slices: what a gather makes, what a scatter adds. */
struct sr_numbers {
	struct sr_dims offset;      /* dimensions of the slices that are dimensions of the operand, */
	struct sr_dims single;      /* but for these: one element is taken of each, */
	struct sr_dims batch;       /* and these, which go together with */
	struct sr_dims index_batch; /* these of the indices */
	struct sr_dims map;         /* the operand's dimension that each component of an index points along */
	int vector;                 /* the dimension of the indices that holds an index; their rank: none does */
	const struct sr_type *operand, *indices, *slices;
};

bool sr_numbers_read(struct sr_parts *p, struct sr_numbers *n); /* of a gather or a scatter of one operand */
int sr_dims_find(struct sr_dims list, int64_t dim);             /* its place in the list; -1 */
/* The dimension of the slices that dimension d of the operand is, of the indices where it is a batch; -1: neither. */
int sr_numbers_offset_dim(const struct sr_numbers *n, int d);
int sr_numbers_batch_dim(const struct sr_numbers *n, int d);
/* The dimension of the indices that dimension d of the slices is; -1: it is one of the operand. And back. */
int sr_numbers_index_dim(const struct sr_numbers *n, int d);
int sr_numbers_slices_dim(const struct sr_numbers *n, int d);

/* A component of every index, of the indices' shape without the vector. */
struct sr_value *sr_numbers_component(struct sr_parts *p, const struct sr_numbers *n, struct sr_value *indices, int component);
/* The other way round: components as indices again. */
struct sr_value *sr_numbers_join(struct sr_parts *p, const struct sr_numbers *n, struct sr_value *const *components);

#endif
