/* The best answer of a tiny program, by branch and bound over all answers made of enumerated strategies. The bound of a partial
 * answer is the sum of the costs of its nodes and of the lowest cost of each other node. The cost of a node counts the reshards
 * of values that no other choice affects: arguments with one reader, and results for readers without a choice. */
#include "partition/search/search.h"
#include <math.h>

enum {
	MAX_NODES = 4,        /* maximum number of nodes with a choice: the number of answers grows exponentially */
	MAX_STRATEGIES = 128, /* maximum number of assignments of axes per class of ops */
	MAX_ANSWERS = 128,    /* maximum number of complete answers that are evaluated */
};
#define ROUNDING 1e-9 /* relative error of sums of costs */

struct enumeration {
	struct sr_search *s;
	const struct sr_answer_limits *limits;
	struct sr_search_node *nodes[MAX_NODES];                     /* nodes with a choice */
	struct sr_strategy *present[MAX_NODES], *best[MAX_NODES];    /* their strategies in the present answer and in the best */
	double lowest_costs[MAX_NODES + 1];                         /* [i]: lower bound on the cost of nodes i to n - 1 together */
	int n, n_answers;
	double cost; /* an answer must be cheaper than this to be the best so far */
};

double sr_search_max_fixed_reshard(struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *layout)
{
	double max_cost = 0;
	s->visits += (int64_t)e->readers.n;
	for (size_t i = 0; i < e->readers.n; i++)
		if (!s->nodes.data[e->readers.data[i].node].kind)
			max_cost = fmax(max_cost, sr_search_reshard_cost(
							    s, e, layout, sr_search_required_layout(s, e->readers.data[i], false)));
	return max_cost;
}

/* Return a lower bound on what the node adds to the cost of every answer in which it has strategy x. */
static double cost_alone(struct sr_search *s, const struct sr_search_node *n, const struct sr_strategy *x)
{
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	double cost = sr_search_node_cost(s, n, x);
	for (int t = 0; t < n->n_tensors; t++) {
		const struct sr_search_value *e = n->edges[t] >= 0 ? &s->edges.data[n->edges[t]] : NULL;
		if (e && t >= n->n_operands)
			cost += sr_search_max_fixed_reshard(s, e, x->layouts[t]);
		else if (e && e->node < 0 && e->readers.n == 1)
			cost += sr_search_reshard_cost(s, e, e->external_layout, x->layouts[t]);
	}
	sr_arena_release(s->ctx->scratch, mark);
	return cost;
}

bool sr_search_answer_fits(struct sr_search *s, const struct sr_answer_limits *limits, double cost)
{
	double wire_bytes = sr_search_wire_bytes(s);
	bool must_fall = wire_bytes > limits->wire_bytes || s->has_unconstrained;
	return cost < (must_fall ? limits->ratio : 1) * limits->cost && wire_bytes <= limits->max_wire_bytes &&
	       sr_search_bytes_once(s) <= limits->max_wire_bytes_once;
}

static void keep_if_best(struct enumeration *e)
{
	double cost = sr_search_total_cost(e->s);
	if (cost >= e->cost || !sr_search_answer_fits(e->s, e->limits, cost))
		return;
	e->cost = (1 - ROUNDING) * cost;
	for (int i = 0; i < e->n; i++)
		e->best[i] = e->nodes[i]->current;
}

/* Estimate the cost of every answer in which the nodes before i have their current strategies, unless it cannot be the best.
 * `cost`: the sum of what these nodes add. */
static void try_answers(struct enumeration *e, int i, double cost)
{
	if (i == e->n) {
		struct sr_arena_position mark = sr_arena_mark(e->s->ctx->scratch);
		if (e->n_answers++ < MAX_ANSWERS)
			keep_if_best(e);
		sr_arena_release(e->s->ctx->scratch, mark);
		return;
	}
	struct sr_search_node *n = e->nodes[i];
	for (size_t k = 0; k < n->kind->slots.n; k++)
		for (struct sr_strategy *x = n->kind->slots.data[k]; x && e->n_answers <= MAX_ANSWERS; x = x->next) {
			double cost_with = x->fallback ? HUGE_VAL : cost + cost_alone(e->s, n, x);
			if (cost_with + e->lowest_costs[i + 1] >= e->cost)
				continue;
			sr_search_set(e->s, n, x);
			try_answers(e, i + 1, cost_with);
		}
}

/* Store the nodes with a choice and create their strategies. Returns false if there are too many of them. */
static bool list_nodes(struct enumeration *e)
{
	struct sr_search *s = e->s;
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_search_node *n = &s->nodes.data[i];
		if (!n->kind)
			continue;
		if (e->n == MAX_NODES)
			return false;
		e->best[e->n] = e->present[e->n] = n->current;
		e->nodes[e->n++] = n;
	}
	for (int i = 0; i < e->n; i++)
		if (!sr_search_make_strategies(s, e->nodes[i]->kind, MAX_STRATEGIES))
			return false;
	return true;
}

static double lowest_cost_alone(struct sr_search *s, const struct sr_search_node *n)
{
	double lowest = HUGE_VAL;
	for (size_t k = 0; k < n->kind->slots.n; k++)
		for (const struct sr_strategy *x = n->kind->slots.data[k]; x; x = x->next)
			lowest = x->fallback ? lowest : fmin(lowest, cost_alone(s, n, x));
	return lowest;
}

/* Set the bounds on the costs of nodes; return the bound on the cost of the function. */
static double find_lowest_costs(struct enumeration *e)
{
	for (int i = e->n - 1; i >= 0; i--)
		e->lowest_costs[i] = e->lowest_costs[i + 1] + lowest_cost_alone(e->s, e->nodes[i]);
	return e->lowest_costs[0];
}

double sr_search_lowest_cost(struct sr_search *s)
{
	struct enumeration e = {.s = s};
	return list_nodes(&e) ? find_lowest_costs(&e) : 0;
}

bool sr_search_exhaustively(struct sr_search *s, const struct sr_answer_limits *limits)
{
	struct enumeration e = {.s = s, .limits = limits, .cost = (1 - ROUNDING) * limits->cost};
	if (!list_nodes(&e))
		return false;
	if (find_lowest_costs(&e) >= e.cost)
		return true;
	try_answers(&e, 0, 0);
	bool is_complete = e.n_answers <= MAX_ANSWERS;
	for (int i = 0; i < e.n; i++)
		sr_search_set(s, e.nodes[i], is_complete ? e.best[i] : e.present[i]);
	return is_complete;
}
