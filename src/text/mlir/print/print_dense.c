/* Print dense constants: a splat as one element, up to 100 elements as nested lists, more elements as a hex string of little-endian
 * bytes. */
#include "text/mlir/print/aliases.h"
#include "text/mlir/print/printer.h"
#include <string.h>

enum { MAX_LISTED_ELEMENTS = 100 };

static void print_scalar(struct sr_buf *out, const struct sr_type *t, const char *at)
{
	if (t->kind == SR_TYPE_FLOAT) {
		uint64_t bits = 0;
		memcpy(&bits, at, (size_t)sr_dtype_bytes(t->dtype));
		sr_print_float(out, t->dtype, bits);
		return;
	}
	int64_t v = 0;
	sr_element_get(t->dtype, at, &v, NULL, NULL);
	if (t->kind == SR_TYPE_INTEGER && t->width == 1)
		sr_buf_puts(out, v ? "true" : "false");
	else if (t->kind == SR_TYPE_INTEGER && t->sign == SR_UNSIGNED)
		sr_buf_uint(out, (uint64_t)v);
	else
		sr_buf_int(out, v);
}

static void print_element(struct sr_buf *out, const struct sr_type *t, const char *at)
{
	if (t->kind != SR_TYPE_COMPLEX) {
		print_scalar(out, t, at);
		return;
	}
	sr_buf_putc(out, '(');
	print_scalar(out, t->element, at);
	sr_buf_putc(out, ',');
	print_scalar(out, t->element, at + sr_dtype_bytes(t->element->dtype));
	sr_buf_putc(out, ')');
}

struct elements {
	const struct sr_attr *attr;
	const char *data;
	int64_t next; /* index of the next element to print */
};

static void print_next(struct sr_buf *out, struct elements *e)
{
	const struct sr_type *t = e->attr->type->element;
	int64_t i = e->next++;
	if (e->attr->dense->strings)
		sr_print_string(out, e->attr->dense->strings[i]);
	else
		print_element(out, t, e->data + i * sr_dtype_bytes(t->dtype));
}

static void print_nested(struct sr_buf *out, struct elements *e, int dim)
{
	const struct sr_type *t = e->attr->type;
	if (dim == t->rank) {
		print_next(out, e);
		return;
	}
	sr_buf_putc(out, '[');
	for (int64_t i = 0; i < t->shape[dim]; i++) {
		if (i)
			sr_buf_puts(out, ", ");
		print_nested(out, e, dim + 1);
	}
	sr_buf_putc(out, ']');
}

enum { HEX_CHUNK = 8192 }; /* bytes of the constant per chunk */

/* Copy hex digits from a view of the text, in upper case; return their number. */
static size_t copy_hex(char *out, const char *hex, size_t n)
{
	for (size_t i = 0; i < 2 * n; i++)
		out[i] = (char)(hex[i] & ~((hex[i] & 64) >> 1));
	return 2 * n;
}

/* Write elements as hex digits; return the number of digits. Integers of less than a byte are printed by their low bits. */
static size_t encode_hex(char *out, enum sr_dtype type, const unsigned char *data, size_t n)
{
	static const char digits[] = "0123456789ABCDEF";
	unsigned mask = sr_dtype_is_sub_byte(type) ? (1u << sr_dtypes[type].bits) - 1 : 0xff;
	for (size_t i = 0; i < n; i++) {
		out[2 * i] = digits[(data[i] & mask) >> 4];
		out[2 * i + 1] = digits[data[i] & mask & 15];
	}
	return 2 * n;
}

void sr_print_hex(struct sr_printer *p, const struct sr_dense *d, enum sr_dtype type)
{
	char chunk[2 * HEX_CHUNK];
	if (sr_is_collecting_aliases(p))
		return;
	for (int64_t at = 0; at < d->n_bytes; at += HEX_CHUNK) {
		size_t n = (size_t)(d->n_bytes - at < HEX_CHUNK ? d->n_bytes - at : HEX_CHUNK);
		n = d->hex ? copy_hex(chunk, d->hex + 2 * at, n) : encode_hex(chunk, type, (const unsigned char *)d->data + at, n);
		sr_buf_put(p->out, chunk, n);
		sr_buf_drain(p->out);
	}
}

static void print_body(struct sr_printer *p, const struct sr_attr *a)
{
	const struct sr_dense *d = a->dense;
	int64_t n = 0, bytes;
	sr_type_elements(a->type, &n);
	if (n == 0)
		return;
	if (p->options.elision_limit > 0 && !d->splat && n > p->options.elision_limit) {
		sr_buf_puts(p->out, "__elided__");
		return;
	}
	struct elements e = {a, NULL, 0};
	if (!d->strings && !d->splat && n > MAX_LISTED_ELEMENTS) {
		sr_buf_puts(p->out, "\"0x");
		sr_print_hex(p, d, a->type->dtype);
		sr_buf_putc(p->out, '"');
		return;
	}
	if (!d->strings)
		e.data = sr_dense_data(p->ctx, a, false, &bytes);
	if (d->splat)
		print_next(p->out, &e);
	else
		print_nested(p->out, &e, 0);
}

void sr_print_dense(struct sr_printer *p, const struct sr_attr *a, bool shows_type)
{
	if (a->s) {
		sr_print_resource(p, a);
		return;
	}
	sr_buf_puts(p->out, "dense<");
	print_body(p, a);
	sr_buf_putc(p->out, '>');
	if (shows_type) {
		sr_buf_puts(p->out, " : ");
		sr_print_type(p, a->type);
	}
}

void sr_print_dense_array(struct sr_printer *p, const struct sr_attr *a, bool is_bare)
{
	int64_t size = sr_dtype_bytes(a->type->dtype);
	if (!is_bare) {
		sr_buf_puts(p->out, "array<");
		sr_print_type(p, a->type);
		if (a->dense->n_bytes)
			sr_buf_puts(p->out, ": ");
	}
	for (int64_t at = 0; at < a->dense->n_bytes; at += size) {
		if (at)
			sr_buf_puts(p->out, ", ");
		print_scalar(p->out, a->type, (const char *)a->dense->data + at);
	}
	if (!is_bare)
		sr_buf_putc(p->out, '>');
}
