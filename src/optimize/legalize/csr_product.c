/* Rewrite custom calls @cpu_csr_sparse_dense_ffi(%data, %row_starts, %columns, %x), which JAX writes for the product of a sparse
 * matrix in compressed rows (BCSR) and a vector or matrix x. Entry e of the matrix is data[e] in column columns[e]; row r has the
 * entries from row_starts[r] to row_starts[r + 1] - 1, so the number of an entry's row is the number of rows that end at or
 * before it:
 *
 *	ends[e]   = number of r > 0 with row_starts[r] = e
 *	row[e]    = ends[0] + ... + ends[e]
 *	result[i] = sum of data[e] * x[columns[e]] over the entries with row[e] = i
 *
 * Entries behind the last row, which pad the matrix, have no row and are dropped. */
#include "dialect/infer/infer.h"
#include "dialect/op_builders.h"
#include "optimize/legalize/custom_call_ops.h"

static bool is_vector(const struct sr_value *v)
{
	return sr_is_ranked(v->type) && sr_type_is_static(v->type) && v->type->rank == 1;
}

/* Return true if the operands and the result have the ranks and extents of a product. */
static bool is_product(const struct sr_op *call)
{
	if (call->n_operands != 4 || call->n_results != 1)
		return false;
	const struct sr_value *data = sr_operand(call, 0), *row_starts = sr_operand(call, 1), *columns = sr_operand(call, 2);
	const struct sr_type *x = sr_operand(call, 3)->type, *out = sr_result(call, 0)->type;
	return is_vector(data) && is_vector(row_starts) && is_vector(columns) && sr_is_ranked(x) && sr_type_is_static(x) &&
	       sr_is_ranked(out) && sr_type_is_static(out) && (x->rank == 1 || x->rank == 2) && out->rank == x->rank &&
	       (x->rank == 1 || x->shape[1] == out->shape[1]) && row_starts->type->shape[0] == out->shape[0] + 1 &&
	       data->type->shape[0] == columns->type->shape[0] && sr_dtype_is_integer(row_starts->type->dtype) &&
	       sr_dtype_is_integer(columns->type->dtype) && data->type->element == out->element && x->element == out->element;
}

bool sr_replace_csr_product(struct sr_builder *b, struct sr_op *call)
{
	if (!is_product(call))
		return false;
	struct sr_value *data = sr_operand(call, 0), *row_starts = sr_operand(call, 1), *columns = sr_operand(call, 2);
	const struct sr_type *out = sr_result(call, 0)->type, *index = row_starts->type->element;
	int64_t n_rows = out->shape[0], n_entries = data->type->shape[0];
	if (!n_entries) {
		sr_value_replace_all(sr_result(call, 0), sr_build_splat(b, out, 0));
		return true;
	}
	struct sr_value *row_ends = sr_build_slice_dim(b, row_starts, 0, 1, n_rows, 1);
	struct sr_value *zeros = sr_build_splat(b, sr_type_tensor_of(b->ctx, index, 1, &n_entries, NULL), 0);
	struct sr_value *ends = sr_build_add_rows_at(b, zeros, row_ends, sr_build_splat(b, row_ends->type, 1));
	struct sr_value *factors = sr_build_rows_at(b, sr_operand(call, 3), columns);
	struct sr_value *terms = sr_build_binary(b, SR_OP_stablehlo_multiply, factors,
						 sr_build_broadcast(b, data, factors->type, &(int64_t){0}));
	struct sr_value *result = sr_build_add_rows_at(b, sr_build_splat(b, out, 0), sr_build_prefix_sums(b, ends), terms);
	sr_value_replace_all(sr_result(call, 0), result);
	return true;
}
