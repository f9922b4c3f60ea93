/* State of a loop, shared by its files. Internal to exec/loop. */
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
	bool has_step_count;  /* --loop gives the number of steps; streams are repeated */
	int64_t steps; /* number of the last step; INT64_MAX: unknown */
	struct sr_streams *streams;
	struct sr_arrays *arrays;
	struct sr_executable *e;
	struct sr_run_state *r;
	const struct sr_carried *pairs;
	int n_pairs;
	int until;		   /* result of --until; -1: none */
	struct sr_metrics *metrics;
	struct sr_checkpoint *checkpoint; /* NULL: no checkpoints */
	struct sr_resumed resumed;
	struct sr_arena *arena;
	struct sr_diags *diags;
	int64_t first, step; /* number of steps before this run, and so far */
	int64_t times;	     /* number of steps whose times can be kept */
	double last_step_end;	     /* time when the last step ended */
	int64_t last_sync,
		next_checkpoint_sync; /* with checkpoints: step of the last synchronization, and latest step of the next one */
	double last_sync_time;
};

/* SR_USAGE, reported, for inconsistent options, or such options without --loop (loop_options.c). */
enum sr_status sr_loop_check_options(const struct sr_run_options *o, struct sr_diags *diags);
/* Return the streams' next files for a checkpoint, in the arena. */
const struct sr_manifest_stream *sr_loop_positions(const struct sr_loop *l, struct sr_arena *arena);

#endif
