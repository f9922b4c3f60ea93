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
	bool has_step_count;  /* true if --loop gives the number of steps; streams are then repeated from their first file */
	int64_t steps; /* number of the last step; INT64_MAX: unknown */
	struct sr_streams *streams;
	struct sr_arrays *arrays;
	struct sr_executable *e;
	struct sr_run_state *r;
	const struct sr_carried *pairs;
	int n_pairs;
	int until;		   /* index of --until's result; -1: none */
	struct sr_metrics *metrics;
	struct sr_checkpoint *checkpoint; /* writer of checkpoints; NULL: none are written */
	struct sr_resumed resumed;
	struct sr_arena *arena;
	struct sr_diags *diags;
	int64_t first, step; /* number of steps before this run (from the checkpoint), and number of steps so far */
	int64_t times;	     /* number of steps whose times the arrays can hold */
	double last_step_end;	     /* time when the last step ended, seconds of sr_now */
	int64_t last_sync,
		next_checkpoint_sync; /* step of the last synchronization; latest step of the next one if checkpoints are written */
	double last_sync_time;
};

/* Return SR_USAGE, reported, for inconsistent options of the loop, or for such options without --loop (loop_options.c). */
enum sr_status sr_loop_check_options(const struct sr_run_options *o, struct sr_diags *diags);
/* Return each stream's position, with the name of its next file, for a checkpoint; allocated in the arena. */
const struct sr_manifest_stream *sr_loop_positions(const struct sr_loop *l, struct sr_arena *arena);

#endif
