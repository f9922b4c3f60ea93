/* Estimate the seconds that work takes, from its descriptors and a machine's figures. */
#include "cost/cost.h"
#include "support/checked.h"
#include <math.h>

void sr_cost_add(struct sr_cost *sum, const struct sr_cost *addend)
{
	sum->seconds += addend->seconds;
	sum->latency_s += addend->latency_s;
	sum->flops += addend->flops;
	if (sr_add_overflows(sum->memory_bytes, addend->memory_bytes, &sum->memory_bytes))
		sum->memory_bytes = INT64_MAX;
	for (int l = 0; l < SR_LINK_COUNT; l++)
		if (sr_add_overflows(sum->wire_bytes[l], addend->wire_bytes[l], &sum->wire_bytes[l]))
			sum->wire_bytes[l] = INT64_MAX;
}

static int64_t bytes_times(int64_t bytes, double n)
{
	double all = (double)bytes * n;
	return all < 0x1p63 ? (int64_t)all : INT64_MAX;
}

enum { UNKNOWN_TRIPS = 64, UNKNOWN_INNER_TRIPS = 4, UNKNOWN_JIT_TRIPS = 256, UNKNOWN_SMALL_JIT_TRIPS = 4096,
      MAX_JIT_TRIPS = 1 << 20 };

int64_t sr_cost_trips(int64_t known_trips, bool in_unknown_loop)
{
	return known_trips >= 0 ? known_trips : in_unknown_loop ? UNKNOWN_INNER_TRIPS : UNKNOWN_TRIPS;
}

int64_t sr_cost_jit_trips(int64_t known_trips, bool in_unknown_loop, bool is_small)
{
	int64_t trips = sr_cost_trips(known_trips, in_unknown_loop);
	if (known_trips < 0 && !in_unknown_loop)
		trips = is_small ? UNKNOWN_SMALL_JIT_TRIPS : UNKNOWN_JIT_TRIPS;
	return trips < MAX_JIT_TRIPS ? trips : MAX_JIT_TRIPS;
}

bool sr_cost_division_pays(double estimated_s, bool is_nest)
{
	const double min_s = 1e-6, nest_share = .25; /* of its estimate that a nest takes */
	return (is_nest ? nest_share * estimated_s : estimated_s) >= min_s;
}

bool sr_cost_threads_pay(double estimated_s)
{
	return estimated_s >= 2e-4;
}

struct sr_cost sr_cost_scale(struct sr_cost cost, double n)
{
	cost.seconds *= n;
	cost.latency_s *= n;
	cost.flops *= n;
	cost.memory_bytes = bytes_times(cost.memory_bytes, n);
	for (int l = 0; l < SR_LINK_COUNT; l++)
		cost.wire_bytes[l] = bytes_times(cost.wire_bytes[l], n);
	return cost;
}

void sr_machine_of_rank(const struct sr_machine *machine, int64_t ranks, struct sr_machine *out)
{
	*out = *machine;
	int64_t local_ranks = machine->ranks_per_node && ranks > machine->ranks_per_node ? machine->ranks_per_node : ranks;
	double share = machine->cores_per_node ? fmax(1, (double)local_ranks / machine->cores_per_node) : 1;
	for (int l = 0; l < SR_LEVEL_COUNT; l++)
		out->bytes_per_s[l] /= share;
	for (int c = 0; c < SR_WORK_COUNT; c++)
		out->work_per_s[c] /= share;
	for (int c = 0; c < SR_PRODUCT_CLASS_COUNT; c++)
		out->product_flops_per_s[c] /= share;
	out->packed_elements_per_s /= share;
	out->general_convolution_flops_per_s /= share;
	out->reduced_bytes_per_s /= share;
	out->instr_s *= share;
	out->matmul_call_s *= share;
	/* Messages within a node are copies and thread switches of a core, so ranks that share a core share its rate. */
	struct sr_link_costs *node = &out->links[SR_LINK_NODE];
	node->latency_s *= share;
	node->message_s *= share;
	node->bytes_per_s /= share;
	out->segment_round_s *= share;
	out->segment_bytes_per_s /= share;
	/* All ranks of a node send through its network adapter at the same time. */
	out->links[SR_LINK_NETWORK].bytes_per_s /= fmax(1, (double)local_ranks);
}

/* Return the seconds to read or write this many bytes once, at the rate of the smallest cache level that holds them. */
static double memory_seconds(const struct sr_machine *m, double bytes)
{
	int level = SR_LEVEL_L1;
	while (level < SR_LEVEL_MEMORY && bytes > (double)m->cache_bytes[level])
		level++;
	return bytes / m->bytes_per_s[level];
}

struct sr_cost sr_cost_of_elementwise(const struct sr_machine *machine, const struct sr_elementwise_work *work)
{
	struct sr_cost cost = {.latency_s = machine->instr_s};
	double compute_s = 0;
	if (sr_add_overflows(work->read_bytes, work->written_bytes, &cost.memory_bytes))
		cost.memory_bytes = INT64_MAX;
	for (int c = 0; c < SR_WORK_COUNT; c++)
		compute_s += work->elements[c] / machine->work_per_s[c];
	cost.seconds = machine->instr_s + fmax(compute_s, memory_seconds(machine, (double)cost.memory_bytes));
	return cost;
}

double sr_cost_elements(double n, enum sr_dtype dtype)
{
	int bytes = sr_dtype_bytes(dtype);
	return bytes > 4 ? n * bytes / 4 : n;
}

/* Return true if n has a prime factor above 13, for which there is no butterfly: the kernel then uses Bluestein's algorithm, a
 * forward and an inverse transform of twice the length. */
static bool needs_bluestein(int64_t n)
{
	for (int64_t f = 2; f <= 13; f++)
		while (n > 1 && n % f == 0)
			n /= f;
	return n > 1;
}

/* An FFT takes 5 log2 n FLOPs per element. In vector code, four FLOPs take as long as a cheap elementwise operation. */
double sr_cost_fft_operations(int64_t n)
{
	return (needs_bluestein(n) ? 4 : 1) * 5 * log2(fmax(2, (double)n)) / 4;
}

static double product_rate(const struct sr_machine *m, enum sr_dtype dtype)
{
	switch (dtype) {
	case SR_F32:
	case SR_C64:
		return m->product_flops_per_s[SR_PRODUCT_F32];
	case SR_F64:
	case SR_C128:
		return m->product_flops_per_s[SR_PRODUCT_F64];
	case SR_F16:
		return m->product_flops_per_s[SR_PRODUCT_F16];
	case SR_BF16:
		return m->product_flops_per_s[SR_PRODUCT_BF16];
	default:
		return m->product_flops_per_s[SR_PRODUCT_OTHER];
	}
}

struct sr_cost sr_cost_of_product(const struct sr_machine *machine, const struct sr_product_work *work)
{
	double batch = (double)work->batch, rows = (double)work->m, columns = (double)work->n, depth = (double)work->k;
	double flops = 2 * batch * rows * columns * depth * (sr_dtype_is_complex(work->dtype) ? 4 : 1);
	double bytes = batch * (rows * depth + depth * columns + rows * columns) * sr_dtype_bytes(work->dtype);
	struct sr_cost cost = {
	    .latency_s = machine->instr_s + batch * machine->matmul_call_s, .flops = flops, .memory_bytes = bytes_times(1, bytes)};
	cost.seconds = cost.latency_s + fmax(flops / product_rate(machine, work->dtype), memory_seconds(machine, bytes));
	return cost;
}

struct sr_cost sr_cost_of_convolution(const struct sr_machine *machine, const struct sr_convolution_work *work)
{
	double flops = 2 * (double)work->outputs * (double)work->per_output * (sr_dtype_is_complex(work->dtype) ? 4 : 1);
	double compute_s = work->packed > 0
			  ? work->packed / machine->packed_elements_per_s + flops / machine->product_flops_per_s[SR_PRODUCT_F32]
			  : flops / machine->general_convolution_flops_per_s;
	return (struct sr_cost){.seconds = machine->instr_s + compute_s,
				.latency_s = machine->instr_s,
				.flops = flops,
				.memory_bytes = bytes_times(work->outputs, sr_dtype_bytes(work->dtype))};
}

struct sr_cost sr_cost_of_sort(const struct sr_machine *machine, const struct sr_sort_work *work)
{
	double elements = (double)work->rows * (double)work->length;
	int64_t bytes = bytes_times(work->row_bytes, elements);
	struct sr_elementwise_work comparisons = {.read_bytes = bytes, .written_bytes = bytes};
	comparisons.elements[SR_WORK_SORT] = elements * (work->length > 1 ? log2((double)work->length) : 1);
	return sr_cost_of_elementwise(machine, &comparisons);
}

struct sr_cost sr_cost_of_collective(const struct sr_machine *machine, const struct sr_collective_work *work)
{
	struct sr_cost cost = {.latency_s = machine->instr_s};
	double bytes = 0;
	for (int l = 0; l < SR_LINK_COUNT; l++) {
		const struct sr_link_costs *link = &machine->links[l];
		cost.latency_s += (double)work->rounds[l] * link->latency_s + (double)work->messages[l] * link->message_s;
		bytes += (double)work->sent_bytes[l] / link->bytes_per_s;
		cost.wire_bytes[l] = work->sent_bytes[l];
	}
	cost.latency_s += (double)work->segment_rounds * machine->segment_round_s;
	cost.wire_bytes[SR_LINK_NODE] += work->segment_bytes;
	bytes += (double)work->segment_bytes / machine->segment_bytes_per_s;
	bytes += memory_seconds(machine, 2 * (double)work->copied_bytes) +
		 (double)work->reduced_bytes / machine->reduced_bytes_per_s;
	cost.memory_bytes = work->copied_bytes;
	cost.seconds = cost.latency_s + bytes;
	return cost;
}
