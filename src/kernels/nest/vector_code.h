/* Vector code: a sequence of cheap elementwise ops on elements of one size that is executed block by block. A block has as many
 * elements as fill SR_VECTOR_COUNT vectors. Ops are threaded code (Bell 1973): each calls the next one, and passes its result in
 * vector registers. So the intermediate values of an expression are never written to memory, or only to one block of it.
 *
 * The functions of ops are compiled for each instruction set (vector_code_body.h). They compute the bits of the kernels of the same
 * names. The ops of a sequence have elements of one size; values of narrower types are extended to it: integers by their sign or
 * zeros, f32 to f64, truth values (i1) such that all bits of an element are set for true. */
#ifndef SR_KERNELS_NEST_VECTOR_CODE_H
#define SR_KERNELS_NEST_VECTOR_CODE_H

#include "kernels/kernel.h"
#include "support/dtype.h"
#include <stdbool.h>
#include <stdint.h>

enum { SR_VECTOR_COUNT = 8, SR_VECTOR_ARGS = 6, SR_VECTOR_NEXT = 8 };

/* Which argument of an op is in vector registers, where the op before it left its result. The others are in memory. In the forms
 * FIRST_ONE and SECOND_ONE another argument is a single element, which is loaded once for all vectors: the second or the first one
 * of an op of two arguments, the third one of an op of three. */
enum sr_vector_form {
	SR_VECTOR_NONE,
	SR_VECTOR_FIRST,
	SR_VECTOR_SECOND,
	SR_VECTOR_THIRD,
	SR_VECTOR_FIRST_ONE,
	SR_VECTOR_SECOND_ONE,
	SR_VECTOR_FORMS
};

enum { SR_VECTOR_COMMON_AMOUNT = 1 };

/* Ops that compute several instructions at once, for elements of 4 and 8 bytes. The integer ones are those of random number
 * generators and hashes. Their arguments: x, n, z, m, as many as an op has; n and m are single elements. Shifts are without sign.
 * An amount n of XOR_SHIFT_LEFT and XOR_SHIFT_RIGHT is less than the bits of an element. Polynomials with coefficients for several
 * intervals need ADD_SELECT and ADD_SELECT_3. Their arguments: x, the truth values t, or t and u, and the single elements a, b, and
 * c. Polynomials, stencils and small products need those of floats with the arguments x, y, z; products are rounded. The last one
 * finds the index of the largest or smallest element. */
enum sr_vector_combined {
	SR_VECTOR_XOR_SHIFT_LEFT,  /* x ^ (x << n) */
	SR_VECTOR_XOR_SHIFT_RIGHT, /* x ^ (x >> n) */
	SR_VECTOR_SHIFTS_XOR,      /* ((x << n) | (x >> m)) ^ z */
	SR_VECTOR_ADD_SELECT,      /* x + (t ? a : b), of floats */
	SR_VECTOR_ADD_SELECT_3,    /* x + (t ? u ? a : b : c), of floats */
	SR_VECTOR_MULTIPLY_ADD,    /* x * y + z */
	SR_VECTOR_MULTIPLY_SUBTRACT, /* x * y - z */
	SR_VECTOR_SUBTRACT_PRODUCT,  /* z - x * y */
	SR_VECTOR_ADD_3,           /* (x + y) + z */
	SR_VECTOR_SQUARE,          /* x * x */
	SR_VECTOR_EQUAL_OR_NAN,    /* x == y || x != x */
	SR_VECTOR_COMBINED_COUNT
};

typedef void sr_vector_fn(void); /* the type depends on the instruction set */
struct sr_vector_op {
	sr_vector_fn *fn;
	const struct sr_vector_call *call; /* of the op `call` */
	struct sr_vector_arg {
		char *at;
		int32_t step; /* distance of vectors in bytes; 0: one vector stands for all */
		int32_t mask; /* all bits set: the operand is an array; 0: it is one block */
	} out, args[SR_VECTOR_ARGS]; /* out.at: NULL if the result is passed in registers only */
};
struct sr_vector_call { /* a kernel */
	sr_kernel_fn *fn;
	struct sr_map_params params; /* without n and scalar */
	int n_args, element_bytes;
};

struct sr_vector_functions {
	int vector_bytes;
	/* Return the function of an elementwise kernel; NULL: there is none. in, out: types of the last argument and of the result.
	 * variant: as in struct sr_map_params, or SR_VECTOR_COMMON_AMOUNT for a shift by a single amount less than the bits of an
	 * element. */
	sr_vector_fn *(*find)(enum sr_kernel kernel, enum sr_dtype in, enum sr_dtype out, int variant, enum sr_vector_form form);
	/* Return the function of a combined op for elements of `bytes` bytes; NULL: there is none. */
	sr_vector_fn *(*find_combined)(enum sr_vector_combined op, int bytes, enum sr_vector_form form);
	/* Return the function that loads values of a narrow type, or stores them from registers. bytes: of the ops' elements. */
	sr_vector_fn *(*find_load)(enum sr_dtype type, int bytes), *(*find_store)(enum sr_dtype type, int bytes);
	/* Functions of more ops. call: a call of a kernel, which needs `out`. end: the end of a sequence. stream: a store to `out`,
	 * past the caches if the address is aligned; NULL: the instruction set has no such stores. */
	sr_vector_fn *call, *end, *stream;
	/* Run n blocks. The last op is `end`. n blocks at each of the n_next addresses `next` are prefetched meanwhile. */
	void (*run)(const struct sr_vector_op *ops, int64_t n, const char *const *next, int n_next);
};

#endif
