/* The functions of the RULE column, declared from the table itself, so that a name without a function is a link error. */
#ifndef SR_PROPAGATE_RULES_H
#define SR_PROPAGATE_RULES_H

#include "propagate/rules/rule_builder.h"

#define OP(dialect, name, signature, attributes)
#define RULE(f) sr_rule_fn sr_rule_##f;
#include "dialect/table/all.ops"

#endif
