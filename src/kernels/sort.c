/* Reference kernel of SORT: stable merge sort of a row's indices by one key, after which each operand is permuted. Scratch: two
 * arrays of indices and a copy of one row of the widest operand, so that an output may share its input's memory; plus a third array
 * for wide keys, which faster kernels use. A long row with keys only is merged in place by rotations. */
#include "kernels/element.h"
#include "kernels/sort_runs.h"
#include <string.h>

static void permute(const struct sr_sort_params *p, int k, void *const *buffers, int64_t first, const int64_t *order, char *copy)
{
	int64_t bytes = p->bytes[k];
	const char *in = (const char *)buffers[k] + first * bytes;
	char *out = (char *)buffers[p->n_operands + k] + first * bytes;

	for (int64_t i = 0; i < p->length; i++)
		memcpy(copy + i * bytes, in + order[i] * p->inner * bytes, (size_t)bytes);
	for (int64_t i = 0; i < p->length; i++)
		memcpy(out + i * p->inner * bytes, copy + i * bytes, (size_t)bytes);
}

enum { LONG_ROW = 1 << 15 };

bool sr_sort_merges_runs(enum sr_dtype key, int n_operands, int total)
{
	int bytes = sr_dtype_bytes(key);
	bool has_total_order = sr_dtype_is_integer(key) || (sr_dtype_is_float(key) && total);
	return n_operands == 1 && (bytes == 4 || bytes == 8) && has_total_order;
}

bool sr_sort_is_in_place(enum sr_dtype t, const struct sr_sort_params *p)
{
	return p->outer * p->inner == 1 && p->length >= LONG_ROW && sr_sort_merges_runs(t, p->n_operands, p->total);
}

bool sr_kernel_prefers_other_memory(enum sr_kernel k, enum sr_dtype t, const void *params)
{
	return k == SR_KERNEL_SORT && sr_sort_is_in_place(t, params);
}

int64_t sr_kernel_sorted_parts(enum sr_kernel k, enum sr_dtype t, const void *params)
{
	const struct sr_sort_params *p = params;
	if (k != SR_KERNEL_SORT || !sr_sort_is_in_place(t, p) || p->descending || (sr_dtype_is_float(t) && p->total == 1))
		return 1;
	return p->length / LONG_ROW;
}

#define COLUMNS 0
#include "kernels/map/map_columns.h"
#undef COLUMNS
#include "kernels/map/all_types.h"
#define BODY "kernels/sort_body.h"
#include "kernels/map/each_type.h"

void sr_sort_divide_runs(enum sr_dtype t, const struct sr_sort_params *p, void *row, int64_t middle)
{
	switch (t) {
#define DTYPE(id, name, bytes, bits, class, npy) \
	case SR_##id: \
		divide_runs_##id(p, row, middle); \
		break;
#include "support/dtypes.def"
	default:
		break;
	}
}

int64_t sr_sort_scratch(enum sr_dtype t, const struct sr_sort_params *p)
{
	int64_t max_bytes = 1;

	if (sr_sort_is_in_place(t, p))
		return p->length / SR_SORT_SCRATCH_DIVISOR * sr_dtype_bytes(t);
	for (int k = 0; k < p->n_operands; k++)
		if (p->bytes[k] > max_bytes)
			max_bytes = p->bytes[k];
	return p->length * ((sr_dtype_bytes(t) > 4 ? 24 : 16) + max_bytes);
}

void sr_kernels_init_sort(struct sr_kernels *table)
{
#include "kernels/map/all_types.h"
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
