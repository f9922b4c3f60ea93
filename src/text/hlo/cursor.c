/* Read words, numbers, strings and braces of HLO text. */
#include "text/hlo/hlo.h"
#include <string.h>

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
	       c == '$';
}

static char peek_char(const struct sr_hlo *h, size_t i)
{
	return i < (size_t)(h->p.end - h->at) ? h->at[i] : '\0';
}

void sr_hlo_skip(struct sr_hlo *h)
{
	for (;;) {
		char c = peek_char(h, 0);
		const char *end = NULL;
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			h->at++;
			continue;
		}
		if (c != '/' || (peek_char(h, 1) != '*' && peek_char(h, 1) != '/'))
			return;
		bool is_line_comment = peek_char(h, 1) == '/';
		for (const char *s = h->at + 2; s < h->p.end && !end; s++)
			if (is_line_comment ? *s == '\n' : s[0] == '*' && s + 1 < h->p.end && s[1] == '/')
				end = s + (is_line_comment ? 1 : 2);
		if (!end && !is_line_comment)
			sr_parser_fail(&h->p, h->at, "the comment is not terminated");
		h->at = end ? end : h->p.end;
	}
}

static size_t word_length(const struct sr_hlo *h)
{
	size_t n = 0;
	while (is_word_char(peek_char(h, n)) && !(peek_char(h, n) == '-' && peek_char(h, n + 1) == '>'))
		n++;
	return n;
}

_Noreturn void sr_hlo_expected(struct sr_hlo *h, const char *expected)
{
	size_t n = peek_char(h, 0) == '%' ? 1 : word_length(h);
	if (h->at >= h->p.end)
		sr_parser_fail(&h->p, h->at, "expected %s, found the end of the file", expected);
	sr_parser_fail(&h->p, h->at, "expected %s, found '%.*s'", expected, n > 40 ? 40 : n ? (int)n : 1, h->at);
}

_Noreturn void sr_hlo_unsupported(struct sr_hlo *h, const char *position, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *text = sr_vprintf(h->arena, format, args);
	va_end(args);
	h->status = SR_UNSUPPORTED;
	sr_parser_fail(&h->p, position, "%s", text);
}

bool sr_hlo_is(const struct sr_hlo *h, const char *text)
{
	size_t n = strlen(text);
	return (size_t)(h->p.end - h->at) >= n && !memcmp(h->at, text, n) &&
	       !(is_word_char(text[n - 1]) && is_word_char(peek_char(h, n)));
}

bool sr_hlo_accept(struct sr_hlo *h, const char *text)
{
	if (!sr_hlo_is(h, text))
		return false;
	h->at += strlen(text);
	sr_hlo_skip(h);
	return true;
}

void sr_hlo_expect(struct sr_hlo *h, const char *text)
{
	if (!sr_hlo_accept(h, text))
		sr_hlo_expected(h, sr_printf(h->arena, "'%s'", text));
}

bool sr_hlo_is_digit(const struct sr_hlo *h)
{
	char c = peek_char(h, peek_char(h, 0) == '-');
	return c >= '0' && c <= '9';
}

const char *sr_hlo_word(struct sr_hlo *h, const char *expected)
{
	size_t n = word_length(h);
	if (!n)
		sr_hlo_expected(h, expected);
	const char *word = sr_intern_n(h->ctx, h->at, n);
	h->at += n;
	sr_hlo_skip(h);
	return word;
}

const char *sr_hlo_name(struct sr_hlo *h, const char *expected)
{
	if (peek_char(h, 0) == '%' && is_word_char(peek_char(h, 1)))
		h->at++;
	return sr_hlo_word(h, expected);
}

int64_t sr_hlo_integer(struct sr_hlo *h)
{
	const char *position = h->at;
	bool is_negative = peek_char(h, 0) == '-';
	int64_t v = 0;
	if (!sr_hlo_is_digit(h))
		sr_hlo_expected(h, "an integer");
	h->at += is_negative;
	for (; peek_char(h, 0) >= '0' && peek_char(h, 0) <= '9'; h->at++)
		if (__builtin_mul_overflow(v, (int64_t)10, &v) ||
		    (is_negative ? __builtin_sub_overflow(v, (int64_t)(*h->at - '0'), &v)
			      : __builtin_add_overflow(v, (int64_t)(*h->at - '0'), &v)))
			sr_parser_fail(&h->p, position, "the number does not fit into 64 bits");
	sr_hlo_skip(h);
	return v;
}

int64_t sr_hlo_count(struct sr_hlo *h, const char *expected)
{
	const char *position = h->at;
	if (!sr_hlo_is_digit(h))
		sr_hlo_expected(h, expected);
	int64_t v = sr_hlo_integer(h);
	if (v < 0)
		sr_parser_fail(&h->p, position, "expected %s, found a negative number", expected);
	return v;
}

bool sr_hlo_bool(struct sr_hlo *h)
{
	if (sr_hlo_accept(h, "true") || sr_hlo_accept(h, "1"))
		return true;
	if (!sr_hlo_accept(h, "false") && !sr_hlo_accept(h, "0"))
		sr_hlo_expected(h, "'true' or 'false'");
	return false;
}

/* Append the character of a \ooo or \xhh escape: at most n digits of the base. Return the end of the digits. */
static const char *escaped_number(const char *s, const char *end, int base, int n, struct sr_buf *out)
{
	int v = 0;
	for (; n-- > 0 && s < end; s++) {
		int digit = *s >= '0' && *s <= '9' ? *s - '0' : (*s | 32) >= 'a' && (*s | 32) <= 'f' ? (*s | 32) - 'a' + 10 : base;
		if (digit >= base)
			break;
		v = v * base + digit;
	}
	sr_buf_putc(out, (char)v);
	return s;
}

/* Append the character of a C escape sequence; s is after the backslash. Return the end of the sequence. */
static const char *unescape_one(const char *s, const char *end, struct sr_buf *out)
{
	static const char escape_names[] = "abfnrtv", escape_codes[] = "\a\b\f\n\r\t\v";
	const char *name = memchr(escape_names, *s, sizeof escape_names - 1);
	if (name)
		sr_buf_putc(out, escape_codes[name - escape_names]);
	else if (*s == 'x')
		return escaped_number(s + 1, end, 16, 2, out);
	else if (*s >= '0' && *s <= '7')
		return escaped_number(s, end, 8, 3, out);
	else
		sr_buf_putc(out, *s);
	return s + 1;
}

/* Return the closing quote of the string that starts at `s`. */
static const char *string_end(struct sr_hlo *h, const char *s)
{
	for (const char *e = s + 1; e < h->p.end && *e != '\n'; e++) {
		if (*e == *s)
			return e;
		e += *e == '\\';
	}
	sr_parser_fail(&h->p, s, "the string is not terminated on its line");
}

const char *sr_hlo_string(struct sr_hlo *h)
{
	struct sr_buf text;
	if (peek_char(h, 0) != '"' && peek_char(h, 0) != '\'')
		sr_hlo_expected(h, "a string");
	const char *end = string_end(h, h->at);
	sr_buf_init(&text, h->arena);
	for (const char *s = h->at + 1; s < end;)
		if (*s == '\\') {
			s = unescape_one(s + 1, end, &text);
		} else {
			sr_buf_putc(&text, *s++);
		}
	h->at = end + 1;
	sr_hlo_skip(h);
	return sr_intern_n(h->ctx, text.n ? text.data : "", text.n);
}

const char *sr_hlo_balanced(struct sr_hlo *h)
{
	const char *open_brace = h->at;
	struct sr_buf text;
	int depth = 0;
	if (peek_char(h, 0) != '{')
		sr_hlo_expected(h, "'{'");
	sr_buf_init(&text, h->arena);
	do {
		char c = peek_char(h, 0);
		if (h->at >= h->p.end)
			sr_parser_fail(&h->p, open_brace, "the brace is not closed");
		if (c == '/' && (peek_char(h, 1) == '*' || peek_char(h, 1) == '/')) {
			sr_hlo_skip(h);
			continue;
		}
		const char *end = c == '"' ? string_end(h, h->at) : h->at;
		depth += (c == '{') - (c == '}');
		sr_buf_put(&text, h->at, (size_t)(end - h->at) + 1);
		h->at = end + 1;
	} while (depth);
	sr_hlo_skip(h);
	return sr_intern_n(h->ctx, text.data, text.n);
}

void sr_hlo_integers(struct sr_hlo *h, sr_integers *out)
{
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		if (out->n && !sr_hlo_accept(h, ","))
			sr_hlo_expected(h, "',' or '}'");
		sr_push(h->arena, out, sr_hlo_integer(h));
	}
}
