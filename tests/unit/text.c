/* Unit tests of src/text: round trips of numbers, attributes and types, SSA names, messages. */
#include "dialect/infer/infer.h"
#include "dialect/ops.h"
#include "text/text.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

static const char *first_message(void)
{
	return ctx->diags.first ? ctx->diags.first->message : "no message";
}

static const char *reprint_attr(const char *text)
{
	const struct sr_attr *a;
	struct sr_buf out;
	if (sr_parse_attr(ctx, text, &a) != SR_OK)
		return first_message();
	sr_buf_init(&out, ctx->arena);
	sr_print_attr(ctx, a, &out);
	return sr_buf_string(&out);
}

static const char *reprint_module(const char *text, struct sr_print_options options)
{
	struct sr_op *module;
	struct sr_buf out;
	if (sr_parse(ctx, "t.mlir", text, strlen(text), &module) != SR_OK)
		return first_message();
	sr_buf_init(&out, ctx->arena);
	sr_print(ctx, module, &options, &out);
	return sr_buf_string(&out);
}

/* Attributes that are printed exactly as they are written. */
static const char *const fixed_attrs[] = {
	"1 : i64", "-1 : i8", "255 : ui8", "true", "unit", "\"a\\22b\\0A\"", "@main", "@a::@\"b c\"", "[1, 2.000000e+00, 3 : i32]",
	"{a = 1 : i64, b, \"c d\" = \"x\"}", "array<i64>", "array<i64: 1, -2>", "array<i1: true, false>", "array<f32: 1.500000e+00>",
	"tensor<4x?xf32>", "(tensor<2xi1>, f32) -> (i32, index)", "dense<7> : tensor<2x3xi32>", "dense<[[1, 2], [3, 4]]> : tensor<2x2xui16>",
	"dense<> : tensor<0x4xf32>", "dense<(1.000000e+00,-2.000000e+00)> : tensor<2xcomplex<f32>>", "dense<[true, false]> : tensor<2xi1>",
	"dense<[\"a\", \"b\"]> : tensor<2x!tf_type.string>", "#sdy.sharding<@m, [{\"x\", ?}p1, {\"y\":(1)2}, {}], replicated={\"z\"}, unreduced=max{\"u\"}>",
	"#sdy.sharding<mesh<[\"a\"=2]>, []>", "#sdy.mesh<[\"a\"=4], device_ids=[3, 2, 1, 0]>", "#sdy.mesh<[], device_ids=[3]>",
	"#sdy.sharding_per_value<[<@m, [{}]>, <@m, [{?}]>]>",
	"#sdy.op_sharding_rule<([ij, k], [k])->([i, j]) {i=2, j=4, k=8} reduction={k} need_replication={i} blocked_propagation={j}, custom>",
	"#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>", "#stablehlo<comparison_direction LT>",
	"#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>", "#stablehlo.channel_handle<handle = 1, type = 0>",
	"#stablehlo.bounds<?, 4>", "#stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
	"#mhlo.what<ever (1, [2])>", "loc(unknown)", "loc(\"f\":1:2)", "loc(\"f\":1:2 to :5)", "loc(\"f\":1:2 to 3:4)", "loc(\"n\"(\"f\":1:2))",
	"loc(callsite(\"a\" at \"f\":1:2))", "loc(fused<\"m\">[\"a\", \"b\"])",
};

START_TEST(attributes_print_as_read)
{
	ck_assert_str_eq(reprint_attr(fixed_attrs[_i]), fixed_attrs[_i]);
}
END_TEST

/* Attributes that are printed differently: {input, output}. */
static const char *const other_attrs[][2] = {
	{"1.5", "1.500000e+00 : f64"}, {"0x1F", "31 : i64"}, {"255 : i8", "-1 : i8"}, {"[]", "[]"}, {"{b, a = 1}", "{a = 1 : i64, b}"},
	{"dense<[2, 2, 2]> : tensor<3xi64>", "dense<2> : tensor<3xi64>"}, {"dense<\"0x0100000002000000\"> : tensor<2xi32>", "dense<[1, 2]> : tensor<2xi32>"},
	{"dense<\"0x3412\"> : tensor<4xi16>", "dense<4660> : tensor<4xi16>"}, {"#sdy.mesh<[\"a\"=2], device_ids=[0, 1]>", "#sdy.mesh<[\"a\"=2]>"},
	{"#stablehlo.gather<start_index_map = [], index_vector_dim = 0>", "#stablehlo.gather<>"}, {"#stablehlo.type_extensions<bounds = [?]>", "#stablehlo.bounds<?>"},
	{"#sdy.sharding<@m, [], unreduced=sum{\"x\"}>", "#sdy.sharding<@m, [], unreduced={\"x\"}>"}, {"!stablehlo.token", "!stablehlo.token"},
};

START_TEST(attributes_in_normal_form)
{
	ck_assert_str_eq(reprint_attr(other_attrs[_i][0]), other_attrs[_i][1]);
}
END_TEST

/* Floats: {type, input, output}; output is that of LLVM's APFloat. */
static const char *const floats[][3] = {
	{"f32", "0.0", "0.000000e+00"}, {"f32", "-0.0", "-0.000000e+00"}, {"f32", "1.0e-8", "9.99999993E-9"}, {"f32", "0.1", "1.000000e-01"},
	{"f32", "0.333333343", "0.333333343"}, {"f32", "3.40282347e+38", "3.40282347E+38"}, {"f32", "0x7FC00000", "0x7FC00000"},
	{"f32", "0xFF800000", "0xFF800000"}, {"f32", "16777217.0", "0x4B800000"}, {"f32", "1.0e+10", "1.000000e+10"},
	{"f64", "123456789.0", "0x419D6F3454000000"}, {"f64", "0.1", "1.000000e-01"}, {"f64", "0.3333333333333333", "0.33333333333333331"},
	{"f64", "1.0e-300", "1.000000e-300"}, {"f64", "9.9999999999999992E-41", "9.9999999999999992E-41"}, {"f64", "5.0e-324", "4.940660e-324"},
	{"bf16", "3.140625", "3.140630e+00"}, {"bf16", "0x7FC0", "0x7FC0"}, {"f16", "0.1", "9.997550e-02"}, {"f16", "65504.0", "6.550400e+04"},
	{"f16", "6.0e-8", "5.960460e-08"}, {"f8E4M3FN", "448.0", "4.480000e+02"}, {"f8E4M3FN", "0x7F", "0x7F"}, {"f8E5M2", "0x7C", "0x7C"},
	{"f8E8M0FNU", "2.0", "2.000000e+00"}, {"f4E2M1FN", "1.5", "1.500000e+00"}, {"f6E3M2FN", "0.0625", "6.250000e-02"}, {"f6E2M3FN", "7.5", "7.500000e+00"},
	{"f8E3M4", "15.5", "1.550000e+01"}, {"f8E4M3", "240.0", "2.400000e+02"}, {"f8E4M3B11FNUZ", "30.0", "3.000000e+01"},
	{"f8E4M3FNUZ", "0x80", "0x80"}, {"f8E5M2FNUZ", "57344.0", "5.734400e+04"},
};

START_TEST(floats_of_every_type)
{
	char text[64], expected[64];
	snprintf(text, sizeof text, "%s : %s", floats[_i][1], floats[_i][0]);
	snprintf(expected, sizeof expected, "%s : %s", floats[_i][2], floats[_i][0]);
	ck_assert_str_eq(reprint_attr(text), expected);
}
END_TEST

/* Malformed attributes: {input, error message}. */
static const char *const bad_attrs[][2] = {
	{"\"abc", "expected '\"' in string literal"}, {"[1, 2", "expected ']', found the end of the file"}, {"{a = 1, a = 2}", "duplicate key 'a' in dictionary attribute"},
	{"300 : i8", "integer constant out of range for attribute"}, {"1 : f32", "unexpected decimal integer literal for a floating point value"},
	{"tensor<99999999999999999999xf32>", "invalid dimension: the extent does not fit in 64 bits"}, {"tensor<4x", "expected non-function type, found the end of the file"},
	{"dense<[1, 2]> : tensor<3xi32>", "inferred shape of elements literal ([2]) does not match type ([3])"},
	{"dense<[[1], [2, 3]]> : tensor<2x2xi32>", "tensor literal is invalid; ranks are not consistent between elements"},
	{"dense<\"0x123\"> : tensor<2xi8>", "elements hex string only contains hex digits: expected an even number of them, found 3"},
	{"dense<1> : tensor<?xi32>", "elements literal type must have static shape, found tensor<?xi32>"}, {"#nothing", "undefined symbol alias id 'nothing'"},
	{"#stablehlo<comparison_direction XX>", "expected ::mlir::stablehlo::ComparisonDirection to be one of: EQ, NE, GE, GT, LE, LT, found 'XX'"},
	{"#sdy.sharding<@m, [{}], what={}>", "failed to parse Sdy_TensorSharding, expected valid named axis list after comma"},
	{"#sdy.op_sharding_rule<([a])->([a])>", "expecting symbol from 'i' to 'z'. Received: 'a'"}, {"1 2", "expected the end of the text, found '2'"},
};

START_TEST(malformed_attributes_are_refused)
{
	ck_assert_str_eq(reprint_attr(bad_attrs[_i][0]), bad_attrs[_i][1]);
}
END_TEST

START_TEST(nesting_is_limited)
{
	char text[20001];
	memset(text, '[', 20000);
	text[20000] = '\0';
	ck_assert_str_eq(reprint_attr(text), "nested more than 200 levels deep");
}
END_TEST

START_TEST(old_spelling_of_integers)
{
	const struct sr_attr *a;
	const int64_t *v;
	int64_t n;
	ck_assert_int_eq(sr_parse_attr(ctx, "dense<[3, 5]> : tensor<2xi64>", &a), SR_OK);
	ck_assert(sr_attr_ints(ctx, a, &v, &n));
	ck_assert_int_eq(n, 2);
	ck_assert_int_eq(v[1], 5);
}
END_TEST

START_TEST(types_are_interned)
{
	const struct sr_type *a, *b;
	ck_assert_int_eq(sr_parse_type(ctx, "tensor<2x3xbf16>", &a), SR_OK);
	ck_assert_int_eq(sr_parse_type(ctx, "tensor < 2x3 x bf16 >", &b), SR_OK);
	ck_assert_ptr_eq(a, b);
	ck_assert_int_eq(a->dtype, SR_BF16);
}
END_TEST

START_TEST(generic_and_pretty_are_one_module)
{
	const char *custom_form = "module {\n"
			     "  func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
			     "    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>\n"
			     "    %0 = stablehlo.add %arg0, %cst : tensor<4xf32>\n"
			     "    return %0 : tensor<4xf32>\n"
			     "  }\n"
			     "}\n";
	const char *generic_form = reprint_module(custom_form, (struct sr_print_options){.uses_generic_form = true});
	ck_assert_ptr_nonnull(strstr(generic_form, "\"func.func\"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = \"f\"}> ({"));
	ck_assert_str_eq(reprint_module(generic_form, (struct sr_print_options){0}), custom_form);
}
END_TEST

START_TEST(a_value_may_be_used_before_its_definition)
{
	ctx->allow_unregistered = true;
	const char *text = "module {\n"
			   "  %0 = \"t.a\"(%1#1) : (i32) -> i32\n"
			   "  %1:2 = \"t.b\"() : () -> (i1, i32)\n"
			   "}\n";
	ck_assert_str_eq(reprint_module(text, (struct sr_print_options){0}), text);
}
END_TEST

START_TEST(names_of_values)
{
	struct sr_op *module;
	const char *text = "func.func @f(%x: tensor<i32>) { %y:2 = stablehlo.optimization_barrier %x, %x : tensor<i32>, tensor<i32> return }";
	ck_assert_int_eq(sr_parse(ctx, "t.mlir", text, strlen(text), &module), SR_OK);
	struct sr_op *func = sr_module_body(module)->first;
	struct sr_block *body = func->regions[0].first;
	ck_assert_str_eq(sr_value_name(ctx, body->args[0]), "%arg0");
	ck_assert_str_eq(sr_value_name(ctx, sr_result(body->first, 1)), "%0#1");
}
END_TEST

/* Inferred result types with bounds: {arguments, op, inferred type}. */
static const char *const bounded[][3] = {
	{"%a: tensor<3x?xf32, #stablehlo.bounds<?, 3>>, %b: tensor<f32>",
	 "stablehlo.pad %a, %b, low = [2, 2], high = [0, 0], interior = [1, 1] : (tensor<3x?xf32, #stablehlo.bounds<?, 3>>, tensor<f32>) -> tensor<7x?xf32>",
	 "tensor<7x?xf32, #stablehlo.bounds<?, 7>>"},
	{"%a: tensor<5x?xi32, #stablehlo.bounds<?, 4>>, %b: tensor<?x2xi32>",
	 "stablehlo.concatenate %a, %b, dim = 1 : (tensor<5x?xi32, #stablehlo.bounds<?, 4>>, tensor<?x2xi32>) -> tensor<5x?xi32>",
	 "tensor<5x?xi32, #stablehlo.bounds<?, 6>>"},
	{"%a: tensor<?x?xf32, #stablehlo.bounds<3, 5>>, %b: tensor<4x?xf32, #stablehlo.bounds<?, 2>>",
	 "stablehlo.add %a, %b : (tensor<?x?xf32, #stablehlo.bounds<3, 5>>, tensor<4x?xf32, #stablehlo.bounds<?, 2>>) -> tensor<?x?xf32>",
	 "Mismatched dimension size 4 and bound 3 in dimension 0"},
	{"%a: tensor<?x?xf32, #stablehlo.bounds<4, 5>>, %b: tensor<4x?xf32, #stablehlo.bounds<?, 2>>",
	 "stablehlo.add %a, %b : (tensor<?x?xf32, #stablehlo.bounds<4, 5>>, tensor<4x?xf32, #stablehlo.bounds<?, 2>>) -> tensor<?x?xf32>",
	 "tensor<4x?xf32, #stablehlo.bounds<?, 2>>"},
	{"%a: tensor<?x9xf32, #stablehlo.bounds<3, ?>>",
	 "stablehlo.fft %a, type = RFFT, length = [9] : (tensor<?x9xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x5xcomplex<f32>>",
	 "tensor<?x5xcomplex<f32>, #stablehlo.bounds<3, ?>>"},
	{"%a: tensor<8x?xf32, #stablehlo.bounds<?, 5>>",
	 "\"stablehlo.all_to_all\"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, "
	 "3]]> : tensor<1x4xi64>}> : (tensor<8x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x?xf32>",
	 "tensor<2x?xf32, #stablehlo.bounds<?, 20>>"},
	{"%a: tensor<?xf32, #stablehlo.bounds<4>>", "stablehlo.slice %a [0:5] : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32>",
	 "limit index 5 is larger than dimension bound 4 in dimension 0"},
};

START_TEST(bounds_are_inferred)
{
	const char *text = sr_printf(ctx->arena, "func.func @f(%s) {\n%%0 = %s\nreturn\n}", bounded[_i][0], bounded[_i][1]);
	const struct sr_type *type = NULL;
	struct sr_op *parsed_module;
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	ck_assert_msg(sr_parse(ctx, "t.mlir", text, strlen(text), &parsed_module) == SR_OK, "%s", first_message());
	struct sr_op *op = sr_func_entry(sr_module_body(parsed_module)->first)->first;
	struct sr_infer infer_args = {.ctx = ctx, .op = op, .types = &type, .diags = &ctx->diags};
	if (sr_op_infer(&infer_args) == SR_OK)
		sr_print_attr(ctx, sr_attr_type(ctx, type), &out);
	ck_assert_msg(strstr(out.n ? sr_buf_string(&out) : first_message(), bounded[_i][2]) != NULL, "%s: %s", bounded[_i][1],
		      out.n ? sr_buf_string(&out) : first_message());
}
END_TEST

/* Return a module with a constant of n bytes, given by hex digits. */
static char *hex_module(size_t n, const char *digits)
{
	static const char prefix[] = "module {\n  func.func @f() {\n    %c = stablehlo.constant dense<\"0x";
	char *text = malloc(2 * n + 256), *end = text + sizeof prefix - 1;
	memcpy(text, prefix, sizeof prefix);
	for (size_t i = 0; i < 2 * n; i++)
		*end++ = digits[(i * i + i / 3) % 16];
	sprintf(end, "\"> : tensor<%zuxi8>\n    return\n  }\n}\n", n);
	return text;
}

/* Print long constants; some sizes exceed the printer's chunk, and the limit up to which text is borrowed. */
START_TEST(long_constants_print_in_capitals)
{
	static const size_t sizes[] = {101, 8191, 8192, 8193, 1 << 16, (1 << 20) + 3};
	char *lower_case = hex_module(sizes[_i], "0123456789abcdef"), *upper_case = hex_module(sizes[_i], "0123456789ABCDEF");
	ck_assert_str_eq(reprint_module(lower_case, (struct sr_print_options){0}), upper_case);
	lower_case[strlen(lower_case) - 60] = 'g';
	ck_assert_ptr_nonnull(strstr(reprint_module(lower_case, (struct sr_print_options){0}), "only contains hex digits"));
	free(lower_case);
	free(upper_case);
}
END_TEST

/* Output drained to the file plus the rest of the buffer equals the whole text. */
START_TEST(printing_drains_to_a_file)
{
	char *text = hex_module(100000, "0123456789ABCDEF"), *printed_text = NULL;
	size_t n = 0;
	struct sr_op *module;
	struct sr_buf out;
	FILE *file = open_memstream(&printed_text, &n);
	ck_assert_int_eq(sr_parse(ctx, "t.mlir", text, strlen(text), &module), SR_OK);
	sr_buf_init(&out, ctx->arena);
	out.drain = file;
	sr_print(ctx, module, NULL, &out);
	ck_assert_uint_lt(out.cap, strlen(text));
	ck_assert(sr_buf_write(&out, file));
	fclose(file);
	ck_assert_str_eq(printed_text, text);
	free(printed_text);
	free(text);
}
END_TEST

START_TEST(text_need_not_end_in_nul)
{
	struct sr_op *module;
	char *text = malloc(10); /* no space for a NUL, so that the sanitizer detects reads beyond the end */
	memcpy(text, "module { }", 10);
	ck_assert_int_eq(sr_parse(ctx, "t.mlir", text, 10, &module), SR_OK);
	ck_assert_int_eq(sr_parse(ctx, "t.mlir", text, 9, &module), SR_INVALID);
	free(text);
}
END_TEST

#include "text_bytecode.h"
#include "text_hlo.h"

int main(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = tcase_create("text");
	tcase_add_checked_fixture(tcase, open_context, close_context);
	tcase_add_loop_test(tcase, attributes_print_as_read, 0, sizeof fixed_attrs / sizeof fixed_attrs[0]);
	tcase_add_loop_test(tcase, attributes_in_normal_form, 0, sizeof other_attrs / sizeof other_attrs[0]);
	tcase_add_loop_test(tcase, floats_of_every_type, 0, sizeof floats / sizeof floats[0]);
	tcase_add_loop_test(tcase, malformed_attributes_are_refused, 0, sizeof bad_attrs / sizeof bad_attrs[0]);
	tcase_add_test(tcase, nesting_is_limited);
	tcase_add_test(tcase, old_spelling_of_integers);
	tcase_add_test(tcase, types_are_interned);
	tcase_add_test(tcase, generic_and_pretty_are_one_module);
	tcase_add_test(tcase, a_value_may_be_used_before_its_definition);
	tcase_add_test(tcase, names_of_values);
	tcase_add_loop_test(tcase, bounds_are_inferred, 0, sizeof bounded / sizeof bounded[0]);
	tcase_add_loop_test(tcase, long_constants_print_in_capitals, 0, 6);
	tcase_add_test(tcase, printing_drains_to_a_file);
	tcase_add_test(tcase, text_need_not_end_in_nul);
	tcase_add_test(tcase, bytecode_reads_and_verifies);
	tcase_add_test(tcase, truncated_bytecode_is_one_error);
	tcase_add_test(tcase, bytecode_with_any_byte_changed_is_read_or_an_error);
	tcase_add_test(tcase, bytecode_says_the_byte);
	tcase_add_test(tcase, bytecode_of_a_newer_format_is_not_supported);
	tcase_add_loop_test(tcase, hlo_opcodes_have_a_notation, 0, sizeof opcode_names / sizeof opcode_names[0]);
	tcase_add_test(tcase, hlo_is_recognized_by_its_first_word);
	tcase_add_test(tcase, truncated_hlo_is_one_error);
	tcase_add_loop_test(tcase, hlo_with_any_byte_changed_is_read_or_an_error, 0, 13);
	tcase_add_test(tcase, hlo_proto_is_read);
	tcase_add_test(tcase, hlo_proto_is_unwrapped);
	tcase_add_test(tcase, truncated_hlo_proto_is_read_or_an_error);
	tcase_add_loop_test(tcase, hlo_proto_with_any_byte_changed_is_read_or_an_error, 0, 10);
	tcase_add_loop_test(tcase, hlo_attributes_have_fields, 0, (int)(sizeof opcode_names / sizeof *opcode_names));
	suite_add_tcase(suite, tcase);
	return sr_run_suite(suite);
}
