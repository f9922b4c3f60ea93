/* Conditions that sorts of long rows have for the memory and the order of their operands. */
#ifndef SR_KERNELS_SORT_RUNS_H
#define SR_KERNELS_SORT_RUNS_H

#include "kernels/kernel.h"

/* Return true if rows of these operands can be merged from sorted runs (kernels/fast/merge_runs_body.h): the only operand is a key of
 * 32 or 64 bits, and its order is total. total: as in struct sr_sort_params. */
bool sr_sort_merges_runs(enum sr_dtype key, int n_operands, int total);
/* Return true if the kernel is faster if its only operand does not share the memory of its only result. Then the two may be the same
 * memory or not, and a program need not copy the operand first. */
bool sr_kernel_prefers_other_memory(enum sr_kernel k, enum sr_dtype t, const void *params);

#endif
