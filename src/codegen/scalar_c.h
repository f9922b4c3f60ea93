/* Generate C for element types and elementwise functions. Expressions come from kernels/map/map.ops. A value has the type in which
 * it is computed: float for floats of 8 and 16 bits, rounded after every function. */
#ifndef SR_CODEGEN_SCALAR_C_H
#define SR_CODEGEN_SCALAR_C_H

#include "kernels/nest/nest.h"
#include "support/buf.h"

struct sr_c_type {
	const char *id;     /* the type's name in names of C functions: "F32"; NULL: the type is not compiled */
	const char *memory; /* C type of an element in memory */
	const char *wide_type; /* C type of a value during computation */
};
/* Return the C types of an element type, or NULL if the type is not compiled. */
const struct sr_c_type *sr_c_type_of(enum sr_dtype type);
/* Return true for floats of at most 16 bits, which are stored as their bits and computed in float. */
bool sr_c_is_narrow_float(enum sr_dtype type);
/* Return true for those of at most 8 bits. */
bool sr_c_is_small_float(enum sr_dtype type);

/* What a file uses: is_used[kernel][type] for the functions of map.ops. */
struct sr_c_functions {
	bool has_small_floats; /* true if there are floats of at most 8 bits */
	bool has_quotients;    /* true if integers are divided as floats */
	bool is_used[SR_KERNEL_COUNT][SR_DTYPE_COUNT];
};

/* Append the C expression of a MAP instruction. args: C text of its arguments, simple expressions. Return false if the
 * instruction is not compiled. */
bool sr_c_map(struct sr_buf *out, struct sr_c_functions *f, const struct sr_nest_instr *in, enum sr_dtype in_type,
	      enum sr_dtype out_type, const char *const *args);
/* Append a call of an elementwise function on n arguments of one type. Return false if the function is not compiled. */
bool sr_c_call(struct sr_buf *out, struct sr_c_functions *f, enum sr_kernel kernel, enum sr_dtype type, const char *const *args,
	       int n);
void sr_c_literal(struct sr_buf *out, enum sr_dtype type, const void *element);
/* Append the beginning of a C file: types, conversions, and the elementwise functions that the file uses. */
void sr_c_prelude(struct sr_buf *out, const struct sr_c_functions *f);

#endif
