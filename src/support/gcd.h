/* The greatest common divisor. */
#ifndef SR_SUPPORT_GCD_H
#define SR_SUPPORT_GCD_H

#include <stdint.h>

static inline int64_t sr_gcd(int64_t a, int64_t b)
{
	while (b) {
		int64_t r = a % b;
		a = b;
		b = r;
	}
	return a;
}

#endif
