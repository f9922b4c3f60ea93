/* Text for the option --explain-partition: the layout that the search chose for a value, the alternatives that it evaluated, and
 * how readers use the value:
 *
 *	%1 = stablehlo.tanh: tensor<16x32xf32>, at mlp.py:7:8
 *	  sharding [{"data"}, {"model"}], 256 bytes on a device
 *	  or [{"data"}, {}]: 256 bytes more on the wire, 1.3e-08 s more
 *	  read by stablehlo.dot_general (operand 0), at mlp.py:8:11: with this sharding
 *
 * The cost of an alternative includes the op that defines the value and the values that this op reads and defines, with all other
 * ops as chosen. Seconds include bytes on the wire, latencies and computation. Requires: the search is done and not yet written. */
#include "dialect/attr_names.h"
#include "partition/search/search.h"
#include "propagate/explain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EXPLAINED = 20, MAX_ALTERNATIVES = 8 };

struct explanation {
	struct sr_search *s;
	struct sr_explain *request;
	int n_omitted; /* number of values that are not printed because of the limit */
};

struct cost {
	double seconds, wire_bytes;
};

struct alternative {
	const struct sr_attr *layout;
	struct cost cost;
};

void sr_search_put_layout(const struct sr_search *s, const struct sr_attr *layout, struct sr_buf *out)
{
	sr_buf_putc(out, '[');
	for (int d = 0; d < layout->sharding->rank; d++) {
		sr_buf_puts(out, d ? ", {" : "{");
		sr_put_written_axes(s->ctx, layout->sharding->dims[d].axes, out);
		sr_buf_putc(out, '}');
	}
	sr_buf_putc(out, ']');
}

/* ---------------------------------------------------------------- costs */

static struct cost cost_with_neighbors(struct sr_search *s, const struct sr_search_node *n)
{
	double weight = s->operation_weight, round = s->latency_weight, cost_without_change = sr_search_cost_around(s, n);
	s->operation_weight = s->latency_weight = 0;
	struct cost cost = {sr_cost_model_seconds(s->costs, cost_without_change), sr_search_cost_around(s, n)};
	s->operation_weight = weight, s->latency_weight = round;
	return cost;
}

static int compare_seconds(const void *a, const void *b)
{
	const struct alternative *x = a, *y = b;
	return (x->cost.seconds > y->cost.seconds) - (x->cost.seconds < y->cost.seconds);
}

static void put_collectives(const struct explanation *e, const char *prefix, struct sr_wire_cost p, struct sr_buf *out)
{
	sr_buf_printf(out, "%s%.0f bytes on the wire in %d collective%s, %.2g s\n", prefix, p.sent_bytes, p.n, p.n > 1 ? "s" : "",
		      sr_cost_model_seconds(e->s->costs, p.bytes + e->s->latency_weight * p.rounds));
}

static void put_difference(struct sr_buf *out, double x, const char *unit, const char *where)
{
	if (x == 0)
		sr_buf_printf(out, "as many %s%s", unit, where);
	else
		sr_buf_printf(out, "%.0f %s %s%s", fabs(x), unit, x > 0 ? "more" : "fewer", where);
}

/* Append each alternative layout of the tensor for which the search created a strategy, with the cost of the cheapest such
 * strategy. */
static void put_alternatives(struct explanation *e, struct sr_search_node *n, int tensor, struct sr_buf *out)
{
	struct sr_search *s = e->s;
	SR_VEC(struct alternative) alternatives = {0};
	sr_search_set_next(s, n, n->current);
	struct cost now = cost_with_neighbors(s, n);
	for (size_t i = 0; i < n->kind->slots.n; i++)
		for (struct sr_strategy *x = n->kind->slots.data[i]; x; x = x->next) {
			const struct sr_attr *layout = x->layouts[tensor];
			size_t k = 0;
			if (layout == n->current->layouts[tensor])
				continue;
			sr_search_set_next(s, n, x);
			struct cost cost = cost_with_neighbors(s, n);
			while (k < alternatives.n && alternatives.data[k].layout != layout)
				k++;
			if (k == alternatives.n)
				sr_push(s->arena, &alternatives, (struct alternative){layout, cost});
			else if (cost.seconds < alternatives.data[k].cost.seconds)
				alternatives.data[k].cost = cost;
		}
	sr_search_set_next(s, n, n->current);
	if (alternatives.n)
		qsort(alternatives.data, alternatives.n, sizeof *alternatives.data, compare_seconds);
	for (size_t i = 0; i < alternatives.n && i < MAX_ALTERNATIVES; i++) {
		struct cost cost = alternatives.data[i].cost;
		sr_buf_puts(out, "  or ");
		sr_search_put_layout(e->s, alternatives.data[i].layout, out);
		sr_buf_puts(out, ": ");
		put_difference(out, cost.wire_bytes - now.wire_bytes, "bytes", " on the wire");
		sr_buf_printf(out, ", %.2g s %s\n", fabs(cost.seconds - now.seconds), cost.seconds < now.seconds ? "less" : "more");
	}
	if (alternatives.n > MAX_ALTERNATIVES)
		sr_buf_printf(out, "  and %d more expensive alternatives\n", (int)(alternatives.n - MAX_ALTERNATIVES));
}

/* ---------------------------------------------------------------- readers */

static void put_reader(struct explanation *e, const struct sr_search_value *v, size_t i, struct sr_buf *out)
{
	struct sr_search *s = e->s;
	struct sr_search_reader r = v->readers.data[i];
	const struct sr_search_node *n = &s->nodes.data[r.node];
	const struct sr_use *use = n->uses ? n->uses[r.tensor] : n->boundary;
	const struct sr_attr *current_layout = sr_search_layout_of(s, v, false),
			     *required_layout = sr_search_required_layout(s, r, false);
	bool is_repeated = false;
	sr_buf_printf(out, "  read by %s (operand %d)", use->owner->info->name, sr_use_index(use));
	sr_explain_put_place(out, use->owner->loc, false);
	if (!current_layout || !required_layout || required_layout == current_layout) {
		sr_buf_puts(out, ": with this sharding\n");
		return;
	}
	for (size_t k = 0; k < i; k++)
		is_repeated = is_repeated || sr_search_required_layout(s, v->readers.data[k], false) == required_layout;
	struct sr_reshard_cost cost = sr_cost_model_reshard(s->costs, s->mesh, v->value->type, current_layout, required_layout);
	sr_buf_puts(out, ": resharded to ");
	sr_search_put_layout(e->s, required_layout, out);
	if (is_repeated)
		sr_buf_puts(out, ", by the same reshard as another reader\n");
	else if (cost.steps.n == 0)
		sr_buf_puts(out, ", which sends nothing\n");
	else
		put_collectives(e, ", ", cost.steps, out);
}

/* ---------------------------------------------------------------- one value */

static void put_choice(struct explanation *e, const struct sr_search_value *v, struct sr_buf *out)
{
	struct sr_search *s = e->s;
	const struct sr_attr *current_layout = sr_search_layout_of(s, v, false),
			     *annotated_sharding = sr_value_sharding(s->ctx, v->value);
	if (!current_layout) {
		sr_buf_puts(out, "  sharding as annotated, on another mesh or unreduced; the search does not change it\n");
		return;
	}
	sr_buf_puts(out, "  sharding ");
	sr_search_put_layout(e->s, current_layout, out);
	sr_buf_printf(out, ", %.0f bytes on a device",
		      sr_cost_model_local_bytes(v->value->type, current_layout->sharding, s->mesh.mesh));
	if (v->node < 0)
		sr_buf_puts(out, v->value->def ? ", as propagated: the op that makes it has no alternative\n"
					       : ", as annotated: no alternative is considered\n");
	else if (annotated_sharding && !sr_sdy_sharding_is_equivalent(annotated_sharding->sharding, current_layout->sharding)) {
		sr_buf_puts(out, "; propagated: ");
		sr_search_put_layout(e->s, annotated_sharding, out);
		sr_buf_putc(out, '\n');
	} else
		sr_buf_puts(out, ", as propagated\n");
	if (v->node < 0)
		return;
	struct sr_search_node *n = &s->nodes.data[v->node];
	if (n->current->reductions.n)
		put_collectives(e, "  partial results are reduced: ", n->current->reductions, out);
	put_alternatives(e, n, v->tensor, out);
}

static void explain_value(struct explanation *e, struct sr_value *value)
{
	struct sr_search *s = e->s;
	struct sr_buf *out = e->request->out;
	intptr_t number = (intptr_t)sr_map_get(&s->numbers, value);
	if (e->request->n_found == MAX_EXPLAINED) {
		e->n_omitted++;
		return;
	}
	if (e->request->n_found++)
		sr_buf_putc(out, '\n');
	sr_explain_put_head(s->ctx, value, sr_explain_name(s->ctx, value), out);
	if (number == 0) {
		sr_buf_puts(out, sr_is_rematerializable(value)
				     ? "  is computed on each device with the sharding that each reader requires\n"
				     : "  has no dimension to shard, or is inside of a manual computation\n");
		return;
	}
	const struct sr_search_value *v = &s->edges.data[number - 1];
	put_choice(e, v, out);
	for (size_t i = 0; i < v->readers.n; i++)
		put_reader(e, v, i, out);
}

/* ---------------------------------------------------------------- selection of values */

/* Return true if the value is selected, by the matching rules of --explain or by the name of an argument or result in the
 * source. */
static bool is_selected(const struct explanation *e, const struct sr_value *v)
{
	const struct sr_op *func = e->s->func;
	const char *name = NULL, *request = e->request->request;
	if (!v->def && v->block == sr_func_entry(func))
		name = sr_func_arg_name(func, v->index);
	for (const struct sr_use *use = v->uses; use && !name; use = use->next)
		if (sr_op_has(use->owner, SR_TERMINATOR) && sr_op_parent(use->owner) == func) {
			const char *result = sr_func_result_name(func, sr_use_index(use));
			name = result && strcmp(result, request) == 0 ? result : NULL;
		}
	return (name && strcmp(name, request) == 0) || sr_value_matches_request(v, request);
}

static bool visit(void *data, struct sr_op *op)
{
	struct explanation *e = data;
	for (int i = 0; i < op->n_results; i++)
		if (is_selected(e, sr_result(op, i)))
			explain_value(e, sr_result(op, i));
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *b = op->regions[r].first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				if (is_selected(e, b->args[i]))
					explain_value(e, b->args[i]);
	return true;
}

void sr_search_explain(struct sr_search *s)
{
	struct explanation e = {.s = s, .request = s->ctx->explain_partition};
	sr_walk(s->func, visit, &e);
	if (e.n_omitted)
		sr_buf_printf(e.request->out, "\nand %d more values\n", e.n_omitted);
}
