/* Parse and print directives for ops of the shape and tensor dialects. */
#include "text/mlir/form/directives.h"

/* Set the type of all operands in slot `name`, or of the result if no slot has this name. The type is not in the text. */
static void set_slot_type(struct sr_parser *p, struct sr_op_state *s, const char *name, const struct sr_type *type)
{
	const struct sr_signature *sig = s->info->signature;
	int slot = sr_slot_find(sig->operands, sig->n_operands, name);
	if (slot < 0)
		sr_push(p->scratch, &s->results, type);
	for (size_t i = 0; slot >= 0 && i < s->operand_groups[slot].n; i++)
		sr_push(p->scratch, &s->group_types[slot], type);
}

void sr_parse_witness(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	struct sr_type witness = {.kind = SR_TYPE_OPAQUE, .text = sr_intern(p->ctx, "shape.witness")};
	set_slot_type(p, s, element->args[0], sr_type_intern(p->ctx, &witness));
}

void sr_print_witness(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
}

void sr_parse_index_type(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	set_slot_type(p, s, element->args[0], sr_type_intern(p->ctx, &(struct sr_type){.kind = SR_TYPE_INDEX}));
}

void sr_print_index_type(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
}

/* Parse the directive <element-of a b>: the type of value b is the element type of value a. */
void sr_parse_element_of(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const struct sr_signature *sig = s->info->signature;
	int slot = sr_slot_find(sig->operands, sig->n_operands, element->args[0]);
	const sr_types *types = slot >= 0 ? &s->group_types[slot] : &s->results;
	if (types->n && types->data[0]->element)
		set_slot_type(p, s, element->args[1], types->data[0]->element);
	else
		sr_parser_fail(p, s->operands_position, "'%s' must be a tensor", element->args[0]);
}

void sr_print_element_of(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
}

/* Parse the directive <extents>: [2, 3] stands for dense<[2, 3]> : tensor<2xindex>. */
void sr_parse_extents(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	sr_integers list = {0};
	sr_parser_integers(p, &list);
	const struct sr_type *index = sr_type_intern(p->ctx, &(struct sr_type){.kind = SR_TYPE_INDEX});
	const struct sr_type *type = sr_type_tensor_of(p->ctx, index, 1, (int64_t[]){(int64_t)list.n}, NULL);
	sr_parser_set_attr(p, s, element->args[0], sr_attr_dense(p->ctx, type, list.data, (int64_t)(list.n * sizeof *list.data)));
}

void sr_print_extents(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const int64_t *v;
	int64_t n;
	sr_buf_puts(out->out,
		    op->n_attrs > 1 ? "[" : " ["); /* MLIR prints no space before the extents if the op has other attributes */
	if (sr_op_ints(out->ctx, op, element->args[0], &v, &n))
		for (int64_t i = 0; i < n; i++)
			sr_buf_printf(out->out, "%s%lld", i ? ", " : "", (long long)v[i]);
	sr_buf_putc(out->out, ']');
}
