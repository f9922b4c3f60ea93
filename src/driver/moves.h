/* A program's collectives one by one, for the report, the summary and the limits that a plan can be held to. */
#ifndef SR_DRIVER_MOVES_H
#define SR_DRIVER_MOVES_H

#include "program/program.h"
#include "support/diag.h"

/* Collectives of one kind with one cause, place and layouts; sums over all of them, each counted once, in a loop or not. */
struct sr_move {
	enum sr_coll kind;
	const char *op, *cause, *place;      /* place: "model.mlir:3:5" or "" */
	const char *from, *to, *axes;        /* "[{x}, {}]", "x, y"; "": not known */
	int64_t count, bytes, wire_bytes;    /* on a device */
	double seconds;
};

struct sr_moves {
	struct sr_move *at; /* [n], the dearest first */
	size_t n;
};
struct sr_moves sr_moves_of(const struct sr_program *p, struct sr_arena *arena);
/* "all-gather of [{x}] to [{}] over x for 'stablehlo.dot' at model.mlir:3:5" */
void sr_move_print(const struct sr_move *m, struct sr_buf *out);

/* It leaves a value whole on every device, and what could be done about it; NULL: it does not. */
const char *sr_move_cure(const struct sr_move *m);

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
