/* Parse an op by interpreting its form. */
#include "text/mlir/form/form.h"
#include <string.h>

static int punctuation_token(const char *text)
{
	return !strcmp(text, "->") ? SR_TOK_ARROW : (unsigned char)*text;
}

static bool is_word(const char *text)
{
	return (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || *text == '_';
}

static bool is_literal_next(const struct sr_parser *p, const char *text)
{
	return is_word(text) ? sr_parser_is_word(p, text) : p->kind == punctuation_token(text);
}

static void parse_literal(struct sr_parser *p, const char *text)
{
	if (is_word(text))
		sr_parser_expect_word(p, text);
	else
		sr_parser_expect(p, punctuation_token(text));
}

static bool is_attr_next(const struct sr_parser *p)
{
	return p->kind == SR_TOK_BARE || p->kind == SR_TOK_STRING || p->kind == SR_TOK_AT || p->kind == SR_TOK_INT || p->kind == SR_TOK_HASH;
}

static bool is_group_next(const struct sr_parser *p, const struct sr_form *form, int group)
{
	const struct sr_form_element *first = &form->elements[group + 1];
	while (first->kind == SR_FORM_NO_SPACE || (first->kind == SR_FORM_DIRECTIVE && !strcmp(first->directive->name, "space")))
		first++;
	switch (first->kind) {
	case SR_FORM_LITERAL:
		return is_literal_next(p, first->text);
	case SR_FORM_OPERAND:
	case SR_FORM_OPERANDS:
		return p->kind == SR_TOK_PERCENT;
	case SR_FORM_REGION:
		return p->kind == '{';
	default:
		return is_attr_next(p);
	}
}

/* Parse a variadic operand list. A comma may also belong to the form (`inputs , dim = 0`), so it continues the list only before a
 * %. */
static void parse_operand_list(struct sr_parser *p, sr_ssa_names *out)
{
	while (p->kind == SR_TOK_PERCENT) {
		struct sr_ssa_name name = sr_parser_ssa_name(p);
		sr_push(p->scratch, out, name);
		if (p->kind != ',')
			break;
		const char *comma = p->tok;
		sr_parser_next(p);
		if (p->kind != SR_TOK_PERCENT) {
			sr_parser_restart(p, comma);
			break;
		}
	}
}

static void parse_operand(struct sr_parser *p, struct sr_op_state *s, int slot)
{
	s->has_groups = true;
	if (!s->operands_position)
		s->operands_position = p->tok;
	if (s->info->signature->operands[slot].arity == SR_ARITY_ONE) {
		struct sr_ssa_name name = sr_parser_ssa_name(p);
		sr_push(p->scratch, &s->operand_groups[slot], name);
	} else {
		parse_operand_list(p, &s->operand_groups[slot]);
	}
}

static void parse_regions(struct sr_parser *p, struct sr_op_state *s, int slot)
{
	bool is_variadic = s->info->signature->regions[slot].arity != SR_ARITY_ONE;
	bool is_isolated = s->info->traits & SR_ISOLATED;
	if (is_variadic && p->kind != '{')
		return;
	do {
		sr_parser_add_region(p, s, sr_parser_region(p, NULL, is_isolated, sr_default_dialect(s->info)));
	} while (is_variadic && sr_parser_accept(p, ','));
}

static void parse_attribute(struct sr_parser *p, struct sr_op_state *s, int slot)
{
	const struct sr_attr_slot *a = &s->info->signature->attrs[slot];
	sr_parser_set_attr(p, s, a->name, sr_parser_attr_of_slot(p, a));
}

static void parse_element(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	switch (element->kind) {
	case SR_FORM_LITERAL:
		parse_literal(p, element->text);
		break;
	case SR_FORM_OPERANDS:
		s->operands_position = p->tok;
		parse_operand_list(p, &s->operands);
		break;
	case SR_FORM_OPERAND:
		parse_operand(p, s, element->slot);
		break;
	case SR_FORM_ATTR:
		parse_attribute(p, s, element->slot);
		break;
	case SR_FORM_REGION:
		parse_regions(p, s, element->slot);
		break;
	case SR_FORM_ATTR_DICT:
		sr_parser_optional_dict(p, s);
		break;
	case SR_FORM_DIRECTIVE:
		element->directive->parse(p, s, element);
		break;
	case SR_FORM_NO_SPACE:
	case SR_FORM_GROUP:
	case SR_FORM_GROUP_END:
		break;
	}
}

/* Return true if `element` is a comma that the text omits because the operand list before it is empty, as in `inputs , dim = 0`. */
static bool is_omitted_comma(const struct sr_parser *p, const struct sr_op_state *s, const struct sr_form_element *element)
{
	const struct sr_form_element *list = element - 1;
	return element->kind == SR_FORM_LITERAL && !strcmp(element->text, ",") && p->kind != ',' && list->kind == SR_FORM_OPERAND &&
	       s->info->signature->operands[list->slot].arity == SR_ARITY_VARIADIC && s->operand_groups[list->slot].n == 0;
}

void sr_parser_form(struct sr_parser *p, struct sr_op_state *s)
{
	const struct sr_form *form = sr_form_of(p->ctx, s->info);
	if (form->is_generic) {
		p->form_op = NULL;
		sr_parser_fail(p, s->position, "op %s has no custom assembly form: expected the quoted form \"%s\"(...)",
			       s->info->name, s->info->name);
	}
	if (form->parse) {
		form->parse(p, s);
		return;
	}
	for (int i = 0; i < form->n; i++) {
		if (form->elements[i].kind == SR_FORM_GROUP && !is_group_next(p, form, i))
			i = form->elements[i].end_index - 1;
		else if (i && is_omitted_comma(p, s, &form->elements[i]))
			continue;
		else
			parse_element(p, s, &form->elements[i]);
	}
}
