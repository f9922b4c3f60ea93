/* Decomposition of stablehlo.rng into rng_bit_generator and arithmetic. */
#ifndef SR_OPTIMIZE_RANDOM_H
#define SR_OPTIMIZE_RANDOM_H

#include "optimize/legalize/decompose.h"

/* Decompose stablehlo.rng; a function for a row of a table of decompositions. */
bool sr_decompose_rng(struct sr_builder *b, struct sr_op *op);

#endif
