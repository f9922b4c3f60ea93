/* Vector code: a sequence of cheap elementwise ops on elements of one size that is executed block by block. A block has as many
 * elements as fill SR_VECTOR_COUNT vectors. Ops are threaded code (Bell 1973): each calls the next one, and passes its result in
 * vector registers. So the intermediate values of an expression are never written to memory, or only to one block of it.
 *
 * The functions of ops are compiled for each instruction set (vector_code_body.h). They compute the bits of the kernels of the same
 * names. Truth values (i1) are vectors of the ops' element size within vector code, all bits of an element set for true. */
#ifndef SR_KERNELS_NEST_VECTOR_CODE_H
#define SR_KERNELS_NEST_VECTOR_CODE_H

#include "kernels/kernel.h"
#include "support/dtype.h"
#include <stdbool.h>
#include <stdint.h>

enum { SR_VECTOR_COUNT = 8, SR_VECTOR_ARGS = 3 };

/* Which argument of an op is in vector registers, where the op before it left its result. The others are in memory. */
enum sr_vector_form { SR_VECTOR_NONE, SR_VECTOR_FIRST, SR_VECTOR_SECOND, SR_VECTOR_THIRD, SR_VECTOR_FORMS };

typedef void sr_vector_fn(void); /* the type depends on the instruction set */
struct sr_vector_op {
	sr_vector_fn *fn;
	struct sr_vector_arg {
		char *at;
		int64_t step; /* distance of vectors in bytes; 0: one vector stands for all */
		int64_t mask; /* all bits set: the operand is an array; 0: it is one block */
	} args[SR_VECTOR_ARGS], out; /* out.at: NULL if the result is passed in registers only */
	const struct sr_vector_call *call; /* of the op `call` */
};
struct sr_vector_call { /* a kernel */
	sr_kernel_fn *fn;
	struct sr_map_params params; /* without n and scalar */
	int n_args, element_bytes;
};

struct sr_vector_functions {
	int vector_bytes;
	/* Return the function of an elementwise kernel; NULL: there is none. in, out: types of the last argument and of the result.
	 * variant: as in struct sr_map_params. */
	sr_vector_fn *(*find)(enum sr_kernel kernel, enum sr_dtype in, enum sr_dtype out, int variant, enum sr_vector_form form);
	/* Functions of more ops. load_bytes, store_bytes: truth values from bytes to vectors, and from registers to bytes, for
	 * elements of 4 and 8 bytes. call: a call of a kernel. end: the end of a sequence. load_bytes and call need `out`. */
	sr_vector_fn *load_bytes[2], *store_bytes[2], *call, *end;
	/* Run n blocks. The last op is `end`. */
	void (*run)(const struct sr_vector_op *ops, int64_t n);
};

#endif
