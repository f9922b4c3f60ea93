/* Element types and elementwise functions as C text: what a compiled unit's loops are made of. The expressions are those of
 * kernels/map/map.ops. A value is held in the type that is computed in (float for f16 and bf16, rounded after every function). */
#ifndef SR_CODEGEN_SCALAR_C_H
#define SR_CODEGEN_SCALAR_C_H

#include "kernels/nest/nest.h"
#include "support/buf.h"

struct sr_c_type {
	const char *id;     /* as in names of functions: "F32"; NULL: a type that is not compiled */
	const char *memory; /* C type of an element in memory */
	const char *wide;   /* C type of a value */
};
const struct sr_c_type *sr_c_type_of(enum sr_dtype type); /* NULL: none */
bool sr_c_is_16bit_float(enum sr_dtype type); /* kept in memory as bits of 16, and computed in float */

/* The functions that a unit uses: [kernel][type] of map.ops. */
struct sr_c_functions {
	bool used[SR_KERNEL_COUNT][SR_DTYPE_COUNT];
};

/* The expression of an instruction of MAP, its arguments (simple expressions) by text; false: it is not compiled. */
bool sr_c_map(struct sr_buf *out, struct sr_c_functions *f, const struct sr_nest_instr *in, enum sr_dtype from, enum sr_dtype to,
	      const char *const *args);
/* A function of two arguments of one type, as a reduction calls it. */
bool sr_c_call(struct sr_buf *out, struct sr_c_functions *f, enum sr_kernel kernel, enum sr_dtype type, const char *const *args, int n);
/* What changes nothing when it is combined with any value; NULL: not known. */
const char *sr_c_identity(enum sr_kernel kernel, enum sr_dtype type);
void sr_c_literal(struct sr_buf *out, enum sr_dtype type, const void *element);
/* The head of a file: types, conversions, the functions used. */
void sr_c_prelude(struct sr_buf *out, const struct sr_c_functions *f);

#endif
