/* Find the stage of a nest in which a value of its body can be computed. */
#include "work/emit/nest_emitter.h"
#include "dialect/attr_names.h"

static bool depends_on_inner_loops(const struct sr_nest_emitter *e, const struct sr_indexing_map *a)
{
	for (int d = 0; d < a->rank; d++)
		for (int l = e->nest.parallel; l < a->n_loops; l++)
			if (sr_indexing_map_row(a, d)[l] && e->nest.loops[l] > 1)
				return true;
	return false;
}

static void merge_stage_info(struct sr_nest_stage_info *to, struct sr_nest_stage_info addend)
{
	to->phase = addend.phase > to->phase ? addend.phase : to->phase;
	to->inner = to->inner || addend.inner;
}

static struct sr_nest_stage_info stage_of_argument(struct sr_nest_emitter *e, const struct sr_value *v)
{
	const struct sr_indexing_map *a = &e->nest.accesses[v->index];
	struct sr_nest_stage_info f = {.inner = depends_on_inner_loops(e, a)};
	for (int d = 0; a->index && d < a->rank; d++)
		if (a->index[d] >= 0)
			merge_stage_info(&f, sr_nest_stage_info_of(e, sr_work_index_value(e->op, a->index[d])));
	if (a->fill >= 0)
		merge_stage_info(&f, sr_nest_stage_info_of(e, v->block->args[a->fill]));
	return f;
}

static struct sr_nest_stage_info stage_of_op(struct sr_nest_emitter *e, struct sr_op *op)
{
	struct sr_nest_stage_info f = {0};
	for (int i = 0; i < op->n_operands; i++)
		merge_stage_info(&f, sr_nest_stage_info_of(e, sr_operand(op, i)));
	if (sr_op_is(op, SR_OP_work_reduce)) {
		f.phase++;
		f.inner = false;
	} else if (sr_op_is(op, SR_OP_work_index)) {
		struct sr_indexing_map a = sr_indexing_map_read(e->ctx, sr_op_attr(op, SR_NAME_indexing_map), 1, e->nest.n_loops);
		f.inner = depends_on_inner_loops(e, &a);
	}
	return f;
}

struct sr_nest_stage_info sr_nest_stage_info_of(struct sr_nest_emitter *e, struct sr_value *v)
{
	struct sr_nest_stage_info *memo_entry = sr_map_get(&e->stage_infos, v);
	if (memo_entry)
		return *memo_entry;
	struct sr_nest_stage_info f = v->def ? stage_of_op(e, v->def) : stage_of_argument(e, v);
	sr_map_put(&e->stage_infos, v, sr_dup(e->arena, &f, 1, sizeof f));
	return f;
}
