/* What late_gathers.c and into_loops.c ask of the operands of an elementwise op that is to be done on parts. Internal to
 * partition. */
#ifndef SR_PARTITION_LATE_H
#define SR_PARTITION_LATE_H

#include "dialect/ops.h"

struct sr_op *sr_late_only_reader(const struct sr_value *v); /* as which operands ever; NULL: none, or several */
bool sr_late_has_extents_of(const struct sr_type *a, const struct sr_type *b);
bool sr_late_lies_as(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding);
/* Bytes on a device of a value that lies so, rounded down; 0 where that is not known. */
int64_t sr_late_bytes(const struct sr_value *v, const struct sr_attr *sharding);
/* Of one number everywhere (a constant of equal elements, or a number that is broadcast): the same again with these extents and
 * this sharding, before `at`. NULL: v is none. */
struct sr_value *sr_late_uniform(struct sr_builder *at, const struct sr_value *v, const struct sr_type *type,
				 const struct sr_attr *sharding);

#endif
