/* Agreement of all devices on a status at the beginning of an execution, on the devices' threads: one word is exchanged over the
 * transport. A process that refuses an execution uses it to tell the others, which would otherwise wait for that process. */
#ifndef SR_RUN_AGREEMENT_H
#define SR_RUN_AGREEMENT_H

#include "run/failure.h"

struct sr_agreement;
struct sr_client;
struct sr_device_set;

/* Create an agreement in the client's arena. Collective on the processes with devices. *out is NULL if the device set has one
 * process, which needs no agreement. Returns SR_NO_MEMORY or SR_INTERNAL if the agreement cannot be prepared. */
enum sr_status sr_agreement_open(struct sr_client *client, struct sr_device_set *set, struct sr_agreement **out);
/* Exchange the devices' statuses. Collective on all devices, each on its thread; `k` is the local device, `message` its message.
 * Returns the status of the lowest device that passes a failure, and reports that device's message; SR_OK if all pass SR_OK. */
enum sr_status sr_agreement_reach(struct sr_agreement *agreement, int k, enum sr_status status, const char *message, struct sr_failure *failure);

#endif
