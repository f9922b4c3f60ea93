/* Micro-kernels that read the right operand in place and convert it in registers: tiles of full panels, which prefetch four
 * panels ahead, products with a vector, and dot products. Included by type_body.h with OPERAND, which is _ and the operand's
 * element type, and B, its C type. */
#define OPERAND_LANES(from) SR_CAT(SR_CAT(load, OPERAND), _lanes)(from)
#define NAME(rows, vectors, width) NAME_OF(SR_CAT(FN(tile), OPERAND), rows, vectors, width)
#define TILE_VECTOR(type, from) (type) OPERAND_LANES(from)
#define AHEAD (4 * 3 * LANES)
#define WIDTH BYTES
#define VECTORS 3
#include "kernels/fast/gemm/rows_body.h"
#define TILE(rows) NAME(rows, 3, BYTES)
static FN(tile_fn) *const SR_CAT(FN(tiles), OPERAND)[4] = EACH_SIZE(TILE);
#undef TILE
#undef WIDTH
#undef AHEAD
#undef NAME
#define NAME(vectors) SR_CAT(SR_CAT(FN(vector), OPERAND), SR_CAT(_, vectors))
#define VECTOR_TILES SR_CAT(FN(vector_tiles), OPERAND)
#include "kernels/fast/gemm/vectors_body.h"
#undef TILE_VECTOR

#define NAME(rows, columns) SR_CAT(SR_CAT(SR_CAT(FN(dots), OPERAND), rows), SR_CAT(_, columns))
#define DOTS SR_CAT(FN(dots), OPERAND)
#define DOT_VECTOR(from) OPERAND_LANES(from)
#define DOT_ELEMENT(v) SR_CAT(load, OPERAND)(v)
#include "kernels/fast/gemm/dots_rows_body.h"
#undef B
#undef OPERAND_LANES
#undef OPERAND
