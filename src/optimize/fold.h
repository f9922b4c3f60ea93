/* Computing ops before the program runs: a pure op of constants becomes a constant, by the reference kernel that would run it. */
#ifndef SR_OPTIMIZE_FOLD_H
#define SR_OPTIMIZE_FOLD_H

#include "dialect/ops.h"

struct sr_folder;

struct sr_fold_options {
	int64_t max_elements; /* of a result that is no splat */
	bool integers_only;   /* no op with floats */
	bool number_floats;   /* but for one number that becomes a float, or another one */
	bool shapes_only;     /* only ops that computations of shapes are made of */
};

struct sr_folder *sr_folder_new(struct sr_context *ctx, const struct sr_fold_options *options);
/* The op's result, of the result's type; NULL: an operand is no constant, no row for the op, too large, or what only the run should
 * decide: an integer division by zero, a conversion that does not fit, a function of a finite number that has no finite value. */
const struct sr_attr *sr_fold(struct sr_folder *f, struct sr_op *op);

/* Every element of a constant is this number. */
bool sr_is_splat_of(struct sr_context *ctx, const struct sr_value *v, double number);
/* Return true if v is a splat of this real number with this sign: -0 is not 0. */
bool sr_is_splat_of_signed(struct sr_context *ctx, const struct sr_value *v, double number);
/* Every element of a constant of integers has all bits set, i1 too. */
bool sr_is_splat_of_ones(struct sr_context *ctx, const struct sr_value *v);
/* The constant with its one element for every element of `type`; NULL: it is no splat. */
const struct sr_attr *sr_splat_to(struct sr_context *ctx, const struct sr_attr *dense, const struct sr_type *type);
const struct sr_attr *sr_splat_number(struct sr_context *ctx, const struct sr_type *type, double number);

#endif
