/* A work.nest on its way to struct sr_nest (kernels/nest/nest.h): its stages and arrays. Internal to work. */
#ifndef SR_WORK_EMIT_NEST_EMITTER_H
#define SR_WORK_EMIT_NEST_EMITTER_H

#include "work/emit/emit.h"
#include "support/buf.h"
#include "support/map.h"
#include "support/vec.h"
#include "work/work.h"

/* What a value of the body is: phase p is made by stage 2 p (once for each point of the parallel loops) or 2 p + 1 (over the inner
 * loops). A work.reduce of phase p is complete, and its results are of phase p + 1. */
struct sr_nest_stage_info {
	int phase;
	bool inner; /* it differs along inner loops */
};

struct sr_nest_stage_builder {
	SR_VEC(struct sr_nest_instr) instrs;
	struct sr_map made; /* stages over inner loops: value -> 1 + number, of what is made there */
};

struct sr_nest_emitter {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_op *op;
	struct sr_work_nest tile;
	struct sr_map facts;  /* value -> struct sr_nest_stage_info */
	struct sr_map made;   /* value -> 1 + number, of what does not differ along inner loops */
	SR_VEC(struct sr_nest_stage_builder) stages;
	SR_VEC(struct sr_nest_instr) bodies; /* of folds, behind all stages */
	SR_VEC(struct sr_nest_value) values;
	SR_VEC(struct sr_nest_access) accesses;
	SR_VEC(struct sr_nest_dim) dims;
	SR_VEC(char) constants;
	int *last_load;       /* [operands]: the last stage that reads the operand */
};

/* emit_stages.c */
struct sr_nest_stage_info sr_nest_stage_info_of(struct sr_nest_emitter *e, struct sr_value *v);
/* emit_access.c: the access of a buffer of this shape by number; index and fill are values made for `stage`. */
int sr_nest_emit_access(struct sr_nest_emitter *e, const struct sr_indexing_map *a, const int64_t *shape, int buffer, int stage);
/* emit_body.c: the value's number in a stage, made there where it is not yet. */
int sr_nest_emit_value(struct sr_nest_emitter *e, struct sr_value *v, int stage);

#endif
