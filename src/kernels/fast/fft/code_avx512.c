/* FFT routines compiled for AVX-512: code.h with its compiler target. */
#if defined(__x86_64__)
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "prefer-vector-width=512")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 64
#define RADIX 8
#define CODES sr_fft_avx512
#include "kernels/fast/fft/code.h"
#endif
