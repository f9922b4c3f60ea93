/* Propagation by user priority (the priority of a dimension sharding). */
#ifndef SR_PROPAGATE_PRIORITIES_H
#define SR_PROPAGATE_PRIORITIES_H

#include "propagate/propagation.h"

/* Call `propagate` for dimensions without priority or with priority 0, then again for each higher priority that occurs, in
 * order. */
void sr_propagate_by_user_priority(struct sr_propagation *state, void (*propagate)(struct sr_propagation *state, void *data),
				   void *data);

#endif
