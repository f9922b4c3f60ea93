/* Recording of the first failure of an execution, and its text. */
#include "run/failure.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

enum sr_status sr_failure_set(struct sr_failure *f, enum sr_status status, struct sr_src_loc location, const char *format, ...)
{
	va_list args;
	if (atomic_exchange(&f->is_reported, true))
		return status;
	f->status = status;
	f->place = location;
	va_start(args, format);
	vsnprintf(f->message, sizeof f->message, format, args);
	va_end(args);
	return status;
}

void sr_failure_text(const struct sr_failure *f, char *text, size_t n)
{
	const struct sr_src_loc *p = &f->place;
	if (p->file && p->line)
		snprintf(text, n, "%s:%d:%d: %s", p->file, p->line, p->col, f->message);
	else if (p->file)
		snprintf(text, n, "%s: %s", p->file, f->message);
	else
		snprintf(text, n, "%s", f->message);
}
