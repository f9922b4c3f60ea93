/* Signals and the time limit: whatever ends the process, no temporary file or shared memory is left and one rank says why. */
#ifndef SR_EXEC_WATCH_H
#define SR_EXEC_WATCH_H

#include "run/client.h"
#include "run/device.h"
#include "run/launch.h"
#include <stdbool.h>

/* Catch what ends a process; after `timeout` seconds (0: never) it ends with SR_TIMEOUT, and says so where it `speaks`. A
 * process that is `launched` ends with its launcher. Progress that was begun before is drawn when it is due. One watch at a time
 * in a process. */
void sr_watch_begin(double timeout, bool launched, bool speaks);
/* MPI is to start now: the process ends where that, and what the ranks have to say to each other until sr_watch_ranks returns,
 * takes `limit` seconds, or a minute where it is less (0: never). */
void sr_watch_start(double limit);
/* MPI is started, or was to be: its shared memory has names in the file system, which are to go with a process that is ended;
 * and its launcher may be asked for a quiet end. */
void sr_watch_launch(const struct sr_launch *l);
/* Collective on all ranks: end with SR_TIMEOUT where a rank makes no progress for `limit` seconds (0: never), and say which ranks
 * are missing and where the others wait (exec/heartbeat.h). */
void sr_watch_ranks(struct sr_client *client, double limit);
/* The devices that run from now on; the first one's step is named where the time is over. NULL, 0: none. */
void sr_watch_devices(const struct sr_device *devices, int n);
/* The time limit and progress are off and signals are as they were. */
void sr_watch_end(void);

#endif
