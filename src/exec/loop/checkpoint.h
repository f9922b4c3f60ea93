/* Checkpoints: the carried values, the step and the positions of the input streams, in a folder step-00000037 of --checkpoint=DIR.
 *
 * Between two steps each rank copies the slices that its devices own (of replicas, the first) into memory of its own, and a
 * background thread writes them while the next steps run, one safetensors file per device. When the files of all ranks are on disk,
 * rank 0 writes the manifest (manifest.h), renames the folder, and removes the oldest checkpoints beyond --checkpoint-keep.
 * Whatever ends a run, a folder without ".part" is complete.
 *
 *	sr_checkpoint_open(&c, &options, &arrays, pairs, n, arena, diags);
 *	sr_checkpoint_begin(c, 20, streams); sr_checkpoint_start_writing(c);           after step 20
 *	sr_checkpoint_commit(c, arena); sr_checkpoint_start_writing(c);                some steps later, when all ranks have written
 *
 * Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_CHECKPOINT_H
#define SR_EXEC_LOOP_CHECKPOINT_H

#include "exec/loop/manifest.h"
#include "exec/run.h"
#include "exec/values/arrays.h"

enum { SR_CHECKPOINT_KEPT = 2 };
#define SR_CHECKPOINT_PREFIX "step-"

struct sr_checkpoint;

/* Return the carried values as in a manifest, without files and parts: named as the arguments, or "argument3". */
struct sr_manifest sr_carried_values(const struct sr_program *p, const struct sr_carried *pairs, int n, struct sr_arena *arena);
/* Return the step number of a complete checkpoint's folder name, or -1. */
int64_t sr_checkpoint_step_of(const char *name);
/* Allocate this rank's memory and start its thread. Rank 0 creates the folder and removes unfinished checkpoints. */
enum sr_status sr_checkpoint_open(struct sr_checkpoint **c, const struct sr_loop_options *o, const struct sr_arrays *arrays,
				  const struct sr_carried *pairs, int n, int n_streams, struct sr_arena *arena,
				  struct sr_diags *diags);
/* Step of the last checkpoint that has no manifest yet; 0: none. */
int64_t sr_checkpoint_pending_step(const struct sr_checkpoint *c);
bool sr_checkpoint_is_idle(struct sr_checkpoint *c, bool *failed); /* true if this rank's files are on disk or have failed */
/* Copy the results after `step` and the streams' positions. This rank must be idle, with no checkpoint pending. */
void sr_checkpoint_begin(struct sr_checkpoint *c, int64_t step, const struct sr_manifest_stream *streams);
/* Collective on all ranks, all idle: prepare the manifest and name of the pending checkpoint. */
void sr_checkpoint_commit(struct sr_checkpoint *c, struct sr_arena *arena);
/* Start writing what sr_checkpoint_begin and sr_checkpoint_commit have prepared, in the background. */
void sr_checkpoint_start_writing(struct sr_checkpoint *c);
/* Wait until this rank has finished writing, and report failures. Not collective. */
enum sr_status sr_checkpoint_wait(struct sr_checkpoint *c, struct sr_diags *diags);
void sr_checkpoint_close(struct sr_checkpoint *c); /* NULL is allowed */

#endif
