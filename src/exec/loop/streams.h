/* Inputs that are another file in each step: --input=batch=@data_*.npy. The files are those that fit the pattern, sorted by
 * name; step by step each is read, and after the last one the first again. A thread reads the next ones while the step runs.
 *
 *	sr_streams_expand(&options, &streams, arena, diags);               inputs name the first files from now on
 *	sr_streams_open(streams, &executable, &options, arena, diags);     which arguments they are for, and memory
 *	sr_streams_start(streams); sr_streams_next(streams, diags); step; sr_streams_next(streams, diags); step; ...
 *
 * Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_STREAMS_H
#define SR_EXEC_LOOP_STREAMS_H

#include "exec/run.h"

struct sr_stream_files {
	const char *input; /* as it was given */
	const char *const *paths;
	int64_t n;
	int64_t position; /* of the file that the next step takes, counted on over the end */
	int64_t begin;    /* its position when this run began */
};

struct sr_streams;

/* Each --input of files whose name has a * becomes that of the first of its files. SR_USAGE, reported, where there is none. */
enum sr_status sr_streams_expand(struct sr_run_options *o, struct sr_streams **streams, struct sr_arena *arena,
				 struct sr_diags *diags);
struct sr_stream_files *sr_streams_files(struct sr_streams *streams, int *n);
/* A number that is the same where the files are. */
uint64_t sr_streams_hash(const struct sr_streams *streams);
/* given[arguments]: becomes true for those that a stream fills. */
enum sr_status sr_streams_open(struct sr_streams *streams, const struct sr_executable *e, const struct sr_run_options *o,
			       bool *given, struct sr_arena *arena, struct sr_diags *diags);
/* Positions are set; `steps` more follow at most. SR_NO_MEMORY where no thread can be started. */
enum sr_status sr_streams_start(struct sr_streams *streams, int64_t steps, struct sr_diags *diags);
/* The arguments of the next step into their places; what is wrong with a file is reported when its step comes. */
enum sr_status sr_streams_next(struct sr_streams *streams, struct sr_diags *diags);
void sr_streams_close(struct sr_streams *streams); /* NULL is fine */

#endif
