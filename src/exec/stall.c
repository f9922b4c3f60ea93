/* The judgement on a run that may stand still, and its words. */
#include "exec/stall.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 8 };

void sr_stall_record(struct sr_rank_record *r, const struct sr_rank_state *state, double now)
{
	if (!r->known || !state->waits || !r->state.waits || state->progress != r->state.progress)
		r->progressed = now;
	r->state = *state;
	r->heard = now;
	r->known = true;
}

static bool is_silent(const struct sr_rank_record *r, double now, double limit)
{
	return r->known && now - r->heard >= limit;
}

static bool waits_long(const struct sr_rank_record *r, double now, double limit)
{
	return r->known && !is_silent(r, now, limit) && r->state.waits && now - r->progressed >= limit;
}

bool sr_is_stalled(const struct sr_rank_record *ranks, int n, double now, double limit)
{
	int suffer = 0, silent = 0;
	for (int r = 0; r < n; r++) {
		suffer += waits_long(&ranks[r], now, limit);
		silent += is_silent(&ranks[r], now, limit);
	}
	return suffer && (silent || suffer == n);
}

/* ---- words ---- */

struct text {
	char *data;
	size_t n;
};

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *format, ...)
{
	va_list list;
	size_t room = SR_STALL_TEXT - t->n;
	va_start(list, format);
	int n = vsnprintf(t->data + t->n, room, format, list);
	va_end(list);
	t->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static void put_step(struct text *t, int32_t step, const struct sr_program *p)
{
	const struct sr_instr *s = sr_program_instrs(p) + step;
	put(t, "%s at %s", sr_program_string(p, s->op), sr_program_string(p, s->place));
}

static bool is_step(int32_t step, const struct sr_program *p)
{
	return p && step >= 0 && (uint64_t)step < p->instrs.n;
}

/* "running, step 3 of 9: stablehlo.all_reduce at model.mlir:12:10" */
static void put_position(struct text *t, const struct sr_rank_state *s, const struct sr_program *p)
{
	put(t, "%.*s", (int)sizeof s->phase, *s->phase ? s->phase : "starting");
	if (s->n)
		put(t, ", step %lld of %lld", (long long)s->i, (long long)s->n);
	if (s->plays && is_step(s->steps[0], p)) {
		put(t, ": ");
		put_step(t, s->steps[0], p);
	}
}

static void put_recorded(struct text *t, const struct sr_rank_state *s, const struct sr_program *p)
{
	for (int k = 1, first = 1; k < SR_STALL_INSTRS; k++) {
		if (!is_step(s->steps[k], p) || s->steps[k] == s->steps[0])
			continue;
		put(t, first ? "; steps before: " : ", ");
		put_step(t, s->steps[k], p);
		first = 0;
	}
}

static bool same_place(const struct sr_rank_state *a, const struct sr_rank_state *b)
{
	return a->i == b->i && a->plays == b->plays && (!a->plays || a->steps[0] == b->steps[0]) && a->calls == b->calls &&
	       !strncmp(a->phase, b->phase, sizeof a->phase);
}

struct question {
	const struct sr_rank_record *ranks;
	int n;
	double now, limit;
};

/* Ranks a and b are said in one line: they wait in one place, or are silent since they were in one. */
static bool alike(const struct question *q, int a, int b)
{
	const struct sr_rank_record *x = &q->ranks[a], *y = &q->ranks[b];
	if (!x->known || !y->known)
		return x->known == y->known;
	return is_silent(x, q->now, q->limit) == is_silent(y, q->now, q->limit) && x->state.waits == y->state.waits &&
	       same_place(&x->state, &y->state);
}

static bool is_first(const struct question *q, int r)
{
	for (int before = 0; before < r; before++)
		if (alike(q, before, r))
			return false;
	return true;
}

/* "ranks 0, 2 to 7": those that are as rank `like`. How many there are. */
static int put_ranks(struct text *t, const struct question *q, int like)
{
	int count = 0;
	for (int r = 0; r < q->n; r++)
		count += alike(q, like, r);
	put(t, count == 1 ? "rank" : "ranks");
	for (int r = 0, first = 1; r < q->n; r++) {
		int last = r;
		if (!alike(q, like, r))
			continue;
		while (last + 1 < q->n && alike(q, like, last + 1))
			last++;
		put(t, last > r ? "%s %d to %d" : "%s %d", first ? "" : ",", r, last);
		first = 0;
		r = last;
	}
	return count;
}

static void put_line(struct text *t, const struct question *q, int r, const struct sr_rank_state *at, const struct sr_program *p)
{
	const struct sr_rank_record *x = &q->ranks[r];
	const struct sr_rank_state *s = &x->state;
	put(t, "  ");
	bool one = put_ranks(t, q, r) == 1;
	if (!x->known) {
		put(t, ": nothing was ever heard of %s\n", one ? "it" : "them");
		return;
	}
	bool silent = is_silent(x, q->now, q->limit);
	if (silent)
		put(t, " did not arrive: silent for %.0f s, last heard of %s ", q->now - x->heard,
		    s->waits ? "waiting" : "working");
	else
		put(t, s->waits ? one ? " waits " : " wait " : one ? " works: " : " work: ");
	if (s->waits && same_place(s, at)) {
		put(t, "there");
	} else {
		put(t, silent ? "at: " : s->waits ? "elsewhere: " : "");
		put_position(t, s, p);
	}
	if (s->plays)
		put(t, " (%llu collectives done)", (unsigned long long)s->calls);
	if (silent)
		put_recorded(t, s, p);
	put(t, "\n");
}

void sr_stall_text(char *out, const struct sr_rank_record *ranks, int n, double now, double limit, double seconds,
		   const struct sr_program *program)
{
	struct text t = {.data = out};
	struct question q = {ranks, n, now, limit};
	int at = 0, lines = 0, all = 0;
	while (at < n - 1 && !waits_long(&ranks[at], now, limit))
		at++;
	put(&t, "shardrun: error: no progress for %g s (--stall-timeout) after %.0f s: ", limit, seconds);
	put_position(&t, &ranks[at].state, program);
	put(&t, "\n");
	for (int r = 0; r < n; r++)
		all += alike(&q, at, r);
	for (int r = 0; r < n; r++)
		if (is_first(&q, r) && ++lines <= MOST_LINES)
			put_line(&t, &q, r, &ranks[at].state, program);
	if (lines > MOST_LINES)
		put(&t, "  and more\n");
	if (n == 1)
		put(&t, "  its devices wait for each other\n");
	else if (all == n)
		put(&t, "  nobody is missing: messages between them are lost\n");
}
