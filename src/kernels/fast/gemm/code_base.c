/* Matrix products and convolutions compiled for the baseline instruction set; see code.h. */
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 16
#define MAX_ROWS 2
#define STRIPS 1
#define PANELS 8
#define TRANSPOSE 0
#define READ_AHEAD 0
#define PACKS_PANELS 0
#define INIT sr_kernels_fast_gemm_base
#include "kernels/fast/gemm/code.h"
