/* Print locations. */
#include "text/mlir/print/aliases.h"

static void print_nested(struct sr_printer *p, const struct sr_attr *loc)
{
	if (!sr_print_attr_alias(p, loc))
		sr_print_location_body(p, loc);
}

static void print_file(struct sr_buf *out, const struct sr_attr *loc)
{
	sr_print_string(out, loc->s);
	sr_buf_printf(out, ":%d:%d", loc->line, loc->col);
	if (!loc->end_line && !loc->end_col)
		return;
	if (loc->end_line != loc->line)
		sr_buf_printf(out, " to %d:%d", loc->end_line, loc->end_col);
	else if (loc->end_col != loc->col)
		sr_buf_printf(out, " to :%d", loc->end_col);
}

static void print_fused(struct sr_printer *p, const struct sr_attr *loc)
{
	sr_buf_puts(p->out, "fused");
	if (loc->value) {
		sr_buf_putc(p->out, '<');
		sr_print_attribute(p, loc->value, SR_TYPE_SHOWN);
		sr_buf_putc(p->out, '>');
	}
	sr_buf_putc(p->out, '[');
	for (int i = 0; i < loc->n; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		print_nested(p, loc->list[i]);
	}
	sr_buf_putc(p->out, ']');
}

void sr_print_location_body(struct sr_printer *p, const struct sr_attr *loc)
{
	switch (loc->kind) {
	case SR_LOC_FILE:
		print_file(p->out, loc);
		break;
	case SR_LOC_NAME:
		sr_print_string(p->out, loc->s);
		if (loc->n && loc->list[0] && loc->list[0]->kind != SR_LOC_UNKNOWN) {
			sr_buf_putc(p->out, '(');
			print_nested(p, loc->list[0]);
			sr_buf_putc(p->out, ')');
		}
		break;
	case SR_LOC_CALLSITE:
		sr_buf_puts(p->out, "callsite(");
		print_nested(p, loc->list[0]);
		sr_buf_puts(p->out, " at ");
		print_nested(p, loc->list[1]);
		sr_buf_putc(p->out, ')');
		break;
	case SR_LOC_FUSED:
		print_fused(p, loc);
		break;
	default:
		sr_buf_puts(p->out, "unknown");
	}
}

void sr_print_location(struct sr_printer *p, const struct sr_attr *loc, bool allows_alias)
{
	sr_buf_puts(p->out, "loc(");
	if (!allows_alias || !sr_print_attr_alias(p, loc))
		sr_print_location_body(p, loc);
	sr_buf_putc(p->out, ')');
}
