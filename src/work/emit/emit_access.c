/* Convert an indexing map to a memory access: strides into the dense row-major buffer, and a dimension entry for each dimension
 * that needs an index, a divisor or a bounds check. */
#include "work/emit/nest_emitter.h"

/* Return true if the index of the dimension may be outside [0, extent). */
static bool may_leave_bounds(const struct sr_nest_emitter *e, const int64_t *row, int64_t extent)
{
	int64_t low = row[e->nest.n_loops], high = low;
	for (int l = 0; l < e->nest.n_loops; l++)
		*(row[l] < 0 ? &low : &high) += row[l] * (e->nest.loops[l] - 1);
	return low < 0 || high >= extent;
}

static void add_affine_dim(struct sr_nest_emitter *e, const int64_t *row, int64_t stride, struct sr_nest_access *to)
{
	for (int l = 0; l < e->nest.n_loops; l++)
		to->stride[l] += row[l] * stride;
	to->offset += row[e->nest.n_loops] * stride;
}

static void add_special_dim(struct sr_nest_emitter *e, const int64_t *row, struct sr_nest_dim dim, struct sr_nest_access *to)
{
	for (int l = 0; l < e->nest.n_loops; l++)
		dim.coef[l] = row[l];
	dim.offset = row[e->nest.n_loops];
	sr_push(e->arena, &e->dims, dim);
	to->n_dims++;
}

int sr_nest_emit_access(struct sr_nest_emitter *e, const struct sr_indexing_map *a, const int64_t *shape, int buffer, int stage)
{
	struct sr_nest_access to = {.buffer = buffer, .fill = -1};
	struct sr_block *body = e->op->regions[0].first;
	int index[SR_MAX_RANK];
	int64_t stride = 1;
	if (a->fill >= 0)
		to.fill = sr_nest_emit_value(e, body->args[a->fill], stage);
	for (int d = 0; d < a->rank; d++) {
		int64_t number = a->index ? a->index[d] : -1;
		index[d] = number >= 0 ? sr_nest_emit_value(e, sr_work_index_value(e->op, number), stage) : -1;
		/* the interpreter may read the index in the operand's memory when it executes the access, in this stage */
		if (number >= 0 && number < e->op->n_operands && e->last_load[number] < stage)
			e->last_load[number] = stage;
	}
	to.first_dim = (int32_t)e->dims.n;
	for (int d = a->rank - 1; d >= 0; d--) {
		const int64_t *row = sr_indexing_map_row(a, d);
		int64_t divisor = a->divisor ? a->divisor[d] : 1;
		struct sr_nest_dim dim = {.divisor = divisor, .stride = stride, .index = index[d], .extent = a->fill >= 0 ? shape[d] : 0};
		dim.limit = index[d] >= 0 ? a->limit[d] : 0;
		if (index[d] >= 0 || divisor > 1 || (a->fill >= 0 && may_leave_bounds(e, row, shape[d])))
			add_special_dim(e, row, dim, &to);
		else
			add_affine_dim(e, row, stride, &to);
		stride *= shape[d];
	}
	if (!to.n_dims)
		to.fill = -1;
	sr_push(e->arena, &e->accesses, to);
	return (int)e->accesses.n - 1;
}
