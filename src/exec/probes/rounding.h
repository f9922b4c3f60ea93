/* Rounding bounds: how far two computations of a value from the same operands may differ, by rounding in its type and by the
 * order of a sum. */
#ifndef SR_EXEC_PROBES_ROUNDING_H
#define SR_EXEC_PROBES_ROUNDING_H

#include "program/program.h"

struct sr_rounding {
	double relative; /* relative to the element */
	double absolute;
};

/* Return the bound of a value. largest: its largest magnitude. operands: product of its operands' largest magnitudes, which
 * bounds a term of a sum; 0: unknown. */
struct sr_rounding sr_rounding_of(const struct sr_probe *probe, double largest, double operands);
/* Return 0 if the elements agree, else their difference divided by the bound; infinity if only one is finite, or if they are
 * unequal integers. */
double sr_rounding_excess(const struct sr_rounding *r, enum sr_dtype type, const void *actual, const void *expected);
/* Return the distance between 1 and the next number of the type; 0 for integers. */
double sr_rounding_unit(enum sr_dtype type);

#endif
