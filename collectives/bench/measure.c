/* Measure one size: prepare the calls, warm up, time, and verify the results. Collective on all ranks; all groups run at once. */
#include "collectives/bench/bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const int bench_percentiles[BENCH_PERCENTILES] = {50, 95, 99};

/* Return the arguments of this rank's call for a table row. */
static struct sr_coll_call row_call(const struct bench *b, const struct row *row, bool in_place)
{
	int n = sr_group_size(b->group), me = sr_group_index(b->group);
	struct sr_coll_call call = {
		.coll = b->collective->coll, .n = n, .member = me, .count = row->count, .type = row->type,
		.in_place = in_place, .keeps_in = !in_place};
	if (call.coll == SR_REDUCE_SCATTER || call.coll == SR_ALL_TO_ALL)
		call.count *= n;
	call.monoid = row->operation ? row->operation->monoid : SR_MONOID_ADD;
	call.from = call.coll == SR_PERMUTE ? (me + n - 1) % n : (int)b->options.root % n;
	call.to = (me + 1) % n;
	return call;
}

/* Run m calls, all in flight at once. A single call is run by sr_collective_run, as a program runs it. */
static enum sr_status run_calls(struct sr_prepared_collective *const *calls, int64_t m, const char *in, char *out)
{
	enum sr_status status = SR_OK;
	if (m == 1)
		return sr_collective_run(calls[0], in, out);
	for (int64_t k = 0; k < m && status == SR_OK; k++)
		status = sr_collective_start(calls[k], in, out);
	for (int64_t k = 0; k < m && status == SR_OK; k++)
		status = sr_collective_wait(calls[k]);
	for (int64_t k = 0; k < m && status == SR_OK; k++)
		status = sr_collective_release(calls[k]);
	return status;
}

static double average_over_ranks(const struct bench *b, double own_value)
{
	static const MPI_Op ops[] = {MPI_SUM, MPI_SUM, MPI_MIN, MPI_MAX};
	double all = b->options.average == 0 && b->rank ? 0 : own_value;
	if (!b->group)
		all = b->options.average == 2 ? HUGE_VAL : 0;
	MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, ops[b->options.average], MPI_COMM_WORLD);
	return b->options.average == 1 ? all / b->n_participants : all;
}

static int compare_values(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

void bench_percentiles_of(double *call_times, int64_t n, double *out)
{
	MPI_Allreduce(MPI_IN_PLACE, call_times, (int)n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	qsort(call_times, (size_t)n, sizeof *call_times, compare_values);
	for (int k = 0; k < BENCH_PERCENTILES; k++) /* percentile p: the smallest value that is >= p % of all values */
		out[k] = call_times[(n * bench_percentiles[k] + 99) / 100 - 1];
}

/* Time each call by itself. The mean is timed in a separate loop, which does not read the clock between calls. */
static enum sr_status time_each_call(struct bench *b, struct sr_prepared_collective *const *calls, int64_t m, const char *in, char *out,
				     struct sample *sample)
{
	int64_t n = b->options.iterations;
	double *call_times = SR_NEW_ARRAY(b->arena, double, n);
	enum sr_status status = SR_OK;
	sr_transport_barrier(b->transport);
	double call_start = MPI_Wtime();
	for (int64_t i = 0; i < n && status == SR_OK; i++) {
		status = run_calls(calls, m, in, out);
		double now = MPI_Wtime();
		call_times[i] = m ? (now - call_start) / (double)m : 0;
		call_start = now;
	}
	bench_percentiles_of(call_times, n, sample->percentiles);
	return status;
}

static enum sr_status check_result(const struct sr_coll_call *call, struct sr_prepared_collective *const *calls, char *in,
				   char *out, int64_t *n_wrong)
{
	enum sr_status status = SR_OK;
	*n_wrong = 0;
	if (calls) {
		if (!call->in_place)
			memset(out, 0x5a, (size_t)sr_coll_out_bytes(call));
		bench_fill(call, in);
		status = run_calls(calls, 1, in, out);
		*n_wrong = status == SR_OK ? bench_count_wrong(call, out) : 0;
	}
	MPI_Allreduce(MPI_IN_PLACE, n_wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	return status;
}

/* The prepared calls and buffers with which this rank measures one table row. */
struct workload {
	struct sr_coll_call call;
	struct sr_prepared_collective **calls; /* NULL: this rank takes no part in the row */
	int64_t n;
	char *in, *out;
};

static enum sr_status prepare_calls(struct bench *b, const struct buffers *buffers, const struct row *row, bool in_place,
				    struct workload *p)
{
	enum sr_status status = SR_OK;
	*p = (struct workload){.in = buffers->in, .out = buffers->out};
	if (!b->group)
		return SR_OK;
	p->call = row_call(b, row, in_place);
	p->n = b->options.aggregate;
	p->calls = SR_NEW_ARRAY(b->arena, struct sr_prepared_collective *, p->n);
	for (int64_t k = 0; k < p->n && status == SR_OK; k++)
		status = sr_collective_prepare(b->transport, b->group, &p->call, b->arena, &p->calls[k]);
	if (status != SR_OK)
		return status;
	if (in_place && p->call.coll == SR_REDUCE_SCATTER)
		p->out = p->in + p->call.member * sr_coll_out_bytes(&p->call);
	else if (in_place)
		p->in = p->out + (p->call.coll == SR_ALL_GATHER ? p->call.member * sr_coll_in_bytes(&p->call) : 0);
	bench_fill(&p->call, p->in);
	return SR_OK;
}

static enum sr_status measure_sample(struct bench *b, const struct buffers *buffers, const struct row *row, bool in_place,
				     struct sample *sample)
{
	const struct options *o = &b->options;
	struct workload p;
	enum sr_status status = prepare_calls(b, buffers, row, in_place, &p);
	if (status != SR_OK)
		return status;
	for (int64_t i = 0; i < o->warmup && status == SR_OK; i++)
		status = run_calls(p.calls, p.n, p.in, p.out);
	sr_transport_barrier(b->transport);
	double begin = MPI_Wtime();
	for (int64_t i = 0; i < o->iterations && status == SR_OK; i++)
		status = run_calls(p.calls, p.n, p.in, p.out);
	sample->seconds = average_over_ranks(b, (MPI_Wtime() - begin) / (double)(o->iterations * o->aggregate));
	if (o->percentiles && status == SR_OK)
		status = time_each_call(b, p.calls, p.n, p.in, p.out, sample);
	sample->algorithm = p.calls ? sr_collective_algorithm(p.calls[0]) : "";
	sample->is_supported = true;
	sample->n_wrong = -1;
	return status == SR_OK && o->check ? check_result(&p.call, p.calls, p.in, p.out, &sample->n_wrong) : status;
}

/* Time a copy of `bytes` bytes by all ranks of the group at once: an upper limit for the rate of any collective on the machine. */
static double time_copy(const struct bench *b, const struct buffers *buffers, int64_t bytes)
{
	const struct options *o = &b->options;
	double begin = 0;
	for (int64_t i = -o->warmup; i < o->iterations; i++) {
		if (!i) {
			sr_transport_barrier(b->transport);
			begin = MPI_Wtime();
		}
		if (b->group)
			memcpy(buffers->out, buffers->in, (size_t)bytes);
	}
	return average_over_ranks(b, (MPI_Wtime() - begin) / (double)o->iterations);
}

enum sr_status bench_measure(struct bench *b, const struct buffers *buffers, struct row *row)
{
	/* a permute is never measured in place, as in nccl-tests' sendrecv */
	bool lacks_in_place = b->collective->coll == SR_ALL_TO_ALL || b->collective->coll == SR_PERMUTE;
	row->copy_seconds = b->options.copy ? time_copy(b, buffers, row->bytes) : 0;
	enum sr_status status = measure_sample(b, buffers, row, false, &row->sample[0]);
	return status == SR_OK && !lacks_in_place ? measure_sample(b, buffers, row, true, &row->sample[1]) : status;
}
