/* The HTML page: one self-contained file that shows what the compiler did with a program: ops with the sharding of each value
 * before and after propagation, the collectives that they cause with their wire bytes, and their source lines. The data is
 * collected during compilation, because partition replaces the global module: sr_page_record_input (imported),
 * sr_page_record_propagated (propagated), sr_page_record_causes (conflicts are explicit reshards and reductions, not yet
 * collectives), sr_page_record_collectives (optimized); then sr_page_write. Values have the names of the input text
 * (sr_context.keep_names); collectives find their op and cause by location, which every pass keeps. All memory is the context's. */
#ifndef SR_DRIVER_PAGE_H
#define SR_DRIVER_PAGE_H

#include "driver/driver.h"
#include "support/map.h"
#include "support/vec.h"

/* The cause of a reshard or reduction that partition inserted. */
struct sr_page_cause {
	const char *description; /* text that names the shardings in conflict, the op and the axes */
	size_t row;        /* row of the op at which the shardings conflict; SIZE_MAX: unknown */
};

/* A collective of the local module. */
struct sr_page_collective {
	enum sr_coll kind;
	struct sr_collective_cost cost;
	const char *cause, *type; /* text of the cause; type of the collective's first result */
	int64_t group_size;       /* devices per replica group; 0 for collective_permute and collective_broadcast */
	size_t row;               /* row of the op that caused the collective; SIZE_MAX: unknown */
};

/* A row of the program table: a result of an op, or an argument of a function. */
struct sr_page_row {
	int depth;
	const char *name, *op, *text, *type; /* for example "%12"; "stablehlo.add"; "stablehlo.add %3, %7"; "tensor<4xf32>" */
	const char *function;                /* "@f" if the op is in function f; NULL if it is in the entry */
	const char *shardings_before, *sharding_after;          /* text of the op's shardings before and after propagation; NULL: no sharding */
	const struct sr_attr *sharding;      /* the sharding after propagation, as an attribute */
	/* name in the user's program; "file:line"; text of that source line; NULL: unknown */
	const char *source_name, *place, *source;
	int64_t wire_bytes;                  /* bytes that a device sends in the collectives that the op causes */
	bool is_heading;                        /* true if the row is the heading of a function instead of an op */
};

struct sr_page {
	struct sr_context *ctx;
	const char *model;
	struct sr_map shardings_before;   /* maps a value to its sharding attribute */
	struct sr_map row_of;   /* maps a location to 1 + its row */
	struct sr_map cause_of; /* maps a location to 1 + the index of its cause */
	struct sr_map files;    /* maps a file name to the file's lines */
	const char *function;   /* function whose rows are being collected, "@f"; NULL: the entry */
	SR_VEC(struct sr_page_row) rows;
	SR_VEC(struct sr_page_cause) causes;
	SR_VEC(struct sr_page_collective) collectives;
};

void sr_page_record_input(struct sr_page *page, struct sr_context *ctx, const char *model, struct sr_op *module);
enum sr_status sr_page_record_propagated(struct sr_page *page, struct sr_op *module, const char *entry);
void sr_page_record_causes(struct sr_page *page, struct sr_op *module);
void sr_page_record_collectives(struct sr_page *page, struct sr_op *local);
/* Write the page; `compiled` has the figures of the plan. */
void sr_page_write(struct sr_page *page, const struct sr_compiled *compiled, struct sr_buf *out);

/* ---- shared by the page's files ---- */
void sr_page_put_value(struct sr_buf *out, struct sr_value *v); /* Print the name of a value: "%12", "%arg0 (w1)", "%3#1". */
/* Return the row of the op or argument at this location; SIZE_MAX if there is none. */
size_t sr_page_row_of(const struct sr_page *page, const struct sr_attr *loc);
/* Return the cause recorded for this location, or NULL. */
const struct sr_page_cause *sr_page_cause_of(const struct sr_page *page, const struct sr_attr *loc);
/* Return a source line without surrounding blanks, from the file at its recorded path or of the same name beside the model;
 * NULL if there is no such file, or it is the model. */
const char *sr_page_source(struct sr_page *page, struct sr_src_loc at);

#endif
