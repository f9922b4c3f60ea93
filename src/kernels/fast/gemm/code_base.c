/* code.h for any machine. */
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 16
#define MOST_ROWS 2
#define STRIPS 1
#define PANELS 8
#define TURNS 0
#define AHEAD 0
#define INIT sr_kernels_fast_gemm_base
#include "kernels/fast/gemm/code.h"
