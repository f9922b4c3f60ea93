/* An order in which collectives are under way while other ops run. Each op has a moment at which it should begin: as in the order
 * given, or sooner where a collective behind it would else come late for its first reader. Of the ops that have what they read the
 * one whose moment is first comes next, so that readers of a collective that is not yet there make way. Times are the cost room's;
 * a collective's those between nodes, since within one nothing is lost by an end that comes later. They share one link: of several
 * whose readers come together the first begins soonest, and what is computed for it comes first. Cost: for each op as many others
 * as may overtake it. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "work/schedule/schedule.h"
#include <math.h>

enum { AHEAD = 64 /* ops that may overtake one */ };

struct overlap {
	const struct sr_schedule_graph *g;
	const int *base;    /* the order given */
	double *seconds;    /* [n]: of each node; of a collective, that it is under way */
	bool *collective;   /* [n] */
	double *moment;     /* [n]: when each should begin */
	/* the state of one order */
	bool *done;
	double *there;      /* [n]: when its results are */
	double now;
	int *order, n_order;
};

static void find_moments(struct overlap *o)
{
	const struct sr_schedule_graph *g = o->g;
	double at = 0, link = INFINITY;
	for (int i = 0; i < g->n; i++) {
		o->moment[o->base[i]] = at;
		at += o->collective[o->base[i]] ? 0 : o->seconds[o->base[i]];
	}
	for (int i = g->n - 1; i >= 0; i--) {
		int u = o->base[i];
		for (int k = g->after.start[u]; k < g->after.start[u + 1]; k++)
			o->moment[u] = fmin(o->moment[u], o->moment[g->after.at[k]] - o->seconds[u]);
		if (o->collective[u])
			link = o->moment[u] = fmin(o->moment[u], link - o->seconds[u]);
	}
}

/* Everything before it has run; *when: what it reads is there. */
static bool may_run(const struct overlap *o, int u, double *when)
{
	const struct sr_schedule_graph *g = o->g;
	*when = 0;
	for (int i = g->before.start[u]; i < g->before.start[u + 1]; i++) {
		if (!o->done[g->before.at[i]])
			return false;
		*when = fmax(*when, o->there[g->before.at[i]]);
	}
	return true;
}

/* Of the next ops that have what they read the one whose moment is first, else the one that waits least. */
static int choose(const struct overlap *o, int first)
{
	int next = -1, least = -1;
	double when, soonest = INFINITY;
	for (int i = first, seen = 0; i < o->g->n && seen < AHEAD; i++) {
		int u = o->base[i];
		if (o->done[u])
			continue;
		seen++;
		if (!may_run(o, u, &when))
			continue;
		if (when <= o->now && (next < 0 || o->moment[u] < o->moment[next]))
			next = u;
		if (when < soonest) {
			soonest = when;
			least = u;
		}
	}
	return next >= 0 ? next : least;
}

static void make(struct overlap *o)
{
	const struct sr_schedule_graph *g = o->g;
	int first = 0;
	double when, link = 0;
	o->now = 0;
	for (int u = 0; u < g->n; u++)
		o->done[u] = false;
	for (o->n_order = 0; o->n_order < g->n;) {
		while (first < g->n && o->done[o->base[first]])
			first++;
		int u = choose(o, first);
		may_run(o, u, &when);
		o->now = fmax(o->now, when);
		o->now += o->collective[u] ? 0 : o->seconds[u];
		o->there[u] = o->now;
		if (o->collective[u])
			link = o->there[u] = fmax(o->now, link) + o->seconds[u];
		o->done[u] = true;
		o->order[o->n_order++] = u;
	}
}

bool sr_schedule_overlap(const struct sr_schedule_graph *g, int *order)
{
	struct overlap o = {.g = g, .base = order};
	struct sr_machine core, machine;
	bool any = false;
	o.seconds = SR_NEWS(g->arena, double, g->n);
	o.collective = SR_NEWS(g->arena, bool, g->n);
	o.moment = SR_NEWS(g->arena, double, g->n);
	o.there = SR_NEWS(g->arena, double, g->n);
	o.done = SR_NEWS(g->arena, bool, g->n);
	o.order = SR_NEWS(g->arena, int, g->n);
	sr_machine_default(&core);
	sr_machine_of_rank(g->ctx->machine ? g->ctx->machine : &core, 1, &machine);
	for (int u = 0; u < g->n; u++) {
		o.collective[u] = sr_schedule_communicates(g->ops[u]);
		any = any || o.collective[u];
		o.seconds[u] = sr_schedule_seconds(&machine, g->ops[u]);
	}
	if (!any)
		return false;
	find_moments(&o);
	make(&o);
	for (int k = 0; k < g->n; k++)
		order[k] = o.order[k];
	return true;
}
