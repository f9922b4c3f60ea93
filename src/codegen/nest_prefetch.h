/* Prefetches of the inputs of loop nests that reduce (g->is_prefetched). */
#ifndef SR_CODEGEN_NEST_PREFETCH_H
#define SR_CODEGEN_NEST_PREFETCH_H

#include "codegen/nest_form.h"

/* Return true if the current stage has prefetches. */
bool sr_nest_has_prefetches(const struct sr_nest_form *g);
/* Write the prefetches of the current stage's inputs. In form ROWS they stand in the vector loop, one iteration of which reads the
 * elements from index j on, one per lane; in form COLUMNS they precede the vector loop over a row of the block of columns. */
void sr_nest_c_prefetches(struct sr_nest_form *g);
/* Write the prefetches of form COLUMNS, for each of the rows that the vector loop reduces. */
void sr_nest_c_row_prefetches(struct sr_nest_form *g, const struct sr_stage_loops *n);

#endif
