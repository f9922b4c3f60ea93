/* Lower gather and scatter: dimension numbers become the kernels' per-dimension tables. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "plan/lower/lower.h"
#include "work/work.h"
#include "support/integers.h"
#include <string.h>

struct lists {
	const int64_t *offset, *collapsed, *operand_batch, *indices_batch, *map;
	int64_t n_offset, n_collapsed, n_operand_batch, n_indices_batch, n_map;
};

/* Fill the kernel's tables. result: gather's result or scatter's updates; its window dimensions are the operand's dimensions
 * that are neither collapsed nor batching. */
static void fill_params(struct sr_gather_params *g, const struct sr_type *operand, const struct sr_type *indices, const struct sr_type *result,
			const struct lists *l, int64_t index_vector_dim)
{
	g->operand_rank = operand->rank;
	g->indices_rank = indices->rank;
	g->out_rank = result->rank;
	g->index_type = (int32_t)indices->dtype;
	g->bytes = sr_dtype_bytes(operand->dtype);
	g->index_vector_dim = (int32_t)index_vector_dim;
	g->n_index_map = (int32_t)l->n_map;
	memcpy(g->operand, operand->shape, sizeof(int64_t) * (size_t)operand->rank);
	memcpy(g->indices, indices->shape, sizeof(int64_t) * (size_t)indices->rank);
	memcpy(g->out, result->shape, sizeof(int64_t) * (size_t)result->rank);
	for (int64_t i = 0; i < l->n_map; i++)
		g->index_map[i] = (int8_t)l->map[i];
	int next = 0;
	for (int d = 0; d < result->rank; d++) {
		g->out_operand_dim[d] = -1;
		if (!sr_list_has(l->offset, l->n_offset, d))
			continue;
		while (sr_list_has(l->collapsed, l->n_collapsed, next) || sr_list_has(l->operand_batch, l->n_operand_batch, next))
			next++;
		g->out_operand_dim[d] = (int8_t)next++;
	}
	for (int d = 0; d < operand->rank; d++) {
		g->batch_of_operand[d] = -1;
		for (int64_t i = 0; i < l->n_operand_batch; i++)
			if (l->operand_batch[i] == d)
				g->batch_of_operand[d] = (int8_t)l->indices_batch[i];
	}
}

static void read_lists(struct sr_plan_builder *b, const struct sr_attr *s, const char *const names[5], struct lists *l)
{
	struct {
		const int64_t **v;
		int64_t *n;
	} to[5] = {{&l->offset, &l->n_offset}, {&l->collapsed, &l->n_collapsed}, {&l->operand_batch, &l->n_operand_batch},
		   {&l->indices_batch, &l->n_indices_batch}, {&l->map, &l->n_map}};
	for (int i = 0; i < 5; i++)
		sr_struct_ints(b->ctx, s, names[i], to[i].v, to[i].n);
}

static int64_t vector_dim(const struct sr_attr *s)
{
	const struct sr_attr *a = sr_attr_field(s, SR_NAME_index_vector_dim);
	return a ? a->i : 0;
}

enum sr_status sr_lower_gather(struct sr_plan_builder *b, struct sr_op *op)
{
	static const char *const names[] = {SR_NAME_offset_dims, SR_NAME_collapsed_slice_dims, SR_NAME_operand_batching_dims, SR_NAME_start_indices_batching_dims, SR_NAME_start_index_map};
	const struct sr_attr *s = sr_op_attr(op, SR_NAME_dimension_numbers);
	struct sr_gather_params g = {0};
	struct lists l = {0};
	const int64_t *sizes;
	int64_t n, n_elements = sr_plan_elements(b, sr_result(op, 0));
	read_lists(b, s, names, &l);
	fill_params(&g, sr_operand(op, 0)->type, sr_operand(op, 1)->type, sr_result(op, 0)->type, &l, vector_dim(s));
	sr_op_ints(b->ctx, op, SR_NAME_slice_sizes, &sizes, &n);
	memcpy(g.slice_sizes, sizes, sizeof(int64_t) * (size_t)n);
	int buffers[] = {sr_plan_buffer_for(b, sr_operand(op, 0)), sr_plan_buffer_for(b, sr_operand(op, 1)), sr_plan_buffer_for(b, sr_result(op, 0))};
	if (n_elements)
		sr_plan_add_kernel(b, SR_KERNEL_GATHER, sr_plan_dtype(sr_operand(op, 0)), n_elements, buffers, 3, &g, sizeof g);
	return SR_OK;
}

/* Return the buffer of the updates. *splat: set if the buffer has one element, which all updates equal. */
static int updates_of(struct sr_plan_builder *b, struct sr_op *op, int32_t *splat)
{
	struct sr_value *v = sr_operand(op, 2);
	struct sr_work_splat s;
	int64_t bytes;
	*splat = v->def && sr_work_elided_splat(v->def, &s);
	if (*splat && s.constant) {
		const void *element = sr_dense_data(b->ctx, s.constant, false, &bytes);
		return sr_plan_add_constant(b, sr_plan_dtype(v), element, bytes, 1);
	}
	return sr_plan_buffer_for(b, *splat ? s.value : v);
}

enum sr_status sr_lower_scatter(struct sr_plan_builder *b, struct sr_op *op)
{
	static const char *const names[] = {SR_NAME_update_window_dims, SR_NAME_inserted_window_dims, SR_NAME_input_batching_dims, SR_NAME_scatter_indices_batching_dims,
					    SR_NAME_scatter_dims_to_operand_dims};
	const struct sr_attr *s = sr_op_attr(op, SR_NAME_scatter_dimension_numbers);
	struct sr_scatter_params p = {0};
	struct lists l = {0};
	int k = (op->n_operands - 1) / 2;
	const struct sr_type *operand = sr_operand(op, 0)->type, *updates = sr_operand(op, k + 1)->type;
	read_lists(b, s, names, &l);
	fill_params(&p.g, operand, sr_operand(op, k)->type, updates, &l, vector_dim(s));
	for (int d = 0; d < operand->rank; d++)
		p.g.slice_sizes[d] = 1;
	for (int d = 0; d < updates->rank; d++)
		if (p.g.out_operand_dim[d] >= 0)
			p.g.slice_sizes[p.g.out_operand_dim[d]] = updates->shape[d];
	if (!sr_work_scatter_has_kernel(op, &p.monoid))
		return sr_lower_scatter_body(b, op, &p);
	int buffers[] = {sr_plan_buffer_for(b, sr_operand(op, 0)), sr_plan_buffer_for(b, sr_operand(op, 1)),
			 updates_of(b, op, &p.splat), sr_plan_buffer_for(b, sr_result(op, 0))};
	int64_t n_elements = sr_plan_elements(b, sr_operand(op, 0));
	if (n_elements)
		sr_plan_add_kernel(b, SR_KERNEL_SCATTER, sr_plan_dtype(sr_operand(op, 0)), n_elements, buffers, 4, &p, sizeof p);
	return SR_OK;
}
