/* Append to growing byte buffers in an arena. */
#include "support/buf.h"
#include "support/checked.h"
#include <inttypes.h>
#include <string.h>

void sr_buf_init(struct sr_buf *buf, struct sr_arena *arena)
{
	*buf = (struct sr_buf){.arena = arena};
}

/* Ensure room for n more bytes and a NUL. */
static void reserve(struct sr_buf *buf, size_t n)
{
	size_t required, cap = buf->cap ? buf->cap : 64;
	if (sr_add_overflows(buf->n, n, &required) || sr_add_overflows(required, (size_t)1, &required))
		sr_arena_unwind(buf->arena);
	if (required <= buf->cap)
		return;
	while (cap < required)
		if (sr_mul_overflows(cap, (size_t)2, &cap))
			sr_arena_unwind(buf->arena);
	char *data = sr_alloc(buf->arena, cap, 1);
	if (buf->n)
		memcpy(data, buf->data, buf->n);
	buf->data = data;
	buf->cap = cap;
}

void sr_buf_put(struct sr_buf *buf, const char *s, size_t n)
{
	reserve(buf, n);
	if (n)
		memcpy(buf->data + buf->n, s, n);
	buf->n += n;
}

uint32_t sr_buf_put_aligned(struct sr_buf *buf, const void *data, size_t n)
{
	static const char zeros[16];
	sr_buf_put(buf, zeros, (16 - buf->n % 16) % 16);
	uint32_t at = (uint32_t)buf->n;
	sr_buf_put(buf, data, n);
	return at;
}

void sr_buf_puts(struct sr_buf *buf, const char *s)
{
	sr_buf_put(buf, s, strlen(s));
}

void sr_buf_putc(struct sr_buf *buf, char c)
{
	reserve(buf, 1);
	buf->data[buf->n++] = c;
}

void sr_buf_int(struct sr_buf *buf, int64_t x)
{
	sr_buf_printf(buf, "%" PRId64, x);
}

void sr_buf_uint(struct sr_buf *buf, uint64_t x)
{
	sr_buf_printf(buf, "%" PRIu64, x);
}

void sr_buf_printf(struct sr_buf *buf, const char *format, ...)
{
	va_list args, args_copy;
	va_start(args, format);
	va_copy(args_copy, args);
	int n = vsnprintf(NULL, 0, format, args_copy);
	va_end(args_copy);
	if (n < 0) {
		va_end(args);
		sr_arena_unwind(buf->arena);
	}
	reserve(buf, (size_t)n);
	vsnprintf(buf->data + buf->n, (size_t)n + 1, format, args);
	va_end(args);
	buf->n += (size_t)n;
}

bool sr_buf_write(const struct sr_buf *buf, FILE *out)
{
	return !buf->write_failed && (!buf->n || fwrite(buf->data, 1, buf->n, out) == buf->n);
}

void sr_buf_drain(struct sr_buf *buf)
{
	enum { DRAIN_BYTES = 1 << 16 };
	if (!buf->drain || buf->n < DRAIN_BYTES)
		return;
	buf->write_failed = !sr_buf_write(buf, buf->drain);
	buf->n = 0;
}

const char *sr_buf_string(struct sr_buf *buf)
{
	reserve(buf, 0);
	buf->data[buf->n] = '\0';
	return buf->data;
}
