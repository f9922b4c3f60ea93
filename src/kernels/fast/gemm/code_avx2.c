/* Compile the matrix products and convolutions of code.h for AVX2. If the compiler cannot generate AVX2 code, the table for the
 * baseline is used. */
#if defined(__x86_64__)
#pragma GCC target("avx2", "fma", "f16c")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 32
#define MAX_ROWS 4
#define STRIPS 16
/* a block of 11 panels has at least 256 columns of floats, so that a left operand is packed once for 256 columns */
#define PANELS 11
#define TRANSPOSE 1
/* Maximum bytes of operands that are read into the second-level cache (1 MB or so) before they are used; 0: off. */
#define READ_AHEAD (3 << 18)
#define PACKS_PANELS 0
#define INIT sr_kernels_fast_gemm_avx2
#include "kernels/fast/gemm/code.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_gemm_avx2(struct sr_kernels *table)
{
	sr_kernels_fast_gemm_base(table);
}
#endif
