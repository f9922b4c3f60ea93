/* FFT routines compiled for the baseline instruction set; see code.h. */
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 16
#define RADIX 4
#define CODES sr_fft_base
#include "kernels/fast/fft/code.h"
