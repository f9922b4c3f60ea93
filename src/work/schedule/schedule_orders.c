/* Orders to choose from. All are made by running nodes one by one, each after what it needs; they differ in who comes next:
 *
 *	by demand: the nodes as given, or what the terminator needs, each preceded by what it needs that has not been run
 *	greedy: of the nodes that can run, the one that frees most beyond what it makes
 *
 * A stream is made of one value alone, from arguments on (a gathered parameter, a broadcast): it can wait until it is wanted. An
 * eager node makes no more than it frees: it runs as soon as it can. Cost: n log n, all of them. */
#include "work/schedule/schedule.h"
#include <stdlib.h>

enum { STREAMS_WAIT = 1, EAGER = 2, ALL_WAIT = 4, BY_NEED = 8, GREEDY = 16 };

struct heap { /* the least key first, then the lowest node */
	int *nodes, *place; /* place[node]: 1 + position; 0: not in it */
	int n;
};

struct orders {
	const struct sr_schedule_graph *g;
	int how;
	bool *stream;      /* [n] */
	int64_t *need;     /* [n]: bytes that a node takes with all before it, as if they were its alone */
	int *by_need;      /* before.at, the greatest need first */
	/* the state of one order */
	bool *done;
	int *left, *last;  /* [memories]: readers to come; the xor of them */
	int *waiting;      /* [n]: nodes to run before */
	int64_t *makes, *frees; /* [n]: bytes, were it run now */
	struct heap ready;
	int *stack, *at;
	int *order, n_order;
};

/* ---- heap ---- */

static int64_t key(const struct orders *o, int u)
{
	return o->how & GREEDY ? o->makes[u] - o->frees[u] : u;
}

static bool is_before(const struct orders *o, int u, int v)
{
	int64_t a = key(o, u), b = key(o, v);
	return a != b ? a < b : u < v;
}

static void put(struct heap *h, int i, int u)
{
	h->nodes[i] = u;
	h->place[u] = i + 1;
}

static void rise(struct orders *o, int i)
{
	struct heap *h = &o->ready;
	int u = h->nodes[i];
	for (; i && is_before(o, u, h->nodes[(i - 1) / 2]); i = (i - 1) / 2)
		put(h, i, h->nodes[(i - 1) / 2]);
	put(h, i, u);
}

static void sink(struct orders *o, int i)
{
	struct heap *h = &o->ready;
	int u = h->nodes[i];
	for (int child; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && is_before(o, h->nodes[child + 1], h->nodes[child]))
			child++;
		if (!is_before(o, h->nodes[child], u))
			break;
		put(h, i, h->nodes[child]);
	}
	put(h, i, u);
}

static void add(struct orders *o, int u)
{
	if (o->ready.place[u])
		return;
	put(&o->ready, o->ready.n++, u);
	rise(o, o->ready.n - 1);
}

static void take_out(struct orders *o, int u)
{
	struct heap *h = &o->ready;
	int i = h->place[u] - 1;
	if (i < 0)
		return;
	h->place[u] = 0;
	if (i == --h->n)
		return;
	put(h, i, h->nodes[h->n]);
	sink(o, i);
	rise(o, h->place[h->nodes[i]] - 1);
}

/* ---- running a node ---- */

/* The node's bytes or its readiness have changed. */
static void look_again(struct orders *o, int u)
{
	if (o->done[u])
		return;
	bool wanted = !o->waiting[u] && (o->how & GREEDY ? !o->stream[u] : o->how & EAGER && o->makes[u] <= o->frees[u]);
	take_out(o, u);
	if (wanted)
		add(o, u);
}

static void run(struct orders *o, int u)
{
	const struct sr_schedule_graph *g = o->g;
	take_out(o, u);
	o->done[u] = true;
	o->order[o->n_order++] = u;
	for (int i = g->read.start[u]; i < g->read.start[u + 1]; i++) {
		int m = g->read.at[i];
		o->last[m] ^= u;
		if (--o->left[m] != 1 || g->memories[m].kept)
			continue;
		o->frees[o->last[m]] += g->memories[m].bytes;
		look_again(o, o->last[m]);
	}
	for (int i = g->made.start[u]; o->stream[u] && o->how & GREEDY && i < g->made.start[u + 1]; i++)
		for (int r = g->readers.start[g->made.at[i]]; r < g->readers.start[g->made.at[i] + 1]; r++) {
			o->makes[g->readers.at[r]] -= g->memories[g->made.at[i]].bytes;
			look_again(o, g->readers.at[r]);
		}
	for (int i = g->after.start[u]; i < g->after.start[u + 1]; i++) {
		if (!(o->how & GREEDY && o->stream[u]))
			o->waiting[g->after.at[i]]--;
		look_again(o, g->after.at[i]);
	}
}

/* Node u after all that it needs. */
static void demand(struct orders *o, int u)
{
	const struct sr_schedule_graph *g = o->g;
	const int *before = o->how & BY_NEED ? o->by_need : g->before.at;
	int n = 0;
	o->stack[n] = u;
	o->at[n++] = g->before.start[u];
	while (n) {
		int top = o->stack[n - 1];
		if (o->done[top] || o->at[n - 1] == g->before.start[top + 1]) {
			if (!o->done[top])
				run(o, top);
			n--;
			continue;
		}
		int next = before[o->at[n - 1]++];
		if (!o->done[next]) {
			o->stack[n] = next;
			o->at[n++] = g->before.start[next];
		}
	}
}

static void run_ready(struct orders *o)
{
	while (o->ready.n)
		demand(o, o->ready.nodes[0]);
}

/* ---- an order ---- */

static void start(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	o->n_order = o->ready.n = 0;
	for (int m = 0; m < g->n_memories; m++) {
		o->left[m] = g->readers.start[m + 1] - g->readers.start[m];
		o->last[m] = 0;
		for (int r = g->readers.start[m]; r < g->readers.start[m + 1]; r++)
			o->last[m] ^= g->readers.at[r];
	}
	for (int u = 0; u < g->n; u++) {
		o->done[u] = false;
		o->ready.place[u] = 0;
		o->waiting[u] = 0;
		o->makes[u] = o->frees[u] = 0;
		for (int i = g->made.start[u]; i < g->made.start[u + 1]; i++)
			o->makes[u] += g->memories[g->made.at[i]].bytes;
		for (int i = g->read.start[u]; i < g->read.start[u + 1]; i++) {
			const struct sr_schedule_buffer *m = &g->memories[g->read.at[i]];
			if (o->left[g->read.at[i]] == 1 && !m->kept)
				o->frees[u] += m->bytes;
			if (o->how & GREEDY && m->node >= 0 && o->stream[m->node])
				o->makes[u] += m->bytes;
		}
		for (int i = g->before.start[u]; i < g->before.start[u + 1]; i++)
			o->waiting[u] += !(o->how & GREEDY && o->stream[g->before.at[i]]);
	}
	for (int u = 0; u < g->n; u++)
		look_again(o, u);
}

static void demand_results(struct orders *o)
{
	const struct sr_op *end = sr_block_terminator(o->g->block);
	for (int i = 0; i < end->n_operands; i++) {
		const struct sr_op *def = sr_operand(end, i)->def;
		if (!def || def->block != o->g->block)
			continue;
		demand(o, def->mark);
		run_ready(o);
	}
}

static void make(struct orders *o)
{
	start(o);
	run_ready(o);
	if (o->how & ALL_WAIT)
		demand_results(o);
	for (int u = 0; u < o->g->n; u++)
		if (!o->done[u] && !(o->how & STREAMS_WAIT && o->stream[u])) {
			demand(o, u);
			run_ready(o);
		}
	for (int u = 0; u < o->g->n; u++) /* streams that nothing wants */
		demand(o, u);
}

/* ---- what holds for all orders ---- */

static void find_streams(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	for (int u = 0; u < g->n; u++) {
		int n = 0;
		bool stream = sr_op_is_pure(g->ops[u]) || sr_op_has(g->ops[u], SR_COLLECTIVE);
		for (int i = g->read.start[u]; i < g->read.start[u + 1]; i++)
			n += g->memories[g->read.at[i]].bytes > 0;
		for (int i = g->before.start[u]; i < g->before.start[u + 1]; i++)
			stream = stream && o->stream[g->before.at[i]];
		o->stream[u] = stream && n <= 1;
	}
}

static int64_t made_by(const struct sr_schedule_graph *g, int u)
{
	int64_t bytes = 0;
	for (int i = g->made.start[u]; i < g->made.start[u + 1]; i++)
		bytes += g->memories[g->made.at[i]].bytes;
	return bytes;
}

struct needed {
	int64_t beyond; /* its need beyond what stays of it */
	int node;
};

static int by_beyond(const void *x, const void *y)
{
	const struct needed *a = x, *b = y;
	return a->beyond != b->beyond ? a->beyond > b->beyond ? -1 : 1 : a->node - b->node;
}

/* As for an expression's registers: the operand that takes most beyond its result is made first. */
static void find_needs(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	struct needed *needed = SR_NEWS(g->arena, struct needed, g->n);
	for (int u = 0; u < g->n; u++) {
		int n = 0, first = g->before.start[u];
		for (int i = first; i < g->before.start[u + 1]; i++)
			needed[n++] = (struct needed){o->need[g->before.at[i]] - made_by(g, g->before.at[i]), g->before.at[i]};
		qsort(needed, (size_t)n, sizeof *needed, by_beyond);
		int64_t held = 0;
		for (int i = 0; i < n; i++) {
			o->by_need[first + i] = needed[i].node;
			o->need[u] = held + o->need[needed[i].node] > o->need[u] ? held + o->need[needed[i].node] : o->need[u];
			held += made_by(g, needed[i].node);
		}
		held += made_by(g, u);
		o->need[u] = held > o->need[u] ? held : o->need[u];
	}
}

static void allocate(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	struct sr_arena *a = g->arena;
	o->stream = SR_NEWS(a, bool, g->n);
	o->need = SR_NEWS(a, int64_t, g->n);
	o->by_need = SR_NEWS(a, int, g->before.start[g->n]);
	o->done = SR_NEWS(a, bool, g->n);
	o->left = SR_NEWS(a, int, g->n_memories);
	o->last = SR_NEWS(a, int, g->n_memories);
	o->waiting = SR_NEWS(a, int, g->n);
	o->makes = SR_NEWS(a, int64_t, g->n);
	o->frees = SR_NEWS(a, int64_t, g->n);
	o->ready = (struct heap){SR_NEWS(a, int, g->n), SR_NEWS(a, int, g->n), 0};
	o->stack = SR_NEWS(a, int, g->before.start[g->n] + g->n + 1);
	o->at = SR_NEWS(a, int, g->before.start[g->n] + g->n + 1);
	o->order = SR_NEWS(a, int, g->n);
}

int64_t sr_schedule_best(const struct sr_schedule_graph *g, int *order)
{
	static const int candidates[] = {STREAMS_WAIT, EAGER, STREAMS_WAIT | EAGER, STREAMS_WAIT | EAGER | BY_NEED, ALL_WAIT | BY_NEED,
				   ALL_WAIT | EAGER | BY_NEED, GREEDY | STREAMS_WAIT};
	struct orders o = {.g = g};
	for (int u = 0; u < g->n; u++)
		order[u] = u;
	int64_t best = sr_schedule_peak(g, order, NULL);
	allocate(&o);
	find_streams(&o);
	find_needs(&o);
	for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
		o.how = candidates[c];
		make(&o);
		int64_t peak = sr_schedule_peak(g, o.order, NULL);
		if (peak >= best)
			continue;
		best = peak;
		for (int u = 0; u < g->n; u++)
			order[u] = o.order[u];
	}
	return best;
}
