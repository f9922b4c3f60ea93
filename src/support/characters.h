/* Small functions on characters and strings. */
#ifndef SR_SUPPORT_CHARACTERS_H
#define SR_SUPPORT_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool sr_ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
}

/* Return the value of a hexadecimal digit; -1 for another character. */
static inline int sr_hex_digit(int c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Count the newlines in [begin, end). */
static inline int sr_count_lines(const char *begin, const char *end)
{
	int n = 0;
	for (; begin < end; begin++)
		n += *begin == '\n';
	return n;
}

/* Return the ending of a noun after the number n: "" or "s". */
static inline const char *sr_plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
