/* --loop: a program run again and again, each step from what the one before left. Results are carried to arguments on the
 * devices (run/carry.h), streams give an argument another file each step, and between steps is done what was asked for: a line
 * of metrics, results written, a look at whether to go on.
 *
 *	sr_loop_prepare(&options, &loop, arena, diags);         before the launch; rewrites the inputs that are streams
 *	sr_loop_open(loop, &executable, arena, diags);          collective, before arguments are loaded
 *	sr_loop_load(loop);                                     collective, behind them
 *	sr_run_loop(state); sr_loop_results(loop);              collective: the steps, and results of the last one
 *
 * All ranks do the same in the same step. What only some know (a signal, a rank that plays no device knows no results) they
 * tell each other where they meet: before anything is written, at the end, and every so often in between. */
#ifndef SR_EXEC_LOOP_LOOP_H
#define SR_EXEC_LOOP_LOOP_H

#include "exec/run.h"

struct sr_loop;
struct sr_run_state;

/* *loop: NULL where there is none. SR_USAGE, reported, for options that make no sense together, and streams without files. */
enum sr_status sr_loop_prepare(struct sr_run_options *o, struct sr_loop **loop, struct sr_arena *arena, struct sr_diags *diags);
/* How many steps there are at most, INT64_MAX: not known. */
int64_t sr_loop_steps(const struct sr_loop *loop);
/* Collective on all ranks, with the same status on all: SR_USAGE where the program has no such values or they do not fit. */
enum sr_status sr_loop_open(struct sr_loop *loop, struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
/* Collective on all ranks, behind the arguments: where the loop goes on from a checkpoint, its values. */
enum sr_status sr_loop_load(struct sr_loop *loop);
/* Collective on all ranks: all steps; arguments are loaded. Leaves the times of the last ones in r; of none where there was
 * nothing to do. SR_INTERRUPTED, told, where a signal ended it. */
enum sr_status sr_run_loop(struct sr_run_state *r);
/* Collective on all ranks: results of the last step, as sr_bind_results, then its checkpoint: a run that is ended between the two
 * goes on from an earlier one and writes them again. */
enum sr_status sr_loop_results(struct sr_loop *loop, struct sr_arena *arena, struct sr_diags *diags);
/* Threads and files; NULL is fine. */
void sr_loop_close(struct sr_loop *loop);

#endif
