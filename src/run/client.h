/* A client: the ranks of one communicator, and what they have in common for all programs that run on them: who plays which
 * device, the least instruction set among them, the workers of each, kernels, and the groups that collectives take place in, each
 * made once.
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
#include "run/launch.h"
#include "run/workers.h"

enum sr_placement { SR_PLACEMENT_IN_ORDER,
		   SR_PLACEMENT_REVERSED }; /* device d is played by rank d, or by rank n - 1 - d of n devices */

struct sr_client_options {
	const char *selection;      /* of algorithms (collectives/schedule.h); NULL: the defaults */
	int threads;                /* that work here; 0: by the machine. Ranks may have different numbers of them */
	enum sr_isa isa;            /* at most this here; all ranks use the least */
	enum sr_placement placement;
	const int *rank_of_device;  /* [n_listed] different ranks, for a program of so many devices, alike on all ranks; NULL: by placement */
	int n_listed;
	bool no_window;             /* devices of a node do not read each other's memory; alike on all ranks */
	int ranks_per_node;         /* so many neighbours of a node are taken for one (struct sr_transport_options); alike on all ranks; 0: all */
	const char *root;           /* where this machine's /proc and /sys are; NULL: "" */
};

struct sr_neighbour { /* a rank of my node */
	int64_t rank; /* no gap that is sent */
	struct sr_memory_groups groups;
};

struct sr_world { /* the devices 0..n-1 of programs that have n */
	int n_devices;
	const int *rank_of_device;      /* [n_devices] */
	int64_t device;                 /* that this rank plays; -1: none */
	struct sr_transport *transport; /* NULL where this rank plays none, or there is no MPI */
	struct sr_known_group *groups;  /* that were made */
	struct sr_world *next;
};

struct sr_client {
	struct sr_launch launch;
	struct sr_arena *arena;         /* outlives it */
	struct sr_client_options options;
	struct sr_selection *selection;
	enum sr_isa isa;                /* of all ranks */
	int threads;                    /* of this rank */
	struct sr_workers *workers;     /* NULL: one thread */
	int n_neighbours;               /* ranks of my node, this one among them */
	const struct sr_neighbour *neighbours;
	bool knows_machine;
	struct sr_machine_node node;
	struct sr_kernels kernels;
	bool asked_dnnl;                /* whether oneDNN is there */
	const char *without_dnnl;       /* why it cannot be used here, where that is to be said */
	struct sr_world *worlds;
};

/* Collective on all ranks of client->launch. SR_USAGE for a malformed selection; SR_UNSUPPORTED where BLAS cannot be used. */
enum sr_status sr_client_open(struct sr_client *client, const struct sr_client_options *options, struct sr_arena *arena,
			      struct sr_diags *diags);
/* Collective on all ranks: oneDNN, where the program has a use for it and all ranks have the same version. */
void sr_client_load(struct sr_client *client, const struct sr_program *program);
/* Collective. Executables on it have been closed. The launch goes on. Zeroes are fine. */
void sr_client_close(struct sr_client *client);
/* Collective on all ranks: the world of n devices, at most the number of ranks; the same one each time. SR_USAGE where ranks are
 * listed for another number of devices, or are no ranks. */
enum sr_status sr_client_world(struct sr_client *client, int n_devices, struct sr_world **out, struct sr_diags *diags);
/* Collective on the world's devices: the group of a list of a program's, NULL: all devices. *out NULL: I am in none. */
enum sr_status sr_client_group(struct sr_client *client, struct sr_world *world, const struct sr_program *p,
			       const struct sr_group_list *list, struct sr_group **out);
/* What this rank may have of its memory beside the others of its node that play devices of the world. */
struct sr_memory_share sr_client_memory(const struct sr_client *client, const struct sr_world *world, struct sr_arena *arena);
/* The machine as the world has it, and what all ranks agreed on: lines for people. */
void sr_client_print(const struct sr_client *client, const struct sr_world *world, struct sr_arena *arena, struct sr_buf *out);

#endif
