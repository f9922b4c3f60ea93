/* Build work.nest ops and read their fields; retire unused ops. */
#include "work/work.h"
#include "dialect/attr_names.h"

const struct sr_type *sr_element_scalar(struct sr_context *ctx, const struct sr_type *tensor)
{
	return sr_type_tensor_of(ctx, tensor->element, 0, NULL, NULL);
}

static struct sr_indexing_map *read_maps(struct sr_context *ctx, const struct sr_attr *list, struct sr_value *(*value)(const struct sr_op *, int),
					 const struct sr_op *op, int n_loops)
{
	struct sr_indexing_map *a = SR_NEW_ARRAY(ctx->scratch, struct sr_indexing_map, list->n + 1);
	for (int i = 0; i < list->n; i++)
		a[i] = sr_indexing_map_read(ctx, list->list[i], value(op, i)->type->rank, n_loops);
	return a;
}

struct sr_work_nest sr_work_read(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_work_nest nest = {.n_operands = op->n_operands, .n_results = op->n_results};
	int64_t n;
	sr_op_ints(ctx, op, SR_NAME_loops, &nest.loops, &n);
	nest.n_loops = (int)n;
	nest.parallel = (int)sr_op_int(op, SR_NAME_parallel, 0);
	nest.operands = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, op->n_operands + 1);
	for (int i = 0; i < op->n_operands; i++)
		nest.operands[i] = sr_operand(op, i);
	nest.result_types = SR_NEW_ARRAY(ctx->scratch, const struct sr_type *, op->n_results + 1);
	for (int i = 0; i < op->n_results; i++)
		nest.result_types[i] = sr_result(op, i)->type;
	nest.accesses = read_maps(ctx, sr_op_attr(op, SR_NAME_indexing_maps), sr_operand, op, nest.n_loops);
	nest.result_indexing_maps = read_maps(ctx, sr_op_attr(op, SR_NAME_result_indexing_maps), sr_result, op, nest.n_loops);
	return nest;
}

static const struct sr_attr *map_attrs(struct sr_context *ctx, const struct sr_work_nest *nest, const struct sr_indexing_map *a,
				       int n)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, n + 1);
	for (int i = 0; i < n; i++) {
		struct sr_indexing_map reduced_map = a[i];
		sr_indexing_map_drop_unit_loops(ctx, &reduced_map, nest->loops, nest->parallel);
		list[i] = sr_indexing_map_attr(ctx, &reduced_map);
	}
	return sr_attr_array(ctx, list, n);
}

struct sr_op *sr_work_build(struct sr_builder *b, const struct sr_work_nest *nest, struct sr_builder *body)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_named_attr attrs[] = {
		{SR_NAME_loops, sr_attr_i64s(ctx, nest->loops, nest->n_loops)},
		{SR_NAME_parallel, sr_attr_i64(ctx, nest->parallel)},
		{SR_NAME_indexing_maps, map_attrs(ctx, nest, nest->accesses, nest->n_operands)},
		{SR_NAME_result_indexing_maps, map_attrs(ctx, nest, nest->result_indexing_maps, nest->n_results)},
	};
	struct sr_op *op = sr_build(b, SR_OP_work_nest, nest->operands, nest->n_operands, attrs, 4, nest->result_types,
				    nest->n_results);
	struct sr_block *block = sr_block_new(ctx, &op->regions[0]);
	for (int i = 0; i < nest->n_operands; i++)
		sr_block_add_arg(ctx, block, sr_element_scalar(ctx, nest->operands[i]->type), b->loc);
	*body = (struct sr_builder){.ctx = ctx, .block = block, .loc = b->loc};
	return op;
}

struct sr_value *sr_work_index_value(const struct sr_op *nest, int64_t number)
{
	const struct sr_block *body = nest->regions[0].first;
	if (number < nest->n_operands)
		return body->args[number];
	return sr_operand(sr_block_terminator(body), nest->n_results + (int)number - nest->n_operands);
}

void sr_work_yield(struct sr_builder *body, struct sr_value *const *values, int n)
{
	sr_build(body, SR_OP_work_yield, values, n, NULL, 0, NULL, 0);
}

void sr_work_retire_unused(struct sr_context *ctx, struct sr_op *op)
{
	if (!op || !op->block || !sr_op_has(op, SR_PURE))
		return;
	for (int i = 0; i < op->n_results; i++)
		if (sr_result(op, i)->uses)
			return;
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	int n = op->n_operands;
	struct sr_value **operands = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, n + 1);
	for (int i = 0; i < n; i++)
		operands[i] = sr_operand(op, i);
	sr_op_retire(ctx, op);
	for (int i = 0; i < n; i++)
		sr_work_retire_unused(ctx, operands[i]->def);
	sr_arena_release(ctx->scratch, mark);
}

void sr_work_reorder_loops(struct sr_context *ctx, struct sr_op *op, struct sr_work_nest *nest, const int *order)
{
	int n = nest->n_loops;
	int64_t *loops = SR_NEW_ARRAY(ctx->scratch, int64_t, n), *to = SR_NEW_ARRAY(ctx->scratch, int64_t, (int64_t)n * (n + 1));
	for (int l = 0; l < n; l++) {
		loops[order[l]] = nest->loops[l];
		to[l * (n + 1) + order[l]] = 1;
	}
	nest->loops = loops;
	for (int i = 0; i < nest->n_operands + nest->n_results; i++) {
		struct sr_indexing_map *a = i < nest->n_operands ? &nest->accesses[i] : &nest->result_indexing_maps[i - nest->n_operands];
		struct sr_indexing_map old = *a;
		sr_indexing_map_substitute_loops(ctx, &old, to, n, 0, a);
	}
	for (struct sr_op *o = op->regions[0].first->first; o; o = o->next) {
		if (!sr_op_is(o, SR_OP_work_index))
			continue;
		struct sr_indexing_map old = sr_indexing_map_read(ctx, sr_op_attr(o, SR_NAME_indexing_map), 1, n), moved;
		sr_indexing_map_substitute_loops(ctx, &old, to, n, 0, &moved);
		sr_op_set_attr(ctx, o, SR_NAME_indexing_map, sr_indexing_map_attr(ctx, &moved));
	}
}

static const struct sr_attr *map_list(struct sr_context *ctx, const struct sr_indexing_map *maps, int n)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, n + 1);
	for (int i = 0; i < n; i++)
		list[i] = sr_indexing_map_attr(ctx, &maps[i]);
	return sr_attr_array(ctx, list, n);
}

void sr_work_update(struct sr_context *ctx, struct sr_op *op, const struct sr_work_nest *nest)
{
	sr_op_set_attr(ctx, op, SR_NAME_loops, sr_attr_i64s(ctx, nest->loops, nest->n_loops));
	sr_op_set_attr(ctx, op, SR_NAME_indexing_maps, map_list(ctx, nest->accesses, nest->n_operands));
	sr_op_set_attr(ctx, op, SR_NAME_result_indexing_maps, map_list(ctx, nest->result_indexing_maps, nest->n_results));
}
