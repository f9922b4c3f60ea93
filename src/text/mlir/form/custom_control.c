/* Parse and print the custom forms of stablehlo.constant, sdy.constant, stablehlo.while and chlo.scan. */
#include "text/mlir/form/form.h"
#include <string.h>

/* Parse a constant: the attribute, or the generic form after the op's name if the value has another type than the result (quantized
 * constants). */
void sr_parse_constant(struct sr_parser *p, struct sr_op_state *s)
{
	if (p->kind == '(') {
		sr_parser_generic(p, s);
		return;
	}
	sr_parser_optional_dict(p, s);
	const char *position = p->tok;
	const struct sr_attr *value = sr_parser_attr(p, NULL);
	if (value->kind != SR_ATTR_DENSE && value->kind != SR_ATTR_RESOURCE)
		sr_parser_fail(p, position, "invalid kind of attribute specified: expected elements");
	sr_parser_set_attr(p, s, "value", value);
	sr_push(p->scratch, &s->results, value->type);
}

void sr_print_constant(struct sr_printer *out, const struct sr_op *op)
{
	static const char *const elided_attrs[] = {"value", NULL};
	const struct sr_attr *value = sr_op_attr(op, "value");
	if (!value || value->type != op->results[0].type) {
		sr_print_generic(out, op, false);
		return;
	}
	sr_print_attr_dict(out, op, NULL, elided_attrs);
	sr_buf_putc(out->out, ' ');
	sr_print_attribute(out, value, SR_TYPE_SHOWN);
}

/* ------------------------------------------------------------- (%iterArg = %0, ...) : types [attributes {}] cond {...} do {...} */

static void add_region(struct sr_parser *p, struct sr_op_state *s, const char *word, const sr_arguments *args)
{
	sr_parser_expect_word(p, word);
	sr_parser_add_region(p, s, sr_parser_region(p, args, false, ""));
}

void sr_parse_while(struct sr_parser *p, struct sr_op_state *s)
{
	sr_arguments args = {0};
	s->operands_position = p->tok;
	sr_parser_expect(p, '(');
	while (p->kind != ')') {
		struct sr_argument arg = {.name = sr_parser_ssa_name(p)};
		sr_parser_expect(p, '=');
		struct sr_ssa_name init = sr_parser_ssa_name(p);
		sr_push(p->scratch, &s->operands, init);
		sr_push(p->scratch, &args, arg);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ')');
	if (args.n) {
		const char *position = p->tok;
		sr_parser_expect(p, ':');
		sr_parser_type_list(p, &s->results);
		if (s->results.n != args.n)
			sr_parser_fail(p, position, "%zu operands present, but expected %zu", args.n, s->results.n);
	}
	for (size_t i = 0; i < args.n; i++)
		args.data[i].type = s->results.data[i];
	s->operand_types = s->results;
	s->operand_types.cap =
	    s->operand_types.n; /* operand_types and results share their storage, so operand_types must not grow */
	s->has_operand_types = true;
	if (sr_parser_accept_word(p, "attributes"))
		sr_parser_dict_into(p, &s->attrs);
	add_region(p, s, "cond", &args);
	add_region(p, s, "do", &args);
}

void sr_print_while(struct sr_printer *out, const struct sr_op *op)
{
	static const char *const elided_attrs[] = {NULL};
	const struct sr_block *body = op->regions[1].first;
	sr_buf_putc(out->out, '(');
	for (int i = 0; i < op->n_operands; i++) {
		if (i)
			sr_buf_puts(out->out, ", ");
		if (body && i < body->n_args)
			sr_print_value(out, body->args[i]);
		sr_buf_puts(out->out, " = ");
		sr_print_value(out, sr_operand(op, i));
	}
	sr_buf_putc(out->out, ')');
	for (int i = 0; i < op->n_operands; i++) {
		sr_buf_puts(out->out, i ? ", " : " : ");
		sr_print_type(out, sr_operand(op, i)->type);
	}
	sr_print_attr_dict(out, op, "attributes", elided_attrs);
	sr_print_newline(out);
	sr_buf_puts(out->out, "cond ");
	sr_print_region(out, &op->regions[0], false, true);
	sr_buf_puts(out->out, " do ");
	sr_print_region(out, &op->regions[1], false, true);
}

/* ------------------------------------------------------------- chlo.scan (%x) inits (%y) dimension=0 attributes {} {...} : type */

static void parse_name_list(struct sr_parser *p, struct sr_op_state *s, size_t *n)
{
	size_t old_n = s->operands.n;
	sr_parser_expect(p, '(');
	sr_parser_ssa_names(p, &s->operands);
	sr_parser_expect(p, ')');
	*n = s->operands.n - old_n;
}

static void set_segment_sizes(struct sr_parser *p, struct sr_op_state *s, const char *name, size_t first_size, size_t second_size)
{
	int32_t sizes[2] = {(int32_t)first_size, (int32_t)second_size};
	sr_parser_set_attr(p, s, name, sr_attr_dense_array(p->ctx, sr_type_scalar(p->ctx, SR_I32), sizes, 2));
}

void sr_parse_scan(struct sr_parser *p, struct sr_op_state *s)
{
	size_t n_inputs, n_inits;
	s->operands_position = p->tok;
	parse_name_list(p, s, &n_inputs);
	sr_parser_expect_word(p, "inits");
	parse_name_list(p, s, &n_inits);
	sr_parser_expect_word(p, "dimension");
	sr_parser_expect(p, '=');
	sr_parser_set_attr(p, s, "dimension", sr_attr_i64(p->ctx, sr_parser_integer(p)));
	if (sr_parser_accept_word(p, "attributes"))
		sr_parser_dict_into(p, &s->attrs);
	sr_parser_add_region(p, s, sr_parser_region(p, NULL, true, ""));
	sr_parser_expect(p, ':');
	const char *position = p->tok;
	sr_parser_function_types(p, &s->operand_types, &s->results);
	s->has_operand_types = true;
	if (s->operand_types.n != n_inputs + n_inits)
		sr_parser_fail(p, position, "operand types must match the number of inputs and inits");
	if (s->results.n < n_inits)
		sr_parser_fail(p, position, "not enough result types to cover the required carries");
	set_segment_sizes(p, s, "operandSegmentSizes", n_inputs, n_inits);
	set_segment_sizes(p, s, "resultSegmentSizes", s->results.n - n_inits, n_inits);
}

void sr_print_scan(struct sr_printer *out, const struct sr_op *op)
{
	static const char *const elided_attrs[] = {"dimension", "operandSegmentSizes", "resultSegmentSizes", NULL};
	int first, n;
	sr_operands_of(op, 0, &first, &n);
	sr_buf_putc(out->out, '(');
	sr_print_values(out, op->operands, n);
	sr_buf_puts(out->out, ") inits (");
	sr_print_values(out, op->operands + n, op->n_operands - n);
	sr_buf_printf(out->out, ") dimension=%lld ", (long long)sr_op_int(op, "dimension", 0));
	sr_print_attr_dict(out, op, "attributes", elided_attrs);
	sr_buf_putc(out->out, ' ');
	sr_print_region(out, &op->regions[0], true, true);
	sr_buf_puts(out->out, " : ");
	sr_print_function_types(out, op);
}
