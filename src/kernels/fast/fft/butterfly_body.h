/* Butterflies: short transforms of cells (C, see fft.h) in registers. The sign of the exponent is that of the forward transform,
 * exp(-2 pi i j k / n). */

static inline __attribute__((always_inline)) C FN(plus)(C a, C b)
{
	return (C){a.re + b.re, a.im + b.im};
}

static inline __attribute__((always_inline)) C FN(minus)(C a, C b)
{
	return (C){a.re - b.re, a.im - b.im};
}

/* Multiply each lane by the same complex number. */
static inline __attribute__((always_inline)) C FN(times)(C a, S re, S im)
{
	return (C){a.re * re - a.im * im, a.re * im + a.im * re};
}

/* Multiply each lane by -i. */
static inline __attribute__((always_inline)) C FN(times_minus_i)(C a)
{
	return (C){a.im, -a.re};
}

static inline __attribute__((always_inline)) void FN(dft_2)(C *x)
{
	C d = FN(minus)(x[0], x[1]);

	x[0] = FN(plus)(x[0], x[1]);
	x[1] = d;
}

static inline __attribute__((always_inline)) void FN(dft_4)(C *x0, C *x1, C *x2, C *x3)
{
	C a = FN(plus)(*x0, *x2), b = FN(minus)(*x0, *x2), c = FN(plus)(*x1, *x3), d = FN(times_minus_i)(FN(minus)(*x1, *x3));

	*x0 = FN(plus)(a, c);
	*x1 = FN(plus)(b, d);
	*x2 = FN(minus)(a, c);
	*x3 = FN(minus)(b, d);
}

/* Transform 8 cells: combine the transforms of the four even and the four odd elements. */
static inline __attribute__((always_inline)) void FN(dft_8)(C *x)
{
	const S sqrt_half = (S)0.70710678118654752440;

	FN(dft_4)(&x[0], &x[2], &x[4], &x[6]);
	FN(dft_4)(&x[1], &x[3], &x[5], &x[7]);
	C a = x[3], b = x[7];
	C o0 = x[1], o1 = {(a.re + a.im) * sqrt_half, (a.im - a.re) * sqrt_half}, o2 = FN(times_minus_i)(x[5]),
	  o3 = {(b.im - b.re) * sqrt_half, (b.re + b.im) * -sqrt_half};
	C e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6];
	x[0] = FN(plus)(e0, o0), x[4] = FN(minus)(e0, o0);
	x[1] = FN(plus)(e1, o1), x[5] = FN(minus)(e1, o1);
	x[2] = FN(plus)(e2, o2), x[6] = FN(minus)(e2, o2);
	x[3] = FN(plus)(e3, o3), x[7] = FN(minus)(e3, o3);
}

/* Transform cells of an odd radix, which is a compile-time constant after inlining: sums and differences of x[j] and x[radix - j]
 * give results k and radix - k. `roots`: radix complex numbers exp(-2 pi i k / radix). */
static inline __attribute__((always_inline)) void FN(dft_odd)(int radix, C *x, const S *roots)
{
	enum { MAX_HALF = 6 };
	C sum[MAX_HALF], difference[MAX_HALF], all = x[0], first = x[0];
	int half_radix = radix / 2;

#pragma GCC unroll 8
	for (int j = 0; j < half_radix; j++) {
		sum[j] = FN(plus)(x[j + 1], x[radix - 1 - j]);
		difference[j] = FN(minus)(x[j + 1], x[radix - 1 - j]);
		all = FN(plus)(all, sum[j]);
	}
	x[0] = all;
#pragma GCC unroll 8
	for (int k = 1; k <= half_radix; k++) {
		C a = first, b = {{0}, {0}};
#pragma GCC unroll 8
		for (int j = 0; j < half_radix; j++) {
			S c = roots[2 * ((j + 1) * k % radix)], s = roots[2 * ((j + 1) * k % radix) + 1];
			a = (C){a.re + sum[j].re * c, a.im + sum[j].im * c};
			b = j ? (C){b.re + difference[j].re * s, b.im + difference[j].im * s} : (C){difference[j].re * s, difference[j].im * s};
		}
		x[k] = (C){a.re - b.im, a.im + b.re};
		x[radix - k] = (C){a.re + b.im, a.im - b.re};
	}
}
