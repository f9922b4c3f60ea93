/* Backward liveness: all accesses are listed by time, grouped by buffer; each buffer's accesses are visited backward, from
 * the last one to the first one, in the innermost computation that contains them all. Cost: accesses times nesting depth. */
#include "plan/place/liveness.h"
#include "plan/place/effects.h"
#include <stdlib.h>
#include <string.h>

struct region { /* The moments of a computation: its instructions, with those nested in them, are at consecutive moments. */
	int64_t first, last; /* first and last moment of the computation; its instructions are between them */
	int owner;            /* index in `owners` of the instruction that owns it; -1: the entry computation */
};

struct owner { /* an instruction that owns nested computations */
	const struct sr_instr *instr;
	const struct sr_instr_traits *traits;
	int computation;            /* computation that contains the instruction */
	int64_t first, last; /* first and last moment of its nested computations */
};

struct access {
	int64_t time;
	int buffer, computation;
	uint8_t kind;    /* how the instruction accesses the buffer, an enum sr_operand_effect */
	bool reads_unwritten; /* true if the access reads a buffer that was not written before, so that it begins the live range */
};

struct liveness {
	const struct sr_plan_builder *b;
	struct sr_arena *arena;
	struct region *regions; /* for each computation: its moments and its owner */
	SR_VEC(struct owner) owners;
	SR_VEC(struct access) all;
	SR_VEC(struct sr_range) live_ranges; /* live ranges of the buffer being processed */
	sr_effects effects;
	int *kept; /* for each buffer: the loop body in which it is live during an entire iteration; 0: none */
	int64_t now;
	/* true while a loop is visited only to find out whether a buffer is live at its start: record no ranges */
	bool skips_recording;
};

/* ---- time ---- */

/* List the accesses of an instruction at a new moment. The access that takes effect last comes last. */
static void list_accesses(struct liveness *l, const struct sr_instr *instr, sr_instr_effects_fn *fn, int computation)
{
	int64_t moment = ++l->now;
	sr_instr_effects(l->b, instr, fn, &l->effects);
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		int32_t start = l->b->dynamic_offsets.data[instr->first_dynamic_offset + i].start;
		if (start >= 0)
			sr_push(l->arena, &l->all, (struct access){moment, start, computation, SR_EFFECT_READ, false});
	}
	for (int kind = SR_EFFECT_NONE + 1; kind <= SR_EFFECT_WRITE; kind++)
		for (uint32_t i = 0; i < instr->n_operands; i++)
			if (l->effects.data[i] == kind)
				sr_push(l->arena, &l->all,
					(struct access){moment, l->b->operands.data[instr->first_operand + i], computation,
							(uint8_t)kind, false});
}

/* Return the size of the largest buffer that the instructions name. */
static int64_t largest_operand(const struct sr_plan_builder *b, const struct sr_instr_list *list)
{
	int64_t largest = 0;
	for (size_t i = 0; i < list->instrs.n; i++)
		for (uint32_t k = 0; k < list->instrs.data[i].n_operands; k++) {
			int64_t bytes = b->buffers.data[b->operands.data[list->instrs.data[i].first_operand + k]].bytes;
			largest = bytes > largest ? bytes : largest;
		}
	return largest;
}

/* Return how many of the instruction's first operands may be values of a halo: all of a permute or a select, and of an update the
 * tensor that is updated and the new elements. */
static uint32_t halo_operands(const struct sr_plan_builder *b, const struct sr_instr *instr)
{
	const struct sr_collective_instr *c = (const void *)(b->params.data + instr->params);
	bool is_permute = instr->kind == SR_INSTR_COLLECTIVE && c->coll == SR_PERMUTE;
	if (is_permute || (instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_SELECT))
		return instr->n_operands;
	return instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_DYNAMIC_UPDATE_SLICE ? 2 : 0;
}

/* In a loop with small permutes, which exchange halos, keep their operands and results, and small tensors that are selected or
 * stored to larger ones, live during the entire iteration, if all together have at most as many bytes as the largest buffer.
 * Otherwise they would share memory with the old or the new value of a large array: these could not be swapped with each other
 * (run/buffer_swap.c), nor computed in an order other than the plain one (run/time_blocking.c). */
static void keep_halos_live(struct liveness *l, int computation)
{
	enum { MIN_RATIO = 32 }; /* minimum ratio of the largest buffer's bytes to those of a halo */
	const struct sr_instr_list *list = &l->b->computations.data[computation];
	int64_t largest = largest_operand(l->b, list), bytes = 0;
	SR_VEC(int32_t) halos = {0};
	bool has_permute = false;
	for (size_t i = 0; i < list->instrs.n; i++) {
		const struct sr_instr *instr = &list->instrs.data[i];
		uint32_t n = halo_operands(l->b, instr);
		for (uint32_t k = 0; k < n; k++) {
			int32_t buffer = l->b->operands.data[instr->first_operand + k];
			if (l->b->buffers.data[buffer].bytes > largest / MIN_RATIO)
				continue;
			sr_push(l->arena, &halos, buffer);
			bytes += l->b->buffers.data[buffer].bytes;
			has_permute = has_permute || instr->kind == SR_INSTR_COLLECTIVE;
		}
	}
	for (size_t i = 0; has_permute && bytes <= largest && i < halos.n; i++)
		l->kept[halos.data[i]] = computation;
}

static void number_computation(struct liveness *l, int computation, int owner);

static void number_owner(struct liveness *l, const struct sr_instr *instr, const struct sr_instr_traits *traits, int computation)
{
	int at = (int)l->owners.n, nested_computation;
	sr_push(l->arena, &l->owners, (struct owner){instr, traits, computation, l->now + 1, 0});
	for (int i = 0; (nested_computation = traits->computation(l->b, instr, i)) >= 0; i++) {
		number_computation(l, nested_computation, at);
		/* the loop's exit test belongs to its first computation */
		if (traits->end && i == 0 && traits->flow != SR_FLOW_BRANCHES) {
			list_accesses(l, instr, traits->end, nested_computation);
			l->regions[nested_computation].last = ++l->now;
		}
	}
	l->owners.data[at].last = l->now;
	if (traits->end && traits->flow == SR_FLOW_BRANCHES)
		list_accesses(l, instr, traits->end, computation);
}

static void number_computation(struct liveness *l, int computation, int owner)
{
	const struct sr_instr_list *list = &l->b->computations.data[computation];
	l->regions[computation] = (struct region){.first = ++l->now, .owner = owner};
	for (size_t i = 0; i < list->instrs.n; i++) {
		const struct sr_instr *instr = &list->instrs.data[i];
		const struct sr_instr_traits *traits = sr_instr_traits_of(instr);
		if (traits->start)
			list_accesses(l, instr, traits->start, computation);
		if (traits->flow != SR_FLOW_STRAIGHT)
			number_owner(l, instr, traits, computation);
	}
	if (owner >= 0 && l->owners.data[owner].traits->flow == SR_FLOW_WHILE)
		keep_halos_live(l, computation);
	l->regions[computation].last = ++l->now;
}

/* Number everything: arguments are written before the first instruction, results are read after the last. */
static void number_all(struct liveness *l)
{
	const struct sr_plan_builder *b = l->b;
	for (size_t i = 0; i < b->buffers.n; i++)
		if (b->uses.data[i] & SR_USE_ARGUMENT)
			sr_push(l->arena, &l->all, (struct access){1, (int)i, 0, SR_EFFECT_WRITE, false});
	l->now = 1;
	number_computation(l, 0, -1);
	l->regions[0].first = 0;
	for (size_t i = 0; i < b->buffers.n; i++)
		if (b->uses.data[i] & SR_USE_RESULT)
			sr_push(l->arena, &l->all, (struct access){l->now, (int)i, 0, SR_EFFECT_READ, false});
}

/* ---- one buffer ---- */

static void add_range(struct liveness *l, int64_t first, int64_t last)
{
	if (!l->skips_recording)
		sr_push(l->arena, &l->live_ranges, (struct sr_range){first, last});
}

/* Step backward over one access. *to: end of the current live range. Return true if the buffer is live before the access. */
static bool step_back(struct liveness *l, const struct access *a, bool is_live, int64_t *to)
{
	int64_t read_point = 2 * a->time, write_point = read_point + 1;
	if (!is_live)
		*to = a->kind == SR_EFFECT_READ_ELEMENTWISE ? read_point : write_point;
	if (a->kind != SR_EFFECT_WRITE && !a->reads_unwritten)
		return true;
	add_range(l, a->kind == SR_EFFECT_WRITE ? write_point : read_point, *to);
	return false;
}

/* Return the instruction in `computation` that owns, directly or through others, the computation `region`. */
static const struct owner *owner_in(const struct liveness *l, int region, int computation)
{
	const struct owner *n = &l->owners.data[l->regions[region].owner];
	while (n->computation != computation)
		n = &l->owners.data[l->regions[n->computation].owner];
	return n;
}

static bool walk_owner(struct liveness *l, const struct owner *n, const struct access *a, size_t count, bool is_live);

/* Walk a computation backward over the buffer's accesses in it. is_live: the buffer is live at the end. Return true if it is live
 * at the beginning. */
static bool walk(struct liveness *l, int computation, const struct access *a, size_t count, bool is_live)
{
	const struct region *r = &l->regions[computation];
	int64_t to = 2 * r->last + 1;
	while (count) {
		if (a[count - 1].computation == computation) {
			is_live = step_back(l, &a[--count], is_live, &to);
			continue;
		}
		const struct owner *n = owner_in(l, a[count - 1].computation, computation);
		size_t n_earlier = count;
		while (n_earlier && a[n_earlier - 1].time >= n->first)
			n_earlier--;
		if (is_live)
			add_range(l, 2 * n->last + 2, to);
		is_live = walk_owner(l, n, a + n_earlier, count - n_earlier, is_live);
		to = 2 * n->first - 1;
		count = n_earlier;
	}
	if (is_live)
		add_range(l, 2 * r->first, to);
	return is_live;
}

/* Walk a computation backward like walk(); of the accesses `a`, only those in the computation count. */
static bool walk_within(struct liveness *l, int computation, const struct access *a, size_t count, bool is_live)
{
	const struct region *r = &l->regions[computation];
	size_t first = 0, end;
	while (first < count && a[first].time < r->first)
		first++;
	for (end = first; end < count && a[end].time <= r->last; end++)
		;
	return walk(l, computation, a + first, end - first, is_live);
}

/* Walk one iteration of a loop backward. is_live_after: the buffer is live after the loop; is_live_next: at the start of the next
 * iteration. */
static bool walk_iteration(struct liveness *l, const struct owner *n, const struct access *a, size_t count, bool is_live_after,
			   bool is_live_next)
{
	int first = n->traits->computation(l->b, n->instr, 0);
	if (n->traits->flow == SR_FLOW_REPEAT)
		return walk_within(l, first, a, count, is_live_after || is_live_next);
	bool is_live_before_body = walk_within(l, n->traits->computation(l->b, n->instr, 1), a, count, is_live_next);
	return walk_within(l, first, a, count, is_live_after || is_live_before_body);
}

static bool walk_owner(struct liveness *l, const struct owner *n, const struct access *a, size_t count, bool is_live)
{
	bool is_live_before = false, skipped_recording = l->skips_recording;
	int computation;
	if (n->traits->flow == SR_FLOW_BRANCHES) {
		for (int i = 0; (computation = n->traits->computation(l->b, n->instr, i)) >= 0; i++)
			is_live_before = walk_within(l, computation, a, count, is_live) || is_live_before;
		return is_live_before;
	}
	l->skips_recording = true; /* first find out whether the buffer is live at the start of an iteration */
	is_live_before = walk_iteration(l, n, a, count, is_live, false);
	l->skips_recording = skipped_recording;
	return skipped_recording ? is_live_before : walk_iteration(l, n, a, count, is_live, is_live_before);
}

static int compare_starts(const void *x, const void *y)
{
	const struct sr_range *a = x, *b = y;
	return (a->from > b->from) - (a->from < b->from);
}

static struct sr_ranges merge_ranges(struct liveness *l)
{
	struct sr_range *p = l->live_ranges.data;
	int64_t n = 0;
	qsort(p, l->live_ranges.n, sizeof *p, compare_starts);
	for (size_t i = 0; i < l->live_ranges.n; i++) {
		if (n && p[i].from <= p[n - 1].to + 1)
			p[n - 1].to = p[i].to > p[n - 1].to ? p[i].to : p[n - 1].to;
		else
			p[n++] = p[i];
	}
	return (struct sr_ranges){sr_dup(l->arena, p, (size_t)n, sizeof *p), n};
}

static struct sr_ranges ranges_of(struct liveness *l, struct access *a, size_t count)
{
	int computation = a[0].computation;
	while (a[count - 1].time > l->regions[computation].last)
		computation = l->owners.data[l->regions[computation].owner].computation;
	a[0].reads_unwritten = a[0].kind == SR_EFFECT_READ_ELEMENTWISE || a[0].kind == SR_EFFECT_READ;
	if (a[0].kind == SR_EFFECT_UPDATE)
		a[0].kind = SR_EFFECT_WRITE; /* A first access that writes only a part of the buffer counts as a full write. */
	int kept = l->kept[a[0].buffer];
	l->live_ranges.n = 0;
	walk(l, computation, a, count, false);
	if (kept)
		add_range(l, 2 * l->regions[kept].first, 2 * l->regions[kept].last + 1);
	return merge_ranges(l);
}

int64_t sr_plan_liveness(const struct sr_plan_builder *b, struct sr_ranges *ranges)
{
	struct liveness l = {.b = b, .arena = b->arena, .regions = SR_NEW_ARRAY(b->arena, struct region, b->computations.n),
			     .kept = SR_NEW_ARRAY(b->arena, int, b->buffers.n)};
	size_t n = b->buffers.n, *at = SR_NEW_ARRAY(b->arena, size_t, n + 2);
	number_all(&l);
	struct access *sorted_accesses = SR_NEW_ARRAY(b->arena, struct access, l.all.n);
	for (size_t i = 0; i < l.all.n; i++)
		at[l.all.data[i].buffer + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < l.all.n; i++)
		sorted_accesses[at[l.all.data[i].buffer + 1]++] = l.all.data[i];
	for (size_t i = 0; i < n; i++) {
		bool is_accessed = at[i + 1] > at[i] && b->buffers.data[i].bytes;
		bool is_permanent = (b->uses.data[i] & SR_USE_PERMANENT) != 0;
		ranges[i] = (struct sr_ranges){0};
		if (is_permanent) {
			struct sr_range program_range = {0, 2 * l.now + 1};
			ranges[i] = (struct sr_ranges){sr_dup(b->arena, &program_range, 1, sizeof program_range), 1};
		} else if (is_accessed) {
			ranges[i] = ranges_of(&l, sorted_accesses + at[i], at[i + 1] - at[i]);
		}
	}
	return 2 * l.now + 2;
}
