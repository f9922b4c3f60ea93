/* A loop nest: a nest of loops over memory, from inputs to outputs, with a body of scalar instructions. Maps, moves, fills,
 * reductions and windows become loop nests when they are lowered and fused (src/work). A loop nest is either interpreted
 * (nest_execute.c: block by block in L1 through the kernels' vector loops) or compiled as C (src/codegen).
 *
 * The loops: n_parallel outer ones, whose iterations are independent, then inner ones, which run in order and which reductions run
 * over. For each iteration of the parallel loops the stages run in order; a stage runs over all inner loops or (over_inner 0) once.
 * Example: softmax of rows is one loop nest with a parallel loop over rows and an inner loop over columns; stage 1 computes the
 * maximum, stage 2 the sum of exponentials, stage 3 the quotient.
 *
 * Instructions are in SSA form over numbered values; an instruction's value is computed once for each iteration of the loops of its
 * stage. A stage may use its own values; those of REDUCE (complete once the stage that computes them has ended); those of stages
 * that run once; and saved values of earlier stages, which are stored with one element for each iteration of the inner loops.
 *
 * A loop nest is one block of memory without pointers: struct sr_nest, then the arrays at the byte offsets that it gives, each
 * 16-byte aligned. So a program can store it as an instruction's params. sr_nest_check validates an untrusted block.
 *
 * Order of reductions. A REDUCE of a stage with `lanes` L has L accumulators. The first begins with the initial value, the others
 * with the identity element. Element i of the last inner loop is combined into accumulator i % L, at each iteration of the other
 * inner loops, in order; adjacent loops that every access passes through as one count as one loop. At the end the upper half of the
 * accumulators is combined into the lower half until one is left. Interpreter and compiled code both sum in exactly this order, so
 * that they give equal bits with any instruction set. sr_nest_set_order chooses L from shape and types alone.
 *
 * An output may share the memory of an input if struct sr_nest_output permits it: then every element is read before it is
 * written. */
#ifndef SR_KERNELS_NEST_NEST_H
#define SR_KERNELS_NEST_NEST_H

#include "kernels/kernel.h"
#include "support/arena.h"
#include <stdbool.h>
#include <stddef.h>

enum { SR_NEST_MAX_LOOPS = 16, SR_NEST_MAX_ARGS = 8, SR_NEST_MAX_FOLDS = 4, SR_NEST_MAX_BUFFERS = 64, SR_NEST_MAX_LANES = 256 };

enum sr_nest_op {
	SR_NEST_LOAD,     /* LOAD: value = the element of `access`, or the access's fill value if it is out of bounds */
	SR_NEST_STORE,    /* STORE: the element of `access` = args[0] */
	SR_NEST_CONSTANT, /* CONSTANT: value = the element at byte offset `constant` of the constants */
	SR_NEST_INDEX,    /* INDEX: value = the element offset of `access` as an i64; its buffer is not read */
	/* MAP: value = elementwise `kernel` of args (map.ops, convert, bitcast of equal width, compare, select, clamp, complex,
	 * reduce_precision), with element type `type` in the kernel table */
	SR_NEST_MAP,
	/* REDUCE: value = args[0] combined over the inner loops, in the order described above, by `kernel` (ADD, MULTIPLY, MINIMUM,
	 * MAXIMUM, AND, OR, XOR) of the value's type, beginning with args[1], whose stage runs once or is an earlier one */
	SR_NEST_REDUCE,
	/* FOLD, a reduction with a body: values result .. result + n_folds - 1 = args[0 .. n_folds) combined over the inner loops
	 * in order, beginning with args[n_folds .. 2 n_folds), by the instructions [body, body + n_body). These read the values
	 * body_args (accumulators) and body_args + n_folds (elements) and produce body_results */
	SR_NEST_FOLD,
	SR_NEST_OP_COUNT
};

struct sr_nest_instr {
	uint8_t op;       /* operation, enum sr_nest_op */
	uint8_t type;     /* enum sr_dtype of the value; for MAP and REDUCE, the element type in the kernel table */
	uint16_t kernel;  /* kernel of MAP and REDUCE, enum sr_kernel */
	/* number of entries of `args`; other members are as in struct sr_map_params */
	uint8_t n_args, variant, exponent_bits, mantissa_bits;
	int32_t result;   /* number of the value that the instruction defines; -1 for STORE */
	int32_t args[SR_NEST_MAX_ARGS];
	int32_t access;   /* number of the access of LOAD, STORE and INDEX */
	int32_t constant; /* for CONSTANT: byte offset in the constants, a multiple of 16 */
	int32_t n_folds, body, n_body, body_args; /* FOLD */
	int32_t body_results[SR_NEST_MAX_FOLDS];
};

struct sr_nest_value {
	uint8_t dtype;
	uint8_t is_saved;  /* true if the value is stored for each iteration of the inner loops, for later stages */
	int16_t stage;  /* number of the stage that computes the value; -1 if it belongs to a FOLD's body */
};

/* A dimension of an access that is not a plain stride. With x = offset + sum of coef[l] * (index of loop l), the element's offset
 * increases by stride * y. Without an index value, y = x / divisor; x must be a multiple of the divisor. With one, y = x + the
 * value `index` clamped to [0, limit]. If extent > 0, an element with y outside [0, extent), or x not a multiple of the divisor,
 * is out of bounds. */
struct sr_nest_dim {
	int64_t offset, coef[SR_NEST_MAX_LOOPS];
	int64_t divisor; /* divisor of the index, at least 1 */
	int64_t extent;  /* extent of the dimension for bounds checks; 0: no bounds */
	int64_t stride;
	int64_t limit;
	int32_t index;   /* number of the index value, of an integer type; -1: none */
	/* 0 in a program; in a prepared nest, bit l is set if the index value does not depend on loop l */
	uint32_t invariant_loops;
};

/* A memory access by an affine indexing map: element offset + sum of stride[l] * (index of loop l) + the contributions of the
 * dims. */
struct sr_nest_access {
	int32_t buffer;    /* number of the instruction's buffer; -1 for INDEX */
	int32_t first_dim, n_dims;
	int32_t fill;      /* for LOAD with bounds: number of the value used out of bounds; -1: no bounds */
	int64_t offset, stride[SR_NEST_MAX_LOOPS];
};

struct sr_nest_stage {
	int32_t first, n;   /* first instruction of the stage and number of instructions */
	/* true if the stage runs over the inner loops; 0: it runs once for each iteration of the parallel loops */
	int32_t over_inner;
	/* accumulators of each REDUCE of the stage: a power of two up to SR_NEST_MAX_LANES; 0 counts as 1. A stage with a FOLD has
	 * 1 */
	int32_t lanes;
};

struct sr_nest_output {
	uint64_t may_share; /* bit b is set if the output may share memory with buffer b */
};

struct sr_nest {
	uint32_t bytes; /* size in bytes of the entire block */
	int32_t n_loops, n_parallel;
	int32_t n_inputs, n_outputs; /* numbers of the instruction's buffers, inputs first */
	int32_t n_stages, n_instrs, n_values, n_accesses, n_dims;
	/* byte offsets in the block of the arrays; the last one is outputs[n_outputs] */
	uint32_t stages, instrs, values, accesses, dims, outputs;
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

/* Return true if the block of n_bytes is valid: arrays are inside it, values are defined before they are used and have the types
 * that their users require, kernels exist, and every access to buffer b is inside [0, elements[b]) and of the element type
 * dtypes[b]. Otherwise *why is a message. */
bool sr_nest_check(const struct sr_nest *nest, uint64_t n_bytes, const int64_t *elements, const uint8_t *dtypes, int n_buffers,
		   const char **why);
extern const char sr_nest_no_memory[]; /* message that sr_nest_check returns if memory runs out */

/* Return true if a loop over n indices is divided into a loop over most of them, in which masks are constant, and peeled loops over
 * the n_others others, such as the border of a grid. The peeled loops take more time for each index. */
static inline bool sr_nest_peels(int64_t n, int64_t n_others)
{
	return n_others <= n / 16 + 2;
}

/* Choose the order of all reductions of a loop nest that is otherwise complete: set the lanes of its stages. */
void sr_nest_set_order(struct sr_nest *nest, struct sr_arena *arena);
static inline int sr_nest_stage_lanes(const struct sr_nest_stage *stage)
{
	return stage->lanes > 1 ? stage->lanes : 1;
}
/* Store the identity element of a REDUCE by this kernel. Returns false if there is none, so that the REDUCE has one lane. */
bool sr_nest_identity(int kernel, enum sr_dtype type, void *element);

/* ---- interpreter ---- */

/* A loop nest prepared for one kernel table: loops merged where all accesses allow it, tile sizes chosen, kernel functions looked
 * up. It does not depend on the addresses of buffers. */
struct sr_nest_prepared;
/* Return true if the table has all kernels that the loop nest uses; otherwise *type is an element type for which one is missing. */
bool sr_nest_kernels_exist(const struct sr_nest *nest, const struct sr_kernels *kernels, enum sr_dtype *type);
enum { SR_NEST_STREAM_BYTES = 2 << 20 }; /* outputs of fewer bytes fit in most cores' caches */
/* Prepare a loop nest in malloc'd memory, released by sr_nest_release; NULL if memory runs out. `nest` and `kernels` must outlive
 * the result. Outputs of at least `stream_bytes` bytes together are written past the caches where tiles have long rows. */
struct sr_nest_prepared *sr_nest_prepare(const struct sr_nest *nest, const struct sr_kernels *kernels, int64_t stream_bytes);
void sr_nest_release(struct sr_nest_prepared *prepared);
/* Return the number n of independent work items, numbered [0, n). The results of an item, and the order of its sums, do not depend
 * on how items are distributed over threads. sr_nest_execute executes the items [begin, end). */
int64_t sr_nest_chunk_count(const struct sr_nest_prepared *prepared);
/* Return the scratch bytes that one call of sr_nest_execute needs. */
size_t sr_nest_scratch(const struct sr_nest_prepared *ready);
void sr_nest_execute(const struct sr_nest_prepared *ready, void *const *buffers, void *scratch, int64_t first, int64_t end);

#endif
