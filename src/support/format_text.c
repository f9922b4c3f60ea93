/* Format numbers and untrusted text for people. */
#include "support/format_text.h"

void sr_buf_byte_size(struct sr_buf *buf, int64_t bytes)
{
	static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
	double n = (double)bytes;
	size_t u = 0;
	for (; n >= 999.5 && u + 1 < sizeof units / sizeof *units; u++)
		n /= 1000;
	sr_buf_printf(buf, "%.*f %s", u && n < 99.5 ? 1 : 0, n, units[u]);
}

/* Return the length of the control character at s, or 0. C1 control characters are two bytes in UTF-8. */
static int control_length(const unsigned char *s)
{
	if (s[0] == '\n' && s[1] == ' ' && s[2] == ' ')
		return 0;
	if (s[0] < 0x20 || s[0] == 0x7f)
		return 1;
	return s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0 ? 2 : 0;
}

const char *sr_printable(struct sr_arena *arena, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	struct sr_buf out;
	while (*s && !control_length(s))
		s++;
	if (!*s)
		return text;
	sr_buf_init(&out, arena);
	for (s = (const unsigned char *)text; *s; s++) {
		int n = control_length(s);
		if (!n)
			sr_buf_putc(&out, (char)*s);
		for (; n > 0; n--)
			sr_buf_printf(&out, "\\%02X", n > 1 ? *s++ : *s);
	}
	return sr_buf_string(&out);
}
