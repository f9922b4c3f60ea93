/* Scatters compiled for the baseline instruction set; see code.h. */
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#define INIT sr_kernels_fast_scatter_base
#define COMPLEX_TOO 1
#include "kernels/fast/scatter/code.h"
