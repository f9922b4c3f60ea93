/* Attributes that an op may carry without its signature knowing them: shardings, frontend attributes, hints. */
#ifndef SR_OPTIMIZE_DISCARDABLE_H
#define SR_OPTIMIZE_DISCARDABLE_H

#include "dialect/ops.h"

/* Give `to`, which takes the place of `from`, the discardable attributes of it. Where both have one, that of `from` stays; of
 * mhlo.frontend_attributes that holds entry by entry, but an xla_metadata_payload names the op that it was given to. */
void sr_discardable_merge(struct sr_context *ctx, const struct sr_op *from, struct sr_op *to);

#endif
