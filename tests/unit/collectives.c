/* Collective algorithms in the simulator: every algorithm with 1 to 33 members, compared with values computed here element by
 * element; wrong schedules that the simulator must find; selection; elementwise reductions. */
#include "collectives/builder.h"
#include "tests/unit/collectives_nodes.h"
#include "tests/unit/suite.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MEMBERS = 33, CAPACITY = 100, GUARD_BYTES = 16 };

/* As ck_assert_msg, but silent if the condition holds: Check writes to a file at each assertion, and the loops here make
 * millions. */
#define REQUIRE(condition, ...)             \
	do {                                \
		if (!(condition))           \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

static struct sr_arena *arena;

static void setup(void)
{
	arena = sr_arena_new();
}

static void teardown(void)
{
	sr_arena_free(arena);
}

/* ---- one simulated call ---- */

struct simulation {
	const struct sr_algorithm *row;
	int n, root;
	int64_t count;
	enum sr_dtype type;
	enum sr_monoid monoid;
	int64_t chunk_bytes;
	bool in_place;
	uint64_t seed; /* seed of the order in which members run */
	int placement; /* number of the placement of members on nodes (place_members), for hierarchical algorithms */
	int strided_sides; /* which sides have strided rows; 1: input, 2: output, 3: both */
	int64_t gap; /* number of unused elements between two strided rows */
	bool checks_schedules; /* true: also check the schedules, which takes time quadratic in the entries of a round */
	/* Results of the simulation. */
	struct sr_coll_call calls[CAPACITY];
	struct sr_schedule schedules[CAPACITY];
	char *in[CAPACITY], *out[CAPACITY], *memory[CAPACITY];
};

static const char *describe_case(const struct simulation *g)
{
	return sr_printf(arena, "%s %s n=%d count=%lld %s monoid %d chunk %lld forms %d%s", sr_coll_name(g->row->coll),
			 g->row->name, g->n, (long long)g->count, sr_dtypes[g->type].name, g->monoid, (long long)g->chunk_bytes, g->strided_sides,
			 g->in_place ? " in place" : "");
}

/* Return a small integer; sums and products of 33 of them are exact in f32, and up to 256 in bf16. */
static int64_t input_element(const struct simulation *g, int member, int64_t i)
{
	if (g->type == SR_I1)
		return (member + i) % 3 > 0;
	if (g->monoid == SR_MONOID_MUL)
		return (member + i) % 8 ? 1 : -2;
	return (member * 7 + i * 3) % 8 - (sr_dtypes[g->type].class == SR_CLASS_UINT ? 0 : 2);
}

static int64_t combine_elements(const struct simulation *g, int64_t a, int64_t b)
{
	bool boolean = g->type == SR_I1;
	switch (g->monoid) {
	case SR_MONOID_ADD: return boolean ? a | b : a + b;
	case SR_MONOID_MUL: return a * b;
	case SR_MONOID_MIN: return a < b ? a : b;
	case SR_MONOID_MAX: return a > b ? a : b;
	case SR_MONOID_AND: return a & b;
	case SR_MONOID_OR: return a | b;
	default: return a ^ b;
	}
}

static int64_t expected_element(const struct simulation *g, int me, int64_t i)
{
	int64_t block = g->count / g->n, sum;
	switch (g->row->coll) {
	case SR_ALL_GATHER:
		return input_element(g, (int)(i / g->count), i % g->count);
	case SR_ALL_TO_ALL:
		return input_element(g, (int)(i / block), me * block + i % block);
	case SR_PERMUTE:
		return g->calls[me].from < 0 ? 0 : input_element(g, g->calls[me].from, i);
	case SR_BROADCAST:
		return input_element(g, g->root, i);
	default:
		i += g->row->coll == SR_REDUCE_SCATTER ? me * block : 0;
		sum = input_element(g, 0, i);
		for (int k = 1; k < g->n; k++)
			sum = combine_elements(g, sum, input_element(g, k, i));
		return sum;
	}
}

static void set_element(enum sr_dtype type, char *at, int64_t x)
{
	sr_element_set(type, at, x, (double)x, 0);
}

/* Return the node of each member, by placement: two halves, round-robin over two nodes, nodes of three, or two members on the
 * first node and the others round-robin over three nodes. */
static int *place_members(const struct simulation *g)
{
	int *node = SR_NEW_ARRAY(arena, int, g->n);
	for (int k = 0; k < g->n; k++)
		switch (g->placement % 4) {
		case 0: node[k] = k >= (g->n + 1) / 2; break;
		case 1: node[k] = k % 2; break;
		case 2: node[k] = k / 3; break;
		default: node[k] = k < 2 ? 0 : (k - 1) % 3; break;
		}
	return node;
}

/* Return a layout of a block in rows: as many rows as divide the block, at most 4 for inputs and 6 for outputs. */
static struct sr_coll_layout row_layout(const struct simulation *g, int buffer, int64_t elements, int blocks)
{
	int64_t size = sr_dtype_bytes(g->type), rows = buffer == SR_IN ? 4 : 6;
	while (elements % rows)
		rows--;
	int64_t row = elements / rows;
	return (struct sr_coll_layout){rows, row * size, (blocks * row + g->gap) * size};
}

static bool input_has_blocks(enum sr_coll coll)
{
	return coll == SR_REDUCE_SCATTER || coll == SR_ALL_TO_ALL;
}

static int count_blocks(const struct simulation *g, int buffer)
{
	enum sr_coll coll = g->row->coll;
	return (buffer == SR_IN ? input_has_blocks(coll) : coll == SR_ALL_TO_ALL || coll == SR_ALL_GATHER) ? g->n : 1;
}

static void set_layouts(struct simulation *g, struct sr_coll_call *call)
{
	int64_t elements[SR_COLL_LAYOUTS] = {g->count, sr_coll_out_bytes(call) / sr_dtype_bytes(g->type)};
	for (int buffer = 0; buffer < SR_COLL_LAYOUTS; buffer++)
		if (g->strided_sides >> buffer & 1)
			call->form[buffer] = row_layout(g, buffer, elements[buffer] / count_blocks(g, buffer), count_blocks(g, buffer));
}

/* Return the address of element i, counted through all blocks of an input or output. */
static char *element_address(const struct simulation *g, int member, int buffer, int64_t i)
{
	const struct sr_coll_layout *f = &g->calls[member].form[buffer];
	int64_t size = sr_dtype_bytes(g->type), at = i * size;
	char *data = buffer == SR_IN ? g->in[member] : g->out[member];
	if (!f->rows)
		return data + at;
	int64_t block = at / (f->rows * f->row), within_block = at % (f->rows * f->row);
	return data + within_block / f->row * f->stride + block * f->row + within_block % f->row;
}

static int64_t buffer_bytes(const struct simulation *g, int member, int buffer)
{
	const struct sr_coll_layout *f = &g->calls[member].form[buffer];
	int64_t bytes = buffer == SR_IN ? sr_coll_in_bytes(&g->calls[member]) : sr_coll_out_bytes(&g->calls[member]);
	return f->rows ? f->rows * f->stride : bytes;
}

static bool build_schedules(struct simulation *g)
{
	bool is_hierarchical = !strcmp(g->row->name, "hierarchical");
	const int *node = is_hierarchical ? place_members(g) : NULL;
	for (int k = 0; k < g->n; k++) {
		g->calls[k] = (struct sr_coll_call){
			.coll = g->row->coll, .n = g->n, .member = k, .count = g->count, .type = g->type, .monoid = g->monoid,
			.chunk_bytes = g->chunk_bytes, .in_place = g->in_place, .from = g->root, .to = -1,
			.carrier = is_hierarchical ? SR_CARRIER_HIERARCHICAL : SR_CARRIER_SHM, .node = node};
		if (g->row->coll == SR_PERMUTE) { /* a chain with a gap: 0 -> 1 -> ... -> n-2; the last member sends to itself */
			g->calls[k].from = k == g->n - 1 ? k : k - 1;
			g->calls[k].to = k == g->n - 1 ? k : k == g->n - 2 ? -1 : k + 1;
		}
		set_layouts(g, &g->calls[k]);
		enum sr_status status = sr_algorithm_build(g->row, &g->calls[k], arena, &g->schedules[k]);
		if (status == SR_NEXT)
			return false;
		REQUIRE(status == SR_OK, "%s: build says %d", describe_case(g), status);
		const char *error = g->checks_schedules ? sr_schedule_check(&g->schedules[k], &g->calls[k], arena) : NULL;
		REQUIRE(!error, "%s: member %d: %s", describe_case(g), k, error);
	}
	return true;
}

static void fill_buffers(struct simulation *g)
{
	for (int k = 0; k < g->n; k++) {
		int64_t in = buffer_bytes(g, k, SR_IN), out = buffer_bytes(g, k, SR_OUT), larger_extent = in > out ? in : out;
		g->memory[k] = sr_alloc(arena, (size_t)larger_extent + GUARD_BYTES, 1);
		memset(g->memory[k], 0x5a, (size_t)larger_extent + GUARD_BYTES);
		g->in[k] = g->out[k] = g->memory[k];
		if (!g->in_place)
			g->in[k] = sr_alloc(arena, (size_t)in, 1);
		else if (g->row->coll == SR_ALL_GATHER)
			g->in[k] += k * in;
		else if (g->row->coll == SR_REDUCE_SCATTER)
			g->out[k] += k * out;
		for (int64_t i = 0; i < g->count; i++)
			set_element(g->type, element_address(g, k, SR_IN, i), input_element(g, k, i));
	}
}

static void compare_outputs(const struct simulation *g)
{
	int64_t size = sr_dtype_bytes(g->type);
	char expected_bytes[16];
	for (int k = 0; k < g->n; k++) {
		int64_t bytes = sr_coll_out_bytes(&g->calls[k]), in = buffer_bytes(g, k, SR_IN), out = buffer_bytes(g, k, SR_OUT);
		for (int64_t i = 0; i < bytes / size; i++) {
			set_element(g->type, expected_bytes, expected_element(g, k, i));
			REQUIRE(!memcmp(expected_bytes, element_address(g, k, SR_OUT, i), (size_t)size), "%s: member %d, element %lld",
				describe_case(g), k, (long long)i);
		}
		const struct sr_coll_layout *f = &g->calls[k].form[SR_OUT];
		for (int64_t i = 0; i < f->rows; i++)
			for (int64_t j = count_blocks(g, SR_OUT) * f->row; j < f->stride; j++)
				REQUIRE(g->out[k][i * f->stride + j] == 0x5a, "%s: member %d wrote between rows", describe_case(g), k);

		for (int i = 0; i < GUARD_BYTES; i++)
			REQUIRE(g->memory[k][(in > out ? in : out) + i] == 0x5a, "%s: member %d wrote beyond its output",
				describe_case(g), k);
	}
}

/* Build and simulate the call. Return false if the algorithm's precondition fails. */
static bool simulate(struct simulation *g)
{
	const char *message;
	if (!build_schedules(g))
		return false;
	fill_buffers(g);
	enum sr_status status = sr_simulate(g->schedules, g->n, (void *const *)g->in, (void *const *)g->out, g->seed, arena,
					    &message);
	REQUIRE(status == SR_OK, "%s: %s", describe_case(g), message);
	compare_outputs(g);
	return true;
}

static bool is_reduction(enum sr_coll coll)
{
	return coll == SR_ALL_REDUCE || coll == SR_REDUCE_SCATTER;
}

static void run_without_handles(struct simulation g)
{
	struct sr_arena *outer = arena;
	arena = sr_arena_new();
	simulate(&g);
	sr_arena_free(arena);
	arena = outer;
}

/* ---- every algorithm ---- */

START_TEST(every_row_with_1_to_33_members)
{
	for (int n = 1; n <= MAX_MEMBERS; n++) {
		const int64_t counts[] = {0, 1, n - 1, n, 1000};
		for (int c = 0; c < 5; c++)
			for (int variant = 0; variant < 4; variant++) {
				struct simulation g = {.row = &sr_algorithms[_i], .n = n, .root = n / 2, .type = SR_F32, .checks_schedules = true};
				g.count = input_has_blocks(g.row->coll) ? counts[c] % 33 * n : counts[c];
				g.in_place = variant & 1;
				g.chunk_bytes = variant & 2 ? 500 : 0;
				g.seed = (uint64_t)(n * variant + c);
				g.placement = n + variant + c;
				g.checks_schedules = g.chunk_bytes == 0;
				run_without_handles(g);
			}
	}
}
END_TEST

/* Blocks in strided rows, adjacent or with gaps that must stay unchanged; some blocks are larger than a slot. */
START_TEST(every_row_with_blocks_in_rows)
{
	static const int64_t counts[] = {1, 12, 36, 4500};
	const struct sr_algorithm *row = &sr_algorithms[_i];
	bool may = row->coll != SR_ALL_REDUCE && row->coll != SR_BROADCAST;
	for (int n = 1; may && n <= MAX_MEMBERS; n += n < 8 ? 1 : 25)
		for (int c = 0; c < (n < 9 ? 4 : 3); c++)
			for (int variant = 0; variant < 12; variant++) {
				struct simulation g = {.row = row, .n = n, .type = c == 2 ? SR_BF16 : SR_F32, .checks_schedules = n < 9};
				g.strided_sides = 1 + variant % 3;
				g.gap = variant & 4 ? 3 : 0;
				g.count = input_has_blocks(row->coll) ? counts[c] * n : counts[c];
				g.chunk_bytes = variant >= 6 && c < 3 ? 20 : 0;
				g.seed = (uint64_t)(n * variant + c);
				g.placement = n + variant + c;
				run_without_handles(g);
			}
}
END_TEST

/* A schedule that reads dense data as strided, or strided as dense, has a wrong result. */
START_TEST(simulator_finds_wrong_strides)
{
	for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
		struct simulation g = {.n = 3, .count = 36, .type = SR_I32, .strided_sides = 3};
		g.row = sr_algorithm_find(SR_ALL_TO_ALL, "segment", 7);
		const char *message;
		int differ = 0;
		ck_assert(build_schedules(&g));
		fill_buffers(&g);
		if (is_wrong)
			g.schedules[1].form[SR_IN] = g.schedules[1].form[SR_OUT];
		ck_assert_int_eq(sr_simulate(g.schedules, g.n, (void *const *)g.in, (void *const *)g.out, 0, arena, &message),
				 SR_OK);
		for (int64_t i = 0; i < g.count; i++) {
			char expected_bytes[4];
			set_element(g.type, expected_bytes, expected_element(&g, 1, i));
			differ += memcmp(expected_bytes, element_address(&g, 1, SR_OUT, i), sizeof expected_bytes) != 0;
		}
		ck_assert_int_eq(differ > 0, is_wrong);
	}
}
END_TEST

START_TEST(invalid_layouts_are_refused)
{
	const struct sr_algorithm *row = sr_algorithm_find(SR_ALL_GATHER, "direct", 6);
	struct sr_coll_call valid_call = {.coll = SR_ALL_GATHER, .n = 3, .count = 8, .type = SR_F32, .form = {{0}, {4, 8, 24}}};
	struct sr_coll_call call = valid_call;
	struct sr_schedule s;
	ck_assert_int_eq(sr_algorithm_build(row, &call, arena, &s), SR_OK);
	ck_assert_int_eq(s.out_bytes, 96);
	call.in_place = true;
	ck_assert_int_eq(sr_algorithm_build(row, &call, arena, &s), SR_NEXT);
	static const struct sr_coll_layout forms[] = {{4, 8, 20},	  {5, 8, 24},  {8, 4, 8},		{0, 8, 24},
						    {-4, -8, 24}, {16, 2, 24}, {INT64_MAX / 2, 8, 24}};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		call = valid_call;
		call.form[SR_OUT] = forms[i];
		ck_assert_int_eq(sr_algorithm_build(row, &call, arena, &s), SR_INTERNAL);
	}
	call = (struct sr_coll_call){.coll = SR_ALL_REDUCE, .n = 3, .count = 8, .type = SR_F32, .form = {{4, 8, 24}}};
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(SR_ALL_REDUCE, "ring", 4), &call, arena, &s), SR_INTERNAL);
}
END_TEST

/* Data of messages is packed into scratch; data that other members read in place is not. */
START_TEST(rows_are_packed_for_messages_alone)
{
	struct sr_coll_call call = {.coll = SR_ALL_TO_ALL, .n = 2, .member = 1, .count = 16, .type = SR_F32,
				    .form = {{2, 16, 32}, {4, 8, 16}}, .carrier = SR_CARRIER_SHM};
	struct sr_schedule s;
	struct sr_buf buf;
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(call.coll, "segment", 7), &call, arena, &s), SR_OK);
	ck_assert_int_eq(s.scratch_bytes, 0);
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(call.coll, "direct", 6), &call, arena, &s), SR_OK);
	sr_buf_init(&buf, arena);
	sr_schedule_print(&s, &buf);
	ck_assert_str_eq(sr_buf_string(&buf), "round 0\n"
					      "  copy scratch[0..64] <- in[0..64] : f32\n"
					      "round 1\n"
					      "  copy out[32..64] <- in[32..64] : f32\n"
					      "  recv scratch[64..96] from 0 tag 0 : f32\n"
					      "  send scratch[0..32] to 0 tag 0 : f32\n"
					      "round 2\n"
					      "  copy out[0..32] <- scratch[64..96] : f32\n"
					      "scratch 128 sent 32\n");
}
END_TEST

/* Groups that have more members than a burst has messages. */
START_TEST(every_row_with_many_members)
{
	static const int sizes[] = {34, 65, 100};
	for (int s = 0; s < 3; s++)
		for (int variant = 0; variant < 4; variant++) {
			struct simulation g = {.row = &sr_algorithms[_i], .n = sizes[s], .root = 3, .type = SR_I32, .placement = variant};
			g.count = input_has_blocks(g.row->coll) ? (int64_t)g.n * (1 + variant) : (int64_t[]){1, 7, 100, 250}[variant];
			g.in_place = variant & 1;
			g.seed = (uint64_t)variant;
			run_without_handles(g);
		}
}
END_TEST

START_TEST(every_row_with_every_type_and_monoid)
{
	static const enum sr_dtype types[] = {SR_F32, SR_BF16, SR_F16, SR_F8E5M2, SR_F64, SR_C64, SR_C128, SR_I1, SR_I4, SR_UI4,
					      SR_I8, SR_I16, SR_I32, SR_I64, SR_UI8, SR_UI16, SR_UI32, SR_UI64};
	static const int sizes[] = {2, 3, 5, 8};
	const struct sr_algorithm *row = &sr_algorithms[_i];
	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (int m = 0; m < (is_reduction(row->coll) ? SR_MONOID_COUNT : 1); m++)
			for (int s = 0; s < 4; s++) {
				struct simulation g = {.row = row, .n = sizes[s], .type = types[t], .monoid = (enum sr_monoid)m, .placement = m + s};
				g.count = input_has_blocks(row->coll) ? 13 * g.n : 45;
				g.chunk_bytes = 40;
				bool narrow_range = sr_dtypes[g.type].bits < 8 && g.type != SR_I1 && is_reduction(row->coll);
				if (!sr_reduce_supported(g.type, g.monoid) && is_reduction(row->coll)) {
					struct sr_coll_call call = {
						.coll = row->coll, .n = 2, .count = 2, .type = g.type, .monoid = g.monoid};
					ck_assert_int_eq(sr_algorithm_build(row, &call, arena, &g.schedules[0]), SR_UNSUPPORTED);
				} else if (!narrow_range || m >= SR_MONOID_MIN) {
					run_without_handles(g);
				}
			}
}
END_TEST

static double at(const struct simulation *g, const char *p, int64_t i)
{
	double d = 0;
	sr_element_get(g->type, p + i * sr_dtype_bytes(g->type), NULL, &d, NULL);
	return d;
}

/* Sums of values that need rounding: all members get equal bits, close to the sum in f64. */
START_TEST(rounding_sums_have_equal_bits)
{
	static const enum sr_dtype types[] = {SR_F32, SR_BF16, SR_F16};
	static const double tolerance[] = {1e-5, 1.0 / 256, 1.0 / 2048};
	for (int n = 2; n <= MAX_MEMBERS && sr_algorithms[_i].coll == SR_ALL_REDUCE; n++)
		for (int t = 0; t < 3; t++) {
			struct sr_arena *outer = arena;
			const char *message;
			struct simulation g = {.row = &sr_algorithms[_i], .n = n, .count = 50, .type = types[t], .placement = n + t};
			arena = sr_arena_new();
			if (build_schedules(&g)) {
				double sum[50] = {0};
				fill_buffers(&g);
				for (int k = 0; k < n; k++)
					for (int64_t i = 0; i < g.count; i++) {
						double x = 0.5 + (double)rand() / RAND_MAX;
						sr_element_set(g.type, g.in[k] + i * sr_dtype_bytes(g.type), 0, x, 0);
						sum[i] += at(&g, g.in[k], i);
					}
				ck_assert_int_eq(
					sr_simulate(g.schedules, n, (void *const *)g.in, (void *const *)g.out, g.seed, arena,
						    &message),
					SR_OK);
				for (int k = 0; k < n; k++)
					REQUIRE(!memcmp(g.out[k], g.out[0], (size_t)sr_coll_out_bytes(&g.calls[0])),
						"%s: members 0 and %d differ", describe_case(&g), k);
				for (int64_t i = 0; i < g.count; i++)
					REQUIRE(fabs(at(&g, g.out[0], i) - sum[i]) <= tolerance[t] * sum[i], "%s: %g, not %g",
						describe_case(&g), at(&g, g.out[0], i), sum[i]);
			}
			sr_arena_free(arena);
			arena = outer;
		}
}
END_TEST

/* Return the f32 sum over members first to first + n - 1 by the tree of SR_ORDER_TREE. */
static float tree_sum(const struct simulation *g, int64_t i, int first, int n)
{
	int n_left = n > 1 ? sr_power_below(n - 1) : 0;
	return n == 1 ? (float)at(g, g->in[first], i) : tree_sum(g, i, first, n_left) + tree_sum(g, i, first + n_left, n - n_left);
}

/* Every algorithm that claims the tree's order has the tree's bits. */
START_TEST(sums_are_in_the_order_of_the_tree)
{
	static const enum sr_dtype types[] = {SR_F32, SR_BF16};
	const struct sr_algorithm *row = &sr_algorithms[_i];
	ck_assert_int_eq(row->order != SR_ORDER_NONE, is_reduction(row->coll));
	for (int k = 0; k < 2 * MAX_MEMBERS && row->order == SR_ORDER_TREE; k++) {
		struct simulation g = {.row = row, .n = k / 2 + 1, .type = types[k % 2], .seed = (uint64_t)k, .placement = k / 3};
		const char *message;
		char expected_bits[4];
		g.count = input_has_blocks(row->coll) ? 9 * g.n : 300;
		ck_assert(build_schedules(&g));
		fill_buffers(&g);
		for (int m = 0; m < g.n; m++)
			for (int64_t i = 0; i < g.count; i++)
				sr_element_set(g.type, g.in[m] + i * sr_dtype_bytes(g.type), 0,
					       ldexp((double)rand() / RAND_MAX - 0.5, rand() % 20), 0);
		ck_assert_int_eq(sr_simulate(g.schedules, g.n, (void *const *)g.in, (void *const *)g.out, g.seed, arena, &message),
				 SR_OK);
		for (int m = 0; m < g.n; m++) {
			int64_t n = sr_coll_out_bytes(&g.calls[m]) / sr_dtype_bytes(g.type), first = input_has_blocks(row->coll) ? m * n : 0;
			for (int64_t i = 0; i < n; i++) {
				sr_element_set(g.type, expected_bits, 0, (double)tree_sum(&g, first + i, 0, g.n), 0);
				REQUIRE(
				    !memcmp(expected_bits, g.out[m] + i * sr_dtype_bytes(g.type), (size_t)sr_dtype_bytes(g.type)),
				    "%s: member %d, element %lld", describe_case(&g), m, (long long)i);
			}
		}
	}
}
END_TEST

/* 256 + 1 + 1 is 258 if sums are carried in f32; rounding each sum to bf16 gives 256. */
START_TEST(sums_of_bf16_are_rounded_once)
{
	const struct sr_algorithm *row = &sr_algorithms[_i];
	for (int n = 2; n <= 17 && is_reduction(row->coll); n++) {
		struct simulation g = {.row = row, .n = n, .count = 16 * n, .type = SR_BF16, .placement = n};
		const char *message;
		if (!build_schedules(&g))
			continue;
		fill_buffers(&g);
		for (int k = 0; k < n; k++)
			for (int64_t i = 0; i < g.count; i++)
				set_element(g.type, g.in[k] + 2 * i, k == n / 2 ? 256 : 1);
		ck_assert_int_eq(sr_simulate(g.schedules, n, (void *const *)g.in, (void *const *)g.out, g.seed, arena, &message),
				 SR_OK);
		double expected_sum = sr_bf16_to_f32(sr_f32_to_bf16((float)(256 + n - 1)));
		for (int k = 0; k < n; k++)
			REQUIRE(at(&g, g.out[k], 3) == expected_sum, "%s: %g", describe_case(&g), at(&g, g.out[k], 3));
	}
}
END_TEST

/* ---- bytes ---- */

/* All members together send at least the collective's lower bound; algorithms that claim the minimum send exactly that. */
START_TEST(bytes_are_at_least_the_bound)
{
	static const char *const optimal[] = {"direct", "ring", "pairwise", "recursive_halving"};
	const struct sr_algorithm *row = &sr_algorithms[_i];
	for (int n = 2; n <= MAX_MEMBERS; n++) {
		struct simulation g = {.row = row, .n = n, .root = n - 1, .count = 8 * n, .type = SR_F32};
		int64_t sent_bytes = 0, bound = 0;
		if (!build_schedules(&g))
			continue;
		for (int k = 0; k < n; k++) {
			sent_bytes += g.schedules[k].sent_bytes;
			bound += sr_coll_least_bytes(&g.calls[k]);
		}
		if (row->coll == SR_BROADCAST)
			bound *= n - 1;
		REQUIRE(sent_bytes >= bound, "%s: %lld bytes, below %lld", describe_case(&g), (long long)sent_bytes, (long long)bound);
		for (size_t i = 0; i < sizeof optimal / sizeof *optimal; i++)
			for (int k = 0; k < n && !strcmp(row->name, optimal[i]); k++)
				REQUIRE(g.schedules[k].sent_bytes == sr_coll_least_bytes(&g.calls[k]), "%s: member %d sends %lld",
					describe_case(&g), k, (long long)g.schedules[k].sent_bytes);
	}
}
END_TEST

START_TEST(narrow_sums_move_f32_in_the_ring_alone)
{
	struct sr_coll_call call = {.coll = SR_REDUCE_SCATTER, .n = 4, .count = 400, .type = SR_BF16};
	struct sr_schedule s;
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(call.coll, "ring", 4), &call, arena, &s), SR_OK);
	ck_assert_int_eq(s.sent_bytes, 3 * 100 * 4);
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(call.coll, "direct", 6), &call, arena, &s), SR_OK);
	ck_assert_int_eq(s.sent_bytes, 3 * 100 * 2);
	call.monoid = SR_MONOID_MAX;
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(call.coll, "ring", 4), &call, arena, &s), SR_OK);
	ck_assert_int_eq(s.sent_bytes, 3 * 100 * 2);
}
END_TEST

START_TEST(long_calls_keep_little_scratch_and_short_messages)
{
	struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .n = 8, .count = (int64_t)1 << 27, .type = SR_F32};
	struct sr_schedule s;
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(call.coll, "ordered", 7), &call, arena, &s), SR_OK);
	ck_assert_int_le(s.scratch_bytes, 4 << 20);
	call = (struct sr_coll_call){
		.coll = SR_PERMUTE, .n = 2, .from = 1, .to = 1, .count = ((int64_t)INT32_MAX + 5) / 8, .type = SR_C64};
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(SR_PERMUTE, "direct", 6), &call, arena, &s), SR_OK);
	ck_assert_int_eq(s.n_entries, 4);
	ck_assert_int_eq(s.entries[0].bytes % 8, 0);
	ck_assert_int_le(s.entries[0].bytes, INT32_MAX);
	call.count = INT64_MAX / 4;
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(SR_PERMUTE, "direct", 6), &call, arena, &s), SR_NO_MEMORY);
}
END_TEST

/* ---- the simulator and the checker ---- */

/* Return a schedule for one of two members, with one entry per round. */
static struct sr_schedule make_schedule(struct sr_schedule_entry *entries, int64_t n, int64_t sent_bytes)
{
	int64_t *rounds = SR_NEW_ARRAY(arena, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		rounds[i] = i + 1;
	return (struct sr_schedule){
	    .entries = entries, .n_entries = n, .round_end = rounds, .n_rounds = n, .result_rounds = n, .sent_bytes = sent_bytes};
}

static const char *simulate_pair(struct sr_schedule a, struct sr_schedule b)
{
	char in[2][8] = {{1}, {2}}, out[2][8];
	struct sr_schedule schedules[2] = {a, b};
	void *ins[2] = {in[0], in[1]}, *outs[2] = {out[0], out[1]};
	const char *message;
	enum sr_status status = sr_simulate(schedules, 2, ins, outs, 0, arena, &message);
	ck_assert_int_eq(status, message ? SR_INTERNAL : SR_OK);
	return message;
}

#define SEND(to, n, t) {.kind = SR_ENTRY_SEND, .peer = to, .bytes = n, .tag = t, .src = SR_IN, .type = SR_I8, .src_type = SR_I8}
#define RECV(of, n, t) {.kind = SR_ENTRY_RECV, .peer = of, .bytes = n, .tag = t, .dst = SR_OUT, .type = SR_I8, .src_type = SR_I8}

START_TEST(simulator_finds_bad_schedules)
{
	struct sr_schedule_entry send[] = {SEND(1, 4, 0)}, recv[] = {RECV(0, 4, 0)}, long_recv[] = {RECV(0, 5,
													 0)}, tagged[] = {RECV(0, 4,
															       1)};
	struct sr_schedule_entry a[] = {SEND(1, 4, 0), RECV(1, 4, 0)}, b[] = {SEND(0, 4, 0), RECV(0, 4, 0)},
			c[] = {RECV(0, 4, 0), SEND(0, 4, 0)};
	ck_assert_ptr_null(simulate_pair(make_schedule(send, 1, 4), make_schedule(recv, 1, 0)));
	ck_assert_ptr_null(simulate_pair(make_schedule(a, 2, 4), make_schedule(c, 2, 4)));
	ck_assert_str_eq(simulate_pair(make_schedule(a, 2, 4), make_schedule(b, 2, 4)), "member 0 never completes round 0");
	ck_assert_str_eq(simulate_pair(make_schedule(send, 1, 4), make_schedule(recv, 0, 0)), "member 0 never completes round 0");
	ck_assert_str_eq(simulate_pair(make_schedule(send, 0, 0), make_schedule(recv, 1, 0)), "member 1 never completes round 0");
	ck_assert_str_eq(simulate_pair(make_schedule(send, 1, 5), make_schedule(recv, 1, 0)), "member 0 sent 4 bytes, 5 were predicted");
	ck_assert_str_eq(simulate_pair(make_schedule(send, 1, 4), make_schedule(long_recv, 1, 0)),
			 "member 0 sends 4 bytes with tag 0 to 1, which expects 5 with tag 0");
	ck_assert_str_eq(simulate_pair(make_schedule(send, 1, 4), make_schedule(tagged, 1, 0)),
			 "member 0 sends 4 bytes with tag 0 to 1, which expects 4 with tag 1");
}
END_TEST

/* Simulate 50 orders of two members that execute the same n entries (one round each; reads are from the other member). Return
 * how many of these runs have another result than the other member's input. The schedule claims that the result is complete
 * after `result` rounds; `is_shared`: the input is read in place. */
static int count_wrong_results(const struct sr_schedule_entry *entries, int64_t n, int64_t result, bool is_shared)
{
	int n_wrong = 0;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		char in[2][8] = {{1}, {2}}, out[2][8];
		void *ins[2] = {in[0], in[1]}, *outs[2] = {out[0], out[1]};
		struct sr_schedule schedules[2];
		const char *message;
		for (int me = 0; me < 2; me++) {
			struct sr_schedule_entry *copies = sr_dup(arena, entries, (size_t)n, sizeof *entries);
			for (int64_t i = 0; i < n; i++)
				copies[i].peer = 1 - me;
			schedules[me] = make_schedule(copies, n, 4);
			schedules[me].in_bytes = schedules[me].out_bytes = 4;
			schedules[me].result_rounds = result;
			schedules[me].is_shared[SR_IN] = is_shared;
		}
		ck_assert_int_eq(sr_simulate(schedules, 2, ins, outs, seed, arena, &message), SR_OK);
		n_wrong += out[0][0] != 2 || out[1][0] != 1;
	}
	return n_wrong;
}

static int count_wrong_orders(const struct sr_schedule_entry *entries, int64_t n)
{
	return count_wrong_results(entries, n, n, false);
}

#define STAGE(k, t) {.kind = SR_ENTRY_##k, .tag = t, .type = SR_I8, .src_type = SR_I8}
#define MOVE(k, from, to) {.kind = SR_ENTRY_##k, .bytes = 4, .src = SR_##from, .dst = SR_##to, .type = SR_I8, .src_type = SR_I8}

START_TEST(simulator_finds_reads_too_early_and_ends_too_soon)
{
	const struct sr_schedule_entry through_slot[] = {MOVE(COPY, IN, SLOT), STAGE(SIGNAL, 1), STAGE(WAIT, 1), MOVE(READ, SLOT, OUT)},
				       early_read[] = {MOVE(COPY, IN, SLOT), STAGE(SIGNAL, 1), MOVE(READ, SLOT, OUT)},
				       in_place[] = {MOVE(READ, IN, OUT), STAGE(SIGNAL, 1), STAGE(WAIT, 1)},
				       early_signal[] = {MOVE(READ, IN, OUT), STAGE(SIGNAL, 1)};
	ck_assert_int_eq(count_wrong_orders(through_slot, 4), 0);
	ck_assert_int_gt(count_wrong_orders(early_read, 3), 0);
	ck_assert_int_eq(count_wrong_orders(in_place, 3), 0);
	ck_assert_int_gt(count_wrong_orders(early_signal, 2), 0);
}
END_TEST

/* A result is complete before others have read this member's memory. Then the caller may read the result and overwrite memory
 * that is not shared. */
START_TEST(simulator_finds_early_reads_and_writes)
{
	const struct sr_schedule_entry entries[] = {STAGE(SIGNAL, 1), STAGE(WAIT, 1), MOVE(READ, IN, OUT), STAGE(SIGNAL, 2),
						    STAGE(WAIT, 2)};
	ck_assert_int_eq(count_wrong_results(entries, 5, 5, true), 0);
	ck_assert_int_eq(count_wrong_results(entries, 5, 3, true), 0);
	ck_assert_int_gt(count_wrong_results(entries, 5, 3, false), 0);
	ck_assert_int_gt(count_wrong_results(entries, 5, 2, true), 0);
}
END_TEST

START_TEST(segment_algorithms_need_one_node)
{
	for (int i = 0; i < sr_n_algorithms; i++) {
		struct sr_coll_call call = {.coll = sr_algorithms[i].coll, .n = 2, .count = 2, .type = SR_I8, .from = -1, .to = -1};
		struct sr_schedule s;
		call.from = call.coll == SR_BROADCAST ? 0 : -1;
		if (!strncmp(sr_algorithms[i].name, "segment", 7) || !strcmp(sr_algorithms[i].name, "hierarchical"))
			ck_assert_int_eq(sr_algorithm_build(&sr_algorithms[i], &call, arena, &s), SR_NEXT);
	}
}
END_TEST

START_TEST(operands_are_read_in_place_if_all_algorithms_permit)
{
	for (int coll = 0; coll < SR_COLL_COUNT; coll++)
		ck_assert_int_eq(sr_coll_supports_in_place((enum sr_coll)coll), coll == SR_ALL_REDUCE || coll == SR_BROADCAST);
}
END_TEST

START_TEST(checker_finds_bad_schedules)
{
	struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .n = 2, .count = 4, .type = SR_I8};
	struct sr_schedule_entry valid_entries[] = {RECV(1, 4, 0), SEND(1, 4, 0)}, read_beyond_end[] = {RECV(1, 5, 0)}, receive_from_self[] = {RECV(0, 4, 0)};
	struct sr_schedule_entry two_receives[] = {RECV(1, 2, 0), RECV(1, 4, 0)};
	struct sr_schedule one_round = make_schedule(two_receives, 2, 0);
	ck_assert_ptr_null(sr_schedule_check(&(struct sr_schedule){0}, &call, arena));
	ck_assert_ptr_null(sr_schedule_check(&(const struct sr_schedule){valid_entries, 2, (int64_t[]){2}, 1}, &call, arena));
	call.in_place = true; /* in place, an entry overwrites the data that another entry sends */
	ck_assert_str_eq(sr_schedule_check(&(const struct sr_schedule){valid_entries, 2, (int64_t[]){2}, 1}, &call, arena),
			 "entries 0 and 1 of round 0 access the same bytes");
	call.in_place = false;
	one_round.round_end[0] = 2;
	one_round.n_rounds = 1;
	ck_assert_str_eq(sr_schedule_check(&one_round, &call, arena), "entries 0 and 1 of round 0 access the same bytes");
	struct sr_schedule s = make_schedule(read_beyond_end, 1, 0);
	ck_assert_str_eq(sr_schedule_check(&s, &call, arena), "entry 0 exceeds its buffer");
	s = make_schedule(receive_from_self, 1, 0);
	ck_assert_str_eq(sr_schedule_check(&s, &call, arena), "entry 0 has an invalid peer or no bytes");
}
END_TEST

START_TEST(schedule_prints)
{
	struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .n = 2, .member = 1, .count = 4, .type = SR_F32};
	struct sr_schedule s;
	struct sr_buf buf;
	ck_assert_int_eq(sr_algorithm_build(sr_algorithm_find(call.coll, "exchange", 8), &call, arena, &s), SR_OK);
	sr_buf_init(&buf, arena);
	sr_schedule_print(&s, &buf);
	ck_assert_str_eq(sr_buf_string(&buf), "round 0\n"
					      "  copy scratch[16..32] <- in[0..16] : f32\n"
					      "  recv scratch[0..16] from 0 tag 0 : f32\n"
					      "  send in[0..16] to 0 tag 0 : f32\n"
					      "round 1\n"
					      "  fold out[0..16] <- scratch[0..32] 2 at stride 16 : f32\n"
					      "scratch 64 sent 16\n");
}
END_TEST

#include "tests/unit/collectives_reduce.h"
#include "tests/unit/collectives_selection.h"

int main(void)
{
	Suite *suite = suite_create("collectives");
	TCase *rows = tcase_create("rows"), *others_case = tcase_create("rest");
	tcase_add_checked_fixture(rows, setup, teardown);
	tcase_add_checked_fixture(others_case, setup, teardown);
	tcase_set_timeout(rows, 120);
	tcase_add_loop_test(rows, every_row_with_1_to_33_members, 0, sr_n_algorithms);
	tcase_add_loop_test(rows, every_row_with_many_members, 0, sr_n_algorithms);
	tcase_add_loop_test(rows, every_row_with_blocks_in_rows, 0, sr_n_algorithms);
	tcase_add_loop_test(rows, every_row_with_every_type_and_monoid, 0, sr_n_algorithms);
	tcase_add_loop_test(rows, rounding_sums_have_equal_bits, 0, sr_n_algorithms);
	tcase_add_loop_test(rows, sums_are_in_the_order_of_the_tree, 0, sr_n_algorithms);
	tcase_add_test(rows, segment_algorithms_need_one_node);
	tcase_add_test(rows, simulator_finds_reads_too_early_and_ends_too_soon);
	tcase_add_test(rows, simulator_finds_early_reads_and_writes);
	tcase_add_loop_test(rows, sums_of_bf16_are_rounded_once, 0, sr_n_algorithms);
	tcase_add_loop_test(rows, bytes_are_at_least_the_bound, 0, sr_n_algorithms);
	tcase_add_test(others_case, selection_stays_within_bounds_for_512_members);
	tcase_add_test(others_case, cost_between_nodes_equals_bytes_sent);
	tcase_add_test(others_case, narrow_sums_move_f32_in_the_ring_alone);
	tcase_add_test(others_case, long_calls_keep_little_scratch_and_short_messages);
	tcase_add_test(others_case, simulator_finds_bad_schedules);
	tcase_add_test(others_case, operands_are_read_in_place_if_all_algorithms_permit);
	tcase_add_test(others_case, checker_finds_bad_schedules);
	tcase_add_test(others_case, schedule_prints);
	tcase_add_test(others_case, selection_takes_the_first_row_that_builds);
	tcase_add_test(others_case, defaults_cover_every_call);
	tcase_add_test(others_case, malformed_selections_say_why);
	tcase_add_test(others_case, selection_prints_and_parses_back);
	tcase_add_test(others_case, rows_are_unique_and_documented);
	tcase_add_test(others_case, wrong_calls_are_refused);
	tcase_add_test(others_case, invalid_layouts_are_refused);
	tcase_add_test(others_case, rows_are_packed_for_messages_alone);
	tcase_add_test(others_case, simulator_finds_wrong_strides);
	tcase_add_test(others_case, floats_follow_ieee_maximum);
	tcase_add_test(others_case, complex_numbers_propagate_nan);
	tcase_add_test(others_case, integers_wrap_to_their_bits);
	tcase_add_test(others_case, narrow_floats_convert_as_support_says);
	suite_add_tcase(suite, rows);
	suite_add_tcase(suite, others_case);
	return sr_run_suite(suite);
}
