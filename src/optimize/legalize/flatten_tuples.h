/* Replacement of custom calls that return a tuple by calls with several results. */
#ifndef SR_OPTIMIZE_LEGALIZE_FLATTEN_TUPLES_H
#define SR_OPTIMIZE_LEGALIZE_FLATTEN_TUPLES_H

#include "ir/ir.h"

void sr_flatten_tuples(struct sr_context *ctx, struct sr_op *root);

#endif
