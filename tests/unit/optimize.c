/* Unit tests of src/optimize: folding by element type, data movement as strided copies, merging of types in refinement, greedy
 * rewriting. */
#include "kernels/kernel.h"
#include "optimize/discardable.h"
#include "optimize/fold.h"
#include "optimize/legalize/name_list.h"
#include "optimize/shapes/refine.h"
#include "optimize/shapes/refine_types.h"
#include "optimize/patterns/rewrite.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include "text/text.h"
#include <string.h>

static struct sr_op *parse(const char *text)
{
	struct sr_op *module = NULL;
	ck_assert_msg(sr_parse(ctx, "test.mlir", text, strlen(text), &module) == SR_OK, "%s", text);
	ck_assert_msg(sr_verify(ctx, module) == SR_OK, "%s", text);
	return module;
}

static struct sr_op *first_func(const struct sr_op *module)
{
	return sr_module_body(module)->first;
}

/* Return the op that defines the first result of a function with this body. */
static struct sr_op *returned_op(const char *arguments, const char *type, const char *body)
{
	struct sr_op *module =
		parse(sr_printf(ctx->arena, "func.func @main(%s) -> %s {\n%s\n return %%r : %s\n}", arguments, type, body, type));
	return sr_operand(sr_func_entry(first_func(module))->last, 0)->def;
}

static const struct sr_type *parse_type(const char *text)
{
	const struct sr_type *t = NULL;
	ck_assert_msg(sr_parse_type(ctx, text, &t) == SR_OK, "%s", text);
	return t;
}

static const struct sr_fold_options fold_all_options = {.max_elements = 1000};

/* ---------------------------------------------------------------- folding */

START_TEST(fold_adds_every_type)
{
	struct sr_folder *folder = sr_folder_new(ctx, &fold_all_options);
	for (int t = SR_I8; t < SR_DTYPE_COUNT; t++) {
		const char *name = sr_dtypes[t].name;
		if (sr_dtypes[t].bits < 16 && sr_dtype_is_float((enum sr_dtype)t))
			continue; /* some of these types cannot represent 2 */
		const char *tensor = sr_printf(ctx->arena, "tensor<2x%s>", name);
		const char *one = sr_dtype_is_complex((enum sr_dtype)t) ? "(1.0, 0.0)"
				   : sr_dtype_is_float((enum sr_dtype)t) ? "1.0"
									 : "1";
		struct sr_op *op =
			returned_op("", tensor,
				 sr_printf(ctx->arena, "%%a = stablehlo.constant dense<%s> : %s\n%%r = stablehlo.add %%a, %%a : %s",
					   one, tensor, tensor));
		const struct sr_attr *value = sr_fold(folder, op);
		ck_assert_msg(value && value->dense->splat, "%s", tensor);
		ck_assert_msg(value == sr_splat_number(ctx, value->type, 2), "%s", tensor);
	}
}
END_TEST

START_TEST(fold_needs_constants)
{
	struct sr_folder *folder = sr_folder_new(ctx, &fold_all_options);
	ck_assert_ptr_null(
		sr_fold(folder, returned_op("%a: tensor<2xi32>", "tensor<2xi32>", "%r = stablehlo.add %a, %a : tensor<2xi32>")));
	ck_assert_ptr_null(sr_fold(folder, returned_op("", "tensor<2xi32>", "%r = stablehlo.iota dim = 0 : tensor<2xi32>")));
}
END_TEST

START_TEST(fold_keeps_to_shapes)
{
	const struct sr_fold_options shapes = {.max_elements = 1000, .integers_only = true, .shapes_only = true};
	struct sr_folder *folder = sr_folder_new(ctx, &shapes);
	const char *integers = "%a = stablehlo.constant dense<[3, 4]> : tensor<2xi32>\n%r = stablehlo.negate %a : tensor<2xi32>";
	const char *floats = "%a = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>\n%r = stablehlo.negate %a : tensor<2xf32>";
	const char *data = "%a = stablehlo.constant dense<[3, 4]> : tensor<2xi32>\n%r = stablehlo.abs %a : tensor<2xi32>";
	ck_assert_ptr_nonnull(sr_fold(folder, returned_op("", "tensor<2xi32>", integers)));
	ck_assert_ptr_null(sr_fold(folder, returned_op("", "tensor<2xf32>", floats)));
	ck_assert_ptr_null(sr_fold(folder, returned_op("", "tensor<2xi32>", data)));
}
END_TEST

START_TEST(splats_are_recognized)
{
	const struct sr_op *op = returned_op("", "tensor<2xi1>", "%r = stablehlo.constant dense<true> : tensor<2xi1>");
	ck_assert(sr_is_splat_of_ones(ctx, &op->results[0]));
	ck_assert(!sr_is_splat_of(ctx, &op->results[0], 0));
	op = returned_op("", "tensor<2xi8>", "%r = stablehlo.constant dense<-1> : tensor<2xi8>");
	ck_assert(sr_is_splat_of_ones(ctx, &op->results[0]));
	op = returned_op("", "tensor<2xf32>", "%r = stablehlo.constant dense<-1.0> : tensor<2xf32>");
	ck_assert(!sr_is_splat_of_ones(ctx, &op->results[0]));
	ck_assert(sr_is_splat_of(ctx, &op->results[0], -1));
	op = returned_op("", "tensor<2xf32>", "%r = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>");
	ck_assert(!sr_is_splat_of(ctx, &op->results[0], 1));
}
END_TEST

/* ---------------------------------------------------------------- refinement */

START_TEST(types_merge)
{
	static const char *const rows[][3] = {
		{"tensor<?x4xf32>", "tensor<3x?xf32>", "tensor<3x4xf32>"},
		{"tensor<*xf32>", "tensor<3x?xf32>", "tensor<3x?xf32>"},
		{"tensor<3xf32>", "tensor<?xf32>", "tensor<3xf32>"},
		{"tensor<3xf32>", "tensor<4xf32>", NULL},
		{"tensor<?xf32>", "tensor<4xi32>", NULL},
		{"tensor<?x?xf32, #stablehlo.bounds<8, 9>>", "tensor<5x?xf32>", "tensor<5x?xf32, #stablehlo.bounds<?, 9>>"},
		{"tuple<tensor<?xf32>, tensor<2xi32>>", "tuple<tensor<4xf32>, tensor<?xi32>>",
		 "tuple<tensor<4xf32>, tensor<2xi32>>"},
		{"tuple<tensor<?xf32>>", "tuple<tensor<4xf32>, tensor<2xi32>>", NULL},
		{"!stablehlo.token", "!stablehlo.token", "!stablehlo.token"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sr_type *t = sr_type_refine(ctx, parse_type(rows[i][0]), parse_type(rows[i][1]));
		ck_assert_msg(t == (rows[i][2] ? parse_type(rows[i][2]) : NULL), "%s with %s", rows[i][0], rows[i][1]);
	}
}
END_TEST

static const char dynamic_program[] =
	"func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
	"  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
	"  %two = stablehlo.constant dense<2> : tensor<i32>\n"
	"  %m = stablehlo.multiply %n, %two : tensor<i32>\n"
	"  %s = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>\n"
	"  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
	"  return %r : tensor<?xf32>\n"
	"}\n";

START_TEST(refinement_starts_from_given_types)
{
	struct sr_op *module = parse(dynamic_program);
	const struct sr_type *input_type = parse_type("tensor<5xf32>");
	ck_assert_int_eq(sr_refine_shapes(ctx, module, first_func(module), &input_type), SR_OK);
	ck_assert_ptr_eq(sr_func_type(first_func(module)), parse_type("(tensor<5xf32>) -> tensor<10xf32>"));
	ck_assert_int_eq(sr_verify(ctx, module), SR_OK);
}
END_TEST

START_TEST(refinement_refuses_other_types)
{
	struct sr_op *module = parse(dynamic_program);
	const struct sr_type *input_type = parse_type("tensor<5xi32>");
	ck_assert_int_eq(sr_refine_shapes(ctx, module, first_func(module), &input_type), SR_INVALID);
	ck_assert_int_eq(ctx->diags.n_errors, 1);
}
END_TEST

START_TEST(unknown_dimensions_stay_unknown)
{
	struct sr_op *module = parse(dynamic_program);
	ck_assert_int_eq(sr_refine_shapes(ctx, module, first_func(module), NULL), SR_OK);
	ck_assert_ptr_eq(sr_func_type(first_func(module)), parse_type("(tensor<?xf32>) -> tensor<?xf32>"));
}
END_TEST

/* ---------------------------------------------------------------- rewriting */

static struct sr_buf visited_ops;

static bool record_op(struct sr_rewriter *rw, struct sr_op *op)
{
	sr_buf_printf(&visited_ops, "%s ", strchr(op->info->name, '.') + 1);
	return false;
}

START_TEST(greedy_rewriting_goes_down_or_up)
{
	static const struct sr_pattern patterns[] = {{SR_OP_UNREGISTERED, record_op}, {0}};
	const char *program = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n%0 = stablehlo.sine %x : tensor<f32>\n"
			      "%1 = stablehlo.cosine %0 : tensor<f32>\nreturn %1 : tensor<f32>\n}";
	for (int is_bottom_up = 0; is_bottom_up < 2; is_bottom_up++) {
		struct sr_rewrite_config config = {.tables = {patterns}, .max_rounds = 3, .bottom_up = is_bottom_up};
		struct sr_op *module = parse(program);
		sr_buf_init(&visited_ops, ctx->arena);
		sr_rewrite_greedily(ctx, first_func(module), &config);
		ck_assert_str_eq(sr_buf_string(&visited_ops), is_bottom_up ? "return cosine sine " : "sine cosine return ");
	}
}
END_TEST

START_TEST(attributes_go_with_the_value)
{
	struct sr_op *to = returned_op("%x: tensor<f32>", "tensor<f32>",
				    "%0 = stablehlo.sine %x {a = 1 : i32, b = 1 : i32} : tensor<f32>\n%r = stablehlo.abs %0 {b = 2 "
				    ": i32} : tensor<f32>");
	struct sr_op *sine = sr_operand(to, 0)->def;
	sr_discardable_merge(ctx, to, sine);
	ck_assert_int_eq(sr_op_attr(sine, "a")->i, 1);
	ck_assert_int_eq(sr_op_attr(sine, "b")->i, 2);
}
END_TEST

START_TEST(name_lists_are_complete)
{
	ck_assert(sr_name_is_listed("a.b,c", "a.b"));
	ck_assert(sr_name_is_listed("a.b,c", "c"));
	ck_assert(!sr_name_is_listed("a.b,c", "a"));
	ck_assert(!sr_name_is_listed("a.b,c", "b"));
	ck_assert(!sr_name_is_listed("", "b"));
	ck_assert(!sr_name_is_listed(NULL, "b"));
	ck_assert(!sr_name_is_listed("a", ""));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("optimize");
	TCase *t = tcase_create("optimize");
	tcase_add_checked_fixture(t, open_context, close_context);
	tcase_add_test(t, fold_adds_every_type);
	tcase_add_test(t, fold_needs_constants);
	tcase_add_test(t, fold_keeps_to_shapes);
	tcase_add_test(t, splats_are_recognized);
	tcase_add_test(t, types_merge);
	tcase_add_test(t, refinement_starts_from_given_types);
	tcase_add_test(t, refinement_refuses_other_types);
	tcase_add_test(t, unknown_dimensions_stay_unknown);
	tcase_add_test(t, greedy_rewriting_goes_down_or_up);
	tcase_add_test(t, attributes_go_with_the_value);
	tcase_add_test(t, name_lists_are_complete);
	suite_add_tcase(suite, t);
	return sr_run_suite(suite);
}
