/* The driver: recognition of files, expected messages, figures of a plan. */
#include "dialect/ops.h"
#include "driver/driver.h"
#include "driver/tune.h"
#include "tests/unit/context.h"
#include "tests/unit/suite.h"
#include "upstream/upstream.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(input_formats_are_detected)
{
	static const struct {
		const char *text;
		size_t n;
		enum sr_status status;
	} rows[] = {{"module {}", 9, SR_OK}, {"ML\xefR\x0d", 5, SR_OK}, {"HloModule jit_f", 15, SR_OK}, {"mod\0ule", 7, SR_INVALID}, {"", 0, SR_OK},
		    {"#loc = loc(unknown)\nmodule {}", 28, SR_OK}, {"\"builtin.module\"() ({}) : () -> ()", 34, SR_OK}, {"# a\n\nimport jax", 15, SR_INVALID},
		    {"\x80\x04", 2, SR_INVALID}, {"{ lambda ; a:f32[] let", 22, SR_INVALID}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text = rows[i].text;
		size_t n = rows[i].n;
		ck_assert_int_eq(sr_check_format(ctx, "f", &text, &n), rows[i].status);
	}
}
END_TEST

/* A serialization of jax.export has a table at byte 40, whose field 13 points to a module of 8 bytes. With any byte changed, the
 * serialization is refused or yields bytes inside itself. */
START_TEST(jax_export_is_unwrapped)
{
	static const char valid_file[60] = {[0] = 40, [4] = 32, [6] = 8, [34] = 4, [40] = 36, [44] = 4, [48] = 8, [52] = 'M',
					    'L',      '\xef',	'R',	 1,	   2,	      3,	4};
	for (int k = 0; k < 60; k++)
		for (int mask = 0; mask < 256; mask++) {
			char bytes[60];
			const char *text = bytes;
			size_t n = sizeof bytes;
			memcpy(bytes, valid_file, n);
			bytes[k] = (char)(bytes[k] ^ mask);
			enum sr_status status = sr_check_format(ctx, "f", &text, &n);
			ck_assert(status == SR_INVALID || (n <= 8 && !memcmp(text, "ML\xefR", 4)));
			ck_assert(mask || !status);
			sr_diags_clear(&ctx->diags);
		}
	for (size_t cut = 2; cut < 60; cut++) {
		const char *text = valid_file;
		size_t n = cut;
		ck_assert_int_eq(sr_check_format(ctx, "f", &text, &n), SR_INVALID);
	}
}
END_TEST

/* Report `message` at line 2. Return true if the expectations in the comments of `text` are met. */
static bool expectations_met(const char *text, const char *message)
{
	FILE *null_file = fopen("/dev/null", "w");
	bool are_met;
	sr_diags_clear(&ctx->diags);
	if (message)
		(void)sr_error(&ctx->diags, SR_INVALID, (struct sr_src_loc){"f.mlir", 2, 1}, "%s", message);
	are_met = sr_expectations_met(ctx->arena, &ctx->diags, "f.mlir", text, strlen(text), 0, null_file);
	fclose(null_file);
	return are_met;
}

START_TEST(expected_diagnostics_are_compared)
{
	ck_assert(expectations_met("// expected-error@+1 {{wrong type}}\nop\n", "wrong type of operand"));
	ck_assert(expectations_met("\nop // expected-error {{wrong}}\n", "wrong type"));
	ck_assert(expectations_met("\nop\n// expected-error @above {{wrong}}\n", "wrong type"));
	ck_assert(expectations_met("// expected-error-re@+1 {{size {{[0-9]+}} of}}\nop\n", "a size 42 of it"));
	ck_assert(!expectations_met("// expected-error-re@+1 {{size {{[0-9]+}} of}}\nop\n", "a size x of it"));
	ck_assert(!expectations_met("// expected-error@+1 {{wrong type}}\nop\n", NULL));
	ck_assert(!expectations_met("op\n", "wrong type"));
	ck_assert(!expectations_met("// expected-warning@+1 {{wrong}}\nop\n", "wrong type"));
	ck_assert(!expectations_met("// expected-error@+2 {{wrong}}\nop\n", "wrong type"));
	ck_assert(expectations_met("op\n", NULL));
}
END_TEST

static const char *pass_names_message(const char *list)
{
	sr_diags_clear(&ctx->diags);
	return sr_check_pass_names(&sr_compiler_passes, "--flag", list, ctx->arena, &ctx->diags) ? ctx->diags.first->message : "";
}

START_TEST(names_of_passes_are_checked)
{
	ck_assert_str_eq(pass_names_message(NULL), "");
	ck_assert_str_eq(pass_names_message("all"), "");
	ck_assert_str_eq(pass_names_message("cse,canonicalize"), "");
	ck_assert_str_eq(pass_names_message("cse,csee"), "--flag=cse,csee: 'csee' is not a pass; did you mean 'cse'?");
	ck_assert_str_eq(pass_names_message("entirely-different"),
			 "--flag=entirely-different: 'entirely-different' is not a pass; shardopt --list-passes lists them");
	ck_assert_str_eq(pass_names_message("sdy-propagation-pipeline"),
			 "--flag=sdy-propagation-pipeline: 'sdy-propagation-pipeline' is a pipeline; name its passes, which shardopt "
			 "--list-passes lists");
}
END_TEST

START_TEST(print_lists)
{
	ck_assert(sr_pass_list_contains("all", "cse"));
	ck_assert(sr_pass_list_contains("inline,cse", "cse"));
	ck_assert(!sr_pass_list_contains("inline,cse2", "cse"));
}
END_TEST

static const char product_program[] = "module {\n"
			      "  sdy.mesh @mesh = <[\"x\"=4]>\n"
			      "  func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>}, "
			      "%b: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = "
			      "#sdy.sharding<@mesh, [{}, {}]>}) {\n"
			      "    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>\n"
			      "    return %0 : tensor<8x8xf32>\n"
			      "  }\n"
			      "}\n";

/* A product over a sharded dimension: each device multiplies its shard, one all_reduce adds. */
START_TEST(plan_has_figures)
{
	struct sr_compiled c;
	const char *message;
	ck_assert_int_eq(sr_compile(ctx, "product.mlir", product_program, strlen(product_program), &(struct sr_compile_options){.outputs.verify_each = true}, &c), SR_OK);
	ck_assert_int_eq(sr_program_check(c.program, c.program->bytes, &message), SR_OK);
	ck_assert_int_eq(c.n_devices, 4);
	ck_assert_int_eq(c.program->argument_bytes, 2 * 8 * 4 * 4);
	ck_assert_int_eq(c.program->output_bytes, 8 * 8 * 4);
	ck_assert_int_eq(c.program->flops, 2 * 8 * 8 * 4);
	ck_assert_str_eq(sr_coll_report_name(SR_ALL_REDUCE), "all-reduce");
	ck_assert_int_eq(c.program->collectives[0].count, 1);
	ck_assert_int_eq(c.program->collectives[0].bytes, 8 * 8 * 4);
	ck_assert_int_eq(c.program->collectives[0].wire_bytes, 2 * (8 * 8 * 4) * 3 / 4);
	for (int i = 1; i < SR_COLL_COUNT; i++)
		ck_assert_int_eq(c.program->collectives[i].count, 0);
}
END_TEST

/* The product with SR_PARTITION_REPLICATE, which computes on replicated values: both arguments are gathered, and nothing is
 * added. */
START_TEST(replicated_plan_has_figures)
{
	struct sr_compiled c;
	ck_assert_int_eq(sr_compile(ctx, "product.mlir", product_program, strlen(product_program), &(struct sr_compile_options){.partition = SR_PARTITION_REPLICATE}, &c), SR_OK);
	ck_assert_int_eq(c.program->collectives[0].count, 0);
	ck_assert_str_eq(sr_coll_report_name(SR_ALL_GATHER), "all-gather");
	ck_assert_int_eq(c.program->collectives[1].wire_bytes, 2 * (8 * 16 * 4) * 3 / 4);
}
END_TEST

/* If no plan fits, each plan lists its peak, which is above the limit, and the message has the least peak. */
START_TEST(no_plan_fits)
{
	struct sr_tune_options tune = {.auto_shard = true, .memory.requested_bytes = 300};
	struct sr_compile_options options = {.tune = &tune};
	struct sr_compiled c;
	const struct sr_candidate *smallest = NULL;
	ck_assert_int_eq(sr_compile(ctx, "product.mlir", product_program, strlen(product_program), &options, &c), SR_NO_MEMORY);
	ck_assert_int_gt(c.candidates.n, 1);
	for (int i = 0; i < c.candidates.n; i++) {
		const struct sr_candidate *at = &c.candidates.candidates[i];
		ck_assert(!at->is_chosen && !at->failure_reason);
		ck_assert_int_gt(at->peak_bytes, tune.memory.requested_bytes);
		smallest = smallest && smallest->peak_bytes <= at->peak_bytes ? smallest : at;
	}
	const char *expected = sr_printf(
	    ctx->arena,
	    "no plan fits in 300 bytes per device (--memory-per-device); the smallest takes %lld, of which %lld for arguments and "
	    "results, on the mesh %s;",
	    (long long)smallest->peak_bytes, (long long)smallest->entry_bytes, smallest->mesh);
	ck_assert_int_eq(ctx->diags.n_errors, 1);
	ck_assert_msg(strstr(ctx->diags.first->message, expected), "%s", ctx->diags.first->message);
	tune.memory.requested_bytes = smallest->peak_bytes; /* the smallest limit that a plan fits */
	sr_diags_clear(&ctx->diags);
	ck_assert_int_eq(sr_compile(ctx, "product.mlir", product_program, strlen(product_program), &options, &c), SR_OK);
}
END_TEST

/* A program in which a byte of the header was changed fails the check, or is still valid. */
START_TEST(corrupted_programs_are_refused)
{
	struct sr_compiled c;
	const char *message = NULL;
	ck_assert_int_eq(sr_compile(ctx, "product.mlir", product_program, strlen(product_program), &(struct sr_compile_options){0}, &c), SR_OK);
	struct sr_program *p = sr_dup(ctx->arena, c.program, 1, c.program->bytes);
	ck_assert_int_eq(sr_program_check(p, p->bytes - 1, &message), SR_INTERNAL);
	p->instrs.n++;
	p->instrs.offset += 1ull << 60;
	ck_assert_int_eq(sr_program_check(p, p->bytes, &message), SR_INTERNAL);
	ck_assert_ptr_nonnull(message);
	memcpy(p, c.program, sizeof *p);
	((struct sr_buffer *)(uintptr_t)sr_program_buffers(p))[0].offset = p->arena_bytes;
	ck_assert_int_eq(sr_program_check(p, p->bytes, &message), SR_INTERNAL);
	memcpy(p, c.program, sizeof *p);
	memcpy((void *)(uintptr_t)sr_program_buffers(p), sr_program_buffers(c.program), sizeof(struct sr_buffer));
	struct sr_io *io = (struct sr_io *)(uintptr_t)sr_program_values(p);
	io->rank = 0; /* the only value gets an invalid sharding */
	io->refs = UINT32_MAX;
	ck_assert_int_eq(sr_program_check(p, p->bytes, &message), SR_INTERNAL);
	ck_assert_str_eq(message, "an argument's or result's sharding is invalid on its mesh");
	memcpy(p, c.program, sizeof *p);
	p->magic[0] = 'X';
	ck_assert_int_eq(sr_program_check(p, p->bytes, &message), SR_INTERNAL);
}
END_TEST

#include "driver_coverage.h"

int main(void)
{
	Suite *s = suite_create("driver");
	TCase *t = tcase_create("driver");
	tcase_add_checked_fixture(t, open_context, close_context);
	tcase_add_test(t, input_formats_are_detected);
	tcase_add_test(t, jax_export_is_unwrapped);
	tcase_add_test(t, expected_diagnostics_are_compared);
	tcase_add_test(t, print_lists);
	tcase_add_test(t, names_of_passes_are_checked);
	tcase_add_test(t, plan_has_figures);
	tcase_add_test(t, replicated_plan_has_figures);
	tcase_add_test(t, no_plan_fits);
	tcase_add_test(t, corrupted_programs_are_refused);
	tcase_add_test(t, every_op_has_tests);
	tcase_add_test(t, every_pass_has_a_text_test);
	suite_add_tcase(s, t);
	return sr_run_suite(s);
}
