/* GATHER: every output element finds its place in the operand on its own (specification, gather). */
#include "kernels/element.h"
#include <string.h>

typedef struct {
	uint64_t half[2];
} sixteen_bytes;

/* Component c of the index vector for the batch position `batch` (one coordinate per indices dimension but index_vector_dim). */
static int64_t index_component(const struct sr_gather_params *p, const void *indices, const int64_t *batch, int64_t c)
{
	int64_t at = 0;

	for (int d = 0, b = 0; d < p->indices_rank; d++)
		at = at * p->indices[d] + (d == p->index_vector_dim ? c : batch[b++]);
	return sr_index_load((enum sr_dtype)p->index_type, indices, at);
}

bool sr_gather_at(const struct sr_gather_params *p, const void *indices, int64_t i, bool clamp, int64_t *at)
{
	int64_t offset[SR_KERNEL_RANK] = {0}, batch[SR_KERNEL_RANK] = {0}, start[SR_KERNEL_RANK] = {0};
	int n_batch = 0;

	for (int d = 0; d < p->out_rank; d++)
		n_batch += p->out_operand_dim[d] < 0;
	for (int d = p->out_rank - 1; d >= 0; d--) {
		int64_t x = i % p->out[d];
		i /= p->out[d];
		if (p->out_operand_dim[d] < 0)
			batch[--n_batch] = x;
		else
			offset[p->out_operand_dim[d]] = x;
	}
	for (int k = 0; k < p->n_index_map; k++)
		start[p->index_map[k]] = index_component(p, indices, batch, k);
	*at = 0;
	for (int d = 0; d < p->operand_rank; d++) {
		int64_t most = p->operand[d] - p->slice_sizes[d];
		if (p->batch_of_operand[d] >= 0)
			start[d] = batch[p->batch_of_operand[d] - (p->batch_of_operand[d] > p->index_vector_dim)];
		else if (clamp)
			start[d] = start[d] > most ? most : start[d] < 0 ? 0 : start[d];
		else if (start[d] < -offset[d] || start[d] >= p->operand[d] - offset[d])
			return false;
		*at = *at * p->operand[d] + start[d] + offset[d];
	}
	return true;
}

#define GATHER(bytes, type) \
	static void gather_##bytes(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const type *in = buffers[0]; \
		type *out = buffers[2]; \
		for (int64_t i = begin; i < end; i++) { \
			int64_t at = 0; \
			sr_gather_at(params, buffers[1], i, true, &at); \
			out[i] = in[at]; \
		} \
	}
GATHER(1, uint8_t)
GATHER(2, uint16_t)
GATHER(4, uint32_t)
GATHER(8, uint64_t)
GATHER(16, sixteen_bytes)

void sr_kernels_init_gather(struct sr_kernels *table)
{
	static sr_kernel_fn *const gather[17] = {[1] = gather_1, [2] = gather_2, [4] = gather_4, [8] = gather_8, [16] = gather_16};

	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		table->fn[SR_KERNEL_GATHER][t] = gather[sr_dtypes[t].bytes];
}
