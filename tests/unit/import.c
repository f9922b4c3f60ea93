/* Unit tests of src/import: data-flow edges, call order, symbols, shardings at the boundary of manual computations. */
#include "import/calls/call_graph.h"
#include "import/edges/edge_ops.h"
#include "import/op_class.h"
#include "dialect/ops.h"
#include "text/text.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static struct sr_op *parse(const char *text)
{
	struct sr_op *module = NULL;
	ck_assert_msg(sr_parse(ctx, "test.mlir", text, strlen(text), &module) == SR_OK, "%s",
		      ctx->diags.first ? ctx->diags.first->message : "");
	return module;
}

static const char while_text[] =
	"func.func @main(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {\n"
	"  %0 = stablehlo.while(%v = %a) : tensor<4xf32>\n"
	"  cond { stablehlo.return %p : tensor<i1> } do {\n"
	"    %1 = stablehlo.tanh %v : tensor<4xf32>\n"
	"    stablehlo.return %1 : tensor<4xf32>\n  }\n"
	"  return %0 : tensor<4xf32>\n}";

static void count_target(void *data, struct sr_value *target)
{
	++*(int *)data;
}

START_TEST(data_flow_edges_of_a_loop)
{
	struct sr_op *module = parse(while_text);
	struct sr_block *entry = sr_func_entry(sr_main_func(module));
	struct sr_op *loop = entry->first;
	ck_assert_int_eq(sr_edge_count(loop), 1);
	struct sr_edge e = sr_edge_at(ctx, loop, 0);
	ck_assert_ptr_eq(e.target, sr_result(loop, 0));
	ck_assert_int_eq(e.n, 2);
	ck_assert_ptr_eq(e.sources[0], entry->args[0]);
	struct sr_block *body = loop->regions[1].first;
	ck_assert_ptr_eq(e.sources[1], sr_result(body->first, 0));
	ck_assert_ptr_eq(sr_edge_owner(ctx, body->args[0]), e.target);
	ck_assert_ptr_null(sr_edge_owner(ctx, sr_result(body->first, 0)));
	int targets = 0;
	sr_edge_for_each_non_owner_target(e.target, count_target, &targets);
	ck_assert_int_eq(targets, 2);
	ck_assert_ptr_null(sr_edge_op(e.target));
	sr_edges_add(ctx, loop);
	struct sr_op *edge_op = sr_edge_op(e.target);
	ck_assert_ptr_nonnull(edge_op);
	ck_assert_ptr_eq(edge_op, loop->next);
	ck_assert_ptr_eq(sr_shardable_value(body->args[0]), sr_result(edge_op, 0));
	ck_assert_ptr_eq(sr_operand(sr_block_terminator(entry), 0), sr_result(edge_op, 0));
}
END_TEST

START_TEST(callees_come_first)
{
	struct sr_op *module = parse("func.func @main() { call @b() : () -> () call @a() : () -> () return }\n"
				     "func.func private @a() { call @c() : () -> () return }\n"
				     "func.func private @b() { return }\n"
				     "func.func private @c() { return }\n");
	sr_op_vec funcs = sr_funcs_callees_first(ctx, module);
	const char *expected[] = {"b", "c", "a", "main"};
	ck_assert_int_eq((int)funcs.n, 4);
	for (int i = 0; i < 4; i++)
		ck_assert_str_eq(sr_symbol_name(funcs.data[i]), expected[i]);
}
END_TEST

START_TEST(copies_get_names_of_their_own)
{
	struct sr_op *module = parse("func.func @main() { call @a() : () -> () return }\n"
				     "func.func private @a() { call @c() : () -> () return }\n"
				     "func.func private @c() { return }\n");
	struct sr_symbols symbols;
	sr_symbols_init(&symbols, ctx, module);
	struct sr_op *copy = sr_func_clone_with_callees(&symbols, sr_symbols_find(&symbols, "a"));
	ck_assert_str_eq(sr_symbol_name(copy), "a_1"); /* the clone of c was created first and named c_0 */
	ck_assert_str_eq(sr_func_original_name(copy), "a");
	sr_op_vec calls = sr_calls_of(ctx, copy);
	ck_assert_int_eq((int)calls.n, 1);
	ck_assert_str_eq(sr_symbol_name(sr_callee(&symbols, calls.data[0])), "c_0");
}
END_TEST

static const struct sr_attr *parse_sharding(const char *text)
{
	const struct sr_attr *a = NULL;
	ck_assert_int_eq(sr_parse_attr(ctx, text, &a), SR_OK);
	return a;
}

START_TEST(manual_axes_at_the_boundary)
{
	const struct sr_attr *outer = parse_sharding("#sdy.sharding<@m, [{\"x\", \"y\"}, {\"z\", ?}], unreduced=max{\"w\"}>");
	struct sr_sdy_axis x = {.axis = sr_intern(ctx, "x"), .pre = 1};
	const struct sr_attr *manual = sr_attr_axes(ctx, &x, 1), *inner = sr_sharding_without_axes(ctx, outer, manual);
	ck_assert_ptr_eq(inner, parse_sharding("#sdy.sharding<@m, [{\"y\"}, {\"z\", ?}], unreduced=max{\"w\"}>"));
	ck_assert_ptr_eq(sr_sharding_with_axes(ctx, outer, inner, manual), outer);
}
END_TEST

START_TEST(resolved_axes_print_as_before)
{
	const struct sr_axis axes[] = {{sr_intern(ctx, "x"), 4}, {sr_intern(ctx, "y"), 2}};
	const struct sr_mesh mesh = {.axes = axes, .n_axes = 2};
	const struct sr_sdy_sharding *s = parse_sharding("#sdy.sharding<@m, [{\"x\":(2)2, \"y\"}, {}], replicated={\"x\":(1)2}>")->sharding;
	struct sr_sharding *r = sr_sharding_resolve(ctx->arena, &mesh, s);
	ck_assert_int_eq((int)r->dims[0].axes.refs[1].size, 2);
	ck_assert_ptr_eq(sr_sharding_attr(ctx, &mesh, r)->sharding, s);
}
END_TEST

START_TEST(elementwise_and_dead_ops_are_recognized)
{
	struct sr_op *module = parse("func.func @main(%a: tensor<4xf32>, %b: tensor<4x2xi16>) {\n"
				     "  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi32>\n"
				     "  %1 = stablehlo.bitcast_convert %b : (tensor<4x2xi16>) -> tensor<4xi32>\n"
				     "  %2 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>\n"
				     "  %3 = stablehlo.custom_call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
				     "  %4 = stablehlo.custom_call @f(%a) {has_side_effect = true} : (tensor<4xf32>) -> "
				     "tensor<4xf32>\n"
				     "  return\n}");
	struct sr_op *op = sr_func_entry(sr_main_func(module))->first;
	ck_assert(sr_op_is_elementwise(op));
	ck_assert(!sr_op_is_elementwise(op->next));
	ck_assert(!sr_op_is_elementwise(op->next->next));
	ck_assert_int_eq(sr_op_priority(op->next->next), SR_PRIORITY_passthrough);
	ck_assert(sr_op_is_dead(op->next->next->next));
	ck_assert(!sr_op_is_dead(op->next->next->next->next));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("import");
	TCase *t = tcase_create("import");
	tcase_add_checked_fixture(t, open_context, close_context);
	tcase_add_test(t, data_flow_edges_of_a_loop);
	tcase_add_test(t, callees_come_first);
	tcase_add_test(t, copies_get_names_of_their_own);
	tcase_add_test(t, manual_axes_at_the_boundary);
	tcase_add_test(t, resolved_axes_print_as_before);
	tcase_add_test(t, elementwise_and_dead_ops_are_recognized);
	suite_add_tcase(suite, t);
	return sr_run_suite(suite);
}
