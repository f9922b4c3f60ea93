/* Candidate orders. Each order lists every node after its predecessors. Orders differ in how the next node is selected:
 *
 *	by demand: the nodes in the given order, or those that the terminator needs, each after its pending predecessors
 *	greedy: of the ready nodes, the one that frees most beyond what it allocates
 *
 * A stream is a node at the end of a chain in which each node depends on one value only, up to an argument (a gathered parameter,
 * a broadcast). A stream may wait until its result is needed. An eager node allocates no more than it frees; it runs as soon as
 * it is ready. BY_NEED orders operands like Sethi-Ullman register numbering. Each order takes O(n log n). */
#include "work/schedule/schedule.h"
#include <stdlib.h>

enum { STREAMS_WAIT = 1, EAGER = 2, ALL_WAIT = 4, BY_NEED = 8, GREEDY = 16 };

struct heap { /* binary heap: the node with the least key first, among equal keys the node with the lowest number */
	int *nodes, *place; /* place[node]: 1 + position in the heap; 0: not in it */
	int n;
};

struct orders {
	const struct sr_schedule_graph *g;
	int policy;
	bool *stream;      /* [n] */
	int64_t *needed_bytes;     /* for each node: bytes that it and its predecessors take, evaluated as an expression tree */
	/* predecessors of each node (graph->predecessors.entries), each list sorted by decreasing need of memory */
	int *operands_by_need;
	/* The members below are the state while one order is built. */
	bool *is_done;
	int *n_readers_left, *readers_xor;  /* for each buffer: number of its readers left; XOR of their node numbers */
	int *n_pending;      /* for each node: number of predecessors that have not run yet */
	int64_t *allocated_bytes, *freed_bytes; /* for each node: bytes that it would allocate and free if it ran now */
	struct heap ready_nodes;
	int *stack, *next_entry;
	int *order, n_order;
};

/* ---- heap ---- */

static int64_t key(const struct orders *o, int u)
{
	return o->policy & GREEDY ? o->allocated_bytes[u] - o->freed_bytes[u] : u;
}

static bool is_before(const struct orders *o, int u, int v)
{
	int64_t a = key(o, u), b = key(o, v);
	return a != b ? a < b : u < v;
}

static void heap_put(struct heap *h, int i, int u)
{
	h->nodes[i] = u;
	h->place[u] = i + 1;
}

static void heap_sift_up(struct orders *o, int i)
{
	struct heap *h = &o->ready_nodes;
	int u = h->nodes[i];
	for (; i && is_before(o, u, h->nodes[(i - 1) / 2]); i = (i - 1) / 2)
		heap_put(h, i, h->nodes[(i - 1) / 2]);
	heap_put(h, i, u);
}

static void heap_sift_down(struct orders *o, int i)
{
	struct heap *h = &o->ready_nodes;
	int u = h->nodes[i];
	for (int child; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && is_before(o, h->nodes[child + 1], h->nodes[child]))
			child++;
		if (!is_before(o, h->nodes[child], u))
			break;
		heap_put(h, i, h->nodes[child]);
	}
	heap_put(h, i, u);
}

static void heap_insert(struct orders *o, int u)
{
	if (o->ready_nodes.place[u])
		return;
	heap_put(&o->ready_nodes, o->ready_nodes.n++, u);
	heap_sift_up(o, o->ready_nodes.n - 1);
}

static void heap_remove(struct orders *o, int u)
{
	struct heap *h = &o->ready_nodes;
	int i = h->place[u] - 1;
	if (i < 0)
		return;
	h->place[u] = 0;
	if (i == --h->n)
		return;
	heap_put(h, i, h->nodes[h->n]);
	heap_sift_down(o, i);
	heap_sift_up(o, h->place[h->nodes[i]] - 1);
}

/* ---- running a node ---- */

/* Update the heap after the node's bytes or readiness changed. */
static void update_ready(struct orders *o, int u)
{
	if (o->is_done[u])
		return;
	bool is_ready = !o->n_pending[u] &&
		      (o->policy & GREEDY ? !o->stream[u] : o->policy & EAGER && o->allocated_bytes[u] <= o->freed_bytes[u]);
	heap_remove(o, u);
	if (is_ready)
		heap_insert(o, u);
}

static void run_node(struct orders *o, int u)
{
	const struct sr_schedule_graph *g = o->g;
	heap_remove(o, u);
	o->is_done[u] = true;
	o->order[o->n_order++] = u;
	for (int i = g->reads.start[u]; i < g->reads.start[u + 1]; i++) {
		int m = g->reads.entries[i];
		o->readers_xor[m] ^= u;
		if (--o->n_readers_left[m] != 1 || g->memories[m].is_kept)
			continue;
		o->freed_bytes[o->readers_xor[m]] += g->memories[m].bytes;
		update_ready(o, o->readers_xor[m]);
	}
	for (int i = g->written.start[u]; o->stream[u] && o->policy & GREEDY && i < g->written.start[u + 1]; i++)
		for (int r = g->readers.start[g->written.entries[i]]; r < g->readers.start[g->written.entries[i] + 1]; r++) {
			o->allocated_bytes[g->readers.entries[r]] -= g->memories[g->written.entries[i]].bytes;
			update_ready(o, g->readers.entries[r]);
		}
	for (int i = g->successors.start[u]; i < g->successors.start[u + 1]; i++) {
		if (!(o->policy & GREEDY && o->stream[u]))
			o->n_pending[g->successors.entries[i]]--;
		update_ready(o, g->successors.entries[i]);
	}
}

/* Run node u after its pending predecessors, depth first. */
static void run_on_demand(struct orders *o, int u)
{
	const struct sr_schedule_graph *g = o->g;
	const int *predecessors = o->policy & BY_NEED ? o->operands_by_need : g->predecessors.entries;
	int n = 0;
	o->stack[n] = u;
	o->next_entry[n++] = g->predecessors.start[u];
	while (n) {
		int top = o->stack[n - 1];
		if (o->is_done[top] || o->next_entry[n - 1] == g->predecessors.start[top + 1]) {
			if (!o->is_done[top])
				run_node(o, top);
			n--;
			continue;
		}
		int next = predecessors[o->next_entry[n - 1]++];
		if (!o->is_done[next]) {
			o->stack[n] = next;
			o->next_entry[n++] = g->predecessors.start[next];
		}
	}
}

static void run_ready(struct orders *o)
{
	while (o->ready_nodes.n)
		run_on_demand(o, o->ready_nodes.nodes[0]);
}

/* ---- an order ---- */

static void begin_order(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	o->n_order = o->ready_nodes.n = 0;
	for (int m = 0; m < g->n_memories; m++) {
		o->n_readers_left[m] = g->readers.start[m + 1] - g->readers.start[m];
		o->readers_xor[m] = 0;
		for (int r = g->readers.start[m]; r < g->readers.start[m + 1]; r++)
			o->readers_xor[m] ^= g->readers.entries[r];
	}
	for (int u = 0; u < g->n; u++) {
		o->is_done[u] = false;
		o->ready_nodes.place[u] = 0;
		o->n_pending[u] = 0;
		o->allocated_bytes[u] = o->freed_bytes[u] = 0;
		for (int i = g->written.start[u]; i < g->written.start[u + 1]; i++)
			o->allocated_bytes[u] += g->memories[g->written.entries[i]].bytes;
		for (int i = g->reads.start[u]; i < g->reads.start[u + 1]; i++) {
			const struct sr_schedule_buffer *m = &g->memories[g->reads.entries[i]];
			if (o->n_readers_left[g->reads.entries[i]] == 1 && !m->is_kept)
				o->freed_bytes[u] += m->bytes;
			if (o->policy & GREEDY && m->node >= 0 && o->stream[m->node])
				o->allocated_bytes[u] += m->bytes;
		}
		for (int i = g->predecessors.start[u]; i < g->predecessors.start[u + 1]; i++)
			o->n_pending[u] += !(o->policy & GREEDY && o->stream[g->predecessors.entries[i]]);
	}
	for (int u = 0; u < g->n; u++)
		update_ready(o, u);
}

static void demand_results(struct orders *o)
{
	const struct sr_op *end = sr_block_terminator(o->g->block);
	for (int i = 0; i < end->n_operands; i++) {
		const struct sr_op *def = sr_operand(end, i)->def;
		if (!def || def->block != o->g->block)
			continue;
		run_on_demand(o, def->mark);
		run_ready(o);
	}
}

static void make_order(struct orders *o)
{
	begin_order(o);
	run_ready(o);
	if (o->policy & ALL_WAIT)
		demand_results(o);
	for (int u = 0; u < o->g->n; u++)
		if (!o->is_done[u] && !(o->policy & STREAMS_WAIT && o->stream[u])) {
			run_on_demand(o, u);
			run_ready(o);
		}
	for (int u = 0; u < o->g->n; u++) /* schedule streams whose values have no readers */
		run_on_demand(o, u);
}

/* ---- facts shared by all orders ---- */

static void find_streams(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	for (int u = 0; u < g->n; u++) {
		int n = 0;
		bool stream = sr_op_is_pure(g->ops[u]) || sr_op_has(g->ops[u], SR_COLLECTIVE);
		for (int i = g->reads.start[u]; i < g->reads.start[u + 1]; i++)
			n += g->memories[g->reads.entries[i]].bytes > 0;
		for (int i = g->predecessors.start[u]; i < g->predecessors.start[u + 1]; i++)
			stream = stream && o->stream[g->predecessors.entries[i]];
		o->stream[u] = stream && n <= 1;
	}
}

static int64_t bytes_written(const struct sr_schedule_graph *g, int u)
{
	int64_t bytes = 0;
	for (int i = g->written.start[u]; i < g->written.start[u + 1]; i++)
		bytes += g->memories[g->written.entries[i]].bytes;
	return bytes;
}

struct operand_need {
	int64_t excess; /* bytes that computing the node needs, without those of its result */
	int node;
};

static int compare_excess(const void *x, const void *y)
{
	const struct operand_need *a = x, *b = y;
	return a->excess != b->excess ? a->excess > b->excess ? -1 : 1 : a->node - b->node;
}

/* Compute needs as Sethi-Ullman numbers: of a node's operands, the one that takes most memory beyond its result runs first. */
static void find_needs(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	struct operand_need *operands_by_need = SR_NEW_ARRAY(g->arena, struct operand_need, g->n);
	for (int u = 0; u < g->n; u++) {
		int n = 0, first = g->predecessors.start[u];
		for (int i = first; i < g->predecessors.start[u + 1]; i++)
			operands_by_need[n++] = (struct operand_need){o->needed_bytes[g->predecessors.entries[i]] -
							  bytes_written(g, g->predecessors.entries[i]),
						      g->predecessors.entries[i]};
		qsort(operands_by_need, (size_t)n, sizeof *operands_by_need, compare_excess);
		int64_t held_bytes = 0;
		for (int i = 0; i < n; i++) {
			o->operands_by_need[first + i] = operands_by_need[i].node;
			o->needed_bytes[u] = held_bytes + o->needed_bytes[operands_by_need[i].node] > o->needed_bytes[u]
						 ? held_bytes + o->needed_bytes[operands_by_need[i].node]
						 : o->needed_bytes[u];
			held_bytes += bytes_written(g, operands_by_need[i].node);
		}
		held_bytes += bytes_written(g, u);
		o->needed_bytes[u] = held_bytes > o->needed_bytes[u] ? held_bytes : o->needed_bytes[u];
	}
}

static void allocate(struct orders *o)
{
	const struct sr_schedule_graph *g = o->g;
	struct sr_arena *a = g->arena;
	o->stream = SR_NEW_ARRAY(a, bool, g->n);
	o->needed_bytes = SR_NEW_ARRAY(a, int64_t, g->n);
	o->operands_by_need = SR_NEW_ARRAY(a, int, g->predecessors.start[g->n]);
	o->is_done = SR_NEW_ARRAY(a, bool, g->n);
	o->n_readers_left = SR_NEW_ARRAY(a, int, g->n_memories);
	o->readers_xor = SR_NEW_ARRAY(a, int, g->n_memories);
	o->n_pending = SR_NEW_ARRAY(a, int, g->n);
	o->allocated_bytes = SR_NEW_ARRAY(a, int64_t, g->n);
	o->freed_bytes = SR_NEW_ARRAY(a, int64_t, g->n);
	o->ready_nodes = (struct heap){SR_NEW_ARRAY(a, int, g->n), SR_NEW_ARRAY(a, int, g->n), 0};
	o->stack = SR_NEW_ARRAY(a, int, g->predecessors.start[g->n] + g->n + 1);
	o->next_entry = SR_NEW_ARRAY(a, int, g->predecessors.start[g->n] + g->n + 1);
	o->order = SR_NEW_ARRAY(a, int, g->n);
}

int64_t sr_schedule_best(const struct sr_schedule_graph *g, int *order)
{
	static const int candidates[] = {STREAMS_WAIT, EAGER, STREAMS_WAIT | EAGER, STREAMS_WAIT | EAGER | BY_NEED, ALL_WAIT | BY_NEED,
				   ALL_WAIT | EAGER | BY_NEED, GREEDY | STREAMS_WAIT};
	struct orders o = {.g = g};
	for (int u = 0; u < g->n; u++)
		order[u] = u;
	int64_t best_peak = sr_schedule_peak(g, order, NULL);
	allocate(&o);
	find_streams(&o);
	find_needs(&o);
	for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
		o.policy = candidates[c];
		make_order(&o);
		int64_t peak = sr_schedule_peak(g, o.order, NULL);
		if (peak >= best_peak)
			continue;
		best_peak = peak;
		for (int u = 0; u < g->n; u++)
			order[u] = o.order[u];
	}
	return best_peak;
}
