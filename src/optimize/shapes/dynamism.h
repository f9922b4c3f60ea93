/* Static forms of ops with shape operands. */
#ifndef SR_OPTIMIZE_DYNAMISM_H
#define SR_OPTIMIZE_DYNAMISM_H

#include "optimize/legalize/decompose.h"

/* Ops whose shape operands are constant. Both lists end with a row with code 0. */
extern const struct sr_decomposition sr_static_forms[];
/* Ops whose static result type determines the shape, whatever the shape operand is. */
extern const struct sr_decomposition sr_forms_by_type[];

#endif
