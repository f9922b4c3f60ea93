/* Kernels with an arbitrary body: reductions, windows, sorts, scatters and selections whose body is a computation, which
 * processes `lanes` elements at a time. Operands of the instruction: inputs..., results..., then the body's argument buffers and
 * result buffers (program/program.h). */
#include "run/execution_context.h"
#include <string.h>

struct body {
	struct sr_execution_context *x;
	const struct sr_body_instr *instr;
	const int32_t *operands; /* buffer indices of the instruction's operands */
	void **addresses;        /* addresses of the operands, in the order of `operands` */
};

static char *operand_address(const struct body *b, int i)
{
	return b->addresses[i];
}

static size_t element_bytes(const struct body *b, int i)
{
	return (size_t)sr_dtype_bytes((enum sr_dtype)sr_program_buffers(b->x->program)[b->operands[i]].dtype);
}

static void repeat_element(void *to, const void *one, int64_t n, size_t bytes)
{
	for (int64_t i = 0; i < n; i++)
		memcpy((char *)to + (size_t)i * bytes, one, bytes);
}

/* Execute the body once: acc = body(acc, x). Both arguments are already in the body's argument buffers. */
static enum sr_status apply_body(const struct body *b)
{
	enum sr_status status = sr_execute_computation(b->x, (uint64_t)b->instr->computation);
	for (int i = 0; i < b->instr->k; i++)
		memcpy(operand_address(b, b->instr->arguments + i), operand_address(b, b->instr->results + i),
		       element_bytes(b, b->instr->results + i) * (size_t)b->instr->lanes);
	return status;
}

static void begin_reduction(const struct body *b)
{
	int k = b->instr->k;
	for (int i = 0; i < k; i++)
		repeat_element(operand_address(b, b->instr->arguments + i), operand_address(b, k + i), b->instr->lanes,
			       element_bytes(b, k + i));
}

static void end_reduction(const struct body *b)
{
	int k = b->instr->k;
	for (int i = 0; i < k; i++)
		memcpy(operand_address(b, 2 * k + i), operand_address(b, b->instr->arguments + i),
		       element_bytes(b, 2 * k + i) * (size_t)b->instr->lanes);
}

/* Increment a mixed-radix number. Returns false if it wraps to zero. */
static bool next_index(int64_t *index, const int64_t *extents, int n)
{
	for (int i = n - 1; i >= 0; i--) {
		if (++index[i] < extents[i])
			return true;
		index[i] = 0;
	}
	return false;
}

static enum sr_status execute_reduce(const struct body *b)
{
	const struct sr_reduce_params *p = &b->instr->u.reduce;
	int64_t strides[SR_KERNEL_MAX_RANK], kept_shape[SR_KERNEL_MAX_RANK] = {0}, kept_stride[SR_KERNEL_MAX_RANK],
					     reduced_shape[SR_KERNEL_MAX_RANK], reduced_stride[SR_KERNEL_MAX_RANK],
					     index[SR_KERNEL_MAX_RANK] = {0}, stride = 1;
	int n_kept = 0, n_reduced = 0, k = b->instr->k;
	enum sr_status status = SR_OK;
	for (int d = p->rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= p->shape[d];
	}
	for (int d = 0; d < p->rank; d++) {
		if (p->reduced[d])
			reduced_shape[n_reduced] = p->shape[d], reduced_stride[n_reduced++] = strides[d];
		else
			kept_shape[n_kept] = p->shape[d], kept_stride[n_kept++] = strides[d];
	}
	begin_reduction(b);
	if (!stride) {
		end_reduction(b);
		return SR_OK;
	}
	do {
		int64_t offset = 0, lane[SR_KERNEL_MAX_RANK] = {0}, n = 0;
		for (int i = 0; i < n_reduced; i++)
			offset += index[i] * reduced_stride[i];
		do {
			int64_t source = offset;
			for (int i = 0; i < n_kept; i++)
				source += lane[i] * kept_stride[i];
			for (int i = 0; i < k; i++)
				memcpy(operand_address(b, b->instr->arguments + k + i) + (size_t)n * element_bytes(b, i),
				       operand_address(b, i) + (size_t)source * element_bytes(b, i), element_bytes(b, i));
			n++;
		} while (next_index(lane, kept_shape, n_kept));
		status = apply_body(b);
	} while (!status && next_index(index, reduced_shape, n_reduced));
	end_reduction(b);
	return status;
}

/* Return the number of the input element at position w in the window of output element o, or -1 in padding. */
static int64_t window_element(const struct sr_reduce_window_params *p, const int64_t *o, const int64_t *w, const int64_t *strides)
{
	int64_t source = 0;
	for (int d = 0; d < p->rank; d++) {
		int64_t x = o[d] * p->stride[d] + w[d] * p->window_dilation[d] - p->pad_low[d];
		if (x < 0 || x % p->base_dilation[d] || x / p->base_dilation[d] >= p->in[d])
			return -1;
		source += x / p->base_dilation[d] * strides[d];
	}
	return source;
}

static enum sr_status reduce_window(const struct body *b)
{
	const struct sr_reduce_window_params *p = &b->instr->u.window;
	int64_t strides[SR_KERNEL_MAX_RANK], w[SR_KERNEL_MAX_RANK] = {0}, stride = 1;
	int k = b->instr->k;
	enum sr_status status = SR_OK;
	for (int d = p->rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= p->in[d];
	}
	begin_reduction(b);
	do {
		int64_t o[SR_KERNEL_MAX_RANK] = {0}, n = 0;
		do {
			int64_t source = window_element(p, o, w, strides);
			for (int i = 0; i < k; i++)
				memcpy(operand_address(b, b->instr->arguments + k + i) + (size_t)n * element_bytes(b, i),
				       source < 0 ? operand_address(b, k + i)
						  : operand_address(b, i) + (size_t)source * element_bytes(b, i),
				       element_bytes(b, i));
			n++;
		} while (next_index(o, p->out, p->rank));
		status = apply_body(b);
	} while (!status && next_index(w, p->window, p->rank));
	end_reduction(b);
	return status;
}

/* ---- sort: a stable merge sort of indices; the comparator is asked whether y precedes x ---- */

static enum sr_status precedes(const struct body *b, int64_t base, int64_t x, int64_t y, bool *yes)
{
	const struct sr_sort_params *p = &b->instr->u.sort;
	for (int i = 0; i < b->instr->k; i++) {
		memcpy(operand_address(b, b->instr->arguments + 2 * i),
		       operand_address(b, i) + (size_t)(base + x * p->inner) * element_bytes(b, i), element_bytes(b, i));
		memcpy(operand_address(b, b->instr->arguments + 2 * i + 1),
		       operand_address(b, i) + (size_t)(base + y * p->inner) * element_bytes(b, i), element_bytes(b, i));
	}
	enum sr_status status = sr_execute_computation(b->x, (uint64_t)b->instr->computation);
	*yes = *(const uint8_t *)operand_address(b, b->instr->results);
	return status;
}

static enum sr_status merge(const struct body *b, int64_t base, const int64_t *order, int64_t *merged_order, int64_t lo,
			    int64_t mid, int64_t hi)
{
	int64_t i = lo, j = mid, n = lo;
	while (i < mid && j < hi) {
		bool takes_right;
		enum sr_status status = precedes(b, base, order[j], order[i], &takes_right);
		if (status)
			return status;
		merged_order[n++] = takes_right ? order[j++] : order[i++];
	}
	while (i < mid)
		merged_order[n++] = order[i++];
	while (j < hi)
		merged_order[n++] = order[j++];
	return SR_OK;
}

static enum sr_status sort_row(const struct body *b, int64_t base)
{
	const struct sr_sort_params *p = &b->instr->u.sort;
	int64_t *order = (int64_t *)(void *)b->x->device->scratch, *merged_order = order + p->length;
	enum sr_status status = SR_OK;
	for (int64_t i = 0; i < p->length; i++)
		order[i] = i;
	for (int64_t run = 1; !status && run < p->length; run *= 2) {
		for (int64_t lo = 0; !status && lo < p->length; lo += 2 * run) {
			int64_t mid = lo + run < p->length ? lo + run : p->length,
				hi = mid + run < p->length ? mid + run : p->length;
			status = merge(b, base, order, merged_order, lo, mid, hi);
		}
		int64_t *swap = order;
		order = merged_order, merged_order = swap;
	}
	for (int i = 0; !status && i < b->instr->k; i++)
		for (int64_t n = 0; n < p->length; n++)
			memcpy(operand_address(b, b->instr->k + i) + (size_t)(base + n * p->inner) * element_bytes(b, i),
			       operand_address(b, i) + (size_t)(base + order[n] * p->inner) * element_bytes(b, i),
			       element_bytes(b, i));
	return status;
}

static enum sr_status execute_sort(const struct body *b)
{
	const struct sr_sort_params *p = &b->instr->u.sort;
	enum sr_status status = SR_OK;
	for (int64_t o = 0; !status && o < p->outer; o++)
		for (int64_t i = 0; !status && i < p->inner; i++)
			status = sort_row(b, o * p->length * p->inner + i);
	return status;
}

/* ---- scatter ---- */

static int64_t read_index(const struct sr_gather_params *g, const char *indices, int64_t n)
{
	int64_t v = 0;
	sr_element_get((enum sr_dtype)g->index_type, indices + (size_t)n * (size_t)sr_dtype_bytes((enum sr_dtype)g->index_type), &v,
		       NULL, NULL);
	return v;
}

/* Return the operand element that update element u is written to, or -1 if it is out of bounds. As in the specification of
 * scatter (full_index), out-of-bounds updates are skipped element by element. */
static int64_t scatter_target(const struct sr_gather_params *g, const char *indices, const int64_t *u)
{
	int64_t at_index[SR_KERNEL_MAX_RANK] = {0}, position[SR_KERNEL_MAX_RANK] = {0}, strides[SR_KERNEL_MAX_RANK], stride = 1, offset = 0;
	int next_dim = 0, batch[SR_KERNEL_MAX_RANK], n_batch = 0;
	for (int d = 0; d < g->out_rank; d++)
		if (g->out_operand_dim[d] < 0)
			batch[n_batch++] = d;
	for (int d = 0; d < g->indices_rank; d++)
		if (d != g->index_vector_dim && next_dim < n_batch)
			at_index[d] = u[batch[next_dim++]];
	for (int d = g->indices_rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= g->indices[d];
	}
	for (int i = 0; i < g->n_index_map; i++) {
		int64_t n = 0;
		if (g->index_vector_dim < g->indices_rank)
			at_index[g->index_vector_dim] = i;
		for (int d = 0; d < g->indices_rank; d++)
			n += at_index[d] * strides[d];
		position[g->index_map[i]] = read_index(g, indices, n);
	}
	for (int d = 0; d < g->operand_rank; d++)
		if (g->batch_of_operand[d] >= 0)
			position[d] = at_index[g->batch_of_operand[d]];
	for (int d = 0; d < g->out_rank; d++)
		if (g->out_operand_dim[d] >= 0)
			position[g->out_operand_dim[d]] += u[d];
	for (int d = 0; d < g->operand_rank; d++) {
		if (position[d] < 0 || position[d] >= g->operand[d])
			return -1;
		offset = offset * g->operand[d] + position[d];
	}
	return offset;
}

static enum sr_status execute_scatter(const struct body *b)
{
	const struct sr_gather_params *g = &b->instr->u.scatter.g;
	int64_t u[SR_KERNEL_MAX_RANK] = {0}, n = 0;
	int k = b->instr->k;
	enum sr_status status = SR_OK;
	for (int i = 0; i < k; i++)
		if (operand_address(b, 2 * k + 1 + i) != operand_address(b, i))
			memcpy(operand_address(b, 2 * k + 1 + i), operand_address(b, i),
			       (size_t)sr_program_buffers(b->x->program)[b->operands[i]].bytes);
	for (int d = 0; d < g->out_rank; d++)
		if (!g->out[d])
			return SR_OK;
	do {
		int64_t to = scatter_target(g, operand_address(b, k), u);
		for (int i = 0; to >= 0 && i < k; i++) {
			memcpy(operand_address(b, b->instr->arguments + i),
			       operand_address(b, 2 * k + 1 + i) + (size_t)to * element_bytes(b, i), element_bytes(b, i));
			memcpy(operand_address(b, b->instr->arguments + k + i),
			       operand_address(b, k + 1 + i) + (size_t)n * element_bytes(b, i), element_bytes(b, i));
		}
		if (to >= 0)
			status = sr_execute_computation(b->x, (uint64_t)b->instr->computation);
		for (int i = 0; to >= 0 && i < k; i++)
			memcpy(operand_address(b, 2 * k + 1 + i) + (size_t)to * element_bytes(b, i),
			       operand_address(b, b->instr->results + i), element_bytes(b, i));
		n++;
	} while (!status && next_index(u, g->out, g->out_rank));
	return status;
}

/* ---- select: the selected element of each window; the comparator gets the element selected so far and the next ---- */

static enum sr_status select_one(const struct body *b, const int64_t *o, const int64_t *strides, int64_t *selected)
{
	const struct sr_reduce_window_params *p = &b->instr->u.window;
	int64_t w[SR_KERNEL_MAX_RANK] = {0};
	size_t bytes = element_bytes(b, 0);
	enum sr_status status = SR_OK;
	*selected = -1;
	do {
		int64_t source = window_element(p, o, w, strides);
		if (source < 0)
			continue;
		if (*selected >= 0) {
			memcpy(operand_address(b, b->instr->arguments), operand_address(b, 0) + (size_t)*selected * bytes, bytes);
			memcpy(operand_address(b, b->instr->arguments + 1), operand_address(b, 0) + (size_t)source * bytes, bytes);
			status = sr_execute_computation(b->x, (uint64_t)b->instr->computation);
		}
		if (*selected < 0 || !*(const uint8_t *)operand_address(b, b->instr->results))
			*selected = source;
	} while (!status && next_index(w, p->window, p->rank));
	return status;
}

static enum sr_status select_windows(const struct body *b)
{
	const struct sr_reduce_window_params *p = &b->instr->u.window;
	int64_t strides[SR_KERNEL_MAX_RANK], o[SR_KERNEL_MAX_RANK] = {0}, stride = 1,
					     *out = (int64_t *)(void *)operand_address(b, 1);
	enum sr_status status = SR_OK;
	for (int d = p->rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= p->in[d];
	}
	for (int d = 0; d < p->rank; d++)
		if (!p->out[d])
			return SR_OK;
	do
		status = select_one(b, o, strides, out++);
	while (!status && next_index(o, p->out, p->rank));
	return status;
}

enum sr_status sr_execute_body(struct sr_execution_context *x, const struct sr_instr *s)
{
	static enum sr_status (*const kinds[])(const struct body *) = {[SR_BODY_REDUCE] = execute_reduce,
								       [SR_BODY_REDUCE_WINDOW] = reduce_window,
								       [SR_BODY_SORT] = execute_sort,
								       [SR_BODY_SCATTER] = execute_scatter,
								       [SR_BODY_SELECT] = select_windows};
	const struct sr_ready_instr *r = x->loaded->instrs + (s - sr_program_instrs(x->program));
	struct body b = {x, r->params, sr_program_operands(x->program) + s->first_operand, sr_context_operands(x, r)};
	return kinds[b.instr->kind](&b);
}
