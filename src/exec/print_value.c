/* Values as the reference interpreter prints them: the type, then nested brackets, the innermost row on one line. */
#include "exec/check.h"
#include "text/text.h"
#include <string.h>

void sr_print_number(enum sr_dtype type, const void *at, struct sr_buf *out)
{
	int64_t i = 0;
	uint64_t bits = 0;
	if (sr_dtype_is_complex(type)) {
		enum sr_dtype part = type == SR_C64 ? SR_F32 : SR_F64;
		sr_buf_putc(out, '[');
		sr_print_number(part, at, out);
		sr_buf_puts(out, ", ");
		sr_print_number(part, (const char *)at + sr_dtype_bytes(part), out);
		sr_buf_putc(out, ']');
	} else if (sr_dtype_is_float(type)) {
		memcpy(&bits, at, (size_t)sr_dtype_bytes(type));
		sr_print_float(out, type, bits);
	} else {
		sr_element_get(type, at, &i, NULL, NULL);
		if (type == SR_I1)
			sr_buf_puts(out, i ? "true" : "false");
		else if (sr_dtypes[type].class == SR_CLASS_UINT)
			sr_buf_uint(out, (uint64_t)i);
		else
			sr_buf_int(out, i);
	}
}

static void newline(struct sr_buf *out, int indent)
{
	sr_buf_putc(out, '\n');
	for (int i = 0; i < indent; i++)
		sr_buf_puts(out, "  ");
}

/* Dimension `dim` of the value from *at on. */
static void print_nested(const struct sr_type *t, int dim, const char **at, struct sr_buf *out)
{
	bool innermost = dim == t->rank - 1;
	sr_buf_putc(out, '[');
	for (int64_t i = 0; i < t->shape[dim]; i++) {
		if (innermost) {
			sr_buf_puts(out, i ? ", " : "");
			sr_print_number(t->dtype, *at, out);
			*at += sr_dtype_bytes(t->dtype);
		} else {
			sr_buf_puts(out, i ? "," : "");
			newline(out, dim + 2);
			print_nested(t, dim + 1, at, out);
		}
	}
	if (!innermost && t->shape[dim])
		newline(out, dim + 1);
	sr_buf_putc(out, ']');
}

void sr_print_tensor(struct sr_context *ctx, const char *type, const void *data, bool dense, struct sr_buf *out)
{
	const struct sr_type *t;
	const char *at = data;
	int64_t bytes;
	if (sr_parse_type(ctx, type, &t) || !sr_type_bytes(t, &bytes))
		return;
	if (dense) {
		sr_print_attr(ctx, sr_attr_dense(ctx, t, data, bytes), out);
		return;
	}
	sr_buf_printf(out, "%s {", type);
	if (t->rank) {
		newline(out, 1);
		print_nested(t, 0, &at, out);
		newline(out, 0);
	} else {
		sr_print_number(t->dtype, at, out);
	}
	sr_buf_putc(out, '}');
}
