/* In which stage of a tile a value of its body can be made. */
#include "work/emit/emit_parts.h"
#include "dialect/names.h"

static bool reads_inner(const struct sr_tile_emit *e, const struct sr_access *a)
{
	for (int d = 0; d < a->rank; d++)
		for (int l = e->tile.parallel; l < a->n_loops; l++)
			if (sr_access_row(a, d)[l] && e->tile.loops[l] > 1)
				return true;
	return false;
}

static void join(struct sr_tile_fact *to, struct sr_tile_fact from)
{
	to->phase = from.phase > to->phase ? from.phase : to->phase;
	to->inner = to->inner || from.inner;
}

static struct sr_tile_fact of_argument(struct sr_tile_emit *e, const struct sr_value *v)
{
	const struct sr_access *a = &e->tile.accesses[v->index];
	struct sr_block *body = v->block;
	struct sr_tile_fact f = {.inner = reads_inner(e, a)};
	for (int d = 0; a->index && d < a->rank; d++)
		if (a->index[d] >= 0)
			join(&f, sr_tile_fact_of(e, body->args[a->index[d]]));
	if (a->fill >= 0)
		join(&f, sr_tile_fact_of(e, body->args[a->fill]));
	return f;
}

static struct sr_tile_fact of_op(struct sr_tile_emit *e, struct sr_op *op)
{
	struct sr_tile_fact f = {0};
	for (int i = 0; i < op->n_operands; i++)
		join(&f, sr_tile_fact_of(e, sr_operand(op, i)));
	if (sr_op_is(op, SR_OP_work_reduce)) {
		f.phase++;
		f.inner = false;
	} else if (sr_op_is(op, SR_OP_work_index)) {
		struct sr_access a = sr_access_read(e->ctx, sr_op_attr(op, SR_NAME_access), 1, e->tile.n_loops);
		f.inner = reads_inner(e, &a);
	}
	return f;
}

struct sr_tile_fact sr_tile_fact_of(struct sr_tile_emit *e, struct sr_value *v)
{
	struct sr_tile_fact *known = sr_map_get(&e->facts, v);
	if (known)
		return *known;
	struct sr_tile_fact f = v->def ? of_op(e, v->def) : of_argument(e, v);
	sr_map_put(&e->facts, v, sr_dup(e->arena, &f, 1, sizeof f));
	return f;
}
