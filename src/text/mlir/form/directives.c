/* Parse and print the directives for types, and list all directives in a table. */
#include "text/mlir/form/directives.h"
#include <string.h>

static struct sr_type_list { const struct sr_type *const *types; int n; } type_list_of(const sr_types *t)
{
	return (struct sr_type_list){t->data, (int)t->n};
}

static size_t operand_count(const struct sr_op_state *s)
{
	size_t n = s->operands.n;
	for (int i = 0; i < SR_MAX_SLOTS; i++)
		n += s->operand_groups[i].n;
	return n;
}

/* Set the type of all operands read so far to t. */
static void set_operand_types(struct sr_parser *p, struct sr_op_state *s, const struct sr_type *t)
{
	s->has_operand_types = true;
	for (size_t i = operand_count(s); i > 0; i--)
		sr_push(p->scratch, &s->operand_types, t);
}

/* Set the types of all operands and results from a function type. Fails unless the number of operands is that of the type's inputs
 * and, if has_single_result is set, the type has one result. */
static void set_types_from_function(struct sr_parser *p, struct sr_op_state *s, const char *position, const struct sr_type *t,
				    bool has_single_result)
{
	size_t n = operand_count(s);
	if ((size_t)t->n_inputs != n)
		sr_parser_fail(p, position, "%zu operands present, but expected %d", n, t->n_inputs);
	if (has_single_result && t->n_results != 1)
		sr_parser_fail(p, position, "expected single output");
	s->has_operand_types = true;
	for (int i = 0; i < t->n_inputs; i++)
		sr_push(p->scratch, &s->operand_types, t->inputs[i]);
	for (int i = 0; i < t->n_results; i++)
		sr_push(p->scratch, &s->results, t->results[i]);
}

static void parse_functional_type(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	sr_types in = {0}, out = {0};
	const char *position = p->tok;
	if (p->kind != '(')
		sr_parser_fail(p, position, "expected function type");
	sr_parser_function_types(p, &in, &out);
	if (in.n != operand_count(s))
		sr_parser_fail(p, position, "%zu operands present, but expected %zu", operand_count(s), in.n);
	s->has_operand_types = true;
	s->operand_types = in;
	s->results = out;
}

static void print_functional_type(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	sr_print_function_types(out, op);
}

static void parse_same_type(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const char *position = p->tok;
	const struct sr_type *t = sr_parser_type(p);
	if (t->kind == SR_TYPE_FUNCTION) {
		set_types_from_function(p, s, position, t, true);
		return;
	}
	set_operand_types(p, s, t);
	sr_push(p->scratch, &s->results, t);
}

static void print_same_type(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	bool has_same_types = true;
	for (int i = 0; i < op->n_operands; i++)
		has_same_types = has_same_types && sr_operand(op, i)->type == op->results[0].type;
	if (has_same_types)
		sr_print_type(out, op->results[0].type);
	else
		sr_print_function_types(out, op);
}

/* Parse the directives <type name> and <types name>: the types of an operand or result. */
static void parse_types(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const struct sr_signature *sig = s->info->signature;
	int slot = sr_slot_find(sig->operands, sig->n_operands, element->args[0]);
	bool is_list = element->directive->name[4] == 's';
	sr_types *types = slot >= 0 ? &s->group_types[slot] : &s->results;
	if (!is_list) {
		const struct sr_type *t = sr_parser_type(p);
		sr_push(p->scratch, types, t);
	} else {
		sr_parser_type_list(p, types);
	}
}

static void print_types(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_signature *sig = op->info->signature;
	int first, n, slot = sr_slot_find(sig->operands, sig->n_operands, element->args[0]);
	if (slot >= 0) {
		sr_operands_of(op, slot, &first, &n);
	} else {
		int result = sr_slot_find(sig->results, sig->n_results, element->args[0]);
		sr_results_of(op, result < 0 ? 0 : result, &first, &n);
	}
	for (int i = 0; i < n; i++) {
		if (i)
			sr_buf_puts(out->out, ", ");
		sr_print_type(out, slot >= 0 ? sr_operand(op, first + i)->type : op->results[first + i].type);
	}
}

static void parse_select_type(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const char *position = p->tok;
	sr_types types = {0};
	sr_parser_type_list(p, &types);
	struct sr_type_list t = type_list_of(&types);
	if (t.n == 1 && t.types[0]->kind == SR_TYPE_FUNCTION) {
		set_types_from_function(p, s, position, t.types[0], true);
		return;
	}
	if (t.n != 2)
		sr_parser_fail(p, position, "expected functional type or list of two types");
	set_operand_types(p, s, t.types[1]);
	if (s->operand_types.n)
		s->operand_types.data[0] = t.types[0];
	sr_push(p->scratch, &s->results, t.types[1]);
}

static void print_select_type(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_type *result = op->results[0].type;
	if (sr_operand(op, 1)->type != result || sr_operand(op, 2)->type != result) {
		sr_print_function_types(out, op);
		return;
	}
	sr_print_type(out, sr_operand(op, 0)->type);
	sr_buf_puts(out->out, ", ");
	sr_print_type(out, result);
}

/* Return the type of the real parts of a complex tensor; NULL if t is not a complex tensor. */
static const struct sr_type *real_type(struct sr_context *ctx, const struct sr_type *t)
{
	if (t->kind != SR_TYPE_TENSOR || t->element->kind != SR_TYPE_COMPLEX)
		return NULL;
	return sr_type_tensor_of(ctx, t->element->element, t->rank, t->shape, t->encoding);
}

static void parse_complex_type(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const char *position = p->tok;
	const struct sr_type *t = sr_parser_type(p), *real_part_type = real_type(p->ctx, t);
	if (t->kind == SR_TYPE_FUNCTION) {
		set_types_from_function(p, s, position, t, true);
		return;
	}
	if (!real_part_type)
		sr_parser_fail(p, position, "expected tensor with complex element type");
	set_operand_types(p, s, real_part_type);
	sr_push(p->scratch, &s->results, t);
}

static void print_complex_type(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_type *real = real_type(out->ctx, op->results[0].type);
	if (sr_operand(op, 0)->type == real && sr_operand(op, 1)->type == real)
		sr_print_type(out, op->results[0].type);
	else
		sr_print_function_types(out, op);
}

static void parse_tuple_type(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const char *position = p->tok;
	const struct sr_type *t = sr_parser_type(p);
	if (t->kind != SR_TYPE_TUPLE)
		sr_parser_fail(p, position, "expected tuple type");
	s->has_operand_types = true;
	for (int i = 0; i < t->n_inputs; i++)
		sr_push(p->scratch, &s->operand_types, t->inputs[i]);
	sr_push(p->scratch, &s->results, t);
}

static void print_tuple_type(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	sr_print_type(out, op->results[0].type);
}

/* Parse the operands and types of optimization_barrier: "%a, %b : t, u", or "()". */
static void parse_barrier(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	s->has_operand_types = true;
	s->operands_position = p->tok;
	if (sr_parser_accept(p, '(')) {
		sr_parser_expect(p, ')');
		return;
	}
	sr_parser_ssa_names(p, &s->operands);
	if (!s->operands.n)
		return;
	struct sr_parse_context r;
	sr_parser_expect(p, ':');
	sr_parser_push_context(p, &r, "expected type list");
	sr_parser_type_list(p, &s->operand_types);
	sr_parser_pop_context(p);
	for (size_t i = 0; i < s->operand_types.n; i++)
		sr_push(p->scratch, &s->results, s->operand_types.data[i]);
}

static void print_barrier(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	if (op->n_operands == 0) {
		sr_buf_puts(out->out, "()");
		return;
	}
	sr_buf_putc(out->out, ' ');
	sr_print_values(out, op->operands, op->n_operands);
	sr_buf_puts(out->out, " : ");
	for (int i = 0; i < op->n_operands; i++) {
		if (i)
			sr_buf_puts(out->out, ", ");
		sr_print_type(out, sr_operand(op, i)->type);
	}
}

/* Parse the region of sdy.named_computation and sdy.manual_computation: arguments, then the body. */
static void parse_body(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	sr_arguments args = {0};
	bool is_isolated = s->info->traits & SR_ISOLATED;
	sr_parser_expect(p, '(');
	while (p->kind != ')') {
		struct sr_argument arg = sr_parser_argument(p, false);
		sr_push(p->scratch, &args, arg);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ')');
	sr_parser_add_region(p, s, sr_parser_region(p, &args, is_isolated, ""));
}

static void print_body(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_block *block = op->regions[0].first;
	sr_buf_putc(out->out, '(');
	for (int i = 0; block && i < block->n_args; i++) {
		if (i)
			sr_buf_puts(out->out, ", ");
		sr_print_argument(out, block->args[i], NULL);
	}
	sr_buf_puts(out->out, ") ");
	sr_print_region(out, &op->regions[0], false, true);
}

/* Parse the directive <type-of name>: give all operands the type of the named attribute, as in check.expect_eq_const. */
static void parse_type_of(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	for (size_t i = 0; i < s->attrs.n; i++)
		if (!strcmp(s->attrs.data[i].name, element->args[0]) && s->attrs.data[i].value->type)
			set_operand_types(p, s, s->attrs.data[i].value->type);
}

/* Parse the directive <result-of name>: give the result the type of the named attribute, as in chlo.constant. */
static void parse_result_of(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	for (size_t i = 0; i < s->attrs.n; i++)
		if (!strcmp(s->attrs.data[i].name, element->args[0]) && s->attrs.data[i].value->type)
			sr_push(p->scratch, &s->results, s->attrs.data[i].value->type);
}

static void parse_nothing(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
}

static void print_nothing(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
}

static void print_space(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	sr_buf_putc(out->out, ' ');
}

const struct sr_directive sr_directives[] = {
	/* types */
	{"functional-type", parse_functional_type, print_functional_type, NULL, false},
	{"same-type", parse_same_type, print_same_type, NULL, false},
	{"variadic-same-type", parse_same_type, print_same_type, NULL, false},
	{"select-type", parse_select_type, print_select_type, NULL, false},
	{"complex-type", parse_complex_type, print_complex_type, NULL, false},
	{"tuple-type", parse_tuple_type, print_tuple_type, NULL, false},
	{"type", parse_types, print_types, NULL, false},
	{"types", parse_types, print_types, NULL, false},
	{"type-of", parse_type_of, print_nothing, NULL, true},     /* all operands have the type of an attribute */
	{"result-of", parse_result_of, print_nothing, NULL, true}, /* the result has the type of an attribute */
	{"witness", sr_parse_witness, sr_print_witness, NULL, true}, /* operands or a result have type !shape.witness */
	{"index-type", sr_parse_index_type, sr_print_index_type, NULL, true}, /* operands or a result have type index */
	{"element-of", sr_parse_element_of, sr_print_element_of, NULL, true},
	/* directives for values and regions */
	{"barrier", parse_barrier, print_barrier, NULL, true},
	{"body", parse_body, print_body, NULL, false},
	{"space", parse_nothing, print_space, NULL, true},
	/* directives for attributes */
	{"call-target", sr_parse_call_target, sr_print_call_target, "call_target_name", false},
	{"symbol-name", sr_parse_symbol_name, sr_print_symbol_name, NULL, false},
	{"slice-ranges", sr_parse_slice_ranges, sr_print_slice_ranges, "start_indices limit_indices strides", false},
	{"extents", sr_parse_extents, sr_print_extents, NULL, true},
	{"exponent-mantissa", sr_parse_exponent_mantissa, sr_print_exponent_mantissa, "exponent_bits mantissa_bits", false},
	{"dot-dimensions", sr_parse_dot_dimensions, sr_print_dot_dimensions, "dot_dimension_numbers", false},
	{"precision", sr_parse_precision, sr_print_precision, "precision_config", true},
	{"precision-and-algorithm", sr_parse_precision, sr_print_precision, "precision_config algorithm", true},
	{"conv-dimensions", sr_parse_conv_dimensions, sr_print_conv_dimensions, "dimension_numbers", false},
	{"window", sr_parse_window, sr_print_window, "window_strides padding lhs_dilation rhs_dilation window_reversal", false},
	{NULL, NULL, NULL, NULL, false},
};
