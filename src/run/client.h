/* A client: the ranks of a communicator and the state that all programs on them share: the assignment of devices to ranks, the
 * common instruction set, worker threads, kernels, and groups for collectives, each created once. The devices of a rank execute the
 * tasks on their queue (run/execution_queue.h). Everything else is done by the calling thread: collective functions are called in
 * the same order on all ranks, so by one thread at a time; with one rank, any thread may open and close executables at any time.
 *
 *	struct sr_client client = {.launch = launch};                  launch: from sr_launch_begin or sr_launch_join
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
#include "run/loaded_program.h"
#include "run/shared_constants.h"
#include "run/workers.h"
#include "support/thread.h"

struct sr_recorder;
enum sr_placement { SR_PLACEMENT_IN_ORDER,
		   /* Placements with K devices per rank and n devices: IN_ORDER puts device d on rank d / K, REVERSED on rank (n -
		    * 1 - d) / K. */
		   SR_PLACEMENT_REVERSED };
/* Devices per rank other than a number >= 1. ALL: all devices of a program on one rank. AUTO: the quotient of devices and ranks
 * if it is an integer, else 1; all devices without a launcher. */
enum { SR_DEVICES_ALL = -1, SR_DEVICES_AUTO = -2, SR_MAX_DEVICES_PER_RANK = 4096 };

struct sr_backend;

struct sr_client_options {
	const char *selection;      /* text that selects algorithms of collectives (collectives/schedule.h); NULL: the defaults */
	int threads; /* threads per device of this rank; 0: chosen from the number of cores. May differ between ranks */
	/* maximum number of devices per rank, equal on all ranks; 0: 1, and error messages do not mention the option */
	int devices_per_rank;
	uint64_t features;          /* features of processors (fast.h) that this rank may use; ranks use the intersection */
	enum sr_placement placement;
	/* rank of each device for programs with n_listed devices, equal on all ranks; length: n_listed; NULL: by placement */
	const int *rank_of_device;
	int n_listed;
	enum sr_time_blocking time_blocking; /* order of stencil loops on this rank; may differ between ranks */
	bool no_segment;             /* true: devices of a node do not share memory segments; equal on all ranks */
	/* number of consecutive ranks of a node that are treated as a node of their own (struct sr_transport_options); equal on all
	 * ranks; 0: real nodes */
	int ranks_per_node;
	const char *root;           /* prefix of /proc and /sys, for tests; NULL: "" */
};

struct sr_node_rank { /* a rank of this node; sent to other ranks as bytes */
	int64_t rank; /* rank number; 64 bits, so that the struct has no padding */
	struct sr_memory_cgroups groups;
	struct sr_processors mask;
};

struct sr_device_set { /* a device set: the devices 0..n-1 that programs with n devices run on */
	int n_devices;
	const int *rank_of_device;      /* rank of each device; length: n_devices */
	const int *index_on_rank;       /* index of each device among the devices of its rank; length: n_devices */
	int max_local;                       /* largest number of devices on any rank */
	int n;                          /* number of devices of this rank; 0: the rank is idle */
	const int64_t *devices;         /* ids of this rank's devices; length: n */
	/* transport of the first local device; NULL: no device here, or a single device without MPI */
	struct sr_transport *_Atomic transport;
	int threads;                    /* number of worker threads per device of this rank */
	/* number of threads that execute the devices in turn (device_team.h); 0: each device has its own thread */
	int team_threads;
	struct sr_workers **workers;    /* worker threads of each local device, NULL for a single thread; length: n */
	/* True if there are idle ranks, and the rank of device 0 sends them the status of each execution (idle_ranks.h). It is
	 * false if a rank has several devices and only one thread may call MPI: the threads on which executions end may not send
	 * then. Equal on all ranks. */
	bool tells_idle;
	uint64_t n_told;                /* number of executions so far whose end idle ranks are told; equal on all ranks */
	/* execution queue of this rank's devices; an idle rank's queue has tasks that wait for the ends of executions, or is NULL
	 * if idle ranks are not told */
	struct sr_execution_queue *queue;
	struct sr_known_group *groups;  /* groups created so far, by their lists */
	/* pools and arenas of this rank's devices, for programs that run on arrays; NULL until opened */
	struct sr_device_set_memory *memory;
	struct sr_device_set *next;
};

struct sr_client {
	const struct sr_backend *backend; /* backend of all devices */
	struct sr_launch launch;
	struct sr_arena *arena;         /* arena of the client's tables, which must outlive the client */
	struct sr_client_options options;
	struct sr_selection *selection;
	uint64_t features;              /* processor features that all ranks have and may use */
	bool has_funneled;              /* true if on some rank only the thread that initialized MPI may call MPI */
	enum sr_isa isa;                /* instruction set selected from `features` */
	int threads;                    /* number of threads of a device, if the rank has only one */
	int n_node_ranks;               /* number of ranks of this node, including this one */
	const struct sr_node_rank *node_ranks;
	bool has_machine;
	struct sr_machine_node node;
	struct sr_kernels kernels;
	bool limits_blas_threads;             /* true while OpenBLAS is limited to one thread (sr_blas_begin_single_thread) */
	bool has_tried_dnnl;            /* true once oneDNN has been looked for */
	const char *without_dnnl;       /* why oneDNN cannot be used, or NULL */
	struct sr_device_set *_Atomic device_sets;
	pthread_mutex_t lock;           /* held while an executable is opened */
	bool has_lock;
	struct sr_background_jit *background_jit; /* state of background compilation; NULL: there was no memory for it */
	struct sr_constants_list constants;
	struct sr_recorder *recorder;   /* recorder of executions on arrays (recorder.h), which outlives the client; NULL: none */
};

/* Open a client. Collective on all ranks of client->launch. Returns SR_USAGE for a malformed selection of algorithms;
 * SR_UNSUPPORTED if BLAS cannot be used. */
enum sr_status sr_client_open(struct sr_client *client, const struct sr_client_options *options, struct sr_arena *arena,
			      struct sr_diags *diags);
/* Run this rank's part of a stage, then agree with all ranks on a status (sr_launch_agree). Collective on all ranks. Returns
 * SR_NO_MEMORY if memory runs out in the client's arena or diags->arena. */
enum sr_status sr_client_stage(struct sr_client *client, enum sr_status (*stage)(void *data), void *data, struct sr_diags *diags);
/* Reserve memory in the client's arena for the next collective calls (transports, groups, regions), enough for some hundred
 * devices, so that none of them runs out of memory while other ranks wait. Called within a stage. */
void sr_client_reserve(struct sr_client *client);
/* Enable oneDNN if the program can use it and all ranks have the same version. Collective on all ranks. */
void sr_client_open_dnnl(struct sr_client *client, const struct sr_program *program);
/* Wait until no execution is queued. */
void sr_client_drain(struct sr_client *client);
/* Close the client, but not the launch. Collective. All executables must have been closed. Does nothing if the client is zeroed. */
void sr_client_close(struct sr_client *client);
/* Return the maximum number of devices per rank for programs with n devices. */
int sr_client_devices_per_rank(const struct sr_client *client, int n_devices);
/* Return the device set for n devices, which is created on first use; there must be enough ranks. Collective on all ranks. Returns
 * SR_USAGE if the listed ranks are invalid or for another number of devices, or if a rank has several devices and MPI's own
 * collectives are selected. */
enum sr_status sr_client_device_set(struct sr_client *client, int n_devices, struct sr_device_set **out, struct sr_diags *diags);
/* Return the group of each local device in a program's list of groups (NULL: one group of all devices). Collective on the ranks
 * that have devices. out[k] is NULL if the device is in no group. */
enum sr_status sr_client_group(struct sr_client *client, struct sr_device_set *device_set, const struct sr_program *p,
			       const struct sr_group_list *list, struct sr_group **out);
static inline struct sr_transport *sr_device_set_transport(const struct sr_device_set *w, int k)
{
	return w->transport ? sr_transport_local_device(w->transport, k) : NULL;
}
/* Return this rank's share of the memory among the ranks of its node that have devices of the set. */
struct sr_memory_share sr_client_memory(const struct sr_client *client, const struct sr_device_set *device_set,
					struct sr_arena *arena);
/* Append lines that describe the machine and the settings that the ranks agreed on. */
void sr_client_print(const struct sr_client *client, const struct sr_device_set *device_set, struct sr_arena *arena,
		     struct sr_buf *out);

#endif
