/* Agreement of all devices on a status at the beginning of an execution, on the devices' threads: one word is exchanged over the
 * transport. It is how a process that refuses an execution tells the others, without which they would wait for it. */
#ifndef SR_RUN_AGREEMENT_H
#define SR_RUN_AGREEMENT_H

#include "run/failure.h"

struct sr_agreement;
struct sr_client;
struct sr_device_set;

/* Collective on the processes with devices: set *out to an agreement in the client's arena; NULL if the set has one process, which
 * needs none. Return SR_NO_MEMORY or SR_INTERNAL where it cannot be prepared. */
enum sr_status sr_agreement_open(struct sr_client *client, struct sr_device_set *set, struct sr_agreement **out);
/* Collective on all devices, each on its thread; this is the k-th local one. Return the status of the lowest device that passes a failure,
 * and report its message; `message` is this device's. Return SR_OK if all pass SR_OK. */
enum sr_status sr_agreement_reach(struct sr_agreement *agreement, int k, enum sr_status status, const char *message, struct sr_failure *failure);

#endif
