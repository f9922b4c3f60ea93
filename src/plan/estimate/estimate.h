/* Estimate the duration of one execution of a program on a machine: the cost of every instruction, loops by their trip count. */
#ifndef SR_PLAN_ESTIMATE_H
#define SR_PLAN_ESTIMATE_H

#include "cost/cost.h"
#include "program/program.h"

/* Estimate a program. machine NULL: the default machine. If devices or branches differ, the most expensive one counts. */
void sr_estimate_program(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_estimate *out);

/* Estimate one execution of each instruction by itself: instrs[instrs.n]; zero for loops, branches and instructions with a
 * body. */
void sr_estimate_instrs(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_cost *instrs);

/* Store the estimated seconds of each collective in its instruction. */
void sr_estimate_collectives(struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena);

/* Estimate the cost of a kernel instruction by its params and operand sizes (estimate_kernel.c). m: figures of one rank. */
struct sr_cost sr_estimate_kernel(const struct sr_program *p, const struct sr_instr *instr, const struct sr_machine *m);
/* Estimate the cost of a loop nest; defined in estimate_nest.c. */
struct sr_cost sr_estimate_nest(const struct sr_program *p, const struct sr_instr *instr, const struct sr_machine *m);
/* Estimate the cost of a collective instruction by its schedule; defined in estimate_collective.c. */
struct sr_estimator;
struct sr_cost sr_estimate_collective(struct sr_estimator *e, const struct sr_instr *instr);

/* State while a program is estimated. */
struct sr_estimator {
	const struct sr_program *p;
	struct sr_arena *arena;
	struct sr_machine machine; /* bandwidths, latencies and FLOP rates of the machine, as one rank's share */
	const struct sr_selection *selection;
	struct sr_cached_collective_cost *cached_costs; /* cache of the costs of collectives */
	struct sr_computation_estimate *computations;    /* time estimate of each computation of the program */
};

#endif
