/* How far two computations of one value from the same operands may be apart: by rounding in its type, and by the order of a sum. */
#ifndef SR_EXEC_PROBES_ROUNDING_H
#define SR_EXEC_PROBES_ROUNDING_H

#include "program/program.h"

struct sr_rounding {
	double relative; /* of the element */
	double absolute;
};

/* `largest`: of the value's magnitudes. `operands`: the product of the largest magnitudes of its operands, which a term of a
 * sum is at most; 0: not known. */
struct sr_rounding sr_rounding_of(const struct sr_probe *t, double largest, double operands);
/* 0 where the elements agree, else how many times they are as far apart as they may be; infinite where one of them alone is no
 * number, or where they are integers. */
double sr_rounding_excess(const struct sr_rounding *r, enum sr_dtype type, const void *actual, const void *expected);
/* The distance between 1 and the next number of the type; 0 of integers. */
double sr_rounding_unit(enum sr_dtype type);

#endif
