/* Read computations and their instructions:
 *
 *	%add (x: f32[], y: f32[]) -> f32[] {        optional signature, redundant with the parameters
 *	  %x = f32[] parameter(0)
 *	  y = f32[] parameter(1)                    names with or without %
 *	  ROOT %z = f32[] add(f32[] %x, y)          operands with or without shapes
 *	}, execution_thread="main" */
#include "text/hlo/hlo.h"
#include <string.h>

const struct sr_hlo_attr_value *sr_hlo_find_attr(const struct sr_hlo_instruction *in, const char *name)
{
	for (size_t i = 0; i < in->values.n; i++)
		if (!strcmp(in->values.data[i].slot->name, name))
			return &in->values.data[i];
	return NULL;
}

struct sr_hlo_computation *sr_hlo_find_computation(struct sr_hlo *h, const char *name, const char *where)
{
	struct sr_hlo_computation *c = sr_map_get(&h->computations, name);
	if (!c)
		sr_parser_fail(&h->p, where, "the module has no computation %%%s", name);
	return c;
}

/* ---------------------------------------------------------------- opcodes */

/* Return the shape of the done op's result. A start op's shape is usually (operands, results, ...). */
static const struct sr_hlo_shape *done_shape(const struct sr_hlo_opcode *opcode, const struct sr_hlo_shape *shape)
{
	static const struct {
		const char *opcode;
		int element; /* index of the tuple element with the results; -1: the shape itself */
	} others[] = {{"all-reduce", -1}, {"copy", 0}};
	int element = 1;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(others[i].opcode, opcode->name))
			element = others[i].element;
	return element < 0 || shape->type || shape->n <= element ? shape : shape->elements[element];
}

static void read_opcode(struct sr_hlo *h, struct sr_hlo_instruction *in)
{
	static const struct {
		const char *suffix;
		enum sr_hlo_phase phase;
	} phases[] = {{"-start", SR_HLO_START}, {"-update", SR_HLO_UPDATE}, {"-done", SR_HLO_DONE}};
	const char *where = h->at, *name = sr_hlo_word(h, "an opcode");
	size_t n = strlen(name);
	in->where = where;
	in->opcode = sr_hlo_opcode_find(name, n);
	for (size_t i = 0; !in->opcode && i < sizeof phases / sizeof *phases; i++) {
		size_t end = strlen(phases[i].suffix);
		if (n > end && !strcmp(name + n - end, phases[i].suffix)) {
			in->opcode = sr_hlo_opcode_find(name, n - end);
			in->phase = phases[i].phase;
		}
	}
	if (!in->opcode)
		sr_parser_fail(&h->p, where, "expected an opcode, found '%s'", name);
	if (!in->opcode->build)
		sr_hlo_unsupported(h, where, "'%s' is not supported: %s", name, in->opcode->notation);
	if (in->phase == SR_HLO_START)
		in->shape = done_shape(in->opcode, in->shape);
}

/* ---------------------------------------------------------------- parenthesized operands and values */

static void read_parameter(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in)
{
	const char *where = h->at;
	in->number = sr_hlo_count(h, "the parameter's number");
	if (in->number > INT32_MAX / 2)
		sr_parser_fail(&h->p, where, "the parameter's number is too large");
	for (size_t i = 0; i < c->parameters.n; i++) {
		const struct sr_hlo_instruction *other = &c->instructions.data[c->parameters.data[i]];
		if (other->number == in->number)
			sr_parser_fail(&h->p, where, "%%%s is parameter %lld already", other->name, (long long)in->number);
	}
	sr_push(h->arena, &c->parameters, (int)c->instructions.n);
}

static void read_operand(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in)
{
	const struct sr_hlo_shape *shape = sr_hlo_is_shape(h) ? sr_hlo_read_shape(h) : NULL;
	const char *where = h->at, *name = sr_hlo_name(h, "an operand");
	intptr_t index = (intptr_t)sr_map_get(&c->names, name);
	if (!index)
		sr_parser_fail(&h->p, where, "%%%s is not defined before its use", name);
	const struct sr_hlo_instruction *def = &c->instructions.data[index - 1];
	sr_types written = {0}, actual = {0};
	if (shape && def->phase == SR_HLO_SYNC) {
		sr_hlo_leaf_types(h, shape, &written);
		sr_hlo_leaf_types(h, def->shape, &actual);
		if (written.n != actual.n ||
		    (written.n && memcmp(written.data, actual.data, written.n * sizeof *written.data) != 0))
			sr_parser_fail(&h->p, where, "%%%s has a different shape than stated here", name);
	}
	sr_push(h->arena, &in->operands, (int)index - 1);
}

static void read_parenthesized(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in)
{
	sr_hlo_expect(h, "(");
	if (in->opcode->build == sr_hlo_build_parameter) {
		read_parameter(h, c, in);
	} else if (in->opcode->build == sr_hlo_build_constant) {
		sr_hlo_literal(h, in->shape, &in->constants);
	} else {
		while (!sr_hlo_is(h, ")")) {
			if (in->operands.n && !sr_hlo_accept(h, ","))
				sr_hlo_expected(h, "',' or ')'");
			read_operand(h, c, in);
		}
	}
	sr_hlo_expect(h, ")");
}

/* ---------------------------------------------------------------- attributes */

static void read_value(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot, const char *where)
{
	const struct sr_hlo_opcode_state *state = sr_hlo_opcode_state_of(h, in->opcode);
	struct sr_hlo_attr_value v = {.slot = slot, .signature = state->signature, .in = in, .where = where};
	slot->kind->read(h, &v);
	v.in = NULL;
	sr_push(h->arena, &in->values, v);
}

static void read_attribute(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_opcode_state *state)
{
	const char *where = h->at, *name = sr_hlo_word(h, "an attribute");
	int i = 0;
	while (i < state->n_slots && strcmp(state->slots[i].name, name) != 0)
		i++;
	if (i == state->n_slots)
		sr_parser_fail(&h->p, where, "'%s' has no attribute '%s'", in->opcode->name, name);
	if (sr_hlo_find_attr(in, name))
		sr_parser_fail(&h->p, where, "attribute '%s' is given twice", name);
	sr_hlo_expect(h, "=");
	read_value(h, in, &state->slots[i], h->at);
}

/* Read an attribute from the text of its default. */
static void read_default(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot)
{
	const char *at = h->at, *end = h->p.end;
	h->at = slot->initial;
	h->p.end = slot->initial + strlen(slot->initial);
	read_value(h, in, slot, in->where);
	h->at = at;
	h->p.end = end;
}

static void read_attributes(struct sr_hlo *h, struct sr_hlo_instruction *in)
{
	const struct sr_hlo_opcode_state *state = sr_hlo_opcode_state_of(h, in->opcode);
	while (sr_hlo_accept(h, ","))
		read_attribute(h, in, state);
	if (in->phase > SR_HLO_START)
		return; /* the start op has the attributes */
	for (int i = 0; i < state->n_slots; i++) {
		const struct sr_hlo_attr_slot *slot = &state->slots[i];
		if (sr_hlo_find_attr(in, slot->name))
			continue;
		if (slot->initial)
			read_default(h, in, slot);
		else if (!slot->optional)
			sr_parser_fail(&h->p, in->where, "'%s' needs the attribute '%s'", in->opcode->name, slot->name);
	}
}

/* ---------------------------------------------------------------- instructions, computations */

static void read_instruction(struct sr_hlo *h, struct sr_hlo_computation *c)
{
	const char *where = h->at;
	bool root = sr_hlo_accept(h, "ROOT");
	struct sr_hlo_instruction in = {.name = sr_hlo_name(h, "an instruction")};
	sr_hlo_expect(h, "=");
	if (!sr_hlo_is_shape(h))
		sr_hlo_expected(h, "a shape");
	in.shape = sr_hlo_read_shape(h);
	read_opcode(h, &in);
	read_parenthesized(h, c, &in);
	read_attributes(h, &in);
	if (sr_map_has(&c->names, in.name))
		sr_parser_fail(&h->p, where, "%%%s is defined twice in %%%s", in.name, c->name);
	if (root && c->root >= 0)
		sr_parser_fail(&h->p, where, "%%%s has two roots", c->name);
	sr_push(h->arena, &c->instructions, in);
	sr_map_put(&c->names, in.name, (void *)(intptr_t)c->instructions.n);
	if (root)
		c->root = (int)c->instructions.n - 1;
}

/* Skip a computation's signature: (x: f32[], y: f32[]) -> f32[]. */
static void skip_signature(struct sr_hlo *h)
{
	if (!sr_hlo_accept(h, "("))
		return;
	for (int n = 0; !sr_hlo_accept(h, ")"); n++) {
		if (n)
			sr_hlo_expect(h, ",");
		sr_hlo_name(h, "a parameter");
		sr_hlo_expect(h, ":");
		sr_hlo_read_shape(h);
	}
	sr_hlo_expect(h, "->");
	sr_hlo_read_shape(h);
}

/* Sort the parameters, which may be in any order, by number. */
static void sort_parameters(struct sr_hlo *h, struct sr_hlo_computation *c)
{
	int n = (int)c->parameters.n, *sorted = SR_NEWS(h->arena, int, n);
	for (int i = 0; i < n; i++) {
		const struct sr_hlo_instruction *in = &c->instructions.data[c->parameters.data[i]];
		if (in->number >= n)
			sr_parser_fail(&h->p, in->where, "%%%s has %d parameter%s, so the highest number must be %d", c->name, n,
				       n == 1 ? "" : "s", n - 1);
		sorted[in->number] = c->parameters.data[i];
	}
	c->parameters.data = sorted;
}

void sr_hlo_read_computation(struct sr_hlo *h)
{
	struct sr_hlo_computation *c = SR_NEW(h->arena, struct sr_hlo_computation);
	const char *where = h->at;
	bool entry = sr_hlo_accept(h, "ENTRY");
	c->where = h->at;
	c->name = sr_hlo_name(h, "a computation");
	c->root = -1;
	sr_map_init(&c->names, h->arena);
	skip_signature(h);
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}"))
		read_instruction(h, c);
	while (sr_hlo_accept(h, ",")) {
		sr_hlo_word(h, "an attribute of the computation");
		sr_hlo_expect(h, "=");
		sr_hlo_skip_value(h);
	}
	if (!c->instructions.n)
		sr_parser_fail(&h->p, where, "computation %%%s is empty", c->name);
	if (sr_map_has(&h->computations, c->name))
		sr_parser_fail(&h->p, where, "computation %%%s is defined twice", c->name);
	if (entry && h->entry)
		sr_parser_fail(&h->p, where, "the module has two entry computations");
	if (c->root < 0)
		c->root = (int)c->instructions.n - 1;
	sort_parameters(h, c);
	sr_map_put(&h->computations, c->name, c);
	h->last = c;
	if (entry)
		h->entry = c;
}
