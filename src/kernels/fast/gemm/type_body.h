/* Matrix multiplication for TYPE in its own arithmetic: panels of the right operand, register tiles. The order of an element's sum
 * depends on k only, so that results do not depend on how a product is split into rows and columns. Included by code.h. */
#define LANES ((int64_t)(BYTES / sizeof(S)))
#define NAME_OF(kind, rows, vectors, width) SR_CAT(SR_CAT(SR_CAT(SR_CAT(SR_CAT(kind, rows), _), vectors), _), width)
#define NAME(rows, vectors, width) NAME_OF(FN(tile), rows, vectors, width)
#define VECTOR_OF(width) typedef S SR_CAT(FN(vector), width) __attribute__((vector_size(width), aligned(sizeof(S)), may_alias));
VECTOR_OF(16)
VECTOR_OF(32)
VECTOR_OF(64)
#undef VECTOR_OF

#define B S
#define TILE_VECTOR(type, from) (*(const type *)(from))
#define AHEAD 0
#define WIDTH BYTES
#define VECTORS 1
#include "kernels/fast/gemm/rows_body.h"
#define VECTORS 2
#include "kernels/fast/gemm/rows_body.h"
#define VECTORS 3
#include "kernels/fast/gemm/rows_body.h"
#undef WIDTH
#undef AHEAD
#undef NAME
/* Micro-kernel for full panels of b in place, which prefetches two panels ahead. */
#define NAME(rows, vectors, width) NAME_OF(FN(streaming_tile), rows, vectors, width)
#define AHEAD (2 * 3 * LANES)
#define WIDTH BYTES
#define VECTORS 3
#include "kernels/fast/gemm/rows_body.h"
#undef AHEAD
#if PACKS_PANELS
/* A panel of b that is being packed in blocks of LANES columns and PACKED_DEPTH elements along k, while a tile is computed. */
struct FN(packing) {
	const S *from; /* the next block in b, and where it is packed */
	S *to;
	int64_t b_n, b_k; /* strides of b; one of them is 1 */
	int64_t ahead; /* distance in b from a block to the one at the same position in the panel after this one */
	int64_t width, depth; /* columns of the packed panel, and blocks along k */
	int64_t n_blocks, rest; /* remaining blocks in all, and of the current LANES columns */
	/* MAX_ROWS rows of a that the next tile reads, their distance, and how many cache lines of each a block prefetches */
	const S *rows;
	int64_t a_m, lines;
};

/* Pack the next block, if there is one, and prefetch the block `ahead` and a part of `rows` into the second-level cache. */
static inline __attribute__((always_inline)) void FN(pack_block)(struct FN(packing) *p)
{
	if (!p->n_blocks)
		return;
	if (p->b_n == 1) {
		for (int64_t i = 0; i < PACKED_DEPTH; i++) {
			memcpy(p->to + i * p->width, p->from + i * p->b_k, BYTES);
			__builtin_prefetch(p->from + i * p->b_k + p->ahead, 0, 2);
		}
	} else {
		if (sizeof(S) == sizeof(uint64_t))
			transpose_longs8((const uint64_t *)(const void *)p->from, p->b_n, (uint64_t *)(void *)p->to, p->width);
		else
			transpose_block16((const uint32_t *)(const void *)p->from, p->b_n, (uint32_t *)(void *)p->to, p->width);
		const int64_t blocks_of_line = 64 / (int64_t)sizeof(S) / PACKED_DEPTH;
		for (int64_t i = 0; i < LANES && p->rest % blocks_of_line == 0; i++)
			__builtin_prefetch(p->from + i * p->b_n + p->ahead, 0, 2);
	}
	for (int64_t l = 0; l < p->lines; l++, p->rows += 64 / (int64_t)sizeof(S))
		for (int64_t r = 0; r < MAX_ROWS; r++)
			__builtin_prefetch(p->rows + r * p->a_m, 0, 2);
	p->from += PACKED_DEPTH * p->b_k;
	p->to += PACKED_DEPTH * p->width;
	p->n_blocks--;
	if (--p->rest == 0) {
		p->rest = p->depth;
		p->from += LANES * p->b_n - PACKED_DEPTH * p->depth * p->b_k;
		p->to += LANES - PACKED_DEPTH * p->depth * p->width;
	}
}

#undef NAME
#define NAME(rows, vectors, width) FN(packing_tile)
#define AHEAD 0
#define PACKS 1
#define VECTORS 3
#define ROWS MAX_ROWS
#include "kernels/fast/gemm/micro_kernel_body.h"
#undef VECTORS
#undef PACKS
#undef AHEAD
#undef NAME
#define NAME(rows, vectors, width) NAME_OF(FN(streaming_tile), rows, vectors, width)
#endif
#undef WIDTH
#undef TILE_VECTOR
#undef B

typedef void FN(tile_fn)(int64_t k, int64_t rows, const S *restrict a, int64_t a_m, int64_t a_k, const void *b, int64_t b_k,
			 S *restrict c, int64_t c_m, enum tile_mode mode);
#if MAX_ROWS > 4
#define COLUMN(vectors, width) {NAME(1, vectors, width), NAME(2, vectors, width), NAME(4, vectors, width), NAME(8, vectors, width)}
#else
#define COLUMN(vectors, width) {NAME(1, vectors, width), NAME(2, vectors, width), NAME(4, vectors, width)}
#endif
static FN(tile_fn) *const FN(streaming_tiles)[4] = COLUMN(3, BYTES);
#undef NAME
#define NAME(rows, vectors, width) NAME_OF(FN(tile), rows, vectors, width)
static FN(tile_fn) *const FN(tiles)[3][4] = {COLUMN(1, BYTES), COLUMN(2, BYTES), COLUMN(3, BYTES)};
#undef COLUMN
#undef NAME

/* ---- products with few rows, whose right operand is contiguous along k ---- */

typedef S FN(lanes) __attribute__((vector_size(BYTES), aligned(sizeof(S)), may_alias));
typedef void FN(vector_fn)(int64_t k, const S *restrict a, const void *b, int64_t b_k, S *restrict c);
typedef void FN(dots_fn)(int64_t k, const S *restrict a, int64_t a_m, const void *b, int64_t b_n, S *restrict c, int64_t c_m);

static inline S FN(sum_of_lanes)(FN(lanes) v)
{
	enum { LANES_OF_16 = 16 / sizeof(S), LANES_OF_32 = 32 / sizeof(S) };
	S lane[LANES];
	memcpy(lane, &v, sizeof lane);
#if BYTES > 32
	*(SR_CAT(FN(vector), 32) *)lane += *(const SR_CAT(FN(vector), 32) *)(lane + LANES_OF_32);
#endif
#if BYTES > 16
	*(SR_CAT(FN(vector), 16) *)lane += *(const SR_CAT(FN(vector), 16) *)(lane + LANES_OF_16);
#endif
	for (int64_t half = LANES_OF_16 / 2; half; half /= 2)
		for (int64_t l = 0; l < half; l++)
			lane[l] += lane[l + half];
	return lane[0];
}

#if MAX_ROWS > 4
#define EACH_SIZE(name) {name(1), name(2), name(4), name(8)}
#else
#define EACH_SIZE(name) {name(1), name(2), name(4)}
#endif
#define B S
#define TILE_VECTOR(type, from) (*(const type *)(from))
#define NAME(vectors) SR_CAT(FN(vector), SR_CAT(_, vectors))
#define VECTOR_TILES FN(own_vector_tiles)
#include "kernels/fast/gemm/vectors_body.h"
#undef TILE_VECTOR
#define NAME(rows, columns) SR_CAT(SR_CAT(FN(dots), rows), SR_CAT(_, columns))
#define DOTS FN(own_dots)
#define DOT_VECTOR(from) (*(const FN(lanes) *)(from))
#define DOT_ELEMENT(v) (v)
#include "kernels/fast/gemm/dots_rows_body.h"
#undef B

/* ---- right operands of narrower types, read in place ---- */

#if READS_NARROW_TYPES
#define OPERAND _BF16
#define B S_BF16
#include "kernels/fast/gemm/operand_body.h"
#if HAS_F16_LANES
#define OPERAND _F16
#define B S_F16
#include "kernels/fast/gemm/operand_body.h"
#endif
#define OPERAND _I8
#define B S_I8
#include "kernels/fast/gemm/operand_body.h"
#define OPERAND _UI8
#define B S_UI8
#include "kernels/fast/gemm/operand_body.h"
#endif
#undef EACH_SIZE

/* Micro-kernels that read the right operand in place, of the computation's own type or of a narrower one: dot products, products
 * with a vector, and tiles of full panels. NULL: none. */
struct FN(in_place_kernels) {
	FN(dots_fn) *const *dots, *const *dots_of_vector;
	FN(vector_fn) *const *vector_tiles;
	FN(tile_fn) *const *tiles;
};
#define IN_PLACE(operand) \
	{SR_CAT(FN(dots), operand), &SR_CAT(SR_CAT(FN(dots), operand), _of_vector), SR_CAT(FN(vector_tiles), operand), \
	 SR_CAT(FN(tiles), operand)}
static const struct FN(in_place_kernels) FN(own_kernels) = {
	FN(own_dots), &SR_CAT(FN(own_dots), _of_vector), FN(own_vector_tiles), NULL,
}, FN(narrow_operands)[SR_DTYPE_COUNT] = {
#if READS_NARROW_TYPES
	[SR_BF16] = IN_PLACE(_BF16),
#if HAS_F16_LANES
	[SR_F16] = IN_PLACE(_F16),
#endif
	[SR_I8] = IN_PLACE(_I8),
	[SR_UI8] = IN_PLACE(_UI8),
#endif
};
#undef IN_PLACE

static const struct FN(in_place_kernels) *FN(kernels_of)(enum sr_dtype t)
{
	return FN(narrow_operands)[t].dots ? &FN(narrow_operands)[t] : &FN(own_kernels);
}

/* Multiply a vector by a matrix with few columns (sr_gemm_multiplies_by_streams). */
static void FN(multiply_by_streams)(const struct sr_gemm *g)
{
	FN(vector_fn) *const *tiles = FN(kernels_of)(g->b_type)->vector_tiles;
	for (int64_t n = 0, vectors; n < g->n; n += vectors * LANES) {
		int size = g->n - n >= 4 * LANES ? 2 : g->n - n >= 2 * LANES;
		vectors = 1 << size;
		tiles[size](g->k, (const S *)g->a + g->a_at, (const char *)g->b + (g->b_at + n) * sr_dtype_bytes(g->b_type), g->b_k,
			    (S *)g->c + n);
	}
}

/* Multiply a vector by the first columns of a matrix by dot products, and return their number: STREAMS sequences of columns are
 * read at once, which the processor prefetches faster than one. */
static int64_t FN(multiply_vector_by_dots)(const struct sr_gemm *g)
{
	int64_t length = g->n / STREAMS, b_n = length * g->b_n;
	for (int64_t n = 0; n < length; n++) {
		S sums[STREAMS];
		const char *b = (const char *)g->b + (g->b_at + n * g->b_n) * sr_dtype_bytes(g->b_type);
		(*FN(kernels_of)(g->b_type)->dots_of_vector)(g->k, (const S *)g->a + g->a_at, 0, b, b_n, sums, 0);
		for (int s = 0; s < STREAMS; s++)
			((S *)g->c)[s * length + n] = sums[s];
	}
	return length * STREAMS;
}

/* Multiply by dot products. An element does not depend on which rows and columns are in the same block. */
static void FN(multiply_by_dots)(const struct sr_gemm *g)
{
	FN(dots_fn) *const *tiles = FN(kernels_of)(g->b_type)->dots;
	for (int64_t n = g->m == 1 ? FN(multiply_vector_by_dots)(g) : 0, columns; n < g->n; n += columns) {
		const char *b = (const char *)g->b + (g->b_at + n * g->b_n) * sr_dtype_bytes(g->b_type);
		columns = g->n - n < DOT_COLUMNS ? 1 : DOT_COLUMNS;
		for (int64_t m = 0, rows; m < g->m; m += rows) {
			const S *a = (const S *)g->a + g->a_at + m * g->a_m;
			S *c = (S *)g->c + m * g->c_m + n, block[MAX_TILE_ROWS * DOT_COLUMNS];
			int size = tile_index(g->m - m < MAX_TILE_ROWS ? g->m - m : MAX_TILE_ROWS);
			size -= 1 << size > g->m - m; /* the largest tile with at most the remaining rows */
			rows = 1 << size;
			if (columns == DOT_COLUMNS) {
				tiles[size](g->k, a, g->a_m, b, g->b_n, c, g->c_m);
				continue;
			}
			tiles[size](g->k, a, g->a_m, b, 0, block, DOT_COLUMNS); /* all columns of the block are the same one */
			for (int64_t r = 0; r < rows; r++)
				c[r * g->c_m] = block[r * DOT_COLUMNS];
		}
	}
}

/* ---- other products ---- */

/* Compute a tile through a buffer on the stack because it is not complete: it has the last rows, or a number of columns that is not
 * a multiple of the vector length. */
static void FN(partial_tile)(FN(tile_fn) *tile, int64_t k, int64_t rows, int64_t cols, int64_t width, const S *a, int64_t a_m,
			 int64_t a_k,
			 const void *b, int64_t b_k, S *c, int64_t c_m, enum tile_mode mode)
{
	S full_tile[MAX_ROWS * 3 * LANES];
	for (int64_t r = 0; r < rows && mode != TILE_OVERWRITES; r++)
		memcpy(full_tile + r * width, c + r * c_m, (size_t)cols * sizeof(S));
	tile(k, rows, a, a_m, a_k, b, b_k, full_tile, width, mode);
	for (int64_t r = 0; r < rows; r++)
		memcpy(c + r * c_m, full_tile + r * width, (size_t)cols * sizeof(S));
}

struct FN(panel) { /* a panel: columns [n0, n0 + n) of a block of b */
	const void *b;
	int64_t b_k, row_bytes, n0, n; /* row_bytes: bytes from one element along k to the next */
	FN(tile_fn) *const *tiles; /* micro-kernels by number of rows */
};

/* Compute a tile of rows x cols, at most K_BLOCK elements along k at a time. */
static void FN(multiply_tile)(const struct sr_gemm *g, int64_t k, const S *a, int64_t a_m, int64_t a_k,
			      const struct FN(panel) *panel, int64_t rows, S *c, enum tile_mode mode)
{
	int64_t width = (panel->n + LANES - 1) / LANES * LANES;
	int size = tile_index(rows);
	FN(tile_fn) *tile = panel->tiles[size];
	for (int64_t p = 0, n; p < k; p += n, a += n * a_k, mode = TILE_ADDS) {
		const char *b = (const char *)panel->b + p * panel->row_bytes;
		n = k - p < K_BLOCK ? k - p : K_BLOCK;
		if (rows == 1 << size && panel->n == width)
			tile(n, rows, a, a_m, a_k, b, panel->b_k, c, g->c_m, mode);
		else
			FN(partial_tile)(tile, n, rows, panel->n, width, a, a_m, a_k, b, panel->b_k, c, g->c_m, mode);
	}
}

enum {
	FN(PANEL) = PANEL_OF(S), FN(BLOCK) = PANELS * FN(PANEL), /* columns of a panel; columns of b in a block */
	/* elements of the gap between two strips, without which all strips would begin at the same offset in a page */
	FN(GAP) = 64 / (int)sizeof(S),
	FN(PACKED) = K_BLOCK * FN(BLOCK) + PANELS * FN(GAP), /* elements in scratch: a block of b, and strips of a */
	FN(STRIP) = STRIPS * (MAX_ROWS * K_BLOCK + FN(GAP)),
	/* element of scratch where sums of few rows begin, behind packed columns and strips of K_BLOCK_OF_ROWS elements along k */
	FN(SUMS) = (FN(PACKED) + FN(STRIP)) / 2,
};
_Static_assert(FN(SUMS) >= PANELS * (FN(PANEL) * K_BLOCK_OF_ROWS + FN(GAP)) + STRIPS * (MAX_ROWS * K_BLOCK_OF_ROWS + FN(GAP)),
	       "sums of few rows do not overlap packed columns and strips");

static const struct sr_gemm_code FN(code);

/* Convert k contiguous elements of an operand. */
static void FN(convert_row)(enum sr_dtype t, const void *from, int64_t at, int64_t k, S *to)
{
#if READS_NARROW_TYPES && HAS_F16_LANES
	for (; t == SR_F16 && k >= LANES; k -= LANES, at += LANES, to += LANES)
		*(f32_lanes_unaligned *)to = load_F16_lanes((const S_F16 *)from + at);
#endif
	if (k > 0)
		FN(code).pack[t](from, at, 1, 0, k, k, 1, to, 0);
}

/* Pack an operand of another type that is contiguous along k: convert rows, and transpose them in registers. n is a multiple of the
 * width, and the width a multiple of eight. */
static void FN(convert_strips)(enum sr_dtype t, const void *from, int64_t at, int64_t i_stride, int64_t n, int64_t width, int64_t k,
			       S *to, int64_t strip_stride)
{
	S rows[8 * K_BLOCK];
	for (int64_t i = 0; i < n; i += 8)
		for (int64_t p = 0, columns; p < k; p += columns) {
			columns = k - p < K_BLOCK ? k - p : K_BLOCK;
			for (int64_t r = 0; r < 8; r++)
				FN(convert_row)(t, from, at + (i + r) * i_stride + p, columns, rows + r * K_BLOCK);
			transpose_rows8((const uint32_t *)(const void *)rows, K_BLOCK, columns,
					(uint32_t *)(void *)(to + i / width * strip_stride + p * width + i % width), width);
		}
}

/* Pack an operand of any type into strips (sr_gemm_pack_fn). */
static void FN(pack)(enum sr_dtype t, const void *from, int64_t at, int64_t i_stride, int64_t k_stride, int64_t n, int64_t width,
		     int64_t k, S *to, int64_t strip_stride)
{
	bool is_transposed = sizeof(S) == sizeof(uint32_t) && k_stride == 1 && n % width == 0;
	if (TRANSPOSE && is_transposed && FN(code).own[t] && width % 4 == 0)
		transpose_strips((const uint32_t *)from + at, i_stride, n, width, k, (uint32_t *)(void *)to, strip_stride);
	else if (BYTES > 16 && is_transposed && !FN(code).own[t] && width % 8 == 0)
		FN(convert_strips)(t, from, at, i_stride, n, width, k, to, strip_stride);
	else
		FN(code).pack[t](from, at, i_stride, k_stride, n, width, k, to, strip_stride);
}

/* Divide n columns into panels, and return their number. Columns after the last full panel form one more panel of full vectors. A
 * tile with a single vector keeps few sums in registers; so if tiles have few rows, a last panel of one vector and the panel before
 * it become two panels of two vectors. */
static int64_t FN(divide_panels)(int64_t n, struct FN(panel) *panels)
{
	int64_t n_full_panels = n / FN(PANEL), n_rest = n % FN(PANEL), at = 0, count = 0;
	bool has_two_short_panels = MAX_ROWS <= 4 && n_full_panels && n_rest && n_rest <= LANES;
	for (n_full_panels -= has_two_short_panels; count < n_full_panels; at += FN(PANEL))
		panels[count++] = (struct FN(panel)){.n0 = at, .n = FN(PANEL)};
	if (has_two_short_panels) {
		panels[count++] = (struct FN(panel)){.n0 = at, .n = 2 * LANES};
		at += 2 * LANES;
	}
	if (at < n)
		panels[count++] = (struct FN(panel)){.n0 = at, .n = n - at};
	return count;
}

/* Make the panels of a block of b, in place or packed; return their number. */
static int64_t FN(make_panels)(const struct sr_gemm *g, int64_t n0, int64_t n, int64_t k0, int64_t k, bool is_in_place, S *buffer,
			       struct FN(panel) *panels)
{
	int64_t at = g->b_at + n0 * g->b_n + k0 * g->b_k, strip_stride = FN(PANEL) * k + FN(GAP), count = FN(divide_panels)(n,
			panels);
	int64_t n_full_panels = is_in_place ? 0 : n / FN(PANEL);
	while (n_full_panels && panels[n_full_panels - 1].n < FN(PANEL))
		n_full_panels--;
	if (n_full_panels)
		FN(pack)(g->b_type, g->b, at, g->b_n, g->b_k, n_full_panels * FN(PANEL), FN(PANEL), k, buffer, strip_stride);
	for (int64_t j = 0; j < count; j++) {
		struct FN(panel) *panel = &panels[j];
		int64_t width = (panel->n + LANES - 1) / LANES * LANES;
		FN(tile_fn) *const *narrow_tiles = FN(narrow_operands)[g->b_type].tiles;
		bool is_used_in_place = is_in_place && panel->n == (narrow_tiles ? FN(PANEL) : width);
		panel->b = is_used_in_place ? (const char *)g->b + (at + panel->n0) * sr_dtype_bytes(g->b_type)
					    : (const char *)(buffer + j * strip_stride);
		panel->b_k = is_used_in_place ? g->b_k : width;
		panel->row_bytes = panel->b_k * (is_used_in_place ? sr_dtype_bytes(g->b_type) : (int64_t)sizeof(S));
		panel->tiles = FN(tiles)[width / LANES - 1];
		if (is_used_in_place && narrow_tiles)
			panel->tiles = narrow_tiles;
		else if (is_in_place && g->may_be_uncached && width == FN(PANEL))
			panel->tiles = FN(streaming_tiles);
		if (!is_used_in_place && j >= n_full_panels)
			FN(pack)(g->b_type, g->b, at + panel->n0 * g->b_n, g->b_n, g->b_k, panel->n, width, k,
					buffer + j * strip_stride, 0);
	}
	return count;
}

/* Pack rows [i0, i0 + m) of a into strips. If is_converted, the strips hold converted rows of k elements. */
static void FN(pack_strips)(const struct sr_gemm *g, int64_t i0, int64_t m, int64_t k0, int64_t k, S *strips, int64_t strip_stride,
			    bool is_converted)
{
	int64_t at = g->a_at + i0 * g->a_m + k0 * g->a_k, n_full_strips = m / MAX_ROWS * MAX_ROWS, n_rest = m - n_full_strips;
	for (int64_t i = 0; i < m && is_converted; i++)
		FN(convert_row)(g->a_type, g->a, at + i * g->a_m, k, strips + i / MAX_ROWS * strip_stride + i % MAX_ROWS * k);
	if (is_converted)
		return;
	if (n_full_strips)
		FN(pack)(g->a_type, g->a, at, g->a_m, g->a_k, n_full_strips, MAX_ROWS, k, strips, strip_stride);
	if (n_rest)
		FN(pack)(g->a_type, g->a, at + n_full_strips * g->a_m, g->a_m, g->a_k, n_rest, n_rest, k,
				strips + n_full_strips / MAX_ROWS * strip_stride, 0);
}

/* Pack all rows of a into strips of all k (sr_gemm_code.pack_left). */
static void FN(pack_left)(const struct sr_gemm *g, void *to)
{
	FN(pack_strips)(g, 0, g->m, 0, g->k, to, MAX_ROWS * g->k, false);
}

/* Prefetch the tile of the result below the one at c; `rows` counts the remaining rows. */
static inline void FN(prefetch_result)(const struct sr_gemm *g, const S *c, int64_t rows)
{
	for (int64_t r = MAX_ROWS; READ_AHEAD && r < 2 * MAX_ROWS && r < rows; r++) {
		__builtin_prefetch(c + r * g->c_m, 1, 3);
		__builtin_prefetch(c + r * g->c_m + 64 / sizeof(S), 1, 3);
	}
}

/* Multiply a block of b. Each panel is multiplied by STRIPS strips of a before the next panel. */
static void FN(multiply_block)(const struct sr_gemm *g, int64_t n0, int64_t n, int64_t k0, int64_t k, bool is_in_place,
			       enum tile_mode mode)
{
	S *buffer = (S *)(void *)g->scratch;
	struct FN(panel) panels[PANELS + 1];
	int64_t strip_stride = MAX_ROWS * k + FN(GAP), count = FN(make_panels)(g, n0, n, k0, k, is_in_place, buffer, panels);
	S *strips = buffer + (n + FN(PANEL) - 1) / FN(PANEL) * (FN(PANEL) * k + FN(GAP));
	bool reads_in_place = !g->is_a_packed && FN(code).own[g->a_type] && g->a_k == 1;
	bool is_converted = !g->is_a_packed && !FN(code).own[g->a_type] && g->a_k == 1;
	int64_t a_m = reads_in_place ? g->a_m : is_converted ? k : 1;
	for (int64_t i0 = 0; i0 < g->m; i0 += STRIPS * MAX_ROWS) {
		int64_t m = g->m - i0 < STRIPS * MAX_ROWS ? g->m - i0 : STRIPS * MAX_ROWS;
		if (!reads_in_place && !g->is_a_packed)
			FN(pack_strips)(g, i0, m, k0, k, strips, strip_stride, is_converted);
		for (int64_t j = 0; j < count && i0; j++) /* b is in the cache now */
			if (panels[j].tiles == FN(streaming_tiles))
				panels[j].tiles = FN(tiles)[2];
		for (int64_t j = 0; j < count; j++)
			for (int64_t i = 0; i < m; i += MAX_ROWS) {
				int64_t rows = m - i < MAX_ROWS ? m - i : MAX_ROWS;
				const S *a = g->is_a_packed ? (const S *)g->a + g->a_at + (i0 + i) * g->k + k0 * rows
					     : reads_in_place ? (const S *)g->a + g->a_at + (i0 + i) * g->a_m + k0
							      : strips + i / MAX_ROWS * strip_stride;
				S *c = (S *)g->c + (i0 + i) * g->c_m + n0 + panels[j].n0;
				FN(prefetch_result)(g, c, m - i);
				FN(multiply_tile)
				(g, k, a, a_m, reads_in_place || is_converted ? 1 : rows, &panels[j], rows, c, mode);
			}
	}
}

#if PACKS_PANELS
/* Return true if each panel of b is packed while tiles of the panel before are computed. The matrices must have the computation's
 * type, the left one must need no packing and have more than a few rows, and the sums must be long enough to hide the packing. Many
 * rows times few columns take less time if whole blocks of b are packed at once. */
static bool FN(packs_panels)(const struct sr_gemm *g)
{
	bool is_a_ready = g->is_a_packed || (FN(code).own[g->a_type] && g->a_k == 1);
	bool is_b_read = FN(code).own[g->b_type] && (g->b_n == 1 || g->b_k == 1);
	return is_a_ready && is_b_read && g->k >= K_BLOCK / 2 && g->m > 4 * MAX_ROWS && g->n > FN(PANEL) &&
	       (g->m <= ROW_GROUP || g->n > FN(BLOCK));
}

/* Move (n0, k0) to the next panel, which is the first one of the next K_BLOCK elements along k after the last one. */
static void FN(next_panel)(const struct sr_gemm *g, int64_t *n0, int64_t *k0)
{
	bool is_last = *n0 + FN(PANEL) >= g->n;
	*n0 = is_last ? 0 : *n0 + FN(PANEL);
	*k0 += is_last ? K_BLOCK : 0;
}

/* Begin to pack the panel at (n0, k0), if there is one: pack columns or elements along k which do not divide into blocks. */
static struct FN(packing) FN(begin_packing)(const struct sr_gemm *g, int64_t n0, int64_t k0, S *to)
{
	int64_t n = g->n - n0 < FN(PANEL) ? g->n - n0 : FN(PANEL), k = g->k - k0 < K_BLOCK ? g->k - k0 : K_BLOCK;
	int64_t width = (n + LANES - 1) / LANES * LANES, depth = k / PACKED_DEPTH, at = g->b_at + n0 * g->b_n + k0 * g->b_k;
	bool has_blocks = n == width && k % PACKED_DEPTH == 0;
	if (k <= 0)
		return (struct FN(packing)){.n_blocks = 0};
	if (!has_blocks)
		FN(pack)(g->b_type, g->b, at, g->b_n, g->b_k, n, width, k, to, 0);
	FN(next_panel)(g, &n0, &k0);
	return (struct FN(packing)){
		.from = (const S *)g->b + at, .b_n = g->b_n, .b_k = g->b_k, .to = to, .width = width, .depth = depth, .rest = depth,
		.n_blocks = has_blocks ? width / LANES * depth : 0,
		.ahead = k0 < g->k ? g->b_at + n0 * g->b_n + k0 * g->b_k - at : 0,
	};
}

/* Prefetch the tile of the result at row i of c before it is stored, or, if the product is added to c, the tile below it into the
 * second-level cache, before that is read: a group of rows of the result is usually larger than that cache. Inlined, since GCC
 * deletes calls of functions that only prefetch. */
static inline __attribute__((always_inline)) void FN(prefetch_tile)(const struct sr_gemm *g, const S *c, int64_t i, int64_t n,
								     bool adds)
{
	int64_t first = adds ? i + MAX_ROWS : i, end = g->m < first + MAX_ROWS ? g->m : first + MAX_ROWS;
	for (int64_t r = first; r < end; r++)
		for (int64_t j = 0; j < n; j += 64 / (int64_t)sizeof(S))
			if (adds)
				__builtin_prefetch(c + r * g->c_m + j, 0, 2);
			else
				__builtin_prefetch(c + r * g->c_m + j, 1, 3);
}

/* Prefetch k elements of MAX_ROWS rows of a with the next n_blocks blocks that are packed. */
static void FN(prefetch_rows)(struct FN(packing) *p, const S *rows, int64_t a_m, int64_t k, int64_t n_blocks)
{
	int64_t lines = (k * (int64_t)sizeof(S) + 63) / 64;
	p->rows = rows;
	p->a_m = a_m;
	p->lines = (lines + n_blocks - 1) / n_blocks;
}

/* Multiply panel by panel. While the tiles of one are computed, the next one is packed, in equal parts per tile. */
static void FN(multiply_by_panels)(const struct sr_gemm *g)
{
	S *buffer = (S *)(void *)g->scratch, *next_buffer = buffer + K_BLOCK * FN(PANEL) + FN(GAP);
	struct FN(packing) packing = FN(begin_packing)(g, 0, 0, buffer);
	for (int64_t n0 = 0, k0 = 0, next_n = 0, next_k = 0; k0 < g->k; n0 = next_n, k0 = next_k) {
		while (packing.n_blocks)
			FN(pack_block)(&packing);
		struct FN(panel) panel = {.b = buffer, .n = g->n - n0 < FN(PANEL) ? g->n - n0 : FN(PANEL)};
		panel.b_k = (panel.n + LANES - 1) / LANES * LANES;
		panel.row_bytes = panel.b_k * (int64_t)sizeof(S);
		panel.tiles = FN(tiles)[panel.b_k / LANES - 1];
		FN(next_panel)(g, &next_n, &next_k);
		packing = FN(begin_packing)(g, next_n, next_k, next_buffer);
		int64_t k = g->k - k0 < K_BLOCK ? g->k - k0 : K_BLOCK, n_blocks = packing.n_blocks / (g->m / MAX_ROWS + 1) + 1;
		bool reads_a = n0 == 0 && !g->is_a_packed; /* for the first time in this block along k */
		for (int64_t i = 0; i < g->m; i += MAX_ROWS) {
			int64_t rows = g->m - i < MAX_ROWS ? g->m - i : MAX_ROWS;
			const S *a = (const S *)g->a + g->a_at + (g->is_a_packed ? i * g->k + k0 * rows : i * g->a_m + k0);
			int64_t a_m = g->is_a_packed ? 1 : g->a_m, a_k = g->is_a_packed ? rows : 1;
			S *c = (S *)g->c + i * g->c_m + n0;
			enum tile_mode mode = k0 > 0 || g->accumulates ? TILE_ADDS : TILE_OVERWRITES;
			FN(prefetch_tile)(g, (const S *)g->c + n0, i, panel.n, mode == TILE_ADDS);
			FN(prefetch_rows)(&packing, a + MAX_ROWS * a_m, a_m, reads_a && i + 2 * MAX_ROWS <= g->m ? k : 0, n_blocks);
			if (packing.n_blocks && rows == MAX_ROWS && panel.n == FN(PANEL))
				FN(packing_tile)(k, rows, a, a_m, a_k, panel.b, panel.b_k, c, g->c_m, mode, &packing, n_blocks);
			else
				FN(multiply_tile)(g, k, a, a_m, a_k, &panel, rows, c, mode);
		}
		S *multiplied = buffer;
		buffer = next_buffer;
		next_buffer = multiplied;
	}
}

/* Multiply groups of at most ROW_GROUP rows, which stay in the second-level cache for all panels. */
static void FN(multiply_row_groups)(const struct sr_gemm *g)
{
	int64_t groups = (g->m + ROW_GROUP - 1) / ROW_GROUP, strips = (g->m + MAX_ROWS - 1) / MAX_ROWS;
	int64_t rows = (strips + groups - 1) / groups * MAX_ROWS;
	struct sr_gemm group = *g;
	for (int64_t i = 0; i < g->m; i += rows) {
		group.m = g->m - i < rows ? g->m - i : rows;
		FN(multiply_by_panels)(&group);
		group.a_at += rows * (g->is_a_packed ? g->k : g->a_m);
		group.c = (S *)group.c + rows * g->c_m;
	}
}
#endif

/* Read n lines of k elements, or k lines of n elements, whichever are contiguous, into the cache. */
static void FN(read_lines)(const void *from, int64_t at, int64_t i_stride, int64_t k_stride, int64_t n, int64_t k)
{
	int64_t lines = k_stride == 1 ? n : k, strip_stride = k_stride == 1 ? i_stride : k_stride, length = k_stride == 1 ? k : n;
	for (int64_t l = 0; l < lines; l++)
		for (int64_t i = 0; i < length; i += 64 / (int64_t)sizeof(S))
			(void)*(const volatile S *)((const S *)from + at + l * strip_stride + i);
}

/* Read operands that fit in the second-level cache sequentially, at the memory's bandwidth, before they are used: the
 * multiplication would wait for many separate cache lines. Operands smaller than that are usually in the cache already. */
static void FN(read_ahead)(const struct sr_gemm *g, int64_t k0, int64_t k)
{
	int64_t bytes = (g->m + g->n) * k * (int64_t)sizeof(S);
	bool a = FN(code).own[g->a_type] && (g->a_m == 1 || g->a_k == 1), b = FN(code).own[g->b_type] && (g->b_n == 1 || g->b_k == 1);
	if (!a || !b || bytes < READ_AHEAD / 8 || bytes > READ_AHEAD)
		return;
	FN(read_lines)(g->a, g->a_at + k0 * g->a_k, g->a_m, g->a_k, g->m, k);
	FN(read_lines)(g->b, g->b_at + k0 * g->b_k, g->b_n, g->b_k, g->n, k);
}

/* Multiply few rows by a block of columns of b, which is used in place: `depth` elements along k at a time, since the processor
 * reads few rows of b at once faster than many. The sum of K_BLOCK elements is added to c when it is complete. */
static void FN(multiply_few_rows)(const struct sr_gemm *g, int64_t depth)
{
	struct sr_gemm part = *g;
	for (int64_t k = 0; k < g->k; k += K_BLOCK) {
		bool adds = k > 0 || g->accumulates;
		part.c = adds ? (S *)(void *)g->scratch + FN(SUMS) : g->c;
		part.c_m = adds ? g->n : g->c_m;
		int64_t end = g->k - k < K_BLOCK ? g->k : k + K_BLOCK;
		for (int64_t k0 = k; k0 < end; k0 += depth) {
			int64_t n_k = end - k0 < depth ? end - k0 : depth;
			if (READ_AHEAD && g->may_be_uncached && g->m > MAX_ROWS)
				FN(read_ahead)(g, k0, n_k);
			for (int64_t n0 = 0; n0 < g->n; n0 += FN(BLOCK))
				FN(multiply_block)(&part, n0, g->n - n0 < FN(BLOCK) ? g->n - n0 : FN(BLOCK), k0, n_k, true,
						   k0 > k ? TILE_CONTINUES : TILE_OVERWRITES);
		}
		for (int64_t r = 0; r < g->m && adds; r++)
			for (int64_t j = 0; j < g->n; j++)
				((S *)g->c)[r * g->c_m + j] += ((S *)part.c)[r * part.c_m + j];
	}
}

/* Multiply two matrices. With few rows, b is read from memory once and in place, row by row. With few columns, blocks along k are
 * longer. If b has SHORT_ROW vectors in each row and no gaps between rows, as the values of attention, its panels are read in
 * place: they are nearly as compact as packed ones. */
static void FN(multiply)(const struct sr_gemm *g)
{
	if (g->by_dots || g->by_streams) {
		(g->by_dots ? FN(multiply_by_dots) : FN(multiply_by_streams))(g);
		return;
	}
	bool has_tiles = FN(code).own[g->b_type] || FN(narrow_operands)[g->b_type].tiles;
	bool has_few_rows = has_tiles && g->b_n == 1 && g->m <= (STRIPS == 1 || !FN(code).own[g->b_type] ? 4 : 2) * MAX_ROWS;
	bool has_short_rows = STRIPS == 1 && FN(code).own[g->b_type] && g->b_n == 1 && g->b_k == g->n && g->n == SHORT_ROW * LANES;
#if PACKS_PANELS
	if (!has_few_rows && !has_short_rows && FN(packs_panels)(g)) {
		FN(multiply_row_groups)(g);
		return;
	}
#endif
	bool reads_in_place = g->is_a_packed || (FN(code).own[g->a_type] && g->a_k == 1);
	int64_t panels = (g->n + FN(PANEL) - 1) / FN(PANEL), k_block = K_BLOCK;
	if (panels < PANELS && panels && (reads_in_place || (STRIPS == 1 && g->a_k == 1)))
		/* converted strips need the space of a panel */
		k_block = PANELS / (reads_in_place ? panels : panels + 1) * K_BLOCK;
	for (int64_t r = 0; r < g->m && !g->k && !g->accumulates; r++)
		memset((S *)g->c + r * g->c_m, 0, (size_t)g->n * sizeof(S));
	if (has_few_rows) {
		int64_t depth = g->m > 4 || sr_dtype_bytes(g->b_type) == 1 ? K_BLOCK_OF_ROWS : K_BLOCK_IN_PLACE;
		int64_t columns = g->m ? FN(SUMS) / g->m / FN(PANEL) * FN(PANEL) : g->n;
		struct sr_gemm part = *g;
		for (int64_t n = 0; n < g->n; n += columns) {
			part.n = g->n - n < columns ? g->n - n : columns;
			FN(multiply_few_rows)(&part, depth);
			part.b_at += columns;
			part.c = (S *)part.c + columns;
		}
		return;
	}
	for (int64_t k0 = 0; k0 < g->k; k0 += k_block) {
		if (READ_AHEAD && g->may_be_uncached && g->m > MAX_ROWS)
			FN(read_ahead)(g, k0, g->k - k0 < k_block ? g->k - k0 : k_block);
		for (int64_t n0 = 0; n0 < g->n; n0 += FN(BLOCK))
			FN(multiply_block)(g, n0, g->n - n0 < FN(BLOCK) ? g->n - n0 : FN(BLOCK), k0,
					   g->k - k0 < k_block ? g->k - k0 : k_block, has_short_rows,
					   k0 > 0 || g->accumulates ? TILE_ADDS : TILE_OVERWRITES);
	}
}

#include "kernels/fast/gemm/narrow_body.h"
#undef NAME_OF
#undef LANES
