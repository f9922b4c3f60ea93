/* What a route costs on the wire, and whether padding lets it be made. */
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

static double local_bytes(const struct sr_reshard_plan *route, const struct sr_axes *dims, int64_t element_bytes)
{
	double bytes = (double)element_bytes;
	for (int d = 0; d < route->rank; d++)
		bytes *= (double)sr_ceil_div(route->shape[d], sr_axes_size(dims[d]));
	return bytes;
}

/* An all_gather along dimensions of extent 1 alone: padding makes a broadcast of it. */
static bool broadcasts(const struct sr_reshard_plan *route, const struct sr_reshard_step *step)
{
	for (int d = 0; d < route->rank; d++)
		if (step->code != SR_OP_sdy_all_gather || (step->axes[d].n && (route->shape[d] != 1 || step->dims[d].n)))
			return false;
	return true;
}

double sr_reshard_plan_bytes(const struct sr_reshard_plan *route, int64_t element_bytes)
{
	double bytes = 0;
	for (size_t i = 0; i < route->steps.n; i++) {
		const struct sr_reshard_step *step = &route->steps.data[i];
		double n = 1;
		for (int d = 0; step->axes && d < (step->code == SR_OP_sdy_all_gather ? route->rank : 1); d++)
			n *= (double)sr_axes_size(step->axes[d]);
		double r = local_bytes(route, step->dims, element_bytes);
		bytes += broadcasts(route, step) ? sr_cost_wire(SR_BROADCAST, r, n) : sr_reshard_step_bytes(step->code, r, n);
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

bool sr_reshard_plan_is_valid(const struct sr_reshard_plan *route)
{
	for (int d = 0; d < route->rank; d++) {
		int64_t shards = sr_axes_size(route->in->dims[d].axes);
		for (size_t i = 0; i < route->steps.n; i++) {
			int64_t after = sr_axes_size(route->steps.data[i].dims[d]);
			if (!sr_shard_counts_are_compatible(route->shape[d], shards, after))
				return false;
			shards = after;
		}
	}
	return true;
}
