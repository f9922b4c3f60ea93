/* Whether params that come from a program may be trusted (kernel_check.c). */
#ifndef SR_KERNELS_KERNEL_CHECK_H
#define SR_KERNELS_KERNEL_CHECK_H

#include "kernels/kernel.h"

/* A call as a program describes it. */
struct sr_kernel_call {
	enum sr_kernel kernel;
	enum sr_dtype type; /* of the table */
	const void *params;
	uint64_t n_params;  /* bytes that are there */
	int64_t range, scratch;
	const int64_t *bytes; /* [n_buffers]: of each buffer, from where the kernel's operand begins */
	int n_buffers;
};
/* Return true if a kernel of the table, called with these params over the whole range, touches nothing outside its buffers and
 * scratch, whatever
 * the buffers hold. */
bool sr_kernel_check(const struct sr_kernel_call *call);
/* Bytes of an element of an elementwise kernel's argument, or of its result where `argument` is -1; `type` the table's, `out` the
 * result's
 * type of CONVERT and BITCAST. */
int sr_map_bytes(enum sr_kernel k, enum sr_dtype type, enum sr_dtype out, int argument);
/* Return true if params that general bodies share with kernels are sound by themselves, with the elements of each operand. */
bool sr_reduce_check(const struct sr_reduce_params *p, int64_t *in, int64_t *out);
bool sr_window_check(const struct sr_reduce_window_params *p, int64_t *in, int64_t *out);
bool sr_gather_check(const struct sr_gather_params *g, int64_t *operand, int64_t *indices, int64_t *out);
bool sr_sort_check(const struct sr_sort_params *p, int64_t *n);

#endif
