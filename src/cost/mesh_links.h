/* Placement of a mesh's axes on the nodes of a machine, and the cost of a collective along some of them.
 *
 * Nodes hold equal numbers of devices, consecutive in the order of placement: the mesh's row-major order with the axes permuted.
 * A collective between nodes is hierarchical: each node reduces the operands of members that follow each other to one partial
 * sum, and receives a block of another node once (collectives/hierarchy.h). The bytes that leave a node are divided among its
 * devices, and so is the bandwidth of its network adapter. */
#ifndef SR_COST_MESH_LINKS_H
#define SR_COST_MESH_LINKS_H

#include "cost/cost.h"
#include "mesh/mesh.h"

struct sr_mesh_links {
	const struct sr_mesh *mesh;
	int64_t devices_per_node; /* 0: all devices are on one node, or their nodes are not known */
	const int *order;         /* axes in the order of placement, major to minor; length mesh->n_axes; NULL: the mesh's order */
	/* ratio of the time of a byte that a device sends to another node to that of a byte within a node; the same ratio for the
	 * latency of a round */
	double bytes_ratio, latency_ratio;
};

/* Return the links of the mesh on the machine, with the axes placed in the mesh's order. */
struct sr_mesh_links sr_mesh_links_of(const struct sr_machine *machine, const struct sr_mesh *mesh);
/* Parse an order of placement: names of axes separated by commas, the outermost first; "" is the mesh's order. Return false if
 * the text is NULL or does not name every axis of the mesh once. */
bool sr_mesh_axis_order(const struct sr_mesh *mesh, const char *text, int *order);
/* Return true if the mesh's devices are on several nodes. */
bool sr_mesh_links_span_nodes(const struct sr_mesh_links *links);
/* Return how many of the devices that differ only along `axes` are on one node; exact if the sizes of axes and nodes divide each
 * other. */
int64_t sr_mesh_links_members(const struct sr_mesh_links *links, struct sr_axes axes);

/* Cost of collectives: their time, as bytes and rounds of the link within a node that take as long. */
struct sr_wire_cost {
	double bytes;      /* bytes within a node that take as long as all bytes that a device sends */
	double rounds;     /* rounds within a node that take as long as the latencies of all rounds */
	double sent_bytes; /* bytes that a device sends, on any link */
	int n;             /* number of collectives whose costs are summed */
};
static inline void sr_wire_cost_add(struct sr_wire_cost *sum, struct sr_wire_cost addend)
{
	sum->bytes += addend.bytes;
	sum->rounds += addend.rounds;
	sum->sent_bytes += addend.sent_bytes;
	sum->n += addend.n;
}
/* Return the cost of one collective along the axes for results of r bytes per device, 0 if the axes have one device; a permute
 * sends r bytes whatever its axes are. links NULL: all devices are on one node. */
struct sr_wire_cost sr_cost_collective(const struct sr_mesh_links *links, enum sr_coll coll, double r, struct sr_axes axes);

#endif
