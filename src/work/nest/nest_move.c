/* Lower data movement ops to loop nests: the body yields its argument, and the indexing map selects the element of the
 * operand. */
#include "work/nest/nest_from_op.h"
#include "dialect/attr_names.h"

/* Finish a nest that yields its last operand. */
static bool finish_move(struct sr_nest_builder *p)
{
	sr_nest_builder_create_op(p);
	struct sr_value *v = sr_nest_builder_arg(p, p->nest.n_operands - 1);
	return sr_nest_builder_yield(p, &v, 1);
}

static const int64_t *int_list(struct sr_lowering *l, const char *name)
{
	const int64_t *v;
	int64_t n;
	sr_op_ints(l->ctx, l->op, name, &v, &n);
	return v;
}

bool sr_nest_from_broadcast(struct sr_lowering *l)
{
	const int64_t *dims = int_list(l, SR_NAME_broadcast_dimensions);
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 1);
	struct sr_value *v = sr_operand(l->op, 0);
	struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, v);
	for (int d = 0; d < v->type->rank; d++)
		sr_indexing_map_row(a, d)[dims[d]] = v->type->shape[d] != 1;
	return finish_move(&p);
}

bool sr_nest_from_transpose(struct sr_lowering *l)
{
	if (sr_nest_from_transposed_product(l))
		return true;
	const int64_t *permutation = int_list(l, SR_NAME_permutation);
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 1);
	struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, sr_operand(l->op, 0));
	for (int d = 0; d < a->rank; d++)
		sr_indexing_map_row(a, (int)permutation[d])[d] = 1;
	return finish_move(&p);
}

bool sr_nest_from_reverse(struct sr_lowering *l)
{
	const int64_t *dims;
	int64_t n;
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 1);
	struct sr_value *v = sr_operand(l->op, 0);
	struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, v);
	sr_op_ints(l->ctx, l->op, SR_NAME_dimensions, &dims, &n);
	for (int d = 0; d < a->rank; d++)
		sr_indexing_map_row(a, d)[d] = 1;
	for (int64_t i = 0; i < n; i++) {
		int64_t *row = sr_indexing_map_row(a, (int)dims[i]);
		row[dims[i]] = -1;
		row[a->n_loops] = v->type->shape[dims[i]] - 1;
	}
	return finish_move(&p);
}

bool sr_nest_from_slice(struct sr_lowering *l)
{
	const int64_t *starts = int_list(l, SR_NAME_start_indices), *strides = int_list(l, SR_NAME_strides);
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 1);
	struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, sr_operand(l->op, 0));
	for (int d = 0; d < a->rank; d++) {
		sr_indexing_map_row(a, d)[d] = strides[d];
		sr_indexing_map_row(a, d)[a->n_loops] = starts[d];
	}
	return finish_move(&p);
}

/* Lower pad: element i of the result is element (i - low) / (interior + 1) of the operand, or the padding value. */
bool sr_nest_from_pad(struct sr_lowering *l)
{
	const int64_t *low = int_list(l, SR_NAME_edge_padding_low), *interior = int_list(l, SR_NAME_interior_padding);
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 2);
	sr_nest_builder_add_operand(&p, sr_operand(l->op, 1));
	struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, sr_operand(l->op, 0));
	bool dilated = false;
	a->fill = 0;
	for (int d = 0; d < a->rank; d++) {
		sr_indexing_map_row(a, d)[d] = 1;
		sr_indexing_map_row(a, d)[a->n_loops] = -low[d];
		dilated = dilated || interior[d];
	}
	if (dilated)
		a->divisor = SR_NEW_ARRAY(l->ctx->scratch, int64_t, a->rank);
	for (int d = 0; dilated && d < a->rank; d++)
		a->divisor[d] = interior[d] + 1;
	return finish_move(&p);
}

bool sr_nest_from_iota(struct sr_lowering *l)
{
	struct sr_context *ctx = l->ctx;
	const struct sr_type *t = sr_result(l->op, 0)->type;
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 0);
	struct sr_indexing_map a = sr_indexing_map_new(ctx, 1, p.nest.n_loops);
	a.map[sr_op_int(l->op, SR_NAME_iota_dimension, 0)] = 1;
	sr_nest_builder_create_op(&p);
	struct sr_named_attr access = {SR_NAME_indexing_map, sr_indexing_map_attr(ctx, &a)};
	struct sr_value *v = sr_build_infer(&p.body, SR_OP_work_index, NULL, 0, &access, 1);
	const struct sr_type *scalar = sr_element_scalar(ctx, t);
	if (scalar != v->type)
		v = sr_result(sr_build(&p.body, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &scalar, 1), 0);
	return sr_nest_builder_yield(&p, &v, 1);
}

bool sr_nest_from_dynamic_slice(struct sr_lowering *l)
{
	struct sr_value *src = sr_operand(l->op, 0);
	const struct sr_type *out = sr_result(l->op, 0)->type;
	int rank = out->rank, n_indices = 0;
	struct sr_nest_builder p = sr_nest_builder_over_result(l, rank + 1);
	for (int d = 0; d < rank; d++) /* the index of a dimension that is not shortened is clamped to 0 */
		if (src->type->shape[d] > out->shape[d])
			sr_nest_builder_add_operand(&p, sr_operand(l->op, 1 + d));
	struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, src);
	a->index = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank + 1);
	a->limit = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank + 1);
	for (int d = 0; d < rank; d++) {
		sr_indexing_map_row(a, d)[d] = 1;
		a->limit[d] = src->type->shape[d] - out->shape[d];
		a->index[d] = a->limit[d] ? n_indices++ : -1;
	}
	return finish_move(&p);
}
