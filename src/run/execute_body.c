/* General bodies: reductions, windows, sorts, scatters and selections whose body is a plan. The body works on `lanes` elements
 * at once. Operands of the step: inputs..., results..., then the body's argument buffers and result buffers (program/program.h). */
#include "run/device.h"
#include <string.h>

struct body {
	struct sr_device *d;
	const struct sr_body_instr *step;
	const int32_t *operands; /* buffers */
	void **at;               /* where they lie */
};

static char *at(const struct body *b, int i)
{
	return b->at[i];
}

static size_t element(const struct body *b, int i)
{
	return (size_t)sr_dtype_bytes((enum sr_dtype)sr_program_buffers(b->d->program)[b->operands[i]].dtype);
}

static void fill(void *to, const void *one, int64_t n, size_t bytes)
{
	for (int64_t i = 0; i < n; i++)
		memcpy((char *)to + (size_t)i * bytes, one, bytes);
}

/* One round of a reduction: acc = body(acc, x), both already in the body's arguments. */
static enum sr_status combine(const struct body *b)
{
	enum sr_status status = sr_execute_computation(b->d, (uint64_t)b->step->plan);
	for (int i = 0; i < b->step->k; i++)
		memcpy(at(b, b->step->arguments + i), at(b, b->step->results + i),
		       element(b, b->step->results + i) * (size_t)b->step->lanes);
	return status;
}

static void begin_reduction(const struct body *b)
{
	int k = b->step->k;
	for (int i = 0; i < k; i++)
		fill(at(b, b->step->arguments + i), at(b, k + i), b->step->lanes, element(b, k + i));
}

static void end_reduction(const struct body *b)
{
	int k = b->step->k;
	for (int i = 0; i < k; i++)
		memcpy(at(b, 2 * k + i), at(b, b->step->arguments + i), element(b, 2 * k + i) * (size_t)b->step->lanes);
}

/* Count up a mixed-radix number; false when it wraps to zero. */
static bool next(int64_t *index, const int64_t *extents, int n)
{
	for (int i = n - 1; i >= 0; i--) {
		if (++index[i] < extents[i])
			return true;
		index[i] = 0;
	}
	return false;
}

static enum sr_status reduce(const struct body *b)
{
	const struct sr_reduce_params *p = &b->step->u.reduce;
	int64_t strides[SR_KERNEL_MAX_RANK], kept[SR_KERNEL_MAX_RANK] = {0}, kept_stride[SR_KERNEL_MAX_RANK], cut[SR_KERNEL_MAX_RANK],
					 cut_stride[SR_KERNEL_MAX_RANK], index[SR_KERNEL_MAX_RANK] = {0}, stride = 1;
	int n_kept = 0, n_cut = 0, k = b->step->k;
	enum sr_status status = SR_OK;
	for (int d = p->rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= p->shape[d];
	}
	for (int d = 0; d < p->rank; d++) {
		if (p->reduced[d])
			cut[n_cut] = p->shape[d], cut_stride[n_cut++] = strides[d];
		else
			kept[n_kept] = p->shape[d], kept_stride[n_kept++] = strides[d];
	}
	begin_reduction(b);
	if (!stride) {
		end_reduction(b);
		return SR_OK;
	}
	do {
		int64_t offset = 0, lane[SR_KERNEL_MAX_RANK] = {0}, n = 0;
		for (int i = 0; i < n_cut; i++)
			offset += index[i] * cut_stride[i];
		do {
			int64_t from = offset;
			for (int i = 0; i < n_kept; i++)
				from += lane[i] * kept_stride[i];
			for (int i = 0; i < k; i++)
				memcpy(at(b, b->step->arguments + k + i) + (size_t)n * element(b, i),
				       at(b, i) + (size_t)from * element(b, i), element(b, i));
			n++;
		} while (next(lane, kept, n_kept));
		status = combine(b);
	} while (!status && next(index, cut, n_cut));
	end_reduction(b);
	return status;
}

/* The input element under window position w of output position o, or -1 for padding. */
static int64_t under(const struct sr_reduce_window_params *p, const int64_t *o, const int64_t *w, const int64_t *strides)
{
	int64_t from = 0;
	for (int d = 0; d < p->rank; d++) {
		int64_t x = o[d] * p->stride[d] + w[d] * p->window_dilation[d] - p->pad_low[d];
		if (x < 0 || x % p->base_dilation[d] || x / p->base_dilation[d] >= p->in[d])
			return -1;
		from += x / p->base_dilation[d] * strides[d];
	}
	return from;
}

static enum sr_status reduce_window(const struct body *b)
{
	const struct sr_reduce_window_params *p = &b->step->u.window;
	int64_t strides[SR_KERNEL_MAX_RANK], w[SR_KERNEL_MAX_RANK] = {0}, stride = 1;
	int k = b->step->k;
	enum sr_status status = SR_OK;
	for (int d = p->rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= p->in[d];
	}
	begin_reduction(b);
	do {
		int64_t o[SR_KERNEL_MAX_RANK] = {0}, n = 0;
		do {
			int64_t from = under(p, o, w, strides);
			for (int i = 0; i < k; i++)
				memcpy(at(b, b->step->arguments + k + i) + (size_t)n * element(b, i),
				       from < 0 ? at(b, k + i) : at(b, i) + (size_t)from * element(b, i), element(b, i));
			n++;
		} while (next(o, p->out, p->rank));
		status = combine(b);
	} while (!status && next(w, p->window, p->rank));
	end_reduction(b);
	return status;
}

/* ---- sort: a stable merge sort of positions, the comparator told whether x comes before y ---- */

static enum sr_status before(const struct body *b, int64_t base, int64_t x, int64_t y, bool *yes)
{
	const struct sr_sort_params *p = &b->step->u.sort;
	for (int i = 0; i < b->step->k; i++) {
		memcpy(at(b, b->step->arguments + 2 * i), at(b, i) + (size_t)(base + x * p->inner) * element(b, i), element(b, i));
		memcpy(at(b, b->step->arguments + 2 * i + 1), at(b, i) + (size_t)(base + y * p->inner) * element(b, i),
		       element(b, i));
	}
	enum sr_status status = sr_execute_computation(b->d, (uint64_t)b->step->plan);
	*yes = *(const uint8_t *)at(b, b->step->results);
	return status;
}

static enum sr_status merge(const struct body *b, int64_t base, const int64_t *from, int64_t *to, int64_t lo, int64_t mid,
			    int64_t hi)
{
	int64_t i = lo, j = mid, n = lo;
	while (i < mid && j < hi) {
		bool right;
		enum sr_status status = before(b, base, from[j], from[i], &right);
		if (status)
			return status;
		to[n++] = right ? from[j++] : from[i++];
	}
	while (i < mid)
		to[n++] = from[i++];
	while (j < hi)
		to[n++] = from[j++];
	return SR_OK;
}

static enum sr_status sort_row(const struct body *b, int64_t base)
{
	const struct sr_sort_params *p = &b->step->u.sort;
	int64_t *from = (int64_t *)(void *)b->d->scratch, *to = from + p->length;
	enum sr_status status = SR_OK;
	for (int64_t i = 0; i < p->length; i++)
		from[i] = i;
	for (int64_t run = 1; !status && run < p->length; run *= 2) {
		for (int64_t lo = 0; !status && lo < p->length; lo += 2 * run) {
			int64_t mid = lo + run < p->length ? lo + run : p->length,
				hi = mid + run < p->length ? mid + run : p->length;
			status = merge(b, base, from, to, lo, mid, hi);
		}
		int64_t *swap = from;
		from = to, to = swap;
	}
	for (int i = 0; !status && i < b->step->k; i++)
		for (int64_t n = 0; n < p->length; n++)
			memcpy(at(b, b->step->k + i) + (size_t)(base + n * p->inner) * element(b, i),
			       at(b, i) + (size_t)(base + from[n] * p->inner) * element(b, i), element(b, i));
	return status;
}

static enum sr_status sort(const struct body *b)
{
	const struct sr_sort_params *p = &b->step->u.sort;
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

/* The operand element that update position u goes to, or -1 where it falls outside. The whole window must lie inside
 * (specification, scatter): an update is skipped element by element there, as the specification's full_index says. */
static int64_t target(const struct sr_gather_params *g, const char *indices, const int64_t *u)
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

static enum sr_status scatter(const struct body *b)
{
	const struct sr_gather_params *g = &b->step->u.scatter.g;
	int64_t u[SR_KERNEL_MAX_RANK] = {0}, n = 0;
	int k = b->step->k;
	enum sr_status status = SR_OK;
	for (int i = 0; i < k; i++)
		if (at(b, 2 * k + 1 + i) != at(b, i))
			memcpy(at(b, 2 * k + 1 + i), at(b, i), (size_t)sr_program_buffers(b->d->program)[b->operands[i]].bytes);
	for (int d = 0; d < g->out_rank; d++)
		if (!g->out[d])
			return SR_OK;
	do {
		int64_t to = target(g, at(b, k), u);
		for (int i = 0; to >= 0 && i < k; i++) {
			memcpy(at(b, b->step->arguments + i), at(b, 2 * k + 1 + i) + (size_t)to * element(b, i), element(b, i));
			memcpy(at(b, b->step->arguments + k + i), at(b, k + 1 + i) + (size_t)n * element(b, i), element(b, i));
		}
		if (to >= 0)
			status = sr_execute_computation(b->d, (uint64_t)b->step->plan);
		for (int i = 0; to >= 0 && i < k; i++)
			memcpy(at(b, 2 * k + 1 + i) + (size_t)to * element(b, i), at(b, b->step->results + i), element(b, i));
		n++;
	} while (!status && next(u, g->out, g->out_rank));
	return status;
}

/* ---- select: of each window the element that stays, the comparator told what was selected so far and the next ---- */

static enum sr_status select_one(const struct body *b, const int64_t *o, const int64_t *strides, int64_t *best)
{
	const struct sr_reduce_window_params *p = &b->step->u.window;
	int64_t w[SR_KERNEL_MAX_RANK] = {0};
	size_t bytes = element(b, 0);
	enum sr_status status = SR_OK;
	*best = -1;
	do {
		int64_t from = under(p, o, w, strides);
		if (from < 0)
			continue;
		if (*best >= 0) {
			memcpy(at(b, b->step->arguments), at(b, 0) + (size_t)*best * bytes, bytes);
			memcpy(at(b, b->step->arguments + 1), at(b, 0) + (size_t)from * bytes, bytes);
			status = sr_execute_computation(b->d, (uint64_t)b->step->plan);
		}
		if (*best < 0 || !*(const uint8_t *)at(b, b->step->results))
			*best = from;
	} while (!status && next(w, p->window, p->rank));
	return status;
}

static enum sr_status select_windows(const struct body *b)
{
	const struct sr_reduce_window_params *p = &b->step->u.window;
	int64_t strides[SR_KERNEL_MAX_RANK], o[SR_KERNEL_MAX_RANK] = {0}, stride = 1, *out = (int64_t *)(void *)at(b, 1);
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
	while (!status && next(o, p->out, p->rank));
	return status;
}

enum sr_status sr_execute_body(struct sr_device *d, const struct sr_instr *s)
{
	static enum sr_status (*const kinds[])(const struct body *) = {[SR_BODY_REDUCE] = reduce,
								       [SR_BODY_REDUCE_WINDOW] = reduce_window,
								       [SR_BODY_SORT] = sort,
								       [SR_BODY_SCATTER] = scatter,
								       [SR_BODY_SELECT] = select_windows};
	const struct sr_ready_instr *r = d->steps + (s - sr_program_instrs(d->program));
	struct body b = {d, r->params, sr_program_operands(d->program) + s->first_operand, r->operands};
	return kinds[b.step->kind](&b);
}
