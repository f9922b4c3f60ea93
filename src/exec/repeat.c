/* Repeated executions of a program and their measurements: times of the slowest device, memory of the processes. */
#include "exec/abort.h"
#include "exec/progress.h"
#include "exec/state.h"
#include "exec/watch.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

static double median(struct sr_arena *arena, const double *v, int64_t n)
{
	double *sorted = sr_dup(arena, v, (size_t)n, sizeof *v);
	qsort(sorted, (size_t)n, sizeof *sorted, by_value);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* Store each device's times of execution i. */
static void keep_times(struct sr_run_state *r, int64_t i)
{
	for (int k = 0; k < r->executable.n_devices; k++) {
		const struct sr_execution_times *t = &r->arrays.times[k];
		r->start[k * r->n_measured + i] = t->start;
		r->step_s[k * r->n_measured + i] = t->step_s;
		r->collective_s[k * r->n_measured + i] = t->collective_s;
	}
}

/* Execute the program o->warmup + o->repeats times. A rank on which an execution fails aborts the job: others may be inside a
 * collective. */
void sr_run_repeat(struct sr_run_state *r)
{
	struct sr_executable *e = &r->executable;
	int64_t repeats = r->n_measured = r->o->repeats, warmup = r->o->warmup;
	size_t n = (size_t)repeats * (size_t)e->n_devices;
	enum sr_status status = SR_OK;
	r->start = SR_NEW_ARRAY(r->ctx->arena, double, n);
	r->step_s = SR_NEW_ARRAY(r->ctx->arena, double, n);
	r->collective_s = SR_NEW_ARRAY(r->ctx->arena, double, n);
	if (r->o->profile)
		sr_profile_begin(&r->profile, e, repeats, r->ctx->arena);
	if (!e->n_devices)
		return;
	if (repeats + warmup > 1)
		sr_arrays_keep_donated(&r->arrays);
	sr_watch_devices(e->devices, e->n_devices);
	for (int64_t i = -warmup; !status && i < repeats; i++) {
		sr_progress_phase(i < 0 ? "warming up" : "running");
		sr_progress_set_position("step", i < 0 ? i + warmup + 1 : i + 1, i < 0 ? warmup : repeats, NULL);
		if (!i && r->o->profile)
			sr_profile_start(&r->profile, e);
		status = sr_arrays_execute(&r->arrays, true, &r->ctx->diags);
		if (!status && i >= 0)
			keep_times(r, i);
	}
	if (status)
		sr_abort_ranks(&r->client.launch, status, &r->ctx->diags);
	sr_watch_devices(NULL, 0);
}

/* Collective: return on rank 0 the minimum and maximum of `own_value` over the ranks that have devices. */
static struct sr_min_max gather_min_max(struct sr_run_state *r, int64_t own_value)
{
	const struct sr_executable *e = &r->executable;
	int64_t *own_values = SR_NEW_ARRAY(r->ctx->arena, int64_t, e->n_devices + 1);
	struct sr_min_max range = {0, 0};
	for (int k = 0; k < e->n_devices; k++)
		own_values[k] = own_value;
	const int64_t *all = sr_executable_gather(e, r->ctx->arena, own_values, sizeof own_value);
	for (int64_t d = 0; all && d < r->program->n_devices; d++) {
		range.min = d && range.min < all[d] ? range.min : all[d];
		range.max = range.max > all[d] ? range.max : all[d];
	}
	return range;
}

static double timeval_seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Collective: store on rank 0 the user and system time of all ranks. */
static void gather_processor_time(struct sr_run_state *r)
{
	static const int usage_kinds[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
	struct sr_launch *l = &r->client.launch;
	double own_seconds = 0, *all = SR_NEW_ARRAY(r->ctx->arena, double, l->rank ? 1 : l->size);
	for (size_t i = 0; i < sizeof usage_kinds / sizeof *usage_kinds; i++) {
		struct rusage usage;
		if (!getrusage(usage_kinds[i], &usage))
			own_seconds += timeval_seconds(usage.ru_utime) + timeval_seconds(usage.ru_stime);
	}
	sr_launch_gather(l, &own_seconds, all, sizeof own_seconds);
	for (int k = 0; !l->rank && k < l->size; k++)
		r->processor_s += all[k];
}

/* Collective: store on rank 0 the memory of all processes; called before results are written. */
void sr_run_gather_memory(struct sr_run_state *r)
{
	gather_processor_time(r);
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	r->pss = gather_min_max(r, sr_machine_pss_bytes(NULL));
	r->rss = gather_min_max(r, (int64_t)usage.ru_maxrss * 1024);
}

/* Return the time when the first device of this rank began execution i; HUGE_VAL on an idle rank. */
static double first_start(const struct sr_run_state *r, int64_t i)
{
	double first = HUGE_VAL;
	for (int k = 0; k < r->executable.n_devices; k++)
		first = fmin(first, r->start[k * r->n_measured + i]);
	return first;
}

/* Collective: let every execution's time start when the first device of a node leaves the barrier. If there are more devices than
 * cores, the other devices are scheduled later, and their delay is part of the execution's time. */
static void align_starts(struct sr_run_state *r)
{
	enum { CHUNK_EXECUTIONS = 4096 };
	int64_t n = r->n_measured;
	double own_starts[CHUNK_EXECUTIONS];
	for (int64_t at = 0; at < n; at += CHUNK_EXECUTIONS) {
		int64_t n_in_chunk = n - at < CHUNK_EXECUTIONS ? n - at : CHUNK_EXECUTIONS;
		const void *all;
		for (int64_t i = 0; i < n_in_chunk; i++)
			own_starts[i] = first_start(r, at + i);
		int n_on_node = sr_launch_gather_node(&r->client.launch, r->ctx->arena, own_starts,
						      (uint64_t)n_in_chunk * sizeof *own_starts, &all);
		for (int64_t i = 0; i < n_in_chunk; i++) {
			double first = own_starts[i];
			for (int k = 0; k < n_on_node; k++)
				first = fmin(first, ((const double *)all)[k * n_in_chunk + i]);
			for (int k = 0; k < r->executable.n_devices; k++)
				r->step_s[k * n + at + i] += r->start[k * n + at + i] - first;
		}
	}
}

/* Collective: store on rank 0, for each execution, the time of the slowest device. A device's wait time is its time in collectives
 * minus the shortest time that any device spent in collectives. */
void sr_run_gather_times(struct sr_run_state *r)
{
	int64_t n = r->n_measured;
	size_t bytes = (size_t)n * sizeof(double);
	align_starts(r);
	const double *steps = sr_executable_gather(&r->executable, r->ctx->arena, r->step_s, bytes),
		     *collectives = sr_executable_gather(&r->executable, r->ctx->arena, r->collective_s, bytes);
	if (r->client.launch.rank)
		return;
	double *wait_s = SR_NEW_ARRAY(r->ctx->arena, double, n), *compute_s = SR_NEW_ARRAY(r->ctx->arena, double, n);
	r->step_s = SR_NEW_ARRAY(r->ctx->arena, double, n);
	r->collective_s = SR_NEW_ARRAY(r->ctx->arena, double, n);
	for (int64_t i = 0; i < n; i++) {
		int64_t slowest_device = 0;
		double min_seconds = collectives[i];
		for (int64_t d = 1; d < r->program->n_devices; d++) {
			slowest_device = steps[d * n + i] > steps[slowest_device * n + i] ? d : slowest_device;
			min_seconds = collectives[d * n + i] < min_seconds ? collectives[d * n + i] : min_seconds;
		}
		r->step_s[i] = steps[slowest_device * n + i];
		r->collective_s[i] = collectives[slowest_device * n + i];
		wait_s[i] = r->collective_s[i] - min_seconds;
		compute_s[i] = r->step_s[i] - r->collective_s[i];
	}
	r->step_median = median(r->ctx->arena, r->step_s, n);
	r->collective_median = median(r->ctx->arena, r->collective_s, n);
	r->wait_s = median(r->ctx->arena, wait_s, n);
	r->compute_s = median(r->ctx->arena, compute_s, n);
}
