/* An executable: a program on a client, with all that it needs to step: its constants in memory, its collectives prepared, its
 * compiled units
 * loaded. Several may be open on one client. One execution at a time. */
#ifndef SR_RUN_EXECUTABLE_H
#define SR_RUN_EXECUTABLE_H

#include "run/client.h"
#include "run/device.h"

enum sr_codegen_mode { SR_CODEGEN_OFF, SR_CODEGEN_AUTO, SR_CODEGEN_ON };
struct sr_codegen_options {
	int mode;              /* enum sr_codegen_mode */
	const char *compiler;  /* NULL: cc */
	const char *emit;      /* folder that gets the C; NULL: none */
	int64_t executions;    /* that there will be; 0: not known */
	unsigned targets;      /* of these (sr_targets_read) the best that all ranks run; 0: the best that they run */
	const struct sr_cache *cache; /* of rank 0; NULL: nothing is kept */
	const struct sr_program_objects *units; /* rank 0: that the program's file has and that may be trusted; NULL: none */
};

struct sr_executable_options {
	struct sr_codegen_options codegen;
	const char *model;   /* the program's name for messages */
	const struct sr_ffi *ffi; /* kernels of users, which outlive it; NULL: none */
	bool keeps_donated;  /* the caller has copies of donated arguments, from which each execution starts */
	struct sr_buf *node; /* gets lines about the machine and the tiles; NULL: not wanted */
};

struct sr_executable {
	struct sr_client *client;
	struct sr_device_set *world;           /* NULL before it is open */
	const char *model;
	const struct sr_program *program; /* on all ranks */
	struct sr_jit_module *unit;             /* owned; NULL: tiles are interpreted */
	double jit_s;                   /* seconds that making them took, or fetching them */
	int n_devices;                    /* that this rank plays; 0: it is spare */
	struct sr_device *devices;        /* [n_devices] */
	enum sr_status *statuses;         /* [n_devices]: of what they were told to do */
	struct sr_shared_region *region;         /* owned: theirs in the node's window; NULL: none */
};

/* Collective on all ranks of the client: see that the ranks are enough, bring the program (rank 0's counts, which outlives it) to
 * all, see that
 * it fits, load it. Everything of it is in `arena`, which outlives it. To be closed also where it fails. */
enum sr_status sr_executable_open(struct sr_executable *e, struct sr_client *client, const struct sr_program *program,
				  const struct sr_executable_options *options, struct sr_arena *arena, struct sr_diags *diags);
/* Not collective. Zeroes are fine. */
void sr_executable_close(struct sr_executable *e);
/* This rank plays no device of it. */
static inline bool sr_executable_is_idle(const struct sr_executable *e)
{
	return !e->world || !e->world->n;
}
/* Collective on the ranks that play devices: all are here. */
void sr_executable_barrier(struct sr_executable *e);
/* Collective on the devices (a spare rank returns at once): run the program once on the values where they lie. Allocates nothing
 * unless it
 * fails: which op on which device is reported then, unless a hook has told (SR_DIFFERS). */
enum sr_status sr_executable_step(struct sr_executable *e, struct sr_diags *diags);
/* The same where each device does something of its own with steps in it (sr_device_step, sr_device_barrier): `k`-th of mine, on a
 * thread of its own where the rank plays several, which must take nothing from an arena that others use. */
typedef enum sr_status sr_device_task(void *data, struct sr_device *d, int k);
enum sr_status sr_executable_on_each_device(struct sr_executable *e, sr_device_task *task, void *data, struct sr_diags *diags);
/* Collective on all ranks: n bytes of each device, mine in order of e->devices; on rank 0 all of them in order of devices, NULL
 * elsewhere. */
void *sr_executable_gather(const struct sr_executable *e, struct sr_arena *arena, const void *mine, size_t n);
/* My place among e->devices of a device; -1: another rank's. */
int sr_executable_find(const struct sr_executable *e, int64_t device);
/* "x=4, y=2"; "none" without a mesh. */
void sr_program_mesh_text(const struct sr_program *program, struct sr_buf *out);

/* Internal to run, memory.c. SR_NO_MEMORY, reported, where this rank's part of the memory does not hold the device and its
 * process: not
 * collective. */
enum sr_status sr_executable_check_memory(const struct sr_executable *e, const struct sr_executable_options *options,
    struct sr_arena *arena,
					  struct sr_diags *diags);
/* Bytes that the ranks which share memory with this one have left before they map theirs; INT64_MAX: not known. */
int64_t sr_executable_free_memory(const struct sr_executable *e, struct sr_arena *arena);
/* Internal to run. Collective on all ranks, load_jit.c: the program's tiles compiled on rank 0 and loaded by every device, or by
 * none. SR_USAGE
 * where their C is asked for and cannot be written. */
enum sr_status sr_executable_load_jit(struct sr_executable *e, const struct sr_executable_options *o, struct sr_arena *arena,
					struct sr_diags *diags);

#endif
