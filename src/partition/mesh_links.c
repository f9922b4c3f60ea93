/* Placement of mesh axes on nodes, by strides, and internode costs. */
#include "partition/mesh_links.h"

struct sr_mesh_links sr_mesh_links_of(const struct sr_machine *m, const struct sr_mesh *mesh)
{
	const struct sr_link_costs *node = &m->links[SR_LINK_NODE], *network = &m->links[SR_LINK_NETWORK];
	return (struct sr_mesh_links){.mesh = mesh,
				      .devices_per_node = m->knows_nodes ? m->ranks_per_node : 0,
				      .bytes_ratio = node->bytes_per_s / network->bytes_per_s,
				      .latency_ratio = network->latency_s / node->latency_s};
}

static int64_t count_devices(const struct sr_mesh *mesh)
{
	int64_t n = 1;
	for (int a = 0; a < mesh->n_axes; a++)
		n *= mesh->axes[a].size;
	return n;
}

bool sr_mesh_links_span_nodes(const struct sr_mesh_links *l)
{
	return l->devices_per_node && l->devices_per_node < count_devices(l->mesh);
}

/* Return how many positions apart neighbours along the axis are in the order of placement. */
static int64_t stride(const struct sr_mesh_links *l, struct sr_axis_ref ref)
{
	int64_t inner = 1;
	for (int i = l->mesh->n_axes - 1; i >= 0; i--) {
		const struct sr_axis *axis = &l->mesh->axes[l->order ? l->order[i] : i];
		if (axis->name == ref.axis)
			return inner * (axis->size / (ref.pre * ref.size));
		inner *= axis->size;
	}
	return inner;
}

/* Return how many steps along the axis stay on one node. */
static int64_t fitting(const struct sr_mesh_links *l, struct sr_axis_ref ref)
{
	int64_t step = stride(l, ref), fit = l->devices_per_node > step ? (l->devices_per_node + step - 1) / step : 1;
	return fit < ref.size ? fit : ref.size;
}

int64_t sr_mesh_links_members(const struct sr_mesh_links *l, struct sr_axes axes)
{
	int64_t members = 1;
	for (int i = 0; i < axes.n; i++)
		members *= fitting(l, axes.refs[i]);
	return members;
}

/* Return the partial sums that each node computes: the reduction tree is over the devices in the mesh's order, and only members that
 * follow each other there are one subtree. */
static int64_t partial_sums(const struct sr_mesh_links *l, struct sr_axes axes)
{
	int64_t sums = 1;
	bool split = false; /* an axis that is minor in the mesh's order spans nodes */
	for (int a = l->mesh->n_axes - 1; a >= 0; a--)
		for (int i = 0; i < axes.n; i++) {
			if (axes.refs[i].axis != l->mesh->axes[a].name)
				continue;
			int64_t fit = fitting(l, axes.refs[i]);
			sums *= split ? fit : 1;
			split = split || fit < axes.refs[i].size;
		}
	return sums;
}

struct sr_internode_cost sr_mesh_links_cost(const struct sr_mesh_links *l, enum sr_coll coll, double r, struct sr_axes axes)
{
	double n = (double)sr_axes_size(axes), members = sr_mesh_links_span_nodes(l) ? (double)sr_mesh_links_members(l, axes) : n;
	double nodes = n / members, sent = 0;
	if (nodes <= 1)
		return (struct sr_internode_cost){0};
	switch (coll) {
	case SR_ALL_REDUCE:
		sent = (double)(partial_sums(l, axes) + 1) * r * (nodes - 1) / n;
		break;
	case SR_REDUCE_SCATTER:
		sent = (double)partial_sums(l, axes) * r * (nodes - 1) / n;
		break;
	case SR_ALL_GATHER:
	case SR_BROADCAST:
		sent = r * (nodes - 1) / n;
		break;
	case SR_ALL_TO_ALL:
		sent = r * (n - members) / n;
		break;
	case SR_PERMUTE:
	case SR_COLL_COUNT:
		sent = r * (nodes - 1) / nodes;
		break;
	}
	return (struct sr_internode_cost){sent * l->bytes_ratio, l->latency_ratio};
}
