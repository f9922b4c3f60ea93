/* Collectives that write into a slice: where the only reader of a collective's result puts it into a larger value, at a start that
 * is known at run time, the collective puts it there itself. The larger value is copied before, as it would have been for that step,
 * and loses its copy in the same way (coalesce.c). Rounds of loops gather what they have computed into stacks like this. */
#include "plan/place/into_slice.h"
#include "plan/place/effects.h"
#include <string.h>

enum { FURTHEST = 64 }; /* steps behind a collective that are looked at */

/* The slice is one piece of memory at a multiple of its bytes: of all dimensions one is cut, and those before it have extent 1. */
static bool find_start(const struct sr_dynamic_slice_params *p, struct sr_dynamic_offset *shift, int *dimension)
{
	*shift = (struct sr_dynamic_offset){.operand = SR_OUT, .stride = p->bytes};
	*dimension = -1;
	for (int d = p->rank - 1; d >= 0; d--) {
		if (*dimension >= 0 && p->src[d] != 1)
			return false;
		if (*dimension < 0 && p->src[d] != p->size[d]) {
			*dimension = d;
			shift->limit = p->src[d] - p->size[d];
		}
		shift->stride *= *dimension < 0 ? p->src[d] : 1;
	}
	return *dimension >= 0;
}

struct search {
	struct sr_plan_builder *b;
	int *named; /* [buffers]: how many operands, and starts of operands, of all steps it is */
	SR_VEC(uint8_t) access;
};

/* The step, which owns no plans, writes neither the larger value nor the start, and does not name the copy. */
static bool leaves(struct search *f, const struct sr_instr *s, int larger, int start, int copy)
{
	const struct sr_instr_traits *facts = sr_instr_traits_of(s);
	const int32_t *operands = f->b->operands.data + s->first_operand;
	if (facts->flow != SR_FLOW_STRAIGHT || !facts->start)
		return false;
	f->access.n = 0;
	for (uint32_t i = 0; i < s->n_operands; i++)
		sr_push(f->b->arena, &f->access, SR_EFFECT_NONE);
	sr_instr_effects(f->b, s, facts->start, f->access.data);
	for (uint32_t i = 0; i < s->n_operands; i++) {
		bool written = f->access.data[i] == SR_EFFECT_UPDATE || f->access.data[i] == SR_EFFECT_WRITE;
		if (operands[i] == copy || (written && (operands[i] == larger || operands[i] == start)))
			return false;
	}
	return true;
}

static bool may_write_elsewhere(const struct search *f, const struct sr_instr *s)
{
	const struct sr_collective_instr *c = sr_plan_params(f->b, s);
	if (s->kind != SR_INSTR_COLLECTIVE || s->n_dynamic_offsets || c->group < 0 || sr_coll_supports_in_place((enum sr_coll)c->coll))
		return false;
	int result = f->b->operands.data[s->first_operand + 1];
	return f->named[result] == 2 && !f->b->uses.data[result];
}

/* A slice update, before which its larger value is copied, that can be where the collective at s[0] is, whose result it puts there:
 * how many steps behind; 0: there is none. */
static size_t find_update(struct search *f, const struct sr_instr *s, size_t n, struct sr_dynamic_offset *shift)
{
	const int32_t *all = f->b->operands.data;
	int in = all[s->first_operand], result = all[s->first_operand + 1], d;
	size_t at = 2;
	while (at < n && at < FURTHEST && (s[at].n_operands < 2 || all[s[at].first_operand + 1] != result))
		at++;
	if (at >= n || at >= FURTHEST || s[at].kind != SR_INSTR_KERNEL || s[at].kernel != SR_KERNEL_DYNAMIC_UPDATE_SLICE ||
	    !sr_instr_is_copy(f->b, &s[at - 1]) || s[at - 1].n_dynamic_offsets || s[at].n_dynamic_offsets ||
	    !find_start(sr_plan_params(f->b, &s[at]), shift, &d))
		return 0;
	const int32_t *copy = all + s[at - 1].first_operand, *update = all + s[at].first_operand;
	shift->start = update[2 + d];
	bool good = update[0] == copy[1] && in != copy[1];
	for (size_t i = 1; i + 1 < at && good; i++)
		good = leaves(f, &s[i], copy[0], shift->start, copy[1]);
	return good ? at : 0;
}

/* The copy and the collective stand where the collective stood; the update at s[at] goes. */
static void write_into(struct sr_plan_builder *b, struct sr_instr *s, size_t at, struct sr_dynamic_offset shift)
{
	struct sr_instr copy = s[at - 1], collective = s[0];
	int in = b->operands.data[collective.first_operand], whole = b->operands.data[copy.first_operand + 1];
	collective.first_operand = (uint32_t)b->operands.n;
	sr_push(b->arena, &b->operands, in);
	sr_push(b->arena, &b->operands, whole);
	collective.first_dynamic_offset = (uint32_t)b->shifts.n;
	collective.n_dynamic_offsets = 1;
	sr_push(b->arena, &b->shifts, shift);
	memmove(s + 2, s + 1, (at - 2) * sizeof *s);
	s[0] = copy;
	s[1] = collective;
}

void sr_plan_write_into_slices(struct sr_plan_builder *b)
{
	struct search f = {.b = b, .named = SR_NEWS(b->arena, int, b->buffers.n)};
	for (size_t i = 0; i < b->operands.n; i++)
		f.named[b->operands.data[i]]++;
	for (size_t i = 0; i < b->shifts.n; i++)
		if (b->shifts.data[i].start >= 0)
			f.named[b->shifts.data[i].start]++;
	for (size_t plan = 0; plan < b->plans.n; plan++) {
		struct sr_instr_list *list = &b->plans.data[plan];
		for (size_t i = 0; i + 2 < list->steps.n; i++) {
			struct sr_instr *s = &list->steps.data[i];
			struct sr_dynamic_offset shift;
			size_t rest = list->steps.n - i, at = 0;
			if (may_write_elsewhere(&f, s))
				at = find_update(&f, s, rest, &shift);
			if (!at)
				continue;
			write_into(b, s, at, shift);
			memmove(s + at, s + at + 1, (rest - at - 1) * sizeof *s);
			list->steps.n--;
		}
	}
}
