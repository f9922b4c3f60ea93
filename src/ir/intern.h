/* The interner of types and attributes. Private to src/ir. */
#ifndef SR_IR_INTERN_H
#define SR_IR_INTERN_H

#include "ir/ir.h"

struct sr_interner *sr_interner_new(struct sr_arena *arena);

#endif
