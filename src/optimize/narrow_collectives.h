/* Patterns of the pass shardrun-narrow-collectives that stand in files of their own. */
#ifndef SR_OPTIMIZE_NARROW_COLLECTIVES_H
#define SR_OPTIMIZE_NARROW_COLLECTIVES_H

#include "optimize/patterns/rewrite.h"

sr_pattern_fn sr_pattern_gather_of_gather, sr_pattern_reduce_of_reduce; /* collective_chain.c */

#endif
