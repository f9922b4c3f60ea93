/* Minimum cuts by Dinic's algorithm (1970). Capacities are prices in bytes; less than a millionth of the largest capacity counts
 * as 0, so that rounding errors end. */
#include "partition/search/flow_net.h"

#include "support/vec.h"

struct arc {
	int to, next; /* next arc of the same node; -1: last. The reverse of arc i is arc i ^ 1. */
	double left;
};

struct sr_flow_net {
	struct sr_arena *arena;
	int n, source, sink;
	double *ones;                    /* [n]: price on side 1 minus price on side 0 */
	int *first, *level, *at, *queue; /* [n + 2] */
	SR_VEC(struct arc) arcs;
	double least;
	int64_t visits; /* number of arcs visited */
};

struct sr_flow_net *sr_flow_net_new(struct sr_arena *arena, int n)
{
	struct sr_flow_net *net = SR_NEW(arena, struct sr_flow_net);
	*net = (struct sr_flow_net){.arena = arena,
				    .n = n,
				    .source = n,
				    .sink = n + 1,
				    .ones = SR_NEWS(arena, double, n + 1),
				    .first = SR_NEWS(arena, int, n + 2),
				    .level = SR_NEWS(arena, int, n + 2),
				    .at = SR_NEWS(arena, int, n + 2),
				    .queue = SR_NEWS(arena, int, n + 2)};
	for (int i = 0; i < n + 2; i++)
		net->first[i] = -1;
	return net;
}

void sr_flow_net_node(struct sr_flow_net *net, int node, double zero, double one)
{
	net->ones[node] += one - zero;
}

static void add_arc(struct sr_flow_net *net, int from, int to, double price)
{
	sr_push(net->arena, &net->arcs, (struct arc){to, net->first[from], price});
	net->first[from] = (int)net->arcs.n - 1;
	sr_push(net->arena, &net->arcs, (struct arc){from, net->first[to], 0});
	net->first[to] = (int)net->arcs.n - 1;
	if (price * 1e-6 > net->least)
		net->least = price * 1e-6;
}

void sr_flow_net_edge(struct sr_flow_net *net, int a, int b, double price)
{
	if (price > 0)
		add_arc(net, a, b, price);
}

static bool find_levels(struct sr_flow_net *net)
{
	int head = 0, tail = 0;
	for (int i = 0; i < net->n + 2; i++)
		net->level[i] = -1;
	net->level[net->source] = 0;
	net->queue[tail++] = net->source;
	while (head < tail) {
		int node = net->queue[head++];
		for (int i = net->first[node]; i >= 0; i = net->arcs.data[i].next) {
			const struct arc *a = &net->arcs.data[i];
			net->visits++;
			if (a->left > net->least && net->level[a->to] < 0) {
				net->level[a->to] = net->level[node] + 1;
				net->queue[tail++] = a->to;
			}
		}
	}
	return net->level[net->sink] >= 0;
}

/* Augment one path along the levels; iterative, since paths are as long as programs. Returns the flow, 0: no path. path: [n +
 * 2], scratch. */
static double augment(struct sr_flow_net *net, int *path)
{
	int node = net->source, length = 0;
	while (node != net->sink) {
		int i = net->at[node];
		while (i >= 0 &&
		       (net->arcs.data[i].left <= net->least || net->level[net->arcs.data[i].to] != net->level[node] + 1)) {
			i = net->arcs.data[i].next;
			net->visits++;
		}
		net->at[node] = i;
		if (i >= 0) {
			path[length++] = i;
			node = net->arcs.data[i].to;
		} else if (node == net->source) {
			return 0;
		} else {
			net->level[node] = -1;
			node = net->arcs.data[path[--length] ^ 1].to;
		}
	}
	double most = net->arcs.data[path[0]].left;
	for (int i = 1; i < length; i++)
		most = net->arcs.data[path[i]].left < most ? net->arcs.data[path[i]].left : most;
	net->visits += length;
	for (int i = 0; i < length; i++) {
		net->arcs.data[path[i]].left -= most;
		net->arcs.data[path[i] ^ 1].left += most;
	}
	return most;
}

/* Put the nodes that can still reach the sink on side 1: the minimum cut with the fewest nodes there. */
static void mark_ones(struct sr_flow_net *net, bool *ones)
{
	int head = 0, tail = 0;
	for (int i = 0; i < net->n + 2; i++)
		net->level[i] = -1;
	net->level[net->sink] = 0;
	net->queue[tail++] = net->sink;
	while (head < tail)
		for (int i = net->first[net->queue[head++]]; i >= 0; i = net->arcs.data[i].next) {
			int from = net->arcs.data[i].to;
			if (net->arcs.data[i ^ 1].left > net->least && net->level[from] < 0) {
				net->level[from] = 0;
				net->queue[tail++] = from;
			}
		}
	for (int i = 0; i < net->n; i++)
		ones[i] = net->level[i] == 0;
}

int64_t sr_flow_net_cut(struct sr_flow_net *net, bool *ones)
{
	int *path = SR_NEWS(net->arena, int, net->n + 2);
	for (int i = 0; i < net->n; i++) {
		/* side 0 is the source's: a node that costs more on side 1 gets an arc from the source */
		if (net->ones[i] > 0)
			add_arc(net, net->source, i, net->ones[i]);
		else if (net->ones[i] < 0)
			add_arc(net, i, net->sink, -net->ones[i]);
	}
	while (find_levels(net)) {
		for (int i = 0; i < net->n + 2; i++)
			net->at[i] = net->first[i];
		while (augment(net, path) > 0)
			;
	}
	mark_ones(net, ones);
	return net->visits;
}
