/* Printing of values in the reference interpreter's format: the type, then nested brackets with the innermost row on one line. */
#include "exec/values/check_ops.h"
#include "text/text.h"

static void put_newline(struct sr_buf *out, int indent)
{
	sr_buf_putc(out, '\n');
	for (int i = 0; i < indent; i++)
		sr_buf_puts(out, "  ");
}

/* Print the elements along dimension `dim` and the dimensions inside it, starting at *at, which advances. */
static void print_nested(const struct sr_type *t, int dim, const char **at, struct sr_buf *out)
{
	bool is_innermost = dim == t->rank - 1;
	sr_buf_putc(out, '[');
	for (int64_t i = 0; i < t->shape[dim]; i++) {
		if (is_innermost) {
			sr_buf_puts(out, i ? ", " : "");
			sr_print_number(out, t->dtype, *at);
			*at += sr_dtype_bytes(t->dtype);
		} else {
			sr_buf_puts(out, i ? "," : "");
			put_newline(out, dim + 2);
			print_nested(t, dim + 1, at, out);
		}
	}
	if (!is_innermost && t->shape[dim])
		put_newline(out, dim + 1);
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
		put_newline(out, 1);
		print_nested(t, 0, &at, out);
		put_newline(out, 0);
	} else {
		sr_print_number(out, t->dtype, at);
	}
	sr_buf_putc(out, '}');
}
