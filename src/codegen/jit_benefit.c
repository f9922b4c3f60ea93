/* Estimate how much time compiling a program saves. */
#include "codegen/loop_c.h"
#include "codegen/jit.h"
#include "cost/cost.h"
#include "support/checked.h"

enum { MAX_DEPTH = 8 };

struct context { /* the loops in which an instruction is executed */
	int depth;
	/* true if the instruction is inside a small loop; true if it is inside a loop of unknown trip count */
	bool is_in_small_loop, is_in_unknown_loop;
};

static int64_t computation_bytes(const struct sr_program *p, uint64_t computation, struct context in);

/* Return the number of scalar instructions that one execution of a loop nest computes, as a double because it may exceed 2^63. */
static double executed_instrs(const struct sr_nest *nest)
{
	double n = 0, n_parallel = 1, n_inner = 1;
	for (int l = 0; l < nest->n_loops; l++)
		*(l < nest->n_parallel ? &n_parallel : &n_inner) *= (double)nest->extent[l];
	for (int s = 0; s < nest->n_stages; s++)
		n += sr_nest_stages(nest)[s].n * n_parallel * (sr_nest_stages(nest)[s].over_inner ? n_inner : 1);
	return n;
}

static int64_t nest_bytes(const struct sr_program *p, const struct sr_instr *instr)
{
	double of_instrs = executed_instrs((const void *)(sr_program_params(p) + instr->params)) / SR_COST_JIT_INSTRS_PER_BYTE;
	int64_t bytes = of_instrs < 0x1p62 ? (int64_t)of_instrs + SR_COST_JIT_NEST_BYTES : INT64_MAX;
	return sr_add_overflows(sr_program_instr_bytes(p, instr), bytes, &bytes) ? INT64_MAX : bytes;
}

static int64_t loop_bytes(const struct sr_program *p, uint64_t instr, struct context in)
{
	const struct sr_while_instr *w = (const void *)(sr_program_params(p) + sr_program_instrs(p)[instr].params);
	struct context loop = {.depth = in.depth + 1, .is_in_small_loop = in.is_in_small_loop || sr_loop_is_compilable(p, instr),
			       .is_in_unknown_loop = in.is_in_unknown_loop || w->trips < 0};
	int64_t bytes, trips = sr_cost_jit_trips(w->trips, in.is_in_unknown_loop, loop.is_in_small_loop);
	if (sr_add_overflows(computation_bytes(p, (uint64_t)w->cond, loop), computation_bytes(p, (uint64_t)w->body, loop), &bytes) ||
	    sr_mul_overflows(bytes, trips, &bytes))
		return INT64_MAX;
	return bytes;
}

/* Return the bytes that compilation saves in one execution of a computation. Nested loops are counted by the product of their trip
 * counts. */
static int64_t computation_bytes(const struct sr_program *p, uint64_t computation, struct context in)
{
	const struct sr_computation *range = sr_program_computations(p) + computation;
	int64_t total_bytes = 0;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		int64_t bytes = in.is_in_small_loop ? SR_COST_JIT_INSTR_BYTES : 0;
		if (instr->kind == SR_INSTR_NEST) {
			bytes = nest_bytes(p, instr);
		} else if (instr->kind == SR_INSTR_WHILE && in.depth < MAX_DEPTH) {
			bytes = loop_bytes(p, i, in);
		} else if (instr->kind == SR_INSTR_CASE && in.depth < MAX_DEPTH) {
			struct context branch = {in.depth + 1, in.is_in_small_loop, in.is_in_unknown_loop};
			const struct sr_case_instr *c = (const void *)(sr_program_params(p) + instr->params);
			bytes = c->n > 0 ? computation_bytes(p, (uint64_t)c->first, branch) : 0;
		}
		if (sr_add_overflows(total_bytes, bytes, &total_bytes))
			return INT64_MAX;
	}
	return total_bytes;
}

int64_t sr_jit_benefit_bytes(const struct sr_program *p)
{
	return p->computations.n ? computation_bytes(p, 0, (struct context){0}) : 0;
}
