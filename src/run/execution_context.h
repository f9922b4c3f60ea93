/* State of one execution of a program on one device: addresses of buffers, bindings of arguments and results, active loops, times,
 * status. An execution has one context for each device of this process. Later executions of the program reuse it and set only the
 * bindings that differ.
 *
 * A buffer is at its offset in the device's arena, unless it is a constant, or belongs to an argument or result that is bound to
 * memory of the caller (sr_context_bind); then it is at the same offset within that memory. Executing allocates nothing. */
#ifndef SR_RUN_EXECUTION_CONTEXT_H
#define SR_RUN_EXECUTION_CONTEXT_H

#include "run/device.h"
#include "run/failure.h"
#include "run/ffi.h"

/* State of an active loop, linked to the loop around it. */
struct sr_loop_frame {
	const struct sr_loop_frame *outer;
	int64_t iteration; /* number of the current iteration, from 0 */
};

enum { SR_SWAP_BUFFERS = 3 }; /* maximum number of buffers of a buffer swap */

struct sr_swap_state { /* state of a buffer swap while its loop is active */
	char *own[SR_SWAP_BUFFERS]; /* addresses of the swap's buffers when the loop began */
	int shift;                  /* number of times that the addresses have moved, modulo the number of buffers */
};

enum { SR_TOGETHER_DEPTH = 16 }; /* maximum nesting of loops and branches in sr_execute_together */

struct sr_active_computation {
	enum { SR_ACTIVE_ENTRY, SR_ACTIVE_CONDITION, SR_ACTIVE_LOOP_BODY, SR_ACTIVE_BRANCH } role;
	int64_t instr, end;        /* number of the current instruction, and of the instruction after the computation's last one */
	double begin;              /* time when the loop or branch began; set for profiles */
	struct sr_loop_frame loop; /* for a loop's condition or body: iteration and enclosing loop */
};

struct sr_instr_position { /* position of a device in its program, if one thread executes several devices (execute_together.h) */
	int depth; /* number of active computations; 0: the execution has ended */
	struct sr_active_computation active[SR_TOGETHER_DEPTH]; /* active computations, the innermost one last */
	/* next action: begin the instruction; or start, wait for, or release its collective */
	enum { SR_AT_INSTR, SR_AT_START, SR_AT_WAIT, SR_AT_RELEASE } next_action;
	double begin;         /* time when the collective's instruction began; set for profiles */
	uint64_t begin_ticks; /* sr_ticks when it began */
};

struct sr_execution_context {
	struct sr_device *device;
	const struct sr_loaded_program *loaded;
	const struct sr_program *program;
	const struct sr_jit_module *jit;  /* module of this execution; NULL: loop nests and loops are interpreted */
	void **addresses;                 /* current address of each buffer; length: number of buffers */
	void **operands;                  /* addresses of the operands of all instructions; follow `addresses` in memory */
	void **bound;                     /* memory that each argument, then each result, is bound to; NULL: the arena */
	void **regions;                   /* addresses of a compiled loop's regions, set before each call; length: max_regions */
	char *code;                       /* memory for the code of an interpreted loop, 64-byte aligned; length: code_bytes */
	struct sr_swap_state *swaps;      /* state of each buffer swap; length: n_swaps */
	const struct sr_loop_frame *loop; /* innermost active loop; NULL: none. Compiled loops are not recorded */
	int64_t partitions;     /* number of partitions for partition_id and replica_id: of the program, or of the enclosing run_parallel */
	bool in_parallel;       /* true inside of run_parallel, where the devices' values may differ */
	uint64_t collective_ticks; /* sr_ticks in collectives during this execution */
	int sends_in_flight;    /* number of collectives in flight that send messages */
	double last_progress_s; /* time of the last progress call for collectives in flight, seconds of the monotonic clock */
	struct sr_failure *failure; /* where hooks may report why the execution fails; NULL: hooks cannot report */
	struct sr_ffi_user_data user_data; /* user data for FFI handlers */
	struct sr_profile *profile; /* records instruction times; NULL: off */
	enum sr_status status;      /* status of the execution, once it has ended */
	struct sr_instr_position position;
};

/* Create the contexts of an execution on n loaded devices, in their order. Return NULL if memory runs out. */
struct sr_execution_context *sr_contexts_new(struct sr_device *devices, int n);
void sr_contexts_free(struct sr_execution_context *contexts); /* Free the contexts; `contexts` may be NULL. */
/* Bind value i, which counts arguments, then results, to `data`: the bytes of its buffer rounded up to 64, and 64-byte aligned;
 * NULL: back to the arena. Returns false if buffers of other values overlap its bounds, so that the caller must copy instead.
 * Contents are not moved. A result in the memory of a donated argument follows that argument. */
bool sr_context_bind(struct sr_execution_context *x, int i, void *data);
/* Execute the entry computation once. Collective. Allocates nothing. Sets and returns x->status. On failure the device's `current`
 * is the failing instruction. */
enum sr_status sr_context_execute(struct sr_execution_context *x);
static inline void *sr_context_buffer(const struct sr_execution_context *x, int32_t buffer)
{
	return x->addresses[buffer];
}

/* ---- internal to run ---- */
static inline void **sr_context_operands(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	return x->operands + r->first_operand;
}
/* Return the device's part of an instruction. */
static inline const struct sr_device_instr *sr_context_own(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	return x->device->own + (r - x->loaded->instrs);
}
/* Return the compiled function of a loop nest or loop, or NULL. */
static inline const struct sr_jit_function *sr_context_compiled(const struct sr_execution_context *x,
								const struct sr_ready_instr *r)
{
	return x->jit ? sr_jit_function_of(x->jit, (uint64_t)(r - x->loaded->instrs)) : NULL;
}
/* Return true if the instruction is a loop that is executed as threaded code (loop_code.h). With a profile, which records the
 * instructions in the loop, they are executed one by one instead. */
static inline bool sr_context_has_code(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	return r->code && !x->profile && !sr_context_compiled(x, r);
}
/* Compute the operand addresses of an instruction with dynamic offsets. */
void sr_context_apply_offsets(const struct sr_execution_context *x, const struct sr_ready_instr *r);
/* Place all buffers in the arena and unbind all values. Needed after an execution that has failed in the middle of a loop. */
void sr_context_reset(struct sr_execution_context *x);
void sr_context_begin(struct sr_execution_context *x); /* Initialize the state before the first instruction. */
/* Record the instruction as the device's current one, and compute the addresses of operands with dynamic offsets. */
void sr_context_begin_instr(struct sr_execution_context *x, int64_t instr);
void sr_buffer_swaps_begin(struct sr_execution_context *x, const struct sr_buffer_swap *first);
void sr_buffer_swap(struct sr_execution_context *x, const struct sr_buffer_swap *swap);
/* Return the buffer of the state to which the swap moves its state's value; -1: none. */
int32_t sr_buffer_swap_older_state(const struct sr_buffer_swap *swap);
void sr_buffer_swaps_all(struct sr_execution_context *x, const struct sr_buffer_swap *first); /* Execute all swaps of a loop. */
void sr_buffer_swaps_end(struct sr_execution_context *x, const struct sr_buffer_swap *first);
void sr_execute_prepared_kernel(const struct sr_execution_context *x, const struct sr_ready_instr *r);
void sr_execute_nest(const struct sr_execution_context *x, const struct sr_ready_instr *r);
void sr_execute_kernel(const struct sr_execution_context *x, const struct sr_ready_instr *r);
enum sr_status sr_execute_computation(struct sr_execution_context *x, uint64_t computation);
enum sr_status sr_execute_instr(struct sr_execution_context *x, int64_t instr);
/* Execute an instruction of a computation by sr_execute_instr, then advance the messages of collectives in flight. Record the
 * instruction's time if the execution is profiled. */
enum sr_status sr_execute_next(struct sr_execution_context *x, int64_t instr);
/* Return true if the loop is executed in the order of time blocking: then sr_execute_stencil_loop executes its steps, between
 * sr_buffer_swaps_begin and sr_buffer_swaps_end. Defined in time_blocking.c. */
bool sr_is_time_blocked(const struct sr_execution_context *x, const struct sr_ready_instr *loop);
enum sr_status sr_execute_stencil_loop(struct sr_execution_context *x, const struct sr_ready_instr *loop);
enum sr_status sr_execute_body(struct sr_execution_context *x, const struct sr_instr *instr);     /* Defined in execute_body.c. */
enum sr_status sr_execute_parallel(struct sr_execution_context *x,
				   const struct sr_instr *instr); /* Defined in execute_parallel.c. */
/* Return the computation that an SR_INSTR_CASE selects: the last one if the index is out of range, the first one for true. */
int64_t sr_selected_branch(const struct sr_execution_context *x, const struct sr_ready_instr *r);

#endif
