/* Ops that only move elements: strided copies (kernels/kernel.h, struct sr_move_params), fills, iota and slices at run-time starts. */
#include "optimize/kernel_params.h"
#include "plan/lower.h"
#include <string.h>

static void fill(struct sr_plan_builder *b, int scalar, int out)
{
	const struct sr_buffer *o = &b->buffers.data[out];
	struct sr_fill_params p = {.bytes = sr_dtype_bytes((enum sr_dtype)o->dtype)};
	p.n = o->bytes / p.bytes;
	if (p.n)
		sr_plan_kernel(b, SR_KERNEL_FILL, (enum sr_dtype)o->dtype, p.n, (int[]){scalar, out}, 2, &p, sizeof p);
}

static enum sr_status move_operand(struct sr_plan_builder *b, struct sr_op *op, int i)
{
	struct sr_move_params m;
	if (!sr_move_of(b->ctx, op, i, &m))
		return sr_lower_none(b, op);
	sr_plan_move(b, sr_plan_buffer_for(b, sr_operand(op, i)), sr_plan_buffer_for(b, sr_result(op, 0)), &m);
	return SR_OK;
}

/* transpose, slice, reverse, concatenate: a strided copy of each operand. */
enum sr_status sr_lower_move(struct sr_plan_builder *b, struct sr_op *op)
{
	enum sr_status status = SR_OK;
	for (int i = 0; i < op->n_operands && !status; i++)
		status = move_operand(b, op, i);
	return status;
}

enum sr_status sr_lower_broadcast(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	if (b->lanes || (sr_plan_elements(b, in) == sr_plan_elements(b, out) && in->type->rank <= 1)) {
		sr_plan_alias(b, out, sr_plan_buffer_for(b, in));
		return SR_OK;
	}
	if (sr_plan_elements(b, in) == 1) {
		fill(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out));
		return SR_OK;
	}
	return sr_lower_move(b, op);
}

/* Fill with the padding value, then copy what stays inside. */
enum sr_status sr_lower_pad(struct sr_plan_builder *b, struct sr_op *op)
{
	fill(b, sr_plan_buffer_for(b, sr_operand(op, 1)), sr_plan_buffer_for(b, sr_result(op, 0)));
	return move_operand(b, op, 0);
}

enum sr_status sr_lower_iota(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *out = sr_result(op, 0);
	struct sr_iota_params p = {.outer = 1, .inner = 1};
	int64_t dim = sr_op_int(op, "iota_dimension", 0);
	for (int d = 0; d < out->type->rank; d++)
		*(d < dim ? &p.outer : d > dim ? &p.inner : &p.dim) *= d == dim ? 1 : out->type->shape[d];
	p.dim = out->type->shape[dim];
	if (p.outer && p.dim && p.inner)
		sr_plan_kernel(b, SR_KERNEL_IOTA, sr_plan_dtype(out), p.outer * p.dim, (int[]){sr_plan_buffer_for(b, out)}, 1, &p, sizeof p);
	return SR_OK;
}

/* dynamic_slice and dynamic_update_slice: operands after the tensors are the starts, scalars of one integer type. */
static enum sr_status dynamic(struct sr_plan_builder *b, struct sr_op *op, bool update)
{
	struct sr_value *src = sr_operand(op, 0), *piece = update ? sr_operand(op, 1) : sr_result(op, 0);
	struct sr_dynamic_params p = {.rank = src->type->rank, .bytes = sr_dtype_bytes(sr_plan_dtype(src))};
	int first = update ? 2 : 1, n = 0, buffers[SR_KERNEL_RANK + 3];
	if (!p.rank)
		return update ? (sr_plan_alias(b, sr_result(op, 0), sr_plan_buffer_for(b, piece)), SR_OK) : sr_lower_identity(b, op);
	if (sr_plan_elements(b, piece) == 0)
		return update ? sr_lower_identity(b, op) : SR_OK;
	p.index_type = (int32_t)sr_plan_dtype(sr_operand(op, first));
	memcpy(p.src, src->type->shape, sizeof(int64_t) * (size_t)p.rank);
	memcpy(p.size, piece->type->shape, sizeof(int64_t) * (size_t)p.rank);
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	buffers[n++] = sr_plan_buffer_for(b, sr_result(op, 0));
	sr_plan_kernel(b, update ? SR_KERNEL_DYNAMIC_UPDATE_SLICE : SR_KERNEL_DYNAMIC_SLICE, sr_plan_dtype(src), 1, buffers, n, &p, sizeof p);
	return SR_OK;
}

enum sr_status sr_lower_dynamic_slice(struct sr_plan_builder *b, struct sr_op *op)
{
	return dynamic(b, op, false);
}

enum sr_status sr_lower_dynamic_update_slice(struct sr_plan_builder *b, struct sr_op *op)
{
	return dynamic(b, op, true);
}
