/* How long a program's step takes on a machine, before it runs: the cost of every step, loops as often as their form says. */
#ifndef SR_PLAN_ESTIMATE_H
#define SR_PLAN_ESTIMATE_H

#include "cost/cost.h"
#include "program/program.h"

/* machine NULL: the default. The dearest device is meant where they differ; of branches the dearest one. */
void sr_estimate_program(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_estimate *out);

/* The cost of each step by itself, played once: steps[steps.n], zeros for loops, branches and general bodies. */
void sr_estimate_instrs(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_cost *steps);

/* The seconds of each collective step, entered there. */
void sr_estimate_collectives(struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena);

/* A kernel step by its params and its operands' sizes; m: a rank's figures (estimate_kernel.c). */
struct sr_cost sr_estimate_kernel(const struct sr_program *p, const struct sr_instr *step, const struct sr_machine *m);
struct sr_cost sr_estimate_nest(const struct sr_program *p, const struct sr_instr *step, const struct sr_machine *m); /* estimate_nest.c */
/* A collective step as its schedule says (estimate_collective.c). */
struct sr_estimator;
struct sr_cost sr_estimate_collective(struct sr_estimator *e, const struct sr_instr *step);

/* What the walk carries. */
struct sr_estimator {
	const struct sr_program *p;
	struct sr_arena *arena;
	struct sr_machine machine; /* a rank's */
	const struct sr_selection *selection;
	struct sr_cached_collective_cost *known; /* costs of collectives seen before */
	struct sr_computation_estimate *plans;    /* [plans], by plan */
};

#endif
