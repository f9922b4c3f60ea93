/* The program under construction: growing tables, and which buffer holds each value. Internal to plan.
 *
 * Lowering gives every value a buffer of its own and emits a copy wherever a value moves between buffers (loop state, branches,
 * in-place updates). Which buffers share memory is decided afterwards (coalesce.h), from their live ranges (liveness.h). */
#ifndef SR_PLAN_PROGRAM_BUILDER_H
#define SR_PLAN_PROGRAM_BUILDER_H

#include "plan/plan.h"
#include "support/vec.h"

enum sr_buffer_use {	     /* flags: uses of a buffer besides the instructions that name it */
	SR_USE_ARGUMENT = 1,    /* written by the caller before the first instruction */
	SR_USE_PERMANENT = 2,   /* never overwritten: a constant, or an argument that is not donated */
	SR_USE_RESULT = 4,   /* read by the caller after the last instruction */
	/* loop state without an initial value: undefined before the loop, and kept from one iteration to the next */
	SR_USE_NO_INITIAL_VALUE = 8,
	SR_USE_OUTSIDE = SR_USE_ARGUMENT | SR_USE_PERMANENT | SR_USE_RESULT, /* uses outside of the instructions */
};

struct sr_instr_list {
	SR_VEC(struct sr_instr) instrs;
};

struct sr_plan_builder {
	struct sr_context *ctx;
	struct sr_arena *arena;
	const struct sr_plan_options *options;
	struct sr_op *module;
	const struct sr_mesh *mesh;
	struct sr_map buffer_of; /* maps a value to 1 + its buffer */
	SR_VEC(struct sr_buffer) buffers;
	SR_VEC(uint8_t) uses; /* for each buffer: flags of enum sr_buffer_use */
	SR_VEC(struct sr_op *) makers; /* for each buffer: the op it was created for; NULL: none */
	SR_VEC(struct sr_instr_list) computations;
	SR_VEC(int32_t) operands;
	SR_VEC(struct sr_dynamic_offset) dynamic_offsets;
	SR_VEC(char) params;
	SR_VEC(int64_t) ids;
	SR_VEC(struct sr_group_list) groups;
	SR_VEC(struct sr_io) values;
	SR_VEC(struct sr_probe) probes;
	SR_VEC(struct sr_constant) constants;
	SR_VEC(char) data;
	SR_VEC(char) text;
	SR_VEC(struct sr_live_buffers) live_at_peak; /* buffers that are live at the memory peak */
	struct sr_map texts; /* maps an interned string to 1 + its offset in `text` */
	struct sr_map meshes; /* maps a struct sr_mesh other than b->mesh to 1 + its index in `ids` */
	struct sr_map orders; /* maps a struct sr_mesh to 1 + the index of its device order in `ids` */
	int computation;            /* number of the computation to which new instructions are appended */
	/* while a body is lowered that processes many elements at once: number of these lanes, each value has its type's
	 * elements once per lane; otherwise 0 */
	int64_t lanes;
	/* devices and replicas to which the ids of collectives refer: those of the program, or of the enclosing run_parallel */
	int64_t n_devices, n_replicas;
	bool in_parallel;              /* true inside of run_parallel's programs */
	const struct sr_attr *infeed;  /* infeed functions of the enclosing run_parallel; NULL: none */
	int n_infeeds;
	const struct sr_transfer *transfers; /* sends and recvs of the enclosing run_parallel (lower_parallel.c) */
	int64_t scratch_bytes, flops;
	/* true if kernels may share an operand's memory with the result though they are faster without
	 * (sr_kernel_prefers_other_memory) */
	bool saves_memory;
	struct sr_op *op;    /* op being lowered, which gives its instructions their name and source location */
};

struct sr_arena_size {
	int64_t bytes;
	int64_t smallest;    /* size of the smallest layout found; that of `bytes` may be larger, to save copies of values */
	int64_t lower_bound; /* peak of live bytes, a lower bound for every layout */
	int64_t peak;  /* first moment at which the peak occurs */
};

/* ---- buffers ---- */
/* Return SR_OK if programs can have values of type t; otherwise report at `op` why not, for value i of a kind ("result"), whose
 * name may be NULL. */
enum sr_status sr_plan_check_type(struct sr_plan_builder *b, struct sr_op *op, const struct sr_type *t, const char *kind, int i,
				  const char *name);
/* Append a buffer and return its number; on overflow the arena unwinds. */
int sr_plan_buffer(struct sr_plan_builder *b, enum sr_dtype type, int64_t elements);
/* Return the buffer of a value; it is created on first use. */
int sr_plan_buffer_for(struct sr_plan_builder *b, struct sr_value *v);
void sr_plan_bind_value(struct sr_plan_builder *b, struct sr_value *v, int buffer); /* Let `buffer` hold the value v. */
/* Append a constant; data of one element make a splat. */
int sr_plan_add_constant(struct sr_plan_builder *b, enum sr_dtype type, const void *data, int64_t bytes, int64_t elements);
void sr_plan_add_use(struct sr_plan_builder *b, int buffer, unsigned uses); /* Add flags of enum sr_buffer_use to a buffer. */
/* Return a buffer for a program result that holds this buffer's value: the buffer itself, or a copy if it is an argument's, a
 * constant's or another result's. */
int sr_plan_result(struct sr_plan_builder *b, int buffer);
/* Return the number of elements of a value: that of its type, times b->lanes. */
int64_t sr_plan_elements(const struct sr_plan_builder *b, const struct sr_value *v);
enum sr_dtype sr_plan_dtype(const struct sr_value *v);

/* ---- instructions ---- */
/* Append an instruction; params are copied. The returned pointer is valid until the next append. */
struct sr_instr *sr_plan_add_instr(struct sr_plan_builder *b, enum sr_instr_kind kind, const int *buffers, int n, const void *params, size_t bytes);
/* Append a kernel instruction. An operand that the kernel overwrites is copied to the result first; coalescing removes the copy
 * if it can. */
void sr_plan_add_kernel(struct sr_plan_builder *b, enum sr_kernel kernel, enum sr_dtype type, int64_t range, const int *buffers,
			int n, const void *params, size_t bytes);
/* Let an operand of the last instruction start at a run-time offset in its buffer (struct sr_dynamic_offset). */
void sr_plan_add_dynamic_offset(struct sr_plan_builder *b, struct sr_dynamic_offset shift);
void sr_plan_add_copy(struct sr_plan_builder *b, int source, int target);
/* A nested computation. Instructions are appended to it between sr_plan_begin_computation and sr_plan_end_computation. */
struct sr_plan_scope {
	int computation, outer;
};
struct sr_plan_scope sr_plan_begin_computation(struct sr_plan_builder *b);
void sr_plan_end_computation(struct sr_plan_builder *b, struct sr_plan_scope scope);
uint32_t sr_plan_add_text(struct sr_plan_builder *b, const char *s);
/* Append text from the source, for messages, with unprintable characters escaped. */
uint32_t sr_plan_add_printable_text(struct sr_plan_builder *b, const char *s);
/* Append a location as text, "file:line:col"; "" without a file. */
uint32_t sr_plan_add_loc(struct sr_plan_builder *b, struct sr_src_loc loc);
/* Append the location of the op as text; "" if op is NULL. */
uint32_t sr_plan_add_op_loc(struct sr_plan_builder *b, const struct sr_op *op);
/* Append a group list and return its index; equal lists are stored once. */
int sr_plan_add_group(struct sr_plan_builder *b, struct sr_groups g);
/* Append numbers to `ids`; return the index of the first. */
uint64_t sr_plan_add_ids(struct sr_plan_builder *b, const int64_t *v, int64_t n);
/* Describe a value's global type and sharding, without its buffer. global NULL: the value is not sharded. */
struct sr_io sr_plan_describe_value(struct sr_plan_builder *b, const struct sr_type *local_type, const struct sr_attr *global_type,
				    const struct sr_attr *sharding, const char *name);

/* ---- lowering ---- */
typedef enum sr_status sr_lower_fn(struct sr_plan_builder *b, struct sr_op *op);
/* Lower all ops of a block except the terminator. */
enum sr_status sr_lower_block(struct sr_plan_builder *b, struct sr_block *block);
enum sr_status sr_lower_unsupported(struct sr_plan_builder *b, struct sr_op *op, const char *why);
/* Compute row-major strides of a static shape; returns the number of elements. */
int64_t sr_row_major_strides(const struct sr_type *t, int64_t *strides);
/* Append a move. sr_move_init initializes params for a dense source and destination, whose strides the caller may change. */
void sr_plan_add_move(struct sr_plan_builder *b, int src, int dst, struct sr_move_params *params);
void sr_move_init(struct sr_move_params *m, enum sr_dtype type, int rank, const int64_t *shape);

struct sr_program *sr_plan_write(struct sr_plan_builder *b, const struct sr_arena_size *size, int n_arguments, int n_results);

#endif
