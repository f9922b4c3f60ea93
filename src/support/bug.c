/* Report an internal error and abort. */
#include "support/bug.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void sr_bug(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("internal: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}
