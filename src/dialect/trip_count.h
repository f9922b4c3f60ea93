/* How often loops run. */
#ifndef SR_DIALECT_TRIP_COUNT_H
#define SR_DIALECT_TRIP_COUNT_H

#include "ir/ir.h"

/* Of a stablehlo.while; -1: its form does not say. */
int64_t sr_trip_count(struct sr_context *ctx, const struct sr_op *loop);
/* Keep at every loop whose form says how often it runs that number, for estimates; before the work pipeline. */
void sr_note_trip_counts(struct sr_context *ctx, struct sr_op *module);

#endif
