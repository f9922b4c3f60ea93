/* The table of opcodes (hlo_ops.def) and its notation. */
#include "text/hlo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sr_hlo_opcode opcodes[] = {
#define HLO(opcode, builder, op, attributes) {opcode, sr_hlo_build_##builder, SR_OP_##op, attributes},
#define HLO_NO_OP(opcode, builder, attributes) {opcode, sr_hlo_build_##builder, SR_OP_UNREGISTERED, attributes},
#define HLO_REFUSED(opcode, why) {opcode, NULL, SR_OP_UNREGISTERED, why},
#include "text/hlo_ops.def"
};
enum { N_OPCODES = sizeof opcodes / sizeof *opcodes };

const struct sr_hlo_opcode *sr_hlo_opcode_find(const char *name, size_t n)
{
	for (int i = 0; i < N_OPCODES; i++)
		if (!strncmp(opcodes[i].name, name, n) && !opcodes[i].name[n])
			return &opcodes[i];
	return NULL;
}

_Noreturn static void mistake(const struct sr_hlo_opcode *opcode, const char *at)
{
	fprintf(stderr, "internal: hlo_ops.def, %s: cannot read '%s'\n", opcode->name, at);
	abort();
}

/* A word of the notation, up to one of its marks. */
static const char *word(struct sr_hlo *h, const char **s)
{
	size_t n = strcspn(*s, "?=>:, ");
	const char *w = sr_intern_n(h->ctx, *s, n);
	*s += n;
	return w;
}

static const char *compile_slot(struct sr_hlo *h, const struct sr_hlo_opcode *opcode, const char *s, struct sr_hlo_slot *slot)
{
	slot->name = slot->target = word(h, &s);
	if (*s == '?')
		slot->optional = true, s++;
	if (*s == '=') {
		s++;
		slot->initial = word(h, &s);
	}
	if (*s == '>') {
		s++;
		slot->target = word(h, &s);
	}
	if (*s++ != ':')
		mistake(opcode, s - 1);
	slot->kind_name = word(h, &s);
	slot->kind = sr_hlo_kind_find(slot->kind_name);
	if (!slot->kind)
		mistake(opcode, slot->kind_name);
	return s + strspn(s, ", ");
}

static int compile(struct sr_hlo *h, const struct sr_hlo_opcode *opcode, const char *notation, struct sr_hlo_slot *slots, int n)
{
	while (*notation)
		notation = compile_slot(h, opcode, notation, &slots[n++]);
	return n;
}

const struct sr_hlo_opcode_state *sr_hlo_opcode_state(struct sr_hlo *h, const struct sr_hlo_opcode *opcode)
{
	enum { MOST_SLOTS = 32 };
	if (!h->opcodes)
		h->opcodes = SR_NEWS(h->arena, struct sr_hlo_opcode_state, N_OPCODES);
	struct sr_hlo_opcode_state *state = &h->opcodes[opcode - opcodes];
	if (!state->compiled) {
		struct sr_hlo_slot *slots = SR_NEWS(h->arena, struct sr_hlo_slot, MOST_SLOTS);
		int own = compile(h, opcode, opcode->notation, slots, 0);
		*state = (struct sr_hlo_opcode_state){NULL, slots, compile(h, opcode, HLO_COMMON, slots, own), true};
		if (opcode->code)
			state->signature = sr_info(h->ctx, opcode->code)->signature;
	}
	return state;
}
