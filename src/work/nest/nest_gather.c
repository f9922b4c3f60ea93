/* Lower gather to a loop nest: each component of the index vector is an operand, read at the iteration of the batch loops. */
#include "work/nest/nest_from_op.h"
#include "dialect/attr_names.h"
#include "support/integers.h"
#include <string.h>

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

/* Return the tensor of which v is a transposed copy; NULL: it is none. dim_of[d]: dimension of v that is the tensor's
 * dimension d. */
static struct sr_value *untransposed(struct sr_context *ctx, const struct sr_value *v, int *dim_of)
{
	if (!v->def || !sr_op_is(v->def, SR_OP_work_nest) || v->def->n_operands != 1 || v->def->n_results != 1)
		return NULL;
	struct sr_work_nest copy = sr_work_read(ctx, v->def);
	const struct sr_block *body = v->def->regions[0].first;
	struct sr_value *source = copy.operands[0];
	int *result_dim = SR_NEW_ARRAY(ctx->scratch, int, 2 * copy.n_loops + 1), *source_dim = result_dim + copy.n_loops;
	uint64_t used = 0;
	if (sr_operand(sr_block_terminator(body), 0) != body->args[0] || source->type->rank != v->type->rank ||
	    !sr_indexing_map_is_permutation(&copy.result_indexing_maps[0], v->type->shape, result_dim) ||
	    !sr_indexing_map_is_permutation(&copy.accesses[0], source->type->shape, source_dim))
		return NULL;
	for (int d = 0; d < v->type->rank; d++)
		dim_of[d] = -1;
	for (int loop = 0; loop < copy.n_loops; loop++)
		if (source_dim[loop] >= 0 && result_dim[loop] >= 0) {
			dim_of[source_dim[loop]] = result_dim[loop];
			used |= (uint64_t)1 << result_dim[loop];
		}
	for (int d = 0, unit = 0; d < v->type->rank; d++) {
		while (dim_of[d] < 0 && (used >> unit & 1))
			unit++;
		dim_of[d] = dim_of[d] < 0 ? unit++ : dim_of[d]; /* dimensions of extent 1, which may have no loop */
	}
	return source;
}

/* Add the operand with this access. A transposed copy is read as the tensor before the transpose, unless the last loop reads rows
 * of the copy. */
static void add_operand(struct sr_lowering *l, struct sr_nest_builder *p, const struct sr_indexing_map *access)
{
	int dim_of[SR_MAX_RANK], last = access->n_loops - 1;
	struct sr_value *operand = sr_operand(l->op, 0), *source = untransposed(l->ctx, operand, dim_of);
	bool reads_rows = access->rank && last >= 0 && sr_indexing_map_row(access, access->rank - 1)[last];
	struct sr_indexing_map *a = sr_nest_builder_add_operand(p, source && !reads_rows ? source : operand);
	a->index = SR_NEW_ARRAY(l->ctx->scratch, int64_t, a->rank + 1);
	a->limit = SR_NEW_ARRAY(l->ctx->scratch, int64_t, a->rank + 1);
	for (int d = 0; d < a->rank; d++) {
		int from = source && !reads_rows ? dim_of[d] : d;
		memcpy(sr_indexing_map_row(a, d), sr_indexing_map_row(access, from), sizeof(int64_t) * (size_t)(a->n_loops + 1));
		a->index[d] = access->index[from];
		a->limit[d] = access->limit[from];
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
	struct sr_indexing_map access = sr_indexing_map_new(l->ctx, sr_operand_type(l->op, 0)->rank, out_rank);
	operand_access(l, &v, loop_of, sizes, &access);
	add_operand(l, &p, &access);
	sr_nest_builder_create_op(&p);
	struct sr_value *element = sr_nest_builder_arg(&p, (int)v.n_map);
	return sr_nest_builder_yield(&p, &element, 1);
}
