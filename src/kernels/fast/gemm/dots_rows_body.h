/* Micro-kernels of dots_body.h for every number of rows, and DOTS, their table. Included by type_body.h. */
#define ROWS 1
#include "kernels/fast/gemm/dots_body.h"
#define ROWS 2
#include "kernels/fast/gemm/dots_body.h"
#define ROWS 4
#include "kernels/fast/gemm/dots_body.h"
#if MAX_ROWS > 4
#define ROWS 8
#include "kernels/fast/gemm/dots_body.h"
#endif
static FN(dots_fn) *const DOTS[4] = EACH_SIZE(NAME);
#undef DOTS
#undef DOT_ELEMENT
#undef DOT_VECTOR
#undef NAME
