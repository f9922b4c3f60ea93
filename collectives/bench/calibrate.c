/* shardbench --calibrate: measure this machine's figures and write them as a machine file (cost/machine_text.h), in about ten
 * seconds.
 *
 * All ranks run the same workload at once, as in a program, so a rate is what one core achieves while all are busy. Work, and
 * messages within a node, are measured in processor time, which other processes on the machine do not increase. A waiting rank
 * spins or yields, so if ranks outnumber cores a call takes the processor time of all ranks that share a core. Messages between
 * nodes are measured in elapsed time. */
#include "collectives/bench/bench.h"
#include "cost/machine_text.h"
#include "kernels/conv_descriptor.h"
#include "kernels/fast/fast.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { ROUNDS = 5, CALL_ROUNDS = 40, BUFFERS = 3, SCRATCH = 4 << 20 };
static const double min_measurement_s = 0.01; /* minimum duration of one measurement, in seconds */
static const double max_repeats_s = 1.5;  /* maximum seconds for repeating the measurement of one call */

struct calibration {
	struct bench *bench;
	struct sr_kernels *kernels;
	struct sr_machine machine;
	int n_ranks_on_node;     /* number of ranks on this node */
	double ranks_per_core; /* ranks per core of this node, at least 1 */
	int64_t shared_cache; /* bytes of the last-level cache, shared by all ranks of the node */
	struct sr_transport *message_transport; /* transport without a shared segment: devices of a node communicate by messages */
	struct sr_group *message_group;
	void *buffers[BUFFERS + 1]; /* operands; the last one is scratch for kernels */
	size_t bytes;
};

/* ---- workloads ---- */

struct workload {
	enum sr_kernel kernel;
	enum sr_dtype type;
	int64_t range;
	const void *params;
	/* instruction as a program's executor has prepared it; NULL: the kernel table's function is called */
	struct sr_prepared_kernel *prepared;
};

static double processor_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run_workload(const struct calibration *c, const struct workload *p, int64_t times)
{
	double begin = processor_seconds();
	for (int64_t i = 0; i < times; i++)
		if (p->prepared)
			p->prepared->run(p->prepared, c->buffers, c->buffers[BUFFERS]);
		else
			c->kernels->fn[p->kernel][p->type](p->params, c->buffers, c->buffers[BUFFERS], 0, p->range);
	return processor_seconds() - begin;
}

static double mean_over_ranks(const struct calibration *c, double own_value)
{
	double all;
	MPI_Allreduce(&own_value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all / c->bench->ranks;
}

/* Collective on all ranks. Return the processor seconds of one run of the workload. */
static double measure_workload(const struct calibration *c, struct workload *p)
{
	int64_t times = 1;
	double fastest = INFINITY;
	if (c->kernels->prepare[p->kernel])
		p->prepared = c->kernels->prepare[p->kernel](c->kernels, p->type, p->params, p->range);
	run_workload(c, p, 1);
	for (double elapsed_s; (elapsed_s = run_workload(c, p, times)) < min_measurement_s && times < 1 << 24;)
		times = elapsed_s < min_measurement_s / 100 ? times * 10
							    : (int64_t)((double)times * min_measurement_s / elapsed_s) + 1;
	MPI_Allreduce(MPI_IN_PLACE, &times, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
	for (int r = 0; r < ROUNDS; r++) {
		sr_transport_barrier(c->bench->transport);
		fastest = fmin(fastest, run_workload(c, p, times) / (double)times);
	}
	if (p->prepared)
		p->prepared->release(p->prepared);
	return mean_over_ranks(c, fastest);
}

/* Fill all buffers with numbers between 0.5 and 2, so that no result overflows or underflows. */
static void fill_buffers(const struct calibration *c, enum sr_dtype type, size_t bytes)
{
	int size = sr_dtype_bytes(type);
	for (int b = 0; b < BUFFERS; b++)
		for (size_t i = 0; i < bytes / (size_t)size; i++) {
			double x = 0.5 + (double)((uint32_t)i * 2654435761u >> 16) / 65536;
			sr_element_set(type, (char *)c->buffers[b] + i * (size_t)size, 1 + (int64_t)(x * 3), x, 0);
		}
}

static double map_seconds(const struct calibration *c, enum sr_kernel kernel, int64_t n)
{
	struct sr_map_params params = {.n = n, .in = SR_F32, .out = SR_F32};
	return measure_workload(c, &(struct workload){kernel, SR_F32, n, &params, NULL});
}

/* Measure the bandwidth of adding two arrays whose size is that of each memory level. */
static void measure_memory(struct calibration *c)
{
	const int64_t *cache = c->machine.cache_bytes;
	for (int l = 0; l < SR_LEVEL_COUNT; l++) {
		int64_t bytes = l < SR_LEVEL_MEMORY ? cache[l] / 2 : (int64_t)c->bytes * BUFFERS, n = bytes / BUFFERS / 4;
		c->machine.bytes_per_s[l] = (double)n * 4 * BUFFERS / map_seconds(c, SR_KERNEL_ADD, n);
	}
}

/* Return the seconds per instruction for instructions of one element and several kinds, looked up as the executor does. */
static double step_seconds(const struct calibration *c)
{
	enum { REPEATS = 2000 };
	static const struct sr_map_params map = {.n = 1, .in = SR_F32, .out = SR_F32};
	static const struct sr_move_params copy = {.rank = 1, .bytes = 4, .shape = {1}, .src_stride = {1}, .dst_stride = {1}};
	static const struct sr_fill_params one = {.n = 1, .bytes = 4};
	static const struct workload workloads[] = {{SR_KERNEL_ADD, SR_F32, 1, &map},     {SR_KERNEL_MOVE, SR_UI32, 1, &copy},
					      {SR_KERNEL_DIVIDE, SR_F32, 1, &map},  {SR_KERNEL_FILL, SR_F32, 1, &one},
					      {SR_KERNEL_COMPARE, SR_F32, 1, &map}, {SR_KERNEL_SUBTRACT, SR_F32, 1, &map},
					      {SR_KERNEL_MOVE, SR_UI32, 1, &copy}};
	enum { WORKLOADS = sizeof workloads / sizeof *workloads };
	double fastest = INFINITY;
	for (int r = 0; r < ROUNDS; r++) {
		double begin = processor_seconds();
		for (int i = 0; i < REPEATS; i++)
			for (int k = 0; k < WORKLOADS; k++)
				c->kernels->fn[workloads[k].kernel][workloads[k].type](workloads[k].params, c->buffers,
										       c->buffers[BUFFERS], 0, 1);
		fastest = fmin(fastest, (processor_seconds() - begin) / REPEATS / WORKLOADS);
	}
	return mean_over_ranks(c, fastest);
}

static void measure_elements(struct calibration *c)
{
	enum { N = 2048, MATRIX_EXTENT = 512, LENGTH = 1 << 15 };
	double *rates = c->machine.work_per_s;
	c->machine.instr_s = step_seconds(c);
	rates[SR_WORK_CHEAP] = N / map_seconds(c, SR_KERNEL_ADD, N);
	rates[SR_WORK_DIVIDE] = N / map_seconds(c, SR_KERNEL_DIVIDE, N);
	rates[SR_WORK_TRANSCENDENTAL] = 2.0 * N / (map_seconds(c, SR_KERNEL_EXPONENTIAL, N) + map_seconds(c, SR_KERNEL_TANH, N));
	struct sr_move_params transpose = {.rank = 2,
					   .bytes = 4,
					   .shape = {MATRIX_EXTENT, MATRIX_EXTENT},
					   .src_stride = {1, MATRIX_EXTENT},
					   .dst_stride = {MATRIX_EXTENT, 1}};
	rates[SR_WORK_SCATTERED] = MATRIX_EXTENT * MATRIX_EXTENT /
				   measure_workload(c,
						    &(struct workload){SR_KERNEL_MOVE, SR_UI32, MATRIX_EXTENT, &transpose, NULL});
	struct sr_sort_params sort = {.n_operands = 1, .outer = 1, .length = LENGTH, .inner = 1, .bytes = {4}};
	rates[SR_WORK_SORT] = LENGTH * log2(LENGTH) / measure_workload(c, &(struct workload){SR_KERNEL_SORT, SR_F32, 1, &sort, NULL});
}

static double product_seconds(const struct calibration *c, enum sr_dtype type, int64_t m, int64_t n)
{
	struct sr_product_params p = {.batch = 1, .m = m, .n = n, .k = n, .lhs_m = n, .lhs_k = 1, .rhs_k = n, .rhs_n = 1};
	p.out = p.rhs = (int32_t)type;
	return measure_workload(c, &(struct workload){SR_KERNEL_PRODUCT, type, m, &p, NULL});
}

static void measure_products(struct calibration *c)
{
	static const struct {
		enum sr_product_class class;
		enum sr_dtype type;
		int64_t n;
	} rows[] = {{SR_PRODUCT_F64, SR_F64, 256}, {SR_PRODUCT_F16, SR_F16, 128}, {SR_PRODUCT_BF16, SR_BF16, 128},
		    {SR_PRODUCT_OTHER, SR_I32, 128},
		    {SR_PRODUCT_F32, SR_F32, 384}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double n = (double)rows[i].n;
		fill_buffers(c, rows[i].type, 1 << 20);
		c->machine.product_flops_per_s[rows[i].class] = 2 * n * n * n / product_seconds(c, rows[i].type, rows[i].n,
												rows[i].n);
	}
	/* fixed time of a call: the time of a small matrix product minus the time of its FLOPs */
	double small_product_s = product_seconds(c, SR_F32, 4, 64) -
				 2.0 * 4 * 64 * 64 / c->machine.product_flops_per_s[SR_PRODUCT_F32];
	c->machine.matmul_call_s = fmax(1e-9, small_product_s - c->machine.instr_s);
}

/* Return the seconds of a convolution with channels last and a 3 x 3 window; grouped ones run the reference kernel. */
static double convolution_seconds(const struct calibration *c, int64_t image_side, int64_t features, int64_t groups)
{
	int64_t in = features / groups, row = image_side * features;
	struct sr_conv_params p = {.spatial = 2,
				   .out = SR_F32,
				   .batch = 4,
				   .in_features = features,
				   .out_features = features,
				   .feature_groups = groups,
				   .batch_groups = 1,
				   .in = {image_side, image_side},
				   .out_shape = {image_side, image_side},
				   .window = {3, 3},
				   .stride = {1, 1},
				   .pad_low = {1, 1},
				   .lhs_dilation = {1, 1},
				   .rhs_dilation = {1, 1},
				   .lhs_stride = {image_side * row, 1, row, features},
				   .out_stride = {image_side * row, 1, row, features},
				   .rhs_stride = {features, 1, 3 * in * features, in * features}};
	struct workload workload = {SR_KERNEL_CONVOLUTION, SR_F32, p.batch * features, &p, NULL};
	return measure_workload(c, &workload);
}

/* Measure an im2col convolution (4 images of 256 positions; the 32 features are one block) and the reference convolution. The time
 * of the im2col convolution minus the time of its FLOPs is the time of packing. */
static void measure_convolutions(struct calibration *c)
{
	double reduction_length = 9 * 32, flops = 2 * 4 * 256 * 32 * reduction_length;
	double packing = convolution_seconds(c, 16, 32, 1) - flops / c->machine.product_flops_per_s[SR_PRODUCT_F32];
	c->machine.packed_elements_per_s = 4 * reduction_length * (256 + 256 / SR_CONV_BLOCK_POSITIONS * 32) / fmax(packing, 1e-9);
	c->machine.general_convolution_flops_per_s = 2.0 * 4 * 64 * 16 * 9 * 8 / convolution_seconds(c, 8, 16, 2);
}

static void measure_reduction(struct calibration *c)
{
	enum { MEMBERS = 8, COUNT = 4096, REPEATS = 100 };
	double fastest = INFINITY;
	for (int r = 0; r < ROUNDS; r++) {
		sr_transport_barrier(c->bench->transport);
		double begin = processor_seconds();
		for (int i = 0; i < REPEATS; i++)
			sr_reduce_fold(SR_F32, SR_MONOID_ADD, c->buffers[1], c->buffers[0], COUNT * 4, MEMBERS, COUNT);
		fastest = fmin(fastest, (processor_seconds() - begin) / REPEATS);
	}
	c->machine.reduced_bytes_per_s = (MEMBERS + 1) * COUNT * 4 / mean_over_ranks(c, fastest);
}

/* ---- messages ---- */

/* Collective on all ranks. Return the seconds of a call. Between nodes this is the elapsed time of the slowest rank. Within a node
 * it is the lesser of a rank's processor time and its share of the elapsed time, since load by other processes can increase
 * either. */
static enum sr_status call_seconds(struct calibration *c, struct sr_coll_call call, bool uses_messages, bool uses_clock,
				   double *seconds)
{
	struct sr_prepared_collective *prepared;
	struct sr_group *group = uses_messages ? c->message_group : c->bench->group;
	call.keeps_in = true;
	enum sr_status status = sr_collective_prepare(uses_messages ? c->message_transport : c->bench->transport, group, &call,
						      c->bench->arena, &prepared);
	int times = call.count > 1 << 16 ? 2 : 32, has_time = 1;
	double fastest = INFINITY, start = MPI_Wtime();
	for (int r = 0; r < CALL_ROUNDS && has_time && !status; r++) {
		sr_transport_barrier(c->bench->transport);
		double begin = MPI_Wtime(), processor_s = processor_seconds();
		for (int i = 0; i < times && !status; i++) {
			status = sr_collective_start(prepared, c->buffers[0], c->buffers[1]);
			status = status ? status : sr_collective_wait(prepared);
			status = status ? status : sr_collective_release(prepared);
		}
		double elapsed_s = (MPI_Wtime() - begin) / times;
		processor_s = mean_over_ranks(c, (processor_seconds() - processor_s) / times);
		MPI_Allreduce(MPI_IN_PLACE, &elapsed_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		fastest = fmin(fastest, uses_clock ? elapsed_s : fmin(processor_s, elapsed_s / c->ranks_per_core));
		/* on a loaded machine, stop before the measurement is repeated as often as planned */
		has_time = MPI_Wtime() - start < max_repeats_s;
		MPI_Bcast(&has_time, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	*seconds = fastest;
	return status;
}

/* Return a permute in which every rank sends to the rank `distance` positions after it, modulo `group_size`, within its block of
 * `group_size` consecutive ranks. */
static struct sr_coll_call permute_by(const struct calibration *c, int distance, int group_size, int64_t count)
{
	int me = c->bench->rank, first = me / group_size * group_size, at = me - first;
	return (struct sr_coll_call){.coll = SR_PERMUTE, .count = count, .type = SR_F32, .to = first + (at + distance) % group_size,
				     .from = first + (at + group_size - distance) % group_size};
}

enum { STREAM_ELEMENTS = 1 << 21 }; /* elements of a message that is larger than all ranks' caches together */

/* Measure latency and bandwidth with a permute, and the cost of a further message in a round with an all_reduce that sends all
 * in one round. */
static enum sr_status measure_link(struct calibration *c, enum sr_link link_kind, int distance, int group_size)
{
	struct sr_link_costs *f = &c->machine.links[link_kind];
	struct sr_coll_call all = {.coll = SR_ALL_REDUCE, .count = 16, .type = SR_F32, .monoid = SR_MONOID_ADD, .from = -1,
				   .to = -1};
	bool uses_clock = link_kind == SR_LINK_NETWORK;
	double one_message_s, all_messages_s, bytes;
	enum sr_status status = call_seconds(c, permute_by(c, distance, group_size, 16), true, uses_clock, &one_message_s);
	status = status ? status : call_seconds(c, all, true, uses_clock, &all_messages_s);
	status = status ? status : call_seconds(c, permute_by(c, distance, group_size, STREAM_ELEMENTS), true, uses_clock, &bytes);
	if (status)
		return status;
	int n_extra_messages = 2 * (c->bench->ranks - 2);
	f->message_s = n_extra_messages > 0 && all_messages_s > one_message_s ? (all_messages_s - one_message_s) / n_extra_messages
									      : one_message_s / 8;
	f->latency_s = fmax(one_message_s - 2 * f->message_s, 1e-9);
	/* every rank of a node sends at the same time; the network's bandwidth is that of the node */
	f->bytes_per_s = STREAM_ELEMENTS * 4 / fmax(bytes - one_message_s, 1e-9) * (link_kind == SR_LINK_NETWORK ? distance : 1);
	return SR_OK;
}

/* Measure the shared segment. An all_reduce of a few elements takes one round. A permute of many elements reads them in place,
 * from buffers that are mapped over the segment as a program's buffers are. */
static enum sr_status measure_segment(struct calibration *c)
{
	struct sr_coll_call few = {.coll = SR_ALL_REDUCE, .count = 2, .type = SR_F32, .monoid = SR_MONOID_ADD, .from = -1, .to = -1};
	double segment_round_s, short_permute_s, long_permute_s;
	struct sr_shared_region *region;
	enum sr_status status = sr_shared_region_open(c->bench->transport, 2 * STREAM_ELEMENTS * 4, &region);
	if (status)
		return status;
	char *memory = region ? mmap(NULL, 2 * STREAM_ELEMENTS * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
			      : MAP_FAILED;
	bool is_mapped = memory != MAP_FAILED &&
			 sr_shared_region_map(region, c->bench->transport, memory, 0, 2 * STREAM_ELEMENTS * 4);
	void *own[] = {c->buffers[0], c->buffers[1]};
	if (is_mapped) {
		memset(memory, 0, 2 * STREAM_ELEMENTS * 4);
		c->buffers[0] = memory, c->buffers[1] = memory + STREAM_ELEMENTS * 4;
	}
	status = call_seconds(c, few, false, false, &segment_round_s);
	status = status ? status : call_seconds(c, permute_by(c, 1, c->n_ranks_on_node, 2), false, false, &short_permute_s);
	status = status ? status
			: call_seconds(c, permute_by(c, 1, c->n_ranks_on_node, STREAM_ELEMENTS), false, false, &long_permute_s);
	c->buffers[0] = own[0], c->buffers[1] = own[1];
	if (memory != MAP_FAILED)
		munmap(memory, 2 * STREAM_ELEMENTS * 4);
	sr_shared_region_close(region);
	if (status)
		return status;
	c->machine.segment_round_s = fmax(segment_round_s, 1e-9);
	c->machine.segment_bytes_per_s = STREAM_ELEMENTS * 4 / fmax(long_permute_s - short_permute_s, 1e-9);
	return SR_OK;
}

static enum sr_status open_messages(struct calibration *c)
{
	const struct bench *b = c->bench;
	int *ranks = SR_NEW_ARRAY(b->arena, int, b->ranks);
	int64_t group = 0, index = b->rank;
	MPI_Comm world_comm = MPI_COMM_WORLD;
	for (int r = 0; r < b->ranks; r++)
		ranks[r] = r;
	enum sr_status status = sr_transport_open_mpi(b->arena, &world_comm, ranks, b->ranks,
						      &(struct sr_transport_options){.no_segment = true}, &c->message_transport);
	return status ? status : sr_group_join(c->message_transport, &group, &index, &c->message_group);
}

static enum sr_status measure_links(struct calibration *c)
{
	int ranks = c->bench->ranks;
	enum sr_status status = open_messages(c);
	if (!status && c->n_ranks_on_node > 1 && sr_transport_has_segment(c->bench->transport) && c->n_ranks_on_node == ranks)
		status = measure_segment(c);
	if (!status && c->n_ranks_on_node > 1 && ranks % c->n_ranks_on_node == 0)
		status = measure_link(c, SR_LINK_NODE, 1, c->n_ranks_on_node);
	if (!status && c->n_ranks_on_node < ranks && ranks % c->n_ranks_on_node == 0)
		status = measure_link(c, SR_LINK_NETWORK, c->n_ranks_on_node, ranks);
	sr_transport_close(c->message_transport);
	return status;
}

/* ---- calibration ---- */

/* Detect cores, caches and ranks of the node. Values unknown to hwloc keep their defaults. */
static void detect_node(struct calibration *c)
{
	MPI_Comm node_comm;
	struct sr_machine_node node;
	struct sr_machine *m = &c->machine;
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, c->bench->rank, MPI_INFO_NULL, &node_comm);
	MPI_Comm_size(node_comm, &c->n_ranks_on_node);
	MPI_Comm_free(&node_comm);
	sr_machine_default(m);
	m->ranks_per_node = c->n_ranks_on_node;
	c->ranks_per_core = 1;
	c->shared_cache = m->cache_bytes[SR_LEVEL_L3] * c->n_ranks_on_node;
	if (sr_machine_detect(&(struct sr_machine_query){.ranks_per_node = c->n_ranks_on_node}, &node))
		return;
	m->cores_per_node = node.cores;
	c->ranks_per_core = fmax(1, (double)c->n_ranks_on_node / node.cores);
	if (node.l3 > 0)
		c->shared_cache = node.l3;
	const int64_t detected_bytes[] = {node.l1, node.l2, node.l3 / c->n_ranks_on_node};
	for (int l = 0; l < SR_LEVEL_MEMORY; l++) {
		if (detected_bytes[l] > 0)
			m->cache_bytes[l] = detected_bytes[l];
		if (l && m->cache_bytes[l] < m->cache_bytes[l - 1])
			m->cache_bytes[l] = m->cache_bytes[l - 1];
	}
}

static enum sr_status measure_all(struct calibration *c)
{
	for (int i = 0; i < BUFFERS; i++)
		memset(c->buffers[i], 0, c->bytes);
	fill_buffers(c, SR_F32, 4 << 20);
	measure_memory(c);
	measure_elements(c);
	measure_products(c);
	measure_convolutions(c);
	measure_reduction(c);
	return measure_links(c);
}

static enum sr_status write_machine(const struct calibration *c)
{
	const struct bench *b = c->bench;
	struct sr_buf text;
	sr_buf_init(&text, b->arena);
	sr_buf_printf(&text, "# Measured by shardbench --calibrate: %d rank%s, %d on a node of %d cores.\n", b->ranks,
		      b->ranks == 1 ? "" : "s", c->n_ranks_on_node,
		      c->machine.cores_per_node);
	sr_buf_printf(&text, "# Products by %s for %s", sr_blas_version(), sr_blas_core());
	if (sr_dnnl_is_open()) {
		sr_buf_puts(&text, ", those of f32, bf16 and 8 bits and convolutions by ");
		sr_dnnl_describe(&text);
	}
	sr_buf_puts(&text, ".\n");
	if (c->n_ranks_on_node == 1)
		sr_buf_puts(&text, "# Messages within a node were not measured.\n");
	if (c->n_ranks_on_node == b->ranks)
		sr_buf_puts(&text, "# Messages between nodes were not measured.\n");
	sr_machine_write(&c->machine, &text);
	if (b->options.output_file)
		return bench_write_file(b, b->options.output_file, &text);
	sr_buf_write(&text, stdout);
	return SR_OK;
}

/* Use the instruction set that all ranks have, as a client does. */
static void open_dnnl(const struct calibration *c)
{
	const char *message;
	uint64_t own_version = sr_dnnl_open(sr_cpu_features(), &message), range[2] = {own_version, ~own_version};
	MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
	sr_dnnl_limit(range[0], ~range[1]);
	if (sr_dnnl_is_open())
		sr_kernels_fast_dnnl(c->kernels);
}

enum sr_status bench_calibrate(struct bench *b)
{
	struct calibration *c = SR_NEW(b->arena, struct calibration);
	enum sr_status status = SR_OK;
	c->bench = b;
	detect_node(c);
	/* bytes of a buffer that exceeds the cache each rank can use and holds the longest message */
	int64_t buffer_bytes = 2 * c->shared_cache;
	c->bytes = (size_t)(buffer_bytes < 8 << 20 ? 8 << 20 : buffer_bytes > 64 << 20 ? 64 << 20 : buffer_bytes);
	const char *message = sr_blas_open();
	if (message)
		return sr_error(b->diags, SR_UNSUPPORTED, (struct sr_src_loc){0}, "OpenBLAS cannot be used: %s", message);
	for (int i = 0; i <= BUFFERS; i++) {
		c->buffers[i] = aligned_alloc(64, i < BUFFERS ? c->bytes : SCRATCH);
		status = c->buffers[i] ? status : SR_NO_MEMORY;
	}
	if (status) {
		sr_error(b->diags, status, (struct sr_src_loc){0}, "buffers of %zu bytes do not fit in memory", c->bytes);
	} else {
		memset(c->buffers[BUFFERS], 0, SCRATCH);
		c->kernels = SR_NEW(b->arena, struct sr_kernels);
		sr_kernels_init(c->kernels);
		sr_kernels_fast_init(c->kernels);
		sr_blas_begin_single_thread();
		open_dnnl(c);
		status = measure_all(c);
	}
	for (int i = 0; i <= BUFFERS; i++)
		free(c->buffers[i]);
	return status || b->rank ? status : write_machine(c);
}
