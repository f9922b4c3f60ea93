/* The table of canonicalizing patterns, by op; patterns of one op are tried in this order. */
#include "optimize/patterns.h"

const struct sr_pattern sr_canonical_patterns[] = {
	{SR_OP_stablehlo_case, NULL, sr_pattern_constant_case},
	{0},
};
