/* Minimum cuts: each node of a net is put on side 0 or side 1, so that the sum of what nodes and edges cost is least.
 *
 *	struct sr_flow_net *net = sr_flow_net_new(arena, n);
 *	sr_flow_net_node(net, i, cost_on_0, cost_on_1);
 *	sr_flow_net_edge(net, a, b, price);
 *	sr_flow_net_cut(net, ones);
 */
#ifndef SR_PARTITION_FLOW_NET_H
#define SR_PARTITION_FLOW_NET_H

#include "support/arena.h"
#include <stdbool.h>

struct sr_flow_net;
struct sr_flow_net *sr_flow_net_new(struct sr_arena *arena, int n); /* nodes 0..n-1 */
/* A node costs `zero` on side 0 and `one` on side 1. Adds up. */
void sr_flow_net_node(struct sr_flow_net *net, int node, double zero, double one);
/* It costs this much, at least 0, where `a` is on side 0 and `b` on side 1. */
void sr_flow_net_edge(struct sr_flow_net *net, int a, int b, double price);
/* Once. ones[n]: the nodes of side 1, as few as can be without costing more. Returns the number of arcs looked at. */
int64_t sr_flow_net_cut(struct sr_flow_net *net, bool *ones);

#endif
