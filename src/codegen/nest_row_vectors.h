/* Reductions of rows of a few vectors, with accumulators in vector registers. */
#ifndef SR_CODEGEN_NEST_ROW_VECTORS_H
#define SR_CODEGEN_NEST_ROW_VECTORS_H

#include "codegen/nest_instr_c.h"

/* Return true if the reductions of the stage whose loops are `n` have accumulators in vector registers. */
bool sr_nest_has_row_vectors(struct sr_nest_form *g, const struct sr_stage_loops *n);
/* Write the vector loop of such a stage, and the results of its reductions. Return false if a type or function has no C text. */
bool sr_nest_c_row_vectors(struct sr_nest_form *g, const struct sr_stage_loops *n);

#endif
