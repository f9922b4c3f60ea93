/* Place mesh axes on nodes, by strides, and estimate the cost of collectives along them. */
#include "cost/mesh_links.h"
#include <string.h>

static int64_t count_devices(const struct sr_mesh *mesh)
{
	int64_t n = 1;
	for (int a = 0; a < mesh->n_axes; a++)
		n *= mesh->axes[a].size;
	return n;
}

struct sr_mesh_links sr_mesh_links_of(const struct sr_machine *machine, const struct sr_mesh *mesh)
{
	struct sr_machine of_rank;
	sr_machine_of_rank(machine, count_devices(mesh), &of_rank);
	const struct sr_link_costs *node = &of_rank.links[SR_LINK_NODE], *network = &of_rank.links[SR_LINK_NETWORK];
	return (struct sr_mesh_links){.mesh = mesh,
				      .devices_per_node = machine->knows_nodes ? machine->ranks_per_node : 0,
				      .bytes_ratio = node->bytes_per_s / network->bytes_per_s,
				      .latency_ratio = network->latency_s / node->latency_s};
}

bool sr_mesh_axis_order(const struct sr_mesh *mesh, const char *text, int *order)
{
	int n = 0;
	for (const char *at = text; at && (*at || n); at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		size_t length = strcspn(at, ",");
		int a = 0;
		while (a < mesh->n_axes && (strlen(mesh->axes[a].name) != length || memcmp(mesh->axes[a].name, at, length) != 0))
			a++;
		for (int i = 0; i < n; i++)
			a = order[i] == a ? mesh->n_axes : a;
		if (a == mesh->n_axes)
			return false;
		order[n++] = a;
	}
	for (int a = 0; text && !*text && a < mesh->n_axes; a++)
		order[n++] = a;
	return text && n == mesh->n_axes;
}

bool sr_mesh_links_span_nodes(const struct sr_mesh_links *links)
{
	return links->devices_per_node && links->devices_per_node < count_devices(links->mesh);
}

/* Return the distance, in the order of placement, between neighbours along the axis. */
static int64_t stride(const struct sr_mesh_links *l, struct sr_axis_ref ref)
{
	int64_t inner_devices = 1;
	for (int i = l->mesh->n_axes - 1; i >= 0; i--) {
		const struct sr_axis *axis = &l->mesh->axes[l->order ? l->order[i] : i];
		if (axis->name == ref.axis)
			return inner_devices * (axis->size / (ref.pre * ref.size));
		inner_devices *= axis->size;
	}
	return inner_devices;
}

/* Return how many consecutive devices along the axis are on one node. */
static int64_t steps_within_node(const struct sr_mesh_links *l, struct sr_axis_ref ref)
{
	int64_t step = stride(l, ref), fit = l->devices_per_node > step ? (l->devices_per_node + step - 1) / step : 1;
	return fit < ref.size ? fit : ref.size;
}

int64_t sr_mesh_links_members(const struct sr_mesh_links *links, struct sr_axes axes)
{
	int64_t members = 1;
	for (int i = 0; i < axes.n; i++)
		members *= steps_within_node(links, axes.refs[i]);
	return members;
}

/* Return the number of partial sums that each node computes. The reduction tree is over the devices in the mesh's order, and
 * only members that are consecutive in that order form one subtree. */
static int64_t partial_sums(const struct sr_mesh_links *l, struct sr_axes axes)
{
	int64_t sums = 1;
	bool is_split = false; /* true once an axis that is more minor in the mesh's order spans nodes */
	for (int a = l->mesh->n_axes - 1; a >= 0; a--)
		for (int i = 0; i < axes.n; i++) {
			if (axes.refs[i].axis != l->mesh->axes[a].name)
				continue;
			int64_t fit = steps_within_node(l, axes.refs[i]);
			sums *= is_split ? fit : 1;
			is_split = is_split || fit < axes.refs[i].size;
		}
	return sums;
}

/* Return the bytes that a device sends to other nodes for a result of r bytes. */
static double internode_bytes(const struct sr_mesh_links *l, enum sr_coll coll, double r, struct sr_axes axes, double n)
{
	double members = (double)sr_mesh_links_members(l, axes), nodes = n / members;
	if (coll == SR_PERMUTE)
		return r * (nodes - 1) / nodes;
	return sr_cost_leaves_node(coll, r, &(struct sr_cost_node_group){.n = n,
									 .n_nodes = nodes,
									 .members = members,
									 .sums = (double)partial_sums(l, axes),
									 .n_targets = (nodes - 1) / nodes}) /
	       members;
}

struct sr_wire_cost sr_cost_collective(const struct sr_mesh_links *links, enum sr_coll coll, double r, struct sr_axes axes)
{
	double n = (double)sr_axes_size(axes);
	if (n <= 1 && coll != SR_PERMUTE)
		return (struct sr_wire_cost){0};
	double sent_bytes = sr_cost_wire(coll, r, n);
	struct sr_wire_cost cost = {sent_bytes, 1, sent_bytes, 1};
	if (links && sr_mesh_links_span_nodes(links) && sr_mesh_links_members(links, axes) < sr_axes_size(axes)) {
		cost.bytes += internode_bytes(links, coll, r, axes, n) * links->bytes_ratio;
		cost.rounds += links->latency_ratio;
	}
	return cost;
}
