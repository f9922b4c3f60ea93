/* Minimum cuts. First, nodes whose side is decided by their own arcs are removed, one after another (persistency: Hammer, Hansen
 * and Simeone, "Roof duality", 1984): a node is on side 0 if its cost on side 1 exceeds the capacity of all its arcs, and the
 * reverse. Then nodes with at most two neighbors are eliminated, one after another: the best cost of such a node is a function of
 * its neighbors' sides, that is, a cost of each and an arc between them (dynamic programming). The remaining nodes form connected
 * components, each of which is cut by Dinic's algorithm (1970), with every node that has a price as its own source or sink.
 * Capacities are costs in bytes; a residual capacity of less than a millionth of the largest capacity counts as 0, so that rounding
 * errors do not prolong the algorithm. */
#include "partition/search/flow_net.h"

#include "support/vec.h"

struct arc {
	int to, next; /* next arc of the same node; -1: this is the last one. The reverse of arc i is arc i ^ 1. */
	double capacity;
};

enum { MAX_ARCS = 8 }; /* Nodes with more arcs to undecided nodes are not considered for elimination. */

enum cut_side { UNDECIDED, SIDE_0, SIDE_1, ELIMINATED };

/* A node that was eliminated: its cost on side 1 minus that on side 0, and the arcs to its at most two neighbors. */
struct elimination {
	int node, neighbor[2], n;     /* n: number of neighbors */
	double excess, out[2], in[2]; /* capacities to and from each neighbor */
};

struct sr_flow_net {
	struct sr_arena *arena;
	int n, cap; /* number of nodes, and number for which memory is allocated */
	double *excess;  /* cost of each node on side 1 minus its cost on side 0, reduced by the flow found so far; length: n */
	double *arrived, *left; /* for each node of the present path: flow that arrived, and flow not yet sent on; length: n + 1 */
	double *out, *in; /* sums of the capacities of each node's arcs to and from undecided nodes; length: n */
	unsigned char *side; /* side of each node, an enum cut_side; length: n */
	int *first, *level, *next_arc, *queue, *path, *component; /* [n] */
	SR_VEC(struct arc) arcs;
	SR_VEC(struct elimination) eliminated; /* eliminated nodes, in the order of elimination */
	double tolerance;
	int64_t visits; /* number of arcs visited so far */
};

static void reserve_nodes(struct sr_flow_net *net, int n)
{
	net->cap = n > 2 * net->cap ? n : 2 * net->cap;
	double **costs[] = {&net->excess, &net->out, &net->in, &net->arrived, &net->left};
	for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
		*costs[i] = SR_NEW_ARRAY(net->arena, double, net->cap + 1);
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
	net->arcs.n = net->eliminated.n = 0;
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

void sr_flow_net_node(struct sr_flow_net *net, int node, double cost_0, double cost_1)
{
	net->excess[node] += cost_1 - cost_0;
}

static void raise_tolerance(struct sr_flow_net *net, double cost)
{
	if (cost * 1e-6 > net->tolerance)
		net->tolerance = cost * 1e-6;
}

static void add_arc(struct sr_flow_net *net, int from, int to, double cost)
{
	sr_push(net->arena, &net->arcs, (struct arc){to, net->first[from], cost});
	net->first[from] = (int)net->arcs.n - 1;
}

void sr_flow_net_edge(struct sr_flow_net *net, int a, int b, double cost)
{
	if (cost <= 0)
		return;
	add_arc(net, a, b, cost);
	add_arc(net, b, a, 0);
	raise_tolerance(net, cost);
}

/* ---------------------------------------------------------------- nodes decided by their own arcs */

/* Return the side of the node in the minimum cut with the fewest nodes on side 1, if its own arcs decide it. */
static enum cut_side side_by_own_arcs(const struct sr_flow_net *net, int i)
{
	if (net->excess[i] >= net->out[i] - net->tolerance)
		return SIDE_0;
	return -net->excess[i] > net->in[i] + net->tolerance ? SIDE_1 : UNDECIDED;
}

/* Fix the node's side; its arcs become costs of its neighbors. Returns the new length of the queue of nodes that have to be
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

/* ---------------------------------------------------------------- elimination of nodes with at most two neighbors */

/* Add the arcs between the node and one neighbor. Returns false if there would be a third neighbor. */
static bool add_neighbor(struct elimination *e, int neighbor, double out, double in)
{
	int k = 0;
	while (k < e->n && e->neighbor[k] != neighbor)
		k++;
	if (k == 2)
		return false;
	if (k == e->n)
		e->neighbor[e->n++] = neighbor;
	e->out[k] += out;
	e->in[k] += in;
	return true;
}

/* Store the node's arcs to undecided nodes. Returns false if it has more than two such neighbors. */
static bool find_neighbors(struct sr_flow_net *net, int node, struct elimination *e)
{
	*e = (struct elimination){.node = node, .excess = net->excess[node]};
	for (int i = net->first[node]; i >= 0; i = net->arcs.data[i].next) {
		const struct arc *arc = &net->arcs.data[i];
		net->visits++;
		if (!net->side[arc->to] && !add_neighbor(e, arc->to, arc->capacity, net->arcs.data[i ^ 1].capacity))
			return false;
	}
	return true;
}

/* Return the cost of the eliminated node on side 1 minus its cost on side 0 (stored in *on_0), if its first and second neighbor
 * are on the given sides (true: side 1). */
static double excess_with(const struct elimination *e, bool is_first_on_1, bool is_second_on_1, double *on_0)
{
	const bool is_on_1[2] = {is_first_on_1, is_second_on_1};
	double on_1 = e->excess;
	*on_0 = 0;
	for (int k = 0; k < e->n; k++)
		*(is_on_1[k] ? on_0 : &on_1) += is_on_1[k] ? e->out[k] : e->in[k];
	return on_1 - *on_0;
}

/* Return the cost of the eliminated node on its cheaper side. */
static double min_cost(const struct elimination *e, bool is_first_on_1, bool is_second_on_1)
{
	double on_0, excess = excess_with(e, is_first_on_1, is_second_on_1, &on_0);
	return excess < 0 ? on_0 + excess : on_0;
}

/* Eliminate the node: add its lowest cost, which depends on its neighbors' sides, to the neighbors' costs and to an arc between
 * them. Returns the number of arcs added. */
static int eliminate(struct sr_flow_net *net, const struct elimination *e)
{
	double none = min_cost(e, false, false), first = min_cost(e, true, false), both = min_cost(e, true, true);
	size_t n_arcs = net->arcs.n;
	net->side[e->node] = ELIMINATED;
	sr_push(net->arena, &net->eliminated, *e);
	if (e->n > 0)
		net->excess[e->neighbor[0]] += first - none;
	if (e->n > 1) {
		net->excess[e->neighbor[1]] += both - first;
		sr_flow_net_edge(net, e->neighbor[0], e->neighbor[1], min_cost(e, false, true) + first - none - both);
	}
	return net->arcs.n > n_arcs;
}

/* Eliminate nodes with at most two neighbors, one after another: of chains, trees and cycles of any length, no node remains. */
static void eliminate_nodes(struct sr_flow_net *net)
{
	int head = 0, tail = 0, *n_arcs = net->next_arc;
	for (int i = 0; i < net->n; i++) {
		n_arcs[i] = 0;
		net->level[i] = !net->side[i]; /* level 1: the node is in the queue */
		if (net->level[i])
			net->queue[tail++] = i;
		for (int k = net->first[i]; net->level[i] && k >= 0; k = net->arcs.data[k].next)
			n_arcs[i] += !net->side[net->arcs.data[k].to];
	}
	while (head < tail) {
		int node = net->queue[head++ % net->n];
		struct elimination e;
		net->level[node] = 0;
		if (n_arcs[node] > MAX_ARCS || !find_neighbors(net, node, &e))
			continue;
		for (int i = net->first[node]; i >= 0; i = net->arcs.data[i].next)
			n_arcs[net->arcs.data[i].to]--;
		int n_new = eliminate(net, &e);
		for (int k = 0; k < e.n; k++) {
			n_arcs[e.neighbor[k]] += n_new;
			if (!net->level[e.neighbor[k]]) {
				net->level[e.neighbor[k]] = 1;
				net->queue[tail++ % net->n] = e.neighbor[k];
			}
		}
	}
}

/* Decide the sides of eliminated nodes, the last one first. */
static void restore_eliminated(struct sr_flow_net *net)
{
	for (size_t i = net->eliminated.n; i-- > 0;) {
		const struct elimination *e = &net->eliminated.data[i];
		bool is_on_1[2] = {false, false};
		double on_0;
		for (int k = 0; k < e->n; k++)
			is_on_1[k] = net->side[e->neighbor[k]] == SIDE_1;
		net->side[e->node] = excess_with(e, is_on_1[0], is_on_1[1], &on_0) < -net->tolerance ? SIDE_1 : SIDE_0;
	}
}

/* ---------------------------------------------------------------- Dinic's algorithm on a component */

/* Set the levels of the component's nodes to their distance from nodes with positive excess. Returns false if no node with negative
 * excess can be reached. */
static bool find_levels(struct sr_flow_net *net, const int *nodes, int n)
{
	int head = 0, tail = 0;
	bool is_reached = false;
	for (int i = 0; i < n; i++) {
		bool is_source = net->excess[nodes[i]] > net->tolerance;
		net->level[nodes[i]] = is_source ? 0 : -1;
		net->next_arc[nodes[i]] = net->first[nodes[i]];
		if (is_source)
			net->queue[tail++] = nodes[i];
	}
	while (head < tail) {
		int node = net->queue[head++];
		is_reached = is_reached || net->excess[node] < -net->tolerance;
		for (int i = net->first[node]; i >= 0; i = net->arcs.data[i].next) {
			const struct arc *a = &net->arcs.data[i];
			net->visits++;
			if (a->capacity > net->tolerance && net->level[a->to] < 0 && !net->side[a->to]) {
				net->level[a->to] = net->level[node] + 1;
				net->queue[tail++] = a->to;
			}
		}
	}
	return is_reached;
}

/* Return the node's next arc to a node one level below that has capacity; -1: none. */
static int next_open_arc(struct sr_flow_net *net, int node)
{
	int i = net->next_arc[node];
	while (i >= 0 && (net->arcs.data[i].capacity <= net->tolerance || net->side[net->arcs.data[i].to] ||
			  net->level[net->arcs.data[i].to] != net->level[node] + 1)) {
		i = net->arcs.data[i].next;
		net->visits++;
	}
	net->next_arc[node] = i;
	return i;
}

/* Send flow from the source along the levels until its excess is 0 or no path is left. Each node of the present path takes what it
 * can of the flow that arrives, and sends on the rest, so that an arc is updated once for all nodes behind it. The function is
 * iterative, since paths are as long as programs. */
static void send_flow(struct sr_flow_net *net, int source)
{
	int node = source, length = 0;
	net->arrived[0] = net->left[0] = net->excess[source];
	while (true) {
		double taken = net->left[length] < -net->excess[node] ? net->left[length] : -net->excess[node];
		if (length && taken > 0) {
			net->excess[node] += taken;
			net->left[length] -= taken;
		}
		int i = net->left[length] > net->tolerance ? next_open_arc(net, node) : -1;
		net->visits++;
		if (i >= 0) {
			double capacity = net->arcs.data[i].capacity, rest = net->left[length];
			net->path[length++] = i;
			net->arrived[length] = net->left[length] = capacity < rest ? capacity : rest;
			node = net->arcs.data[i].to;
			continue;
		}
		if (!length)
			break;
		if (net->left[length] > net->tolerance)
			net->level[node] = -1; /* no more flow can pass this node */
		double sent = net->arrived[length] - net->left[length];
		i = net->path[--length];
		net->arcs.data[i].capacity -= sent;
		net->arcs.data[i ^ 1].capacity += sent;
		net->left[length] -= sent;
		node = net->arcs.data[i ^ 1].to;
	}
	net->excess[source] = net->left[0];
}

/* Put on side 1 the nodes that can still reach a node with negative excess: this is the minimum cut with the fewest nodes on side
 * 1. */
static void mark_side_1(struct sr_flow_net *net, const int *nodes, int n)
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
			send_flow(net, nodes[i]);
	mark_side_1(net, nodes, n);
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
	eliminate_nodes(net);
	for (int i = 0; i < n; i++)
		if (!net->side[i])
			cut_component(net, net->component, find_component(net, i, net->component));
	restore_eliminated(net);
	for (int i = 0; i < n; i++)
		is_on_side_1[i] = net->side[i] == SIDE_1;
	return net->visits;
}
