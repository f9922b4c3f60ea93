/* The monotonic clock, by which durations are measured. */
#ifndef SR_SUPPORT_CLOCK_H
#define SR_SUPPORT_CLOCK_H

#include <time.h>

/* Return the seconds of a monotonic clock. */
static inline double sr_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
