/* Lower gather to a loop nest: each component of the index vector is an operand, read at the iteration of the batch loops. */
#include "work/nest/nest_from_op.h"
#include "dialect/attr_names.h"
#include "support/integers.h"

struct lists {
	const int64_t *offset, *collapsed, *operand_batch, *indices_batch, *map;
	int64_t n_offset, n_collapsed, n_operand_batch, n_indices_batch, n_map, vector;
};

static struct lists read_lists(struct sr_lowering *l)
{
	const struct sr_attr *s = sr_op_attr(l->op, SR_NAME_dimension_numbers), *vector = sr_attr_field(s, SR_NAME_index_vector_dim);
	struct lists v = {.vector = vector ? vector->i : 0};
	sr_struct_ints(l->ctx, s, SR_NAME_offset_dims, &v.offset, &v.n_offset);
	sr_struct_ints(l->ctx, s, SR_NAME_collapsed_slice_dims, &v.collapsed, &v.n_collapsed);
	sr_struct_ints(l->ctx, s, SR_NAME_operand_batching_dims, &v.operand_batch, &v.n_operand_batch);
	sr_struct_ints(l->ctx, s, SR_NAME_start_indices_batching_dims, &v.indices_batch, &v.n_indices_batch);
	sr_struct_ints(l->ctx, s, SR_NAME_start_index_map, &v.map, &v.n_map);
	return v;
}

/* Set loop_of[d] to the loop of dimension d of the indices: the result's batch dimensions in order; -1 for the index vector
 * dimension. */
static void batch_loops(const struct lists *v, int out_rank, int indices_rank, int *loop_of)
{
	int loop = 0;
	for (int d = 0; d < indices_rank; d++) {
		loop_of[d] = -1;
		if (d == v->vector)
			continue;
		while (loop < out_rank && sr_list_has(v->offset, v->n_offset, loop))
			loop++;
		loop_of[d] = loop++;
	}
}

static void operand_access(struct sr_lowering *l, const struct lists *v, const int *loop_of, const int64_t *sizes, struct sr_indexing_map *a)
{
	const struct sr_type *operand = sr_operand(l->op, 0)->type;
	int64_t window = 0;
	a->index = SR_NEW_ARRAY(l->ctx->scratch, int64_t, a->rank + 1);
	a->limit = SR_NEW_ARRAY(l->ctx->scratch, int64_t, a->rank + 1);
	for (int d = 0; d < a->rank; d++) {
		a->index[d] = -1;
		for (int64_t k = 0; k < v->n_operand_batch; k++)
			if (v->operand_batch[k] == d)
				sr_indexing_map_row(a, d)[loop_of[v->indices_batch[k]]] = 1;
		if (!sr_list_has(v->collapsed, v->n_collapsed, d) && !sr_list_has(v->operand_batch, v->n_operand_batch, d))
			sr_indexing_map_row(a, d)[v->offset[window++]] = 1;
	}
	for (int64_t k = 0; k < v->n_map; k++) {
		a->index[v->map[k]] = k;
		a->limit[v->map[k]] = operand->shape[v->map[k]] - sizes[v->map[k]];
	}
}

bool sr_nest_from_gather(struct sr_lowering *l)
{
	struct lists v = read_lists(l);
	struct sr_value *indices = sr_operand(l->op, 1);
	int out_rank = sr_result(l->op, 0)->type->rank, loop_of[SR_MAX_RANK];
	struct sr_nest_builder p = sr_nest_builder_over_result(l, (int)v.n_map + 1);
	const int64_t *sizes;
	int64_t n;
	sr_op_ints(l->ctx, l->op, SR_NAME_slice_sizes, &sizes, &n);
	batch_loops(&v, out_rank, indices->type->rank, loop_of);
	for (int64_t k = 0; k < v.n_map; k++) {
		struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, indices);
		for (int d = 0; d < a->rank; d++)
			sr_indexing_map_row(a, d)[loop_of[d] < 0 ? a->n_loops : loop_of[d]] = loop_of[d] < 0 ? k : 1;
	}
	operand_access(l, &v, loop_of, sizes, sr_nest_builder_add_operand(&p, sr_operand(l->op, 0)));
	sr_nest_builder_create_op(&p);
	struct sr_value *element = sr_nest_builder_arg(&p, (int)v.n_map);
	return sr_nest_builder_yield(&p, &element, 1);
}
