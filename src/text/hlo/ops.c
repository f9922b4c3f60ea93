/* Look up opcodes in the table hlo/ops.def, and compile its notation of attributes to attribute slots. */
#include "support/bug.h"
#include "text/hlo/hlo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sr_hlo_opcode opcodes[] = {
#define HLO(opcode, builder, op, attributes) {opcode, sr_hlo_build_##builder, SR_OP_##op, attributes},
#define HLO_NO_OP(opcode, builder, attributes) {opcode, sr_hlo_build_##builder, SR_OP_UNREGISTERED, attributes},
#define HLO_UNSUPPORTED(opcode, reason) {opcode, NULL, SR_OP_UNREGISTERED, reason},
#include "text/hlo/ops.def"
};
enum { N_OPCODES = sizeof opcodes / sizeof *opcodes };

const struct sr_hlo_opcode *sr_hlo_opcode_find(const char *name, size_t n)
{
	for (int i = 0; i < N_OPCODES; i++)
		if (!strncmp(opcodes[i].name, name, n) && !opcodes[i].name[n])
			return &opcodes[i];
	return NULL;
}

_Noreturn static void table_error(const struct sr_hlo_opcode *opcode, const char *notation)
{
	sr_bug("hlo/ops.def, %s: cannot read '%s'", opcode->name, notation);
}

/* Take a word of the notation, up to the next mark. */
static const char *take_word(struct sr_hlo *h, const char **s)
{
	size_t n = strcspn(*s, "?=>:, ");
	const char *w = sr_intern_n(h->ctx, *s, n);
	*s += n;
	return w;
}

/* Return true if the op has the target attribute or structure field. A dictionary accepts any field. */
static bool has_target(const struct sr_signature *sig, const char *target)
{
	size_t n = strcspn(target, ".");
	for (int i = 0; sig && i < sig->n_attrs; i++) {
		const struct sr_attr_slot *slot = &sig->attrs[i];
		if (strncmp(slot->name, target, n) != 0 || slot->name[n])
			continue;
		for (int f = 0; target[n] && slot->def && f < slot->def->n_fields; f++)
			if (!strcmp(slot->def->fields[f].name, target + n + 1))
				return true;
		return !target[n] || slot->kind == SR_KIND_string_or_dict;
	}
	return false;
}

static const char *compile_slot(struct sr_hlo *h, const struct sr_hlo_opcode *opcode, const struct sr_signature *sig, const char *s,
				struct sr_hlo_attr_slot *slot)
{
	slot->name = slot->target = take_word(h, &s);
	if (*s == '?')
		slot->is_optional = true, s++;
	if (*s == '=') {
		s++;
		slot->default_text = take_word(h, &s);
	}
	if (*s == '>') {
		s++;
		slot->target = take_word(h, &s);
	}
	if (*s++ != ':')
		table_error(opcode, s - 1);
	const char *kind = take_word(h, &s);
	slot->kind = sr_hlo_attr_kind_find(kind);
	if (!slot->kind)
		table_error(opcode, kind);
	if (slot->kind->role == SR_HLO_TARGET && !has_target(sig, slot->target))
		table_error(opcode, slot->target);
	return s + strspn(s, ", ");
}

static void parse_notation(struct sr_hlo *h, const struct sr_hlo_opcode *opcode, const char *notation,
			   struct sr_hlo_opcode_state *state)
{
	struct sr_hlo_attr_slot slot;
	SR_VEC(struct sr_hlo_attr_slot) slots = {(struct sr_hlo_attr_slot *)state->slots, (size_t)state->n_slots,
						 (size_t)state->n_slots};
	while (*notation) {
		slot = (struct sr_hlo_attr_slot){0};
		notation = compile_slot(h, opcode, state->signature, notation, &slot);
		sr_push(h->arena, &slots, slot);
	}
	state->slots = slots.data;
	state->n_slots = (int)slots.n;
}

const struct sr_hlo_opcode_state *sr_hlo_opcode_state_of(struct sr_hlo *h, const struct sr_hlo_opcode *opcode)
{
	if (!h->opcodes)
		h->opcodes = SR_NEW_ARRAY(h->arena, struct sr_hlo_opcode_state, N_OPCODES);
	struct sr_hlo_opcode_state *state = &h->opcodes[opcode - opcodes];
	if (!state->is_compiled) {
		state->is_compiled = true;
		if (opcode->code)
			state->signature = sr_info(h->ctx, opcode->code)->signature;
		if (opcode->build)
			parse_notation(h, opcode, opcode->notation, state);
		parse_notation(h, opcode, HLO_COMMON, state);
	}
	return state;
}
