/* Cost of a reshard plan in bytes on the wire, and validity of its steps with padding. */
#include "cost/cost.h"
#include "partition/reshard/reshard_plan.h"
#include "support/checked.h"

/* Return the collective that a step becomes; SR_COLL_COUNT for a slice, which sends nothing. */
static enum sr_coll coll_of_step(enum sr_op_code code)
{
	switch (code) {
	case SR_OP_sdy_collective_permute:
		return SR_PERMUTE;
	case SR_OP_sdy_all_to_all:
		return SR_ALL_TO_ALL;
	case SR_OP_sdy_all_gather:
		return SR_ALL_GATHER;
	case SR_OP_sdy_all_reduce:
		return SR_ALL_REDUCE;
	default:
		return SR_COLL_COUNT;
	}
}

double sr_reshard_step_bytes(enum sr_op_code code, double r, double n)
{
	enum sr_coll coll = coll_of_step(code);
	return coll == SR_COLL_COUNT ? 0 : sr_cost_wire(coll, r, n);
}

static double local_bytes(const struct sr_reshard_plan *plan, const struct sr_axes *dims, int64_t element_bytes)
{
	double bytes = (double)element_bytes;
	for (int d = 0; d < plan->rank; d++)
		bytes *= (double)sr_ceil_div(plan->shape[d], sr_axes_size(dims[d]));
	return bytes;
}

/* Return true for an all_gather that only gathers dimensions of extent 1, which shardrun-pad makes a broadcast. */
static bool is_gather_as_broadcast(const struct sr_reshard_plan *plan, const struct sr_reshard_step *step)
{
	for (int d = 0; d < plan->rank; d++)
		if (step->code != SR_OP_sdy_all_gather || (step->axes[d].n && (plan->shape[d] != 1 || step->dims[d].n)))
			return false;
	return true;
}

/* Return the axes of the dimensions whose axes a permute changes. `axes_before`: axes per dimension before the step; length: rank.
 */
static struct sr_axes permuted_axes(const struct sr_reshard_plan *plan, const struct sr_axes *axes_before,
				    const struct sr_axes *axes_after)
{
	struct sr_axes axes = {0};
	for (int d = 0; d < plan->rank; d++)
		if (!sr_axes_equal(axes_before[d], axes_after[d]))
			axes = sr_axes_concat(plan->arena, axes, axes_after[d]);
	return axes;
}

/* Return all axes along which step i communicates. */
static struct sr_axes axes_of_step(const struct sr_reshard_plan *plan, size_t i)
{
	const struct sr_reshard_step *step = &plan->steps.data[i];
	struct sr_axes axes = {0}, *axes_before = SR_NEW_ARRAY(plan->arena, struct sr_axes, plan->rank);
	for (int d = 0; d < plan->rank; d++)
		axes_before[d] = i ? plan->steps.data[i - 1].dims[d] : plan->in->dims[d].axes;
	if (step->code == SR_OP_sdy_collective_permute)
		return permuted_axes(plan, axes_before, step->dims);
	for (int d = 0; step->axes && d < (step->code == SR_OP_sdy_all_gather ? plan->rank : 1); d++)
		axes = sr_axes_concat(plan->arena, axes, step->axes[d]);
	return axes;
}

struct sr_wire_cost sr_reshard_step_cost(const struct sr_reshard_plan *plan, size_t i, int64_t element_bytes,
					 const struct sr_mesh_links *links)
{
	const struct sr_reshard_step *step = &plan->steps.data[i];
	enum sr_coll coll = is_gather_as_broadcast(plan, step) ? SR_BROADCAST : coll_of_step(step->code);
	if (coll == SR_COLL_COUNT)
		return (struct sr_wire_cost){0};
	return sr_cost_collective(links, coll, local_bytes(plan, step->dims, element_bytes), axes_of_step(plan, i));
}

double sr_reshard_plan_bytes(const struct sr_reshard_plan *plan, int64_t element_bytes)
{
	double bytes = 0;
	for (size_t i = 0; i < plan->steps.n; i++)
		bytes += sr_reshard_step_cost(plan, i, element_bytes, NULL).bytes;
	return bytes;
}

bool sr_shard_counts_are_compatible(int64_t extent, int64_t shards_before, int64_t shards_after)
{
	int64_t padded_before, padded_after;
	if (shards_before == shards_after || shards_before == 1 || shards_after == 1 ||
	    (extent % shards_before == 0 && extent % shards_after == 0))
		return true;
	return !sr_mul_overflows(sr_ceil_div(extent, shards_before), shards_before, &padded_before) &&
	       !sr_mul_overflows(sr_ceil_div(extent, shards_after), shards_after, &padded_after) && padded_before == padded_after;
}

bool sr_reshard_plan_is_valid(const struct sr_reshard_plan *plan)
{
	for (int d = 0; d < plan->rank; d++) {
		int64_t shards = sr_axes_size(plan->in->dims[d].axes);
		for (size_t i = 0; i < plan->steps.n; i++) {
			int64_t shards_after = sr_axes_size(plan->steps.data[i].dims[d]);
			if (!sr_shard_counts_are_compatible(plan->shape[d], shards, shards_after))
				return false;
			shards = shards_after;
		}
	}
	return true;
}
