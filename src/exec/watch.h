/* Signals and the time limit: when the process ends, no temporary file or shared memory is left, and one rank reports the cause. */
#ifndef SR_EXEC_WATCH_H
#define SR_EXEC_WATCH_H

#include "run/client.h"
#include "run/device.h"
#include "run/launch.h"
#include <stdbool.h>

/* Handle the signals that end the process. After `timeout` seconds (0: never) the process exits with SR_TIMEOUT, with a message if
 * `is_reporter`. A `launched` process exits when its launcher does. Handles progress output if that was started before. One watch
 * per process. */
void sr_watch_begin(double timeout, bool launched, bool is_reporter);
/* Start the limit on MPI's initialization. The process exits if the time until sr_watch_ranks returns exceeds `limit` seconds, at
 * least a minute (0: never). */
void sr_watch_start(double limit);
/* Record MPI's shared memory files, to be removed if the process is ended, and how its launcher can be asked to end the job. MPI
 * must be initialized. */
void sr_watch_launch(const struct sr_launch *l);
/* Exit with SR_TIMEOUT if a rank makes no progress for `limit` seconds (0: never), with a message on missing ranks and on the
 * operations that the others wait in (run/heartbeat.h). Collective on all ranks. */
void sr_watch_ranks(struct sr_client *client, double limit);
/* Set the devices that run from now on: messages and progress output name the current instruction of the first one. devices = NULL,
 * n = 0: none. */
void sr_watch_devices(const struct sr_device *devices, int n);
/* Disable the time limit and progress, and restore signal handlers. */
void sr_watch_end(void);

#endif
