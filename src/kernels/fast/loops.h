/* Loops that the compiler vectorises: the elementwise functions of map.ops, compare, select, clamp, convert and reduce for the
 * types that programs spend their time in. Included once per instruction set, by a file that sets the target and defines INIT,
 * the function to make; expressions and order of sums are the reference's, but functions of f32 and f64 may come from libmvec
 * (within 4 units in the last place). */
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

#define SIMD __attribute__((simd("notinbranch")))
#if defined(__x86_64__) && defined(__GLIBC__)
#define LIBMVEC(name) \
	extern double name(double) SIMD; \
	extern float name##f(float) SIMD;
LIBMVEC(exp)
LIBMVEC(log)
LIBMVEC(sin)
LIBMVEC(cos)
LIBMVEC(tanh)
LIBMVEC(tan)
LIBMVEC(expm1)
LIBMVEC(log1p)
LIBMVEC(cbrt)
#undef LIBMVEC
extern double pow(double, double) SIMD;
extern float powf(float, float) SIMD;
extern double atan2(double, double) SIMD;
extern float atan2f(float, float) SIMD;
#endif

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

/* The conversions between the types that meet most; the rest is the reference's. */
#define CONVERT(name, from, to) \
	static void name(const void *in_, void *out_, int64_t step, int64_t begin, int64_t end) \
	{ \
		const S_##from *in = in_; \
		S_##to *out = out_; \
		if (step) { \
			_Pragma("GCC ivdep") for (int64_t i = begin; i < end; i++) \
				out[i] = store_##to((T_##to)load_##from(in[i])); \
		} else { \
			for (int64_t i = begin; i < end; i++) \
				out[i] = store_##to((T_##to)load_##from(in[0])); \
		} \
	}
#define CONVERSIONS(X) \
	X(F32, BF16) X(BF16, F32) X(F32, F16) X(F16, F32) X(F32, F64) X(F64, F32) X(I32, F32) X(UI32, F32) X(I1, F32) X(I1, I32) \
	X(I32, I64) X(I64, I32) X(F32, C64) X(F64, C128) X(C64, C128) X(C128, C64)
#define DEFINE(from, to) CONVERT(convert_##from##_##to, from, to)
CONVERSIONS(DEFINE)
#undef DEFINE

static void fast_convert(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	typedef void convert_fn(const void *in, void *out, int64_t step, int64_t begin, int64_t end);
#define ROW(from, to) [SR_##from][SR_##to] = convert_##from##_##to,
	static convert_fn *const conversions[SR_DTYPE_COUNT][SR_DTYPE_COUNT] = {CONVERSIONS(ROW)};
#undef ROW
	const struct sr_map_params *p = params;

	if (conversions[p->in][p->out])
		conversions[p->in][p->out](buffers[0], buffers[1], !p->scalar[0], begin, end);
	else
		sr_convert_reference(params, buffers, scratch, begin, end);
}

void INIT(struct sr_kernels *table)
{
	fast_rows_F32(table);
	fast_rows_F64(table);
	fast_rows_BF16(table);
	fast_rows_F16(table);
	fast_rows_I32(table);
	fast_rows_UI32(table);
	fast_rows_I64(table);
	fast_rows_I1(table);
	fast_rows_C64(table);
	fast_rows_C128(table);
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		sr_kernels_set(table, SR_KERNEL_CONVERT, (enum sr_dtype)t, fast_convert);
}
