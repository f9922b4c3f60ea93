/* Where collectives are withdrawn: before the first step that writes bytes of their operands, in the plan that they start in, or at
 * its end. Cost: for each collective the steps up to there, of which at most so many are looked at. */
#include "plan/place/overlap.h"

enum { FURTHEST = 4096 };

struct span {
	int64_t begin, end;
};

typedef SR_VEC(struct span) sr_spans;

struct withdraw {
	struct sr_plan_builder *b;
	sr_spans *written; /* [steps of the plan at hand]: by it, or by what is inside it */
	SR_VEC(uint8_t) access;
};

static void note(struct withdraw *w, const struct sr_instr *s, sr_instr_effects_fn *fn, sr_spans *written)
{
	const struct sr_plan_builder *b = w->b;
	w->access.n = 0;
	for (uint32_t i = 0; i < s->n_operands; i++)
		sr_push(b->arena, &w->access, SR_EFFECT_NONE);
	sr_instr_effects(b, s, fn, w->access.data);
	for (uint32_t i = 0; i < s->n_operands; i++) {
		const struct sr_buffer *buffer = &b->buffers.data[b->operands.data[s->first_operand + i]];
		if (w->access.data[i] == SR_EFFECT_UPDATE || w->access.data[i] == SR_EFFECT_WRITE)
			sr_push(b->arena, written, ((struct span){buffer->offset, buffer->offset + buffer->bytes}));
	}
}

static void note_step(struct withdraw *w, const struct sr_instr *s, sr_spans *written)
{
	const struct sr_instr_traits *f = sr_instr_traits_of(s);
	int owned;
	if (f->start)
		note(w, s, f->start, written);
	if (f->end)
		note(w, s, f->end, written);
	for (int i = 0; f->plan && (owned = f->plan(w->b, s, i)) >= 0; i++)
		for (size_t k = 0; k < w->b->plans.data[owned].steps.n; k++)
			note_step(w, &w->b->plans.data[owned].steps.data[k], written);
}

static bool writes(const sr_spans *written, const struct sr_buffer *buffer)
{
	for (size_t i = 0; i < written->n; i++)
		if (written->data[i].begin < buffer->offset + buffer->bytes && buffer->offset < written->data[i].end)
			return true;
	return false;
}

/* The step before which the collective that has finished before step i is to be withdrawn. */
static size_t find_end(const struct withdraw *w, const struct sr_instr *s, size_t i, size_t last)
{
	const int32_t *operands = w->b->operands.data + s->first_operand;
	const struct sr_buffer *in = &w->b->buffers.data[operands[0]], *out = &w->b->buffers.data[operands[1]];
	size_t furthest = last - i > FURTHEST ? i + FURTHEST : last;
	while (i < furthest && !writes(&w->written[i], in) && !writes(&w->written[i], out))
		i++;
	return i;
}

/* The step after the one that finishes what step i starts. */
static size_t after_finish(struct sr_plan_builder *b, const struct sr_instr_list *list, size_t i)
{
	const struct sr_instr *start = &list->steps.data[i++];
	if (!(sr_plan_collective(b, start)->ends & SR_ENDS_FINISH))
		return i;
	while (list->steps.data[i].kind != SR_INSTR_FINISH || list->steps.data[i].params != start->params)
		i++;
	return i + 1;
}

static void withdraw_in(struct withdraw *w, int plan)
{
	struct sr_plan_builder *b = w->b;
	struct sr_instr_list *list = &b->plans.data[plan], out = {0};
	size_t n = list->steps.n, last = sr_plan_last_copies(b, list), *next = SR_NEWS(b->arena, size_t, n), *first;
	first = SR_NEWS(b->arena, size_t, n + 1); /* 1 + a collective to be withdrawn before the step; next: the next such */
	w->written = SR_NEWS(b->arena, sr_spans, n);
	for (size_t i = 0; i < n; i++)
		note_step(w, &list->steps.data[i], &w->written[i]);
	for (size_t i = n; i-- > 0;) {
		const struct sr_instr *s = &list->steps.data[i];
		if (s->kind != SR_INSTR_COLLECTIVE)
			continue;
		size_t after = after_finish(b, list, i), at = after < last ? find_end(w, s, after, last) : after;
		if (at == after)
			continue;
		sr_plan_collective(b, s)->ends |= SR_ENDS_RELEASE;
		next[i] = first[at];
		first[at] = i + 1;
	}
	for (size_t i = 0; i <= n; i++) {
		for (size_t k = first[i]; k; k = next[k - 1]) {
			struct sr_instr s = list->steps.data[k - 1];
			s.kind = SR_INSTR_RELEASE;
			s.n_operands = s.n_dynamic_offsets = 0;
			sr_push(b->arena, &out.steps, s);
		}
		if (i < n)
			sr_push(b->arena, &out.steps, list->steps.data[i]);
	}
	*list = out;
}

static bool has_collective(const struct sr_instr_list *list)
{
	for (size_t i = 0; i < list->steps.n; i++)
		if (list->steps.data[i].kind == SR_INSTR_COLLECTIVE)
			return true;
	return false;
}

void sr_plan_release_collectives(struct sr_plan_builder *b)
{
	struct withdraw w = {.b = b};
	for (size_t plan = 0; plan < b->plans.n; plan++)
		if (has_collective(&b->plans.data[plan]))
			withdraw_in(&w, (int)plan);
}
