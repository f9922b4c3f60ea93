/* Estimate the cost of a loop nest: bytes that its accesses touch, once each, and elements by class of its instructions. */
#include "kernels/nest/nest.h"
#include "plan/estimate/estimate.h"
#include <math.h>

struct work_count {
	const struct sr_program *p;
	const struct sr_instr *instr;
	const struct sr_nest *nest;
	double parallel_iterations, total_iterations; /* number of iterations of a nest's parallel loops, and of all its loops */
	struct sr_elementwise_work work;
};

static bool moves_along(const struct sr_nest *nest, const struct sr_nest_access *a, int loop)
{
	bool is_moving = a->stride[loop] != 0;
	for (int32_t d = a->first_dim; d < a->first_dim + a->n_dims && !is_moving; d++)
		is_moving = sr_nest_dims(nest)[d].coef[loop] != 0;
	return is_moving;
}

/* Return the bytes of the distinct elements that an access touches: the product of the extents of the loops along which it
 * moves, at most the buffer. */
static double distinct_bytes(const struct work_count *c, const struct sr_nest_access *a, const struct sr_buffer *b)
{
	double n = 1;
	for (int l = 0; l < c->nest->n_loops; l++)
		n *= moves_along(c->nest, a, l) ? (double)c->nest->extent[l] : 1;
	return fmin(n * sr_dtype_bytes((enum sr_dtype)b->dtype), (double)b->bytes);
}

/* Return true if elements are accessed one by one: strided along the innermost loop, or at run-time indices. */
static bool is_scattered(const struct sr_nest *nest, const struct sr_nest_access *a)
{
	int64_t stride = nest->n_loops ? a->stride[nest->n_loops - 1] : 0;
	for (int32_t d = a->first_dim; d < a->first_dim + a->n_dims; d++) {
		const struct sr_nest_dim *dim = sr_nest_dims(nest) + d;
		if (dim->index >= 0)
			return true;
		stride += nest->n_loops ? dim->stride * dim->coef[nest->n_loops - 1] / dim->divisor : 0;
	}
	return stride != 0 && stride != 1;
}

static void access_memory(struct work_count *c, const struct sr_nest_instr *in, double iterations)
{
	const struct sr_nest_access *a = sr_nest_accesses(c->nest) + in->access;
	const struct sr_buffer *b = sr_program_buffers(c->p) + sr_program_operands(c->p)[c->instr->first_operand + (uint32_t)a->buffer];
	*(in->op == SR_NEST_LOAD ? &c->work.read_bytes : &c->work.written_bytes) += (int64_t)distinct_bytes(c, a, b);
	if (is_scattered(c->nest, a))
		c->work.elements[SR_WORK_SCATTERED] += sr_cost_elements(iterations, (enum sr_dtype)b->dtype);
}

static void count_instr(struct work_count *c, const struct sr_nest_instr *in, double iterations)
{
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_LOAD:
	case SR_NEST_STORE:
		access_memory(c, in, iterations);
		break;
	case SR_NEST_MAP:
		c->work.elements[sr_kernel_work_class((enum sr_kernel)in->kernel)] += sr_cost_elements(iterations, (enum sr_dtype)in->type);
		break;
	case SR_NEST_REDUCE:
		c->work.elements[SR_WORK_CHEAP] += sr_cost_elements(iterations, (enum sr_dtype)in->type);
		break;
	case SR_NEST_FOLD: /* a fold's body is interpreted for each element */
		c->work.elements[SR_WORK_SCATTERED] += iterations * in->n_body;
		break;
	default:
		break;
	}
}

struct sr_cost sr_estimate_nest(const struct sr_program *p, const struct sr_instr *instr, const struct sr_machine *m)
{
	const struct sr_nest *nest = (const void *)(sr_program_params(p) + instr->params);
	struct work_count c = {.p = p, .instr = instr, .nest = nest, .parallel_iterations = 1, .total_iterations = 1};
	for (int l = 0; l < nest->n_loops; l++) {
		c.total_iterations *= (double)nest->extent[l];
		c.parallel_iterations *= l < nest->n_parallel ? (double)nest->extent[l] : 1;
	}
	for (int32_t s = 0; s < nest->n_stages; s++) {
		const struct sr_nest_stage *stage = sr_nest_stages(nest) + s;
		for (int32_t i = stage->first; i < stage->first + stage->n; i++)
			count_instr(&c, sr_nest_instrs(nest) + i, stage->over_inner ? c.total_iterations : c.parallel_iterations);
	}
	return sr_cost_of_elementwise(m, &c.work);
}
