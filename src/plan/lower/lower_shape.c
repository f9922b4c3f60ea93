/* Lower data movement ops that have no loop nest: those on no or one element, and those with a kernel of their own. */
#include "plan/lower/lower.h"
#include "dialect/attr_names.h"
#include "kernels/kernel_chunk.h"
#include "work/work.h"
#include <string.h>

/* Lower an op whose result is empty, or is the only element of the first operand. */
enum sr_status sr_lower_one_element(struct sr_plan_builder *b, struct sr_op *op)
{
	int64_t n = sr_plan_elements(b, sr_result(op, 0));
	if (n == 0)
		return SR_OK;
	return n == sr_plan_elements(b, sr_operand(op, 0)) ? sr_lower_identity(b, op) : sr_lower_none(b, op);
}

enum sr_status sr_lower_iota(struct sr_plan_builder *b, struct sr_op *op)
{
	return sr_plan_elements(b, sr_result(op, 0)) ? sr_lower_none(b, op) : SR_OK;
}

static void add_start_offsets(struct sr_plan_builder *b, const struct sr_strided_view *v, int operand)
{
	int64_t bytes = sr_dtype_bytes(sr_plan_dtype(v->source));
	for (int i = 0; i < v->n_starts; i++)
		sr_plan_add_dynamic_offset(b, (struct sr_dynamic_offset){operand, sr_plan_buffer_for(b, v->starts[i].value), v->starts[i].limit,
						   v->starts[i].stride * bytes});
}

void sr_lower_move(struct sr_plan_builder *b, int src, int dst, struct sr_move_params *m, const struct sr_strided_view *v)
{
	if (v)
		m->src_offset += v->offset;
	sr_plan_add_move(b, src, dst, m);
	if (v)
		add_start_offsets(b, v, 0);
}

void sr_lower_view_offset(struct sr_plan_builder *b, const struct sr_strided_view *v, int operand)
{
	if (v->offset)
		sr_plan_add_dynamic_offset(b, (struct sr_dynamic_offset){operand, -1, v->offset, sr_dtype_bytes(sr_plan_dtype(v->source))});
	add_start_offsets(b, v, operand);
}

/* Lower concatenate: a strided copy of each operand into the result; operands that are slices are read in place. */
enum sr_status sr_lower_concatenate(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *out = sr_result(op, 0);
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0), strides[SR_KERNEL_MAX_RANK], at = 0;
	sr_row_major_strides(out->type, strides);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *in = sr_operand(op, i);
		struct sr_move_params m;
		sr_move_init(&m, sr_plan_dtype(in), in->type->rank, in->type->shape);
		memcpy(m.dst_stride, strides, sizeof(int64_t) * (size_t)m.rank);
		m.dst_offset = at * strides[dim];
		at += in->type->shape[dim];
		struct sr_strided_view view;
		bool is_slice = sr_work_reads_elided_slice(b->ctx, in, &view);
		if (is_slice)
			memcpy(m.src_stride, view.stride, sizeof(int64_t) * (size_t)m.rank);
		in = is_slice ? view.source : in;
		sr_lower_move(b, sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out), &m, is_slice ? &view : NULL);
	}
	return SR_OK;
}

static void fill_with_scalar(struct sr_plan_builder *b, int scalar, int out)
{
	const struct sr_buffer *o = &b->buffers.data[out];
	struct sr_fill_params p = {.bytes = sr_dtype_bytes((enum sr_dtype)o->dtype)};
	p.n = o->bytes / p.bytes;
	if (p.n)
		sr_plan_add_kernel(b, SR_KERNEL_FILL, (enum sr_dtype)o->dtype, p.n, (int[]){scalar, out}, 2, &p, sizeof p);
}

/* Lower a pad of an operand that has no elements, or one element, which is kept or cropped. */
enum sr_status sr_lower_pad(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	const int64_t *low;
	int64_t n;
	bool is_unchanged = sr_plan_elements(b, in) == 1 && sr_plan_elements(b, out) == 1;
	sr_op_ints(b->ctx, op, SR_NAME_edge_padding_low, &low, &n);
	for (int64_t d = 0; d < n; d++)
		is_unchanged = is_unchanged && low[d] == 0;
	if (is_unchanged)
		return sr_lower_identity(b, op);
	fill_with_scalar(b, sr_plan_buffer_for(b, sr_operand(op, 1)), sr_plan_buffer_for(b, out));
	return SR_OK;
}

/* Lower an update of a tensor with an elided slice of it: copy elements within the result, which is a copy of the tensor or has its
 * memory. Return false for another update. */
static bool copy_within(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *src = sr_operand(op, 0), *update = sr_operand(op, 1);
	struct sr_strided_view view;
	struct sr_move_params m;
	int out = sr_plan_buffer_for(b, sr_result(op, 0));
	if (!sr_work_reads_elided_slice(b->ctx, update, &view))
		return false;
	sr_move_init(&m, sr_plan_dtype(src), update->type->rank, update->type->shape);
	sr_row_major_strides(src->type, m.dst_stride);
	memcpy(m.src_stride, view.stride, sizeof(int64_t) * (size_t)m.rank);
	sr_work_update_offset(b->ctx, op, &m.dst_offset);
	sr_plan_add_copy(b, sr_plan_buffer_for(b, src), out);
	sr_lower_move(b, out, out, &m, &view);
	return true;
}

/* Lower dynamic_update_slice. The operands after the two tensors are start indices, scalars of one integer type. */
enum sr_status sr_lower_dynamic_update_slice(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *src = sr_operand(op, 0), *update = sr_operand(op, 1);
	struct sr_dynamic_slice_params p = {.rank = src->type->rank, .bytes = sr_dtype_bytes(sr_plan_dtype(src))};
	int n = 0, buffers[SR_KERNEL_MAX_RANK + 3];
	if (sr_plan_elements(b, update) == 0)
		return sr_lower_identity(b, op);
	if (!p.rank) {
		sr_plan_bind_value(b, sr_result(op, 0), sr_plan_buffer_for(b, update));
		return SR_OK;
	}
	if (copy_within(b, op))
		return SR_OK;
	p.index_type = (int32_t)sr_plan_dtype(sr_operand(op, 2));
	memcpy(p.src, src->type->shape, sizeof(int64_t) * (size_t)p.rank);
	memcpy(p.size, update->type->shape, sizeof(int64_t) * (size_t)p.rank);
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	buffers[n++] = sr_plan_buffer_for(b, sr_result(op, 0));
	int64_t rows = p.size[sr_update_row_dimension(&p)];
	sr_plan_add_kernel(b, SR_KERNEL_DYNAMIC_UPDATE_SLICE, sr_plan_dtype(src), rows, buffers, n, &p, sizeof p);
	return SR_OK;
}
