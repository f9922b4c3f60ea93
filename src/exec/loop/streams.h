/* Inputs with another file in each step: --input=batch=@data_*.npy. The files that match the pattern are used in order of their
 * names, one per step, and repeated from the first. A background thread reads the next ones while a step executes.
 *
 *	sr_streams_expand(&options, &streams, arena, diags);               inputs now name the first files
 *	sr_streams_open(streams, &arrays, &options, arena, diags);     finds their arguments
 *	sr_streams_start(streams); sr_streams_next(streams, diags); step; sr_streams_next(streams, diags); step; ...
 *
 * Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_STREAMS_H
#define SR_EXEC_LOOP_STREAMS_H

#include "exec/run.h"
#include "exec/values/arrays.h"

struct sr_stream_files {
	const char *input; /* value of the --input as on the command line */
	const char *const *paths;
	int64_t n;
	int64_t position; /* number of the next step's file, not reduced modulo n when the stream is repeated */
	int64_t begin;    /* value of `position` when this run began */
};

struct sr_streams;

/* Replace each --input with a * in its file name by an input with the first matching file. Returns SR_USAGE, reported, if no file
 * matches. */
enum sr_status sr_streams_expand(struct sr_run_options *o, struct sr_streams **streams, struct sr_arena *arena,
				 struct sr_diags *diags);
struct sr_stream_files *sr_streams_files(struct sr_streams *streams, int *n);
/* Return a hash of the names of all streams' files. */
uint64_t sr_streams_hash(const struct sr_streams *streams);
/* Find the argument of each stream. Sets is_filled[i] to true if a stream fills argument i; length: number of arguments. */
enum sr_status sr_streams_open(struct sr_streams *streams, struct sr_arrays *arrays, const struct sr_run_options *o,
			       bool *is_filled, struct sr_arena *arena, struct sr_diags *diags);
/* Start reading at the streams' current positions, for at most `steps` steps. Returns SR_NO_MEMORY if the thread cannot be
 * started. */
enum sr_status sr_streams_start(struct sr_streams *streams, int64_t steps, struct sr_diags *diags);
/* Set the streams' arguments for the next step. An error in a file is reported when its step is reached. */
enum sr_status sr_streams_next(struct sr_streams *streams, struct sr_diags *diags);
void sr_streams_close(struct sr_streams *streams); /* Stop the reader thread; `streams` may be NULL. */

#endif
