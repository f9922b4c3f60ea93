/* The mesh that a StableHLO collective's replica_groups name or hold: #stablehlo.replica_group_mesh_axes<mesh = ..., axes =
 * [...]>. */
#ifndef SR_IMPORT_REPLICA_GROUP_MESH_H
#define SR_IMPORT_REPLICA_GROUP_MESH_H

#include "dialect/ops.h"

/* symbol, #sdy.mesh or #stablehlo.mesh; NULL: no such groups */
const struct sr_attr *sr_replica_group_mesh(const struct sr_op *op);
void sr_replica_group_set_mesh(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *mesh);
/* The axes alone of a #stablehlo.mesh or #sdy.mesh; false where the attribute is neither. */
bool sr_mesh_of_attr(struct sr_context *ctx, const struct sr_attr *attr, struct sr_mesh *mesh);
const struct sr_attr *sr_stablehlo_mesh(struct sr_context *ctx, const struct sr_mesh *mesh);

#endif
