/* Rules of the custom calls that upstream's propagation knows, by target. Other targets have no rule, with a warning. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"
#include <string.h>

/* Add factors for the batch dimensions of a matrix decomposition, all but the last two. Return the number of the row dimension. */
static int add_batch_dims(struct sr_rule_builder *b, const struct sr_type *matrix)
{
	sr_rule_pointwise_shape(b, matrix->shape, matrix->rank - 2);
	return matrix->rank - 2;
}

static bool is_matrix_call(const struct sr_op *op, int n_operands, int n_results)
{
	return op->n_operands == n_operands && op->n_results == n_results && sr_operand_type(op, 0)->kind == SR_TYPE_TENSOR &&
	       sr_operand_type(op, 0)->rank >= 2;
}

/* Rule of eigendecompositions: eigenvectors have the matrix's shape, eigenvalues its last extent. */
static bool rule_eigh(struct sr_rule_builder *b, struct sr_op *op)
{
	if (!is_matrix_call(op, 1, 2))
		return false;
	const struct sr_type *in = sr_operand_type(op, 0);
	int row = add_batch_dims(b, in);
	for (int dim = row; dim < in->rank; dim++) {
		int factor = sr_rule_factor(b, in->shape[dim], SR_FACTOR_PASS);
		sr_rule_operand(b, 0, dim, factor);
		sr_rule_result(b, 0, dim, factor);
		if (dim == row + 1)
			sr_rule_result(b, 1, row, factor);
	}
	return true;
}

/* Add factors for a matrix and a result of equal shape, which are replicated except along batch dimensions. Return the number
 * of batch dimensions. */
static int add_matrix_dims(struct sr_rule_builder *b, const struct sr_type *in)
{
	int row = add_batch_dims(b, in);
	for (int dim = row; dim < in->rank; dim++) {
		int factor = sr_rule_factor(b, in->shape[dim], SR_FACTOR_REPLICATE);
		sr_rule_operand(b, 0, dim, factor);
		sr_rule_result(b, 0, dim, factor);
	}
	return row;
}

/* Rule of a QR decomposition: reflectors have the matrix's shape; the second result has a dimension of its own. */
static bool rule_qr(struct sr_rule_builder *b, struct sr_op *op)
{
	if (!is_matrix_call(op, 1, 2))
		return false;
	const struct sr_type *in = sr_operand_type(op, 0), *taus = sr_result_type(op, 1);
	int row = add_matrix_dims(b, in);
	if (row < taus->rank)
		sr_rule_result(b, 1, row, sr_rule_factor(b, taus->shape[row], SR_FACTOR_REPLICATE));
	return true;
}

static bool rule_householder_product(struct sr_rule_builder *b, struct sr_op *op)
{
	if (!is_matrix_call(op, 2, 1))
		return false;
	const struct sr_type *in = sr_operand_type(op, 0), *taus = sr_operand_type(op, 1);
	int row = add_matrix_dims(b, in);
	if (row < taus->rank)
		sr_rule_operand(b, 1, row, sr_rule_factor(b, taus->shape[row], SR_FACTOR_REPLICATE));
	return true;
}

static bool rule_top_k(struct sr_rule_builder *b, struct sr_op *op)
{
	if (op->n_operands != 1 || op->n_results != 2)
		return false;
	sr_rule_pointwise_mismatch(b, sr_operand_type(op, 0), sr_result_type(op, 0), SR_FACTOR_REPLICATE, true);
	return true;
}

/* Rule of approximate top-k. Operands: values, indices, two initial scalars. Results: the k best values and their indices,
 * along one dimension. */
static bool rule_approx_top_k(struct sr_rule_builder *b, struct sr_op *op)
{
	if (op->n_operands != 4 || op->n_results != 2)
		return false;
	const struct sr_type *in = sr_operand_type(op, 0), *out = sr_result_type(op, 0);
	for (int dim = 0; dim < in->rank && dim < out->rank; dim++) {
		int factor = sr_rule_factor(b, in->shape[dim], SR_FACTOR_PASS);
		if (in->shape[dim] == out->shape[dim]) {
			sr_rule_all(b, dim, factor);
			continue;
		}
		sr_rule_operand(b, 0, dim, factor);
		sr_rule_operand(b, 1, dim, factor);
		int kept_factor = sr_rule_factor(b, out->shape[dim], SR_FACTOR_REPLICATE);
		sr_rule_block(b, kept_factor);
		sr_rule_all_results(b, dim, kept_factor);
	}
	return true;
}

/* Rule of X64Combine, which combines 64-bit numbers from halves: pointwise. If the result is a random generator's state, it is
 * replicated, since the halves cannot be resharded. */
static bool rule_x64_combine(struct sr_rule_builder *b, struct sr_op *op)
{
	bool state = false;
	for (int i = 0; i < op->n_results; i++)
		for (const struct sr_use *u = sr_result(op, i)->uses; u; u = u->next)
			state = state || sr_op_is(u->owner, SR_OP_stablehlo_rng_bit_generator);
	if (!state)
		return sr_rule_pointwise(b, op);
	int factor = sr_rule_factor(b, sr_result_type(op, 0)->shape[0], SR_FACTOR_REPLICATE);
	sr_rule_block(b, factor);
	sr_rule_all(b, 0, factor);
	return true;
}

static const struct {
	const char *target;
	sr_rule_fn *rule;
} targets[] = {
	{"ApproxTopK", rule_approx_top_k},
	{"Cholesky", sr_rule_pointwise},
	{"CompactWyHelper", sr_rule_pointwise},
	{"Eigh", rule_eigh},
	{"InspectSharding", sr_rule_pointwise},
	{"InvertDiagBlocksLowerTriangular", sr_rule_pointwise},
	{"InvertDiagBlocksUpperTriangular", sr_rule_pointwise},
	{"LayoutConstraint", sr_rule_pointwise},
	{"MoveToDevice", sr_rule_pointwise},
	{"MoveToHost", sr_rule_pointwise},
	{"PartialReduce", rule_approx_top_k},
	{"ProductOfElementaryHouseholderReflectors", rule_householder_product},
	{"Qr", rule_qr},
	{"QrDecompositionBlock", rule_qr},
	{"X64Combine", rule_x64_combine},
	{"X64SplitHigh", sr_rule_pointwise},
	{"X64SplitLow", sr_rule_pointwise},
	{"_SPMDInternalOp_MultiPad", sr_rule_pointwise},
	{"_SPMDInternalOp_MultiRotate", sr_rule_pointwise},
	{"_SPMDInternalOp_MultiSlice", sr_rule_pointwise},
	{"_SPMDInternalOp_RotateRight", sr_rule_pointwise},
	{"_SPMDInternalOp_Wrap", sr_rule_pointwise},
	{"annotate_device_placement", sr_rule_pointwise},
	{"mhlo.erf", sr_rule_pointwise},
	{"mhlo.topk", rule_top_k},
	{"sdy_testonly", sr_rule_none},
	{"tpu_custom_call", sr_rule_none},
	{"xla.debug.Log", sr_rule_none},
	{"xla.megascale.provide_metadata", sr_rule_pointwise},
	{"xla_ffi_python_cpu_callback", sr_rule_none},
	{"xla_ffi_python_gpu_callback", sr_rule_none},
	{"xla_python_cpu_callback", sr_rule_none},
	{"xla_python_gpu_callback", sr_rule_none},
};

/* Warn about an unknown target, once per process. */
static void warn_unknown(struct sr_context *ctx, const struct sr_op *op, const char *target)
{
	static const char warning[] = "is unknown to SDY sharding rule registry";
	for (const struct sr_diag *d = ctx->diags.first; d; d = d->next)
		if (strstr(d->message, warning))
			return;
	sr_report(&ctx->diags, SR_WARNING, sr_loc_source(op->loc), "custom call @%s %s", target, warning);
}

bool sr_rule_custom_call(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_attr *name = sr_op_attr(op, SR_NAME_call_target_name);
	if (!name || !name->s)
		return false;
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (strcmp(targets[i].target, name->s) == 0)
			return targets[i].rule(b, op);
	warn_unknown(b->ctx, op, name->s);
	return false;
}
