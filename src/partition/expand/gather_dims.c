/* Read the dimension numbers of gather and scatter, and split and join their index vectors by component. */
#include "partition/expand/gather_dims.h"
#include "dialect/attr_names.h"

enum { OFFSET, SINGLE, BATCH, INDEX_BATCH, MAP, N_FIELDS };
static const char *const names[2][N_FIELDS] = {{SR_NAME_offset_dims, SR_NAME_collapsed_slice_dims, SR_NAME_operand_batching_dims,
						SR_NAME_start_indices_batching_dims, SR_NAME_start_index_map},
					       {SR_NAME_update_window_dims, SR_NAME_inserted_window_dims,
						SR_NAME_input_batching_dims, SR_NAME_scatter_indices_batching_dims,
						SR_NAME_scatter_dims_to_operand_dims}};

bool sr_gather_dims_read(struct sr_context *ctx, const struct sr_op *op, struct sr_gather_dims *n)
{
	bool scatter = sr_op_is(op, SR_OP_stablehlo_scatter);
	const struct sr_attr *dn = sr_op_attr(op, scatter ? SR_NAME_scatter_dimension_numbers : SR_NAME_dimension_numbers);
	struct sr_dim_list *lists[N_FIELDS] = {&n->offset_dims, &n->collapsed_dims, &n->batch_dims, &n->index_batch_dims, &n->map};
	const struct sr_attr *vector = dn ? sr_attr_field(dn, SR_NAME_index_vector_dim) : NULL;
	if (!dn || op->n_operands != (scatter ? 3 : 2) || op->n_results != 1)
		return false;
	for (int i = 0; i < N_FIELDS; i++)
		if (!sr_struct_ints(ctx, dn, names[scatter][i], &lists[i]->dims, &lists[i]->n))
			*lists[i] = (struct sr_dim_list){NULL, 0};
	n->index_vector_dim = vector ? (int)vector->i : 0;
	n->operand = sr_operand(op, 0)->type;
	n->indices = sr_operand(op, 1)->type;
	n->slices = scatter ? sr_operand(op, 2)->type : sr_result(op, 0)->type;
	return n->operand->rank <= SR_MAX_RANK && n->slices->rank <= SR_MAX_RANK && n->indices->rank <= SR_MAX_RANK;
}

bool sr_gather_dims_is_indexed(const struct sr_gather_dims *n, const struct sr_op_view *v, int factor)
{
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, 0);
	for (int64_t i = 0; i < n->map.n; i++)
		for (int k = 0; k < map->dims[n->map.dims[i]].n; k++)
			if (map->dims[n->map.dims[i]].factors[k] == factor)
				return true;
	return false;
}

int sr_dim_list_find(struct sr_dim_list list, int64_t dim)
{
	for (int64_t i = 0; i < list.n; i++)
		if (list.dims[i] == dim)
			return (int)i;
	return -1;
}

int sr_gather_dims_offset_dim(const struct sr_gather_dims *n, int d)
{
	int position = 0;
	if (sr_dim_list_find(n->collapsed_dims, d) >= 0 || sr_dim_list_find(n->batch_dims, d) >= 0)
		return -1;
	for (int i = 0; i < d; i++)
		position += sr_dim_list_find(n->collapsed_dims, i) < 0 && sr_dim_list_find(n->batch_dims, i) < 0;
	return position < n->offset_dims.n ? (int)n->offset_dims.dims[position] : -1;
}

int sr_gather_dims_batch_dim(const struct sr_gather_dims *n, int d)
{
	int position = sr_dim_list_find(n->batch_dims, d);
	return position < 0 ? -1 : (int)n->index_batch_dims.dims[position];
}

int sr_gather_dims_index_dim(const struct sr_gather_dims *n, int d)
{
	int position = 0;
	if (sr_dim_list_find(n->offset_dims, d) >= 0)
		return -1;
	for (int i = 0; i < d; i++)
		position += sr_dim_list_find(n->offset_dims, i) < 0;
	return position + (position >= n->index_vector_dim);
}

struct sr_value *sr_gather_dims_component(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *indices,
					  int component)
{
	int64_t shape[SR_MAX_RANK];
	int rank = 0;
	for (int d = 0; d < indices->type->rank; d++)
		if (d != n->index_vector_dim)
			shape[rank++] = indices->type->shape[d];
	if (n->index_vector_dim < indices->type->rank)
		indices = sr_build_slice_dim(&p->builder, indices, n->index_vector_dim, component, 1, 1);
	return sr_build_reshape(&p->builder, indices, rank, shape);
}

struct sr_value *sr_gather_dims_join(struct sr_expansion *p, const struct sr_gather_dims *n, struct sr_value *const *components)
{
	struct sr_value **list = SR_NEW_ARRAY(p->ctx->arena, struct sr_value *, n->map.n);
	int64_t shape[SR_MAX_RANK + 1];
	int rank = 0;
	if (n->index_vector_dim >= n->indices->rank)
		return components[0];
	for (int d = 0; d <= components[0]->type->rank; d++)
		shape[rank++] = d == n->index_vector_dim ? 1 : components[0]->type->shape[d > n->index_vector_dim ? d - 1 : d];
	for (int64_t i = 0; i < n->map.n; i++)
		list[i] = sr_build_reshape(&p->builder, components[i], rank, shape);
	return sr_build_concatenate(&p->builder, list, (int)n->map.n, n->index_vector_dim);
}
