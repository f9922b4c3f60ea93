/* How much there is to gain from compiling a program. */
#include "codegen/loop_c.h"
#include "codegen/jit.h"
#include "cost/cost.h"
#include "support/checked.h"

/* Time that compiling saves, as bytes: 2 of them are a nanosecond. NEST_BYTES are saved by an execution of a loop nest beside its
 * elements, STEP_BYTES by a step of a small loop, one that becomes a single function and pays with many trips alone. An outermost
 * loop of unknown length counts more often than in the prices of plans (sr_cost_trips): the cache keeps compiled code for further
 * runs. */
enum { NEST_BYTES = 1024, STEP_BYTES = 64, UNKNOWN_TRIPS = 256, UNKNOWN_SMALL_TRIPS = 4096, MOST_TRIPS = 1 << 20 };
enum { DEEPEST = 8 };

struct place { /* of a step */
	int depth;
	bool small, unknown; /* in a small loop, in one of unknown trips */
};

static int64_t plan_bytes(const struct sr_program *p, uint64_t plan, struct place in);

static int64_t loop_bytes(const struct sr_program *p, uint64_t step, struct place in)
{
	const struct sr_while_instr *w = (const void *)(sr_program_params(p) + sr_program_instrs(p)[step].params);
	struct place loop = {.depth = in.depth + 1, .small = in.small || sr_loop_is_compilable(p, step), .unknown = in.unknown || w->trips < 0};
	bool outermost = loop.unknown && !in.unknown;
	int64_t bytes, trips = sr_cost_trips(w->trips, in.unknown);
	if (outermost)
		trips = loop.small ? UNKNOWN_SMALL_TRIPS : UNKNOWN_TRIPS;
	trips = trips > MOST_TRIPS ? MOST_TRIPS : trips;
	if (sr_add_overflows(plan_bytes(p, (uint64_t)w->cond, loop), plan_bytes(p, (uint64_t)w->body, loop), &bytes) ||
	    sr_mul_overflows(bytes, trips, &bytes))
		return INT64_MAX;
	return bytes;
}

/* Plans come after those that own them or before; a loop in a loop is counted by its own trips and once more by those outside. */
static int64_t plan_bytes(const struct sr_program *p, uint64_t plan, struct place in)
{
	const struct sr_computation *range = sr_program_computations(p) + plan;
	int64_t total = 0;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		int64_t bytes = in.small ? STEP_BYTES : 0;
		if (s->kind == SR_INSTR_NEST) {
			if (sr_add_overflows(sr_program_instr_bytes(p, s), (int64_t)NEST_BYTES, &bytes))
				bytes = INT64_MAX;
		} else if (s->kind == SR_INSTR_WHILE && in.depth < DEEPEST) {
			bytes = loop_bytes(p, i, in);
		} else if (s->kind == SR_INSTR_CASE && in.depth < DEEPEST) {
			struct place branch = {in.depth + 1, in.small, in.unknown};
			const struct sr_case_instr *c = (const void *)(sr_program_params(p) + s->params);
			bytes = c->n > 0 ? plan_bytes(p, (uint64_t)c->first, branch) : 0;
		}
		if (sr_add_overflows(total, bytes, &total))
			return INT64_MAX;
	}
	return total;
}

int64_t sr_jit_benefit_bytes(const struct sr_program *p)
{
	return p->computations.n ? plan_bytes(p, 0, (struct place){0}) : 0;
}
