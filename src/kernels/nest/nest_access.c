/* Memory accesses of an interpreted loop nest: load the elements of an access into a tile's value, and store a tile's value through
 * an access. */
#include "kernels/element.h"
#include "kernels/nest/access_body.h"
#include "kernels/nest/nest_prepared.h"
#include <string.h>

#pragma GCC optimize("O3", "align-loops=64")

const struct sr_access_functions sr_access_base = SR_ACCESS_FUNCTIONS;

#define COPY(T, to_index, from_index)                                \
	do {                                                         \
		const T *f = (const T *)(const void *)src;           \
		T *t = (T *)(void *)dst;                             \
		_Pragma("GCC unroll 4") for (int64_t i = 0; i < n; i++) \
			t[to_index] = f[from_index];                 \
	} while (0)

void sr_nest_store_strided(int bytes, const char *src, char *dst, int64_t step, int64_t n)
{
	if (step == 1) {
		memcpy(dst, src, (size_t)(n * bytes));
		return;
	}
	switch (bytes) {
	case 1: COPY(uint8_t, i * step, i); break;
	case 2: COPY(uint16_t, i * step, i); break;
	case 4: COPY(uint32_t, i * step, i); break;
	case 8: COPY(uint64_t, i * step, i); break;
	default: COPY(struct access_bytes16, i * step, i);
	}
}

#define FILL(T)                                              \
	do {                                                 \
		const T v = *(const T *)(const void *)one;   \
		for (int64_t i = 0; i < n; i++)              \
			((T *)(void *)to)[i] = v;            \
	} while (0)
static void fill(int bytes, const char *one, char *to, int64_t n)
{
	switch (bytes) {
	case 1: FILL(uint8_t); break;
	case 2: FILL(uint16_t); break;
	case 4: FILL(uint32_t); break;
	case 8: FILL(uint64_t); break;
	default: FILL(struct access_bytes16);
	}
}

void sr_nest_fill_strided(int bytes, const char *one, char *dst, int64_t step, int64_t n)
{
	const char *src = one;
	if (step == 1) {
		fill(bytes, one, dst, n);
		return;
	}
	switch (bytes) {
	case 1: COPY(uint8_t, i * step, 0); break;
	case 2: COPY(uint16_t, i * step, 0); break;
	case 4: COPY(uint32_t, i * step, 0); break;
	case 8: COPY(uint64_t, i * step, 0); break;
	default: COPY(struct access_bytes16, i * step, 0);
	}
}

/* ---- short runs ---- */

enum { SHORT_RUN = 16 }; /* Runs of fewer elements are short: one call copies all runs along the second fastest loop. */
/* Maximum bytes of contiguous runs that are copied several at a time, by load_runs; longer ones are copied one by one. */
enum { SHORT_ROW = 2048 };

/* Copy `n` elements of each run: dst[i * outer + k * step] = src[i][k]. n is a constant in the usual cases, for which the loop over
 * k is unrolled. */
#define STORE_RUNS(T, n)                                             \
	do {                                                         \
		const T *f = (const T *)(const void *)src;           \
		T *t = (T *)(void *)dst;                             \
		for (int64_t i = 0; i < runs; i++)                   \
			for (int64_t k = 0; k < (n); k++)            \
				t[i * outer + k * step] = f[i * (n) + k]; \
	} while (0)
#define STORE_RUNS_BY_LENGTH(T)                                      \
	switch (length) {                                            \
	case 2: STORE_RUNS(T, 2); break;                             \
	case 3: STORE_RUNS(T, 3); break;                             \
	case 4: STORE_RUNS(T, 4); break;                             \
	default: STORE_RUNS(T, length);                              \
	}                                                            \
	break

void sr_nest_store_runs(int bytes, const char *src, char *dst, int64_t outer, int64_t step, int64_t runs, int64_t length)
{
	switch (bytes) {
	case 1: STORE_RUNS_BY_LENGTH(uint8_t);
	case 2: STORE_RUNS_BY_LENGTH(uint16_t);
	case 4: STORE_RUNS_BY_LENGTH(uint32_t);
	case 8: STORE_RUNS_BY_LENGTH(uint64_t);
	default: STORE_RUNS(struct access_bytes16, length);
	}
}

/* Position in the loops of a tile: the index of each loop. */
struct run_position {
	const struct sr_nest_tile_loops *loops;
	int64_t index[SR_NEST_MAX_LOOPS];
};

static struct run_position begin_runs(const struct sr_nest_tile_loops *loops)
{
	struct run_position w;
	w.loops = loops;
	for (int i = 0; i < loops->n; i++)
		w.index[i] = 0;
	return w;
}

/* Advance to the next run along the fastest loop; returns false after the last run. *offset is updated by the strides of an
 * access. */
static bool next_run(struct run_position *w, const int64_t *stride, int64_t *offset)
{
	for (int i = w->loops->n - 2; i >= 0; i--) {
		*offset += stride[w->loops->loop[i]];
		if (++w->index[i] < w->loops->count[i])
			return true;
		*offset -= stride[w->loops->loop[i]] * w->loops->count[i];
		w->index[i] = 0;
	}
	return false;
}

static int64_t run_length(const struct run_position *w)
{
	return w->loops->n ? w->loops->count[w->loops->n - 1] : 1;
}

/* Return the number of short runs that one call copies: the extent of the second fastest loop, or 1 if runs are long. */
static int64_t runs_at_once(const struct run_position *w)
{
	int n = w->loops->n;
	return n > 1 && w->loops->count[n - 1] < SHORT_RUN ? w->loops->count[n - 2] : 1;
}

/* Advance past `runs` runs, as many as runs_at_once returned; returns false after the last run. */
static bool next_runs(struct run_position *w, const int64_t *stride, int64_t *offset, int64_t runs)
{
	if (runs > 1) { /* advance to the last of the `runs` runs; next_run then advances past it */
		*offset += stride[w->loops->loop[w->loops->n - 2]] * (runs - 1);
		w->index[w->loops->n - 2] = runs - 1;
	}
	return next_run(w, stride, offset);
}

static int64_t tile_origin(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, int64_t offset, const int64_t *stride,
			   bool over_inner)
{
	for (int l = 0; l < (over_inner ? r->n_loops : r->n_parallel); l++)
		offset += tile->at[l] * stride[l];
	return offset;
}

int64_t sr_nest_origin(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		       bool over_inner)
{
	return tile_origin(r, tile, a->offset, a->stride, over_inner);
}

enum layout { SCALAR, DENSE, STRIDED };

static enum layout layout_of(const struct sr_nest_tile_loops *w, const int64_t *stride)
{
	int64_t dense_stride = 1;
	bool is_scalar = true, is_dense = true;
	for (int i = w->n - 1; i >= 0; i--) {
		is_scalar = is_scalar && !stride[w->loop[i]];
		is_dense = is_dense && stride[w->loop[i]] == dense_stride;
		dense_stride *= w->count[i];
	}
	return is_scalar ? SCALAR : is_dense ? DENSE : STRIDED;
}

/* Return true if elements are contiguous along the second fastest loop but not along the fastest one. */
static bool is_transposed(const struct sr_nest_tile_loops *w, const int64_t *stride)
{
	return w->n > 1 && stride[w->loop[w->n - 2]] == 1 && stride[w->loop[w->n - 1]] != 1 && stride[w->loop[w->n - 1]] &&
	       w->count[w->n - 1] >= 4 && w->count[w->n - 2] >= 4;
}

char *sr_nest_direct_address(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		enum sr_dtype type, char *buffer,
			     bool over_inner)
{
	const struct sr_nest_tile_loops *w = &tile->loops[over_inner];
	enum layout layout = a->n_dims ? STRIDED : layout_of(w, a->stride);
	if (layout == STRIDED || (layout == SCALAR && w->n))
		return NULL;
	return buffer + tile_origin(r, tile, a->offset, a->stride, over_inner) * sr_dtype_bytes(type);
}

/* ---- accesses with bounds, divisors and indices: run by run ---- */

enum { MAX_DIMS = 2 * SR_NEST_MAX_LOOPS };

/* A number that changes linearly with the loops of a tile: an element offset, the x of a dim, or the element number of an index. */
struct linear {
	int64_t start;
	const int64_t *stride; /* stride per loop; NULL: the number is constant */
};

struct index {
	enum sr_dtype type;
	const char *data;
	struct linear
	    position; /* element number in `data`; its stride is NULL if `data` has one element per iteration of the tile */
	bool scalar;
};

/* A run: the elements along one loop of a tile, or blocks of several elements along it. */
struct run {
	const struct sr_nest_prepared *r;
	const struct sr_nest_access *a;
	const struct sr_nest_operand *values;
	struct sr_nest_tile_loops loops; /* the loops of the tile up to the one along the run */
	int bytes, run_loop; /* bytes of an element; number of the loop along the run, -1 if the run has one element */
	/* True if the run is written past the caches: its elements, or those of each of its blocks, are contiguous in the buffer,
	 * because the STORE of the value and the LOAD have the same contiguous loop (find_streamed_rows). */
	bool is_streamed;
	int64_t n;          /* number of elements or blocks in the run */
	int64_t first;      /* number of the run's first element or block in the tile */
	int64_t block, block_step; /* number of elements of a block, at least 1, and their distance in the buffer */
	/* element offset without the contributions of the dims, and the x of each dim (see struct sr_nest_dim) */
	struct linear base, x[MAX_DIMS];
	struct index index[MAX_DIMS];
};

static void advance_number(struct linear *t, int l, int64_t steps)
{
	t->start += t->stride ? t->stride[l] * steps : 0;
}

static void advance_run(struct run *u, int l, int64_t steps)
{
	advance_number(&u->base, l, steps);
	for (int k = 0; k < u->a->n_dims; k++) {
		advance_number(&u->x[k], l, steps);
		advance_number(&u->index[k].position, l, steps);
	}
}

/* Advance a run with bounds, divisors or indices to the next one along the fastest loop, as next_run does. */
static bool next_special_run(struct run *u, struct run_position *w)
{
	u->first += u->n;
	for (int i = w->loops->n - 2; i >= 0; i--) {
		advance_run(u, w->loops->loop[i], 1);
		if (++w->index[i] < w->loops->count[i])
			return true;
		advance_run(u, w->loops->loop[i], -w->loops->count[i]);
		w->index[i] = 0;
	}
	return false;
}

static struct index index_of(const struct sr_nest_prepared *r, const struct sr_nest_operand *values, const struct sr_nest_tile *tile,
			     int value, bool over_inner)
{
	const struct sr_nest_operand *v = &values[value];
	int in_place_access = r->slots[value].in_place_access;
	struct index x = {.type = (enum sr_dtype)sr_nest_values(r->nest)[value].dtype, .data = v->at, .scalar = v->scalar};
	if (in_place_access >= 0) {
		const struct sr_nest_access *a = &r->accesses[in_place_access];
		x.position = (struct linear){tile_origin(r, tile, a->offset, a->stride, over_inner), a->stride};
	}
	return x;
}

static int64_t step_along_run(const struct run *u, const struct linear *t)
{
	return t->stride && u->run_loop >= 0 ? t->stride[u->run_loop] : 0;
}

/* Find the index values of the run: the element number of the first one, and the distance to the next one. */
static int64_t index_positions(const struct run *u, const struct index *x, int64_t *step)
{
	*step = x->position.stride ? step_along_run(u, &x->position) : x->scalar ? 0 : u->block;
	return x->position.stride ? x->position.start : x->scalar ? 0 : u->first * u->block;
}

static int64_t clamp_index(int64_t v, int64_t limit)
{
	return v < 0 ? 0 : v > limit ? limit : v;
}

/* Return true if the index value of dim number k of the access is the same for all iterations of loop l. */
static bool is_index_invariant(const struct run *u, int k, int l)
{
	const struct sr_nest_dim *d = &u->r->dims[u->a->first_dim + k];
	const struct index *x = &u->index[k];
	return d->index < 0 || x->scalar || d->invariant_loops >> l & 1 || (x->position.stride && !x->position.stride[l]);
}

/* Return true if every dim is constant along the run or changes by a fixed step, so that the run is one strided copy. */
static bool is_regular(const struct run *u)
{
	for (int k = 0; k < u->a->n_dims; k++)
		if (u->run_loop >= 0 && (step_along_run(u, &u->x[k]) % u->r->dims[u->a->first_dim + k].divisor ||
					 !is_index_invariant(u, k, u->run_loop)))
			return false;
	return true;
}

/* Shrink the range [*low, *high) of a run's elements to those with x + step * i in [0, extent). */
static void clip_range(int64_t x, int64_t step, int64_t extent, int64_t *low, int64_t *high)
{
	if (step == 1) { /* the usual case needs no division */
		int64_t last = x >= extent ? 0 : extent - x;
		*low = -x > *low ? -x : *low;
		*high = last < *high ? last : *high;
	} else if (step < 0) { /* offsets decrease along the run, so its first elements may be above the extent */
		int64_t first = x >= extent ? (x - extent) / -step + 1 : 0, last = x < 0 ? 0 : x / -step + 1;
		*low = first > *low ? first : *low;
		*high = last < *high ? last : *high;
	} else if (step == 0) {
		*high = x < 0 || x >= extent ? *low : *high;
	} else {
		int64_t first = x < 0 ? (-x + step - 1) / step : 0, last = x >= extent ? 0 : (extent - x + step - 1) / step;
		*low = first > *low ? first : *low;
		*high = last < *high ? last : *high;
	}
	*low = *low > *high ? *high : *low; /* make the range empty if no element is in bounds */
}

static void fill_run(const struct run *u, char *to, int64_t first, int64_t end)
{
	const struct sr_nest_operand *v = &u->values[u->a->fill];
	int64_t block_bytes = u->block * u->bytes;
	if (v->scalar)
		sr_nest_fill_strided(u->bytes, v->at, to + first * block_bytes, 1, (end - first) * u->block);
	else
		memcpy(to + first * block_bytes, v->at + (u->first + first) * block_bytes, (size_t)((end - first) * block_bytes));
}

static void load_regular_run(const struct run *u, const char *buffer, char *to)
{
	int64_t low = 0, high = u->n, offset = u->base.start, step = step_along_run(u, &u->base);
	for (int k = 0; k < u->a->n_dims; k++) {
		const struct sr_nest_dim *d = &u->r->dims[u->a->first_dim + k];
		int64_t y = u->x[k].start, run_step = step_along_run(u, &u->x[k]), start;
		if (d->index >= 0) {
			int64_t index_step, first_index = index_positions(u, &u->index[k], &index_step);
			sr_index_load_strided(u->index[k].type, u->index[k].data, first_index, index_step, 1, &start);
			y += clamp_index(start, d->limit);
		}
		if (d->divisor > 1) {
			high = y % d->divisor ? low : high;
			y /= d->divisor;
			run_step /= d->divisor;
		}
		if (d->extent > 0)
			clip_range(y, run_step, d->extent, &low, &high);
		offset += y * d->stride;
		step += run_step * d->stride;
	}
	const char *from = buffer + (offset + low * step) * u->bytes;
	if (high > low && u->is_streamed)
		u->r->access->stream(from, to + low * u->bytes, (high - low) * u->bytes);
	else if (high > low)
		u->r->access->load_strided(u->bytes, from, step, to + low * u->bytes, high - low);
	if (low > 0)
		fill_run(u, to, 0, low);
	if (high < u->n)
		fill_run(u, to, high, u->n);
}

/* Describe dim number k of the access along the run. */
static struct sr_access_dim dim_along_run(const struct run *u, int k)
{
	const struct sr_nest_dim *d = &u->r->dims[u->a->first_dim + k];
	const struct index *x = &u->index[k];
	struct sr_access_dim dim = {.x = u->x[k].start, .step = step_along_run(u, &u->x[k]), .divisor = d->divisor,
				    .extent = d->extent, .stride = d->stride, .limit = d->limit};
	if (d->index >= 0) {
		dim.indices = x->data;
		dim.index_type = x->type;
		dim.first_index = index_positions(u, x, &dim.index_step);
	}
	return dim;
}

/* Compute the operand offsets of the run's elements or blocks [i, i + n), and the mask of those in bounds. Returns false if all are
 * in bounds. */
static bool element_offsets(const struct run *u, int64_t i, int64_t n, int64_t *restrict offset, uint8_t *restrict is_inside)
{
	bool has_bounds = false;
	int64_t base = u->base.start, step = step_along_run(u, &u->base);
	for (int64_t k = 0; k < n; k++) {
		offset[k] = base + (i + k) * step;
		is_inside[k] = 1;
	}
	for (int k = 0; k < u->a->n_dims; k++) {
		struct sr_access_dim dim = dim_along_run(u, k);
		u->r->access->add_dim(&dim, i, n, offset, is_inside);
		has_bounds = has_bounds || dim.extent > 0;
	}
	return has_bounds;
}

/* Load a run with one or two dims, which are indices without divisor and bounds, by one pass over the indices. Returns false if it
 * has another form. */
static bool load_by_indices(const struct run *u, const char *buffer, char *to)
{
	struct sr_access_dim d[2];
	int n = u->a->n_dims;
	if (u->block > 1 || n < 1 || n > 2)
		return false;
	for (int k = 0; k < n; k++) {
		d[k] = dim_along_run(u, k);
		if (!d[k].indices || d[k].divisor != 1 || d[k].extent)
			return false;
	}
	return (n == 1 ? u->r->access->gather_by_indices : u->r->access->gather_by_pairs)(
		u->bytes, buffer, d, u->base.start, step_along_run(u, &u->base), to, u->n);
}

/* Copy n blocks of the run that begin at the given offsets. */
static void copy_blocks(const struct run *u, const char *buffer, const int64_t *offset, char *to, int64_t n)
{
	int64_t block_bytes = u->block * u->bytes;
	if (!u->is_streamed)
		u->r->access->gather(u->bytes, buffer, offset, u->block, u->block_step, to, n);
	for (int64_t i = 0; u->is_streamed && i < n; i++)
		u->r->access->stream(buffer + offset[i] * u->bytes, to + i * block_bytes, block_bytes);
}

static void load_irregular_run(const struct run *u, const char *buffer, char *to)
{
	if (load_by_indices(u, buffer, to))
		return;
	int64_t offset[SR_ACCESS_BLOCK], block_bytes = u->block * u->bytes;
	uint8_t is_inside[SR_ACCESS_BLOCK];
	for (int64_t i = 0, n; i < u->n; i += n) {
		n = u->n - i < SR_ACCESS_BLOCK ? u->n - i : SR_ACCESS_BLOCK;
		if (!element_offsets(u, i, n, offset, is_inside)) {
			copy_blocks(u, buffer, offset, to + i * block_bytes, n);
			continue;
		}
		for (int64_t k = 0, n_same; k < n; k += n_same) {
			for (n_same = 1; k + n_same < n && is_inside[k + n_same] == is_inside[k]; n_same++)
				;
			if (is_inside[k])
				copy_blocks(u, buffer, offset + k, to + (i + k) * block_bytes, n_same);
			else
				fill_run(u, to, i + k, i + k + n_same);
		}
	}
}

/* Make the run consist of blocks along the second fastest loop, if blocks along the fastest one are short or contiguous, and
 * indices and bounds do not depend on it. */
static void join_short_runs(struct run *u)
{
	int last = u->loops.n - 1, l = u->run_loop;
	int64_t step = step_along_run(u, &u->base);
	if (last < 1 || u->n * u->bytes > SHORT_ROW || (u->a->fill >= 0 && !u->values[u->a->fill].scalar))
		return;
	for (int k = 0; k < u->a->n_dims; k++) {
		const struct sr_nest_dim *d = &u->r->dims[u->a->first_dim + k];
		if (!is_index_invariant(u, k, l) || (d->coef[l] && (d->divisor > 1 || d->extent > 0)))
			return;
		step += d->coef[l] * d->stride;
	}
	if (u->n >= SHORT_RUN && step != 1)
		return;
	u->block = u->n;
	u->block_step = step;
	u->loops.n = last;
	u->run_loop = u->loops.loop[last - 1];
	u->n = u->loops.count[last - 1];
}

/* Return true if numbers continue from the last element of a run along loop l to the first element of the next run along loop
 * `outer`. */
static bool continues(const struct linear *t, int outer, int l, int64_t n)
{
	return !t->stride || t->stride[outer] == t->stride[l] * n;
}

/* Join runs that follow each other linearly, along the second fastest loop and the loops outside of it, to one run, whose elements
 * have an index value each. */
static void merge_runs(struct run *u)
{
	while (u->loops.n > 1) {
		int last = u->loops.n - 1, outer = u->loops.loop[last - 1], l = u->run_loop;
		bool is_linear = continues(&u->base, outer, l, u->n);
		for (int k = 0; k < u->a->n_dims; k++)
			is_linear = is_linear && continues(&u->x[k], outer, l, u->n) &&
				    continues(&u->index[k].position, outer, l, u->n);
		if (!is_linear)
			return;
		u->n *= u->loops.count[last - 1];
		u->loops.loop[last - 1] = l;
		u->loops.n = last;
	}
}

static struct run make_run(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
			   const struct sr_nest_operand *values, int bytes, bool over_inner)
{
	const struct sr_nest_tile_loops *w = &tile->loops[over_inner];
	struct run u;
	u.r = r;
	u.a = a;
	u.values = values;
	u.loops = *w;
	u.bytes = bytes;
	u.block = u.block_step = 1;
	u.run_loop = w->n ? w->loop[w->n - 1] : -1;
	u.n = w->n ? w->count[w->n - 1] : 1;
	u.first = 0;
	u.base = (struct linear){tile_origin(r, tile, a->offset, a->stride, over_inner), a->stride};
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &r->dims[a->first_dim + k];
		u.x[k] = (struct linear){tile_origin(r, tile, d->offset, d->coef, over_inner), d->coef};
		u.index[k] = d->index >= 0 ? index_of(r, values, tile, d->index, over_inner) : (struct index){.scalar = true};
	}
	return u;
}

static void load_by_runs(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
			 int bytes, const char *buffer, const struct sr_nest_operand *values, bool over_inner, char *slot,
			 bool is_streamed)
{
	struct run u = make_run(r, tile, a, values, bytes, over_inner);
	u.is_streamed = is_streamed;
	join_short_runs(&u);
	bool run_is_regular = u.block == 1 && is_regular(&u);
	if (!run_is_regular)
		merge_runs(&u);
	struct run_position w = begin_runs(&u.loops);
	do {
		if (run_is_regular)
			load_regular_run(&u, buffer, slot + u.first * bytes);
		else
			load_irregular_run(&u, buffer, slot + u.first * u.block * bytes);
	} while (next_special_run(&u, &w));
}

/* ---- accesses with bounds, divisors and indices: a box at once ---- */

/* Add the index of dim d to *y if it is the same for the entire tile; otherwise return false. */
static bool add_constant_index(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_dim *d,
			       const struct sr_nest_operand *values, bool over_inner, int64_t *y)
{
	const struct sr_nest_tile_loops *w = &tile->loops[over_inner];
	struct index x = index_of(r, values, tile, d->index, over_inner);
	int64_t value;
	for (int i = 0; i < w->n; i++)
		if (!x.scalar && !(d->invariant_loops >> w->loop[i] & 1) && !(x.position.stride && !x.position.stride[w->loop[i]]))
			return false;
	sr_index_load_strided(x.type, x.data, x.position.stride ? x.position.start : 0, 0, 1, &value);
	*y += clamp_index(value, d->limit);
	return true;
}

/* Restrict the box to the iterations with y in bounds of dim d; y is that of the tile's first iteration, and increases by
 * step[l] along loop l. Returns false if these iterations are not a box. */
static bool clip_box(struct sr_nest_box *b, const struct sr_nest_tile_loops *w, const struct sr_nest_dim *d, int64_t y,
		     const int64_t *step)
{
	int n_varying = 0, varying = 0;
	int64_t least = y, greatest = y;
	for (int i = 0; i < w->n; i++) {
		int64_t change = step[w->loop[i]] * (w->count[i] - 1);
		*(change < 0 ? &least : &greatest) += change;
		n_varying += change != 0;
		varying = change ? i : varying;
	}
	if (least >= 0 && greatest < d->extent)
		return true;
	if (least >= d->extent || greatest < 0)
		b->is_empty = true;
	else if (n_varying == 1)
		clip_range(y, step[w->loop[varying]], d->extent, &b->low[varying], &b->high[varying]);
	return b->is_empty || n_varying == 1;
}

bool sr_nest_make_box(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		      const struct sr_nest_operand *values, bool over_inner, struct sr_nest_box *b)
{
	const struct sr_nest_tile_loops *w = &tile->loops[over_inner];
	b->is_empty = false;
	b->offset = tile_origin(r, tile, a->offset, a->stride, over_inner);
	for (int i = 0; i < w->n; i++) {
		b->low[i] = 0;
		b->high[i] = w->count[i];
		b->stride[w->loop[i]] = a->stride[w->loop[i]];
	}
	for (int k = a->first_dim; k < a->first_dim + a->n_dims; k++) {
		const struct sr_nest_dim *d = &r->dims[k];
		int64_t y = tile_origin(r, tile, d->offset, d->coef, over_inner), step[SR_NEST_MAX_LOOPS];
		if (d->index >= 0 && !add_constant_index(r, tile, d, values, over_inner, &y))
			return false;
		for (int i = 0; i < w->n; i++) {
			int l = w->loop[i];
			if (d->divisor > 1 && d->coef[l] % d->divisor)
				return false;
			step[l] = d->divisor > 1 ? d->coef[l] / d->divisor : d->coef[l];
			b->stride[l] += step[l] * d->stride;
		}
		if (d->divisor > 1) {
			b->is_empty = b->is_empty || y % d->divisor;
			y /= d->divisor;
		}
		b->offset += y * d->stride;
		if (d->extent > 0 && !b->is_empty && !clip_box(b, w, d, y, step))
			return false;
	}
	for (int i = 0; i < w->n; i++)
		b->is_empty = b->is_empty || b->low[i] >= b->high[i];
	return true;
}

/* The copy of a box into a tile's value: its elements outside the box are the fill value, or are left unchanged without one. */
struct box_copy {
	const struct sr_nest_box *box;
	const struct sr_nest_tile_loops *w;
	const struct sr_nest_operand *fill;
	const char *buffer;
	char *slot;
	const struct sr_access_functions *functions;
	int bytes, contiguous; /* number of the outermost loop from which on the inner loops are contiguous in memory and complete */
	int64_t size[SR_NEST_MAX_LOOPS + 1]; /* elements of an iteration of the loop before loop i of the tile */
};

static void fill_elements(const struct box_copy *c, int64_t first, int64_t end)
{
	if (first >= end || !c->fill)
		return;
	if (c->fill->scalar)
		sr_nest_fill_strided(c->bytes, c->fill->at, c->slot + first * c->bytes, 1, end - first);
	else
		memcpy(c->slot + first * c->bytes, c->fill->at + first * c->bytes, (size_t)((end - first) * c->bytes));
}

#define COPY_ROWS(T)                                                 \
	do {                                                         \
		const T *from = (const T *)(const void *)c->buffer + offset + low * step; \
		T *to = (T *)(void *)c->slot + first + low * row;    \
		for (int64_t k = low; k < high; k++, from += step, to += row) \
			for (int64_t j = c->box->low[i + 1]; j < c->box->high[i + 1]; j++) \
				to[j] = from[j * last_step];         \
	} while (0)
/* Copy the part of the box that loop i of the tile and the last loop cover, of short rows. What is outside of the box is filled
 * before. */
static void copy_short_rows(const struct box_copy *c, int i, int64_t first, int64_t offset)
{
	int64_t low = c->box->low[i], high = c->box->high[i], row = c->size[i + 1];
	int64_t step = c->box->stride[c->w->loop[i]], last_step = c->box->stride[c->w->loop[i + 1]];
	fill_elements(c, first, first + c->size[i]);
	switch (c->bytes) {
	case 1: COPY_ROWS(uint8_t); break;
	case 2: COPY_ROWS(uint16_t); break;
	case 4: COPY_ROWS(uint32_t); break;
	case 8: COPY_ROWS(uint64_t); break;
	default: COPY_ROWS(struct access_bytes16);
	}
}
#undef COPY_ROWS

/* Copy the part of the box that loop i of the tile and the loops inside of it cover: to the value from its element `first` on, from
 * the buffer from its element `offset` on. */
static void copy_box(const struct box_copy *c, int i, int64_t first, int64_t offset)
{
	int64_t low = c->box->low[i], high = c->box->high[i], size = c->size[i + 1], step = c->box->stride[c->w->loop[i]];
	if (i + 2 == c->w->n && size < SHORT_RUN && (i + 1 < c->contiguous || step != size)) {
		copy_short_rows(c, i, first, offset);
		return;
	}
	fill_elements(c, first, first + low * size);
	fill_elements(c, first + high * size, first + c->size[i]);
	offset += low * step;
	bool is_contiguous = i + 1 >= c->contiguous && step == size;
	if (is_contiguous || i + 1 == c->w->n) {
		c->functions->load_strided(c->bytes, c->buffer + offset * c->bytes, is_contiguous ? 1 : step,
					   c->slot + (first + low * size) * c->bytes, (high - low) * size);
		return;
	}
	for (int64_t k = low; k < high; k++, offset += step)
		copy_box(c, i + 1, first + k * size, offset);
}

static void load_box(const struct sr_nest_prepared *r, const struct sr_nest_box *b, const struct sr_nest_tile_loops *w,
		     const struct sr_nest_operand *fill, int bytes, const char *buffer, char *slot)
{
	struct box_copy c = {.box = b, .w = w, .fill = fill, .buffer = buffer, .slot = slot, .functions = r->access,
			     .bytes = bytes, .contiguous = w->n};
	c.size[w->n] = 1;
	for (int i = w->n - 1; i >= 0; i--) {
		bool is_complete = !b->low[i] && b->high[i] == w->count[i] && b->stride[w->loop[i]] == c.size[i + 1];
		c.contiguous = c.contiguous == i + 1 && is_complete ? i : c.contiguous;
		c.size[i] = c.size[i + 1] * w->count[i];
	}
	if (b->is_empty)
		fill_elements(&c, 0, c.size[0]);
	else
		copy_box(&c, 0, 0, b->offset);
}

/* ---- load and store ---- */

/* Load the elements of a plain strided access whose layout is not that of a tile's value. */
static void load_strided(const struct sr_access_functions *f, const struct sr_nest_tile_loops *loops, int bytes, const char *buffer,
			 int64_t offset, const int64_t *stride, char *slot)
{
	struct run_position w = begin_runs(loops);
	int64_t n = run_length(&w), step = stride[loops->loop[loops->n - 1]], n_loaded = 0;
	bool transposes = (bytes == 2 || bytes == 4) && is_transposed(loops, stride);
	bool copies_rows = loops->n > 1 && (step == 1 || step == 0) && n * bytes <= SHORT_ROW;
	int64_t runs = transposes || copies_rows ? loops->count[loops->n - 2] : runs_at_once(&w);
	int64_t outer = runs > 1 ? stride[loops->loop[loops->n - 2]] : 0, end = offset;
	/* `end`: the tile's last element in memory; INT64_MIN: not known */
	for (int i = 0; i < loops->n && end != INT64_MIN; i++)
		end = stride[loops->loop[i]] < 0 ? INT64_MIN : end + stride[loops->loop[i]] * (loops->count[i] - 1);
	bool has_last_vector = step >= 2 && step <= 4 && n % (f->vectors->vector_bytes / bytes) == 0;
	do {
		if (transposes)
			sr_nest_transpose(bytes, buffer + offset * bytes, step, slot + n_loaded * bytes, runs, n);
		else if (runs > 1)
			f->load_runs(bytes, buffer + offset * bytes, outer, step, slot + n_loaded * bytes, runs, n);
		else
			(has_last_vector && offset + n * step - 1 <= end ? f->load_steps : f->load_strided)(
				bytes, buffer + offset * bytes, step, slot + n_loaded * bytes, n);
		n_loaded += n * runs;
	} while (next_runs(&w, stride, &offset, runs));
}

/* Load the elements of a plain strided access. If it does not depend on the outer loops of the tile, the elements of the other
 * loops are loaded once and repeated. */
static void load_plain(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, bool over_inner, int bytes, const char *buffer,
		       int64_t offset, const int64_t *stride, char *slot, struct sr_nest_operand *out)
{
	enum layout layout = layout_of(&tile->loops[over_inner], stride);
	int n_outer = 0;
	int64_t repetitions = 1, period = 1;
	*out = (struct sr_nest_operand){.at = slot};
	if (layout != STRIDED) {
		out->at = (char *)(uintptr_t)(buffer + offset * bytes);
		out->scalar = layout == SCALAR;
		return;
	}
	struct sr_nest_tile_loops loops = tile->loops[over_inner];
	while (!stride[loops.loop[n_outer]])
		repetitions *= loops.count[n_outer++];
	for (int i = n_outer; i < loops.n; i++) {
		loops.loop[i - n_outer] = loops.loop[i];
		loops.count[i - n_outer] = loops.count[i];
		period *= loops.count[i];
	}
	loops.n -= n_outer;
	load_strided(r->access, &loops, bytes, buffer, offset, stride, slot);
	for (int64_t done = 1, n; done < repetitions; done += n) { /* copy what is loaded behind itself, twice as much each time */
		n = done < repetitions - done ? done : repetitions - done;
		memcpy(slot + done * period * bytes, slot, (size_t)(n * period * bytes));
	}
}

bool sr_nest_is_full_box(const struct sr_nest_box *b, const struct sr_nest_tile_loops *w)
{
	bool is_full = !b->is_empty;
	for (int i = 0; i < w->n; i++)
		is_full = is_full && !b->low[i] && b->high[i] == w->count[i];
	return is_full;
}

void sr_nest_load(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		  enum sr_dtype type, const char *buffer, const struct sr_nest_operand *values, bool over_inner, char *slot,
		  bool is_streamed, struct sr_nest_operand *out)
{
	const struct sr_nest_tile_loops *w = &tile->loops[over_inner];
	int bytes = sr_dtype_bytes(type);
	struct sr_nest_box b;
	if (!a->n_dims) {
		load_plain(r, tile, over_inner, bytes, buffer, tile_origin(r, tile, a->offset, a->stride, over_inner), a->stride, slot, out);
		return;
	}
	struct sr_nest_operand in_slot = {.at = slot};
	if (!sr_nest_make_box(r, tile, a, values, over_inner, &b)) {
		load_by_runs(r, tile, a, bytes, buffer, values, over_inner, slot, is_streamed);
		*out = in_slot;
		return;
	}
	if (sr_nest_is_full_box(&b, w)) {
		load_plain(r, tile, over_inner, bytes, buffer, b.offset, b.stride, slot, out);
		return;
	}
	load_box(r, &b, w, a->fill >= 0 ? &values[a->fill] : NULL, bytes, buffer, slot);
	*out = in_slot;
}

/* A reduction of rows along the last loop of a tile. The other loops: the parallel ones, then the inner ones. */
struct row_reduction {
	sr_accumulate_fn *combine;
	int monoid, n_loops;
	int64_t count[SR_NEST_MAX_LOOPS], step[SR_NEST_MAX_LOOPS], to_step[SR_NEST_MAX_LOOPS]; /* steps in bytes */
	int64_t elements, width; /* of a call: adjacent rows, and one row */
};

static bool reduce_rows(const struct row_reduction *c, int i, const char *from, char *to)
{
	if (i == c->n_loops)
		return c->combine(c->monoid, to, from, 1, c->elements, c->width);
	for (int64_t k = 0; k < c->count[i]; k++)
		if (!reduce_rows(c, i + 1, from + k * c->step[i], to + k * c->to_step[i]))
			return false;
	return true;
}

bool sr_nest_reduce_in_place(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
			     enum sr_dtype type, const char *buffer, int monoid, char *to)
{
	const struct sr_nest_tile_loops *w = &tile->loops[1];
	struct row_reduction c = {.combine = r->kernels->accumulate[type], .monoid = monoid};
	enum { LEAST_BYTES = 64 };
	int last = w->n - 1, bytes = sr_dtype_bytes(type);
	struct sr_nest_box b;
	if (last < 0 || w->loop[last] >= r->n_parallel || w->count[last] * bytes < LEAST_BYTES ||
	    !sr_nest_make_box(r, tile, a, NULL, true, &b) || !sr_nest_is_full_box(&b, w) || b.stride[w->loop[last]] != 1 ||
	    layout_of(w, b.stride) != STRIDED)
		return false;
	c.elements = c.width = w->count[last];
	int64_t to_step = tile->n_parallel * bytes;
	for (int is_inner = 0; is_inner < 2; is_inner++)
		for (int i = 0; i < last; i++) {
			if ((w->loop[i] >= r->n_parallel) != is_inner)
				continue;
			to_step = is_inner ? 0 : to_step / w->count[i];
			c.count[c.n_loops] = w->count[i];
			c.step[c.n_loops] = b.stride[w->loop[i]] * bytes;
			c.to_step[c.n_loops++] = to_step;
		}
	if (c.n_loops && !c.to_step[c.n_loops - 1] && c.step[c.n_loops - 1] == c.width * bytes)
		c.elements *= c.count[--c.n_loops];
	return reduce_rows(&c, 0, buffer + b.offset * bytes, to);
}

/* Return true if two boxes cover the tile: both are complete along all loops but one, along which they overlap or touch. */
static bool do_boxes_cover(const struct sr_nest_box *a, const struct sr_nest_box *b, const struct sr_nest_tile_loops *w)
{
	int n_partial = 0;
	for (int i = 0; i < w->n; i++) {
		const struct sr_nest_box *first = a->low[i] <= b->low[i] ? a : b, *second = first == a ? b : a;
		bool is_complete = !a->low[i] && !b->low[i] && a->high[i] == w->count[i] && b->high[i] == w->count[i];
		n_partial += !is_complete;
		int64_t end = a->high[i] > b->high[i] ? a->high[i] : b->high[i];
		if (first->low[i] || first->high[i] < second->low[i] || end != w->count[i])
			return false;
	}
	return n_partial <= 1 && !a->is_empty && !b->is_empty;
}

bool sr_nest_load_both(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		       const struct sr_nest_access *fill, enum sr_dtype type, void *const *buffers,
		       const struct sr_nest_operand *values, bool over_inner, char *slot, struct sr_nest_operand *out)
{
	const struct sr_nest_tile_loops *w = &tile->loops[over_inner];
	int bytes = sr_dtype_bytes(type);
	struct sr_nest_box b, outside;
	if (!sr_nest_make_box(r, tile, a, values, over_inner, &b))
		return false;
	if (sr_nest_is_full_box(&b, w)) {
		load_plain(r, tile, over_inner, bytes, buffers[a->buffer], b.offset, b.stride, slot, out);
		return true;
	}
	if (!sr_nest_make_box(r, tile, fill, values, over_inner, &outside))
		return false;
	if (b.is_empty && sr_nest_is_full_box(&outside, w)) {
		load_plain(r, tile, over_inner, bytes, buffers[fill->buffer], outside.offset, outside.stride, slot, out);
		return true;
	}
	if (!do_boxes_cover(&b, &outside, w))
		return false;
	load_box(r, &outside, w, NULL, bytes, buffers[fill->buffer], slot);
	load_box(r, &b, w, NULL, bytes, buffers[a->buffer], slot);
	*out = (struct sr_nest_operand){.at = slot};
	return true;
}

void sr_nest_store(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		   enum sr_dtype type, char *buffer,
		   const struct sr_nest_operand *value, bool over_inner)
{
	struct run_position w = begin_runs(&tile->loops[over_inner]);
	int bytes = sr_dtype_bytes(type);
	int64_t offset = tile_origin(r, tile, a->offset, a->stride, over_inner), n_stored = 0, n = run_length(&w);
	int64_t step = w.loops->n ? a->stride[w.loops->loop[w.loops->n - 1]] : 1, runs = value->scalar ? 1 : runs_at_once(&w);
	int64_t outer = runs > 1 ? a->stride[w.loops->loop[w.loops->n - 2]] : 0;
	do {
		if (value->scalar)
			sr_nest_fill_strided(bytes, value->at, buffer + offset * bytes, step, n);
		else if (runs > 1)
			sr_nest_store_runs(bytes, value->at + n_stored * bytes, buffer + offset * bytes, outer, step, runs, n);
		else if (r->is_streamed && step == 1 && n * bytes >= SR_NEST_STREAM_ROW)
			r->access->stream(value->at + n_stored * bytes, buffer + offset * bytes, n * bytes);
		else
			sr_nest_store_strided(bytes, value->at + n_stored * bytes, buffer + offset * bytes, step, n);
		n_stored += n * runs;
	} while (next_runs(&w, a->stride, &offset, runs));
}

void sr_nest_store_interleaved(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile,
			       const struct sr_nest_access *const *accesses, enum sr_dtype type, char *const *buffers,
			       const struct sr_nest_operand *values, int n_interleaved, bool over_inner)
{
	struct run_position w = begin_runs(&tile->loops[over_inner]);
	const int64_t *stride = accesses[0]->stride;
	const void *from[SR_NEST_INTERLEAVED];
	int bytes = sr_dtype_bytes(type);
	int64_t offset = sr_nest_origin(r, tile, accesses[0], over_inner), n = run_length(&w), n_stored = 0;
	bool is_contiguous = w.loops->n && stride[w.loops->loop[w.loops->n - 1]] == n_interleaved;
	for (int k = 0; k < n_interleaved; k++)
		is_contiguous = is_contiguous && !values[k].scalar && buffers[k] == buffers[0];
	for (int k = 0; k < n_interleaved && !is_contiguous; k++)
		sr_nest_store(r, tile, accesses[k], type, buffers[k], &values[k], over_inner);
	if (!is_contiguous)
		return;
	do {
		for (int k = 0; k < n_interleaved; k++)
			from[k] = values[k].at + n_stored * bytes;
		r->access->interleave(bytes, from, n_interleaved, buffers[0] + offset * bytes, n);
		n_stored += n;
	} while (next_run(&w, stride, &offset));
}

bool sr_nest_load_interleaved(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
			      enum sr_dtype type, const char *buffer, char *const *to, int n_interleaved, bool over_inner)
{
	struct run_position w = begin_runs(&tile->loops[over_inner]);
	int bytes = sr_dtype_bytes(type);
	int64_t offset = sr_nest_origin(r, tile, a, over_inner), n = run_length(&w), n_loaded = 0;
	void *run[SR_NEST_INTERLEAVED];
	if (!w.loops->n || a->stride[w.loops->loop[w.loops->n - 1]] != n_interleaved || n < SHORT_RUN)
		return false;
	do {
		for (int k = 0; k < n_interleaved; k++)
			run[k] = to[k] + n_loaded * bytes;
		r->access->deinterleave(bytes, buffer + offset * bytes, n_interleaved, run, n);
		n_loaded += n;
	} while (next_run(&w, a->stride, &offset));
	return true;
}

void sr_nest_index(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		   bool over_inner, int64_t *out)
{
	struct run_position w = begin_runs(&tile->loops[over_inner]);
	int64_t offset = tile_origin(r, tile, a->offset, a->stride, over_inner), n = run_length(&w),
			step = w.loops->n ? a->stride[w.loops->loop[w.loops->n - 1]] : 0;
	do {
		r->access->count(offset, step, out, n);
		out += n;
	} while (next_run(&w, a->stride, &offset));
}
