/* Checkpoints: what is carried, the step and the places in the streams, in a folder step-00000037 of --checkpoint=DIR. Each
 * rank copies what its devices own (of copies, the first) into memory of its own between two steps, and a thread writes that
 * while the next steps run, a safetensors file for each device. When all ranks' files are on disk, rank 0 writes the manifest
 *(manifest.h), renames the folder, and removes the oldest checkpoint over --checkpoint-keep: whatever ends a run, a folder
 * without ".part" is whole.
 *
 *	sr_checkpoint_open(&c, &options, &executable, pairs, n, arena, diags);
 *	sr_checkpoint_begin(c, 20, streams); sr_checkpoint_start_writing(c);           behind step 20
 *	sr_checkpoint_commit(c, arena); sr_checkpoint_start_writing(c);                a few steps later, when all ranks have written
 *
 * Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_CHECKPOINT_H
#define SR_EXEC_LOOP_CHECKPOINT_H

#include "exec/loop/manifest.h"
#include "exec/run.h"
#include "run/carry.h"

enum { SR_CHECKPOINT_KEPT = 2 };
#define SR_CHECKPOINT_PREFIX "step-"

struct sr_checkpoint;

/* What is carried, as a manifest says it, without files and parts: by the arguments' names, or "argument3". */
struct sr_manifest sr_carried_values(const struct sr_program *p, const struct sr_carried *pairs, int n, struct sr_arena *arena);
/* The number of a whole checkpoint's folder; -1: it is something else. */
int64_t sr_checkpoint_step_of(const char *name);
/* This rank's memory and thread. The folder is made, and what a run left there unfinished is removed, by rank 0. */
enum sr_status sr_checkpoint_open(struct sr_checkpoint **c, const struct sr_loop_options *o, struct sr_executable *e,
				  const struct sr_carried *pairs, int n, int n_streams, struct sr_arena *arena,
				  struct sr_diags *diags);
int64_t sr_checkpoint_pending_step(const struct sr_checkpoint *c); /* the step of the last one that has no manifest yet; 0: none */
bool sr_checkpoint_is_idle(struct sr_checkpoint *c, bool *failed); /* what this rank was to write is on disk, or has failed */
/* This rank is idle, and nothing is begun: take the results as they are behind `step`, and the streams' next files. */
void sr_checkpoint_begin(struct sr_checkpoint *c, int64_t step, const struct sr_manifest_stream *streams);
/* Collective on all ranks, all of which are idle: the one begun is to get its manifest and its name. */
void sr_checkpoint_commit(struct sr_checkpoint *c, struct sr_arena *arena);
/* Do, beside the next steps, what was asked for by these. */
void sr_checkpoint_start_writing(struct sr_checkpoint *c);
/* This rank's part is done; what failed is reported. Not collective. */
enum sr_status sr_checkpoint_wait(struct sr_checkpoint *c, struct sr_diags *diags);
void sr_checkpoint_close(struct sr_checkpoint *c); /* NULL is fine */

#endif
