/* Discardable attributes, which an op may carry without being declared in its signature: shardings, frontend attributes, hints. */
#ifndef SR_OPTIMIZE_DISCARDABLE_H
#define SR_OPTIMIZE_DISCARDABLE_H

#include "dialect/ops.h"

/* Copy the discardable attributes of `source` to `target`, which replaces it. If both ops have an attribute, the value of `source` is
 * taken. mhlo.frontend_attributes are merged entry by entry, except that `target` keeps its own xla_metadata_payload, which names the
 * op that it was attached to. */
void sr_discardable_merge(struct sr_context *ctx, const struct sr_op *source, struct sr_op *target);

#endif
