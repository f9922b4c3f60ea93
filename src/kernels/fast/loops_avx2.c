/* Vectorized elementwise loops and reductions compiled for AVX2; see loops.h. If the compiler cannot generate AVX2 code, the table
 * keeps its kernels. */
#if defined(__x86_64__)
#pragma GCC target("avx2", "fma", "f16c")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#define INIT sr_kernels_fast_loops_avx2
#include "kernels/fast/loops.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_loops_avx2(struct sr_kernels *table)
{
	sr_kernels_fast_loops_base(table);
}
#endif
