/* Transforms of one line at a time. */

static void FN(line)(const struct sr_fft_line *f, const S *in, S *out, S scale, bool swap, V *scratch);

/* Multiply the results y of W column transforms by roots, transpose them, and store them in rows: lane k of block b of `matrix`
 * is row k, at the columns from `column` on. */
static void FN(transpose_columns)(const struct sr_fft_line *f, const V *y, const V *roots, V *matrix, int64_t column)
{
	for (int64_t block = 0; block * W < f->n1; block++) {
		int64_t k = (block + 1) * W <= f->n1 ? block * W : f->n1 - W;
		V re[W], im[W], *to = matrix + 2 * (block * f->n2 + column);
#pragma GCC unroll 16
		for (int i = 0; i < W; i++) {
			C a = FN(load_cell)(y + 2 * (k + i)), w = FN(load_cell)(roots + 2 * (k + i));
			re[i] = a.re * w.re - a.im * w.im;
			im[i] = a.re * w.im + a.im * w.re;
		}
		FN(transpose)(re);
		FN(transpose)(im);
#pragma GCC unroll 16
		for (int i = 0; i < W; i++)
			FN(store_cell)(to + 2 * i, (C){re[i], im[i]});
	}
}

/* Four-step algorithm. Element (j1, j2) of the matrix is element j1 n2 + j2 of the line; result (k1, k2) is element k1 + n1 k2. The
 * last block of W columns or rows ends with the matrix and may overlap the block before. */
static void FN(four_steps)(const struct sr_fft_line *f, const S *in, S *out, S scale, bool swap, V *scratch)
{
	int64_t n1 = f->n1, n2 = f->n2, longest = n1 > n2 ? n1 : n2;
	V *a = scratch, *b = a + 2 * longest, *matrix = b + 2 * longest, *free_scratch = matrix + 2 * n2 * sr_ceil_div(n1, W);
	const V *roots = f->roots;

	for (int64_t c = 0; c < n2; c += W, roots += 2 * n1) {
		int64_t j = c + W <= n2 ? c : n2 - W;
		FN(load_columns)(a, in + 2 * j, 2 * n2, n1, swap);
		FN(transpose_columns)(f, FN(transform)(f->first, a, b, free_scratch), roots, matrix, j);
	}
	for (int64_t c = 0; c < n1; c += W, matrix += 2 * n2) {
		int64_t k = c + W <= n1 ? c : n1 - W;
		FN(store_columns)(out + 2 * k, FN(transform)(f->second, matrix, a, free_scratch), 2 * n1, n2, scale, swap);
	}
}

/* Multiply complex numbers, W at a time: to[k] = x[k] w[k] scale. */
static void FN(multiply)(S *to, const S *x, const S *w, int64_t n, S scale, bool swap_in, bool swap_out)
{
	int64_t k = 0;

	for (; k + W <= n; k += W) {
		C a = FN(swap_parts)(FN(deinterleave)(x + 2 * k), swap_in), b = FN(deinterleave)(w + 2 * k);
		C y = {(a.re * b.re - a.im * b.im) * scale, (a.re * b.im + a.im * b.re) * scale};
		FN(interleave)(to + 2 * k, FN(swap_parts)(y, swap_out));
	}
	for (; k < n; k++) {
		S re = x[2 * k + swap_in], im = x[2 * k + !swap_in];
		S y = re * w[2 * k] - im * w[2 * k + 1], z = re * w[2 * k + 1] + im * w[2 * k];
		to[2 * k + swap_out] = y * scale;
		to[2 * k + !swap_out] = z * scale;
	}
}

static void FN(chirp_line)(const struct sr_fft_line *f, const S *in, S *out, S scale, bool swap, V *scratch)
{
	int64_t n = f->n, m = f->n1;
	S *x = (S *)scratch;
	V *free_scratch = scratch + sr_ceil_div(2 * m, W);

	FN(multiply)(x, in, f->chirp, n, 1, swap, false);
	memset(x + 2 * n, 0, (size_t)(m - n) * 2 * sizeof(S));
	FN(line)(f->inner, x, x, 1, false, free_scratch);
	FN(multiply)(x, x, f->kernel, m, 1, false, false);
	FN(line)(f->inner, x, x, 1, true, free_scratch);
	FN(multiply)(out, x, f->chirp, n, scale, false, swap);
}

static void FN(line)(const struct sr_fft_line *f, const S *in, S *out, S scale, bool swap, V *scratch)
{
	if (f->kind == SR_FFT_FOUR_STEPS)
		FN(four_steps)(f, in, out, scale, swap, scratch);
	else if (f->kind == SR_FFT_CHIRP)
		FN(chirp_line)(f, in, out, scale, swap, scratch);
	else
		FN(rows)(f->first, &(struct sr_fft_task){.in = in, .out = out, .scratch = scratch, .count = 1,
				.scale = (double)scale, .is_inverse = swap});
}

static void FN(lines)(const void *plan, const struct sr_fft_task *t)
{
	for (int64_t l = 0; l < t->count; l++)
		FN(line)
		(plan, (const S *)t->in + l * t->in_row, (S *)t->out + l * t->out_row, (S)t->scale, t->is_inverse, t->scratch);
}

/* ---- real lines of even length ---- */

static inline __attribute__((always_inline)) C FN(reversed)(C x)
{
#if LANES == 2
#define BACK 1, 0
#elif LANES == 4
#define BACK 3, 2, 1, 0
#elif LANES == 8
#define BACK 7, 6, 5, 4, 3, 2, 1, 0
#else
#define BACK 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#endif
	return (C){__builtin_shufflevector(x.re, x.re, BACK), __builtin_shufflevector(x.im, x.im, BACK)};
#undef BACK
}

/* Compute elements k and half - k of the spectrum x of a real line of even length from those of z, the transform of the line as
 * `half` complex numbers (see real_body.h); `inverse`: compute z from x. `from` and `to` may be equal. `pairs` converts all
 * elements but the first and the last, W at a time where possible. */
static inline __attribute__((always_inline)) void FN(pair)(const S *from, S *to, const S *w, int64_t k, int64_t half, bool inverse)
{
	S a = from[2 * k], b = from[2 * k + 1], c = from[2 * (half - k)], d = from[2 * (half - k) + 1];
	S er = a + c, ei = b - d, re = a - c, im = b + d, wr = 2 * w[2 * k], wi = (inverse ? -2 : 2) * w[2 * k + 1];
	S factor = inverse ? 1 : (S)0.5, or = re * wr - im * wi, oi = re * wi + im * wr;

	to[2 * k] = (er + or) * factor;
	to[2 * k + 1] = (ei + oi) * factor;
	to[2 * (half - k)] = (er - or) * factor;
	to[2 * (half - k) + 1] = (oi - ei) * factor;
}

static inline __attribute__((always_inline)) void FN(pairs)(const S *from, S *to, const S *w, int64_t half, bool inverse)
{
	int64_t k = 1;

	for (; k + W - 1 < half - k - W + 1; k += W) {
		int64_t mirrored_index = half - k - W + 1;
		C a = FN(deinterleave)(from + 2 * k), b = FN(reversed)(FN(deinterleave)(from + 2 * mirrored_index)),
				r = FN(deinterleave)(w + 2 * k);
		C e = {a.re + b.re, a.im - b.im}, d = {a.re - b.re, a.im + b.im};
		S sign = inverse ? -2 : 2, factor = inverse ? 1 : (S)0.5;
		V wr = r.re * 2, wi = r.im * sign;
		C o = {d.re * wr - d.im * wi, d.re * wi + d.im * wr};
		FN(interleave)(to + 2 * k, (C){(e.re + o.re) * factor, (e.im + o.im) * factor});
		FN(interleave)(to + 2 * mirrored_index, FN(reversed)((C){(e.re - o.re) * factor, (o.im - e.im) * factor}));
	}
	for (; k <= half - k; k++)
		FN(pair)(from, to, w, k, half, inverse);
}

static void FN(even_line)(const struct sr_fft_real_line *f, const S *in, S *out, S scale, bool inverse, V *scratch)
{
	int64_t half_length = f->line->n;
	S *z = (S *)scratch;

	if (inverse) {
		z[0] = in[0] + in[2 * half_length];
		z[1] = in[0] - in[2 * half_length];
		FN(pairs)(in, z, f->roots, half_length, true);
		FN(line)(f->line, z, out, scale, true, scratch + sr_ceil_div(2 * half_length, W));
		return;
	}
	FN(line)(f->line, in, out, scale, false, scratch);
	S re = out[0], im = out[1];
	out[0] = re + im;
	out[1] = 0;
	out[2 * half_length] = re - im;
	out[2 * half_length + 1] = 0;
	FN(pairs)(out, out, f->roots, half_length, false);
}

/* Transform a real line of odd length as complex numbers. */
static void FN(odd_line)(const struct sr_fft_real_line *f, const S *in, S *out, S scale, bool inverse, V *scratch)
{
	int64_t n = f->line->n;
	S *z = (S *)scratch;

	for (int64_t j = 0; j < n && !inverse; j++) {
		z[2 * j] = in[j];
		z[2 * j + 1] = 0;
	}
	for (int64_t k = 0; k <= n / 2 && inverse; k++) {
		z[2 * k] = in[2 * k];
		z[2 * k + 1] = k ? in[2 * k + 1] : 0;
		if (k) {
			z[2 * (n - k)] = in[2 * k];
			z[2 * (n - k) + 1] = -in[2 * k + 1];
		}
	}
	FN(line)(f->line, z, z, scale, inverse, scratch + sr_ceil_div(2 * n, W));
	if (!inverse)
		memcpy(out, z, (size_t)(n + 1) * sizeof(S));
	for (int64_t j = 0; j < n && inverse; j++)
		out[j] = z[2 * j];
}

/* Transform a real line of prime length by the algorithm of prime_forward and prime_backward, with the line in memory. */
static void FN(prime_line)(const struct sr_fft_real_line *f, const S *in, S *out, S scale, bool inverse, V *scratch)
{
	int64_t p = f->n, half_length = (p - 1) / 2;
	S *z = (S *)scratch, *spectrum = (S *)(scratch + sr_ceil_div(f->m + 2, W));
	V *free_scratch = scratch + 2 * sr_ceil_div(f->m + 2, W);

	for (int64_t q = 0; q < p - 1 && !inverse; q++)
		z[q] = in[f->powers[q]];
	for (int64_t q = 0; q < half_length && inverse; q++) {
		int64_t k = f->powers[q], at = k <= half_length ? k : p - k;
		S c = in[2 * at], s = k <= half_length ? -in[2 * at + 1] : in[2 * at + 1];
		z[q] = c + s;
		z[q + half_length] = c - s;
	}
	S first = in[0];
	memset(z + p - 1, 0, (size_t)(f->m - p + 1) * sizeof(S));
	FN(even_line)(f->inner, z, spectrum, 1, false, free_scratch);
	out[0] = (first + spectrum[0]) * scale;
	FN(multiply)(spectrum, spectrum, f->kernel, f->m / 2 + 1, 1, false, false);
	spectrum[0] += first;
	FN(even_line)(f->inner, spectrum, z, 1, true, free_scratch);
	for (int64_t s = 0; s < p - 1 && inverse; s++)
		out[f->inverse_powers[s]] = z[s] * scale;
	if (inverse)
		return;
	out[1] = 0;
	for (int64_t s = 0; s < half_length; s++) {
		int64_t k = f->inverse_powers[s], at = k <= half_length ? k : p - k;
		S a = z[s], b = z[s + half_length];
		out[2 * at] = (a + b) * (S)0.5 * scale;
		out[2 * at + 1] = (k <= half_length ? b - a : a - b) * (S)0.5 * scale;
	}
}

static void FN(real_lines)(const void *plan, const struct sr_fft_task *t)
{
	static void (*const kinds[])(const struct sr_fft_real_line *f, const S *in, S *out, S scale, bool inverse, V *scratch) = {
		[SR_FFT_EVEN] = FN(even_line), [SR_FFT_PRIME] = FN(prime_line), [SR_FFT_COMPLEX] = FN(odd_line)};
	const struct sr_fft_real_line *f = plan;

	for (int64_t l = 0; l < t->count; l++)
		kinds[f->kind](f, (const S *)t->in + l * t->in_row, (S *)t->out + l * t->out_row, (S)t->scale, t->is_inverse,
			       t->scratch);
}
