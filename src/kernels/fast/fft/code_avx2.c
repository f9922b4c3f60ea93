/* Compile the FFT routines of code.h for AVX2. */
#if defined(__x86_64__)
#pragma GCC target("avx2", "fma")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 32
#define RADIX 4
#define CODES sr_fft_avx2
#include "kernels/fast/fft/code.h"
#endif
