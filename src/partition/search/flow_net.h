/* Minimum cuts: put each node of a network on side 0 or side 1 such that the total cost of nodes and edges is minimal.
 *
 *	struct sr_flow_net *net = sr_flow_net_new(arena, n);
 *	sr_flow_net_node(net, i, cost_on_0, cost_on_1);
 *	sr_flow_net_edge(net, a, b, cost);
 *	sr_flow_net_cut(net, ones);
 */
#ifndef SR_PARTITION_FLOW_NET_H
#define SR_PARTITION_FLOW_NET_H

#include "support/arena.h"
#include <stdbool.h>

struct sr_flow_net;
struct sr_flow_net *sr_flow_net_new(struct sr_arena *arena, int n); /* Create a network of nodes 0..n-1, in the arena. */
/* Remove all costs, and start again with n nodes; the storage is reused. */
void sr_flow_net_reset(struct sr_flow_net *net, int n);
/* Add the cost of a node: `cost_0` on side 0, `cost_1` on side 1. */
void sr_flow_net_node(struct sr_flow_net *net, int node, double cost_0, double cost_1);
/* Add the cost, at least 0, of having `a` on side 0 and `b` on side 1. */
void sr_flow_net_edge(struct sr_flow_net *net, int a, int b, double cost);
/* Find the minimum cut. May be called once after sr_flow_net_new or sr_flow_net_reset. Sets is_on_side_1[i] for each node i; of
 * equal cuts the one with the fewest nodes on side 1 is found. Returns the number of arcs visited. */
int64_t sr_flow_net_cut(struct sr_flow_net *net, bool *is_on_side_1);

#endif
