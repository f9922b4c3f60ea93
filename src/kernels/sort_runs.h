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
/* Return the maximum number of parts of a row that different workers may sort, before calls of the kernel merge the parts in
 * place; 1: the kernel does not sort a single long row, or it does not merge sorted runs. */
int64_t sr_kernel_sorted_parts(enum sr_kernel k, enum sr_dtype t, const void *params);
/* Divide the merge of the sorted runs [0, middle) and [middle, length) of a row into two independent merges in place: afterwards
 * the first `middle` elements of the result are two runs in [0, middle), and the others are two runs behind (merge path: Odeh,
 * Green, Mwassi, Shmueli, Birk, IPDPSW 2012). */
void sr_sort_divide_runs(enum sr_dtype t, const struct sr_sort_params *p, void *row, int64_t middle);

#endif
