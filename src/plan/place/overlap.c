/* Where collectives finish: each plan is walked backward, with the next step of it that names each buffer. Cost: operands times the
 * depth of nesting, and a layout for each way that is tried. */
#include "plan/place/overlap.h"
#include <string.h>

/* Which collectives may have steps between start and end. */
enum extent {
	EXTENT_NONE,
	EXTENT_FREE, /* those whose operand lives so long anyway, or is the result's memory */
	EXTENT_ALL,
};

struct next { /* steps of the plan at hand that name a buffer */
	int plan;
	size_t any, write; /* SIZE_MAX: none */
};

struct overlap {
	struct sr_plan_builder *b;
	struct next *next; /* [buffers] */
	SR_VEC(uint8_t) access;
	int *named; /* [buffers]: how many operands of all steps it is */
	struct next unpacked; /* of the result of the step after the one at hand, but for that step */
	enum extent extent;
	int plan;
	int64_t split;
};

struct insertion { /* a finish before a step of the list */
	size_t start, at;
	bool keeps; /* it keeps its operand */
	bool unpacks; /* the step after the start goes with the finish */
};

typedef SR_VEC(struct insertion) sr_insertions;

static struct next *next_of(struct overlap *o, int buffer)
{
	struct next *n = &o->next[buffer];
	if (n->plan != o->plan + 1)
		*n = (struct next){o->plan + 1, SIZE_MAX, SIZE_MAX};
	return n;
}

static void note(struct overlap *o, const struct sr_instr *s, sr_instr_effects_fn *fn, size_t at)
{
	const int32_t *operands = o->b->operands.data + s->first_operand;
	o->access.n = 0;
	for (uint32_t i = 0; i < s->n_operands; i++)
		sr_push(o->b->arena, &o->access, SR_EFFECT_NONE);
	sr_instr_effects(o->b, s, fn, o->access.data);
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++) {
		int32_t start = o->b->shifts.data[s->first_dynamic_offset + i].start;
		if (start >= 0)
			next_of(o, start)->any = at;
	}
	for (uint32_t i = 0; i < s->n_operands; i++) {
		struct next *n = next_of(o, operands[i]);
		if (o->access.data[i] != SR_EFFECT_NONE)
			n->any = at;
		if (o->access.data[i] == SR_EFFECT_UPDATE || o->access.data[i] == SR_EFFECT_WRITE)
			n->write = at;
	}
}

/* Step `at` of the plan at hand, or one inside it. */
static void note_step(struct overlap *o, const struct sr_instr *s, size_t at)
{
	const struct sr_instr_traits *f = sr_instr_traits_of(s);
	int owned;
	if (f->start)
		note(o, s, f->start, at);
	if (f->end)
		note(o, s, f->end, at);
	for (int i = 0; f->plan && (owned = f->plan(o->b, s, i)) >= 0; i++)
		for (size_t k = 0; k < o->b->plans.data[owned].steps.n; k++)
			note_step(o, &o->b->plans.data[owned].steps.data[k], at);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The step moves a result, which nothing else names, to where it is wanted. */
static bool is_unpacking(const struct overlap *o, const struct sr_instr *start, const struct sr_instr *s)
{
	const int32_t *operands = o->b->operands.data + s->first_operand;
	return s->kind == SR_INSTR_KERNEL && s->kernel == SR_KERNEL_MOVE && s->n_operands == 2 && operands[0] != operands[1] &&
	       operands[0] == o->b->operands.data[start->first_operand + 1] && o->named[operands[0]] == 2;
}

/* Where the collective that is step i is to finish at the latest; i + 1: at once. */
static size_t find_end(struct overlap *o, const struct sr_instr *s, size_t i, size_t last, bool *keeps, bool unpacks)
{
	const int32_t *operands = o->b->operands.data + s->first_operand;
	const struct sr_buffer *in = &o->b->buffers.data[operands[0]], *out = &o->b->buffers.data[operands[1]];
	const struct next *read = next_of(o, operands[0]), *made = unpacks ? &o->unpacked : next_of(o, operands[1]);
	size_t at = least(last, least(made->any, read->write));
	uint8_t uses = o->b->uses.data[operands[0]];
	bool lives_on = uses & SR_USE_PERMANENT || (read->any != SIZE_MAX && read->any >= at);
	bool may_share = in->bytes == out->bytes && sr_coll_supports_in_place((enum sr_coll)sr_plan_collective(o->b, s)->coll);
	*keeps = !may_share || read->any != SIZE_MAX || uses;
	return *keeps && !lives_on && o->extent == EXTENT_FREE ? i + 1 : at;
}

static void insert(struct overlap *o, struct sr_instr_list *list, const sr_insertions *all)
{
	struct sr_instr_list out = {0};
	for (size_t i = 0; i <= list->steps.n; i++) {
		bool moved = false;
		for (size_t k = all->n; k-- > 0;) { /* in order of their starts */
			struct sr_instr s = list->steps.data[all->data[k].start];
			moved = moved || (all->data[k].unpacks && all->data[k].start + 1 == i);
			if (all->data[k].at != i)
				continue;
			s.kind = SR_INSTR_FINISH;
			s.n_dynamic_offsets = 0; /* its start knows where it began */
			s.first_operand += !all->data[k].keeps;
			s.n_operands -= !all->data[k].keeps;
			sr_push(o->b->arena, &out.steps, s);
			if (all->data[k].unpacks)
				sr_push(o->b->arena, &out.steps, list->steps.data[all->data[k].start + 1]);
		}
		if (i < list->steps.n && !moved)
			sr_push(o->b->arena, &out.steps, list->steps.data[i]);
	}
	*list = out;
}

static void split_plan(struct overlap *o, int plan)
{
	struct sr_instr_list *list = &o->b->plans.data[plan];
	size_t last = sr_plan_last_copies(o->b, list);
	sr_insertions all = {0};
	o->plan = plan;
	for (size_t i = list->steps.n; i-- > 0;) {
		const struct sr_instr *s = &list->steps.data[i];
		bool keeps = false, unpacks = s->kind == SR_INSTR_COLLECTIVE && i + 1 < last && is_unpacking(o, s, s + 1);
		size_t at = s->kind == SR_INSTR_COLLECTIVE ? find_end(o, s, i, last, &keeps, unpacks) : i + 1;
		if (at > i + 1 + unpacks) {
			sr_plan_collective(o->b, s)->ends |= SR_ENDS_FINISH;
			sr_push(o->b->arena, &all, ((struct insertion){i, at, keeps, unpacks}));
		}
		if (s->n_operands)
			o->unpacked = *next_of(o, o->b->operands.data[s->first_operand + s->n_operands - 1]);
		note_step(o, s, i);
	}
	if (all.n)
		insert(o, list, &all);
	o->split += (int64_t)all.n;
}

/* Devices of a grid of programs do different steps: nothing is split. */
static bool has_grid(const struct sr_plan_builder *b)
{
	for (size_t plan = 0; plan < b->plans.n; plan++)
		for (size_t i = 0; i < b->plans.data[plan].steps.n; i++)
			if (b->plans.data[plan].steps.data[i].kind == SR_INSTR_PARALLEL)
				return true;
	return false;
}

static int64_t split(struct sr_plan_builder *b, enum extent extent)
{
	struct overlap o = {.b = b, .next = SR_NEWS(b->arena, struct next, b->buffers.n), .extent = extent};
	o.named = SR_NEWS(b->arena, int, b->buffers.n);
	for (size_t i = 0; i < b->operands.n; i++)
		o.named[b->operands.data[i]]++;
	for (size_t i = 0; i < b->shifts.n; i++)
		if (b->shifts.data[i].start >= 0)
			o.named[b->shifts.data[i].start]++;
	for (size_t plan = 0; plan < b->plans.n; plan++)
		split_plan(&o, (int)plan);
	return o.split;
}

/* A finish that does not keep its operand has it in its result's memory, or is none. */
static void join(struct sr_plan_builder *b, const struct sr_buffer_classes *sharing)
{
	for (size_t plan = 0; plan < b->plans.n; plan++) {
		struct sr_instr_list *list = &b->plans.data[plan];
		size_t n = 0;
		for (size_t i = 0; i < list->steps.n; i++) {
			const struct sr_instr *s = &list->steps.data[i];
			const int32_t *out = b->operands.data + s->first_operand;
			if (s->kind == SR_INSTR_FINISH && s->n_operands == 1 &&
			    sharing->class_of[out[0]] != sharing->class_of[out[-1]])
				sr_plan_collective(b, s)->ends &= ~SR_ENDS_FINISH;
			else
				list->steps.data[n++] = *s;
		}
		list->steps.n = n;
	}
}

/* ---- ways that are tried ---- */

struct saved {
	struct sr_instr_list *plans;
	struct sr_io *values;
};

static struct saved save(const struct sr_plan_builder *b)
{
	struct saved s = {sr_dup(b->arena, b->plans.data, b->plans.n, sizeof *s.plans),
			  sr_dup(b->arena, b->values.data, b->values.n, sizeof *s.values)};
	for (size_t i = 0; i < b->plans.n; i++)
		s.plans[i].steps.data = sr_dup(b->arena, s.plans[i].steps.data, s.plans[i].steps.n, sizeof(struct sr_instr));
	return s;
}

static void restore(struct sr_plan_builder *b, const struct saved *s)
{
	for (size_t plan = 0; plan < b->plans.n; plan++) {
		struct sr_instr_list *list = &b->plans.data[plan];
		*list = s->plans[plan];
		list->steps.data = sr_dup(b->arena, list->steps.data, list->steps.n, sizeof(struct sr_instr));
		for (size_t i = 0; i < list->steps.n; i++)
			if (list->steps.data[i].kind == SR_INSTR_COLLECTIVE)
				sr_plan_collective(b, &list->steps.data[i])->ends = 0;
	}
	if (b->values.n)
		memcpy(b->values.data, s->values, b->values.n * sizeof *s->values);
}

static bool try_extent(struct sr_plan_builder *b, enum extent extent, const struct saved *plain, struct sr_buffer_classes *sharing,
		       struct sr_arena_size *size, bool *any)
{
	restore(b, plain);
	*any = extent != EXTENT_NONE && split(b, extent);
	sr_plan_coalesce_buffers(b, sharing);
	join(b, sharing);
	return sr_plan_assign_offsets(b, sharing, size);
}

bool sr_plan_place_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *sharing, struct sr_arena_size *size)
{
	struct saved plain = save(b);
	struct sr_arena_size least;
	bool any, good = try_extent(b, EXTENT_NONE, &plain, sharing, &least, &any);
	*size = least;
	if (!good || has_grid(b) || b->options->overlap == SR_OVERLAP_OFF)
		return good;
	for (enum extent extent = EXTENT_ALL; good && extent != EXTENT_NONE; extent--) {
		good = try_extent(b, extent, &plain, sharing, size, &any);
		if (good && (!any || size->bytes <= least.bytes || b->options->overlap == SR_OVERLAP_ON))
			return true;
	}
	return try_extent(b, EXTENT_NONE, &plain, sharing, size, &any);
}
