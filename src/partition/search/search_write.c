/* Writing of the search's answer into the function: layouts become shardings of results, and reshards are inserted after a value,
 * one for all readers that require the same layout. */
#include "partition/partition.h"
#include "partition/search/search.h"

struct reshard_of_layout {
	const struct sr_attr *layout;
	struct sr_value *value;
};

/* Return true if the value is sharded along a dimension that the reader cannot partition, so that the reader requires it
 * replicated. */
static bool is_unshardable(const struct sr_search *s, struct sr_search_reader r, const struct sr_attr *current_layout,
			   const struct sr_attr *required_layout)
{
	const struct sr_op_class *kind = s->nodes.data[r.node].kind;
	const struct sr_tensor_mapping *map = kind ? sr_projection_mapping(&kind->view.p, r.tensor) : NULL;
	for (int d = 0; map && sr_sdy_sharding_is_replicated(required_layout->sharding) && d < map->rank; d++)
		for (int k = 0; current_layout->sharding->dims[d].axes.n && k < map->dims[d].n; k++)
			if (kind->shardability.must_replicate[map->dims[d].factors[k]])
				return true;
	return false;
}

static void write_value(struct sr_search *s, const struct sr_search_value *e)
{
	const struct sr_attr *current_layout = sr_search_layout_of(s, e, false);
	SR_VEC(struct reshard_of_layout) made = {0};
	if (!current_layout)
		return;
	for (size_t i = 0; i < e->readers.n; i++) {
		struct sr_search_reader r = e->readers.data[i];
		const struct sr_attr *required_layout = sr_search_required_layout(s, r, false);
		const struct sr_search_node *n = &s->nodes.data[r.node];
		size_t k = 0;
		/* reshards at the function's boundary are inserted by shardrun-insert-reshards */
		if (!n->uses || !required_layout || required_layout == current_layout)
			continue;
		if (n->op && is_unshardable(s, r, current_layout, required_layout))
			sr_note_unshardable_dim(s->ctx, n->op, e->value, r.tensor, current_layout);
		while (k < made.n && made.data[k].layout != required_layout)
			k++;
		if (k == made.n) {
			struct sr_builder at = sr_builder_after(s->ctx, e->value);
			sr_push(s->arena, &made,
				(struct reshard_of_layout){required_layout, sr_build_reshard(&at, e->value, required_layout)});
		}
		sr_use_set(n->uses[r.tensor], made.data[k].value);
	}
}

/* Remove the attributes SR_UNCONSTRAINED from arguments and results. */
static void remove_unconstrained_attrs(struct sr_search *s)
{
	const struct sr_type *type = sr_func_type(s->func);
	const struct sr_attr **args = sr_func_arg_dicts(s->ctx, s->func), **results = sr_func_result_dicts(s->ctx, s->func);
	for (int i = 0; i < type->n_inputs; i++)
		args[i] = sr_dict_with(s->ctx, args[i], SR_UNCONSTRAINED, NULL);
	for (int i = 0; i < type->n_results; i++)
		results[i] = sr_dict_with(s->ctx, results[i], SR_UNCONSTRAINED, NULL);
	sr_func_set_arg_dicts(s->ctx, s->func, args);
	sr_func_set_result_dicts(s->ctx, s->func, results);
}

/* Set the shardings of unconstrained results to the layouts of their equality constraints. */
static void write_results(struct sr_search *s)
{
	const struct sr_op *end = sr_block_terminator(sr_func_entry(s->func));
	const struct sr_attr **layouts = SR_NEW_ARRAY(s->arena, const struct sr_attr *, end->n_operands);
	for (size_t i = 0; i < s->nodes.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[i];
		for (int t = 0; n->kind && n->kind->is_equality && t < n->n_operands; t++)
			if (n->uses[t] && n->uses[t]->owner == end)
				layouts[sr_use_index(n->uses[t])] = n->current->layouts[t];
	}
	sr_func_set_result_attrs(s->ctx, s->func, "sdy.sharding", layouts);
}

/* Return true if the layouts of the op do not follow from the shardings of its operands and results: a reduction is scattered, or
 * an operand that every device can compute has another sharding. */
static bool needs_record(struct sr_search *s, const struct sr_search_node *n)
{
	if (n->kind->shardability.needs_form || n->current->scatter)
		return true;
	for (int t = 0; t < n->n_operands; t++) {
		struct sr_value *v = sr_operand(n->op, t);
		if (n->edges[t] < 0 && v->type->rank > 0 && sr_search_initial_layout(s, v) != n->current->layouts[t])
			return true;
	}
	return false;
}

/* Record how each op is computed if that does not follow from the shardings. An op that is computed without a form does not read
 * through the ops that define its operands, so their marks (sr_form_is_read_through) are removed. */
static void write_forms(struct sr_search *s)
{
	for (size_t i = 0; i < s->nodes.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[i];
		if (!n->op || !n->kind || !needs_record(s, n))
			continue;
		/* A form reduces and scatters its result itself; the result of an op that is computed by its rule is partial. */
		bool is_partial = n->current->scatter && !n->current->form;
		const struct sr_strategy *recorded_strategy = is_partial ? sr_search_strategy(s, n->kind, n->current->axes, NULL)
									 : n->current;
		sr_form_record(s->ctx, n->op, n->current->form, recorded_strategy->layouts);
		for (int t = 0; !n->current->form && t < n->n_operands; t++)
			sr_form_stop_reading_through(s->ctx, n->op, t, n->current->layouts[t]);
	}
}

void sr_search_write(struct sr_search *s)
{
	write_results(s);
	remove_unconstrained_attrs(s);
	write_forms(s);
	for (size_t i = 0; i < s->edges.n; i++) {
		const struct sr_search_value *e = &s->edges.data[i];
		if (e->node >= 0)
			sr_value_set_sharding(s->ctx, e->value, sr_search_layout_of(s, e, false));
	}
	for (size_t i = 0; i < s->edges.n; i++)
		write_value(s, &s->edges.data[i]);
}
