/* Prepared FFTs, for each instruction set: one dimension compared with the DFT sum in long double, with an error that grows as
 * the logarithm of the length; several dimensions compared with the reference. Included by kernels_fast.c. */
#ifndef TESTS_UNIT_KERNELS_FFT_H
#define TESTS_UNIT_KERNELS_FFT_H

enum { FFT, IFFT, RFFT, IRFFT, KINDS, ROWS = 2, LINES = 19, SAMPLES = 12 };

/* Return the number of real numbers in an element of the input or the result. */
static int64_t fft_reals(const struct sr_fft_params *p, bool result)
{
	int64_t n = p->length[p->rank - 1];
	bool real = p->kind == (result ? IRFFT : RFFT);
	int64_t reals = real ? n : p->kind >= RFFT ? 2 * (n / 2 + 1) : 2 * n;

	for (int d = 0; d < p->rank - 1; d++)
		reals *= p->length[d];
	return reals;
}

/* Execute an FFT twice with scratch full of NaN, and check that nothing is written beyond result and scratch. */
static void run_fft(int isa, enum sr_dtype t, const struct sr_fft_params *p, const void *in, char *out)
{
	size_t bytes = (size_t)(p->batch * fft_reals(p, true)) * (t == SR_C64 ? 4 : 8);
	struct sr_prepared_kernel *prepared = fast[isa].prepare[SR_KERNEL_FFT](&fast[isa], t, p, p->batch);

	ck_assert_ptr_nonnull(prepared);
	size_t scratch_bytes = (size_t)prepared->scratch;
	char *scratch = aligned_alloc(64, (scratch_bytes + 127) / 64 * 64);
	memset(scratch, 0xff, scratch_bytes);
	memset(scratch + scratch_bytes, 0x5a, 16);
	memset(out, 0xff, bytes);
	memset(out + bytes, 0x5a, 16);
	for (int round = 0; round < 2; round++)
		prepared->run(prepared, (void *[]){(void *)in, out}, scratch);
	bool is_intact = true;
	for (size_t i = 0; i < 16; i++)
		is_intact = is_intact && out[bytes + i] == 0x5a && scratch[scratch_bytes + i] == 0x5a;
	ck_assert_msg(is_intact, "written after the end");
	prepared->release(prepared);
	free(scratch);
}

/* ROWS random rows of n reals or half spectra, and expected results at SAMPLES positions. */
struct fft_case {
	int kind;
	int64_t n, in, out, step; /* number of reals in a row of input and of output; every step-th result is known */
	float *x;
	long double *want;
};

static void sum_dft(struct fft_case *c, const long double *roots, const float *x, long double *expected)
{
	int64_t n = c->n;

	for (int64_t k = 0; k < (c->kind == RFFT ? n / 2 + 1 : n); k += c->step) {
		long double re = 0, im = 0;
		for (int64_t j = 0, at = 0; j < n; j++, at = at + k >= n ? at + k - n : at + k) {
			long double wr = roots[2 * at], wi = c->kind % 2 ? -roots[2 * at + 1] : roots[2 * at + 1];
			int64_t mirror = c->kind == IRFFT && j > n / 2 ? n - j : j;
			long double a = c->kind == RFFT ? x[j] : x[2 * mirror], b = c->kind == RFFT ? 0 : x[2 * mirror + 1];
			if (c->kind == IRFFT && (j == 0 || 2 * j == n))
				b = 0;
			if (mirror != j)
				b = -b;
			re += a * wr - b * wi;
			im += a * wi + b * wr;
		}
		long double scale = c->kind % 2 ? 1 / (long double)n : 1;
		expected[c->kind == IRFFT ? k : 2 * k] = re * scale;
		if (c->kind != IRFFT)
			expected[2 * k + 1] = im * scale;
	}
}

static void make_fft_case(struct fft_case *c, const long double *roots)
{
	struct sr_fft_params p = {.kind = c->kind, .rank = 1, .length = {c->n}};

	c->in = fft_reals(&p, false);
	c->out = fft_reals(&p, true);
	c->x = malloc((size_t)(ROWS * c->in) * sizeof(float));
	c->want = calloc((size_t)(ROWS * c->out), sizeof(long double));
	for (int64_t i = 0; i < ROWS * c->in; i++)
		c->x[i] = (float)(next_random() % 65536) / 32768 - 1;
	for (int r = 0; r < ROWS; r++)
		sum_dft(c, roots, c->x + r * c->in, c->want + r * c->out);
}

/* Return the power of two that a line's elements are multiplied by, so that exchanged lanes are detected. */
static double line_factor(int64_t line)
{
	return ldexp(1, (int)(line / ROWS % 7) - 3);
}

static void check_fft_case(const struct fft_case *c, enum sr_dtype t, int isa, int64_t lines)
{
	int64_t bytes = t == SR_C64 ? 4 : 8, per_result = c->kind == IRFFT ? 1 : 2;
	char *in = calloc((size_t)(lines * c->in), (size_t)bytes), *out = malloc((size_t)(lines * c->out * bytes) + 16);
	struct sr_fft_params p = {.kind = c->kind, .rank = 1, .batch = lines, .length = {c->n}};
	enum sr_dtype real = t == SR_C64 ? SR_F32 : SR_F64;
	long double error = 0, norm = 0;

	for (int64_t i = 0; i < lines * c->in; i++)
		sr_element_set(real, in + i * bytes, 0, c->x[i / c->in % ROWS * c->in + i % c->in] * line_factor(i / c->in), 0);
	run_fft(isa, t, &p, in, out);
	for (int64_t l = 0; l < lines; l++)
		for (int64_t i = 0; i < c->out; i++) {
			double got, imaginary;
			int64_t unused_integer;
			sr_element_get(real, out + (l * c->out + i) * bytes, &unused_integer, &got, &imaginary);
			long double expected = c->want[l % ROWS * c->out + i], d = got / line_factor(l) - expected;
			if (i / per_result % c->step)
				continue;
			error += d * d;
			norm += expected * expected;
		}
	double relative = (double)sqrtl(error / norm) / (t == SR_C64 ? 0x1p-24 : 0x1p-53), bound = 2 + log2((double)c->n);
	ck_assert_msg((norm == 0 && error == 0) || relative < bound, "kind %d of %s, length %d, %d lines, isa %d: error of %g roundings", c->kind, sr_dtypes[t].name,
		      (int)c->n, (int)lines, isa, relative);
	free(in), free(out);
}

static void check_fft_length(int64_t n, int64_t step, int64_t lines)
{
	long double *roots = malloc((size_t)(2 * n) * sizeof *roots);

	for (int64_t k = 0; k < n; k++) {
		roots[2 * k] = cosl(2 * acosl(-1) * (long double)k / (long double)n);
		roots[2 * k + 1] = -sinl(2 * acosl(-1) * (long double)k / (long double)n);
	}
	for (int kind = FFT; kind < KINDS; kind++) {
		struct fft_case c = {.kind = kind, .n = n, .step = step};
		make_fft_case(&c, roots);
		for (int isa = 0; isa < n_isa; isa++)
			for (int is_double = 0; is_double < 2; is_double++) {
				check_fft_case(&c, is_double ? SR_C128 : SR_C64, isa, 1);
				check_fft_case(&c, is_double ? SR_C128 : SR_C64, isa, lines);
			}
		free(c.x), free(c.want);
	}
	free(roots);
}

START_TEST(fft_lengths)
{
	for (int64_t n = 1 + _i; n <= 300; n += 4)
		check_fft_length(n, 1, LINES);
}
END_TEST

/* Lengths: powers of two, mixed radices, primes for each algorithm, products of large primes. */
static const int64_t long_ffts[] = {512,  625,	1000, 1009, 1024,  1155,  2018,	 2187,	2310,  2401, 3001,
				    4096, 5003, 6007, 8192, 10007, 10403, 12288, 15625, 30030, 65536, 100003};

START_TEST(fft_long_lengths)
{
	int64_t n = long_ffts[_i];


	check_fft_length(n, n / SAMPLES, n < 10000 ? 19 : 3);
}
END_TEST

static const struct sr_fft_params fft_shapes[] = {
	{.rank = 2, .batch = 1, .length = {64, 64}},	  {.rank = 2, .batch = 3, .length = {5, 7}},	    {.rank = 2, .batch = 301, .length = {8, 8}},
	{.rank = 3, .batch = 2, .length = {6, 10, 4}},	  {.rank = 3, .batch = 1, .length = {1, 1, 1}},	    {.rank = 2, .batch = 1, .length = {270, 33}},
	{.rank = 3, .batch = 40, .length = {2, 3, 1}},	  {.rank = 2, .batch = 1, .length = {40000, 3}},    {.rank = 2, .batch = 2, .length = {3, 4000}},
	{.rank = 3, .batch = 1, .length = {17, 1, 100}},  {.rank = 2, .batch = 1, .length = {521, 70}},	    {.rank = 3, .batch = 1, .length = {64, 32, 50}},
};

/* FFTs of several dimensions are compared with the reference, which in double is as precise as the result. */
START_TEST(fft_dimensions)
{
	struct sr_fft_params p = fft_shapes[_i];

	for (p.kind = FFT; p.kind < KINDS; p.kind++) {
		int64_t n_in = p.batch * fft_reals(&p, false), n_out = p.batch * fft_reals(&p, true);
		double *x = calloc((size_t)n_in, 8), *expected = malloc((size_t)n_out * 8), *got = malloc((size_t)n_out * 8 + 16),
		       error = 0, norm = 0;
		void *scratch = malloc((size_t)sr_kernel_planned_scratch(SR_KERNEL_FFT, SR_C128, &p));
		for (int64_t i = 0; i < n_in; i++)
			x[i] = (double)(next_random() % 65536) / 32768 - 1;
		reference.fn[SR_KERNEL_FFT][SR_C128](&p, (void *[]){x, expected}, scratch, 0, p.batch);
		for (int i = 0; i < 3; i++) { /* the reference executes the batch in chunks */
			struct sr_kernel_chunk chunk;
			sr_kernel_get_chunk(SR_KERNEL_FFT, SR_C128, &p, i, 3, &chunk);
			reference.fn[SR_KERNEL_FFT][SR_C128](&chunk.params,
							     (void *[]){(char *)x + chunk.offset[0], (char *)got + chunk.offset[1]},
							     scratch, 0, chunk.range);
		}
		ck_assert_mem_eq(got, expected, (size_t)n_out * 8);
		for (int isa = 0; isa < n_isa; isa++) {
			run_fft(isa, SR_C128, &p, x, (char *)got);
			for (int64_t i = 0; i < n_out; i++) {
				error += (got[i] - expected[i]) * (got[i] - expected[i]);
				norm += expected[i] * expected[i];
			}
			ck_assert_msg(sqrt(error) <= 1e-14 * sqrt(norm), "kind %d of shape %d, isa %d: error of %g", p.kind, _i, isa, sqrt(error / norm));
		}
		free(x), free(expected), free(got), free(scratch);
	}
}
END_TEST

/* Columns are transformed as the same lines in contiguous memory, in place or not, also in chunks, and by the reference. */
static const struct sr_fft_params column_shapes[] = {
	{.batch = 1, .length = {16}, .inner = 700},   {.batch = 3, .length = {45}, .inner = 5},
	{.batch = 2, .length = {64}, .inner = 140},   {.batch = 1, .length = {1009}, .inner = 40},
	{.batch = 1, .length = {40000}, .inner = 2}, {.batch = 40, .length = {8}, .inner = 1},
};

/* Copy the lines of columns to contiguous memory, or back. */
static void move_columns(const struct sr_fft_params *p, double *columns, double *lines, bool back)
{
	int64_t n = p->length[0];

	for (int64_t b = 0; b < p->batch; b++)
		for (int64_t i = 0; i < p->inner; i++)
			for (int64_t k = 0; k < n; k++) {
				double *c = columns + 2 * ((b * n + k) * p->inner + i);
				double *l = lines + 2 * ((b * p->inner + i) * n + k);
				memcpy(back ? c : l, back ? l : c, 2 * sizeof(double));
			}
}

static void check_columns(const struct sr_fft_params *p, const double *got, const double *expected, const char *what, int isa)
{
	double error = 0, norm = 0;

	for (int64_t i = 0; i < 2 * p->batch * p->length[0] * p->inner; i++) {
		error += (got[i] - expected[i]) * (got[i] - expected[i]);
		norm += expected[i] * expected[i];
	}
	ck_assert_msg(sqrt(error) <= 1e-14 * sqrt(norm), "%s: length %d, isa %d: error of %g", what, (int)p->length[0], isa,
		      sqrt(error / norm));
}

static void run_column_chunks(int isa, const struct sr_fft_params *p, double *in, double *out, int64_t n_chunks)
{
	for (int64_t i = 0; i < n_chunks || i == 0; i++) {
		struct sr_kernel_chunk chunk = {.params.fft = *p, .range = p->batch};
		if (n_chunks > 1)
			sr_kernel_get_chunk(SR_KERNEL_FFT, SR_C128, p, i, n_chunks, &chunk);
		struct sr_prepared_kernel *prepared =
			fast[isa].prepare[SR_KERNEL_FFT](&fast[isa], SR_C128, &chunk.params, chunk.range);
		ck_assert_ptr_nonnull(prepared);
		void *scratch = malloc((size_t)prepared->scratch);
		prepared->run(prepared, (void *[]){(char *)in + chunk.offset[0], (char *)out + chunk.offset[1]}, scratch);
		prepared->release(prepared);
		free(scratch);
	}
}

START_TEST(fft_columns)
{
	struct sr_fft_params p = column_shapes[_i], rows = p;
	int64_t lines = p.batch * p.inner, n = lines * p.length[0], most_chunks = (p.inner > p.batch ? p.inner : p.batch) / 16;
	size_t bytes = (size_t)n * 2 * sizeof(double);
	double *x = malloc(bytes), *y = malloc(bytes), *expected = malloc(bytes), *got = malloc(bytes);

	p.rank = rows.rank = 1;
	p.stride = p.inner;
	rows.inner = 0;
	rows.batch = lines;
	void *scratch = malloc((size_t)sr_kernel_planned_scratch(SR_KERNEL_FFT, SR_C128, &p));
	for (p.kind = rows.kind = FFT; p.kind <= IFFT; p.kind++, rows.kind++) {
		for (int64_t i = 0; i < 2 * n; i++)
			x[i] = (double)(next_random() % 65536) / 32768 - 1;
		move_columns(&p, x, y, false);
		reference.fn[SR_KERNEL_FFT][SR_C128](&rows, (void *[]){y, got}, scratch, 0, lines);
		move_columns(&p, expected, got, true);
		memcpy(got, x, bytes);
		reference.fn[SR_KERNEL_FFT][SR_C128](&p, (void *[]){got, got}, scratch, 0, p.batch);
		ck_assert_mem_eq(got, expected, bytes);
		for (int isa = 0; isa < n_isa; isa++) {
			run_column_chunks(isa, &p, x, got, 1);
			check_columns(&p, got, expected, "columns", isa);
			memcpy(y, x, bytes);
			run_column_chunks(isa, &p, y, y, 1);
			ck_assert_mem_eq(got, y, bytes);
			memcpy(y, x, bytes);
			run_column_chunks(isa, &p, y, y, most_chunks < 3 ? most_chunks : 3);
			check_columns(&p, y, expected, "chunks of columns", isa);
		}
	}
	free(x), free(y), free(expected), free(got), free(scratch);
}
END_TEST

/* Lines that share a vector do not influence each other. */
START_TEST(fft_lines_do_not_interact)
{
	static const int64_t lengths[] = {12, 15, 17, 23, 125, 1024};
	enum { MAX_LENGTH = 1024, N_LINES = 20, ODD_LINE = 7 };
	float *x = calloc(N_LINES * (2 * MAX_LENGTH + 2), sizeof(float)),
	      *out = malloc(sizeof(float) * N_LINES * (2 * MAX_LENGTH + 2) + 16);

	for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
		for (int kind = FFT; kind < KINDS; kind++) {
			struct sr_fft_params p = {.kind = kind, .rank = 1, .batch = N_LINES, .length = {lengths[l]}};
			int64_t in = fft_reals(&p, false), results = fft_reals(&p, true);
			for (int64_t i = 0; i < N_LINES * in; i++)
				x[i] = i / in == ODD_LINE ? (i % 2 ? NAN : INFINITY) : 1;
			for (int isa = 0; isa < n_isa; isa++) {
				run_fft(isa, SR_C64, &p, x, (char *)out);
				int64_t at = 0;
				while (at < N_LINES * results && (at / results == ODD_LINE || out[at] == out[at]))
					at++;
				ck_assert_msg(at == N_LINES * results, "kind %d, length %d, isa %d: line %d has line %d's", kind, (int)lengths[l], isa,
					      (int)(at / results), ODD_LINE);
			}
		}
	free(x), free(out);
}
END_TEST

#endif
