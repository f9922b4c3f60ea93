/* One size: prepare the calls, warm up, time, verify. Collective on the world; groups run at once. */
#include "collectives/bench/bench.h"
#include <string.h>

/* The call of a row as this rank makes it. */
static struct sr_coll_call call_of(const struct bench *b, const struct row *row, bool in_place)
{
	int n = sr_group_size(b->group), me = sr_group_index(b->group);
	struct sr_coll_call call = {
		.coll = b->subject->coll, .n = n, .me = me, .count = row->count, .type = row->type, .in_place = in_place};
	if (call.coll == SR_REDUCE_SCATTER || call.coll == SR_ALL_TO_ALL)
		call.count *= n;
	call.monoid = row->operation ? row->operation->monoid : SR_MONOID_ADD;
	call.from = call.coll == SR_PERMUTE ? (me + n - 1) % n : (int)b->options.root;
	call.to = (me + 1) % n;
	return call;
}

/* m calls under way at once. */
static enum sr_status run(struct sr_prepared *const *calls, int64_t m, const char *in, char *out)
{
	enum sr_status status = SR_OK;
	for (int64_t k = 0; k < m && status == SR_OK; k++)
		status = sr_start(calls[k], in, out);
	for (int64_t k = 0; k < m && status == SR_OK; k++)
		status = sr_finish(calls[k]);
	return status;
}

static double over_ranks(const struct bench *b, double mine)
{
	static const MPI_Op ops[] = {MPI_SUM, MPI_SUM, MPI_MIN, MPI_MAX};
	double all = b->options.average == 0 && b->rank ? 0 : mine;
	MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, ops[b->options.average], MPI_COMM_WORLD);
	return b->options.average == 1 ? all / b->ranks : all;
}

static enum sr_status check(const struct sr_coll_call *call, struct sr_prepared *const *calls, char *in, char *out, int64_t *wrong)
{
	if (!call->in_place)
		memset(out, 0x5a, (size_t)sr_coll_out_bytes(call));
	bench_fill(call, in);
	enum sr_status status = run(calls, 1, in, out);
	*wrong = status == SR_OK ? bench_count_wrong(call, out) : 0;
	MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	return status;
}

static enum sr_status measure(struct bench *b, const struct buffers *buffers, const struct row *row, bool in_place,
			      struct sample *sample)
{
	const struct options *o = &b->options;
	struct sr_coll_call call = call_of(b, row, in_place);
	struct sr_prepared **calls = SR_NEWS(b->arena, struct sr_prepared *, o->aggregate);
	enum sr_status status = SR_OK;
	char *in = buffers->in, *out = buffers->out;
	for (int64_t k = 0; k < o->aggregate && status == SR_OK; k++)
		status = sr_prepare(b->transport, b->group, &call, b->arena, &calls[k]);
	if (status != SR_OK)
		return status;
	if (in_place && call.coll == SR_REDUCE_SCATTER)
		out = in + call.me * sr_coll_out_bytes(&call);
	else if (in_place)
		in = out + (call.coll == SR_ALL_GATHER ? call.me * sr_coll_in_bytes(&call) : 0);
	bench_fill(&call, in);
	for (int64_t i = 0; i < o->warmup && status == SR_OK; i++)
		status = run(calls, o->aggregate, in, out);
	sr_transport_barrier(b->transport);
	double begin = MPI_Wtime();
	for (int64_t i = 0; i < o->iterations && status == SR_OK; i++)
		status = run(calls, o->aggregate, in, out);
	sample->seconds = over_ranks(b, (MPI_Wtime() - begin) / (double)(o->iterations * o->aggregate));
	sample->algorithm = sr_prepared_algorithm(calls[0]);
	sample->ran = true;
	sample->wrong = -1;
	return status == SR_OK && o->check ? check(&call, calls, in, out, &sample->wrong) : status;
}

enum sr_status bench_measure(struct bench *b, const struct buffers *buffers, struct row *row)
{
	bool moves = b->subject->coll == SR_ALL_TO_ALL || b->subject->coll == SR_PERMUTE; /* never in place, as in nccl-tests */
	enum sr_status status = measure(b, buffers, row, false, &row->sample[0]);
	return status == SR_OK && !moves ? measure(b, buffers, row, true, &row->sample[1]) : status;
}
