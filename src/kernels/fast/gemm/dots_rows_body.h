/* Micro-kernels of dots_body.h for every number of rows, and DOTS, their table. Included by type_body.h. */
#define ROWS 1
#define COLUMNS DOT_COLUMNS
#include "kernels/fast/gemm/dots_body.h"
#define ROWS 2
#define COLUMNS DOT_COLUMNS
#include "kernels/fast/gemm/dots_body.h"
#define ROWS 4
#define COLUMNS DOT_COLUMNS
#include "kernels/fast/gemm/dots_body.h"
#if MAX_ROWS > 4
#define ROWS 8
#define COLUMNS DOT_COLUMNS
#include "kernels/fast/gemm/dots_body.h"
#endif
#define ROWS 1
#define COLUMNS STREAMS
#include "kernels/fast/gemm/dots_body.h"
#define SIZE(rows) NAME(rows, DOT_COLUMNS)
static FN(dots_fn) *const DOTS[4] = EACH_SIZE(SIZE), *const SR_CAT(DOTS, _of_vector) = NAME(1, STREAMS);
#undef SIZE
#undef DOTS
#undef DOT_ELEMENT
#undef DOT_VECTOR
#undef NAME
