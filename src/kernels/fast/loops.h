/* Vectorizable loops: the elementwise functions of map.ops, compare, select, clamp, convert and reduce for the common element
 * types. Included once per instruction set, by a file that sets the compiler's target and defines INIT, the name of the
 * registration function. Expressions are those of the reference kernels; transcendental functions are those of elementary.h
 * instead of the C library's. */
#define SR_OWN_ELEMENTARY_FUNCTIONS
#define SR_SMALL_FLOATS_ARE_F32
#include "kernels/element.h"
#include "kernels/fast/fast.h"
#include "kernels/vector_extrema.h"
#include <string.h>

enum { LANES = 32, STRIP = 512 };

/* Compute the extents of a reduction [outer][run][inner] -> [outer][inner]. Returns false if the reduction does not have this
 * form. */
static bool reduce_shape(const struct sr_reduce_params *p, int64_t *run, int64_t *inner)
{
	int d = p->rank - 1;

	*run = *inner = 1;
	for (; d >= 0 && !p->reduced[d]; d--)
		*inner *= p->shape[d];
	for (; d >= 0 && p->reduced[d]; d--)
		*run *= p->shape[d];
	for (; d >= 0; d--)
		if (p->reduced[d])
			return false;
	return true;
}

#ifdef __FMA__
SR_FUSED_FMA
SR_REMAINDER_FMA
#else
SR_FUSED_PLAIN
SR_REMAINDER_PLAIN
#endif
SR_CHOSEN
SR_MODULO
SR_EXPONENTIAL
SR_ELEMENTARY
SR_COMPLEX_FUNCTIONS
SR_UNSIGNED_DOUBLES

#include "kernels/fast/accumulate.h"
#include "kernels/fast/prefix.h"

/* Instantiate the loops for each type; INIT registers them. */
/* Declare sqrt as a function that does not set errno, so that a square root is a single instruction. */
extern double sqrt(double) __attribute__((const));
extern float sqrtf(float) __attribute__((const));

#define TYPE F32
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE F64
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE BF16
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE F16
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE I32
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE UI32
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE I8
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE I16
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE UI8
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE UI16
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE UI64
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE I64
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE I1
#include "kernels/map/scalar_body.h"
#include "kernels/fast/loops_body.h"
#undef TYPE
#define TYPE C64
#include "kernels/fast/loops_complex.h"
#undef TYPE
#define TYPE C128
#include "kernels/fast/loops_complex.h"
#undef TYPE

#include "kernels/fast/loops_convert.h"

void INIT(struct sr_kernels *table)
{
	register_fast_F32(table);
	register_fast_F64(table);
	register_fast_BF16(table);
	register_fast_F16(table);
	register_fast_I32(table);
	register_fast_UI32(table);
	register_fast_I8(table);
	register_fast_I16(table);
	register_fast_UI8(table);
	register_fast_UI16(table);
	register_fast_UI64(table);
	register_fast_I64(table);
	register_fast_I1(table);
	register_fast_C64(table);
	register_fast_C128(table);
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		sr_kernels_set(table, SR_KERNEL_CONVERT, (enum sr_dtype)t, fast_convert);
}
