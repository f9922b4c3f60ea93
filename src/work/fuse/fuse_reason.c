/* Record on a nest why its operands were not fused; --print-plan shows it. */
#include "work/fuse/fuse.h"
#include <string.h>

static const char *const texts[SR_FUSE_REASONS] = {
	[SR_FUSE_NO_REASON] = "",
	[SR_FUSE_RESHAPE] = "reshape does not compose",
	[SR_FUSE_BY_INDEX] = "read by index",
	[SR_FUSE_TOO_LARGE] = "too large for one nest",
	[SR_FUSE_OTHER_LOOPS] = "loops do not match",
	[SR_FUSE_OTHER_ELEMENTS] = "read at other elements",
	[SR_FUSE_OTHER_BLOCK] = "produced in an outer block",
	[SR_FUSE_OTHER_READER] = "also read by other ops",
	[SR_FUSE_RECOMPUTES] = "would be computed twice",
	[SR_FUSE_TRANSPOSES] = "written across the rows",
	[SR_FUSE_LONG_ROWS] = "long rows",
	[SR_FUSE_EXPANDS] = "expands few elements",
	[SR_FUSE_LIVE_MEMORY] = "adds live memory",
	[SR_FUSE_READ_BETWEEN] = "read in between",
};

void sr_fuse_raise_reason(enum sr_fuse_reason *why, enum sr_fuse_reason reason)
{
	*why = reason > *why ? reason : *why;
}

static const struct sr_attr *reason_for(const struct sr_op *nest, const struct sr_value *v)
{
	const struct sr_attr *reasons = sr_op_attr(nest, SR_WORK_NOT_FUSED);
	for (int i = 0; reasons && i < reasons->n && i < nest->n_operands; i++)
		if (sr_operand(nest, i) == v && *reasons->list[i]->s)
			return reasons->list[i];
	return NULL;
}

static void set_reasons_attr(struct sr_context *ctx, struct sr_op *c, const struct sr_attr **list, int n)
{
	bool has_any_reason = false;
	for (int i = 0; i < n; i++)
		has_any_reason = has_any_reason || *list[i]->s;
	if (has_any_reason)
		sr_op_set_attr(ctx, c, SR_WORK_NOT_FUSED, sr_attr_array(ctx, list, n));
}

void sr_fuse_set_reasons(struct sr_context *ctx, struct sr_op *c, const enum sr_fuse_reason *why)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, c->n_operands + 1);
	for (int i = 0; i < c->n_operands; i++)
		list[i] = sr_attr_string(ctx, texts[why[i]], strlen(texts[why[i]]));
	set_reasons_attr(ctx, c, list, c->n_operands);
}

void sr_fuse_copy_reasons(struct sr_context *ctx, const struct sr_op *source, struct sr_op *target)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, target->n_operands + 1);
	for (int i = 0; i < target->n_operands; i++) {
		list[i] = reason_for(target, sr_operand(target, i));
		if (!list[i])
			list[i] = reason_for(source, sr_operand(target, i));
		if (!list[i])
			list[i] = sr_attr_string(ctx, "", 0);
	}
	set_reasons_attr(ctx, target, list, target->n_operands);
}
