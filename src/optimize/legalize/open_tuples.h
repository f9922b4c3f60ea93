/* Custom calls that make a tuple: results of their own. */
#ifndef SR_OPTIMIZE_OPEN_TUPLES_H
#define SR_OPTIMIZE_OPEN_TUPLES_H

#include "ir/ir.h"

void sr_open_tuples(struct sr_context *ctx, struct sr_op *root);

#endif
