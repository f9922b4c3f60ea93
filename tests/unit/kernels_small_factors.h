/* Factorizations and triangular solves of batches of small matrices, against LAPACK, which the kernels of the first
 * instruction set call. Included by kernels_fast.c. */
enum { FACTOR_BATCH = 21, FACTOR_BUFFER = FACTOR_BATCH * 32 * 32, FACTOR_BUFFERS = 4 };

/* Fill a batch of matrices: ordinary ones, and with `with_special` one that is zero and one with a NaN. With `dominant`, diagonals
 * are large. */
static void fill_matrices(enum sr_dtype t, char *to, int64_t rows, int64_t columns, bool dominant, bool with_special)
{
	int64_t elements = rows * columns;
	fill_array(t, to, FACTOR_BATCH * elements, false);
	for (int64_t e = 0; dominant && e < FACTOR_BATCH * elements; e++) {
		double v = 0, unused_part;
		int64_t integer;
		bool diagonal = e % elements / columns == e % columns;
		sr_element_get(t, to + e * sr_dtype_bytes(t), &integer, &v, &unused_part);
		sr_element_set(t, to + e * sr_dtype_bytes(t), 0, v / (double)rows + (diagonal ? 8 : 0), 0);
	}
	if (with_special) {
		memset(to + 3 * elements * sr_dtype_bytes(t), 0, (size_t)(elements * sr_dtype_bytes(t)));
		sr_element_set(t, to + 7 * elements * sr_dtype_bytes(t), 0, NAN, 0);
	}
}

static double matrix_element(enum sr_dtype t, const void *from, int64_t i)
{
	double v = 0, unused_part;
	int64_t integer;
	sr_element_get(t, (const char *)from + i * sr_dtype_bytes(t), &integer, &v, &unused_part);
	return v;
}

static void run_factors(int isa, enum sr_dtype t, const struct sr_lapack_params *p, void *const *buffers)
{
	fast[isa].fn[SR_KERNEL_LAPACK][t](p, buffers, exact_scratch(&fast[isa], SR_KERNEL_LAPACK, t, p), 0, FACTOR_BATCH);
}

/* Matrices 3 and 7 of a factorization have no valid pivots: they must have LAPACK's bits. */
static void compare_factors(int isa, enum sr_dtype t, const struct sr_lapack_params *p)
{
	static double in[2][FACTOR_BUFFER], expected[3][FACTOR_BUFFER], got[3][FACTOR_BUFFER];
	bool is_factor = p->routine != SR_LAPACK_TRSM && p->routine != SR_LAPACK_ORGQR, is_qr = p->routine == SR_LAPACK_GEQRF;
	int64_t m = p->routine == SR_LAPACK_POTRF ? p->n : p->m, order = p->side == 'L' ? p->m : p->n, bytes = sr_dtype_bytes(t);
	bool is_solve = p->routine == SR_LAPACK_TRSM, is_dominant = p->routine != SR_LAPACK_GETRF && !is_qr;
	int64_t diagonal = m < p->n ? m : p->n;
	int n_in = is_factor ? 1 : 2, n_out = sr_lapack_result_count(p->routine, t);
	int64_t sizes[] = {m * p->n * bytes, is_qr ? diagonal * bytes : (n_out == 3 ? diagonal : 1) * 4, 4};
	fill_matrices(t, (char *)in[0], is_solve ? order : m, is_solve ? order : p->n, is_dominant, is_factor);
	fill_array(t, in[1], FACTOR_BATCH * m * p->n, false);
	void *buffers[5] = {in[0], in[1]};
	for (int fast_kernel = 0; fast_kernel < 2; fast_kernel++) {
		for (int i = 0; i < n_out; i++)
			buffers[n_in + i] = fast_kernel ? got[i] : expected[i];
		run_factors(fast_kernel ? isa : 0, t, p, buffers);
	}
	for (int i = 0; i < n_out; i++) {
		int64_t elements = sizes[i] / bytes;
		for (int64_t e = 0; (i == 0 || is_qr) && e < FACTOR_BATCH * elements; e++) {
			int64_t b = e / elements;
			double x = matrix_element(t, expected[i], e), y = matrix_element(t, got[i], e), tolerance = t == SR_F32 ? 2e-3 : 1e-11;
			bool is_exact = is_factor && (b == 3 || b == 7);
			bool equal = is_exact ? !memcmp((char *)expected[i] + e * bytes, (char *)got[i] + e * bytes, (size_t)bytes)
					      : fabs(x - y) <= tolerance * fmax(fabs(x), 1);
			ck_assert_msg(equal, "routine %d of %s, %d x %d, %c%c%c%c: result %d, matrix %d, element %d: %g and %g", p->routine,
				      sr_dtypes[t].name, (int)m, (int)p->n, p->side, p->uplo, p->trans, p->diag, i, (int)b,
				      (int)(e % elements), x, y);
		}
		if (i && !is_qr)
			ck_assert_mem_eq(expected[i], got[i], (size_t)(FACTOR_BATCH * sizes[i]));
	}
	/* each system alone has the bits that it has in the batch */
	buffers[n_in] = expected[0];
	for (int64_t b = 0; is_solve && b < FACTOR_BATCH; b++)
		fast[isa].fn[SR_KERNEL_LAPACK][t](p, buffers, exact_scratch(&fast[isa], SR_KERNEL_LAPACK, t, p), b, b + 1);
	if (is_solve)
		ck_assert_mem_eq(expected[0], got[0], (size_t)(FACTOR_BATCH * sizes[0]));
}

START_TEST(small_factors)
{
	static const int64_t sizes[][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 7}, {9, 5}, {8, 8}, {17, 17}, {32, 32}, {32, 2}, {1, 30}};
	int64_t m = sizes[_i][0], n = sizes[_i][1];
	for (int c = 0; c < n_isa * 2 * 16; c++) {
		enum sr_dtype t = c / 16 % 2 ? SR_F64 : SR_F32;
		struct sr_lapack_params p = {.routine = SR_LAPACK_TRSM, .batch = FACTOR_BATCH, .m = m, .n = n, .uplo = c & 1 ? 'L' : 'U',
					     .side = c & 2 ? 'L' : 'R', .trans = c & 4 ? 'T' : 'N', .diag = c & 8 ? 'U' : 'N'};
		compare_factors(c / 32, t, &p);
		p.routine = SR_LAPACK_GETRF;
		if (c % 16 == 0)
			compare_factors(c / 32, t, &p);
		p.routine = SR_LAPACK_GEQRF;
		if (c % 16 == 0)
			compare_factors(c / 32, t, &p);
		p.routine = SR_LAPACK_ORGQR;
		p.k = n - c % 16;
		if (p.k > 0 && m >= n)
			compare_factors(c / 32, t, &p);
		p.routine = SR_LAPACK_POTRF;
		if (c % 16 < 2 && m == n)
			compare_factors(c / 32, t, &p);
	}
}
END_TEST

/* Cholesky factors of matrices of several panels, and the number of the first pivot that is not positive. */
START_TEST(large_cholesky)
{
	enum { MAX_N = 200 };
	static double a[MAX_N * MAX_N], factors[2][MAX_N * MAX_N];
	const int64_t n = (int64_t[]){65, 128, MAX_N}[_i % 3], bad_pivot = _i < 3 ? n : n * 2 / 3;
	for (int c = 0; c < 2 * n_isa; c++) {
		enum sr_dtype t = c % 2 ? SR_F64 : SR_F32;
		struct sr_lapack_params p = {.routine = SR_LAPACK_POTRF, .batch = 1, .n = n, .uplo = 'L'};
		int32_t status[2];
		for (int64_t e = 0; e < n * n; e++) {
			int64_t i = e / n, j = e % n;
			double v = i != j ? 1. / (double)(2 + i + j) : i == bad_pivot ? -1 : 4;
			sr_element_set(t, (char *)a + e * sr_dtype_bytes(t), 0, v, 0);
		}
		for (int k = 0; k < 2; k++)
			fast[k ? c / 2 : 0].fn[SR_KERNEL_LAPACK][t](&p, (void *[]){a, factors[k], &status[k]},
				exact_scratch(&fast[k ? c / 2 : 0], SR_KERNEL_LAPACK, t, &p), 0, 1);
		ck_assert_int_eq(status[0], bad_pivot < n ? bad_pivot + 1 : 0);
		ck_assert_int_eq(status[1], status[0]);
		for (int64_t e = 0; bad_pivot == n && e < n * n; e++)
			ck_assert_double_le(fabs(matrix_element(t, factors[0], e) - matrix_element(t, factors[1], e)),
					    t == SR_F32 ? 1e-5 : 1e-13);
	}
}
END_TEST
