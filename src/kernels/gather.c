/* Reference kernel of GATHER: the operand position of every output element is computed independently (StableHLO specification,
 * gather). */
#include "kernels/element.h"
#include <string.h>

/* Return component c of the index vector at batch position `batch`, which has one coordinate per dimension of the indices except
 * index_vector_dim. */
static int64_t index_component(const struct sr_gather_params *p, const void *indices, const int64_t *batch, int64_t c)
{
	int64_t at = 0;

	for (int d = 0, b = 0; d < p->indices_rank; d++)
		at = at * p->indices[d] + (d == p->index_vector_dim ? c : batch[b++]);
	return sr_index_load((enum sr_dtype)p->index_type, indices, at);
}

bool sr_gather_element_offset(const struct sr_gather_params *p, const void *indices, int64_t i, bool clamp, int64_t *at)
{
	int64_t offset[SR_KERNEL_MAX_RANK] = {0}, batch[SR_KERNEL_MAX_RANK] = {0}, start[SR_KERNEL_MAX_RANK] = {0};
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
		int64_t limit = p->operand[d] - p->slice_sizes[d];
		if (p->batch_of_operand[d] >= 0)
			start[d] = batch[p->batch_of_operand[d] - (p->batch_of_operand[d] > p->index_vector_dim)];
		else if (clamp)
			start[d] = start[d] > limit ? limit : start[d] < 0 ? 0 : start[d];
		else if (start[d] < -offset[d] || start[d] >= p->operand[d] - offset[d])
			return false;
		*at = *at * p->operand[d] + start[d] + offset[d];
	}
	return true;
}

/* Returns the length of the contiguous runs. The trailing output dimensions that map to the trailing operand dimensions in order
 * form a contiguous run, up to and including the first one that covers only a part of its operand dimension. A dimension that start
 * indices address is included only if starts are clamped. */
int64_t sr_gather_run_length(const struct sr_gather_params *p, bool clamp)
{
	int64_t run = 1;

	for (int d = p->out_rank - 1, o = p->operand_rank - 1; d >= 0 && o >= 0 && p->out_operand_dim[d] == o; d--, o--) {
		bool moved = p->batch_of_operand[o] >= 0;
		for (int k = 0; k < p->n_index_map; k++)
			moved |= p->index_map[k] == o;
		if (moved && !clamp)
			break;
		run *= p->out[d];
		if (p->out[d] != p->operand[o])
			break;
	}
	return run;
}

static void gather(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_gather_params *p = params;
	int64_t run = sr_gather_run_length(p, true), bytes = p->bytes;

	for (int64_t i = begin, n; i < end; i += n) {
		int64_t at = 0;
		n = run - i % run < end - i ? run - i % run : end - i;
		sr_gather_element_offset(p, buffers[1], i, true, &at);
		memcpy((char *)buffers[2] + i * bytes, (const char *)buffers[0] + at * bytes, (size_t)(n * bytes));
	}
}

void sr_kernels_init_gather(struct sr_kernels *table)
{
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		table->fn[SR_KERNEL_GATHER][t] = gather;
}
