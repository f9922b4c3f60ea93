/* What the parts of a loop have in common. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_LOOP_STATE_H
#define SR_EXEC_LOOP_LOOP_STATE_H

#include "exec/loop/checkpoint.h"
#include "exec/loop/loop.h"
#include "exec/loop/metrics.h"
#include "exec/loop/resume.h"
#include "exec/loop/streams.h"
#include "exec/state.h"

struct sr_loop {
	const struct sr_run_options *o;
	bool counted;  /* --loop says how many steps; streams begin again */
	int64_t steps; /* the last one's number; INT64_MAX: not known */
	struct sr_streams *streams;
	struct sr_executable *e;
	struct sr_run_state *r;
	const struct sr_carried *pairs;
	int n_pairs;
	struct sr_carry **carries; /* [devices here] */
	char ***kept;		   /* [devices here][arguments]: of the donated that nothing fills; NULL of others */
	int until;		   /* a result; -1: none */
	struct sr_metrics *metrics;
	struct sr_checkpoint *checkpoint; /* NULL: none are written */
	struct sr_resumed resumed;
	struct sr_arena *arena;
	struct sr_diags *diags;
	int64_t first, step; /* that were done before this run, and by now */
	int64_t times;	     /* there is room for those of so many steps */
	double last;	     /* when the last step was done */
	int64_t met,
		look; /* where checkpoints are written: the steps behind which the ranks met, and meet again at the latest */
	double met_at;
};

/* SR_USAGE, reported, for options that make no sense together, or without a loop (loop_options.c). */
enum sr_status sr_loop_check_options(const struct sr_run_options *o, struct sr_diags *diags);
/* The streams' next files, for a checkpoint; in the arena. */
const struct sr_manifest_stream *sr_loop_positions(const struct sr_loop *l, struct sr_arena *arena);

#endif
