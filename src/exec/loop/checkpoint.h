/* Checkpoints: the carried values, the step and the positions of the input streams, in a folder step-00000037 of --checkpoint=DIR.
 *
 * Between two steps each rank copies the slices that its devices own (the first device of replicas is the owner) into private
 * memory, and a background thread writes them while the next steps run, one safetensors file per device. When the files of all
 * ranks are on disk, rank 0 writes the manifest (manifest.h), renames the folder, and removes the oldest checkpoints beyond
 * --checkpoint-keep. A folder whose name does not end with ".part" is a complete checkpoint, even if the run was killed.
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

/* Return a manifest that describes the carried values but has no files and shards. A value has its argument's name, or "argument3"
 * without one. */
struct sr_manifest sr_carried_values(const struct sr_program *p, const struct sr_carried *pairs, int n, struct sr_arena *arena);
/* Return the step number in the name of a complete checkpoint's folder, or -1 for another name. */
int64_t sr_checkpoint_step_of(const char *name);
/* List the names of the complete checkpoints in a folder, in the order of their steps. */
enum sr_status sr_checkpoint_list(struct sr_diags *diags, struct sr_arena *arena, const char *folder, const char ***names,
				  int64_t *n);
/* Allocate this rank's file images and start its writer thread. Rank 0 creates the folder and removes unfinished checkpoints. */
enum sr_status sr_checkpoint_open(struct sr_checkpoint **c, const struct sr_loop_options *o, const struct sr_arrays *arrays,
				  const struct sr_carried *pairs, int n, int n_streams, struct sr_arena *arena,
				  struct sr_diags *diags);
/* Return the step of the last checkpoint that has no manifest yet; 0 if there is none. */
int64_t sr_checkpoint_pending_step(const struct sr_checkpoint *c);
/* Return true if this rank is not writing: its files are on disk, or writing failed (*has_failed). */
bool sr_checkpoint_is_idle(struct sr_checkpoint *c, bool *has_failed);
/* Copy the results after step number `step`, and the streams' positions, into the file images. This rank must be idle, with no
 * checkpoint pending. */
void sr_checkpoint_begin(struct sr_checkpoint *c, int64_t step, const struct sr_manifest_stream *streams);
/* Prepare the manifest and folder name of the pending checkpoint. Collective on all ranks, which must be idle. */
void sr_checkpoint_commit(struct sr_checkpoint *c, struct sr_arena *arena);
/* Let the background thread write what sr_checkpoint_begin and sr_checkpoint_commit have prepared. */
void sr_checkpoint_start_writing(struct sr_checkpoint *c);
/* Wait until this rank has finished writing, and report its failures. Not collective. */
enum sr_status sr_checkpoint_wait(struct sr_checkpoint *c, struct sr_diags *diags);
void sr_checkpoint_close(struct sr_checkpoint *c); /* Stop the writer thread; `c` may be NULL. */

#endif
