/* Let a loop update a large array in place: a nest that computes the array's next value from the elements at the same position, and
 * from a few others, such as a row and a column of a matrix that is eliminated, cannot overwrite the array, since it reads those
 * others later. They are copied before the nest.
 *
 *	for i, j:  y[i, j] = f(x[i, j], x[i, k])        =>      for i:  column[i] = x[i, k]
 *	                                                        for i, j:  y[i, j] = f(x[i, j], column[i])
 *
 * Without the copy, each iteration of the loop would write the whole array elsewhere, and perhaps copy it back. */
#include "dialect/attr_names.h"
#include "support/checked.h"
#include "work/fuse/fuse.h"

enum { SMALL_PART = 8 }; /* the copied elements are at most this part of the array */

/* Return true if a copy may replace operand i: a few elements at indices that begin at scalar operands. `varies`: the loops on
 * which the indices depend. Elements at constant indices, such as the border of a grid, are left to the passes for stencils. */
static bool may_copy(const struct sr_work_nest *nest, int i, bool *varies)
{
	const struct sr_indexing_map *a = &nest->accesses[i];
	int64_t elements, n = 1;
	if (!a->index || a->divisor || a->fill >= 0 || !sr_type_elements(nest->operands[i]->type, &elements))
		return false;
	for (int d = 0; d < a->rank; d++)
		if (a->index[d] >= 0 && (a->index[d] >= nest->n_operands || nest->operands[a->index[d]]->type->rank))
			return false;
	for (int l = 0; l < nest->n_loops; l++) {
		varies[l] = false;
		for (int d = 0; d < a->rank; d++)
			varies[l] = varies[l] || sr_indexing_map_row(a, d)[l];
		if (varies[l] && sr_mul_overflows(n, nest->loops[l], &n))
			return false;
	}
	return n <= elements / SMALL_PART;
}

/* Return true if the nest reads v and computes a value of its type at the same positions, and copies may replace all other
 * reads. */
static bool updates(const struct sr_work_nest *nest, const struct sr_value *v, bool *varies)
{
	bool is_updated = false;
	for (int i = 0; i < nest->n_operands; i++) {
		bool is_update = false;
		for (int r = 0; r < nest->n_results; r++)
			is_update = is_update || (nest->result_types[r] == v->type &&
						  sr_indexing_map_equal(&nest->accesses[i], &nest->result_indexing_maps[r]));
		if (nest->operands[i] == v && !is_update && !may_copy(nest, i, varies))
			return false;
		is_updated = is_updated || (nest->operands[i] == v && is_update);
	}
	return is_updated;
}

/* Build the nest that copies the elements that operand i reads, and return its result, which has a dimension for each loop on which
 * their indices depend. */
static struct sr_value *build_copy(struct sr_context *ctx, struct sr_op *op, const struct sr_work_nest *nest, int i,
				   const bool *varies)
{
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc}, body;
	const struct sr_indexing_map *a = &nest->accesses[i];
	int64_t loops[SR_MAX_RANK];
	int n = 0;
	for (int l = 0; l < nest->n_loops; l++)
		if (varies[l])
			loops[n++] = nest->loops[l];
	int64_t *to = SR_NEW_ARRAY(ctx->scratch, int64_t, (size_t)(nest->n_loops + 1) * (size_t)(n + 1));
	for (int l = 0, k = 0; l < nest->n_loops; l++)
		if (varies[l])
			to[l * (n + 1) + k++] = 1;
	const struct sr_type *v = nest->operands[i]->type, *type = sr_type_tensor_of(ctx, v->element, n, loops, NULL);
	struct sr_indexing_map result = sr_indexing_map_identity(ctx, n);
	struct sr_work_nest copy = {.loops = loops, .n_loops = n, .parallel = n, .result_indexing_maps = &result,
				    .result_types = &type, .n_results = 1};
	copy.operands = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, a->rank + 1);
	copy.accesses = SR_NEW_ARRAY(ctx->scratch, struct sr_indexing_map, a->rank + 1);
	struct sr_indexing_map of_copy;
	if (!sr_indexing_map_substitute_loops(ctx, a, to, n, 0, &of_copy))
		return NULL;
	for (int d = 0; d < a->rank; d++)
		if (a->index[d] >= 0) {
			of_copy.index[d] = copy.n_operands;
			copy.accesses[copy.n_operands] = sr_indexing_map_new(ctx, 0, n);
			copy.operands[copy.n_operands++] = nest->operands[a->index[d]];
		}
	copy.accesses[copy.n_operands] = of_copy;
	copy.operands[copy.n_operands] = nest->operands[i];
	copy.n_operands++;
	struct sr_op *new = sr_work_build(&b, &copy, &body);
	sr_work_yield(&body, &body.block->args[copy.n_operands - 1], 1);
	return sr_result(new, 0);
}

/* Let operand i be the copied elements v. */
static void read_copy(struct sr_context *ctx, struct sr_op *op, const struct sr_work_nest *nest, int i, const bool *varies,
		      struct sr_value *v)
{
	const struct sr_attr *maps = sr_op_attr(op, SR_NAME_indexing_maps);
	const struct sr_attr **list = sr_dup(ctx->scratch, maps->list, (size_t)maps->n, sizeof *list);
	struct sr_indexing_map a = sr_indexing_map_new(ctx, v->type->rank, nest->n_loops);
	for (int l = 0, d = 0; l < nest->n_loops; l++)
		if (varies[l])
			sr_indexing_map_row(&a, d++)[l] = 1;
	list[i] = sr_indexing_map_attr(ctx, &a);
	sr_op_set_attr(ctx, op, SR_NAME_indexing_maps, sr_attr_array(ctx, list, maps->n));
	sr_op_set_operand(op, i, v);
}

struct sr_op *sr_fuse_copy_before_update(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_work_nest nest = sr_work_read(ctx, op);
	bool *varies = SR_NEW_ARRAY(ctx->scratch, bool, nest.n_loops + 1);
	for (int i = 0; i < nest.n_operands; i++) {
		struct sr_value *v = nest.operands[i];
		bool is_carried = !v->def && sr_op_is(sr_value_owner(v), SR_OP_stablehlo_while);
		if (!is_carried || !updates(&nest, v, varies) || !may_copy(&nest, i, varies))
			continue;
		struct sr_value *copy = build_copy(ctx, op, &nest, i, varies);
		if (copy) {
			read_copy(ctx, op, &nest, i, varies, copy);
			return op;
		}
	}
	return NULL;
}
