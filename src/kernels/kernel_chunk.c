/* Cutting convolutions, products and transforms: the parts column of kernels.def. */
#include "kernels/kernel_chunk.h"
#include <math.h>

static const double least = 1 << 28; /* multiplications and additions that are worth a part of their own */

static int64_t count(double flops, int64_t most)
{
	double n = flops / least;
	return n < 1 ? 1 : n < (double)most ? (int64_t)n : most > 0 ? most : 1;
}

/* An image's elements lie together, before those of the next. */
static bool by_images(const int64_t *stride, int64_t features, const int64_t *extents, int spatial)
{
	if (stride[1] * features > stride[0])
		return false;
	for (int d = 0; d < spatial; d++)
		if (stride[2 + d] * extents[d] > stride[0])
			return false;
	return true;
}

static int64_t conv_parts(const void *params)
{
	const struct sr_conv_params *p = params;
	double flops = 2.0 * (double)p->batch * (double)p->out_features * (double)p->in_features / (double)(p->feature_groups > 0 ? p->feature_groups : 1);
	for (int d = 0; d < p->spatial; d++)
		flops *= (double)p->out_shape[d] * (double)p->window[d];
	if (p->batch_groups != 1 || !by_images(p->lhs_stride, p->in_features, p->in, p->spatial) ||
	    !by_images(p->out_stride, p->out_features, p->out_shape, p->spatial))
		return 1;
	return count(flops, p->batch);
}

static int64_t product_parts(const void *params)
{
	const struct sr_product_params *p = params;
	enum { LEAST_ROWS = 256 };
	double flops = 2.0 * (double)p->batch * (double)p->m * (double)p->n * (double)p->k;
	return count(flops, p->batch > 1 ? p->batch : p->m / LEAST_ROWS);
}

/* Elements of one transform in and out; a real side has `length`, the complex side of it a little more than half of the last. */
static void fft_elements(const struct sr_fft_params *p, int64_t *in, int64_t *out)
{
	int64_t outer = 1, n = p->rank ? p->length[p->rank - 1] : 1;
	for (int d = 0; d + 1 < p->rank; d++)
		outer *= p->length[d];
	*in = outer * (p->kind == SR_IRFFT ? n / 2 + 1 : n);
	*out = outer * (p->kind == SR_RFFT ? n / 2 + 1 : n);
}

enum { LANES = 16 }; /* transforms that are computed side by side, at most */

static int64_t fft_parts(const void *params)
{
	const struct sr_fft_params *p = params;
	enum { MOST_PARTS = 16 };
	int64_t in, out;
	fft_elements(p, &in, &out);
	double flops = 5.0 * (double)p->batch * (double)in * log2((double)in + 2), n = 16 * flops / least; /* with less for each byte than products */
	int64_t most = p->batch / LANES < MOST_PARTS ? p->batch / LANES : MOST_PARTS;
	return n < 1 || most < 1 ? 1 : n < (double)most ? (int64_t)n : most;
}

static int64_t edge(int64_t extent, int64_t i, int64_t n)
{
	return (int64_t)((__int128)extent * i / n);
}

static void cut_conv(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	const struct sr_conv_params *p = params;
	int64_t first = edge(p->batch, i, n);
	out->params.conv = *p;
	out->params.conv.batch = edge(p->batch, i + 1, n) - first;
	out->range = out->params.conv.batch * p->out_features;
	out->offset[0] = first * p->lhs_stride[0] * sr_dtype_bytes(t);
	out->offset[2] = first * p->out_stride[0] * sr_dtype_bytes((enum sr_dtype)p->out);
}

static void cut_product(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	const struct sr_product_params *p = params;
	bool batches = p->batch > 1;
	int64_t extent = batches ? p->batch : p->m, first = edge(extent, i, n), end = edge(extent, i + 1, n);
	out->params.product = *p;
	*(batches ? &out->params.product.batch : &out->params.product.m) = end - first;
	out->range = out->params.product.batch * out->params.product.m;
	out->offset[0] = first * (batches ? p->lhs_batch : p->lhs_m) * sr_dtype_bytes(t);
	out->offset[1] = batches ? first * p->rhs_batch * sr_dtype_bytes((enum sr_dtype)p->rhs) : 0;
	out->offset[2] = first * (batches ? p->m : 1) * p->n * sr_dtype_bytes((enum sr_dtype)p->out);
}

static int64_t fft_edge(const struct sr_fft_params *p, int64_t i, int64_t n)
{
	return i == n ? p->batch : edge(p->batch, i, n) / LANES * LANES;
}

static void cut_fft(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	const struct sr_fft_params *p = params;
	int64_t first = fft_edge(p, i, n), in, each;
	int bytes = sr_dtype_bytes(t);
	fft_elements(p, &in, &each);
	out->params.fft = *p;
	out->range = out->params.fft.batch = fft_edge(p, i + 1, n) - first;
	out->n_buffers = 2;
	out->offset[0] = first * in * (p->kind == SR_RFFT ? bytes / 2 : bytes);
	out->offset[1] = first * each * (p->kind == SR_IRFFT ? bytes / 2 : bytes);
}

static const struct {
	int64_t (*count)(const void *params); /* NULL: one */
	void (*cut)(enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out);
} rows[SR_KERNEL_COUNT] = {
#define ONE {NULL, NULL}
#define PARTS(f) {f##_parts, cut_##f}
#define KERNEL(id, name, params, sharing, cut, parts, doc) [SR_KERNEL_##id] = parts,
#include "kernels/kernels.def"
#undef ONE
#undef PARTS
};

int64_t sr_kernel_chunk_count(enum sr_kernel k, const void *params)
{
	return rows[k].count ? rows[k].count(params) : 1;
}

void sr_kernel_get_chunk(enum sr_kernel k, enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out)
{
	*out = (struct sr_kernel_chunk){.n_buffers = SR_CHUNK_MAX_BUFFERS};
	rows[k].cut(t, params, i, n, out);
}
