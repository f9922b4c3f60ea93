/* Tables of decompositions that give ops with shape operands their static forms. */
#ifndef SR_OPTIMIZE_DYNAMISM_H
#define SR_OPTIMIZE_DYNAMISM_H

#include "optimize/legalize/decompose.h"

/* Decompositions of ops whose shape operands are constant. Both tables end with a row with code 0. */
extern const struct sr_decomposition sr_static_forms[];
/* Decompositions of ops whose static result type determines the shape, whatever the value of the shape operand is. */
extern const struct sr_decomposition sr_forms_by_type[];

#endif
