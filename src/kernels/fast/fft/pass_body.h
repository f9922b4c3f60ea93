/* Passes of a transform in lanes: butterflies, prime radices, and the whole transform. */

/* Compute the butterfly of a given radix. `radix_roots`: roots of unity of an odd radix. */
static inline __attribute__((always_inline)) void FN(dft)(int radix, C *x, const S *radix_roots)
{
	if (radix == 2)
		FN(dft_2)(x);
	else if (radix == 4)
		FN(dft_4)(&x[0], &x[1], &x[2], &x[3]);
	else if (radix == 8)
		FN(dft_8)(x);
	else
		FN(dft_odd)(radix, x, radix_roots);
}

static inline __attribute__((always_inline)) void FN(pass)(int radix, bool has_roots, const struct sr_fft_pass *f, const V *in,
		V *out)
{
	const S *w = f->roots, *radix_roots = f->radix_roots;
	int64_t n_after = f->n_after, n_before = f->n_before;

	for (int64_t i = 0; i < n_after; i++, w = has_roots ? w + 2 * (radix - 1) : w) {
		const V *source = in + 2 * i;
		V *to = out + 2 * i;
		for (int64_t k = 0; k < n_before; k++, source += 2 * n_after * radix, to += 2 * n_after) {
			C x[13];
#pragma GCC unroll 16
			for (int j = 0; j < radix; j++)
				x[j] = (C){source[2 * n_after * j], source[2 * n_after * j + 1]};
			FN(dft)(radix, x, radix_roots);
#pragma GCC unroll 16
			for (int j = 0; j < radix; j++) {
				C y = has_roots && j ? FN(times)(x[j], w[2 * j - 2], w[2 * j - 1]) : x[j];
				to[2 * n_after * n_before * j] = y.re;
				to[2 * n_after * n_before * j + 1] = y.im;
			}
		}
	}
}

#define PASS(radix) \
	static void FN(pass_##radix)(const struct sr_fft_pass *f, const V *in, V *out) \
	{ \
		if (f->roots) \
			FN(pass)(radix, true, f, in, out); \
		else \
			FN(pass)(radix, false, f, in, out); \
	}
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(7)
PASS(8)
PASS(11)
PASS(13)
#undef PASS

static V *FN(transform)(const struct sr_fft_lanes *f, V *a, V *b, V *scratch);

/* Addresses of one butterfly's elements, and the factors of its results. */
struct FN(strided) {
	const V *in;
	V *out;
	int64_t in_step, out_step; /* distance between elements of the input, and of the output, in vectors */
	const S *w;                /* complex factors of the results; NULL: all are 1 */
};

static inline C FN(load_cell)(const V *at)
{
	return (C){at[0], at[1]};
}

static inline void FN(store_cell)(V *at, C x)
{
	at[0] = x.re;
	at[1] = x.im;
}

static inline void FN(store_result)(const struct FN(strided) *s, int64_t k, C x)
{
	if (s->w && k)
		x = FN(times)(x, s->w[2 * k - 2], s->w[2 * k - 1]);
	FN(store_cell)(s->out + k * s->out_step, x);
}

/* Transform a prime radix by its defining sum. `work`: scratch of p cells. */
static void FN(sum)(const struct sr_fft_prime *f, const struct FN(strided) *s, V *work)
{
	const S *roots = f->roots;
	int64_t p = f->p, half_order = p / 2;
	C first = FN(load_cell)(s->in), all = first;

	for (int64_t j = 1; j <= half_order; j++) {
		C a = FN(load_cell)(s->in + j * s->in_step), b = FN(load_cell)(s->in + (p - j) * s->in_step), t = FN(plus)(a, b);
		FN(store_cell)(work + 4 * j - 4, t);
		FN(store_cell)(work + 4 * j - 2, FN(minus)(a, b));
		all = FN(plus)(all, t);
	}
	FN(store_result)(s, 0, all);
	for (int64_t k = 1; k <= half_order; k++) {
		C a = first, b = {{0}, {0}};
		for (int64_t j = 1, at = k; j <= half_order; j++, at += k) {
			if (at >= p)
				at -= p;
			S c = roots[2 * at], d = roots[2 * at + 1];
			const V *t = work + 4 * j - 4;
			a = (C){a.re + t[0] * c, a.im + t[1] * c};
			b = (C){b.re + t[2] * d, b.im + t[3] * d};
		}
		FN(store_result)(s, k, (C){a.re - b.im, a.im + b.re});
		FN(store_result)(s, p - k, (C){a.re + b.im, a.im - b.re});
	}
}

/* Multiply the cells of `x` by `kernel` and swap their real and imaginary parts. A forward transform then computes the inverse
 * transform with swapped parts, which are swapped back when they are read. */
static void FN(multiply_and_swap)(V *x, const S *kernel, int64_t m)
{
	for (int64_t q = 0; q < m; q++) {
		C y = FN(times)(FN(load_cell)(x + 2 * q), kernel[2 * q], kernel[2 * q + 1]);
		x[2 * q] = y.im;
		x[2 * q + 1] = y.re;
	}
}

static void FN(rader)(const struct sr_fft_prime *f, const struct FN(strided) *s, V *work)
{
	V *a = work, *b = a + 2 * f->m, *free_scratch = b + 2 * f->m;
	C first = FN(load_cell)(s->in);

	for (int64_t q = 0; q < f->m; q++)
		FN(store_cell)(a + 2 * q, FN(load_cell)(s->in + f->powers[q] * s->in_step));
	V *y = FN(transform)(f->inner, a, b, free_scratch), *free_half = y == a ? b : a;
	FN(store_result)(s, 0, FN(plus)(first, FN(load_cell)(y)));
	FN(multiply_and_swap)(y, f->kernel, f->m);
	y[0] += first.im;
	y[1] += first.re;
	const V *z = FN(transform)(f->inner, y, free_half, free_scratch);
	for (int64_t q = 0; q < f->m; q++)
		FN(store_result)(s, f->inverse_powers[q], (C){z[2 * q + 1], z[2 * q]});
}

static void FN(bluestein)(const struct sr_fft_prime *f, const struct FN(strided) *s, V *work)
{
	V *a = work, *b = a + 2 * f->m, *free_scratch = b + 2 * f->m;
	const S *w = f->chirp;

	for (int64_t j = 0; j < f->p; j++)
		FN(store_cell)(a + 2 * j, FN(times)(FN(load_cell)(s->in + j * s->in_step), w[2 * j], w[2 * j + 1]));
	memset(a + 2 * f->p, 0, (size_t)(f->m - f->p) * 2 * sizeof(V));
	V *y = FN(transform)(f->inner, a, b, free_scratch), *free_half = y == a ? b : a;
	FN(multiply_and_swap)(y, f->kernel, f->m);
	const V *z = FN(transform)(f->inner, y, free_half, free_scratch);
	for (int64_t k = 0; k < f->p; k++)
		FN(store_result)(s, k, FN(times)((C){z[2 * k + 1], z[2 * k]}, w[2 * k], w[2 * k + 1]));
}

static void FN(pass_prime)(const struct sr_fft_pass *f, const V *in, V *out, V *scratch)
{
	const S *w = f->roots;
	struct FN(strided) s = {.in_step = 2 * f->n_after, .out_step = 2 * f->n_after * f->n_before};

	for (int64_t i = 0; i < f->n_after; i++)
		for (int64_t k = 0; k < f->n_before; k++) {
			s.in = in + 2 * (i + f->n_after * f->radix * k);
			s.out = out + 2 * (i + f->n_after * k);
			s.w = w ? w + 2 * (f->radix - 1) * i : NULL;
			if (!f->prime->inner)
				FN(sum)(f->prime, &s, scratch);
			else if (f->prime->chirp)
				FN(bluestein)(f->prime, &s, scratch);
			else
				FN(rader)(f->prime, &s, scratch);
		}
}

/* Transform f->n cells of a, alternating between a and b; returns the buffer that has the result. */
static V *FN(transform)(const struct sr_fft_lanes *f, V *a, V *b, V *scratch)
{
	static void (*const routines[])(const struct sr_fft_pass *f, const V *in, V *out) = {
		[2] = FN(pass_2), [3] = FN(pass_3), [4] = FN(pass_4),	[5] = FN(pass_5),
		[7] = FN(pass_7), [8] = FN(pass_8), [11] = FN(pass_11), [13] = FN(pass_13),
	};

	for (int i = 0; i < f->n_passes; i++) {
		V *t = a;
		if (f->passes[i].prime)
			FN(pass_prime)(&f->passes[i], a, b, scratch);
		else
			routines[f->passes[i].radix](&f->passes[i], a, b);
		a = b;
		b = t;
	}
	return a;
}
