/* An executable: a program loaded on a client, with constants in memory, collectives prepared and JIT modules loaded. Several
 * may be open on one client. One execution at a time. */
#ifndef SR_RUN_EXECUTABLE_H
#define SR_RUN_EXECUTABLE_H

#include "run/array.h"
#include "run/background_jit.h"
#include "run/client.h"
#include "run/device.h"
#include "run/failure.h"
#include "run/shared_constants.h"

/* BACKGROUND: interpreted at first, compiled while the program runs (background_jit.h) */
enum sr_codegen_mode { SR_CODEGEN_OFF, SR_CODEGEN_AUTO, SR_CODEGEN_ON, SR_CODEGEN_BACKGROUND };
struct sr_codegen_options {
	int mode;              /* enum sr_codegen_mode */
	const char *compiler;  /* C compiler; NULL: cc */
	const char *emit;      /* folder for the generated C; NULL: none */
	int64_t executions;    /* expected executions; 0: unknown */
	unsigned targets;      /* allowed targets (sr_targets_read), of which the best that all ranks support is used; 0: any */
	const struct sr_cache *cache; /* of rank 0, in the background of each rank; NULL: no cache */
	const struct sr_program_objects *objects; /* rank 0: trusted object code from the program's file; NULL: none */
};

struct sr_executable_options {
	struct sr_codegen_options codegen;
	const char *model;   /* name of the program for messages */
	const struct sr_ffi *ffi; /* custom-call kernels, which outlive the executable; NULL: none */
	bool keeps_donated;  /* the caller keeps copies of donated arguments, to start each execution from */
	const int64_t *device_ids; /* what recordings call the devices of this rank; outlives the executable; NULL: their ids in the program */
	struct sr_buf *node; /* receives lines about the machine and compiled loop nests; NULL: not wanted */
};

struct sr_executable {
	struct sr_client *client;
	struct sr_device_set *device_set;           /* NULL before it is open */
	const char *model;
	const struct sr_program *program; /* the program, on all ranks */
	struct sr_jit_module *jit;              /* a reference; NULL: loop nests are interpreted */
	struct sr_jit_request *request; /* compilation in the background; NULL: none */
	double jit_s;                   /* seconds spent on compiling or loading them */
	int n_devices;                    /* devices of this rank; 0: the rank is idle */
	struct sr_device *devices;        /* [n_devices] */
	const int64_t *device_ids;        /* from the options */
	enum sr_status *statuses;         /* [n_devices] statuses of the last task of sr_executable_on_each_device */
	bool is_small;                    /* an execution takes some microseconds, and waits for no other process */
	struct sr_execution_record *_Atomic unused; /* owned: an execution's record, reused by the next (execution.c) */
	struct sr_constants_block *constants; /* of this rank's devices */
	void *copy;                       /* owned: rank 0's program */
	struct sr_layout **layouts;       /* [arguments, then results] layouts of arrays; NULL each until made (execution.h) */
};

/* Collective on all ranks of the client: check that there are enough ranks, broadcast the program (rank 0's), check
 * memory, and load it. Temporaries are in the arenas that all programs of the device set share. Everything is allocated in `arena`, which outlives it. Must be closed also on failure. */
enum sr_status sr_executable_open(struct sr_executable *e, struct sr_client *client, const struct sr_program *program,
				  const struct sr_executable_options *options, struct sr_arena *arena, struct sr_diags *diags);
/* Not collective. A zeroed executable is allowed. */
void sr_executable_close(struct sr_executable *e);
/* Return true if this rank's first device runs compiled code of loop nests or loops. */
static inline bool sr_executable_is_compiled(const struct sr_executable *e)
{
	return e->n_devices && e->devices[0].jit;
}
/* Return true if this rank has no device of the program. */
static inline bool sr_executable_is_idle(const struct sr_executable *e)
{
	return !e->device_set || !e->device_set->n;
}
/* Collective on the ranks that have devices: barrier. */
void sr_executable_barrier(struct sr_executable *e);
/* Collective on the ranks that have devices (an idle rank returns at once): execute the program once on its bound buffers.
 * Allocates nothing unless it fails; then the op and device are reported, unless a hook has reported (SR_DIFFERS). */
enum sr_status sr_executable_step(struct sr_executable *e, struct sr_diags *diags);
/* Run a task for each local device, the k-th one, which may call sr_device_step and sr_device_barrier. With several devices each
 * runs on a thread of its own and must not allocate from an arena that others use. */
typedef enum sr_status sr_device_task(void *data, struct sr_device *d, int k);
enum sr_status sr_executable_on_each_device(struct sr_executable *e, sr_device_task *task, void *data, struct sr_diags *diags);
/* Collective on all ranks: gather n bytes of each device, given in order of e->devices. Returns them in order of devices on rank
 * 0, NULL elsewhere. */
void *sr_executable_gather(const struct sr_executable *e, struct sr_arena *arena, const void *mine, size_t n);
/* Return the index of a device in e->devices, or -1 if it belongs to another rank. */
int sr_executable_find(const struct sr_executable *e, int64_t device);
/* Append "x=4, y=2", or "none" without a mesh. */
void sr_program_mesh_text(const struct sr_program *program, struct sr_buf *out);

/* Internal to run. Return the status of an execution with these statuses of the devices; the failure is described in *failure, unless it has
 * been reported there or by a hook. */
enum sr_status sr_executable_conclude(const struct sr_executable *e, const enum sr_status *statuses, struct sr_failure *failure);
void sr_executable_mark_failed(struct sr_device *d); /* the device has failed in a way that others do not see */
void sr_execution_record_free(struct sr_execution_record *record);
/* Internal to run, memory.c. Not collective. Return SR_NO_MEMORY, reported, if this rank's share of the memory does not hold its
 * devices and its process. */
enum sr_status sr_executable_check_memory(const struct sr_executable *e, const struct sr_executable_options *options,
    struct sr_arena *arena,
					  struct sr_diags *diags);
/* Return the bytes that the ranks sharing memory with this one can still allocate; INT64_MAX: unknown. */
int64_t sr_executable_free_memory(const struct sr_executable *e, struct sr_arena *arena);
/* Internal to run, load_jit.c. Collective on all ranks: compile the program's loop nests on rank 0 and load them on every rank,
 * or on none. SR_USAGE if their C source is requested and cannot be written. */
enum sr_status sr_executable_load_jit(struct sr_executable *e, const struct sr_executable_options *o, struct sr_arena *arena,
					struct sr_diags *diags);

#endif
