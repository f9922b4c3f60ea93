/* The answer: how each result lies as its sharding, and a reshard, behind the value and once for all that want the same, wherever a
 * reader wants it otherwise. */
#include "partition/partition.h"
#include "partition/search/search.h"

struct resharded {
	const struct sr_attr *layout;
	struct sr_value *value;
};

/* It lies cut along what the reader cannot work on in parts, and is wanted whole. */
static bool is_limited(const struct sr_search *s, struct sr_search_reader r, const struct sr_attr *lies, const struct sr_attr *wanted)
{
	const struct sr_op_class *kind = s->nodes.data[r.node].kind;
	const struct sr_tensor_mapping *map = kind ? sr_projection_mapping(&kind->view.p, r.tensor) : NULL;
	for (int d = 0; map && sr_sdy_sharding_is_replicated(wanted->sharding) && d < map->rank; d++)
		for (int k = 0; lies->sharding->dims[d].axes.n && k < map->dims[d].n; k++)
			if (kind->limits.whole[map->dims[d].factors[k]])
				return true;
	return false;
}

static void write_edge(struct sr_search *s, const struct sr_search_value *e)
{
	const struct sr_attr *lies = sr_search_layout_of(s, e, false);
	SR_VEC(struct resharded) made = {0};
	if (!lies)
		return;
	for (size_t i = 0; i < e->readers.n; i++) {
		struct sr_search_reader r = e->readers.data[i];
		const struct sr_attr *wanted = sr_search_required_layout(s, r, false);
		const struct sr_search_node *n = &s->nodes.data[r.node];
		size_t k = 0;
		if (!n->uses || !wanted || wanted == lies) /* at the border choosing reshards */
			continue;
		if (n->op && is_limited(s, r, lies, wanted))
			sr_note_unshardable_dim(s->ctx, n->op, e->value, r.tensor, lies);
		while (k < made.n && made.data[k].layout != wanted)
			k++;
		if (k == made.n) {
			struct sr_builder at = sr_builder_after(s->ctx, e->value);
			sr_push(s->arena, &made, (struct resharded){wanted, sr_build_reshard(&at, e->value, wanted)});
		}
		sr_use_set(n->uses[r.tensor], made.data[k].value);
	}
}

/* What was free is so no more. */
static void forget_free(struct sr_search *s)
{
	const struct sr_type *type = sr_func_type(s->func);
	for (int i = 0; i < type->n_inputs; i++)
		sr_func_set_arg_attr(s->ctx, s->func, i, SR_UNCONSTRAINED, NULL);
	for (int i = 0; i < type->n_results; i++)
		sr_func_set_result_attr(s->ctx, s->func, i, SR_UNCONSTRAINED, NULL);
}

/* Results that are free lie as their ties do. */
static void write_results(struct sr_search *s)
{
	const struct sr_op *end = sr_block_terminator(sr_func_entry(s->func));
	for (size_t i = 0; i < s->nodes.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[i];
		for (int t = 0; n->kind && n->kind->is_tie && t < n->n_operands; t++)
			if (n->uses[t] && n->uses[t]->owner == end)
				sr_func_set_result_attr(s->ctx, s->func, sr_use_index(n->uses[t]), "sdy.sharding",
							n->now->layouts[t]);
	}
}

void sr_search_write(struct sr_search *s)
{
	write_results(s);
	forget_free(s);
	for (size_t i = 0; i < s->edges.n; i++) {
		const struct sr_search_value *e = &s->edges.data[i];
		if (e->node >= 0)
			sr_value_set_sharding(s->ctx, e->value, sr_search_layout_of(s, e, false));
	}
	for (size_t i = 0; i < s->edges.n; i++)
		write_edge(s, &s->edges.data[i]);
}
