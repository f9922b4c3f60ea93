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
	bool inner; /* true if the value varies along the inner loops */
};

struct sr_nest_stage_builder {
	SR_VEC(struct sr_nest_instr) instrs;
	struct sr_map value_numbers; /* in stages over inner loops: maps a value computed in this stage to 1 + its number */
};

struct sr_nest_emitter {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_op *op;
	struct sr_work_nest nest;
	struct sr_map stage_infos;  /* maps a value to its struct sr_nest_stage_info */
	struct sr_map value_numbers;   /* maps a value that does not vary along the inner loops to 1 + its number */
	SR_VEC(struct sr_nest_stage_builder) stages;
	SR_VEC(struct sr_nest_instr) bodies; /* instructions of the bodies of folds, which are placed after all stages */
	SR_VEC(struct sr_nest_value) values;
	SR_VEC(struct sr_nest_access) accesses;
	SR_VEC(struct sr_nest_dim) dims;
	SR_VEC(char) constants;
	int *last_load;       /* for each operand: last stage that reads it */
};

/* Return the phase of v and whether v varies along the inner loops. Defined in emit_stages.c. */
struct sr_nest_stage_info sr_nest_stage_info_of(struct sr_nest_emitter *e, struct sr_value *v);
/* Append the memory access of a buffer of this shape and return its number; values of index and fill are computed for `stage`.
 * Defined in emit_access.c. */
int sr_nest_emit_access(struct sr_nest_emitter *e, const struct sr_indexing_map *a, const int64_t *shape, int buffer, int stage);
/* Return the number of a value in a stage; the stage computes the value if needed. Defined in emit_body.c. */
int sr_nest_emit_value(struct sr_nest_emitter *e, struct sr_value *v, int stage);

#endif
