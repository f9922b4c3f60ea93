/* The functions of the interpreter of loop nests compiled for AVX2; see kernels/nest/access_body.h. On other processors than x86-64
 * they are compiled for the processor that the compiler assumes. */
#if defined(__x86_64__)
#pragma GCC target("avx2", "fma", "f16c", "bmi", "bmi2")
#endif
#pragma GCC optimize("O3", "fp-contract=off", "align-loops=64")
#include "kernels/element.h"
#include "kernels/nest/access_body.h"

const struct sr_access_functions sr_access_avx2 = SR_ACCESS_FUNCTIONS;
