/* Names of attributes and of fields of struct attributes: SR_NAME_limit_indices is "limit_indices". Misspelled names do not
 * compile. */
#ifndef SR_DIALECT_ATTR_NAMES_H
#define SR_DIALECT_ATTR_NAMES_H

#define NAME(name) extern const char SR_NAME_##name[];
#include "dialect/attr_names.def"

#endif
