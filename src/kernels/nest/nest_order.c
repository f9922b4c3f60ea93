/* Choice of the order of reductions in loop nests, from shape and types alone; struct sr_nest_stage stores it. */
#include "kernels/nest/nest_prepared.h"
#include <math.h>

enum { SHORT_LOOP = 16, ROW_LANES = 16, LONG_ROW = 32 };

/* Return true if the nest reduces short contiguous rows of floats of at least ROW_LANES elements, so that each row is read as vectors
 * with ROW_LANES lanes. Minima and maxima of exactly ROW_LANES elements take less time in columns: combining lanes is expensive.
 * Sliding windows are excluded: whether they are reduced in columns depends on the number of rows, which differs on shards. */
static bool reduces_rows_of_vectors(const struct sr_nest_prepared *r)
{
	int last = r->n_loops - 1;
	bool reads_rows = false;
	if (r->n_loops != r->n_parallel + 1 || r->extent[last] < ROW_LANES || r->extent[last] >= LONG_ROW)
		return false;
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		int64_t unused_identity[2];
		enum sr_dtype type = (enum sr_dtype)in->type;
		bool is_cheap = in->kernel == SR_KERNEL_ADD || in->kernel == SR_KERNEL_MULTIPLY || r->extent[last] > ROW_LANES;
		bool has_lanes = is_cheap && sr_dtype_is_float(type) && sr_nest_identity(in->kernel, type, unused_identity);
		if (in->op == SR_NEST_FOLD || (in->op == SR_NEST_REDUCE && !has_lanes))
			return false;
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &r->accesses[in->access] : NULL;
		bool is_window = a && last && a->stride[last] == 1 && a->stride[last - 1] == 1;
		if (a && (a->n_dims || a->stride[last] > 1 || is_window))
			return false;
		reads_rows = reads_rows || (a && a->stride[last] == 1);
	}
	return reads_rows;
}

bool sr_nest_reduces_columns(const struct sr_nest_prepared *r)
{
	int p = r->n_parallel, n = r->n_loops;
	bool has_short_rows = r->inner_iterations <= SHORT_LOOP && p && r->extent[p - 1] >= SHORT_LOOP;
	return p && p < n && (sr_nest_columns_are_contiguous(r) || (has_short_rows && !reduces_rows_of_vectors(r)));
}

bool sr_nest_is_one_task(const struct sr_nest_prepared *r)
{
	enum { MAX_COLUMNS = 64, MAX_ITERATIONS = 1 << 14 };
	return r->n_parallel == 1 && r->extent[0] <= MAX_COLUMNS && r->inner_iterations <= MAX_ITERATIONS / r->extent[0] &&
	       sr_nest_reduces_columns(r);
}

int sr_nest_max_lanes(const struct sr_nest *nest)
{
	int max_lanes = 1;
	for (int s = 0; s < nest->n_stages; s++) {
		int lanes = sr_nest_stage_lanes(sr_nest_stages(nest) + s);
		max_lanes = lanes > max_lanes ? lanes : max_lanes;
	}
	return max_lanes;
}

bool sr_nest_identity(int kernel, enum sr_dtype type, void *element)
{
	enum sr_dtype_class class = sr_dtypes[type].class;
	int bits = sr_dtypes[type].bits, monoid = sr_nest_monoid(kernel);
	bool is_float = class == SR_CLASS_FLOAT, sign = class == SR_CLASS_SINT;
	uint64_t all = ~(uint64_t)0 >> (64 - (bits < 64 ? bits : 64));
	int64_t max_value = (int64_t)(sign ? all >> 1 : all);
	int64_t i = 0;
	double d = 0;
	if (monoid < 0 || (is_float && bits < 16) || (class == SR_CLASS_COMPLEX && monoid != SR_MONOID_ADD))
		return false;
	switch ((enum sr_monoid)monoid) {
	case SR_MONOID_ADD:
		d = -0.;
		break;
	case SR_MONOID_MUL:
		i = 1, d = 1;
		break;
	case SR_MONOID_MAX:
		i = sign ? -max_value - 1 : 0, d = -INFINITY;
		break;
	case SR_MONOID_MIN:
		i = max_value, d = INFINITY;
		break;
	case SR_MONOID_AND:
		i = sign ? -1 : max_value;
		break;
	default:
		break;
	}
	sr_element_set(type, element, i, d, d);
	return !is_float || monoid <= SR_MONOID_MAX;
}

/* Return the number of accumulators (lanes) for the reductions of a stage. Reductions along rows have as many as fill four vectors
 * of 64 bytes of the widest type; short rows have fewer; the shortest rows have one, and many such rows are reduced at once, unless
 * they are sums of floats that fill vectors.
 * Reductions along columns have one accumulator or, if the columns are few and long, as many as fill such vectors. */
static int choose_lanes(const struct sr_nest_prepared *r, const struct sr_nest_stage *stage, bool columns)
{
	enum { MAX_BYTES = 256, MAX_LANES = 64, MIN_LANES = 4, LONG_COLUMN = 64, MAX_COLUMN_LANES = 32 };
	int bytes = MAX_BYTES / MAX_LANES, lanes = 16;
	int64_t n = r->n_parallel < r->n_loops ? r->extent[r->n_loops - 1] : 0;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		enum sr_dtype type = (enum sr_dtype)in->type;
		int64_t unused_identity[2];
		if (in->op == SR_NEST_FOLD || (in->op == SR_NEST_REDUCE && !sr_nest_identity(in->kernel, type, unused_identity)))
			return 1;
		bool is_16bit_float = sr_dtype_is_float(type) && sr_dtypes[type].bits == 16; /* 16-bit floats are computed in f32 */
		int type_bytes = in->op != SR_NEST_REDUCE ? 1 : is_16bit_float ? 4 : sr_dtype_bytes(type);
		bytes = type_bytes > bytes ? type_bytes : bytes;
	}
	if (columns) {
		int64_t width = r->extent[r->n_parallel - 1];
		for (lanes = 1; n >= LONG_COLUMN && width * lanes < MAX_BYTES / bytes && lanes < MAX_COLUMN_LANES;)
			lanes *= 2;
		return lanes;
	}
	if (n >= MAX_BYTES / bytes && r->inner_iterations >= 4 * (MAX_BYTES / bytes))
		return MAX_BYTES / bytes;
	if (n < LONG_ROW && r->inner_iterations <= n && !reduces_rows_of_vectors(r))
		return 1;
	while (lanes > n)
		lanes /= 2;
	return lanes >= MIN_LANES ? lanes : 1;
}

static bool does_stage_reduce(const struct sr_nest *nest)
{
	for (int i = 0; i < nest->n_instrs; i++)
		if (sr_nest_instrs(nest)[i].op == SR_NEST_REDUCE)
			return true;
	return false;
}

void sr_nest_set_order(struct sr_nest *nest, struct sr_arena *arena)
{
	struct sr_nest_stage *stages = (struct sr_nest_stage *)(void *)((char *)nest + nest->stages);
	if (!does_stage_reduce(nest))
		return;
	const struct sr_nest_prepared *r = sr_nest_merge_loops(nest, sr_alloc(arena, sr_nest_prepared_bytes(nest), 1));
	bool columns = sr_nest_reduces_columns(r);
	for (int s = 0; s < nest->n_stages; s++)
		stages[s].lanes = stages[s].over_inner ? choose_lanes(r, &stages[s], columns) : 1;
}
