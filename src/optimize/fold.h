/* Constant folding: compute a pure op of constants with the reference kernel that would compute it at run time. */
#ifndef SR_OPTIMIZE_FOLD_H
#define SR_OPTIMIZE_FOLD_H

#include "dialect/ops.h"

struct sr_folder;

struct sr_fold_options {
	int64_t max_elements; /* maximum number of elements of a result that is not a splat */
	bool integers_only;   /* true: do not fold ops on floats */
	bool convert_numbers;   /* true, with integers_only: still fold conversions of single numbers to and between floats */
	bool shapes_only;     /* true: fold only ops that occur in computations of shapes */
};

struct sr_folder *sr_folder_new(struct sr_context *ctx, const struct sr_fold_options *options);
/* Return the constant result of an op, or NULL: an operand is not constant, the op cannot be folded, the result is too large, or
 * the value is left to be computed at run time: integer division by zero, conversion out of range, no finite value for a finite
 * argument. */
const struct sr_attr *sr_fold(struct sr_folder *folder, struct sr_op *op);

/* Return true if every element of the constant v equals `number`. */
bool sr_is_splat_of(struct sr_context *ctx, const struct sr_value *v, double number);
/* Return true if v is a splat of this real number with this sign: -0 is not 0. */
bool sr_is_splat_of_signed(struct sr_context *ctx, const struct sr_value *v, double number);
/* Return true if v is a constant of integers or i1 with all bits of every element set. */
bool sr_is_splat_of_ones(struct sr_context *ctx, const struct sr_value *v);
/* Return a constant of `type` with the splat's element. NULL: `dense` is not a splat. */
const struct sr_attr *sr_splat_to(struct sr_context *ctx, const struct sr_attr *dense, const struct sr_type *type);
const struct sr_attr *sr_splat_number(struct sr_context *ctx, const struct sr_type *type, double number);

#endif
