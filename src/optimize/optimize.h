/* Passes that keep the meaning: canonicalize, cse, dce, symbol-dce, inline, chlo-legalize-to-stablehlo, loop-invariant motion. */
#ifndef SR_OPTIMIZE_OPTIMIZE_H
#define SR_OPTIMIZE_OPTIMIZE_H

#include "dialect/ops.h"
#include "ir/pass.h"

extern const struct sr_pass sr_optimize_passes[]; /* ended by a row without name */

#endif
