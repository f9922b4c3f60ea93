/* Matrix products and convolutions compiled for AVX2: code.h with its compiler target.
 * If the compiler cannot generate AVX2 code, the baseline's are used. */
#if defined(__x86_64__)
#pragma GCC target("avx2", "fma", "f16c")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 32
#define MAX_ROWS 4
#define STRIPS 16
#define PANELS 11 /* 256 columns form one block, so that a left operand that needs packing is packed once */
#define TRANSPOSE 1
/* operands of up to this size are read into the second-level cache (1 MB or so) before they are used; 0: off */
#define READ_AHEAD (3 << 18)
#define INIT sr_kernels_fast_gemm_avx2
#include "kernels/fast/gemm/code.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_gemm_avx2(struct sr_kernels *table)
{
	sr_kernels_fast_gemm_base(table);
}
#endif
