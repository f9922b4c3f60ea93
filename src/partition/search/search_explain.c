/* What the search chose for a value, what else it looked at there, and what follows for the value's readers:
 *
 *	%1 = stablehlo.tanh: tensor<16x32xf32>, at mlp.py:7:8
 *	  lies [{"data"}, {"model"}], 256 bytes on a device
 *	  or [{"data"}, {}]: 256 bytes more on the wire, 1.3e-08 s more
 *	  read by stablehlo.dot_general (operand 0), at mlp.py:8:11: as it lies
 *
 * What another layout would cost counts the op that makes the value and all that touches this op's operands and results, with all
 * other ops as they were chosen. Seconds are the search's: bytes on the wire, collectives and what is computed. Requires: the
 * search done and not yet written. */
#include "dialect/attr_names.h"
#include "partition/search/search.h"
#include "propagate/explain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EXPLAINED = 20, MAX_OTHERS = 8 };

struct explain {
	struct sr_search *s;
	struct sr_explain *request;
	int n_more; /* that were left out */
};

struct cost {
	double seconds, wire;
};

struct other {
	const struct sr_attr *layout;
	struct cost cost;
};

static void put_layout(const struct explain *e, const struct sr_attr *layout, struct sr_buf *out)
{
	sr_buf_putc(out, '[');
	for (int d = 0; d < layout->sharding->rank; d++) {
		sr_buf_puts(out, d ? ", {" : "{");
		sr_put_written_axes(e->s->ctx, layout->sharding->dims[d].axes, out);
		sr_buf_putc(out, '}');
	}
	sr_buf_putc(out, ']');
}

/* ---------------------------------------------------------------- what it costs */

static struct cost cost_around(struct sr_search *s, const struct sr_search_node *n)
{
	double weight = s->weight, round = s->round, all = sr_search_cost_around(s, n);
	s->weight = s->round = 0;
	struct cost cost = {sr_cost_model_seconds(s->costs, all), sr_search_cost_around(s, n)};
	s->weight = weight, s->round = round;
	return cost;
}

static int by_seconds(const void *a, const void *b)
{
	const struct other *x = a, *y = b;
	return (x->cost.seconds > y->cost.seconds) - (x->cost.seconds < y->cost.seconds);
}

static void put_more(struct sr_buf *out, double x, const char *unit, const char *where)
{
	if (x == 0)
		sr_buf_printf(out, "as many %s%s", unit, where);
	else
		sr_buf_printf(out, "%.0f %s %s%s", fabs(x), unit, x > 0 ? "more" : "fewer", where);
}

/* Every layout of the tensor that the search has made a strategy for, by the cheapest of these. */
static void put_others(struct explain *e, struct sr_search_node *n, int tensor, struct sr_buf *out)
{
	struct sr_search *s = e->s;
	SR_VEC(struct other) others = {0};
	sr_search_set_next(s, n, n->now);
	struct cost now = cost_around(s, n);
	for (size_t i = 0; i < n->kind->slots.n; i++)
		for (struct sr_strategy *x = n->kind->slots.data[i]; x; x = x->next) {
			const struct sr_attr *layout = x->layouts[tensor];
			size_t k = 0;
			if (layout == n->now->layouts[tensor])
				continue;
			sr_search_set_next(s, n, x);
			struct cost cost = cost_around(s, n);
			while (k < others.n && others.data[k].layout != layout)
				k++;
			if (k == others.n)
				sr_push(s->arena, &others, (struct other){layout, cost});
			else if (cost.seconds < others.data[k].cost.seconds)
				others.data[k].cost = cost;
		}
	sr_search_set_next(s, n, n->now);
	if (others.n)
		qsort(others.data, others.n, sizeof *others.data, by_seconds);
	for (size_t i = 0; i < others.n && i < MAX_OTHERS; i++) {
		struct cost cost = others.data[i].cost;
		sr_buf_puts(out, "  or ");
		put_layout(e, others.data[i].layout, out);
		sr_buf_puts(out, ": ");
		put_more(out, cost.wire - now.wire, "bytes", " on the wire");
		sr_buf_printf(out, ", %.2g s %s\n", fabs(cost.seconds - now.seconds), cost.seconds < now.seconds ? "less" : "more");
	}
	if (others.n > MAX_OTHERS)
		sr_buf_printf(out, "  and %d others that cost more\n", (int)(others.n - MAX_OTHERS));
}

/* ---------------------------------------------------------------- who reads it */

static void put_reader(struct explain *e, const struct sr_search_value *v, size_t i, struct sr_buf *out)
{
	struct sr_search *s = e->s;
	struct sr_search_reader r = v->readers.data[i];
	const struct sr_search_node *n = &s->nodes.data[r.node];
	const struct sr_use *use = n->uses ? n->uses[r.tensor] : n->border;
	const struct sr_attr *lies = sr_search_layout_of(s, v, false), *wanted = sr_search_required_layout(s, r, false);
	bool again = false;
	sr_buf_printf(out, "  read by %s (operand %d)", use->owner->info->name, sr_use_index(use));
	sr_explain_put_place(out, use->owner->loc, false);
	if (!lies || !wanted || wanted == lies) {
		sr_buf_puts(out, ": as it lies\n");
		return;
	}
	for (size_t k = 0; k < i; k++)
		again = again || sr_search_required_layout(s, v->readers.data[k], false) == wanted;
	struct sr_reshard_cost cost = sr_cost_model_reshard(s->costs, s->mesh, v->value->type, lies, wanted);
	sr_buf_puts(out, ": resharded to ");
	put_layout(e, wanted, out);
	if (again)
		sr_buf_puts(out, " once for both\n");
	else if (cost.rounds == 0)
		sr_buf_puts(out, ", which sends nothing\n");
	else
		sr_buf_printf(out, ", %.0f bytes on the wire in %d collective%s, %.2g s\n", cost.bytes, cost.rounds,
			      cost.rounds > 1 ? "s" : "", sr_cost_model_seconds(s->costs, cost.bytes + s->round * cost.rounds));
}

/* ---------------------------------------------------------------- one value */

static void put_choice(struct explain *e, const struct sr_search_value *v, struct sr_buf *out)
{
	struct sr_search *s = e->s;
	const struct sr_attr *lies = sr_search_layout_of(s, v, false), *said = sr_value_sharding(s->ctx, v->value);
	if (!lies) {
		sr_buf_puts(out, "  lies as it was given, on another mesh or with partial values; the search leaves it\n");
		return;
	}
	sr_buf_puts(out, "  lies ");
	put_layout(e, lies, out);
	sr_buf_printf(out, ", %.0f bytes on a device", sr_cost_model_local_bytes(v->value->type, lies->sharding, s->mesh.mesh));
	if (v->node < 0)
		sr_buf_puts(out, v->value->def ? ", as propagation said: the op that makes it has no other choice\n" :
						 ", which is given: no other layout is looked at\n");
	else if (said && !sr_sdy_sharding_is_equivalent(said->sharding, lies->sharding)) {
		sr_buf_puts(out, "; propagation said ");
		put_layout(e, said, out);
		sr_buf_putc(out, '\n');
	} else
		sr_buf_puts(out, ", as propagation said\n");
	if (v->node < 0)
		return;
	struct sr_search_node *n = &s->nodes.data[v->node];
	if (n->now->rounds)
		sr_buf_printf(out, "  is made whole from partial results: %.0f bytes on the wire in %d collective%s, %.2g s\n", n->now->wire,
			      n->now->rounds, n->now->rounds > 1 ? "s" : "",
			      sr_cost_model_seconds(s->costs, n->now->wire + s->round * n->now->rounds));
	put_others(e, n, v->tensor, out);
}

static void explain_value(struct explain *e, struct sr_value *value)
{
	struct sr_search *s = e->s;
	struct sr_buf *out = e->request->out;
	intptr_t number = (intptr_t)sr_map_get(&s->numbers, value);
	if (e->request->n_found == MAX_EXPLAINED) {
		e->n_more++;
		return;
	}
	if (e->request->n_found++)
		sr_buf_putc(out, '\n');
	sr_explain_put_head(s->ctx, value, sr_explain_name(s->ctx, value), out);
	if (number == 0) {
		sr_buf_puts(out, sr_is_rematerializable(value) ? "  is made on each device as each reader wants it\n" :
							      "  has nothing to be cut, or lies inside of a manual computation\n");
		return;
	}
	const struct sr_search_value *v = &s->edges.data[number - 1];
	put_choice(e, v, out);
	for (size_t i = 0; i < v->readers.n; i++)
		put_reader(e, v, i, out);
}

/* ---------------------------------------------------------------- which values */

/* As --explain has it, or by what the source calls an argument or a result. */
static bool is_meant(const struct explain *e, const struct sr_value *v)
{
	const struct sr_op *func = e->s->func;
	const char *name = NULL, *what = e->request->what;
	if (!v->def && v->block == sr_func_entry(func))
		name = sr_func_arg_name(func, v->index);
	for (const struct sr_use *use = v->uses; use && !name; use = use->next)
		if (sr_op_has(use->owner, SR_TERMINATOR) && sr_op_parent(use->owner) == func) {
			const char *result = sr_func_result_name(func, sr_use_index(use));
			name = result && strcmp(result, what) == 0 ? result : NULL;
		}
	return (name && strcmp(name, what) == 0) || sr_value_matches_request(v, what);
}

static bool visit(void *data, struct sr_op *op)
{
	struct explain *e = data;
	for (int i = 0; i < op->n_results; i++)
		if (is_meant(e, sr_result(op, i)))
			explain_value(e, sr_result(op, i));
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *b = op->regions[r].first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				if (is_meant(e, b->args[i]))
					explain_value(e, b->args[i]);
	return true;
}

void sr_search_explain(struct sr_search *s)
{
	struct explain e = {.s = s, .request = s->ctx->explain_partition};
	sr_walk(s->func, visit, &e);
	if (e.n_more)
		sr_buf_printf(e.request->out, "\nand %d more values\n", e.n_more);
}
