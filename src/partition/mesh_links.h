/* Placement of a mesh's axes on the nodes of a machine, and what a collective along some of them costs between nodes.
 *
 * Nodes hold equal numbers of devices, consecutive in the order of placement: the mesh's row-major order with the axes permuted. A
 * collective between nodes is hierarchical: each node reduces the operands of members that follow each other to one partial sum, and
 * receives a block of another node once (collectives/hierarchy.h). The bytes that leave a node are divided among its devices. Internal to partition. */
#ifndef SR_PARTITION_MESH_LINKS_H
#define SR_PARTITION_MESH_LINKS_H

#include "cost/cost.h"
#include "mesh/mesh.h"

struct sr_mesh_links {
	const struct sr_mesh *mesh;
	int64_t devices_per_node; /* 0: all devices are on one node, or their nodes are not known */
	const int *order;         /* [mesh->n_axes]: axes of the placement, major to minor; NULL: the mesh's order */
	double bytes_ratio, latency_ratio; /* time of a byte, and of a round, between nodes, divided by that within a node */
};

/* Links of the mesh on the machine, in the mesh's order. */
struct sr_mesh_links sr_mesh_links_of(const struct sr_machine *machine, const struct sr_mesh *mesh);
/* Return true if the mesh needs several nodes. */
bool sr_mesh_links_span_nodes(const struct sr_mesh_links *links);
/* Return how many of the devices that differ only along `axes` are on one node; exact if the sizes of axes and nodes divide each other. */
int64_t sr_mesh_links_members(const struct sr_mesh_links *links, struct sr_axes axes);

/* What a collective costs between nodes, in addition to its cost within a node. */
struct sr_internode_cost {
	double bytes;  /* bytes within a node that take as long as the bytes a device sends to other nodes */
	double rounds; /* rounds within a node that take as long as the additional latency */
};
static inline void sr_internode_cost_add(struct sr_internode_cost *sum, struct sr_internode_cost more)
{
	sum->bytes += more.bytes;
	sum->rounds += more.rounds;
}
/* For results of r bytes per device. A reduce_scatter of r bytes costs as an all_gather to r bytes. */
struct sr_internode_cost sr_mesh_links_cost(const struct sr_mesh_links *links, enum sr_coll coll, double r, struct sr_axes axes);

#endif
