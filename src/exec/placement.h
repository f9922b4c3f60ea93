/* Assignment of devices to ranks by --placement, using the node of each rank and the program's traffic between nodes. */
#ifndef SR_EXEC_PLACEMENT_H
#define SR_EXEC_PLACEMENT_H

#include "exec/run.h"
#include "plan/internode_traffic.h"

/* The nodes of a job's ranks. With --ranks-per-node each group of that many ranks counts as a node. */
struct sr_rank_nodes {
	int n;                   /* number of nodes; set on all ranks */
	int max_ranks_per_node;  /* rank 0: largest number of ranks on one node */
	/* rank 0: node of each rank, numbered from 0 in order of each node's lowest rank; length: number of ranks */
	const int *node_of_rank;
};
/* Find the nodes of the client's ranks. Collective on all ranks. */
struct sr_rank_nodes sr_rank_nodes_find(struct sr_client *client, const struct sr_run_options *options, struct sr_arena *arena);
/* Return the description of the job's nodes for a compilation. */
struct sr_job_nodes sr_rank_nodes_of_job(const struct sr_rank_nodes *nodes, const struct sr_client *client);
/* Return the nodes to plan for without running, as --ranks-per-node gives them; zeros without that option. */
struct sr_job_nodes sr_job_nodes_of_options(const struct sr_run_options *options);

struct sr_placed {
	const char *name; /* name of the placement: "order", "block", "cyclic", or axes "y,x"; NULL: no placement was made */
	const int *node_of_device;  /* node of each device, length: number of devices; NULL: all devices are on one node */
	int n_nodes;
	struct sr_node_plan plan;   /* bytes sent between nodes; plan.n_nodes is 0 if they were not counted */
};

/* Return the order of axes by which --placement orders the devices, in the syntax of sr_mesh_axis_order; "" for rank order, NULL if
 * the placement is not given by an order of axes. */
const char *sr_placement_axis_order(const struct sr_run_options *options);
/* Choose the placement of the program's devices; rank 0 has the program. Stores the list of ranks in the client and, on rank 0, the
 * placement in *placed. Collective on all ranks. */
enum sr_status sr_placement_choose(struct sr_client *client, const struct sr_rank_nodes *nodes, const struct sr_program *program,
				   const struct sr_run_options *options, struct sr_arena *arena, struct sr_diags *diags,
				   struct sr_placed *placed);
/* Place the devices of a plan that is not run on equal nodes, compute the traffic between the nodes, and update the program's
 * estimated time. A node has --ranks-per-node devices. Without that option a node has the machine's number of devices per node, and
 * nothing is computed for a program that fits on one node. */
enum sr_status sr_placement_plan(struct sr_context *ctx, struct sr_program *program, const struct sr_run_options *options,
				 struct sr_placed *placed);
/* Update the program's estimated time for the nodes on which its devices are placed. */
enum sr_status sr_placement_estimate(struct sr_context *ctx, struct sr_program *program, const struct sr_run_options *options,
				     const struct sr_placed *placed);
void sr_placement_print(const struct sr_program *program, const struct sr_placed *placed, struct sr_buf *out);

#endif
