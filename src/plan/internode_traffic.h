/* What a program sends between nodes in a step, for a placement of its devices on them, before it runs. Loops count as often as
 * their form says, once where that is not known; every branch counts. */
#ifndef SR_PLAN_INTERNODE_TRAFFIC_H
#define SR_PLAN_INTERNODE_TRAFFIC_H

#include "cost/cost.h"
#include "program/program.h"

struct sr_traffic {
	double bytes[SR_COLL_COUNT], all; /* that leave all nodes */
	double busiest;                   /* that leave the node which most leave */
};

/* The collectives of a program, ready to be asked about many placements. NULL: it has too many devices (SR_TRAFFIC_DEVICES). */
struct sr_traffic_query;
enum { SR_TRAFFIC_DEVICES = 65536 };
struct sr_traffic_query *sr_traffic_begin(const struct sr_program *p, struct sr_arena *arena);
/* node[n_devices]: numbers from 0 on, below n_devices. */
struct sr_traffic sr_traffic_of(struct sr_traffic_query *q, const int *node);

/* Where devices go: slots are the places of devices, node by node; slot[n_devices] is device d's. Axes are given from the outermost
 * to the innermost, which are neighbours; replicas of a mesh go outside. */
void sr_slots_by_axes(const struct sr_program *p, const int *axes, int *slot);
/* Slots in the mesh's own order, dealt out to nodes in turn. */
void sr_slots_cyclic(int n_devices, const int *node_of_slot, int *slot, struct sr_arena *arena);

/* Orders of a mesh's axes, all where these are few, else as they are with each axis innermost. */
struct sr_axis_orders {
	int n, n_axes;
	const int *at; /* [n][n_axes]; the first one is the mesh's own */
};
struct sr_axis_orders sr_axis_orders_find(const struct sr_program *p, struct sr_arena *arena);
/* Whether x is better than y: less leaves the busiest node, or all. */
bool sr_traffic_less(const struct sr_traffic *x, const struct sr_traffic *y);
/* The best order on these nodes, of equal ones the first; *out is what it sends. */
int sr_axis_orders_best(struct sr_traffic_query *q, const struct sr_axis_orders *orders, const int *node_of_slot,
			struct sr_traffic *out);

/* What is sent between nodes: by blocks of the mesh's order, dealt out in turn, in blocks of the best order of axes, as the
 * launcher has the ranks, and as devices are placed. */
struct sr_node_plan {
	int ranks_per_node, n_nodes;
	struct sr_traffic block, cyclic, best, order, placed;
	const int *best_axes; /* [mesh] from the outermost */
};
/* Set all of *out but `placed`. node_of_slot[n_devices]: numbers from 0 on that do not fall; node_in_order[n_devices] of devices
 * as the launcher has them. */
void sr_plan_internode_traffic(struct sr_traffic_query *q, const int *node_of_slot, const int *node_in_order, struct sr_node_plan *out);
/* The same for nodes of equally many devices. False: too many devices. per_node at least 1. */
bool sr_plan_equal_nodes_traffic(const struct sr_program *p, int64_t per_node, struct sr_arena *arena, struct sr_node_plan *out);

#endif
