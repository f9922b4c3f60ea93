/* Price of a reshard plan in bytes on the wire, and whether padding allows it. */
#include "cost/cost.h"
#include "partition/reshard/reshard_plan.h"
#include "support/checked.h"

double sr_reshard_step_bytes(enum sr_op_code code, double r, double n)
{
	switch (code) {
	case SR_OP_sdy_collective_permute:
		return sr_cost_wire(SR_PERMUTE, r, n);
	case SR_OP_sdy_all_to_all:
		return sr_cost_wire(SR_ALL_TO_ALL, r, n);
	case SR_OP_sdy_all_gather:
		return sr_cost_wire(SR_ALL_GATHER, r, n);
	case SR_OP_sdy_all_reduce:
		return sr_cost_wire(SR_ALL_REDUCE, r, n);
	default:
		return 0;
	}
}

static double local_bytes(const struct sr_reshard_plan *plan, const struct sr_axes *dims, int64_t element_bytes)
{
	double bytes = (double)element_bytes;
	for (int d = 0; d < plan->rank; d++)
		bytes *= (double)sr_ceil_div(plan->shape[d], sr_axes_size(dims[d]));
	return bytes;
}

/* Return true for an all_gather along dimensions of extent 1 only: shardrun-pad makes it a broadcast. */
static bool broadcasts(const struct sr_reshard_plan *plan, const struct sr_reshard_step *step)
{
	for (int d = 0; d < plan->rank; d++)
		if (step->code != SR_OP_sdy_all_gather || (step->axes[d].n && (plan->shape[d] != 1 || step->dims[d].n)))
			return false;
	return true;
}

double sr_reshard_plan_bytes(const struct sr_reshard_plan *plan, int64_t element_bytes)
{
	double bytes = 0;
	for (size_t i = 0; i < plan->steps.n; i++) {
		const struct sr_reshard_step *step = &plan->steps.data[i];
		double n = 1;
		for (int d = 0; step->axes && d < (step->code == SR_OP_sdy_all_gather ? plan->rank : 1); d++)
			n *= (double)sr_axes_size(step->axes[d]);
		double r = local_bytes(plan, step->dims, element_bytes);
		bytes += broadcasts(plan, step) ? sr_cost_wire(SR_BROADCAST, r, n) : sr_reshard_step_bytes(step->code, r, n);
	}
	return bytes;
}

bool sr_shard_counts_are_compatible(int64_t extent, int64_t before, int64_t after)
{
	int64_t padded_before, padded_after;
	if (before == after || before == 1 || after == 1 || (extent % before == 0 && extent % after == 0))
		return true;
	return !sr_mul_overflows(sr_ceil_div(extent, before), before, &padded_before) &&
	       !sr_mul_overflows(sr_ceil_div(extent, after), after, &padded_after) && padded_before == padded_after;
}

bool sr_reshard_plan_is_valid(const struct sr_reshard_plan *plan)
{
	for (int d = 0; d < plan->rank; d++) {
		int64_t shards = sr_axes_size(plan->in->dims[d].axes);
		for (size_t i = 0; i < plan->steps.n; i++) {
			int64_t after = sr_axes_size(plan->steps.data[i].dims[d]);
			if (!sr_shard_counts_are_compatible(plan->shape[d], shards, after))
				return false;
			shards = after;
		}
	}
	return true;
}
