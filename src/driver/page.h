/* The page: one HTML file on which a person reads what became of a program. Ops with the sharding that each value had before
 * propagation and has after it, the collectives that it causes with their bytes on the wire, and the source line that it comes
 * from.
 *
 * Gathered along the road, because partition takes the global module apart: sr_page_before (imported), sr_page_after
 * (propagated), sr_page_collectives (optimized); then sr_page_write. Values are called by the names they were read with
 * (sr_context.keep_names), and collectives find their op by its location, which every pass keeps. All memory is the context's. */
#ifndef SR_DRIVER_PAGE_H
#define SR_DRIVER_PAGE_H

#include "driver/driver.h"
#include "support/map.h"
#include "support/vec.h"

/* A collective of the local module. */
struct sr_page_collective {
	struct sr_collective_cost cost;
	const char *cause, *type; /* of its first result */
	int64_t group_size;       /* 0: by pairs */
	size_t row;               /* of the op that caused it; SIZE_MAX: none is known */
};

/* A line of the program: an op, or an argument of a function. */
struct sr_page_row {
	int depth;
	const char *name, *text, *type; /* "%12"; "stablehlo.add %3, %7"; "tensor<4xf32>" */
	const char *before, *after;     /* shardings; NULL: none */
	const char *said, *place;       /* what the user's program calls it and where it stands there; NULL: unknown */
	int64_t wire_bytes;             /* of the collectives that it causes */
	bool heading;                   /* of a function */
};

struct sr_page {
	struct sr_context *ctx;
	struct sr_map before; /* value -> sharding attribute */
	struct sr_map row_of; /* location -> 1 + row */
	SR_VEC(struct sr_page_row) rows;
	SR_VEC(struct sr_page_collective) collectives;
};

void sr_page_before(struct sr_page *page, struct sr_context *ctx, struct sr_op *module);
void sr_page_after(struct sr_page *page, struct sr_op *module);
void sr_page_collectives(struct sr_page *page, struct sr_op *local);
/* `compiled` holds the figures. */
void sr_page_write(struct sr_page *page, const char *model, const struct sr_compiled *compiled, struct sr_buf *out);

#endif
