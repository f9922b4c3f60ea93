/* --loop: execute a program repeatedly, each step starting from the results of the previous one. Results become arguments of the
 * next step (exec/values/arrays.h), streams provide another file for an argument in each step, and between steps the loop writes
 * metrics, results and checkpoints and tests whether to stop.
 *
 *	sr_loop_prepare(&options, &loop, arena, diags);         before the launch; rewrites the inputs that are streams
 *	sr_loop_open(loop, &arrays, arena, diags);              collective, before arguments are loaded
 *	sr_loop_load(loop);                                     collective, after arguments are loaded
 *	sr_run_loop(state); sr_loop_results(loop);              collective: all steps, and the results of the last one
 *
 * All ranks take the same actions after each step. Facts that only some ranks know (a signal; the value of a result) are exchanged
 * at synchronization points: before anything is written, at the end, and at intervals in between. */
#ifndef SR_EXEC_LOOP_LOOP_H
#define SR_EXEC_LOOP_LOOP_H

#include "exec/run.h"

struct sr_arrays;
struct sr_loop;
struct sr_run_state;

/* Check the options and create the loop; *loop is NULL without --loop. Returns SR_USAGE, reported, for inconsistent options and for
 * streams without files. */
enum sr_status sr_loop_prepare(struct sr_run_options *o, struct sr_loop **loop, struct sr_arena *arena, struct sr_diags *diags);
/* Return the maximum number of steps, or INT64_MAX if unknown. */
int64_t sr_loop_steps(const struct sr_loop *loop);
/* Find the carried values, streams and --until's result in the program. Collective on all ranks, with equal status: SR_USAGE if a
 * name is unknown or types do not match. */
enum sr_status sr_loop_open(struct sr_loop *loop, struct sr_arrays *arrays, struct sr_arena *arena, struct sr_diags *diags);
/* Collective on all ranks, after the arguments are loaded: load the values of the checkpoint to resume from, if any. */
enum sr_status sr_loop_load(struct sr_loop *loop);
/* Collective on all ranks: execute all steps. Stores the times of the last steps in r; no times if the checkpoint was already at
 * the last step. SR_INTERRUPTED, reported, if a signal ended the loop. */
enum sr_status sr_run_loop(struct sr_run_state *r);
/* Collective on all ranks: write the results of the last step as sr_bind_results does, then the checkpoint of that step. A run that
 * ends between the two writes resumes from an earlier checkpoint and writes the results again. */
enum sr_status sr_loop_results(struct sr_loop *loop, struct sr_arena *arena, struct sr_diags *diags);
/* Stop the loop's threads and close its files; `loop` may be NULL. */
void sr_loop_close(struct sr_loop *loop);

#endif
