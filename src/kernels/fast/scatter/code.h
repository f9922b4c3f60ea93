/* SCATTER window by window: the offsets of a few hundred windows are computed at a time, then each is combined row by row or, if
 * windows are single elements (as in histograms), all in one loop. Windows are processed in index order. For each operand element
 * this is the reference's order of updates if window dimensions are the last dimensions of the updates, or if windows have extent 1
 * along the dimensions that indices address.
 *
 * Included once per instruction set, by a file that sets the compiler's target and defines INIT, the registration function, and
 * COMPLEX_TOO: 0 if the compiler would use FMA for complex numbers, which changes bits; then the baseline's code is used for
 * them. */
#include "kernels/fast/fast.h"
#include "kernels/fast/scatter/windows.h"
#include <string.h>

/* Compute the maximum or minimum of two scalar floats (see element.h) without a branch, since the comparison is unpredictable when
 * several updates address one element, and so is equality when updates are repeated. Each operand is selected where it precedes the
 * other one or is equal; joining the bits of both gives the right sign of zeros. NaN is rare and takes a predicted branch.
 *
 * The bits of scalars in vector registers are joined by an instruction: GCC moves them to other registers for integer operations, and
 * clears the other elements of a vector made of one number. */
#if defined(__AVX__)
#define JOIN_BITS(instruction, join, word, a, b) __asm__("v" #instruction "ps %2, %1, %0" : "=x"(a) : "x"(a), "x"(b))
#else
#define JOIN_BITS(instruction, join, word, a, b) \
	do { \
		union { __typeof__(a) v; word bits; } p = {a}, q = {b}; \
		p.bits = p.bits join q.bits; \
		a = p.v; \
	} while (0)
#endif
#define ONE_EXTREMUM(name, type, word, before, instruction, join, general) \
	static __attribute__((noinline, cold)) type name##_of_nan(type x, type y) { return general(x, y); } \
	static inline type name(type x, type y) \
	{ \
		type a = x before y ? x : y, b = y before x ? y : x; \
		JOIN_BITS(instruction, join, word, a, b); \
		return __builtin_expect(__builtin_isunordered(x, y), false) ? name##_of_nan(x, y) : a; \
	}
ONE_EXTREMUM(scalar_maximumf, float, uint32_t, >, and, &, maximumf)
ONE_EXTREMUM(scalar_minimumf, float, uint32_t, <, or, |, minimumf)
ONE_EXTREMUM(scalar_maximum, double, uint64_t, >, and, &, maximum)
ONE_EXTREMUM(scalar_minimum, double, uint64_t, <, or, |, minimum)

enum {
	BATCH = 256, /* number of windows whose offsets are computed at a time */
	/* number and bytes of the tables to which integers are added, and least number of updates for an element of them */
	TABLES = 4, TABLE_BYTES = 4096, UPDATES_PER_ELEMENT = 16
};

struct window_offsets { /* operand offsets of windows, and their numbers in the batch */
	int64_t offsets[BATCH];
	int32_t windows[BATCH];
};

#define ADD_START(start) \
	for (int64_t i = 0; i < n; i++) { \
		int64_t old = at[i], by = start; \
		at[i] = (old < 0) | ((uint64_t)by > limit) ? -1 : old + by * stride; \
	}

/* Add one component of the index vectors to the windows' operand offsets; a window that is out of bounds gets offset -1. */
static void add_index_component(const void *indices, enum sr_dtype type, int64_t first, int64_t step, uint64_t limit,
		int64_t stride,
		    int64_t n, int64_t *restrict at)
{
	int64_t start[BATCH];

	const int32_t *components = (const int32_t *)indices + first;
	if (type == SR_I32 && step == 2) { /* specialized for pairs of 32-bit indices */
		ADD_START(components[2 * i])
		return;
	}
	sr_index_load_strided(type, indices, first, step, n, start);
	ADD_START(start[i])
}

/* Compute the operand offsets of n windows; -1 for a window that is not entirely in bounds. */
static void find_offsets(const struct sr_scatter_windows *w, const void *indices, int64_t first, int64_t operand,
			 const struct sr_scatter_loop *innermost, int64_t n, int64_t *restrict at)
{
	enum sr_dtype type = (enum sr_dtype)w->p->g.index_type;

	if (type == SR_I32 && w->p->g.n_index_map == 1 && innermost->indices == 1 && !innermost->operand) {
		/* The common case: index vectors of one contiguous component, without batching dimensions. */
		const int32_t *starts = (const int32_t *)indices + first + w->components[0].at;
		int64_t limit = w->components[0].limit, stride = w->components[0].stride;
		for (int64_t i = 0; i < n; i++)
			at[i] = (starts[i] < 0) | (starts[i] > limit) ? -1 : operand + starts[i] * stride;
		return;
	}
	for (int64_t i = 0; i < n; i++)
		at[i] = operand + i * innermost->operand;
	for (int k = 0; k < w->p->g.n_index_map; k++)
		add_index_component(indices, type, first + w->components[k].at, innermost->indices, (uint64_t)w->components[k].limit,
				    w->components[k].stride, n, at);
}

/* Keep only the windows whose operand offsets are in [begin, end), in order; return their number. */
static int64_t filter_range(struct window_offsets *p, int64_t n, int64_t begin, int64_t end)
{
	int64_t n_kept = 0, n_outside = 0;

	for (int64_t i = 0; i < n; i++) {
		p->windows[i] = (int32_t)i;
		n_outside += (p->offsets[i] < begin) | (p->offsets[i] >= end);
	}
	if (!n_outside)
		return n;
	for (int64_t i = 0; i < n; i++) {
		int64_t at = p->offsets[i];
		p->offsets[n_kept] = at;
		p->windows[n_kept] = (int32_t)i;
		n_kept += at >= begin && at < end;
	}
	return n_kept;
}

/* Return true if most of the first windows are at the place of the one before them, as those of sorted indices: runs are longer
 * than MIN_RUN on average. The end of a shorter run, which processors predict wrongly, takes more time than the additions through
 * memory. */
static bool has_runs(const int64_t *at, int64_t n)
{
	enum { MIN_RUN = 4, SAMPLE = 32 };
	int64_t n_ends = 0, n_sampled = n < SAMPLE ? n : SAMPLE;

	for (int64_t i = 1; i < n_sampled; i++)
		n_ends += at[i] != at[i - 1];
	return n_ends < n_sampled / MIN_RUN;
}

/* Advance `index` to the next element of an update window, and *offset to its distance in elements from the window's first one.
 * Return false after the last element. */
static inline bool next_cell(const struct sr_window_cells *c, int64_t *index, int64_t *offset)
{
	for (int d = c->rank - 1; d >= 0; d--) {
		*offset += c->step[d];
		if (++index[d] < c->n[d])
			return true;
		*offset -= c->step[d] * c->n[d];
		index[d] = 0;
	}
	return false;
}

/* Return the operand offset of window element `number` relative to the window's first element. */
static inline int64_t cell_offset(const struct sr_window_cells *c, int64_t number)
{
	int64_t at = 0;

	for (int d = c->rank - 1; d >= 0 && number; d--) {
		at += number % c->n[d] * c->step[d];
		number /= c->n[d];
	}
	return at;
}

/* The reference kernel processes the element types that are not enabled here. */
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX COMPLEX_TOO
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX COMPLEX_TOO
#define BODY "kernels/fast/scatter/body.h"
#include "kernels/map/each_type.h"
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 0
#define BODY "kernels/fast/scatter/select_body.h"
#include "kernels/map/each_type.h"

void INIT(struct sr_kernels *table)
{
#if !COMPLEX_TOO
	sr_kernels_fast_scatter_base(table);
#endif
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX COMPLEX_TOO
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
