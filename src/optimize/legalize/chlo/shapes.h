/* Shapes in chlo's rewrites, where they may be known only when the program runs. */
#ifndef SR_OPTIMIZE_CHLO_SHAPES_H
#define SR_OPTIMIZE_CHLO_SHAPES_H

#include "dialect/ops.h"

/* Static, or every unknown dimension with a bound. */
bool sr_chlo_is_bounded(const struct sr_type *t);
/* The operands, all bounded, in the shape that NumPy's rule gives them together. False, with nothing built, where they do not go
 * together. */
bool sr_chlo_broadcast_bounded(struct sr_builder *b, struct sr_value *const *operands, int n, struct sr_value **out);
/* A tensor of the shape of `like` with this element everywhere. */
struct sr_value *sr_chlo_constant_like(struct sr_builder *b, const struct sr_type *element, const void *bytes,
				       struct sr_value *like);
/* The extents of a value, tensor<NxI> of index: a constant where the shape is static. */
struct sr_value *sr_chlo_shape_of(struct sr_builder *b, struct sr_value *v);
/* One extent as tensor<i64>, and such scalars as one tensor<Nxi64>. */
struct sr_value *sr_chlo_extent(struct sr_builder *b, struct sr_value *v, int dim);
struct sr_value *sr_chlo_as_row(struct sr_builder *b, struct sr_value *scalar); /* tensor<1xi64> */
struct sr_value *sr_chlo_rows(struct sr_builder *b, struct sr_value *const *rows, int n);

#endif
