/* Rows of map.ops for TYPE as strings: [kernel] = "expression". scalar_c.c includes this file once per type. */
[DTYPE_ID] = {
#define MAP(id, name, arity, work, ...) [SR_KERNEL_##id] = TEXT(__VA_ARGS__),
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
},
