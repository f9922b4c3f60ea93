/* Effects of instructions on the buffers that they name: one row of traits per kind of instruction, which liveness, coalescing
 * and printing read. A new kind of instruction is a new row here. Internal to plan. */
#ifndef SR_PLAN_PLACE_EFFECTS_H
#define SR_PLAN_PLACE_EFFECTS_H

#include "plan/program_builder.h"

/* Effect on one operand while the instruction runs. A buffer that is written but not updated may have held anything before. */
enum sr_operand_effect {
	SR_EFFECT_NONE,
	SR_EFFECT_READ_ELEMENTWISE,  /* element i is read only for element i of a result, before that is written: operand and result may share memory */
	SR_EFFECT_READ,   /* read until the results are written */
	SR_EFFECT_UPDATE, /* written in part: the rest keeps its content */
	SR_EFFECT_WRITE,  /* fully written */
};

/* How the nested computations of an instruction run. */
enum sr_instr_flow {
	SR_FLOW_STRAIGHT, /* no nested computations */
	SR_FLOW_WHILE,    /* condition, `end`, then exit or run the body and repeat */
	SR_FLOW_BRANCHES, /* one of them, then `end` */
	SR_FLOW_REPEAT,   /* the computation, `end`, then exit or repeat */
};

/* Set access[k], the effect on operand k; all are SR_EFFECT_NONE before. */
typedef void sr_instr_effects_fn(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access);

struct sr_instr_traits {
	enum sr_instr_flow flow;
	sr_instr_effects_fn *start; /* before nested computations run; NULL: no effects */
	sr_instr_effects_fn *end;   /* where `flow` says; NULL: no effects */
	/* Return true if operand i, read elementwise, may share memory with result k. NULL: with every result. */
	bool (*may_share)(const struct sr_plan_builder *b, const struct sr_instr *instr, uint32_t i, uint32_t k);
	int (*computation)(const struct sr_plan_builder *b, const struct sr_instr *instr, int i); /* the i-th nested computation; -1: there is none */
};

const struct sr_instr_traits *sr_instr_traits_of(const struct sr_instr *instr);
/* Return true if the instruction only copies operand 0 to operand 1, byte for byte. */
bool sr_instr_is_copy(const struct sr_plan_builder *b, const struct sr_instr *instr);

/* Set access[0..n_operands) to the effects of `fn`, one of the instruction's traits. An operand at a run-time offset is read or
 * written in part. */
void sr_instr_effects(const struct sr_plan_builder *b, const struct sr_instr *instr, sr_instr_effects_fn *fn, uint8_t *access);

static inline const void *sr_plan_params(const struct sr_plan_builder *b, const struct sr_instr *instr)
{
	return b->params.data + instr->params;
}

#endif
