/* How much there is to gain from compiling a program. */
#include "codegen/loop_c.h"
#include "codegen/unit.h"
#include "support/checked.h"

/* Trips of loops that do not say how many there are. Small loops are those that become one function: there a step takes as long as so many bytes
 * do, and only many trips are worth a thought. */
enum { UNKNOWN_TRIPS = 64, UNKNOWN_SMALL_TRIPS = 4096, MOST_TRIPS = 1 << 20, STEP_BYTES = 64, DEEPEST = 8 };

static int64_t plan_bytes(const struct sr_program *p, uint64_t plan, int depth, bool small);

static int64_t loop_bytes(const struct sr_program *p, uint64_t step, int depth, bool small)
{
	const struct sr_while_step *w = (const void *)(sr_program_params(p) + sr_program_steps(p)[step].params);
	int64_t bytes, trips = w->trips;
	small = small || sr_loop_is_small(p, step);
	if (trips < 0)
		trips = small ? UNKNOWN_SMALL_TRIPS : UNKNOWN_TRIPS;
	trips = trips > MOST_TRIPS ? MOST_TRIPS : trips;
	if (sr_add_overflows(plan_bytes(p, (uint64_t)w->cond, depth + 1, small), plan_bytes(p, (uint64_t)w->body, depth + 1, small), &bytes) ||
	    sr_mul_overflows(bytes, trips, &bytes))
		return INT64_MAX;
	return bytes;
}

/* Plans come after those that own them or before; a loop in a loop is counted by its own trips and once more by those outside. */
static int64_t plan_bytes(const struct sr_program *p, uint64_t plan, int depth, bool small)
{
	const struct sr_plan *range = sr_program_plans(p) + plan;
	int64_t total = 0;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++) {
		const struct sr_step *s = sr_program_steps(p) + i;
		int64_t bytes = small ? STEP_BYTES : 0;
		if (s->kind == SR_STEP_TILE) {
			bytes = sr_program_step_bytes(p, s);
		} else if (s->kind == SR_STEP_WHILE && depth < DEEPEST) {
			bytes = loop_bytes(p, i, depth, small);
		} else if (s->kind == SR_STEP_CASE && depth < DEEPEST) {
			const struct sr_case_step *c = (const void *)(sr_program_params(p) + s->params);
			bytes = c->n > 0 ? plan_bytes(p, (uint64_t)c->first, depth + 1, small) : 0;
		}
		if (sr_add_overflows(total, bytes, &total))
			return INT64_MAX;
	}
	return total;
}

int64_t sr_unit_bytes(const struct sr_program *p)
{
	return p->plans.n ? plan_bytes(p, 0, 0, false) : 0;
}
