/* One device's instance of a program: its memory, buffer addresses, instructions with everything they need, and prepared
 * collectives. A plain struct; a rank may have several.
 *
 * A buffer is at its offset in the arena. If it belongs to an argument or result that is bound to memory of the caller
 * (sr_device_bind), it is at its offset within that memory. Execution allocates nothing and does no lookups. */
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

struct sr_ready_loop { /* operands of a compiled loop, in the order of its regions */
	int n;
	const int32_t *buffers; /* indices of one buffer of each region (codegen/loop_c.h); length: n */
	void **addresses;       /* addresses of these buffers, set before each call; length: n */
};

struct sr_ready_chunk { /* a chunk of a kernel instruction, prepared by a library */
	struct sr_prepared_kernel *prepared; /* the prepared kernel, owned by this struct */
	struct sr_kernel_chunk chunk;  /* params and offsets of the chunk; zero if it is the entire instruction */
};

struct sr_ready_instr {
	sr_kernel_fn *fn;                     /* for SR_INSTR_KERNEL: the kernel function */
	struct sr_ready_chunk *chunks;         /* chunks of a prepared kernel, length: n_chunks; NULL: the kernel is not prepared */
	int64_t n_chunks;
	const struct sr_jit_function *compiled; /* for SR_INSTR_NEST and SR_INSTR_WHILE: the compiled function; NULL: interpreted */
	struct sr_ready_loop *loop;           /* for an SR_INSTR_WHILE that can be compiled: its operands */
	/* the loop nest prepared for interpretation, owned; NULL: not a loop nest, or already compiled at load time */
	struct sr_nest_prepared *nest;
	/* for SR_INSTR_COLLECTIVE: the prepared collective; NULL: this device is in no group, or the only device */
	struct sr_prepared_collective *prepared;
	const void *params;
	void **operands;                      /* addresses of the operands, inside the array `operands` of the device */
	/* the instruction, if its operands have dynamic offsets (struct sr_dynamic_offset); else NULL */
	const struct sr_instr *shifted;
	int64_t range;                        /* for a loop nest: number of its chunks */
	int64_t grain; /* number of indices or chunks per task of a worker thread; 0: one worker executes the instruction */
	bool one_call_per_chunk;                          /* true if each chunk needs a call of its own (struct sr_kernel_split) */
	struct sr_buffer_swap
	    *buffer_swap; /* for SR_INSTR_WHILE: list of swaps in the body; for SR_READY_SWAP: the swap; else NULL */
	struct sr_ffi_call *call;             /* for SR_INSTR_CUSTOM_CALL: the prepared call; NULL: no kernel is registered */
	enum sr_instr_kind kind;
};
/* Kind of an instruction that no program contains: a copy that has been replaced by a buffer swap (buffer_swap.c). */
enum { SR_READY_SWAP = SR_INSTR_COUNT };

struct sr_backend;
struct sr_bindings;
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

/* State of an active loop, linked to the loop around it. */
struct sr_loop_frame {
	const struct sr_loop_frame *outer;
	int64_t iteration; /* number of the current iteration, from 0 */
};

struct sr_device {
	const struct sr_backend *backend;
	const struct sr_program *program;
	int64_t id;       /* device id, 0..n_devices-1 */
	char *arena;      /* memory of at least arena_bytes, 64-byte aligned, which other programs use too */
	/* scratch of the first worker: first_worker_scratch bytes, the program's size, or more if libraries need it */
	char *scratch;
	int64_t first_worker_scratch;
	char *other_workers_scratch; /* scratch of the other workers: worker_scratch bytes for each */
	int64_t worker_scratch;
	int64_t mapped_bytes;   /* number of bytes used, counted from `arena` */
	int64_t in_segment; /* number of those bytes that other devices of the node read in place */
	struct sr_workers *workers; /* worker threads; NULL: none */
	const struct sr_kernels *kernels;
	struct sr_transport *transport; /* transport of the device; NULL: there is only one device */
	struct sr_device_set_memory *memory; /* pools and arenas of the process's devices; this device uses arena k */
	int k;
	struct sr_device_team *team;    /* team of devices that one thread executes in turn; NULL: none (device_team.h) */
	const char *constants;          /* all constants in the order of the program, each 64-byte aligned */
	const struct sr_ffi *ffi;       /* kernels of custom calls; NULL: none */
	const struct sr_jit_module *jit;      /* module of compiled loop nests; NULL: all loop nests are interpreted */
	struct sr_jit_request *request; /* state of compilation in the background (background_jit.h); NULL: none */
	void **addresses;               /* current address of each buffer; length: number of buffers */
	void **operands;                /* addresses of the operands of all instructions; length: number of operands */
	struct sr_ready_instr *instrs;   /* instructions prepared for execution; length: number of instructions */
	struct sr_bindings *slots;         /* bindings of arguments and results to memory of the caller (bindings.c) */
	char *nest_scratch;             /* scratch per worker for the interpreted loop nest that needs most; owned */
	size_t nest_scratch_bytes;      /* bytes of nest_scratch per worker */
	int64_t max_collective_scratch;     /* largest scratch that any collective needs, in bytes */
	double collective_s; /* seconds in collectives during the current execution */
	int sends_in_flight;    /* number of collectives in flight that send messages */
	double last_progress_s;  /* time of the last progress call for collectives in flight, seconds of the monotonic clock */
	/* number of partitions for partition_id and replica_id: of the program, or of the enclosing run_parallel */
	int64_t partitions;
	struct sr_hooks hooks;
	struct sr_failure *failure; /* where hooks may report why the current execution fails; NULL: hooks cannot report */
	struct sr_ffi_user_data user_data; /* user data for FFI handlers in the current execution */
	bool in_parallel; /* true inside of run_parallel, where the devices' values may differ */
	struct sr_profile *profile; /* records instruction times; NULL: off */
	struct sr_flight_recorder flight;
	const struct sr_loop_frame *loop; /* innermost active loop; NULL: none. Compiled loops are not recorded here */
	_Atomic int64_t current; /* number of the current instruction, atomic for a monitoring thread; -1: none */
};

/* Place the program's buffers in the device's arena, and allocate the device's tables in `arena`, which outlives it. Not
 * collective: may fail on one rank alone. */
enum sr_status sr_device_allocate(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
/* Create groups and prepare all collectives of the n local devices. Collective on all ranks that have devices if there is a
 * transport; otherwise client and device_set may be NULL. */
enum sr_status sr_devices_connect(struct sr_device *devices, int n, struct sr_client *client, struct sr_device_set *device_set,
				  struct sr_arena *arena, struct sr_diags *diags);
void sr_device_unload(struct sr_device *d);
/* Replace the JIT module of a loaded device, between two executions (prepare_nests.c). Cannot fail and allocates nothing. The
 * module is of the same program, compiles at least the instructions that the present one compiles, and outlives the device or its
 * replacement; the present one may be released afterwards. Results have the same bits with either module, so devices may replace it
 * at different times. */
void sr_device_set_jit(struct sr_device *d, const struct sr_jit_module *module);
/* Execute the program's entry computation once. Collective. Allocates nothing. On failure d->current is the failing instruction. */
enum sr_status sr_device_step(struct sr_device *d);
void sr_device_barrier(struct sr_device *d); /* Wait until all devices have called this function. Collective. */

/* ---- arguments and results in memory of the caller (bindings.c); i counts arguments, then results ---- */
/* Bind argument or result i to `data`, 64-byte aligned memory with the size of its buffer rounded up to 64 bytes; NULL binds it to
 * the arena again. Returns false if buffers of other values overlap the value's memory, so that the caller must copy instead. The
 * contents are not moved. A result in the memory of a donated argument follows that argument. */
bool sr_device_bind(struct sr_device *d, int i, void *data);
/* Return the donated argument whose memory result i uses, or -1. */
int sr_device_result_donor(const struct sr_device *d, int i);
/* Return true if other devices read value i, or a part of it, in the memory that it is bound to. */
bool sr_device_value_is_shared(const struct sr_device *d, int i);
/* Return the value whose binding moves value i: itself or the donated argument whose memory it uses; -1 if it cannot be moved. */
int sr_device_binding_owner(const struct sr_device *d, int i);

/* ---- internal to run ---- */
/* Put the pages of the buffers that other devices read in place into the node's shared segment (segment_pages.c). Returns false if
 * memory runs out. */
bool sr_device_map_segment(struct sr_device *d, struct sr_arena *arena);
/* Find the buffers that other devices read in place: operands of collectives, and results that several members write. Returns their
 * number; a buffer may occur several times. */
int64_t sr_device_shared_buffers(const struct sr_device *d, struct sr_arena *arena, int32_t **out);
/* Return the size in bytes of the block sr_device::constants (constants.c). */
int64_t sr_program_constants_bytes(const struct sr_program *p);
void sr_program_write_constants(const struct sr_program *p, char *to);
void sr_device_place_constants(struct sr_device *d, struct sr_arena *arena);
void sr_device_make_bindings(struct sr_device *d, struct sr_arena *arena);
/* Prepare the loop nests of a loaded program (prepare_nests.c). */
enum sr_status sr_device_prepare_nests(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
void sr_device_release_nests(struct sr_device *d);
void sr_device_prepare_kernels(struct sr_device *d, struct sr_arena *arena); /* Prepare kernels by libraries (prepare_kernels.c). */
void sr_device_release_kernels(struct sr_device *d);
/* Replace copies of loop state by buffer swaps (buffer_swap.c). */
void sr_device_prepare_buffer_swaps(struct sr_device *d, struct sr_arena *arena);
void sr_buffer_swaps_begin(const struct sr_device *d, struct sr_buffer_swap *first);
void sr_buffer_swap(struct sr_buffer_swap *x);
void sr_buffer_swaps_end(struct sr_buffer_swap *first);
void sr_device_split_work(struct sr_device *d); /* Set how worker threads divide each instruction (split_work.c). */
/* Request at least `bytes` of scratch for the first worker and, if `each`, for every worker. */
void sr_device_require_scratch(struct sr_device *d, int64_t bytes, bool each);
void sr_execute_prepared_kernel(const struct sr_device *d, const struct sr_ready_instr *r);
void sr_execute_nest(const struct sr_device *d, const struct sr_ready_instr *r);
void sr_execute_kernel(const struct sr_device *d, const struct sr_ready_instr *r);
enum sr_status sr_execute_computation(struct sr_device *d, uint64_t plan);
enum sr_status sr_execute_instr(struct sr_device *d, int64_t instr);
/* Record the instruction as the current one, and compute the addresses of operands with dynamic offsets. */
void sr_device_begin_instr(struct sr_device *d, int64_t instr);
/* Return the computation that an SR_INSTR_CASE instruction selects: the last one if the index is out of range; for a predicate, the
 * first one if it is true. */
int64_t sr_selected_branch(const struct sr_ready_instr *r);
void sr_device_begin_step(struct sr_device *d);
/* Execute a kernel with a body (execute_body.c). */
enum sr_status sr_execute_body(struct sr_device *d, const struct sr_instr *step);
/* Execute interpreter.run_parallel (execute_parallel.c). */
enum sr_status sr_execute_parallel(struct sr_device *d, const struct sr_instr *step);
static inline void *sr_device_buffer(const struct sr_device *d, int32_t buffer)
{
	return d->addresses[buffer];
}
double sr_now(void); /* Return the seconds of a monotonic clock. */

#endif
