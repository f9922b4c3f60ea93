/* Define the names of attributes, from attr_names.def. */
#include "dialect/attr_names.h"

#define NAME(name) const char SR_NAME_##name[] = #name;
#include "dialect/attr_names.def"
