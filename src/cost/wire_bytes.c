/* Compute bytes on the wire by collective, and conversion rates between bytes, FLOPs and latencies. */
#include "cost/cost.h"
#include "support/checked.h"

/* Bytes that a device sends for results of r bytes over n devices: `times` times r(n-1)/n (ONE_SHARD), r(n-1) (OTHER_SHARDS) or r
 * (ALL_SHARDS). */
static const struct {
	enum { ONE_SHARD, OTHER_SHARDS, ALL_SHARDS } share;
	int times;
} rows[SR_COLL_COUNT] = {
	[SR_ALL_REDUCE] = {ONE_SHARD, 2}, [SR_ALL_GATHER] = {ONE_SHARD, 1}, [SR_REDUCE_SCATTER] = {OTHER_SHARDS, 1},
	[SR_ALL_TO_ALL] = {ONE_SHARD, 1}, [SR_PERMUTE] = {ALL_SHARDS, 1},   [SR_BROADCAST] = {ALL_SHARDS, 1},
};

int64_t sr_cost_wire_bytes(enum sr_coll coll, int64_t r, int64_t n)
{
	int64_t bytes = r;
	if (rows[coll].share == ALL_SHARDS)
		return r;
	if (n < 2)
		return 0;
	if (rows[coll].share == ONE_SHARD) {
		int64_t remainder = r % n; /* remainder * (n - 1) / n is remainder - 1, or 0 if remainder is 0. */
		bytes = r / n * (n - 1) + (remainder ? remainder - 1 : 0);
	} else if (sr_mul_overflows(r, n - 1, &bytes)) {
		return INT64_MAX;
	}
	return sr_mul_overflows(bytes, (int64_t)rows[coll].times, &bytes) ? INT64_MAX : bytes;
}

double sr_cost_wire(enum sr_coll coll, double r, double n)
{
	switch (rows[coll].share) {
	case ONE_SHARD:
		return rows[coll].times * r * (n - 1) / n;
	case OTHER_SHARDS:
		return r * (n - 1);
	default:
		return r;
	}
}

/* Return to how many nodes the node at position `place` of a binomial tree over n nodes sends. */
static int count_tree_children(int place, int n)
{
	int times = 0;
	for (int d = 1; d < n; d *= 2)
		times += place < d && place + d < n;
	return times;
}

/* all_reduce: a node sends its partial sums of each other node's block there, and its own block of the result to each node.
 * reduce_scatter: it sends the partial sum of a block to each member on other nodes. all_gather: it sends its blocks once to each
 * other node. */
double sr_cost_leaves_node(enum sr_coll coll, double r, const struct sr_cost_node_group *group)
{
	double other_nodes = group->n_nodes - 1, other_members = group->n - group->members;
	switch (coll) {
	case SR_ALL_REDUCE:
		return (group->sums + 1) * r * other_nodes / group->n_nodes;
	case SR_ALL_GATHER:
		return group->members * r / group->n * other_nodes;
	case SR_REDUCE_SCATTER:
		return group->sums * r * other_members;
	case SR_ALL_TO_ALL:
		return group->members * r / group->n * other_members;
	case SR_BROADCAST:
		return r * group->n_targets;
	case SR_PERMUTE:
	case SR_COLL_COUNT:
		return 0;
	}
	return 0;
}

void sr_cost_internode_bytes(enum sr_coll coll, double r, double carried, const struct sr_cost_nodes *nodes, double *leaves)
{
	for (int a = 0; a < nodes->n_nodes; a++) {
		double n_targets = coll == SR_BROADCAST
				   ? count_tree_children((a - nodes->root + nodes->n_nodes) % nodes->n_nodes, nodes->n_nodes)
				   : 0;
		struct sr_cost_node_group node = {nodes->n, nodes->n_nodes, nodes->members[a], nodes->sums[a] * carried, n_targets};
		leaves[a] += sr_cost_leaves_node(coll, r, &node);
	}
}

int64_t sr_cost_node(const struct sr_machine *machine, int64_t device)
{
	if (machine->node_of_device)
		return machine->node_of_device[device];
	return machine->ranks_per_node ? device / machine->ranks_per_node : 0;
}

enum sr_link sr_cost_link(const struct sr_machine *machine, const int64_t *ids, int64_t n)
{
	int64_t first = -1;
	for (int64_t i = 0; i < n; i++) {
		int64_t id = ids ? ids[i] : i, node = id < 0 ? first : sr_cost_node(machine, id);
		if (first >= 0 && node != first)
			return SR_LINK_NETWORK;
		first = node;
	}
	return SR_LINK_NODE;
}

double sr_cost_wire_bytes_per_second(const struct sr_machine *machine)
{
	return machine->links[SR_LINK_NODE].bytes_per_s;
}

double sr_cost_bytes_per_multiply_add(const struct sr_machine *machine)
{
	return 2 * machine->links[SR_LINK_NODE].bytes_per_s / machine->product_flops_per_s[SR_PRODUCT_F32];
}

double sr_cost_multiply_adds_per_byte(const struct sr_machine *machine)
{
	return machine->product_flops_per_s[SR_PRODUCT_F32] / (2 * machine->bytes_per_s[SR_LEVEL_MEMORY]);
}

double sr_cost_bytes_per_latency(const struct sr_machine *machine)
{
	return machine->links[SR_LINK_NODE].latency_s * machine->links[SR_LINK_NODE].bytes_per_s;
}
