/* How often loops run, and what they carry. */
#ifndef SR_DIALECT_TRIP_COUNT_H
#define SR_DIALECT_TRIP_COUNT_H

#include "ir/ir.h"

/* What a stablehlo.while counts its rounds by: the state that is from + by k in round k. False: its form does not say. */
struct sr_induction_variable {
	int state;
	int64_t from, by, rounds;
};
bool sr_loop_find_induction_variable(struct sr_context *ctx, const struct sr_op *loop, struct sr_induction_variable *out);
/* What an integer scalar of the body is in a round, where it follows from the counter and constants (loop_evaluate.c). */
bool sr_loop_evaluate_integer(struct sr_context *ctx, const struct sr_op *loop, const struct sr_induction_variable *counter,
		    const struct sr_value *v, int64_t round, int64_t *out);
/* The op that alone reads what a stablehlo.while carries at this place, and makes what it carries next, which nothing else reads;
 * NULL: there is none. */
struct sr_op *sr_loop_carried_update(const struct sr_op *loop, int place);
/* Of a stablehlo.while; -1: its form does not say. */
int64_t sr_trip_count(struct sr_context *ctx, const struct sr_op *loop);
/* Keep at every loop whose form says how often it runs that number, for estimates; before the work pipeline. */
void sr_annotate_trip_counts(struct sr_context *ctx, struct sr_op *module);

#endif
