/* Results as declared. */
#include "dialect/infer.h"
sr_infer_fn sr_infer_broadcast_binary;
enum sr_status sr_infer_broadcast_binary(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_broadcast_compare;
enum sr_status sr_infer_broadcast_compare(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_broadcast_complex;
enum sr_status sr_infer_broadcast_complex(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_broadcast_select;
enum sr_status sr_infer_broadcast_select(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_composite;
enum sr_status sr_infer_composite(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_constant_like;
enum sr_status sr_infer_constant_like(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_custom_call;
enum sr_status sr_infer_custom_call(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_func;
enum sr_status sr_infer_func(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_func_call;
enum sr_status sr_infer_func_call(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_func_return;
enum sr_status sr_infer_func_return(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_module;
enum sr_status sr_infer_module(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_run_parallel;
enum sr_status sr_infer_run_parallel(struct sr_infer *in)
{
	return SR_OK;
}
sr_infer_fn sr_infer_scan;
enum sr_status sr_infer_scan(struct sr_infer *in)
{
	return SR_OK;
}
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
sr_infer_fn sr_infer_top_k;
enum sr_status sr_infer_top_k(struct sr_infer *in)
{
	return SR_OK;
}
