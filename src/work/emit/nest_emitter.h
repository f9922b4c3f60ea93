/* State of converting a work.nest to struct sr_nest (kernels/nest/nest.h): stages and arrays. Internal to work. */
#ifndef SR_WORK_EMIT_NEST_EMITTER_H
#define SR_WORK_EMIT_NEST_EMITTER_H

#include "work/emit/emit.h"
#include "support/buf.h"
#include "support/map.h"
#include "support/vec.h"
#include "work/work.h"

/* Where a value of the body can be computed. Stage 2 p computes values of phase p once per iteration of the parallel loops,
 * stage 2 p + 1 those that vary along the inner loops. The results of a work.reduce of phase p are of phase p + 1. */
struct sr_nest_stage_info {
	int phase;
	bool inner; /* it varies along the inner loops */
};

struct sr_nest_stage_builder {
	SR_VEC(struct sr_nest_instr) instrs;
	struct sr_map made; /* stages over inner loops: value -> 1 + number, for values computed in this stage */
};

struct sr_nest_emitter {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_op *op;
	struct sr_work_nest nest;
	struct sr_map facts;  /* value -> struct sr_nest_stage_info */
	struct sr_map made;   /* value -> 1 + number, for values that do not vary along the inner loops */
	SR_VEC(struct sr_nest_stage_builder) stages;
	SR_VEC(struct sr_nest_instr) bodies; /* bodies of folds, placed after all stages */
	SR_VEC(struct sr_nest_value) values;
	SR_VEC(struct sr_nest_access) accesses;
	SR_VEC(struct sr_nest_dim) dims;
	SR_VEC(char) constants;
	int *last_load;       /* [operands]: last stage that reads the operand */
};

/* emit_stages.c: return the phase of v and whether it varies along the inner loops. */
struct sr_nest_stage_info sr_nest_stage_info_of(struct sr_nest_emitter *e, struct sr_value *v);
/* emit_access.c: append the memory access of a buffer of this shape and return its number; values of index and fill are computed
 * for `stage`. */
int sr_nest_emit_access(struct sr_nest_emitter *e, const struct sr_indexing_map *a, const int64_t *shape, int buffer, int stage);
/* emit_body.c: return the value's number in a stage, computing it there if needed. */
int sr_nest_emit_value(struct sr_nest_emitter *e, struct sr_value *v, int stage);

#endif
