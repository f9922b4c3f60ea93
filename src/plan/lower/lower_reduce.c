/* Lower reduce and reduce_window: to a kernel if the body is one known op, else to an instruction that runs the body as a
 * computation. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "plan/lower/lower.h"
#include <string.h>

void sr_lower_broadcast_to_lanes(struct sr_plan_builder *b, int scalar, int target, int64_t lanes)
{
	enum sr_dtype type = (enum sr_dtype)b->buffers.data[target].dtype;
	struct sr_fill_params p = {.n = lanes, .bytes = sr_dtype_bytes(type)};
	if (b->buffers.data[scalar].bytes == b->buffers.data[target].bytes)
		sr_plan_add_copy(b, scalar, target);
	else
		sr_plan_add_kernel(b, SR_KERNEL_FILL, type, lanes, (int[]){scalar, target}, 2, &p, sizeof p);
}

/* Lower a body to a computation on `lanes` elements; its argument and result buffers are recorded in the instruction. */
static enum sr_status lower_body_computation(struct sr_plan_builder *b, struct sr_block *body, int64_t lanes, struct sr_body_instr *instr,
				int *buffers, int *n_buffers)
{
	struct sr_op *end = sr_block_terminator(body);
	struct sr_plan_scope nest = sr_plan_begin_computation(b);
	int64_t outer = b->lanes;
	enum sr_status status;
	b->lanes = lanes;
	instr->computation = nest.computation;
	instr->lanes = lanes;
	instr->arguments = *n_buffers;
	for (int i = 0; i < body->n_args; i++) {
		int arg = sr_plan_buffer(b, sr_plan_dtype(body->args[i]), lanes);
		sr_plan_bind_value(b, body->args[i], arg);
		buffers[(*n_buffers)++] = arg;
	}
	status = sr_lower_block(b, body);
	instr->results = *n_buffers;
	for (int i = 0; !status && i < end->n_operands; i++) {
		int to = sr_plan_buffer(b, sr_plan_dtype(sr_operand(end, i)), lanes);
		sr_lower_broadcast_to_lanes(b, sr_plan_buffer_for(b, sr_operand(end, i)), to, lanes);
		buffers[(*n_buffers)++] = to;
	}
	b->lanes = outer;
	sr_plan_end_computation(b, nest);
	return status;
}

enum sr_status sr_lower_body_instr(struct sr_plan_builder *b, struct sr_op *op, int region, const int *values, int n_values,
				   int64_t lanes, struct sr_body_instr *instr)
{
	struct sr_block *body = op->regions[region].first;
	int n = n_values, *buffers = SR_NEW_ARRAY(b->arena, int, n_values + 2 * body->n_args + 8);
	enum sr_status status;
	if (b->lanes)
		return sr_lower_unsupported(b, op, "has a general body and is inside the general body of another reduction or sort, which is not supported");
	memcpy(buffers, values, sizeof *values * (size_t)n_values);
	/* a scatter updates its operands in place, so they are copied to the results first */
	for (int i = 0; instr->kind == SR_BODY_SCATTER && i < instr->k; i++) {
		sr_plan_add_copy(b, values[i], values[2 * instr->k + 1 + i]);
		buffers[i] = values[2 * instr->k + 1 + i];
	}
	status = lower_body_computation(b, body, lanes, instr, buffers, &n);
	if (status)
		return status;
	sr_plan_add_instr(b, SR_INSTR_BODY, buffers, n, instr, sizeof *instr);
	return SR_OK;
}

enum sr_status sr_lower_op_body_instr(struct sr_plan_builder *b, struct sr_op *op, int64_t lanes, struct sr_body_instr *instr)
{
	int n = 0, *values = SR_NEW_ARRAY(b->arena, int, op->n_operands + op->n_results);
	for (int i = 0; i < op->n_operands; i++)
		values[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		values[n++] = sr_plan_buffer_for(b, sr_result(op, i));
	return sr_lower_body_instr(b, op, 0, values, n, lanes, instr);
}

/* Return true if kernels compute the reduction of each operand: its body is a monoid of the operand's own type. */
static bool has_kernels(const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands / 2; i++)
		if (sr_monoid_of(op, 0, i) < 0 || sr_plan_dtype(sr_operand(op, i)) != sr_plan_dtype(sr_result(op, i)))
			return false;
	return true;
}

enum sr_status sr_lower_reduce(struct sr_plan_builder *b, struct sr_op *op)
{
	int k = op->n_operands / 2;
	const struct sr_type *in = sr_operand(op, 0)->type;
	struct sr_reduce_params p = {.rank = in->rank};
	const int64_t *dims;
	int64_t n_dims, lanes = sr_plan_elements(b, sr_result(op, 0));
	sr_op_ints(b->ctx, op, SR_NAME_dimensions, &dims, &n_dims);
	memcpy(p.shape, in->shape, sizeof(int64_t) * (size_t)in->rank);
	for (int64_t i = 0; i < n_dims; i++)
		p.reduced[dims[i]] = 1;
	if (!lanes)
		return SR_OK;
	if (!has_kernels(op)) {
		struct sr_body_instr instr = {.kind = SR_BODY_REDUCE, .k = k, .u.reduce = p};
		return sr_lower_op_body_instr(b, op, lanes, &instr);
	}
	for (int i = 0; i < k; i++) {
		int buffers[] = {sr_plan_buffer_for(b, sr_operand(op, i)), sr_plan_buffer_for(b, sr_operand(op, k + i)),
				 sr_plan_buffer_for(b, sr_result(op, i))};
		p.monoid = sr_monoid_of(op, 0, i);
		sr_plan_add_kernel(b, SR_KERNEL_REDUCE, sr_plan_dtype(sr_operand(op, i)), lanes, buffers, 3, &p, sizeof p);
	}
	return SR_OK;
}

void sr_lower_window_params(struct sr_plan_builder *b, struct sr_op *op, const struct sr_type *out, struct sr_reduce_window_params *p)
{
	const struct sr_type *in = sr_operand(op, 0)->type;
	const struct {
		const char *name;
		int64_t *to;
	} lists[] = {{SR_NAME_window_dimensions, p->window}, {SR_NAME_window_strides, p->stride}, {SR_NAME_base_dilations, p->base_dilation}, {SR_NAME_window_dilations, p->window_dilation}};
	const int64_t *v;
	int64_t n;
	p->rank = in->rank;
	for (int d = 0; d < in->rank; d++) {
		p->in[d] = in->shape[d];
		p->out[d] = out->shape[d];
		p->window[d] = p->stride[d] = p->base_dilation[d] = p->window_dilation[d] = 1;
	}
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (sr_op_ints(b->ctx, op, lists[i].name, &v, &n) && n)
			memcpy(lists[i].to, v, sizeof(int64_t) * (size_t)n);
	if (sr_op_ints(b->ctx, op, SR_NAME_padding, &v, &n))
		for (int64_t d = 0; d < n / 2; d++)
			p->pad_low[d] = v[2 * d];
}

/* Return true if the init value is known to have no effect, however often padding contributes it. */
static bool init_is_neutral(struct sr_plan_builder *b, const struct sr_value *init, int monoid)
{
	int64_t bytes, i = 0;
	double d = 0, im = 0;
	if (monoid != SR_MONOID_ADD && monoid != SR_MONOID_MUL && monoid != SR_MONOID_XOR)
		return true; /* the other monoids are idempotent, so that padding may contribute the init value again */
	while (init->def && sr_op_is(init->def, SR_OP_stablehlo_broadcast_in_dim)) /* skip a broadcast of a scalar to rank 0 */
		init = sr_operand(init->def, 0);
	if (!init->def || !sr_op_is(init->def, SR_OP_stablehlo_constant))
		return false;
	const void *data = sr_dense_data(b->ctx, sr_op_attr(init->def, SR_NAME_value), false, &bytes);
	if (!data)
		return false;
	sr_element_get(sr_plan_dtype(init), data, &i, &d, &im);
	double value = sr_dtype_is_integer(sr_plan_dtype(init)) ? (double)i : d;
	return value == (monoid == SR_MONOID_MUL ? 1 : 0) && im == 0;
}

/* Return true if the window is cumulative: as long as its dimension, and ending or beginning at each element in turn. The
 * cumulative kernel computes all prefixes or suffixes in one pass. */
static bool cumulates(const struct sr_reduce_window_params *w, struct sr_cumulate_params *c)
{
	int cumulative_dim = -1;
	*c = (struct sr_cumulate_params){.outer = 1, .inner = 1, .length = 1, .monoid = w->monoid};
	for (int d = 0; d < w->rank; d++) {
		bool one = w->window[d] == 1 && !w->pad_low[d],
		     covers_dim = w->window[d] == w->in[d] && (w->pad_low[d] == 0 || w->pad_low[d] == w->in[d] - 1);
		if (w->stride[d] != 1 || w->base_dilation[d] != 1 || w->window_dilation[d] != 1 || w->out[d] != w->in[d] ||
		    (!one && (!covers_dim || cumulative_dim >= 0)))
			return false;
		cumulative_dim = one ? cumulative_dim : d;
	}
	for (int d = 0; d < w->rank; d++)
		*(cumulative_dim < 0 || d < cumulative_dim ? &c->outer : d > cumulative_dim ? &c->inner : &c->length) *= w->in[d];
	c->reverse = cumulative_dim >= 0 && w->pad_low[cumulative_dim] == 0;
	return cumulative_dim >= 0;
}

enum sr_status sr_lower_window(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_reduce_window_params p = {0};
	int k = op->n_operands / 2;
	int64_t lanes = sr_plan_elements(b, sr_result(op, 0));
	sr_lower_window_params(b, op, sr_result(op, 0)->type, &p);
	if (!lanes)
		return SR_OK;
	if (!has_kernels(op)) {
		struct sr_body_instr instr = {.kind = SR_BODY_REDUCE_WINDOW, .k = k, .u.window = p};
		return sr_lower_op_body_instr(b, op, lanes, &instr);
	}
	for (int i = 0; i < k; i++) {
		int buffers[] = {sr_plan_buffer_for(b, sr_operand(op, i)), sr_plan_buffer_for(b, sr_operand(op, k + i)),
				 sr_plan_buffer_for(b, sr_result(op, i))};
		struct sr_cumulate_params c;
		p.monoid = sr_monoid_of(op, 0, i);
		if (init_is_neutral(b, sr_operand(op, k + i), p.monoid) && cumulates(&p, &c)) {
			sr_plan_add_kernel(b, SR_KERNEL_CUMULATE, sr_plan_dtype(sr_operand(op, i)), c.outer, buffers, 3, &c, sizeof c);
			continue;
		}
		sr_plan_add_kernel(b, SR_KERNEL_REDUCE_WINDOW, sr_plan_dtype(sr_operand(op, i)), lanes, buffers, 3, &p, sizeof p);
	}
	return SR_OK;
}

/* Lower a scatter whose body is not one known op; called by lower_gather.c. */
enum sr_status sr_lower_scatter_body(struct sr_plan_builder *b, struct sr_op *op, const struct sr_scatter_params *p)
{
	struct sr_body_instr instr = {.kind = SR_BODY_SCATTER, .k = (op->n_operands - 1) / 2, .u.scatter = *p};
	return sr_lower_op_body_instr(b, op, 1, &instr);
}
