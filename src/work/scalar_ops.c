/* The ops of a tile's body and of a reducer, as kernels and monoids. */
#include "dialect/signature.h"
#include "work/emit.h"
#include <string.h>

static uint8_t compare_variant(const struct sr_op *compare)
{
	static const char *const names[] = {
		[SR_EQ] = "EQ", [SR_NE] = "NE", [SR_LT] = "LT", [SR_LE] = "LE", [SR_GT] = "GT", [SR_GE] = "GE"};
	const char *direction = sr_attr_enum_name(sr_op_attr(compare, "comparison_direction"));
	const struct sr_attr *type = sr_op_attr(compare, "compare_type");
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
	m.exponent_bits = (uint8_t)sr_op_int(op, "exponent_bits", 0);
	m.mantissa_bits = (uint8_t)sr_op_int(op, "mantissa_bits", 0);
	return m;
}

/* The monoids by the op that the body consists of. */
static const struct {
	enum sr_op_code code;
	enum sr_monoid monoid;
} monoids[] = {
	{SR_OP_stablehlo_add, SR_MONOID_ADD},	      {SR_OP_stablehlo_multiply, SR_MONOID_MUL}, {SR_OP_stablehlo_minimum, SR_MONOID_MIN},
	{SR_OP_stablehlo_maximum, SR_MONOID_MAX},     {SR_OP_stablehlo_and, SR_MONOID_AND},	 {SR_OP_stablehlo_or, SR_MONOID_OR},
	{SR_OP_stablehlo_xor, SR_MONOID_XOR},
};

int sr_monoid_of(const struct sr_op *op, int region, int k)
{
	struct sr_block *block = op->regions[region].first;
	struct sr_op *end = block ? sr_block_terminator(block) : NULL;
	struct sr_op *body = end && k < end->n_operands ? sr_operand(end, k)->def : NULL;
	int n = block ? block->n_args / 2 : 0;
	if (!body || body->block != block || body->n_operands != 2)
		return -1;
	struct sr_value *x = sr_operand(body, 0), *y = sr_operand(body, 1);
	bool forward = x == block->args[k] && y == block->args[k + n], backward = y == block->args[k] && x == block->args[k + n];
	if (!forward && !backward)
		return -1;
	for (size_t i = 0; i < sizeof monoids / sizeof *monoids; i++)
		if (sr_op_is(body, monoids[i].code))
			return (int)monoids[i].monoid;
	return -1;
}
