/* An executable: a program loaded on a client, with constants in memory, collectives prepared and JIT modules loaded. Several
 * may be open on one client, and executions of one may be under way at the same time (execution.h). */
#ifndef SR_RUN_EXECUTABLE_H
#define SR_RUN_EXECUTABLE_H

#include "run/array.h"
#include "run/background_jit.h"
#include "run/client.h"
#include "run/execution_context.h"
#include "run/failure.h"
#include "run/shared_constants.h"

/* Modes of JIT compilation. BACKGROUND: loop nests are interpreted at first, and compiled while the program runs
 * (background_jit.h). */
enum sr_codegen_mode { SR_CODEGEN_OFF, SR_CODEGEN_AUTO, SR_CODEGEN_ON, SR_CODEGEN_BACKGROUND };
struct sr_codegen_options {
	int mode;              /* mode of JIT compilation, an enum sr_codegen_mode */
	const char *compiler;  /* command of the C compiler; NULL: cc */
	const char *emit;      /* folder that the generated C is written to; NULL: none */
	int64_t executions;    /* expected number of executions; 0: unknown */
	unsigned targets;      /* set of allowed targets (sr_targets_read); the best one that all ranks support is used; 0: any */
	/* cache of object code, of rank 0 or, for compilation in the background, of each rank; NULL: no cache */
	const struct sr_cache *cache;
	const struct sr_program_objects *objects; /* rank 0: trusted object code from the program's file; NULL: none */
};

struct sr_executable_options {
	struct sr_codegen_options codegen;
	const char *model;   /* name of the program in messages */
	const struct sr_ffi *ffi; /* kernels for custom calls, which outlive the executable; NULL: none */
	bool keeps_donated;  /* true if the caller keeps copies of donated arguments, from which each execution starts */
	/* ids under which recordings list this rank's devices; must outlive the executable; NULL: the program's device ids */
	const int64_t *device_ids;
	struct sr_buf *node; /* receives lines about the machine and compiled loop nests; NULL: not wanted */
};

enum {
	SR_KEPT_RECORDS = 2
}; /* records kept for reuse: a loop that begins an execution before the previous one ends allocates nothing */

struct sr_executable {
	struct sr_client *client;
	struct sr_device_set *device_set;           /* device set that the program runs on; NULL until the executable is open */
	const char *model;
	const struct sr_program *program; /* the program; set on all ranks */
	struct sr_jit_module *jit;              /* reference to the module of compiled loop nests; NULL: loop nests are interpreted */
	struct sr_jit_request *request; /* request of compilation in the background; NULL: none */
	char jit_failure[200];          /* rank 0: reason why the module could not be compiled; "": none */
	double jit_s;                   /* seconds spent on compiling or loading the JIT module */
	int n_devices;                    /* number of devices of this rank; 0: the rank is idle */
	struct sr_loaded_program loaded;  /* tables that this rank's devices share; zero on an idle rank */
	struct sr_device *devices;        /* devices of this rank; length: n_devices */
	const int64_t *device_ids;        /* ids by which recordings name the local devices; NULL: ids within the program */
	bool is_small;                    /* true if an execution takes some microseconds only, and does not wait for other processes */
	/* records of executions that have ended, owned, which the next executions reuse (execution.c); NULL: none */
	struct sr_execution_record *_Atomic unused[SR_KEPT_RECORDS];
	struct sr_constants_block *constants; /* constants, shared by this rank's devices */
	void *copy;                       /* copy of the program that rank 0 passed, owned */
	struct sr_layout **layouts;       /* layouts of the arrays for arguments, then results; entries are NULL until created (execution.h) */
};

/* Load a program on all devices: check that there are enough ranks, broadcast the program from rank 0, check memory, and load it.
 * Collective on all ranks of the client. Temporaries are in the arenas that all programs of the device set share. Tables are
 * allocated in `arena`, which outlives the executable. The executable must be closed even after a failure. */
enum sr_status sr_executable_open(struct sr_executable *e, struct sr_client *client, const struct sr_program *program,
				  const struct sr_executable_options *options, struct sr_arena *arena, struct sr_diags *diags);
/* Unload the program. Not collective. Does nothing if the executable is zeroed. */
void sr_executable_close(struct sr_executable *e);
/* Return true if this rank has compiled code of loop nests or loops, which executions that begin from now on use. */
static inline bool sr_executable_is_compiled(const struct sr_executable *e)
{
	return e->n_devices && (e->loaded.jit || (e->request && sr_background_jit_module(e->request)));
}
/* Return true if this rank has no device of the program. */
static inline bool sr_executable_is_idle(const struct sr_executable *e)
{
	return !e->device_set || !e->device_set->n;
}
/* Wait until all devices have reached the barrier. Collective on the ranks that have devices. */
void sr_executable_barrier(struct sr_executable *e);
/* Gather n bytes of each device on rank 0. Collective on all ranks. Each rank passes its bytes in the order of e->devices. Returns
 * them in order of device ids on rank 0, NULL elsewhere. */
void *sr_executable_gather(const struct sr_executable *e, struct sr_arena *arena, const void *own_data, size_t n);
/* Return the index of a device in e->devices, or -1 if it belongs to another rank. */
int sr_executable_find(const struct sr_executable *e, int64_t device);
/* Append the program's mesh as "x=4, y=2", or "none" without a mesh. */
void sr_program_mesh_text(const struct sr_program *program, struct sr_buf *out);

/* Internal to run. Return the status of an execution that has ended, from its contexts; the failure is described in *failure,
 * unless it has been reported there or by a hook. */
enum sr_status sr_executable_conclude(const struct sr_executable *e, const struct sr_execution_context *contexts,
				      struct sr_failure *failure);
void sr_execution_record_free(struct sr_execution_record *record);
/* Check that this rank's share of the memory holds its devices and its process; otherwise return SR_NO_MEMORY, reported. Not
 * collective. Internal to run (memory.c). */
enum sr_status sr_executable_check_memory(const struct sr_executable *e, const struct sr_executable_options *options,
    struct sr_arena *arena,
					  struct sr_diags *diags);
/* Return the number of bytes that the ranks sharing memory with this one can still allocate; INT64_MAX: unknown. */
int64_t sr_executable_free_memory(const struct sr_executable *e, struct sr_arena *arena);
/* Compile the program's loop nests on rank 0 and load them on every rank, or on none. Collective on all ranks. Returns SR_USAGE if
 * their C source is requested and cannot be written. Internal to run (load_jit.c). */
enum sr_status sr_executable_load_jit(struct sr_executable *e, const struct sr_executable_options *o, struct sr_arena *arena,
				      struct sr_diags *diags);

#endif
