/* Compile the FFT routines of code.h for the baseline instruction set. */
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 16
#define RADIX 4
#define CODES sr_fft_base
#include "kernels/fast/fft/code.h"
