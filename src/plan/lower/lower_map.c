/* Lower elementwise ops, each to the kernel of its name over all elements, and constants. */
#include "plan/lower/lower.h"
#include "dialect/attr_names.h"
#include "work/work.h"
#include <string.h>

static struct sr_map_params map_params(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_map_params p = {.n = sr_plan_elements(b, sr_result(op, 0))};
	p.in = (uint8_t)sr_plan_dtype(sr_operand(op, 0));
	p.out = (uint8_t)sr_plan_dtype(sr_result(op, 0));
	/* The sizes of buffers are compared, not those of types: inside a body, a value defined outside of the body has one
	 * element. */
	for (int i = 0; i < op->n_operands && i < 4; i++) {
		int buffer = sr_plan_buffer_for(b, sr_operand(op, i));
		p.scalar[i] = b->buffers.data[buffer].bytes == sr_dtype_bytes(sr_plan_dtype(sr_operand(op, i))) && p.n != 1;
	}
	return p;
}

static enum sr_status add_map_kernel(struct sr_plan_builder *b, struct sr_op *op, enum sr_kernel kernel, enum sr_dtype type, struct sr_map_params *p)
{
	int buffers[5], n = 0;
	if (op->n_operands > 4 || kernel == SR_KERNEL_NONE)
		return sr_lower_none(b, op);
	for (; n < op->n_operands; n++)
		buffers[n] = sr_plan_buffer_for(b, sr_operand(op, n));
	buffers[n++] = sr_plan_buffer_for(b, sr_result(op, 0));
	if (p->n)
		sr_plan_add_kernel(b, kernel, type, p->n, buffers, n, p, sizeof *p);
	return SR_OK;
}

enum sr_status sr_lower_map(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_map_params p = map_params(b, op);
	struct sr_map_call m = sr_map_of(op);
	p.variant = m.variant;
	p.exponent_bits = m.exponent_bits;
	p.mantissa_bits = m.mantissa_bits;
	return add_map_kernel(b, op, m.kernel, m.type, &p);
}

enum sr_status sr_lower_convert(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_map_params p = map_params(b, op);
	if (p.in == p.out)
		return sr_lower_identity(b, op);
	return add_map_kernel(b, op, SR_KERNEL_CONVERT, (enum sr_dtype)p.in, &p);
}

/* Lower bitcast_convert to a kernel. Coalescing removes the kernel if both types consist of whole bytes. */
enum sr_status sr_lower_bitcast(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_map_params p = map_params(b, op);
	int64_t n_in = sr_plan_elements(b, sr_operand(op, 0));
	p.n = n_in > p.n ? n_in : p.n;
	memset(p.scalar, 0, sizeof p.scalar);
	return add_map_kernel(b, op, SR_KERNEL_BITCAST, (enum sr_dtype)p.in, &p);
}

enum sr_status sr_lower_constant(struct sr_plan_builder *b, struct sr_op *op)
{
	const struct sr_attr *value = sr_op_attr(op, SR_NAME_value);
	int64_t bytes = 0, n = sr_plan_elements(b, sr_result(op, 0));
	if (sr_work_is_elided(op))
		return SR_OK;
	enum sr_dtype type = sr_plan_dtype(sr_result(op, 0));
	const void *data = value ? sr_dense_data(b->ctx, value, false, &bytes) : NULL;
	if (!data)
		return sr_lower_unsupported(b, op, "has a value that is not a dense constant");
	/* a longer splat is stored as one element, and expanded where it is used */
	if (bytes == sr_dtype_bytes(type) && n * bytes > SR_WORK_MAX_SPLAT_BYTES) {
		struct sr_fill_params p = {.n = n, .bytes = (int32_t)bytes};
		int one = sr_plan_add_constant(b, type, data, bytes, 1);
		int out = sr_plan_buffer_for(b, sr_result(op, 0));
		sr_plan_add_kernel(b, SR_KERNEL_FILL, type, n, (int[]){one, out}, 2, &p, sizeof p);
		return SR_OK;
	}
	sr_plan_bind_value(b, sr_result(op, 0), sr_plan_add_constant(b, type, data, bytes, n));
	return SR_OK;
}
