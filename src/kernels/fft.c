/* Reference kernel of FFT: all four kinds, any length, over up to three dimensions, computed in double.
 *
 * A line whose length is a power of two is transformed in place with radix 2. Other lengths use Bluestein's algorithm (L.
 * Bluestein, 1970): with w = exp(-+ i pi k^2 / n) the transform is a convolution, computed by power-of-two transforms of length at
 * least 2n - 1. Scratch, in complex<double>: an entire batch element, one line, and Bluestein's two arrays. */
#include "kernels/element.h"
#include <string.h>

static int64_t power_of_two(int64_t n)
{
	int64_t m = 1;

	while (m < n)
		m *= 2;
	return m;
}

static sr_c128 unit_root(double angle)
{
	return __builtin_complex(cos(angle), sin(angle));
}

static void radix_2(sr_c128 *x, int64_t n, double sign)
{
	for (int64_t i = 1, j = 0; i < n; i++) {
		int64_t bit = n >> 1;
		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			sr_c128 t = x[i];
			x[i] = x[j];
			x[j] = t;
		}
	}
	for (int64_t half_length = 1; half_length < n; half_length *= 2) {
		for (int64_t k = 0; k < half_length; k++) {
			sr_c128 w = unit_root(sign * M_PI * (double)k / (double)half_length);
			for (int64_t i = k; i < n; i += 2 * half_length) {
				sr_c128 a = x[i], b = CMUL(x[i + half_length], w);
				x[i] = a + b;
				x[i + half_length] = a - b;
			}
		}
	}
}

/* Return Bluestein's factor for k, with k^2 reduced mod 2n so that the angle stays small and exact. */
static sr_c128 chirp(int64_t k, int64_t n, double sign)
{
	return unit_root(sign * M_PI * (double)(int64_t)((unsigned __int128)k * (uint64_t)k % (uint64_t)(2 * n)) / (double)n);
}

static void bluestein(sr_c128 *x, int64_t n, double sign, sr_c128 *work)
{
	int64_t m = power_of_two(2 * n - 1);
	sr_c128 *a = work, *b = work + m;

	memset(work, 0, (size_t)(2 * m) * sizeof(*work));
	for (int64_t k = 0; k < n; k++) {
		sr_c128 w = chirp(k, n, sign);
		a[k] = CMUL(x[k], w);
		b[k] = __builtin_complex(RE(w), -IM(w));
		if (k > 0)
			b[m - k] = b[k];
	}
	radix_2(a, m, -1);
	radix_2(b, m, -1);
	for (int64_t k = 0; k < m; k++)
		a[k] = CMUL(a[k], b[k]);
	radix_2(a, m, 1);
	for (int64_t k = 0; k < n; k++) {
		sr_c128 w = chirp(k, n, sign), y = CMUL(a[k], w);
		x[k] = __builtin_complex(RE(y) / (double)m, IM(y) / (double)m);
	}
}

static void transform_line(sr_c128 *x, int64_t n, bool inverse, sr_c128 *work)
{
	if ((n & (n - 1)) == 0)
		radix_2(x, n, inverse ? 1 : -1);
	else
		bluestein(x, n, inverse ? 1 : -1, work);
	for (int64_t i = 0; inverse && i < n; i++)
		x[i] = __builtin_complex(RE(x[i]) / (double)n, IM(x[i]) / (double)n);
}

/* Transform every line along dimension d of x, a row-major tensor of `shape`. Only the first `n_columns` columns of the last
 * dimension are transformed. */
static void transform_dimension(sr_c128 *x, const int64_t *shape, int rank, int d, int64_t n_columns, bool inverse, sr_c128 *work)
{
	int64_t outer = 1, inner = 1, n = shape[d], columns = shape[rank - 1];
	sr_c128 *row = work;

	for (int k = 0; k < d; k++)
		outer *= shape[k];
	for (int k = d + 1; k < rank; k++)
		inner *= shape[k];
	for (int64_t i = 0; i < outer * inner; i++) {
		sr_c128 *line = x + i / inner * n * inner + i % inner;
		if (d < rank - 1 && i % columns >= n_columns)
			continue;
		for (int64_t k = 0; k < n; k++)
			row[k] = line[k * inner];
		transform_line(row, n, inverse, work + n);
		for (int64_t k = 0; k < n; k++)
			line[k * inner] = row[k];
	}
}

/* Fill the upper half of each line from the lower: x[n - k] = conj(x[k]); imaginary parts that must be zero are dropped. */
static void complete_hermitian(sr_c128 *x, int64_t lines, int64_t n)
{
	for (int64_t l = 0; l < lines; l++, x += n) {
		x[0] = RE(x[0]);
		if (n % 2 == 0)
			x[n / 2] = RE(x[n / 2]);
		for (int64_t k = 1; k < n - k; k++)
			x[n - k] = __builtin_complex(RE(x[k]), -IM(x[k]));
	}
}

static void transform(const struct sr_fft_params *p, sr_c128 *x, sr_c128 *work)
{
	bool inverse = p->kind == SR_IFFT || p->kind == SR_IRFFT;
	int64_t last_length = p->length[p->rank - 1], n_columns = p->kind >= SR_RFFT ? last_length / 2 + 1 : last_length, lines = 1;

	for (int d = 0; d < p->rank - 1; d++)
		lines *= p->length[d];
	if (p->kind != SR_IRFFT)
		transform_dimension(x, p->length, p->rank, p->rank - 1, n_columns, inverse, work);
	for (int d = p->rank - 2; d >= 0; d--)
		transform_dimension(x, p->length, p->rank, d, n_columns, inverse, work);
	if (p->kind == SR_IRFFT) {
		complete_hermitian(x, lines, last_length);
		transform_dimension(x, p->length, p->rank, p->rank - 1, n_columns, inverse, work);
	}
}

/* Define an FFT kernel. The real side has as many columns as the last dimension; the complex
 * side of a real transform has half as many, plus one. Each transform is computed in scratch, so a complex one may be in place. */
#define FFT_KERNEL(name, real, complex_type)										\
	static void name(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)		\
	{														\
		const struct sr_fft_params *p = params;									\
		int64_t n_real = p->length[p->rank - 1], n_complex = n_real / 2 + 1, lines = 1;				\
		int64_t n_inner = p->inner ? p->inner : 1, step = p->inner ? p->stride : 1;				\
		for (int d = 0; d < p->rank - 1; d++)									\
			lines *= p->length[d];										\
		if (n_real <= 0 || lines <= 0)										\
			return;												\
		int64_t in_columns = p->kind == SR_IRFFT ? n_complex : n_real,						\
			out_columns = p->kind == SR_RFFT ? n_complex : n_real;						\
		sr_c128 *x = scratch;											\
		for (int64_t b = begin * n_inner; b < end * n_inner; b++) {						\
			for (int64_t i = 0, at = b / n_inner * lines * in_columns * step + b % n_inner; i < lines; i++)	\
				for (int64_t k = 0; k < in_columns; k++, at += step)					\
					x[i * n_real + k] = p->kind == SR_RFFT ? ((const real *)buffers[0])[at]		\
									       : ((const complex_type *)buffers[0])[at];	\
			transform(p, x, x + lines * n_real);								\
			for (int64_t i = 0, at = b / n_inner * lines * out_columns * step + b % n_inner; i < lines; i++)	\
				for (int64_t k = 0; k < out_columns; k++, at += step) {					\
					if (p->kind == SR_IRFFT)								\
						((real *)buffers[1])[at] = (real)RE(x[i * n_real + k]);			\
					else										\
						((complex_type *)buffers[1])[at] = (complex_type)x[i * n_real + k];	\
				}											\
		}													\
	}
FFT_KERNEL(fft_C64, float, sr_c64)
FFT_KERNEL(fft_C128, double, sr_c128)

int64_t sr_fft_scratch(enum sr_dtype t, const struct sr_fft_params *p)
{
	int64_t n_elements = 1, longest = 1;

	for (int d = 0; d < p->rank; d++) {
		n_elements *= p->length[d];
		if (p->length[d] > longest)
			longest = p->length[d];
	}
	return (n_elements + longest + 2 * power_of_two(2 * longest)) * (int64_t)sizeof(sr_c128);
}

void sr_kernels_init_fft(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_FFT][SR_C64] = fft_C64;
	table->fn[SR_KERNEL_FFT][SR_C128] = fft_C128;
}
