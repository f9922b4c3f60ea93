/* Radix sorts compiled for the baseline instruction set; see radix_sort.h. */
#pragma GCC optimize("O3")
#define INIT sr_kernels_fast_sort_base
#include "kernels/fast/radix_sort.h"
