/* Small tables of a loop nest, from which vector registers select elements. */
#ifndef SR_CODEGEN_NEST_TABLES_H
#define SR_CODEGEN_NEST_TABLES_H

#include "codegen/nest_instr_c.h"

/* Select the loads from small tables, once `deps` has the loops that each value depends on. */
void sr_nest_form_select_tables(struct sr_nest_form *g);
/* Write the copies of the tables to local arrays, before the blocks of the vector loop. */
void sr_nest_c_tables(struct sr_nest_form *g);
/* Write the loop that computes the indices of a block, and the calls of the functions that copy these elements of the tables to local
 * arrays. */
bool sr_nest_c_lookups(struct sr_nest_form *g, const struct sr_stage_loops *n);

#endif
