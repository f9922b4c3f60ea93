/* Estimate the duration of one execution of a program on a machine: the cost of every instruction, loops by their trip count. */
#ifndef SR_PLAN_ESTIMATE_H
#define SR_PLAN_ESTIMATE_H

#include "cost/cost.h"
#include "program/program.h"

/* Estimate a program; machine NULL: the default one. If devices or branches differ, the most expensive one counts. */
void sr_estimate_program(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_estimate *out);

/* Estimate each instruction by itself, executed once: instrs[instrs.n]; zero for loops, branches and general bodies. */
void sr_estimate_instrs(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_cost *instrs);

/* Store the estimated seconds in each collective instruction. */
void sr_estimate_collectives(struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena);

/* Price a kernel instruction by its params and operand sizes (estimate_kernel.c); m: figures of one rank. */
struct sr_cost sr_estimate_kernel(const struct sr_program *p, const struct sr_instr *instr, const struct sr_machine *m);
struct sr_cost sr_estimate_nest(const struct sr_program *p, const struct sr_instr *instr, const struct sr_machine *m); /* estimate_nest.c */
/* Price a collective instruction by its schedule (estimate_collective.c). */
struct sr_estimator;
struct sr_cost sr_estimate_collective(struct sr_estimator *e, const struct sr_instr *instr);

/* State of an estimate. */
struct sr_estimator {
	const struct sr_program *p;
	struct sr_arena *arena;
	struct sr_machine machine; /* figures of one rank */
	const struct sr_selection *selection;
	struct sr_cached_collective_cost *known; /* cache of costs */
	struct sr_computation_estimate *computations;    /* [computations] */
};

#endif
