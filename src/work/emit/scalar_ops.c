/* Look up the kernels of the ops in a nest's body, and the monoids of reducers. */
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "work/emit/emit.h"

struct sr_map_call sr_map_of(const struct sr_op *op)
{
	struct sr_map_call m = {.kernel = (enum sr_kernel)op->info->kernel, .type = sr_operand(op, 0)->type->dtype};
	if (m.kernel == SR_KERNEL_SELECT) /* select has the type of the selected values; operand 0 is the predicate */
		m.type = sr_operand(op, 1)->type->dtype;
	if (m.kernel == SR_KERNEL_COMPARE)
		m.variant = (uint8_t)(sr_comparison_of(op) | (sr_comparison_type_is(op, "TOTALORDER") ? SR_COMPARE_TOTAL : 0));
	if (sr_op_is(op, SR_OP_stablehlo_bitcast_convert))
		m.kernel = SR_KERNEL_BITCAST;
	m.exponent_bits = (uint8_t)sr_op_int(op, SR_NAME_exponent_bits, 0);
	m.mantissa_bits = (uint8_t)sr_op_int(op, SR_NAME_mantissa_bits, 0);
	return m;
}

int sr_monoid_of(const struct sr_op *op, int region, int k)
{
	const struct sr_reducer *r = sr_reducer_of_pair(&op->regions[region], k);
	return r ? (int)r->monoid : -1;
}
