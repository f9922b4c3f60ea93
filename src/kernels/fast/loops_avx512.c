/* Vectorized elementwise loops and reductions compiled for AVX-512; see loops.h. If the compiler cannot generate AVX-512 code, the
 * loops for AVX2 are used. */
#if defined(__x86_64__)
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "f16c", "prefer-vector-width=512")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#define INIT sr_kernels_fast_loops_avx512
#include "kernels/fast/loops.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_loops_avx512(struct sr_kernels *table)
{
	sr_kernels_fast_loops_avx2(table);
}
#endif
