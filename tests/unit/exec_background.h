/* Compilation in the background: the same bits before and after, a compiler that fails, and one that hangs. */
#pragma once
#include "run/execution.h"
#include "tests/unit/scratch.h"
#include <math.h>
#include <sys/stat.h>

enum { N_ELEMENTS = 64 * 1000, MAX_STEPS = 1000000 };

/* An elementwise function and sums of rows. */
static const char background_program[] =
	"func.func @main(%x: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64x1000xf32>) {\n"
	"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %0 = stablehlo.sine %x : tensor<64x1000xf32>\n"
	"  %1 = stablehlo.multiply %0, %x : tensor<64x1000xf32>\n"
	"  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>\n"
	"  return %2, %1 : tensor<64xf32>, tensor<64x1000xf32>\n"
	"}\n";

static struct sr_client background_client;
static struct sr_executable background;
static char scratch[SCRATCH_PATH];

static void open_background(void)
{
	open_context();
	make_scratch_folder(scratch);
	setenv("TMPDIR", scratch, 1);
	background_client = (struct sr_client){.launch = {.size = 1}};
	ck_assert_int_eq(sr_client_open(&background_client, &(struct sr_client_options){.features = UINT64_MAX}, ctx->arena,
			 &ctx->diags), SR_OK);
}

static void close_background(void)
{
	sr_executable_close(&background);
	sr_client_close(&background_client);
	unsetenv("TMPDIR");
	ck_assert_int_eq(rmdir(scratch), 0); /* rmdir fails if a file was left */
	close_context();
}

static void load_in_background(struct sr_executable *e, const char *compiler)
{
	struct sr_compiled c;
	ck_assert_int_eq(sr_compile(ctx, "sums.mlir", background_program, strlen(background_program), &(struct sr_compile_options){0}, &c), SR_OK);
	struct sr_executable_options o = {.model = "sums.mlir", .codegen = {.mode = SR_CODEGEN_BACKGROUND, .compiler = compiler}};
	ck_assert_int_eq(sr_executable_open(e, &background_client, c.program, &o, ctx->arena, &ctx->diags), SR_OK);
	ck_assert(sr_executable_make_layouts(e));
	ck_assert_int_eq(sr_background_jit_progress(e), SR_JIT_PENDING);
}

/* Execute the program, and compare the results with those of the first execution. */
static void step_and_compare(struct sr_executable *e, float *first_results)
{
	struct sr_array *x = sr_array_new(e->layouts[0]), *results[2];
	ck_assert(x && sr_array_allocate_all(x, e->device_set->memory));
	for (int i = 0; i < N_ELEMENTS; i++)
		((float *)x->shards[0].data)[i] = (float)(i % 977) * 0.37f - 100.0f;
	ck_assert_int_eq(sr_execute(&(struct sr_execution){e, &x, 1, results, 2}, &ctx->diags), SR_OK);
	const float *sums = results[0]->shards[0].data, *products = results[1]->shards[0].data;
	if (isnan(first_results[0]))
		memcpy(first_results, sums, 64 * sizeof *first_results), memcpy(first_results + 64, products, N_ELEMENTS * sizeof *first_results);
	ck_assert_mem_eq(first_results, sums, 64 * sizeof *first_results);
	ck_assert_mem_eq(first_results + 64, products, N_ELEMENTS * sizeof *first_results);
	sr_array_release(x);
	sr_array_release(results[0]);
	sr_array_release(results[1]);
}

static enum sr_jit_progress step_until_ended(void)
{
	float *first_results = sr_alloc(ctx->arena, 64 + N_ELEMENTS, sizeof *first_results);
	first_results[0] = NAN;
	for (int i = 0; i < MAX_STEPS && sr_background_jit_progress(&background) == SR_JIT_PENDING; i++)
		step_and_compare(&background, first_results);
	for (int i = 0; i < 3; i++)
		step_and_compare(&background, first_results);
	return sr_background_jit_progress(&background);
}

START_TEST(compiled_code_replaces_interpreted_between_executions)
{
	load_in_background(&background, "cc");
	ck_assert(!sr_executable_is_compiled(&background));
	if (step_until_ended() == SR_JIT_FAILED) { /* this machine has no compiler */
		ck_assert(!sr_executable_is_compiled(&background));
		return;
	}
	ck_assert(sr_executable_is_compiled(&background));
}
END_TEST

static const char *jit_description(void)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	sr_background_jit_describe(&background, &out);
	return sr_buf_string(&out);
}

START_TEST(a_compiler_that_fails_leaves_a_program_interpreted)
{
	load_in_background(&background, "false");
	ck_assert_int_eq(step_until_ended(), SR_JIT_FAILED);
	sr_background_jit_cancel(&background);
	ck_assert(!sr_executable_is_compiled(&background));
	ck_assert_msg(strstr(jit_description(), "interpreted: ") != NULL, "%s", jit_description());
	ck_assert_ptr_null(ctx->diags.first);
}
END_TEST

/* Return the process id that a file holds once it is complete, or 0. */
static int read_pid(const char *path)
{
	char text[32];
	FILE *f = fopen(path, "r");
	bool is_complete = f && fgets(text, sizeof text, f) && strchr(text, '\n');
	if (f)
		fclose(f);
	return is_complete ? atoi(text) : 0;
}

static bool is_alive(int pid)
{
	char path[64], text[256] = "";
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *f = fopen(path, "r");
	bool alive = f && fgets(text, sizeof text, f) && !strstr(text, ") Z");
	if (f)
		fclose(f);
	return alive;
}

/* Write a compiler that never ends, which writes its process id to pid_file. */
static void write_hanging_compiler(const char *compiler, const char *pid_file)
{
	FILE *f = fopen(compiler, "w");
	fprintf(f, "#!/bin/sh\n: >\"$TMPDIR/left.s\"\necho $$ >%s\nwhile :; do sleep 1; done\n", pid_file);
	fclose(f);
	chmod(compiler, 0700);
}

START_TEST(closing_ends_a_compiler_that_hangs)
{
	char compiler[SCRATCH_PATH + 16], pid_file[SCRATCH_PATH + 16];
	float *first_results = sr_alloc(ctx->arena, 64 + N_ELEMENTS, sizeof *first_results);
	snprintf(compiler, sizeof compiler, "%s/hangs", scratch);
	snprintf(pid_file, sizeof pid_file, "%s/pid", scratch);
	write_hanging_compiler(compiler, pid_file);
	load_in_background(&background, compiler);
	first_results[0] = NAN;
	int pid = 0;
	for (int i = 0; i < MAX_STEPS && !(pid = read_pid(pid_file)); i++)
		step_and_compare(&background, first_results);
	ck_assert_int_gt(pid, 0);
	ck_assert(is_alive(pid));
	ck_assert_int_eq(sr_background_jit_progress(&background), SR_JIT_PENDING);
	sr_executable_close(&background);
	for (int i = 0; i < 10000 && is_alive(pid); i++) /* the compiler was killed; the system removes the process after a while */
		usleep(1000);
	ck_assert(!is_alive(pid));
	unlink(compiler);
	unlink(pid_file);
}
END_TEST

START_TEST(requests_are_queued_after_the_last_one_is_cancelled)
{
	enum { STEPS_UNTIL_QUEUED = 400, STEPS = 3000 };
	char compiler[SCRATCH_PATH + 16], pid_file[SCRATCH_PATH + 16];
	float *first_results = sr_alloc(ctx->arena, 64 + N_ELEMENTS, sizeof *first_results);
	struct sr_executable cancelled = {0}, next = {0};
	snprintf(compiler, sizeof compiler, "%s/hangs", scratch);
	snprintf(pid_file, sizeof pid_file, "%s/pid", scratch);
	write_hanging_compiler(compiler, pid_file);
	load_in_background(&background, compiler);
	load_in_background(&cancelled, "false");
	load_in_background(&next, "false");
	first_results[0] = NAN;
	for (int i = 0; i < MAX_STEPS && !read_pid(pid_file); i++)
		step_and_compare(&background, first_results);
	for (int i = 0; i < STEPS_UNTIL_QUEUED; i++)
		step_and_compare(&cancelled, first_results);
	sr_executable_close(&cancelled);
	for (int i = 0; i < STEPS_UNTIL_QUEUED; i++)
		step_and_compare(&next, first_results);
	sr_executable_close(&background); /* ends the compiler */
	for (int i = 0; i < STEPS && sr_background_jit_progress(&next) == SR_JIT_PENDING; i++) {
		step_and_compare(&next, first_results);
		usleep(1000);
	}
	ck_assert_int_eq(sr_background_jit_progress(&next), SR_JIT_FAILED);
	sr_executable_close(&next);
	unlink(compiler);
	unlink(pid_file);
}
END_TEST
