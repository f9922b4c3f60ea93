/* Legalization of chlo ops that are not elementwise formulas. */
#ifndef SR_OPTIMIZE_CHLO_STRUCTURE_H
#define SR_OPTIMIZE_CHLO_STRUCTURE_H

#include "dialect/ops.h"

/* Replace the op by ops built at b and erase it; new ops of the chlo dialect are passed to on_created. Return false, with nothing
 * changed, if the op cannot be rewritten. */
bool sr_chlo_restructure(struct sr_builder *b, struct sr_op *op, void (*on_created)(void *data, struct sr_op *op), void *data);

/* Rewrite a broadcasting op of chlo (broadcast.c). Returns false, with nothing changed, if that is not possible. */
bool sr_chlo_broadcast(struct sr_builder *b, struct sr_op *op, void (*on_created)(void *data, struct sr_op *op), void *data);
bool sr_chlo_ragged_dot(struct sr_builder *b, struct sr_op *op); /* Rewrite chlo.ragged_dot as a dot_general. */
bool sr_chlo_scan(struct sr_builder *b, struct sr_op *op); /* Rewrite chlo.scan as a while loop. */

#endif
