/* QR factorizations of batches of small matrices for one instruction set and element type, by LAPACK's Householder reflections
 * (xGEQR2, xORG2R), with one matrix per lane. Included by small_factors.h with its macros. */
#define SUM_MIN ((S)(sizeof(S) == 4 ? 1e-30 : 1e-280)) /* sums of squares between these are exact to a few roundings */
#define SUM_MAX ((S)(sizeof(S) == 4 ? 1e37 : 1e300))

static FN(vector) FN(select)(FN(mask) condition, FN(vector) yes, FN(vector) no)
{
	return (FN(vector))((condition & (FN(mask))yes) | (~condition & (FN(mask))no));
}

/* Compute the reflection H = I - tau v v^T, v[0] = 1, that maps x to (beta, 0, ..., 0)^T. x has n elements, `step` vectors apart;
 * x[0] becomes beta, the others those of v. Return tau; it is 0 where x[1], x[2], ... are 0. Clear *good in lanes where squares may
 * overflow or underflow, or x has a NaN. */
static FN(vector) FN(reflector)(FN(vector) *x, int64_t n, int64_t step, FN(mask) *good)
{
	FN(vector) zero = {0}, sum = zero, alpha = x[0];
	FN(mask) nonzero = {0};
	for (int64_t i = 1; i < n; i++) {
		FN(vector) element = x[i * step];
		sum += element * element;
		nonzero |= element != zero;
	}
	FN(vector) squares = sum + alpha * alpha, norm;
	*good &= ~nonzero | ((sum > SUM_MIN) & (squares < SUM_MAX));
	for (int l = 0; l < LANES; l++)
		((S *)&norm)[l] = SQUARE_ROOT(((const S *)&squares)[l]);
	FN(vector) beta = (FN(vector))((FN(mask))norm | (~(FN(mask))alpha & ~SIGNLESS));
	FN(vector) scale = FN(select)(nonzero, 1 / (alpha - beta), zero);
	for (int64_t i = 1; i < n; i++)
		x[i * step] *= scale;
	x[0] = FN(select)(nonzero, beta, alpha);
	return FN(select)(nonzero, (beta - alpha) / beta, zero);
}

/* Replace `columns` columns of c by H c for H = I - tau v v^T, v[0] = 1. c has n rows, `row` vectors apart, as have v's elements. */
static void FN(reflect)(const FN(vector) *v, FN(vector) tau, FN(vector) *c, int64_t n, int64_t columns, int64_t row)
{
	enum { TOGETHER = 4 };
	for (int64_t j = 0; j < columns; j += TOGETHER) {
		FN(vector) dot[TOGETHER];
		int64_t w = columns - j < TOGETHER ? columns - j : TOGETHER;
		if (w == TOGETHER) { /* a constant number of columns is kept in registers */
			for (int k = 0; k < TOGETHER; k++)
				dot[k] = c[j + k];
			for (int64_t i = 1; i < n; i++)
				for (int k = 0; k < TOGETHER; k++)
					dot[k] += v[i * row] * c[i * row + j + k];
			for (int k = 0; k < TOGETHER; k++)
				c[j + k] -= dot[k] *= tau;
			for (int64_t i = 1; i < n; i++)
				for (int k = 0; k < TOGETHER; k++)
					c[i * row + j + k] -= v[i * row] * dot[k];
			continue;
		}
		for (int64_t k = j; k < j + w; k++) {
			FN(vector) sum = c[k];
			for (int64_t i = 1; i < n; i++)
				sum += v[i * row] * c[i * row + k];
			c[k] -= sum *= tau;
			for (int64_t i = 1; i < n; i++)
				c[i * row + k] -= v[i * row] * sum;
		}
	}
}

/* Factor a = Q R; a is m x n. Reflection k is below the diagonal of column k, and tau[k]. */
static void FN(qr)(FN(vector) *a, int64_t m, int64_t n, FN(vector) *tau, FN(mask) *good)
{
	for (int64_t k = 0; k < m && k < n; k++) {
		FN(vector) *x = a + k * n + k;
		tau[k] = FN(reflector)(x, m - k, n, good);
		FN(reflect)(x, tau[k], x + 1, m - k, n - k - 1, n);
	}
}

/* Replace the k reflections of an m x n matrix, whose rows are `row` vectors apart, by the first n columns of their product. */
static void FN(generate)(FN(vector) *a, int64_t m, int64_t n, int64_t row, int64_t k, const FN(vector) *tau)
{
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = k; j < n; j++)
			a[i * row + j] = (FN(vector)){0} + (S)(i == j);
	for (int64_t j = k - 1; j >= 0; j--) {
		FN(vector) *x = a + j * row + j;
		FN(reflect)(x, tau[j], x + 1, m - j, n - j - 1, row);
		for (int64_t i = 1; i < m - j; i++)
			x[i * row] *= -tau[j];
		x[0] = 1 - tau[j];
		for (int64_t i = 0; i < j; i++)
			a[i * row + j] = (FN(vector)){0};
	}
}
#undef SUM_MIN
#undef SUM_MAX
