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

#endif
