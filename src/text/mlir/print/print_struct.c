/* Print structure attributes of the dialects: <field = value, ...>, or a custom syntax. */
#include "text/mlir/print/printer.h"
#include <string.h>

static void print_bounds(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_putc(p->out, '<');
	if (a->list[0])
		sr_print_integers(p, a->list[0]);
	sr_buf_putc(p->out, '>');
}

static void print_sub_axis(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_printf(p->out, "(%lld)%lld", (long long)a->list[0]->i, (long long)a->list[1]->i);
}

static void print_conv_labels(struct sr_printer *p, const struct sr_attr *const *fields, const char letters[2])
{
	const int64_t *spatial;
	int64_t n = 0;
	if (!sr_attr_ints(p->ctx, fields[2], &spatial, &n))
		n = 0;
	sr_buf_putc(p->out, '[');
	for (int64_t position = 0; position < n + 2; position++) {
		if (position)
			sr_buf_puts(p->out, ", ");
		if (fields[0]->i == position || fields[1]->i == position)
			sr_buf_putc(p->out, letters[fields[0]->i != position]);
		for (int64_t i = 0; i < n; i++)
			if (spatial[i] == position)
				sr_buf_int(p->out, i);
	}
	sr_buf_putc(p->out, ']');
}

void sr_print_conv_dims(struct sr_printer *p, const struct sr_attr *a)
{
	print_conv_labels(p, a->list, "bf");
	sr_buf_putc(p->out, 'x');
	print_conv_labels(p, a->list + 3, "io");
	sr_buf_puts(p->out, "->");
	print_conv_labels(p, a->list + 6, "bf");
}

static void print_field(struct sr_printer *p, const struct sr_attr_slot *field, const struct sr_attr *a)
{
	if (field->kind == SR_KIND_enum || field->kind == SR_KIND_mesh_or_symbol)
		sr_print_attribute(p, a, SR_TYPE_SHOWN);
	else
		sr_print_attr_of_slot(p, field, a);
}

static void print_mesh(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_puts(p->out, "<axes=[");
	for (int i = 0; i < a->list[0]->n; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		sr_print_struct(p, a->list[0]->list[i]);
	}
	sr_buf_putc(p->out, ']');
	if (a->list[1]) {
		sr_buf_puts(p->out, ", device_ids=");
		sr_print_attribute(p, a->list[1], SR_TYPE_SHOWN);
	}
	sr_buf_putc(p->out, '>');
}

static void print_conv(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_putc(p->out, '<');
	sr_print_conv_dims(p, a);
	sr_buf_putc(p->out, '>');
}

void sr_print_struct(struct sr_printer *p, const struct sr_attr *a)
{
	static const struct {
		const char *name;
		void (*print)(struct sr_printer *p, const struct sr_attr *a);
	} custom_syntaxes[] = {{"map", sr_print_indexing_map}, {"conv", print_conv}, {"mesh", print_mesh},
		   {"propagation_edges", sr_print_propagation_edges}, {"sub_axis_info", print_sub_axis}, {"type_extensions", print_bounds}};
	const struct sr_attr_def *def = a->def;
	for (size_t i = 0; i < sizeof custom_syntaxes / sizeof *custom_syntaxes; i++)
		if (!strcmp(def->name, custom_syntaxes[i].name)) {
			custom_syntaxes[i].print(p, a);
			return;
		}
	sr_buf_putc(p->out, '<');
	bool is_first = true;
	for (int i = 0; i < def->n_fields; i++) {
		if (!a->list[i])
			continue;
		sr_buf_printf(p->out, "%s%s = ", is_first ? "" : ", ", def->fields[i].name);
		is_first = false;
		print_field(p, &def->fields[i], a->list[i]);
	}
	sr_buf_putc(p->out, '>');
}
