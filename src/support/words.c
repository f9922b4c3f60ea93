/* Figures in words. */
#include "support/words.h"

void sr_buf_bytes(struct sr_buf *buf, int64_t bytes)
{
	static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
	double n = (double)bytes;
	size_t u = 0;
	for (; n >= 999.5 && u + 1 < sizeof units / sizeof *units; u++)
		n /= 1000;
	sr_buf_printf(buf, "%.*f %s", u && n < 99.5 ? 1 : 0, n, units[u]);
}
