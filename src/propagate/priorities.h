/* User priorities around any way of propagating. */
#ifndef SR_PROPAGATE_PRIORITIES_H
#define SR_PROPAGATE_PRIORITIES_H

#include "propagate/propagation.h"

/* Calls `propagate` once for dimensions without a priority or with 0, and again for each higher priority that occurs, in order. */
void sr_propagate_by_user_priority(struct sr_propagation *flow, void (*propagate)(struct sr_propagation *flow, void *data), void *data);

#endif
