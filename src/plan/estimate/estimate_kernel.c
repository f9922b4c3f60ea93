/* Estimate the cost of kernel instructions: bytes read and written, elements by class of work, extents of matrix products. */
#include "kernels/conv_descriptor.h"
#include "plan/estimate/estimate.h"
#include "support/checked.h"
#include <math.h>

/* An instruction with its params. Sizes are in bytes. */
struct view {
	const struct sr_program *p;
	const struct sr_instr *instr;
	const void *params;
	const struct sr_machine *m;
};

static const struct sr_buffer *operand(const struct view *v, uint32_t i)
{
	return sr_program_buffers(v->p) + sr_program_operands(v->p)[v->instr->first_operand + i];
}

static double elements_of(const struct sr_buffer *b)
{
	return (double)b->bytes / sr_dtype_bytes((enum sr_dtype)b->dtype);
}

/* Return the work of reading all operands but the last and writing the last. */
static struct sr_elementwise_work stream_operands(const struct view *v)
{
	struct sr_elementwise_work w = {0};
	for (uint32_t i = 0; i + 1 < v->instr->n_operands; i++)
		if (sr_add_overflows(w.read_bytes, operand(v, i)->bytes, &w.read_bytes))
			w.read_bytes = INT64_MAX;
	if (v->instr->n_operands)
		w.written_bytes = operand(v, v->instr->n_operands - 1)->bytes;
	return w;
}

static double volume(const int64_t *extents, int n)
{
	double n_elements = 1;
	for (int i = 0; i < n; i++)
		n_elements *= (double)extents[i];
	return n_elements;
}

static int64_t to_bytes(double bytes)
{
	return bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX / 2;
}

/* ---- elementwise ---- */

static struct sr_cost map(const struct view *v)
{
	struct sr_elementwise_work w = stream_operands(v);
	w.elements[sr_kernel_work_class(v->instr->kernel)] = sr_cost_elements((double)v->instr->range, (enum sr_dtype)v->instr->dtype);
	return sr_cost_of_elementwise(v->m, &w);
}

/* ---- moves ---- */

/* Return the number of elements that are moved one by one: all elements if either side is strided along the innermost
 * dimension, else a fixed number for each contiguous run. */
static double scattered_elements(const struct sr_move_params *p)
{
	double n_elements = volume(p->shape, p->rank), run = 1;
	int d = p->rank - 1;
	while (d >= 0 && p->shape[d] == 1)
		d--;
	if (d < 0 || (p->src_stride[d] == 0 && p->dst_stride[d] == 1))
		return 0;
	if (p->src_stride[d] != 1 || p->dst_stride[d] != 1)
		return n_elements;
	for (; d >= 0 && p->src_stride[d] == (int64_t)run && p->dst_stride[d] == (int64_t)run; d--)
		run *= (double)p->shape[d];
	return run > 0 ? 8 * (n_elements / run - 1) : 0;
}

static struct sr_cost move(const struct view *v)
{
	const struct sr_move_params *p = v->params;
	double bytes = volume(p->shape, p->rank) * p->bytes;
	struct sr_elementwise_work w = {.read_bytes = to_bytes(fmin(bytes, (double)operand(v, 0)->bytes)), .written_bytes = to_bytes(bytes)};
	w.elements[SR_WORK_SCATTERED] = scattered_elements(p) * (p->bytes > 4 ? p->bytes / 4 : 1);
	return sr_cost_of_elementwise(v->m, &w);
}

static struct sr_cost written(const struct view *v)
{
	struct sr_elementwise_work w = {.written_bytes = operand(v, v->instr->n_operands - 1)->bytes};
	return sr_cost_of_elementwise(v->m, &w);
}

static struct sr_cost dynamic_slice(const struct view *v)
{
	const struct sr_dynamic_slice_params *p = v->params;
	int64_t bytes = to_bytes(volume(p->size, p->rank) * p->bytes);
	return sr_cost_of_elementwise(v->m, &(struct sr_elementwise_work){.read_bytes = bytes, .written_bytes = bytes});
}

/* Estimate the cost of an in-place update. The operand is copied unless it shares the result's memory, and the update is written
 * over the copy. */
static struct sr_cost dynamic_update_slice(const struct view *v)
{
	const struct sr_buffer *source = operand(v, 0), *update = operand(v, 1), *target = operand(v, v->instr->n_operands - 1);
	int64_t copied_bytes = source->offset == target->offset ? 0 : source->bytes;
	return sr_cost_of_elementwise(v->m, &(struct sr_elementwise_work){.read_bytes = copied_bytes + update->bytes,
									  .written_bytes = copied_bytes + update->bytes});
}

/* ---- reductions, windows, indices ---- */

static struct sr_cost reduce(const struct view *v)
{
	const struct sr_reduce_params *p = v->params;
	struct sr_elementwise_work w = stream_operands(v);
	w.elements[SR_WORK_CHEAP] = sr_cost_elements(volume(p->shape, p->rank), (enum sr_dtype)v->instr->dtype);
	return sr_cost_of_elementwise(v->m, &w);
}

static struct sr_cost windows(const struct view *v)
{
	/* the params of select_and_scatter begin with the same struct */
	const struct sr_reduce_window_params *p = v->params;
	struct sr_elementwise_work w = stream_operands(v);
	w.elements[SR_WORK_SCATTERED] = volume(p->out, p->rank) * volume(p->window, p->rank);
	return sr_cost_of_elementwise(v->m, &w);
}

/* Return the cost of a gather or scatter: a slice for each index, read or written as runs of elements. */
static struct sr_cost cost_indexed(const struct view *v)
{
	const struct sr_gather_params *p = v->params; /* the params of scatter begin with the same struct */
	bool scatter = v->instr->kernel == SR_KERNEL_SCATTER;
	double n = volume(p->out, p->out_rank), bytes = n * p->bytes;
	const struct sr_buffer *source = operand(v, 0), *target = operand(v, v->instr->n_operands - 1);
	double copied_bytes = scatter && source->offset != target->offset ? (double)source->bytes : 0;
	struct sr_elementwise_work w = {.read_bytes = to_bytes(bytes + copied_bytes),
					.written_bytes = to_bytes(bytes + copied_bytes)};
	w.elements[SR_WORK_SCATTERED] = n * 4;
	return sr_cost_of_elementwise(v->m, &w);
}

/* ---- calls ---- */

static struct sr_cost product(const struct view *v)
{
	const struct sr_product_params *p = v->params;
	return sr_cost_of_product(v->m, &(struct sr_product_work){p->batch, p->m, p->n, p->k, (enum sr_dtype)v->instr->dtype});
}

/* Return the number of elements that the kernel packs as matrices: the windows of a block of positions once per block of
 * features, and the weights of a block of features once per block of positions. */
static double packed_elements(const struct sr_conv_params *p, double elements_per_window)
{
	double positions = volume(p->out_shape, p->spatial), features = (double)p->out_features;
	double strips = ceil(positions / SR_CONV_BLOCK_POSITIONS), panels = ceil(features / SR_CONV_BLOCK_FEATURES);
	return (double)p->batch * elements_per_window * (panels * positions + strips * features);
}

static struct sr_cost convolution(const struct view *v)
{
	const struct sr_conv_params *p = v->params;
	enum sr_dtype t = (enum sr_dtype)v->instr->dtype;
	struct sr_convolution_work w = {.outputs = to_bytes(elements_of(operand(v, 2))), .dtype = t};
	w.per_output = to_bytes(volume(p->window, p->spatial) * (double)p->in_features / (double)(p->feature_groups > 0 ? p->feature_groups : 1));
	if (p->feature_groups == 1 && p->batch_groups == 1 && (t == SR_F32 || t == SR_F16 || t == SR_BF16))
		w.packed = packed_elements(p, (double)w.per_output);
	return sr_cost_of_convolution(v->m, &w);
}

static struct sr_cost sort(const struct view *v)
{
	const struct sr_sort_params *p = v->params;
	struct sr_sort_work w = {.rows = to_bytes((double)p->outer * (double)p->inner), .length = p->length};
	for (int i = 0; i < p->n_operands && i < 16; i++)
		w.row_bytes += p->bytes[i];
	return sr_cost_of_sort(v->m, &w);
}

/* Return the cost of scalar code: every operation counts as a scattered element. */
static struct sr_cost scalar(const struct view *v, double operations)
{
	struct sr_elementwise_work w = stream_operands(v);
	w.elements[SR_WORK_SCATTERED] = sr_cost_elements(operations, (enum sr_dtype)v->instr->dtype);
	return sr_cost_of_elementwise(v->m, &w);
}

/* Estimate the cost of an FFT; of real data it takes half the operations. */
static struct sr_cost fft(const struct view *v)
{
	const struct sr_fft_params *p = v->params;
	double n = volume(p->length, p->rank) * (p->inner ? (double)p->inner : 1), operations = 0;
	enum sr_dtype real = v->instr->dtype == SR_C64 ? SR_F32 : SR_F64;
	struct sr_elementwise_work w = stream_operands(v);
	for (int d = 0; d < p->rank; d++)
		operations += n * sr_cost_fft_operations(p->length[d]);
	w.elements[SR_WORK_CHEAP] = sr_cost_elements((double)p->batch * operations / (p->kind >= 2 ? 2 : 1), real);
	return sr_cost_of_elementwise(v->m, &w);
}

static struct sr_cost linalg(const struct view *v)
{
	const struct sr_linalg_params *p = v->params;
	double m = (double)p->m, n = (double)p->n, order = p->left ? m : n;
	double flops_per_matrix = v->instr->kernel == SR_KERNEL_CHOLESKY ? n * n * n / 3 : m * n * order;
	return scalar(v, (double)p->batch * flops_per_matrix);
}

static struct sr_cost lapack(const struct view *v)
{
	const struct sr_lapack_params *p = v->params;
	double m = (double)p->m, n = (double)p->n;
	return scalar(v, (double)p->batch * 4 * m * n * fmax(fmin(m, n), (double)p->k));
}

static struct sr_cost random_bits(const struct view *v)
{
	const struct sr_rng_params *p = v->params;
	return scalar(v, 8 * (double)p->n);
}

/* Cost function of each kernel; NULL: the cost of an elementwise kernel. */
static struct sr_cost (*const by_kernel[SR_KERNEL_COUNT])(const struct view *v) = {
	[SR_KERNEL_MOVE] = move,
	[SR_KERNEL_FILL] = written,
	[SR_KERNEL_DYNAMIC_SLICE] = dynamic_slice,
	[SR_KERNEL_DYNAMIC_UPDATE_SLICE] = dynamic_update_slice,
	[SR_KERNEL_REDUCE] = reduce,
	[SR_KERNEL_REDUCE_WINDOW] = windows,
	[SR_KERNEL_CUMULATE] = written,
	[SR_KERNEL_SELECT_AND_SCATTER] = windows,
	[SR_KERNEL_PRODUCT] = product,
	[SR_KERNEL_CONVOLUTION] = convolution,
	[SR_KERNEL_GATHER] = cost_indexed,
	[SR_KERNEL_SCATTER] = cost_indexed,
	[SR_KERNEL_SORT] = sort,
	[SR_KERNEL_FFT] = fft,
	[SR_KERNEL_CHOLESKY] = linalg,
	[SR_KERNEL_TRIANGULAR_SOLVE] = linalg,
	[SR_KERNEL_RNG_BITS] = random_bits,
	[SR_KERNEL_LAPACK] = lapack,
};

struct sr_cost sr_estimate_kernel(const struct sr_program *p, const struct sr_instr *instr, const struct sr_machine *m)
{
	struct view v = {p, instr, sr_program_params(p) + instr->params, m};
	return (by_kernel[instr->kernel] ? by_kernel[instr->kernel] : map)(&v);
}
