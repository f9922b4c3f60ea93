/* Define one function per row of map.ops for TYPE (T ADD_F32(T x, T y), ...), so that all kinds of loops (maps, reductions,
 * windows, scatters) share the expressions. Included through each_type.h. */
#define SCALAR_1(id, ...) __VA_OPT__(static inline __attribute__((unused)) T FN(id)(T x) { return (T)(__VA_ARGS__); })
#define SCALAR_2(id, ...) __VA_OPT__(static inline __attribute__((unused)) T FN(id)(T x, T y) { return (T)(__VA_ARGS__); })
#define SCALAR(id, arity, ...) SCALAR_##arity(id, __VA_ARGS__)
#define MAP(id, name, arity, work, ...) SCALAR(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef SCALAR
#undef SCALAR_1
#undef SCALAR_2
