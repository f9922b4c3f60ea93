/* The page: one HTML file on which a person reads what became of a program. Ops with the sharding that each value had before
 * propagation and has after it, the collectives that it causes with their bytes on the wire, and the source line that it comes
 * from.
 *
 * Gathered along the road, because partition takes the global module apart: sr_page_before (imported), sr_page_after
 * (propagated), sr_page_after_reshards (conflicts are reshards and reductions, which are no collectives yet), sr_page_collectives
 * (optimized); then sr_page_write. Values are called by the names they were read with (sr_context.keep_names), and collectives
 * find their op and cause by their location, which every pass keeps. All memory is the context's. */
#ifndef SR_DRIVER_PAGE_H
#define SR_DRIVER_PAGE_H

#include "driver/driver.h"
#include "support/map.h"
#include "support/vec.h"

/* Why partition moves a value or reduces it. */
struct sr_page_cause {
	const char *words; /* which shardings met, at which op, over which axes */
	size_t row;        /* of that op; SIZE_MAX: none is known */
};

/* A collective of the local module. */
struct sr_page_collective {
	enum sr_coll kind;
	struct sr_collective_cost cost;
	const char *cause, *type; /* of its first result */
	int64_t group_size;       /* 0: by pairs */
	size_t row;               /* of the op that caused it; SIZE_MAX: none is known */
};

/* A line of the program: an op, or an argument of a function. */
struct sr_page_row {
	int depth;
	const char *name, *op, *text, *type; /* "%12"; "stablehlo.add"; "stablehlo.add %3, %7"; "tensor<4xf32>" */
	const char *function;                /* "@f", which is not the entry; NULL: in the entry */
	const char *before, *after;          /* shardings; NULL: none */
	const struct sr_attr *sharding;      /* the one after, as an attribute */
	const char *said, *place, *source;   /* what the user's program calls it, where it stands there, that line; NULL: unknown */
	int64_t wire_bytes;                  /* of the collectives that it causes */
	bool heading;                        /* of a function */
};

struct sr_page {
	struct sr_context *ctx;
	const char *model;
	struct sr_map before;   /* value -> sharding attribute */
	struct sr_map row_of;   /* location -> 1 + row */
	struct sr_map cause_of; /* location -> 1 + cause */
	struct sr_map files;    /* name -> its lines */
	const char *function;   /* while rows are made */
	SR_VEC(struct sr_page_row) rows;
	SR_VEC(struct sr_page_cause) causes;
	SR_VEC(struct sr_page_collective) collectives;
};

void sr_page_before(struct sr_page *page, struct sr_context *ctx, const char *model, struct sr_op *module);
enum sr_status sr_page_after(struct sr_page *page, struct sr_op *module, const char *entry);
void sr_page_after_reshards(struct sr_page *page, struct sr_op *module);
void sr_page_collectives(struct sr_page *page, struct sr_op *local);
/* `compiled` holds the figures. */
void sr_page_write(struct sr_page *page, const struct sr_compiled *compiled, struct sr_buf *out);

/* ---- for the parts of the page ---- */
void sr_page_put_value(struct sr_buf *out, struct sr_value *v); /* "%12", "%arg0 (w1)", "%3#1" */
/* The row of the op or argument that is at this location; SIZE_MAX: none. */
size_t sr_page_row_of(const struct sr_page *page, const struct sr_attr *loc);
/* The cause that the op at this location has; NULL: none. */
const struct sr_page_cause *sr_page_cause_of(const struct sr_page *page, const struct sr_attr *loc);
/* The line of a source, without the blanks around it, where the file is there: as it is named or beside the model. NULL: it is not,
 * or it is the model. */
const char *sr_page_source(struct sr_page *page, struct sr_src_loc at);

#endif
