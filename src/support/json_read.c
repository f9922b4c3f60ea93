/* Recursive-descent JSON parser. */
#include "support/json_read.h"
#include "support/buf.h"
#include "support/vec.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

struct reader {
	struct sr_arena *arena;
	const char *at, *end;
	int depth;
};

typedef SR_VEC(struct sr_json_value) values;

static bool read_value(struct reader *r, struct sr_json_value *out);

static void skip_space(struct reader *r)
{
	while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
		r->at++;
}

static bool take_char(struct reader *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static bool read_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

static void put_utf8(struct sr_buf *out, uint32_t c)
{
	static const unsigned char head[] = {0, 0xc0, 0xe0, 0xf0};
	int n_continuation = (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
	sr_buf_putc(out, (char)(head[n_continuation] | c >> 6 * n_continuation));
	for (int i = 1; i <= n_continuation; i++)
		sr_buf_putc(out, (char)(0x80 | (c >> 6 * (n_continuation - i) & 0x3f)));
}

/* Read four hex digits. */
static bool read_code_unit(struct reader *r, uint32_t *out)
{
	static const char digits[] = "0123456789abcdef";
	*out = 0;
	for (int i = 0; i < 4; i++) {
		char c = r->at < r->end ? *r->at++ : '\0';
		const char *digit = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
		if (!digit)
			return false;
		*out = *out << 4 | (uint32_t)(digit - digits);
	}
	return true;
}

/* Read the rest of an escape sequence after its backslash. */
static bool read_escape(struct reader *r, struct sr_buf *out)
{
	static const char names[] = "\"\\/bfnrt", characters[] = "\"\\/\b\f\n\r\t";
	char c = r->at < r->end ? *r->at++ : '\0';
	const char *name = c ? strchr(names, c) : NULL;
	uint32_t code, low;
	if (name) {
		sr_buf_putc(out, characters[name - names]);
		return true;
	}
	if (c != 'u' || !read_code_unit(r, &code))
		return false;
	if (code >= 0xd800 && code < 0xdc00) { /* high surrogate, which must be followed by a low one */
		if (!read_word(r, "\\u") || !read_code_unit(r, &low) || low < 0xdc00 || low >= 0xe000)
			return false;
		code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
	}
	if (!code || (code >= 0xd800 && code < 0xe000))
		return false;
	put_utf8(out, code);
	return true;
}

static bool read_string(struct reader *r, const char **out)
{
	struct sr_buf text;
	sr_buf_init(&text, r->arena);
	if (!take_char(r, '"'))
		return false;
	for (;;) {
		char c = r->at < r->end ? *r->at++ : '\0';
		if (!c || c == '\n')
			return false;
		if (c == '"')
			break;
		if (c != '\\')
			sr_buf_putc(&text, c);
		else if (!read_escape(r, &text))
			return false;
	}
	sr_buf_putc(&text, '\0');
	*out = text.data;
	return true;
}

static bool read_number(struct reader *r, struct sr_json_value *out)
{
	char text[64], *number_end;
	size_t n = 0;
	while (r->at < r->end && *r->at && strchr("+-.eE0123456789", *r->at) && n + 1 < sizeof text)
		text[n++] = *r->at++;
	text[n] = '\0';
	out->number = strtod(text, &number_end);
	if (!n || *number_end)
		return false;
	errno = 0;
	out->integer = strtoll(text, &number_end, 10);
	out->is_integer = !*number_end && !errno;
	return true;
}

/* Read the elements of an array or the members of an object, up to `closer`; members have keys. */
static bool read_items(struct reader *r, char closer, struct sr_json_value *out)
{
	values list = {0};
	if (!take_char(r, closer))
		do {
			struct sr_json_value v = {0};
			const char *key = NULL;
			if (closer == '}' && (!read_string(r, &key) || !take_char(r, ':')))
				return false;
			if (!read_value(r, &v))
				return false;
			v.key = key;
			sr_push(r->arena, &list, v);
		} while (take_char(r, ','));
	else
		return true;
	out->items = list.data;
	out->n = list.n;
	return take_char(r, closer);
}

static bool read_value(struct reader *r, struct sr_json_value *out)
{
	bool is_read;
	skip_space(r);
	char c = r->at < r->end ? *r->at : '\0';
	if (++r->depth > MAX_DEPTH)
		return false;
	if (c == '{' || c == '[') {
		r->at++;
		out->kind = c == '{' ? SR_JSON_OBJECT : SR_JSON_ARRAY;
		is_read = read_items(r, c == '{' ? '}' : ']', out);
	} else if (c == '"') {
		out->kind = SR_JSON_STRING;
		is_read = read_string(r, &out->string);
	} else if (c == 't' || c == 'f') {
		out->kind = SR_JSON_BOOL;
		out->number = c == 't';
		is_read = read_word(r, c == 't' ? "true" : "false");
	} else if (c == 'n') {
		is_read = read_word(r, "null");
	} else {
		out->kind = SR_JSON_NUMBER;
		is_read = read_number(r, out);
	}
	r->depth--;
	return is_read;
}

const struct sr_json_value *sr_json_read(struct sr_arena *arena, const char *text, size_t n, int *line)
{
	struct reader r = {arena, text, text + n, 0};
	struct sr_json_value *out = SR_NEW(arena, struct sr_json_value);
	bool is_read = read_value(&r, out);
	skip_space(&r);
	*line = 1;
	for (const char *p = text; p < r.at; p++)
		*line += *p == '\n';
	return is_read && r.at == r.end ? out : NULL;
}

const struct sr_json_value *sr_json_get(const struct sr_json_value *object, const char *key)
{
	for (size_t i = 0; object && object->kind == SR_JSON_OBJECT && i < object->n; i++)
		if (!strcmp(object->items[i].key, key))
			return &object->items[i];
	return NULL;
}

int sr_json_int_list(const struct sr_json_value *array, int64_t *out, int max_n)
{
	if (!array || array->kind != SR_JSON_ARRAY || array->n > (size_t)max_n)
		return -1;
	for (size_t i = 0; i < array->n; i++) {
		const struct sr_json_value *v = &array->items[i];
		if (!v->is_integer || v->integer < 0)
			return -1;
		out[i] = v->integer;
	}
	return (int)array->n;
}
