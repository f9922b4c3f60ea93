/* JSON writer: two spaces per nesting level, one value per line, UTF-8. */
#include "support/json.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sr_json_init(struct sr_json *json, struct sr_buf *buf)
{
	*json = (struct sr_json){.buf = buf, .is_first = {true}};
}

/* Return the length of the well-formed UTF-8 sequence at s; 0 if there is none. */
static int utf8_length(const unsigned char *s)
{
	if (s[0] < 0x80)
		return 1;
	int n = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : s[0] >= 0xe0 && s[0] <= 0xef ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
	for (int i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	bool is_overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
	bool is_surrogate = s[0] == 0xed && s[1] > 0x9f, is_beyond_unicode = s[0] == 0xf4 && s[1] > 0x8f;
	return is_overlong || is_surrogate || is_beyond_unicode ? 0 : n;
}

void sr_json_quote(struct sr_buf *buf, const char *text)
{
	sr_buf_putc(buf, '"');
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		int n = utf8_length(s);
		if (n == 0) {
			sr_buf_puts(buf, "\\ufffd");
			n = 1;
		} else if (*s == '"' || *s == '\\') {
			sr_buf_putc(buf, '\\');
			sr_buf_putc(buf, (char)*s);
		} else if (*s == '\n') {
			sr_buf_puts(buf, "\\n");
		} else if (*s < 0x20 || *s == 0x7f) {
			sr_buf_printf(buf, "\\u%04x", *s);
		} else {
			sr_buf_put(buf, (const char *)s, (size_t)n);
		}
		s += n;
	}
	sr_buf_putc(buf, '"');
}

static void indent(struct sr_json *json)
{
	sr_buf_putc(json->buf, '\n');
	for (int i = 0; i < json->depth; i++)
		sr_buf_puts(json->buf, "  ");
}

/* Write the comma, the line break and the key that precede a value. */
static void begin_value(struct sr_json *json, const char *key)
{
	assert((key != NULL) == (json->depth > 0 && json->closing_brackets[json->depth - 1] == '}'));
	assert(json->depth > 0 || json->is_first[0]);
	if (!json->is_first[json->depth])
		sr_buf_putc(json->buf, ',');
	json->is_first[json->depth] = false;
	if (json->depth > 0)
		indent(json);
	if (key) {
		sr_json_quote(json->buf, key);
		sr_buf_puts(json->buf, ": ");
	}
}

static void end_value(struct sr_json *json)
{
	if (json->depth == 0)
		sr_buf_putc(json->buf, '\n');
}

void sr_json_open(struct sr_json *json, const char *key, char bracket)
{
	assert(bracket == '{' || bracket == '[');
	assert(json->depth + 1 < (int)(sizeof json->closing_brackets));
	begin_value(json, key);
	sr_buf_putc(json->buf, bracket);
	json->closing_brackets[json->depth++] = bracket == '{' ? '}' : ']';
	json->is_first[json->depth] = true;
}

void sr_json_close(struct sr_json *json)
{
	assert(json->depth > 0);
	bool is_empty = json->is_first[json->depth--];
	if (!is_empty)
		indent(json);
	sr_buf_putc(json->buf, json->closing_brackets[json->depth]);
	end_value(json);
}

void sr_json_string(struct sr_json *json, const char *key, const char *value)
{
	begin_value(json, key);
	if (value)
		sr_json_quote(json->buf, value);
	else
		sr_buf_puts(json->buf, "null");
	end_value(json);
}

void sr_json_int(struct sr_json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	sr_buf_int(json->buf, value);
	end_value(json);
}

void sr_json_double(struct sr_json *json, const char *key, double value)
{
	begin_value(json, key);
	char text[40] = "null";
	for (int digits = 6; isfinite(value) && digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	sr_buf_puts(json->buf, text);
	end_value(json);
}

void sr_json_bool(struct sr_json *json, const char *key, bool value)
{
	begin_value(json, key);
	sr_buf_puts(json->buf, value ? "true" : "false");
	end_value(json);
}
