/* Print an op by interpreting its form. */
#include "text/mlir/form/form.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct spacing { /* state of MLIR's whitespace rule for declarative formats: what precedes the next element */
	bool needs_space, follows_punctuation;
};

static void print_literal(struct sr_printer *out, struct spacing *sp, const char *text)
{
	bool is_single = !text[1], is_symbol = is_single || !strcmp(text, "->");
	bool allows_space = !is_symbol || !strchr(sp->follows_punctuation ? ">)}]," : "<>(){}[],", *text);
	if (sp->needs_space && allows_space)
		sr_buf_putc(out->out, ' ');
	sr_buf_puts(out->out, text);
	sp->needs_space = !is_single || !strchr("<({[", *text);
	sp->follows_punctuation = *text != '_' && !isalpha((unsigned char)*text);
}

static void print_space_before(struct sr_printer *out, struct spacing *sp)
{
	if (sp->needs_space || !sp->follows_punctuation)
		sr_buf_putc(out->out, ' ');
	sp->needs_space = true;
	sp->follows_punctuation = false;
}

/* Return true if no field of the structure is set, except enumerations at their first enumerator. */
static bool is_empty_struct(const struct sr_attr *a)
{
	for (int i = 0; i < a->n; i++) {
		const struct sr_attr *field = a->list[i];
		if (field && (field->kind != SR_ATTR_ENUM || field->i != 0) && !sr_field_is_default(&a->def->fields[i], field))
			return false;
	}
	return true;
}

/* Return true if the attribute equals its default in the op table, so that it is not printed. */
static bool is_default(const struct sr_attr_slot *slot, const struct sr_attr *a)
{
	if (!slot->default_text)
		return false;
	const char *d = slot->default_text;
	switch (a->kind) {
	case SR_ATTR_BOOL:
		return a->i == !strcmp(d, "true");
	case SR_ATTR_INTEGER:
		return slot->kind != SR_KIND_struct && a->i == strtoll(d, NULL, 10);
	case SR_ATTR_FLOAT:
		return (uint64_t)a->i == sr_float_encode(a->type->dtype, strtod(d, NULL));
	case SR_ATTR_ENUM:
		return isdigit((unsigned char)*d) ? a->i == strtoll(d, NULL, 10) : !strcmp(sr_attr_enum_name(a), d);
	case SR_ATTR_STRING:
		return !strcmp(a->s, d);
	case SR_ATTR_ARRAY:
		return a->n == 0;
	case SR_ATTR_DICT:
		return a->n == 0;
	case SR_ATTR_STRUCT:
		return is_empty_struct(a);
	default:
		return false;
	}
}

static const struct sr_attr *non_default_attr(const struct sr_op *op, const char *name)
{
	const struct sr_attr *a = sr_op_attr(op, name);
	int slot = sr_attr_slot_find(op->info->signature, name);
	return a && slot >= 0 && is_default(&op->info->signature->attrs[slot], a) ? NULL : a;
}

static bool is_name_present(const struct sr_op *op, const char *name)
{
	const struct sr_signature *sig = op->info->signature;
	int first, n, slot = sr_slot_find(sig->operands, sig->n_operands, name);
	if (slot >= 0) {
		sr_operands_of(op, slot, &first, &n);
		return n > 0;
	}
	slot = sr_slot_find(sig->results, sig->n_results, name);
	if (slot >= 0) {
		sr_results_of(op, slot, &first, &n);
		return n > 0;
	}
	return non_default_attr(op, name) != NULL;
}

static bool is_present(const struct sr_op *op, const struct sr_form_element *element)
{
	int first, n;
	switch (element->kind) {
	case SR_FORM_OPERAND:
		sr_operands_of(op, element->slot, &first, &n);
		return n > 0;
	case SR_FORM_REGION:
		return op->n_regions > 0;
	case SR_FORM_ATTR:
		return non_default_attr(op, op->info->signature->attrs[element->slot].name) != NULL;
	default:
		return element->n_args == 0 || is_name_present(op, element->args[0]);
	}
}

static void print_form_attr_dict(struct sr_printer *out, const struct sr_op *op, const struct sr_form *form)
{
	const struct sr_signature *sig = op->info->signature;
	const char *elided_attrs[65];
	int n = 0;
	for (int i = 0; i < sig->n_attrs && n < 64; i++) {
		const struct sr_attr *a = sr_op_attr(op, sig->attrs[i].name);
		if (a && ((form->listed_attrs >> i & 1) || is_default(&sig->attrs[i], a)))
			elided_attrs[n++] = sig->attrs[i].name;
	}
	elided_attrs[n] = NULL;
	sr_print_attr_dict(out, op, NULL, elided_attrs);
}

static void print_regions(struct sr_printer *out, const struct sr_op *op)
{
	for (int i = 0; i < op->n_regions; i++) {
		if (i)
			sr_buf_puts(out->out, ", ");
		sr_print_region(out, &op->regions[i], true, true);
	}
}

static void print_form_element(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	int first, n;
	const struct sr_attr *a;
	switch (element->kind) {
	case SR_FORM_OPERANDS:
		sr_print_values(out, op->operands, op->n_operands);
		break;
	case SR_FORM_OPERAND:
		sr_operands_of(op, element->slot, &first, &n);
		sr_print_values(out, op->operands + first, n);
		break;
	case SR_FORM_ATTR:
		a = sr_op_attr(op, op->info->signature->attrs[element->slot].name);
		if (a)
			sr_print_attr_of_slot(out, &op->info->signature->attrs[element->slot], a);
		break;
	case SR_FORM_REGION:
		print_regions(out, op);
		break;
	default:
		element->directive->print(out, op, element);
	}
}

void sr_print_form(struct sr_printer *out, const struct sr_op *op, const struct sr_form *form)
{
	struct spacing sp = {true, false};
	for (int i = 0; i < form->n; i++) {
		const struct sr_form_element *element = &form->elements[i];
		switch (element->kind) {
		case SR_FORM_LITERAL:
			print_literal(out, &sp, element->text);
			break;
		case SR_FORM_NO_SPACE:
			sp.needs_space = false;
			sp.follows_punctuation = true;
			break;
		case SR_FORM_GROUP:
			if (!is_present(op, &form->elements[element->anchor]))
				i = element->end_index - 1;
			break;
		case SR_FORM_GROUP_END:
			break;
		case SR_FORM_ATTR_DICT:
			print_form_attr_dict(out, op, form);
			sp.follows_punctuation = false;
			break;
		default:
			if (element->kind != SR_FORM_DIRECTIVE || !element->directive->prints_leading_space)
				print_space_before(out, &sp);
			else
				sp = (struct spacing){true, false};
			print_form_element(out, op, element);
		}
	}
}
