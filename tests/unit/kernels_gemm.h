/* The library's own matrix products and convolutions: blocks and panels with every remainder, overlapping writes of narrow
 * results, ranges of rows and of columns, for every instruction set. Included by kernels_fast.c. */
#include "kernels/kernel_chunk.h"
#include <sys/mman.h>

enum { GEMM_ELEMENTS = 1 << 19 };

static const struct gemm_case {
	int64_t batch, m, n, k;
	bool lhs_transposed, rhs_transposed;
} gemm_cases[] = {
	{1, 37, 450, 300, false, false}, {1, 21, 77, 600, true, true},  {1, 5, 1200, 40, false, false}, {1, 130, 400, 20, true,
			false},
	{1, 71, 53, 300, true, false},   {1, 140, 30, 270, true, true},
	{1, 3, 50, 0, false, false},     {1, 300, 4, 700, false, false}, {200, 3, 3, 3, false, false},   {77, 4, 4, 4, false, true},
	{50, 13, 5, 7, true, false},     {9, 1, 16, 64, false, false},   {30, 5, 1, 6, false, false},    {3, 33, 20, 65, false,
			true},
	{130, 4, 4, 4, false, false},    {61, 2, 2, 3, true, true},      {70, 5, 3, 3, false, true},     {33, 1, 16, 1, false, false},
	{90, 8, 1, 2, true, false},      {40, 2, 4, 2, false, false},    {15, 3, 3, 3, true, true},
	{1, 203, 1, 40, true, false},    {1, 37, 1, 8, false, false},    {3, 83, 1, 27, true, true},     {1, 203, 1, 601, true, false},
	{2, 0, 1, 8, false, false},
	{1, 66, 73, 301, false, true},   {1, 11, 450, 70, false, false}, {1, 16, 1200, 40, false, false}, {1, 8, 500, 100, false, false},
	{1, 7, 31, 301, false, true},    {1, 16, 50, 130, false, true},  {1, 3, 8, 64, false, true},     {2, 9, 5, 67, false, true},
	{1, 32, 40, 257, false, true},   {1, 9, 100, 259, false, true},
	{1, 5, 90, 300, true, true},     {2, 24, 77, 130, true, true},   {1, 24, 450, 70, false, false},
	{1, 31, 250, 300, true, false},  {1, 2, 1, 100, false, true},
	/* small matrices times vectors, by ranges of the length of their rows */
	{2, 21, 1, 16, false, true},     {1, 48, 1, 32, false, true},    {3, 17, 1, 33, false, true},
	{1, 48, 1, 48, false, true},     {2, 13, 1, 50, false, true},    {2, 30, 1, 64, false, true},
	{2, 30, 1, 65, false, true},
	/* more than one block of columns, and more rows than a block of results has */
	{1, 61, 620, 300, false, false}, {1, 67, 620, 270, true, true},
	{1, 530, 600, 20, true, false},  {1, 523, 600, 20, false, true},
	/* tall matrices times matrices of few columns, in groups of rows that fill a vector, and with other strides */
	{1, 203, 3, 3, false, false},    {1, 1001, 4, 4, false, true},   {1, 257, 2, 2, false, false},
	{1, 67, 2, 5, false, false},     {1, 90, 4, 9, true, false},     {1, 41, 3, 1, true, true},      {1, 5, 2, 2, false, false},
	{20, 1, 64, 70, false, false},   {9, 1, 112, 67, false, false},  {3, 1, 75, 129, false, true},
	{1, 1, 500, 200, false, false},  {1, 13, 20, 2100, false, true},
	/* right operands whose rows are four vectors, in more than one block along k */
	{2, 75, 64, 1100, false, false}, {2, 75, 32, 1100, false, false},
	{2, 1, 9, 300, false, true},     {1, 24, 70, 130, false, true},
	/* panels that are packed in blocks while the panel before is multiplied, and groups of rows */
	{1, 45, 480, 520, false, false}, {1, 45, 480, 520, false, true},
	{1, 300, 600, 24, false, true},  {1, 517, 600, 23, false, false},
};

static const struct {
	enum sr_dtype lhs, rhs, out;
} gemm_types[] = {
	{SR_F32, SR_F32, SR_F32}, {SR_F64, SR_F64, SR_F64}, {SR_F16, SR_F16, SR_F16}, {SR_BF16, SR_BF16, SR_F32},   {SR_F16,
			SR_F32, SR_F32},
	{SR_I32, SR_I32, SR_I32}, {SR_I8, SR_I8, SR_I32},   {SR_UI8, SR_I8, SR_I32},  {SR_I64, SR_I64, SR_I64},     {SR_UI32,
			SR_I16, SR_UI32},
	{SR_I8, SR_I8, SR_I8},    {SR_I4, SR_I4, SR_I32},   {SR_I32, SR_UI8, SR_I64}, {SR_UI64, SR_UI64, SR_UI64},
	{SR_F8E4M3FN, SR_F8E4M3FN, SR_F32}, {SR_F8E5M2, SR_F8E4M3FN, SR_BF16}, {SR_F6E3M2FN, SR_BF16, SR_F32},
	{SR_F32, SR_I8, SR_F32},  {SR_F32, SR_UI8, SR_F32},   {SR_F32, SR_BF16, SR_F32}, {SR_BF16, SR_I8, SR_BF16},
	{SR_F32, SR_F16, SR_F32}, {SR_BF16, SR_BF16, SR_BF16},
	{SR_F32, SR_I4, SR_F32},  {SR_I8, SR_F32, SR_F32},    {SR_I8, SR_I8, SR_F32},
};

/* Fill with values of one sign, so that no cancellation shows the order of sums. Integers of 8 bits have the highest bit set. */
static void fill_gemm(enum sr_dtype t, char *to, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		sr_element_set(t, to + i * sr_dtype_bytes(t), (int64_t)next_random() % 8 + (sr_dtypes[t].bits == 8 ? 128 : 0), 1 + (double)(next_random() % 64) / 64, 0);
}

START_TEST(own_products)
{
	enum sr_dtype lhs = gemm_types[_i].lhs, rhs = gemm_types[_i].rhs, out = gemm_types[_i].out;
	int bytes = sr_dtype_bytes(out);
	char *a = malloc(GEMM_ELEMENTS * 8), *b = malloc(GEMM_ELEMENTS * 8), *expected = malloc(GEMM_ELEMENTS * 8),
		*got = malloc(GEMM_ELEMENTS * 8);

	fill_gemm(lhs, a, GEMM_ELEMENTS);
	fill_gemm(rhs, b, GEMM_ELEMENTS);
	for (size_t i = 0; i < sizeof gemm_cases / sizeof *gemm_cases * (size_t)n_isa; i++) {
		const struct gemm_case *c = &gemm_cases[i / (size_t)n_isa];
		struct sr_product_params p = {.batch = c->batch, .m = c->m, .n = c->n, .k = c->k, .out = (int32_t)out,
					      .rhs = (int32_t)rhs};
		int64_t rows = c->batch * c->m, half_rows = rows / 2, columns = c->n / 3;
		p.lhs_batch = c->m * c->k;
		p.lhs_m = c->lhs_transposed ? 1 : c->k;
		p.lhs_k = c->lhs_transposed ? c->m : 1;
		p.rhs_batch = c->n * c->k;
		p.rhs_n = c->rhs_transposed ? c->k : 1;
		p.rhs_k = c->rhs_transposed ? 1 : c->n;
		sr_kernel_fn *f = fast[i % (size_t)n_isa].fn[SR_KERNEL_PRODUCT][lhs];
		reference.fn[SR_KERNEL_PRODUCT][lhs](&p, (void *[]){a, b, expected}, NULL, 0, rows);
		void *scratch = exact_scratch(&fast[i % (size_t)n_isa], SR_KERNEL_PRODUCT, lhs, &p);
		memset(got, 0x55, GEMM_ELEMENTS * 8);
		if (c->batch == 1 && columns) { /* compute ranges of columns, the last one first */
			struct sr_product_params columns_params = p;
			columns_params.out_m = c->n;
			columns_params.n = c->n - columns;
			f(&columns_params, (void *[]){a, b + columns * p.rhs_n * sr_dtype_bytes(rhs), got + columns * bytes},
			  scratch, 0, rows);
			columns_params.n = columns;
			f(&columns_params, (void *[]){a, b, got}, scratch, 0, rows);
		} else { /* compute ranges of rows, the last one first */
			f(&p, (void *[]){a, b, got}, scratch, half_rows, rows);
			f(&p, (void *[]){a, b, got}, scratch, 0, half_rows);
		}
		for (int64_t e = 0; e < rows * c->n; e++)
			ck_assert_msg(are_close(out, expected + e * bytes, got + e * bytes, 600), "case %d of %s: [%d]", (int)i,
				      sr_dtypes[lhs].name, (int)e);
		ck_assert(got[rows * c->n * bytes] == 0x55);
	}
	free(a), free(b), free(expected), free(got);
}
END_TEST

/* Long sums of positive terms, by each way to multiply few and many rows and columns: the error is far below that of one sum after
 * another, and the bits do not depend on the rows that are computed at once. */
START_TEST(long_sums)
{
	enum { K = 1 << 15, MAX_ROWS = 40, MAX_COLUMNS = 96 };
	static const struct { int64_t m, n; bool lhs_transposed; } cases[] = {
		{1, 64, false}, {4, 70, false}, {8, 4, true}, {20, 48, false}, {40, 96, false}, {40, 50, true},
	};
	static float a[MAX_ROWS * K], b[MAX_COLUMNS * K], got[MAX_ROWS * MAX_COLUMNS], halves[MAX_ROWS * MAX_COLUMNS];
	fill_gemm(SR_F32, (char *)a, MAX_ROWS * K);
	fill_gemm(SR_F32, (char *)b, MAX_COLUMNS * K);
	for (size_t i = 0; i < sizeof cases / sizeof *cases * (size_t)n_isa; i++) {
		int64_t m = cases[i / (size_t)n_isa].m, n = cases[i / (size_t)n_isa].n;
		bool is_transposed = cases[i / (size_t)n_isa].lhs_transposed;
		struct sr_product_params p = {.batch = 1, .m = m, .n = n, .k = K, .lhs_m = is_transposed ? 1 : K,
					      .lhs_k = is_transposed ? m : 1, .rhs_n = 1, .rhs_k = n, .out = SR_F32, .rhs = SR_F32};
		sr_kernel_fn *f = fast[i % (size_t)n_isa].fn[SR_KERNEL_PRODUCT][SR_F32];
		void *scratch = exact_scratch(&fast[i % (size_t)n_isa], SR_KERNEL_PRODUCT, SR_F32, &p);
		f(&p, (void *[]){a, b, got}, scratch, 0, m);
		f(&p, (void *[]){a, b, halves}, scratch, 0, m / 2);
		f(&p, (void *[]){a, b, halves}, scratch, m / 2, m);
		ck_assert(!memcmp(got, halves, (size_t)(m * n) * sizeof *got));
		for (int64_t e = 0; e < m * n; e += 7) {
			double sum = 0;
			for (int64_t k = 0; k < K; k++)
				sum += (double)a[e / n * p.lhs_m + k * p.lhs_k] * (double)b[k * n + e % n];
			ck_assert_msg(fabs(got[e] - sum) <= 2e-6 * sum, "case %d: [%d] = %g, not %g", (int)i,
				      (int)e, (double)got[e], sum);
		}
	}
}
END_TEST

/* Compute batches of products of small matrices with every number of rows and columns up to 17 on all instruction sets. The right
 * operands end where memory ends: kernels that read whole vectors of them read nothing beyond. Sums are exact. */
START_TEST(small_products)
{
	enum { MAX_SIDE = 17, BATCH = 5, MEMORY = 1 << 16 };
	enum sr_dtype t = _i % 2 ? SR_F64 : SR_F32;
	int bytes = sr_dtype_bytes(t);
	char *memory = mmap(NULL, 2 * MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static char a[BATCH * MAX_SIDE * MAX_SIDE * 8], expected[sizeof a], got[sizeof a + 1];
	ck_assert(memory != MAP_FAILED && !mprotect(memory + MEMORY, MEMORY, PROT_NONE));
	for (size_t i = 0; i < sizeof a / 8; i++)
		sr_element_set(t, a + i * (size_t)bytes, 0, (double)(next_random() % 9) - 4, 0);
	for (int64_t i = 0; i < MAX_SIDE * MAX_SIDE * n_isa; i++) {
		int64_t m = 1 + i / n_isa / MAX_SIDE, n = 1 + i / n_isa % MAX_SIDE, k = 1 + (int64_t)(next_random() % 9);
		bool is_shared = next_random() % 8 == 0, is_transposed = next_random() % 4 == 0;
		struct sr_product_params p = {BATCH, m, n, k, m * k, k, 1, is_shared ? 0 : k * n, is_transposed ? k : 1,
					      is_transposed ? 1 : n, t, t};
		int64_t first = next_random() % 2 ? 0 : m * BATCH / 3, last = next_random() % 2 ? m * BATCH : m * BATCH - m / 2;
		char *b = memory + MEMORY - bytes * k * n * (is_shared ? 1 : BATCH);
		for (int64_t e = 0; b + e * bytes < memory + MEMORY; e++)
			sr_element_set(t, b + e * bytes, 0, (double)(next_random() % 9) - 4, 0);
		memset(expected, 0x55, sizeof expected);
		memset(got, 0x55, sizeof got);
		reference.fn[SR_KERNEL_PRODUCT][t](&p, (void *[]){a, b, expected}, NULL, first, last);
		void *scratch = exact_scratch(&fast[i % n_isa], SR_KERNEL_PRODUCT, t, &p);
		fast[i % n_isa].fn[SR_KERNEL_PRODUCT][t](&p, (void *[]){a, b, got}, scratch, first, last);
		for (int64_t e = 0; e < BATCH * m * n; e++)
			ck_assert_msg(!memcmp(got + e * bytes, expected + e * bytes, (size_t)bytes), "%d x %d x %d: [%d]", (int)m,
				      (int)k, (int)n, (int)e);
		ck_assert(got[BATCH * m * n * bytes] == 0x55);
	}
	munmap(memory, 2 * MEMORY);
}
END_TEST

START_TEST(own_convolutions)
{
	static const enum sr_dtype types[][2] = {{SR_F64, SR_F64}, {SR_I32, SR_I32}, {SR_I8, SR_I32}, {SR_F16, SR_F32}, {SR_F8E4M3FN, SR_F32}, {SR_F32,
			SR_F32}};
	enum sr_dtype t = types[_i][0], out = types[_i][1];
	static double in[2 * 9 * 8 * 6], kernel[3 * 2 * 6 * 150], expected[2 * 20 * 20 * 150], got[2 * 20 * 20 * 150];

	fill_gemm(t, (char *)in, 2 * 9 * 8 * 6);
	fill_gemm(t, (char *)kernel, 3 * 2 * 6 * 150);
	for (int round = 0; round < 32; round++) {
		int64_t groups = round & 16 ? 3 : 1, inputs = 6 / groups, n;
		struct sr_conv_params p = {.spatial = 2, .out = (int32_t)out, .batch = 2, .in_features = 6, .out_features = 150,
					   .feature_groups = groups, .batch_groups = 1, .in = {9, 8}, .window = {3, 2},
					   .stride = {1 + (round & 1), 1}, .lhs_dilation = {1, 1 + (round >> 1 & 1)},
					   .rhs_dilation = {1 + (round >> 2 & 1), 1}, .pad_low = {1, round & 1},
					   .reversal = {(uint8_t)(round & 1), (uint8_t)(round >> 1 & 1)}, .lhs_stride = {432, 1,
							   48, 6},
					   .rhs_stride = {150, 1, 150 * inputs * 2, 150 * inputs}};
		for (int d = 0; d < 2; d++)
			p.out_shape[d] =
				((p.in[d] - 1) * p.lhs_dilation[d] + 2 * p.pad_low[d] - (p.window[d] - 1) * p.rhs_dilation[d]) / p.stride[d] + 1;
		p.out_stride[1] = round & 8 ? p.out_shape[0] * p.out_shape[1] : 1;
		p.out_stride[3] = round & 8 ? 1 : 150;
		p.out_stride[2] = p.out_stride[3] * p.out_shape[1];
		p.out_stride[0] = n = 150 * p.out_shape[0] * p.out_shape[1];
		reference.fn[SR_KERNEL_CONVOLUTION][t](&p, (void *[]){in, kernel, expected}, NULL, 0, 300);
		const struct sr_kernels *table = &fast[round % n_isa];
		void *scratch = exact_scratch(table, SR_KERNEL_CONVOLUTION, t, &p);
		table->fn[SR_KERNEL_CONVOLUTION][t](&p, (void *[]){in, kernel, got}, scratch, 0, 70);
		table->fn[SR_KERNEL_CONVOLUTION][t](&p, (void *[]){in, kernel, got}, scratch, 70, 300);
		for (int64_t e = 0, bytes = sr_dtype_bytes(out); e < 2 * n; e++)
			ck_assert_msg(are_close(out, (char *)expected + e * bytes, (char *)got + e * bytes, 600),
				      "round %d of %s: [%d]", round, sr_dtypes[t].name, (int)e);
	}
}
END_TEST

/* Chunks of few rows times a large matrix are ranges of columns, of which a kernel computes the same elements as of the product. */
START_TEST(column_chunks)
{
	enum { MAX_M = 40, N = 1300, K = 300 };
	enum sr_dtype lhs = gemm_types[_i].lhs, rhs = gemm_types[_i].rhs, out = gemm_types[_i].out;
	int bytes = sr_dtype_bytes(out);
	char *a = malloc(MAX_M * K * 8), *b = malloc(K * N * 8), *whole = malloc(MAX_M * N * 8), *got = malloc(MAX_M * N * 8);
	fill_gemm(lhs, a, MAX_M * K);
	fill_gemm(rhs, b, K * N);
	for (int64_t i = 0, m; m = (int64_t[]){1, 2, 8, 24, 40}[i / 2 % 5], i < 10 * n_isa; i++) {
		struct sr_product_params p = {.batch = 1, .m = m, .n = N, .k = K, .out = (int32_t)out, .rhs = (int32_t)rhs,
					      .lhs_m = K, .lhs_k = 1, .rhs_n = i % 2 ? K : 1, .rhs_k = i % 2 ? 1 : N};
		const struct sr_kernels *table = &fast[i / 10];
		int64_t n = sr_kernel_chunk_count(SR_KERNEL_PRODUCT, &p), columns = 0;
		void *scratch = exact_scratch(table, SR_KERNEL_PRODUCT, lhs, &p);
		ck_assert_int_eq(n, m == 40 ? 3 : m == 24 ? 2 : 1);
		table->fn[SR_KERNEL_PRODUCT][lhs](&p, (void *[]){a, b, whole}, scratch, 0, m);
		for (int64_t c = 3; c-- > 0;) {
			struct sr_kernel_chunk chunk;
			sr_kernel_get_chunk(SR_KERNEL_PRODUCT, lhs, &p, c, 3, &chunk);
			ck_assert(chunk.is_call && chunk.range == m && chunk.params.product.n >= 384);
			columns += chunk.params.product.n;
			void *buffers[] = {a + chunk.offset[0], b + chunk.offset[1], got + chunk.offset[2]};
			table->fn[SR_KERNEL_PRODUCT][lhs](&chunk.params, buffers, scratch, 0, m);
		}
		ck_assert_int_eq(columns, N);
		ck_assert_mem_eq(whole, got, (size_t)(m * N * bytes));
	}
	free(a), free(b), free(whole), free(got);
}
END_TEST
