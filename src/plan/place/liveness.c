/* Liveness: all accesses in order of time, those of each buffer together; then each buffer's are walked backward through the plans that
 * hold them, as far out as the plan that holds its first one, which writes it. Cost: accesses times the depth of nesting. */
#include "plan/place/liveness.h"
#include "plan/place/effects.h"
#include <stdlib.h>
#include <string.h>

struct region { /* a plan */
	int64_t first, last; /* moments; steps lie between */
	int nest;            /* whose plan it is, -1: the entry */
};

struct nest { /* a step that owns plans */
	const struct sr_instr *step;
	const struct sr_instr_traits *facts;
	int plan;            /* that it stands in */
	int64_t first, last; /* of its plans */
};

struct access {
	int64_t moment;
	int buffer, plan;
	uint8_t kind;    /* enum sr_operand_effect */
	bool unwritten; /* a read of what nobody has written: it begins the buffer's life */
};

struct liveness {
	const struct sr_plan_builder *b;
	struct sr_arena *arena;
	struct region *regions; /* [plans] */
	SR_VEC(struct nest) nests;
	SR_VEC(struct access) all;
	SR_VEC(struct sr_range) pieces; /* of the buffer at hand */
	SR_VEC(uint8_t) kinds;
	int64_t now;
	bool quiet; /* pieces are not noted */
};

/* ---- time ---- */

/* The accesses of a step now, such that the last to take effect comes last. */
static void note(struct liveness *l, const struct sr_instr *s, sr_instr_effects_fn *fn, int plan)
{
	int64_t moment = ++l->now;
	l->kinds.n = 0;
	for (uint32_t i = 0; i < s->n_operands; i++)
		sr_push(l->arena, &l->kinds, SR_EFFECT_NONE);
	sr_instr_effects(l->b, s, fn, l->kinds.data);
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++) {
		int32_t start = l->b->shifts.data[s->first_dynamic_offset + i].start;
		if (start >= 0)
			sr_push(l->arena, &l->all, (struct access){moment, start, plan, SR_EFFECT_READ, false});
	}
	for (int kind = SR_EFFECT_NONE + 1; kind <= SR_EFFECT_WRITE; kind++)
		for (uint32_t i = 0; i < s->n_operands; i++)
			if (l->kinds.data[i] == kind)
				sr_push(l->arena, &l->all,
					(struct access){moment, l->b->operands.data[s->first_operand + i], plan, (uint8_t)kind, false});
}

static void number(struct liveness *l, int plan, int nest);

static void number_nest(struct liveness *l, const struct sr_instr *s, const struct sr_instr_traits *f, int plan)
{
	int at = (int)l->nests.n, owned;
	sr_push(l->arena, &l->nests, (struct nest){s, f, plan, l->now + 1, 0});
	for (int i = 0; (owned = f->plan(l->b, s, i)) >= 0; i++) {
		number(l, owned, at);
		if (f->end && i == 0 && f->flow != SR_FLOW_BRANCHES) { /* it decides whether to go on: a part of the first plan */
			note(l, s, f->end, owned);
			l->regions[owned].last = ++l->now;
		}
	}
	l->nests.data[at].last = l->now;
	if (f->end && f->flow == SR_FLOW_BRANCHES)
		note(l, s, f->end, plan);
}

static void number(struct liveness *l, int plan, int nest)
{
	const struct sr_instr_list *list = &l->b->plans.data[plan];
	l->regions[plan] = (struct region){.first = ++l->now, .nest = nest};
	for (size_t i = 0; i < list->steps.n; i++) {
		const struct sr_instr *s = &list->steps.data[i];
		const struct sr_instr_traits *f = sr_instr_traits_of(s);
		if (f->start)
			note(l, s, f->start, plan);
		if (f->flow != SR_FLOW_STRAIGHT)
			number_nest(l, s, f, plan);
	}
	l->regions[plan].last = ++l->now;
}

/* What comes in from outside is written before the first step, what goes out is read after the last. */
static void number_all(struct liveness *l)
{
	const struct sr_plan_builder *b = l->b;
	for (size_t i = 0; i < b->buffers.n; i++)
		if (b->uses.data[i] & SR_USE_ARGUMENT)
			sr_push(l->arena, &l->all, (struct access){1, (int)i, 0, SR_EFFECT_WRITE, false});
	l->now = 1;
	number(l, 0, -1);
	l->regions[0].first = 0;
	for (size_t i = 0; i < b->buffers.n; i++)
		if (b->uses.data[i] & SR_USE_RESULT)
			sr_push(l->arena, &l->all, (struct access){l->now, (int)i, 0, SR_EFFECT_READ, false});
}

/* ---- one buffer ---- */

static void piece(struct liveness *l, int64_t from, int64_t to)
{
	if (!l->quiet)
		sr_push(l->arena, &l->pieces, (struct sr_range){from, to});
}

/* Backward over one access. *to: where the piece ends that is alive now. */
static bool step_back(struct liveness *l, const struct access *a, bool live, int64_t *to)
{
	int64_t reads = 2 * a->moment, writes = reads + 1;
	if (!live)
		*to = a->kind == SR_EFFECT_READ_ELEMENTWISE ? reads : writes;
	if (a->kind != SR_EFFECT_WRITE && !a->unwritten)
		return true;
	piece(l, a->kind == SR_EFFECT_WRITE ? writes : reads, *to);
	return false;
}

/* The nest in plan `plan` that a plan inside it belongs to. */
static const struct nest *nest_in(const struct liveness *l, int inside, int plan)
{
	const struct nest *n = &l->nests.data[l->regions[inside].nest];
	while (n->plan != plan)
		n = &l->nests.data[l->regions[n->plan].nest];
	return n;
}

static bool walk_nest(struct liveness *l, const struct nest *n, const struct access *a, size_t count, bool live);

/* Backward over a plan, with all of the buffer's accesses in it: whether it lives at the beginning, where it does (not) at the end. */
static bool walk(struct liveness *l, int plan, const struct access *a, size_t count, bool live)
{
	const struct region *r = &l->regions[plan];
	int64_t to = 2 * r->last + 1;
	while (count) {
		if (a[count - 1].plan == plan) {
			live = step_back(l, &a[--count], live, &to);
			continue;
		}
		const struct nest *n = nest_in(l, a[count - 1].plan, plan);
		size_t before = count;
		while (before && a[before - 1].moment >= n->first)
			before--;
		if (live)
			piece(l, 2 * n->last + 2, to);
		live = walk_nest(l, n, a + before, count - before, live);
		to = 2 * n->first - 1;
		count = before;
	}
	if (live)
		piece(l, 2 * r->first, to);
	return live;
}

/* The accesses at hand that lie in a plan. */
static bool walk_part(struct liveness *l, int plan, const struct access *a, size_t count, bool live)
{
	const struct region *r = &l->regions[plan];
	size_t first = 0, end;
	while (first < count && a[first].moment < r->first)
		first++;
	for (end = first; end < count && a[end].moment <= r->last; end++)
		;
	return walk(l, plan, a + first, end - first, live);
}

/* One round of a loop backward from its end, where the buffer lives as after the loop, or as the next round begins. */
static bool walk_round(struct liveness *l, const struct nest *n, const struct access *a, size_t count, bool after, bool next)
{
	int first = n->facts->plan(l->b, n->step, 0);
	if (n->facts->flow == SR_FLOW_REPEAT)
		return walk_part(l, first, a, count, after || next);
	bool body = walk_part(l, n->facts->plan(l->b, n->step, 1), a, count, next);
	return walk_part(l, first, a, count, after || body);
}

static bool walk_nest(struct liveness *l, const struct nest *n, const struct access *a, size_t count, bool live)
{
	bool any = false, quiet = l->quiet;
	int plan;
	if (n->facts->flow == SR_FLOW_BRANCHES) {
		for (int i = 0; (plan = n->facts->plan(l->b, n->step, i)) >= 0; i++)
			any = walk_part(l, plan, a, count, live) || any;
		return any;
	}
	l->quiet = true; /* whether the next round wants it */
	any = walk_round(l, n, a, count, live, false);
	l->quiet = quiet;
	return quiet ? any : walk_round(l, n, a, count, live, any);
}

static int by_start(const void *x, const void *y)
{
	const struct sr_range *a = x, *b = y;
	return (a->from > b->from) - (a->from < b->from);
}

static struct sr_ranges union_of_pieces(struct liveness *l)
{
	struct sr_range *p = l->pieces.data;
	int64_t n = 0;
	qsort(p, l->pieces.n, sizeof *p, by_start);
	for (size_t i = 0; i < l->pieces.n; i++) {
		if (n && p[i].from <= p[n - 1].to + 1)
			p[n - 1].to = p[i].to > p[n - 1].to ? p[i].to : p[n - 1].to;
		else
			p[n++] = p[i];
	}
	return (struct sr_ranges){sr_dup(l->arena, p, (size_t)n, sizeof *p), n};
}

static struct sr_ranges ranges_of(struct liveness *l, struct access *a, size_t count)
{
	int plan = a[0].plan;
	while (a[count - 1].moment > l->regions[plan].last)
		plan = l->nests.data[l->regions[plan].nest].plan;
	a[0].unwritten = a[0].kind == SR_EFFECT_READ_ELEMENTWISE || a[0].kind == SR_EFFECT_READ;
	if (a[0].kind == SR_EFFECT_UPDATE)
		a[0].kind = SR_EFFECT_WRITE; /* of the first part */
	l->pieces.n = 0;
	walk(l, plan, a, count, false);
	return union_of_pieces(l);
}

int64_t sr_plan_liveness(const struct sr_plan_builder *b, struct sr_ranges *ranges)
{
	struct liveness l = {.b = b, .arena = b->arena, .regions = SR_NEWS(b->arena, struct region, b->plans.n)};
	size_t n = b->buffers.n, *at = SR_NEWS(b->arena, size_t, n + 2);
	number_all(&l);
	struct access *sorted = SR_NEWS(b->arena, struct access, l.all.n);
	for (size_t i = 0; i < l.all.n; i++)
		at[l.all.data[i].buffer + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < l.all.n; i++)
		sorted[at[l.all.data[i].buffer + 1]++] = l.all.data[i];
	for (size_t i = 0; i < n; i++) {
		bool named = at[i + 1] > at[i] && b->buffers.data[i].bytes;
		bool always = (b->uses.data[i] & SR_USE_PERMANENT) != 0;
		ranges[i] = (struct sr_ranges){0};
		if (always) {
			struct sr_range whole = {0, 2 * l.now + 1};
			ranges[i] = (struct sr_ranges){sr_dup(b->arena, &whole, 1, sizeof whole), 1};
		} else if (named) {
			ranges[i] = ranges_of(&l, sorted + at[i], at[i + 1] - at[i]);
		}
	}
	return 2 * l.now + 2;
}
