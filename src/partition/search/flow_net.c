/* Minimum cuts. First, nodes whose side is decided by their own arcs are removed, one after another (persistency: Hammer, Hansen
 * and Simeone, "Roof duality", 1984): a node is on side 0 if its price on side 1 exceeds the capacity of all its arcs, and the
 * reverse. The remaining nodes form connected components, each of which is cut by Dinic's algorithm (1970), with every node that
 * has a price as its own source or sink. Capacities are prices in bytes; a residual capacity of less than a millionth of the
 * largest capacity counts as 0, so that rounding errors do not prolong the algorithm. */
#include "partition/search/flow_net.h"

#include "support/vec.h"

struct arc {
	int to, next; /* next arc of the same node; -1: this is the last one. The reverse of arc i is arc i ^ 1. */
	double capacity;
};

enum cut_side { UNDECIDED, SIDE_0, SIDE_1 };

struct sr_flow_net {
	struct sr_arena *arena;
	int n, cap; /* number of nodes, and number for which memory is allocated */
	double *excess;  /* price of each node on side 1 minus its price on side 0, reduced by the flow found so far; length: n */
	double *out, *in; /* sums of the capacities of each node's arcs to and from undecided nodes; length: n */
	unsigned char *side; /* side of each node, an enum side; length: n */
	int *first, *level, *next_arc, *queue, *path, *component; /* [n] */
	SR_VEC(struct arc) arcs;
	double tolerance;
	int64_t visits; /* number of arcs visited so far */
};

static void reserve_nodes(struct sr_flow_net *net, int n)
{
	net->cap = n > 2 * net->cap ? n : 2 * net->cap;
	net->excess = SR_NEW_ARRAY(net->arena, double, net->cap);
	net->out = SR_NEW_ARRAY(net->arena, double, net->cap);
	net->in = SR_NEW_ARRAY(net->arena, double, net->cap);
	net->side = SR_NEW_ARRAY(net->arena, unsigned char, net->cap);
	int **lists[] = {&net->first, &net->level, &net->next_arc, &net->queue, &net->path, &net->component};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		*lists[i] = SR_NEW_ARRAY(net->arena, int, net->cap);
}

void sr_flow_net_reset(struct sr_flow_net *net, int n)
{
	if (n > net->cap)
		reserve_nodes(net, n);
	net->n = n;
	net->arcs.n = 0;
	net->tolerance = 0;
	net->visits = 0;
	for (int i = 0; i < n; i++) {
		net->excess[i] = net->out[i] = net->in[i] = 0;
		net->side[i] = UNDECIDED;
		net->first[i] = -1;
	}
}

struct sr_flow_net *sr_flow_net_new(struct sr_arena *arena, int n)
{
	struct sr_flow_net *net = SR_NEW(arena, struct sr_flow_net);
	net->arena = arena;
	sr_flow_net_reset(net, n);
	return net;
}

void sr_flow_net_node(struct sr_flow_net *net, int node, double price_0, double price_1)
{
	net->excess[node] += price_1 - price_0;
}

static void raise_tolerance(struct sr_flow_net *net, double price)
{
	if (price * 1e-6 > net->tolerance)
		net->tolerance = price * 1e-6;
}

static void add_arc(struct sr_flow_net *net, int from, int to, double price)
{
	sr_push(net->arena, &net->arcs, (struct arc){to, net->first[from], price});
	net->first[from] = (int)net->arcs.n - 1;
}

void sr_flow_net_edge(struct sr_flow_net *net, int a, int b, double price)
{
	if (price <= 0)
		return;
	add_arc(net, a, b, price);
	add_arc(net, b, a, 0);
	raise_tolerance(net, price);
}

/* ---------------------------------------------------------------- nodes decided by their own arcs */

/* Return the side of the node in the minimum cut with the fewest nodes on side 1, if its own arcs decide it. */
static enum cut_side side_by_own_arcs(const struct sr_flow_net *net, int i)
{
	if (net->excess[i] >= net->out[i] - net->tolerance)
		return SIDE_0;
	return -net->excess[i] > net->in[i] + net->tolerance ? SIDE_1 : UNDECIDED;
}

/* Fix the node's side; its arcs become prices of its neighbors. Returns the new length of the queue of nodes that have to be
 * checked again. */
static int fix_side(struct sr_flow_net *net, int node, enum cut_side side, int tail)
{
	net->side[node] = side;
	for (int i = net->first[node]; i >= 0; i = net->arcs.data[i].next) {
		int neighbor = net->arcs.data[i].to;
		double forward_capacity = net->arcs.data[i].capacity, backward_capacity = net->arcs.data[i ^ 1].capacity;
		net->visits++;
		if (net->side[neighbor])
			continue;
		net->in[neighbor] -= forward_capacity;
		net->out[neighbor] -= backward_capacity;
		net->excess[neighbor] += side == SIDE_0 ? forward_capacity : -backward_capacity;
		if (!net->level[neighbor]) {
			net->level[neighbor] = 1;
			net->queue[tail++ % net->n] = neighbor;
		}
	}
	return tail;
}

/* Decide the sides of nodes by their own arcs until no further node is decided. */
static void fix_sides_by_own_arcs(struct sr_flow_net *net)
{
	int head = 0, tail = 0;
	for (int i = 0; i < net->n; i++) {
		net->level[i] = 1; /* level 1: the node is in the queue */
		net->queue[tail++] = i;
		for (int k = net->first[i]; k >= 0; k = net->arcs.data[k].next) {
			net->out[i] += net->arcs.data[k].capacity;
			net->in[i] += net->arcs.data[k ^ 1].capacity;
		}
	}
	while (head < tail) {
		int node = net->queue[head++ % net->n];
		net->level[node] = 0;
		enum cut_side side = net->side[node] ? UNDECIDED : side_by_own_arcs(net, node);
		if (side)
			tail = fix_side(net, node, side, tail);
	}
}

/* ---------------------------------------------------------------- Dinic's algorithm on a component */

/* Set the levels of the component's nodes to their distance from nodes with positive excess. Returns false if no node with negative
 * excess can be reached. */
static bool find_levels(struct sr_flow_net *net, const int *nodes, int n)
{
	int head = 0, tail = 0;
	bool reached = false;
	for (int i = 0; i < n; i++) {
		bool is_source = net->excess[nodes[i]] > net->tolerance;
		net->level[nodes[i]] = is_source ? 0 : -1;
		net->next_arc[nodes[i]] = net->first[nodes[i]];
		if (is_source)
			net->queue[tail++] = nodes[i];
	}
	while (head < tail) {
		int node = net->queue[head++];
		reached = reached || net->excess[node] < -net->tolerance;
		for (int i = net->first[node]; i >= 0; i = net->arcs.data[i].next) {
			const struct arc *a = &net->arcs.data[i];
			net->visits++;
			if (a->capacity > net->tolerance && net->level[a->to] < 0 && !net->side[a->to]) {
				net->level[a->to] = net->level[node] + 1;
				net->queue[tail++] = a->to;
			}
		}
	}
	return reached;
}

/* Augment the flow along a path by the minimum of its arcs' capacities, its source's excess and its sink's deficit. Returns the
 * length of the path up to the first arc without remaining capacity. */
static int augment(struct sr_flow_net *net, int source, int sink, int length)
{
	double flow = net->excess[source] < -net->excess[sink] ? net->excess[source] : -net->excess[sink];
	int n_open_arcs = length;
	for (int i = 0; i < length; i++)
		flow = net->arcs.data[net->path[i]].capacity < flow ? net->arcs.data[net->path[i]].capacity : flow;
	net->excess[source] -= flow;
	net->excess[sink] += flow;
	net->visits += length;
	for (int i = length; i-- > 0;) {
		struct arc *a = &net->arcs.data[net->path[i]];
		a->capacity -= flow;
		net->arcs.data[net->path[i] ^ 1].capacity += flow;
		if (a->capacity <= net->tolerance)
			n_open_arcs = i;
	}
	return n_open_arcs;
}

/* Send flow from the source along the levels until its excess is 0 or no path is left. The function is iterative, since paths are
 * as long as programs. */
static void send(struct sr_flow_net *net, int source)
{
	int node = source, length = 0;
	while (net->excess[source] > net->tolerance) {
		if (net->excess[node] < -net->tolerance) {
			length = augment(net, source, node, length);
			node = length ? net->arcs.data[net->path[length - 1]].to : source;
			continue;
		}
		int i = net->next_arc[node];
		while (i >= 0 && (net->arcs.data[i].capacity <= net->tolerance || net->side[net->arcs.data[i].to] ||
				  net->level[net->arcs.data[i].to] != net->level[node] + 1)) {
			i = net->arcs.data[i].next;
			net->visits++;
		}
		net->next_arc[node] = i;
		if (i >= 0) {
			net->path[length++] = i;
			node = net->arcs.data[i].to;
		} else if (!length) {
			return;
		} else {
			net->level[node] = -1;
			node = net->arcs.data[net->path[--length] ^ 1].to;
		}
	}
}

/* Put on side 1 the nodes that can still reach a node with negative excess: this is the minimum cut with the fewest nodes on side
 * 1. */
static void mark_ones(struct sr_flow_net *net, const int *nodes, int n)
{
	int head = 0, tail = 0;
	for (int i = 0; i < n; i++) {
		bool is_sink = net->excess[nodes[i]] < -net->tolerance;
		net->level[nodes[i]] = is_sink ? 0 : -1;
		if (is_sink)
			net->queue[tail++] = nodes[i];
	}
	while (head < tail)
		for (int i = net->first[net->queue[head++]]; i >= 0; i = net->arcs.data[i].next) {
			int neighbor = net->arcs.data[i].to;
			net->visits++;
			if (net->arcs.data[i ^ 1].capacity > net->tolerance && net->level[neighbor] < 0 && !net->side[neighbor]) {
				net->level[neighbor] = 0;
				net->queue[tail++] = neighbor;
			}
		}
	for (int i = 0; i < n; i++)
		net->side[nodes[i]] = net->level[nodes[i]] == 0 ? SIDE_1 : SIDE_0;
}

static void cut_component(struct sr_flow_net *net, const int *nodes, int n)
{
	while (find_levels(net, nodes, n))
		for (int i = 0; i < n; i++)
			send(net, nodes[i]);
	mark_ones(net, nodes, n);
}

/* Store in `nodes` the undecided nodes that are connected with `node`; return their number. */
static int find_component(struct sr_flow_net *net, int node, int *nodes)
{
	int n = 0;
	net->level[node] = 1;
	nodes[n++] = node;
	for (int head = 0; head < n; head++)
		for (int i = net->first[nodes[head]]; i >= 0; i = net->arcs.data[i].next) {
			int to = net->arcs.data[i].to;
			net->visits++;
			if (net->side[to] || net->level[to] == 1)
				continue;
			net->level[to] = 1;
			nodes[n++] = to;
		}
	return n;
}

int64_t sr_flow_net_cut(struct sr_flow_net *net, bool *is_on_side_1)
{
	int n = net->n;
	for (int i = 0; i < n; i++)
		raise_tolerance(net, net->excess[i] < 0 ? -net->excess[i] : net->excess[i]);
	fix_sides_by_own_arcs(net);
	for (int i = 0; i < n; i++)
		if (!net->side[i])
			cut_component(net, net->component, find_component(net, i, net->component));
	for (int i = 0; i < n; i++)
		is_on_side_1[i] = net->side[i] == SIDE_1;
	return net->visits;
}
