/* QR factorizations and eigenvalues of batches of small matrices for one instruction set and element type, by LAPACK's algorithms:
 * Householder reflections with one matrix per lane (xGEQR2, xORG2R, xSYTD2), and implicit QL or QR iterations on the tridiagonal
 * matrix of each lane (xSTEQR). Eigenvectors have the signs that LAPACK gives them, unless rounding changes the number of iterations.
 * Included by small_factors.h with its macros. */
#define SUM_MIN ((S)(sizeof(S) == 4 ? 1e-30 : 1e-280)) /* sums of squares between these are exact to a few roundings */
#define SUM_MAX ((S)(sizeof(S) == 4 ? 1e37 : 1e300))
#define EPSILON ((S)(sizeof(S) == 4 ? 0x1p-24 : 0x1p-53))

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

/* Reduce the symmetric matrix of a's lower triangle to tridiagonal form Q^T a Q: its diagonal d and the diagonal below, e. Reflection
 * k of Q, which maps rows k + 1, k + 2, ..., is left in column k. */
static void FN(tridiagonal)(FN(vector) *a, int64_t n, FN(vector) *d, FN(vector) *e, FN(vector) *tau, FN(mask) *good)
{
	FN(vector) v[MAX_ORDER], w[MAX_ORDER], one = (FN(vector)){0} + 1;
	for (int64_t k = 0; k + 1 < n; k++) {
		FN(vector) *x = a + (k + 1) * n + k, dot = {0};
		int64_t rows = n - k - 1;
		tau[k] = FN(reflector)(x, rows, n, good);
		d[k] = a[k * n + k];
		e[k] = x[0];
		for (int64_t i = 0; i < rows; i++) {
			v[i] = i ? x[i * n] : one;
			w[i] = (FN(vector)){0};
		}
		for (int64_t i = 0; i < rows; i++) { /* w = a v */
			FN(vector) sum = x[i * n + 1 + i] * v[i];
			for (int64_t j = 0; j < i; j++) {
				sum += x[i * n + 1 + j] * v[j];
				w[j] += x[i * n + 1 + j] * v[i];
			}
			w[i] += sum;
		}
		for (int64_t i = 0; i < rows; i++)
			dot += (w[i] *= tau[k]) * v[i];
		for (int64_t i = 0; i < rows; i++)
			w[i] -= (S)0.5 * tau[k] * dot * v[i];
		for (int64_t i = 0; i < rows; i++)
			for (int64_t j = 0; j <= i; j++)
				x[i * n + 1 + j] -= v[i] * w[j] + w[i] * v[j];
	}
	d[n - 1] = a[n * n - 1];
}

/* Compute the plane rotation with (c, s; -s, c) (f, g)^T = (r, 0)^T. */
static void FN(rotation)(S f, S g, S *c, S *s, S *r)
{
	S norm = SQUARE_ROOT(f * f + g * g);
	if (g == 0 || f == 0) {
		*c = g == 0;
		*s = g == 0 ? 0 : g < 0 ? -1 : 1;
		*r = g == 0 ? f : norm;
		return;
	}
	*r = f < 0 ? -norm : norm;
	*c = (f < 0 ? -f : f) / norm;
	*s = g / *r;
}

/* Replace columns x and y of n elements by c x + s y and c y - s x. */
static void FN(rotate)(S *restrict x, S *restrict y, int64_t n, S c, S s)
{
	for (int64_t i = 0; i < n; i++) {
		S old = x[i];
		x[i] = c * old + s * y[i];
		y[i] = c * y[i] - s * old;
	}
}

/* Diagonalize (d[0], *e; *e, d[1]): d[0] becomes the eigenvalue of larger magnitude. *c and *s are its unit vector. */
static void FN(eigen2)(S *d, S *e, S *c, S *s)
{
	S sum = d[0] + d[1], difference = d[0] - d[1], twice = *e + *e, root = SQUARE_ROOT(difference * difference + twice * twice);
	S first = sum < 0 ? (sum - root) / 2 : sum > 0 ? (sum + root) / 2 : root / 2;
	bool is_first_larger = (d[0] < 0 ? -d[0] : d[0]) > (d[1] < 0 ? -d[1] : d[1]);
	S larger = d[is_first_larger ? 0 : 1], smaller = d[is_first_larger ? 1 : 0];
	d[1] = sum != 0 ? (larger / first) * smaller - (*e / first) * *e : -first;
	d[0] = first;
	S far = difference >= 0 ? difference + root : difference - root;
	if ((far < 0 ? -far : far) > (twice < 0 ? -twice : twice)) {
		S cotangent = -twice / far;
		*s = 1 / SQUARE_ROOT(1 + cotangent * cotangent);
		*c = cotangent * *s;
	} else {
		S tangent = twice == 0 ? 0 : -far / twice;
		*c = 1 / SQUARE_ROOT(1 + tangent * tangent);
		*s = tangent * *c;
	}
	if ((sum >= 0) == (difference >= 0)) {
		S old = *c;
		*c = -*s;
		*s = old;
	}
	*e = 0;
}

/* Diagonalize the tridiagonal block of rows first to last, which has no zero in e, and apply the rotations to the columns of z,
 * unless it is NULL. *iterations is the number that may be used. The iteration starts at the end whose diagonal element is smaller:
 * index i of the iteration is row `start + direction * i`. */
static void FN(diagonalize_block)(S *d, S *e, S *z, int64_t n, int64_t first, int64_t last, int64_t *iterations)
{
	bool is_upward = (d[last] < 0 ? -d[last] : d[last]) < (d[first] < 0 ? -d[first] : d[first]);
	int64_t start = is_upward ? last : first, direction = is_upward ? -1 : 1, rows = last - first + 1;
#define D(i) d[start + direction * (i)]
#define E(i) e[start + direction * (i) - is_upward]
	for (int64_t l = 0; l < rows && *iterations >= 0;) {
		int64_t m = l;
		while (m + 1 < rows) {
			S limit = EPSILON * EPSILON * D(m) * D(m + 1);
			if (E(m) * E(m) <= (limit < 0 ? -limit : limit))
				break;
			m++;
		}
		if (m + 1 < rows)
			E(m) = 0;
		if (m == l) {
			l++;
			continue;
		}
		if (m == l + 1) {
			S c, s;
			int64_t low = is_upward ? start - m : start + l;
			FN(eigen2)(d + low, e + low, &c, &s);
			if (z)
				FN(rotate)(z + low * n, z + (low + 1) * n, n, c, s);
			l += 2;
			continue;
		}
		--*iterations;
		S p = D(l), g = (D(l + 1) - p) / (2 * E(l)), r = SQUARE_ROOT(g * g + 1), s = 1, c = 1;
		g = D(m) - p + E(l) / (g + (g < 0 ? -r : r));
		p = 0;
		for (int64_t i = m - 1; i >= l; i--) {
			S f = s * E(i), b = c * E(i);
			FN(rotation)(g, f, &c, &s, &r);
			if (i != m - 1)
				E(i + 1) = r;
			g = D(i + 1) - p;
			r = (D(i) - g) * s + 2 * c * b;
			p = s * r;
			D(i + 1) = g + p;
			g = c * r - b;
			if (z)
				FN(rotate)(&z[(start + direction * (i + 1)) * n], &z[(start + direction * i) * n], n, c, s);
		}
		D(l) -= p;
		E(l) = g;
	}
#undef D
#undef E
}

/* Compute the eigenvalues of a symmetric tridiagonal matrix in ascending order into d. z is NULL, or a matrix of n columns, stored
 * by columns, that becomes z times the eigenvectors. Return false if an element is not finite or the iterations do not converge. */
static bool FN(tridiagonal_eigenvalues)(S *d, S *e, S *z, int64_t n)
{
	int64_t iterations = 30 * n;
	S largest = 0;
	int exponent;
	for (int64_t i = 0; i < 2 * n - 1; i++) {
		S x = i < n ? d[i] : e[i - n], magnitude = x < 0 ? -x : x;
		if (!(magnitude <= SUM_MAX))
			return false;
		largest = magnitude > largest ? magnitude : largest;
	}
	frexp((double)largest, &exponent);
	S scale = (S)ldexp(1, largest > SUM_MIN ? -exponent : 0), unscale = 1 / scale;
	for (int64_t i = 0; i < n; i++) {
		d[i] *= scale;
		e[i] *= i + 1 < n ? scale : 0;
	}
	for (int64_t first = 0, last; first < n; first = last + 1) {
		for (last = first; last + 1 < n; last++) {
			S x = d[last] < 0 ? -d[last] : d[last], y = d[last + 1] < 0 ? -d[last + 1] : d[last + 1];
			S magnitude = e[last] < 0 ? -e[last] : e[last];
			if (magnitude <= SQUARE_ROOT(x) * SQUARE_ROOT(y) * EPSILON)
				break;
		}
		FN(diagonalize_block)(d, e, z, n, first, last, &iterations);
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t least = i;
		for (int64_t j = i + 1; j < n; j++)
			least = d[j] < d[least] ? j : least;
		S value = d[least];
		d[least] = d[i];
		d[i] = value * unscale;
		for (int64_t j = 0; z && least != i && j < n; j++) {
			S old = z[i * n + j];
			z[i * n + j] = z[least * n + j];
			z[least * n + j] = old;
		}
	}
	return iterations >= 0;
}
#undef SUM_MIN
#undef SUM_MAX
#undef EPSILON
