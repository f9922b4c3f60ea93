/* The loop itself. Between two steps the rank's own thread has all devices to itself. */
#include "exec/abort.h"
#include "exec/loop/interrupt.h"
#include "exec/loop/outputs.h"
#include "exec/loop/loop_state.h"
#include "exec/progress.h"
#include "exec/values/bind.h"
#include "exec/watch.h"
#include "support/checked.h"
#include <string.h>

enum { MOST_TIMES = 1024 }; /* steps, the last ones, of which times are kept */

static enum sr_status step_device(void *data, struct sr_device *d, int k)
{
	struct sr_loop *l = data;
	struct sr_run_state *r = l->r;
	int64_t at = k * l->times + (l->step - l->first) % l->times;
	double start = sr_now();
	enum sr_status status = sr_device_step(d);
	r->start[at] = start;
	r->step_s[at] = sr_now() - start;
	r->collective_s[at] = d->collective_s;
	return status;
}

/* Values from the step before, and from files. */
static enum sr_status fill(struct sr_loop *l, bool is_first)
{
	const struct sr_program *p = l->e->program;
	for (int k = 0; !is_first && k < l->e->n_devices; k++)
		sr_carry(l->carries[k]);
	for (int k = 0; k < l->e->n_devices; k++)
		for (int32_t i = 0; i < p->n_arguments; i++) {
			int32_t buffer = sr_program_values(p)[i].buffer;
			void *place = sr_device_buffer(&l->e->devices[k], buffer);
			size_t bytes = (size_t)sr_program_buffers(p)[buffer].bytes;
			if (l->kept[k][i])
				memcpy(is_first ? l->kept[k][i] : place, is_first ? place : l->kept[k][i], bytes);
		}
	return sr_streams_next(l->streams, l->diags);
}

static bool says_stop(const struct sr_loop *l)
{
	const struct sr_program *p = l->e->program;
	double real = 0, imaginary;
	int64_t integer = 0;
	if (l->until < 0 || !l->e->n_devices)
		return false;
	const struct sr_io *io = sr_program_values(p) + p->n_arguments + l->until;
	sr_element_get((enum sr_dtype)io->dtype, sr_device_buffer(&l->e->devices[0], io->buffer), &integer, &real, &imaginary);
	return integer || real != 0;
}

/* On a rank that plays devices. What fails here fails alone: others may be inside a collective. */
static enum sr_status do_step(struct sr_loop *l, bool is_first)
{
	sr_progress_set_position("step", l->step + 1, l->steps == INT64_MAX ? 0 : l->steps, NULL);
	enum sr_status status = fill(l, is_first);
	if (!status)
		status = sr_executable_on_each_device(l->e, step_device, l, l->diags);
	double now = sr_now();
	if (!status && l->metrics)
		status = sr_metrics_put(l->metrics, l->step + 1, now - l->last, l->diags);
	l->last = now;
	return status;
}

/* ---- where all ranks meet ---- */

static int64_t earlier(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* The next multiple of `every` behind `step`; INT64_MAX: there is none. */
static int64_t next_of(int64_t every, int64_t step)
{
	int64_t next;
	return !every || sr_mul_overflows(step / every + 1, every, &next) ? INT64_MAX : next;
}

/* The next step behind which all ranks meet. */
static int64_t next_meeting(const struct sr_loop *l)
{
	int64_t next = earlier(l->steps, next_of(l->o->loop.output_every, l->step));
	if (l->checkpoint)
		next = earlier(next, earlier(l->look, next_of(l->o->loop.checkpoint_every, l->step)));
	return next;
}

struct meeting {
	int64_t ended;	  /* the last step, 0: the loop goes on */
	bool interrupted; /* a signal came to a rank */
	bool busy;	  /* a rank is still writing */
	bool failed;	  /* a rank could not write */
};

/* Collective on all ranks, behind the same step of all that play devices. `ended`: that step, where it was the last one, 0
 * where it was not or is not known. Where signals and writers are to be heard of, the ranks meet ten times a second, counted in
 * steps as the slowest rank took them: one small exchange for all that time. */
static struct meeting meet(struct sr_loop *l, int64_t ended)
{
	enum { TENTH = 100000000, MOST = 1 << 20 };
	bool failed = false, idle = !l->checkpoint || sr_checkpoint_is_idle(l->checkpoint, &failed);
	double now = sr_now(), steps = (double)(l->step > l->met ? l->step - l->met : 1);
	uint64_t all[] = {(uint64_t)ended, l->checkpoint && sr_interrupt_came(), !idle, failed,
			  1 + (uint64_t)((now - l->met_at) / steps * 1e9)};
	sr_launch_max(&l->e->client->launch, all, sizeof all / sizeof *all);
	int64_t period = (int64_t)(TENTH / all[4]);
	l->met = l->step;
	l->met_at = now;
	l->look = l->step + (period < 1 ? 1 : earlier(period, MOST));
	return (struct meeting){(int64_t)all[0], all[1], all[2], all[3]};
}

/* Collective on all ranks: what was begun is written everywhere, and gets its name when the writers go on. */
static enum sr_status settle(struct sr_loop *l)
{
	enum sr_status status = sr_launch_agree(&l->e->client->launch, sr_checkpoint_wait(l->checkpoint, l->diags), l->diags);
	if (!status && sr_checkpoint_pending_step(l->checkpoint))
		sr_checkpoint_commit(l->checkpoint, l->arena);
	return status;
}

/* Collective on all ranks: begun, while the next steps run. */
static enum sr_status begin_checkpoint(struct sr_loop *l)
{
	enum sr_status status = settle(l);
	if (status)
		return status;
	struct sr_arena_position mark = sr_arena_mark(l->arena);
	sr_checkpoint_begin(l->checkpoint, l->step, sr_loop_positions(l, l->arena));
	sr_arena_release(l->arena, mark);
	sr_checkpoint_start_writing(l->checkpoint);
	return SR_OK;
}

/* Collective on all ranks: that of this step, and nobody goes on before it is there. */
static enum sr_status save(struct sr_loop *l)
{
	sr_progress_phase("writing a checkpoint");
	enum sr_status status = begin_checkpoint(l);
	if (!status)
		status = settle(l);
	sr_checkpoint_start_writing(l->checkpoint);
	return status ? status : sr_launch_agree(&l->e->client->launch, sr_checkpoint_wait(l->checkpoint, l->diags), l->diags);
}

static enum sr_status interrupt(struct sr_loop *l)
{
	enum sr_status status = save(l);
	sr_progress_stop();
	if (!status && !l->e->client->launch.rank && l->o->err)
		fprintf(l->o->err, "shardrun: interrupted behind step %lld, which %s has; --resume goes on\n",
			(long long)l->step, l->o->loop.checkpoint);
	return status ? status : SR_INTERRUPTED;
}

/* Collective on all ranks. */
static enum sr_status write_outputs(struct sr_loop *l)
{
	struct sr_arena_position mark = sr_arena_mark(l->arena);
	struct sr_run_options o = sr_loop_outputs(l->o, l->step, false, l->arena);
	enum sr_status status = sr_bind_results(l->e, &o, l->arena, l->diags);
	if (!status)
		sr_arena_release(l->arena, mark);
	sr_progress_phase("running");
	return status;
}

static bool is_due(int64_t every, int64_t step)
{
	return every && !(step % every);
}

/* Collective on all ranks: what is to be done behind a step. */
static enum sr_status do_between(struct sr_loop *l, const struct meeting *m)
{
	enum sr_status status = SR_OK;
	if (m->failed)
		return sr_launch_agree(&l->e->client->launch, sr_checkpoint_wait(l->checkpoint, l->diags), l->diags);
	if (m->ended)
		return SR_OK;
	if (m->interrupted)
		return interrupt(l);
	if (is_due(l->o->loop.output_every, l->step))
		status = write_outputs(l);
	if (!status && l->checkpoint && is_due(l->o->loop.checkpoint_every, l->step))
		return begin_checkpoint(l);
	if (!status && l->checkpoint && sr_checkpoint_pending_step(l->checkpoint) && !m->busy) {
		sr_checkpoint_commit(l->checkpoint, l->arena);
		sr_checkpoint_start_writing(l->checkpoint);
	}
	return status;
}

/* Collective on all ranks. */
static enum sr_status run_steps(struct sr_loop *l)
{
	struct meeting m = {0};
	enum sr_status status = SR_OK;
	l->look = l->step + 1;
	l->met = l->step;
	l->met_at = sr_now();
	while (!status && !m.ended) {
		int64_t next = next_meeting(l);
		bool stops = false;
		for (; !stops && l->step < next; l->step++) {
			if (!l->e->n_devices)
				continue;
			status = do_step(l, l->step == l->first);
			if (status)
				sr_abort_ranks(&l->e->client->launch, status, l->diags);
			stops = says_stop(l);
		}
		m = meet(l, stops || l->step == l->steps ? l->step : 0);
		if (m.ended)
			l->step = m.ended; /* a rank without devices went further */
		status = do_between(l, &m);
	}
	return status;
}

/* Times that lie in a ring, for each device, behind each other. */
static void pack(const struct sr_loop *l, double *times)
{
	for (int k = 1; k < l->e->n_devices; k++)
		memmove(times + k * l->r->measured, times + k * l->times, (size_t)l->r->measured * sizeof *times);
}

/* A checkpoint had the last step. */
static enum sr_status say_done(const struct sr_loop *l)
{
	if (!l->e->client->launch.rank && !l->o->quiet && l->o->err)
		fprintf(l->o->err, "shardrun: step %lld was the last one: nothing is left to do\n", (long long)l->step);
	return SR_OK;
}

enum sr_status sr_run_loop(struct sr_run_state *r)
{
	struct sr_loop *l = r->loop;
	int64_t left = l->steps - l->step;
	if (left <= 0)
		return say_done(l);
	size_t n = (size_t)(l->times = earlier(left, MOST_TIMES)) * (size_t)l->e->n_devices;
	l->r = r;
	r->start = SR_NEWS(l->arena, double, n);
	r->step_s = SR_NEWS(l->arena, double, n);
	r->collective_s = SR_NEWS(l->arena, double, n);
	enum sr_status status = sr_launch_agree(&r->client.launch, sr_streams_start(l->streams, left, l->diags), l->diags);
	if (status)
		return status;
	sr_progress_phase("running");
	sr_watch_devices(l->e->devices, l->e->n_devices);
	l->last = sr_now();
	status = run_steps(l);
	sr_watch_devices(NULL, 0);
	r->measured = earlier(l->step - l->first, l->times);
	pack(l, r->start);
	pack(l, r->step_s);
	pack(l, r->collective_s);
	return status ? status : sr_launch_agree(&r->client.launch, sr_metrics_close(l->metrics, l->diags), l->diags);
}

enum sr_status sr_loop_results(struct sr_loop *l, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_run_options o = sr_loop_outputs(l->o, l->step, true, arena);
	enum sr_status status = sr_bind_results(l->e, &o, arena, diags), saved = l->checkpoint ? save(l) : SR_OK;
	return status ? status : saved;
}
