/* Radix sorts compiled for AVX2; see radix_sort.h. Also used with AVX-512, whose comparisons of single keys are slower. If the
 * compiler cannot generate AVX2 code, the sorts for the baseline are used. */
#if defined(__x86_64__)
#pragma GCC target("avx2")
#pragma GCC optimize("O3")
#define INIT sr_kernels_fast_sort_avx2
#include "kernels/fast/radix_sort.h"
#else
#include "kernels/fast/fast.h"

void sr_kernels_fast_sort_avx2(struct sr_kernels *table)
{
	sr_kernels_fast_sort_base(table);
}
#endif

void sr_kernels_fast_sort_avx512(struct sr_kernels *table)
{
	sr_kernels_fast_sort_avx2(table);
}
