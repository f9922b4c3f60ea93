/* A tile as a node: bytes of what its accesses touch once, elements by class of its instructions. */
#include "kernels/nest/nest.h"
#include "plan/estimate/estimate.h"
#include <math.h>

struct counting {
	const struct sr_program *p;
	const struct sr_instr *step;
	const struct sr_nest *tile;
	double once, all; /* points of the parallel loops, of all loops */
	struct sr_elementwise_work work;
};

static bool moves_along(const struct sr_nest *t, const struct sr_nest_access *a, int loop)
{
	bool moves = a->stride[loop] != 0;
	for (int32_t d = a->first_dim; d < a->first_dim + a->n_dims && !moves; d++)
		moves = sr_nest_dims(t)[d].coef[loop] != 0;
	return moves;
}

/* Different elements that the access touches: those of the loops that it moves along, and no more than there are. */
static double touched(const struct counting *c, const struct sr_nest_access *a, const struct sr_buffer *b)
{
	double n = 1;
	for (int l = 0; l < c->tile->n_loops; l++)
		n *= moves_along(c->tile, a, l) ? (double)c->tile->extent[l] : 1;
	return fmin(n * sr_dtype_bytes((enum sr_dtype)b->dtype), (double)b->bytes);
}

/* Elements come one by one where the innermost loop strides, or an index says where. */
static bool is_scattered(const struct sr_nest *t, const struct sr_nest_access *a)
{
	int64_t stride = t->n_loops ? a->stride[t->n_loops - 1] : 0;
	for (int32_t d = a->first_dim; d < a->first_dim + a->n_dims; d++) {
		const struct sr_nest_dim *dim = sr_nest_dims(t) + d;
		if (dim->index >= 0)
			return true;
		stride += t->n_loops ? dim->stride * dim->coef[t->n_loops - 1] / dim->divisor : 0;
	}
	return stride != 0 && stride != 1;
}

static void access_memory(struct counting *c, const struct sr_nest_instr *in, double points)
{
	const struct sr_nest_access *a = sr_nest_accesses(c->tile) + in->access;
	const struct sr_buffer *b = sr_program_buffers(c->p) + sr_program_operands(c->p)[c->step->first_operand + (uint32_t)a->buffer];
	*(in->op == SR_NEST_LOAD ? &c->work.read_bytes : &c->work.written_bytes) += (int64_t)touched(c, a, b);
	if (is_scattered(c->tile, a))
		c->work.elements[SR_WORK_SCATTERED] += sr_cost_elements(points, (enum sr_dtype)b->dtype);
}

static void count(struct counting *c, const struct sr_nest_instr *in, double points)
{
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_LOAD:
	case SR_NEST_STORE:
		access_memory(c, in, points);
		break;
	case SR_NEST_MAP:
		c->work.elements[sr_kernel_work_class((enum sr_kernel)in->kernel)] += sr_cost_elements(points, (enum sr_dtype)in->type);
		break;
	case SR_NEST_REDUCE:
		c->work.elements[SR_WORK_CHEAP] += sr_cost_elements(points, (enum sr_dtype)in->type);
		break;
	case SR_NEST_FOLD: /* its body is played for each point */
		c->work.elements[SR_WORK_SCATTERED] += points * in->n_body;
		break;
	default:
		break;
	}
}

struct sr_cost sr_estimate_nest(const struct sr_program *p, const struct sr_instr *step, const struct sr_machine *m)
{
	const struct sr_nest *t = (const void *)(sr_program_params(p) + step->params);
	struct counting c = {.p = p, .step = step, .tile = t, .once = 1, .all = 1};
	for (int l = 0; l < t->n_loops; l++) {
		c.all *= (double)t->extent[l];
		c.once *= l < t->n_parallel ? (double)t->extent[l] : 1;
	}
	for (int32_t s = 0; s < t->n_stages; s++) {
		const struct sr_nest_stage *stage = sr_nest_stages(t) + s;
		for (int32_t i = stage->first; i < stage->first + stage->n; i++)
			count(&c, sr_nest_instrs(t) + i, stage->over_inner ? c.all : c.once);
	}
	return sr_cost_of_elementwise(m, &c.work);
}
