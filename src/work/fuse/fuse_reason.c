/* Why operands of tiles stay buffers: noted on the tile that reads them, for who reads the plan. */
#include "work/fuse/fuse.h"
#include <string.h>

static const char *const texts[SR_FUSE_REASONS] = {
	[SR_FUSE_NO_REASON] = "",
	[SR_FUSE_RESHAPE] = "a view that does not compose",
	[SR_FUSE_BY_INDEX] = "read by index",
	[SR_FUSE_TOO_LARGE] = "too large for one tile",
	[SR_FUSE_OTHER_LOOPS] = "other loops",
	[SR_FUSE_OTHER_ELEMENTS] = "read at other points",
	[SR_FUSE_OTHER_BLOCK] = "made outside",
	[SR_FUSE_OTHER_READER] = "a buffer for others",
	[SR_FUSE_RECOMPUTES] = "work done twice",
	[SR_FUSE_LONG_ROWS] = "long rows",
	[SR_FUSE_EXPANDS] = "few for many",
	[SR_FUSE_LIVE_MEMORY] = "live memory",
	[SR_FUSE_READ_BETWEEN] = "needed in between",
};

void sr_fuse_raise_reason(enum sr_fuse_reason *why, enum sr_fuse_reason reason)
{
	*why = reason > *why ? reason : *why;
}

static const struct sr_attr *said(const struct sr_op *tile, const struct sr_value *v)
{
	const struct sr_attr *kept = sr_op_attr(tile, SR_WORK_NOT_FUSED);
	for (int i = 0; kept && i < kept->n && i < tile->n_operands; i++)
		if (sr_operand(tile, i) == v && *kept->list[i]->s)
			return kept->list[i];
	return NULL;
}

static void set(struct sr_context *ctx, struct sr_op *c, const struct sr_attr **list, int n)
{
	bool any = false;
	for (int i = 0; i < n; i++)
		any = any || *list[i]->s;
	if (any)
		sr_op_set_attr(ctx, c, SR_WORK_NOT_FUSED, sr_attr_array(ctx, list, n));
}

void sr_fuse_set_reasons(struct sr_context *ctx, struct sr_op *c, const enum sr_fuse_reason *why)
{
	const struct sr_attr **list = SR_NEWS(ctx->scratch, const struct sr_attr *, c->n_operands + 1);
	for (int i = 0; i < c->n_operands; i++)
		list[i] = sr_attr_string(ctx, texts[why[i]], strlen(texts[why[i]]));
	set(ctx, c, list, c->n_operands);
}

void sr_fuse_copy_reasons(struct sr_context *ctx, const struct sr_op *from, struct sr_op *to)
{
	const struct sr_attr **list = SR_NEWS(ctx->scratch, const struct sr_attr *, to->n_operands + 1);
	for (int i = 0; i < to->n_operands; i++) {
		list[i] = said(to, sr_operand(to, i));
		if (!list[i])
			list[i] = said(from, sr_operand(to, i));
		if (!list[i])
			list[i] = sr_attr_string(ctx, "", 0);
	}
	set(ctx, to, list, to->n_operands);
}
