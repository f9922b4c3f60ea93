/* Compile the scatters of code.h for AVX-512. If the compiler cannot generate AVX-512 code, the scatters for AVX2 are used. */
#if defined(__x86_64__)
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "f16c", "prefer-vector-width=512")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#define INIT sr_kernels_fast_scatter_avx512
#define COMPLEX_TOO 0
#include "kernels/fast/scatter/code.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_scatter_avx512(struct sr_kernels *table)
{
	sr_kernels_fast_scatter_avx2(table);
}
#endif
