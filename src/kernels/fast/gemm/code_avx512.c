/* Compile the matrix products and convolutions of code.h for AVX-512. If the compiler cannot generate AVX-512 code, the table for
 * AVX2 is used. */
#if defined(__x86_64__)
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "f16c", "prefer-vector-width=512")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 64
#define MAX_ROWS 8
#define STRIPS 1
#define PANELS 8
#define TRANSPOSE 1
#define READ_AHEAD 0
#define PACKS_PANELS 1
#define INIT sr_kernels_fast_gemm_avx512
#include "kernels/fast/gemm/code.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_gemm_avx512(struct sr_kernels *table)
{
	sr_kernels_fast_gemm_avx2(table);
}
#endif
