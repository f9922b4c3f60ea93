/* Custom calls. The targets that mean "this value" are the value; the others are not known yet: one clear error with the name, the operand
 * types and the place. */
#include "plan/lower.h"
#include <string.h>

static const char *const transparent[] = {"Sharding", "annotate_device_placement", "SPMDFullToShardShape", "SPMDShardToFullShape",
					  "MoveToHost", "MoveToDevice", "LayoutConstraint"};

enum sr_status sr_lower_custom(struct sr_plan_builder *b, struct sr_op *op)
{
	const struct sr_attr *target = sr_op_attr(op, "call_target_name");
	const char *name = target ? target->s : "";
	struct sr_buf types;
	for (size_t i = 0; i < sizeof transparent / sizeof *transparent; i++)
		if (!strcmp(transparent[i], name) && op->n_operands == op->n_results)
			return sr_lower_identity(b, op);
	if (sr_is_check_target(name))
		return sr_lower_check_call(b, op, name);
	sr_buf_init(&types, b->arena);
	for (int i = 0; i < op->n_operands; i++)
		sr_buf_printf(&types, "%s%s", i ? ", " : "", sr_type_string(b->ctx, sr_operand(op, i)->type));
	return sr_op_error(op, &b->ctx->diags, SR_UNSUPPORTED, "calls @%s(%s), a custom call target that is not known here", name, sr_buf_string(&types));
}
