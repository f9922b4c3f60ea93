/* Names of attributes and of structures' fields, SR_NAME_limit_indices for "limit_indices": what is misspelt does not compile. */
#ifndef SR_DIALECT_ATTR_NAMES_H
#define SR_DIALECT_ATTR_NAMES_H

#define NAME(name) extern const char SR_NAME_##name[];
#include "dialect/attr_names.def"

#endif
