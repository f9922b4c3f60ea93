/* Which sorts merge the sorted runs of a row (kernels/fast/merge_runs_body.h). */
#ifndef SR_KERNELS_SORT_RUNS_H
#define SR_KERNELS_SORT_RUNS_H

#include "support/dtype.h"

/* Return true if rows of these operands can be merged: keys of 32 or 64 bits alone, in an order of all of them. total: as in struct
 * sr_sort_params. */
bool sr_sort_merges_runs(enum sr_dtype key, int n_operands, int total);

#endif
