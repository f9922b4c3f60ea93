/* Build HLO computations and instructions, for the readers of HLO text (read.c) and of HloModuleProtos (proto.c). An attribute is
 * passed as its name and the text of its value in the syntax of HLO text; its kind (attr.c) converts the text. */
#include "text/hlo/hlo.h"
#include <string.h>

const struct sr_hlo_attr_value *sr_hlo_find_attr(const struct sr_hlo_instruction *in, const char *name)
{
	for (size_t i = 0; i < in->values.n; i++)
		if (!strcmp(in->values.data[i].slot->name, name))
			return &in->values.data[i];
	return NULL;
}

struct sr_hlo_computation *sr_hlo_find_computation(struct sr_hlo *h, const char *name, const char *position)
{
	struct sr_hlo_computation *c = sr_map_get(&h->computations, name);
	if (!c)
		sr_parser_fail(&h->p, position, "the module has no computation %%%s", name);
	return c;
}

/* ---------------------------------------------------------------- opcodes */

/* Return the result shape of an asynchronous op's done op. `shape` is the result shape of the start op, usually the tuple
 * (operands, results, ...). */
static const struct sr_hlo_shape *async_done_shape(const struct sr_hlo_opcode *opcode, const struct sr_hlo_shape *shape)
{
	static const struct {
		const char *opcode;
		int element; /* index of the tuple element that has the results; -1: the start op has the results' shape */
	} exceptions[] = {{"all-reduce", -1}, {"copy", 0}};
	int element = 1;
	for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
		if (!strcmp(exceptions[i].opcode, opcode->name))
			element = exceptions[i].element;
	return element < 0 || shape->type || shape->n <= element ? shape : shape->elements[element];
}

void sr_hlo_set_opcode(struct sr_hlo *h, struct sr_hlo_instruction *in, const char *name)
{
	static const struct {
		const char *suffix;
		enum sr_hlo_phase phase;
	} phases[] = {{"-start", SR_HLO_START}, {"-update", SR_HLO_UPDATE}, {"-done", SR_HLO_DONE}};
	size_t n = strlen(name);
	in->opcode = sr_hlo_opcode_find(name, n);
	for (size_t i = 0; !in->opcode && i < sizeof phases / sizeof *phases; i++) {
		size_t suffix_length = strlen(phases[i].suffix);
		if (n > suffix_length && !strcmp(name + n - suffix_length, phases[i].suffix)) {
			in->opcode = sr_hlo_opcode_find(name, n - suffix_length);
			in->phase = phases[i].phase;
		}
	}
	if (!in->opcode)
		sr_parser_fail(&h->p, in->position, "expected an opcode, found '%s'", name);
	if (!in->opcode->build)
		sr_hlo_unsupported(h, in->position, "'%s' is not supported: %s", name, in->opcode->notation);
	if (in->phase == SR_HLO_START)
		in->shape = async_done_shape(in->opcode, in->shape);
}

/* ---------------------------------------------------------------- parameters */

void sr_hlo_add_parameter(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in, int64_t number,
			  const char *position)
{
	if (number < 0 || number > INT32_MAX / 2)
		sr_parser_fail(&h->p, position, "the parameter's number is %s", number < 0 ? "negative" : "too large");
	in->parameter_number = number;
	for (size_t i = 0; i < c->parameters.n; i++) {
		const struct sr_hlo_instruction *other_parameter = &c->instructions.data[c->parameters.data[i]];
		if (other_parameter->parameter_number == in->parameter_number)
			sr_parser_fail(&h->p, position, "%%%s is parameter %lld already", other_parameter->name,
				       (long long)in->parameter_number);
	}
	sr_push(h->arena, &c->parameters, (int)c->instructions.n);
}

/* Sort the computation's parameters, which may be in any order, by their numbers. */
static void sort_parameters(struct sr_hlo *h, struct sr_hlo_computation *c)
{
	int n = (int)c->parameters.n, *sorted = SR_NEW_ARRAY(h->arena, int, n);
	for (int i = 0; i < n; i++) {
		const struct sr_hlo_instruction *in = &c->instructions.data[c->parameters.data[i]];
		if (in->parameter_number >= n)
			sr_parser_fail(&h->p, in->position, "%%%s has %d parameter%s, so the highest number must be %d", c->name, n,
				       n == 1 ? "" : "s", n - 1);
		sorted[in->parameter_number] = c->parameters.data[i];
	}
	c->parameters.data = sorted;
}

/* ---------------------------------------------------------------- attributes */

void sr_hlo_read_value(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot, const char *position)
{
	const struct sr_hlo_opcode_state *state = sr_hlo_opcode_state_of(h, in->opcode);
	struct sr_hlo_attr_value v = {.slot = slot, .signature = state->signature, .instruction = in, .position = position};
	slot->kind->read(h, &v);
	v.instruction = NULL;
	sr_push(h->arena, &in->values, v);
}

void sr_hlo_set_attr(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot, const char *text, size_t n)
{
	const char *saved_position = h->at, *saved_end = h->p.end;
	h->at = text;
	h->p.end = text + n;
	sr_hlo_read_value(h, in, slot, in->position);
	if (h->at < h->p.end)
		sr_hlo_expected(h, sr_printf(h->arena, "the end of attribute '%s'", slot->name));
	h->at = saved_position;
	h->p.end = saved_end;
}

void sr_hlo_set_defaults(struct sr_hlo *h, struct sr_hlo_instruction *in)
{
	const struct sr_hlo_opcode_state *state = sr_hlo_opcode_state_of(h, in->opcode);
	if (in->phase > SR_HLO_START)
		return; /* update and done ops have no attributes; those are on the start op */
	for (int i = 0; i < state->n_slots; i++) {
		const struct sr_hlo_attr_slot *slot = &state->slots[i];
		if (sr_hlo_find_attr(in, slot->name))
			continue;
		if (slot->default_text)
			sr_hlo_set_attr(h, in, slot, slot->default_text, strlen(slot->default_text));
		else if (!slot->is_optional)
			sr_parser_fail(&h->p, in->position, "'%s' needs the attribute '%s'", in->opcode->name, slot->name);
	}
}

/* ---------------------------------------------------------------- computations */

void sr_hlo_add_computation(struct sr_hlo *h, struct sr_hlo_computation *c, const char *position, bool is_entry)
{
	if (!c->instructions.n)
		sr_parser_fail(&h->p, position, "computation %%%s is empty", c->name);
	if (sr_map_has(&h->computations, c->name))
		sr_parser_fail(&h->p, position, "computation %%%s is defined twice", c->name);
	if (is_entry && h->entry)
		sr_parser_fail(&h->p, position, "the module has two entry computations");
	if (c->root < 0)
		c->root = (int)c->instructions.n - 1;
	sort_parameters(h, c);
	sr_map_put(&h->computations, c->name, c);
	h->last_computation = c;
	if (is_entry)
		h->entry = c;
}
