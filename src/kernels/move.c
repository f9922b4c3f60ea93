/* MOVE, FILL, DYNAMIC_SLICE and DYNAMIC_UPDATE_SLICE: copies of elements by size, regardless of their type.
 *
 * A move is first simplified: dimensions of extent 1 are dropped and neighbouring dimensions merged if both sides allow, so that
 * most moves become a few long runs. If the innermost dimension of the source differs from that of the destination, the copy goes
 * through square tiles (a blocked transpose). */
#include "kernels/element.h"
#include "kernels/kernel_chunk.h"
#include <string.h>

struct strided_copy {
	int rank;
	int64_t shape[SR_KERNEL_MAX_RANK], src[SR_KERNEL_MAX_RANK], dst[SR_KERNEL_MAX_RANK];
};

typedef struct {
	uint64_t halves[2];
} sixteen_bytes;

enum { TILE = 16 };

/* Copy a [rows][cols] plane with any strides. If the destination's columns are contiguous and the source's are not, tiles are
 * copied through a buffer on the stack, so that each cache line is read and written once even if a stride is a power of two. */
#define PLANE(bytes, type) \
	static void square_##bytes(const type *s, type *d, int64_t rows, int64_t cols, const int64_t *src, int64_t dst) \
	{ \
		type square[TILE][TILE]; \
		for (int64_t c = 0; c < cols; c++) \
			for (int64_t r = 0; r < rows; r++) \
				square[r][c] = s[r * src[0] + c * src[1]]; \
		for (int64_t r = 0; r < rows; r++) \
			memcpy(d + r * dst, square[r], (size_t)cols * bytes); \
	} \
	static void row_##bytes(const type *s, type *d, int64_t cols, int64_t src, int64_t dst) \
	{ \
		if (src == 1 && dst == 1) \
			memcpy(d, s, (size_t)cols * bytes); \
		else if (src == 0 && dst == 1) \
			for (int64_t c = 0; c < cols; c++) \
				d[c] = *s; \
		else \
			for (int64_t c = 0; c < cols; c++) \
				d[c * dst] = s[c * src]; \
	} \
	static void plane_##bytes(const void *from, void *to, int64_t rows, int64_t cols, const int64_t *src, const int64_t *dst) \
	{ \
		const type *s = from; \
		type *d = to; \
		bool squares = dst[1] == 1 && src[1] != 1 && src[1] != 0 && rows > 1; \
		int64_t step = squares ? TILE : 1; \
		for (int64_t r = 0; r < rows; r += step) { \
			if (!squares) \
				row_##bytes(s + r * src[0], d + r * dst[0], cols, src[1], dst[1]); \
			for (int64_t c = 0; squares && c < cols; c += TILE) \
				square_##bytes(s + r * src[0] + c * src[1], d + r * dst[0] + c, rows - r < TILE ? rows - r : TILE, \
					       cols - c < TILE ? cols - c : TILE, src, dst[0]); \
		} \
	}
PLANE(1, uint8_t)
PLANE(2, uint16_t)
PLANE(4, uint32_t)
PLANE(8, uint64_t)
PLANE(16, sixteen_bytes)

typedef void plane_fn(const void *from, void *to, int64_t rows, int64_t cols, const int64_t *src, const int64_t *dst);
static plane_fn *const planes[17] = {[1] = plane_1, [2] = plane_2, [4] = plane_4, [8] = plane_8, [16] = plane_16};

static void add_dimension(struct strided_copy *w, int64_t extent, int64_t src, int64_t dst)
{
	int last_dim = w->rank - 1;

	if (extent == 1)
		return;
	if (last_dim >= 0 && w->src[last_dim] == src * extent && w->dst[last_dim] == dst * extent) {
		w->shape[last_dim] *= extent;
		w->src[last_dim] = src;
		w->dst[last_dim] = dst;
		return;
	}
	w->shape[w->rank] = extent;
	w->src[w->rank] = src;
	w->dst[w->rank++] = dst;
}

/* If the source is contiguous along an outer dimension, move that dimension next to the innermost one. */
static void pair_contiguous_dimensions(struct strided_copy *w)
{
	int last_dim = w->rank - 1;

	if (last_dim < 2 || w->src[last_dim] == 1 || w->src[last_dim] == 0)
		return;
	for (int d = 0; d < last_dim - 1; d++) {
		if (w->src[d] != 1 && w->src[d] != -1)
			continue;
		int64_t shape = w->shape[d], src = w->src[d], dst = w->dst[d];
		for (int k = d; k < last_dim - 1; k++) {
			w->shape[k] = w->shape[k + 1];
			w->src[k] = w->src[k + 1];
			w->dst[k] = w->dst[k + 1];
		}
		w->shape[last_dim - 1] = shape;
		w->src[last_dim - 1] = src;
		w->dst[last_dim - 1] = dst;
		return;
	}
}

static void run_copy(struct strided_copy *w, int bytes, const char *src, char *dst)
{
	int64_t index[SR_KERNEL_MAX_RANK] = {0};

	for (int d = 0; d < w->rank; d++)
		if (w->shape[d] == 0)
			return;
	pair_contiguous_dimensions(w);
	while (w->rank < 2) { /* prepend dimensions of extent 1, so that the copy has at least rows and columns */
		memmove(w->shape + 1, w->shape, sizeof(int64_t));
		memmove(w->src + 1, w->src, sizeof(int64_t));
		memmove(w->dst + 1, w->dst, sizeof(int64_t));
		w->shape[0] = 1;
		w->src[0] = w->dst[0] = 0;
		w->rank++;
	}
	int outer = w->rank - 2;
	for (;;) {
		planes[bytes](src, dst, w->shape[outer], w->shape[outer + 1], w->src + outer, w->dst + outer);
		int d = outer - 1;
		for (; d >= 0; d--) {
			src += w->src[d] * bytes;
			dst += w->dst[d] * bytes;
			if (++index[d] < w->shape[d])
				break;
			src -= w->src[d] * w->shape[d] * bytes;
			dst -= w->dst[d] * w->shape[d] * bytes;
			index[d] = 0;
		}
		if (d < 0)
			return;
	}
}

static void move(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_move_params *p = params;
	int64_t src = p->src_offset, dst = p->dst_offset;
	struct strided_copy w = {0};

	if (begin >= end)
		return;
	for (int d = 0; d < p->rank; d++) {
		add_dimension(&w, d == 0 ? end - begin : p->shape[d], p->src_stride[d], p->dst_stride[d]);
		if (d == 0) {
			src += begin * p->src_stride[d];
			dst += begin * p->dst_stride[d];
		}
	}
	run_copy(&w, p->bytes, (const char *)buffers[0] + src * p->bytes, (char *)buffers[1] + dst * p->bytes);
}

static void fill(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_fill_params *p = params;
	static const int64_t src[2] = {0, 0}, dst[2] = {0, 1};

	planes[p->bytes](buffers[0], (char *)buffers[1] + begin * p->bytes, 1, end - begin, src, dst);
}

/* Set up a copy between a tensor and a separate array of the size of a slice of it. The slice begins at the given starts, clamped so
 * that it is within the tensor. Only indices [begin, end) of the slice along dimension `rows` are copied. from_slice: true to copy
 * from the array to the tensor. Return the offset in elements of the first copied element in the tensor, and in *slice_offset that
 * in the array. */
static int64_t setup_slice_copy(const struct sr_dynamic_slice_params *p, void *const *starts, bool from_slice, int rows,
				int64_t begin, int64_t end, struct strided_copy *w, int64_t *slice_offset)
{
	int64_t offset = 0, stride = 1, slice_elements = 1, tensor_stride[SR_KERNEL_MAX_RANK] = {0};
	int64_t slice_stride[SR_KERNEL_MAX_RANK] = {0};

	for (int d = p->rank - 1; d >= 0; d--) {
		int64_t start = sr_index_load((enum sr_dtype)p->index_type, starts[d], 0), limit = p->src[d] - p->size[d];
		start = start > limit ? limit : start;
		offset += (start < 0 ? 0 : start) * stride;
		tensor_stride[d] = stride;
		slice_stride[d] = slice_elements;
		stride *= p->src[d];
		slice_elements *= p->size[d];
	}
	for (int d = 0; d < p->rank; d++)
		add_dimension(w, d == rows ? end - begin : p->size[d], from_slice ? slice_stride[d] : tensor_stride[d],
			      from_slice ? tensor_stride[d] : slice_stride[d]);
	*slice_offset = begin * slice_stride[rows];
	return offset + begin * tensor_stride[rows];
}

static void dynamic_slice(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_dynamic_slice_params *p = params;
	struct strided_copy w = {0};
	int64_t unused_offset, offset = setup_slice_copy(p, buffers + 1, false, 0, 0, p->size[0], &w, &unused_offset);

	if (begin < end)
		run_copy(&w, p->bytes, (const char *)buffers[0] + offset * p->bytes, buffers[1 + p->rank]);
}

static void dynamic_update_slice(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_dynamic_slice_params *p = params;
	struct strided_copy w = {0};
	int64_t update_offset, bytes = p->bytes;
	int64_t offset = setup_slice_copy(p, buffers + 2, true, sr_update_row_dimension(p), begin, end, &w, &update_offset);
	char *dst = buffers[2 + p->rank];

	if (begin >= end)
		return;
	for (int d = 0; d < p->rank; d++)
		bytes *= p->src[d];
	if (dst != buffers[0])
		memcpy(dst, buffers[0], (size_t)bytes);
	run_copy(&w, p->bytes, (const char *)buffers[1] + update_offset * p->bytes, dst + offset * p->bytes);
}

void sr_kernels_init_move(struct sr_kernels *table)
{
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
		table->fn[SR_KERNEL_MOVE][t] = move;
		table->fn[SR_KERNEL_FILL][t] = fill;
		table->fn[SR_KERNEL_DYNAMIC_SLICE][t] = dynamic_slice;
		table->fn[SR_KERNEL_DYNAMIC_UPDATE_SLICE][t] = dynamic_update_slice;
	}
}
