/* Factorizations and triangular solves of batches of small matrices, against LAPACK on each matrix alone. Included by
 * kernels_fast.c. */
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

/* Compare with LAPACK, which computes batches of one matrix. Matrices 3 and 7 of a factorization have no valid pivots: they must
 * have LAPACK's bits. */
static void compare_factors(int isa, enum sr_dtype t, const struct sr_lapack_params *p)
{
	static double in[2][FACTOR_BUFFER], expected[3][FACTOR_BUFFER], got[3][FACTOR_BUFFER];
	bool solve = p->routine == SR_LAPACK_TRSM;
	int64_t m = p->routine == SR_LAPACK_POTRF ? p->n : p->m, order = p->side == 'L' ? p->m : p->n, bytes = sr_dtype_bytes(t);
	int64_t matrix_elements = solve ? order * order : m * p->n, diagonal = m < p->n ? m : p->n;
	int n_in = solve ? 2 : 1, n_out = sr_lapack_result_count(p->routine, t);
	int64_t sizes[] = {m * p->n * bytes, (n_out == 3 ? diagonal : 1) * 4, 4};
	struct sr_lapack_params one = *p;
	one.batch = 1;
	fill_matrices(t, (char *)in[0], solve ? order : m, solve ? order : p->n, p->routine != SR_LAPACK_GETRF, !solve);
	fill_array(t, in[1], FACTOR_BATCH * m * p->n, false);
	void *buffers[5] = {in[0], in[1]};
	for (int i = 0; i < n_out; i++)
		buffers[n_in + i] = got[i];
	fast[isa].fn[SR_KERNEL_LAPACK][t](p, buffers, exact_scratch(&fast[isa], SR_KERNEL_LAPACK, t, p), 0, FACTOR_BATCH);
	for (int64_t b = 0; b < FACTOR_BATCH; b++) {
		buffers[0] = (char *)in[0] + b * matrix_elements * bytes;
		buffers[1] = (char *)in[1] + b * m * p->n * bytes;
		for (int i = 0; i < n_out; i++)
			buffers[n_in + i] = (char *)expected[i] + b * sizes[i];
		fast[isa].fn[SR_KERNEL_LAPACK][t](&one, buffers, exact_scratch(&fast[isa], SR_KERNEL_LAPACK, t, &one), 0, 1);
	}
	for (int64_t e = 0; e < FACTOR_BATCH * m * p->n; e++) {
		double x = 0, y = 0, unused_part, tolerance = t == SR_F32 ? 2e-3 : 1e-11;
		int64_t integer, b = e / (m * p->n);
		bool is_exact = !solve && (b == 3 || b == 7);
		sr_element_get(t, (char *)expected[0] + e * bytes, &integer, &x, &unused_part);
		sr_element_get(t, (char *)got[0] + e * bytes, &integer, &y, &unused_part);
		bool equal = is_exact ? !memcmp((char *)expected[0] + e * bytes, (char *)got[0] + e * bytes, (size_t)bytes)
				   : fabs(x - y) <= tolerance * fmax(fabs(x), 1);
		sr_assert_each(equal, "routine %d of %s, %d x %d, %c%c%c%c: matrix %d, element %d: %g and %g", p->routine, sr_dtypes[t].name,
			       (int)m, (int)p->n, p->side, p->uplo, p->trans, p->diag, (int)b, (int)(e % (m * p->n)), x, y);
	}
	for (int i = 1; i < n_out; i++)
		ck_assert_mem_eq(expected[i], got[i], (size_t)(FACTOR_BATCH * sizes[i]));
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
		p.routine = SR_LAPACK_POTRF;
		if (c % 16 < 2 && m == n)
			compare_factors(c / 32, t, &p);
	}
}
END_TEST
