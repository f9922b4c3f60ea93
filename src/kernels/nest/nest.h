/* A tile: a nest of loops made once over memory, from inputs to outputs. It is what maps, moves, fills, reductions and windows become when
 * they are lowered and fused (src/work), and is either interpreted (nest_execute.c: strips in L1 through the kernels' vector loops) or compiled
 * as C.
 *
 * The loops: n_parallel outer ones, whose points do not depend on each other, then inner ones, which go in order and which reductions run
 * over. For each point of the parallel loops the stages run in order; a stage runs over all inner loops, or (over_inner 0) once. So softmax
 * of rows is one tile: parallel row, inner column; stage 1 the maximum, 2 the sum of exponentials, 3 the quotient.
 *
 * Instructions are in SSA over numbered values; an instruction's value is made once for each point of the loops its stage runs over. A
 * stage may use values of its own, those of REDUCE (complete once the stage that makes it has ended), those of stages that run once, and
 * saved values: those with a place in the row buffer, one element for each point of the inner loops, made in an earlier stage.
 *
 * Everything lies in one block without pointers: struct sr_nest first, then the arrays at the byte offsets it gives, each 16-aligned, so that
 * it can be a step's params in a program. sr_nest_check says whether such a block may be trusted.
 *
 * An output may be the memory of an input where struct sr_nest_output says so: every element is read before it is written. */
#ifndef SR_KERNELS_NEST_NEST_H
#define SR_KERNELS_NEST_NEST_H

#include "kernels/kernel.h"
#include <stdbool.h>
#include <stddef.h>

enum { SR_NEST_MAX_LOOPS = 16, SR_NEST_MAX_ARGS = 8, SR_NEST_MAX_FOLDS = 4, SR_NEST_MAX_BUFFERS = 64 };

enum sr_nest_op {
	SR_NEST_LOAD,     /* value = the element of `access`, or the access's fill value outside its bounds */
	SR_NEST_STORE,    /* the element of `access` = args[0] */
	SR_NEST_CONSTANT, /* value = the element at byte `constant` of the constants */
	SR_NEST_INDEX,    /* value = the offset of `access` as a number (its buffer is not read); type i64 */
	SR_NEST_MAP,      /* value = elementwise `kernel` of args (map.ops, convert, bitcast of one width, compare, select, clamp, complex,
			   * reduce_precision), whose table type is `type` */
	SR_NEST_REDUCE,   /* value = args[0] over the inner loops in order, by `kernel` (ADD, MULTIPLY, MINIMUM, MAXIMUM, AND, OR, XOR) of the
			   * value's own type, begun with args[1], which is of a stage that runs once or made before */
	SR_NEST_FOLD,     /* values result .. result + n_folds - 1 = args[0 .. n_folds) over the inner loops in order, begun with
			   * args[n_folds .. 2 n_folds), by the instructions [body, body + n_body): these read the values body_args (so far),
			   * body_args + n_folds (what comes) and make body_results */
	SR_NEST_OP_COUNT
};

struct sr_nest_instr {
	uint8_t op;       /* enum sr_nest_op */
	uint8_t type;     /* enum sr_dtype, MAP: by which the kernel is looked up */
	uint16_t kernel;  /* enum sr_kernel */
	uint8_t n_args, variant, exponent_bits, mantissa_bits; /* as struct sr_map_params */
	int32_t result;   /* value; -1: STORE */
	int32_t args[SR_NEST_MAX_ARGS];
	int32_t access;   /* LOAD, STORE, INDEX */
	int32_t constant; /* CONSTANT: byte offset in the constants */
	int32_t n_folds, body, n_body, body_args; /* FOLD */
	int32_t body_results[SR_NEST_MAX_FOLDS];
};

struct sr_nest_value {
	uint8_t dtype;
	uint8_t saved;  /* kept for each point of the inner loops, for later stages */
	int16_t stage;  /* that makes it; of a FOLD's body: -1 */
};

/* A dimension that is more than a stride: x = offset + sum of coef[l] * (index of loop l), and so the access's element moves on by
 * stride * y, where y is: without index, x / divisor, x being a multiple of the divisor; with index, the value `index` clamped to
 * [0, limit], plus x. Where extent > 0, y must lie in [0, extent) and x be a multiple of the divisor: else the element is outside. */
struct sr_nest_dim {
	int64_t offset, coef[SR_NEST_MAX_LOOPS];
	int64_t divisor; /* at least 1 */
	int64_t extent;  /* 0: not bounded */
	int64_t stride;
	int64_t limit;
	int32_t index;   /* a value of an integer type; -1: none */
	uint32_t steady; /* 0 in a program; made ready: bit l, the index is the same along loop l */
};

/* Element offset + sum of stride[l] * (index of loop l) + what the dims add, in elements of the buffer. */
struct sr_nest_access {
	int32_t buffer;    /* of the step's; INDEX: -1 */
	int32_t first_dim, n_dims;
	int32_t fill;      /* LOAD with bounds: the value of an element outside; -1: no bounds */
	int64_t offset, stride[SR_NEST_MAX_LOOPS];
};

struct sr_nest_stage {
	int32_t first, n;   /* instructions */
	int32_t over_inner; /* 0: once for each point of the parallel loops */
};

struct sr_nest_output {
	uint64_t may_share; /* bit b: the memory of buffer b */
};

struct sr_nest {
	uint32_t bytes; /* of the whole block */
	int32_t n_loops, n_parallel;
	int32_t n_inputs, n_outputs; /* the step's buffers: inputs first */
	int32_t n_stages, n_instrs, n_values, n_accesses, n_dims;
	uint32_t stages, instrs, values, accesses, dims, outputs; /* byte offsets of the arrays; outputs[n_outputs] */
	uint32_t constants, constant_bytes;
	int64_t extent[SR_NEST_MAX_LOOPS];
};

#define SR_NEST_ARRAY(name, T)                                           \
	static inline const T *sr_nest_##name(const struct sr_nest *t)   \
	{                                                                \
		return (const T *)(const void *)((const char *)t + t->name); \
	}
SR_NEST_ARRAY(stages, struct sr_nest_stage)
SR_NEST_ARRAY(instrs, struct sr_nest_instr)
SR_NEST_ARRAY(values, struct sr_nest_value)
SR_NEST_ARRAY(accesses, struct sr_nest_access)
SR_NEST_ARRAY(dims, struct sr_nest_dim)
SR_NEST_ARRAY(outputs, struct sr_nest_output)
SR_NEST_ARRAY(constants, char)

/* Is the block of n_bytes sound: arrays inside it, values made before they are used and of the types that their users want, kernels that
 * exist, and every element of buffer b that any access may touch inside [0, elements[b]) of an element type of dtypes[b]? *why says not. */
bool sr_nest_check(const struct sr_nest *tile, uint64_t n_bytes, const int64_t *elements, const uint8_t *dtypes, int n_buffers,
		   const char **why);
extern const char sr_nest_no_memory[]; /* what *why is where memory runs out */

/* ---- interpreting ---- */

/* A tile made ready for one set of kernels: loops merged where all accesses allow it, boxes of points chosen, functions looked up.
 * It does not depend on where buffers lie. */
struct sr_nest_prepared;
/* All its functions are in the table; else *type is an element type that one of them is missing for. */
bool sr_nest_kernels_exist(const struct sr_nest *tile, const struct sr_kernels *kernels, enum sr_dtype *type);
/* In malloc'd memory (sr_nest_release); NULL: out of memory. The tile outlives it. */
struct sr_nest_prepared *sr_nest_prepare(const struct sr_nest *tile, const struct sr_kernels *kernels);
void sr_nest_release(struct sr_nest_prepared *ready);
/* How many equal pieces its parallel work has: [0, n). What a piece computes, and in which order it sums, does not depend on how
 * pieces are dealt out. */
int64_t sr_nest_chunk_count(const struct sr_nest_prepared *ready);
/* Bytes that one call of sr_nest_execute needs of its own. */
size_t sr_nest_scratch(const struct sr_nest_prepared *ready);
void sr_nest_execute(const struct sr_nest_prepared *ready, void *const *buffers, void *scratch, int64_t begin, int64_t end);

#endif
