/* Where schedules run. A transport is made once for a world of devices; a group is a list of devices of which I am one.
 * The MPI transport and the node's shared window implement this; shardbench and exec use it. All functions marked collective are
 * called by every member of the group, in the same order. */
#ifndef SR_COLLECTIVES_TRANSPORT_H
#define SR_COLLECTIVES_TRANSPORT_H

#include "collectives/schedule.h"

struct sr_transport;
struct sr_group; /* a communicator, my index, its size */

/* Collective on all of comm (an MPI_Comm passed by address, so that mpi.h stays inside). rank_of_device[n_devices] is a
 * permutation. */
enum sr_status sr_transport_open_mpi(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				     const struct sr_selection *selection, struct sr_transport **out);
void sr_transport_close(struct sr_transport *t);
/* Collective on the world: groups[n_groups * size] devices (-1 pads); every device calls with the same list; *out is my group, NULL
 * where I am in none. */
enum sr_status sr_group_make(struct sr_transport *t, const int64_t *devices, int64_t n_groups, int64_t size, struct sr_group **out);
/* The same where each device knows its own place: member `index` of group `group`, -1: of none. Groups are made anew each time. */
enum sr_status sr_group_join(struct sr_transport *t, int64_t group, int64_t index, struct sr_group **out);
int sr_group_size(const struct sr_group *g);
int sr_group_index(const struct sr_group *g);
/* A call prepared once, at load: schedule chosen, scratch known. call->n and me are filled from the group; from and to are member
 * indices. SR_UNSUPPORTED where the type has no such reduction. */
struct sr_prepared;
enum sr_status sr_prepare(struct sr_transport *t, struct sr_group *g, struct sr_coll_call *call, struct sr_prepared **out);
const char *sr_prepared_algorithm(const struct sr_prepared *p);
const struct sr_schedule *sr_prepared_schedule(const struct sr_prepared *p);
/* Collective on the group. Posts the first messages and returns; several calls may be under way, started in the same order by all
 * members. Allocates nothing once as many calls of their size have been under way before. in and out stay the transport's until
 * finish. SR_INTERNAL where the transport fails. */
enum sr_status sr_start(struct sr_prepared *p, const void *in, void *out);
enum sr_status sr_finish(struct sr_prepared *p); /* returns when no peer reads my operand any more */
void sr_transport_barrier(struct sr_transport *t); /* collective on the world */

#endif
