/* Overflow-checked arithmetic on sizes, counts and offsets from untrusted input. Each macro returns true on overflow, and *out
 * must not be used then. */
#ifndef SR_SUPPORT_CHECKED_H
#define SR_SUPPORT_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define sr_add_overflows(a, b, out) __builtin_add_overflow((a), (b), (out))
#define sr_sub_overflows(a, b, out) __builtin_sub_overflow((a), (b), (out))
#define sr_mul_overflows(a, b, out) __builtin_mul_overflow((a), (b), (out))

/* Store the product of n extents in *out; 1 for n == 0. Return true on overflow or if an extent is negative. */
static inline bool sr_product_overflows(const int64_t *dims, int n, int64_t *out)
{
	int64_t p = 1;
	bool zero = false;
	for (int i = 0; i < n; i++) {
		if (dims[i] < 0)
			return true;
		if (dims[i] == 0)
			zero = true;
	}
	for (int i = 0; i < n && !zero; i++)
		if (sr_mul_overflows(p, dims[i], &p))
			return true;
	*out = zero ? 0 : p;
	return false;
}

static inline int64_t sr_ceil_div(int64_t a, int64_t b)
{
	return a / b + (a % b != 0);
}

#endif
