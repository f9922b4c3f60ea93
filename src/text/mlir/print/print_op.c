/* Print ops, blocks and regions; entry points of the printer. */
#include "text/mlir/print/aliases.h"
#include "support/characters.h"
#include "text/mlir/form/form.h"
#include <string.h>

void sr_print_newline(struct sr_printer *p)
{
	static const char blanks[] = "                                ";
	sr_buf_putc(p->out, '\n');
	for (int n_remaining = p->indent; n_remaining > 0; n_remaining -= (int)sizeof blanks - 1)
		sr_buf_put(p->out, blanks, n_remaining < (int)sizeof blanks - 1 ? (size_t)n_remaining : sizeof blanks - 1);
}

void sr_print_values(struct sr_printer *p, const struct sr_use *operands, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		sr_print_value(p, operands[i].value);
	}
}

void sr_print_function_types(struct sr_printer *p, const struct sr_op *op)
{
	sr_buf_putc(p->out, '(');
	for (int i = 0; i < op->n_operands; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		sr_print_type(p, sr_operand(op, i)->type);
	}
	bool omits_parentheses = op->n_results == 1 && op->results[0].type->kind != SR_TYPE_FUNCTION;
	sr_buf_puts(p->out, omits_parentheses ? ") -> " : ") -> (");
	for (int i = 0; i < op->n_results; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		sr_print_type(p, op->results[i].type);
	}
	if (!omits_parentheses)
		sr_buf_putc(p->out, ')');
}

static bool is_elided_attr(const char *name, const char *const *elided_attrs)
{
	for (; elided_attrs && *elided_attrs; elided_attrs++)
		if (!strcmp(*elided_attrs, name))
			return true;
	return false;
}

static void print_entry(struct sr_printer *p, const struct sr_named_attr *entry, bool is_first)
{
	if (!is_first)
		sr_buf_puts(p->out, ", ");
	/* Attributes named manual_axes are printed as #sdy<manual_axes{...}>. */
	if (entry->value->kind == SR_ATTR_AXES && sr_ends_with(entry->name, "manual_axes")) {
		sr_buf_printf(p->out, "%s = #sdy<manual_axes", entry->name);
		sr_print_axes(p->out, *entry->value->axes);
		sr_buf_putc(p->out, '>');
		return;
	}
	sr_print_dict_entries(p, entry, 1);
}

void sr_print_attr_dict(struct sr_printer *p, const struct sr_op *op, const char *keyword, const char *const *elided_attrs)
{
	bool is_first = true;
	for (int i = 0; i < op->n_attrs; i++) {
		if (is_elided_attr(op->attrs[i].name, elided_attrs))
			continue;
		if (is_first)
			sr_buf_printf(p->out, keyword ? " %s {" : "%s {", keyword ? keyword : "");
		print_entry(p, &op->attrs[i], is_first);
		is_first = false;
	}
	if (!is_first)
		sr_buf_putc(p->out, '}');
}

/* Print the inherent attributes of an op, as in <{...}>, or its discardable attributes, as in {...}. Print nothing, not even the
 * braces, if there are none. */
static void print_attrs_of_kind(struct sr_printer *p, const struct sr_op *op, bool is_inherent, const char *open, const char *close)
{
	bool is_first = true;
	for (int i = 0; i < op->n_attrs; i++) {
		if (sr_attr_is_inherent(op, op->attrs[i].name) != is_inherent)
			continue;
		if (is_first)
			sr_buf_puts(p->out, open);
		print_entry(p, &op->attrs[i], is_first);
		is_first = false;
	}
	if (!is_first)
		sr_buf_puts(p->out, close);
}

void sr_print_generic(struct sr_printer *p, const struct sr_op *op, bool prints_name)
{
	if (prints_name)
		sr_buf_printf(p->out, "\"%s\"", op->info->name);
	sr_buf_putc(p->out, '(');
	sr_print_values(p, op->operands, op->n_operands);
	sr_buf_putc(p->out, ')');
	print_attrs_of_kind(p, op, true, " <{", "}>");
	for (int i = 0; i < op->n_regions; i++) {
		sr_buf_puts(p->out, i ? ", " : " (");
		sr_print_region(p, &op->regions[i], true, true);
	}
	if (op->n_regions)
		sr_buf_putc(p->out, ')');
	print_attrs_of_kind(p, op, false, " {", "}");
	sr_buf_puts(p->out, " : ");
	sr_print_function_types(p, op);
}

void sr_print_argument(struct sr_printer *p, const struct sr_value *arg, const struct sr_attr *attrs)
{
	sr_print_value(p, arg);
	sr_buf_puts(p->out, ": ");
	sr_print_type(p, arg->type);
	if (attrs) {
		sr_buf_puts(p->out, " {");
		sr_print_dict_entries(p, attrs->entries, attrs->n);
		sr_buf_putc(p->out, '}');
	}
	if (!p->options.prints_debuginfo)
		return;
	sr_visit_location(p, arg->loc, false);
	if (sr_is_collecting_aliases(p))
		return;
	sr_buf_putc(p->out, ' ');
	sr_print_location(p, arg->loc, false);
}

static void print_label(struct sr_printer *p, const struct sr_block *block)
{
	p->indent -= 2;
	sr_print_newline(p);
	p->indent += 2;
	sr_buf_printf(p->out, "^bb%d", sr_block_number(block));
	for (int i = 0; i < block->n_args; i++) {
		sr_buf_puts(p->out, i ? ", " : "(");
		sr_print_argument(p, block->args[i], NULL);
	}
	sr_buf_puts(p->out, block->n_args ? "):" : ":");
	if (block != block->region->first)
		sr_buf_puts(p->out, "  // no predecessors");
}

static void print_block(struct sr_printer *p, const struct sr_block *block, bool has_label, bool prints_terminator)
{
	if (has_label)
		print_label(p, block);
	for (const struct sr_op *op = block->first; op; op = op->next) {
		if (!prints_terminator && !op->next && (op->info->traits & SR_TERMINATOR))
			break;
		sr_print_newline(p);
		sr_print_op(p, op);
		if (sr_is_collecting_aliases(p))
			p->out->n = 0;
		else
			sr_buf_drain(p->out);
	}
}

void sr_print_region(struct sr_printer *p, const struct sr_region *region, bool prints_entry_args, bool prints_terminators)
{
	const char *outer_dialect = p->dialect;
	p->dialect = p->options.uses_generic_form || !region->op ? outer_dialect : sr_default_dialect(region->op->info);
	sr_buf_putc(p->out, '{');
	p->indent += 2;
	for (const struct sr_block *b = region->first; b; b = b->next) {
		bool has_label = b != region->first || (prints_entry_args && (b->n_args || !b->first));
		print_block(p, b, has_label, prints_terminators);
	}
	p->indent -= 2;
	sr_print_newline(p);
	sr_buf_putc(p->out, '}');
	p->dialect = outer_dialect;
}

static void print_name(struct sr_printer *p, const struct sr_op *op)
{
	size_t n = strlen(p->dialect);
	const char *name = op->info->name;
	if (n && !strncmp(name, p->dialect, n) && name[n] == '.')
		name += n + 1;
	sr_buf_puts(p->out, name);
}

static bool has_generic_form(struct sr_context *ctx, const struct sr_op_info *info)
{
	return info->code == SR_OP_UNREGISTERED || sr_form_of(ctx, info)->is_generic;
}

static void print_pretty(struct sr_printer *p, const struct sr_op *op)
{
	const struct sr_form *form = sr_form_of(p->ctx, op->info);
	print_name(p, op);
	if (form->print)
		form->print(p, op);
	else
		sr_print_form(p, op, form);
}

void sr_print_op(struct sr_printer *p, const struct sr_op *op)
{
	if (p->options.prints_debuginfo)
		sr_visit_location(p, op->loc, true);
	sr_print_result_names(p, op);
	if (p->options.uses_generic_form || has_generic_form(p->ctx, op->info))
		sr_print_generic(p, op, true);
	else
		print_pretty(p, op);
	if (p->options.prints_debuginfo && !sr_is_collecting_aliases(p)) {
		sr_buf_putc(p->out, ' ');
		sr_print_location(p, op->loc, true);
	}
}

static struct sr_printer make_printer(struct sr_context *ctx, const struct sr_op *root, const struct sr_print_options *options,
				      struct sr_buf *out)
{
	struct sr_printer p = {.ctx = ctx, .arena = ctx->arena, .out = out, .dialect = "builtin"};
	if (options)
		p.options = *options;
	p.names = sr_value_names_of(ctx, root, p.options.uses_generic_form);
	return p;
}

void sr_print(struct sr_context *ctx, const struct sr_op *module, const struct sr_print_options *options, struct sr_buf *out)
{
	struct sr_printer p = make_printer(ctx, module, options, out);
	struct sr_map resources;
	sr_map_init(&resources, ctx->arena);
	p.resources = &resources;
	p.aliases = sr_aliases_of(&p, module);
	sr_print_aliases(&p, false);
	sr_print_op(&p, module);
	if (!p.options.uses_local_scope)
		sr_buf_putc(out, '\n');
	sr_print_aliases(&p, true);
	sr_print_resources(&p);
}

/* Return the enclosing op within which values are named: one that is isolated from above and has no results. */
static const struct sr_op *naming_root(const struct sr_op *op)
{
	while (op->block && op->block->region->op && !(op->info->traits & SR_ISOLATED && op->n_results == 0))
		op = op->block->region->op;
	return op;
}

const char *sr_value_name(struct sr_context *ctx, const struct sr_value *value)
{
	struct sr_buf text;
	sr_buf_init(&text, ctx->arena);
	const struct sr_op *op = sr_value_owner(value);
	struct sr_printer p = make_printer(ctx, op ? naming_root(op) : op, NULL, &text);
	sr_print_value(&p, value);
	return sr_intern(ctx, sr_buf_string(&text));
}
