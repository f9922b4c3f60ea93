/* shardrun-library-rules: add sharding rules to calls into LAPACK, for which JAX writes rules of batch dimensions alone. They are
 * written as the ops' own rules, as by a user, so that later passes use them.
 *
 *	%x = custom_call @lapack_strsm_ffi(%a, %b)     op(a) x = b: ([i, j], [i, k])->([i, k]), i and j replicated
 *
 * Columns of b are solved independently (rows, if a is on the right side), so each device can solve for its own. */
#include "dialect/attr_names.h"
#include "kernels/kernel.h"
#include "propagate/propagate_passes.h"
#include "propagate/rules/rules.h"

static bool rule_trsm(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_attr *config = sr_op_attr(op, "mhlo.backend_config"),
			     *side = config && config->kind == SR_ATTR_DICT ? sr_dict_get(config, "side") : NULL;
	if (op->n_operands != 2 || op->n_results != 1 || !side || (side->i != 'L' && side->i != 'R'))
		return false;
	const struct sr_type *a = sr_operand_type(op, 0), *x = sr_result_type(op, 0);
	if (a->kind != SR_TYPE_TENSOR || a->rank < 2 || a->rank != x->rank || sr_operand_type(op, 1) != x)
		return false;
	int row = a->rank - 2, column = a->rank - 1, solved = side->i == 'L' ? row : column;
	sr_rule_pointwise_shape(b, a->shape, row);
	for (int d = row; d <= column; d++) {
		int factor = sr_rule_factor(b, x->shape[d], d == solved ? SR_FACTOR_REPLICATE : SR_FACTOR_PASS);
		sr_rule_operand(b, 1, d, factor);
		sr_rule_result(b, 0, d, factor);
		sr_rule_operand(b, 0, d, d == solved ? factor : sr_rule_factor(b, a->shape[d], SR_FACTOR_REPLICATE));
	}
	return true;
}

static sr_rule_fn *const rules[SR_LAPACK_COUNT] = {[SR_LAPACK_TRSM] = rule_trsm};

static bool visit(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	const struct sr_attr *name = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	int routine = name && name->s ? sr_lapack_find(name->s) : -1;
	struct sr_rule_builder b;
	if (routine < 0 || !rules[routine])
		return true;
	sr_rule_builder_init(&b, ctx, op);
	if (rules[routine](&b, op)) {
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
