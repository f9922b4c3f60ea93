/* Shapes in the legalization of chlo, where they may be dynamic. */
#ifndef SR_OPTIMIZE_CHLO_SHAPES_H
#define SR_OPTIMIZE_CHLO_SHAPES_H

#include "dialect/ops.h"

/* Return true if each dimension is static or has a bound. */
bool sr_chlo_is_bounded(const struct sr_type *t);
/* Broadcast operands, whose shapes are all bounded, to a common shape by NumPy's rule. Returns false, with nothing built, if the
 * shapes are incompatible. */
bool sr_chlo_broadcast_bounded(struct sr_builder *b, struct sr_value *const *operands, int n, struct sr_value **out);
/* Build a tensor with the shape of `like` whose elements all equal `element`. */
struct sr_value *sr_chlo_constant_like(struct sr_builder *b, const struct sr_type *element, const void *bytes,
				       struct sr_value *like);
/* Build a value's shape, tensor<Nxindex>; a constant if the shape is static. */
struct sr_value *sr_chlo_shape_of(struct sr_builder *b, struct sr_value *v);
/* sr_chlo_extent builds one extent of v as tensor<i64>; sr_chlo_rows concatenates extents, each a tensor<1xi64>, to a
 * tensor<Nxi64>. */
struct sr_value *sr_chlo_extent(struct sr_builder *b, struct sr_value *v, int dim);
struct sr_value *sr_chlo_as_row(struct sr_builder *b, struct sr_value *scalar); /* Reshape a scalar to tensor<1xi64>. */
struct sr_value *sr_chlo_rows(struct sr_builder *b, struct sr_value *const *rows, int n);

#endif
