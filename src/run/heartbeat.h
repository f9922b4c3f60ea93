/* Heartbeats of a job: each rank reports its state to rank 0 by UDP datagrams, from a thread of its own. Rank 0 answers, and
 * detects whether the run is stalled (run/stall.h). Datagrams do not use MPI, so that a stopped rank or a lost link is
 * distinguished from a rank that computes. Ranks from which rank 0 never receives a datagram (firewalls) are ignored, unless all
 * ranks are on one machine.
 *
 * A library's client sets the abort word when the run is stalled, and carries the word between nodes; its processes also watch each
 * other (run/node_page.h). The command passes `expire` instead: rank 0 then exits last, after MPI_Finalize, so that it notices a
 * rank that does not exit. */
#ifndef SR_RUN_HEARTBEAT_H
#define SR_RUN_HEARTBEAT_H

#include "run/client.h"
#include "run/device.h"

struct sr_heartbeat;

struct sr_phase { /* current activity of a rank, for messages; n == 0: the total number is unknown */
	const char *phase;
	int64_t i, n;
};

struct sr_heartbeat_options { /* options of heartbeats, equal on all ranks */
	double limit; /* seconds without progress after which the run is stalled; 0: never */
	/* function that one rank's heartbeat thread calls with a message if the run is stalled; does not return. NULL: the abort
	 * word is set instead */
	void (*expire)(const char *message);
	struct sr_phase (*position)(void); /* function that returns the rank's current phase; NULL: unknown */
};

/* Start heartbeats if there are several ranks, or as soon as this process runs several devices. Collective on all ranks. Uses the
 * client's launch and, if `expire` is NULL, the client's arena. Returns NULL if no heartbeats are needed. The caller ends them with
 * sr_heartbeat_end. */
struct sr_heartbeat *sr_heartbeat_begin(struct sr_client *client, const struct sr_heartbeat_options *options);
/* Set the devices that run from now on; devices = NULL, n = 0: none. */
void sr_heartbeat_watch_devices(struct sr_heartbeat *heartbeat, const struct sr_device *devices, int n);
/* End heartbeats; `heartbeat` may be NULL. Not collective: after it, other ranks do not consider this rank failed unless they wait
 * for it. */
void sr_heartbeat_end(struct sr_heartbeat *heartbeat);

#endif
