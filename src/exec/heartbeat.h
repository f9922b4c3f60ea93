/* Heartbeats of a job: each rank reports its state to rank 0 by UDP datagrams, from a thread of its own. Rank 0 answers, and
 * detects whether the run is stalled (exec/stall.h). Datagrams do not use MPI, so that a stopped rank or a lost link is
 * distinguished from a rank that computes. Ranks that rank 0 never hears of (firewalls) are ignored. If all ranks are on one
 * machine, rank 0 exits last, after MPI_Finalize, and so notices a rank that does not exit. */
#ifndef SR_EXEC_HEARTBEAT_H
#define SR_EXEC_HEARTBEAT_H

#include "run/client.h"
#include "run/device.h"

/* Collective on all ranks: start heartbeats if there are several ranks, or as soon as this process runs several devices. If the
 * run is stalled, one rank calls `expire`, which does not return, on the heartbeat thread with a message. */
void sr_heartbeat_begin(struct sr_client *client, double limit, void (*expire)(const char *words));
/* Set the devices that run from now on; NULL, 0: none. */
void sr_heartbeat_watch_devices(const struct sr_device *devices, int n);
void sr_heartbeat_end(void);

#endif
