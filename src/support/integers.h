/* A growing list of 64-bit integers: extents, dimensions, device ids. */
#ifndef SR_SUPPORT_INTEGERS_H
#define SR_SUPPORT_INTEGERS_H

#include "support/vec.h"
#include <stdint.h>

typedef SR_VEC(int64_t) sr_integers;

#endif
