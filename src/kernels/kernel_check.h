/* Check that the params of a kernel call from an untrusted program are safe to use. */
#ifndef SR_KERNELS_KERNEL_CHECK_H
#define SR_KERNELS_KERNEL_CHECK_H

#include "kernels/kernel.h"

/* A kernel call as a program describes it. */
struct sr_kernel_call {
	enum sr_kernel kernel;
	enum sr_dtype type; /* element type by which the kernel table is indexed */
	const void *params;
	uint64_t n_params;  /* size of `params` in bytes */
	int64_t range, scratch;
	/* size in bytes of each buffer, counted from the beginning of the kernel's operand; length: n_buffers */
	const int64_t *bytes;
	int n_buffers;
};
/* Return true if a kernel of the table, called with these params over the full range, accesses nothing outside its buffers and
 * scratch, whatever the buffers hold. */
bool sr_kernel_check(const struct sr_kernel_call *call);
/* Return the bytes per element of an elementwise kernel's argument, or of its result if `argument` is -1. `type` is the table's
 * type, `out` the result type of CONVERT and BITCAST. */
int sr_map_bytes(enum sr_kernel k, enum sr_dtype type, enum sr_dtype out, int argument);
/* Check the params of reductions, windows, gathers and sorts, also for those with a custom body; compute the number of elements of
 * each operand. */
bool sr_reduce_check(const struct sr_reduce_params *p, int64_t *in, int64_t *out);
bool sr_window_check(const struct sr_reduce_window_params *p, int64_t *in, int64_t *out);
bool sr_gather_check(const struct sr_gather_params *g, int64_t *operand, int64_t *indices, int64_t *out);
bool sr_sort_check(const struct sr_sort_params *p, int64_t *n);

enum { SR_LAPACK_MAX_BUFFERS = 16 };

/* A LAPACK routine's operand or result for one matrix. */
struct sr_lapack_buffer {
	int64_t n; /* number of elements; 0 also for results that a routine leaves undefined with these parameters */
	enum sr_dtype type;
};
/* Describe the operands and then the results of a LAPACK routine on matrices of elements of `type`. Return their number, at most
 * SR_LAPACK_MAX_BUFFERS. */
int sr_lapack_buffers(const struct sr_lapack_params *p, enum sr_dtype type, struct sr_lapack_buffer *to);

#endif
