/* Enumeration of the symbol references in an op's attributes. */
#ifndef SR_OPTIMIZE_SYMBOL_USES_H
#define SR_OPTIMIZE_SYMBOL_USES_H

#include "ir/ir.h"

/* Call fn for each symbol that the attributes of op, or of ops inside, refer to. `name` is interned. */
void sr_symbol_uses(struct sr_op *op, void (*fn)(void *data, const char *name), void *data);
bool sr_symbol_is_private(const struct sr_op *op);

#endif
