/* Copies between lines in memory and lanes of vectors. */

#if LANES == 2
#define LOW 0, 2
#define HIGH 1, 3
#define EVEN 0, 2
#define ODD 1, 3
#elif LANES == 4
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#elif LANES == 8
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD 1, 3, 5, 7, 9, 11, 13, 15
#else
#define LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#endif

/* Transpose W x W reals in registers: interleave the first half of the rows with the second, log2 W times. */
static inline __attribute__((always_inline)) void FN(transpose)(V *v)
{
#pragma GCC unroll 4
	for (int stage = 1; stage < W; stage *= 2) {
		V t[W];
#pragma GCC unroll 16
		for (int i = 0; i < W; i++)
			t[i] = v[i];
#pragma GCC unroll 8
		for (int i = 0; i < W / 2; i++) {
			v[2 * i] = __builtin_shufflevector(t[i], t[i + W / 2], LOW);
			v[2 * i + 1] = __builtin_shufflevector(t[i], t[i + W / 2], HIGH);
		}
	}
}

/* Convert W contiguous complex numbers to a cell; interleave does the reverse. */
static inline __attribute__((always_inline)) C FN(deinterleave)(const S *from)
{
	V a = *(const U *)from, b = *(const U *)(from + W);

	return (C){__builtin_shufflevector(a, b, EVEN), __builtin_shufflevector(a, b, ODD)};
}

static inline __attribute__((always_inline)) void FN(interleave)(S *to, C x)
{
	*(U *)to = __builtin_shufflevector(x.re, x.im, LOW);
	*(U *)(to + W) = __builtin_shufflevector(x.re, x.im, HIGH);
}

/* Load `n` reals of up to W lines into one vector per index, and prefetch the W lines after them. Lanes beyond the last line repeat
 * it. `swap`: swap real and imaginary parts. */
static void FN(load_rows)(V *to, const S *from, int64_t row, int64_t lines, int64_t n, int swap)
{
	V v[W];
	const S *at[W];
	int64_t c = 0, ahead = W * row;

	for (int r = 0; r < W; r++)
		at[r] = from + (r < lines ? r : lines - 1) * row;
	for (; c + W <= n; c += W) {
#pragma GCC unroll 16
		for (int r = 0; r < W; r++) {
			v[r] = *(const U *)(at[r] + c);
			__builtin_prefetch(at[r] + c + ahead);
		}
		FN(transpose)(v);
#pragma GCC unroll 16
		for (int i = 0; i < W; i++)
			to[c + (i ^ swap)] = v[i];
	}
	if (c == n)
		return;
	for (int r = 0; r < W; r++) {
		v[r] = (V){0};
		memcpy(&v[r], at[r] + c, (size_t)(n - c) * sizeof(S));
	}
	FN(transpose)(v);
	for (int i = 0; c < n; c++, i++)
		to[c ^ swap] = v[i];
}

/* Store lines as load_rows loads them, and prefetch the memory of the W lines after them. */
static void FN(store_rows)(S *to, const V *from, int64_t row, int64_t lines, int64_t n, S scale, int swap)
{
	V v[W];
	int64_t c = 0;

	for (; c + W <= n; c += W) {
#pragma GCC unroll 16
		for (int i = 0; i < W; i++)
			v[i] = from[c + (i ^ swap)] * scale;
		FN(transpose)(v);
#pragma GCC unroll 16
		for (int r = 0; r < W; r++)
			if (r < lines) {
				*(U *)(to + r * row + c) = v[r];
				__builtin_prefetch(to + (r + W) * row + c, 1);
			}
	}
	if (c == n)
		return;
	for (int i = 0; i < W; i++)
		v[i] = c + i < n ? from[(c + i) ^ swap] * scale : (V){0};
	FN(transpose)(v);
	for (int r = 0; r < W && r < lines; r++)
		memcpy(to + r * row + c, &v[r], (size_t)(n - c) * sizeof(S));
}

/* Transform rows, which are lines whose elements are contiguous. */
static void FN(rows)(const void *plan, const struct sr_fft_task *t)
{
	const struct sr_fft_lanes *f = plan;
	V *a = t->scratch, *b = a + 2 * f->n, *free_scratch = b + 2 * f->n;

	for (int64_t l = 0; l < t->count; l += W) {
		int64_t lines = t->count - l < W ? t->count - l : W;
		FN(load_rows)(a, (const S *)t->in + l * t->in_row, t->in_row, lines, 2 * f->n, t->is_inverse);
		const V *y = FN(transform)(f, a, b, free_scratch);
		FN(store_rows)((S *)t->out + l * t->out_row, y, t->out_row, lines, 2 * f->n, (S)t->scale, t->is_inverse);
	}
}

static inline __attribute__((always_inline)) C FN(swap_parts)(C x, bool swap)
{
	return swap ? (C){x.im, x.re} : x;
}

/* Load W neighbouring columns into vectors; consecutive elements of a column are `step` reals apart. */
static void FN(load_columns)(V *to, const S *from, int64_t step, int64_t n, bool swap)
{
	for (int64_t j = 0; j < n; j++)
		FN(store_cell)(to + 2 * j, FN(swap_parts)(FN(deinterleave)(from + j * step), swap));
}

static void FN(store_columns)(S *to, const V *from, int64_t step, int64_t n, S scale, bool swap)
{
	for (int64_t j = 0; j < n; j++) {
		C x = FN(swap_parts)(FN(load_cell)(from + 2 * j), swap);
		FN(interleave)(to + j * step, (C){x.re * scale, x.im * scale});
	}
}

/* Up to W columns as contiguous segments in memory: first complex number and length of each segment. */
struct FN(segments) {
	int64_t n, at[W];
	size_t bytes[W];
};

/* Find the segments of the columns from `line` on; `group` complex numbers are between the first elements of groups of columns. */
static void FN(find_segments)(struct FN(segments) *p, int64_t line, int64_t lines, int64_t inner, int64_t group)
{
	p->n = 0;
	while (lines > 0) {
		int64_t at = line % inner, run = inner - at < lines ? inner - at : lines;
		p->at[p->n] = line / inner * group + at;
		p->bytes[p->n++] = (size_t)run * 2 * sizeof(S);
		line += run;
		lines -= run;
	}
}

static void FN(load_segments)(V *to, const S *from, const struct FN(segments) *p, int64_t step, int64_t n, bool swap)
{
	V strip[2] = {{0}, {0}};

	for (int64_t j = 0; j < n; j++) {
		char *at = (char *)strip;
		for (int64_t i = 0; i < p->n; at += p->bytes[i++])
			memcpy(at, from + 2 * p->at[i] + j * step, p->bytes[i]);
		FN(store_cell)(to + 2 * j, FN(swap_parts)(FN(deinterleave)((const S *)strip), swap));
	}
}

static void FN(store_segments)(S *to, const V *from, const struct FN(segments) *p, int64_t step, int64_t n, S scale, bool swap)
{
	V strip[2];

	for (int64_t j = 0; j < n; j++) {
		C x = FN(swap_parts)(FN(load_cell)(from + 2 * j), swap);
		FN(interleave)((S *)strip, (C){x.re * scale, x.im * scale});
		const char *at = (const char *)strip;
		for (int64_t i = 0; i < p->n; at += p->bytes[i++])
			memcpy(to + 2 * p->at[i] + j * step, at, p->bytes[i]);
	}
}

/* Transform up to W columns, possibly in place, which are not all neighbours. */
static void FN(segmented_columns)(const struct sr_fft_lanes *f, const struct sr_fft_task *t, int64_t line, int64_t lines, V *a,
				  V *b)
{
	struct FN(segments) p;

	FN(find_segments)(&p, line, lines, t->inner, f->n * t->step);
	FN(load_segments)(a, t->in, &p, 2 * t->step, f->n, t->is_inverse);
	const V *y = FN(transform)(f, a, b, b + 2 * f->n);
	FN(store_segments)(t->out, y, &p, 2 * t->step, f->n, (S)t->scale, t->is_inverse);
}

/* Transform columns, possibly in place. Columns are lines that are neighbours in groups of `inner`. Up to SR_FFT_STRIPS times W
 * neighbouring columns are loaded before they are transformed: the loads read longer runs of contiguous memory. */
static void FN(columns)(const void *plan, const struct sr_fft_task *t)
{
	const struct sr_fft_lanes *f = plan;
	int64_t step = 2 * t->step, max_strips = sr_fft_strips(f->n, BYTES);
	V *buffers[SR_FFT_STRIPS], *spare = (V *)t->scratch + 2 * f->n * max_strips, *free_scratch = spare + 2 * f->n;

	for (int s = 0; s < max_strips; s++)
		buffers[s] = (V *)t->scratch + 2 * f->n * s;
	for (int64_t l = 0, n_strips; l < t->count; l += n_strips * W) {
		int64_t at = l % t->inner, first = 2 * (l / t->inner * f->n * t->step + at);
		int64_t in_group = t->inner - at < t->count - l ? t->inner - at : t->count - l;
		const S *in = (const S *)t->in + first;
		S *out = (S *)t->out + first;
		n_strips = in_group / W < max_strips ? in_group / W : max_strips;
		if (!n_strips) {
			n_strips = 1;
			FN(segmented_columns)(f, t, l, t->count - l < W ? t->count - l : W, buffers[0], spare);
			continue;
		}
		for (int64_t j = 0; j < f->n; j++)
			for (int s = 0; s < n_strips; s++)
				FN(load_columns)(buffers[s] + 2 * j, in + j * step + 2 * W * s, step, 1, t->is_inverse);
		for (int s = 0; s < n_strips; s++) {
			V *y = FN(transform)(f, buffers[s], spare, free_scratch);
			spare = y == spare ? buffers[s] : spare;
			buffers[s] = y;
		}
		for (int64_t j = 0; j < f->n; j++)
			for (int s = 0; s < n_strips; s++)
				FN(store_columns)(out + j * step + 2 * W * s, buffers[s] + 2 * j, step, 1, (S)t->scale,
						  t->is_inverse);
	}
}

#undef LOW
#undef HIGH
#undef EVEN
#undef ODD
