/* Unit tests of src/cost: bytes on the wire by their formulas, monotonic costs, machine descriptions as text. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "cost/mesh_links.h"
#include "tests/unit/suite.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static struct sr_arena *arena;
static struct sr_diags diags;

static void setup(void)
{
	arena = sr_arena_new();
	sr_diags_init(&diags, arena);
}

static void teardown(void)
{
	sr_arena_free(arena);
}

START_TEST(link_of_a_group)
{
	static const int node[] = {0, 1, 0, 1, 0, 1};
	static const int64_t strided[] = {0, 2, -1, 4}, far_groups[] = {0, 1}, padded[] = {-1, 3, 4};
	struct sr_machine m;
	sr_machine_default(&m);
	m.ranks_per_node = 0; /* 0 means that all ranks are on one node */
	ck_assert_int_eq(sr_cost_link(&m, NULL, 100000), SR_LINK_NODE);
	m.ranks_per_node = 4;
	ck_assert_int_eq(sr_cost_link(&m, NULL, 4), SR_LINK_NODE);
	ck_assert_int_eq(sr_cost_link(&m, NULL, 5), SR_LINK_NETWORK);
	ck_assert_int_eq(sr_cost_link(&m, far_groups, 2), SR_LINK_NODE);
	ck_assert_int_eq(sr_cost_link(&m, padded, 3), SR_LINK_NETWORK);
	m.node_of_device = node;
	ck_assert_int_eq(sr_cost_node(&m, 3), 1);
	ck_assert_int_eq(sr_cost_link(&m, strided, 4), SR_LINK_NODE);
	ck_assert_int_eq(sr_cost_link(&m, far_groups, 2), SR_LINK_NETWORK);
}
END_TEST

START_TEST(wire_bytes_are_the_reports)
{
	for (int64_t n = 1; n <= 33; n++)
		for (int64_t r = 0; r <= 200; r++) {
			int64_t chunk_bytes = r * (n - 1) / n;
			ck_assert_int_eq(sr_cost_wire_bytes(SR_ALL_REDUCE, r, n), 2 * chunk_bytes);
			ck_assert_int_eq(sr_cost_wire_bytes(SR_ALL_GATHER, r, n), chunk_bytes);
			ck_assert_int_eq(sr_cost_wire_bytes(SR_ALL_TO_ALL, r, n), chunk_bytes);
			ck_assert_int_eq(sr_cost_wire_bytes(SR_REDUCE_SCATTER, r, n), r * (n - 1));
			ck_assert_int_eq(sr_cost_wire_bytes(SR_PERMUTE, r, n), r);
			ck_assert_int_eq(sr_cost_wire_bytes(SR_BROADCAST, r, n), r);
			for (int c = 0; c < SR_COLL_COUNT; c++) {
				double exact_bytes = sr_cost_wire((enum sr_coll)c, (double)r, (double)n);
				int64_t bytes = sr_cost_wire_bytes((enum sr_coll)c, r, n);
				ck_assert(exact_bytes > (double)bytes - 1e-9 && exact_bytes < (double)bytes + 2);
			}
		}
	ck_assert_int_eq(sr_cost_wire_bytes(SR_ALL_REDUCE, 100, 0), 0);
	ck_assert_int_eq(sr_cost_wire_bytes(SR_REDUCE_SCATTER, 100, 0), 0);
}
END_TEST

START_TEST(wire_bytes_do_not_overflow)
{
	ck_assert_int_eq(sr_cost_wire_bytes(SR_ALL_GATHER, INT64_MAX, 2), INT64_MAX / 2);
	ck_assert_int_eq(sr_cost_wire_bytes(SR_REDUCE_SCATTER, INT64_MAX / 2, 4), INT64_MAX);
	ck_assert_int_eq(sr_cost_wire_bytes(SR_ALL_REDUCE, INT64_MAX, 1000), INT64_MAX);
}
END_TEST

/* With the default machine, conversion rates have the values on which partitioning relies. */
START_TEST(default_choices_are_fixed)
{
	struct sr_machine m;
	sr_machine_default(&m);
	ck_assert(sr_cost_bytes_per_multiply_add(&m) == 0.5);
	ck_assert(sr_cost_multiply_adds_per_byte(&m) == 2);
	ck_assert(sr_cost_division_pays(1e-6, false) && !sr_cost_division_pays(.9e-6, false));
	ck_assert(sr_cost_division_pays(4e-6, true) && !sr_cost_division_pays(3.9e-6, true));
	ck_assert(sr_cost_threads_pay(2e-4) && !sr_cost_threads_pay(1.9e-4));
}
END_TEST

START_TEST(nodes_take_their_bytes_or_their_work)
{
	struct sr_machine m;
	sr_machine_default(&m);
	int64_t bytes = 1 << 30;
	struct sr_elementwise_work w = {.read_bytes = bytes, .written_bytes = bytes};
	struct sr_cost copy = sr_cost_of_elementwise(&m, &w);
	ck_assert_double_eq_tol(copy.seconds, 2.0 * (double)bytes / m.bytes_per_s[SR_LEVEL_MEMORY], 1e-6);
	ck_assert_int_eq(copy.memory_bytes, 2 * bytes);
	w.elements[SR_WORK_TRANSCENDENTAL] = sr_cost_elements(1e9, SR_F64);
	ck_assert_double_eq_tol(sr_cost_of_elementwise(&m, &w).seconds, 2e9 / m.work_per_s[SR_WORK_TRANSCENDENTAL], 1e-6);
	/* data that fits in a cache is moved at the cache's rate */
	w = (struct sr_elementwise_work){.read_bytes = 1000};
	ck_assert_double_eq_tol(sr_cost_of_elementwise(&m, &w).seconds - m.instr_s, 1000 / m.bytes_per_s[SR_LEVEL_L1], 1e-12);
	w = (struct sr_elementwise_work){.read_bytes = INT64_MAX, .written_bytes = INT64_MAX};
	ck_assert_int_eq(sr_cost_of_elementwise(&m, &w).memory_bytes, INT64_MAX);
}
END_TEST

START_TEST(products_sorts_and_convolutions_grow)
{
	struct sr_machine m;
	sr_machine_default(&m);
	struct sr_product_work p = {.batch = 2, .m = 512, .n = 512, .k = 512, .dtype = SR_F32};
	double f32 = sr_cost_of_product(&m, &p).seconds;
	ck_assert_double_ge(f32, 4.0 * 512 * 512 * 512 / m.product_flops_per_s[SR_PRODUCT_F32]);
	p.dtype = SR_C64;
	ck_assert_double_gt(sr_cost_of_product(&m, &p).seconds, 3 * f32);
	/* integers and 16-bit floats have vector instructions, too */
	for (size_t i = 0; i < 3; i++) {
		p.dtype = (enum sr_dtype[]){SR_I32, SR_F16, SR_BF16}[i];
		ck_assert_double_lt(sr_cost_of_product(&m, &p).seconds, 3 * f32);
	}
	struct sr_convolution_work v = {.outputs = 1000, .per_output = 100, .packed = 1000, .dtype = SR_F32};
	double fast_seconds = sr_cost_of_convolution(&m, &v).seconds;
	v.packed = 0;
	ck_assert_double_gt(sr_cost_of_convolution(&m, &v).seconds, fast_seconds);
	struct sr_cost s = sr_cost_of_sort(&m, &(struct sr_sort_work){.rows = 4, .length = 1024, .row_bytes = 4});
	ck_assert_double_eq_tol(s.seconds - s.latency_s, 4 * 1024 * 10 / m.work_per_s[SR_WORK_SORT], 1e-12);
	ck_assert_double_gt(sr_cost_of_sort(&m, &(struct sr_sort_work){.rows = 4, .length = 1, .row_bytes = 4}).seconds, 0);
}
END_TEST

START_TEST(collectives_cost_rounds_messages_and_bytes)
{
	struct sr_machine m;
	sr_machine_default(&m);
	struct sr_collective_work w = {.rounds = {3, 1}, .messages = {4, 0}, .sent_bytes = {1 << 20, 1 << 20}};
	const struct sr_link_costs *node = &m.links[SR_LINK_NODE], *network = &m.links[SR_LINK_NETWORK];
	struct sr_cost c = sr_cost_of_collective(&m, &w);
	double latency = m.instr_s + 3 * node->latency_s + 4 * node->message_s + network->latency_s;
	ck_assert_double_eq_tol(c.latency_s, latency, 1e-12);
	ck_assert_double_eq_tol(c.seconds, latency + 0x1p20 / node->bytes_per_s + 0x1p20 / network->bytes_per_s, 1e-12);
	ck_assert_int_eq(c.wire_bytes[SR_LINK_NETWORK], 1 << 20);
	struct sr_collective_work in_segment = {.segment_rounds = 2, .segment_bytes = 1 << 20};
	struct sr_cost in_segment_cost = sr_cost_of_collective(&m, &in_segment);
	ck_assert_double_eq_tol(in_segment_cost.seconds, m.instr_s + 2 * m.segment_round_s + 0x1p20 / m.segment_bytes_per_s, 1e-12);
	ck_assert_int_eq(in_segment_cost.wire_bytes[SR_LINK_NODE], 1 << 20);
	/* the cost of a sequence is the sum of the costs of its parts; the cost of a loop is its body's cost times the trip count
	 */
	struct sr_cost sequence_cost = c;
	sr_cost_add(&sequence_cost, &c);
	struct sr_cost doubled_cost = sr_cost_scale(c, 2);
	ck_assert(sequence_cost.seconds == doubled_cost.seconds && sequence_cost.wire_bytes[0] == doubled_cost.wire_bytes[0] &&
		  doubled_cost.wire_bytes[0] == 2 << 20);
}
END_TEST

/* 8 ranks on 2 cores have a quarter of a core each, 2 ranks have a core each; all ranks of a node share the network's bandwidth. */
START_TEST(ranks_share_cores_and_the_network)
{
	struct sr_machine core, m;
	sr_machine_default(&core);
	core.cores_per_node = 2, core.ranks_per_node = 8;
	sr_machine_of_rank(&core, 8, &m);
	ck_assert(m.product_flops_per_s[SR_PRODUCT_F32] == core.product_flops_per_s[SR_PRODUCT_F32] / 4);
	ck_assert(m.links[SR_LINK_NODE].latency_s == 4 * core.links[SR_LINK_NODE].latency_s);
	ck_assert(m.links[SR_LINK_NETWORK].latency_s == core.links[SR_LINK_NETWORK].latency_s);
	ck_assert(m.links[SR_LINK_NETWORK].bytes_per_s == core.links[SR_LINK_NETWORK].bytes_per_s / 8);
	sr_machine_of_rank(&core, 512, &m);
	ck_assert(m.links[SR_LINK_NETWORK].bytes_per_s == core.links[SR_LINK_NETWORK].bytes_per_s / 8);
	ck_assert(m.instr_s == 4 * core.instr_s);
	sr_machine_of_rank(&core, 1, &m);
	ck_assert(m.instr_s == core.instr_s);
	core.cores_per_node = 0;
	sr_machine_of_rank(&core, 8, &m);
	ck_assert(m.instr_s == core.instr_s);
}
END_TEST

/* The default machine sets every key: written and parsed back, each line counts and no field is zero. */
START_TEST(machines_are_text_and_back)
{
	struct sr_machine m, parsed_machine;
	struct sr_buf text, rewritten;
	sr_machine_default(&m);
	m.cores_per_node = 7;
	m.links[SR_LINK_NETWORK].message_s = 3.25e-7;
	sr_buf_init(&text, arena);
	sr_buf_init(&rewritten, arena);
	sr_machine_write(&m, &text);
	ck_assert_int_eq(sr_machine_parse("m", text.data, text.n, &diags, &parsed_machine), SR_OK);
	ck_assert(parsed_machine.cores_per_node == 7 && parsed_machine.links[SR_LINK_NETWORK].message_s == 3.25e-7);
	sr_machine_write(&parsed_machine, &rewritten);
	ck_assert_str_eq(sr_buf_string(&rewritten), sr_buf_string(&text));
	ck_assert_ptr_null(strstr(sr_buf_string(&text), "= 0\n"));
	/* keys that are missing have default values */
	static const char partial_text[] = "# a comment\n\n  instruction_s=1e-3 # another\nl2_bytes = 5";
	ck_assert_int_eq(sr_machine_parse("m", partial_text, sizeof partial_text - 1, &diags, &parsed_machine), SR_OK);
	sr_machine_default(&m);
	ck_assert(parsed_machine.instr_s == 1e-3 && parsed_machine.cache_bytes[SR_LEVEL_L2] == 5 && parsed_machine.matmul_call_s == m.matmul_call_s);
}
END_TEST

START_TEST(bad_machines_are_refused)
{
	static const struct {
		const char *text, *message;
		int line;
	} rows[] = {
		{"instruction_s = 1e-6\nspeed = 3\n", "unknown key 'speed' in a machine's text", 2},
		{"instruction_s\n", "expected 'key = value' in a machine's text, found 'instruction_s'", 1},
		{"instruction_s = 1\ninstruction_s = 1\n", "'instruction_s' is given twice", 2},
		{"instruction_s = fast\n", "'instruction_s' must be a number above zero, not 'fast'", 1},
		{"instruction_s = 0\n", "'instruction_s' must be a number above zero, not '0'", 1},
		{"instruction_s = -1\n", "'instruction_s' must be a number above zero, not '-1'", 1},
		{"instruction_s = inf\n", "'instruction_s' must be a number above zero, not 'inf'", 1},
		{"instruction_s = 1e999\n", "'instruction_s' must be a number above zero, not '1e999'", 1},
		{"instruction_s =\n", "'instruction_s' must be a number above zero, not ''", 1},
		{"instruction_s = 1 2\n", "'instruction_s' must be a number above zero, not '1 2'", 1},
		{"cores_per_node = 1.5\n", "'cores_per_node' must be a whole number, not '1.5'", 1},
		{"cores_per_node = 1e10\n", "'cores_per_node' must be a whole number, not '1e10'", 1},
		{"l1_bytes = 1e30\n", "'l1_bytes' must be a whole number, not '1e30'", 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sr_machine m = {.cores_per_node = 99};
		sr_diags_clear(&diags);
		ck_assert_int_eq(sr_machine_parse("machine.txt", rows[i].text, strlen(rows[i].text), &diags, &m), SR_USAGE);
		ck_assert_str_eq(diags.first->message, rows[i].message);
		ck_assert_int_eq(diags.first->place.line, rows[i].line);
		ck_assert_int_eq(m.cores_per_node, 99);
	}
}
END_TEST

static const char x[] = "x", y[] = "y";

/* Two nodes of four devices; bytes between nodes take twice as long as within one, rounds three times. */
START_TEST(collectives_cost_what_their_links_do)
{
	static const struct sr_axis axes[] = {{x, 2}, {y, 4}};
	static const int y_outermost[] = {1, 0};
	static const struct sr_axis_ref refs[] = {{x, 1, 2}, {y, 1, 4}};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	struct sr_mesh_links l = {.mesh = &mesh, .devices_per_node = 4, .bytes_ratio = 2, .latency_ratio = 3};
	struct sr_axes along_x = {&refs[0], 1}, along_y = {&refs[1], 1}, all = {refs, 2};
	ck_assert(sr_mesh_links_span_nodes(&l));
	ck_assert_int_eq(sr_mesh_links_members(&l, along_x), 1);
	ck_assert_int_eq(sr_mesh_links_members(&l, along_y), 4);
	ck_assert_int_eq(sr_mesh_links_members(&l, all), 4);
	/* a node sends the 4 blocks of its members to the other: each device a block of 800 / 8 bytes */
	ck_assert_double_eq(sr_cost_collective(&l, SR_ALL_GATHER, 800, all).bytes, 700 + 200);
	ck_assert_double_eq(sr_cost_collective(&l, SR_ALL_GATHER, 800, all).rounds, 1 + 3);
	ck_assert_double_eq(sr_cost_collective(&l, SR_ALL_GATHER, 800, all).sent_bytes, 700);
	/* the members of a node are one subtree: one partial sum is sent, and one half of the result */
	ck_assert_double_eq(sr_cost_collective(&l, SR_ALL_REDUCE, 800, all).bytes, 1400 + 400);
	ck_assert_double_eq(sr_cost_collective(&l, SR_ALL_TO_ALL, 800, all).bytes, 700 + 800);
	ck_assert_double_eq(sr_cost_collective(&l, SR_PERMUTE, 800, along_x).bytes, 800 + 800);
	ck_assert_double_eq(sr_cost_collective(&l, SR_ALL_REDUCE, 800, along_y).bytes, 1200);
	/* y outermost: x is within a node, y spans nodes; the members of a node are not neighbours in the reduction tree */
	l.order = y_outermost;
	ck_assert_int_eq(sr_mesh_links_members(&l, along_x), 2);
	ck_assert_int_eq(sr_mesh_links_members(&l, along_y), 2);
	ck_assert_double_eq(sr_cost_collective(&l, SR_REDUCE_SCATTER, 100, all).bytes, 700 + 400);
	l.devices_per_node = 0;
	ck_assert(!sr_mesh_links_span_nodes(&l));
	ck_assert_double_eq(sr_cost_collective(&l, SR_ALL_TO_ALL, 800, all).bytes, 700);
	ck_assert_double_eq(sr_cost_collective(NULL, SR_ALL_TO_ALL, 800, (struct sr_axes){0}).rounds, 0);
}
END_TEST

START_TEST(orders_of_axes_are_read)
{
	static const struct sr_axis axes[] = {{x, 2}, {y, 4}};
	static const char *const bad_orders[] = {NULL, "y", "x,x", "x,y,x", "x,z", "x,", ",x,y", "xy"};
	struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	int order[2];
	ck_assert(sr_mesh_axis_order(&mesh, "y,x", order) && order[0] == 1 && order[1] == 0);
	ck_assert(sr_mesh_axis_order(&mesh, "", order) && order[0] == 0 && order[1] == 1);
	for (size_t i = 0; i < sizeof bad_orders / sizeof *bad_orders; i++)
		ck_assert_msg(!sr_mesh_axis_order(&mesh, bad_orders[i], order), "'%s'", bad_orders[i] ? bad_orders[i] : "NULL");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		wire_bytes_are_the_reports, wire_bytes_do_not_overflow, default_choices_are_fixed, nodes_take_their_bytes_or_their_work,
		products_sorts_and_convolutions_grow, link_of_a_group, collectives_cost_what_their_links_do,
		orders_of_axes_are_read, collectives_cost_rounds_messages_and_bytes,
		ranks_share_cores_and_the_network,
		machines_are_text_and_back, bad_machines_are_refused,
	};
	return sr_run_tests("cost", tests, sizeof tests / sizeof tests[0], setup, teardown);
}
