/* Kernels that a library prepares, compared with the reference: convolutions of every form with dimensions in any order, and
 * products of narrow types. Cases that the library refuses are skipped; it must accept a minimum number of them. Included by
 * kernels_fast.c. */
#ifndef TESTS_UNIT_KERNELS_LIBRARY_H
#define TESTS_UNIT_KERNELS_LIBRARY_H

#include "kernels/fast/gemm/bf16.h"
#include "kernels/kernel_chunk.h"
#include "kernels/conv_descriptor.h"

static int64_t random_between(int64_t low, int64_t high)
{
	return low + (int64_t)(next_random() % (uint64_t)(high - low + 1));
}

/* Fill an array with numbers whose sums have no cancellation, or with integers of every size. */
static void *random_numbers(enum sr_dtype t, int64_t n)
{
	char *to = malloc((size_t)(n + 1) * (size_t)sr_dtype_bytes(t));

	for (int64_t i = 0; i < n; i++)
		sr_element_set(t, to + i * sr_dtype_bytes(t), (int64_t)(next_random() % 256),
				       1 + (double)(next_random() % 64) / 32, 0);
	return to;
}

/* Execute the kernel table's function, and the prepared kernel twice and once on other buffers. Return true if a library
 * computed it. */
static bool compare_prepared(enum sr_kernel k, enum sr_dtype t, enum sr_dtype rhs_t, enum sr_dtype out_t, const void *params,
			     const int64_t *elements, int64_t range, const char *case_name)
{
	struct sr_kernels *table = &fast[n_isa - 1];
	struct sr_prepared_kernel *prepared = table->prepare[k] ? table->prepare[k](table, t, params, range) : NULL;
	int64_t scratch_bytes = prepared ? prepared->scratch : 0, bytes = elements[2] * sr_dtype_bytes(out_t);
	void *in[] = {random_numbers(t, elements[0]), random_numbers(rhs_t, elements[1])};
	char *expected = calloc((size_t)bytes + 1, 1), *got = malloc((size_t)bytes + 64),
	     *scratch = aligned_alloc(64, (size_t)(scratch_bytes + 191) / 64 * 64);
	double tolerance = out_t == SR_BF16 ? 2 : 100;

	if (prepared)
		reference.fn[k][t](params, (void *[]){in[0], in[1], expected}, NULL, 0, range);
	for (int round = 0; prepared && round < 3; round++) {
		char *to = got + (round == 2 ? 16 : 0);
		memset(got, 0, (size_t)bytes + 16);
		memset(to + bytes, 0x5a, 16);
		memset(scratch, 0xa5, (size_t)scratch_bytes + 64);
		prepared->run(prepared, (void *[]){in[0], in[1], to}, scratch);
		for (int i = 0; i < 16; i++)
			ck_assert_msg(to[bytes + i] == 0x5a, "%s: written after the result", case_name);
		for (int i = 0; i < 64; i++)
			ck_assert_msg((unsigned char)scratch[scratch_bytes + i] == 0xa5, "%s: written after scratch", case_name);
		for (int64_t i = 0; i < elements[2]; i++) {
			const char *w = expected + i * sr_dtype_bytes(out_t), *g = to + i * sr_dtype_bytes(out_t);
			double x = 0, y = 0, imaginary;
			int64_t a = 0, b = 0;
			sr_element_get(out_t, w, &a, &x, &imaginary);
			sr_element_get(out_t, g, &b, &y, &imaginary);
			ck_assert_msg(are_close(out_t, w, g, tolerance), "%s of %s [%d of %d]: %.9g %lld, not %.9g %lld", case_name,
				      sr_dtypes[t].name, (int)i, (int)elements[2], y, (long long)b, x, (long long)a);
		}
	}
	if (prepared)
		prepared->release(prepared);
	free(in[0]), free(in[1]), free(expected), free(got), free(scratch);
	return prepared != NULL;
}

/* Check that n chunks together give the full result. */
static void check_chunks(enum sr_kernel k, enum sr_dtype t, enum sr_dtype rhs_t, enum sr_dtype out_t, const void *params,
			 const int64_t *elements, int64_t range, int64_t n)
{
	size_t bytes = (size_t)(elements[2] * sr_dtype_bytes(out_t));
	void *in[] = {random_numbers(t, elements[0]), random_numbers(rhs_t, elements[1])};
	char *unchunked = calloc(bytes + 1, 1), *chunked = calloc(bytes + 1, 1);
	int64_t total_range = 0;
	struct sr_kernel_chunk chunk;
	reference.fn[k][t](params, (void *[]){in[0], in[1], unchunked}, NULL, 0, range);
	for (int64_t i = 0; i < n; i++) {
		sr_kernel_get_chunk(k, t, params, i, n, &chunk);
		total_range += chunk.range;
		reference.fn[k][t](
		    &chunk.params,
		    (void *[]){(char *)in[0] + chunk.offset[0], (char *)in[1] + chunk.offset[1], chunked + chunk.offset[2]}, NULL,
		    0, chunk.range);
	}
	const struct sr_conv_params *conv = params;
	bool has_row_blocks = k == SR_KERNEL_CONVOLUTION && n > conv->batch && chunk.params.conv.out_features == conv->out_features;
	ck_assert_int_eq(total_range, has_row_blocks ? 2 * range : range); /* each block has the range of its image */
	ck_assert_mem_eq(unchunked, chunked, bytes + 1);
	free(in[0]), free(in[1]), free(unchunked), free(chunked);
}

/* Check that n terms of a gradient of weights or of a product have its elements as their sums. Returns false if the kernel is not
 * split into terms. */
static bool check_terms(enum sr_kernel k, enum sr_dtype t, const void *params, const int64_t *elements, int64_t range, int64_t n)
{
	struct sr_kernel_chunk chunk;
	sr_kernel_get_chunk(k, t, params, 0, n, &chunk);
	if (!chunk.term_bytes)
		return false;
	ck_assert_int_eq(chunk.term_bytes, elements[2] * (int64_t)sizeof(float));
	void *in[] = {random_numbers(t, elements[0]), random_numbers(t, elements[1])};
	float *sum = calloc((size_t)elements[2], sizeof *sum), *expected = calloc((size_t)elements[2], sizeof *sum),
	      *terms = calloc((size_t)(elements[2] * n), sizeof *terms);
	reference.fn[k][t](params, (void *[]){in[0], in[1], expected}, NULL, 0, range);
	for (int64_t i = 0; i < n; i++) {
		sr_kernel_get_chunk(k, t, params, i, n, &chunk);
		void *buffers[] = {(char *)in[0] + chunk.offset[0], (char *)in[1] + chunk.offset[1],
				   i ? terms + (i - 1) * elements[2] : sum};
		reference.fn[k][t](&chunk.params, buffers, NULL, 0, chunk.range);
	}
	sr_kernel_add_terms(sum, terms, elements[2], n, 0, elements[2]);
	for (int64_t i = 0; i < elements[2]; i++)
		ck_assert_float_eq_tol(sum[i], expected[i], 1e-3f * (1 + (sum[i] < 0 ? -sum[i] : sum[i])));
	free(in[0]), free(in[1]), free(sum), free(expected), free(terms);
	return true;
}

/* Products with a small result and long sums are divided into terms of the sums, whatever the strides of the operands are. */
START_TEST(product_terms)
{
	enum { M = 50, N = 64, K = 5000 };
	struct sr_product_params p = {.batch = 1, .m = M, .n = N, .k = K, .rhs = _i & 4 ? SR_BF16 : SR_F32, .out = SR_F32,
				      .lhs_m = _i & 1 ? 1 : K, .lhs_k = _i & 1 ? M : 1,
				      .rhs_n = _i & 2 ? K : 1, .rhs_k = _i & 2 ? 1 : N};
	enum sr_dtype t = (enum sr_dtype)p.rhs;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_PRODUCT, &p), 4);
	ck_assert(check_terms(SR_KERNEL_PRODUCT, t, &p, (int64_t[]){M * K, K * N, M * N}, M, 4));
	p.k = M * 8; /* short sums */
	ck_assert_int_lt(sr_kernel_chunk_count(SR_KERNEL_PRODUCT, &p), 4);
	p.k = K, p.out = SR_BF16;
	ck_assert_int_lt(sr_kernel_chunk_count(SR_KERNEL_PRODUCT, &p), 4);
}
END_TEST

/* Set the dense strides of n dimensions in a random order; return the number of elements. */
static int64_t shuffle_strides(const int64_t *shape, int n, int64_t *strides)
{
	int order[SR_KERNEL_MAX_RANK];
	int64_t next_stride = 1;

	for (int i = 0; i < n; i++)
		order[i] = i;
	for (int i = n - 1; i > 0; i--) {
		int k = (int)random_between(0, i), o = order[i];
		order[i] = order[k], order[k] = o;
	}
	if (random_between(0, 1)) /* make the channel dimension the last one in memory, as libraries prefer */
		for (int i = 0; i < n; i++)
			order[i] = i == 0 ? 1 : i == n - 1 ? 0 : n - i;
	for (int i = 0; i < n; i++) {
		strides[order[i]] = next_stride;
		next_stride *= shape[order[i]];
	}
	return next_stride;
}

enum { PLAIN, DILATED, GRADIENT, GROUPS, BATCH_GROUPS, ANYTHING, FORMS };

/* Set random parameters of a convolution of this form; return false if the result has no elements. */
static bool random_convolution(struct sr_conv_params *p, int form, int64_t *elements)
{
	int64_t groups = random_between(2, 4), shape[SR_KERNEL_MAX_RANK];
	int n = (int)random_between(form == PLAIN ? 0 : 1, 3);

	*p = (struct sr_conv_params){.spatial = n, .batch = random_between(1, 3), .feature_groups = 1, .batch_groups = 1};
	p->in_features = random_between(1, 20), p->out_features = random_between(1, 20);
	if (form == GROUPS)
		p->feature_groups = groups, p->in_features = groups * random_between(1, 3), p->out_features = groups * random_between(1, 3);
	if (form == BATCH_GROUPS)
		p->batch_groups = groups, p->out_features = groups * random_between(1, 3);
	for (int d = 0; d < n; d++) {
		p->in[d] = random_between(1, d ? 9 : 20);
		p->window[d] = random_between(1, form == GRADIENT || form == BATCH_GROUPS ? (d ? 8 : 18) : 4);
		p->stride[d] = form == DILATED ? 1 : random_between(1, 3);
		p->lhs_dilation[d] = form == DILATED || (form == ANYTHING && random_between(0, 1)) ? random_between(1, 3) : 1;
		p->rhs_dilation[d] = random_between(1, 2);
		p->pad_low[d] = random_between(-2, 3);
		p->reversal[d] = form == GRADIENT || form == BATCH_GROUPS ? 0 : (uint8_t)random_between(0, 1);
		int64_t last_window = (p->in[d] - 1) * p->lhs_dilation[d] + 1 + p->pad_low[d] + random_between(-2, 3) -
				      (p->window[d] - 1) * p->rhs_dilation[d] - 1;
		if (last_window < 0)
			return false;
		p->out_shape[d] = last_window / p->stride[d] + 1;
	}
	shape[0] = p->batch * p->batch_groups, shape[1] = p->in_features, memcpy(shape + 2, p->in, sizeof *shape * (size_t)n);
	elements[0] = shuffle_strides(shape, n + 2, p->lhs_stride);
	shape[0] = p->in_features / p->feature_groups, shape[1] = p->out_features, memcpy(shape + 2, p->window, sizeof *shape * (size_t)n);
	elements[1] = shuffle_strides(shape, n + 2, p->rhs_stride);
	shape[0] = p->batch, memcpy(shape + 2, p->out_shape, sizeof *shape * (size_t)n);
	elements[2] = shuffle_strides(shape, n + 2, p->out_stride);
	return true;
}

static const struct {
	enum sr_dtype in, out;
} conv_types[] = {{SR_F32, SR_F32}, {SR_BF16, SR_BF16}, {SR_BF16, SR_F32}, {SR_F16, SR_F16}, {SR_I8, SR_I32}, {SR_F64, SR_F64}};

/* Return true if the images can be divided into two blocks of rows, which are the window's rows in a gradient of weights. */
static bool has_two_blocks(const struct sr_conv_params *p, bool is_gradient)
{
	if (!p->spatial)
		return false;
	int64_t span = 1 + (is_gradient ? (p->out_shape[0] - 1) * p->stride[0] : (p->window[0] - 1) * p->rhs_dilation[0]);
	int64_t rows = is_gradient ? p->window[0] : p->out_shape[0], step = is_gradient ? p->rhs_dilation[0] : p->stride[0];
	int64_t pad_high = (rows - 1) * step + span - p->pad_low[0] - p->in[0];
	return p->lhs_dilation[0] == 1 && rows >= 8 && p->pad_low[0] < span && pad_high < span;
}

static int count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int n = 0;
	while (tasks && readdir(tasks))
		n++;
	if (tasks)
		closedir(tasks);
	return n;
}

START_TEST(library_convolutions)
{
	int n_before = count_threads();
	enum sr_dtype t = conv_types[_i].in, out = conv_types[_i].out;
	int n_taken[FORMS] = {0}, kinds[3] = {0}, n_terms = 0, n_blocks[2] = {0};

	seed = 2; /* the same convolutions whatever other tests run before, since some forms are rare */
	for (int round = 0; round < 800; round++) {
		struct sr_conv_params p;
		struct sr_conv_descriptor f;
		int64_t elements[3];
		char case_name[160];
		int form = round % FORMS;
		if (!random_convolution(&p, form, elements))
			continue;
		p.out = (int32_t)out;
		snprintf(case_name, sizeof case_name, "convolution %d (form %d, %d spatial, %d x %d features, pad %d)", round, form,
			 p.spatial, (int)p.in_features, (int)p.out_features, (int)p.pad_low[0]);
		int64_t range = p.batch * p.out_features;
		bool is_gradient = out == SR_F32 && check_terms(SR_KERNEL_CONVOLUTION, t, &p, elements, range, p.in_features);
		if (is_gradient)
			n_terms++;
		else if (p.batch_groups == 1)
			check_chunks(SR_KERNEL_CONVOLUTION, t, t, out, &p, elements, range, p.batch);
		if (p.batch_groups == 1 && has_two_blocks(&p, is_gradient)) {
			n_blocks[is_gradient]++;
			if (is_gradient)
				check_terms(SR_KERNEL_CONVOLUTION, t, &p, elements, range, 2 * p.in_features);
			else
				check_chunks(SR_KERNEL_CONVOLUTION, t, t, out, &p, elements, range, 2 * p.batch);
			struct sr_kernel_chunk chunk;
			sr_kernel_get_chunk(SR_KERNEL_CONVOLUTION, t, &p, 0, 2 * (is_gradient ? p.in_features : p.batch), &chunk);
			compare_prepared(SR_KERNEL_CONVOLUTION, t, t, out, &chunk.params, elements, chunk.range, case_name);
		}
		if (!compare_prepared(SR_KERNEL_CONVOLUTION, t, t, out, &p, elements, range, case_name))
			continue;
		n_taken[form]++;
		ck_assert(sr_conv_describe(&p, &f));
		kinds[f.kind]++;
	}
	for (int i = 0; sr_dnnl_is_open() && t == SR_F32 && i < FORMS; i++)
		ck_assert_msg(n_taken[i] > 3 && kinds[i % 3] > 3, "form %d: %d taken", i, n_taken[i]);
	ck_assert(out != SR_F32 || n_terms > 3);
	ck_assert_msg(t != SR_F32 || n_blocks[1] > 3, "%d gradients in blocks", n_blocks[1]);
	ck_assert_int_gt(n_blocks[0], 3);
	ck_assert_int_eq(count_threads(), n_before); /* the library must not start threads */
}
END_TEST

/* 8-bit convolutions of 8 output channels in groups, with sums of 8 terms and the weights of each channel together. */
START_TEST(library_convolutions_of_8_by_8)
{
	for (int64_t groups = 2; groups <= 8; groups *= 2)
		for (int64_t in = 1; in <= 8; in *= 2) {
			int64_t window = 8 / in, features = groups * in, elements[] = {15 * features, 64, (16 - window) * 8};
			struct sr_conv_params p = {
				.spatial = 1, .out = SR_I32, .batch = 1, .in_features = features, .out_features = 8,
				.feature_groups = groups, .batch_groups = 1, .in = {15}, .window = {window},
				.out_shape = {16 - window}, .stride = {1}, .lhs_dilation = {1}, .rhs_dilation = {1}, .lhs_stride = {15 * features, 1, features},
				.rhs_stride = {1, 8, in}, .out_stride = {8 * (16 - window), 1, 8}};
			compare_prepared(SR_KERNEL_CONVOLUTION, SR_I8, SR_I8, SR_I32, &p, elements, 8, "8 x 8 weights");
		}
}
END_TEST

/* A depthwise convolution along one dimension is described with two spatial dimensions: the signal's is the second one, or the
 * first one if the window is dilated. Results equal the reference's. */
START_TEST(library_depthwise_of_one_dimension)
{
	enum { N = 50, CHANNELS = 16, WINDOW = 3 };
	for (int64_t dilation = 1; dilation <= 9; dilation += 8)
		for (int has_row = 0; has_row < 2; has_row++) {
			struct sr_conv_descriptor f;
			struct sr_conv_params p = {.spatial = 1 + has_row, .out = SR_F32, .batch = 2, .in_features = CHANNELS,
						   .out_features = CHANNELS, .feature_groups = CHANNELS, .batch_groups = 1,
						   .lhs_stride = {N * CHANNELS, 1}, .rhs_stride = {1, WINDOW},
						   .out_stride = {N * CHANNELS, 1}};
			for (int d = 0; d <= has_row; d++) {
				bool is_row = d < has_row;
				p.in[d] = p.out_shape[d] = is_row ? 1 : N, p.window[d] = is_row ? 1 : WINDOW;
				p.stride[d] = p.lhs_dilation[d] = 1, p.rhs_dilation[d] = is_row ? 1 : dilation;
				p.pad_low[d] = is_row ? 0 : dilation;
				p.lhs_stride[2 + d] = p.out_stride[2 + d] = CHANNELS, p.rhs_stride[2 + d] = 1;
			}
			int signal_dim = dilation == 1;
			ck_assert(sr_conv_describe(&p, &f));
			ck_assert_int_eq(f.spatial, 2);
			ck_assert_int_eq(f.source.dims[2 + signal_dim], N);
			ck_assert_int_eq(f.source.dims[3 - signal_dim], 1);
			ck_assert_int_eq(f.dilation[signal_dim], dilation);
			ck_assert_int_eq(f.pad_high[signal_dim], dilation);
			int64_t elements[] = {2 * N * CHANNELS, WINDOW * CHANNELS, 2 * N * CHANNELS};
			compare_prepared(SR_KERNEL_CONVOLUTION, SR_F32, SR_F32, SR_F32, &p, elements, 2 * CHANNELS, "depthwise");
		}
}
END_TEST

/* The gradient of the weights of a convolution of signals, images of one row, is divided by signals. */
START_TEST(library_gradient_of_signals)
{
	enum { SIGNALS = 4, N = 1600, IN_CHANNELS = 192, OUT_CHANNELS = 96, TAPS = 9 };
	struct sr_conv_params p = {.spatial = 2, .out = SR_F32, .batch = IN_CHANNELS, .in_features = SIGNALS, .out_features = OUT_CHANNELS,
				   .feature_groups = 1, .batch_groups = 1, .in = {1, N}, .window = {1, N}, .out_shape = {1, TAPS},
				   .stride = {1, 1}, .lhs_dilation = {1, 1}, .rhs_dilation = {1, 1}, .pad_low = {0, TAPS / 2},
				   .lhs_stride = {1, N * IN_CHANNELS, N * IN_CHANNELS, IN_CHANNELS},
				   .rhs_stride = {N * OUT_CHANNELS, 1, N * OUT_CHANNELS, OUT_CHANNELS},
				   .out_stride = {OUT_CHANNELS, 1, TAPS * IN_CHANNELS * OUT_CHANNELS, IN_CHANNELS * OUT_CHANNELS}};
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), SIGNALS);
}
END_TEST

enum { IMAGES = 3, HEIGHT = 15, WIDTH = 13, IN = 32, OUT = 48 };
enum { N_X = IMAGES * HEIGHT * WIDTH * IN, N_Y = N_X / IN * OUT, N_W = 9 * IN * OUT };

/* Set the parameters of a 3x3 convolution, or of the gradient of its weights. */
static void set_winograd_convolution(struct sr_conv_params *p, bool is_gradient, bool is_reversed)
{
	*p = (struct sr_conv_params){.spatial = 2, .out = SR_F32, .feature_groups = 1, .batch_groups = 1, .winograd = 1,
				     .in = {HEIGHT, WIDTH}, .stride = {1, 1}, .pad_low = {1, 1}, .lhs_dilation = {1, 1},
				     .rhs_dilation = {1, 1}, .reversal = {is_reversed, is_reversed}, .out_features = OUT};
	int64_t x[] = {HEIGHT * WIDTH * IN, 1, WIDTH * IN, IN}, y[] = {HEIGHT * WIDTH * OUT, 1, WIDTH * OUT, OUT},
		w[] = {OUT, 1, 3 * IN * OUT, IN * OUT};
	p->batch = is_gradient ? IN : IMAGES, p->in_features = is_gradient ? IMAGES : IN;
	for (int d = 0; d < 2; d++) {
		p->window[d] = is_gradient ? p->in[d] : 3, p->out_shape[d] = is_gradient ? 3 : p->in[d];
		p->lhs_stride[d] = x[is_gradient ? 1 - d : d];
	}
	memcpy(p->lhs_stride + 2, x + 2, 2 * sizeof *x);
	memcpy(p->rhs_stride, is_gradient ? y : w, sizeof y);
	memcpy(p->out_stride, is_gradient ? w : y, sizeof y);
}

/* Run the prepared kernel and write its result. Returns the scratch bytes, -1 if no library computes it. */
static int64_t run_prepared_convolution(const struct sr_conv_params *p, float *x, float *rhs, float *out)
{
	struct sr_kernels *table = &fast[n_isa - 1];
	struct sr_prepared_kernel *prepared = table->prepare[SR_KERNEL_CONVOLUTION]
		? table->prepare[SR_KERNEL_CONVOLUTION](table, SR_F32, p, p->batch * p->out_features) : NULL;
	if (!prepared)
		return -1;
	int64_t bytes = prepared->scratch;
	void *scratch = aligned_alloc(64, (size_t)(bytes + 127) / 64 * 64);
	prepared->run(prepared, (void *[]){x, rhs, out}, scratch);
	prepared->release(prepared);
	free(scratch);
	return bytes;
}

/* Winograd's algorithm gives the results of direct convolution except for rounding, and the same bits where an infinity or NaN is
 * near. Its scratch is within the plan's. */
START_TEST(winograd_convolutions)
{
	bool is_gradient = _i == 2, has_winograd = sr_dnnl_is_open() && sr_isa_detect() >= SR_ISA_AVX512;
	int n = is_gradient ? N_W : N_Y;
	struct sr_conv_params p, direct;
	float *x = random_numbers(SR_F32, N_X), *rhs = random_numbers(SR_F32, is_gradient ? N_Y : N_W);
	float *expected = calloc((size_t)n, sizeof *expected), *got = calloc((size_t)n, sizeof *got);

	set_winograd_convolution(&p, is_gradient, _i == 1);
	ck_assert(sr_conv_may_use_winograd(SR_F32, &p));
	direct = p, direct.winograd = 0;
	if (run_prepared_convolution(&direct, x, rhs, expected) >= 0) {
		int64_t scratch = run_prepared_convolution(&p, x, rhs, got);
		ck_assert_int_ge(scratch, 0);
		ck_assert_int_le(scratch, sr_kernel_planned_scratch(SR_KERNEL_CONVOLUTION, SR_F32, &p));
		for (int i = 0; i < n; i++)
			ck_assert_msg(are_close(SR_F32, &expected[i], &got[i], 100), "%d: %.9g, not %.9g", i, (double)got[i],
				      (double)expected[i]);
		ck_assert(!has_winograd || memcmp(expected, got, (size_t)n * sizeof *got));
		x[N_X / 2] = INFINITY, x[N_X / 3] = NAN;
		run_prepared_convolution(&direct, x, rhs, expected);
		run_prepared_convolution(&p, x, rhs, got);
		ck_assert_mem_eq(expected, got, (size_t)n * sizeof *got);
	}
	free(x), free(rhs), free(expected), free(got);
}
END_TEST

/* Shapes for which Winograd's transforms cost more than they save are computed directly. */
START_TEST(winograd_shapes)
{
	struct sr_conv_params p, q;
	set_winograd_convolution(&p, false, false);
	q = p, q.batch = 1; /* too few tiles */
	ck_assert(!sr_conv_may_use_winograd(SR_F32, &q));
	q = p, q.stride[0] = 2, q.out_shape[0] = (HEIGHT + 1) / 2;
	ck_assert(!sr_conv_may_use_winograd(SR_F32, &q));
	q = p, q.window[1] = 2;
	ck_assert(!sr_conv_may_use_winograd(SR_F32, &q));
	q = p, q.in_features = 16;
	ck_assert(!sr_conv_may_use_winograd(SR_F32, &q));
	q = p, q.out_features = 40;
	ck_assert(!sr_conv_may_use_winograd(SR_F32, &q));
	ck_assert(!sr_conv_may_use_winograd(SR_BF16, &p));
	ck_assert(sr_conv_may_use_winograd(SR_F32, &p));
	q = p, q.batch = 48, q.in_features = q.out_features = 512; /* 16 tiles per image, 128 per chunk */
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &q), 6);
	q.winograd = 0;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &q), 46);
}
END_TEST

/* Convolutions of some milliseconds on one thread have several chunks: those of few terms, and gradients of weights. Images with
 * fewer FLOPs than the copy of the weights takes stay together. */
START_TEST(small_convolution_chunks)
{
	struct sr_conv_params p = {.spatial = 2, .out = SR_F32, .batch = 16, .in_features = 64, .out_features = 64,
				   .feature_groups = 64, .batch_groups = 1, .in = {58, 58}, .window = {3, 3},
				   .out_shape = {56, 56}, .stride = {1, 1}, .lhs_dilation = {1, 1}, .rhs_dilation = {1, 1},
				   .lhs_stride = {58 * 58 * 64, 1, 58 * 64, 64},
				   .rhs_stride = {64, 1, 3 * 64, 64}, .out_stride = {56 * 56 * 64, 1, 56 * 64, 64}};
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 8);
	p.batch = 5;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 3);
	p.batch = 1;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 1);
	p.batch = 4, p.feature_groups = 1, p.out_shape[0] = p.out_shape[1] = 32;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 4);
	p.winograd = 1;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 1);
	p.batch = 16, p.winograd = 0, p.in_features = p.out_features = 512, p.out_shape[0] = p.out_shape[1] = 2;
	p.in[0] = p.in[1] = 4, p.rhs_stride[0] = 512, p.rhs_stride[2] = 3 * 512 * 512, p.rhs_stride[3] = 512 * 512;
	p.lhs_stride[0] = 16 * 512, p.lhs_stride[2] = 4 * 512, p.lhs_stride[3] = 512;
	p.out_stride[0] = 4 * 512, p.out_stride[2] = 2 * 512, p.out_stride[3] = 512;
	p.out_features = 48; /* with more features, chunks have some of them */
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 1);
}
END_TEST

/* Convolutions with more weights than data are divided by output features: forward, and the gradients of the data of a strided
 * convolution and of the weights, with channels first and last. */
START_TEST(feature_chunks)
{
	enum { DATA_CHANNELS = 32, FEATURES = 2080, SIDE = 8 };
	bool is_gradient = _i / 2 == 2, has_channels_last = _i % 2;
	int64_t side = _i / 2 == 1 ? SIDE / 2 : SIDE, image = SIDE * SIDE;
	struct sr_conv_params p = {.spatial = 2, .out = SR_F32, .batch = 1, .in_features = DATA_CHANNELS, .out_features = FEATURES,
				   .feature_groups = 1, .batch_groups = 1, .in = {side, side}, .window = {4, 4}, .stride = {1, 1},
				   .lhs_dilation = {SIDE / side, SIDE / side}, .rhs_dilation = {1, 1}, .pad_low = {2, 2}};
	int64_t x[] = {DATA_CHANNELS * side * side, side * side, side, 1};
	int64_t w[] = {FEATURES, 1, 4 * DATA_CHANNELS * FEATURES, DATA_CHANNELS * FEATURES};
	int64_t y[] = {FEATURES * image, image, SIDE, 1};
	if (has_channels_last)
		x[1] = 1, x[2] = side * DATA_CHANNELS, x[3] = DATA_CHANNELS, y[1] = 1, y[2] = SIDE * FEATURES, y[3] = FEATURES;
	p.out_shape[0] = p.out_shape[1] = SIDE;
	if (is_gradient) { /* images are features */
		int64_t image_stride = x[0];
		p.batch = DATA_CHANNELS, p.in_features = 1, x[0] = x[1], x[1] = image_stride;
		for (int d = 0; d < 2; d++)
			p.window[d] = SIDE, p.out_shape[d] = 4;
	}
	memcpy(p.lhs_stride, x, sizeof x);
	memcpy(p.rhs_stride, is_gradient ? y : w, sizeof y);
	memcpy(p.out_stride, is_gradient ? w : y, sizeof y);
	int64_t elements[] = {DATA_CHANNELS * side * side, FEATURES * (is_gradient ? image : DATA_CHANNELS * 16),
			      FEATURES * (is_gradient ? DATA_CHANNELS * 16 : image)};
	int64_t n = sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p);
	ck_assert_int_eq(n, 2);
	check_chunks(SR_KERNEL_CONVOLUTION, SR_F32, SR_F32, SR_F32, &p, elements, p.batch * p.out_features, n);
	struct sr_kernel_chunk chunk;
	sr_kernel_get_chunk(SR_KERNEL_CONVOLUTION, SR_F32, &p, n - 1, n, &chunk);
	ck_assert_int_eq(chunk.params.conv.out_features, FEATURES / 2);
	ck_assert_int_eq(chunk.term_bytes, 0);
	ck_assert(compare_prepared(SR_KERNEL_CONVOLUTION, SR_F32, SR_F32, SR_F32, &chunk.params, elements, chunk.range, "chunk") ||
		  !sr_dnnl_is_open());
}
END_TEST

/* Set random parameters of the gradient of a depthwise convolution's weights, with channels first or last. Returns the elements of
 * the gradients in g. */
static void random_depthwise_gradient(struct sr_conv_params *p, int64_t *x, int64_t *g, int64_t *w)
{
	int64_t channels = random_between(2, 40), images = random_between(1, 3);
	bool is_last = random_between(0, 1);
	*p = (struct sr_conv_params){.spatial = (int32_t)random_between(1, 2), .out = SR_F32, .batch = 1, .in_features = images,
				     .out_features = channels, .feature_groups = 1, .batch_groups = channels};
	*x = *g = *w = is_last ? channels : 1;
	for (int d = p->spatial - 1; d >= 0; d--) {
		p->window[d] = random_between(1, 20), p->out_shape[d] = random_between(d ? 1 : 4, 11);
		p->stride[d] = random_between(1, 2), p->rhs_dilation[d] = random_between(1, 3), p->lhs_dilation[d] = 1;
		p->pad_low[d] = random_between(-2, 4);
		int64_t padded = (p->out_shape[d] - 1) * p->stride[d] + (p->window[d] - 1) * p->rhs_dilation[d] + 1;
		p->in[d] = padded - p->pad_low[d] - random_between(-2, 4);
		p->in[d] = p->in[d] > 1 ? p->in[d] : 1;
		p->lhs_stride[2 + d] = *x, p->rhs_stride[2 + d] = *g, p->out_stride[2 + d] = *w;
		*x *= p->in[d], *g *= p->window[d], *w *= p->out_shape[d];
	}
	p->lhs_stride[0] = is_last ? 1 : *x, p->rhs_stride[1] = is_last ? 1 : *g, p->out_stride[1] = is_last ? 1 : *w;
	*x *= is_last ? 1 : channels, *g *= is_last ? 1 : channels, *w *= is_last ? 1 : channels;
	p->lhs_stride[1] = *x, p->rhs_stride[0] = *g, p->out_stride[0] = *w;
	*x *= images, *g *= images;
}

START_TEST(depthwise_gradients)
{
	int n_own = 0;
	for (int round = 0; round < 120; round++) {
		struct sr_conv_params p;
		int64_t x, g, w;
		random_depthwise_gradient(&p, &x, &g, &w);
		float *in = malloc((size_t)x * sizeof *in), *gradients = malloc((size_t)g * sizeof *in);
		float *expected = malloc((size_t)w * sizeof *in), *got = malloc((size_t)w * sizeof *in);
		fill_gemm(SR_F32, (char *)in, x);
		fill_gemm(SR_F32, (char *)gradients, g);
		reference.fn[SR_KERNEL_CONVOLUTION][SR_F32](&p, (void *[]){in, gradients, expected}, NULL, 0, p.out_features);
		n_own += sr_conv_is_depthwise_gradient(SR_F32, &p);
		const struct sr_kernels *table = &fast[round % n_isa];
		void *scratch = exact_scratch(table, SR_KERNEL_CONVOLUTION, SR_F32, &p);
		int64_t middle = random_between(0, p.out_features);
		table->fn[SR_KERNEL_CONVOLUTION][SR_F32](&p, (void *[]){in, gradients, got}, scratch, 0, middle);
		table->fn[SR_KERNEL_CONVOLUTION][SR_F32](&p, (void *[]){in, gradients, got}, scratch, middle, p.out_features);
		for (int64_t e = 0; e < w; e++)
			ck_assert_msg(are_close(SR_F32, &expected[e], &got[e], 600), "round %d: [%d]", round, (int)e);
		free(in), free(gradients), free(expected), free(got);
	}
	ck_assert_int_gt(n_own, 60);
}
END_TEST

/* Gradients of depthwise convolutions' weights are divided by channels, if a library does not copy parts of them. */
START_TEST(group_chunks)
{
	enum { CHANNELS = 80, SIDE = 40, N_IMAGES = 3 };
	struct sr_conv_params p = {.spatial = 2, .out = SR_F32, .batch = 1, .in_features = N_IMAGES, .out_features = CHANNELS,
				   .feature_groups = 1, .batch_groups = CHANNELS, .in = {SIDE, SIDE}, .window = {SIDE, SIDE},
				   .out_shape = {5, 5}, .stride = {1, 1}, .pad_low = {2, 2},
				   .lhs_dilation = {1, 1}, .rhs_dilation = {1, 1},
				   .lhs_stride = {SIDE * SIDE, CHANNELS * SIDE * SIDE, SIDE, 1},
				   .rhs_stride = {CHANNELS * SIDE * SIDE, SIDE * SIDE, SIDE, 1},
				   .out_stride = {25 * CHANNELS, 1, 5 * CHANNELS, CHANNELS}};
	int64_t data = N_IMAGES * CHANNELS * SIDE * SIDE, n = sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p);
	struct sr_kernel_chunk chunk;
	ck_assert_int_eq(n, 2);
	check_chunks(SR_KERNEL_CONVOLUTION, SR_F32, SR_F32, SR_F32, &p, (int64_t[]){data, data, 25 * CHANNELS}, CHANNELS, n);
	sr_kernel_get_chunk(SR_KERNEL_CONVOLUTION, SR_F32, &p, 0, n, &chunk);
	ck_assert(chunk.is_call);
	p.lhs_stride[0] = 1, p.lhs_stride[2] = SIDE * CHANNELS, p.lhs_stride[3] = CHANNELS, p.out_shape[1] = 3;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 1);
}
END_TEST

/* One to three images are divided into blocks of rows, also in the gradient of the weights, but not those of a strided gradient. */
START_TEST(row_blocks)
{
	struct sr_conv_params p = {.spatial = 2, .out = SR_F32, .batch = 1, .in_features = 64, .out_features = 64,
				   .feature_groups = 1, .batch_groups = 1, .in = {56, 56}, .window = {3, 3}, .out_shape = {56, 56},
				   .stride = {1, 1}, .pad_low = {1, 1}, .lhs_dilation = {1, 1}, .rhs_dilation = {1, 1},
				   .lhs_stride = {56 * 56 * 64, 1, 56 * 64, 64}, .rhs_stride = {64, 1, 3 * 64 * 64, 64 * 64},
				   .out_stride = {56 * 56 * 64, 1, 56 * 64, 64}}, gradient = p;
	struct sr_kernel_chunk chunk;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 2);
	p.batch = 3;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 6);
	p.batch = 1, p.out_shape[0] = 7;
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), 1);
	p.in[0] = 28, p.out_shape[0] = 56, p.lhs_dilation[0] = 2; /* gradient of a strided convolution */
	sr_kernel_get_chunk(SR_KERNEL_CONVOLUTION, SR_F32, &p, 0, sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &p), &chunk);
	ck_assert_int_eq(chunk.params.conv.out_shape[0], 56);
	ck_assert_int_eq(chunk.params.conv.out_features, 32);
	gradient.batch = 64, gradient.in_features = 1, gradient.out_shape[0] = gradient.out_shape[1] = 3;
	gradient.window[0] = gradient.window[1] = 56;
	gradient.lhs_stride[0] = 1, gradient.lhs_stride[1] = 56 * 56 * 64;
	memcpy(gradient.rhs_stride, p.out_stride, sizeof p.out_stride);
	memcpy(gradient.out_stride, p.rhs_stride, sizeof p.rhs_stride);
	ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, &gradient), 2);
}
END_TEST

/* Convolutions with empty sums or empty results have the reference's results. */
START_TEST(library_convolution_empty)
{
	for (int empty = 0; empty < 5; empty++) {
		struct sr_conv_params p = {.spatial = 1, .out = SR_F32, .batch = empty != 0, .in_features = empty != 1, .out_features = empty != 2,
					   .feature_groups = 1, .batch_groups = 1, .in = {empty != 3}, .window = {1}, .out_shape = {empty != 4},
					   .stride = {1}, .lhs_dilation = {1}, .rhs_dilation = {1}, .lhs_stride = {1, 1, 1}, .rhs_stride = {1, 1, 1},
					   .out_stride = {1, 1, 1}};
		ck_assert(!compare_prepared(SR_KERNEL_CONVOLUTION, SR_F32, SR_F32, SR_F32, &p, (int64_t[]){1, 1, 1}, 1, "an empty convolution"));
	}
}
END_TEST

/* Check whether oneDNN computes an f32 product on a machine with AVX-512; on others it need not. */
static void check_library_computes(const struct sr_product_params *p, bool is_expected)
{
	const struct sr_kernels *table = &fast[n_isa - 1];
	struct sr_prepared_kernel *prepared =
		table->prepare[SR_KERNEL_PRODUCT] ? table->prepare[SR_KERNEL_PRODUCT](table, SR_F32, p, p->m) : NULL;
	if (sr_dnnl_is_open() && sr_isa_detect() >= SR_ISA_AVX512)
		ck_assert_int_eq(prepared != NULL, is_expected);
	if (prepared)
		prepared->release(prepared);
}

/* oneDNN does not compute f32 products of a transposed left operand if an operand's rows are distant and the result is too small
 * for oneDNN to pack both operands: kernels/fast/gemm is faster. */
START_TEST(library_leaves_products_of_distant_rows)
{
	static const struct {
		int64_t m, k, n, lhs_k, rhs_k;
		bool is_left;
	} cases[] = {
		{256, 1024, 768, 1536, 768, true}, {256, 1024, 1536, 768, 1536, true}, {256, 1024, 768, 768, 768, false},
		{1536, 1024, 768, 1536, 768, false}, {1024, 4096, 768, 2048, 768, false}, {2048, 64, 64, 2048, 64, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sr_product_params p = {.batch = 1, .m = cases[i].m, .n = cases[i].n, .k = cases[i].k, .lhs_m = 1, .rhs_n = 1,
					      .lhs_k = cases[i].lhs_k, .rhs_k = cases[i].rhs_k, .out = SR_F32, .rhs = SR_F32};
		check_library_computes(&p, !cases[i].is_left);
	}
}
END_TEST

/* oneDNN does not compute f32 products with few columns, nor with deep right operands that it packs, nor few rows times a long and
 * shallow right operand that is contiguous along k: kernels/fast/gemm packs operands in less time. */
START_TEST(library_leaves_products_that_it_packs_slowly)
{
	static const struct {
		int64_t m, k, n;
		bool is_transposed, is_left;
	} cases[] = {
		{128, 4096, 64, false, true}, {128, 4096, 128, false, false}, {128, 1024, 256, true, true},
		{128, 128, 512, true, false}, {128, 256, 500, true, true}, {128, 512, 1024, false, true},
		{128, 512, 768, false, false}, {1024, 512, 1024, false, false},
		{128, 64, 4096, true, true}, {128, 64, 1024, true, false}, {256, 64, 4096, true, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool is_transposed = cases[i].is_transposed;
		struct sr_product_params p = {.batch = 1, .m = cases[i].m, .n = cases[i].n, .k = cases[i].k, .lhs_m = cases[i].k, .lhs_k = 1,
					      .rhs_n = is_transposed ? cases[i].k : 1, .rhs_k = is_transposed ? 1 : cases[i].n,
					      .out = SR_F32, .rhs = SR_F32};
		check_library_computes(&p, !cases[i].is_left);
	}
}
END_TEST

static char *volatile stack_address; /* address in the frame that runs the product */
static pthread_t product_thread; /* thread that runs the product; libraries may have others that take signals */
static volatile sig_atomic_t n_signals, is_off_stack;

static void check_stack(int signal)
{
	enum { MAX_STACK_BYTES = 1 << 20 };
	char here;
	ptrdiff_t distance = stack_address - &here;
	(void)signal;
	n_signals++;
	is_off_stack |= pthread_equal(pthread_self(), product_thread) && (distance < 0 || distance > MAX_STACK_BYTES);
}

/* Signal handlers run on the thread's stack, although oneDNN's code for long sums uses the stack pointer as a general register. */
START_TEST(library_product_blocks_signals)
{
	enum { M = 64, N = 128, K = 4096 };
	struct sr_product_params p = {.batch = 1, .m = M, .n = N, .k = K, .lhs_m = K, .lhs_k = 1, .rhs_k = N, .rhs_n = 1,
				      .out = SR_F32, .rhs = SR_F32};
	const struct sr_kernels *table = &fast[n_isa - 1];
	struct sr_prepared_kernel *prepared =
		table->prepare[SR_KERNEL_PRODUCT] ? table->prepare[SR_KERNEL_PRODUCT](table, SR_F32, &p, M) : NULL;
	struct sigaction action = {.sa_handler = check_stack, .sa_flags = SA_RESTART}, before;
	struct itimerval timer = {{0, 100}, {0, 100}};
	char here;
	if (!prepared)
		return;
	float *lhs = calloc(M * K, sizeof *lhs), *rhs = calloc(K * N, sizeof *rhs), *out = calloc(M * N, sizeof *out);
	void *scratch = malloc((size_t)prepared->scratch + 1);
	stack_address = &here;
	product_thread = pthread_self();
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (n_signals < 200 && !is_off_stack)
		prepared->run(prepared, (void *[]){lhs, rhs, out}, scratch);
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	sigaction(SIGALRM, &before, NULL);
	ck_assert(!is_off_stack);
	prepared->release(prepared);
	free(lhs), free(rhs), free(out), free(scratch);
}
END_TEST

START_TEST(library_products)
{
	static const struct {
		enum sr_dtype lhs, rhs, out;
	} types[] = {{SR_F32, SR_F32, SR_F32}, {SR_BF16, SR_BF16, SR_BF16}, {SR_BF16, SR_BF16, SR_F32}, {SR_I8, SR_I8, SR_I32}, {SR_UI8, SR_I8, SR_I32}, {SR_UI8, SR_UI8, SR_I32},
		     {SR_I8, SR_I8, SR_I8}};
	int n_taken = 0;

	for (int round = 0; round < 120; round++) {
		int64_t b = random_between(1, 3), m = random_between(1, 40), n = random_between(1, 40), k = round % 10 ? random_between(1, 90) : 3000, s[2][3];
		bool broadcast = random_between(0, 3) == 0;
		int64_t lhs = shuffle_strides((int64_t[]){b, m, k}, 3, s[0]), rhs = shuffle_strides((int64_t[]){broadcast ? 1 : b, k, n}, 3, s[1]);
		struct sr_product_params p = {.batch = b, .m = m, .n = n, .k = k, .lhs_batch = s[0][0], .lhs_m = s[0][1], .lhs_k = s[0][2],
					      .rhs_batch = broadcast ? 0 : s[1][0], .rhs_k = s[1][1], .rhs_n = s[1][2],
					      .out = (int32_t)types[_i].out, .rhs = (int32_t)types[_i].rhs};
		check_chunks(SR_KERNEL_PRODUCT, types[_i].lhs, types[_i].rhs, types[_i].out, &p, (int64_t[]){lhs, rhs, b * m * n}, b * m,
			     1 + (b > 1 ? b : m) / 2);
		n_taken += compare_prepared(SR_KERNEL_PRODUCT, types[_i].lhs, types[_i].rhs, types[_i].out, &p,
					    (int64_t[]){lhs, rhs, b * m * n}, b * m, "product");
	}
	/* the reference computes values that need more than 8 bits */
	ck_assert(_i < 5 || n_taken == 0);
	/* oneDNN computes products of bf16 if the processor has instructions for it, else kernels/fast/gemm does */
	bool is_taken = _i == 0 || (_i <= 2 && sr_cpu_features() & SR_FEATURE(BF16));
	ck_assert(!sr_dnnl_is_open() || sr_isa_detect() < SR_ISA_AVX512 || !is_taken || n_taken > 30);
}
END_TEST

/* Return a bf16 number of a few bits, so that sums of products are exact in f32 in every order, or of 8 bits. */
static uint16_t random_bf16(bool is_exact)
{
	float f = is_exact ? (float)random_between(-8, 8) : (float)random_between(-255, 255) * 0x1p-6f;
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return (uint16_t)(bits >> 16);
}

/* Compute a product of bf16 by kernels/fast/gemm into out, which has `elements` elements of type p->out. */
static void multiply_bf16(const struct sr_product_params *p, const uint16_t *lhs, const uint16_t *rhs, void *out, int64_t elements)
{
	struct sr_prepared_kernel *prepared = sr_gemm_prepare_bf16(p);
	ck_assert(prepared != NULL);
	char *scratch = aligned_alloc(64, (size_t)prepared->scratch + 64);
	memset(scratch, 0xa5, (size_t)prepared->scratch + 64);
	memset(out, 0x5a, (size_t)(elements * sr_dtype_bytes((enum sr_dtype)p->out)));
	prepared->run(prepared, (void *[]){(void *)lhs, (void *)rhs, out}, scratch);
	for (int i = 0; i < 64; i++)
		ck_assert_msg((unsigned char)scratch[prepared->scratch + i] == 0xa5, "written after scratch");
	prepared->release(prepared);
	free(scratch);
}

/* Compare the rows and columns from (m0, n0) on, as a product of their own, with those elements of the entire product. */
static void check_part_of_bf16(const struct sr_product_params *p, const uint16_t *lhs, const uint16_t *rhs, const char *expected)
{
	struct sr_product_params part = *p;
	int64_t m0 = random_between(0, p->m - 1), n0 = random_between(0, p->n - 1), bytes = sr_dtype_bytes((enum sr_dtype)p->out);
	part.m -= m0;
	part.n -= n0;
	part.batch = 1;
	part.out_m = part.n + 3;
	char *got = malloc((size_t)(part.m * part.out_m * bytes));
	multiply_bf16(&part, lhs + m0 * p->lhs_m, rhs + n0 * p->rhs_n, got, part.m * part.out_m);
	for (int64_t r = 0; r < part.m; r++) {
		const char *row = expected + ((m0 + r) * p->n + n0) * bytes, *own = got + r * part.out_m * bytes;
		ck_assert_msg(!memcmp(own, row, (size_t)(part.n * bytes)), "row %d differs", (int)r);
		for (int64_t i = part.n * bytes; i < part.out_m * bytes && r + 1 < part.m; i++)
			ck_assert_msg(own[i] == 0x5a, "written between rows");
	}
	free(got);
}

/* Products of bf16 by kernels/fast/gemm have the reference's elements, if sums are exact, and the same bits in every division. */
START_TEST(bf16_products)
{
	if (!(sr_cpu_features() & SR_FEATURE(BF16)))
		return;
	for (int round = 0; round < 60; round++) {
		int64_t b = random_between(1, 2), m = random_between(1, round % 3 ? 40 : 300);
		int64_t n = random_between(1, round % 4 ? 120 : 500), k = 8 * random_between(1, round % 3 == 1 ? 300 : 20);
		bool is_exact = round % 2, is_lhs_transposed = _i & 1, is_rhs_transposed = _i & 2, is_f32 = round / 2 % 2;
		int64_t lhs_row = (is_lhs_transposed ? m : k) + 2 * random_between(0, 5);
		int64_t rhs_row = (is_rhs_transposed ? k : n) + 2 * random_between(0, 5);
		int64_t lhs_elements = (is_lhs_transposed ? k : m) * lhs_row, rhs_elements = (is_rhs_transposed ? n : k) * rhs_row;
		struct sr_product_params p = {
			.batch = b, .m = m, .n = n, .k = k, .lhs_batch = lhs_elements, .rhs_batch = rhs_elements, .lhs_m = lhs_row,
			.lhs_k = 1, .rhs_n = 1, .rhs_k = rhs_row, .out = is_f32 ? SR_F32 : SR_BF16, .rhs = SR_BF16};
		if (is_lhs_transposed)
			p.lhs_m = 1, p.lhs_k = lhs_row;
		if (is_rhs_transposed)
			p.rhs_n = rhs_row, p.rhs_k = 1;
		uint16_t *lhs = calloc((size_t)(b * lhs_elements + 1), 2), *rhs = calloc((size_t)(b * rhs_elements + 1), 2);
		char *got = malloc((size_t)(b * m * n) * 4), *expected = malloc((size_t)(b * m * n) * 4);
		int64_t at = random_between(0, 1); /* operands may begin between two words */
		for (int64_t i = 0; i < b * lhs_elements; i++)
			lhs[at + i] = random_bf16(is_exact);
		for (int64_t i = 0; i < b * rhs_elements; i++)
			rhs[at + i] = random_bf16(is_exact);
		multiply_bf16(&p, lhs + at, rhs + at, got, b * m * n);
		reference.fn[SR_KERNEL_PRODUCT][SR_BF16](&p, (void *[]){lhs + at, rhs + at, expected}, NULL, 0, b * m);
		for (int64_t i = 0; i < b * m * n && is_exact; i++) {
			int64_t bytes = is_f32 ? 4 : 2;
			ck_assert_msg(!memcmp(got + i * bytes, expected + i * bytes, (size_t)bytes), "element %d of %d x %d x %d",
				      (int)i, (int)m, (int)n, (int)k);
		}
		check_part_of_bf16(&p, lhs + at, rhs + at, got);
		free(lhs), free(rhs), free(got), free(expected);
	}
	struct sr_product_params odd = {.batch = 1, .m = 2, .n = 2, .k = 9, .lhs_m = 9, .lhs_k = 1, .rhs_k = 2, .rhs_n = 1,
					.out = SR_F32, .rhs = SR_BF16};
	ck_assert(sr_gemm_prepare_bf16(&odd) == NULL);
}
END_TEST

/* Larger products of bf16 are left to kernels/fast/gemm, whose sums have the order of k; those of oneDNN have another. */
START_TEST(library_leaves_products_of_bf16)
{
	enum { M = 16, N = 256, K = 2048 };
	struct sr_product_params p = {.batch = 1, .m = M, .n = N, .k = K, .lhs_m = K, .lhs_k = 1, .rhs_k = N, .rhs_n = 1, .out = SR_F32,
				      .rhs = SR_BF16};
	struct sr_kernels *table = &fast[n_isa - 1];
	if (!sr_dnnl_is_open() || sr_isa_detect() < SR_ISA_AVX512 || !(sr_cpu_features() & SR_FEATURE(BF16)))
		return;
	uint16_t *lhs = malloc(sizeof(uint16_t) * M * K), *rhs = malloc(sizeof(uint16_t) * K * N);
	float *expected = malloc(sizeof(float) * M * N), *got = malloc(sizeof(float) * M * N);
	for (int64_t i = 0; i < M * K; i++)
		lhs[i] = random_bf16(false);
	for (int64_t i = 0; i < K * N; i++)
		rhs[i] = random_bf16(false);
	multiply_bf16(&p, lhs, rhs, expected, M * N);
	struct sr_prepared_kernel *prepared = table->prepare[SR_KERNEL_PRODUCT](table, SR_BF16, &p, M);
	char *scratch = aligned_alloc(64, (size_t)(prepared->scratch + 63) / 64 * 64 + 64);
	prepared->run(prepared, (void *[]){lhs, rhs, got}, scratch);
	ck_assert(!memcmp(got, expected, sizeof(float) * M * N));
	prepared->release(prepared);
	free(lhs), free(rhs), free(expected), free(got), free(scratch);
}
END_TEST

#endif
