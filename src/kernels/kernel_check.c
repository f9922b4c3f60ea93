/* Check that a kernel's params stay inside its buffers. Nothing that a program says about a kernel is trusted before it is
 * checked here: every extent, stride, count and enum that a reference or faster kernel uses for an address, a divisor or a table
 * index. Buffer contents (indices, keys) may be arbitrary: kernels clamp or skip what is out of bounds. */
#include "kernels/kernel_check.h"
#include "kernels/conv_descriptor.h"
#include "kernels/element.h"
#include "kernels/kernel_chunk.h"
#include "support/checked.h"
#include <limits.h>
#include <string.h>

/* Maximum number of elements and of positions. No memory holds more, and the product with an element size and a few small factors
 * does not overflow. */
static const int64_t MAX_ELEMENTS = (int64_t)1 << 48;

/* The range [low, high] of element numbers that nested loops access. */
struct access_range {
	int64_t low, high;
};

/* Extend a range of element numbers by a loop of n >= 1 iterations. Returns false on overflow. */
static bool extend_range(struct access_range *r, int64_t n, int64_t stride)
{
	int64_t last_offset, *end = stride < 0 ? &r->low : &r->high;
	return !sr_mul_overflows(n - 1, stride, &last_offset) && !sr_add_overflows(*end, last_offset, end);
}

/* Compute the product of extents. Returns false if one is negative or if the product of the nonzero ones exceeds MAX_ELEMENTS. */
static bool count_elements(const int64_t *shape, int32_t rank, int64_t *out)
{
	int64_t n = 1;
	bool is_empty = false;
	if (rank < 0 || rank > SR_KERNEL_MAX_RANK)
		return false;
	for (int d = 0; d < rank; d++) {
		is_empty |= shape[d] == 0;
		if (shape[d] < 0 || (shape[d] && (sr_mul_overflows(n, shape[d], &n) || n > MAX_ELEMENTS)))
			return false;
	}
	*out = is_empty ? 0 : n;
	return true;
}

#define PRODUCT(out, ...) count_elements((const int64_t[]){__VA_ARGS__}, (int32_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), out)

/* Return true if buffer k of the call holds n elements of `bytes` bytes each. */
static bool buffer_holds(const struct sr_kernel_call *c, int k, int64_t n, int64_t bytes)
{
	return k < c->n_buffers && n >= 0 && bytes > 0 && n <= c->bytes[k] / bytes;
}

static bool is_type(int64_t t)
{
	return t > SR_DTYPE_NONE && t < SR_DTYPE_COUNT;
}

static bool is_index_type(int64_t t)
{
	return is_type(t) && sr_dtype_is_integer((enum sr_dtype)t);
}

/* Return true if kernels can copy elements of this size in bytes. */
static bool is_element_size(int64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

static bool is_monoid(int64_t monoid, enum sr_dtype t)
{
	bool bitwise = monoid == SR_MONOID_AND || monoid == SR_MONOID_OR || monoid == SR_MONOID_XOR;
	return monoid >= 0 && monoid < SR_MONOID_COUNT && (!bitwise || (!sr_dtype_is_float(t) && !sr_dtype_is_complex(t)));
}

static int64_t size_of(const struct sr_kernel_call *c)
{
	return sr_dtype_bytes(c->type);
}

/* ---- elementwise ---- */

#define SET_FLAG(id, arity, ...) __VA_OPT__([SR_KERNEL_##id] = true,)
#define MAP(id, name, arity, work, ...) SET_FLAG(id, arity, __VA_ARGS__)
static const bool returns_real_part[SR_KERNEL_COUNT] = { /* elementwise kernels that return the real type for a complex argument */
#define COLUMNS COLUMNS_PART
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
};
#define MAP(id, name, arity, work, ...) SET_FLAG(id, arity, __VA_ARGS__)
static const bool returns_predicate[SR_KERNEL_COUNT] = { /* elementwise kernels that return i1 for a float argument */
#define COLUMNS COLUMNS_TEST
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
};
#undef SET_FLAG

int sr_map_bytes(enum sr_kernel k, enum sr_dtype type, enum sr_dtype out, int argument)
{
	int bytes = sr_dtype_bytes(type);
	if (argument >= 0)
		return k == SR_KERNEL_SELECT && argument == 0 ? 1 : bytes;
	if (k == SR_KERNEL_CONVERT || k == SR_KERNEL_BITCAST)
		return sr_dtype_bytes(out);
	if (k == SR_KERNEL_COMPARE || (returns_predicate[k] && sr_dtype_is_float(type)))
		return 1;
	if (k == SR_KERNEL_COMPLEX)
		return 2 * bytes;
	return returns_real_part[k] && sr_dtype_is_complex(type) ? bytes / 2 : bytes;
}

/* Check a bitcast. Its range counts elements of the narrower type. */
static bool check_bitcast(const struct sr_kernel_call *c, const struct sr_map_params *p)
{
	const struct sr_dtype_info *in_type = &sr_dtypes[p->in], *out_type = &sr_dtypes[p->out];
	bool is_narrowing = in_type->bits >= out_type->bits;
	const struct sr_dtype_info *narrow_type = is_narrowing ? out_type : in_type, *wide_type = is_narrowing ? in_type : out_type;
	int64_t ratio = wide_type->bits / narrow_type->bits;
	return buffer_holds(c, is_narrowing ? 1 : 0, c->range, narrow_type->bytes) &&
	       buffer_holds(c, is_narrowing ? 0 : 1, sr_ceil_div(c->range, ratio), wide_type->bytes);
}

static bool check_map(const struct sr_kernel_call *c)
{
	const struct sr_map_params *p = c->params;
	int arity = sr_kernel_arity(c->kernel);
	bool converts = c->kernel == SR_KERNEL_CONVERT || c->kernel == SR_KERNEL_BITCAST;
	if (c->n_buffers != arity + 1 || c->range > MAX_ELEMENTS || (converts && (!is_type(p->in) || !is_type(p->out) ||
	    p->in != c->type)) ||
	    (c->kernel == SR_KERNEL_REDUCE_PRECISION && (p->exponent_bits < 1 || p->exponent_bits > 11 || p->mantissa_bits > 52)))
		return false;
	if (c->kernel == SR_KERNEL_BITCAST)
		return check_bitcast(c, p);
	for (int k = 0; k < arity; k++)
		if (!buffer_holds(c, k, p->scalar[k] ? c->range > 0 : c->range,
				  sr_map_bytes(c->kernel, c->type, SR_DTYPE_NONE, k)))
			return false;
	return buffer_holds(c, arity, c->range,
			    sr_map_bytes(c->kernel, c->type, converts ? (enum sr_dtype)p->out : SR_DTYPE_NONE, -1));
}

/* ---- copies ---- */

static bool check_move(const struct sr_kernel_call *c)
{
	const struct sr_move_params *p = c->params;
	struct access_range src = {p->src_offset, p->src_offset}, dst = {p->dst_offset, p->dst_offset};
	int64_t n;
	if (c->n_buffers != 2 || !is_element_size(p->bytes) || !count_elements(p->shape, p->rank, &n) ||
			c->range > (p->rank ? p->shape[0] : 1))
		return false;
	for (int d = 0; n && d < p->rank; d++)
		if (!extend_range(&src, p->shape[d], p->src_stride[d]) || !extend_range(&dst, p->shape[d], p->dst_stride[d]))
			return false;
	return !n || !c->range ||
	       (src.low >= 0 && dst.low >= 0 && src.high < MAX_ELEMENTS && dst.high < MAX_ELEMENTS &&
		buffer_holds(c, 0, src.high + 1, p->bytes) && buffer_holds(c, 1, dst.high + 1, p->bytes));
}

static bool check_fill(const struct sr_kernel_call *c)
{
	const struct sr_fill_params *p = c->params;
	return c->n_buffers == 2 && is_element_size(p->bytes) && buffer_holds(c, 0, c->range > 0, p->bytes) &&
	       buffer_holds(c, 1, c->range, p->bytes);
}

/* Check dynamic_slice and dynamic_update_slice. `first`: number of the first start index among the buffers. */
static bool check_dynamic(const struct sr_kernel_call *c, int first)
{
	const struct sr_dynamic_slice_params *p = c->params;
	int64_t all, slice, rows;
	bool is_update = first == 2;
	if (!is_element_size(p->bytes) || !is_index_type(p->index_type) || !count_elements(p->src, p->rank, &all) ||
			!count_elements(p->size, p->rank,
	    &slice) ||
	    c->n_buffers != first + p->rank + 1)
		return false;
	rows = p->rank ? p->size[sr_update_row_dimension(p)] : 0;
	if (is_update ? c->range != rows : c->range > 1)
		return false;
	for (int d = 0; d < p->rank; d++)
		if (p->size[d] > p->src[d] || !buffer_holds(c, first + d, 1, sr_dtype_bytes((enum sr_dtype)p->index_type)))
			return false;
	return buffer_holds(c, 0, all, p->bytes) && buffer_holds(c, 1, is_update ? slice : 0, p->bytes) &&
	       buffer_holds(c, c->n_buffers - 1, is_update ? all : slice, p->bytes);
}

static bool check_dynamic_slice(const struct sr_kernel_call *c)
{
	return check_dynamic(c, 1);
}

static bool check_dynamic_update_slice(const struct sr_kernel_call *c)
{
	return check_dynamic(c, 2);
}

/* ---- reductions ---- */

bool sr_reduce_check(const struct sr_reduce_params *p, int64_t *in, int64_t *out)
{
	int64_t kept_shape[SR_KERNEL_MAX_RANK];
	if (!count_elements(p->shape, p->rank, in))
		return false;
	for (int d = 0; d < p->rank; d++)
		kept_shape[d] = p->reduced[d] ? 1 : p->shape[d];
	return count_elements(kept_shape, p->rank, out);
}

static bool check_reduce(const struct sr_kernel_call *c)
{
	const struct sr_reduce_params *p = c->params;
	int64_t in, out;
	return c->n_buffers == 3 && sr_reduce_check(p, &in, &out) && is_monoid(p->monoid, c->type) && c->range == out &&
	       buffer_holds(c, 0, in, size_of(c)) && buffer_holds(c, 1, 1, size_of(c)) && buffer_holds(c, 2, out, size_of(c));
}

/* Return true if a window's geometry along one dimension is valid, and no position of a window or of padding overflows. */
static bool is_valid_window(int64_t in, int64_t out, int64_t window, int64_t stride, int64_t base_dilation, int64_t window_dilation,
    int64_t pad_low)
{
	int64_t last_start, extent, dense;
	if (in < 0 || out < 0 || window < 1 || stride < 1 || base_dilation < 1 || window_dilation < 1 || pad_low < -MAX_ELEMENTS ||
	    pad_low > MAX_ELEMENTS ||
	    stride > MAX_ELEMENTS || base_dilation > MAX_ELEMENTS || window_dilation > MAX_ELEMENTS)
		return false;
	return !sr_mul_overflows(out, stride, &last_start) && !sr_mul_overflows(window, window_dilation, &extent) &&
	       !sr_mul_overflows(in, base_dilation, &dense) && last_start <= MAX_ELEMENTS && extent <= MAX_ELEMENTS &&
			dense <= MAX_ELEMENTS;
}

bool sr_window_check(const struct sr_reduce_window_params *p, int64_t *in, int64_t *out)
{
	int64_t cells;
	if (!count_elements(p->in, p->rank, in) || !count_elements(p->out, p->rank, out) || !count_elements(p->window, p->rank,
			&cells))
		return false;
	for (int d = 0; d < p->rank; d++)
		if (!is_valid_window(p->in[d], p->out[d], p->window[d], p->stride[d], p->base_dilation[d], p->window_dilation[d],
		    p->pad_low[d]))
			return false;
	return true;
}

static bool check_reduce_window(const struct sr_kernel_call *c)
{
	const struct sr_reduce_window_params *p = c->params;
	int64_t in, out;
	return c->n_buffers == 3 && sr_window_check(p, &in, &out) && is_monoid(p->monoid, c->type) && c->range == out &&
	       buffer_holds(c, 0, in, size_of(c)) && buffer_holds(c, 1, 1, size_of(c)) && buffer_holds(c, 2, out, size_of(c));
}

static bool check_cumulate(const struct sr_kernel_call *c)
{
	const struct sr_cumulate_params *p = c->params;
	int64_t n;
	return c->n_buffers == 3 && PRODUCT(&n, p->outer, p->length, p->inner) && is_monoid(p->monoid, c->type) &&
	    c->range == p->outer &&
	       buffer_holds(c, 0, n, size_of(c)) && buffer_holds(c, 1, 1, size_of(c)) && buffer_holds(c, 2, n, size_of(c));
}

/* Check select_and_scatter. The kernels number the elements of a window with 32 bits. */
static bool check_select_and_scatter(const struct sr_kernel_call *c)
{
	const struct sr_select_and_scatter_params *p = c->params;
	int64_t in, out, cells;
	return c->n_buffers == 4 && sr_window_check(&p->window, &in, &out) && count_elements(p->window.window, p->window.rank,
			&cells) &&
	       cells <= INT32_MAX && is_monoid(p->window.monoid, c->type) &&
	    c->range == sr_select_and_scatter_groups(&p->window) && buffer_holds(c, 0, in, size_of(c)) &&
	       buffer_holds(c, 1, out, size_of(c)) && buffer_holds(c, 2, 1, size_of(c)) && buffer_holds(c, 3, in, size_of(c));
}

/* ---- products ---- */

/* Return true if loops over `n` iterations each, with non-negative strides, stay inside buffer k. */
static bool are_loops_in_buffer(const struct sr_kernel_call *c, int k, int loops, const int64_t *n, const int64_t *stride,
		int64_t bytes)
{
	struct access_range r = {0, 0};
	for (int d = 0; d < loops; d++)
		if (n[d] == 0)
			return true;
	for (int d = 0; d < loops; d++)
		if (stride[d] < 0 || !extend_range(&r, n[d], stride[d]))
			return false;
	return r.high < MAX_ELEMENTS && buffer_holds(c, k, r.high + 1, bytes);
}

#define STRIDED(c, k, loops, n, stride, bytes) are_loops_in_buffer(c, k, loops, (const int64_t[])n, (const int64_t[])stride, bytes)
#define LIST(...) {__VA_ARGS__}

static bool check_product(const struct sr_kernel_call *c)
{
	const struct sr_product_params *p = c->params;
	int64_t n;
	if (c->n_buffers != 3 || !is_type(p->rhs) || !is_type(p->out) || !PRODUCT(&n, p->batch, p->m, p->n, p->k) || p->out_m < 0 ||
	    (p->out_m && p->out_m < p->n) || c->range != p->batch * p->m)
		return false;
	return STRIDED(c, 0, 3, LIST(p->batch, p->m, p->k), LIST(p->lhs_batch, p->lhs_m, p->lhs_k), size_of(c)) &&
	       STRIDED(c, 1, 3, LIST(p->batch, p->n, p->k), LIST(p->rhs_batch, p->rhs_n, p->rhs_k),
		       sr_dtype_bytes((enum sr_dtype)p->rhs)) &&
	       STRIDED(c, 2, 2, LIST(c->range, p->n), LIST(sr_product_out_m(p), 1), sr_dtype_bytes((enum sr_dtype)p->out));
}

/* Check one tensor of a convolution; its shape has two leading extents, then the spatial ones. */
static bool check_conv_tensor(const struct sr_kernel_call *c, int k, int64_t first_dim, int64_t second_dim, const int64_t *space,
    const int64_t *stride,
			      int64_t bytes)
{
	const struct sr_conv_params *p = c->params;
	int64_t dims[SR_KERNEL_MAX_RANK + 2] = {first_dim, second_dim}, a, b, n;
	memcpy(dims + 2, space, sizeof *space * (size_t)p->spatial);
	return PRODUCT(&a, first_dim, second_dim) && count_elements(space, p->spatial, &b) && PRODUCT(&n, a, b) &&
	       buffer_holds(c, k, n, bytes) && are_loops_in_buffer(c, k, p->spatial + 2, dims, stride, bytes);
}

static bool check_convolution(const struct sr_kernel_call *c)
{
	const struct sr_conv_params *p = c->params;
	int64_t batches, cells, out_elements, all, bytes = size_of(c);
	if (c->n_buffers != 3 || p->spatial < 0 || p->spatial > SR_KERNEL_MAX_RANK || !is_type(p->out) || p->batch < 0 ||
	    p->in_features < 0 ||
	    p->out_features < 0 || p->feature_groups < 1 || p->batch_groups < 1 || p->in_features % p->feature_groups ||
	    p->out_features % p->feature_groups || p->out_features % p->batch_groups || !PRODUCT(&batches, p->batch,
	    p->batch_groups) ||
	    !count_elements(p->window, p->spatial, &cells) || !count_elements(p->out_shape, p->spatial, &out_elements) ||
			!PRODUCT(&all, cells,
	    p->in_features, out_elements) ||
	    !PRODUCT(&all, p->batch, p->out_features) || c->range != all)
		return false;
	if (p->winograd && !sr_conv_may_use_winograd(c->type, p))
		return false;
	for (int d = 0; d < p->spatial; d++)
		if (!is_valid_window(p->in[d], p->out_shape[d], p->window[d], p->stride[d], p->lhs_dilation[d], p->rhs_dilation[d],
		    p->pad_low[d]))
			return false;
	return check_conv_tensor(c, 0, batches, p->in_features, p->in, p->lhs_stride, bytes) &&
	       check_conv_tensor(c, 1, p->in_features / p->feature_groups, p->out_features, p->window, p->rhs_stride, bytes) &&
	       check_conv_tensor(c, 2, p->batch, p->out_features, p->out_shape, p->out_stride,
				 sr_dtype_bytes((enum sr_dtype)p->out));
}

/* ---- gather and scatter ---- */

static bool check_gather_ranks(const struct sr_gather_params *g)
{
	return is_element_size(g->bytes) && is_index_type(g->index_type) && g->indices_rank >= 0 &&
			g->indices_rank <= SR_KERNEL_MAX_RANK &&
	       g->index_vector_dim >= 0 && g->index_vector_dim <= g->indices_rank && g->n_index_map >= 0 &&
	       g->n_index_map <= SR_KERNEL_MAX_RANK &&
	       g->n_index_map <= (g->index_vector_dim < g->indices_rank ? g->indices[g->index_vector_dim] : 1);
}

/* Check that each operand dimension is an offset dimension, an indexed one, or a batching one, each at most once, and that a
 * batching dimension is neither of the others. */
static bool check_gather_operand(const struct sr_gather_params *g)
{
	bool moved[SR_KERNEL_MAX_RANK] = {false}, offset[SR_KERNEL_MAX_RANK] = {false};
	for (int k = 0; k < g->n_index_map; k++) {
		int o = g->index_map[k];
		if (o < 0 || o >= g->operand_rank || moved[o])
			return false;
		moved[o] = true;
	}
	for (int d = 0; d < g->out_rank; d++) {
		int o = g->out_operand_dim[d];
		if (o < -1 || o >= g->operand_rank || (o >= 0 && (offset[o] || g->out[d] > g->slice_sizes[o])))
			return false;
		if (o >= 0)
			offset[o] = true;
	}
	for (int o = 0; o < g->operand_rank; o++) {
		int i = g->batch_of_operand[o];
		if (i < -1 || i >= g->indices_rank || (i >= 0 && (i == g->index_vector_dim || moved[o] || offset[o] ||
		    g->indices[i] > g->operand[o])))
			return false;
		if (g->slice_sizes[o] < 0 || (i < 0 && g->slice_sizes[o] > g->operand[o]))
			return false;
	}
	return true;
}

/* Check that the batch dimensions of the result are the dimensions of the indices in order, without the index vector dimension. */
static bool check_gather_batches(const struct sr_gather_params *g)
{
	int i = 0;
	for (int d = 0; d < g->out_rank; d++) {
		if (g->out_operand_dim[d] >= 0)
			continue;
		i += i == g->index_vector_dim;
		if (i >= g->indices_rank || g->out[d] > g->indices[i])
			return false;
		i++;
	}
	return i + (i == g->index_vector_dim) >= g->indices_rank;
}

bool sr_gather_check(const struct sr_gather_params *g, int64_t *operand, int64_t *indices, int64_t *out)
{
	return count_elements(g->operand, g->operand_rank, operand) && count_elements(g->indices, g->indices_rank, indices) &&
			count_elements(g->out,
	    g->out_rank, out) &&
	       check_gather_ranks(g) && check_gather_operand(g) && check_gather_batches(g);
}

static bool check_gather(const struct sr_kernel_call *c)
{
	const struct sr_gather_params *g = c->params;
	int64_t operand, indices, out;
	return c->n_buffers == 3 && sr_gather_check(g, &operand, &indices, &out) && c->range == out && buffer_holds(c, 0, operand,
	    g->bytes) &&
	       buffer_holds(c, 1, indices, sr_dtype_bytes((enum sr_dtype)g->index_type)) && buffer_holds(c, 2, out, g->bytes);
}

static bool check_scatter(const struct sr_kernel_call *c)
{
	const struct sr_scatter_params *p = c->params;
	int64_t operand, indices, updates;
	return c->n_buffers == 4 && sr_gather_check(&p->g, &operand, &indices, &updates) && c->range == operand &&
	       p->g.bytes == size_of(c) && (p->monoid == -1 || is_monoid(p->monoid, c->type)) &&
	       buffer_holds(c, 0, operand, size_of(c)) &&
	       buffer_holds(c, 1, indices, sr_dtype_bytes((enum sr_dtype)p->g.index_type)) &&
	       buffer_holds(c, 2, p->splat ? 1 : updates, size_of(c)) && buffer_holds(c, 3, operand, size_of(c));
}

/* ---- sorts, transforms, linear algebra ---- */

bool sr_sort_check(const struct sr_sort_params *p, int64_t *n)
{
	return PRODUCT(n, p->outer, p->length, p->inner) && p->n_used_results >= 0;
}

static bool check_sort(const struct sr_kernel_call *c)
{
	const struct sr_sort_params *p = c->params;
	int64_t n, rows;
	if (!sr_sort_check(p, &n) || p->n_operands < 1 || p->n_operands > (int)(sizeof p->bytes / sizeof *p->bytes) || p->key < 0 ||
	    p->key >= p->n_operands || c->n_buffers != 2 * p->n_operands || p->bytes[p->key] != size_of(c) ||
	    !PRODUCT(&rows, p->outer, p->inner) || c->range != rows || p->length > UINT32_MAX)
		return false;
	for (int k = 0; k < p->n_operands; k++)
		if (!is_element_size(p->bytes[k]) || !buffer_holds(c, k, n, p->bytes[k]) ||
		    !buffer_holds(c, p->n_operands + k, n, p->bytes[k]))
			return false;
	return true;
}

/* Check an FFT of columns. */
static bool check_fft_columns(const struct sr_kernel_call *c)
{
	const struct sr_fft_params *p = c->params;
	int64_t all;
	bool is_complex = p->kind == SR_FFT || p->kind == SR_IFFT;
	return is_complex && p->rank == 1 && p->inner > 0 && p->stride >= p->inner && c->n_buffers == 2 &&
	       c->range == p->batch && PRODUCT(&all, p->batch, p->length[0], p->stride) && buffer_holds(c, 0, all, size_of(c)) &&
	       buffer_holds(c, 1, all, size_of(c));
}

static bool check_fft(const struct sr_kernel_call *c)
{
	const struct sr_fft_params *p = c->params;
	int64_t n, rows = 1, all, half_elements, real = size_of(c) / 2;
	if (p->inner)
		return check_fft_columns(c);
	if (c->n_buffers != 2 || p->kind < SR_FFT || p->kind > SR_IRFFT || p->rank < 1 || p->rank > 3 || !count_elements(p->length,
	    p->rank, &n) ||
	    !count_elements(p->length, p->rank - 1, &rows) || !PRODUCT(&all, p->batch, n) || c->range != p->batch ||
	    !PRODUCT(&half_elements, p->batch, rows, p->length[p->rank - 1] / 2 + 1))
		return false;
	if (!all) /* the transform is empty: nothing is computed */
		half_elements = 0;
	bool is_input_valid = p->kind == SR_RFFT ? buffer_holds(c, 0, all, real)
				     : buffer_holds(c, 0, p->kind == SR_IRFFT ? half_elements : all, 2 * real);
	return is_input_valid && (p->kind == SR_IRFFT ? buffer_holds(c, 1, all, real)
					  : buffer_holds(c, 1, p->kind == SR_RFFT ? half_elements : all, 2 * real));
}

static bool check_cholesky(const struct sr_kernel_call *c)
{
	const struct sr_linalg_params *p = c->params;
	int64_t n;
	return c->n_buffers == 2 && PRODUCT(&n, p->batch, p->n, p->n) && c->range == p->batch &&
	       buffer_holds(c, 0, n, size_of(c)) && buffer_holds(c, 1, n, size_of(c));
}

static bool check_triangular_solve(const struct sr_kernel_call *c)
{
	const struct sr_linalg_params *p = c->params;
	int64_t size = p->left ? p->m : p->n, a, b;
	return c->n_buffers == 3 && PRODUCT(&a, p->batch, size, size) && PRODUCT(&b, p->batch, p->m, p->n) &&
	    c->range == p->batch &&
	       buffer_holds(c, 0, a, size_of(c)) && buffer_holds(c, 1, b, size_of(c)) && buffer_holds(c, 2, b, size_of(c));
}

static bool check_rng_bits(const struct sr_kernel_call *c)
{
	const struct sr_rng_params *p = c->params;
	int64_t n, words = p->state_words >= 3 ? 3 : 2;
	if (c->n_buffers != 3 || !count_elements(p->shape, p->rank, &n) || (p->rank && n != p->n) || c->range > 1 || p->bytes > 8 ||
	    !is_element_size(p->bytes))
		return false;
	return buffer_holds(c, 0, words, 8) && buffer_holds(c, 1, words, 8) && buffer_holds(c, 2, p->n, p->bytes);
}

static bool is_flag(char c, const char *allowed)
{
	return !c || strchr(allowed, c);
}

#define CONTENTS(...) \
	do { \
		const struct sr_lapack_buffer contents[] = {__VA_ARGS__}; \
		memcpy(to, contents, sizeof contents); \
		return (int)(sizeof contents / sizeof *contents); \
	} while (0)
int sr_lapack_buffers(const struct sr_lapack_params *p, enum sr_dtype type, struct sr_lapack_buffer *to)
{
	const bool is_complex = sr_dtype_is_complex(type);
	const enum sr_dtype e = type, r = is_complex ? sr_dtype_complex_part(type) : type, i = SR_I32,
			    c = type == SR_F32 || type == SR_C64 ? SR_C64 : SR_C128;
	int64_t m = p->m, n = p->n, k = p->k, mn = m * n, nn = n * n, min_mn = m < n ? m : n, order = p->side == 'L' ? m : n,
	    after = n > 0 ? n - 1 : 0;
	int64_t u = p->mode == 'N' ? 0 : m * (p->mode == 'A' ? m : min_mn),
	    vt = p->mode == 'N' ? 0 : n * (p->mode == 'A' ? n : min_mn);
	int64_t left_vectors = p->left == 'V' ? nn : 0, right_vectors = p->right == 'V' ? nn : 0, vectors = p->mode == 'V' ? nn : 0;
	switch ((enum sr_lapack)p->routine) {
	case SR_LAPACK_POTRF:
		CONTENTS({nn, e}, {nn, e}, {1, i});
	case SR_LAPACK_GETRF:
		CONTENTS({mn, e}, {mn, e}, {min_mn, i}, {1, i});
	case SR_LAPACK_GEQRF:
		CONTENTS({mn, e}, {mn, e}, {min_mn, e});
	case SR_LAPACK_GEQP3:
		CONTENTS({mn, e}, {n, i}, {mn, e}, {n, i}, {min_mn, e});
	case SR_LAPACK_ORGQR:
		CONTENTS({mn, e}, {k, e}, {mn, e});
	case SR_LAPACK_ORMQR:
		CONTENTS({order * k, e}, {k, e}, {mn, e}, {mn, e});
	case SR_LAPACK_TRSM:
		CONTENTS({order * order, e}, {mn, e}, {mn, e});
	case SR_LAPACK_GEHRD:
		CONTENTS({nn, e}, {nn, e}, {after, e}, {1, i});
	case SR_LAPACK_SYTRD:
		CONTENTS({nn, e}, {nn, e}, {n, r}, {after, r}, {after, e}, {1, i});
	case SR_LAPACK_GTSV:
		CONTENTS({m, e}, {m, e}, {m, e}, {mn, e}, {m, e}, {m, e}, {m, e}, {mn, e}, {1, i});
	case SR_LAPACK_SYEVD:
		CONTENTS({nn, e}, {nn, e}, {n, r}, {1, i});
	case SR_LAPACK_GESDD:
	case SR_LAPACK_GESVD:
		CONTENTS({mn, e}, {mn, e}, {min_mn, r}, {u, e}, {vt, e}, {1, i});
	case SR_LAPACK_GEEV:
		if (is_complex)
			CONTENTS({nn, e}, {n, e}, {left_vectors, e}, {right_vectors, e}, {1, i});
		CONTENTS({nn, e}, {n, e}, {n, e}, {left_vectors, c}, {right_vectors, c}, {1, i});
	case SR_LAPACK_GEES:
		if (is_complex)
			CONTENTS({nn, e}, {nn, e}, {vectors, e}, {n, e}, {1, i}, {1, i});
		CONTENTS({nn, e}, {nn, e}, {vectors, e}, {n, e}, {n, e}, {1, i}, {1, i});
	case SR_LAPACK_COUNT:
		break;
	}
	return 0;
}
#undef CONTENTS

static bool check_lapack(const struct sr_kernel_call *c)
{
	const struct sr_lapack_params *p = c->params;
	struct sr_lapack_buffer contents[SR_LAPACK_MAX_BUFFERS];
	int64_t all;
	if (p->routine < 0 || p->routine >= SR_LAPACK_COUNT || p->m < 0 || p->n < 0 || p->k < 0 || p->m > INT_MAX ||
	    p->n > INT_MAX || p->k > INT_MAX ||
	    p->batch < 0 || c->range != p->batch || p->low < 0 || p->low > INT_MAX || p->high < 0 || p->high > INT_MAX ||
	    !is_flag((char)p->uplo, "LU") || !is_flag((char)p->side, "LR") || !is_flag((char)p->trans, "NTC") ||
	    !is_flag((char)p->diag, "NU") ||
	    !is_flag((char)p->mode, "NVSA") || !is_flag((char)p->left, "NV") || !is_flag((char)p->right, "NV"))
		return false;
	int n = sr_lapack_buffers(p, c->type, contents);
	if (c->n_buffers != n)
		return false;
	for (int k = 0; k < n; k++)
		if (sr_mul_overflows(p->batch, contents[k].n, &all) ||
		    !buffer_holds(c, k, all, sr_dtype_bytes(contents[k].type)))
			return false;
	return true;
}

/* ---- the table ---- */

static const size_t params_bytes[SR_KERNEL_COUNT] = {
#define KERNEL(id, name, params, ...) [SR_KERNEL_##id] = sizeof(struct params),
#include "kernels/kernels.def"
};
/* Checks of kernels that are not elementwise; a kernel without a check is rejected. */
static bool (*const checks[SR_KERNEL_COUNT])(const struct sr_kernel_call *c) = {
	[SR_KERNEL_MOVE] = check_move, [SR_KERNEL_FILL] = check_fill, [SR_KERNEL_DYNAMIC_SLICE] = check_dynamic_slice,
	[SR_KERNEL_DYNAMIC_UPDATE_SLICE] = check_dynamic_update_slice, [SR_KERNEL_REDUCE] = check_reduce,
	    [SR_KERNEL_REDUCE_WINDOW] = check_reduce_window,
	[SR_KERNEL_CUMULATE] = check_cumulate, [SR_KERNEL_SELECT_AND_SCATTER] = check_select_and_scatter,
			[SR_KERNEL_PRODUCT] = check_product,
	[SR_KERNEL_CONVOLUTION] = check_convolution, [SR_KERNEL_GATHER] = check_gather, [SR_KERNEL_SCATTER] = check_scatter,
			[SR_KERNEL_SORT] = check_sort,
	[SR_KERNEL_FFT] = check_fft, [SR_KERNEL_CHOLESKY] = check_cholesky, [SR_KERNEL_TRIANGULAR_SOLVE] = check_triangular_solve,
	    [SR_KERNEL_RNG_BITS] = check_rng_bits,
	[SR_KERNEL_LAPACK] = check_lapack,
};

bool sr_kernel_check(const struct sr_kernel_call *c)
{
	enum sr_kernel k = c->kernel;
	bool (*check)(const struct sr_kernel_call *) = checks[k] ? checks[k] : sr_kernel_arity(k) ? check_map : NULL;
	return check && is_type(c->type) && c->n_params >= params_bytes[k] && c->range >= 0 && check(c) &&
	       sr_kernel_planned_scratch(k, c->type, c->params) <= c->scratch;
}
