/* Tests whether ops may be removed; purity is defined in src/ir. */
#include "optimize/side_effects.h"

bool sr_op_is_removable(const struct sr_op *op)
{
	return !(op->info->traits & (SR_TERMINATOR | SR_SYMBOL)) && sr_op_is_pure(op);
}

bool sr_op_is_trivially_dead(const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		if (op->results[i].uses)
			return false;
	return sr_op_is_removable(op);
}
