/* Building a sharding rule factor by factor. For the functions of the RULE column only.
 *
 *	int f = sr_rule_factor(b, 16, SR_FACTOR_PASS);     a factor of size 16
 *	sr_rule_operand(b, 0, 1, f);                       dimension 1 of operand 0 has it
 *	sr_rule_result(b, 0, 0, f);
 *
 * A dimension that got no factor gets one of its own of size 1 at the end. Dimensions that a tensor does not have are ignored, so
 * that scalars beside tensors (the predicate of a select, initial values) need no care; SR_NO_DIM says so explicitly. */
#ifndef SR_PROPAGATE_RULE_BUILDER_H
#define SR_PROPAGATE_RULE_BUILDER_H

#include "dialect/signature.h"
#include "propagate/propagate.h"
#include "support/vec.h"

enum { SR_NO_DIM = -1 };

/* What sharding a factor costs the op: nothing, a reduction of results, a gather of operands, or a permutation of data. */
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
	sr_index_vec *dims; /* [rank]: factors, major to minor */
};

struct sr_rule_builder {
	struct sr_context *ctx;
	bool conservative; /* no factors along dimensions whose data would have to move */
	int n_operands, n_results;
	struct sr_rule_tensor *operands, *results;
	SR_VEC(int64_t) sizes;
	sr_index_vec kinds[SR_FACTOR_KIND_COUNT]; /* that of SR_FACTOR_PASS stays empty */
	sr_index_vec blocked;
};

/* Lists of arena lifetime; the types give the ranks (other than tensors: 0). */
void sr_rule_builder_init(struct sr_rule_builder *b, struct sr_context *ctx, const struct sr_op *op);
int sr_rule_factor(struct sr_rule_builder *b, int64_t size, enum sr_factor_kind kind);
void sr_rule_block(struct sr_rule_builder *b, int factor); /* nothing is propagated along it */
/* A factor of size 1 is left out of a dimension that has factors already. */
void sr_rule_operand(struct sr_rule_builder *b, int operand, int64_t dim, int factor);
void sr_rule_result(struct sr_rule_builder *b, int result, int64_t dim, int factor);
void sr_rule_all_operands(struct sr_rule_builder *b, int64_t dim, int factor); /* of rank at least 1 */
void sr_rule_all_results(struct sr_rule_builder *b, int64_t dim, int factor);
void sr_rule_all(struct sr_rule_builder *b, int64_t dim, int factor);
/* One factor per dimension of `shape`, in all operands and results. */
void sr_rule_pointwise_shape(struct sr_rule_builder *b, const int64_t *shape, int rank);
/* The same between one operand shape and one result shape; where they differ the factor is of kind `mismatch`. */
void sr_rule_pointwise_mismatch(struct sr_rule_builder *b, const struct sr_type *in, const struct sr_type *out,
				enum sr_factor_kind mismatch, bool block);
const struct sr_sharding_rule *sr_rule_finish(struct sr_rule_builder *b);

static inline bool sr_ints_have(const int64_t *v, int64_t n, int64_t x)
{
	for (int64_t i = 0; i < n; i++)
		if (v[i] == x)
			return true;
	return false;
}

#endif
