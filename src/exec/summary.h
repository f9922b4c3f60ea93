/* Summary of a run on standard error. */
#ifndef SR_EXEC_SUMMARY_H
#define SR_EXEC_SUMMARY_H

#include "exec/placement.h"

struct sr_summary {
	const struct sr_run_options *options;
	const struct sr_program *program;
	const struct sr_buf *node;              /* lines about the machine and the ranks; NULL or empty: none */
	const struct sr_placed *placed;
	int ranks;
	bool ran;       /* true if the program was executed; false if it was only planned */
	double step_s;  /* median time of an execution, seconds */
	int64_t rss;    /* peak resident bytes of the rank that used most */
	struct sr_arena *arena;
};

/* Append the summary line; if verbose, also memory, arguments, results and collectives. */
void sr_summary_print(const struct sr_summary *s, struct sr_buf *out);
/* Report a note if ranks do equal work: the program has no mesh, or no value is sharded. */
void sr_note_sharding(const struct sr_program *p, const struct sr_run_options *o, int ranks, struct sr_diags *diags);

#endif
