/* Splitting of convolutions, products and Fourier transforms into chunks. The column `chunks` of kernels.def names the
 * functions defined here. */
#include "kernels/kernel_chunk.h"
#include "kernels/conv_descriptor.h"
#include "kernels/small_product.h"
#include <math.h>

static int64_t count_chunks(double flops, int64_t limit)
{
	double n = flops / SR_CHUNK_MIN_FLOPS;
	return n < 1 ? 1 : n < (double)limit ? (int64_t)n : limit > 0 ? limit : 1;
}

/* Return true if each image is contiguous: all of its elements precede those of the next image. */
static bool images_are_contiguous(const int64_t *stride, int64_t features, const int64_t *extents, int spatial)
{
	if (stride[1] * features > stride[0])
		return false;
	for (int d = 0; d < spatial; d++)
		if (stride[2 + d] * extents[d] > stride[0])
			return false;
	return true;
}

static bool splits_by_image(const struct sr_conv_params *p)
{
	return p->batch_groups == 1 && images_are_contiguous(p->lhs_stride, p->in_features, p->in, p->spatial) &&
	       images_are_contiguous(p->out_stride, p->out_features, p->out_shape, p->spatial);
}

/* Return true if the convolution is the gradient of weights, whose images are the input features. */
static bool sums_over_images(const struct sr_conv_params *p)
{
	struct sr_conv_descriptor f;
	return p->batch_groups == 1 && p->out == SR_F32 && !splits_by_image(p) && sr_conv_describe(p, &f) &&
	       f.kind == SR_CONV_BACKWARD_WEIGHTS;
}

/* In each chunk, the library copies the weights to its own layout, or their gradient from it. A chunk has at least so many FLOPs per
 * weight; those of a gradient, which is also added to the others, more. */
enum { MIN_IMAGE_CHUNKS = 8, MAX_TERMS = 8, WEIGHT_FLOPS = 400, TERM_FLOPS = 768 };

enum { ROW_STEP = 4 }; /* blocks of rows begin at a multiple of Winograd's tiles */

/* Return the most chunks of a convolution that may use Winograd's algorithm; `n` for others. */
static int64_t limit_winograd_chunks(const struct sr_conv_params *p, int64_t n)
{
	struct sr_conv_descriptor f;
	int64_t limit = p->winograd && sr_conv_describe(p, &f) && f.spatial == 2 ? sr_conv_winograd_chunks(&f) : n;
	return limit < n ? limit : n;
}

/* Return the number of chunks of a convolution that is too small for chunks of SR_CHUNK_MIN_FLOPS. A chunk takes some 150
 * microseconds to compute, or to write its results, as convolutions of few terms do. `amortized`: number of chunks that copy the
 * weights in a small part of their time; with a quarter of them, one thread is not slower than with one chunk. */
static double count_small_conv_chunks(const struct sr_conv_params *p, double flops, double amortized)
{
	enum { MAX_CHUNKS = 8, MIN_FLOPS = 1 << 24, MIN_ELEMENTS = 1 << 18 };
	if (p->winograd) /* the transforms of the weights take more time than their copy */
		return 1;
	double elements = (double)p->batch * (double)p->out_features;
	for (int d = 0; d < p->spatial; d++)
		elements *= (double)p->out_shape[d];
	return fmin(fmin(MAX_CHUNKS, amortized / 4), fmax(flops / MIN_FLOPS, elements / MIN_ELEMENTS));
}

/* Rows that blocks divide: those of the result, or those of the window in a gradient of weights, which sums over them. */
struct rows {
	int64_t n;
	int64_t step; /* rows of the input from one to the next */
	int64_t span; /* rows of the input that one of them reads, from the first to the last */
};

static struct rows rows_of(const struct sr_conv_params *p, bool is_gradient)
{
	return is_gradient ? (struct rows){p->window[0], p->rhs_dilation[0], (p->out_shape[0] - 1) * p->stride[0] + 1}
			   : (struct rows){p->out_shape[0], p->stride[0], (p->window[0] - 1) * p->rhs_dilation[0] + 1};
}

/* Return the most blocks of rows into which an image may be divided, so that each reads elements that are not padding, and few rows
 * are read by two blocks. */
static int64_t limit_row_blocks(const struct sr_conv_params *p, bool is_gradient)
{
	if (!p->spatial)
		return 1;
	struct rows r = rows_of(p, is_gradient);
	int64_t pad_high = (r.n - 1) * r.step + r.span - p->pad_low[0] - p->in[0];
	int64_t blocks = r.n / (r.span > ROW_STEP ? r.span : ROW_STEP);
	return p->pad_low[0] < r.span && pad_high < r.span && blocks > 1 ? blocks : 1;
}

/* Return the largest number of chunks, at most `limit`, that is a power of two or, if there are more chunks than images, a multiple
 * of `images` by one: each image then has several blocks of rows, at most `blocks`. */
static int64_t round_chunks(double limit, int64_t images, int64_t blocks)
{
	int64_t n = 1, per_image = 1;
	while (2 * n <= limit && 2 * n <= images * blocks) /* a power of two is divided equally among two or four threads */
		n *= 2;
	while (2 * per_image * images <= n)
		per_image *= 2;
	return n > images ? images * per_image : n;
}

/* Return the number of chunks of a convolution of a few images, each of which is divided into blocks of rows; 1: images stay whole.
 * `n`: number that the work suffices for; `amortized`: see above. */
static int64_t count_row_blocks(const struct sr_conv_params *p, double n, double amortized)
{
	enum { MAX_BLOCKS = 8 };
	struct sr_conv_descriptor f;
	if (n <= (double)p->batch || p->batch >= MAX_BLOCKS || !sr_conv_describe(p, &f) || f.kind != SR_CONV_FORWARD)
		return 1; /* blocks of strided gradients may be no gradients */
	int64_t limit = limit_winograd_chunks(p, (int64_t)fmin(fmin(MAX_BLOCKS, n), amortized));
	n = (double)round_chunks((double)limit, p->batch, limit_row_blocks(p, false));
	return n > (double)p->batch ? (int64_t)n : 1;
}

/* What divides a convolution into chunks: images or blocks of their rows, output features, groups of features, or, for a gradient
 * of weights, terms of its sum over images. */
enum conv_split_kind { BY_IMAGE, BY_FEATURE, BY_GROUP, BY_TERM };
struct conv_split {
	enum conv_split_kind kind;
	int64_t n;
	double copied; /* elements that each chunk copies, although others do, too: the weights, their gradient or the data */
};

struct conv_size {
	double flops;
	double data, weights, result; /* elements */
};

static struct conv_size size_of(const struct sr_conv_params *p)
{
	double data = (double)p->batch * (double)p->in_features, result = (double)p->batch * (double)p->out_features;
	double weights = (double)p->out_features * (double)p->in_features / (double)(p->feature_groups > 0 ? p->feature_groups : 1);
	double flops = 2.0 * (double)p->batch * weights;
	for (int d = 0; d < p->spatial; d++) {
		flops *= (double)p->out_shape[d] * (double)p->window[d];
		data *= (double)p->in[d];
		weights *= (double)p->window[d];
		result *= (double)p->out_shape[d];
	}
	return (struct conv_size){flops, data, weights, result};
}

static struct conv_split split_by_image(const struct sr_conv_params *p, struct conv_size size)
{
	double amortized = size.flops / (WEIGHT_FLOPS * size.weights), small = count_small_conv_chunks(p, size.flops, amortized);
	int64_t blocks = count_row_blocks(p, fmax(small, size.flops / SR_CHUNK_MIN_FLOPS), amortized);
	double n = fmin((double)count_chunks(size.flops, p->batch), fmax(amortized, MIN_IMAGE_CHUNKS));
	if (blocks <= 1)
		blocks = limit_winograd_chunks(p, (int64_t)fmax(n, fmin(small, (double)p->batch)));
	return (struct conv_split){BY_IMAGE, blocks, size.weights};
}

/* The result of a gradient has the shape of the weights; it is copied from the library's layout, and added. */
static struct conv_split split_by_term(const struct sr_conv_params *p, struct conv_size size)
{
	double amortized = size.flops / (TERM_FLOPS * size.result);
	double n = fmax(fmin(size.flops / SR_CHUNK_MIN_FLOPS, amortized), count_small_conv_chunks(p, size.flops, amortized));
	n = fmin((double)limit_winograd_chunks(p, MAX_TERMS), n);
	return (struct conv_split){BY_TERM, round_chunks(n, p->in_features, limit_row_blocks(p, true)), 2 * size.result};
}

enum { FEATURE_STEP = 16 /* features of a library's block */, MAX_FEATURE_CHUNKS = 8 };

static struct conv_split split_by_feature(const struct sr_conv_params *p, struct conv_size size)
{
	/* Winograd's algorithm transforms the data in each chunk. */
	enum { MIN_FEATURES = 32, MIN_WINOGRAD_FEATURES = 64, MAX_WINOGRAD_CHUNKS = 4, MIN_FLOPS = 1 << 26, DATA_FLOPS = 150 };
	struct sr_conv_descriptor f;
	int64_t limit = p->out_features / (p->winograd ? MIN_WINOGRAD_FEATURES : MIN_FEATURES);
	double n = fmin(size.flops / MIN_FLOPS, size.flops / (DATA_FLOPS * size.data));
	n = fmin(n, p->winograd ? MAX_WINOGRAD_CHUNKS : MAX_FEATURE_CHUNKS);
	bool is_divisible = limit > 1 && n >= 2 && p->feature_groups == 1 && p->batch_groups == 1 && sr_conv_describe(p, &f);
	return (struct conv_split){BY_FEATURE, is_divisible ? round_chunks(n, limit, 1) : 1, size.data};
}

/* Gradients of weights have batch groups. Those of depthwise convolutions, which read elements of many channels at a time, are
 * divided at multiples of FEATURE_STEP. Libraries copy a part of the channels of data with channels last. */
static int64_t group_step(const struct sr_conv_params *p)
{
	return p->out_features == p->batch_groups ? FEATURE_STEP : 1;
}

static struct conv_split split_by_group(const struct sr_conv_params *p, struct conv_size size)
{
	enum { MAX_CHUNKS = 8, MIN_FLOPS = 1 << 23, MIN_ELEMENTS = 1 << 17 };
	bool is_copied = p->lhs_stride[0] == 1 && !sr_conv_is_depthwise_gradient(SR_F32, p);
	int64_t limit = is_copied ? 1 : p->batch_groups / group_step(p);
	double n = fmin(MAX_CHUNKS, fmax(size.flops / MIN_FLOPS, size.data * (double)p->batch_groups / MIN_ELEMENTS));
	return (struct conv_split){BY_GROUP, limit > 1 ? round_chunks(n, limit, 1) : 1, 0};
}

/* Return the split whose chunks copy less, of those that have several chunks. Many images, which many threads can share, are not
 * divided by features. */
static struct conv_split split_conv(const struct sr_conv_params *p)
{
	struct conv_size size = size_of(p);
	if (p->batch_groups > 1)
		return split_by_group(p, size);
	struct conv_split by_feature = split_by_feature(p, size), s = {BY_IMAGE, 1, 0};
	if (splits_by_image(p))
		s = split_by_image(p, size);
	else if (sums_over_images(p))
		s = split_by_term(p, size);
	bool copies_less = s.n <= MAX_FEATURE_CHUNKS && (double)by_feature.n * by_feature.copied < (double)s.n * s.copied;
	return by_feature.n > 1 && (s.n <= 1 || copies_less) ? by_feature : s;
}

static int64_t conv_chunk_count(const void *params)
{
	return split_conv(params).n;
}

/* Each chunk of a product has about so many rows or more, at least three quarters of them, or at least so many columns, which begin
 * at a multiple of COLUMN_STEP: panels of kernels/fast/gemm are not divided. */
enum { MIN_ROWS = 256, MIN_COLUMNS = 384, COLUMN_STEP = 96 };

enum { MAX_SMALL_CHUNKS = 4 }; /* most chunks of products that are too small for chunks of SR_CHUNK_MIN_FLOPS */

/* Products with less than the other limits have two chunks: of rows, or of columns if they have fewer than FEW_ROWS. Each takes some
 * 10 microseconds or more. */
enum { FEW_ROWS = 64, FEW_COLUMNS = 256, MIN_FLOPS_OF_TWO = 1 << 21 };

/* Return the number of chunks of products that are too small for chunks of SR_CHUNK_MIN_FLOPS: a chunk takes some 50 microseconds
 * to read the right operand, or to compute. A chunk of whole matrices, as those of attention, repeats no work for its operands and
 * takes at least 20 microseconds. */
static int64_t count_small_chunks(const struct sr_product_params *p)
{
	enum { MIN_ELEMENTS = 1 << 18, MIN_FLOPS = 1 << 23, MIN_FLOPS_OF_MATRICES = 1 << 21 };
	double elements = (double)p->batch * (double)p->n * (double)p->k, flops = 2.0 * elements * (double)p->m;
	double n = fmin(MAX_SMALL_CHUNKS, fmax(elements / MIN_ELEMENTS, flops / (p->batch > 1 ? MIN_FLOPS_OF_MATRICES : MIN_FLOPS)));
	return n < 1 ? 1 : (int64_t)n;
}

/* Return the number of chunks of rows, 1 or an even number, which two threads divide equally. Each chunk packs the right operand,
 * which takes a small part of its time, and more in chunks of few rows. */
static int64_t count_row_chunks(const struct sr_product_params *p, double flops)
{
	const double min_flops = 1 << 25; /* some 300 microseconds */
	int64_t limit = p->m / MIN_ROWS, n = count_chunks(flops, limit);
	int64_t n_small = (int64_t)fmin(fmin(MAX_SMALL_CHUNKS, (double)limit), flops / min_flops);
	n = n > n_small ? n : n_small;
	if (n <= 1)
		return p->m >= FEW_ROWS && flops >= MIN_FLOPS_OF_TWO ? 2 : 1;
	return n + n % 2;
}

/* Return the number of chunks along the larger extent of the result, for which libraries pack both operands in each chunk: r rows
 * and c columns with 1 / r + 1 / c < 1 / PACKED_EXTENT. Smaller chunks would pack the other operand too often. The number is a
 * multiple of CHUNKS, which two, four or eight threads divide equally; 0: the result is too small. */
static int64_t count_packed_chunks(const struct sr_product_params *p)
{
	enum { PACKED_EXTENT = 512, CHUNKS = 8, MAX_CHUNKS = 2 * CHUNKS };
	int64_t larger = p->m > p->n ? p->m : p->n, smaller = p->m > p->n ? p->n : p->m;
	if (p->batch != 1 || smaller <= PACKED_EXTENT)
		return 0;
	int64_t min_extent = PACKED_EXTENT * smaller / (smaller - PACKED_EXTENT) + 1;
	int64_t n = larger / min_extent / CHUNKS * CHUNKS;
	n = n < MAX_CHUNKS ? n : MAX_CHUNKS;
	return 2.0 * (double)larger * (double)smaller * (double)p->k >= (double)n * SR_CHUNK_MIN_FLOPS ? n : 0;
}

/* Return true for products of few rows and not many columns, which are split into two chunks of columns. */
static bool has_few_rows_and_columns(const struct sr_product_params *p)
{
	return p->m < FEW_ROWS && p->n >= FEW_COLUMNS && p->n < 2 * MIN_COLUMNS &&
	       2.0 * (double)p->m * (double)p->n * (double)p->k >= MIN_FLOPS_OF_TWO;
}

/* Return true for products that are split along the columns of the result: few rows times a large matrix, and products with more
 * columns than rows if libraries pack both operands in each chunk of columns. */
static bool is_split_by_columns(const struct sr_product_params *p)
{
	bool has_few_rows = p->m < 2 * MIN_ROWS && p->n >= 2 * MIN_COLUMNS;
	return p->batch == 1 && (has_few_rows || has_few_rows_and_columns(p) || (p->n > p->m && count_packed_chunks(p)));
}

/* Return the number of chunks of an f32 product with long sums and a small result, as gradients of weights of small layers are:
 * each computes a term of the sums. The others read all of one operand in each chunk, or have too few rows and columns to be split.
 * 1: not such a product. */
static int64_t count_product_terms(const struct sr_product_params *p)
{
	enum { MAX_CHUNKS = 8, MIN_DEPTH = 1024, MIN_FLOPS = 1 << 22, MAX_RESULT = 1 << 16, MIN_RATIO = 16 };
	int64_t larger = p->m > p->n ? p->m : p->n;
	if (p->batch != 1 || p->out != SR_F32 || p->m <= 0 || p->n <= 0 || sr_product_out_m(p) != p->n || p->n > MAX_RESULT / p->m ||
	    p->k / MIN_RATIO < larger)
		return 1;
	double flops = 2.0 * (double)p->m * (double)p->n * (double)p->k, n = fmin(flops / MIN_FLOPS, (double)(p->k / MIN_DEPTH));
	return round_chunks(fmin(MAX_CHUNKS, n), MAX_CHUNKS, 1);
}

static int64_t product_chunk_count(const void *params)
{
	const struct sr_product_params *p = params;
	int64_t terms = count_product_terms(p);
	if (terms > 1)
		return terms;
	double flops = 2.0 * (double)p->batch * (double)p->m * (double)p->n * (double)p->k;
	int64_t small_chunks = count_small_chunks(p), limit = p->batch > 1 ? p->batch : p->n / MIN_COLUMNS;
	int64_t packed_chunks = count_packed_chunks(p);
	if (packed_chunks)
		return packed_chunks;
	if (p->batch == 1 && !is_split_by_columns(p))
		return count_row_chunks(p, flops);
	if (p->batch == 1 && has_few_rows_and_columns(p))
		return 2;
	small_chunks = small_chunks < limit ? small_chunks : limit;
	int64_t n = p->batch > 1 ? count_chunks(flops, p->batch) : 1;
	return n > small_chunks ? n : small_chunks;
}

/* Compute the number of elements that an FFT reads and writes for each element of the batch. The last dimension has n elements; that
 * of the complex operand or result of a real transform has n / 2 + 1. */
static void fft_elements(const struct sr_fft_params *p, int64_t *in, int64_t *out)
{
	int64_t outer = p->inner ? p->stride : 1, n = p->rank ? p->length[p->rank - 1] : 1;
	for (int d = 0; d + 1 < p->rank; d++)
		outer *= p->length[d];
	*in = outer * (p->kind == SR_IRFFT ? n / 2 + 1 : n);
	*out = outer * (p->kind == SR_RFFT ? n / 2 + 1 : n);
}

enum { LANES = 16 }; /* maximum number of transforms computed together in vector lanes */

static int64_t fft_chunk_count(const void *params)
{
	const struct sr_fft_params *p = params;
	enum { MAX_CHUNKS = 16 };
	int64_t in, out;
	fft_elements(p, &in, &out);
	/* A transform has fewer FLOPs per byte than a product, so its chunks may have fewer FLOPs than the usual minimum. */
	double flops = 5.0 * (double)p->batch * (double)in * log2((double)in + 2), n = 16 * flops / SR_CHUNK_MIN_FLOPS;
	int64_t lines = p->inner > p->batch ? p->inner : p->batch;
	int64_t limit = lines / LANES < MAX_CHUNKS ? lines / LANES : MAX_CHUNKS;
	return n < 1 || limit < 1 ? 1 : n < (double)limit ? (int64_t)n : limit;
}

static int64_t chunk_begin(int64_t extent, int64_t i, int64_t n)
{
	return (int64_t)((__int128)extent * i / n);
}

/* Restrict a chunk, which is one image or the gradient of one input channel, to block i of the n blocks that divide its rows. */
static void restrict_to_block(enum sr_dtype t, const struct sr_conv_params *p, bool is_gradient, int64_t i, int64_t n,
			      struct sr_kernel_chunk *out)
{
	struct rows r = rows_of(p, is_gradient);
	int64_t steps = r.n / ROW_STEP, first = chunk_begin(steps, i, n) * ROW_STEP,
		end = i + 1 == n ? r.n : chunk_begin(steps, i + 1, n) * ROW_STEP;
	int64_t first_in = first * r.step - p->pad_low[0], end_in = (end - 1) * r.step + r.span - p->pad_low[0];
	struct sr_conv_params *block = &out->params.conv;
	block->pad_low[0] = first_in < 0 ? -first_in : 0;
	first_in += block->pad_low[0];
	block->in[0] = (end_in < p->in[0] ? end_in : p->in[0]) - first_in;
	*(is_gradient ? &block->window[0] : &block->out_shape[0]) = end - first;
	out->offset[0] += first_in * p->lhs_stride[2] * sr_dtype_bytes(t);
	if (is_gradient)
		out->offset[1] += first * p->rhs_stride[2] * sr_dtype_bytes(t);
	else
		out->offset[2] += first * p->out_stride[2] * sr_dtype_bytes((enum sr_dtype)p->out);
}

/* Restrict a chunk to its part of the output features. */
static void restrict_to_features(enum sr_dtype t, const struct sr_conv_params *p, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	int64_t steps = p->out_features / FEATURE_STEP, first = chunk_begin(steps, i, n) * FEATURE_STEP;
	int64_t end = i + 1 == n ? p->out_features : chunk_begin(steps, i + 1, n) * FEATURE_STEP;
	out->params.conv.out_features = end - first;
	out->range = p->batch * (end - first);
	out->offset[1] = first * p->rhs_stride[1] * sr_dtype_bytes(t);
	out->offset[2] = first * p->out_stride[1] * sr_dtype_bytes((enum sr_dtype)p->out);
}

/* Restrict a chunk to its part of the batch groups, which are groups of output features, too. */
static void restrict_to_groups(enum sr_dtype t, const struct sr_conv_params *p, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	int64_t step = group_step(p), steps = p->batch_groups / step, first = chunk_begin(steps, i, n) * step;
	int64_t end = i + 1 == n ? p->batch_groups : chunk_begin(steps, i + 1, n) * step;
	int64_t features = p->out_features / p->batch_groups;
	out->params.conv.batch_groups = end - first;
	out->params.conv.out_features = (end - first) * features;
	out->range = p->batch * (end - first) * features;
	out->is_call = sr_conv_is_depthwise_gradient(t, p);
	out->offset[0] = first * p->batch * p->lhs_stride[0] * sr_dtype_bytes(t);
	out->offset[1] = first * features * p->rhs_stride[1] * sr_dtype_bytes(t);
	out->offset[2] = first * features * p->out_stride[1] * sr_dtype_bytes((enum sr_dtype)p->out);
}

/* Describe chunk i of n: some output features or groups, some images or a block of rows of one image. The input features of a
 * gradient of weights are images, over which it sums. */
static void conv_chunk(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	const struct sr_conv_params *p = params;
	enum conv_split_kind kind = split_conv(p).kind;
	out->params.conv = *p;
	if (kind == BY_FEATURE || kind == BY_GROUP) {
		(kind == BY_FEATURE ? restrict_to_features : restrict_to_groups)(t, p, i, n, out);
		return;
	}
	bool is_gradient = kind == BY_TERM;
	int64_t images = is_gradient ? p->in_features : p->batch, blocks = n > images ? n / images : 1;
	int64_t first = chunk_begin(images, i / blocks, n / blocks);
	int64_t n_images = chunk_begin(images, i / blocks + 1, n / blocks) - first;
	*(is_gradient ? &out->params.conv.in_features : &out->params.conv.batch) = n_images;
	out->range = out->params.conv.batch * p->out_features;
	out->offset[0] = first * p->lhs_stride[is_gradient ? 1 : 0] * sr_dtype_bytes(t);
	if (is_gradient) {
		out->offset[1] = first * p->rhs_stride[0] * sr_dtype_bytes(t);
		out->term_bytes = p->batch * p->out_features * (int64_t)sizeof(float);
		for (int d = 0; d < p->spatial; d++)
			out->term_bytes *= p->out_shape[d];
	} else
		out->offset[2] = first * p->out_stride[0] * sr_dtype_bytes((enum sr_dtype)p->out);
	if (blocks > 1)
		restrict_to_block(t, p, is_gradient, i % blocks, blocks, out);
}

/* Describe chunk i of a product that is split by columns. */
static void column_chunk(enum sr_dtype t, const struct sr_product_params *p, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	int64_t steps = p->n / COLUMN_STEP, first = chunk_begin(steps, i, n) * COLUMN_STEP,
		end = i + 1 == n ? p->n : chunk_begin(steps, i + 1, n) * COLUMN_STEP;
	out->params.product = *p;
	out->params.product.n = end - first;
	out->params.product.out_m = p->m == 1 ? 0 : sr_product_out_m(p);
	out->range = p->m;
	out->is_call = !sr_dtype_is_complex(t); /* BLAS computes complex products */
	out->offset[1] = first * p->rhs_n * sr_dtype_bytes((enum sr_dtype)p->rhs);
	out->offset[2] = first * sr_dtype_bytes((enum sr_dtype)p->out);
}

/* Describe chunk i of a product whose chunks are terms of its sums, of whole blocks of them. */
static void term_chunk(enum sr_dtype t, const struct sr_product_params *p, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	int64_t blocks = p->k / SR_PRODUCT_SUM_BLOCK, first = chunk_begin(blocks, i, n) * SR_PRODUCT_SUM_BLOCK,
		end = i + 1 == n ? p->k : chunk_begin(blocks, i + 1, n) * SR_PRODUCT_SUM_BLOCK;
	out->params.product = *p;
	out->params.product.k = end - first;
	out->range = p->m;
	out->is_call = true;
	out->term_bytes = p->m * p->n * (int64_t)sizeof(float);
	out->offset[0] = first * p->lhs_k * sr_dtype_bytes(t);
	out->offset[1] = first * p->rhs_k * sr_dtype_bytes((enum sr_dtype)p->rhs);
}

static void product_chunk(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	const struct sr_product_params *p = params;
	if (count_product_terms(p) > 1) {
		term_chunk(t, p, i, n, out);
		return;
	}
	if (is_split_by_columns(p)) {
		column_chunk(t, p, i, n, out);
		return;
	}
	bool splits_batch = p->batch > 1;
	int64_t extent = splits_batch ? p->batch : p->m, first = chunk_begin(extent, i, n), end = chunk_begin(extent, i + 1, n);
	out->params.product = *p;
	*(splits_batch ? &out->params.product.batch : &out->params.product.m) = end - first;
	out->range = out->params.product.batch * out->params.product.m;
	/* Larger products that no library prepares are divided by the split of their range, into larger parts. */
	double flops = 2.0 * (double)p->m * (double)p->n * (double)p->k;
	out->is_call = !splits_batch && !sr_dtype_is_complex(t) && flops <= SR_CHUNK_MIN_FLOPS;
	out->offset[0] = first * (splits_batch ? p->lhs_batch : p->lhs_m) * sr_dtype_bytes(t);
	out->offset[1] = splits_batch ? first * p->rhs_batch * sr_dtype_bytes((enum sr_dtype)p->rhs) : 0;
	out->offset[2] = first * (splits_batch ? p->m : 1) * p->n * sr_dtype_bytes((enum sr_dtype)p->out);
}

static int64_t fft_chunk_begin(int64_t lines, int64_t i, int64_t n)
{
	return i == n ? lines : chunk_begin(lines, i, n) / LANES * LANES;
}

/* Describe chunk i of an FFT of many columns: neighbouring columns of each batch element. */
static void fft_columns_chunk(enum sr_dtype t, const struct sr_fft_params *p, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	int64_t first = fft_chunk_begin(p->inner, i, n);
	out->params.fft = *p;
	out->params.fft.inner = fft_chunk_begin(p->inner, i + 1, n) - first;
	out->range = p->batch;
	out->n_buffers = 2;
	out->offset[0] = out->offset[1] = first * sr_dtype_bytes(t);
}

static void fft_chunk(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	const struct sr_fft_params *p = params;
	int64_t first = fft_chunk_begin(p->batch, i, n), in, line_elements;
	int bytes = sr_dtype_bytes(t);
	if (p->inner > p->batch) {
		fft_columns_chunk(t, p, i, n, out);
		return;
	}
	fft_elements(p, &in, &line_elements);
	out->params.fft = *p;
	out->range = out->params.fft.batch = fft_chunk_begin(p->batch, i + 1, n) - first;
	out->n_buffers = 2;
	out->offset[0] = first * in * (p->kind == SR_RFFT ? bytes / 2 : bytes);
	out->offset[1] = first * line_elements * (p->kind == SR_IRFFT ? bytes / 2 : bytes);
}

static const struct {
	int64_t (*count)(const void *params); /* function that returns the number of chunks; NULL: one chunk */
	void (*describe)(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out);
} rows[SR_KERNEL_COUNT] = {
#define ONE_CHUNK {NULL, NULL}
#define CHUNKS(f) {f##_chunk_count, f##_chunk}
#define KERNEL(id, name, params, aliasing, split, chunks, ...) [SR_KERNEL_##id] = chunks,
#include "kernels/kernels.def"
#undef ONE_CHUNK
#undef CHUNKS
};

int64_t sr_kernel_chunk_count(enum sr_kernel k, const void *params)
{
	return rows[k].count ? rows[k].count(params) : 1;
}

void sr_kernel_get_chunk(enum sr_kernel k, enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	*out = (struct sr_kernel_chunk){.n_buffers = SR_CHUNK_MAX_BUFFERS};
	rows[k].describe(t, params, i, n, out);
}

void sr_kernel_add_terms(float *restrict result, const float *restrict terms, int64_t stride, int64_t n, int64_t begin,
			 int64_t end)
{
	for (int64_t k = 0; k < n - 1; k++)
		for (int64_t i = begin; i < end; i++)
			result[i] += terms[k * stride + i];
}
