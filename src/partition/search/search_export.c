/* Export of the search's problem and answer as JSON, for an exact solver (tests/oracle/exact.py):
 *
 *	{"cost": cost of the answer, "wire": its bytes, "alone": bytes that the ops alone send,
 *	 "nodes": [{"op": name, "now": the answer's strategy, "strategies": [[cost, bytes, layout of each tensor...], ...],
 *		    "values": [index in "values" of each tensor, -1: its layout costs nothing]}, ...],
 *	 "values": [{"node": node that defines the value, "tensor": its tensor there, or "layout": if no node does,
 *		     "readers": [[node, tensor], ...],
 *		     "costs": [[layout, required layout, cost, bytes], ...]}, ...],
 *	 "layouts": {text: number, ...}}
 *
 * A layout is a number. A node without choice has one strategy. Costs are as in search.h, at true weights of computation and
 * latency. A pair of layouts that is not listed costs nothing. Strategies: every assignment of whole axes to factors, in any
 * order, with reductions scattered along any dimension, and all strategies that the search tried. Cost: values times the square of
 * layouts; for small programs. */
#include "partition/partition.h"
#include "partition/search/search.h"
#include "support/json.h"
#include <math.h>

enum { MAX_STRATEGIES = 4000 };

struct problem_export {
	struct sr_search *s;
	struct sr_json j;
	struct sr_map numbers; /* map from layout to 1 + its number */
	SR_VEC(const struct sr_attr *) layouts;
};

static intptr_t layout_number(struct problem_export *e, const struct sr_attr *layout)
{
	void **at = sr_map_at(&e->numbers, layout);
	if (!*at) {
		sr_push(e->s->arena, &e->layouts, layout);
		*at = (void *)(intptr_t)e->layouts.n;
	}
	return (intptr_t)*at - 1;
}

/* ---------------------------------------------------------------- strategies */

static void put_strategy(struct problem_export *e, const struct sr_search_node *n, const struct sr_strategy *x)
{
	sr_json_open(&e->j, NULL, '[');
	sr_json_double(&e->j, NULL, x ? sr_search_node_cost(e->s, n, x) : 0);
	struct sr_search_weights weights = sr_search_count_bytes_alone(e->s);
	sr_json_double(&e->j, NULL, x ? sr_search_node_cost(e->s, n, x) : 0);
	sr_search_restore_weights(e->s, weights);
	for (int t = 0; t < n->n_tensors; t++) {
		const struct sr_attr *layout = x ? x->layouts[t] : n->fixed_layouts[t];
		sr_json_int(&e->j, NULL, layout ? layout_number(e, layout) : -1);
	}
	sr_json_close(&e->j);
}

static void put_node(struct problem_export *e, const struct sr_search_node *n)
{
	int k = 0, now = 0;
	sr_json_open(&e->j, NULL, '{');
	sr_json_string(&e->j, "op", n->op ? n->op->info->name : n->kind ? "equal layouts" : "boundary");
	sr_json_open(&e->j, "values", '[');
	for (int t = 0; t < n->n_tensors; t++)
		sr_json_int(&e->j, NULL, n->edges[t]);
	sr_json_close(&e->j);
	sr_json_open(&e->j, "strategies", '[');
	if (!n->kind)
		put_strategy(e, n, NULL);
	for (size_t i = 0; n->kind && i < n->kind->slots.n; i++)
		for (const struct sr_strategy *x = n->kind->slots.data[i]; x; x = x->next) {
			if (x->fallback)
				continue;
			now = x == n->current ? k : now;
			put_strategy(e, n, x);
			k++;
		}
	sr_json_close(&e->j);
	sr_json_int(&e->j, "now", now);
	sr_json_close(&e->j);
}

/* ---------------------------------------------------------------- values */

struct layouts { /* list with the members of SR_VEC(const struct sr_attr *) */
	const struct sr_attr **data;
	size_t n, cap;
};

static void add_layout(struct problem_export *e, struct layouts *list, const struct sr_attr *layout)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->data[i] == layout)
			return;
	if (layout)
		sr_push(e->s->arena, list, layout);
}

/* Add to the list every layout that the node can give to its tensor. */
static void add_layouts(struct problem_export *e, struct layouts *list, int node, int tensor)
{
	const struct sr_search_node *n = &e->s->nodes.data[node];
	if (!n->kind)
		add_layout(e, list, n->fixed_layouts[tensor]);
	for (size_t i = 0; n->kind && i < n->kind->slots.n; i++)
		for (const struct sr_strategy *x = n->kind->slots.data[i]; x; x = x->next)
			if (!x->fallback)
				add_layout(e, list, x->layouts[tensor]);
}

static void put_cost(struct problem_export *e, const struct sr_search_value *v, const struct sr_attr *from,
		     const struct sr_attr *to)
{
	double cost = sr_search_reshard_cost(e->s, v, from, to);
	if (cost == 0)
		return;
	sr_json_open(&e->j, NULL, '[');
	sr_json_int(&e->j, NULL, layout_number(e, from));
	sr_json_int(&e->j, NULL, layout_number(e, to));
	sr_json_double(&e->j, NULL, cost);
	struct sr_search_weights weights = sr_search_count_bytes_alone(e->s);
	sr_json_double(&e->j, NULL, sr_search_reshard_cost(e->s, v, from, to));
	sr_search_restore_weights(e->s, weights);
	sr_json_close(&e->j);
}

static void put_value(struct problem_export *e, const struct sr_search_value *v)
{
	struct layouts from = {0}, to = {0};
	sr_json_open(&e->j, NULL, '{');
	sr_json_int(&e->j, "node", v->node);
	sr_json_int(&e->j, "tensor", v->tensor);
	sr_json_int(&e->j, "layout", v->node < 0 && v->external_layout ? layout_number(e, v->external_layout) : -1);
	if (v->node < 0)
		add_layout(e, &from, v->external_layout);
	else
		add_layouts(e, &from, v->node, v->tensor);
	sr_json_open(&e->j, "readers", '[');
	for (size_t i = 0; i < v->readers.n; i++) {
		sr_json_open(&e->j, NULL, '[');
		sr_json_int(&e->j, NULL, v->readers.data[i].node);
		sr_json_int(&e->j, NULL, v->readers.data[i].tensor);
		sr_json_close(&e->j);
		add_layouts(e, &to, v->readers.data[i].node, v->readers.data[i].tensor);
	}
	sr_json_close(&e->j);
	sr_json_open(&e->j, "costs", '[');
	for (size_t i = 0; i < from.n; i++)
		for (size_t k = 0; k < to.n; k++)
			put_cost(e, v, from.data[i], to.data[k]);
	sr_json_close(&e->j);
	sr_json_close(&e->j);
}

static void put_layouts(struct problem_export *e)
{
	sr_json_open(&e->j, "layouts", '{');
	for (size_t i = 0; i < e->layouts.n; i++) {
		struct sr_buf text;
		sr_buf_init(&text, e->s->arena);
		sr_search_put_layout(e->s, e->layouts.data[i], &text);
		sr_json_int(&e->j, sr_buf_string(&text), (int64_t)i);
	}
	sr_json_close(&e->j);
}

void sr_search_export(struct sr_search *s)
{
	struct problem_export e = {.s = s};
	struct sr_buf text;
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	sr_buf_init(&text, s->arena);
	sr_json_init(&e.j, &text);
	sr_map_init(&e.numbers, s->arena);
	for (size_t i = 0; i < s->classes.n; i++)
		sr_search_make_strategies(s, s->classes.data[i], MAX_STRATEGIES);
	sr_json_open(&e.j, NULL, '{');
	sr_json_double(&e.j, "cost", sr_search_total_cost(s));
	sr_json_double(&e.j, "wire", sr_search_wire_bytes(s));
	sr_json_double(&e.j, "alone", isfinite(s->wire_bytes_alone) ? s->wire_bytes_alone : -1);
	sr_json_open(&e.j, "nodes", '[');
	for (size_t i = 0; i < s->nodes.n; i++)
		put_node(&e, &s->nodes.data[i]);
	sr_json_close(&e.j);
	sr_json_open(&e.j, "values", '[');
	for (size_t i = 0; i < s->edges.n; i++)
		put_value(&e, &s->edges.data[i]);
	sr_json_close(&e.j);
	put_layouts(&e);
	sr_json_close(&e.j);
	sr_op_set_attr(s->ctx, s->func, SR_SEARCH_PROBLEM, sr_attr_string(s->ctx, text.data, text.n));
	sr_arena_release(s->ctx->scratch, mark);
}
