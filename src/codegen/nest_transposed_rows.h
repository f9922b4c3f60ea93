/* Rows of reductions that are columns of an array: blocks of them are transposed into local arrays. */
#ifndef SR_CODEGEN_NEST_TRANSPOSED_ROWS_H
#define SR_CODEGEN_NEST_TRANSPOSED_ROWS_H

#include "codegen/nest_instr_c.h"

/* Set g->row_block_loop and g->row_block if the nest gains from such blocks. Values have their dependences already. */
void sr_nest_form_select_transposed_rows(struct sr_nest_form *g);
/* Return true for a load that reads from a block of transposed rows, or a store, the only one to its buffer, to such a block. */
bool sr_nest_form_is_transposed_row(const struct sr_nest_form *g, const struct sr_nest_instr *in);
/* Append the element that such a load reads, or such a store writes. */
void sr_nest_c_transposed_element(struct sr_nest_form *g, const struct sr_nest_instr *in, struct sr_buf *out);
/* Open the loop over blocks of rows, given the range of rows, transpose the blocks that stage g->stage reads or, if the rows are
 * iterations of a parallel loop, all stages, and open the loop over the rows of a block. */
void sr_nest_c_open_transposed_rows(struct sr_nest_form *g, const char *begin, const char *end);
/* Close the loop over the rows of a block, the innermost one, and write the transposes of the blocks that are stored. */
void sr_nest_c_close_transposed_rows(struct sr_nest_form *g);

#endif
