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
	const int32_t *factors; /* factors of the dimension, major to minor; empty if the dimension has no factors; length n */
	int n;
};

struct sr_tensor_mapping {
	const struct sr_dim_mapping *dims; /* mapping of each dimension; length: rank */
	int rank;
};

struct sr_index_list {
	const int32_t *indices; /* indices in ascending order; length n */
	int n;
};

struct sr_sharding_rule {
	const int64_t *sizes; /* sizes of the factors; length n_factors */
	int n_factors;
	const struct sr_tensor_mapping *operands; /* mapping of each operand; length n_operands */
	const struct sr_tensor_mapping *results;  /* mapping of each result; length n_results */
	int n_operands, n_results;
	/* factors with special roles; along blocked factors nothing is propagated */
	struct sr_index_list reduction, need_replication, permutation, blocked;
	bool custom; /* true if the rule is an attribute of the op in the user's module */
};

#endif
