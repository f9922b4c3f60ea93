/* Arithmetic on sizes, counts and offsets that come from input: true where it overflowed. Results are left unset then. */
#ifndef SR_SUPPORT_CHECKED_H
#define SR_SUPPORT_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define sr_add_overflows(a, b, out) __builtin_add_overflow((a), (b), (out))
#define sr_sub_overflows(a, b, out) __builtin_sub_overflow((a), (b), (out))
#define sr_mul_overflows(a, b, out) __builtin_mul_overflow((a), (b), (out))

/* The product of n non-negative extents; true on overflow or a negative extent. An empty product is 1. */
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
