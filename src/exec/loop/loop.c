/* Execution of --loop's steps. Between steps the rank's main thread has exclusive access to all local devices. */
#include "exec/abort.h"
#include "exec/loop/interrupt.h"
#include "exec/loop/outputs.h"
#include "exec/loop/loop_state.h"
#include "exec/progress.h"
#include "exec/values/bind.h"
#include "exec/watch.h"
#include "support/checked.h"
#include <string.h>

enum { MAX_TIMES = 1024 }; /* Times are kept for at most this many steps, the last ones. */

/* Store the times of the step just executed. */
static void keep_times(const struct sr_loop *l)
{
	struct sr_run_state *r = l->r;
	for (int k = 0; k < l->e->n_devices; k++) {
		const struct sr_execution_times *t = &l->arrays->times[k];
		int64_t slot = k * l->times + (l->step - l->first) % l->times;
		r->start[slot] = t->start;
		r->step_s[slot] = t->step_s;
		r->collective_s[slot] = t->collective_s;
	}
}

static bool should_stop(const struct sr_loop *l)
{
	const struct sr_program *p = l->e->program;
	double real = 0, imaginary;
	int64_t integer = 0;
	if (l->until < 0 || !l->e->n_devices)
		return false;
	const struct sr_io *io = sr_program_result(p, l->until);
	sr_element_get((enum sr_dtype)io->dtype, sr_arrays_result(l->arrays, l->until, 0), &integer, &real, &imaginary);
	return integer || real != 0;
}

/* Execute a step on a rank that has devices. A failure concerns this rank alone: other ranks may be inside a collective. */
static enum sr_status execute_step(struct sr_loop *l, bool is_first)
{
	sr_progress_set_position("step", l->step + 1, l->steps == INT64_MAX ? 0 : l->steps, NULL);
	enum sr_status status = is_first ? SR_OK : sr_arrays_carry(l->arrays, l->pairs, l->n_pairs, l->diags);
	if (!status)
		status = sr_streams_next(l->streams, l->diags);
	if (!status)
		status = sr_arrays_execute(l->arrays, false, l->diags);
	if (!status)
		keep_times(l);
	double now = sr_now();
	if (!status && l->metrics)
		status = sr_metrics_put(l->metrics, l->step + 1, now - l->last_step_end, l->diags);
	l->last_step_end = now;
	return status;
}

/* ---- synchronization points ---- */

static int64_t earlier_step(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* Return the first multiple of `interval` after `step`, or INT64_MAX if `interval` is 0. */
static int64_t next_multiple(int64_t interval, int64_t step)
{
	int64_t next;
	return !interval || sr_mul_overflows(step / interval + 1, interval, &next) ? INT64_MAX : next;
}

/* Return the next step after which all ranks synchronize. */
static int64_t next_sync(const struct sr_loop *l)
{
	int64_t next = earlier_step(l->steps, next_multiple(l->o->loop.output_every, l->step));
	if (l->checkpoint)
		next = earlier_step(next,
				    earlier_step(l->next_checkpoint_sync, next_multiple(l->o->loop.checkpoint_every, l->step)));
	return next;
}

struct sync_state {
	int64_t last_step;	  /* number of the last step of the loop; 0: the loop continues */
	bool is_interrupted; /* true if a rank has received SIGUSR1 */
	bool is_writing;	  /* true if a rank is still writing a checkpoint */
	bool has_failed;	  /* true if a rank failed to write a checkpoint */
};

/* Exchange the ranks' states after a step. Collective on all ranks; all ranks with devices have executed the same step.
 * `final_step`: number of this step if this rank knows that it is the last one, else 0. With checkpoints the ranks synchronize
 * about ten times per second, at intervals counted in steps of the slowest rank, by one small all-reduce. */
static struct sync_state synchronize(struct sr_loop *l, int64_t final_step)
{
	enum { TENTH_OF_SECOND_NS = 100000000, MAX_STEPS = 1 << 20 };
	bool has_failed = false, is_idle = !l->checkpoint || sr_checkpoint_is_idle(l->checkpoint, &has_failed);
	double now = sr_now(), steps = (double)(l->step > l->last_sync ? l->step - l->last_sync : 1);
	uint64_t all[] = {(uint64_t)final_step, l->checkpoint && sr_interrupt_came(), !is_idle, has_failed,
			  1 + (uint64_t)((now - l->last_sync_time) / steps * 1e9)};
	sr_launch_max(&l->e->client->launch, all, sizeof all / sizeof *all);
	int64_t period = (int64_t)(TENTH_OF_SECOND_NS / all[4]);
	l->last_sync = l->step;
	l->last_sync_time = now;
	l->next_checkpoint_sync = l->step + (period < 1 ? 1 : earlier_step(period, MAX_STEPS));
	return (struct sync_state){(int64_t)all[0], all[1], all[2], all[3]};
}

/* Collective on all ranks: wait until the pending checkpoint is written everywhere, and commit it. */
static enum sr_status commit_pending(struct sr_loop *l)
{
	enum sr_status status = sr_launch_agree(&l->e->client->launch, sr_checkpoint_wait(l->checkpoint, l->diags), l->diags);
	if (!status && sr_checkpoint_pending_step(l->checkpoint))
		sr_checkpoint_commit(l->checkpoint, l->arena);
	return status;
}

/* Collective on all ranks: copy a checkpoint of this step, and start writing it in the background. */
static enum sr_status begin_checkpoint(struct sr_loop *l)
{
	enum sr_status status = commit_pending(l);
	if (status)
		return status;
	struct sr_arena_position mark = sr_arena_mark(l->arena);
	sr_checkpoint_begin(l->checkpoint, l->step, sr_loop_positions(l, l->arena));
	sr_arena_release(l->arena, mark);
	sr_checkpoint_start_writing(l->checkpoint);
	return SR_OK;
}

/* Collective on all ranks: write a checkpoint of this step and wait until it is complete. */
static enum sr_status write_checkpoint(struct sr_loop *l)
{
	sr_progress_phase("writing a checkpoint");
	enum sr_status status = begin_checkpoint(l);
	if (!status)
		status = commit_pending(l);
	sr_checkpoint_start_writing(l->checkpoint);
	return status ? status : sr_launch_agree(&l->e->client->launch, sr_checkpoint_wait(l->checkpoint, l->diags), l->diags);
}

static enum sr_status stop_by_signal(struct sr_loop *l)
{
	enum sr_status status = write_checkpoint(l);
	sr_progress_stop();
	if (!status && !l->e->client->launch.rank && l->o->err)
		fprintf(l->o->err, "shardrun: interrupted after step %lld, saved in %s; continue with --resume\n",
			(long long)l->step, l->o->loop.checkpoint);
	return status ? status : SR_INTERRUPTED;
}

/* Collective on all ranks: write the results of this step. */
static enum sr_status write_outputs(struct sr_loop *l)
{
	struct sr_arena_position mark = sr_arena_mark(l->arena);
	struct sr_run_options o = sr_loop_outputs(l->o, l->step, false, l->arena);
	enum sr_status status = sr_bind_results(l->arrays, &o, l->arena, l->diags);
	if (!status)
		sr_arena_release(l->arena, mark);
	sr_progress_phase("running");
	return status;
}

static bool is_due(int64_t interval, int64_t step)
{
	return interval && !(step % interval);
}

/* Collective on all ranks: write metrics, outputs and checkpoints that are due after the step. */
static enum sr_status act_between_steps(struct sr_loop *l, const struct sync_state *m)
{
	enum sr_status status = SR_OK;
	if (m->has_failed)
		return sr_launch_agree(&l->e->client->launch, sr_checkpoint_wait(l->checkpoint, l->diags), l->diags);
	if (m->last_step)
		return SR_OK;
	if (m->is_interrupted)
		return stop_by_signal(l);
	if (is_due(l->o->loop.output_every, l->step))
		status = write_outputs(l);
	if (!status && l->checkpoint && is_due(l->o->loop.checkpoint_every, l->step))
		return begin_checkpoint(l);
	if (!status && l->checkpoint && sr_checkpoint_pending_step(l->checkpoint) && !m->is_writing) {
		sr_checkpoint_commit(l->checkpoint, l->arena);
		sr_checkpoint_start_writing(l->checkpoint);
	}
	return status;
}

/* Collective on all ranks: execute steps until the loop ends. */
static enum sr_status run_steps(struct sr_loop *l)
{
	struct sync_state m = {0};
	enum sr_status status = SR_OK;
	l->next_checkpoint_sync = l->step + 1;
	l->last_sync = l->step;
	l->last_sync_time = sr_now();
	while (!status && !m.last_step) {
		int64_t next = next_sync(l);
		bool must_stop = false;
		for (; !must_stop && l->step < next; l->step++) {
			if (!l->e->n_devices)
				continue;
			status = execute_step(l, l->step == l->first);
			if (status)
				sr_abort_ranks(&l->e->client->launch, status, l->diags);
			must_stop = should_stop(l);
		}
		m = synchronize(l, must_stop || l->step == l->steps ? l->step : 0);
		if (m.last_step)
			l->step = m.last_step; /* idle ranks do not wait for others and may have counted more steps */
		status = act_between_steps(l, &m);
	}
	return status;
}

/* Move the times of each device from its ring buffer to a consecutive array, oldest first. */
static void compact_times(const struct sr_loop *l, double *times)
{
	for (int k = 1; k < l->e->n_devices; k++)
		memmove(times + k * l->r->n_measured, times + k * l->times, (size_t)l->r->n_measured * sizeof *times);
}

/* Report that the checkpoint to resume from is already at the loop's last step. */
static enum sr_status report_no_steps_left(const struct sr_loop *l)
{
	if (!l->e->client->launch.rank && !l->o->quiet && l->o->err)
		fprintf(l->o->err, "shardrun: step %lld was the last one; nothing is left to do\n", (long long)l->step);
	return SR_OK;
}

enum sr_status sr_run_loop(struct sr_run_state *r)
{
	struct sr_loop *l = r->loop;
	int64_t n_remaining = l->steps - l->step;
	if (n_remaining <= 0)
		return report_no_steps_left(l);
	size_t n = (size_t)(l->times = earlier_step(n_remaining, MAX_TIMES)) * (size_t)l->e->n_devices;
	l->r = r;
	r->start = SR_NEW_ARRAY(l->arena, double, n);
	r->step_s = SR_NEW_ARRAY(l->arena, double, n);
	r->collective_s = SR_NEW_ARRAY(l->arena, double, n);
	enum sr_status status = sr_launch_agree(&r->client.launch, sr_streams_start(l->streams, n_remaining, l->diags), l->diags);
	if (status)
		return status;
	sr_progress_phase("running");
	sr_watch_devices(l->e->devices, l->e->n_devices);
	l->last_step_end = sr_now();
	status = run_steps(l);
	sr_watch_devices(NULL, 0);
	r->n_measured = earlier_step(l->step - l->first, l->times);
	compact_times(l, r->start);
	compact_times(l, r->step_s);
	compact_times(l, r->collective_s);
	return status ? status : sr_launch_agree(&r->client.launch, sr_metrics_close(l->metrics, l->diags), l->diags);
}

enum sr_status sr_loop_results(struct sr_loop *l, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_run_options o = sr_loop_outputs(l->o, l->step, true, arena);
	enum sr_status status = sr_bind_results(l->arrays, &o, arena, diags),
		       write_status = l->checkpoint ? write_checkpoint(l) : SR_OK;
	return status ? status : write_status;
}
