/* Effects of instructions on the buffers that they name: one row of traits per kind of instruction, which liveness, coalescing
 * and printing read. A new kind of instruction is a new row here. Internal to plan. */
#ifndef SR_PLAN_PLACE_EFFECTS_H
#define SR_PLAN_PLACE_EFFECTS_H

#include "plan/program_builder.h"

/* Effect of an instruction on one operand while the instruction executes. The content of a buffer before SR_EFFECT_WRITE is not
 * used. */
enum sr_operand_effect {
	SR_EFFECT_NONE,
	/* element i is read only to compute element i of a result, before that is written: operand and result may share memory */
	SR_EFFECT_READ_ELEMENTWISE,
	SR_EFFECT_READ,   /* the operand is read, at any time until the results are written */
	SR_EFFECT_UPDATE, /* the operand is written in part; its other elements keep their content */
	SR_EFFECT_WRITE,  /* every element of the operand is written */
};

/* How the nested computations of an instruction are executed. */
enum sr_instr_flow {
	SR_FLOW_STRAIGHT, /* the instruction has no nested computations */
	SR_FLOW_WHILE,    /* execute the condition, apply `end`, then exit or execute the body and repeat */
	SR_FLOW_BRANCHES, /* execute one of the computations, then apply `end` */
	SR_FLOW_REPEAT,   /* execute the computation, apply `end`, then exit or repeat */
};

/* Set access[k] to the effect on operand k; before the call all are SR_EFFECT_NONE. */
typedef void sr_instr_effects_fn(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access);

struct sr_instr_traits {
	enum sr_instr_flow flow;
	sr_instr_effects_fn *start; /* effects before nested computations are executed; NULL: none */
	sr_instr_effects_fn *end;   /* effects at the time that `flow` describes; NULL: none */
	/* Return true if operand i, which is read elementwise, may share memory with result k. NULL: it may with every result. */
	bool (*may_share)(const struct sr_plan_builder *b, const struct sr_instr *instr, uint32_t i, uint32_t k);
	/* Return the number of the i-th nested computation; -1: there is none. */
	int (*computation)(const struct sr_plan_builder *b, const struct sr_instr *instr, int i);
};

const struct sr_instr_traits *sr_instr_traits_of(const struct sr_instr *instr);
/* Return true if the instruction only copies operand 0 to operand 1, byte for byte. */
bool sr_instr_is_copy(const struct sr_plan_builder *b, const struct sr_instr *instr);

/* The effects of an instruction on its operands, enum sr_operand_effect. */
typedef SR_VEC(uint8_t) sr_effects;
static inline bool sr_effect_writes(uint8_t effect)
{
	return effect == SR_EFFECT_UPDATE || effect == SR_EFFECT_WRITE;
}
/* Set `effects`, in the builder's arena, to the effects of `fn`, one of the instruction's traits. An operand at a run-time offset
 * is read or written in part. */
void sr_instr_effects(const struct sr_plan_builder *b, const struct sr_instr *instr, sr_instr_effects_fn *fn, sr_effects *effects);
/* Call visit(data, instr, fn) for `start` and `end` of the instruction's traits, then for those of instructions nested in it. */
typedef void sr_effects_visitor(void *data, const struct sr_instr *instr, sr_instr_effects_fn *fn);
void sr_instr_visit_effects(const struct sr_plan_builder *b, const struct sr_instr *instr, sr_effects_visitor *visit, void *data);

/* Return, for each buffer, the number of operands and run-time starts that name it; in the builder's arena. */
int *sr_plan_count_references(struct sr_plan_builder *b);

static inline const void *sr_plan_params(const struct sr_plan_builder *b, const struct sr_instr *instr)
{
	return b->params.data + instr->params;
}

#endif
