/* The results of short rows' reductions, such as logarithms of sums, as a vector loop over a block of rows. */
#ifndef SR_CODEGEN_NEST_ROW_RESULTS_H
#define SR_CODEGEN_NEST_ROW_RESULTS_H

#include "codegen/nest_instr_c.h"

/* Return true if the nest's last stage is a vector loop over the rows of a block. */
bool sr_nest_has_row_results(const struct sr_nest_form *g);
/* Open the loop over blocks of rows and the one over the rows of a block, given the range of rows. */
void sr_nest_c_open_row_results(struct sr_nest_form *g, const char *begin, const char *end);
/* Close the loop over rows, and write the last stage, in which g->stage is `stage`. Return false if a type or function has no C
 * text. */
bool sr_nest_c_row_results(struct sr_nest_form *g, int stage);

#endif
