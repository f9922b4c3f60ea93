/* Shardings of values while data-flow edges stand in the module, and the axes of shardings resolved and back. */
#ifndef SR_IMPORT_SHARDINGS_H
#define SR_IMPORT_SHARDINGS_H

#include "dialect/ops.h"

/* The value where the sharding of v is kept: the result of its data-flow edge op, the owner of its edge, or v itself. NULL: v
 * cannot have a sharding (a block argument of a reducer and the like). */
struct sr_value *sr_shardable_value(struct sr_context *ctx, struct sr_value *v);
const struct sr_attr *sr_get_sharding(struct sr_context *ctx, struct sr_value *v); /* kind SHARDING; NULL: none */
void sr_set_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding);

/* A copy with all axis references resolved against the mesh, in the arena given; and the interned attribute of a resolved
 * sharding. */
struct sr_sharding *sr_sharding_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sharding *s);
const struct sr_attr *sr_sharding_attr(struct sr_context *ctx, const struct sr_mesh *mesh, const struct sr_sharding *s);

/* Manual axes (names, as in manual_axes) come first in every dimension of a manual computation's shardings. */
struct sr_sharding sr_sharding_erase_manual(struct sr_arena *arena, const struct sr_sharding *s, struct sr_axes manual);
/* `inner` has free axes alone; the manual ones of `outer` are put before them. */
struct sr_sharding sr_sharding_add_manual(struct sr_arena *arena, const struct sr_sharding *outer, const struct sr_sharding *inner,
					  struct sr_axes manual);

#endif
