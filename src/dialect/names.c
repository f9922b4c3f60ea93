#include "dialect/names.h"

#define NAME(name) const char SR_NAME_##name[] = #name;
#include "dialect/names.def"
