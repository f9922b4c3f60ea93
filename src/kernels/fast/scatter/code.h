/* SCATTER window by window: where windows begin is found for a few hundred of them at once, then each is combined by rows, or,
 * where it is one element, all of them in one loop (histograms). Windows come in the order of their indices, which gives the
 * reference's results where no two elements of a window's own dimensions can meet in the operand, or where windows are the last
 * dimensions of the updates. Included once per instruction set, by a file that sets the target and defines INIT, the function to
 * make, and COMPLEX_TOO: 0 where the compiler would join products and sums of complex numbers to one instruction, so that bits
 * differ from the reference's; then those are what any machine has. */
#include "kernels/fast/fast.h"
#include "kernels/fast/scatter/windows.h"
#include <string.h>

/* larger and smaller (element.h) of two floats by themselves. Which one is less is as good as random where points meet, and must
 * be no branch: a vector knows none. That they are equal or no numbers is foreseen. */
#define ONE_EXTREMUM(name, type, word, before, general) \
	static inline type name(type x, type y) \
	{ \
		typedef type values __attribute__((vector_size(16))); \
		typedef word words __attribute__((vector_size(16))); \
		values a = {x}, b = {y}; \
		words takes = a before b; \
		values most = (values)(((words)a & takes) | ((words)b & ~takes)); \
		return __builtin_expect(!__builtin_islessgreater(x, y), false) ? general(x, y) : most[0]; \
	}
ONE_EXTREMUM(one_largerf, float, int32_t, >, largerf)
ONE_EXTREMUM(one_smallerf, float, int32_t, <, smallerf)
ONE_EXTREMUM(one_larger, double, int64_t, >, larger)
ONE_EXTREMUM(one_smaller, double, int64_t, <, smaller)

enum { FEW = 256 }; /* windows whose places are found at once */

struct places { /* of windows in the operand, and which of the few they are */
	int64_t at[FEW];
	int32_t which[FEW];
};

#define MOVE_BY(start) \
	for (int64_t i = 0; i < n; i++) { \
		int64_t was = at[i], by = start; \
		at[i] = (was < 0) | ((uint64_t)by > limit) ? -1 : was + by * stride; \
	}

/* One component of the index vectors: a start that is not inside is left behind as -1. */
static void move_by(const void *indices, enum sr_dtype type, int64_t first, int64_t step, uint64_t limit, int64_t stride,
		    int64_t n, int64_t *restrict at)
{
	int64_t start[FEW];

	const int32_t *from = (const int32_t *)indices + first;
	if (type == SR_I32 && step == 1) { /* what programs have: loops of their own */
		MOVE_BY(from[i])
		return;
	}
	if (type == SR_I32 && step == 2) {
		MOVE_BY(from[2 * i])
		return;
	}
	sr_index_load_strided(type, indices, first, step, n, start);
	MOVE_BY(start[i])
}

/* Where n windows begin in the operand; -1: it is not inside as a whole. */
static void find_places(const struct sr_windows *w, const void *indices, int64_t first, int64_t operand,
			const struct sr_side *along, int64_t n,
			int64_t *restrict at)
{
	for (int64_t i = 0; i < n; i++)
		at[i] = operand + i * along->operand;
	for (int k = 0; k < w->p->g.n_index_map; k++)
		move_by(indices, (enum sr_dtype)w->p->g.index_type, first + w->components[k].at, along->indices,
			(uint64_t)w->components[k].limit,
			w->components[k].stride, n, at);
}

/* Those that begin in [begin, end), in their order; how many. */
static int64_t keep_within(struct places *p, int64_t n, int64_t begin, int64_t end)
{
	int64_t kept = 0;

	for (int64_t i = 0; i < n; i++) {
		int64_t at = p->at[i];
		p->at[kept] = at;
		p->which[kept] = (int32_t)i;
		kept += at >= begin && at < end;
	}
	return kept;
}

/* The next cell in order, as elements behind the first; false: it was the last. */
static inline bool next_cell(const struct sr_cells *c, int64_t *index, int64_t *here)
{
	for (int d = c->rank - 1; d >= 0; d--) {
		*here += c->step[d];
		if (++index[d] < c->n[d])
			return true;
		*here -= c->step[d] * c->n[d];
		index[d] = 0;
	}
	return false;
}

/* Elements behind the first of the cell of this number. */
static inline int64_t place_of_cell(const struct sr_cells *c, int64_t number)
{
	int64_t at = 0;

	for (int d = c->rank - 1; d >= 0 && number; d--) {
		at += number % c->n[d] * c->step[d];
		number /= c->n[d];
	}
	return at;
}

/* The element types of other classes are left to the reference. */
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
#define BODY "kernels/map/fill_row.h"
#include "kernels/map/each_type.h"
}
