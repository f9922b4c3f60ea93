/* List scheduling for overlap. Each op has a deadline to start: its time in the given order, or earlier if a later collective
 * would delay its first reader. Of the ops whose operands are ready, the one with the first deadline runs next, so that readers
 * of a pending collective run later. Times come from the cost model; a collective counts at internode speed, since overlap gains
 * nothing within a node. Collectives share one link: of several with readers at the same time the first starts earliest, and its
 * operands are computed first. Cost: MAX_CANDIDATES candidates per op. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "work/schedule/schedule.h"
#include <math.h>

enum { MAX_CANDIDATES = 64 /* maximum number of candidates for the next position */ };

struct overlap {
	const struct sr_schedule_graph *g;
	const int *base;    /* the order of nodes before collectives are moved */
	double *seconds;    /* duration of each node in seconds; for a collective, of its transfer */
	bool *collective;   /* [n] */
	double *deadline;     /* deadline at which each node must start */
	/* The members below are the state while the order is built. */
	bool *is_done;
	double *available;      /* time at which each node's results are available */
	double now;
	int *order, n_order;
};

static void find_deadlines(struct overlap *o)
{
	const struct sr_schedule_graph *g = o->g;
	double at = 0, link = INFINITY;
	for (int i = 0; i < g->n; i++) {
		o->deadline[o->base[i]] = at;
		at += o->collective[o->base[i]] ? 0 : o->seconds[o->base[i]];
	}
	for (int i = g->n - 1; i >= 0; i--) {
		int u = o->base[i];
		for (int k = g->successors.start[u]; k < g->successors.start[u + 1]; k++)
			o->deadline[u] = fmin(o->deadline[u], o->deadline[g->successors.entries[k]] - o->seconds[u]);
		if (o->collective[u])
			link = o->deadline[u] = fmin(o->deadline[u], link - o->seconds[u]);
	}
}

/* Return true if all predecessors of the node have run; *start: the time at which its operands are available. */
static bool is_ready(const struct overlap *o, int u, double *start)
{
	const struct sr_schedule_graph *g = o->g;
	*start = 0;
	for (int i = g->predecessors.start[u]; i < g->predecessors.start[u + 1]; i++) {
		if (!o->is_done[g->predecessors.entries[i]])
			return false;
		*start = fmax(*start, o->available[g->predecessors.entries[i]]);
	}
	return true;
}

/* Return the candidate with the first deadline among those whose operands are available; if there is none, the candidate whose
 * operands are available soonest. */
static int next_op(const struct overlap *o, int first)
{
	int next = -1, first_available = -1;
	double start, min_start = INFINITY;
	for (int i = first, n_checked = 0; i < o->g->n && n_checked < MAX_CANDIDATES; i++) {
		int u = o->base[i];
		if (o->is_done[u])
			continue;
		n_checked++;
		if (!is_ready(o, u, &start))
			continue;
		if (start <= o->now && (next < 0 || o->deadline[u] < o->deadline[next]))
			next = u;
		if (start < min_start) {
			min_start = start;
			first_available = u;
		}
	}
	return next >= 0 ? next : first_available;
}

static void make_order(struct overlap *o)
{
	const struct sr_schedule_graph *g = o->g;
	int first = 0;
	double start, link = 0;
	o->now = 0;
	for (int u = 0; u < g->n; u++)
		o->is_done[u] = false;
	for (o->n_order = 0; o->n_order < g->n;) {
		while (first < g->n && o->is_done[o->base[first]])
			first++;
		int u = next_op(o, first);
		is_ready(o, u, &start);
		o->now = fmax(o->now, start);
		o->now += o->collective[u] ? 0 : o->seconds[u];
		o->available[u] = o->now;
		if (o->collective[u])
			link = o->available[u] = fmax(o->now, link) + o->seconds[u];
		o->is_done[u] = true;
		o->order[o->n_order++] = u;
	}
}

bool sr_schedule_overlap(const struct sr_schedule_graph *g, int *order)
{
	struct overlap o = {.g = g, .base = order};
	struct sr_machine core, machine;
	bool has_collectives = false;
	o.seconds = SR_NEW_ARRAY(g->arena, double, g->n);
	o.collective = SR_NEW_ARRAY(g->arena, bool, g->n);
	o.deadline = SR_NEW_ARRAY(g->arena, double, g->n);
	o.available = SR_NEW_ARRAY(g->arena, double, g->n);
	o.is_done = SR_NEW_ARRAY(g->arena, bool, g->n);
	o.order = SR_NEW_ARRAY(g->arena, int, g->n);
	sr_machine_default(&core);
	const struct sr_machine *node = g->ctx->machine ? g->ctx->machine : &core;
	sr_machine_of_rank(node, node->ranks_per_node, &machine);
	for (int u = 0; u < g->n; u++) {
		o.collective[u] = sr_schedule_communicates(g->ops[u]);
		has_collectives = has_collectives || o.collective[u];
		o.seconds[u] = sr_schedule_seconds(&machine, g->ops[u]);
	}
	if (!has_collectives)
		return false;
	find_deadlines(&o);
	make_order(&o);
	for (int k = 0; k < g->n; k++)
		order[k] = o.order[k];
	return true;
}
