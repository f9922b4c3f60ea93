/* Read bytes, numbers and sections of a bytecode file, with bounds checks. */
#include "text/bytecode/bytecode.h"
#include <string.h>

static void report_error(struct sr_bytecode *b, enum sr_status status, const uint8_t *at, const char *format, va_list args)
{
	const char *message = sr_vprintf(b->arena, format, args);
	struct sr_src_loc loc = {.file = b->file};
	sr_error(&b->ctx->diags, status, loc, "bytecode, byte %lld: %s", (long long)(at - b->start), message);
}

void sr_bytecode_fail(struct sr_bytecode *b, const uint8_t *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	report_error(b, SR_INVALID, at, format, args);
	va_end(args);
	longjmp(b->error_jump, SR_INVALID);
}

void sr_bytecode_unsupported(struct sr_bytecode *b, const uint8_t *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	report_error(b, SR_UNSUPPORTED, at, format, args);
	va_end(args);
	longjmp(b->error_jump, SR_UNSUPPORTED);
}

struct sr_cursor sr_cursor_take(struct sr_bytecode *b, struct sr_cursor *c, uint64_t n)
{
	size_t n_remaining = (size_t)(c->end - c->at);
	if (n > n_remaining)
		sr_bytecode_fail(b, c->at, "expected %llu bytes, but the file or section has only %zu left",
				 (unsigned long long)n, n_remaining);
	struct sr_cursor range = {c->at, c->at + n};
	c->at += n;
	return range;
}

uint8_t sr_cursor_byte(struct sr_bytecode *b, struct sr_cursor *c)
{
	return *sr_cursor_take(b, c, 1).at;
}

/* Read MLIR's variable-width integer: the number of trailing zeros of the first byte is the number of bytes that follow; a zero
 * byte is followed by eight. */
uint64_t sr_cursor_varint(struct sr_bytecode *b, struct sr_cursor *c)
{
	uint8_t first = sr_cursor_byte(b, c);
	int n_following = first ? __builtin_ctz(first) : 8;
	const uint8_t *bytes = sr_cursor_take(b, c, (uint64_t)n_following).at;
	uint64_t high = 0;
	for (int i = n_following - 1; i >= 0; i--)
		high = high << 8 | bytes[i];
	return n_following == 8 ? high : (high << 8 | first) >> (n_following + 1);
}

int64_t sr_cursor_signed(struct sr_bytecode *b, struct sr_cursor *c)
{
	uint64_t v = sr_cursor_varint(b, c);
	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

bool sr_cursor_varint_with_flag(struct sr_bytecode *b, struct sr_cursor *c, uint64_t *value)
{
	uint64_t v = sr_cursor_varint(b, c);
	*value = v >> 1;
	return v & 1;
}

bool sr_cursor_bool(struct sr_bytecode *b, struct sr_cursor *c)
{
	uint8_t v = sr_cursor_byte(b, c);
	if (v > 1)
		sr_bytecode_fail(b, c->at - 1, "expected a boolean (0 or 1), found %d", v);
	return v;
}

int sr_cursor_count(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	uint64_t n = sr_cursor_varint(b, c);
	if (n > (uint64_t)(c->end - c->at) || n > INT32_MAX)
		sr_bytecode_fail(b, at, "%llu elements do not fit into the remaining %zu bytes", (unsigned long long)n,
				 (size_t)(c->end - c->at));
	return (int)n;
}

int sr_cursor_index(struct sr_bytecode *b, struct sr_cursor *c, int n, const char *noun)
{
	const uint8_t *at = c->at;
	uint64_t v = sr_cursor_varint(b, c);
	if (v >= (uint64_t)n)
		sr_bytecode_fail(b, at, "%s index %llu out of range: there are %d", noun, (unsigned long long)v, n);
	return (int)v;
}

struct sr_cursor sr_cursor_blob(struct sr_bytecode *b, struct sr_cursor *c)
{
	uint64_t n = sr_cursor_varint(b, c);
	return sr_cursor_take(b, c, n);
}

struct sr_cursor sr_cursor_section(struct sr_bytecode *b, struct sr_cursor *c, int *id)
{
	const uint8_t *at = c->at;
	uint8_t head = sr_cursor_byte(b, c);
	uint64_t n = sr_cursor_varint(b, c);
	*id = head & 127;
	if (*id >= SR_SECTION_COUNT)
		sr_bytecode_fail(b, at, "unknown section %d", *id);
	if (head & 128) {
		uint64_t alignment = sr_cursor_varint(b, c);
		if (alignment == 0 || (alignment & (alignment - 1)) || alignment > 1 << 20)
			sr_bytecode_fail(b, at, "invalid section alignment %llu", (unsigned long long)alignment);
		while ((uint64_t)(c->at - b->start) & (alignment - 1))
			if (sr_cursor_byte(b, c) != 0xcb)
				sr_bytecode_fail(b, c->at - 1, "expected the padding byte 0xCB");
	}
	return sr_cursor_take(b, c, n);
}

const char *sr_cursor_string(struct sr_bytecode *b, struct sr_cursor *c)
{
	return b->strings[sr_cursor_index(b, c, b->n_strings, "string")];
}

const int64_t *sr_cursor_signed_list(struct sr_bytecode *b, struct sr_cursor *c, int *n)
{
	*n = sr_cursor_count(b, c);
	int64_t *list = SR_NEW_ARRAY(b->arena, int64_t, *n);
	for (int i = 0; i < *n; i++)
		list[i] = sr_cursor_signed(b, c);
	return list;
}

uint64_t sr_cursor_bits(struct sr_bytecode *b, struct sr_cursor *c, int width)
{
	if (width < 1 || width > 64)
		sr_bytecode_unsupported(b, c->at, "integers of %d bits are not supported", width);
	if (width <= 8)
		return sr_cursor_byte(b, c) & (((uint64_t)1 << width) - 1);
	uint64_t v = (uint64_t)sr_cursor_signed(b, c);
	return width == 64 ? v : v & (((uint64_t)1 << width) - 1);
}

void sr_cursor_end(struct sr_bytecode *b, const struct sr_cursor *c, const char *preceding_item)
{
	if (c->at != c->end)
		sr_bytecode_fail(b, c->at, "%zu unexpected bytes after %s", (size_t)(c->end - c->at), preceding_item);
}
