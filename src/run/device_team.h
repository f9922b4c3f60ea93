/* A team: local devices that one thread executes in turn, where there are fewer cores than devices. A switch between devices costs
 * a function's return, not a switch of threads, and no core waits while another device of the team can compute.
 *
 * Each device's thread calls sr_context_execute. The last thread of a team to do so executes the program on all of them, the others
 * sleep. */
#ifndef SR_RUN_DEVICE_TEAM_H
#define SR_RUN_DEVICE_TEAM_H

#include "run/execute_together.h"

struct sr_device_team;

/* Divide n devices into n_threads < n teams of consecutive devices, and set sr_device::team. Requires sr_program_can_run_together.
 * Returns false if memory runs out; no device has a team then. */
bool sr_device_teams_new(struct sr_device *devices, int n, int n_threads);
void sr_device_teams_free(struct sr_device *devices, int n); /* Free the teams of n devices; devices without a team are skipped. */
/* Execute the entry computation once on x's device and all others of its team, each of which calls this on its own thread with
 * its context of the same execution. Sets and returns x->status. */
enum sr_status sr_device_team_execute(struct sr_device_team *team, struct sr_execution_context *x);

#endif
