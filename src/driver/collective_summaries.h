/* Summaries of a program's collectives, for the report, the summary and the limits of a plan. */
#ifndef SR_DRIVER_COLLECTIVE_SUMMARIES_H
#define SR_DRIVER_COLLECTIVE_SUMMARIES_H

#include "program/program.h"
#include "support/diag.h"

/* Collectives with the same kind, cause, location and shardings; figures are sums over them, each counted once, in a loop or
 * not. */
struct sr_collective_summary {
	enum sr_coll kind;
	const char *op, *cause, *place;      /* place: source location, "model.mlir:3:5" or "" */
	/* operand's and result's sharding and the axes, for example "[{x}, {}]", "[{}, {}]" and "x"; "": unknown */
	const char *from_sharding, *to_sharding, *axes;
	int64_t count, bytes, wire_bytes;    /* sums over the collectives, on one device */
	double seconds;
};

struct sr_collective_summaries {
	struct sr_collective_summary *summaries; /* summaries, most expensive first; length n */
	size_t n;
};
struct sr_collective_summaries sr_collective_summaries_of(const struct sr_program *p, struct sr_arena *arena);
/* Append the text of a summary: "all-gather from [{x}] to [{}] over x (its cause) at model.mlir:3:5" */
void sr_collective_summary_print(const struct sr_collective_summary *m, struct sr_buf *out);

/* Return advice for the user if the collective leaves a value replicated on every device; otherwise NULL. */
const char *sr_collective_summary_cure(const struct sr_collective_summary *m);

/* Limits of a plan, as on the command line; NULL: no limit. */
struct sr_plan_limits {
	/* text of --error-on-full-replication: maximum bytes of one replicated value; NULL: no limit */
	const char *full_replication;
	const char *wire_bytes;       /* text of --max-wire-bytes: maximum bytes that a device sends in a step; NULL: no limit */
	/* text of --max-collectives: maximum numbers by kind, such as "all-gather:3,all-to-all:0"; NULL: no limit */
	const char *collectives;
};
/* Check a plan against limits. Return SR_USAGE, after reporting it, if a limit cannot be parsed. Return SR_DIFFERS if a limit is
 * exceeded, after an error with advice at the op that causes the excess. */
enum sr_status sr_plan_limits_check(const struct sr_program *p, const struct sr_plan_limits *limits, struct sr_arena *arena,
				    struct sr_diags *diags);

#endif
