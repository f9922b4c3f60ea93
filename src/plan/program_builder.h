/* The program under construction: growing tables, values to buffers. Internal to plan.
 *
 * Lowering gives every value a buffer of its own and copies where a value goes from one to another (loop state, branches, updates). Which
 * of them are one memory is decided afterwards (coalesce.h), from when they live (liveness.h). */
#ifndef SR_PLAN_PROGRAM_BUILDER_H
#define SR_PLAN_PROGRAM_BUILDER_H

#include "plan/plan.h"
#include "support/vec.h"

enum sr_buffer_use {	     /* beyond the steps that name a buffer */
	SR_USE_ARGUMENT = 1,    /* it holds an argument before the first step */
	SR_USE_PERMANENT = 2,   /* what it holds stays: a constant, an argument that is not donated */
	SR_USE_RESULT = 4,   /* it is read after the last step */
};

struct sr_instr_list {
	SR_VEC(struct sr_instr) steps;
};

struct sr_plan_builder {
	struct sr_context *ctx;
	struct sr_arena *arena;
	const struct sr_plan_options *options;
	struct sr_op *module;
	const struct sr_mesh *mesh;
	struct sr_map buffer_of; /* value -> 1 + buffer */
	SR_VEC(struct sr_buffer) buffers;
	SR_VEC(uint8_t) uses; /* [buffers]: enum sr_buffer_use, or-ed */
	SR_VEC(struct sr_op *) makers; /* [buffers]: the op that each was made for, NULL: none */
	SR_VEC(struct sr_instr_list) plans;
	SR_VEC(int32_t) operands;
	SR_VEC(struct sr_dynamic_offset) shifts;
	SR_VEC(char) params;
	SR_VEC(int64_t) ids;
	SR_VEC(struct sr_group_list) groups;
	SR_VEC(struct sr_io) values;
	SR_VEC(struct sr_probe) probes;
	SR_VEC(struct sr_constant) inits;
	SR_VEC(char) data;
	SR_VEC(char) text;
	SR_VEC(struct sr_live_buffers) alive; /* at the peak */
	struct sr_map texts; /* interned string -> 1 + offset */
	struct sr_map meshes; /* struct sr_mesh but b->mesh -> 1 + index in ids */
	struct sr_map orders; /* struct sr_mesh -> 1 + index in ids of its order of devices */
	int plan;            /* index of the plan that steps go to */
	int64_t lanes;       /* elements per value inside a general body; 0: as the types say */
	int64_t n_devices, n_replicas; /* that collectives see here: the program's, or of the grid of a run_parallel */
	const struct sr_attr *infeed;  /* the run_parallel's functions that feed, NULL: none */
	int n_fed;
	const struct sr_transfer *transfers; /* of the run_parallel, lower_parallel.c */
	int64_t scratch_bytes, flops;
	struct sr_op *op;    /* being lowered: place and name of its steps */
};

struct sr_arena_size {
	int64_t bytes;
	int64_t least; /* the most that is alive at once: no layout of these buffers takes less */
	int64_t peak;  /* the first moment at which so much is */
};

/* ---- buffers ---- */
bool sr_plan_size_fits(const struct sr_plan_builder *b, const struct sr_type *t); /* a value of it in bytes, with room for sums */
int sr_plan_buffer(struct sr_plan_builder *b, enum sr_dtype type, int64_t elements); /* overflow unwinds the arena */
int sr_plan_buffer_for(struct sr_plan_builder *b, struct sr_value *v); /* made by its type where it has none */
void sr_plan_bind_value(struct sr_plan_builder *b, struct sr_value *v, int buffer); /* v is these bytes */
int sr_plan_add_constant(struct sr_plan_builder *b, enum sr_dtype type, const void *data, int64_t bytes, int64_t elements); /* one element: splat */
void sr_plan_add_use(struct sr_plan_builder *b, int buffer, unsigned uses); /* enum sr_buffer_use, added */
/* A result with this buffer's value, in a buffer of its own: not an argument's, a constant's or another result's. */
int sr_plan_result(struct sr_plan_builder *b, int buffer);
/* Elements of a value here: its type's, times the lanes of a body. */
int64_t sr_plan_elements(const struct sr_plan_builder *b, const struct sr_value *v);
enum sr_dtype sr_plan_dtype(const struct sr_value *v);

/* ---- steps ---- */
/* Params are copied. Returns the step, valid until the next one. */
struct sr_instr *sr_plan_add_instr(struct sr_plan_builder *b, enum sr_instr_kind kind, const int *buffers, int n, const void *params, size_t bytes);
/* A kernel that works over an operand gets it copied to the result first: alias takes the copy away where it can. */
void sr_plan_add_kernel(struct sr_plan_builder *b, enum sr_kernel kernel, enum sr_dtype type, int64_t range, const int *buffers, int n,
		    const void *params, size_t bytes);
/* An operand of the plan's last step begins further on in its buffer (struct sr_dynamic_offset). */
void sr_plan_add_dynamic_offset(struct sr_plan_builder *b, struct sr_dynamic_offset shift);
void sr_plan_add_copy(struct sr_plan_builder *b, int from, int to);
/* A nested plan: steps go to it until sr_plan_end_computation. */
struct sr_plan_scope {
	int plan, outer;
};
struct sr_plan_scope sr_plan_begin_computation(struct sr_plan_builder *b);
void sr_plan_end_computation(struct sr_plan_builder *b, struct sr_plan_scope nest);
uint32_t sr_plan_add_text(struct sr_plan_builder *b, const char *s);
uint32_t sr_plan_add_printable_text(struct sr_plan_builder *b, const char *s); /* of the source, for messages: as sr_printable makes it */
uint32_t sr_plan_add_loc(struct sr_plan_builder *b, struct sr_src_loc place); /* "file:line:col", "" without a file */
uint32_t sr_plan_add_op_loc(struct sr_plan_builder *b, const struct sr_op *op); /* the op's, "" for NULL */
int sr_plan_add_group(struct sr_plan_builder *b, struct sr_groups g); /* its index; equal ones are one */
uint64_t sr_plan_add_ids(struct sr_plan_builder *b, const int64_t *v, int64_t n); /* index of the first */
/* A value as it is globally and as devices share it; without its buffer. NULL for `global`: it is not shared. */
struct sr_io sr_plan_describe_value(struct sr_plan_builder *b, const struct sr_type *local, const struct sr_attr *global,
			      const struct sr_attr *sharding, const char *name);

/* ---- lowering ---- */
typedef enum sr_status sr_lower_fn(struct sr_plan_builder *b, struct sr_op *op);
enum sr_status sr_lower_op(struct sr_plan_builder *b, struct sr_op *op);
enum sr_status sr_lower_block(struct sr_plan_builder *b, struct sr_block *block); /* all but the terminator */
enum sr_status sr_lower_unsupported(struct sr_plan_builder *b, struct sr_op *op, const char *why);
/* Row-major strides of a static shape; returns the number of elements. */
int64_t sr_row_major_strides(const struct sr_type *t, int64_t *strides);
/* A move with src and dst dense but for the given strides; ready to be changed. */
void sr_plan_add_move(struct sr_plan_builder *b, int src, int dst, struct sr_move_params *params);
void sr_move_init(struct sr_move_params *m, enum sr_dtype type, int rank, const int64_t *shape);

struct sr_program *sr_plan_write(struct sr_plan_builder *b, const struct sr_arena_size *size, int n_arguments, int n_results);

#endif
