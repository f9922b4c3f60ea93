/* Lists of 64-bit integers: extents, dimensions, device ids. */
#ifndef SR_SUPPORT_INTEGERS_H
#define SR_SUPPORT_INTEGERS_H

#include "support/vec.h"
#include <stdbool.h>
#include <stdint.h>

typedef SR_VEC(int64_t) sr_integers;

/* Return true if the list of n integers contains x. */
static inline bool sr_list_has(const int64_t *list, int64_t n, int64_t x)
{
	for (int64_t i = 0; i < n; i++)
		if (list[i] == x)
			return true;
	return false;
}

/* Return the first index of x in the list of n integers, or -1. */
static inline int sr_list_find(const int64_t *list, int64_t n, int64_t x)
{
	for (int64_t i = 0; i < n; i++)
		if (list[i] == x)
			return (int)i;
	return -1;
}

static inline int64_t sr_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t sr_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Order of two integers, for qsort and bsearch. */
static inline int sr_compare_integers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

#endif
