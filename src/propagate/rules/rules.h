/* Functions of the RULE column, declared from the op table, so that a missing one is a link error. */
#ifndef SR_PROPAGATE_RULES_H
#define SR_PROPAGATE_RULES_H

#include "propagate/rules/rule_builder.h"

#define OP(dialect, name, signature, attributes)
#define RULE(f) sr_rule_fn sr_rule_##f;
#include "dialect/table/all.ops"

#endif
