/* Signals and the time limit: however the process ends, no temporary file or shared memory is left, and one rank reports why. */
#ifndef SR_EXEC_WATCH_H
#define SR_EXEC_WATCH_H

#include "run/client.h"
#include "run/device.h"
#include "run/launch.h"
#include <stdbool.h>

/* Handle signals that end the process. After `timeout` seconds (0: never) it exits with SR_TIMEOUT, with a message if
 * `is_reporter`. A `launched` process exits with its launcher. Progress output started before is printed when due. One watch per
 * process. */
void sr_watch_begin(double timeout, bool launched, bool is_reporter);
/* MPI is about to be initialized: exit if that, and the exchanges until sr_watch_ranks returns, take longer than `limit`
 * seconds, at least a minute (0: never). */
void sr_watch_start(double limit);
/* MPI has been initialized: remember its shared memory files, to be removed if the process is ended, and how its launcher can be
 * asked to end the job. */
void sr_watch_launch(const struct sr_launch *l);
/* Collective on all ranks: exit with SR_TIMEOUT if a rank makes no progress for `limit` seconds (0: never), with a message on
 * missing ranks and what the others wait for (run/heartbeat.h). */
void sr_watch_ranks(struct sr_client *client, double limit);
/* Set the devices that run from now on; messages name the first one's current instruction. NULL, 0: none. */
void sr_watch_devices(const struct sr_device *devices, int n);
/* Disable the time limit and progress, and restore signal handlers. */
void sr_watch_end(void);

#endif
