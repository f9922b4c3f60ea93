/* One device's part of a loaded program: its memory, prepared collectives, and what libraries and custom calls prepare for it. A
 * plain struct; a rank may have several, which share the program's tables (loaded_program.h). Executions have state of their own
 * (execution_context.h), and change here only what monitoring threads read and the times of loops. */
#ifndef SR_RUN_DEVICE_H
#define SR_RUN_DEVICE_H

#include "collectives/transport.h"
#include "kernels/kernel_chunk.h"
#include "run/ffi.h"
#include "run/loaded_program.h"
#include "run/profile.h"
#include "run/workers.h"
#include "support/clock.h"
#include "support/diag.h"
#include "support/thread.h"

struct sr_ready_chunk { /* a chunk of a kernel instruction */
	/* the kernel that a library has prepared, owned by this struct, which one thread at a time may run; NULL: the chunk is a
	 * call of the kernel table's function */
	struct sr_prepared_kernel *prepared;
	struct sr_kernel_chunk chunk;  /* zero if the chunk is the entire instruction */
};

/* Return the bytes between two terms of a result in the memory for terms. */
static inline int64_t sr_ready_chunk_term_bytes(const struct sr_ready_chunk *c)
{
	return (c->chunk.term_bytes + 63) / 64 * 64;
}

struct sr_loop_times;
struct sr_device_instr { /* a device's own part of a prepared instruction (struct sr_ready_instr has the shared part) */
	struct sr_ready_chunk *chunks;            /* chunks of a kernel, length: n_chunks; NULL: its range is split */
	int64_t n_chunks;
	struct sr_prepared_collective *collective; /* for SR_INSTR_COLLECTIVE; NULL: this device is in no group, or the only device */
	struct sr_ffi_call *call;                 /* for SR_INSTR_CUSTOM_CALL: the prepared call; NULL: no kernel is registered */
	struct sr_loop_times *times;              /* for a loop that can be compiled (loop_times.h) */
};

struct sr_client;
struct sr_device_set;
struct sr_device_team;

/* Number of entries in the ring buffer of the last instructions that a device began. The ring is atomic for a monitoring thread
 * (support/thread.h). */
enum { SR_FLIGHT_RECORDS = 8 };
struct sr_flight_recorder {
	_Atomic uint64_t executed;           /* number of instructions begun */
	_Atomic int32_t instrs[SR_FLIGHT_RECORDS];   /* number of the k-th instruction begun, at index k % SR_FLIGHT_RECORDS */
};

struct sr_device {
	const struct sr_program *program;
	const struct sr_loaded_program *loaded;
	int64_t id;       /* device id, 0..n_devices-1 */
	char *arena;      /* memory of at least arena_bytes, 64-byte aligned, which other programs use too */
	char *scratch;    /* scratch of the first worker: first_worker_scratch bytes of the loaded program */
	char *other_workers_scratch; /* scratch of the other workers: worker_scratch bytes for each */
	char *terms;      /* terms of a result that chunks compute: term_bytes bytes of the loaded program */
	char *nest_scratch; /* scratch of interpreted loop nests: nest_scratch bytes for each worker */
	int64_t mapped_bytes;   /* number of bytes used, counted from `arena` */
	int64_t in_segment; /* number of those bytes that other devices of the node read in place */
	struct sr_workers *workers; /* worker threads; NULL: none */
	struct sr_transport *transport; /* transport of the device; NULL: there is only one device */
	struct sr_device_set_memory *memory; /* pools and arenas of the process's devices; this device uses arena k */
	int k;
	struct sr_device_team *team;    /* team of devices that one thread executes in turn; NULL: none (device_team.h) */
	const struct sr_ffi *ffi;       /* kernels of custom calls; NULL: none */
	struct sr_device_instr *own;    /* this device's part of each instruction; length: number of instructions */
	int64_t max_collective_scratch;     /* largest scratch that any collective needs, in bytes */
	struct sr_profile *profile; /* records instruction times of executions that begin from now on; NULL: off */
	struct sr_flight_recorder flight_recorder;
	_Atomic int64_t current; /* number of the current instruction, atomic for a monitoring thread; -1: none */
};

/* Prepare the device's part of its program: custom calls, and kernels that libraries prepare, whose scratch is added to the loaded
 * program's. In `arena`, which outlives the device. Not collective: it may fail on one rank alone. */
enum sr_status sr_device_prepare(struct sr_device *d, struct sr_loaded_program *l, struct sr_arena *arena, struct sr_diags *diags);
/* Use the start of the arena for buffers, scratch, scratch of further workers, and scratch of interpreted loop nests, when all
 * devices are prepared. Loop nests have scratch of their own, since they are executed inside of kernels with a body. Not
 * collective. */
enum sr_status sr_device_place_memory(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
/* Create groups and prepare all collectives of the n local devices. Collective on all ranks that have devices if there is a
 * transport; otherwise client and device_set may be NULL. */
enum sr_status sr_devices_connect(struct sr_device *devices, int n, struct sr_client *client, struct sr_device_set *device_set,
				  struct sr_arena *arena, struct sr_diags *diags);
void sr_device_unload(struct sr_device *d); /* Unload the program; also after preparation has failed. */
void sr_device_barrier(struct sr_device *d); /* Barrier of all devices. Collective. */

/* ---- internal to run ---- */
void sr_device_prepare_kernels(struct sr_device *d, struct sr_loaded_program *l,
			       struct sr_arena *arena); /* Defined in prepare_kernels.c. */
void sr_device_release_kernels(struct sr_device *d);
bool sr_device_map_segment(struct sr_device *d,
			   struct sr_arena *arena); /* Defined in segment_pages.c. Returns false if memory runs out. */
/* Return a counter that increases at a constant rate, for sums of short times. On x86 it is the time stamp counter, from which the
 * system computes its monotonic clock: a collective between two cores may take 100 ns, and reading the clock before and after
 * it 40 ns. Elsewhere a tick is a nanosecond of sr_now. */
static inline uint64_t sr_ticks(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return (uint64_t)(1e9 * sr_now());
#endif
}

#endif
