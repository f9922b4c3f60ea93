/* The chlo ops that no formula says. */
#ifndef SR_OPTIMIZE_CHLO_STRUCTURE_H
#define SR_OPTIMIZE_CHLO_STRUCTURE_H

#include "dialect/ops.h"

/* Replaces the op by ops built at b and erases it; chlo ops among them go to `made`. False, with nothing changed, where it
 * cannot. */
bool sr_chlo_restructure(struct sr_builder *b, struct sr_op *op, void (*made)(void *data, struct sr_op *op), void *data);

/* broadcast.c */
bool sr_chlo_broadcast(struct sr_builder *b, struct sr_op *op, void (*made)(void *data, struct sr_op *op), void *data);
bool sr_chlo_ragged_dot(struct sr_builder *b, struct sr_op *op); /* ragged_dot.c */
bool sr_chlo_scan(struct sr_builder *b, struct sr_op *op); /* scan.c */

#endif
