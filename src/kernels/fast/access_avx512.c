/* The functions of the interpreter of loop nests compiled for AVX-512; see kernels/nest/access_body.h. On other processors than x86-64
 * they are compiled for the processor that the compiler assumes. */
#if defined(__x86_64__)
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "f16c", "prefer-vector-width=512")
#endif
#pragma GCC optimize("O3", "fp-contract=off", "align-loops=64")
#include "kernels/element.h"
#include "kernels/nest/access_body.h"

const struct sr_access_functions sr_access_avx512 = SR_ACCESS_FUNCTIONS;
