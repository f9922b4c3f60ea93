/* Verify Shardy's attributes that any op may have: shardings of results, sharding rules, and shardings of a function's arguments
 * and results. */
#include "dialect/sdy/sdy_check.h"
#include "dialect/sdy/propagation_edges.h"
#include <string.h>

/* ---------------------------------------------------------------- sharding rules */

struct rule_check {
	const struct sr_sdy_check *c;
	const struct sr_sharding_rule *rule;
	bool *is_used;	       /* for each factor: true if an operand or result uses the factor */
	bool *is_used_by_result; /* for each factor: true if a result uses the factor */
	bool *is_in_list;	       /* for each factor: true if the value or list being checked has already used the factor */
};

static void reset_seen(const struct rule_check *r)
{
	memset(r->is_in_list, 0, (size_t)r->rule->n_factors * sizeof *r->is_in_list);
}

static bool is_static_tensor(const struct sr_type *t)
{
	if (t->kind == SR_TYPE_TUPLE && t->n_inputs == 1)
		t = t->inputs[0];
	return sr_type_is_static(t);
}

static enum sr_status check_dim(const struct rule_check *r, const struct sr_sdy_check *c, const struct sr_dim_mapping *dim)
{
	if (dim->n == 0)
		return sr_check_error(c, "dim mapping must have at least one factor");
	for (int i = 0; i < dim->n; i++) {
		int f = dim->factors[i];
		if (f < 0 || f >= r->rule->n_factors)
			return sr_check_error(
				c, "expecting factor indices to be within 0<=...<num_factors; received: %d, num_factors: %d", f,
				r->rule->n_factors);
		if (r->is_in_list[f])
			return sr_check_error(c, "cannot reuse factors for the same tensor value");
		if (r->rule->sizes[f] == 1 && dim->n > 1)
			return sr_check_error(c, "dim mapping can't have a factor of size 1 if there are multiple factors");
		r->is_in_list[f] = true;
	}
	return SR_OK;
}

static enum sr_status check_value(const struct rule_check *r, bool is_result, int i, int n, const struct sr_tensor_mapping *m)
{
	const struct sr_type *t = is_result ? r->c->op->results[i].type : sr_operand(r->c->op, i)->type;
	struct sr_sdy_check c = *r->c;
	reset_seen(r);
	c.prefix = is_result ? "result" : "operand";
	c.value = i + 1;
	c.n_values = n;
	if (!is_static_tensor(t))
		return sr_check_error(&c, "expected a ranked tensor with a static shape. type: '%s'", sr_type_string(c.ctx, t));
	if (t->kind == SR_TYPE_TUPLE)
		t = t->inputs[0];
	if (m->rank != t->rank)
		return sr_check_error(&c, "mapping rank must match: %d != %d", m->rank, t->rank);
	for (int d = 0; d < m->rank; d++)
		if (check_dim(r, &c, &m->dims[d]))
			return SR_INVALID;
	for (int f = 0; f < r->rule->n_factors; f++) {
		r->is_used[f] = r->is_used[f] || r->is_in_list[f];
		r->is_used_by_result[f] = r->is_used_by_result[f] || (r->is_in_list[f] && is_result);
	}
	return SR_OK;
}

static enum sr_status check_values(const struct rule_check *r, bool is_result, int n, const struct sr_tensor_mapping *mappings,
				   int n_mappings)
{
	const char *value_kind = is_result ? "result" : "operand";
	if (n != n_mappings)
		return sr_check_error(r->c, "number of %ss and mappings must match: %d != %d", value_kind, n, n_mappings);
	if (n == 0)
		return sr_check_error(r->c,
				      "number of %ss mappings cannot be 0. Op sharding rules can only be defined on operations "
				      "with at least one operand and result.",
				      value_kind);
	for (int i = 0; i < n; i++)
		if (check_value(r, is_result, i, n, &mappings[i]))
			return SR_INVALID;
	return SR_OK;
}

static enum sr_status check_indices(const struct rule_check *r, struct sr_index_list list)
{
	for (int i = 1; i < list.n; i++)
		if (list.indices[i - 1] > list.indices[i])
			return sr_check_error(r->c, "indices of special factors must be sorted");
	for (int i = 1; i < list.n; i++)
		if (list.indices[i - 1] == list.indices[i])
			return sr_check_error(r->c, "indices of special factors must be unique");
	if (list.n && list.indices[0] < 0)
		return sr_check_error(r->c, "index must be non-negative");
	if (list.n && list.indices[list.n - 1] >= r->rule->n_factors)
		return sr_check_error(r->c, "index must be less than %d, got: %d", r->rule->n_factors, list.indices[list.n - 1]);
	return SR_OK;
}

static enum sr_status check_special_factors(const struct rule_check *r)
{
	const struct sr_sharding_rule *rule = r->rule;
	struct sr_index_list lists[] = {rule->reduction, rule->need_replication, rule->permutation};
	reset_seen(r);
	for (int k = 0; k < 3; k++)
		if (check_indices(r, lists[k]))
			return SR_INVALID;
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < lists[k].n; i++) {
			if (r->is_in_list[lists[k].indices[i]])
				return sr_check_error(r->c, "a factor can only be in one of the reduction, need replication, or "
							    "permutation factor "
							    "sets");
			r->is_in_list[lists[k].indices[i]] = true;
		}
	if (check_indices(r, rule->blocked))
		return SR_INVALID;
	for (int i = 0; i < rule->reduction.n; i++)
		if (r->is_used_by_result[rule->reduction.indices[i]])
			return sr_check_error(r->c, "reduction factor cannot be in result mappings");
	return SR_OK;
}

static const char *factor_name(struct sr_context *ctx, int f)
{
	return f < 18 ? sr_printf(ctx->arena, "%c", 'i' + f) : sr_printf(ctx->arena, "z_%d", f - 17);
}

static enum sr_status check_rule(const struct sr_sdy_check *c, const struct sr_sharding_rule *rule)
{
	struct sr_op *op = c->op;
	int n = rule->n_factors;
	bool inline_marks[3 * 32] = {0};
	bool *marks = n <= 32 ? inline_marks : SR_NEW_ARRAY(c->ctx->arena, bool, 3 * (int64_t)n);
	struct rule_check r = {c, rule, .is_used = marks, .is_used_by_result = marks + n, .is_in_list = marks + 2 * (size_t)n};
	if (check_values(&r, false, op->n_operands, rule->operands, rule->n_operands) ||
	    check_values(&r, true, op->n_results, rule->results, rule->n_results))
		return SR_INVALID;
	for (int f = 0; f < rule->n_factors; f++)
		if (!r.is_used[f])
			return sr_check_error(c, "has factor %s=%lld that isn't used in operand and result mappings",
					      factor_name(c->ctx, f), (long long)rule->sizes[f]);
	return check_special_factors(&r);
}

/* ---------------------------------------------------------------- attributes of ops and functions */

static enum sr_status check_result_shardings(const struct sr_sdy_check *c, const struct sr_attr *a)
{
	if (a->kind != SR_ATTR_SHARDINGS)
		return sr_check_error(c, "should have a sharding attribute of type TensorShardingPerValueAttr");
	const struct sr_type **types = SR_NEW_ARRAY(c->ctx->arena, const struct sr_type *, c->op->n_results);
	for (int i = 0; i < c->op->n_results; i++)
		types[i] = c->op->results[i].type;
	return sr_check_shardings(c, a, types, c->op->n_results, "result");
}

static enum sr_status check_func_value(const struct sr_sdy_check *c, const struct sr_attr *a, const struct sr_type *t,
				       const char *value_kind, int i)
{
	struct sr_sdy_check value_check = *c;
	value_check.prefix = value_kind;
	value_check.value = i + 1;
	if (!a)
		return SR_OK;
	if (a->kind != SR_ATTR_SHARDING)
		return sr_check_error(&value_check, "should have a sharding attribute of type TensorShardingAttr");
	return sr_check_sharding(&value_check, a->sharding, t);
}

enum sr_status sr_sdy_verify_func(struct sr_context *ctx, struct sr_op *func, struct sr_diags *diags)
{
	struct sr_sdy_check func_check = {ctx, func, diags, "", 0, 0}, *c = &func_check;
	const struct sr_type *type = sr_func_type(func);
	for (int i = 0; i < type->n_inputs; i++)
		if (check_func_value(c, sr_func_arg_attr(c->op, i, "sdy.sharding"), type->inputs[i], "arg", i))
			return SR_INVALID;
	for (int i = 0; i < type->n_results; i++)
		if (check_func_value(c, sr_func_result_attr(c->op, i, "sdy.sharding"), type->results[i], "result", i))
			return SR_INVALID;
	return SR_OK;
}

enum sr_status sr_sdy_verify_attributes(struct sr_context *ctx, struct sr_op *op, struct sr_diags *diags)
{
	struct sr_sdy_check c = {ctx, op, diags, "", 0, 0};
	for (int i = 0; i < op->n_attrs; i++) {
		const char *name = op->attrs[i].name;
		const struct sr_attr *a = op->attrs[i].value;
		if (strncmp(name, "sdy.", 4) != 0)
			continue;
		if (sr_propagation_edges_check(ctx, op, name, a, diags))
			return SR_INVALID;
		if (strcmp(name, "sdy.sharding") == 0 && check_result_shardings(&c, a))
			return SR_INVALID;
		if (strcmp(name, "sdy.sharding_rule") != 0)
			continue;
		if (a->kind != SR_ATTR_RULE)
			return sr_check_error(&c, "should have a sharding rule attribute of type OpShardingRuleAttr for attr named "
					      "'sdy.sharding_rule'");
		if (check_rule(&c, a->rule))
			return SR_INVALID;
	}
	return SR_OK;
}
