/* The order of reductions in loop nests, chosen from shape and types alone; struct sr_nest_stage records it. */
#include "kernels/nest/nest_prepared.h"
#include <math.h>

enum { SHORT_LOOP = 16 };

bool sr_nest_reduces_columns(const struct sr_nest_prepared *r)
{
	int p = r->n_parallel, n = r->n_loops;
	return p && p < n && (sr_nest_unit_stride_points(r, p - 1) > sr_nest_unit_stride_points(r, n - 1) ||
			      (r->inner_points <= SHORT_LOOP && r->extent[p - 1] >= SHORT_LOOP));
}

int sr_nest_max_lanes(const struct sr_nest *t)
{
	int most = 1;
	for (int s = 0; s < t->n_stages; s++) {
		int lanes = sr_nest_stage_lanes(sr_nest_stages(t) + s);
		most = lanes > most ? lanes : most;
	}
	return most;
}

bool sr_nest_identity(int kernel, enum sr_dtype type, void *element)
{
	enum sr_dtype_class class = sr_dtypes[type].class;
	int bits = sr_dtypes[type].bits, monoid = sr_nest_monoid(kernel);
	bool is_float = class == SR_CLASS_FLOAT, sign = class == SR_CLASS_SINT;
	int64_t most = sign ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1) : (int64_t)(~(uint64_t)0 >> (64 - (bits < 64 ? bits : 64)));
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
		i = sign ? -most - 1 : 0, d = -INFINITY;
		break;
	case SR_MONOID_MIN:
		i = most, d = INFINITY;
		break;
	case SR_MONOID_AND:
		i = sign ? -1 : most;
		break;
	default:
		break;
	}
	sr_element_set(type, element, i, d, d);
	return !is_float || monoid <= SR_MONOID_MAX;
}

/* Return the lanes of a stage. Rows: four vectors of 64 bytes of its widest type; short rows have fewer, and many short rows have one
 * lane for each element. Columns: one, or if they are few and long as many as fill vectors. */
static int choose_lanes(const struct sr_nest_prepared *r, const struct sr_nest_stage *stage, bool columns)
{
	enum { BYTES = 256, FEWEST = 4, FEW_COLUMNS = 32, LONG_COLUMN = 64 };
	int bytes = 1, lanes = 16;
	int64_t n = r->n_parallel < r->n_loops ? r->extent[r->n_loops - 1] : 0;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		enum sr_dtype type = (enum sr_dtype)in->type;
		int64_t unused[2];
		if (in->op == SR_NEST_FOLD || (in->op == SR_NEST_REDUCE && !sr_nest_identity(in->kernel, type, unused)))
			return 1;
		bool half = sr_dtype_is_float(type) && sr_dtypes[type].bits == 16; /* computed in f32 */
		int own = in->op != SR_NEST_REDUCE ? 1 : half ? 4 : sr_dtype_bytes(type);
		bytes = own > bytes ? own : bytes;
	}
	if (columns) {
		int64_t width = r->extent[r->n_parallel - 1];
		for (lanes = 1; n >= LONG_COLUMN && width * lanes < FEW_COLUMNS && lanes < 16;)
			lanes *= 2;
		return lanes;
	}
	if (n >= 4 * (BYTES / bytes))
		return BYTES / bytes;
	if (n < 32 && r->inner_points <= n)
		return 1;
	while (lanes > n)
		lanes /= 2;
	return lanes >= FEWEST ? lanes : 1;
}

static bool reduces(const struct sr_nest *t)
{
	for (int i = 0; i < t->n_instrs; i++)
		if (sr_nest_instrs(t)[i].op == SR_NEST_REDUCE)
			return true;
	return false;
}

void sr_nest_set_order(struct sr_nest *t, struct sr_arena *arena)
{
	struct sr_nest_stage *stages = (struct sr_nest_stage *)(void *)((char *)t + t->stages);
	if (!reduces(t))
		return;
	const struct sr_nest_prepared *r = sr_nest_merge_loops(t, sr_alloc(arena, sr_nest_prepared_bytes(t), 1));
	bool columns = sr_nest_reduces_columns(r);
	for (int s = 0; s < t->n_stages; s++)
		stages[s].lanes = stages[s].over_inner ? choose_lanes(r, &stages[s], columns) : 1;
}
