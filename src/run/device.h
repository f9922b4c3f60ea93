/* One device's copy of a program: its memory, where each buffer lies in it, its steps with all that they need at hand, its prepared
 * collectives. A plain struct: a rank may have several.
 *
 * A buffer lies at an offset of the arena, unless it belongs to an argument or result that is bound to memory of the caller's
 * (sr_device_bind): then at the same place within that. Nothing is looked up or allocated in a step. */
#ifndef SR_RUN_DEVICE_H
#define SR_RUN_DEVICE_H

#include "codegen/jit.h"
#include "collectives/transport.h"
#include "kernels/kernel_chunk.h"
#include "program/program.h"
#include "run/ffi.h"
#include "run/hooks.h"
#include "run/profile.h"
#include "run/workers.h"
#include "support/diag.h"
#include "support/thread.h"

struct sr_ready_loop { /* a compiled one */
	int n;
	const int32_t *buffers; /* [n]: each of a region (codegen/loop_c.h) */
	void **at;              /* [n]: where it lies, filled when the loop is called */
};

struct sr_ready_chunk { /* of a step that a library made ready */
	struct sr_prepared_kernel *made; /* owned */
	struct sr_kernel_chunk part;   /* zeros where it is the whole */
};

struct sr_ready_instr {
	sr_kernel_fn *fn;                     /* SR_INSTR_KERNEL */
	struct sr_ready_chunk *parts;          /* [n_parts]; NULL: no kernel, or fn plays it */
	int64_t n_parts;
	const struct sr_jit_function *compiled;  /* SR_INSTR_NEST, SR_INSTR_WHILE; NULL: interpreted */
	struct sr_ready_loop *loop;           /* SR_INSTR_WHILE, compiled */
	struct sr_nest_prepared *tile;           /* owned; NULL: no tile, or compiled */
	struct sr_prepared_collective *prepared;         /* SR_INSTR_COLLECTIVE; NULL: I am in no group of it, or alone */
	const void *params;
	void **operands;                      /* in the device's operands */
	const struct sr_instr *shifted;        /* the step, where operands begin behind their buffers' (struct sr_dynamic_offset); NULL */
	int64_t range;                        /* a tile's: its pieces */
	int64_t grain;                        /* of the parts that workers share; 0: it is one worker's */
	bool apart;                           /* each part is one call (struct sr_kernel_split) */
	struct sr_buffer_swap *exchange;         /* SR_INSTR_WHILE: those of its body, a list; SR_READY_SWAP: the one; NULL: none */
	struct sr_ffi_call *call;             /* SR_INSTR_CUSTOM_CALL; NULL: there is no such kernel */
	enum sr_instr_kind kind;
};
/* A kind that no program has: a copy that has become an exchange (buffer_swap.c). */
enum { SR_READY_SWAP = SR_INSTR_COUNT };

struct sr_bindings;
struct sr_client;
struct sr_device_set;

/* The steps that a device played last, noted for a watch (support/thread.h). */
enum { SR_FLIGHT_RECORDS = 8 };
struct sr_flight_recorder {
	_Atomic uint64_t played;            /* steps begun */
	_Atomic int32_t steps[SR_FLIGHT_RECORDS];   /* the k-th of them at k % SR_FLIGHT_RECORDS */
};

/* A loop that a device is in, from the innermost on. */
struct sr_loop_frame {
	const struct sr_loop_frame *outer;
	int64_t iteration; /* from 0 */
};

struct sr_device {
	const struct sr_program *program;
	int64_t id;       /* 0..n_devices-1 */
	char *arena;      /* arena_bytes, 64-aligned */
	char *scratch;    /* first_scratch bytes: the program's, or what libraries want where that is more */
	int64_t first_scratch;
	char *more_scratch; /* of the workers beside the first: worker_scratch each */
	int64_t worker_scratch;
	int64_t mapped;   /* bytes from `arena` on that are this device's */
	int64_t in_segment; /* of them, which neighbours read in place */
	struct sr_workers *workers; /* NULL: the caller alone */
	const struct sr_kernels *kernels;
	struct sr_transport *transport; /* NULL: one device alone */
	struct sr_shared_region *region;       /* what others of the node read of the arena; NULL: nothing */
	const struct sr_ffi *ffi;       /* kernels of users; NULL: none */
	const struct sr_jit_module *unit;     /* compiled tiles; NULL: all are interpreted */
	void **at;                      /* [buffers]: where each lies now */
	void **operands;                /* [operands]: at[] of each operand of each step */
	struct sr_ready_instr *steps;    /* [steps] */
	struct sr_bindings *slots;         /* which buffers lie in which argument or result (bindings.c) */
	char *tile_scratch;             /* owned: of the interpreted tile that needs most, for each worker */
	size_t tile_scratch_bytes;      /* of one */
	int64_t collective_scratch;     /* of the collective that needs most */
	double collective_s; /* in collectives of the current step */
	int under_way;    /* collectives that have started, not finished, and send messages */
	double advanced;  /* when those went on last */
	int64_t partitions; /* that partition_id and replica_id count by: the program's, or of the grid of a run_parallel */
	struct sr_hooks hooks;
	bool apart;       /* inside a program of run_parallel: what this device sees is its own */
	struct sr_profile *profile; /* gets notes of the steps; NULL: not wanted */
	struct sr_flight_recorder flight;
	const struct sr_loop_frame *loop; /* NULL: in none; compiled loops are none */
	_Atomic int64_t current; /* step being run, noted for the watch; -1: none */
};

/* Collective on all ranks that play devices, before memory is allocated: the part of the node's window that the program has a use
 * for
 * on each device, d one of mine (segment_pages.c); to be closed when the devices are unloaded. NULL: none. */
struct sr_shared_region *sr_device_open_segment(const struct sr_device *d, struct sr_arena *arena);
/* Memory, with constants in it and arguments of zeros, and tables in `arena`, which outlives the device: its own business, which
 * may fail on one alone. */
enum sr_status sr_device_allocate(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
/* Find groups and prepare every collective, of the n devices that this rank plays. Collective on all ranks that play devices where
 * there is a transport. Client and world may be NULL without. */
enum sr_status sr_devices_connect(struct sr_device *devices, int n, struct sr_client *client, struct sr_device_set *world,
				  struct sr_arena *arena, struct sr_diags *diags);
void sr_device_unload(struct sr_device *d);
/* Run the entry plan once. Collective. Allocates nothing. Where it fails, d->current is the step. */
enum sr_status sr_device_step(struct sr_device *d);
void sr_device_barrier(struct sr_device *d); /* collective: all are here */

/* ---- arguments and results in memory of the caller's (bindings.c); i counts arguments, then results ---- */
/* From now on value i lies at `data`: as many bytes as its buffer has, rounded up to 64 and aligned so; NULL: in the arena again.
 * False: other values lie across its bounds, so that it stays where it is, and the caller copies. What its memory held is not
 * moved. A result in a donated argument's memory goes where that goes. */
bool sr_device_bind(struct sr_device *d, int i, void *data);
/* The donated argument whose memory result i takes, -1: none. */
int sr_device_result_donor(const struct sr_device *d, int i);
/* The value that value i moves with: itself, or the donated argument whose memory it takes; -1: it stays. */
int sr_device_binding_owner(const struct sr_device *d, int i);

/* ---- internal to run ---- */
bool sr_device_map_segment(struct sr_device *d, struct sr_arena *arena); /* segment_pages.c; false: memory runs out */
void sr_device_make_bindings(struct sr_device *d, struct sr_arena *arena);
enum sr_status sr_device_prepare_nests(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags); /* prepare_nests.c */
void sr_device_release_nests(struct sr_device *d);
void sr_device_prepare_kernels(struct sr_device *d, struct sr_arena *arena);      /* prepare_kernels.c */
void sr_device_release_kernels(struct sr_device *d);
void sr_device_prepare_buffer_swaps(struct sr_device *d, struct sr_arena *arena);    /* buffer_swap.c */
void sr_buffer_swaps_begin(const struct sr_device *d, struct sr_buffer_swap *first);
void sr_buffer_swap(struct sr_buffer_swap *x);
void sr_buffer_swaps_end(struct sr_buffer_swap *first);
void sr_device_split_work(struct sr_device *d);                                          /* split_work.c */
/* The first worker's scratch, and with `each` that of the others, has room for so many bytes. */
void sr_device_require_scratch(struct sr_device *d, int64_t bytes, bool each);
void sr_execute_prepared_kernel(const struct sr_device *d, const struct sr_ready_instr *r);
void sr_execute_nest(const struct sr_device *d, const struct sr_ready_instr *r);
void sr_execute_kernel(const struct sr_device *d, const struct sr_ready_instr *r);
enum sr_status sr_execute_computation(struct sr_device *d, uint64_t plan);
enum sr_status sr_execute_body(struct sr_device *d, const struct sr_instr *step);     /* execute_body.c */
enum sr_status sr_execute_parallel(struct sr_device *d, const struct sr_instr *step); /* execute_parallel.c */
static inline void *sr_device_buffer(const struct sr_device *d, int32_t buffer)
{
	return d->at[buffer];
}
double sr_now(void); /* seconds of a monotonic clock */

#endif
