/* Detection of a stalled run, and composition of its message. */
#include "run/stall.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LINES = 8 };

void sr_stall_record(struct sr_rank_record *r, const struct sr_rank_state *state, double now)
{
	if (!r->has_reported || !state->is_waiting || !r->state.is_waiting || state->progress != r->state.progress)
		r->progressed_at = now;
	r->state = *state;
	r->reported_at = now;
	r->has_reported = true;
}

static bool is_silent(const struct sr_rank_record *r, double now, double limit)
{
	return r->has_reported && now - r->reported_at >= limit;
}

static bool waits_long(const struct sr_rank_record *r, double now, double limit)
{
	return r->has_reported && !is_silent(r, now, limit) && r->state.is_waiting && now - r->progressed_at >= limit;
}

bool sr_is_stalled(const struct sr_rank_record *ranks, int n, double now, double limit)
{
	int n_waiting = 0, n_silent = 0;
	for (int r = 0; r < n; r++) {
		n_waiting += waits_long(&ranks[r], now, limit);
		n_silent += is_silent(&ranks[r], now, limit);
	}
	return n_waiting && (n_silent || n_waiting == n);
}

/* ---- message ---- */

struct text {
	char *data;
	size_t n;
};

static void append_text(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append_text(struct text *t, const char *format, ...)
{
	va_list list;
	size_t space = SR_STALL_TEXT - t->n;
	va_start(list, format);
	int n = vsnprintf(t->data + t->n, space, format, list);
	va_end(list);
	t->n += n < 0 ? 0 : (size_t)n < space ? (size_t)n : space - 1;
}

static void put_instr(struct text *t, int32_t step, const struct sr_program *p)
{
	const struct sr_instr *instr = sr_program_instrs(p) + step;
	append_text(t, "%s at %s", sr_program_string(p, instr->op), sr_program_string(p, instr->place));
}

static bool is_instr(int32_t step, const struct sr_program *p)
{
	return p && step >= 0 && (uint64_t)step < p->instrs.n;
}

/* Append a rank's position: "running, step 3 of 9: stablehlo.all_reduce at model.mlir:12:10". */
static void put_position(struct text *t, const struct sr_rank_state *s, const struct sr_program *p)
{
	append_text(t, "%.*s", (int)sizeof s->phase, *s->phase ? s->phase : "starting");
	if (s->n)
		append_text(t, ", step %lld of %lld", (long long)s->i, (long long)s->n);
	if (s->is_executing && is_instr(s->instrs[0], p)) {
		append_text(t, ": ");
		put_instr(t, s->instrs[0], p);
	}
}

static void put_previous(struct text *t, const struct sr_rank_state *s, const struct sr_program *p)
{
	for (int k = 1, first = 1; k < SR_STALL_INSTRS; k++) {
		if (!is_instr(s->instrs[k], p) || s->instrs[k] == s->instrs[0])
			continue;
		append_text(t, first ? "; previous instructions: " : ", ");
		put_instr(t, s->instrs[k], p);
		first = 0;
	}
}

static bool same_position(const struct sr_rank_state *a, const struct sr_rank_state *b)
{
	return a->i == b->i && a->is_executing == b->is_executing && (!a->is_executing || a->instrs[0] == b->instrs[0]) && a->calls == b->calls &&
	       !strncmp(a->phase, b->phase, sizeof a->phase);
}

struct query {
	const struct sr_rank_record *ranks;
	int n;
	double now, limit;
};

/* Return true if ranks a and b are reported in one line of the message: both wait at the same position, or both became silent at
 * the same position. */
static bool same_line(const struct query *q, int a, int b)
{
	const struct sr_rank_record *x = &q->ranks[a], *y = &q->ranks[b];
	if (!x->has_reported || !y->has_reported)
		return x->has_reported == y->has_reported;
	return is_silent(x, q->now, q->limit) == is_silent(y, q->now, q->limit) && x->state.is_waiting == y->state.is_waiting &&
	       same_position(&x->state, &y->state);
}

static bool is_first(const struct query *q, int r)
{
	for (int earlier_rank = 0; earlier_rank < r; earlier_rank++)
		if (same_line(q, earlier_rank, r))
			return false;
	return true;
}

/* Append the list of ranks in the same state as rank `example`: "ranks 0, 2 to 7". Returns their number. */
static int put_ranks(struct text *t, const struct query *q, int example)
{
	int count = 0;
	for (int r = 0; r < q->n; r++)
		count += same_line(q, example, r);
	append_text(t, count == 1 ? "rank" : "ranks");
	for (int r = 0, first = 1; r < q->n; r++) {
		int last_rank = r;
		if (!same_line(q, example, r))
			continue;
		while (last_rank + 1 < q->n && same_line(q, example, last_rank + 1))
			last_rank++;
		append_text(t, last_rank > r ? "%s %d to %d" : "%s %d", first ? "" : ",", r, last_rank);
		first = 0;
		r = last_rank;
	}
	return count;
}

static void put_line(struct text *t, const struct query *q, int r, const struct sr_rank_state *at, const struct sr_program *p)
{
	const struct sr_rank_record *x = &q->ranks[r];
	const struct sr_rank_state *s = &x->state;
	append_text(t, "  ");
	bool is_single_rank = put_ranks(t, q, r) == 1;
	if (!x->has_reported) {
		append_text(t, ": %s never reported\n", is_single_rank ? "it has" : "they have");
		return;
	}
	bool rank_is_silent = is_silent(x, q->now, q->limit);
	if (rank_is_silent)
		append_text(t, " did not arrive: silent for %.0f s, last reported %s ", q->now - x->reported_at,
			    s->is_waiting ? "waiting" : "working");
	else
		append_text(t, s->is_waiting ? is_single_rank ? " waits " : " wait " : is_single_rank ? " works: " : " work: ");
	if (s->is_waiting && same_position(s, at)) {
		append_text(t, "there");
	} else {
		append_text(t, rank_is_silent ? "at: " : s->is_waiting ? "elsewhere: " : "");
		put_position(t, s, p);
	}
	if (s->is_executing)
		append_text(t, " (%llu collectives done)", (unsigned long long)s->calls);
	if (rank_is_silent)
		put_previous(t, s, p);
	append_text(t, "\n");
}

void sr_stall_text(char *out, const struct sr_rank_record *ranks, int n, double now, double limit, double seconds,
		   const struct sr_program *program)
{
	struct text t = {.data = out};
	struct query q = {ranks, n, now, limit};
	int at = 0, lines = 0, n_same_line = 0;
	while (at < n - 1 && !waits_long(&ranks[at], now, limit))
		at++;
	append_text(&t, "shardrun: error: no progress for %g s (--stall-timeout) after %.0f s: ", limit, seconds);
	put_position(&t, &ranks[at].state, program);
	append_text(&t, "\n");
	for (int r = 0; r < n; r++)
		n_same_line += same_line(&q, at, r);
	for (int r = 0; r < n; r++)
		if (is_first(&q, r) && ++lines <= MAX_LINES)
			put_line(&t, &q, r, &ranks[at].state, program);
	if (lines > MAX_LINES)
		append_text(&t, "  and more\n");
	if (n == 1)
		append_text(&t, "  its devices wait for each other\n");
	else if (n_same_line == n)
		append_text(&t, "  all ranks report and wait here: messages between them are lost\n");
}
