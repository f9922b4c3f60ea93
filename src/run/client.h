/* A client: the ranks of a communicator and what all programs on them share: the assignment of devices to ranks, the common
 * instruction set, worker threads, kernels, and groups for collectives, each created once. The devices of a rank execute what is put on
 * their queue (run/execution_queue.h). Everything else is done by the calling thread: collective functions are called in the same order
 * on all ranks, so by one thread at a time; with one rank, any thread may open and close executables at any time.
 *
 *	struct sr_client client = {.launch = launch};                  a launch that was begun or joined
 *	sr_client_open(&client, &(struct sr_client_options){0}, arena, diags);
 *	sr_executable_open(&e, &client, program, &options, arena, diags);    run/executable.h
 *	...
 *	sr_client_close(&client);
 *
 * Errors are reported to diags. A collective function returns the same status on all ranks; one of them has the message. */
#ifndef SR_RUN_CLIENT_H
#define SR_RUN_CLIENT_H

#include "collectives/transport.h"
#include "kernels/fast/fast.h"
#include "machine/machine.h"
#include "program/program.h"
#include "run/background_jit.h"
#include "run/device_memory.h"
#include "run/execution_queue.h"
#include "run/launch.h"
#include "run/shared_constants.h"
#include "run/workers.h"
#include "support/thread.h"

struct sr_recorder;
enum sr_placement { SR_PLACEMENT_IN_ORDER,
		   /* with K devices per rank and n devices: device d is on rank d / K, or (n - 1 - d) / K */
		   SR_PLACEMENT_REVERSED };
/* Devices per rank other than a number >= 1. ALL: all devices of a program on one rank. AUTO: the quotient of devices and ranks
 * if it is an integer, else 1; all devices without a launcher. */
enum { SR_DEVICES_ALL = -1, SR_DEVICES_AUTO = -2, SR_MAX_DEVICES_PER_RANK = 4096 };

struct sr_backend;

struct sr_client_options {
	const char *selection;      /* selects algorithms (collectives/schedule.h); NULL: the defaults */
	int threads;                /* per device of this rank; 0: chosen from the cores. May differ between ranks */
	int devices_per_rank;       /* maximum, equal on all ranks; 0: 1, and error messages do not mention the option */
	uint64_t features;          /* features of processors (fast.h) that this rank may use; ranks use the intersection */
	enum sr_placement placement;
	const int *rank_of_device;  /* [n_listed] for programs with n_listed devices, equal on all ranks; NULL: by placement */
	int n_listed;
	bool no_segment;             /* devices of a node do not share memory; equal on all ranks */
	/* treat every so many consecutive ranks of a node as a node (struct sr_transport_options); equal on all ranks; 0: real
	 * nodes */
	int ranks_per_node;
	const char *root;           /* prefix of /proc and /sys, for tests; NULL: "" */
};

struct sr_node_rank { /* a rank of this node; sent to other ranks as bytes */
	int64_t rank; /* rank; 64 bits, so that the struct has no padding */
	struct sr_memory_cgroups groups;
	struct sr_processors mask;
};

struct sr_device_set { /* the devices 0..n-1 that programs with n devices run on */
	int n_devices;
	const int *rank_of_device;      /* [n_devices] */
	const int *place_of_device;     /* [n_devices] index among the devices of its rank */
	int max_local;                       /* largest number of devices on a rank */
	int n;                          /* devices of this rank; 0: the rank is idle */
	const int64_t *devices;         /* [n] ids of this rank's devices */
	struct sr_transport *_Atomic transport; /* of the first local device; NULL: no device here, or one device without MPI */
	int threads;                    /* threads per device of this rank */
	int team_threads;               /* threads that may execute the devices in turn (device_team.h); 0: each has its own */
	struct sr_workers **workers;    /* [n] worker threads; entries are NULL for one thread */
	struct sr_execution_queue *queue; /* of this rank's devices; NULL: the rank is idle */
	struct sr_known_group *groups;  /* groups created so far */
	struct sr_device_set_memory *memory; /* of this rank's devices, for programs that run on arrays; NULL until it is opened */
	struct sr_device_set *next;
};

struct sr_client {
	const struct sr_backend *backend; /* of all devices */
	struct sr_launch launch;
	struct sr_arena *arena;         /* must outlive the client */
	struct sr_client_options options;
	struct sr_selection *selection;
	uint64_t features;              /* features that all ranks have and may use */
	enum sr_isa isa;                /* instruction set selected by them */
	int threads;                    /* threads of a device, if the rank has one */
	int n_node_ranks;               /* ranks of this node, including this one */
	const struct sr_node_rank *node_ranks;
	bool knows_machine;
	struct sr_machine_node node;
	struct sr_kernels kernels;
	bool holds_threads;             /* OpenBLAS is limited to one thread (sr_blas_begin_single_thread) */
	bool asked_dnnl;                /* oneDNN has been looked for */
	const char *without_dnnl;       /* why oneDNN cannot be used, or NULL */
	struct sr_device_set *_Atomic device_sets;
	pthread_mutex_t lock;           /* held while an executable is opened */
	bool has_lock;
	struct sr_background_jit *background_jit; /* NULL: there is no memory for one */
	struct sr_constants_list constants;
	struct sr_recorder *recorder;   /* of executions on arrays (recorder.h), which outlives the client; NULL: none */
};

/* Collective on all ranks of client->launch. SR_USAGE for a malformed selection; SR_UNSUPPORTED if BLAS cannot be used. */
enum sr_status sr_client_open(struct sr_client *client, const struct sr_client_options *options, struct sr_arena *arena,
			      struct sr_diags *diags);
/* Collective on all ranks: run this rank's part of a stage, then agree on a status (sr_launch_agree). Running out of memory in
 * the client's arena or diags->arena gives SR_NO_MEMORY. */
enum sr_status sr_client_stage(struct sr_client *client, enum sr_status (*part)(void *data), void *data, struct sr_diags *diags);
/* Reserve memory in the client's arena for the next collective calls (transports, groups, regions), enough for some hundred
 * devices, so that none of them runs out of memory while other ranks wait. Called within a stage. */
void sr_client_reserve(struct sr_client *client);
/* Collective on all ranks: enable oneDNN if the program can use it and all ranks have the same version. */
void sr_client_open_dnnl(struct sr_client *client, const struct sr_program *program);
/* Wait until no execution is queued. */
void sr_client_drain(struct sr_client *client);
/* Collective. All executables must have been closed. The launch stays open. A zeroed client is allowed. */
void sr_client_close(struct sr_client *client);
/* Return the maximum number of devices per rank for programs with n devices. */
int sr_client_devices_per_rank(const struct sr_client *client, int n_devices);
/* Collective on all ranks: return the device set for n devices, creating it if needed; there must be enough ranks. SR_USAGE if
 * the listed ranks are invalid or for another number of devices, or if a rank has several devices and MPI's own collectives are
 * selected. */
enum sr_status sr_client_device_set(struct sr_client *client, int n_devices, struct sr_device_set **out, struct sr_diags *diags);
/* Collective on the ranks that have devices: return the group of each local device in a program's group list (NULL: all
 * devices). out[k] is NULL if the device is in no group. */
enum sr_status sr_client_group(struct sr_client *client, struct sr_device_set *device_set, const struct sr_program *p,
			       const struct sr_group_list *list, struct sr_group **out);
static inline struct sr_transport *sr_device_set_transport(const struct sr_device_set *w, int k)
{
	return w->transport ? sr_transport_local_device(w->transport, k) : NULL;
}
/* Return this rank's share of the memory among the ranks of its node that have devices of the set. */
struct sr_memory_share sr_client_memory(const struct sr_client *client, const struct sr_device_set *device_set,
					struct sr_arena *arena);
/* Append lines that describe the machine and what the ranks agreed on. */
void sr_client_print(const struct sr_client *client, const struct sr_device_set *device_set, struct sr_arena *arena,
		     struct sr_buf *out);

#endif
