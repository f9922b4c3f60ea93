/* The results of short rows' reductions, such as logarithms of sums, as a vector loop over a block of rows. */
#ifndef SR_CODEGEN_NEST_ROW_RESULTS_H
#define SR_CODEGEN_NEST_ROW_RESULTS_H

#include "codegen/nest_instr_c.h"

/* Return the stage that is a vector loop over the rows of a block, or -1. */
int sr_nest_row_results_stage(const struct sr_nest_form *g);
/* Open the loop over blocks of rows and the one over the rows of a block, given the range of rows. */
void sr_nest_c_open_row_results(struct sr_nest_form *g, int stage, const char *begin, const char *end);
/* Close the loop over rows, write the stage, in which g->stage is `stage`, and open a loop over rows for the stages after it.
 * Return false if a type or function has no C text. */
bool sr_nest_c_row_results(struct sr_nest_form *g, int stage);

#endif
