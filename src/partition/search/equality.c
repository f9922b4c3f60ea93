/* Equality constraints: values that must have one layout, as a node. The node's sharding rule is that of an elementwise op with one
 * factor per dimension and as many operands and results as there are values.
 *
 *	%r = while(%x) cond(%c) body(%b) { ... return %y }                 operands %x, %y; results %r, %c, %b
 *
 * Changes pass through such a node as through any op: an axis added to a dimension of %y is added to %x and to the readers of
 * %b. */
#include "dialect/attr_names.h"
#include "import/edges/data_flow_edge.h"
#include "partition/partition.h"
#include "partition/search/search.h"

struct equality {
	struct sr_value *const *targets; /* values that have the layout, the owner first; length: n_targets */
	struct sr_use *const *uses;      /* uses that require the layout; length: n_uses */
	int n_targets, n_uses;
};

/* ---------------------------------------------------------------- classes */

static const struct sr_sharding_rule *rule_of(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	int n = n_operands + n_results;
	int32_t *factors = SR_NEW_ARRAY(s->arena, int32_t, type->rank);
	struct sr_dim_mapping *dims = SR_NEW_ARRAY(s->arena, struct sr_dim_mapping, type->rank);
	struct sr_tensor_mapping *maps = SR_NEW_ARRAY(s->arena, struct sr_tensor_mapping, n);
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

/* Build an op outside of any block, with operands and results of the values' types. */
static struct sr_op *placeholder_op(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	struct sr_value **operands = SR_NEW_ARRAY(s->ctx->scratch, struct sr_value *, n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(s->ctx->scratch, const struct sr_type *, n_results + 1);
	struct sr_builder detached_builder = {.ctx = s->ctx};
	for (int i = 0; i <= n_results; i++)
		types[i] = type;
	struct sr_op *one = sr_build(&detached_builder, SR_OP_stablehlo_optimization_barrier, NULL, 0, NULL, 0, types, 1);
	for (int i = 0; i < n_operands; i++)
		operands[i] = sr_result(one, 0);
	return sr_build(&detached_builder, SR_OP_stablehlo_optimization_barrier, operands, n_operands, NULL, 0, types, n_results);
}

static struct sr_op_view view_of(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	const struct sr_sharding_rule *rule = rule_of(s, type, n_operands, n_results);
	struct sr_op_view v = {.ctx = s->ctx,
			       .module = s->module,
			       .op = placeholder_op(s, type, n_operands, n_results),
			       .rule = rule,
			       .mesh = s->mesh,
			       .n_tensors = n_operands + n_results};
	const struct sr_sharding **no_shardings = SR_NEW_ARRAY(s->arena, const struct sr_sharding *, v.n_tensors);
	int64_t elements = 0;
	v.shardings = SR_NEW_ARRAY(s->arena, const struct sr_attr *, v.n_tensors);
	v.sizes = SR_NEW_ARRAY(s->arena, int64_t, v.n_tensors);
	v.p = sr_projection_build(s->arena, rule, s->mesh.mesh, no_shardings, true);
	for (int t = 0; t < v.n_tensors; t++) {
		v.sizes[t] = sr_type_elements(type, &elements) ? elements : 0;
		for (int f = 0; f < rule->n_factors; f++)
			v.p.tensors[t].factors[f].is_present = true;
	}
	return v;
}

static struct sr_op_class *equality_class(struct sr_search *s, const struct sr_type *type, int n_operands, int n_results)
{
	const struct sr_attr *hashed_attrs[] = {sr_attr_type(s->ctx, type), sr_attr_i64(s->ctx, n_operands),
					 sr_attr_i64(s->ctx, n_results)};
	const struct sr_attr *key = sr_attr_array(s->ctx, hashed_attrs, 3);
	struct sr_op_class *kind = sr_map_get(&s->kinds, key);
	if (kind)
		return kind;
	kind = sr_search_new_op_class(s);
	kind->is_equality = true;
	kind->view = view_of(s, type, n_operands, n_results);
	kind->shardability =
		(struct sr_shardability){SR_NEW_ARRAY(s->arena, bool, type->rank), SR_NEW_ARRAY(s->arena, bool, type->rank), false};
	sr_map_put(&s->kinds, key, kind);
	return kind;
}

/* ---------------------------------------------------------------- nodes */

static bool can_be_constrained(struct sr_search *s, const struct equality *equality)
{
	const struct sr_type *type = equality->n_targets ? equality->targets[0]->type : equality->uses[0]->value->type;
	int n = equality->n_targets + equality->n_uses;
	if (type->kind != SR_TYPE_TENSOR || !type->rank || !sr_type_is_static(type) || type->dtype == SR_DTYPE_NONE ||
	    type->rank > SR_SEARCH_MAX_FACTORS || n > SR_SEARCH_MAX_TENSORS)
		return false;
	for (int i = 0; i < n; i++) {
		struct sr_value *v =
			i < equality->n_targets ? equality->targets[i] : equality->uses[i - equality->n_targets]->value;
		if (v->type != type || !sr_search_initial_layout(s, v))
			return false;
	}
	return true;
}

static bool add_equality(struct sr_search *s, const struct equality *equality)
{
	if (!can_be_constrained(s, equality))
		return false;
	struct sr_search_node *n = sr_search_new_node(s, equality->n_uses, equality->n_targets);
	n->kind = equality_class(s, equality->n_targets ? equality->targets[0]->type : equality->uses[0]->value->type,
				 equality->n_uses, equality->n_targets);
	for (int i = 0; i < equality->n_uses; i++)
		sr_search_add_operand(s, n, i, equality->uses[i]);
	for (int i = 0; i < equality->n_targets; i++)
		sr_search_add_result(s, n, equality->n_uses + i, equality->targets[i]);
	return true;
}

struct target_list {
	struct sr_value *values[SR_SEARCH_MAX_TENSORS];
	int n;
};

static void add_target(void *data, struct sr_value *v)
{
	struct target_list *t = data;
	if (t->n < SR_SEARCH_MAX_TENSORS)
		t->values[t->n++] = v;
}

void sr_search_add_equalities(struct sr_search *s, struct sr_op *op,
			      void (*otherwise)(struct sr_search *s, struct sr_op *op, int edge))
{
	for (int i = 0; i < sr_edge_count(op); i++) {
		struct sr_edge edge = sr_edge_at(s->ctx, op, i);
		struct target_list t = {{edge.target}, 1};
		bool is_unconstrained = edge.target->def && !sr_op_is(op, SR_OP_sdy_manual_computation);
		if (is_unconstrained)
			sr_edge_for_each_non_owner_target(edge.target, add_target, &t);
		if (!is_unconstrained || t.n == SR_SEARCH_MAX_TENSORS ||
		    !add_equality(s, &(struct equality){t.values, edge.uses, t.n, edge.n}))
			otherwise(s, op, i);
	}
}

void sr_search_add_unconstrained(struct sr_search *s)
{
	struct sr_block *entry = sr_func_entry(s->func);
	struct sr_op *end = sr_block_terminator(entry);
	for (int i = 0; i < entry->n_args; i++) {
		const struct sr_attr *unconstrained_attr = sr_func_arg_attr(s->func, i, SR_UNCONSTRAINED);
		struct sr_use *use = unconstrained_attr && unconstrained_attr->i >= 0 && unconstrained_attr->i < end->n_operands
					     ? &end->operands[unconstrained_attr->i]
					     : NULL;
		s->has_unconstrained = s->has_unconstrained || unconstrained_attr;
		if (unconstrained_attr)
			add_equality(s, &(struct equality){&entry->args[i], &use, 1, use != NULL});
	}
	for (int i = 0; i < end->n_operands; i++) {
		const struct sr_attr *unconstrained_attr = sr_func_result_attr(s->func, i, SR_UNCONSTRAINED);
		struct sr_use *use = &end->operands[i];
		if (unconstrained_attr && unconstrained_attr->i < 0)
			add_equality(s, &(struct equality){NULL, &use, 0, 1});
	}
}

struct sr_strategy *sr_search_equality_initial(struct sr_search *s, const struct sr_search_node *n)
{
	const int no_axes[SR_SEARCH_MAX_FACTORS] = {0};
	struct sr_strategy *x = sr_search_strategy(s, n->kind, no_axes, NULL);
	for (int t = n->n_operands; t < n->n_tensors; t++) { /* the value that owns the layout is the node's first result */
		const struct sr_attr *external_layout = n->edges[t] >= 0 ? s->edges.data[n->edges[t]].external_layout : NULL;
		if (external_layout)
			return sr_search_strategy_with_layout(s, n->kind, x, t, external_layout);
	}
	/* an unconstrained result keeps the propagated sharding */
	const struct sr_use *end = n->n_operands == n->n_tensors ? n->uses[0] : NULL;
	const struct sr_attr *propagated_sharding = end ? sr_result_sharding_of_func(s->func, sr_use_index(end)) : NULL;
	return propagated_sharding && n->edges[0] >= 0 ? sr_search_strategy_with_layout(s, n->kind, x, 0, propagated_sharding) : x;
}
