/* Lower reducing collectives whose body is not one known op: every member gathers the values that it reduces (for all_reduce
 * all of them, for reduce_scatter those of its shard) as rows in group order, and runs the body row by row:
 *
 *	acc = row 0; acc = body(acc, row 1); acc = body(acc, row 2); ...
 *
 * All members with the same result compute it in the same order, so that its bits are equal. */
#include "plan/lower/lower.h"

/* Apply the body to the rows acc and row, and write the result to acc. */
static enum sr_status combine(struct sr_plan_builder *b, struct sr_block *body, int acc, int row, int64_t n)
{
	struct sr_value *result = sr_operand(sr_block_terminator(body), 0);
	int64_t outer = b->lanes;
	sr_plan_bind_value(b, body->args[0], acc);
	sr_plan_bind_value(b, body->args[1], row);
	b->lanes = n;
	enum sr_status status = sr_lower_block(b, body);
	b->lanes = outer;
	if (!status)
		sr_lower_broadcast_to_lanes(b, sr_plan_buffer_for(b, result), acc, n);
	return status;
}

enum sr_status sr_lower_reduced_rows(struct sr_plan_builder *b, struct sr_op *op, int rows, int64_t n_rows, int to)
{
	struct sr_block *body = op->regions[0].first;
	enum sr_dtype type = (enum sr_dtype)b->buffers.data[rows].dtype;
	int64_t n = b->buffers.data[to].bytes / sr_dtype_bytes(type);
	struct sr_move_params m;
	enum sr_status status = SR_OK;
	if (body->n_args != 2 || sr_plan_dtype(body->args[0]) != type || (enum sr_dtype)b->buffers.data[to].dtype != type)
		return sr_lower_unsupported(
			b, op, "reduces in another element type than its operand's with a body that is not a single op, which is not supported");
	sr_move_init(&m, type, 1, &n);
	int acc = sr_plan_buffer(b, type, n);
	sr_plan_add_move(b, rows, acc, &m);
	for (int64_t i = 1; !status && i < n_rows; i++) {
		int row = sr_plan_buffer(b, type, n);
		m.src_offset = i * n;
		sr_plan_add_move(b, rows, row, &m);
		status = combine(b, body, acc, row, n);
	}
	sr_plan_add_copy(b, acc, to);
	return status;
}
