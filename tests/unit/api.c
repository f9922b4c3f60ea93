/* The public C API in one process. Includes only public headers and test headers. */
#include <shardrun.h>

#include "tests/unit/scratch.h"
#include "tests/unit/suite.h"
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char one[] = "func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
			  "  %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>\n"
			  "  return %0 : tensor<2x3xf32>\n"
			  "}\n";

static const char eight_devices_program[] =
	"module @mlp {\n"
	"  sdy.mesh @mesh = <[\"data\"=4, \"model\"=2]>\n"
	"  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>},\n"
	"      %arg1: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"model\"}, {\"data\"}]>})\n"
	"      -> (tensor<16x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}) {\n"
	"    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x10xf32>) -> tensor<16x10xf32>\n"
	"    return %0 : tensor<16x10xf32>\n"
	"  }\n"
	"}\n";

static struct shardrun_module *module;
static struct shardrun_plan *plan;
static struct shardrun_run *run;
static struct shardrun_client *client;

static void teardown(void)
{
	shardrun_run_close(run);
	shardrun_client_close(client);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	client = NULL;
	run = NULL;
	plan = NULL;
	module = NULL;
}

static void read_text(const char *text)
{
	enum sr_status status = shardrun_module_read("test.mlir", text, strlen(text), &module);
	ck_assert_msg(!status, "%s", shardrun_module_message(module));
}

static void make_plan(const char *text)
{
	read_text(text);
	enum sr_status status = shardrun_plan_make(module, NULL, &plan);
	ck_assert_msg(!status, "%s", shardrun_plan_message(plan));
}

static void open_run(void)
{
	make_plan(one);
	enum sr_status status = shardrun_run_open(plan, NULL, &run);
	ck_assert_msg(!status, "%s", shardrun_run_message(run));
}

/* ---- modules ---- */

START_TEST(a_module_prints_what_it_read)
{
	read_text(one);
	ck_assert_str_eq(shardrun_module_message(module), "");
	ck_assert_ptr_nonnull(strstr(shardrun_module_text(module), "stablehlo.add %arg0, %arg1 : tensor<2x3xf32>"));
}
END_TEST

START_TEST(errors_have_a_location)
{
	static const char bad[] = "func.func @main() {\n  %0 = stablehlo.add\n}\n";
	ck_assert_int_eq(shardrun_module_read("bad.mlir", bad, sizeof bad - 1, &module), SR_INVALID);
	ck_assert_ptr_nonnull(module);
	ck_assert_msg(!strncmp(shardrun_module_message(module), "bad.mlir:", 9), "%s", shardrun_module_message(module));
	ck_assert_ptr_nonnull(strstr(shardrun_module_message(module), ": error: "));
	ck_assert_ptr_null(shardrun_module_text(module));
	ck_assert_int_eq(shardrun_plan_make(module, NULL, &plan), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_plan_message(plan), "was read without error"));
}
END_TEST

START_TEST(missing_file_is_an_error)
{
	ck_assert_int_eq(shardrun_module_load("/no/such/file.mlir", &module), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_module_message(module), "/no/such/file.mlir: error: "));
}
END_TEST

START_TEST(null_handles_have_answers)
{
	ck_assert_ptr_nonnull(strstr(shardrun_module_message(NULL), "out of memory"));
	ck_assert_ptr_nonnull(strstr(shardrun_plan_message(NULL), "out of memory"));
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(NULL), "out of memory"));
	ck_assert_ptr_null(shardrun_module_text(NULL));
	ck_assert_ptr_null(shardrun_module_mesh(NULL));
	ck_assert_ptr_null(shardrun_plan_argument(NULL, 0));
	ck_assert_ptr_null(shardrun_plan_report(NULL));
	ck_assert_int_eq(shardrun_run_device(NULL), -1);
	shardrun_module_free(NULL);
	shardrun_plan_free(NULL);
	shardrun_run_close(NULL);
}
END_TEST

/* ---- meshes ---- */

START_TEST(a_mesh_has_axes_and_coordinates)
{
	read_text(eight_devices_program);
	const struct shardrun_mesh *mesh = shardrun_module_mesh(module);
	ck_assert_int_eq(shardrun_mesh_axes(mesh), 2);
	ck_assert_str_eq(shardrun_mesh_axis_name(mesh, 0), "data");
	ck_assert_str_eq(shardrun_mesh_axis_name(mesh, 1), "model");
	ck_assert_int_eq(shardrun_mesh_axis_size(mesh, 0), 4);
	ck_assert_int_eq(shardrun_mesh_devices(mesh), 8);
	ck_assert_int_eq(shardrun_mesh_coordinate(mesh, 5, 0), 2);
	ck_assert_int_eq(shardrun_mesh_coordinate(mesh, 5, 1), 1);
	ck_assert_int_eq(shardrun_mesh_coordinate(mesh, 8, 1), -1);
	ck_assert_int_eq(shardrun_mesh_coordinate(mesh, 0, 2), -1);
	ck_assert_ptr_null(shardrun_mesh_axis_name(mesh, 2));
	ck_assert_int_eq(shardrun_mesh_axis_size(mesh, -1), 0);
}
END_TEST

START_TEST(no_mesh_is_one_device)
{
	read_text(one);
	ck_assert_ptr_null(shardrun_module_mesh(module));
	ck_assert_int_eq(shardrun_mesh_axes(NULL), 0);
	ck_assert_int_eq(shardrun_mesh_devices(NULL), 1);
}
END_TEST

/* ---- plans ---- */

START_TEST(a_plan_has_figures_and_collectives)
{
	struct shardrun_figures f = SHARDRUN_FIGURES_INIT;
	make_plan(eight_devices_program);
	shardrun_plan_figures(plan, &f);
	ck_assert_int_eq(f.devices, 8);
	ck_assert_int_eq(f.output_bytes, 4 * 10 * 4);
	ck_assert_int_ge(f.peak_bytes, f.argument_bytes + f.output_bytes);
	ck_assert_int_gt(f.flops, 0);
	ck_assert_int_gt(f.steps, 0);
	ck_assert(f.compile_s > 0);
	const struct shardrun_collective *c = shardrun_plan_collective(plan, 0);
	ck_assert_ptr_nonnull(c);
	for (int i = 0; (c = shardrun_plan_collective(plan, i)); i++) {
		ck_assert_int_gt(c->count, 0);
		ck_assert_int_gt(c->wire_bytes, 0);
	}
}
END_TEST

START_TEST(figures_fit_the_struct_size_of_an_older_caller)
{
	struct shardrun_figures f;
	memset(&f, 0x55, sizeof f);
	f.size = offsetof(struct shardrun_figures, argument_bytes);
	make_plan(eight_devices_program);
	shardrun_plan_figures(plan, &f);
	ck_assert_int_eq(f.devices, 8);
	ck_assert_int_eq(f.argument_bytes, 0x5555555555555555);
	ck_assert_int_eq(f.size, offsetof(struct shardrun_figures, argument_bytes));
}
END_TEST

START_TEST(unknown_options_of_a_newer_caller_are_refused)
{
	struct {
		struct shardrun_plan_options known_options;
		int64_t added_field;
	} newer_options = {{sizeof newer_options, NULL, 0, 0, 0}, 0};
	read_text(one);
	ck_assert_int_eq(shardrun_plan_make(module, &newer_options.known_options, &plan), SR_OK);
	shardrun_plan_free(plan);
	newer_options.added_field = 1;
	ck_assert_int_eq(shardrun_plan_make(module, &newer_options.known_options, &plan), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_plan_message(plan), "newer library"));
}
END_TEST

START_TEST(values_have_types_and_slices)
{
	int64_t start[2], size[2], local_dims[2];
	make_plan(eight_devices_program);
	const struct shardrun_value *w = shardrun_plan_argument(plan, 1), *y = shardrun_plan_result(plan, 0);
	ck_assert_ptr_nonnull(w);
	ck_assert_str_eq(w->type, "tensor<8x10xf32>");
	ck_assert_str_eq(w->element, "f32");
	ck_assert_int_eq(w->element_bytes, 4);
	ck_assert_int_eq(w->rank, 2);
	ck_assert_int_eq(w->shape[1], 10);
	ck_assert_int_eq(w->local_bytes, 4 * 5 * 4); /* 4 does not divide 10, so the dimension is sharded along half of the axis */
	ck_assert_ptr_null(shardrun_plan_argument(plan, 2));
	ck_assert_int_eq(y->aliases, -1);
	ck_assert_ptr_null(shardrun_plan_result(plan, 1));
	/* device 7 has the coordinates data=3, model=1 */
	ck_assert_int_eq(shardrun_plan_argument_slice(plan, 1, 7, start, size, local_dims), SR_OK);
	ck_assert_int_eq(start[0], 4);
	ck_assert_int_eq(size[0], 4);
	ck_assert_int_eq(start[1], 5);
	ck_assert_int_eq(size[1], 5);
	ck_assert_int_eq(local_dims[1], 5);
	ck_assert_int_eq(shardrun_plan_result_slice(plan, 0, 2, start, NULL, NULL), SR_OK);
	ck_assert_int_eq(start[0], 4);
	ck_assert_int_eq(shardrun_plan_argument_slice(plan, 1, 8, start, size, local_dims), SR_USAGE);
	ck_assert_int_eq(shardrun_plan_argument_slice(plan, 2, 0, start, size, local_dims), SR_USAGE);
}
END_TEST

START_TEST(a_plan_writes_its_report_and_text)
{
	make_plan(eight_devices_program);
	ck_assert_ptr_nonnull(strstr(shardrun_plan_report(plan), "\"devices\": 8"));
	ck_assert_ptr_nonnull(strstr(shardrun_plan_report(plan), "\"peak_bytes\""));
	ck_assert_ptr_eq(shardrun_plan_report(plan), shardrun_plan_report(plan));
	ck_assert_int_gt((int)strlen(shardrun_plan_text(plan)), 0);
	ck_assert_ptr_nonnull(strstr(shardrun_plan_module_text(plan), "tensor<4x10xf32>"));
}
END_TEST

/* ---- runs, one process ---- */

static int environment_changes; /* number of calls of setenv and unsetenv, which are replaced here to count them */

int setenv(const char *name, const char *value, int replaces)
{
	int (*next)(const char *, const char *, int);
	*(void **)&next = dlsym(RTLD_NEXT, "setenv");
	environment_changes++;
	return next(name, value, replaces);
}

int unsetenv(const char *name)
{
	int (*next)(const char *);
	*(void **)&next = dlsym(RTLD_NEXT, "unsetenv");
	environment_changes++;
	return next(name);
}

/* Opening a client, which loads OpenBLAS and detects the machine, must not change the environment, since other threads may read
 * it. */
START_TEST(a_run_leaves_the_environment)
{
	environment_changes = 0;
	open_run();
	ck_assert_msg(!shardrun_run_step(run), "%s", shardrun_run_message(run));
	ck_assert_int_eq(environment_changes, 0);
}
END_TEST

START_TEST(a_run_adds)
{
	struct shardrun_buffer x, y;
	float *v;
	open_run();
	ck_assert_int_eq(shardrun_run_device(run), 0);
	ck_assert_int_eq(shardrun_run_argument(run, 0, &x), SR_OK);
	ck_assert_int_eq(x.rank, 2);
	ck_assert_int_eq(x.bytes, 24);
	ck_assert_int_eq(x.size[0], 2);
	ck_assert_int_eq(x.local[1], 3);
	v = x.data;
	for (int i = 0; i < 6; i++)
		v[i] = (float)i;
	ck_assert_msg(!shardrun_run_fill(run, 1, "2x3xf32=10"), "%s", shardrun_run_message(run));
	for (int step = 0; step < 2; step++) { /* arguments keep their values between steps */
		ck_assert_msg(!shardrun_run_step(run), "%s", shardrun_run_message(run));
		ck_assert_int_eq(shardrun_run_result(run, 0, &y), SR_OK);
		v = y.data;
		for (int i = 0; i < 6; i++)
			ck_assert(v[i] == (float)(10 + i));
	}
}
END_TEST

START_TEST(a_result_is_written_and_read_back)
{
	char path[SCRATCH_PATH], value[SCRATCH_PATH + 1];
	const char *const paths[] = {path};
	struct shardrun_buffer x;
	open_run();
	close(make_scratch_file(path));
	ck_assert_int_eq(shardrun_run_fill(run, 0, "2x3xf32=1 2 3 4 5 6"), SR_OK);
	ck_assert_int_eq(shardrun_run_step(run), SR_OK);
	ck_assert_msg(!shardrun_run_write(run, paths, 1), "%s", shardrun_run_message(run));
	snprintf(value, sizeof value, "@%s", path);
	ck_assert_msg(!shardrun_run_fill(run, 1, value), "%s", shardrun_run_message(run));
	unlink(path);
	ck_assert_int_eq(shardrun_run_argument(run, 1, &x), SR_OK);
	ck_assert(((float *)x.data)[5] == 6);
}
END_TEST

START_TEST(run_errors_have_messages)
{
	struct shardrun_buffer x;
	static const char *const paths[] = {"/no/such/folder/y.npy", "z.npy"};
	open_run();
	ck_assert_int_eq(shardrun_run_argument(run, 2, &x), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "there is no argument 2"));
	ck_assert_int_eq(shardrun_run_fill(run, 0, "4xf32=1 2 3 4"), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "2x3xf32"));
	ck_assert_int_eq(shardrun_run_fill(run, 0, "@/no/such/file.npy"), SR_USAGE);
	ck_assert_int_eq(shardrun_run_write(run, paths, 1), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "/no/such/folder"));
	ck_assert_int_eq(shardrun_run_write(run, paths, 2), SR_USAGE);
	ck_assert_int_eq(shardrun_run_step(run), SR_OK);
	ck_assert_str_eq(shardrun_run_message(run), "");
}
END_TEST

static const char check_program[] = "func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {\n"
			      "  %p = interpreter.probe %a, probe_id = \"a\" : tensor<2xi32>\n"
			      "  check.expect_eq_const %p, dense<[3, 4]> : tensor<2xi32>\n"
			      "  return %p : tensor<2xi32>\n"
			      "}\n";

START_TEST(a_check_that_fails_is_a_status_with_its_message)
{
	struct shardrun_plan_options options = SHARDRUN_PLAN_OPTIONS_INIT;
	for (options.interpret = 0; options.interpret < 2; options.interpret++) {
		read_text(check_program);
		ck_assert_int_eq(shardrun_plan_make(module, &options, &plan), SR_OK);
		ck_assert_int_eq(shardrun_run_open(plan, NULL, &run), SR_OK);
		ck_assert_int_eq(shardrun_run_fill(run, 0, "2xi32=3 5"), SR_OK);
		ck_assert_int_eq(shardrun_run_step(run), SR_DIFFERS);
		ck_assert_str_eq(shardrun_run_message(run),
				 "test.mlir:3:3: error: check.expect_eq_const failed: 1 of 2 elements differ; "
				 "the first at index [1] is 5, expected 4\n");
		ck_assert_int_eq(shardrun_run_fill(run, 0, "2xi32=3 4"), SR_OK);
		ck_assert_int_eq(shardrun_run_step(run), SR_OK);
		ck_assert_str_eq(shardrun_run_message(run), "");
		teardown();
	}
}
END_TEST

START_TEST(printing_ops_are_refused_in_the_library)
{
	make_plan("func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {\n"
		  "  interpreter.print %a : tensor<2xi32>\n"
		  "  return %a : tensor<2xi32>\n"
		  "}\n");
	ck_assert_int_eq(shardrun_run_open(plan, NULL, &run), SR_OK);
	ck_assert_int_eq(shardrun_run_step(run), SR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "interpreter.print"));
}
END_TEST

START_TEST(run_needs_as_many_ranks_as_devices)
{
	make_plan(eight_devices_program);
	ck_assert_int_eq(shardrun_run_open(plan, NULL, &run), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "needs 8 devices"));
	ck_assert_int_eq(shardrun_run_device(run), -1);
	ck_assert_int_eq(shardrun_run_step(run), SR_USAGE);
	shardrun_run_close(run);
	ck_assert_int_eq(shardrun_run_open(NULL, NULL, &run), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "without a plan"));
}
END_TEST

START_TEST(a_run_checks_its_options)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	int no_communicator = 0;
	make_plan(one);
	options.collectives = "all_reduce:@nothing";
	ck_assert_int_eq(shardrun_run_open(plan, &options, &run), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "nothing"));
	shardrun_run_close(run);
	options = (struct shardrun_run_options)SHARDRUN_RUN_OPTIONS_INIT;
	options.comm = &no_communicator;
	ck_assert_int_eq(shardrun_run_open(plan, &options, &run), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "MPI is not initialized"));
}
END_TEST

/* ---- arrays, one process ---- */

static const char donating_program[] = "func.func public @main(%arg0: tensor<2x3xf32> {jax.buffer_donor = true}, %arg1: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>) {\n"
			      "  %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>\n"
			      "  %1 = stablehlo.constant dense<1.0> : tensor<2xf32>\n"
			      "  return %0, %1 : tensor<2x3xf32>, tensor<2xf32>\n"
			      "}\n";

static void open_on_client(const char *text)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	ck_assert_msg(!shardrun_client_open(NULL, &client), "%s", shardrun_client_message(client));
	ck_assert_int_eq(shardrun_client_ranks(client), 1);
	make_plan(text);
	options.client = client;
	ck_assert_msg(!shardrun_run_open(plan, &options, &run), "%s", shardrun_run_message(run));
}

START_TEST(results_are_arguments_and_donated_memory_is_taken_over)
{
	struct shardrun_array *x, *other_input, *results[2];
	struct shardrun_buffer slice_before, slice_after;
	open_on_client(donating_program);
	ck_assert_int_eq(shardrun_array_make(run, 0, NULL, &x), SR_OK);
	ck_assert_int_eq(shardrun_array_make(run, 1, "2x3xf32=1 2 3 4 5 6", &other_input), SR_OK);
	for (int step = 0; step < 3; step++) {
		ck_assert_int_eq(shardrun_array_slice(x, &slice_before), SR_OK);
		ck_assert_msg(!shardrun_execute(run, (struct shardrun_array *[]){x, other_input}, 2, results, 2), "%s",
			      shardrun_run_message(run));
		ck_assert_int_eq(shardrun_array_slice(results[0], &slice_after), SR_OK);
		ck_assert_ptr_eq(slice_before.data, slice_after.data);
		ck_assert_int_eq(shardrun_array_slice(x, &slice_before), SR_USAGE);
		shardrun_array_free(x);
		shardrun_array_free(results[1]);
		x = results[0];
	}
	ck_assert(((float *)slice_after.data)[5] == 18);
	ck_assert_int_eq(shardrun_array_slice(other_input, &slice_after), SR_OK);
	ck_assert(((float *)slice_after.data)[5] == 6);
	shardrun_array_free(x);
	shardrun_array_free(other_input);
}
END_TEST

static void expect_refused(struct shardrun_array *const *arguments, int n, const char *words)
{
	struct shardrun_array *results[2];
	ck_assert_int_eq(shardrun_execute(run, arguments, n, results, 2), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), words));
	ck_assert_ptr_null(results[0]);
}

START_TEST(arrays_that_do_not_fit_are_refused)
{
	struct shardrun_array *x, *y, *results[2];
	open_on_client(donating_program);
	ck_assert_int_eq(shardrun_array_make(run, 2, NULL, &x), SR_USAGE);
	ck_assert_ptr_null(x);
	ck_assert_int_eq(shardrun_array_make(run, 0, "2xf32=1 2", &x), SR_USAGE);
	ck_assert_int_eq(shardrun_array_make(run, 0, NULL, &x), SR_OK);
	ck_assert_int_eq(shardrun_array_make(run, 1, NULL, &y), SR_OK);
	expect_refused((struct shardrun_array *[]){x}, 1, "got 1 argument arrays");
	expect_refused((struct shardrun_array *[]){x, NULL}, 2, "argument 1 (tensor<2x3xf32>) is no array");
	expect_refused((struct shardrun_array *[]){x, x}, 2, "arguments 0 and 1 share memory, and argument 0 is donated");
	ck_assert_int_eq(shardrun_execute(run, (struct shardrun_array *[]){x, y}, 2, results, 2), SR_OK);
	expect_refused((struct shardrun_array *[]){x, y}, 2, "donated to an execution before");
	expect_refused((struct shardrun_array *[]){results[1], y}, 2, "has a different type or sharding");
	shardrun_array_free(results[0]);
	shardrun_array_free(results[1]);
	shardrun_array_free(x);
	shardrun_array_free(y);
}
END_TEST

#include "tests/unit/api_memory.h"

/* ---- plans of modules and of files ---- */

START_TEST(a_module_makes_several_plans)
{
	struct shardrun_plan_options options = SHARDRUN_PLAN_OPTIONS_INIT;
	struct shardrun_figures a = SHARDRUN_FIGURES_INIT, b = SHARDRUN_FIGURES_INIT;
	struct shardrun_plan *second_plan = NULL, *third_plan = NULL;
	make_plan(eight_devices_program);
	char *text = strdup(shardrun_module_text(module));
	options.replicate = 1;
	ck_assert_msg(!shardrun_plan_make(module, &options, &second_plan), "%s", shardrun_plan_message(second_plan));
	ck_assert_msg(!shardrun_plan_make(module, NULL, &third_plan), "%s", shardrun_plan_message(third_plan));
	shardrun_plan_figures(plan, &a);
	shardrun_plan_figures(third_plan, &b);
	ck_assert_str_eq(shardrun_plan_text(plan), shardrun_plan_text(third_plan));
	ck_assert_ptr_eq(shardrun_plan_text(plan), shardrun_plan_text(plan));
	ck_assert_int_eq(a.peak_bytes, b.peak_bytes);
	shardrun_plan_figures(second_plan, &b);
	ck_assert_int_gt(b.flops, a.flops);
	ck_assert_str_eq(shardrun_module_text(module), text); /* planning must not change the module */
	free(text);
	shardrun_plan_free(second_plan);
	shardrun_plan_free(third_plan);
}
END_TEST

START_TEST(a_compiled_program_is_a_plan)
{
	struct shardrun_plan *loaded_plan;
	struct shardrun_buffer x;
	const void *bytes;
	size_t n;
	make_plan(one);
	ck_assert_int_eq(shardrun_plan_bytes(plan, &bytes, &n), SR_OK);
	enum sr_status status = shardrun_plan_read("one.srp", bytes, n, &loaded_plan);
	ck_assert_msg(!status, "%s", shardrun_plan_message(loaded_plan));
	ck_assert_str_eq(shardrun_plan_text(loaded_plan), shardrun_plan_text(plan));
	ck_assert_ptr_null(shardrun_plan_module_text(loaded_plan));
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	module = NULL;
	plan = loaded_plan;
	status = shardrun_run_open(plan, NULL, &run);
	ck_assert_msg(!status, "%s", shardrun_run_message(run));
	ck_assert_int_eq(shardrun_run_fill(run, 0, "2x3xf32=1 2 3 4 5 6"), SR_OK);
	ck_assert_int_eq(shardrun_run_fill(run, 1, "2x3xf32=10"), SR_OK);
	ck_assert_int_eq(shardrun_run_step(run), SR_OK);
	ck_assert_int_eq(shardrun_run_result(run, 0, &x), SR_OK);
	ck_assert_float_eq(((const float *)x.data)[5], 16);
}
END_TEST

START_TEST(a_damaged_program_is_refused)
{
	const void *bytes;
	size_t n;
	struct shardrun_plan *loaded_plan;
	make_plan(one);
	ck_assert_int_eq(shardrun_plan_bytes(plan, &bytes, &n), SR_OK);
	ck_assert_int_eq(shardrun_plan_read("one.srp", bytes, n - 1, &loaded_plan), SR_INVALID);
	ck_assert_str_eq(shardrun_plan_message(loaded_plan), "one.srp: error: is truncated\n");
	ck_assert_ptr_null(shardrun_plan_text(loaded_plan));
	ck_assert_int_eq(shardrun_plan_bytes(loaded_plan, &bytes, &n), SR_USAGE);
	shardrun_plan_free(loaded_plan);
	ck_assert_int_eq(shardrun_plan_load("/no/such/file.srp", &loaded_plan), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_plan_message(loaded_plan), "/no/such/file.srp: error: "));
	shardrun_plan_free(loaded_plan);
}
END_TEST

/* ---- training ---- */

static const char train_text[] =
	"func.func @main(%w: tensor<4xf32> {jax.buffer_donor = true}, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {\n"
	"  %rate = stablehlo.constant dense<0.125> : tensor<4xf32>\n"
	"  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %0 = stablehlo.subtract %w, %x : tensor<4xf32>\n"
	"  %1 = stablehlo.multiply %0, %rate : tensor<4xf32>\n"
	"  %2 = stablehlo.subtract %w, %1 : tensor<4xf32>\n"
	"  %3 = stablehlo.multiply %0, %0 : tensor<4xf32>\n"
	"  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
	"  return %2, %4 : tensor<4xf32>, tensor<f32>\n"
	"}\n";

/* Train for 100 steps with weights in the caller's memory, and compare with the same computation in C. */
START_TEST(a_hundred_training_steps)
{
	_Alignas(64) static float memory[16];
	static const float target[] = {1, -2, 3, 0.5};
	float w[4] = {0}, loss = 0;
	struct shardrun_array *weights, *x, *results[2];
	struct shardrun_buffer slice;
	make_plan(train_text);
	ck_assert_int_eq(shardrun_client_open(NULL, &client), SR_OK);
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	options.client = client;
	ck_assert_int_eq(shardrun_run_open(plan, &options, &run), SR_OK);
	ck_assert_int_eq(shardrun_array_over(run, 0, (char *)memory + 4, &weights), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "a multiple of 64 bytes"));
	ck_assert_int_eq(shardrun_array_over(run, 0, memory, &weights), SR_OK);
	ck_assert_int_eq(shardrun_array_make(run, 1, "4xf32=1 -2 3 0.5", &x), SR_OK);
	for (int step = 0; step < 100; step++) {
		enum sr_status status = shardrun_execute(run, (struct shardrun_array *[]){weights, x}, 2, results, 2);
		ck_assert_msg(!status, "%s", shardrun_run_message(run));
		shardrun_array_free(weights);
		weights = results[0];
		ck_assert_int_eq(shardrun_array_slice(results[1], &slice), SR_OK);
		loss = 0;
		for (int i = 0; i < 4; i++) {
			float off = w[i] - target[i];
			loss += off * off;
			w[i] -= off * 0.125f;
		}
		ck_assert_float_eq_tol(*(const float *)slice.data, loss, 1e-5f * loss + 1e-12f);
		shardrun_array_free(results[1]);
	}
	ck_assert_int_eq(shardrun_array_slice(weights, &slice), SR_OK);
	ck_assert_ptr_eq(slice.data, memory);
	for (int i = 0; i < 4; i++)
		ck_assert_float_eq_tol(memory[i], w[i], 1e-6);
	shardrun_array_free(weights);
	shardrun_array_free(x);
}
END_TEST

START_TEST(a_client_has_options)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_client *refused_client;
	options.kernels = "sse9";
	ck_assert_int_eq(shardrun_client_open(&options, &refused_client), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_client_message(refused_client), "there are no kernels for 'sse9'"));
	shardrun_client_close(refused_client);
	options.kernels = NULL;
	options.devices_per_rank = -2;
	ck_assert_int_eq(shardrun_client_open(&options, &refused_client), SR_USAGE);
	ck_assert_ptr_nonnull(
	    strstr(shardrun_client_message(refused_client), "devices_per_rank is -2; 1 to 4096, or -1 for all, is"));
	shardrun_client_close(refused_client);
	options.devices_per_rank = 0;
	options.kernels = "base";
	options.threads = 1;
	ck_assert_int_eq(shardrun_client_open(&options, &refused_client), SR_OK);
	ck_assert_str_eq(shardrun_client_kernels(refused_client), "base");
	ck_assert_int_eq(shardrun_client_threads(refused_client), 1);
	shardrun_client_close(refused_client);
}
END_TEST

/* Row r of x has elements r and w is all ones, so row r of the product is 8 r. */
START_TEST(one_process_runs_eight_devices)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options on_client = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_buffer x, y;
	struct shardrun_array *array;
	options.devices_per_rank = -1;
	ck_assert_msg(!shardrun_client_open(&options, &client), "%s", shardrun_client_message(client));
	make_plan(eight_devices_program);
	on_client.client = client;
	ck_assert_msg(!shardrun_run_open(plan, &on_client, &run), "%s", shardrun_run_message(run));
	ck_assert_int_eq(shardrun_run_devices(run), 8);
	for (int k = 0; k < 8; k++) {
		ck_assert_int_eq(shardrun_run_select(run, k), SR_OK);
		ck_assert_int_eq(shardrun_run_device(run), k);
		ck_assert_int_eq(shardrun_run_argument(run, 0, &x), SR_OK);
		for (int64_t i = 0; i < x.local[0] * x.local[1]; i++)
			((float *)x.data)[i] = (float)(x.start[0] + i / x.local[1]);
		ck_assert_msg(!shardrun_run_fill(run, 1, "8x10xf32=1"), "%s", shardrun_run_message(run));
	}
	ck_assert_msg(!shardrun_run_step(run), "%s", shardrun_run_message(run));
	for (int k = 0; k < 8; k++) {
		ck_assert_int_eq(shardrun_run_select(run, k), SR_OK);
		ck_assert_int_eq(shardrun_run_result(run, 0, &y), SR_OK);
		ck_assert_int_eq(y.start[0], k / 2 * 4);
		for (int64_t i = 0; i < y.size[0] * y.local[1]; i++)
			ck_assert(((float *)y.data)[i] == (float)(8 * (y.start[0] + i / y.local[1])));
	}
	ck_assert_int_eq(shardrun_run_select(run, 8), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "there is no device 8 of this rank, which executes 8"));
	ck_assert_int_eq(shardrun_array_over(run, 0, NULL, &array), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "has one shard, but this rank executes 8 devices"));
}
END_TEST

/* Arrays with a shard for each of eight devices of a process; each device has its rows of the result. */
START_TEST(arrays_have_a_shard_for_each_device)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options on_client = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_buffer x;
	struct shardrun_array *arguments[2], *result;
	options.devices_per_rank = -1;
	ck_assert_msg(!shardrun_client_open(&options, &client), "%s", shardrun_client_message(client));
	make_plan(eight_devices_program);
	on_client.client = client;
	ck_assert_msg(!shardrun_run_open(plan, &on_client, &run), "%s", shardrun_run_message(run));
	ck_assert_int_eq(shardrun_array_make(run, 0, NULL, &arguments[0]), SR_OK);
	ck_assert_msg(!shardrun_array_make(run, 1, "8x10xf32=1", &arguments[1]), "%s", shardrun_run_message(run));
	for (int repeat = 0; repeat < 3; repeat++) {
		ck_assert_int_eq(shardrun_array_shards(arguments[0]), 8);
		for (int k = 0; k < 8; k++) {
			ck_assert_int_eq(shardrun_array_shard(arguments[0], k, &x), SR_OK);
			for (int64_t i = 0; i < x.local[0] * x.local[1]; i++)
				((float *)x.data)[i] = (float)(repeat + x.start[0] + i / x.local[1]);
		}
		ck_assert_msg(!shardrun_execute(run, arguments, 2, &result, 1), "%s", shardrun_run_message(run));
		for (int k = 0; k < 8; k++) {
			ck_assert_int_eq(shardrun_array_shard(result, k, &x), SR_OK);
			ck_assert_int_eq(x.start[0], k / 2 * 4);
			for (int64_t i = 0; i < x.size[0] * x.local[1]; i++)
				ck_assert(((float *)x.data)[i] == (float)(8 * (repeat + x.start[0] + i / x.local[1])));
		}
		ck_assert_int_eq(shardrun_array_shard(result, 8, &x), SR_USAGE);
		shardrun_array_free(result);
	}
	shardrun_array_free(arguments[0]);
	shardrun_array_free(arguments[1]);
}
END_TEST

START_TEST(several_devices_write_one_file)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options on_client = SHARDRUN_RUN_OPTIONS_INIT;
	char path[SCRATCH_PATH], value[SCRATCH_PATH + 1];
	const char *const paths[] = {path};
	struct shardrun_buffer x;
	options.devices_per_rank = 8;
	ck_assert_msg(!shardrun_client_open(&options, &client), "%s", shardrun_client_message(client));
	make_plan(eight_devices_program);
	on_client.client = client;
	ck_assert_msg(!shardrun_run_open(plan, &on_client, &run), "%s", shardrun_run_message(run));
	for (int k = 0; k < 8; k++) {
		ck_assert_int_eq(shardrun_run_select(run, k), SR_OK);
		ck_assert_int_eq(shardrun_run_fill(run, 0, "16x8xf32=2"), SR_OK);
		ck_assert_int_eq(shardrun_run_fill(run, 1, "8x10xf32=3"), SR_OK);
	}
	ck_assert_msg(!shardrun_run_step(run), "%s", shardrun_run_message(run));
	close(make_scratch_file(path));
	ck_assert_msg(!shardrun_run_write(run, paths, 1), "%s", shardrun_run_message(run));
	shardrun_run_close(run);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	make_plan("func.func public @main(%a: tensor<16x10xf32>) -> tensor<16x10xf32> {\n  return %a : tensor<16x10xf32>\n}\n");
	ck_assert_msg(!shardrun_run_open(plan, NULL, &run), "%s", shardrun_run_message(run));
	snprintf(value, sizeof value, "@%s", path);
	ck_assert_msg(!shardrun_run_fill(run, 0, value), "%s", shardrun_run_message(run));
	ck_assert_int_eq(shardrun_run_argument(run, 0, &x), SR_OK);
	for (int i = 0; i < 160; i++)
		ck_assert(((float *)x.data)[i] == 48);
	unlink(path);
}
END_TEST

/* ---- collectives ---- */

START_TEST(algorithms_are_listed)
{
	struct shardrun_algorithm row;
	int n = 0, rings = 0;
	for (; shardrun_algorithm(n, &row); n++) {
		ck_assert(row.collective && row.name && row.precondition && row.doc && row.source);
		rings += !strcmp(row.collective, "all_reduce") && !strcmp(row.name, "ring");
	}
	ck_assert_int_gt(n, 5);
	ck_assert_int_eq(rings, 1);
	ck_assert_int_eq(shardrun_algorithm(-1, &row), 0);
}
END_TEST

START_TEST(a_ring_sends_twice_the_data_less_two_blocks)
{
	struct shardrun_call call = {"all_reduce", "f32", 4, 1, 1000};
	struct shardrun_cost cost = SHARDRUN_COST_INIT;
	ck_assert_int_eq(shardrun_collective_cost(&call, "ring", &cost), SR_OK);
	ck_assert_str_eq(cost.algorithm, "ring");
	ck_assert_int_eq(cost.sent_bytes, 2 * 4000 * 3 / 4);
	ck_assert_int_gt(cost.rounds, 5);
	ck_assert_int_eq(shardrun_collective_cost(&call, NULL, &cost), SR_OK);
	call.me = 4;
	ck_assert_int_eq(shardrun_collective_cost(&call, NULL, &cost), SR_USAGE);
	call.me = 0;
	call.element = "f33";
	ck_assert_int_eq(shardrun_collective_cost(&call, NULL, &cost), SR_USAGE);
	call.element = "f32";
	call.collective = "all";
	ck_assert_int_eq(shardrun_collective_cost(&call, NULL, &cost), SR_USAGE);
}
END_TEST

START_TEST(a_selection_is_checked)
{
	char message[128] = "?";
	ck_assert_int_eq(shardrun_selection_check("all_reduce:0-4k:@recursive_doubling#all_gather:@ring", message, sizeof message), SR_OK);
	ck_assert_str_eq(message, "");
	ck_assert_int_eq(shardrun_selection_check("all_reduce:@nothing", message, sizeof message), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(message, "nothing"));
	ck_assert_int_eq(shardrun_selection_check("all_reduce:@nothing", NULL, 0), SR_USAGE);
}
END_TEST

/* ---- compiled loops in a host process with children of its own ---- */

static volatile sig_atomic_t reaped_children;

/* Thread function that reaps every child process, as servers do. */
static void reap(int signal)
{
	int saved_errno = errno;
	(void)signal;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		reaped_children++;
	errno = saved_errno;
}

static int count_cached(const char *dir)
{
	char command[SCRATCH_PATH + 64];
	snprintf(command, sizeof command, "exit $(ls '%s' | grep -c 'module$')", dir);
	struct sigaction now, default_action = {.sa_handler = SIG_DFL};
	sigaction(SIGCHLD, &default_action, &now);
	int n = WEXITSTATUS(system(command));
	sigaction(SIGCHLD, &now, NULL);
	return n;
}

/* Write a program that returns x + y times y^n to `text`. Programs with different n have no JIT module in common. */
static void print_program(char *text, size_t size, int n)
{
	size_t at = (size_t)snprintf(text, size, "func.func @main(%%x: tensor<2x3xf32>, %%y: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
						 "  %%0 = stablehlo.add %%x, %%y : tensor<2x3xf32>\n");
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, size - at, "  %%%d = stablehlo.multiply %%%d, %%y : tensor<2x3xf32>\n", i + 1, i);
	snprintf(text + at, size - at, "  return %%%d : tensor<2x3xf32>\n}\n", n);
}

/* Open a run with `codegen` and an empty cache, and check the result. Return the number of objects that were compiled: the program
 * differs in each call, so that no module of this process can be used again. */
static int count_compiled_with(const char *codegen)
{
	static int n_calls;
	char dir[SCRATCH_PATH], command[SCRATCH_PATH + 16], text[2048];
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_buffer x;
	make_scratch_folder(dir);
	options.codegen = codegen;
	options.cache = dir;
	print_program(text, sizeof text, n_calls++);
	make_plan(text);
	enum sr_status status = shardrun_run_open(plan, &options, &run);
	ck_assert_msg(!status, "%s", shardrun_run_message(run));
	ck_assert_int_eq(shardrun_run_fill(run, 0, "2x3xf32=[[1 2 3][4 5 6]]"), SR_OK);
	ck_assert_int_eq(shardrun_run_fill(run, 1, "2x3xf32=1"), SR_OK);
	ck_assert_int_eq(shardrun_run_step(run), SR_OK);
	ck_assert_int_eq(shardrun_run_result(run, 0, &x), SR_OK);
	for (int i = 0; i < 6; i++)
		ck_assert_float_eq(((const float *)x.data)[i], (float)(i + 2));
	bool compiled = shardrun_run_is_compiled(run);
	teardown();
	int n = count_cached(dir);
	ck_assert(!compiled || (codegen && !strcmp(codegen, "on")));
	ck_assert_int_eq(n > 0, compiled);
	snprintf(command, sizeof command, "rm -r '%s'", dir);
	struct sigaction now, default_action = {.sa_handler = SIG_DFL};
	sigaction(SIGCHLD, &default_action, &now);
	ck_assert_int_eq(system(command), 0);
	sigaction(SIGCHLD, &now, NULL);
	return n;
}

START_TEST(compiled_loops_leave_the_host_its_signals)
{
	struct sigaction reap_action = {.sa_handler = reap}, ignore_action = {.sa_handler = SIG_IGN},
			 default_action = {.sa_handler = SIG_DFL}, action;
	sigset_t blocked_signals, current_signals;
	sigemptyset(&blocked_signals);
	sigaddset(&blocked_signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked_signals, NULL);
	ck_assert_int_eq(count_compiled_with("off"), 0);
	ck_assert_int_eq(count_compiled_with(NULL), 0); /* "auto" compiles nothing: the program is too small */
	int n = count_compiled_with("on"); /* number of compiled objects; 0 if there is no compiler */
	sigaction(SIGCHLD, &reap_action, NULL);
	ck_assert_int_eq(count_compiled_with("on"), n);
	ck_assert_int_ge(reaped_children, 0);
	sigaction(SIGCHLD, NULL, &action);
	ck_assert(action.sa_handler == reap);
	sigaction(SIGCHLD, &ignore_action, NULL);
	ck_assert_int_eq(count_compiled_with("on"), n);
	sigaction(SIGCHLD, &default_action, NULL);
	sigprocmask(SIG_UNBLOCK, &blocked_signals, &current_signals);
	ck_assert(sigismember(&current_signals, SIGUSR1) && !sigismember(&current_signals, SIGCHLD));
}
END_TEST

START_TEST(malformed_options_of_compiled_loops)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	make_plan(one);
	options.codegen = "perhaps";
	ck_assert_int_eq(shardrun_run_open(plan, &options, &run), SR_USAGE);
	ck_assert_str_eq(shardrun_run_message(run), "error: codegen is 'perhaps'; off, auto, on or background is expected\n");
	shardrun_run_close(run);
	options.codegen = NULL;
	options.target = "avx3";
	ck_assert_int_eq(shardrun_run_open(plan, &options, &run), SR_USAGE);
	ck_assert_str_eq(shardrun_run_message(run), "error: there is no target 'avx3'; base, avx2, avx512 or native is expected\n");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_module_prints_what_it_read, errors_have_a_location, missing_file_is_an_error, null_handles_have_answers,
		a_mesh_has_axes_and_coordinates, no_mesh_is_one_device, a_plan_has_figures_and_collectives, figures_fit_the_struct_size_of_an_older_caller,
		unknown_options_of_a_newer_caller_are_refused, values_have_types_and_slices, a_plan_writes_its_report_and_text, a_run_leaves_the_environment, a_run_adds,
		a_result_is_written_and_read_back, run_errors_have_messages, run_needs_as_many_ranks_as_devices, a_run_checks_its_options,
		a_check_that_fails_is_a_status_with_its_message, printing_ops_are_refused_in_the_library,
		results_are_arguments_and_donated_memory_is_taken_over, arrays_that_do_not_fit_are_refused,
		a_module_makes_several_plans, a_compiled_program_is_a_plan, a_damaged_program_is_refused, a_hundred_training_steps, a_client_has_options,
		one_process_runs_eight_devices, arrays_have_a_shard_for_each_device, several_devices_write_one_file,
		two_arrays_over_donated_memory_are_refused, calls_keep_no_memory, handles_are_freed_in_any_order,
		failed_device_set_is_not_cached,
		algorithms_are_listed, compiled_loops_leave_the_host_its_signals,
		malformed_options_of_compiled_loops, a_ring_sends_twice_the_data_less_two_blocks, a_selection_is_checked,
		an_opening_without_memory_is_a_status, /* must be the last test, since it makes allocations fail */
	};
	return sr_run_tests("api", tests, sizeof tests / sizeof tests[0] - !FAILS_ALLOCATIONS, NULL, teardown);
}
