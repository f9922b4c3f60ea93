/* Matrix products of bf16 by VDPBF16PS, the instruction of AVX512_BF16 that adds the product of two pairs of bf16 to each f32 lane.
 * Two elements that are adjacent along k form a pair: a 32-bit word. A pair of rows of the right operand is packed into a row of
 * words. The algorithm is that of gemm.h: strips of the left operand's rows, panels of the right operand's columns, and a
 * micro-kernel that also packs the next panel, which hides the time of loads, permutations and stores.
 *
 * Every element is summed in the order of k in f32, regardless of block sizes, and rounded once. */
#if defined(__x86_64__)
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512bf16", "fma", "prefer-vector-width=512")
#pragma GCC optimize("O3")
#endif
#include "kernels/fast/gemm/bf16.h"
#include "kernels/element.h"
#include "kernels/fast/gemm/transpose_pack.h"
#include <stdlib.h>
#include <string.h>

#if defined(__AVX512BF16__)
#include <immintrin.h>

enum {
	LANES = 16, VECTORS = 3, PANEL = VECTORS * LANES, /* columns of a vector of words; vectors and columns of a panel */
	ROWS = 8,           /* rows of a strip */
	K_BLOCK = 512,      /* maximum words along k in a strip and a panel */
	ROW_GROUP = 256,    /* maximum rows that are multiplied by all panels before the next rows */
	COLUMN_BLOCK = 384, /* columns whose sums are in scratch until the last block along k */
	DEPTH = 4,          /* words along k of a block that is packed at a time */
	GAP = 16,           /* words between two panels, without which they would begin at the same offset in a page */
	PANEL_WORDS = PANEL * K_BLOCK + GAP,
};

struct ready {
	struct sr_prepared_kernel base; /* base struct, must be the first member */
	struct sr_product_params p;
};

/* A product of two matrices; strides in elements of bf16. */
struct product {
	int64_t m, n, k; /* k in words */
	int64_t rows, k_block; /* rows of a group, a multiple of ROWS, and words of a block along k */
	const uint16_t *a, *b;
	int64_t a_m, a_k, b_k, b_n;
	bool is_a_aligned, is_b_aligned; /* the operand begins at a word; false: its pairs along k are read as elements */
	void *c;
	int64_t c_m;
	bool is_f32; /* the result is f32, not bf16 */
	uint32_t *panels, *strips; /* scratch: two panels; a group of rows of a */
	float *sums; /* scratch: sums of a group of rows and a block of columns, tile by tile; unused with one block along k */
};

/* Position of a panel: columns [n0, n0 + PANEL) of the column block that begins at `block`, words from k0 on. */
struct position {
	int64_t block, k0, n0;
};

/* A panel that is being packed in blocks of LANES columns and DEPTH words along k. */
struct packing {
	const uint16_t *from; /* the next block in b, and where it is packed */
	uint32_t *to;
	int64_t b_n, b_k;
	int64_t ahead; /* distance in b from a block to the one at the same position in the panel after this one */
	int64_t width, depth; /* columns of the packed panel, and blocks along k */
	int64_t n_blocks, rest; /* remaining blocks in all, and of the current LANES columns */
};

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Interleave 16 elements of two rows: element i of the result is the pair of elements i. */
static inline __m512i interleave(const uint16_t *first, const uint16_t *second)
{
	__m512i low = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)first)),
		high = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)second));
	return _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
}

/* Pack the next block, if there is one, and prefetch the block `ahead` into the second-level cache. */
static inline __attribute__((always_inline)) void pack_block(struct packing *p)
{
	if (!p->n_blocks)
		return;
	if (p->b_n == 1) {
		for (int64_t i = 0; i < DEPTH; i++) {
			const uint16_t *row = p->from + 2 * i * p->b_k;
			_mm512_storeu_si512(p->to + i * p->width, interleave(row, row + p->b_k));
			__builtin_prefetch(row + p->ahead, 0, 2);
			__builtin_prefetch(row + p->b_k + p->ahead, 0, 2);
		}
	} else {
		transpose_block16((const uint32_t *)(const void *)p->from, p->b_n / 2, p->to, p->width);
		for (int64_t i = 0; i < LANES && p->rest % DEPTH == 0; i++)
			__builtin_prefetch(p->from + i * p->b_n + p->ahead, 0, 2);
	}
	p->from += 2 * DEPTH * p->b_k;
	p->to += DEPTH * p->width;
	p->n_blocks--;
	if (--p->rest == 0) {
		p->rest = p->depth;
		p->from += LANES * p->b_n - 2 * DEPTH * p->depth * p->b_k;
		p->to += LANES - DEPTH * p->depth * p->width;
	}
}

/* Pack n lines of k words, element by element: to[p * width + i]. Lines n up to `lines` are zero. */
static void pack_elements(const uint16_t *from, int64_t stride, int64_t k_stride, int64_t n, int64_t lines, int64_t k, uint32_t *to,
			  int64_t width)
{
	for (int64_t p = 0; p < k; p++)
		for (int64_t i = 0; i < lines; i++) {
			const uint16_t *pair = from + i * stride + 2 * p * k_stride;
			to[p * width + i] = i < n ? pair[0] | (uint32_t)pair[k_stride] << 16 : 0;
		}
}

static int64_t result_bytes(const struct product *g)
{
	return g->is_f32 ? sizeof(float) : sizeof(uint16_t);
}

static int64_t words_of_block(const struct product *g, int64_t k0)
{
	return min(g->k - k0, g->k_block);
}

static int64_t columns_of_panel(const struct product *g, int64_t n0)
{
	return min(g->n - n0, PANEL);
}

/* Move to the next panel: along the columns of the block, then along k, then to the next block of columns. */
static void move_to_next_panel(const struct product *g, struct position *at)
{
	at->n0 += PANEL;
	if (at->n0 < min(at->block + COLUMN_BLOCK, g->n))
		return;
	at->k0 += g->k_block;
	if (at->k0 >= g->k) {
		at->k0 = 0;
		at->block += COLUMN_BLOCK;
	}
	at->n0 = at->block;
}

/* Begin to pack the panel at a position, if there is one: pack the columns that do not divide into blocks. */
static struct packing begin_packing(const struct product *g, struct position at, uint32_t *to)
{
	if (at.n0 >= g->n)
		return (struct packing){.n_blocks = 0};
	int64_t n = columns_of_panel(g, at.n0), k = words_of_block(g, at.k0), width = (n + LANES - 1) / LANES * LANES;
	const uint16_t *from = g->b + at.n0 * g->b_n + 2 * at.k0 * g->b_k;
	int64_t n_in_blocks = g->is_b_aligned || g->b_k != 1 ? n / LANES * LANES : 0;
	if (n_in_blocks < n)
		pack_elements(from + n_in_blocks * g->b_n, g->b_n, g->b_k, n - n_in_blocks, width - n_in_blocks, k, to + n_in_blocks,
			      width);
	move_to_next_panel(g, &at);
	const uint16_t *next = at.n0 < g->n ? g->b + at.n0 * g->b_n + 2 * at.k0 * g->b_k : from;
	return (struct packing){.from = from, .to = to, .b_n = g->b_n, .b_k = g->b_k, .ahead = next - from, .width = width,
				.depth = k / DEPTH, .n_blocks = n_in_blocks / LANES * (k / DEPTH), .rest = k / DEPTH};
}

/* Pack 32 rows of a that are contiguous along m into four strips. */
static void interleave_strips(const uint16_t *from, int64_t a_k, int64_t k, uint32_t *to, int64_t strip_stride)
{
	for (int64_t p = 0; p < k; p++)
		for (int64_t i = 0; i < 2; i++) {
			const uint16_t *row = from + 2 * p * a_k + i * LANES;
			__m512i words = interleave(row, row + a_k);
			uint32_t *strip = to + 2 * i * strip_stride + p * ROWS;
			_mm256_storeu_si256((void *)strip, _mm512_castsi512_si256(words));
			_mm256_storeu_si256((void *)(strip + strip_stride), _mm512_extracti64x4_epi64(words, 1));
		}
}

/* Pack m rows of a from row i0 and word k0 on into strips of ROWS rows. */
static void pack_strips(const struct product *g, int64_t i0, int64_t m, int64_t k0)
{
	enum { FOUR_STRIPS = 4 * ROWS };
	int64_t k = words_of_block(g, k0), strip_stride = ROWS * g->k_block, i = 0;
	const uint16_t *from = g->a + i0 * g->a_m + 2 * k0 * g->a_k;
	for (; g->a_m == 1 && i + FOUR_STRIPS <= m; i += FOUR_STRIPS)
		interleave_strips(from + i, g->a_k, k, g->strips + i / ROWS * strip_stride, strip_stride);
	for (; i < m; i += ROWS) {
		uint32_t *to = g->strips + i / ROWS * strip_stride;
		if (g->a_k == 1 && g->is_a_aligned && m - i >= ROWS)
			transpose_rows8((const uint32_t *)(const void *)(from + i * g->a_m), g->a_m / 2, k, to, ROWS);
		else
			pack_elements(from + i * g->a_m, g->a_m, g->a_k, min(m - i, ROWS), ROWS, k, to, ROWS);
	}
}

/* A tile of the result: its first element in c, its sums in scratch, and its extents. */
struct tile {
	void *c;
	float *sums;
	int64_t rows, columns;
	bool is_first, is_last; /* the first block along k; the last one */
};

#define UNROLL _Pragma("GCC unroll 8")

/* Store the elements in `mask` of a vector of the result, `at` elements after the tile's first one. */
static inline __attribute__((always_inline)) void store_vector(const struct product *g, const struct tile *t, int64_t at,
							       __mmask16 mask, __m512 sum)
{
	if (g->is_f32)
		_mm512_mask_storeu_ps((float *)t->c + at, mask, sum);
	else
		_mm256_mask_storeu_epi16((uint16_t *)t->c + at, mask, (__m256i)_mm512_cvtneps_pbh(sum));
}

/* Multiply a strip by a panel of `vectors` vectors over k words. Meanwhile, pack `blocks` blocks of the next panel. */
static inline __attribute__((always_inline)) void multiply_tile(const struct product *g, const struct tile *t, int vectors,
								int64_t k, const uint32_t *a, const uint32_t *b,
								struct packing *next, int64_t blocks)
{
	__m512 sums[ROWS][VECTORS];
	UNROLL
	for (int r = 0; r < ROWS; r++)
		UNROLL
		for (int j = 0; j < vectors; j++)
			sums[r][j] = t->is_first ? _mm512_setzero_ps() : _mm512_loadu_ps(t->sums + (r * VECTORS + j) * LANES);
	for (int64_t p = 0, end, step = k / blocks + 1; p < k; ) {
		pack_block(next);
		end = min(p + step, k);
		for (; p < end; p++) {
			__m512i y[VECTORS];
			UNROLL
			for (int j = 0; j < vectors; j++)
				y[j] = _mm512_loadu_si512(b + (p * vectors + j) * LANES);
			UNROLL
			for (int r = 0; r < ROWS; r++) {
				__m512i x = _mm512_set1_epi32((int32_t)a[p * ROWS + r]);
				UNROLL
				for (int j = 0; j < vectors; j++)
					sums[r][j] = _mm512_dpbf16_ps(sums[r][j], (__m512bh)x, (__m512bh)y[j]);
			}
		}
	}
	if (!t->is_last) {
		UNROLL
		for (int r = 0; r < ROWS; r++)
			UNROLL
			for (int j = 0; j < vectors; j++)
				_mm512_storeu_ps(t->sums + (r * VECTORS + j) * LANES, sums[r][j]);
		return;
	}
	__mmask16 last = (__mmask16)((1 << (t->columns - (vectors - 1) * LANES)) - 1);
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		if (r >= t->rows)
			return;
		UNROLL
		for (int j = 0; j < vectors; j++)
			store_vector(g, t, r * g->c_m + j * LANES, j + 1 < vectors ? (__mmask16)-1 : last, sums[r][j]);
	}
}
#undef UNROLL

#define TILE(vectors) \
	static void multiply_tile_##vectors(const struct product *g, const struct tile *t, int64_t k, const uint32_t *a, \
					    const uint32_t *b, struct packing *next, int64_t blocks) \
	{ \
		multiply_tile(g, t, vectors, k, a, b, next, blocks); \
	}
TILE(1)
TILE(2)
TILE(3)
#undef TILE

/* Multiply rows [i0, i0 + m), panel by panel. While the tiles of one are computed, the next one is packed, in equal parts per
 * tile. */
static void multiply_rows(const struct product *g, int64_t i0, int64_t m)
{
	uint32_t *buffer = g->panels, *next_buffer = buffer + PANEL_WORDS;
	int64_t packed_k = -1, strips = (m + ROWS - 1) / ROWS;
	struct packing packing = begin_packing(g, (struct position){0}, buffer);
	for (struct position at = {0}, next = {0}; at.n0 < g->n; at = next) {
		int64_t n = columns_of_panel(g, at.n0), k = words_of_block(g, at.k0), vectors = (n + LANES - 1) / LANES;
		if (packed_k != at.k0)
			pack_strips(g, i0, m, at.k0);
		packed_k = at.k0;
		while (packing.n_blocks)
			pack_block(&packing);
		move_to_next_panel(g, &next);
		packing = begin_packing(g, next, next_buffer);
		int64_t blocks = packing.n_blocks / strips + 1;
		for (int64_t s = 0; s < strips; s++) {
			struct tile t = {.rows = min(m - s * ROWS, ROWS), .columns = n, .is_first = at.k0 == 0,
					 .is_last = at.k0 + k == g->k};
			t.sums = g->sums + (at.n0 - at.block) * g->rows + s * ROWS * PANEL;
			t.c = (char *)g->c + ((i0 + s * ROWS) * g->c_m + at.n0) * result_bytes(g);
			(vectors == 3 ? multiply_tile_3 : vectors == 2 ? multiply_tile_2 : multiply_tile_1)(
				g, &t, k, g->strips + s * ROWS * g->k_block, buffer, &packing, blocks);
		}
		uint32_t *multiplied = buffer;
		buffer = next_buffer;
		next_buffer = multiplied;
	}
}

/* Return the extent of equal blocks, a multiple of `unit`, of which the fewest cover n without one exceeding `max`. */
static int64_t block_extent(int64_t n, int64_t max, int64_t unit)
{
	int64_t blocks = (n + max - 1) / max, units = (n + unit - 1) / unit;
	return (units + blocks - 1) / blocks * unit;
}

/* Describe the product and return the bytes of its scratch; set the addresses of scratch that begins at `scratch`. */
static int64_t describe(const struct sr_product_params *p, char *scratch, struct product *g)
{
	*g = (struct product){
		.m = p->m, .n = p->n, .k = p->k / 2, .rows = block_extent(p->m, ROW_GROUP, ROWS),
		.k_block = block_extent(p->k / 2, K_BLOCK, DEPTH), .a_m = p->lhs_m, .a_k = p->lhs_k, .b_k = p->rhs_k,
		.b_n = p->rhs_n, .c_m = sr_product_out_m(p), .is_f32 = p->out == SR_F32,
	};
	int64_t panels = 2 * PANEL_WORDS * (int64_t)sizeof(uint32_t), strips = g->rows * g->k_block * (int64_t)sizeof(uint32_t);
	int64_t sums = g->k > g->k_block ? g->rows * COLUMN_BLOCK * (int64_t)sizeof(float) : 0;
	if (scratch) {
		g->panels = (uint32_t *)(void *)scratch;
		g->strips = (uint32_t *)(void *)(scratch + panels);
		g->sums = (float *)(void *)(scratch + panels + strips);
	}
	return panels + strips + sums;
}

static void run(struct sr_prepared_kernel *prepared, void *const *buffers, void *scratch)
{
	const struct sr_product_params *p = &((const struct ready *)prepared)->p;
	struct product g;
	describe(p, scratch, &g);
	for (int64_t b = 0; b < p->batch; b++) {
		g.a = (const uint16_t *)buffers[0] + b * p->lhs_batch;
		g.b = (const uint16_t *)buffers[1] + b * p->rhs_batch;
		g.is_a_aligned = (uintptr_t)g.a % sizeof(uint32_t) == 0;
		g.is_b_aligned = (uintptr_t)g.b % sizeof(uint32_t) == 0;
		g.c = (char *)buffers[2] + b * p->m * g.c_m * result_bytes(&g);
		for (int64_t i = 0; i < p->m; i += g.rows)
			multiply_rows(&g, i, min(p->m - i, g.rows));
	}
}

static void release(struct sr_prepared_kernel *prepared)
{
	free(prepared);
}

/* Return true for an operand whose pairs along k can be packed: it is contiguous along k, with lines of complete words, or along
 * the other dimension. */
static bool is_supported(int64_t line, int64_t along_k)
{
	return (along_k == 1 && line % 2 == 0) || line == 1;
}

struct sr_prepared_kernel *sr_gemm_prepare_bf16(const struct sr_product_params *p)
{
	if (p->k % (2 * DEPTH) || !is_supported(p->lhs_m, p->lhs_k) || !is_supported(p->rhs_n, p->rhs_k))
		return NULL;
	struct ready *r = malloc(sizeof *r);
	if (!r)
		return NULL;
	struct product g;
	*r = (struct ready){.base = {.run = run, .release = release, .scratch = describe(p, NULL, &g)}, .p = *p};
	return &r->base;
}
#else
struct sr_prepared_kernel *sr_gemm_prepare_bf16(const struct sr_product_params *p)
{
	return NULL;
}
#endif
