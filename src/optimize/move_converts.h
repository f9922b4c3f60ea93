/* Patterns of the pass shardrun-move-converts that are defined in other files. */
#ifndef SR_OPTIMIZE_MOVE_CONVERTS_H
#define SR_OPTIMIZE_MOVE_CONVERTS_H

#include "optimize/patterns/rewrite.h"

sr_pattern_fn sr_pattern_gather_of_gather, sr_pattern_reduce_of_reduce; /* patterns defined in fold_collectives.c */

#endif
