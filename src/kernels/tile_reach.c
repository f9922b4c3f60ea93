/* How a tile reaches memory: elements of an access to a box's value, and back. */
#include "kernels/tile_ready.h"
#include <string.h>

#define COPY(T, to_index, from_index)                                \
	do {                                                         \
		const T *f = (const T *)(const void *)from;          \
		T *t = (T *)(void *)to;                              \
		for (int64_t i = 0; i < n; i++)                      \
			t[to_index] = f[from_index];                 \
	} while (0)

struct sixteen {
	uint64_t v[2];
};

void sr_tile_gather(int bytes, const char *from, int64_t step, char *to, int64_t n)
{
	if (step == 1) {
		memcpy(to, from, (size_t)(n * bytes));
		return;
	}
	switch (bytes) {
	case 1: COPY(uint8_t, i, i * step); break;
	case 2: COPY(uint16_t, i, i * step); break;
	case 4: COPY(uint32_t, i, i * step); break;
	case 8: COPY(uint64_t, i, i * step); break;
	default: COPY(struct sixteen, i, i * step);
	}
}

void sr_tile_scatter(int bytes, const char *from, char *to, int64_t step, int64_t n)
{
	if (step == 1) {
		memcpy(to, from, (size_t)(n * bytes));
		return;
	}
	switch (bytes) {
	case 1: COPY(uint8_t, i * step, i); break;
	case 2: COPY(uint16_t, i * step, i); break;
	case 4: COPY(uint32_t, i * step, i); break;
	case 8: COPY(uint64_t, i * step, i); break;
	default: COPY(struct sixteen, i * step, i);
	}
}

void sr_tile_fill(int bytes, const char *one, char *to, int64_t step, int64_t n)
{
	const char *from = one;
	switch (bytes) {
	case 1: COPY(uint8_t, i * step, 0); break;
	case 2: COPY(uint16_t, i * step, 0); break;
	case 4: COPY(uint32_t, i * step, 0); break;
	case 8: COPY(uint64_t, i * step, 0); break;
	default: COPY(struct sixteen, i * step, 0);
	}
}

/* A box's loops on the way through them. */
struct walk {
	const struct sr_tile_walk *of;
	int64_t index[SR_TILE_LOOPS];
};

static struct walk walk_of(const struct sr_tile_box *box, bool over_inner)
{
	struct walk w;
	w.of = &box->walks[over_inner];
	for (int i = 0; i < w.of->n; i++)
		w.index[i] = 0;
	return w;
}

/* On to the next run along the fastest loop; false at the end. *offset follows by the strides of an access. */
static bool next_run(struct walk *w, const int64_t *stride, int64_t *offset)
{
	for (int i = w->of->n - 2; i >= 0; i--) {
		*offset += stride[w->of->loop[i]];
		if (++w->index[i] < w->of->count[i])
			return true;
		*offset -= stride[w->of->loop[i]] * w->of->count[i];
		w->index[i] = 0;
	}
	return false;
}

static int64_t run_length(const struct walk *w)
{
	return w->of->n ? w->of->count[w->of->n - 1] : 1;
}

static int64_t origin(const struct sr_tile_ready *r, const struct sr_tile_box *box, int64_t offset, const int64_t *stride, bool over_inner)
{
	for (int l = 0; l < (over_inner ? r->n_loops : r->n_parallel); l++)
		offset += box->at[l] * stride[l];
	return offset;
}

enum layout { SCALAR, DENSE, APART };

static enum layout layout_of(const struct sr_tile_walk *w, const int64_t *stride)
{
	int64_t expected = 1;
	bool zero = true, dense = true;
	for (int i = w->n - 1; i >= 0; i--) {
		zero = zero && !stride[w->loop[i]];
		dense = dense && stride[w->loop[i]] == expected;
		expected *= w->count[i];
	}
	return zero ? SCALAR : dense ? DENSE : APART;
}

char *sr_tile_direct(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, enum sr_dtype type, char *buffer,
		     bool over_inner)
{
	const struct sr_tile_walk *w = &box->walks[over_inner];
	enum layout layout = a->n_dims ? APART : layout_of(w, a->stride);
	if (layout == APART || (layout == SCALAR && w->n))
		return NULL;
	return buffer + origin(r, box, a->offset, a->stride, over_inner) * sr_dtype_bytes(type);
}

/* ---- accesses with bounds, divisors and indices: element by element, or run by run ---- */

static int64_t integer_at(const struct sr_tile_ready *r, const struct sr_tile_state *values, int value, int64_t i)
{
	const struct sr_tile_state *s = &values[value];
	enum sr_dtype type = (enum sr_dtype)sr_tile_values(r->tile)[value].dtype;
	int64_t number = 0;
	sr_element_get(type, s->at + (s->scalar ? 0 : i) * sr_dtype_bytes(type), &number, NULL, NULL);
	return number < 0 && sr_dtypes[type].class == SR_CLASS_UINT ? INT64_MAX : number;
}

/* Where point i of the box is, `x` being each dim's number there; false: outside. */
static bool element(const struct sr_tile_ready *r, const struct sr_tile_access *a, const int64_t *x, const struct sr_tile_state *values, int64_t i,
		    int64_t *offset)
{
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_tile_dim *d = &r->dims[a->first_dim + k];
		int64_t y = x[k];
		if (d->index >= 0) {
			int64_t start = integer_at(r, values, d->index, i);
			y += start < 0 ? 0 : start > d->limit ? d->limit : start;
		} else if (d->divisor > 1) {
			if (y % d->divisor)
				return false;
			y /= d->divisor;
		}
		if (d->extent > 0 && (y < 0 || y >= d->extent))
			return false;
		*offset += y * d->stride;
	}
	return true;
}

enum { DIMS = 2 * SR_TILE_LOOPS };

static void dims_at(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, const struct walk *w, bool over_inner,
		    int64_t *x)
{
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_tile_dim *d = &r->dims[a->first_dim + k];
		x[k] = origin(r, box, d->offset, d->coef, over_inner);
		for (int i = 0; i < w->of->n - 1; i++)
			x[k] += w->index[i] * d->coef[w->of->loop[i]];
	}
}

/* All dims but those that go along the run by a step, within bounds, are the same for the whole run. */
static bool is_regular(const struct sr_tile_ready *r, const struct sr_tile_access *a, const struct sr_tile_state *values, int fastest)
{
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_tile_dim *d = &r->dims[a->first_dim + k];
		bool steady = d->index < 0 || values[d->index].scalar || fastest < 0 || d->steady >> fastest & 1;
		if (d->divisor > 1 || !steady)
			return false;
	}
	return true;
}

/* The points [*low, *high) of a run of n at which x + step * i is in [0, extent). */
static void clip(int64_t x, int64_t step, int64_t extent, int64_t *low, int64_t *high)
{
	if (step < 0) { /* from the other end */
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
	*high = *high < *low ? *low : *high;
}

struct run {
	const struct sr_tile_ready *r;
	const struct sr_tile_access *a;
	const struct sr_tile_state *values;
	int bytes, fastest; /* the loop along the run; -1: one point */
	int64_t n, base;    /* points; offset without dims */
	int64_t first;      /* number of the run's first point in the box */
};

static const char *fill_at(const struct run *u, int64_t i)
{
	const struct sr_tile_state *s = u->a->fill >= 0 ? &u->values[u->a->fill] : NULL;
	return s ? s->at + (s->scalar ? 0 : i) * u->bytes : NULL;
}

static void fill_run(const struct run *u, char *to, int64_t first, int64_t end)
{
	const struct sr_tile_state *s = &u->values[u->a->fill];
	if (s->scalar)
		sr_tile_fill(u->bytes, s->at, to + first * u->bytes, 1, end - first);
	else
		memcpy(to + first * u->bytes, s->at + (u->first + first) * u->bytes, (size_t)((end - first) * u->bytes));
}

static void regular_run(const struct run *u, int64_t *x, const char *buffer, char *to)
{
	int64_t low = 0, high = u->n, offset = u->base, step = u->fastest < 0 ? 0 : u->a->stride[u->fastest];
	for (int k = 0; k < u->a->n_dims; k++) {
		const struct sr_tile_dim *d = &u->r->dims[u->a->first_dim + k];
		int64_t y = x[k], along = u->fastest < 0 ? 0 : d->coef[u->fastest];
		if (d->index >= 0) {
			int64_t start = integer_at(u->r, u->values, d->index, u->first);
			y += start < 0 ? 0 : start > d->limit ? d->limit : start;
		}
		if (d->extent > 0)
			clip(y, along, d->extent, &low, &high);
		offset += y * d->stride;
		step += along * d->stride;
	}
	if (high > low)
		sr_tile_gather(u->bytes, buffer + (offset + low * step) * u->bytes, step, to + low * u->bytes, high - low);
	if (low > 0 || high < u->n)
		fill_run(u, to, 0, low), fill_run(u, to, high, u->n);
}

static void irregular_run(const struct run *u, int64_t *x, const char *buffer, char *to)
{
	int64_t base = u->base;
	for (int64_t i = 0; i < u->n; i++) {
		int64_t offset = base;
		const char *from = fill_at(u, u->first + i);
		if (element(u->r, u->a, x, u->values, u->first + i, &offset))
			from = buffer + offset * u->bytes;
		memcpy(to + i * u->bytes, from, (size_t)u->bytes);
		for (int k = 0; u->fastest >= 0 && k < u->a->n_dims; k++)
			x[k] += u->r->dims[u->a->first_dim + k].coef[u->fastest];
		base += u->fastest >= 0 ? u->a->stride[u->fastest] : 0;
	}
}

static void load_special(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, int bytes, const char *buffer,
			 const struct sr_tile_state *values, bool over_inner, char *slot)
{
	struct walk w = walk_of(box, over_inner);
	struct run u = {r, a, values, bytes, w.of->n ? w.of->loop[w.of->n - 1] : -1, run_length(&w), origin(r, box, a->offset, a->stride, over_inner), 0};
	bool regular = is_regular(r, a, values, u.fastest);
	int64_t x[DIMS];
	do {
		dims_at(r, box, a, &w, over_inner, x);
		(regular ? regular_run : irregular_run)(&u, x, buffer, slot + u.first * bytes);
		u.first += u.n;
	} while (next_run(&w, a->stride, &u.base));
}

void sr_tile_load(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, enum sr_dtype type,
		  const char *buffer, const struct sr_tile_state *values, bool over_inner, char *slot, struct sr_tile_state *out)
{
	struct walk w = walk_of(box, over_inner);
	int bytes = sr_dtype_bytes(type);
	enum layout layout = a->n_dims ? APART : layout_of(w.of, a->stride);
	int64_t offset = origin(r, box, a->offset, a->stride, over_inner), done = 0, n = run_length(&w);
	*out = (struct sr_tile_state){.at = slot};
	if (a->n_dims) {
		load_special(r, box, a, bytes, buffer, values, over_inner, slot);
	} else if (layout != APART) {
		out->at = (char *)(uintptr_t)(buffer + offset * bytes);
		out->scalar = layout == SCALAR;
	} else {
		int64_t step = w.of->n ? a->stride[w.of->loop[w.of->n - 1]] : 1;
		do {
			sr_tile_gather(bytes, buffer + offset * bytes, step, slot + done * bytes, n);
			done += n;
		} while (next_run(&w, a->stride, &offset));
	}
}

void sr_tile_store(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, enum sr_dtype type, char *buffer,
		   const struct sr_tile_state *value, bool over_inner)
{
	struct walk w = walk_of(box, over_inner);
	int bytes = sr_dtype_bytes(type);
	int64_t offset = origin(r, box, a->offset, a->stride, over_inner), done = 0, n = run_length(&w);
	int64_t step = w.of->n ? a->stride[w.of->loop[w.of->n - 1]] : 1;
	do {
		if (value->scalar)
			sr_tile_fill(bytes, value->at, buffer + offset * bytes, step, n);
		else
			sr_tile_scatter(bytes, value->at + done * bytes, buffer + offset * bytes, step, n);
		done += n;
	} while (next_run(&w, a->stride, &offset));
}

void sr_tile_index(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, bool over_inner, int64_t *out)
{
	struct walk w = walk_of(box, over_inner);
	int64_t offset = origin(r, box, a->offset, a->stride, over_inner), n = run_length(&w), step = w.of->n ? a->stride[w.of->loop[w.of->n - 1]] : 0;
	do {
		for (int64_t i = 0; i < n; i++)
			*out++ = offset + i * step;
	} while (next_run(&w, a->stride, &offset));
}

void sr_tile_inside(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, bool over_inner, uint8_t *out)
{
	struct walk w = walk_of(box, over_inner);
	int64_t offset = 0, n = run_length(&w), x[DIMS];
	do {
		dims_at(r, box, a, &w, over_inner, x);
		for (int64_t i = 0; i < n; i++) {
			*out++ = element(r, a, x, NULL, 0, &offset);
			for (int k = 0; w.of->n && k < a->n_dims; k++)
				x[k] += r->dims[a->first_dim + k].coef[w.of->loop[w.of->n - 1]];
		}
	} while (next_run(&w, a->stride, &offset));
}
