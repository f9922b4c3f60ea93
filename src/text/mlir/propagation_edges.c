/* Parse and print propagation edges: <[{step-2 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>. */
#include "dialect/sdy/propagation_edges.h"
#include "text/mlir/parse/parser.h"
#include "text/mlir/print/printer.h"

static const struct sr_attr *parse_edge_node(struct sr_parser *p)
{
	const struct sr_attr *type = sr_parser_enum(p, sr_attr_def_find("sdy", "edge_node_type"));
	sr_parser_expect(p, '-');
	return sr_attr_edge_value_ref(p->ctx, type->i, sr_parser_integer(p));
}

/* Parse [a, b] with at least one element. */
static void parse_list(struct sr_parser *p, const struct sr_attr *(*parse)(struct sr_parser *p), sr_attrs *out)
{
	sr_parser_expect(p, '[');
	do {
		const struct sr_attr *a = parse(p);
		sr_push(p->arena, out, a);
	} while (sr_parser_accept(p, ','));
	sr_parser_expect(p, ']');
}

static const struct sr_attr *parse_details(struct sr_parser *p)
{
	sr_attrs targets = {0};
	sr_parser_expect(p, '{');
	const struct sr_attr *axis = sr_parser_axis(p);
	sr_parser_expect(p, '=');
	const struct sr_attr *source = parse_edge_node(p);
	sr_parser_expect(p, SR_TOK_ARROW);
	parse_list(p, parse_edge_node, &targets);
	sr_parser_expect(p, '}');
	return sr_attr_edge_details(p->ctx, axis, source, targets.data, (int)targets.n);
}

static const struct sr_attr *parse_step(struct sr_parser *p)
{
	sr_attrs details = {0};
	sr_parser_expect(p, '{');
	sr_parser_expect_word(p, "step");
	sr_parser_expect(p, '-');
	int64_t step = sr_parser_integer(p);
	sr_parser_expect(p, '=');
	parse_list(p, parse_details, &details);
	sr_parser_expect(p, '}');
	return sr_attr_edge_step(p->ctx, step, details.data, (int)details.n);
}

const struct sr_attr *sr_parser_propagation_edges(struct sr_parser *p)
{
	sr_attrs steps = {0};
	const char *start = p->tok;
	sr_parser_expect(p, '<');
	parse_list(p, parse_step, &steps);
	sr_parser_expect(p, '>');
	const struct sr_attr *a = sr_attr_propagation_edges(p->ctx, steps.data, (int)steps.n);
	const char *error = sr_attr_struct_error(p->ctx, a);
	if (error)
		sr_parser_fail(p, start, "%s", error);
	return a;
}

/* ---------------------------------------------------------------- printing */

static void print_list(struct sr_printer *p, const struct sr_attr *list,
		       void (*print)(struct sr_printer *p, const struct sr_attr *a))
{
	sr_buf_putc(p->out, '[');
	for (int i = 0; i < list->n; i++) {
		sr_buf_puts(p->out, i ? ", " : "");
		print(p, list->list[i]);
	}
	sr_buf_putc(p->out, ']');
}

static void print_edge_node(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_printf(p->out, "%s-%lld", sr_attr_enum_name(a->list[0]), (long long)a->list[1]->i);
}

static void print_details(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_putc(p->out, '{');
	sr_print_axis(p->out, a->list[0]->axes->refs[0]);
	sr_buf_puts(p->out, " = ");
	print_edge_node(p, a->list[1]);
	sr_buf_puts(p->out, " -> ");
	print_list(p, a->list[2], print_edge_node);
	sr_buf_putc(p->out, '}');
}

static void print_step(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_printf(p->out, "{step-%lld = ", (long long)a->list[0]->i);
	print_list(p, a->list[1], print_details);
	sr_buf_putc(p->out, '}');
}

void sr_print_propagation_edges(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_putc(p->out, '<');
	print_list(p, a->list[0], print_step);
	sr_buf_putc(p->out, '>');
}
