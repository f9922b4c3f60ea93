/* Collectives over the MPI transport: run by mpirun with 1, 2, 3, 5 or 8 ranks; every rank checks its own results. Exits with 1
 * after a message on standard error if one is wrong. */
#include "collectives/transport.h"
#include "collectives/transport/backoff.h"
#include "collectives/transport/shared_segment.h"
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_BYTES = 1 << 30 }; /* more than the results of any call of these tests */

static int rank, ranks, failures;
static struct sr_arena *arena;

#define EXPECT(condition, ...)                                                           \
	do {                                                                             \
		if (!(condition) && failures++ < 5) {                                    \
			fprintf(stderr, "rank %d of %d, %s:%d: ", rank, ranks, __func__, __LINE__); \
			fprintf(stderr, __VA_ARGS__);                                    \
			fputc('\n', stderr);                                             \
		}                                                                        \
	} while (0)

/* Return a small integer, so that sums are exact in every type. */
static int64_t input_element(int member, int64_t i)
{
	return (member * 3 + i) % 5;
}

static void put(enum sr_dtype type, void *buffer, int64_t i, int64_t x)
{
	int64_t v = type == SR_I1 ? x > 1 : x;
	sr_element_set(type, (char *)buffer + i * sr_dtype_bytes(type), v, (double)v, 0);
}

static int64_t get(enum sr_dtype type, const void *buffer, int64_t i)
{
	int64_t v = -1;
	double d = -1, im = 0;
	sr_element_get(type, (const char *)buffer + i * sr_dtype_bytes(type), &v, &d, &im);
	return sr_dtype_is_integer(type) ? v : (int64_t)d;
}

/* Return the expected element i of the member's output. */
static int64_t expected_element(const struct sr_coll_call *call, int64_t i)
{
	int64_t block = call->count / call->n, sum = 0, maximum = 0;
	switch (call->coll) {
	case SR_ALL_GATHER:
		return input_element((int)(i / call->count), i % call->count);
	case SR_ALL_TO_ALL:
		return input_element((int)(i / block), call->member * block + i % block);
	case SR_PERMUTE:
		return call->from < 0 ? 0 : input_element(call->from, i);
	case SR_BROADCAST:
		return input_element(call->from, i);
	default:
		i += call->coll == SR_REDUCE_SCATTER ? call->member * block : 0;
		for (int k = 0; k < call->n; k++) {
			int64_t x = call->type == SR_I1 ? input_element(k, i) > 1 : input_element(k, i);
			sum += x;
			maximum = x > maximum ? x : maximum;
		}
		return call->monoid == SR_MONOID_MAX || call->type == SR_I1 ? maximum : sum;
	}
}

static void check_output(const struct sr_coll_call *call, const void *out, const char *algorithm)
{
	int64_t n = sr_coll_out_bytes(call) / sr_dtype_bytes(call->type);
	bool is_reduction = call->coll == SR_ALL_REDUCE || call->coll == SR_REDUCE_SCATTER;
	for (int64_t i = 0; i < n; i++) {
		int64_t expected = expected_element(call, i);
		if (call->type == SR_I1 && !is_reduction)
			expected = expected > 1;
		EXPECT(get(call->type, out, i) == expected, "%s %s of %lld %s: element %lld is %lld, not %lld",
		       sr_coll_name(call->coll), algorithm, (long long)call->count, sr_dtypes[call->type].name, (long long)i,
		       (long long)get(call->type, out, i), (long long)expected);
	}
}

static void check_call(struct sr_transport *t, struct sr_group *g, struct sr_coll_call call)
{
	struct sr_prepared_collective *p = NULL;
	enum sr_status status = sr_collective_prepare(t, g, &call, arena, &p);
	EXPECT(status == SR_OK, "%s cannot be prepared", sr_coll_name(call.coll));
	if (status != SR_OK)
		return;
	size_t in_bytes = (size_t)sr_coll_in_bytes(&call), out_bytes = (size_t)sr_coll_out_bytes(&call);
	char *in = malloc(in_bytes + 1), *out = malloc(out_bytes + 1), *memory = out;
	out[out_bytes] = 77;
	memset(out, 0xee, out_bytes);
	if (call.in_place && call.coll == SR_REDUCE_SCATTER)
		out = in + call.member * (int64_t)out_bytes;
	else if (call.in_place) {
		free(in);
		in = out + (call.coll == SR_ALL_GATHER ? call.member * (int64_t)in_bytes : 0);
	}
	for (int64_t i = 0; i < call.count; i++)
		put(call.type, in, i, input_element(call.member, i));
	for (int repeat = 0; repeat < (call.in_place ? 1 : 3); repeat++) {
		if (repeat == 1) {
			EXPECT(sr_collective_run(p, in, out) == SR_OK, "run fails");
		} else {
			EXPECT(sr_collective_start(p, in, out) == SR_OK, "start fails");
			EXPECT(sr_collective_wait(p) == SR_OK, "finish fails");
		}
		if (repeat == 0) /* release explicitly once; in later repeats the next start releases the collective */
			EXPECT(sr_collective_release(p) == SR_OK, "release fails");
		check_output(&call, out, sr_collective_algorithm(p));
		EXPECT(memory[out_bytes] == 77, "%s wrote beyond its output", sr_coll_name(call.coll));
	}
	if (!call.in_place || call.coll == SR_REDUCE_SCATTER)
		free(in);
	free(memory);
}

/* A slice of a buffer, which is written past the caches if the buffer exceeds them, has the values of the same call without one. */
static void check_slices(struct sr_transport *t, struct sr_group *g)
{
	static const int64_t extents[] = {CACHE_BYTES / 64, CACHE_BYTES + 1};
	for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
		struct sr_coll_call call = {
			.coll = SR_ALL_GATHER, .count = 1000, .type = SR_F32, .from = -1, .to = -1, .out_extent = extents[i]};
		check_call(t, g, call);
	}
}

/* Test every collective and type, with some counts and chunk sizes, on one group. */
static void check_group(struct sr_transport *t, struct sr_group *g, bool is_brief)
{
	static const enum sr_dtype types[] = {SR_F32, SR_BF16, SR_F16, SR_I1, SR_I32, SR_F64, SR_C64};
	static const int64_t blocks[] = {0, 1, 1000};
	int n = sr_group_size(g), member = sr_group_index(g);
	for (int coll = 0; coll < SR_COLL_COUNT; coll++)
		for (size_t k = 0; k < (is_brief ? 2 : sizeof types / sizeof *types); k++)
			for (int b = 0; b < 6; b++) {
				struct sr_coll_call call = {
					.coll = (enum sr_coll)coll, .count = blocks[b / 2] * n, .type = types[k]};
				call.chunk_bytes = b % 2 ? 100 : 0;
				call.from = coll == SR_PERMUTE ? (member ? member - 1 : -1) : n / 2;
				call.to = member + 1 < n ? member + 1 : -1;
				check_call(t, g, call);
				if (!sr_dtype_is_complex(call.type) && coll == SR_ALL_REDUCE) {
					call.monoid = SR_MONOID_MAX;
					check_call(t, g, call);
				}
				call.monoid = SR_MONOID_ADD;
				call.in_place = true;
				if (coll != SR_PERMUTE && coll != SR_ALL_TO_ALL)
					check_call(t, g, call);
			}
}

/* Two calls of one group run concurrently and finish in either order. */
static void check_overlap(struct sr_transport *t, struct sr_group *g)
{
	struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .count = 5000, .type = SR_I32};
	struct sr_prepared_collective *p[2];
	static int32_t in[2][5000], out[2][5000];
	for (int k = 0; k < 2; k++) {
		EXPECT(sr_collective_prepare(t, g, &call, arena, &p[k]) == SR_OK, "prepare fails");
		for (int i = 0; i < 5000; i++)
			in[k][i] = (int32_t)input_element(rank + k, i);
	}
	for (int k = 0; k < 2; k++)
		EXPECT(sr_collective_start(p[k], in[k], out[k]) == SR_OK, "start fails");
	EXPECT(sr_collective_start(p[0], in[0], out[0]) == SR_INTERNAL, "a call is started twice");
	EXPECT(sr_transport_progress(t) == SR_OK, "advance fails");
	for (int k = 1; k >= 0; k--)
		EXPECT(sr_collective_wait(p[k]) == SR_OK, "finish fails");
	EXPECT(sr_collective_wait(p[0]) == SR_INTERNAL, "a call finishes twice");
	for (int k = 0; k < 2; k++)
		EXPECT(sr_collective_release(p[k]) == SR_OK, "release fails");
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 5000; i++) {
			int64_t sum = 0;
			for (int m = 0; m < ranks; m++)
				sum += input_element(m + k, i);
			EXPECT(out[k][i] == sum, "call %d, element %d is %d", k, i, out[k][i]);
		}
}

/* More calls than a group has slots run concurrently, of several kinds: started in order, finished from the last to the first,
 * and each operand is overwritten as soon as permitted. */
static void check_concurrent_calls(struct sr_transport *t, struct sr_group *g)
{
	enum { CALLS = 7, COUNT = 6000, ROUNDS = 20 };
	struct sr_prepared_collective *p[CALLS];
	static int32_t out[CALLS][COUNT * 8];
	struct sr_coll_call calls[CALLS];
	int64_t bytes = (CALLS * COUNT * 4 + 4095) / 4096 * 4096;
	int32_t (*in)[COUNT] = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(in != MAP_FAILED, "no memory");
	struct sr_shared_region *shared; /* region of memory that other members read in place */
	EXPECT(sr_shared_region_open(t, bytes, &shared) == SR_OK, "too many regions");
	EXPECT(!shared || sr_shared_region_map(shared, t, (char *)in, 0, bytes), "no room in the window");
	for (int k = 0; k < CALLS; k++) {
		calls[k] = (struct sr_coll_call){.coll = k % 2 ? SR_ALL_REDUCE : SR_ALL_GATHER, .type = SR_I32};
		calls[k].count = k % 3 ? COUNT : 100;
		EXPECT(sr_collective_prepare(t, g, &calls[k], arena, &p[k]) == SR_OK, "prepare fails");
	}
	EXPECT(sr_transport_reserve(t, p, CALLS) == SR_OK, "no memory");
	for (int round = 0; round < ROUNDS; round++) {
		for (int k = 0; k < CALLS; k++) {
			EXPECT(sr_collective_release(p[k]) == SR_OK, "release fails");
			for (int i = 0; i < calls[k].count; i++)
				in[k][i] = (int32_t)input_element(calls[k].member, i) + round;
			EXPECT(sr_collective_start(p[k], in[k], out[k]) == SR_OK, "start fails");
			EXPECT(sr_transport_progress(t) == SR_OK, "advance fails");
		}
		for (int k = CALLS - 1; k >= 0; k--) {
			EXPECT(sr_collective_wait(p[k]) == SR_OK, "finish fails");
			for (int i = 0; i < calls[k].count; i++) {
				int64_t sum = 0;
				for (int m = 0; m < calls[k].n; m++) {
					sum += input_element(m, i) + round;
					if (calls[k].coll == SR_ALL_GATHER)
						EXPECT(out[k][m * calls[k].count + i] == input_element(m, i) + round,
						       "round %d, call %d, part %d", round, k, m);
				}
				if (calls[k].coll == SR_ALL_REDUCE)
					EXPECT(out[k][i] == sum, "round %d, call %d, element %d is %d", round, k, i,
					       out[k][i]);
			}
		}
	}
	for (int k = 0; k < CALLS; k++)
		EXPECT(sr_collective_release(p[k]) == SR_OK, "release fails");
	sr_transport_barrier(t);
	sr_shared_region_close(shared);
	munmap(in, (size_t)bytes);
}

/* Short calls run between the start and the wait of a long one, more of them than a group has slots. Operands are overwritten
 * after each call, and members are late in turn. */
static void check_short_calls(struct sr_transport *t, struct sr_group *g)
{
	enum { ROUNDS = 50, CALLS = 11, LONG = 5000 };
	int n = sr_group_size(g), member = sr_group_index(g);
	struct sr_coll_call sum = {.coll = SR_ALL_REDUCE, .count = 3, .type = SR_F32},
			    long_call = {.coll = SR_ALL_REDUCE, .count = LONG, .type = SR_I32},
			    shift = {.coll = SR_PERMUTE, .count = 2, .type = SR_I32, .from = member ? member - 1 : -1, .to = member + 1 < n ? member + 1 : -1},
			    root = {.coll = SR_BROADCAST, .count = 300, .type = SR_I32, .from = n - 1};
	struct sr_prepared_collective *p_sum, *p_long, *p_shift, *p_root;
	static int32_t in[LONG], out[LONG];
	EXPECT(sr_collective_prepare(t, g, &sum, arena, &p_sum) == SR_OK, "prepare fails");
	EXPECT(sr_collective_prepare(t, g, &long_call, arena, &p_long) == SR_OK, "prepare fails");
	EXPECT(sr_collective_prepare(t, g, &shift, arena, &p_shift) == SR_OK, "prepare fails");
	EXPECT(sr_collective_prepare(t, g, &root, arena, &p_root) == SR_OK, "prepare fails");
	for (int round = 0; round < ROUNDS; round++) {
		bool is_long = round % 3 == 0;
		for (int i = 0; i < LONG && is_long; i++)
			in[i] = (int32_t)input_element(member, i + round);
		EXPECT(!is_long || sr_collective_start(p_long, in, out) == SR_OK, "start fails");
		for (int k = 0; k < CALLS; k++) {
			float x[3] = {(float)member, (float)round, (float)k}, y[3];
			int32_t input[300] = {0}, output[300];
			input[0] = input[299] = member + 100 * k;
			input[1] = round;
			for (int delay = 0; delay < 20000 && (round + k) % n == member; delay++)
				atomic_signal_fence(memory_order_seq_cst);
			EXPECT(sr_collective_run(p_sum, x, y) == SR_OK, "run fails");
			x[0] = x[1] = x[2] = -1;
			EXPECT(y[0] == (float)(n * (n - 1) / 2) && y[1] == (float)(round * n) && y[2] == (float)(k * n),
			       "round %d, call %d: %g %g %g", round, k, (double)y[0], (double)y[1], (double)y[2]);
			EXPECT(sr_collective_run(p_shift, input, output) == SR_OK, "run fails");
			EXPECT(output[0] == (member ? member - 1 + 100 * k : 0) && output[1] == (member ? round : 0),
			       "round %d, call %d: %d %d", round, k, output[0], output[1]);
			if (k % 4 == 3)
				continue;
			EXPECT(sr_collective_run(p_root, input, output) == SR_OK, "run fails");
			EXPECT(output[299] == n - 1 + 100 * k, "round %d, call %d: %d", round, k, output[299]);
		}
		EXPECT(!is_long || sr_collective_wait(p_long) == SR_OK, "wait fails");
		for (int i = 0; i < LONG && is_long; i += 97) {
			int64_t expected_sum = 0;
			for (int m = 0; m < n; m++)
				expected_sum += input_element(m, i + round);
			EXPECT(out[i] == expected_sum, "round %d, element %d is %d", round, i, out[i]);
		}
	}
	EXPECT(sr_collective_release(p_long) == SR_OK, "release fails");
}

/* Test calls of a group during which stage numbers or call numbers wrap around. */
static void check_wrap(struct sr_transport *t, struct sr_group *g)
{
	/* call numbers shortly before stage numbers wrap, and before call numbers wrap */
	static const unsigned call_numbers[] = {INT32_MAX - 9u, UINT32_MAX - 9u};
	for (size_t i = 0; i < sizeof call_numbers / sizeof *call_numbers; i++) {
		unsigned first = call_numbers[i] / SR_CALL_SLOTS * SR_CALL_SLOTS;
		sr_transport_barrier(t);
		for (int s = 0; g->slots && s < SR_CALL_SLOTS; s++) {
			struct sr_call_slot *slot = g->slots[s * g->size + g->index];
			uint32_t last_stage = sr_call_stage_number(first - SR_CALL_SLOTS + (unsigned)s, SR_CALL_STAGES);
			if (slot) /* pretend that the previous call in the slot has ended */
				sr_call_progress_publish(t->segment, &slot->counter, last_stage);
		}
		for (int k = 0; g->slots && k < g->size; k++)
			g->known_ended_counts[k] = first;
		if (g->slots && g->ended_counts[g->index])
			sr_call_progress_publish(t->segment, g->ended_counts[g->index], first);
		g->sequence = first;
		sr_transport_barrier(t);
		check_overlap(t, g);
		check_concurrent_calls(t, g);
		check_short_calls(t, g);
		EXPECT(g->sequence - first > 20, "%u calls", g->sequence - first);
	}
}

static int count_entries(const char *folder)
{
	int n = 0;
	DIR *d = opendir(folder);
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* Open and close regions, ten of them open at a time: new regions reuse the numbers, file descriptors and mappings of closed
 * regions. */
static void check_regions(struct sr_transport *t)
{
	enum { MAX_OPEN = 10, N_OPENINGS = 300 };
	struct sr_shared_region *regions[MAX_OPEN] = {NULL};
	uint64_t location, max_location = 0;
	int files = 0, mappings = 0;
	size_t arena_bytes = 0;
	for (int i = 0; i < N_OPENINGS; i++) {
		int k = i * 7 % MAX_OPEN;
		char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sr_shared_region_close(regions[k]);
		EXPECT(sr_shared_region_open(t, 4096, &regions[k]) == SR_OK, "too many regions");
		if (regions[k] && memory != MAP_FAILED) {
			EXPECT(sr_shared_region_map(regions[k], t, memory, 0, 4096) && sr_segment_encode(t, memory, 64, &location),
			       "no place");
			max_location = location > max_location ? location : max_location;
		}
		munmap(memory, 4096);
		if (i == 2 * MAX_OPEN)
			files = count_entries("/proc/self/fd"), mappings = count_entries("/proc/self/map_files"),
			arena_bytes = sr_arena_used(arena);
	}
	EXPECT(max_location >> 48 <= MAX_OPEN + 1, "region %llu", (unsigned long long)(max_location >> 48));
	EXPECT(count_entries("/proc/self/fd") <= files, "%d descriptors more", count_entries("/proc/self/fd") - files);
	EXPECT(count_entries("/proc/self/map_files") <= mappings + 2, "%d mappings more", count_entries("/proc/self/map_files") - mappings);
	EXPECT(sr_arena_used(arena) == arena_bytes, "%zu bytes more", sr_arena_used(arena) - arena_bytes);
	for (int k = 0; k < MAX_OPEN; k++)
		sr_shared_region_close(regions[k]);
	sr_transport_barrier(t);
}

/* Make groups of different sizes that leave out devices; a device that is in no group gets NULL. */
static void check_partial_groups(struct sr_transport *t)
{
	int64_t pairs[4] = {ranks - 1, 0, ranks > 3 ? 2 : -1, -1};
	struct sr_group *g, *same_group;
	EXPECT(sr_group_make(t, pairs, ranks > 1 ? 2 : 0, 2, &g) == SR_OK, "groups fail");
	bool is_in_first_group = ranks > 1 && (rank == 0 || rank == ranks - 1), is_in_second_group = ranks > 3 && rank == 2;
	EXPECT((g != NULL) == (is_in_first_group || is_in_second_group), "in a group: %d", g != NULL);
	if (g) {
		EXPECT(sr_group_size(g) == (is_in_first_group ? 2 : 1), "size %d", sr_group_size(g));
		EXPECT(sr_group_index(g) == (is_in_first_group && rank == 0), "index %d", sr_group_index(g));
		check_group(t, g, true);
	}
	EXPECT(sr_group_make(t, pairs, ranks > 1 ? 2 : 0, 2, &same_group) == SR_OK && same_group == g,
	       "the same list makes another group");
	int64_t repeated_device[2] = {0, 0}, unknown_device = ranks;
	EXPECT(sr_group_make(t, repeated_device, 1, 2, &g) == SR_USAGE, "a device twice in a list passes");
	EXPECT(sr_group_make(t, &unknown_device, 1, 1, &g) == SR_USAGE, "an unknown device passes");
}

/* Return the group of this device: one group has the even devices, the other the odd ones, in descending order. */
static struct sr_group *parity_group(struct sr_transport *t)
{
	int64_t size = (ranks + 1) / 2, devices[64];
	struct sr_group *g = NULL;
	for (int64_t k = 0; k < 2 * size; k++)
		devices[k] = -1;
	for (int64_t d = 0; d < ranks; d++)
		devices[(d % 2) * size + size - 1 - d / 2] = d;
	EXPECT(sr_group_make(t, devices, 2, size, &g) == SR_OK && g, "halves fail");
	return g;
}

/* Device 1 sends more than device 0 receives: device 0 reports which call failed, in which group, with which peer. */
static void check_failure(void)
{
	static char in[4000], out[4000];
	int map[64];
	MPI_Comm world_comm = MPI_COMM_WORLD;
	struct sr_transport *t = NULL;
	struct sr_group *g = NULL;
	struct sr_prepared_collective *p = NULL;
	arena = sr_arena_new();
	for (int d = 0; d < ranks; d++)
		map[d] = ranks - 1 - d;
	EXPECT(sr_transport_open_mpi(arena, &world_comm, map, ranks, &(struct sr_transport_options){.no_segment = true}, &t) ==
		   SR_OK,
	       "open fails");
	int device = sr_transport_device(t);
	int64_t pair[2] = {1, 0};
	EXPECT(device == ranks - 1 - rank, "device %d", device);
	EXPECT(sr_group_make(t, pair, ranks > 1, 2, &g) == SR_OK, "groups fail");
	if (g) {
		struct sr_coll_call call = {.coll = SR_PERMUTE, .type = SR_UI8, .count = device ? 4000 : 40,
					    .from = device ? -1 : 0, .to = device ? 1 : -1};
		EXPECT(sr_collective_prepare(t, g, &call, arena, &p) == SR_OK, "prepare fails");
		EXPECT(!*sr_transport_failure(t), "a failure before there was one: %s", sr_transport_failure(t));
		enum sr_status status = sr_collective_start(p, in, out);
		status = status ? status : sr_collective_wait(p);
		status = status ? status : sr_collective_release(p);
		EXPECT(status == (device ? SR_OK : SR_INTERNAL), "status %d", status);
		const char *failure = sr_transport_failure(t);
		const char *const words[] = {"MPI_Testall: ", " in permute (", ") of devices 1, 0: 40 bytes from device 1"};
		for (size_t i = 0; !device && i < sizeof words / sizeof *words; i++)
			EXPECT(strstr(failure, words[i]), "'%s' is not in '%s'", words[i], failure);
	}
	sr_transport_barrier(t);
	sr_transport_close(t);
	sr_arena_free(arena);
}

static void check_selection(const char *text, int ranks_per_node, bool is_reversed, bool is_brief)
{
	arena = sr_arena_new();
	struct sr_selection *selection = NULL;
	struct sr_transport *t = NULL;
	MPI_Comm world_comm = MPI_COMM_WORLD;
	const char *message;
	int map[64];
	int64_t all_devices[64];
	EXPECT(sr_selection_parse(arena, text, &selection, &message) == SR_OK, "%s: %s", text, message);
	for (int d = 0; d < ranks; d++) {
		map[d] = is_reversed ? ranks - 1 - d : d;
		all_devices[d] = d;
	}
	rank = map[rank];
	struct sr_transport_options options = {
		.selection = selection, .ranks_per_node = ranks_per_node, .cache_bytes = is_reversed ? 1 : CACHE_BYTES};
	EXPECT(sr_transport_open_mpi(arena, &world_comm, map, ranks, &options, &t) == SR_OK, "open fails");
	struct sr_group *g;
	EXPECT(sr_group_make(t, all_devices, 1, ranks, &g) == SR_OK && g && sr_group_index(g) == rank, "the world is no group");
	check_group(t, g, is_brief);
	check_slices(t, g);
	check_overlap(t, g);
	check_concurrent_calls(t, g);
	check_wrap(t, g);
	if (!is_brief)
		check_regions(t);
	check_group(t, parity_group(t), is_brief);
	check_partial_groups(t);
	sr_transport_barrier(t);
	sr_transport_close(t);
	sr_arena_free(arena);
	rank = map[rank];
}

/* A wait polls, yields a bounded number of times, and then sleeps for short periods. */
static void check_backoff(bool is_crowded)
{
	enum { LONG = 100000, MAX_YIELDS = 1000 };
	int n_yields = 0, n_naps = 0;
	long min_nap_ns = 1;
	for (int n_polls = 1; n_polls <= LONG; n_polls++) {
		struct sr_backoff backoff = sr_backoff_after(n_polls, is_crowded);
		EXPECT(backoff.kind == SR_BACKOFF_SLEEP || !n_naps, "awake again after %d looks", n_polls);
		EXPECT(backoff.kind != SR_BACKOFF_SPIN || (!is_crowded && !n_yields), "look %d spins", n_polls);
		EXPECT(backoff.kind != SR_BACKOFF_SLEEP || (backoff.nap_ns >= min_nap_ns && backoff.nap_ns <= SR_MAX_SLEEP_NS),
		       "nap of %ld ns after %d looks", backoff.nap_ns, n_polls);
		n_yields += backoff.kind == SR_BACKOFF_YIELD;
		n_naps += backoff.kind == SR_BACKOFF_SLEEP;
		min_nap_ns = backoff.kind == SR_BACKOFF_SLEEP ? backoff.nap_ns : min_nap_ns;
	}
	EXPECT(n_yields > 0 && n_yields <= MAX_YIELDS && n_naps > LONG / 2, "%d yields, %d naps", n_yields, n_naps);
}

int main(int argc, char **argv)
{
	static const char *const selections[] = {
		"segment", "*:mpi:@direct#*:shm:@direct", "ring", "mpi", "linear", "bruck#pairwise", "recursive_doubling#recursive_halving#scatter_gather",
		"rabenseifner#broadcast:@linear", "ordered#direct"};
	int total = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	check_backoff(false);
	check_backoff(true);
	check_selection("", 0, true, false);
	for (int per_node = 1; per_node <= 4 && per_node < ranks; per_node++)
		check_selection("", per_node, false, true);
	for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
		check_selection(selections[i], i % 2 ? 2 : 0, false, true);
	check_failure();
	MPI_Allreduce(&failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d ranks: %d failures\n", ranks, total);
	MPI_Finalize();
	return total > 0;
}
