/* Place the release of each collective: before the first instruction of its computation that writes bytes of its operands, or at
 * the end. Cost: for each collective the instructions up to there, at most MAX_DISTANCE. */
#include "plan/place/overlap.h"

enum { MAX_DISTANCE = 4096 };

struct span {
	int64_t begin, end;
};

typedef SR_VEC(struct span) sr_spans;

struct releaser {
	struct sr_plan_builder *b;
	sr_spans *written_spans; /* for each instruction of the computation: bytes that it and its nested computations write */
	sr_spans *recorded_spans; /* those of the instruction that is visited */
	sr_effects effects;
};

static void record_writes(void *data, const struct sr_instr *instr, sr_instr_effects_fn *fn)
{
	struct releaser *w = data;
	const struct sr_plan_builder *b = w->b;
	sr_instr_effects(b, instr, fn, &w->effects);
	for (uint32_t i = 0; i < instr->n_operands; i++) {
		const struct sr_buffer *buffer = &b->buffers.data[b->operands.data[instr->first_operand + i]];
		if (sr_effect_writes(w->effects.data[i]))
			sr_push(b->arena, w->recorded_spans, ((struct span){buffer->offset, buffer->offset + buffer->bytes}));
	}
}

static bool is_written(const sr_spans *written_spans, const struct sr_buffer *buffer)
{
	for (size_t i = 0; i < written_spans->n; i++)
		if (written_spans->data[i].begin < buffer->offset + buffer->bytes && buffer->offset < written_spans->data[i].end)
			return true;
	return false;
}

/* Return the index of the instruction before which the collective, whose FINISH precedes instruction i, is to be released. */
static size_t find_release(const struct releaser *w, const struct sr_instr *instr, size_t i, size_t last)
{
	const int32_t *operands = w->b->operands.data + instr->first_operand;
	const struct sr_buffer *in = &w->b->buffers.data[operands[0]], *out = &w->b->buffers.data[operands[1]];
	size_t furthest = last - i > MAX_DISTANCE ? i + MAX_DISTANCE : last;
	while (i < furthest && !is_written(&w->written_spans[i], in) && !is_written(&w->written_spans[i], out))
		i++;
	return i;
}

static void release_in(struct releaser *w, int computation)
{
	struct sr_plan_builder *b = w->b;
	struct sr_instr_list *list = &b->computations.data[computation], out = {0};
	size_t n = list->instrs.n, last = sr_plan_last_copies(b, list), *next = SR_NEW_ARRAY(b->arena, size_t, n), *first;
	/* first[k]: 1 + first collective to release before instruction k; next: the following one */
	struct sr_map finishes; /* maps 1 + params of a collective to the index after its FINISH */
	sr_map_init(&finishes, b->arena);
	first = SR_NEW_ARRAY(b->arena, size_t, n + 1);
	w->written_spans = SR_NEW_ARRAY(b->arena, sr_spans, n);
	for (size_t i = 0; i < n; i++) {
		w->recorded_spans = &w->written_spans[i];
		sr_instr_visit_effects(b, &list->instrs.data[i], record_writes, w);
	}
	for (size_t i = n; i-- > 0;) {
		const struct sr_instr *instr = &list->instrs.data[i];
		const void *key = (const void *)((uintptr_t)instr->params + 1);
		if (instr->kind == SR_INSTR_FINISH)
			sr_map_put(&finishes, key, (void *)(i + 1));
		if (instr->kind != SR_INSTR_COLLECTIVE)
			continue;
		size_t after_finish = sr_plan_collective(b, instr)->completion_flags & SR_ENDS_FINISH ? (size_t)sr_map_get(&finishes, key) : i + 1,
		       at = after_finish < last ? find_release(w, instr, after_finish, last) : after_finish;
		if (at == after_finish)
			continue;
		sr_plan_collective(b, instr)->completion_flags |= SR_ENDS_RELEASE;
		next[i] = first[at];
		first[at] = i + 1;
	}
	for (size_t i = 0; i <= n; i++) {
		for (size_t k = first[i]; k; k = next[k - 1]) {
			struct sr_instr instr = list->instrs.data[k - 1];
			instr.kind = SR_INSTR_RELEASE;
			instr.n_operands = instr.n_dynamic_offsets = 0;
			sr_push(b->arena, &out.instrs, instr);
		}
		if (i < n)
			sr_push(b->arena, &out.instrs, list->instrs.data[i]);
	}
	*list = out;
}

static bool has_collective(const struct sr_instr_list *list)
{
	for (size_t i = 0; i < list->instrs.n; i++)
		if (list->instrs.data[i].kind == SR_INSTR_COLLECTIVE)
			return true;
	return false;
}

void sr_plan_release_collectives(struct sr_plan_builder *b)
{
	struct releaser w = {.b = b};
	for (size_t computation = 0; computation < b->computations.n; computation++)
		if (has_collective(&b->computations.data[computation]))
			release_in(&w, (int)computation);
}
