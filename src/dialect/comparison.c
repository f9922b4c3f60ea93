/* Read and create comparisons, and hold their names and properties. */
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include <string.h>

static const struct {
	const char *name;
	enum sr_compare swapped_compare;
} comparisons[] = {
	[SR_EQ] = {"EQ", SR_EQ}, [SR_NE] = {"NE", SR_NE}, [SR_LT] = {"LT", SR_GT},
	[SR_LE] = {"LE", SR_GE}, [SR_GT] = {"GT", SR_LT}, [SR_GE] = {"GE", SR_LE},
};

enum sr_compare sr_comparison_of(const struct sr_op *compare)
{
	const char *name = sr_attr_enum_name(sr_op_attr(compare, SR_NAME_comparison_direction));
	int comparison = 0;
	while (strcmp(comparisons[comparison].name, name) != 0)
		comparison++;
	return (enum sr_compare)comparison;
}

bool sr_comparison_type_is(const struct sr_op *compare, const char *type)
{
	const struct sr_attr *a = sr_op_attr(compare, SR_NAME_compare_type);
	return a && strcmp(sr_attr_enum_name(a), type) == 0;
}

enum sr_compare sr_comparison_swapped(enum sr_compare comparison)
{
	return comparisons[comparison].swapped_compare;
}

bool sr_comparison_holds_for_equal(enum sr_compare comparison)
{
	return sr_compare_result(comparison, false, true, false);
}

struct sr_named_attr sr_comparison_attr(struct sr_context *ctx, enum sr_compare comparison)
{
	return (struct sr_named_attr){SR_NAME_comparison_direction,
				 sr_attr_enum(ctx, "stablehlo", SR_NAME_comparison_direction, comparisons[comparison].name)};
}

struct sr_named_attr sr_comparison_type_attr(struct sr_context *ctx, const char *type)
{
	return (struct sr_named_attr){SR_NAME_compare_type, type ? sr_attr_enum(ctx, "stablehlo", "comparison_type", type) : NULL};
}

struct sr_value *sr_build_compare(struct sr_builder *b, struct sr_value *x, enum sr_compare comparison, struct sr_value *y,
				  const char *type)
{
	struct sr_value *operands[] = {x, y};
	struct sr_named_attr attrs[] = {sr_comparison_attr(b->ctx, comparison), sr_comparison_type_attr(b->ctx, type)};
	return sr_build_infer(b, SR_OP_stablehlo_compare, operands, 2, attrs, 2);
}
