/* Compile the FFT routines of code.h for AVX-512. */
#if defined(__x86_64__)
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "prefer-vector-width=512")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 64
#define RADIX 8
#define CODES sr_fft_avx512
#include "kernels/fast/fft/code.h"
#endif
