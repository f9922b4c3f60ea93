/* --placement: which rank plays which device, by the nodes that ranks are on and what the program sends between them. */
#ifndef SR_EXEC_PLACEMENT_H
#define SR_EXEC_PLACEMENT_H

#include "exec/run.h"
#include "plan/internode_traffic.h"

/* The nodes of a job's ranks; --ranks-per-node divides each node into several. */
struct sr_rank_nodes {
	int n;                   /* on all ranks */
	int most;                /* ranks on one of them; rank 0 */
	const int *node_of_rank; /* [ranks] from 0 on, in order of each node's lowest rank; rank 0 */
};
/* Collective on all ranks. */
struct sr_rank_nodes sr_rank_nodes_find(struct sr_client *client, const struct sr_run_options *options, struct sr_arena *arena);
/* What a compilation is told of them. */
struct sr_job_nodes sr_rank_nodes_of_job(const struct sr_rank_nodes *nodes, const struct sr_client *client);
/* The same for a plan that does not run: from --ranks-per-node, zeros without it. */
struct sr_job_nodes sr_job_nodes_of_options(const struct sr_run_options *options);

struct sr_placed {
	const char *name;           /* "order", "block", "cyclic", "y,x"; NULL: nothing was placed */
	const int *node_of_device;  /* [devices]; NULL: one node */
	int n_nodes;
	struct sr_node_plan plan;   /* what is sent between nodes; plan.n_nodes 0: it is not counted */
};

/* Collective on all ranks: set the client's list of ranks, by the program that rank 0 has, and on rank 0 *placed. */
enum sr_status sr_placement_choose(struct sr_client *client, const struct sr_rank_nodes *nodes, const struct sr_program *program,
				   const struct sr_run_options *options, struct sr_arena *arena, struct sr_diags *diags,
				   struct sr_placed *placed);
/* Set *placed for a plan that does not run: what goes between nodes of --ranks-per-node, or of as many devices as the machine's
 * figures say if the program has more. */
enum sr_status sr_placement_plan(struct sr_context *ctx, const struct sr_program *program, const struct sr_run_options *options,
				 struct sr_placed *placed);
/* Estimate the program's step anew, on the nodes that its devices are on. */
enum sr_status sr_placement_estimate(struct sr_context *ctx, struct sr_program *program, const struct sr_run_options *options,
				     const struct sr_placed *placed);
void sr_placement_print(const struct sr_program *program, const struct sr_placed *placed, struct sr_buf *out);

#endif
