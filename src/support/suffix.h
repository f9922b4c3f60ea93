/* Comparison of the end of a string. */
#ifndef SR_SUPPORT_SUFFIX_H
#define SR_SUPPORT_SUFFIX_H

#include <stdbool.h>
#include <string.h>

static inline bool sr_ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
}

#endif
