/* What a run says of itself beside its results. */
#ifndef SR_EXEC_SUMMARY_H
#define SR_EXEC_SUMMARY_H

#include "exec/placement.h"

struct sr_summary {
	const struct sr_run_options *options;
	const struct sr_program *program;
	const struct sr_buf *node;              /* of the machine; NULL or empty: nothing */
	const struct sr_placed *placed;
	int ranks;
	bool ran;       /* otherwise planned alone */
	double step_s;  /* median */
	int64_t rss;    /* bytes of the rank that took most */
	struct sr_arena *arena;
};

/* The summary line; where the options are verbose, what the program takes and gives and its collectives. */
void sr_summary_print(const struct sr_summary *s, struct sr_buf *out);
/* A note where ranks have nothing to share: no mesh, or a mesh over which nothing is sharded. */
void sr_note_sharding(const struct sr_program *p, const struct sr_run_options *o, int ranks, struct sr_diags *diags);

#endif
