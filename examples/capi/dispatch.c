/* Measure what an execution costs besides its arithmetic: a program of one add on 8 floats, and one with an all_reduce of 4 bytes over all
 * devices, through arrays. Also how long a program takes to be read and planned, and to be loaded: the least of REPEATS times.
 *
 *	dispatch [DEVICES [COUNT]]            8 devices, in this process or, under mpirun, one per rank; 100000 executions
 *
 * Prints microseconds per execution: waiting for each one, and beginning one after another with the results of one as arguments of the next.
 * `cpu` is processor time of all threads of this process. */
#include <shardrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char add[] = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
			  "  %0 = stablehlo.add %a, %a : tensor<8xf32>\n"
			  "  return %0 : tensor<8xf32>\n"
			  "}\n";
static const char sum[] = "sdy.mesh @mesh = <[\"x\"=%d]>\n"
			  "func.func @main(%%a: tensor<%dxf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>})\n"
			  "    -> (tensor<%dxf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
			  "  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
			  "  %%s = stablehlo.reduce(%%a init: %%z) applies stablehlo.add across dimensions = [0] : (tensor<%dxf32>, tensor<f32>) -> tensor<f32>\n"
			  "  %%b = stablehlo.broadcast_in_dim %%s, dims = [] : (tensor<f32>) -> tensor<%dxf32>\n"
			  "  return %%b : tensor<%dxf32>\n"
			  "}\n";

enum { REPEATS = 100 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor_time(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* If a call fails, print its message and end the process. `message` is evaluated after the call. */
#define CHECK(call, message)                       \
	do {                                       \
		enum sr_status status_ = (call);   \
		if (status_) {                     \
			fputs(message, stderr);    \
			exit(status_);             \
		}                                  \
	} while (0)

/* Execute the run's program n times, each time on the result of the execution before. */
static void execute(struct shardrun_run *run, struct shardrun_array **value, int n, int is_async)
{
	for (int i = 0; i < n; i++) {
		struct shardrun_array *result;
		CHECK(is_async ? shardrun_execute_begin(run, value, 1, &result, 1, NULL) : shardrun_execute(run, value, 1, &result, 1),
		      shardrun_run_message(run));
		shardrun_array_free(*value);
		*value = result;
	}
	CHECK(shardrun_array_wait(*value), "an execution has failed\n");
}

static void measure(const char *name, const char *text, int devices, int n)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options on_client = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_client *client;
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	struct shardrun_run *run;
	struct shardrun_array *value;
	options.threads = 1;
	CHECK(shardrun_client_open(&options, &client), shardrun_client_message(client));
	if (shardrun_client_ranks(client) == 1 && devices > 1) {
		shardrun_client_close(client);
		options.devices_per_rank = -1;
		CHECK(shardrun_client_open(&options, &client), shardrun_client_message(client));
	}
	on_client.client = client;
	double least_planning = 0, least_loading = 0;
	for (int i = 0; i < REPEATS; i++) {
		double start = now();
		CHECK(shardrun_module_read(name, text, strlen(text), &module), shardrun_module_message(module));
		CHECK(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
		double planned_time = now();
		CHECK(shardrun_run_open(plan, &on_client, &run), shardrun_run_message(run));
		double loaded_time = now();
		least_planning = i && least_planning < planned_time - start ? least_planning : planned_time - start;
		least_loading = i && least_loading < loaded_time - planned_time ? least_loading : loaded_time - planned_time;
		if (i + 1 < REPEATS) {
			shardrun_run_close(run);
			shardrun_plan_free(plan);
			shardrun_module_free(module);
		}
	}
	CHECK(shardrun_array_make(run, 0, NULL, &value), shardrun_run_message(run));
	for (int is_async = 0; is_async < 2; is_async++) {
		execute(run, &value, n / 10, is_async);
		double start = now(), cpu_start = processor_time();
		execute(run, &value, n, is_async);
		double seconds = now() - start, cpu_seconds = processor_time() - cpu_start;
		if (!shardrun_client_rank(client))
			printf("%s, %d device%s, %s: %.2f us, cpu %.2f us\n", name, devices, devices == 1 ? "" : "s",
			       is_async ? "begun in a row" : "waited for", 1e6 * seconds / n, 1e6 * cpu_seconds / n);
	}
	if (!shardrun_client_rank(client))
		printf("%s, read and planned in %.0f us, loaded in %.0f us\n", name, 1e6 * least_planning, 1e6 * least_loading);
	shardrun_array_free(value);
	shardrun_run_close(run);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	shardrun_client_close(client);
}

int main(int argc, char **argv)
{
	int devices = argc > 1 ? atoi(argv[1]) : 8, n = argc > 2 ? atoi(argv[2]) : 100000;
	char text[1024];
	if (devices < 1 || n < 10) {
		fprintf(stderr, "usage: dispatch [DEVICES [COUNT]]\n");
		return 2;
	}
	if (devices == 1)
		measure("add", add, 1, n);
	else {
		snprintf(text, sizeof text, sum, devices, devices, devices, devices, devices, devices);
		measure("all_reduce", text, devices, n);
	}
	return 0;
}
