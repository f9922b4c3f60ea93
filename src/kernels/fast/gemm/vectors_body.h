/* Micro-kernels of vector_body.h for 1, 2 and 4 vectors, and VECTOR_TILES, their table. Included by type_body.h. */
#define VECTORS 1
#include "kernels/fast/gemm/vector_body.h"
#define VECTORS 2
#include "kernels/fast/gemm/vector_body.h"
#define VECTORS 4
#include "kernels/fast/gemm/vector_body.h"
static FN(vector_fn) *const VECTOR_TILES[3] = {NAME(1), NAME(2), NAME(4)};
#undef VECTOR_TILES
#undef NAME
