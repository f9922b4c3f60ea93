/* Split MLIR text into tokens, and parse words, strings, symbols and integers. */
#include "text/mlir/parse/parser.h"
#include "support/characters.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LETTER_CHAR = 1, DIGIT = 2, ID = 4, SUFFIX = 8, SPACE = 16, HEX = 32 }; /* bits of character classes */

static const unsigned char char_classes[256] = {
	['a' ... 'f'] = LETTER_CHAR | ID | SUFFIX | HEX, ['g' ... 'z'] = LETTER_CHAR | ID | SUFFIX,
	['A' ... 'F'] = LETTER_CHAR | ID | SUFFIX | HEX, ['G' ... 'Z'] = LETTER_CHAR | ID | SUFFIX,
	['0' ... '9'] = DIGIT | ID | SUFFIX | HEX,
	['_'] = ID | SUFFIX, ['$'] = ID | SUFFIX, ['.'] = ID | SUFFIX, ['-'] = SUFFIX,
	[' '] = SPACE, ['\t'] = SPACE, ['\n'] = SPACE, ['\r'] = SPACE,
};

static inline int char_class(const struct sr_parser *p, const char *at)
{
	return at < p->end ? char_classes[(unsigned char)*at] : 0;
}

void sr_parser_init(struct sr_parser *p, struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset)
{
	p->ctx = ctx;
	p->arena = ctx->arena;
	p->scratch = ctx->scratch;
	p->file = sr_intern(ctx, file);
	p->text = p->at = p->tok = text;
	p->end = text + n;
	p->line_offset = line_offset;
	size_t n_lines = 1;
	for (const char *at = text; (at = memchr(at, '\n', (size_t)(p->end - at))); at++)
		n_lines++;
	p->line_starts = SR_NEW_ARRAY(p->arena, const char *, n_lines);
	p->line_starts[p->n_lines++] = text;
	for (const char *at = text; (at = memchr(at, '\n', (size_t)(p->end - at))); at++)
		p->line_starts[p->n_lines++] = at + 1;
	sr_map_init(&p->attr_aliases, p->arena);
	sr_map_init(&p->type_aliases, p->arena);
	sr_map_init(&p->resources, p->arena);
	p->dialect = "";
}

struct sr_src_loc sr_parser_src_loc(struct sr_parser *p, const char *position)
{
	size_t low = 0, high = p->n_lines;
	if (p->subject)
		return (struct sr_src_loc){.file = p->file};
	while (high - low > 1) {
		size_t middle_line = (low + high) / 2;
		if (p->line_starts[middle_line] <= position)
			low = middle_line;
		else
			high = middle_line;
	}
	struct sr_src_loc loc = {p->file, (int)low + 1 + p->line_offset, (int)(position - p->line_starts[low]) + 1};
	return loc;
}

/* Report an error in a custom form with the prefix of upstream's parser: "custom op 'stablehlo.add' expected ...". */
static void report_in_form(struct sr_parser *p, const char *position, const char *format, va_list args)
{
	struct sr_src_loc loc = sr_parser_src_loc(p, position);
	if (p->subject)
		sr_report(&p->ctx->diags, SR_ERROR, loc, "%s: %s", p->subject, sr_vprintf(p->arena, format, args));
	else if (!p->form_op || p->depth > p->form_depth)
		sr_vreport(&p->ctx->diags, SR_ERROR, loc, format, args);
	else
		sr_report(&p->ctx->diags, SR_ERROR, loc, "custom op '%s' %s", p->form_op, sr_vprintf(p->arena, format, args));
}

void sr_parser_report(struct sr_parser *p, const char *position, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	report_in_form(p, position, format, args);
	va_end(args);
	p->had_error = true;
}

_Noreturn void sr_parser_fail(struct sr_parser *p, const char *position, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	report_in_form(p, position, format, args);
	va_end(args);
	for (const struct sr_parse_context *r = p->current_context; r; r = r->outer_scope) {
		const char *failure_note = r->def ? sr_parser_failure_note(p, r->def) : r->failure_note;
		if (failure_note)
			sr_parser_report(p, p->tok, "%s", failure_note);
	}
	longjmp(p->error_jump, 1);
}

/* Return the position for an "expected" message: the current token if it is on the same line as the previous one, otherwise the
 * end of the previous token's line. */
static const char *missing_token_position(const struct sr_parser *p)
{
	const char *at = p->tok;
	while (at > p->text) {
		const char *end = at;
		while (end > p->text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
			end--;
		if (end == p->text || end[-1] != '\n')
			return at == p->tok ? at : end;
		const char *line = --end;
		while (line > p->text && line[-1] != '\n')
			line--;
		const char *comment = memmem(line, (size_t)(end - line), "//", 2);
		at = comment ? comment : end;
	}
	return at;
}

_Noreturn void sr_parser_expected(struct sr_parser *p, const char *expected)
{
	if (p->kind == SR_TOK_END)
		sr_parser_fail(p, p->tok, "expected %s, found the end of the file", expected);
	int n_shown = p->len > 40 ? 40 : (int)p->len;
	sr_parser_fail(p, missing_token_position(p), "expected %s, found '%.*s%s'", expected, n_shown, p->tok,
		       p->len > 40 ? "..." : "");
}

/* Report a lexical error, without the prefix of the enclosing form. */
static _Noreturn void lex_error(struct sr_parser *p, const char *position, const char *message)
{
	p->form_op = NULL;
	sr_parser_fail(p, position, "%s", message);
}

static const char *skip_class(const struct sr_parser *p, const char *at, int class)
{
	while (char_class(p, at) & class)
		at++;
	return at;
}

static void set_token(struct sr_parser *p, int kind, const char *end)
{
	p->kind = kind;
	p->len = (size_t)(end - p->tok);
	p->at = end;
}

/* Skip whitespace and // comments. */
static const char *skip_space(const struct sr_parser *p, const char *at)
{
	for (;;) {
		at = skip_class(p, at, SPACE);
		if (p->end - at < 2 || at[0] != '/' || at[1] != '/')
			return at;
		const char *eol = memchr(at, '\n', (size_t)(p->end - at));
		at = eol ? eol + 1 : p->end;
	}
}

static bool is_plain_char(char c)
{
	return c != '"' && c != '\\' && (unsigned char)c >= ' ';
}

/* Find the next quote, backslash or control character, eight bytes at a time, since hex constants are long strings. */
static const char *skip_plain(const char *at, const char *end)
{
	const uint64_t ones = 0x0101010101010101, high_bits = ones << 7;
	for (; end - at >= 8; at += 8) {
		uint64_t word;
		memcpy(&word, at, 8);
		uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
		if ((((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((word - ones * ' ') & ~word)) & high_bits)
			break;
	}
	while (at < end && is_plain_char(*at))
		at++;
	return at;
}

static void lex_string(struct sr_parser *p, int kind, const char *at)
{
	for (at = skip_plain(at + 1, p->end); at < p->end && *at != '"'; at = skip_plain(at + 1, p->end)) {
		if (*at == '\n' || *at == '\v' || *at == '\f')
			lex_error(p, p->tok, "expected '\"' in string literal");
		if (*at == '\\' && at + 1 < p->end)
			at++;
	}
	if (at >= p->end)
		lex_error(p, p->tok, "expected '\"' in string literal");
	set_token(p, kind, at + 1);
}

static void lex_number(struct sr_parser *p, const char *at)
{
	if (*at == '0' && p->end - at > 2 && at[1] == 'x' && (char_class(p, at + 2) & HEX)) {
		set_token(p, SR_TOK_INT, skip_class(p, at + 2, HEX));
		return;
	}
	at = skip_class(p, at, DIGIT);
	if (at >= p->end || *at != '.') {
		set_token(p, SR_TOK_INT, at);
		return;
	}
	at = skip_class(p, at + 1, DIGIT);
	if (at < p->end && (*at == 'e' || *at == 'E')) {
		const char *e = at + 1;
		if (e < p->end && (*e == '+' || *e == '-'))
			e++;
		if (char_class(p, e) & DIGIT)
			at = skip_class(p, e, DIGIT);
	}
	set_token(p, SR_TOK_FLOAT, at);
}

/* Lex #name, !name, %name or ^name, where the name is digits only or starts with a letter or one of _$.- */
static void lex_prefixed(struct sr_parser *p, int kind)
{
	const char *at = p->tok + 1;
	if (char_class(p, at) & DIGIT)
		at = skip_class(p, at, DIGIT);
	else if ((char_class(p, at) & LETTER_CHAR) || (at < p->end && (*at == '_' || *at == '$' || *at == '.' || *at == '-')))
		at = skip_class(p, at, kind == SR_TOK_PERCENT || kind == SR_TOK_CARET ? SUFFIX : SUFFIX);
	else if (kind == SR_TOK_HASH && p->end - at >= 2 && at[0] == '-' && at[1] == '}') {
		set_token(p, SR_TOK_RESOURCES_END, at + 2);
		return;
	} else {
		set_token(p, *p->tok, p->tok + 1);
		return;
	}
	set_token(p, kind, at);
}

static void lex_token(struct sr_parser *p)
{
	const char *at = p->tok;
	if (at >= p->end) {
		set_token(p, SR_TOK_END, at);
		return;
	}
	char c = *at;
	int k = char_class(p, at);
	if ((k & LETTER_CHAR) || c == '_') {
		set_token(p, SR_TOK_BARE, skip_class(p, at, ID));
		return;
	}
	if (k & DIGIT) {
		lex_number(p, at);
		return;
	}
	switch (c) {
	case '%':
		lex_prefixed(p, SR_TOK_PERCENT);
		return;
	case '^':
		lex_prefixed(p, SR_TOK_CARET);
		return;
	case '!':
		lex_prefixed(p, SR_TOK_BANG);
		return;
	case '#':
		if (p->end - at >= 3 && at[1] == '-' && at[2] == '}') {
			set_token(p, SR_TOK_RESOURCES_END, at + 3);
			return;
		}
		lex_prefixed(p, SR_TOK_HASH);
		return;
	case '"':
		lex_string(p, SR_TOK_STRING, at);
		return;
	case '@':
		if (at + 1 < p->end && at[1] == '"')
			lex_string(p, SR_TOK_AT, at + 1);
		else if ((char_class(p, at + 1) & LETTER_CHAR) || (at + 1 < p->end && at[1] == '_'))
			set_token(p, SR_TOK_AT, skip_class(p, at + 1, ID));
		else
			lex_error(p, at, "expected letter, '_' or a string after '@'");
		return;
	case '-':
		if (p->end - at >= 2 && at[1] == '>') {
			set_token(p, SR_TOK_ARROW, at + 2);
			return;
		}
		break;
	case '{':
		if (p->end - at >= 3 && at[1] == '-' && at[2] == '#') {
			set_token(p, SR_TOK_RESOURCES, at + 3);
			return;
		}
		break;
	default:
		if (!strchr("(){}[]<>,:=?*+/|.", c) || c == '\0')
			lex_error(p, at, "unexpected character");
	}
	set_token(p, (unsigned char)c, at + 1);
}

void sr_parser_next(struct sr_parser *p)
{
	p->tok = skip_space(p, p->at);
	lex_token(p);
}

void sr_parser_restart(struct sr_parser *p, const char *at)
{
	p->at = at;
	sr_parser_next(p);
}

bool sr_parser_is_word(const struct sr_parser *p, const char *word)
{
	size_t n = strlen(word);
	return p->kind == SR_TOK_BARE && p->len == n && !memcmp(p->tok, word, n);
}

bool sr_parser_accept(struct sr_parser *p, int kind)
{
	if (p->kind != kind)
		return false;
	sr_parser_next(p);
	return true;
}

bool sr_parser_accept_word(struct sr_parser *p, const char *word)
{
	if (!sr_parser_is_word(p, word))
		return false;
	sr_parser_next(p);
	return true;
}

void sr_parser_expect(struct sr_parser *p, int kind)
{
	if (p->kind == kind) {
		sr_parser_next(p);
		return;
	}
	char quoted_char[4] = {'\'', (char)kind, '\'', 0};
	sr_parser_expected(p, kind == SR_TOK_ARROW ? "'->'" : kind == SR_TOK_RESOURCES_END ? "'#-}'" : quoted_char);
}

void sr_parser_expect_word(struct sr_parser *p, const char *word)
{
	if (!sr_parser_accept_word(p, word))
		sr_parser_expected(p, sr_printf(p->arena, "'%s'", word));
}

void sr_parser_enter(struct sr_parser *p)
{
	p->expanded_size++;
	if (++p->depth > p->max_depth)
		p->max_depth = p->depth;
	if (p->depth > SR_MAX_NESTING)
		sr_parser_fail(p, p->tok, "nested more than %d levels deep", SR_MAX_NESTING);
}

void sr_parser_leave(struct sr_parser *p)
{
	p->depth--;
}

const char *sr_parser_word(struct sr_parser *p, const char *expected)
{
	if (p->kind != SR_TOK_BARE)
		sr_parser_expected(p, expected);
	const char *word = sr_intern_n(p->ctx, p->tok, p->len);
	sr_parser_next(p);
	return word;
}

/* Return the bytes between quotes, with \n, \t, \", \\ and two-digit hex escapes decoded. */
static const char *unescape(struct sr_parser *p, const char *s, const char *end)
{
	if (!memchr(s, '\\', (size_t)(end - s)))
		return sr_intern_n(p->ctx, s, (size_t)(end - s));
	char *bytes = sr_alloc(p->arena, (size_t)(end - s), 1);
	size_t n = 0;
	while (s < end) {
		if (*s != '\\') {
			bytes[n++] = *s++;
			continue;
		}
		const char *escape = s++;
		if (s < end && strchr("\"\\nt", *s)) {
			bytes[n++] = *s == 'n' ? '\n' : *s == 't' ? '\t' : *s;
			s++;
		} else if (end - s >= 2 && sr_hex_digit(s[0]) >= 0 && sr_hex_digit(s[1]) >= 0) {
			bytes[n++] = (char)(sr_hex_digit(s[0]) * 16 + sr_hex_digit(s[1]));
			s += 2;
		} else {
			sr_parser_fail(p, escape, "unknown escape in string literal");
		}
	}
	return sr_intern_n(p->ctx, bytes, n);
}

const char *sr_parser_string(struct sr_parser *p)
{
	if (p->kind != SR_TOK_STRING)
		sr_parser_expected(p, "string");
	const char *s = unescape(p, p->tok + 1, p->tok + p->len - 1);
	sr_parser_next(p);
	return s;
}

const char *sr_parser_symbol(struct sr_parser *p)
{
	if (p->kind != SR_TOK_AT)
		sr_parser_expected(p, "valid '@'-identifier for symbol name");
	const char *s = p->tok[1] == '"' ? unescape(p, p->tok + 2, p->tok + p->len - 1) : sr_intern_n(p->ctx, p->tok + 1, p->len - 1);
	sr_parser_next(p);
	return s;
}

const char *sr_parser_attr_name(struct sr_parser *p)
{
	return p->kind == SR_TOK_STRING ? sr_parser_string(p) : sr_parser_word(p, "attribute name");
}

/* Parse an integer token with an optional sign. Return false if it exceeds 64 bits. */
static bool parse_integer_bits(struct sr_parser *p, bool *is_negative, uint64_t *magnitude)
{
	*is_negative = false;
	if (p->kind == '-') {
		*is_negative = true;
		sr_parser_next(p);
	}
	if (p->kind != SR_TOK_INT)
		sr_parser_expected(p, "integer value");
	bool is_hex = p->len > 2 && p->tok[1] == 'x';
	uint64_t v = 0;
	bool fits_64_bits = true;
	for (size_t i = is_hex ? 2 : 0; i < p->len; i++)
		if (__builtin_mul_overflow(v, is_hex ? 16u : 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)sr_hex_digit(p->tok[i]), &v))
			fits_64_bits = false;
	*magnitude = v;
	return fits_64_bits;
}

int64_t sr_parser_integer(struct sr_parser *p)
{
	const char *position = p->tok;
	bool is_negative;
	uint64_t magnitude;
	if (!parse_integer_bits(p, &is_negative, &magnitude) || magnitude > (uint64_t)INT64_MAX + is_negative)
		sr_parser_fail(p, position, "integer value too large");
	sr_parser_next(p);
	return is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
}

void sr_parser_integers(struct sr_parser *p, sr_integers *out)
{
	sr_parser_expect(p, '[');
	if (sr_parser_accept(p, ']'))
		return;
	do {
		int64_t v = sr_parser_integer(p);
		sr_push(p->arena, out, v);
	} while (sr_parser_accept(p, ','));
	sr_parser_expect(p, ']');
}
