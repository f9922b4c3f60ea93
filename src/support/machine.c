/* The machine of which nothing is known: no limits, and link costs of the order of shared memory between processes, so that routes
 * can be compared. */
#include "support/machine.h"

const struct sr_machine sr_machine_unknown = {.latency_s = 2e-6, .seconds_per_byte = 2e-10};
