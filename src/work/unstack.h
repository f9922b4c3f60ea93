/* The components of a value along a dimension of small extent, each computed by ops of its own. Internal to work. */
#ifndef SR_WORK_UNSTACK_H
#define SR_WORK_UNSTACK_H

#include "dialect/op_builders.h"
#include "support/vec.h"
#include "work/work.h"

enum { SR_UNSTACK_MAX_PARTS = 9 };

struct sr_built_part {
	const struct sr_value *whole;
	struct sr_value *part; /* component `number` of `whole` along dimension dim, without this dimension */
	int dim, number;
};

struct sr_unstacker {
	struct sr_builder b;
	int dim;             /* dimension of the components */
	int64_t n;           /* number of components */
	bool divides_shared; /* divide elementwise ops with several readers, too; `built` has their components */
	SR_VEC(struct sr_built_part) built;
};

/* Return component i of v; v itself if it is a scalar. A chain of elementwise ops, of which each has only one reader unless
 * divides_shared is set, is divided from its beginning on; of other values it is a slice. depth: 0. */
struct sr_value *sr_unstack_part(struct sr_unstacker *u, struct sr_value *v, int i, int depth);
/* Return the concatenation of all components, a value of type `type`. */
struct sr_value *sr_unstack_join(struct sr_unstacker *u, struct sr_value *const *parts, const struct sr_type *type);

#endif
