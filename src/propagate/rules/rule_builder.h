/* Build a sharding rule factor by factor. For the functions of the RULE column.
 *
 *	int f = sr_rule_factor(b, 16, SR_FACTOR_PASS);     a factor of size 16
 *	sr_rule_operand(b, 0, 1, f);                       dimension 1 of operand 0 has it
 *	sr_rule_result(b, 0, 0, f);
 *
 * A dimension without a factor gets one of size 1 at the end. Dimensions that a tensor lacks are ignored, so that scalars beside
 * tensors (the predicate of a select, initial values) need no special case; SR_NO_DIM states this explicitly. */
#ifndef SR_PROPAGATE_RULE_BUILDER_H
#define SR_PROPAGATE_RULE_BUILDER_H

#include "dialect/signature.h"
#include "propagate/propagate.h"
#include "support/integers.h"
#include "support/vec.h"

enum { SR_NO_DIM = -1 };

/* What a sharded factor requires: nothing, a reduction of results, replicated operands, or a permutation of data between
 * devices. */
enum sr_factor_kind {
	SR_FACTOR_PASS,
	SR_FACTOR_REDUCTION,
	SR_FACTOR_REPLICATE,
	SR_FACTOR_PERMUTATION,
	SR_FACTOR_KIND_COUNT
};

typedef SR_VEC(int32_t) sr_index_vec;

struct sr_rule_tensor {
	int rank;
	sr_index_vec *dims; /* factors of each dimension, major to minor */
};

struct sr_rule_builder {
	struct sr_context *ctx;
	bool is_conservative; /* true: no factors along dimensions whose data would have to move */
	int n_operands, n_results;
	struct sr_rule_tensor *operands, *results;
	SR_VEC(int64_t) sizes;
	sr_index_vec kinds[SR_FACTOR_KIND_COUNT]; /* factors of each kind; the list of SR_FACTOR_PASS stays empty */
	sr_index_vec blocked;
};

/* Initialize a builder for an op. Ranks are those of the op's types (0 for types other than tensors). Lists are in the arena. */
void sr_rule_builder_init(struct sr_rule_builder *b, struct sr_context *ctx, const struct sr_op *op);
int sr_rule_factor(struct sr_rule_builder *b, int64_t size, enum sr_factor_kind kind);
void sr_rule_block(struct sr_rule_builder *b, int factor); /* Forbid propagation along a factor. */
/* Add a factor to a dimension. A factor of size 1 is ignored if the dimension has factors already. */
void sr_rule_operand(struct sr_rule_builder *b, int operand, int64_t dim, int factor);
void sr_rule_result(struct sr_rule_builder *b, int result, int64_t dim, int factor);
/* Add a factor to dimension `dim` of all operands of rank at least 1. */
void sr_rule_all_operands(struct sr_rule_builder *b, int64_t dim, int factor);
void sr_rule_all_results(struct sr_rule_builder *b, int64_t dim, int factor);
void sr_rule_all(struct sr_rule_builder *b, int64_t dim, int factor);
/* Add one factor per dimension of `shape` to all operands and results. */
void sr_rule_pointwise_shape(struct sr_rule_builder *b, const int64_t *shape, int rank);
/* Add one factor per dimension to an operand and a result of these types; where the extents differ, the factor has kind
 * `mismatch`, and is blocked if `is_blocked`. */
void sr_rule_pointwise_mismatch(struct sr_rule_builder *b, const struct sr_type *in, const struct sr_type *out,
				enum sr_factor_kind mismatch, bool is_blocked);
const struct sr_sharding_rule *sr_rule_finish(struct sr_rule_builder *b);

#endif
