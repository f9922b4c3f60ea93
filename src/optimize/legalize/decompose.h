/* Rewriting of single ops into other ops by tables of decompositions, which several passes share. */
#ifndef SR_OPTIMIZE_DECOMPOSE_H
#define SR_OPTIMIZE_DECOMPOSE_H

#include "dialect/op_builders.h"
#include "dialect/signature.h"

struct sr_decomposition {
	enum sr_op_code code;
	/* Build the replacement before op and replace the uses of op's results; the caller erases op. Returns false if nothing was
	 * changed. */
	bool (*apply)(struct sr_builder *b, struct sr_op *op);
};
/* Apply a table of decompositions to each op once, inner ops first. The table ends with a row with code 0. */
void sr_decompose(struct sr_context *ctx, struct sr_op *root, const struct sr_decomposition *rows);
/* Report an error for the first op for which is_illegal returns true. Called after a legalization. */
enum sr_status sr_report_illegal_op(struct sr_context *ctx, struct sr_op *root, bool (*is_illegal)(const struct sr_op *op));

#endif
