/* One device's instance of a program: its memory, buffer addresses, instructions with everything they need, and prepared
 * collectives. A plain struct; a rank may have several.
 *
 * A buffer is at its offset in the arena, unless it belongs to an argument or result that is bound to memory of the caller
 * (sr_device_bind); then it is at the same offset within that memory. Executing allocates and looks up nothing. */
#ifndef SR_RUN_DEVICE_H
#define SR_RUN_DEVICE_H

#include "codegen/jit.h"
#include "collectives/transport.h"
#include "kernels/kernel_chunk.h"
#include "program/program.h"
#include "run/ffi.h"
#include "run/failure.h"
#include "run/hooks.h"
#include "run/profile.h"
#include "run/workers.h"
#include "support/diag.h"
#include "support/thread.h"

struct sr_ready_loop { /* operands of a compiled loop */
	int n;
	const int32_t *buffers; /* [n] one buffer of each region (codegen/loop_c.h) */
	void **at;              /* [n] their addresses, set before each call */
};

struct sr_ready_chunk { /* a chunk of a kernel instruction that a library has prepared */
	struct sr_prepared_kernel *made; /* owned by this struct */
	struct sr_kernel_chunk part;   /* zero if the chunk is the entire instruction */
};

struct sr_ready_instr {
	sr_kernel_fn *fn;                     /* kernel function of SR_INSTR_KERNEL */
	struct sr_ready_chunk *parts;          /* [n_parts] NULL: not a prepared kernel */
	int64_t n_parts;
	const struct sr_jit_function *compiled;  /* SR_INSTR_NEST, SR_INSTR_WHILE; NULL: interpreted */
	struct sr_ready_loop *loop;           /* operands of an SR_INSTR_WHILE that can be compiled */
	struct sr_nest_prepared *nest;           /* owned; NULL: not a loop nest, or compiled when it was loaded */
	struct sr_prepared_collective *prepared;         /* SR_INSTR_COLLECTIVE; NULL: this device is in no group, or alone */
	const void *params;
	void **operands;                      /* points into the device's `operands` */
	/* the instruction if operands have dynamic offsets (struct sr_dynamic_offset), else NULL */
	const struct sr_instr *shifted;
	int64_t range;                        /* loop nest: number of chunks */
	int64_t grain;                        /* chunk size for worker threads; 0: executed by one worker */
	bool one_call_per_chunk;                          /* each chunk needs a call of its own (struct sr_kernel_split) */
	struct sr_buffer_swap *exchange;         /* SR_INSTR_WHILE: swaps in the body; SR_READY_SWAP: this swap; else NULL */
	struct sr_ffi_call *call;             /* SR_INSTR_CUSTOM_CALL; NULL: no kernel is registered */
	enum sr_instr_kind kind;
};
/* A kind that no program contains: a copy that was replaced by a buffer swap (buffer_swap.c). */
enum { SR_READY_SWAP = SR_INSTR_COUNT };

struct sr_backend;
struct sr_bindings;
struct sr_client;
struct sr_device_set;
struct sr_device_team;

/* Ring buffer of the last instructions that a device began, atomic for a monitoring thread (support/thread.h). */
enum { SR_FLIGHT_RECORDS = 8 };
struct sr_flight_recorder {
	_Atomic uint64_t executed;           /* number of instructions begun */
	_Atomic int32_t instrs[SR_FLIGHT_RECORDS];   /* the k-th one is at k % SR_FLIGHT_RECORDS */
};

/* An active loop; the innermost one first. */
struct sr_loop_frame {
	const struct sr_loop_frame *outer;
	int64_t iteration; /* current iteration, from 0 */
};

struct sr_device {
	const struct sr_backend *backend;
	const struct sr_program *program;
	int64_t id;       /* 0..n_devices-1 */
	char *arena;      /* at least arena_bytes, 64-byte aligned; shared with other programs */
	char *scratch;    /* first_worker_scratch bytes for the first worker: the program's, or more if libraries need it */
	int64_t first_worker_scratch;
	char *other_workers_scratch; /* worker_scratch bytes for each further worker */
	int64_t worker_scratch;
	int64_t mapped_bytes;   /* bytes used from `arena` on */
	int64_t in_segment; /* of these, bytes that other devices of the node read in place */
	struct sr_workers *workers; /* NULL: no worker threads */
	const struct sr_kernels *kernels;
	struct sr_transport *transport; /* NULL: the only device */
	struct sr_device_set_memory *memory; /* whose arena the device uses, as the k-th of its process */
	int k;
	struct sr_device_team *team;    /* devices that a thread executes in turn; NULL: none (device_team.h) */
	const char *constants;          /* all constants in the program's order, each 64-byte aligned */
	const struct sr_ffi *ffi;       /* custom-call kernels; NULL: none */
	const struct sr_jit_module *jit;      /* compiled loop nests; NULL: all are interpreted */
	struct sr_jit_request *request; /* compilation in the background (background_jit.h); NULL: none */
	void **at;                      /* [buffers] current address */
	void **operands;                /* [operands] addresses of the operands of all instructions */
	struct sr_ready_instr *instrs;   /* [instructions] */
	struct sr_bindings *slots;         /* bindings of arguments and results (bindings.c) */
	char *nest_scratch;             /* owned: scratch for the interpreted loop nest that needs most, per worker */
	size_t nest_scratch_bytes;      /* bytes per worker */
	int64_t max_collective_scratch;     /* the most that any collective needs */
	double collective_s; /* seconds in collectives during the current execution */
	int sends_in_flight;    /* collectives in flight that send messages */
	double last_progress_s;  /* time of the last progress call for collectives in flight, seconds of the monotonic clock */
	/* number of partitions for partition_id and replica_id: the program's, or that of the enclosing run_parallel */
	int64_t partitions;
	struct sr_hooks hooks;
	struct sr_failure *failure; /* where hooks may report why the current execution fails; NULL: it has no place for it */
	struct sr_ffi_user_data user_data; /* of the current execution */
	bool in_parallel; /* inside of run_parallel: values of devices may differ */
	struct sr_profile *profile; /* records instruction times; NULL: off */
	struct sr_flight_recorder flight;
	const struct sr_loop_frame *loop; /* innermost active loop; NULL: none. Compiled loops are not recorded */
	_Atomic int64_t current; /* index of the current instruction, atomic for a monitoring thread; -1: none */
};

/* Place buffers in the device's arena, and make tables in `arena`, which outlives the device. Not collective: it may fail on one rank
 * alone. */
enum sr_status sr_device_allocate(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
/* Create groups and prepare all collectives of the n local devices. Collective on all ranks that have devices if there is a
 * transport; otherwise client and device_set may be NULL. */
enum sr_status sr_devices_connect(struct sr_device *devices, int n, struct sr_client *client, struct sr_device_set *device_set,
				  struct sr_arena *arena, struct sr_diags *diags);
void sr_device_unload(struct sr_device *d);
/* Replace the JIT module of a loaded device, between two executions (prepare_nests.c). Cannot fail and allocates nothing. The module
 * is of the same program, compiles at least the instructions that the present one compiles, and outlives the device or its
 * replacement; the present one may be released afterwards. Results have the same bits, so devices need not agree on when. */
void sr_device_set_jit(struct sr_device *d, const struct sr_jit_module *module);
/* Execute the entry computation once. Collective. Allocates nothing. On failure d->current is the failing instruction. */
enum sr_status sr_device_step(struct sr_device *d);
void sr_device_barrier(struct sr_device *d); /* collective: barrier of all devices */

/* ---- arguments and results in memory of the caller (bindings.c); i counts arguments, then results ---- */
/* Bind value i to `data`: the bytes of its buffer rounded up to 64, and 64-byte aligned; NULL: back to the arena. Returns false
 * if buffers of other values overlap its bounds, so that the caller must copy instead. Contents are not moved. A result in the
 * memory of a donated argument follows that argument. */
bool sr_device_bind(struct sr_device *d, int i, void *data);
/* Return the donated argument whose memory result i uses, or -1. */
int sr_device_result_donor(const struct sr_device *d, int i);
/* Return true if other devices read value i, or a part of it, in the memory that it is bound to. */
bool sr_device_value_is_shared(const struct sr_device *d, int i);
/* Return the value whose binding moves value i: itself or the donated argument whose memory it uses; -1 if it cannot be moved. */
int sr_device_binding_owner(const struct sr_device *d, int i);

/* ---- internal to run ---- */
bool sr_device_map_segment(struct sr_device *d, struct sr_arena *arena); /* segment_pages.c; false: memory runs out */
/* Find the buffers that other devices read in place: operands of collectives, and results that the members assemble together.
 * Return their number; a buffer may occur several times. */
int64_t sr_device_shared_buffers(const struct sr_device *d, struct sr_arena *arena, int32_t **out);
int64_t sr_program_constants_bytes(const struct sr_program *p);                   /* constants.c: of sr_device::constants */
void sr_program_write_constants(const struct sr_program *p, char *to);
void sr_device_place_constants(struct sr_device *d, struct sr_arena *arena);
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
/* Require at least `bytes` of scratch for the first worker, and if `each` for every worker. */
void sr_device_require_scratch(struct sr_device *d, int64_t bytes, bool each);
void sr_execute_prepared_kernel(const struct sr_device *d, const struct sr_ready_instr *r);
void sr_execute_nest(const struct sr_device *d, const struct sr_ready_instr *r);
void sr_execute_kernel(const struct sr_device *d, const struct sr_ready_instr *r);
enum sr_status sr_execute_computation(struct sr_device *d, uint64_t plan);
enum sr_status sr_execute_instr(struct sr_device *d, int64_t instr);
/* Record the instruction as the current one, and compute the addresses of operands with dynamic offsets. */
void sr_device_begin_instr(struct sr_device *d, int64_t instr);
/* Return the computation that an SR_INSTR_CASE selects: the last one if the index is out of range, the first one for true. */
int64_t sr_selected_branch(const struct sr_ready_instr *r);
void sr_device_begin_step(struct sr_device *d);
enum sr_status sr_execute_body(struct sr_device *d, const struct sr_instr *step);     /* execute_body.c */
enum sr_status sr_execute_parallel(struct sr_device *d, const struct sr_instr *step); /* execute_parallel.c */
static inline void *sr_device_buffer(const struct sr_device *d, int32_t buffer)
{
	return d->at[buffer];
}
double sr_now(void); /* seconds of a monotonic clock */

#endif
