/* What a step does to the memory that it names: one row of facts per kind of step, read by liveness, alias and print. A new kind of step
 * is a new row here. Internal to plan. */
#ifndef SR_PLAN_ACCESS_H
#define SR_PLAN_ACCESS_H

#include "plan/builder.h"

/* Of one operand, while the step runs. A buffer that is only written may have held anything before. */
enum sr_step_access {
	SR_ACCESS_NONE,
	SR_ACCESS_ALONG,  /* element i is read for element i of a result alone, before that is written: it may be that result's memory */
	SR_ACCESS_READ,   /* read until the step's results are written */
	SR_ACCESS_UPDATE, /* written in part: what is not written stays */
	SR_ACCESS_WRITE,  /* all of it is written */
};

/* How a step's plans run. */
enum sr_step_flow {
	SR_FLOW_STRAIGHT, /* it owns none */
	SR_FLOW_WHILE,    /* first the condition, `end`, then leave or go on to the body and begin again */
	SR_FLOW_BRANCHES, /* one of them, `end` */
	SR_FLOW_ROUNDS,   /* it, `end`, then leave or begin again */
};

/* Sets access[k] of operand k; all of them are SR_ACCESS_NONE before. */
typedef void sr_step_access_fn(const struct sr_plan_builder *b, const struct sr_step *step, uint8_t *access);

struct sr_step_facts {
	enum sr_step_flow flow;
	sr_step_access_fn *start; /* before its plans run; NULL: nothing */
	sr_step_access_fn *end;   /* where the flow says so; NULL: nothing */
	/* Whether operand i, which is read along, may be the memory of result k; NULL: of every result. */
	bool (*may_share)(const struct sr_plan_builder *b, const struct sr_step *step, uint32_t i, uint32_t k);
	int (*plan)(const struct sr_plan_builder *b, const struct sr_step *step, int i); /* the i-th that it owns; -1: there is none */
};

const struct sr_step_facts *sr_step_facts_of(const struct sr_step *step);
/* The step only copies its operand 0 to its operand 1, byte for byte. */
bool sr_step_copies(const struct sr_plan_builder *b, const struct sr_step *step);

/* Sets access[k] of operand k of a step, n_operands of them, by one of its facts: what is read and written at a place in a buffer
 * is a part of it. */
void sr_step_access_now(const struct sr_plan_builder *b, const struct sr_step *step, sr_step_access_fn *fn, uint8_t *access);

static inline const void *sr_plan_params(const struct sr_plan_builder *b, const struct sr_step *step)
{
	return b->params.data + step->params;
}

#endif
