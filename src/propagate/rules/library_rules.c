/* shardrun-library-rules: add sharding rules to calls of libraries. They are written as the ops' own rules, as by a user, so that later
 * passes use them. Calls into LAPACK, for which JAX writes rules of batch dimensions alone, get a rule for their columns; calls
 * that give their number of batch dimensions get a rule for these.
 *
 *	%x = custom_call @lapack_strsm_ffi(%a, %b)     op(a) x = b: ([i, j], [i, k])->([i, k]), i and j replicated
 *
 * Columns of b are solved independently (rows, if a is on the right side), so each device can solve for its own.
 *
 *	%x = custom_call @f(%a) {mhlo.frontend_attributes = {num_batch_dims = "1"}}     ([i, ...])->([i, ...]) */
#include "dialect/attr_names.h"
#include "kernels/kernel.h"
#include "propagate/propagate_passes.h"
#include "propagate/rules/rules.h"
#include <stdlib.h>
#include <string.h>

static bool rule_trsm(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_attr *config = sr_op_attr(op, "mhlo.backend_config"),
			     *side = config && config->kind == SR_ATTR_DICT ? sr_dict_get(config, "side") : NULL;
	if (op->n_operands != 2 || op->n_results != 1 || !side || (side->i != 'L' && side->i != 'R'))
		return false;
	const struct sr_type *a = sr_operand_type(op, 0), *x = sr_result_type(op, 0);
	if (a->kind != SR_TYPE_TENSOR || a->rank < 2 || a->rank != x->rank || sr_operand_type(op, 1) != x)
		return false;
	int row = a->rank - 2, column = a->rank - 1, solved_dim = side->i == 'L' ? row : column;
	sr_rule_pointwise_shape(b, a->shape, row);
	for (int d = row; d <= column; d++) {
		int factor = sr_rule_factor(b, x->shape[d], d == solved_dim ? SR_FACTOR_REPLICATE : SR_FACTOR_PASS);
		sr_rule_operand(b, 1, d, factor);
		sr_rule_result(b, 0, d, factor);
		sr_rule_operand(b, 0, d, d == solved_dim ? factor : sr_rule_factor(b, a->shape[d], SR_FACTOR_REPLICATE));
	}
	return true;
}

static bool begins_with(const struct sr_value *v, const struct sr_type *batch, int n)
{
	return v->type->kind == SR_TYPE_TENSOR && v->type->rank >= n && !memcmp(v->type->shape, batch->shape, sizeof *batch->shape * (size_t)n);
}

/* Return the rule of a call whose operands and results have the same leading batch dimensions, which the call computes one by
 * one. */
static bool rule_batch(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_attr *attrs = sr_op_attr(op, "mhlo.frontend_attributes"),
			     *count = attrs && attrs->kind == SR_ATTR_DICT ? sr_dict_get(attrs, "num_batch_dims") : NULL;
	char *end;
	if (!count || count->kind != SR_ATTR_STRING || sr_op_attr(op, "sdy.sharding_rule") || !op->n_operands)
		return false;
	long n = strtol(count->s, &end, 10);
	const struct sr_type *batch = sr_operand_type(op, 0);
	if (*end || n < 1 || batch->kind != SR_TYPE_TENSOR || n > batch->rank)
		return false;
	for (int i = 0; i < op->n_operands + op->n_results; i++)
		if (!begins_with(i < op->n_operands ? sr_operand(op, i) : sr_result(op, i - op->n_operands), batch, (int)n))
			return false;
	sr_rule_pointwise_shape(b, batch->shape, (int)n);
	return true;
}

static sr_rule_fn *const rules[SR_LAPACK_COUNT] = {[SR_LAPACK_TRSM] = rule_trsm};

static bool visit(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	const struct sr_attr *name = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	int routine = name && name->s ? sr_lapack_find(name->s) : -1;
	struct sr_rule_builder b;
	if (!name)
		return true;
	sr_rule_builder_init(&b, ctx, op);
	if (routine >= 0 && rules[routine] ? rules[routine](&b, op) : rule_batch(&b, op)) {
		struct sr_sharding_rule rule = *sr_rule_finish(&b);
		rule.custom = true;
		sr_op_set_attr(ctx, op, "sdy.sharding_rule", sr_attr_rule(ctx, &rule));
	}
	return true;
}

enum sr_status sr_pass_library_rules(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk_post(root, visit, ctx);
	return SR_OK;
}
