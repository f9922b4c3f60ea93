/* Bytes that a program sends between nodes in a step, for a given placement of devices, computed before it runs. Loops count
 * with their trip count, once if that is unknown; every branch counts. */
#ifndef SR_PLAN_INTERNODE_TRAFFIC_H
#define SR_PLAN_INTERNODE_TRAFFIC_H

#include "cost/cost.h"
#include "program/program.h"

struct sr_traffic {
	double bytes[SR_COLL_COUNT], total; /* bytes sent to other nodes, for each kind of collective and in total */
	double busiest_node_bytes;                   /* bytes sent by the node that sends the most */
};

/* The collectives of a program, prepared for computing the traffic of many placements. sr_traffic_begin returns NULL for more
 * than SR_TRAFFIC_DEVICES devices. */
struct sr_traffic_query;
enum { SR_TRAFFIC_DEVICES = 65536 };
struct sr_traffic_query *sr_traffic_begin(const struct sr_program *p, struct sr_arena *arena);
/* Return the traffic of a placement; node[n_devices]: node of each device, numbered below n_devices. */
struct sr_traffic sr_traffic_of(struct sr_traffic_query *q, const int *node);

/* Place devices by mesh axes. A slot is a position on the machine, counted node by node; slot[d] becomes the slot of device d.
 * axes: from the outermost to the innermost, whose devices are neighbours; replicas of the mesh are outermost. */
void sr_slots_by_axes(const struct sr_program *p, const int *axes, int *slot);
/* Place devices in mesh order on the nodes in turn (round robin). */
void sr_slots_cyclic(int n_devices, const int *node_of_slot, int *slot, struct sr_arena *arena);

/* Orders of the mesh axes: all permutations if there are few axes, else the mesh order and, for each axis, that order with the
 * axis moved innermost. */
struct sr_axis_orders {
	int n, n_axes;
	const int *orders; /* n orders of n_axes axes each; the first is the mesh order */
};
struct sr_axis_orders sr_axis_orders_find(const struct sr_program *p, struct sr_arena *arena);
/* Return true if x is better than y: its busiest node sends fewer bytes or, if that is equal, all nodes together do. */
bool sr_traffic_less(const struct sr_traffic *x, const struct sr_traffic *y);

/* Traffic of the placements that the report compares: blocks in mesh order, cyclic, blocks in the best axis order, the
 * launcher's rank order, and the placement used. */
struct sr_node_plan {
	int ranks_per_node, n_nodes;
	struct sr_traffic block, cyclic, best, order, placed;
	const int *best_axes; /* axes in the best order, the outermost first */
};
/* Compute all traffic in *out except `placed`. node_of_slot[n_devices]: node numbers, ascending from 0;
 * node_in_order[n_devices]: node of each device in the launcher's order. */
void sr_plan_internode_traffic(struct sr_traffic_query *q, const int *node_of_slot, const int *node_in_order, struct sr_node_plan *out);
/* Compute what sr_plan_internode_traffic computes, for nodes of per_node >= 1 devices each. Return false if there are too many
 * devices. */
bool sr_plan_equal_nodes_traffic(const struct sr_program *p, int64_t per_node, struct sr_arena *arena, struct sr_node_plan *out);

#endif
