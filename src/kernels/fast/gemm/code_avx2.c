/* code.h for AVX2; where the compiler cannot make it, the table is that of any machine. */
#if defined(__x86_64__)
#pragma GCC target("avx2", "fma", "f16c")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 32
#define MOST_ROWS 4
#define STRIPS 16
#define PANELS 11 /* 256 columns are one block: a left operand that has to be put in order is so once */
#define TURNS 1
#define AHEAD (3 << 18) /* of operands come into the second cache (of 1 MB, say) before they are used; 0: they do not */
#define INIT sr_kernels_fast_gemm_avx2
#include "kernels/fast/gemm/code.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_gemm_avx2(struct sr_kernels *table)
{
	sr_kernels_fast_gemm_base(table);
}
#endif
