/* What a step does to the memory that it names: one row of facts per kind of step, read by liveness, alias and print. A new kind of step
 * is a new row here. Internal to plan. */
#ifndef SR_PLAN_PLACE_EFFECTS_H
#define SR_PLAN_PLACE_EFFECTS_H

#include "plan/program_builder.h"

/* Of one operand, while the step runs. A buffer that is only written may have held anything before. */
enum sr_operand_effect {
	SR_EFFECT_NONE,
	SR_EFFECT_READ_ELEMENTWISE,  /* element i is read for element i of a result alone, before that is written: it may be that result's memory */
	SR_EFFECT_READ,   /* read until the step's results are written */
	SR_EFFECT_UPDATE, /* written in part: what is not written stays */
	SR_EFFECT_WRITE,  /* all of it is written */
};

/* How a step's plans run. */
enum sr_instr_flow {
	SR_FLOW_STRAIGHT, /* it owns none */
	SR_FLOW_WHILE,    /* first the condition, `end`, then leave or go on to the body and begin again */
	SR_FLOW_BRANCHES, /* one of them, `end` */
	SR_FLOW_REPEAT,   /* it, `end`, then leave or begin again */
};

/* Sets access[k] of operand k; all of them are SR_EFFECT_NONE before. */
typedef void sr_instr_effects_fn(const struct sr_plan_builder *b, const struct sr_instr *step, uint8_t *access);

struct sr_instr_traits {
	enum sr_instr_flow flow;
	sr_instr_effects_fn *start; /* before its plans run; NULL: nothing */
	sr_instr_effects_fn *end;   /* where the flow says so; NULL: nothing */
	/* Whether operand i, which is read along, may be the memory of result k; NULL: of every result. */
	bool (*may_share)(const struct sr_plan_builder *b, const struct sr_instr *step, uint32_t i, uint32_t k);
	int (*plan)(const struct sr_plan_builder *b, const struct sr_instr *step, int i); /* the i-th that it owns; -1: there is none */
};

const struct sr_instr_traits *sr_instr_traits_of(const struct sr_instr *step);
/* The step only copies its operand 0 to its operand 1, byte for byte. */
bool sr_instr_is_copy(const struct sr_plan_builder *b, const struct sr_instr *step);

/* Sets access[k] of operand k of a step, n_operands of them, by one of its facts: what is read and written at a place in a buffer
 * is a part of it. */
void sr_instr_effects(const struct sr_plan_builder *b, const struct sr_instr *step, sr_instr_effects_fn *fn, uint8_t *access);

static inline const void *sr_plan_params(const struct sr_plan_builder *b, const struct sr_instr *step)
{
	return b->params.data + step->params;
}

#endif
