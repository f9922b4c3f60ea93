/* Parse and print the custom forms of builtin.module and func.func. */
#include "text/mlir/form/form.h"
#include <string.h>

static void parse_attributes_keyword(struct sr_parser *p, struct sr_op_state *s)
{
	if (sr_parser_accept_word(p, "attributes"))
		sr_parser_dict_into(p, &s->attrs);
}

static void set_string(struct sr_parser *p, struct sr_op_state *s, const char *name, const char *value)
{
	sr_parser_set_attr(p, s, name, sr_attr_string(p->ctx, value, sr_interned_length(value)));
}

static void parse_visibility(struct sr_parser *p, struct sr_op_state *s)
{
	static const char *const visibilities[] = {"public", "private", "nested"};
	for (int i = 0; i < 3; i++)
		if (sr_parser_accept_word(p, visibilities[i])) {
			set_string(p, s, "sym_visibility", sr_intern(p->ctx, visibilities[i]));
			return;
		}
}

void sr_parse_module(struct sr_parser *p, struct sr_op_state *s)
{
	parse_visibility(p, s);
	if (p->kind == SR_TOK_AT)
		set_string(p, s, "sym_name", sr_parser_symbol(p));
	parse_attributes_keyword(p, s);
	struct sr_region *body = sr_parser_region(p, NULL, true, "builtin");
	if (!body->first)
		sr_block_new(p->ctx, body);
	sr_parser_add_region(p, s, body);
}

/* Print " private @name", the start of modules and functions. */
static void print_head(struct sr_printer *out, const struct sr_op *op)
{
	const struct sr_attr *vis = sr_op_attr(op, "sym_visibility"), *name = sr_op_attr(op, "sym_name");
	if (vis && vis->kind == SR_ATTR_STRING)
		sr_buf_printf(out->out, " %s", vis->s);
	if (name && name->kind == SR_ATTR_STRING) {
		sr_buf_putc(out->out, ' ');
		sr_print_symbol(out->out, name->s);
	}
}

void sr_print_module(struct sr_printer *out, const struct sr_op *op)
{
	static const char *const elided_attrs[] = {"sym_name", "sym_visibility", NULL};
	print_head(out, op);
	sr_print_attr_dict(out, op, "attributes", elided_attrs);
	sr_buf_putc(out->out, ' ');
	sr_print_region(out, &op->regions[0], false, true);
}

/* ---------------------------------------------------------------- func.func */

struct signature {
	sr_arguments args;
	bool has_names;           /* true if arguments have names, as in a function with a body */
	sr_types types, results;
	sr_attrs arg_attrs, res_attrs;
	bool has_arg_attrs, has_res_attrs;
};

static void parse_argument(struct sr_parser *p, struct signature *sig)
{
	const struct sr_attr *attrs = NULL;
	if (p->kind == SR_TOK_PERCENT) {
		struct sr_argument arg = sr_parser_argument(p, true);
		attrs = arg.attrs;
		sig->has_names = true;
		sr_push(p->arena, &sig->args, arg);
		sr_push(p->arena, &sig->types, arg.type);
	} else {
		const char *alias;
		if (sig->has_names)
			sr_parser_expected(p, "SSA identifier");
		const struct sr_type *t = sr_parser_type(p);
		sr_push(p->arena, &sig->types, t);
		if (p->kind == '{')
			attrs = sr_parser_dict(p);
		sr_parser_trailing_loc(p, &alias);
	}
	sig->has_arg_attrs = sig->has_arg_attrs || (attrs && attrs->n);
	attrs = attrs ? attrs : sr_attr_dict(p->ctx, NULL, 0);
	sr_push(p->arena, &sig->arg_attrs, attrs);
}

static void parse_results(struct sr_parser *p, struct signature *sig)
{
	if (!sr_parser_accept(p, SR_TOK_ARROW))
		return;
	if (!sr_parser_accept(p, '(')) {
		const struct sr_type *t = sr_parser_type(p);
		const struct sr_attr *empty_dict = sr_attr_dict(p->ctx, NULL, 0);
		sr_push(p->arena, &sig->results, t);
		sr_push(p->arena, &sig->res_attrs, empty_dict);
		return;
	}
	while (p->kind != ')') {
		const struct sr_type *t = sr_parser_type(p);
		const struct sr_attr *attrs = p->kind == '{' ? sr_parser_dict(p) : sr_attr_dict(p->ctx, NULL, 0);
		sig->has_res_attrs = sig->has_res_attrs || attrs->n;
		sr_push(p->arena, &sig->results, t);
		sr_push(p->arena, &sig->res_attrs, attrs);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ')');
}

void sr_parse_func(struct sr_parser *p, struct sr_op_state *s)
{
	struct signature sig = {0};
	parse_visibility(p, s);
	set_string(p, s, "sym_name", sr_parser_symbol(p));
	sr_parser_expect(p, '(');
	while (p->kind != ')') {
		parse_argument(p, &sig);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ')');
	parse_results(p, &sig);
	parse_attributes_keyword(p, s);
	const struct sr_type *type = sr_type_function(p->ctx, sig.types.data, (int)sig.types.n, sig.results.data, (int)sig.results.n);
	sr_parser_set_attr(p, s, "function_type", sr_attr_type(p->ctx, type));
	if (sig.has_arg_attrs)
		sr_parser_set_attr(p, s, "arg_attrs", sr_attr_array(p->ctx, sig.arg_attrs.data, (int)sig.arg_attrs.n));
	if (sig.has_res_attrs)
		sr_parser_set_attr(p, s, "res_attrs", sr_attr_array(p->ctx, sig.res_attrs.data, (int)sig.res_attrs.n));
	struct sr_region *body = p->kind == '{' ? sr_parser_region(p, &sig.args, true, "func") : SR_NEW(p->arena, struct sr_region);
	sr_parser_add_region(p, s, body);
}

static const struct sr_attr *dict_at(const struct sr_attr *list, int i)
{
	return list && list->kind == SR_ATTR_ARRAY && i < list->n && list->list[i]->n ? list->list[i] : NULL;
}

static void print_dict(struct sr_printer *out, const struct sr_attr *dict)
{
	if (!dict)
		return;
	sr_buf_puts(out->out, " {");
	sr_print_dict_entries(out, dict->entries, dict->n);
	sr_buf_putc(out->out, '}');
}

static void print_results(struct sr_printer *out, const struct sr_type *type, const struct sr_attr *attrs)
{
	if (type->n_results == 0)
		return;
	bool omits_parentheses = type->n_results == 1 && !dict_at(attrs, 0) && type->results[0]->kind != SR_TYPE_FUNCTION;
	sr_buf_puts(out->out, omits_parentheses ? " -> " : " -> (");
	for (int i = 0; i < type->n_results; i++) {
		if (i)
			sr_buf_puts(out->out, ", ");
		sr_print_type(out, type->results[i]);
		print_dict(out, dict_at(attrs, i));
	}
	if (!omits_parentheses)
		sr_buf_putc(out->out, ')');
}

void sr_print_func(struct sr_printer *out, const struct sr_op *op)
{
	static const char *const elided_attrs[] = {"sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs", NULL};
	const struct sr_attr *type_attr = sr_op_attr(op, "function_type");
	if (!type_attr || type_attr->kind != SR_ATTR_TYPE || type_attr->type->kind != SR_TYPE_FUNCTION || op->n_regions != 1)
		return; /* an op without a valid function type or body does not verify; print nothing more */
	const struct sr_type *type = type_attr->type;
	const struct sr_block *entry = op->regions[0].first;
	const struct sr_attr *arg_attrs = sr_op_attr(op, "arg_attrs");
	print_head(out, op);
	sr_buf_putc(out->out, '(');
	for (int i = 0; i < type->n_inputs; i++) {
		if (i)
			sr_buf_puts(out->out, ", ");
		if (entry && i < entry->n_args) {
			sr_print_argument(out, entry->args[i], dict_at(arg_attrs, i));
		} else {
			sr_print_type(out, type->inputs[i]);
			print_dict(out, dict_at(arg_attrs, i));
		}
	}
	sr_buf_putc(out->out, ')');
	print_results(out, type, sr_op_attr(op, "res_attrs"));
	sr_print_attr_dict(out, op, "attributes", elided_attrs);
	if (entry) {
		sr_buf_putc(out->out, ' ');
		sr_print_region(out, &op->regions[0], false, true);
	}
}
