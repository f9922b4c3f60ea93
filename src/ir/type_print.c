/* Print types as MLIR does. */
#include "ir/ir.h"

struct printer {
	struct sr_buf *out;
	void (*encoding)(void *data, const struct sr_attr *attr, struct sr_buf *out);
	void *data;
};

static void print_type(const struct printer *p, const struct sr_type *t);

static void print_shape(struct sr_buf *out, const struct sr_type *t)
{
	for (int i = 0; i < t->rank; i++) {
		if (t->shape[i] == SR_DYNAMIC)
			sr_buf_putc(out, '?');
		else
			sr_buf_int(out, t->shape[i]);
		sr_buf_putc(out, 'x');
	}
}

static void print_shaped(const struct printer *p, const char *head, const struct sr_type *t)
{
	sr_buf_puts(p->out, head);
	print_shape(p->out, t);
	print_type(p, t->element);
	if (t->encoding) {
		sr_buf_puts(p->out, ", ");
		p->encoding(p->data, t->encoding, p->out);
	}
	if (t->kind == SR_TYPE_MEMREF && t->text)
		sr_buf_puts(p->out, t->text);
	sr_buf_putc(p->out, '>');
}

static void print_list(const struct printer *p, char open, const struct sr_type *const *list, int n, char close)
{
	sr_buf_putc(p->out, open);
	for (int i = 0; i < n; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		print_type(p, list[i]);
	}
	sr_buf_putc(p->out, close);
}

/* Print a single result without parentheses, unless it is a function type. */
static void print_function(const struct printer *p, const struct sr_type *t)
{
	print_list(p, '(', t->inputs, t->n_inputs, ')');
	sr_buf_puts(p->out, " -> ");
	if (t->n_results == 1 && t->results[0]->kind != SR_TYPE_FUNCTION)
		print_type(p, t->results[0]);
	else
		print_list(p, '(', t->results, t->n_results, ')');
}

static void print_integer(struct sr_buf *out, const struct sr_type *t)
{
	static const char *const prefixes[] = {[SR_SIGNLESS] = "i", [SR_SIGNED] = "si", [SR_UNSIGNED] = "ui"};
	sr_buf_puts(out, prefixes[t->sign]);
	sr_buf_int(out, t->width);
}

static void print_type(const struct printer *p, const struct sr_type *t)
{
	switch (t->kind) {
	case SR_TYPE_INTEGER:
		print_integer(p->out, t);
		break;
	case SR_TYPE_FLOAT: /* A type without a dtype is stored by name. */
		sr_buf_puts(p->out, t->dtype == SR_DTYPE_NONE && t->text ? t->text : sr_dtypes[t->dtype].name);
		break;
	case SR_TYPE_INDEX:
		sr_buf_puts(p->out, "index");
		break;
	case SR_TYPE_NONE:
		sr_buf_puts(p->out, "none");
		break;
	case SR_TYPE_COMPLEX:
		print_shaped(p, "complex<", t);
		break;
	case SR_TYPE_TENSOR:
		print_shaped(p, "tensor<", t);
		break;
	case SR_TYPE_UNRANKED:
		print_shaped(p, "tensor<*x", t);
		break;
	case SR_TYPE_VECTOR:
		print_shaped(p, "vector<", t);
		break;
	case SR_TYPE_MEMREF:
		print_shaped(p, "memref<", t);
		break;
	case SR_TYPE_FUNCTION:
		print_function(p, t);
		break;
	case SR_TYPE_TUPLE:
		sr_buf_puts(p->out, "tuple");
		print_list(p, '<', t->inputs, t->n_inputs, '>');
		break;
	case SR_TYPE_TOKEN:
		sr_buf_puts(p->out, "!stablehlo.token");
		break;
	case SR_TYPE_OPAQUE:
		sr_buf_putc(p->out, '!');
		sr_buf_puts(p->out, t->text);
		break;
	}
}

void sr_type_print_with(const struct sr_type *t, struct sr_buf *out,
			void (*encoding)(void *data, const struct sr_attr *attr, struct sr_buf *out), void *data)
{
	print_type(&(struct printer){out, encoding, data}, t);
}

static void print_opaque_encoding(void *data, const struct sr_attr *attr, struct sr_buf *out)
{
	sr_buf_putc(out, '#');
	if (attr->kind == SR_ATTR_OPAQUE)
		sr_buf_puts(out, attr->s);
}

void sr_type_print(const struct sr_type *t, struct sr_buf *out)
{
	sr_type_print_with(t, out, print_opaque_encoding, NULL);
}
