/* Find the trip counts and induction variables of loops (stablehlo.while). */
#ifndef SR_DIALECT_TRIP_COUNT_H
#define SR_DIALECT_TRIP_COUNT_H

#include "ir/ir.h"

/* The induction variable of a stablehlo.while: loop-carried value number `value_index`, which is start + step * k in iteration k of
 * `trip_count` iterations. */
struct sr_induction_variable {
	int value_index;
	int64_t start, step, trip_count;
};
/* Find the induction variable of a loop. Return false if the loop has none of the form described in trip_count.c. */
bool sr_loop_find_induction_variable(struct sr_context *ctx, const struct sr_op *loop, struct sr_induction_variable *out);
/* Evaluate an integer scalar of the body in iteration `iteration`, if it depends only on the induction variable and constants
 * (loop_evaluate.c). Return false otherwise. */
bool sr_loop_evaluate_integer(struct sr_context *ctx, const struct sr_op *loop, const struct sr_induction_variable *counter,
			      const struct sr_value *v, int64_t iteration, int64_t *out);
/* Integers from low to high, inclusive. */
struct sr_integer_range {
	int64_t low, high;
};
/* Set a range of an integer of one element, in all iterations of the loops around it (loop_range.c). Return false if none is
 * known. */
bool sr_loop_integer_range(struct sr_context *ctx, const struct sr_value *v, struct sr_integer_range *out);
/* Return the op in the body that is the only user of loop-carried value `index` and whose result is only used as the next value
 * of `index`; NULL if there is none. */
struct sr_op *sr_loop_carried_update(const struct sr_op *loop, int index);
/* Return the dimension along which a slice of this type is smaller than the stack; -1: none, -2: several dimensions. */
int sr_dim_of_slices(const struct sr_type *stack, const struct sr_type *slice);
/* Return true if the iterations of the loop together write every element of the stack that `update` updates: a
 * dynamic_update_slice in the loop's body that every iteration executes. */
bool sr_loop_writes_all_slices(struct sr_context *ctx, const struct sr_op *loop, const struct sr_induction_variable *counter,
			       const struct sr_op *update);
/* Return the value that v is equal to outside of the loops that carry v unchanged; v itself if there is no such loop. */
const struct sr_value *sr_loop_invariant_source(const struct sr_value *v);
/* Return the trip count of a stablehlo.while; -1: unknown. */
int64_t sr_trip_count(struct sr_context *ctx, const struct sr_op *loop);
/* Annotate every loop of known trip count with the count, for cost estimates. Runs before the work pipeline, which obscures the
 * computation of the counter. */
void sr_annotate_trip_counts(struct sr_context *ctx, struct sr_op *module);

#endif
