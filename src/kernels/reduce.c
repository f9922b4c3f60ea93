/* REDUCE, REDUCE_WINDOW, CUMULATE and SELECT_AND_SCATTER with a monoid. An accumulator starts at init and combines the elements
 * in index order; f16 and bf16 accumulate in f32, smaller floats in f64, rounded once at the end. */
#include "kernels/element.h"
#include <stddef.h>

/* A reduction with adjacent dimensions merged: the kept dimensions index the output, the reduced ones form runs. */
struct reduction {
	int n_kept, n_reduced; /* n_reduced excludes the innermost reduced dimension, which is the run */
	int64_t kept_shape[SR_KERNEL_MAX_RANK], kept_stride[SR_KERNEL_MAX_RANK];
	int64_t shape[SR_KERNEL_MAX_RANK], stride[SR_KERNEL_MAX_RANK];
	int64_t runs, run, run_stride;
};

static void reduction_init(struct reduction *r, const struct sr_reduce_params *p)
{
	int64_t stride[SR_KERNEL_MAX_RANK], s = 1;

	for (int d = p->rank - 1; d >= 0; d--) {
		stride[d] = s;
		s *= p->shape[d];
	}
	r->n_kept = r->n_reduced = 0;
	r->runs = r->run = r->run_stride = 1;
	for (int d = 0; d < p->rank; d++) {
		if (!p->reduced[d]) {
			r->kept_shape[r->n_kept] = p->shape[d];
			r->kept_stride[r->n_kept++] = stride[d];
		} else if (r->n_reduced > 0 && r->stride[r->n_reduced - 1] == stride[d] * p->shape[d]) {
			r->shape[r->n_reduced - 1] *= p->shape[d];
			r->stride[r->n_reduced - 1] = stride[d];
		} else {
			r->shape[r->n_reduced] = p->shape[d];
			r->stride[r->n_reduced++] = stride[d];
		}
	}
	if (r->n_reduced > 0) {
		r->run = r->shape[--r->n_reduced];
		r->run_stride = r->stride[r->n_reduced];
	}
	for (int d = 0; d < r->n_reduced; d++)
		r->runs *= r->shape[d];
}

/* Return the input offset of the first element of output element i. */
static int64_t reduction_base(const struct reduction *r, int64_t i)
{
	int64_t at = 0;

	for (int d = r->n_kept - 1; d >= 0; d--) {
		at += i % r->kept_shape[d] * r->kept_stride[d];
		i /= r->kept_shape[d];
	}
	return at;
}

/* Return the input offset of the run that follows the one at offset `at`. */
static int64_t reduction_next(const struct reduction *r, int64_t at, int64_t *index)
{
	for (int d = r->n_reduced - 1; d >= 0; d--) {
		at += r->stride[d];
		if (++index[d] < r->shape[d])
			return at;
		at -= r->stride[d] * r->shape[d];
		index[d] = 0;
	}
	return at;
}

static int64_t window_cells(const struct sr_reduce_window_params *p)
{
	int64_t n = 1;

	for (int d = 0; d < p->rank; d++)
		n *= p->window[d];
	return n;
}

/* Return the input offset of position number c in the window of output element i; -1: padding or a gap of base dilation. */
static int64_t window_element(const struct sr_reduce_window_params *p, int64_t i, int64_t c)
{
	int64_t at = 0, stride = 1;

	for (int d = p->rank - 1; d >= 0; d--) {
		int64_t x = i % p->out[d] * p->stride[d] + c % p->window[d] * p->window_dilation[d] - p->pad_low[d];
		if (x < 0 || x % p->base_dilation[d] || x / p->base_dilation[d] >= p->in[d])
			return -1;
		at += x / p->base_dilation[d] * stride;
		stride *= p->in[d];
		i /= p->out[d];
		c /= p->window[d];
	}
	return at;
}

#include "kernels/map/all_types.h"
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#include "kernels/map/all_types.h"
#define BODY "kernels/reduce_body.h"
#include "kernels/map/each_type.h"

void sr_reduce_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end)
{
	static sr_kernel_fn *const reduce[SR_DTYPE_COUNT] = {
#include "kernels/map/all_types.h"
#define BODY "kernels/reduce_row.h"
#include "kernels/map/each_type.h"
	};

	reduce[t](params, buffers, NULL, begin, end);
}

void sr_kernels_init_reduce(struct sr_kernels *table)
{
#include "kernels/map/all_types.h"
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
