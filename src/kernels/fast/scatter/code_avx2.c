/* Compile the scatters of code.h for AVX2. If the compiler cannot generate AVX2 code, the scatters for the baseline are used. */
#if defined(__x86_64__)
#pragma GCC target("avx2", "fma", "f16c")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#define INIT sr_kernels_fast_scatter_avx2
#define COMPLEX_TOO 0
#include "kernels/fast/scatter/code.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_scatter_avx2(struct sr_kernels *table)
{
	sr_kernels_fast_scatter_base(table);
}
#endif
