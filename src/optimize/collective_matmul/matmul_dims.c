/* Correspondence of the dimensions of a product's operands and result. */
#include "dialect/attr_names.h"
#include "optimize/collective_matmul/collective_matmul.h"
#include "support/integers.h"

/* Read the lists of a product's batch and contracted dimensions of both operands. Returns false if an attribute is missing. */
static bool read_dims(struct sr_context *ctx, const struct sr_op *product, const int64_t *batch[2], int64_t n_batch[2],
		      const int64_t *contracting[2], int64_t n_summed[2])
{
	static const char *const fields[2][2] = {{SR_NAME_lhs_batching_dimensions, SR_NAME_lhs_contracting_dimensions},
						 {SR_NAME_rhs_batching_dimensions, SR_NAME_rhs_contracting_dimensions}};
	const struct sr_attr *numbers = sr_op_attr(product, SR_NAME_dot_dimension_numbers);
	for (int s = 0; s < 2; s++)
		if (!sr_struct_ints(ctx, numbers, fields[s][0], &batch[s], &n_batch[s]) ||
		    !sr_struct_ints(ctx, numbers, fields[s][1], &contracting[s], &n_summed[s]))
			return false;
	return true;
}

bool sr_matmul_contracted_dims(struct sr_context *ctx, const struct sr_op *product, int dims[2])
{
	const int64_t *batch[2], *contracting[2];
	int64_t n_batch[2], n_summed[2], longest = -1;
	if (!read_dims(ctx, product, batch, n_batch, contracting, n_summed))
		return false;
	for (int64_t i = 0; i < n_summed[0]; i++) {
		int64_t extent = sr_operand_type(product, 0)->shape[contracting[0][i]];
		if (extent <= longest)
			continue;
		longest = extent;
		for (int s = 0; s < 2; s++)
			dims[s] = (int)contracting[s][i];
	}
	return n_summed[0] > 0;
}

bool sr_matmul_result_dim(struct sr_context *ctx, const struct sr_op *product, int side, int d, int *out, int *other_dim)
{
	const int64_t *batch[2], *contracting[2];
	int64_t n_batch[2], n_summed[2];
	if (!read_dims(ctx, product, batch, n_batch, contracting, n_summed))
		return false;
	*other_dim = -1;
	*out = sr_list_find(batch[side], n_batch[side], d);
	if (*out >= 0)
		*other_dim = (int)batch[!side][*out];
	if (*out >= 0 || sr_list_find(contracting[side], n_summed[side], d) >= 0)
		return *out >= 0;
	*out = side ? sr_operand_type(product, 0)->rank - (int)n_summed[0] : (int)n_batch[0];
	for (int earlier_dim = 0; earlier_dim < d; earlier_dim++)
		*out += sr_list_find(batch[side], n_batch[side], earlier_dim) < 0 &&
			sr_list_find(contracting[side], n_summed[side], earlier_dim) < 0;
	return true;
}
