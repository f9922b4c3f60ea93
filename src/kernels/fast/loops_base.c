/* Vectorized elementwise loops and reductions compiled for the baseline instruction set; see loops.h. */
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#define INIT sr_kernels_fast_loops_base
#include "kernels/fast/loops.h"
