/* Canonicalizing patterns; each says above its body what it turns into what. */
#ifndef SR_OPTIMIZE_PATTERNS_H
#define SR_OPTIMIZE_PATTERNS_H

#include "optimize/rewrite.h"

typedef bool sr_pattern_fn(struct sr_rewriter *rw, struct sr_op *op);

sr_pattern_fn sr_pattern_constant_case;

#endif
