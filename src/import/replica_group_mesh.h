/* Read and set the mesh in a StableHLO collective's replica_groups of the form #stablehlo.replica_group_mesh_axes<mesh = ..., axes
 * = [...]>. */
#ifndef SR_IMPORT_REPLICA_GROUP_MESH_H
#define SR_IMPORT_REPLICA_GROUP_MESH_H

#include "dialect/ops.h"

/* Return the mesh (symbol, #sdy.mesh or #stablehlo.mesh); NULL if replica_groups have another form. */
const struct sr_attr *sr_replica_group_mesh(const struct sr_op *op);
void sr_replica_group_set_mesh(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *mesh);
/* Read the mesh of an #sdy.mesh, or that of a #stablehlo.mesh without its device ids. Return false if attr is neither. */
bool sr_mesh_of_attr(struct sr_context *ctx, const struct sr_attr *attr, struct sr_mesh *mesh);
/* Return the mesh as a #stablehlo.mesh. */
const struct sr_attr *sr_stablehlo_mesh(struct sr_context *ctx, const struct sr_mesh *mesh);

#endif
