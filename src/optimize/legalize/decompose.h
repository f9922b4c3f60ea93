/* Ops in place of an op: what passes that do that, op by op, share. */
#ifndef SR_OPTIMIZE_DECOMPOSE_H
#define SR_OPTIMIZE_DECOMPOSE_H

#include "dialect/ops.h"
#include "dialect/signature.h"

struct sr_decomposition {
	enum sr_op_code code;
	/* Build before op what replaces its results' uses; the op is erased then. False: nothing was changed. */
	bool (*apply)(struct sr_builder *b, struct sr_op *op);
};
/* Each op once, inner ones first; rows end with code 0. */
void sr_decompose(struct sr_context *ctx, struct sr_op *root, const struct sr_decomposition *rows);
/* The first op that is illegal after a legalization, as an error. */
enum sr_status sr_report_illegal_op(struct sr_context *ctx, struct sr_op *root, bool (*is_illegal)(const struct sr_op *op));

struct sr_value *sr_build_convert(struct sr_builder *b, struct sr_value *v, enum sr_dtype to);
/* v in the shape of `to`, its dimensions at dims. */
struct sr_value *sr_build_broadcast(struct sr_builder *b, struct sr_value *v, const struct sr_type *to, const int64_t *dims);

#endif
