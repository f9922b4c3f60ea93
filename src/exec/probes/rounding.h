/* Rounding bounds: how far two computations of a value from the same operands may differ, by rounding in its type and by the
 * order of a sum. */
#ifndef SR_EXEC_PROBES_ROUNDING_H
#define SR_EXEC_PROBES_ROUNDING_H

#include "program/program.h"

struct sr_rounding {
	double relative; /* bound relative to the magnitude of the element */
	double absolute;
};

/* Return the rounding bound of a probed value. max_magnitude: largest magnitude of its elements. operands: product of the largest
 * magnitudes of its operands, which bounds one term of a sum; 0: unknown. */
struct sr_rounding sr_rounding_of(const struct sr_probe *probe, double max_magnitude, double operands);
/* Compare two elements: return 0 if they are within the bound, else their difference divided by the bound; infinity if only one is
 * finite, or if they are unequal integers. */
double sr_rounding_excess(const struct sr_rounding *r, enum sr_dtype type, const void *actual, const void *expected);

#endif
