/* Results as declared. */
#include "dialect/infer.h"
sr_infer_fn sr_infer_sdy_all_gather;
enum sr_status sr_infer_sdy_all_gather(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_all_reduce;
enum sr_status sr_infer_sdy_all_reduce(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_all_slice;
enum sr_status sr_infer_sdy_all_slice(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_all_to_all;
enum sr_status sr_infer_sdy_all_to_all(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_collective_permute;
enum sr_status sr_infer_sdy_collective_permute(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_data_flow_edge;
enum sr_status sr_infer_sdy_data_flow_edge(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_func_data_flow_edge;
enum sr_status sr_infer_sdy_func_data_flow_edge(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_manual_computation;
enum sr_status sr_infer_sdy_manual_computation(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_mesh;
enum sr_status sr_infer_sdy_mesh(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_named_computation;
enum sr_status sr_infer_sdy_named_computation(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_propagation_barrier;
enum sr_status sr_infer_sdy_propagation_barrier(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_reduce_scatter;
enum sr_status sr_infer_sdy_reduce_scatter(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_replicated_to_unreduced;
enum sr_status sr_infer_sdy_replicated_to_unreduced(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_reshard;
enum sr_status sr_infer_sdy_reshard(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_sharded_to_unreduced;
enum sr_status sr_infer_sdy_sharded_to_unreduced(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_sharding_constraint;
enum sr_status sr_infer_sdy_sharding_constraint(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_sdy_sharding_group;
enum sr_status sr_infer_sdy_sharding_group(struct sr_infer *in)
{
	return SR_OK;
}
