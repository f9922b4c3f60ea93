/* Passes that simplify a module without changing its results, under the names of the passes of MLIR, StableHLO and Shardy where
 * these exist. The passes work on global and local modules, before and after partitioning. */
#ifndef SR_OPTIMIZE_OPTIMIZE_H
#define SR_OPTIMIZE_OPTIMIZE_H

#include "ir/pass.h"

/* Module attribute (i64): number of products that shardrun-collective-matmul has decomposed; absent: none. */
#define SR_DECOMPOSED_MATMULS "shardrun.decomposed_matmuls"

extern const struct sr_pass sr_optimize_passes[]; /* all passes of this folder; ended by a row with NULL name */

#endif
