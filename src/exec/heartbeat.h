/* The pulse of a job: each rank tells rank 0 by datagrams how it is, on a thread of its own, whatever the rank itself does; rank
 * 0 answers, and looks whether the run stands still (exec/stall.h). The network between them is the nodes' own and not MPI's, so
 * that a rank that is stopped or a link that is lost is told from one that computes. Ranks that rank 0 never hears of (a
 * firewall) are not judged. Where all ranks are on one machine rank 0 goes last, behind MPI's end, and so sees one that stays. */
#ifndef SR_EXEC_HEARTBEAT_H
#define SR_EXEC_HEARTBEAT_H

#include "run/client.h"
#include "run/device.h"

/* Collective on all ranks: begin, where there are several, or else once the process plays several devices. `expire` is called,
 * on the thread, with the words of the rank that finds the run at its end, and does not return. */
void sr_heartbeat_begin(struct sr_client *client, double limit, void (*expire)(const char *words));
/* The devices that are played from now on; NULL, 0: none. */
void sr_heartbeat_watch_devices(const struct sr_device *devices, int n);
void sr_heartbeat_end(void);

#endif
