/* --placement: assignment of devices to ranks by the ranks' nodes and what the program sends between nodes. */
#ifndef SR_EXEC_PLACEMENT_H
#define SR_EXEC_PLACEMENT_H

#include "exec/run.h"
#include "plan/internode_traffic.h"

/* The nodes of a job's ranks; --ranks-per-node divides each node. */
struct sr_rank_nodes {
	int n;                   /* number of nodes, on all ranks */
	int most;                /* rank 0: largest number of ranks on a node */
	const int *node_of_rank; /* rank 0: [ranks] node numbers from 0, in order of each node's lowest rank */
};
/* Collective on all ranks: find the nodes. */
struct sr_rank_nodes sr_rank_nodes_find(struct sr_client *client, const struct sr_run_options *options, struct sr_arena *arena);
/* Return what a compilation needs to know of the nodes. */
struct sr_job_nodes sr_rank_nodes_of_job(const struct sr_rank_nodes *nodes, const struct sr_client *client);
/* Return the nodes to plan for without running: from --ranks-per-node, zeros without that option. */
struct sr_job_nodes sr_job_nodes_of_options(const struct sr_run_options *options);

struct sr_placed {
	const char *name;           /* "order", "block", "cyclic", "y,x"; NULL: no placement was made */
	const int *node_of_device;  /* [devices] node of each device; NULL: all on one node */
	int n_nodes;
	struct sr_node_plan plan;   /* bytes sent between nodes; plan.n_nodes 0: not counted */
};

/* Return the order of axes that the options place devices by, as sr_mesh_axis_order reads it; NULL: by none. */
const char *sr_placement_axis_order(const struct sr_run_options *options);
/* Collective on all ranks: choose the placement for the program, which rank 0 has, and store it in the client's list of ranks
 * and in *placed on rank 0. */
enum sr_status sr_placement_choose(struct sr_client *client, const struct sr_rank_nodes *nodes, const struct sr_program *program,
				   const struct sr_run_options *options, struct sr_arena *arena, struct sr_diags *diags,
				   struct sr_placed *placed);
/* Set *placed for a plan without a run: traffic between nodes of --ranks-per-node devices, or of the machine's devices per node
 * if the program has more; and the program's estimated time with the devices placed as they would be. */
enum sr_status sr_placement_plan(struct sr_context *ctx, struct sr_program *program, const struct sr_run_options *options,
				 struct sr_placed *placed);
/* Update the program's estimated time for the nodes that its devices are on. */
enum sr_status sr_placement_estimate(struct sr_context *ctx, struct sr_program *program, const struct sr_run_options *options,
				     const struct sr_placed *placed);
void sr_placement_print(const struct sr_program *program, const struct sr_placed *placed, struct sr_buf *out);

#endif
