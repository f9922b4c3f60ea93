/* Transforms of real lines in lanes: even, odd and prime lengths. */

/* Compute the n / 2 + 1 cells of a real line's spectrum, for even n, from the transform z of the line as n / 2 complex numbers. The
 * transform of the even elements is (z[k] + z*[n/2 - k]) / 2, that of the odd elements -i (z[k] - z*[n/2 - k]) / 2. */
static void FN(even_to_spectrum)(const struct sr_fft_real *f, const V *z, V *x)
{
	int64_t half_length = f->n / 2;
	const S *w = f->roots;

	FN(store_cell)(x, (C){z[0] + z[1], {0}});
	FN(store_cell)(x + 2 * half_length, (C){z[0] - z[1], {0}});
	for (int64_t k = 1; k <= half_length - k; k++) {
		C a = FN(load_cell)(z + 2 * k), b = FN(load_cell)(z + 2 * (half_length - k));
		C e = {(a.re + b.re) * (S)0.5, (a.im - b.im) * (S)0.5};
		C o = FN(times)((C){a.re - b.re, a.im + b.im}, w[2 * k], w[2 * k + 1]);
		FN(store_cell)(x + 2 * k, FN(plus)(e, o));
		FN(store_cell)(x + 2 * (half_length - k), (C){e.re - o.re, o.im - e.im});
	}
}

/* Compute n times the inverse of FN(even_to_spectrum), with real and imaginary parts swapped. Imaginary parts that must be zero are
 * ignored. */
static void FN(even_from_spectrum)(const struct sr_fft_real *f, const V *x, V *z)
{
	int64_t half_length = f->n / 2;
	const S *w = f->roots;

	FN(store_cell)(z, (C){x[0] - x[2 * half_length], x[0] + x[2 * half_length]});
	for (int64_t k = 1; k <= half_length - k; k++) {
		C a = FN(load_cell)(x + 2 * k), b = FN(load_cell)(x + 2 * (half_length - k));
		C e = {a.re + b.re, a.im - b.im}, o = FN(times)((C){a.re - b.re, a.im + b.im}, 2 * w[2 * k], -2 * w[2 * k + 1]);
		FN(store_cell)(z + 2 * k, (C){e.im + o.im, e.re + o.re});
		FN(store_cell)(z + 2 * (half_length - k), (C){o.im - e.im, e.re - o.re});
	}
}

static V *FN(forward)(const struct sr_fft_real *f, V *x, V *y, V *scratch);
static V *FN(backward)(const struct sr_fft_real *f, V *x, V *y, V *scratch);

/* Return true if the two reals of each pair in the result of FN(backward) are swapped. */
static inline int FN(leaves_swapped)(const struct sr_fft_real *f)
{
	return f->kind == SR_FFT_EVEN;
}

/* ---- odd length: a real pass of radix p ---- */

/* Apply the real pass of radix p to a line of p q reals; y receives (p - 1) / 2 times q cells, then q reals. */
static inline __attribute__((always_inline)) void FN(real_pass)(int64_t p, const struct sr_fft_real *f, const V *x, V *y)
{
	int64_t q = f->complex->n, half_order = p / 2;
	const S *w = f->roots, *order_roots = f->radix_roots;
	V sum[SR_FFT_MAX_SPLIT / 2], difference[SR_FFT_MAX_SPLIT / 2];

	for (int64_t i = 0; i < q; i++) {
		V first = x[i], all = first;
#pragma GCC unroll 4
		for (int64_t j = 0; j < half_order; j++) {
			V a = x[(j + 1) * q + i], b = x[(p - 1 - j) * q + i];
			sum[j] = a + b;
			difference[j] = a - b;
			all += sum[j];
		}
		y[2 * half_order * q + i] = all;
#pragma GCC unroll 4
		for (int64_t k = 1; k <= half_order; k++) {
			C a = {first, {0}};
#pragma GCC unroll 4
			for (int64_t j = 0; j < half_order; j++) {
				const S *root = order_roots + 2 * ((j + 1) * k % p);
				a.re += sum[j] * root[0];
				a.im += difference[j] * root[1];
			}
			const S *root = w + 2 * ((k - 1) * q + i);
			FN(store_cell)(y + 2 * ((k - 1) * q + i), FN(times)(a, root[0], root[1]));
		}
	}
}

static inline __attribute__((always_inline)) void FN(real_pass_back)(int64_t p, const struct sr_fft_real *f, const V *y, const V *reals, V *x)
{
	int64_t q = f->complex->n, half_order = p / 2;
	const S *order_roots = f->radix_roots;

	for (int64_t i = 0; i < q; i++) {
		V all = reals[i];
#pragma GCC unroll 4
		for (int64_t k = 1; k <= half_order; k++)
			all += y[2 * ((k - 1) * q + i)] * 2;
		x[i] = all;
#pragma GCC unroll 4
		for (int64_t j = 1; j <= half_order; j++) {
			V a = reals[i], b = {0};
#pragma GCC unroll 4
			for (int64_t k = 1; k <= half_order; k++) {
				const S *root = order_roots + 2 * (j * k % p);
				a += y[2 * ((k - 1) * q + i)] * (2 * root[0]);
				b += y[2 * ((k - 1) * q + i) + 1] * (2 * root[1]);
			}
			x[j * q + i] = a + b;
			x[(p - j) * q + i] = a - b;
		}
	}
}

static V *FN(split_forward)(const struct sr_fft_real *f, V *x, V *y, V *scratch)
{
	int64_t p = f->p, q = f->complex->n, n = f->n;
	V *work = scratch, *free_scratch = scratch + 2 * q + 2;

	if (p == 3)
		FN(real_pass)(3, f, x, y);
	else if (p == 5)
		FN(real_pass)(5, f, x, y);
	else if (p == 7)
		FN(real_pass)(7, f, x, y);
	else
		FN(real_pass)(p, f, x, y);
	for (int64_t k = 1; k <= p / 2; k++) {
		const V *z = FN(transform)(f->complex, y + 2 * (k - 1) * q, work, free_scratch);
		for (int64_t i = 0, at = k; i < q; i++, at += p) {
			C c = FN(load_cell)(z + 2 * i);
			if (at <= n / 2)
				FN(store_cell)(x + 2 * at, c);
			else
				FN(store_cell)(x + 2 * (n - at), (C){c.re, -c.im});
		}
	}
	const V *z = FN(forward)(f->rest, y + (p - 1) * q, work, free_scratch);
	for (int64_t i = 0; i <= q / 2; i++)
		FN(store_cell)(x + 2 * p * i, FN(load_cell)(z + 2 * i));
	return x;
}

static V *FN(split_backward)(const struct sr_fft_real *f, V *x, V *y, V *scratch)
{
	int64_t p = f->p, q = f->complex->n, n = f->n;
	V *work = scratch, *free_scratch = scratch + 2 * q + 2;
	const S *w = f->roots;

	for (int64_t k = 1; k <= p / 2; k++)
		for (int64_t i = 0, at = k; i < q; i++, at += p) {
			C c = FN(load_cell)(x + 2 * (at <= n / 2 ? at : n - at));
			FN(store_cell)(y + 2 * ((k - 1) * q + i), (C){at <= n / 2 ? c.im : -c.im, c.re});
		}
	for (int64_t i = 0; i <= q / 2; i++)
		FN(store_cell)(y + (p - 1) * q + 2 * i, FN(load_cell)(x + 2 * p * i));
	for (int64_t k = 0; k < p / 2; k++) {
		const V *z = FN(transform)(f->complex, y + 2 * k * q, work, free_scratch);
		for (int64_t i = 0; i < q; i++, w += 2)
			FN(store_cell)(y + 2 * (k * q + i), FN(times)((C){z[2 * i + 1], z[2 * i]}, w[0], -w[1]));
	}
	const V *reals = FN(backward)(f->rest, y + (p - 1) * q, work, free_scratch);
	if (p == 3)
		FN(real_pass_back)(3, f, y, reals, x);
	else if (p == 5)
		FN(real_pass_back)(5, f, y, reals, x);
	else if (p == 7)
		FN(real_pass_back)(7, f, y, reals, x);
	else
		FN(real_pass_back)(p, f, y, reals, x);
	return x;
}

/* ---- prime length: the Hartley transform, sums of x[j] (cos + sin)(2 pi j k / p) ---- */

/* Compute the Hartley transform of a line of prime length by Rader's convolution. a: all elements but the first, in the order of
 * the generator's powers; a and b have f->n + 1 vectors. Returns the sums in the order of the inverse powers, whose pairs may be
 * swapped; *total is the sum of all elements. */
static V *FN(hartley)(const struct sr_fft_real *f, V *a, V *b, V *rest, V first, V *total)
{
	int64_t half_length = (f->n - 1) / 2;
	V *y = FN(forward)(f->rest, a, b, rest);
	const S *kernel = f->kernel;

	*total = first + y[0];
	for (int64_t k = 0; k <= half_length; k++)
		FN(store_cell)(y + 2 * k, FN(times)(FN(load_cell)(y + 2 * k), kernel[2 * k], kernel[2 * k + 1]));
	y[0] += first;
	return FN(backward)(f->rest, y, y == a ? b : a, rest);
}

static V *FN(prime_forward)(const struct sr_fft_real *f, V *x, V *y, V *scratch)
{
	int64_t p = f->n, half_length = (p - 1) / 2, swap = FN(leaves_swapped)(f->rest);
	V *work = scratch, *free_scratch = scratch + p + 1, total;

	for (int64_t q = 0; q < p - 1; q++)
		y[q] = x[f->powers[q]];
	const V *h = FN(hartley)(f, y, work, free_scratch, x[0], &total);
	FN(store_cell)(x, (C){total, {0}});
	for (int64_t s = 0; s < half_length; s++) {
		V a = h[s ^ swap], b = h[(s + half_length) ^ swap], re = (a + b) * (S)0.5, im = (b - a) * (S)0.5;
		int64_t k = f->inverse_powers[s];
		FN(store_cell)(x + 2 * (k <= half_length ? k : p - k), (C){re, k <= half_length ? im : -im});
	}
	return x;
}

static V *FN(prime_backward)(const struct sr_fft_real *f, V *x, V *y, V *scratch)
{
	int64_t p = f->n, half_length = (p - 1) / 2, swap = FN(leaves_swapped)(f->rest);
	V *work = scratch, *free_scratch = scratch + p + 1;

	for (int64_t q = 0; q < half_length; q++) {
		int64_t k = f->powers[q];
		C c = FN(load_cell)(x + 2 * (k <= half_length ? k : p - k));
		V s = k <= half_length ? -c.im : c.im;
		y[q] = c.re + s;
		y[q + half_length] = c.re - s;
	}
	V first = x[0];
	const V *h = FN(hartley)(f, y, work, free_scratch, first, x);
	for (int64_t s = 0; s < p - 1; s++)
		x[f->inverse_powers[s]] = h[s ^ swap];
	return x;
}

/* ---- any length, as complex numbers ---- */

static V *FN(complex_forward)(const struct sr_fft_real *f, const V *x, V *scratch)
{
	V *a = scratch, *b = a + 2 * f->n;

	for (int64_t j = 0; j < f->n; j++)
		FN(store_cell)(a + 2 * j, (C){x[j], {0}});
	return FN(transform)(f->complex, a, b, b + 2 * f->n);
}

static V *FN(complex_backward)(const struct sr_fft_real *f, const V *x, V *y, V *scratch)
{
	V *a = scratch, *b = a + 2 * f->n;
	int64_t n = f->n;

	FN(store_cell)(a, (C){{0}, x[0]});
	for (int64_t k = 1; k <= n / 2; k++) {
		C c = FN(load_cell)(x + 2 * k);
		FN(store_cell)(a + 2 * k, (C){c.im, c.re});
		FN(store_cell)(a + 2 * (n - k), (C){-c.im, c.re});
	}
	const V *z = FN(transform)(f->complex, a, b, b + 2 * n);
	for (int64_t j = 0; j < n; j++)
		y[j] = z[2 * j + 1];
	return y;
}

/* Transform n reals of x to n / 2 + 1 cells; returns the buffer that has them. Both buffers have n + 2 vectors. */
static V *FN(forward)(const struct sr_fft_real *f, V *x, V *y, V *scratch)
{
	switch (f->kind) {
	case SR_FFT_EVEN: {
		V *z = FN(transform)(f->complex, x, y, scratch), *to = z == x ? y : x;
		FN(even_to_spectrum)(f, z, to);
		return to;
	}
	case SR_FFT_SPLIT:
		return FN(split_forward)(f, x, y, scratch);
	case SR_FFT_PRIME:
		return FN(prime_forward)(f, x, y, scratch);
	default:
		return FN(complex_forward)(f, x, scratch);
	}
}

/* Compute the inverse real transform of x, multiplied by n. Returns the buffer that has the result. */
static V *FN(backward)(const struct sr_fft_real *f, V *x, V *y, V *scratch)
{
	switch (f->kind) {
	case SR_FFT_EVEN:
		FN(even_from_spectrum)(f, x, y);
		return FN(transform)(f->complex, y, x, scratch);
	case SR_FFT_SPLIT:
		return FN(split_backward)(f, x, y, scratch);
	case SR_FFT_PRIME:
		return FN(prime_backward)(f, x, y, scratch);
	default:
		return FN(complex_backward)(f, x, y, scratch);
	}
}

static void FN(real_rows)(const void *plan, const struct sr_fft_task *t)
{
	const struct sr_fft_real *f = plan;
	int64_t spectrum = 2 * (f->n / 2 + 1), in_row_elements = t->is_inverse ? spectrum : f->n,
		out_row_elements = t->is_inverse ? f->n : spectrum;
	V *a = t->scratch, *b = a + f->n + 2, *free_scratch = b + f->n + 2;

	for (int64_t l = 0; l < t->count; l += W) {
		int64_t lines = t->count - l < W ? t->count - l : W;
		FN(load_rows)(a, (const S *)t->in + l * t->in_row, t->in_row, lines, in_row_elements, 0);
		const V *y = (t->is_inverse ? FN(backward) : FN(forward))(f, a, b, free_scratch);
		FN(store_rows)((S *)t->out + l * t->out_row, y, t->out_row, lines, out_row_elements, (S)t->scale, t->is_inverse &&
				FN(leaves_swapped)(f));
	}
}
