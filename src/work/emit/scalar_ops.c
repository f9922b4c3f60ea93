/* The ops of a tile's body and of a reducer, as kernels and monoids. */
#include "dialect/signature.h"
#include "dialect/names.h"
#include "dialect/reducer.h"
#include "work/emit/emit.h"
#include <string.h>

static uint8_t compare_variant(const struct sr_op *compare)
{
	static const char *const names[] = {
		[SR_EQ] = "EQ", [SR_NE] = "NE", [SR_LT] = "LT", [SR_LE] = "LE", [SR_GT] = "GT", [SR_GE] = "GE"};
	const char *direction = sr_attr_enum_name(sr_op_attr(compare, SR_NAME_comparison_direction));
	const struct sr_attr *type = sr_op_attr(compare, SR_NAME_compare_type);
	uint8_t variant = 0;
	while (strcmp(names[variant], direction) != 0)
		variant++;
	return type && strcmp(sr_attr_enum_name(type), "TOTALORDER") == 0 ? variant | 8 : variant;
}

struct sr_map_call sr_map_of(const struct sr_op *op)
{
	struct sr_map_call m = {.kernel = (enum sr_kernel)op->info->kernel, .type = sr_operand(op, 0)->type->dtype};
	if (m.kernel == SR_KERNEL_SELECT) /* the values' type: select's predicate is operand 0 */
		m.type = sr_operand(op, 1)->type->dtype;
	if (m.kernel == SR_KERNEL_COMPARE)
		m.variant = compare_variant(op);
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
