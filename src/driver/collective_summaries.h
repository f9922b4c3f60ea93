/* A program's collectives one by one, for the report, the summary and the limits that a plan can be held to. */
#ifndef SR_DRIVER_COLLECTIVE_SUMMARIES_H
#define SR_DRIVER_COLLECTIVE_SUMMARIES_H

#include "program/program.h"
#include "support/diag.h"

/* Collectives of one kind with one cause, place and layouts; sums over all of them, each counted once, in a loop or not. */
struct sr_collective_summary {
	enum sr_coll kind;
	const char *op, *cause, *place;      /* place: "model.mlir:3:5" or "" */
	const char *from, *to, *axes;        /* "[{x}, {}]", "x, y"; "": not known */
	int64_t count, bytes, wire_bytes;    /* on a device */
	double seconds;
};

struct sr_collective_summaries {
	struct sr_collective_summary *at; /* [n], the dearest first */
	size_t n;
};
struct sr_collective_summaries sr_collective_summaries_of(const struct sr_program *p, struct sr_arena *arena);
/* "all-gather of [{x}] to [{}] over x for 'stablehlo.dot' at model.mlir:3:5" */
void sr_collective_summary_print(const struct sr_collective_summary *m, struct sr_buf *out);

/* It leaves a value whole on every device, and what could be done about it; NULL: it does not. */
const char *sr_collective_summary_cure(const struct sr_collective_summary *m);

/* What a plan may not exceed, as on the command line; NULL: no limit. */
struct sr_plan_limits {
	const char *full_replication; /* bytes of one value */
	const char *wire_bytes;       /* that a device sends in a step */
	const char *collectives;      /* "all-gather:3,all-to-all:0" */
};
/* SR_USAGE, reported: the limits do not read. SR_DIFFERS, reported at the op that is to blame, with a cure: one is exceeded. */
enum sr_status sr_plan_limits_check(const struct sr_program *p, const struct sr_plan_limits *limits, struct sr_arena *arena,
				    struct sr_diags *diags);

#endif
