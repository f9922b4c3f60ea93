/* Unit tests of src/propagate: sharding rules of ops, projections to factors and back, both strategies, op priorities, entire
 * propagations. */
#include "import/calls/call_graph.h"
#include "import/op_class.h"
#include "propagate/propagation.h"
#include "text/text.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static const struct sr_attr *parse_attr(const char *text)
{
	const struct sr_attr *a = NULL;
	ck_assert_msg(sr_parse_attr(ctx, text, &a) == SR_OK, "%s", text);
	return a;
}

static const char *attr_text(const struct sr_attr *a)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	sr_print_attr(ctx, a, &out);
	return sr_buf_string(&out);
}

/* A projection from text: a mesh, a rule and shardings (operands, then results; "": none). */
struct fixture {
	const struct sr_mesh *mesh;
	struct sr_projection p;
	bool updated[8];
	enum sr_direction directions[8];
	struct sr_factor_propagation strategy_state;
};

static void set_fixture(struct fixture *s, const char *mesh, const char *rule, const char *const *shardings, int n)
{
	const struct sr_sharding *texts[8] = {0};
	*s = (struct fixture){.mesh = parse_attr(sr_printf(ctx->arena, "#sdy.mesh<%s>", mesh))->mesh};
	for (int i = 0; i < n; i++)
		if (*shardings[i])
			texts[i] = sr_sharding_resolve(ctx->arena, s->mesh,
						       parse_attr(sr_printf(ctx->arena, "#sdy.sharding<@m, %s>",
									    shardings[i]))->sharding);
	const struct sr_attr *r = parse_attr(sr_printf(ctx->arena, "#sdy.op_sharding_rule<%s>", rule));
	s->p = sr_projection_build(ctx->arena, r->rule, s->mesh, texts, false);
	ck_assert_int_eq(s->p.n_tensors, n);
	for (int f = 0; f < 8; f++)
		s->directions[f] = SR_DIRECTION_BOTH;
	s->strategy_state = (struct sr_factor_propagation){
	    .arena = ctx->arena, .projection = &s->p, .directions = s->directions, .is_updated = s->updated};
}

/* Return the tensor's present sharding as text: its dimensions. */
static const char *sharding_text(struct fixture *s, int tensor)
{
	struct sr_sharding out = sr_projection_sharding(ctx->arena, &s->p, tensor, sr_intern(ctx, "m"));
	const char *text = attr_text(sr_sharding_attr(ctx, s->mesh, &out));
	const char *begin = strstr(text, ", ") + 2;
	return sr_strndup(ctx->arena, begin, strlen(begin) - 1);
}

#define FIXTURE(s, mesh, rule, ...)                                                                        \
	do {                                                                                             \
		const char *const texts[] = {__VA_ARGS__};                                               \
		set_fixture((s), (mesh), (rule), texts, (int)(sizeof texts / sizeof *texts));              \
	} while (0)

START_TEST(projection_splits_axes_over_factors)
{
	struct fixture s;
	FIXTURE(&s, "[\"x\"=4, \"y\"=2]", "([ij])->([i, j]) {i=2, j=4}", "[{\"x\", \"y\"}]", "");
	const struct sr_factor_sharding *i = &s.p.tensors[0].factors[0], *j = &s.p.tensors[0].factors[1];
	ck_assert_int_eq(i->axes.n, 1);
	ck_assert(i->axes.refs[0].pre == 1 && i->axes.refs[0].size == 2 && !i->is_minor_most && i->is_closed);
	ck_assert_int_eq(j->axes.n, 2);
	ck_assert(j->axes.refs[0].pre == 2 && j->axes.refs[0].size == 2 && j->is_minor_most);
	ck_assert_str_eq(sharding_text(&s, 0), "[{\"x\", \"y\"}]");
	ck_assert_str_eq(sharding_text(&s, 1), "[{?}, {?}]");
}
END_TEST

START_TEST(projection_keeps_overflow)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=3, \"b\"=2]", "([ijk])->([i, j, k]) {i=8, j=2, k=3}", "[{\"b\", \"a\"}]", "");
	const struct sr_factor_sharding *f = s.p.tensors[0].factors;
	ck_assert_int_eq(f[0].axes.n, 1);
	ck_assert_int_eq(f[0].overflow_axes.n, 1);
	ck_assert(f[1].is_present && f[1].is_closed && f[1].axes.n == 0);
	ck_assert(!f[2].is_present);
	ck_assert_str_eq(sharding_text(&s, 0), "[{\"b\", \"a\"}]");
}
END_TEST

START_TEST(minor_most_factor_may_be_uneven)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=3]", "([i])->([i]) {i=8}", "[{\"a\"}]", "");
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert(s.updated[1] && !s.updated[0]);
	ck_assert_str_eq(sharding_text(&s, 1), "[{\"a\", ?}]");
}
END_TEST

START_TEST(major_factor_takes_dividing_axes)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=4]", "([i])->([ij]) {i=6, j=2}", "[{\"a\", ?}]", "");
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 1), "[{\"a\":(1)2, ?}]");
}
END_TEST

START_TEST(strided_view_is_left_out)
{
	/* Axes of k after an unsharded j cannot be expressed in the merged dimension. */
	struct fixture s;
	FIXTURE(&s, "[\"a\"=2]", "([i, j])->([ij]) {i=4, j=4}", "[{?}, {\"a\", ?}]", "");
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 1), "[{?}]");
}
END_TEST

START_TEST(basic_strategy_stops_at_conflicts)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=2, \"b\"=2]", "([i], [i])->([i]) {i=8}", "[{\"a\", ?}]", "[{\"b\", ?}]", "");
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 2), "[{?}]");
	FIXTURE(&s, "[\"a\"=2, \"b\"=2]", "([i], [i])->([i]) {i=8}", "[{\"a\", \"b\", ?}]", "[{\"a\", ?}]", "");
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 1), "[{\"a\", \"b\", ?}]");
	ck_assert_str_eq(sharding_text(&s, 2), "[{\"a\", \"b\", ?}]");
}
END_TEST

START_TEST(conflicts_with_other_factors_and_replicated_axes)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=2, \"b\"=2]", "([i, j])->([i, j]) {i=8, j=8}", "[{\"a\", ?}, {?}]", "[{?}, {\"a\", ?}]");
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert(!s.updated[0] && !s.updated[1]);
	FIXTURE(&s, "[\"a\"=2, \"b\"=2]", "([i, j])->([i, j]) {i=8, j=8}", "[{\"a\", ?}, {\"b\", ?}]",
		"[{?}, {?}], "
		"replicated={\"a\"}");
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 1), "[{?}, {\"b\", ?}], replicated={\"a\"}");
}
END_TEST

START_TEST(aggressive_strategy_prefers_the_larger_tensor)
{
	/* rows of the left operand and columns of the right operand of a product compete for "a" in the result */
	struct fixture s;
	const char *rule = "([i, k], [k, j])->([i, j]) {i=8, j=64, k=4} reduction={k}";
	FIXTURE(&s, "[\"a\"=2]", rule, "[{\"a\", ?}, {?}]", "[{?}, {\"a\", ?}]", "");
	sr_propagate_factors_aggressive(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 2), "[{?}, {\"a\", ?}]");
	rule = "([i, k], [k, j])->([i, j]) {i=64, j=8, k=4} reduction={k}";
	FIXTURE(&s, "[\"a\"=2]", rule, "[{\"a\", ?}, {?}]", "[{?}, {\"a\", ?}]", "");
	sr_propagate_factors_aggressive(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 2), "[{\"a\", ?}, {?}]");
}
END_TEST

START_TEST(elementwise_operands_get_result_axes)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=2]", "([i], [i])->([i]) {i=8}", "[{\"a\", ?}]", "", "[{}]");
	s.strategy_state.is_elementwise = true;
	sr_propagate_factors_aggressive(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 1), "[{?}]");
	FIXTURE(&s, "[\"a\"=2]", "([i], [i])->([i]) {i=8}", "[{\"a\", ?}]", "", "[{}]");
	sr_propagate_factors_aggressive(&s.strategy_state);
	ck_assert_str_eq(sharding_text(&s, 1), "[{\"a\", ?}]");
}
END_TEST

START_TEST(directions_limit_which_tensors_get_axes)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=2]", "([i])->([i]) {i=8}", "", "[{\"a\", ?}]");
	s.directions[0] = SR_DIRECTION_FORWARD;
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert(!s.updated[0]);
	s.directions[0] = SR_DIRECTION_BACKWARD;
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert(s.updated[0]);
	ck_assert_str_eq(sharding_text(&s, 0), "[{\"a\", ?}]");
}
END_TEST

START_TEST(conservative_propagation_takes_no_sub_axes)
{
	struct fixture s;
	FIXTURE(&s, "[\"a\"=4]", "([i])->([i]) {i=8}", "[{\"a\":(1)2, ?}]", "");
	s.strategy_state.is_conservative = true;
	sr_propagate_factors_basic(&s.strategy_state);
	ck_assert(!s.updated[1]);
}
END_TEST

/* ---------------------------------------------------------------- on modules */

static struct sr_op *parse(const char *text)
{
	struct sr_op *module = NULL;
	ck_assert_msg(sr_parse(ctx, "test.mlir", text, strlen(text), &module) == SR_OK, "%s",
		      ctx->diags.first ? ctx->diags.first->message : "");
	return module;
}

static struct sr_op *op_at(struct sr_op *module, int i)
{
	struct sr_op *op = sr_func_entry(sr_main_func(module))->first;
	while (i-- > 0)
		op = op->next;
	return op;
}

START_TEST(rule_of_an_op)
{
	struct sr_op *module = parse("func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x2xf32>) -> tensor<8x2xf32> {\n"
				     "  %0 = stablehlo.dot %a, %b : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>\n"
				     "  return %0 : tensor<8x2xf32>\n}");
	const struct sr_sharding_rule *rule = sr_op_rule(ctx, op_at(module, 0), false);
	ck_assert_ptr_nonnull(rule);
	ck_assert_str_eq(attr_text(sr_attr_rule(ctx, rule)),
			 "#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=2, k=4} reduction={k}>");
	ck_assert_ptr_null(sr_op_rule(ctx, op_at(module, 1), false));
}
END_TEST

START_TEST(ops_have_directions_by_round)
{
	struct sr_op *module = parse("func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8x8xf32> {\n"
				     "  %0 = stablehlo.add %a, %a : tensor<8xf32>\n"
				     "  %1 = stablehlo.tanh %b : tensor<8xf32>\n"
				     "  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>\n"
				     "  return %2 : tensor<8x8xf32>\n}");
	enum sr_direction d[4];
	struct sr_op *add = op_at(module, 0), *tanh = op_at(module, 1), *broadcast = op_at(module, 2);
	const struct sr_sharding_rule *rule = sr_op_rule(ctx, add, false);
	ck_assert_int_eq(sr_op_directions(add, rule, 0, d), 0); /* an operand with two uses has no direction */
	ck_assert_int_ne(sr_op_directions(add, rule, 1, d), 0);
	ck_assert_int_eq(d[0], SR_DIRECTION_BOTH);
	ck_assert_int_ne(sr_op_directions(tanh, sr_op_rule(ctx, tanh, false), 0, d), 0);
	rule = sr_op_rule(ctx, broadcast, false);
	ck_assert_int_eq(sr_op_directions(broadcast, rule, 1, d), 0);
	sr_op_directions(broadcast, rule, 2, d);
	ck_assert_int_eq(d[0], SR_DIRECTION_BACKWARD);
	sr_op_directions(broadcast, rule, SR_DIRECTIONS_ALL, d);
	ck_assert_int_eq(d[0], SR_DIRECTION_BOTH);
}
END_TEST

/* Rounds without changes visit no op again: shardings stay, also in the second run. */
START_TEST(rounds_reach_a_fixed_point)
{
	struct sr_op *module = parse("sdy.mesh @m = <[\"a\"=2]>\n"
				     "func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{\"a\"}]>}) -> "
														"tensor<8xf32> {\n"
				     "  %0 = stablehlo.tanh %a : tensor<8xf32>\n"
				     "  %1 = stablehlo.tanh %0 : tensor<8xf32>\n"
				     "  return %1 : tensor<8xf32>\n}");
	struct sr_propagation flow;
	ck_assert_int_eq(sr_propagation_init(&flow, ctx, module, false), SR_OK);
	sr_propagation_run(&flow);
	sr_propagation_run(&flow);
	sr_propagation_write(&flow, false);
	sr_propagation_done(&flow);
	const struct sr_attr *s = sr_value_sharding(ctx, sr_result(op_at(module, 1), 0));
	ck_assert_ptr_nonnull(s);
	ck_assert_str_eq(attr_text(s), "#sdy.sharding<@m, [{\"a\", ?}]>");
	ck_assert_ptr_eq(sr_result_sharding_of_func(sr_main_func(module), 0), s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("propagate");
	TCase *t = tcase_create("propagate");
	tcase_add_checked_fixture(t, open_context, close_context);
	tcase_add_test(t, projection_splits_axes_over_factors);
	tcase_add_test(t, projection_keeps_overflow);
	tcase_add_test(t, minor_most_factor_may_be_uneven);
	tcase_add_test(t, major_factor_takes_dividing_axes);
	tcase_add_test(t, strided_view_is_left_out);
	tcase_add_test(t, basic_strategy_stops_at_conflicts);
	tcase_add_test(t, conflicts_with_other_factors_and_replicated_axes);
	tcase_add_test(t, aggressive_strategy_prefers_the_larger_tensor);
	tcase_add_test(t, elementwise_operands_get_result_axes);
	tcase_add_test(t, directions_limit_which_tensors_get_axes);
	tcase_add_test(t, conservative_propagation_takes_no_sub_axes);
	tcase_add_test(t, rule_of_an_op);
	tcase_add_test(t, ops_have_directions_by_round);
	tcase_add_test(t, rounds_reach_a_fixed_point);
	suite_add_tcase(suite, t);
	return sr_run_suite(suite);
}
