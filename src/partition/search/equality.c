/* Values that lie alike, as a node: the rule of a map that has one factor a dimension, for as many operands and results as are
 * tied.
 *
 *	%r = while(%x) cond(%c) body(%b) { ... return %y }      operands %x, %y; results %r, %c, %b
 *
 * So all that is done to an op is done to it: an axis given to a dimension of %y is given to %x and to the readers of %b. */
#include "dialect/attr_names.h"
#include "import/edges/data_flow_edge.h"
#include "partition/partition.h"
#include "partition/search/search.h"

struct tie {
	struct sr_value *const *targets; /* [n_targets]: the owner first */
	struct sr_use *const *uses;      /* [n_uses] */
	int n_targets, n_uses;
};

/* ---------------------------------------------------------------- kinds */

static const struct sr_sharding_rule *rule_of(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	int n = n_operands + n_results;
	int32_t *factors = SR_NEWS(s->arena, int32_t, type->rank);
	struct sr_dim_mapping *dims = SR_NEWS(s->arena, struct sr_dim_mapping, type->rank);
	struct sr_tensor_mapping *maps = SR_NEWS(s->arena, struct sr_tensor_mapping, n);
	struct sr_sharding_rule *rule = SR_NEW(s->arena, struct sr_sharding_rule);
	for (int d = 0; d < type->rank; d++) {
		factors[d] = d;
		dims[d] = (struct sr_dim_mapping){&factors[d], 1};
	}
	for (int t = 0; t < n; t++)
		maps[t] = (struct sr_tensor_mapping){dims, type->rank};
	*rule = (struct sr_sharding_rule){.sizes = type->shape,
					  .n_factors = type->rank,
					  .operands = maps,
					  .results = maps + n_operands,
					  .n_operands = n_operands,
					  .n_results = n_results};
	return rule;
}

/* An op that stands nowhere, for the types of what is tied. */
static struct sr_op *stand_in(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	struct sr_value **operands = SR_NEWS(s->ctx->scratch, struct sr_value *, n_operands);
	const struct sr_type **types = SR_NEWS(s->ctx->scratch, const struct sr_type *, n_results + 1);
	struct sr_builder nowhere = {.ctx = s->ctx};
	for (int i = 0; i <= n_results; i++)
		types[i] = type;
	struct sr_op *one = sr_build(&nowhere, SR_OP_stablehlo_optimization_barrier, NULL, 0, NULL, 0, types, 1);
	for (int i = 0; i < n_operands; i++)
		operands[i] = sr_result(one, 0);
	return sr_build(&nowhere, SR_OP_stablehlo_optimization_barrier, operands, n_operands, NULL, 0, types, n_results);
}

static struct sr_op_view view_of(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	const struct sr_sharding_rule *rule = rule_of(s, type, n_operands, n_results);
	struct sr_op_view v = {.ctx = s->ctx,
			       .module = s->module,
			       .op = stand_in(s, type, n_operands, n_results),
			       .rule = rule,
			       .mesh = s->mesh,
			       .n_tensors = n_operands + n_results};
	const struct sr_sharding **none = SR_NEWS(s->arena, const struct sr_sharding *, v.n_tensors);
	int64_t elements = 0;
	v.given = SR_NEWS(s->arena, const struct sr_attr *, v.n_tensors);
	v.sizes = SR_NEWS(s->arena, int64_t, v.n_tensors);
	v.p = sr_projection_build(s->arena, rule, s->mesh.mesh, none, true);
	for (int t = 0; t < v.n_tensors; t++) {
		v.sizes[t] = sr_type_elements(type, &elements) ? elements : 0;
		for (int f = 0; f < rule->n_factors; f++)
			v.p.tensors[t].factors[f].present = true;
	}
	return v;
}

static struct sr_op_class *kind_of(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	const struct sr_attr *parts[] = {sr_attr_type(s->ctx, type), sr_attr_i64(s->ctx, n_operands),
					 sr_attr_i64(s->ctx, n_results)};
	const struct sr_attr *key = sr_attr_array(s->ctx, parts, 3);
	struct sr_op_class *kind = sr_map_get(&s->kinds, key);
	if (kind)
		return kind;
	kind = sr_search_new_op_class(s);
	kind->is_tie = true;
	kind->view = view_of(s, type, n_operands, n_results);
	kind->limits = (struct sr_shardability){SR_NEWS(s->arena, bool, type->rank), SR_NEWS(s->arena, bool, type->rank), false};
	sr_map_put(&s->kinds, key, kind);
	return kind;
}

/* ---------------------------------------------------------------- nodes */

static bool can_be_tied(struct sr_search *s, const struct tie *tie)
{
	const struct sr_type *type = tie->n_targets ? tie->targets[0]->type : tie->uses[0]->value->type;
	int n = tie->n_targets + tie->n_uses;
	if (type->kind != SR_TYPE_TENSOR || !type->rank || !sr_type_is_static(type) || type->dtype == SR_DTYPE_NONE ||
	    type->rank > SR_SEARCH_MAX_FACTORS || n > SR_SEARCH_MAX_TENSORS)
		return false;
	for (int i = 0; i < n; i++) {
		struct sr_value *v = i < tie->n_targets ? tie->targets[i] : tie->uses[i - tie->n_targets]->value;
		if (v->type != type || !sr_search_initial_layout(s, v))
			return false;
	}
	return true;
}

static bool read_tie(struct sr_search *s, const struct tie *tie)
{
	if (!can_be_tied(s, tie))
		return false;
	struct sr_search_node *n = sr_search_new_node(s, tie->n_uses, tie->n_targets);
	n->kind = kind_of(s, tie->n_targets ? tie->targets[0]->type : tie->uses[0]->value->type, tie->n_uses, tie->n_targets);
	for (int i = 0; i < tie->n_uses; i++)
		sr_search_add_operand(s, n, i, tie->uses[i]);
	for (int i = 0; i < tie->n_targets; i++)
		sr_search_add_result(s, n, tie->n_uses + i, tie->targets[i]);
	return true;
}

struct targets {
	struct sr_value *all[SR_SEARCH_MAX_TENSORS];
	int n;
};

static void add_target(void *data, struct sr_value *v)
{
	struct targets *t = data;
	if (t->n < SR_SEARCH_MAX_TENSORS)
		t->all[t->n++] = v;
}

void sr_search_add_equalities(struct sr_search *s, struct sr_op *op, void (*otherwise)(struct sr_search *s, struct sr_op *op, int edge))
{
	for (int i = 0; i < sr_edge_count(op); i++) {
		struct sr_edge edge = sr_edge_at(s->ctx, op, i);
		struct targets t = {{edge.target}, 1};
		bool free = edge.target->def && !sr_op_is(op, SR_OP_sdy_manual_computation);
		if (free)
			sr_edge_for_each_non_owner_target(edge.target, add_target, &t);
		if (!free || t.n == SR_SEARCH_MAX_TENSORS || !read_tie(s, &(struct tie){t.all, edge.uses, t.n, edge.n}))
			otherwise(s, op, i);
	}
}

void sr_search_add_unconstrained(struct sr_search *s)
{
	struct sr_block *entry = sr_func_entry(s->func);
	struct sr_op *end = sr_block_terminator(entry);
	for (int i = 0; i < entry->n_args; i++) {
		const struct sr_attr *free = sr_func_arg_attr(s->func, i, SR_UNCONSTRAINED);
		struct sr_use *use = free && free->i >= 0 && free->i < end->n_operands ? &end->operands[free->i] : NULL;
		s->is_free = s->is_free || free;
		if (free)
			read_tie(s, &(struct tie){&entry->args[i], &use, 1, use != NULL});
	}
	for (int i = 0; i < end->n_operands; i++) {
		const struct sr_attr *free = sr_func_result_attr(s->func, i, SR_UNCONSTRAINED);
		struct sr_use *use = &end->operands[i];
		if (free && free->i < 0)
			read_tie(s, &(struct tie){NULL, &use, 0, 1});
	}
}

struct sr_strategy *sr_search_equality_initial(struct sr_search *s, const struct sr_search_node *n)
{
	const int none[SR_SEARCH_MAX_FACTORS] = {0};
	struct sr_strategy *x = sr_search_strategy(s, n->kind, none, NULL);
	for (int t = n->n_operands; t < n->n_tensors; t++) { /* the owner is the first result */
		const struct sr_attr *given = n->edges[t] >= 0 ? s->edges.data[n->edges[t]].lies : NULL;
		if (given)
			return sr_search_strategy_with_layout(s, n->kind, x, t, given);
	}
	/* a result that is free: as propagation said */
	const struct sr_use *end = n->n_operands == n->n_tensors ? n->uses[0] : NULL;
	const struct sr_attr *said = end ? sr_result_sharding_of_func(s->func, sr_use_index(end)) : NULL;
	return said && n->edges[0] >= 0 ? sr_search_strategy_with_layout(s, n->kind, x, 0, said) : x;
}
