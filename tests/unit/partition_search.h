/* The search over a function: minimum cuts compared with all cuts of small networks, and the search's result with all results
 * for small functions. */
#pragma once
#include "import/import.h"
#include "partition/search/flow_net.h"
#include "partition/search/search.h"
#include "propagate/propagate.h"
#include "text/text.h"
#include "tests/unit/suite.h"
#include <math.h>

enum { NET = 8, LISTS = 4 };

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16 & 0x7fff;
}

START_TEST(minimum_cuts)
{
	struct sr_arena *a = sr_arena_new();
	struct sr_flow_net *net = sr_flow_net_new(a, 2);
	unsigned seed = 1;
	for (int round = 0; round < 300; round++) {
		double side_costs[NET][2], arc_costs[NET][NET], min_cost = 1e30, got = 0;
		bool is_one[NET];
		sr_flow_net_reset(net, NET);
		for (int i = 0; i < NET; i++) {
			for (int k = 0; k < 2; k++)
				side_costs[i][k] = next_random(&seed) % 20;
			sr_flow_net_node(net, i, side_costs[i][0], side_costs[i][1]);
			for (int k = 0; k < NET; k++) {
				arc_costs[i][k] = i != k && next_random(&seed) % 3 == 0 ? next_random(&seed) % 10 : 0;
				sr_flow_net_edge(net, i, k, arc_costs[i][k]);
			}
		}
		sr_flow_net_cut(net, is_one);
		for (int set = -1; set < 1 << NET; set++) {
			double cost = 0;
			for (int i = 0; i < NET; i++) {
				bool one = set < 0 ? is_one[i] : set >> i & 1;
				cost += side_costs[i][one];
				for (int k = 0; k < NET; k++)
					cost += !one && (set < 0 ? is_one[k] : set >> k & 1) ? arc_costs[i][k] : 0;
			}
			if (set < 0)
				got = cost;
			else
				min_cost = cost < min_cost ? cost : min_cost;
		}
		ck_assert_double_eq_tol(got, min_cost, 1e-9);
	}
	sr_arena_free(a);
}
END_TEST

/* State of enumerating assignments. Each axis, in order, shards a factor or nothing; if the factor is a reduction's, the result may
 * be scattered along a dimension. */
struct placement {
	struct sr_search *s;
	double min_cost;
};

static void place_nodes(struct placement *p, size_t node);

static void place_axes(struct placement *p, size_t node, int axis, int *axes, int *scatter)
{
	struct sr_search *s = p->s;
	struct sr_search_node *n = &s->nodes.data[node];
	const struct sr_mesh *mesh = s->mesh.mesh;
	if (axis == mesh->n_axes) {
		sr_search_set(s, n, sr_search_strategy(s, n->kind, axes, scatter));
		place_nodes(p, node + 1);
		return;
	}
	struct sr_axis_ref ref = {mesh->axes[axis].name, 1, mesh->axes[axis].size};
	place_axes(p, node, axis + 1, axes, scatter);
	for (int f = 0; f < n->kind->view.rule->n_factors; f++) {
		int was = axes[f];
		axes[f] = sr_search_axes_number(s, sr_axes_append(s->arena, s->lists.data[was], ref));
		place_axes(p, node, axis + 1, axes, scatter);
		for (int d = 0; sr_index_list_has(n->kind->view.rule->reduction, f) && d < n->kind->result_rank; d++) {
			int had = scatter[d];
			scatter[d] = sr_search_axes_number(s, sr_axes_append(s->arena, s->lists.data[had], ref));
			place_axes(p, node, axis + 1, axes, scatter);
			scatter[d] = had;
		}
		axes[f] = was;
	}
}

static void place_nodes(struct placement *p, size_t node)
{
	int axes[LISTS * 4] = {0}, scatter[LISTS * 4] = {0};
	while (node < p->s->nodes.n && !p->s->nodes.data[node].kind)
		node++;
	if (node < p->s->nodes.n) {
		place_axes(p, node, 0, axes, scatter);
		return;
	}
	double cost = sr_search_total_cost(p->s);
	if (sr_search_wire_bytes(p->s) <= p->s->wire_bytes_alone) /* assignments must not send more bytes than the ops alone */
		p->min_cost = cost < p->min_cost ? cost : p->min_cost;
}

#define AT(dims) "{sdy.sharding = #sdy.sharding_per_value<[<@m, " dims ">]>}"
#define ARG(dims) "{sdy.sharding = #sdy.sharding<@m, " dims ">}"
static const char *const searched_programs[] = {
	"sdy.mesh @m = <[\"a\"=2, \"b\"=4]>\n"
	"func.func @main(%x: tensor<64x32xf32> " ARG("[{\"a\"}, {}]") ", %w: tensor<32x32xf32> " ARG("[{\"b\"}, {}]")
	") -> (tensor<64x32xf32> " ARG("[{\"a\"}, {}]") ") {\n"
	"  %0 = stablehlo.dot %x, %w " AT("[{\"a\"}, {}]") " : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>\n"
	"  %1 = stablehlo.dot %0, %w " AT("[{\"a\"}, {}]") " : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>\n"
	"  return %1 : tensor<64x32xf32>\n}\n",
	"sdy.mesh @m = <[\"a\"=8]>\n"
	"func.func @main(%x: tensor<64x32xf32> " ARG("[{\"a\"}, {}]") ", %y: tensor<32x64xf32> " ARG("[{\"a\"}, {}]")
	") -> (tensor<64x32xf32> " ARG("[{}, {\"a\"}]") ") {\n"
	"  %0 = stablehlo.transpose %y, dims = [1, 0] " AT("[{}, {\"a\"}]") " : (tensor<32x64xf32>) -> tensor<64x32xf32>\n"
	"  %1 = stablehlo.add %x, %0 " AT("[{\"a\"}, {}]") " : tensor<64x32xf32>\n"
	"  %2 = stablehlo.tanh %1 " AT("[{\"a\"}, {}]") " : tensor<64x32xf32>\n"
	"  %3 = stablehlo.negate %2 " AT("[{\"a\"}, {}]") " : tensor<64x32xf32>\n"
	"  return %3 : tensor<64x32xf32>\n}\n",
	"sdy.mesh @m = <[\"a\"=2, \"b\"=2]>\n"
	"func.func @main(%x: tensor<64x16xf32> " ARG("[{\"a\"}, {}]") ", %y: tensor<64x16xf32> " ARG("[{\"a\"}, {}]")
	") -> (tensor<16x16xf32> " ARG("[{\"a\"}, {}]") ") {\n"
	"  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] " AT("[{}, {}]")
	" : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>\n"
	"  %1 = stablehlo.negate %0 " AT("[{}, {}]") " : tensor<16x16xf32>\n"
	"  return %1 : tensor<16x16xf32>\n}\n",
	/* both axes of all ops, which are enough for refinement, move to the other dimension at once */
	"sdy.mesh @m = <[\"a\"=2, \"b\"=4]>\n"
	"func.func @main(%x: tensor<16x256xf32> " ARG("[{\"a\", \"b\"}, {}]") ") -> (tensor<16x256xf32> "
	ARG("[{}, {\"a\"}]") ") {\n"
	"  %0 = stablehlo.add %x, %x " AT("[{\"a\", \"b\"}, {}]") " : tensor<16x256xf32>\n"
	"  %1 = stablehlo.add %0, %0 " AT("[{\"a\", \"b\"}, {}]") " : tensor<16x256xf32>\n"
	"  %2 = stablehlo.add %1, %1 " AT("[{\"a\", \"b\"}, {}]") " : tensor<16x256xf32>\n"
	"  %3 = stablehlo.add %2, %2 " AT("[{\"a\", \"b\"}, {}]") " : tensor<16x256xf32>\n"
	"  %4 = stablehlo.add %3, %3 " AT("[{\"a\", \"b\"}, {}]") " : tensor<16x256xf32>\n"
	"  return %4 : tensor<16x256xf32>\n}\n",
};

/* Open the context and the search of a program's function; return the arena of the search. */
static struct sr_arena *open_search(const char *program, struct sr_search *s)
{
	struct sr_arena *a = sr_arena_new();
	struct sr_op *module = NULL;
	open_context();
	ck_assert_int_eq(sr_parse(ctx, "searched.mlir", program, strlen(program), &module), SR_OK);
	struct sr_op *func = sr_symbol_find(module, "main");
	ck_assert(func && sr_search_build_graph(s, ctx, func, a, 0));
	return a;
}

START_TEST(searched_as_well_as_all_tried)
{
	for (size_t i = 0; i < sizeof searched_programs / sizeof *searched_programs; i++) {
		struct sr_search s;
		struct sr_arena *a = open_search(searched_programs[i], &s);
		sr_search_improve(&s);
		s.count_collectives = true;
		double cost = sr_search_total_cost(&s);
		struct placement p = {&s, 1e30};
		place_nodes(&p, 0);
		ck_assert_msg(cost <= p.min_cost * (1 + 1e-9), "function %zu: found %g of %g", i, cost, p.min_cost);
		close_context();
		sr_arena_free(a);
	}
}
END_TEST

/* Exhaustive search of the functions of up to four ops finds the cost of the cheapest of all assignments, from the strategies that
 * are best for the ops alone; its lower bound is not above that cost. A larger function is refused and stays as it was. */
START_TEST(exhaustive_search_finds_the_cheapest)
{
	int n_tried = 0;
	for (size_t i = 0; i < sizeof searched_programs / sizeof *searched_programs; i++) {
		struct sr_search s;
		struct sr_arena *a = open_search(searched_programs[i], &s);
		for (size_t k = 0; k < s.nodes.n; k++)
			if (s.nodes.data[k].kind)
				sr_search_set(&s, &s.nodes.data[k], s.nodes.data[k].first);
		s.count_collectives = true;
		s.operation_weight = sr_cost_model_compute_bytes(s.costs, 1);
		s.latency_weight = sr_cost_model_latency_bytes(s.costs);
		double first_cost = sr_search_total_cost(&s), lower_bound = sr_search_lowest_cost(&s);
		struct sr_answer_limits limits = {.cost = first_cost, .wire_bytes = HUGE_VAL, .ratio = 1,
						  .max_wire_bytes = HUGE_VAL, .max_wire_bytes_once = HUGE_VAL};
		if (sr_search_exhaustively(&s, &limits)) {
			double cost = sr_search_total_cost(&s);
			struct placement p = {&s, 1e30};
			s.wire_bytes_alone = HUGE_VAL;
			place_nodes(&p, 0);
			ck_assert_msg(fabs(cost - p.min_cost) <= 1e-8 * cost, "function %zu: found %g of %g", i, cost, p.min_cost);
			ck_assert_msg(lower_bound > 0 && lower_bound <= cost * (1 + 1e-9), "function %zu: bound %g of %g", i, lower_bound, cost);
			n_tried++;
		} else {
			ck_assert_double_eq(sr_search_total_cost(&s), first_cost);
			ck_assert_double_eq(lower_bound, 0);
		}
		close_context();
		sr_arena_free(a);
	}
	ck_assert_int_eq(n_tried, sizeof searched_programs / sizeof *searched_programs - 1);
}
END_TEST

/* Programs of n layers. */
#define TYPE "tensor<64x64xf32>"
#define DOT(result, x, w) \
	"  " result " = stablehlo.dot_general " x ", " w ", contracting_dims = [1] x [0] : (" TYPE ", " TYPE ") -> " TYPE "\n"
struct shape {
	/* own: argument of each layer, "": none; layer: its ops; result: its result, NULL: the function returns the last layer's
	 * %h. These three are formats with arguments i (%1$d) and i + 1 (%2$d). end: text after the layers, with argument n; NULL:
	 * a return */
	const char *name, *arguments, *own, *begin, *layer, *result, *end;
};
#define OWN_WEIGHT ", %%w%1$d: " TYPE " " ARG("[{\"b\"}, {}]")
#define BROADCAST(result) "  " result " = stablehlo.broadcast_in_dim %%rate, dims = [] : (tensor<f32>) -> " TYPE "\n"
#define UPDATE(b, g) \
	"  %%m%1$d = stablehlo.multiply " b ", " g " : " TYPE "\n  %%h%2$d = stablehlo.subtract %%w%1$d, %%m%1$d : " TYPE "\n"
static const struct shape shapes[] = {
	{"a weight and a bias", "%h0: " TYPE " " ARG("[{\"a\"}, {}]") ", %w: " TYPE " " ARG("[{}, {\"b\"}]"), "", "",
	 DOT("%%d%1$d", "%%h%1$d", "%%w") "  %%h%2$d = stablehlo.add %%d%1$d, %%w : " TYPE "\n", NULL, NULL},
	{"a weight and its transpose", "%h0: " TYPE " " ARG("[{\"a\"}, {}]") ", %w: " TYPE " " ARG("[{\"b\"}, {\"a\"}]"), "", "",
	 "  %%t%1$d = stablehlo.transpose %%w, dims = [1, 0] : (" TYPE ") -> " TYPE "\n" DOT("%%d%1$d", "%%h%1$d", "%%t%1$d")
	 "  %%e%1$d = stablehlo.multiply %%d%1$d, %%w : " TYPE "\n  %%h%2$d = stablehlo.tanh %%e%1$d : " TYPE "\n", NULL, NULL},
	{"a value that an op computes", "%x: " TYPE " " ARG("[{\"a\"}, {}]") ", %v: " TYPE " " ARG("[{\"a\"}, {\"b\"}]"), "",
	 "  %w = stablehlo.tanh %v : " TYPE "\n  %h0 = stablehlo.negate %x : " TYPE "\n",
	 DOT("%%d%1$d", "%%w", "%%h%1$d") "  %%h%2$d = stablehlo.multiply %%d%1$d, %%w : " TYPE "\n", NULL, NULL},
	{"a value that a loop carries", "%x: " TYPE " " ARG("[{\"a\"}, {}]") ", %v: " TYPE " " ARG("[{\"a\"}, {\"b\"}]"), "",
	 "  %c = stablehlo.constant dense<9> : tensor<i32>\n"
	 "  %r:3 = stablehlo.while(%i = %c, %h0 = %x, %w = %v) : tensor<i32>, " TYPE ", " TYPE "\n  cond {\n"
	 "    %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	 "    stablehlo.return %p : tensor<i1>\n  } do {\n",
	 DOT("%%d%1$d", "%%h%1$d", "%%w") "  %%h%2$d = stablehlo.add %%d%1$d, %%w : " TYPE "\n", NULL,
	 "  stablehlo.return %%i, %%h%1$d, %%w : tensor<i32>, " TYPE ", " TYPE "\n  }\n  return %%r#1 : " TYPE "\n}\n"},
	{"a residual that every layer reads", "%x: " TYPE " " ARG("[{\"a\"}, {}]") ", %w: " TYPE, "",
	 "  %h0 = stablehlo.tanh %x : " TYPE "\n",
	 DOT("%%d%1$d", "%%h%1$d", "%%w") "  %%e%1$d = stablehlo.add %%d%1$d, %%x : " TYPE "\n"
	 "  %%h%2$d = stablehlo.tanh %%e%1$d : " TYPE "\n", NULL, NULL},
	{"a residual, and a weight of each layer", "%x: " TYPE " " ARG("[{\"a\"}, {}]"), OWN_WEIGHT,
	 "  %h0 = stablehlo.tanh %x : " TYPE "\n",
	 DOT("%%d%1$d", "%%h%1$d", "%%w%1$d") "  %%e%1$d = stablehlo.add %%d%1$d, %%x : " TYPE "\n"
	 "  %%h%2$d = stablehlo.tanh %%e%1$d : " TYPE "\n", NULL, NULL},
	{"a chain", "%h0: " TYPE " " ARG("[{\"a\"}, {}]"), "", "", "  %%h%2$d = stablehlo.tanh %%h%1$d : " TYPE "\n", NULL, NULL},
	{"a sum of functions of one value", "%x: " TYPE " " ARG("[{\"a\"}, {\"b\"}]"), "", "  %h0 = stablehlo.tanh %x : " TYPE "\n",
	 "  %%m%1$d = stablehlo.multiply %%h0, %%x : " TYPE "\n  %%h%2$d = stablehlo.add %%h%1$d, %%m%1$d : " TYPE "\n", NULL, NULL},
	{"gathers that are all read at the end", "%x: " TYPE, OWN_WEIGHT, "",
	 "  %%e%1$d = stablehlo.tanh %%w%1$d : " TYPE "\n"
	 "  %%g%1$d = sdy.all_gather [{\"b\"}, {}] %%e%1$d out_sharding=<@m, [{}, {}]> : " TYPE "\n", "%%g%1$d", NULL},
	{"updates that read one scalar", "%rate: tensor<f32>", OWN_WEIGHT, "", BROADCAST("%%b%1$d") UPDATE("%%b%1$d", "%%w%1$d"),
	 "%%h%2$d", NULL},
	{"updates that read one matrix", "%x: " TYPE " " ARG("[{\"a\"}, {\"b\"}]"), OWN_WEIGHT, "", UPDATE("%%x", "%%w%1$d"), "%%h%2$d", NULL},
	{"updates by gradients of one input", "%rate: tensor<f32>, %x: " TYPE " " ARG("[{\"a\"}, {}]"), OWN_WEIGHT, "",
	 DOT("%%g%1$d", "%%x", "%%w%1$d") BROADCAST("%%b%1$d") UPDATE("%%b%1$d", "%%g%1$d"), "%%h%2$d", NULL},
};

/* Append `separator` and the format, with the numbers of a layer, for each layer. */
static void put_layers(struct sr_buf *text, const char *separator, const char *format, int n)
{
	for (int i = 0; i < n; i++) {
		sr_buf_puts(text, i ? separator : "");
		sr_buf_printf(text, format, i, i + 1);
	}
}

static void put_function(struct sr_buf *text, const struct shape *shape, int n)
{
	int n_results = shape->result ? n : 1;
	sr_buf_printf(text, "sdy.mesh @m = <[\"a\"=2, \"b\"=4]>\nfunc.func @main(%s", shape->arguments);
	put_layers(text, "", shape->own, n);
	sr_buf_puts(text, ") -> (");
	put_layers(text, ", ", TYPE, n_results);
	sr_buf_printf(text, ") {\n%s", shape->begin);
	put_layers(text, "", shape->layer, n);
	if (shape->end) {
		sr_buf_printf(text, shape->end, n);
		return;
	}
	sr_buf_puts(text, "  return ");
	if (shape->result)
		put_layers(text, ", ", shape->result, n);
	else
		sr_buf_printf(text, "%%h%d", n);
	sr_buf_puts(text, " : ");
	put_layers(text, ", ", TYPE, n_results);
	sr_buf_puts(text, "\n}\n");
}

/* Return how many readers, layouts and arcs the search visits in n layers, with the shardings that propagation finds. */
static int64_t count_visits(const struct shape *shape, int n)
{
	static const struct sr_pass *const tables[] = {sr_import_passes, sr_propagate_passes};
	static const struct sr_passes passes = {tables, 2};
	struct sr_arena *a = sr_arena_new();
	struct sr_buf text;
	struct sr_search s;
	struct sr_op *module = NULL;
	open_context();
	sr_buf_init(&text, a);
	put_function(&text, shape, n);
	ck_assert_int_eq(sr_parse(ctx, shape->name, text.data, text.n, &module), SR_OK);
	struct sr_pass_list *list = sr_pass_list_new(ctx, &passes);
	ck_assert_int_eq(sr_pass_list_parse(list, "sdy-add-data-flow-edges,sdy-basic-propagate,sdy-sink-data-flow-edges"), SR_OK);
	ck_assert_int_eq(sr_pass_list_run(list, module, &(struct sr_pass_run){0}), SR_OK);
	ck_assert(sr_search_build_graph(&s, ctx, sr_symbol_find(module, "main"), a, 0));
	sr_search_improve(&s);
	int64_t visits = s.visits;
	close_context();
	sr_arena_free(a);
	return visits;
}

/* Up to 5000 layers, which are 5000 to 20000 ops: visits grow linearly, apart from a logarithm. */
START_TEST(search_linear_in_layers)
{
	static const int layers[] = {100, 1000, 5000};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		int64_t before = count_visits(&shapes[i], layers[0]);
		for (int k = 1; k < 3; k++) {
			int64_t visits = count_visits(&shapes[i], layers[k]);
			ck_assert_msg((double)visits <= 1.5 * layers[k] / layers[k - 1] * (double)before,
				      "%s: %lld visits for %d layers, %lld for %d", shapes[i].name, (long long)before, layers[k - 1],
				      (long long)visits, layers[k]);
			before = visits;
		}
	}
}
END_TEST

/* Loops of 5 and 12 iterations, whose limits, starts and steps are constants that the loops carry unchanged. */
static const char nested_loops_program[] =
	"sdy.mesh @m = <[\"a\"=2]>\n"
	"func.func @main(%x: tensor<8x8xf32> " ARG("[{\"a\"}, {}]") ") -> tensor<8x8xf32> {\n"
	"  %0 = stablehlo.constant dense<0> : tensor<i32>\n  %1 = stablehlo.constant dense<1> : tensor<i32>\n"
	"  %5 = stablehlo.constant dense<5> : tensor<i32>\n  %12 = stablehlo.constant dense<12> : tensor<i32>\n"
	"  %r:6 = stablehlo.while(%i = %0, %y = %x, %n = %5, %m = %12, %z = %0, %s = %1) : tensor<i32>, tensor<8x8xf32>, "
	"tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>\n"
	"  cond {\n    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	"    stablehlo.return %p : tensor<i1>\n  } do {\n"
	"    %q:3 = stablehlo.while(%k = %z, %v = %y, %l = %m) : tensor<i32>, tensor<8x8xf32>, tensor<i32>\n"
	"    cond {\n      %p = stablehlo.compare GT, %l, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	"      stablehlo.return %p : tensor<i1>\n    } do {\n"
	"      %t = stablehlo.tanh %v : tensor<8x8xf32>\n      %next = stablehlo.add %k, %s : tensor<i32>\n"
	"      stablehlo.return %next, %t, %l : tensor<i32>, tensor<8x8xf32>, tensor<i32>\n    }\n"
	"    %next = stablehlo.add %i, %1 : tensor<i32>\n"
	"    stablehlo.return %next, %q#1, %n, %m, %z, %s : tensor<i32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, "
	"tensor<i32>\n  }\n"
	"  return %r#1 : tensor<8x8xf32>\n}\n";

START_TEST(costs_count_trips_of_nested_loops)
{
	struct sr_arena *a = sr_arena_new();
	struct sr_search s;
	struct sr_op *module = NULL;
	int n_found = 0;
	open_context();
	ck_assert_int_eq(sr_parse(ctx, "nested_loops.mlir", nested_loops_program, strlen(nested_loops_program), &module), SR_OK);
	ck_assert(sr_search_build_graph(&s, ctx, sr_symbol_find(module, "main"), a, 0));
	for (size_t i = 0; i < s.nodes.n; i++)
		if (s.nodes.data[i].op && sr_op_is(s.nodes.data[i].op, SR_OP_stablehlo_tanh)) {
			ck_assert_double_eq(s.nodes.data[i].executions, 60);
			n_found++;
		}
	ck_assert_int_eq(n_found, 1);
	close_context();
	sr_arena_free(a);
}
END_TEST
