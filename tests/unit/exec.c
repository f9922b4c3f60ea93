/* Execution on one device: programs from text to results, with control flow and reducer bodies; progress lines and stall
 * detection. */
#include "dialect/ops.h"
#include "driver/driver.h"
#include "exec/loop/loop.h"
#include "run/device.h"
#include "run/stall.h"
#include "exec/progress.h"
#include "kernels/kernel.h"
#include "tests/unit/allocations.h"
#include "tests/unit/context.h"
#include "tests/unit/programs.h"
#include "tests/unit/suite.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/exec_arrays.h"
#include "tests/unit/exec_background.h"
#include "tests/unit/exec_streams.h"
#include "tests/unit/exec_manifest.h"

/* A program without arguments and its expected result. */
struct example {
	const char *name, *text;
	int n;
	double expected[16];
};

static const struct example examples[] = {
	{"while counts to ten",
	 "func.func @main() -> tensor<i32> {\n"
	 "  %c = stablehlo.constant dense<0> : tensor<i32>\n"
	 "  %end = stablehlo.constant dense<10> : tensor<i32>\n"
	 "  %0 = stablehlo.while(%a = %c) : tensor<i32>\n"
	 "  cond {\n"
	 "    %1 = stablehlo.compare LT, %a, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	 "    stablehlo.return %1 : tensor<i1>\n"
	 "  } do {\n"
	 "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
	 "    %1 = stablehlo.add %a, %one : tensor<i32>\n"
	 "    stablehlo.return %1 : tensor<i32>\n"
	 "  }\n"
	 "  return %0 : tensor<i32>\n"
	 "}\n",
	 1, {10}},
	{"while exchanges its values",
	 "func.func @main() -> tensor<2xi32> {\n"
	 "  %c = stablehlo.constant dense<0> : tensor<i32>\n"
	 "  %end = stablehlo.constant dense<3> : tensor<i32>\n"
	 "  %x = stablehlo.constant dense<[5]> : tensor<1xi32>\n"
	 "  %y = stablehlo.constant dense<[7]> : tensor<1xi32>\n"
	 "  %0:3 = stablehlo.while(%a = %c, %b = %x, %d = %y) : tensor<i32>, tensor<1xi32>, tensor<1xi32>\n"
	 "  cond {\n"
	 "    %1 = stablehlo.compare LT, %a, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	 "    stablehlo.return %1 : tensor<i1>\n"
	 "  } do {\n"
	 "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
	 "    %1 = stablehlo.add %a, %one : tensor<i32>\n"
	 "    stablehlo.return %1, %d, %b : tensor<i32>, tensor<1xi32>, tensor<1xi32>\n"
	 "  }\n"
	 "  %2 = stablehlo.concatenate %0#1, %0#2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"
	 "  return %2 : tensor<2xi32>\n"
	 "}\n",
	 2, {7, 5}},
	{"case takes its last branch beyond the end",
	 "func.func @main() -> tensor<i32> {\n"
	 "  %i = stablehlo.constant dense<9> : tensor<i32>\n"
	 SR_ONE_OR_TWO,
	 1, {2}},
	{"a function called twice has its own values each time",
	 "func.func @main() -> tensor<i32> {\n"
	 "  %c = stablehlo.constant dense<3> : tensor<i32>\n"
	 "  %0 = call @twice(%c) : (tensor<i32>) -> tensor<i32>\n"
	 "  %1 = call @twice(%0) : (tensor<i32>) -> tensor<i32>\n"
	 "  %2 = stablehlo.subtract %1, %0 : tensor<i32>\n"
	 "  return %2 : tensor<i32>\n"
	 "}\n"
	 "func.func private @twice(%a: tensor<i32>) -> tensor<i32> {\n"
	 "  %0 = stablehlo.add %a, %a : tensor<i32>\n"
	 "  return %0 : tensor<i32>\n"
	 "}\n",
	 1, {6}},
	{"a reduction with two operands finds the place of the largest",
	 "func.func @main() -> tensor<2xi32> {\n"
	 "  %x = stablehlo.constant dense<[[1.0, 9.0, 4.0], [7.0, 2.0, 8.0]]> : tensor<2x3xf32>\n"
	 "  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>\n"
	 "  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
	 "  %none = stablehlo.constant dense<-1> : tensor<i32>\n"
	 "  %0:2 = stablehlo.reduce(%x init: %least), (%i init: %none) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, "
	 "tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)\n"
	 "   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {\n"
	 "    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
	 "    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>\n"
	 "    %3 = stablehlo.select %1, %c, %d : tensor<i1>, tensor<i32>\n"
	 "    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>\n"
	 "  }\n"
	 "  return %0#1 : tensor<2xi32>\n"
	 "}\n",
	 2, {1, 2}},
	{"a sort by any comparator is stable",
	 "func.func @main() -> tensor<5xi32> {\n"
	 "  %x = stablehlo.constant dense<[13, 21, 11, 22, 12]> : tensor<5xi32>\n"
	 "  %0 = \"stablehlo.sort\"(%x) <{dimension = 0 : i64, is_stable = true}> ({\n"
	 "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
	 "    %ten = stablehlo.constant dense<10> : tensor<i32>\n"
	 "    %1 = stablehlo.divide %a, %ten : tensor<i32>\n"
	 "    %2 = stablehlo.divide %b, %ten : tensor<i32>\n"
	 "    %3 = stablehlo.compare GT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	 "    stablehlo.return %3 : tensor<i1>\n"
	 "  }) : (tensor<5xi32>) -> tensor<5xi32>\n"
	 "  return %0 : tensor<5xi32>\n"
	 "}\n",
	 5, {21, 22, 13, 11, 12}},
	{"a scatter by any body, updates outside left out",
	 "func.func @main() -> tensor<4xi32> {\n"
	 "  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>\n"
	 "  %i = stablehlo.constant dense<[[1], [7], [1]]> : tensor<3x1xi32>\n"
	 "  %u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>\n"
	 "  %0 = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
	 "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
	 "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
	 "    %1 = stablehlo.add %a, %a : tensor<i32>\n"
	 "    %2 = stablehlo.add %1, %b : tensor<i32>\n"
	 "    stablehlo.return %2 : tensor<i32>\n"
	 "  }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>\n"
	 "  return %0 : tensor<4xi32>\n"
	 "}\n",
	 4, {1, 58, 3, 4}},
	{"one device sends to itself",
	 "func.func @main() -> tensor<2xi32> {\n"
	 "  %x = stablehlo.constant dense<[4, 5]> : tensor<2xi32>\n"
	 "  %0 = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>\n"
	 "  return %0 : tensor<2xi32>\n"
	 "}\n",
	 2, {4, 5}},
};

static void setup(void)
{
	open_context();
}

static void print_messages(const struct example *e)
{
	for (const struct sr_diag *d = ctx->diags.first; d; d = d->next)
		fprintf(stderr, "%s: %s\n", e->name, d->message);
}

START_TEST(executes_programs)
{
	const struct example *e = &examples[_i];
	struct sr_compiled c;
	struct sr_compile_options o = {.interpret = true};
	struct sr_client client = {.launch = {.size = 1}};
	struct sr_executable executable = {0};
	struct sr_executable_options options = {.model = e->name, .codegen = {.mode = SR_CODEGEN_OFF}};
	enum sr_status status = sr_compile(ctx, "example.mlir", e->text, strlen(e->text), &o, &c);
	if (status)
		print_messages(e);
	ck_assert_msg(status == SR_OK, "%s: compile gives %d", e->name, status);
	ck_assert_int_eq(sr_client_open(&client, &(struct sr_client_options){.threads = 1}, ctx->arena, &ctx->diags), SR_OK);
	ck_assert_int_eq(sr_executable_open(&executable, &client, c.program, &options, ctx->arena, &ctx->diags), SR_OK);
	struct sr_execution_context *x = sr_contexts_new(executable.devices, 1);
	ck_assert_ptr_nonnull(x);
	for (int repeat = 0; repeat < 2; repeat++) { /* each execution starts from the same arguments and constants */
		long n_before = allocations;
		status = sr_context_execute(x);
		n_before = allocations - n_before; /* do not count Check's own allocations */
		ck_assert_int_eq(status, SR_OK);
		ck_assert_msg(!n_before, "%s: %ld allocations in a step", e->name, n_before);
		const struct sr_io *io = sr_program_values(c.program) + c.program->n_arguments;
		const char *out = sr_context_buffer(x, io->buffer);
		enum sr_dtype type = (enum sr_dtype)io->dtype;
		for (int i = 0; i < e->n; i++) {
			int64_t v = 0;
			double element = 0;
			sr_element_get(type, out + i * sr_dtype_bytes(type), &v, &element, NULL);
			if (sr_dtype_is_integer(type))
				element = (double)v;
			ck_assert_msg(element == e->expected[i], "%s: element %d is %g, expected %g (run %d)", e->name, i, element,
				      e->expected[i], repeat);
		}
	}
	sr_contexts_free(x);
	sr_executable_close(&executable);
	sr_client_close(&client);
}
END_TEST

/* Return what was written to the pipe since the last call. */
static const char *output_since_last_call(const int *pipe_ends)
{
	static char text[2048];
	ck_assert_int_eq(write(pipe_ends[1], "", 1), 1);
	ssize_t n = read(pipe_ends[0], text, sizeof text - 1);
	ck_assert_int_gt(n, 0);
	text[n] = 0;
	return text;
}

static const double no_delay_s = 1e-9;

START_TEST(progress_on_a_terminal)
{
	int pipe_ends[2];
	ck_assert_int_eq(pipe(pipe_ends), 0);
	sr_progress_begin(SR_PROGRESS_LINE, no_delay_s, pipe_ends[1], true);
	sr_progress_draw(NULL);
	ck_assert_str_eq(output_since_last_call(pipe_ends), ""); /* nothing is drawn before the first phase */
	sr_progress_clear();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "");
	sr_progress_phase("compiling");
	sr_progress_set_position("pass", 3, 12, "cse");
	sr_progress_draw(NULL);
	ck_assert_str_eq(output_since_last_call(pipe_ends), "\r\033[?7lshardrun: 0 s: compiling, pass 3 of 12: cse\033[K\033[?7h");
	sr_progress_clear();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "\r\033[K");
	sr_progress_clear();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "");
	sr_progress_phase("running"); /* the line no longer shows the item of the previous phase */
	sr_progress_draw(NULL);
	ck_assert_str_eq(output_since_last_call(pipe_ends), "\r\033[?7lshardrun: 0 s: running\033[K\033[?7h");
	sr_progress_stop();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "\r\033[K");
	sr_progress_draw(NULL);
	ck_assert_str_eq(output_since_last_call(pipe_ends), "");
	sr_progress_end();
	ck_assert(sr_progress_due() < 0);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}
END_TEST

START_TEST(progress_in_a_log)
{
	char name[1000];
	int pipe_ends[2];
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = 0;
	ck_assert_int_eq(pipe(pipe_ends), 0);
	sr_progress_begin(SR_PROGRESS_AUTO, no_delay_s, pipe_ends[1], true);
	sr_progress_phase("compiling");
	sr_progress_set_position("pass", 0, 0, "parse");
	sr_progress_draw(NULL);
	ck_assert_str_eq(output_since_last_call(pipe_ends), "shardrun: 0 s: compiling: parse\n");
	sr_progress_stop();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "");
	sr_progress_phase(name);
	sr_progress_draw(NULL);
	const char *text = output_since_last_call(pipe_ends);
	ck_assert_int_lt(strlen(text), sizeof name);
	ck_assert_str_eq(text + strlen(text) - 2, "x\n"); /* the line is truncated but ends with a newline */
	sr_progress_begin(SR_PROGRESS_AUTO, 0, pipe_ends[1], true);
	sr_progress_phase("compiling");
	sr_progress_draw(NULL);
	ck_assert_str_eq(output_since_last_call(pipe_ends), ""); /* nothing is drawn in the first minute */
	sr_progress_end();
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}
END_TEST

/* A progress line on a terminal that another process draws on: it is erased on request, unless nothing was drawn since. */
START_TEST(progress_line_of_another_process)
{
	int pipe_ends[2];
	ck_assert_int_eq(pipe(pipe_ends), 0);
	sr_progress_begin(SR_PROGRESS_LINE, no_delay_s, pipe_ends[1], false);
	ck_assert(sr_progress_due() < 0);
	sr_progress_stop();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "");
	sr_progress_clear_for_error();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "\r\033[K");
	sr_progress_begin(SR_PROGRESS_LINE, 1e6, pipe_ends[1], false);
	sr_progress_clear_for_error();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "");
	sr_progress_begin(SR_PROGRESS_LOG, no_delay_s, pipe_ends[1], false);
	sr_progress_clear_for_error();
	ck_assert_str_eq(output_since_last_call(pipe_ends), "");
	sr_progress_end();
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}
END_TEST

/* ---- stall detection ---- */

enum { RANKS = 3, HALF_LIMIT_S = 50, LIMIT_S = 100 };

/* States of ranks at times 0, HALF and LIMIT: w waits, a waits but received something meanwhile, c computes, - sends no
 * heartbeat. */
static const struct rank_standing {
	const char *name;
	const char *reports[RANKS];
	bool is_stalled;
	const char *message; /* text in the message; NULL: there is no stall */
} rank_standings[] = {
	{"all work", {"ccc", "ccc", "ccc"}, false, NULL},
	{"all wait for one that works", {"www", "ccc", "www"}, false, NULL},
	{"one is stopped while all wait", {"www", "c--", "www"}, true,
	 "shardrun: error: no progress for 100 s (--stall-timeout) after 300 s: running, step 2 of 9\n"
	 "  ranks 0, 2 wait there\n"
	 "  rank 1 did not arrive: silent for 100 s, last reported working at: running, step 2 of 9\n"},
	{"one is stopped while the others compute", {"ccc", "c--", "ccc"}, false, NULL},
	{"one is stopped, one waits, one computes", {"www", "c--", "ccc"}, true, NULL},
	{"all wait, and nothing comes", {"www", "www", "www"}, true,
	 "shardrun: error: no progress for 100 s (--stall-timeout) after 300 s: running, step 2 of 9\n"
	 "  ranks 0 to 2 wait there\n"
	 "  all ranks report and wait here: messages between them are lost\n"},
	{"all wait, but something came", {"www", "waw", "www"}, false, NULL},
	{"one is heard again in time", {"www", "c-w", "www"}, false, NULL},
	{"one has never reported", {"www", "---", "www"}, false, NULL},
	{"one has never reported, and one is stopped", {"www", "---", "w--"}, true,
	 "shardrun: error: no progress for 100 s (--stall-timeout) after 300 s: running, step 2 of 9\n"
	 "  rank 0 waits there\n"
	 "  rank 1: it has never reported\n"
	 "  rank 2 did not arrive: silent for 100 s, last reported waiting there\n"},
};

START_TEST(stall_is_detected)
{
	const struct rank_standing *s = &rank_standings[_i];
	struct sr_rank_record ranks[RANKS] = {{{0}}};
	char words[SR_STALL_TEXT];
	for (int r = 0; r < RANKS; r++)
		for (int k = 0; k < 3; k++) {
			char report = s->reports[r][k];
			struct sr_rank_state state = {
				.progress = report == 'a', .i = 2, .n = 9, .is_waiting = report != 'c', .phase = "running"};
			if (report != '-')
				sr_stall_record(&ranks[r], &state, k * HALF_LIMIT_S);
		}
	ck_assert_msg(sr_is_stalled(ranks, RANKS, LIMIT_S, LIMIT_S) == s->is_stalled, "%s", s->name);
	if (!s->message)
		return;
	sr_stall_text(words, ranks, RANKS, LIMIT_S, LIMIT_S, 300, NULL);
	ck_assert_str_eq(words, s->message);
}
END_TEST

/* The message is bounded for any number of ranks. */
START_TEST(stall_message_of_many_ranks_is_bounded)
{
	enum { N_RANKS = 5000 };
	static struct sr_rank_record ranks[N_RANKS];
	char words[SR_STALL_TEXT];
	for (int k = 0; k < 2 * N_RANKS; k++) {
		int r = k % N_RANKS;
		struct sr_rank_state state = {.i = r % 2 ? r : 0, .n = N_RANKS, .is_waiting = true, .phase = "a long name of a phas"};
		sr_stall_record(&ranks[r], &state, k / N_RANKS);
	}
	ck_assert(sr_is_stalled(ranks, N_RANKS, 1, 1));
	sr_stall_text(words, ranks, N_RANKS, 1, 1, 1, NULL);
	ck_assert_uint_lt(strlen(words), SR_STALL_TEXT);
}
END_TEST

/* SIGUSR1 after the loop has ended is ignored. */
START_TEST(signal_after_a_loop_is_ignored)
{
	struct sr_run_options o = {.loop = {.steps = "3", .checkpoint = "kept", .checkpoint_keep = 1}};
	struct sr_loop *loop;
	ck_assert_int_eq(sr_loop_prepare(&o, &loop, ctx->arena, &ctx->diags), SR_OK);
	sr_loop_close(loop);
	raise(SIGUSR1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("exec");
	TCase *t = tcase_create("executor");
	tcase_add_checked_fixture(t, setup, close_context);
	tcase_add_loop_test(t, executes_programs, 0, sizeof examples / sizeof *examples);
	suite_add_tcase(s, t);
	t = tcase_create("progress");
	tcase_add_test(t, progress_on_a_terminal);
	tcase_add_test(t, progress_in_a_log);
	tcase_add_test(t, progress_line_of_another_process);
	suite_add_tcase(s, t);
	t = tcase_create("stall");
	tcase_add_loop_test(t, stall_is_detected, 0, sizeof rank_standings / sizeof *rank_standings);
	tcase_add_test(t, stall_message_of_many_ranks_is_bounded);
	suite_add_tcase(s, t);
	t = tcase_create("manifest");
	tcase_add_checked_fixture(t, setup, close_context);
	tcase_add_test(t, manifest_comes_back);
	tcase_add_test(t, checkpoints_are_in_the_order_of_steps);
	tcase_add_test(t, manifest_is_damaged);
	tcase_add_loop_test(t, manifest_is_refused, 0, sizeof manifests / sizeof *manifests);
	suite_add_tcase(s, t);
	t = tcase_create("background");
	tcase_add_checked_fixture(t, open_background, close_background);
	tcase_set_timeout(t, 180);
	tcase_add_test(t, compiled_code_replaces_interpreted_between_executions);
	tcase_add_test(t, a_compiler_that_fails_leaves_a_program_interpreted);
	tcase_add_test(t, closing_ends_a_compiler_that_hangs);
	tcase_add_test(t, requests_are_queued_after_the_last_one_is_cancelled);
	tcase_add_test(t, loops_keep_outputs_in_caches);
	suite_add_tcase(s, t);
	t = tcase_create("arrays");
	tcase_add_checked_fixture(t, open_update, close_update);
	tcase_add_test(t, donated_values_are_carried_in_place);
	tcase_add_test(t, carried_values_swap);
	tcase_add_test(t, results_are_carried_across);
	tcase_add_test(t, value_carried_twice_is_copied);
	tcase_add_test(t, kept_arguments_are_not_consumed);
	suite_add_tcase(s, t);
	t = tcase_create("groups");
	tcase_add_test(t, known_groups_take_no_memory);
	suite_add_tcase(s, t);
	t = tcase_create("loop");
	tcase_add_checked_fixture(t, setup, close_context);
	tcase_add_test(t, signal_after_a_loop_is_ignored);
	suite_add_tcase(s, t);
	return sr_run_suite(s);
}
