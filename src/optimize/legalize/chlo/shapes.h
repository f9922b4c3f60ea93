/* Shapes in the legalization of chlo, where they may be dynamic. */
#ifndef SR_OPTIMIZE_CHLO_SHAPES_H
#define SR_OPTIMIZE_CHLO_SHAPES_H

#include "dialect/ops.h"

/* Return true if each dimension is static or has a bound. */
bool sr_chlo_is_bounded(const struct sr_type *t);
/* Broadcast operands, all bounded, to a common shape by NumPy's rule. Return false, with nothing built, if the shapes are
 * incompatible. */
bool sr_chlo_broadcast_bounded(struct sr_builder *b, struct sr_value *const *operands, int n, struct sr_value **out);
/* Build a tensor of the shape of `like` with this element everywhere. */
struct sr_value *sr_chlo_constant_like(struct sr_builder *b, const struct sr_type *element, const void *bytes,
				       struct sr_value *like);
/* Build a value's shape, tensor<Nxindex>; a constant if the shape is static. */
struct sr_value *sr_chlo_shape_of(struct sr_builder *b, struct sr_value *v);
/* Build one extent as tensor<i64>; and a tensor<Nxi64> from extents. */
struct sr_value *sr_chlo_extent(struct sr_builder *b, struct sr_value *v, int dim);
struct sr_value *sr_chlo_as_row(struct sr_builder *b, struct sr_value *scalar); /* reshape a scalar to tensor<1xi64> */
struct sr_value *sr_chlo_rows(struct sr_builder *b, struct sr_value *const *rows, int n);

#endif
