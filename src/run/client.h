/* A client: the ranks of one communicator, and what they have in common for all programs that run on them: who plays which
 * devices, the least instruction set among them, the workers of each device, kernels, and the groups that collectives take place
 * in,
 * each made once. A rank may play several devices: steps are theirs, each on a thread of its own (run/device_threads.h); all else is done for
 * all of them by the rank's own thread, which alone speaks MPI.
 *
 *	struct sr_client client = {.launch = launch};                  a launch that was begun or joined
 *	sr_client_open(&client, &(struct sr_client_options){0}, arena, diags);
 *	sr_executable_open(&e, &client, program, &options, arena, diags);    run/executable.h
 *	...
 *	sr_client_close(&client);
 *
 * Errors are reported to diags; a collective function returns the same status on all ranks, and one of them has the message. */
#ifndef SR_RUN_CLIENT_H
#define SR_RUN_CLIENT_H

#include "collectives/transport.h"
#include "kernels/fast/fast.h"
#include "machine/machine.h"
#include "program/program.h"
#include "run/device_threads.h"
#include "run/launch.h"
#include "run/workers.h"

enum sr_placement { SR_PLACEMENT_IN_ORDER,
		   SR_PLACEMENT_REVERSED }; /* device d is played by rank d, or by rank n - 1 - d of n devices; of K devices each,
					     * by d / K */
/* How many devices a rank plays at most, but for numbers from 1 on: all that a program has; as many as the ranks come to where that
 * is
 * whole, and all where no launcher started us. */
enum { SR_DEVICES_ALL = -1, SR_DEVICES_AUTO = -2, SR_MAX_DEVICES_PER_RANK = 4096 };

struct sr_client_options {
	const char *selection;      /* of algorithms (collectives/schedule.h); NULL: the defaults */
	int threads;                /* of each device here; 0: by the machine. Ranks may have different numbers of them */
	int devices_per_rank;       /* alike on all ranks; 0: 1, and the caller has no choice */
	enum sr_isa isa;            /* at most this here; all ranks use the least */
	enum sr_placement placement;
	const int *rank_of_device;  /* [n_listed] ranks, for a program of so many devices, alike on all ranks; NULL: by placement */
	int n_listed;
	bool no_segment;             /* devices of a node do not read each other's memory; alike on all ranks */
	int ranks_per_node;         /* so many neighbours of a node are taken for one (struct sr_transport_options); alike on all ranks; 0: all */
	const char *root;           /* where this machine's /proc and /sys are; NULL: "" */
};

struct sr_node_rank { /* a rank of my node */
	int64_t rank; /* no gap that is sent */
	struct sr_memory_cgroups groups;
	struct sr_processors mask;
};

struct sr_device_set { /* the devices 0..n-1 of programs that have n */
	int n_devices;
	const int *rank_of_device;      /* [n_devices] */
	const int *place_of_device;     /* [n_devices]: among those of its rank */
	int most;                       /* that a rank plays */
	int n;                          /* that this rank plays; 0: it is spare */
	const int64_t *devices;         /* [n]: these */
	struct sr_transport *_Atomic transport; /* the first's; NULL: this rank plays none, or there is one device without MPI */
	int threads;                    /* of each device here */
	struct sr_workers **workers;    /* [n]; NULL: one thread */
	struct sr_device_threads *crew;           /* NULL: the rank's own thread plays its device */
	struct sr_known_group *groups;  /* that were made */
	struct sr_device_set *next;
};

struct sr_client {
	struct sr_launch launch;
	struct sr_arena *arena;         /* outlives it */
	struct sr_client_options options;
	struct sr_selection *selection;
	enum sr_isa isa;                /* of all ranks */
	int threads;                    /* of a rank that plays one device */
	int n_neighbours;               /* ranks of my node, this one among them */
	const struct sr_node_rank *neighbours;
	bool knows_machine;
	struct sr_machine_node node;
	struct sr_kernels kernels;
	bool holds_threads;             /* of OpenBLAS (sr_blas_begin_single_thread) */
	bool asked_dnnl;                /* whether oneDNN is there */
	const char *without_dnnl;       /* why it cannot be used here, where that is to be said */
	struct sr_device_set *_Atomic worlds;
};

/* Collective on all ranks of client->launch. SR_USAGE for a malformed selection; SR_UNSUPPORTED where BLAS cannot be used. */
enum sr_status sr_client_open(struct sr_client *client, const struct sr_client_options *options, struct sr_arena *arena,
			      struct sr_diags *diags);
/* Collective on all ranks: this rank's own part of a stage, then agreement (sr_launch_agree). SR_NO_MEMORY where one of the
 * client's arena and diags->arena unwinds it. */
enum sr_status sr_client_stage(struct sr_client *client, enum sr_status (*part)(void *data), void *data, struct sr_diags *diags);
/* Have memory for what the next collective calls (transports, groups, regions) allocate in the client's arena, so that none of them
 * unwinds while other ranks wait: enough for some hundred devices. To be called in a stage. */
void sr_client_reserve(struct sr_client *client);
/* Collective on all ranks: oneDNN, where the program has a use for it and all ranks have the same version. */
void sr_client_open_dnnl(struct sr_client *client, const struct sr_program *program);
/* Collective. Executables on it have been closed. The launch goes on. Zeroes are fine. */
void sr_client_close(struct sr_client *client);
/* How many devices a rank plays at most, where programs have n. */
int sr_client_devices_per_rank(const struct sr_client *client, int n_devices);
/* Collective on all ranks: the world of n devices, for which the ranks are enough; the same one each time;
 * none is kept where it fails. SR_USAGE where ranks are
 * listed for another number of devices, or are no ranks, or play several and MPI's own collectives are asked for. */
enum sr_status sr_client_device_set(struct sr_client *client, int n_devices, struct sr_device_set **out, struct sr_diags *diags);
/* Collective on the world's ranks: each device's group of a list of a program's, NULL: all devices. out[k] NULL: it is in none. */
enum sr_status sr_client_group(struct sr_client *client, struct sr_device_set *world, const struct sr_program *p,
			       const struct sr_group_list *list, struct sr_group **out);
static inline struct sr_transport *sr_device_set_transport(const struct sr_device_set *w, int k)
{
	return w->transport ? sr_transport_local_device(w->transport, k) : NULL;
}
/* What this rank may have of its memory beside the others of its node that play devices of the world. */
struct sr_memory_share sr_client_memory(const struct sr_client *client, const struct sr_device_set *world, struct sr_arena *arena);
/* The machine as the world has it, and what all ranks agreed on: lines for people. */
void sr_client_print(const struct sr_client *client, const struct sr_device_set *world, struct sr_arena *arena, struct sr_buf *out);

#endif
