/* The tables of a loaded program that all devices of this process and all its executions share: prepared instructions, constants,
 * loop nests prepared for interpretation, bindings, buffer swaps of loops. Written when the program is loaded, and not changed
 * afterwards. They hold offsets and indices; addresses are in the device (device.h) or in an execution (execution_context.h). */
#ifndef SR_RUN_LOADED_PROGRAM_H
#define SR_RUN_LOADED_PROGRAM_H

#include "codegen/jit.h"
#include "kernels/kernel_chunk.h"
#include "program/program.h"
#include "run/hooks.h"
#include "support/diag.h"

struct sr_ready_loop { /* operands of a compiled loop, in the order of its regions */
	int n;
	const int32_t *buffers; /* indices of one buffer of each region (codegen/loop_c.h); length: n */
	const uint64_t *calls;  /* the loop's instructions that the executor executes, as in struct sr_regions; NULL: none */
	bool has_collectives;   /* true if some of `calls` are collectives */
};

/* Whether stencil loops are executed in the order of time blocking (time_blocking.c): if their arrays exceed the caches, wherever
 * possible, or never. */
enum sr_time_blocking { SR_TIME_BLOCKING_AUTO, SR_TIME_BLOCKING_ON, SR_TIME_BLOCKING_OFF };

struct sr_ready_instr {
	sr_kernel_fn *fn;                     /* for SR_INSTR_KERNEL: the kernel function */
	const struct sr_ready_loop *loop;     /* for an SR_INSTR_WHILE that can be compiled: its operands */
	const struct sr_code *code;           /* for an SR_INSTR_WHILE: its code for interpretation (loop_code.h); NULL: none */
	/* loop nest prepared for interpretation, owned; NULL: the instruction has no loop nest, or the nest was compiled at load
	 * time */
	struct sr_nest_prepared *nest;
	const void *params;
	/* the instruction, if its operands have dynamic offsets (struct sr_dynamic_offset); else NULL */
	const struct sr_instr *shifted;
	int64_t range;                        /* for a kernel or an interpreted loop nest: number of chunks that it is divided into */
	int64_t grain;                        /* number of indices or chunks per task of a worker thread; 0: one worker executes the instruction */
	struct sr_buffer_swap *swap;          /* for SR_INSTR_WHILE: list of swaps in the body; for SR_READY_SWAP: the swap; else NULL.
					       * For SR_READY_SWAP, NULL: nothing, as the next instruction's swap does its copy */
	const struct sr_stencil_loop *stencil; /* for SR_INSTR_WHILE: its description for time blocking; NULL: plain order */
	uint32_t first_operand;               /* index of the first operand in an execution context's `operands` */
	int32_t sorted_parts;                 /* for a sort: maximum number of parts that workers sort before they are merged */
	enum sr_dtype type;                   /* for a kernel: its element type in the kernel table */
	bool one_call_per_chunk;              /* true if each chunk needs a call of its own (struct sr_kernel_split) */
	enum sr_instr_kind kind;
};
/* Kind of an instruction that no program contains: a copy that has been replaced by a buffer swap (buffer_swap.c). */
enum { SR_READY_SWAP = SR_INSTR_COUNT };

struct sr_backend;
struct sr_bindings;
struct sr_jit_request;
struct sr_transport;

struct sr_loaded_program {
	const struct sr_program *program;
	const struct sr_backend *backend;
	const struct sr_kernels *kernels;
	const char *constants;               /* all constants in the order of the program, each 64-byte aligned */
	const char **constant_of;            /* for each buffer: its address if it is a constant or a part of one; NULL: in the arena */
	struct sr_ready_instr *instrs;       /* instructions prepared for execution; length: number of instructions */
	struct sr_bindings *bindings;        /* bindings of arguments and results to memory of the caller (bindings.c) */
	int n_swaps, max_regions;            /* number of buffer swaps; largest number of regions of a compiled loop, plus 1 */
	int64_t first_worker_scratch;        /* scratch of the first worker in bytes: the program's, or more if libraries need it */
	int64_t worker_scratch;              /* scratch of each other worker, in bytes */
	int64_t term_bytes;                  /* memory for the terms that chunks of an instruction compute of its result, in bytes */
	int64_t code_bytes;                  /* memory for the largest code of an interpreted loop with its scratch, in bytes */
	int64_t nest_scratch;                /* scratch per worker for the interpreted loop nest that needs most, in bytes */
	const struct sr_jit_module *jit;     /* module compiled at load time; NULL: loop nests and loops are interpreted */
	struct sr_jit_request *request;      /* state of compilation in the background (background_jit.h); NULL: none */
	/* bytes of a core's L2 cache, and a device's share of its node's last-level caches; INT64_MAX: unknown */
	int64_t l2_bytes, cache_bytes;
	enum sr_time_blocking time_blocking;
	int n_stencil_loops; /* number of loops with a `stencil` */
	struct sr_hooks hooks;
};

/* Create the tables in `arena`, which outlives them. The caller has set program, backend, kernels, constants, jit and request.
 * `transport`: that of a device of this process, or NULL. Must be released also after a failure. */
enum sr_status sr_loaded_program_make(struct sr_loaded_program *l, const struct sr_transport *transport, struct sr_arena *arena,
				      struct sr_diags *diags);
void sr_loaded_program_release(struct sr_loaded_program *l);

/* ---- arguments and results in memory of the caller (bindings.c); i counts arguments, then results ---- */
/* Return the donated argument whose memory result i uses; -1: none. */
int sr_loaded_result_donor(const struct sr_loaded_program *l, int i);
/* Return true if other devices read value i, or a part of it, in the memory that it is bound to. */
bool sr_loaded_value_is_shared(const struct sr_loaded_program *l, int i);
/* Return the value whose binding moves value i: itself or the donated argument whose memory it uses; -1 if it cannot be moved. */
int sr_loaded_binding_owner(const struct sr_loaded_program *l, int i);

/* ---- internal to run ---- */
/* Find the buffers that other devices read in place: operands of collectives, and results that the members assemble together.
 * Return their number; a buffer may occur several times. segment_pages.c */
int64_t sr_program_shared_buffers(const struct sr_program *p, const struct sr_transport *transport, struct sr_arena *arena,
				  int32_t **out);
int64_t sr_program_constants_bytes(const struct sr_program *p); /* Return the size of sr_loaded_program::constants. */
void sr_program_write_constants(const struct sr_program *p, char *to);
void sr_loaded_place_constants(struct sr_loaded_program *l, struct sr_arena *arena);
void sr_loaded_make_bindings(struct sr_loaded_program *l, const struct sr_transport *transport, struct sr_arena *arena);
/* Defined in prepare_nests.c. */
enum sr_status sr_loaded_prepare_nests(struct sr_loaded_program *l, struct sr_arena *arena, struct sr_diags *diags);
void sr_loaded_release_nests(struct sr_loaded_program *l);
void sr_loaded_prepare_swaps(struct sr_loaded_program *l, struct sr_arena *arena); /* Defined in buffer_swap.c. */
void sr_loaded_find_stencil_loops(struct sr_loaded_program *l, struct sr_arena *arena); /* Defined in time_blocking.c. */
void sr_loaded_split_work(struct sr_loaded_program *l);                            /* Defined in split_work.c. */
/* Require at least `bytes` of scratch for the first worker, and if has_worker_scratch also for every other worker. */
void sr_loaded_require_scratch(struct sr_loaded_program *l, int64_t bytes, bool has_worker_scratch);

#endif
