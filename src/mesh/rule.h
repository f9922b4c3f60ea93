/* A sharding rule (Shardy's OpShardingRule): maps the dimensions of an op's operands and results to factors. Used by propagation
 * and partition.
 *
 * Example, a matrix product: ([i, k], [k, j])->([i, j]) {i=16, j=8, k=32} reduction={k}. Factors are indices into `sizes`,
 * printed i..z, then z_1, z_2, ... A dimension is the product of its factors, major to minor: a reshape of 2x4x32 to 8x32 is
 * ([i,j,k])->([ij,k]). The factor kinds are sorted index lists; a factor in no list is pass-through. */
#ifndef SR_MESH_RULE_H
#define SR_MESH_RULE_H

#include <stdbool.h>
#include <stdint.h>

struct sr_dim_mapping {
	const int32_t *factors; /* [n], major to minor; n == 0: the dimension has no factors */
	int n;
};

struct sr_tensor_mapping {
	const struct sr_dim_mapping *dims; /* [rank] */
	int rank;
};

struct sr_index_list {
	const int32_t *at; /* [n], ascending */
	int n;
};

struct sr_sharding_rule {
	const int64_t *sizes; /* [n_factors] */
	int n_factors;
	const struct sr_tensor_mapping *operands; /* [n_operands] */
	const struct sr_tensor_mapping *results;  /* [n_results] */
	int n_operands, n_results;
	struct sr_index_list reduction, need_replication, permutation, blocked; /* blocked: no propagation along these factors */
	bool custom; /* specified by the user on the op */
};

#endif
