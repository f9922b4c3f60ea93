/* An order in which collectives are under way while other ops run. Each op has a moment at which it should begin: as in the order
 * given, or sooner where a collective behind it would else come late for its first reader. Of the ops that have what they read the
 * one whose moment is first comes next, so that readers of a collective that is not yet there make way. Times are the cost room's; a
 * collective's those between nodes, since within one nothing is lost by an end that comes later. Cost: for each op as many others
 * as may overtake it. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "work/schedule/schedule.h"
#include <math.h>

enum { AHEAD = 64, /* ops that may overtake one */ SHARING = 8 /* ranks, a node's link */ };

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

static double bytes_of(const struct sr_value *v)
{
	int64_t bytes;
	return v->type->kind == SR_TYPE_TENSOR && sr_type_bytes(v->type, &bytes) ? (double)bytes : 0;
}

static double elements_of(const struct sr_value *v)
{
	int64_t n;
	return v->type->kind == SR_TYPE_TENSOR && sr_type_elements(v->type, &n) ? (double)n : 0;
}

/* All that an op reads and writes once, and a product as a cube of as many multiply-adds. */
static double seconds_of(const struct sr_machine *machine, const struct sr_op *op)
{
	struct sr_node_work w = {0};
	for (int i = 0; i < op->n_results; i++)
		w.written_bytes += (int64_t)bytes_of(sr_result(op, i));
	for (int i = 0; i < op->n_operands; i++)
		w.read_bytes += (int64_t)bytes_of(sr_operand(op, i));
	double seconds = sr_cost_of_node(machine, &w).seconds;
	if (sr_op_is(op, SR_OP_stablehlo_dot_general)) {
		const struct sr_value *out = sr_result(op, 0);
		double all = elements_of(sr_operand(op, 0)) * elements_of(sr_operand(op, 1)) * elements_of(out);
		int64_t edge = (int64_t)cbrt(sqrt(all));
		struct sr_product_work product = {.batch = 1, .m = edge, .n = edge, .k = edge, .dtype = out->type->dtype};
		seconds = fmax(seconds, sr_cost_of_product(machine, &product).seconds);
	}
	return seconds;
}

static double seconds_under_way(const struct sr_machine *machine, const struct sr_op *op)
{
	struct sr_collective_work w = {0};
	w.rounds[SR_LINK_NETWORK] = w.messages[SR_LINK_NETWORK] = 1;
	for (int i = 0; i < op->n_results && i < op->n_operands; i++)
		w.sent_bytes[SR_LINK_NETWORK] += SHARING * (int64_t)fmax(bytes_of(sr_result(op, i)), bytes_of(sr_operand(op, i)));
	return sr_cost_of_collective(machine, &w).seconds;
}

static void find_moments(struct overlap *o)
{
	const struct sr_schedule_graph *g = o->g;
	double at = 0;
	for (int i = 0; i < g->n; i++) {
		o->moment[o->base[i]] = at;
		at += o->collective[o->base[i]] ? 0 : o->seconds[o->base[i]];
	}
	for (int i = g->n - 1; i >= 0; i--) {
		int u = o->base[i];
		for (int k = g->after.start[u]; k < g->after.start[u + 1]; k++)
			o->moment[u] = fmin(o->moment[u], o->moment[g->after.at[k]] - o->seconds[u]);
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
	double when;
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
		o->there[u] = o->now + (o->collective[u] ? o->seconds[u] : 0);
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
		o.collective[u] = sr_op_has(g->ops[u], SR_COLLECTIVE) && g->ops[u]->n_operands && g->ops[u]->n_results;
		any = any || o.collective[u];
		o.seconds[u] = o.collective[u] ? seconds_under_way(&machine, g->ops[u]) : seconds_of(&machine, g->ops[u]);
	}
	if (!any)
		return false;
	find_moments(&o);
	make(&o);
	for (int k = 0; k < g->n; k++)
		order[k] = o.order[k];
	return true;
}
