/* Passes that make a module smaller or simpler and keep what it computes, by upstream's names where upstream has them. They work on
 * any module: global or local, before or after partition. */
#ifndef SR_OPTIMIZE_OPTIMIZE_H
#define SR_OPTIMIZE_OPTIMIZE_H

#include "ir/pass.h"

/* A module's attribute: of how many products shardrun-collective-matmul made pieces (an i64); none: of no product. */
#define SR_DECOMPOSED_MATMULS "shardrun.decomposed_matmuls"

extern const struct sr_pass sr_optimize_passes[]; /* ended by a row without name */

#endif
