/* Loops that the compiler vectorises: the elementwise functions of map.ops, compare, select, clamp, convert and reduce for the
 * types that programs spend their time in. Included once per instruction set, by a file that sets the target and defines INIT,
 * the function to make; expressions and order of sums are the reference's, but transcendental functions are those of elementary.h,
 * not the library's. */
#define SR_FUNCTIONS_ARE_OWN
#include "kernels/element.h"
#include "kernels/fast/fast.h"
#include <string.h>

enum { LANES = 32, STRIP = 512 };

/* The reduction as [outer][run][inner] -> [outer][inner]; false where it has another form. */
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
#else
SR_FUSED_PLAIN
#endif
SR_CHOSEN
SR_EXPONENTIAL
SR_ELEMENTARY
SR_COMPLEX_FUNCTIONS

/* Each type's loops are made here and registered in INIT. */
/* No errno is wanted, so the root is one instruction. */
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
	fast_rows_F32(table);
	fast_rows_F64(table);
	fast_rows_BF16(table);
	fast_rows_F16(table);
	fast_rows_I32(table);
	fast_rows_UI32(table);
	fast_rows_I8(table);
	fast_rows_I16(table);
	fast_rows_UI8(table);
	fast_rows_UI16(table);
	fast_rows_UI64(table);
	fast_rows_I64(table);
	fast_rows_I1(table);
	fast_rows_C64(table);
	fast_rows_C128(table);
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		sr_kernels_set(table, SR_KERNEL_CONVERT, (enum sr_dtype)t, fast_convert);
}
