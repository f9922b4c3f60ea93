/* Ops that only move elements: strided copies (kernels/kernel.h, struct sr_move_params), fills, iota and slices at run-time starts. */
#include "plan/lower.h"
#include <string.h>

static const int64_t *ints(struct sr_plan_builder *b, const struct sr_op *op, const char *name, int64_t *n)
{
	const int64_t *v = NULL;
	*n = 0;
	if (!sr_op_ints(b->ctx, op, name, &v, n))
		*n = 0;
	return v;
}

static void fill(struct sr_plan_builder *b, int scalar, int out)
{
	const struct sr_buffer *o = &b->buffers.data[out];
	struct sr_fill_params p = {.bytes = sr_dtype_bytes((enum sr_dtype)o->dtype)};
	p.n = o->bytes / p.bytes;
	if (p.n)
		sr_plan_kernel(b, SR_KERNEL_FILL, (enum sr_dtype)o->dtype, p.n, (int[]){scalar, out}, 2, &p, sizeof p);
}

enum sr_status sr_lower_broadcast(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	struct sr_move_params m;
	int64_t n, strides[SR_KERNEL_RANK];
	const int64_t *dims = ints(b, op, "broadcast_dimensions", &n);
	if (b->lanes || (sr_plan_elements(b, in) == sr_plan_elements(b, out) && in->type->rank <= 1)) {
		sr_plan_alias(b, out, sr_plan_buffer_for(b, in));
		return SR_OK;
	}
	if (sr_plan_elements(b, in) == 1) {
		fill(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out));
		return SR_OK;
	}
	sr_move_init(&m, sr_plan_dtype(out), out->type->rank, out->type->shape);
	sr_strides(in->type, strides);
	memset(m.src_stride, 0, sizeof m.src_stride);
	for (int64_t i = 0; i < n && i < in->type->rank; i++)
		if (in->type->shape[i] != 1)
			m.src_stride[dims[i]] = strides[i];
	sr_plan_move(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out), &m);
	return SR_OK;
}

enum sr_status sr_lower_transpose(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	struct sr_move_params m;
	int64_t n, strides[SR_KERNEL_RANK];
	const int64_t *perm = ints(b, op, "permutation", &n);
	sr_move_init(&m, sr_plan_dtype(out), out->type->rank, out->type->shape);
	sr_strides(in->type, strides);
	for (int64_t i = 0; i < n; i++)
		m.src_stride[i] = strides[perm[i]];
	sr_plan_move(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out), &m);
	return SR_OK;
}

enum sr_status sr_lower_slice(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	struct sr_move_params m;
	int64_t n, k, in_strides[SR_KERNEL_RANK];
	const int64_t *start = ints(b, op, "start_indices", &n), *step = ints(b, op, "strides", &k);
	sr_move_init(&m, sr_plan_dtype(out), out->type->rank, out->type->shape);
	sr_strides(in->type, in_strides);
	for (int64_t i = 0; i < n; i++) {
		m.src_offset += start[i] * in_strides[i];
		m.src_stride[i] = in_strides[i] * (i < k ? step[i] : 1);
	}
	sr_plan_move(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out), &m);
	return SR_OK;
}

enum sr_status sr_lower_reverse(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	struct sr_move_params m;
	int64_t n;
	const int64_t *dims = ints(b, op, "dimensions", &n);
	sr_move_init(&m, sr_plan_dtype(out), out->type->rank, out->type->shape);
	for (int64_t i = 0; i < n; i++) {
		m.src_offset += (m.shape[dims[i]] - 1) * m.src_stride[dims[i]];
		m.src_stride[dims[i]] = -m.src_stride[dims[i]];
	}
	sr_plan_move(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out), &m);
	return SR_OK;
}

enum sr_status sr_lower_concatenate(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *out = sr_result(op, 0);
	int64_t dim = sr_op_int(op, "dimension", 0), offset = 0, strides[SR_KERNEL_RANK];
	sr_strides(out->type, strides);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *in = sr_operand(op, i);
		struct sr_move_params m;
		sr_move_init(&m, sr_plan_dtype(out), out->type->rank, in->type->shape);
		memcpy(m.dst_stride, strides, sizeof(int64_t) * (size_t)out->type->rank);
		m.dst_offset = offset * strides[dim];
		offset += in->type->shape[dim];
		sr_plan_move(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out), &m);
	}
	return SR_OK;
}

/* Fill with the padding value, then copy what stays inside: negative padding cuts, interior padding is a stride of the result. */
enum sr_status sr_lower_pad(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	struct sr_move_params m;
	int64_t n, k, in_strides[SR_KERNEL_RANK], out_strides[SR_KERNEL_RANK];
	const int64_t *low = ints(b, op, "edge_padding_low", &n), *interior = ints(b, op, "interior_padding", &k);
	int o = sr_plan_buffer_for(b, out);
	fill(b, sr_plan_buffer_for(b, sr_operand(op, 1)), o);
	sr_move_init(&m, sr_plan_dtype(out), out->type->rank, in->type->shape);
	sr_strides(in->type, in_strides);
	sr_strides(out->type, out_strides);
	for (int64_t d = 0; d < n; d++) {
		int64_t step = (d < k ? interior[d] : 0) + 1, first = 0, last = in->type->shape[d];
		if (low[d] < 0)
			first = (-low[d] + step - 1) / step;
		while (last > first && low[d] + (last - 1) * step >= out->type->shape[d])
			last--;
		m.shape[d] = last > first ? last - first : 0;
		m.src_offset += first * in_strides[d];
		m.dst_offset += (low[d] + first * step) * out_strides[d];
		m.dst_stride[d] = out_strides[d] * step;
	}
	sr_plan_move(b, sr_plan_buffer_for(b, in), o, &m);
	return SR_OK;
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
