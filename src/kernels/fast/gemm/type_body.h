/* Products of matrices of TYPE, in its own arithmetic: blocks of the right operand as panels, tiles in registers. Every element's
 * sum goes in the order of k, whatever the blocks, so that bits do not depend on how a product is cut. Included by code.h with
 * BYTES of a vector and MOST_ROWS of a tile. */
#define LANES ((int64_t)(BYTES / sizeof(S)))
#define NAME(rows, vectors, width) SR_CAT(SR_CAT(SR_CAT(SR_CAT(SR_CAT(FN(tile), rows), _), vectors), _), width)
#define VECTOR_OF(width) typedef S SR_CAT(FN(vector), width) __attribute__((vector_size(width), aligned(sizeof(S)), may_alias));
VECTOR_OF(16)
VECTOR_OF(32)
VECTOR_OF(64)
#undef VECTOR_OF

#define WIDTH BYTES
#define VECTORS 1
#include "kernels/fast/gemm/rows_body.h"
#define VECTORS 2
#include "kernels/fast/gemm/rows_body.h"
#define VECTORS 3
#include "kernels/fast/gemm/rows_body.h"
#undef WIDTH
#if BYTES > 16
#define WIDTH 16
#define VECTORS 1
#include "kernels/fast/gemm/rows_body.h"
#undef WIDTH
#endif
#if BYTES > 32
#define WIDTH 32
#define VECTORS 1
#include "kernels/fast/gemm/rows_body.h"
#undef WIDTH
#endif

typedef void FN(tile_fn)(int64_t k, int64_t rows, const S *restrict a, int64_t a_m, int64_t a_k, const S *restrict b, int64_t b_k,
			 S *restrict c, int64_t c_m, bool more);
#if MOST_ROWS > 4
#define COLUMN(vectors, width) {NAME(1, vectors, width), NAME(2, vectors, width), NAME(4, vectors, width), NAME(8, vectors, width)}
#else
#define COLUMN(vectors, width) {NAME(1, vectors, width), NAME(2, vectors, width), NAME(4, vectors, width)}
#endif
static FN(tile_fn) *const FN(tiles)[3][4] = {COLUMN(1, BYTES), COLUMN(2, BYTES), COLUMN(3, BYTES)};
static const struct {
	int bytes;
	FN(tile_fn) *tiles[4];
} FN(narrow_tiles)[] = {
	{16, COLUMN(1, 16)},
#if BYTES > 16
	{32, COLUMN(1, 32)},
#endif
#if BYTES > 32
	{64, COLUMN(1, 64)},
#endif
};
#undef COLUMN

/* The last rows of a result, or columns that are no whole vectors, go through memory of their own. */
static void FN(put_part)(FN(tile_fn) *tile, int64_t k, int64_t rows, int64_t cols, int64_t width, const S *a, int64_t a_m,
			 int64_t a_k,
			 const S *b, int64_t b_k, S *c, int64_t c_m, bool more)
{
	S part[MOST_ROWS * 3 * LANES];
	for (int64_t r = 0; r < rows && more; r++)
		memcpy(part + r * width, c + r * c_m, (size_t)cols * sizeof(S));
	tile(k, rows, a, a_m, a_k, b, b_k, part, width, more);
	for (int64_t r = 0; r < rows; r++)
		memcpy(c + r * c_m, part + r * width, (size_t)cols * sizeof(S));
}

/* One tile, of which rows x cols are wanted. */
static void FN(put_tile)(const struct sr_gemm *g, int64_t k, const S *a, int64_t a_m, int64_t a_k, const S *b, int64_t b_k,
			 int64_t rows,
			 int64_t cols, S *c, bool more)
{
	int64_t vectors = (cols + LANES - 1) / LANES;
	int size = size_of(rows);
	FN(tile_fn) *tile = FN(tiles)[vectors - 1][size];
	if (rows == 1 << size && cols == vectors * LANES)
		tile(k, rows, a, a_m, a_k, b, b_k, c, g->c_m, more);
	else
		FN(put_part)(tile, k, rows, cols, vectors * LANES, a, a_m, a_k, b, b_k, c, g->c_m, more);
}

enum {
	FN(PANEL) = PANEL_OF(S), FN(BLOCK) = PANELS * FN(PANEL), /* columns of b */
	FN(GAP) = 64 / (int)sizeof(S), /* between strips, so that not all of them begin at the same place of a page */
	FN(ROOM) = DEEP * FN(BLOCK) + PANELS * FN(GAP), /* elements of the scratch: a block of b, and strips of a */
	FN(STRIP) = STRIPS * (MOST_ROWS * DEEP + FN(GAP)),
};

static const struct sr_gemm_code FN(code);

/* Strips of an operand of any type in order, as sr_gemm_pack_fn says. */
static void FN(pack)(enum sr_dtype t, const void *from, int64_t at, int64_t across, int64_t along, int64_t n, int64_t width,
		     int64_t k, S *to, int64_t apart)
{
	if (TURNS && sizeof(S) == sizeof(uint32_t) && FN(code).own[t] && along == 1 && n % width == 0 && width % 4 == 0)
		turn_strips((const uint32_t *)from + at, across, n, width, k, (uint32_t *)(void *)to, apart);
	else
		FN(code).pack[t](from, at, across, along, n, width, k, to, apart);
}

struct FN(panel) { /* columns [n0, n0 + n) of a block of b */
	const S *b;
	int64_t b_k, n0, n;
};

/* Columns that are left behind whole panels are one more panel of whole vectors. A single vector keeps few sums in registers, so
 * that where tiles have few rows it and the panel before it are two of two. */
static int64_t FN(cut_panels)(int64_t n, struct FN(panel) *panels)
{
	int64_t whole = n / FN(PANEL), rest = n % FN(PANEL), at = 0, count = 0;
	bool two = MOST_ROWS <= 4 && whole && rest && rest <= LANES;
	for (whole -= two; count < whole; at += FN(PANEL))
		panels[count++] = (struct FN(panel)){.n0 = at, .n = FN(PANEL)};
	if (two) {
		panels[count++] = (struct FN(panel)){.n0 = at, .n = 2 * LANES};
		at += 2 * LANES;
	}
	if (at < n)
		panels[count++] = (struct FN(panel)){.n0 = at, .n = n - at};
	return count;
}

/* Panels of b as they stand, or in order; how many. */
static int64_t FN(take_panels)(const struct sr_gemm *g, int64_t n0, int64_t n, int64_t k0, int64_t k, bool stands, S *room,
			       struct FN(panel) *panels)
{
	int64_t at = g->b_at + n0 * g->b_n + k0 * g->b_k, apart = FN(PANEL) * k + FN(GAP), count = FN(cut_panels)(n, panels);
	int64_t whole = stands ? 0 : n / FN(PANEL);
	while (whole && panels[whole - 1].n < FN(PANEL))
		whole--;
	if (whole)
		FN(pack)(g->b_type, g->b, at, g->b_n, g->b_k, whole * FN(PANEL), FN(PANEL), k, room, apart);
	for (int64_t j = 0; j < count; j++) {
		struct FN(panel) *panel = &panels[j];
		int64_t width = (panel->n + LANES - 1) / LANES * LANES;
		bool there = stands && panel->n == width;
		panel->b = there ? (const S *)g->b + at + panel->n0 : room + j * apart;
		panel->b_k = there ? g->b_k : width;
		if (!there && j >= whole)
			FN(pack)(g->b_type, g->b, at + panel->n0 * g->b_n, g->b_n, g->b_k, panel->n, width, k, room + j * apart, 0);
	}
	return count;
}

/* Rows [i0, i0 + m) of a, in order. */
static void FN(take_strips)(const struct sr_gemm *g, int64_t i0, int64_t m, int64_t k0, int64_t k, S *strips, int64_t apart)
{
	int64_t at = g->a_at + i0 * g->a_m + k0 * g->a_k, whole = m / MOST_ROWS * MOST_ROWS, rest = m - whole;
	if (whole)
		FN(pack)(g->a_type, g->a, at, g->a_m, g->a_k, whole, MOST_ROWS, k, strips, apart);
	if (rest)
		FN(pack)(g->a_type, g->a, at + whole * g->a_m, g->a_m, g->a_k, rest, rest, k, strips + whole / MOST_ROWS * apart, 0);
}

/* The tile of the result behind the one at c, of `rows` that are left with it, is on its way while this one is computed. */
static inline void FN(expect)(const struct sr_gemm *g, const S *c, int64_t rows)
{
	for (int64_t r = MOST_ROWS; AHEAD && r < 2 * MOST_ROWS && r < rows; r++) {
		__builtin_prefetch(c + r * g->c_m, 1, 3);
		__builtin_prefetch(c + r * g->c_m + 64 / sizeof(S), 1, 3);
	}
}

/* A panel of b goes through STRIPS strips of a before the next one does. */
static void FN(multiply_block)(const struct sr_gemm *g, int64_t n0, int64_t n, int64_t k0, int64_t k, bool stands)
{
	S *room = (S *)(void *)g->scratch, *strips = room + FN(ROOM);
	struct FN(panel) panels[PANELS + 1];
	int64_t apart = MOST_ROWS * k + FN(GAP), count = FN(take_panels)(g, n0, n, k0, k, stands, room, panels);
	bool plain = FN(code).own[g->a_type] && g->a_k == 1;
	for (int64_t i0 = 0; i0 < g->m; i0 += STRIPS * MOST_ROWS) {
		int64_t m = g->m - i0 < STRIPS * MOST_ROWS ? g->m - i0 : STRIPS * MOST_ROWS;
		if (!plain)
			FN(take_strips)(g, i0, m, k0, k, strips, apart);
		for (int64_t j = 0; j < count; j++)
			for (int64_t i = 0; i < m; i += MOST_ROWS) {
				int64_t rows = m - i < MOST_ROWS ? m - i : MOST_ROWS;
				const S *a = plain ? (const S *)g->a + g->a_at + (i0 + i) * g->a_m + k0 : strips + i / MOST_ROWS * apart;
				S *c = (S *)g->c + (i0 + i) * g->c_m + n0 + panels[j].n0;
				FN(expect)(g, c, m - i);
				FN(put_tile)(g, k, a, plain ? g->a_m : 1, plain ? 1 : rows, panels[j].b, panels[j].b_k, rows, panels[j].n, c,
					     k0 > 0 || g->more);
			}
	}
}

/* Reads lines [0, n) of k elements, or k of n, whichever lie together. */
static void FN(read_lines)(const void *from, int64_t at, int64_t across, int64_t along, int64_t n, int64_t k)
{
	int64_t lines = along == 1 ? n : k, apart = along == 1 ? across : along, length = along == 1 ? k : n;
	for (int64_t l = 0; l < lines; l++)
		for (int64_t i = 0; i < length; i += 64 / (int64_t)sizeof(S))
			(void)*(const volatile S *)((const S *)from + at + l * apart + i);
}

/* Operands that the second cache can hold come into it one after the other, at the memory's rate: where they are used, many lines
 * would be waited for one by one. Small ones are there already, as a rule. */
static void FN(read_ahead)(const struct sr_gemm *g, int64_t k0, int64_t k)
{
	int64_t bytes = (g->m + g->n) * k * (int64_t)sizeof(S);
	bool a = FN(code).own[g->a_type] && (g->a_m == 1 || g->a_k == 1), b = FN(code).own[g->b_type] && (g->b_n == 1 || g->b_k == 1);
	if (!a || !b || bytes < AHEAD / 8 || bytes > AHEAD)
		return;
	FN(read_lines)(g->a, g->a_at + k0 * g->a_k, g->a_m, g->a_k, g->m, k);
	FN(read_lines)(g->b, g->b_at + k0 * g->b_k, g->b_n, g->b_k, g->n, k);
}

/* A few rows read b once, as it stands, row after row; a few columns go through rows of a as far as panels have room. */
static void FN(multiply)(const struct sr_gemm *g)
{
	bool stands = FN(code).own[g->b_type] && g->b_n == 1 && g->m <= MOST_ROWS;
	bool plain = FN(code).own[g->a_type] && g->a_k == 1;
	int64_t panels = (g->n + FN(PANEL) - 1) / FN(PANEL), deep = DEEP;
	if (stands)
		deep = FEW;
	else if (plain && panels < PANELS && panels)
		deep = DEEP * PANELS / panels;
	for (int64_t r = 0; r < g->m && !g->k && !g->more; r++)
		memset((S *)g->c + r * g->c_m, 0, (size_t)g->n * sizeof(S));
	for (int64_t k0 = 0; k0 < g->k; k0 += deep) {
		if (AHEAD && g->far && g->m > MOST_ROWS)
			FN(read_ahead)(g, k0, g->k - k0 < deep ? g->k - k0 : deep);
		for (int64_t n0 = 0; n0 < g->n; n0 += FN(BLOCK))
			FN(multiply_block)(g, n0, g->n - n0 < FN(BLOCK) ? g->n - n0 : FN(BLOCK), k0,
					   g->k - k0 < deep ? g->k - k0 : deep, stands);
	}
}

/* Rows [begin, end) of many products of few columns: what a vector has more of them than the result goes where the next rows are
 * written later. */
static void FN(narrow)(const struct sr_product_params *p, void *const *buffers, int64_t begin, int64_t end)
{
	S panel[NARROW_DEEP * LANES];
	int w = 0;
	while (FN(narrow_tiles)[w].bytes < p->n * (int64_t)sizeof(S))
		w++;
	int64_t lanes = FN(narrow_tiles)[w].bytes / (int64_t)sizeof(S), in_panel = -1;
	bool stands = p->rhs_n == 1 && p->n == lanes;
	memset(panel, 0, (size_t)(p->k * lanes) * sizeof *panel);
	for (int64_t b = begin / p->m, row = begin % p->m, rows, at = begin; at < end; at += rows) {
		const S *y = (const S *)buffers[1] + b * p->rhs_batch;
		for (int64_t k = 0; k < p->k && !stands && in_panel != b * p->rhs_batch; k++)
			for (int64_t j = 0; j < p->n; j++)
				panel[k * lanes + j] = y[k * p->rhs_k + j * p->rhs_n];
		in_panel = b * p->rhs_batch;
		rows = p->m - row < end - at ? p->m - row : end - at;
		rows = rows < MOST_ROWS ? rows : MOST_ROWS;
		int size = size_of(rows);
		FN(tile_fn) *tile = FN(narrow_tiles)[w].tiles[size];
		const S *x = (const S *)buffers[0] + b * p->lhs_batch + row * p->lhs_m, *right = stands ? y : panel;
		S *out = (S *)buffers[2] + at * p->n;
		if ((at + (1 << size)) * p->n + lanes <= end * p->n)
			tile(p->k, rows, x, p->lhs_m, p->lhs_k, right, stands ? p->rhs_k : lanes, out, p->n, false);
		else
			FN(put_part)(tile, p->k, rows, p->n, lanes, x, p->lhs_m, p->lhs_k, right, stands ? p->rhs_k : lanes, out,
				     p->n, false);
		row += rows;
		b += row == p->m;
		row = row == p->m ? 0 : row;
	}
}
#undef NAME
#undef LANES
