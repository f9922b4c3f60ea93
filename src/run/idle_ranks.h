/* Outcomes of executions for idle ranks. A rank without devices of a program cannot see how an execution ends; the rank of device 0
 * sends it the status and message, so that all ranks return the same. One message per execution and idle rank; nothing is sent if
 * every rank has a device. */
#ifndef SR_RUN_IDLE_RANKS_H
#define SR_RUN_IDLE_RANKS_H

#include "run/failure.h"

struct sr_client;
struct sr_device_set;

struct sr_outcome { /* outcome of an execution, sent to idle ranks as bytes */
	int32_t status;
	bool has_run; /* true if a device began to run the program, so that donated arguments are consumed */
	char message[SR_FAILURE_BYTES + 256]; /* message of a failed execution */
};

/* Send the outcome of execution `number` of the device set to its idle ranks. Only the rank of device 0 sends; does nothing on
 * others. */
void sr_outcome_send(struct sr_client *client, const struct sr_device_set *set, uint64_t number, const struct sr_outcome *outcome);
/* Wait for the outcome of execution `number`. After an abort, store the status and message of the abort. */
void sr_outcome_receive(struct sr_client *client, const struct sr_device_set *set, uint64_t number, struct sr_outcome *outcome);

#endif
