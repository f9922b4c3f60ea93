/* Read computations and their instructions:
 *
 *	%add (x: f32[], y: f32[]) -> f32[] {        optional signature, redundant with the parameters
 *	  %x = f32[] parameter(0)
 *	  y = f32[] parameter(1)                    names with or without %
 *	  ROOT %z = f32[] add(f32[] %x, y)          operands with or without shapes
 *	}, execution_thread="main" */
#include "text/hlo/hlo.h"
#include <string.h>

/* ---------------------------------------------------------------- opcode, operands and values */

static void read_opcode(struct sr_hlo *h, struct sr_hlo_instruction *in)
{
	in->position = h->at;
	sr_hlo_set_opcode(h, in, sr_hlo_word(h, "an opcode"));
}

static void read_parameter(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in)
{
	const char *position = h->at;
	sr_hlo_add_parameter(h, c, in, sr_hlo_count(h, "the parameter's number"), position);
}

static void read_operand(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in)
{
	const struct sr_hlo_shape *shape = sr_hlo_is_shape(h) ? sr_hlo_read_shape(h) : NULL;
	const char *position = h->at, *name = sr_hlo_name(h, "an operand");
	intptr_t index = (intptr_t)sr_map_get(&c->names, name);
	if (!index)
		sr_parser_fail(&h->p, position, "%%%s is not defined before its use", name);
	const struct sr_hlo_instruction *def = &c->instructions.data[index - 1];
	sr_types stated_types = {0}, actual_types = {0};
	if (shape && def->phase == SR_HLO_SYNC) {
		sr_hlo_leaf_types(h, shape, &stated_types);
		sr_hlo_leaf_types(h, def->shape, &actual_types);
		if (stated_types.n != actual_types.n || (stated_types.n && memcmp(stated_types.data, actual_types.data,
										  stated_types.n * sizeof *stated_types.data) != 0))
			sr_parser_fail(&h->p, position, "%%%s has a different shape than stated here", name);
	}
	sr_push(h->arena, &in->operands, (int)index - 1);
}

static void read_operands_or_value(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in)
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

static void read_attribute(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_opcode_state *state)
{
	const char *position = h->at, *name = sr_hlo_word(h, "an attribute");
	int i = 0;
	while (i < state->n_slots && strcmp(state->slots[i].name, name) != 0)
		i++;
	if (i == state->n_slots)
		sr_parser_fail(&h->p, position, "'%s' has no attribute '%s'", in->opcode->name, name);
	if (sr_hlo_find_attr(in, name))
		sr_parser_fail(&h->p, position, "attribute '%s' is given twice", name);
	sr_hlo_expect(h, "=");
	sr_hlo_read_value(h, in, &state->slots[i], h->at);
}

static void read_attributes(struct sr_hlo *h, struct sr_hlo_instruction *in)
{
	const struct sr_hlo_opcode_state *state = sr_hlo_opcode_state_of(h, in->opcode);
	while (sr_hlo_accept(h, ","))
		read_attribute(h, in, state);
	sr_hlo_set_defaults(h, in);
}

/* ---------------------------------------------------------------- instructions, computations */

static void read_instruction(struct sr_hlo *h, struct sr_hlo_computation *c)
{
	const char *position = h->at;
	bool is_root = sr_hlo_accept(h, "ROOT");
	struct sr_hlo_instruction in = {.name = sr_hlo_name(h, "an instruction")};
	sr_hlo_expect(h, "=");
	if (!sr_hlo_is_shape(h))
		sr_hlo_expected(h, "a shape");
	in.shape = sr_hlo_read_shape(h);
	read_opcode(h, &in);
	read_operands_or_value(h, c, &in);
	read_attributes(h, &in);
	if (sr_map_has(&c->names, in.name))
		sr_parser_fail(&h->p, position, "%%%s is defined twice in %%%s", in.name, c->name);
	if (is_root && c->root >= 0)
		sr_parser_fail(&h->p, position, "%%%s has two roots", c->name);
	sr_push(h->arena, &c->instructions, in);
	sr_map_put(&c->names, in.name, (void *)(intptr_t)c->instructions.n);
	if (is_root)
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

void sr_hlo_read_computation(struct sr_hlo *h)
{
	struct sr_hlo_computation *c = SR_NEW(h->arena, struct sr_hlo_computation);
	const char *position = h->at;
	bool is_entry = sr_hlo_accept(h, "ENTRY");
	c->position = h->at;
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
	sr_hlo_add_computation(h, c, position, is_entry);
}
