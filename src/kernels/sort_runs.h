/* The condition under which a sort merges the sorted runs of a row (kernels/fast/merge_runs_body.h). */
#ifndef SR_KERNELS_SORT_RUNS_H
#define SR_KERNELS_SORT_RUNS_H

#include "support/dtype.h"

/* Return true if rows of these operands can be merged from sorted runs: the only operand is a key of 32 or 64 bits, and its order
 * is total. total: as in struct sr_sort_params. */
bool sr_sort_merges_runs(enum sr_dtype key, int n_operands, int total);

#endif
