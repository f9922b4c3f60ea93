/* Memory of arrays in a program of two devices: w is an operand of an all_gather, x is not. Prints for each argument, and for
 * the result, which has the type and sharding of w, whether it is in the shared segment. */
#include "check_call.h"
#include <shardrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS "sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>"
static const char text[] = "sdy.mesh @mesh = <[\"x\"=2]>\n"
			   "func.func @main(%w: tensor<256x256xf32> {" ROWS "}, %x: tensor<512x256xf32> {" ROWS "})\n"
			   "    -> (tensor<512x256xf32> {" ROWS "}, tensor<256x256xf32> {" ROWS "}) {\n"
			   "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]\n"
			   "      : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>\n"
			   "  %1 = stablehlo.add %w, %w : tensor<256x256xf32>\n"
			   "  return %0, %1 : tensor<512x256xf32>, tensor<256x256xf32>\n"
			   "}\n";

/* Return true if the address is in a mapping of a memory file. */
static int is_in_segment(const void *at)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int is_segment = 0;
	while (maps && fgets(line, sizeof line, maps)) {
		char *end;
		size_t range_begin = strtoull(line, &end, 16), range_end = strtoull(end + 1, NULL, 16), address = (size_t)at;
		if (address >= range_begin && address < range_end)
			is_segment = strstr(line, "memfd:shardrun") != NULL;
	}
	if (maps)
		fclose(maps);
	return is_segment;
}

static void print_location(const char *name, int rank, const struct shardrun_array *array)
{
	struct shardrun_buffer b;
	if (!shardrun_array_slice(array, &b))
		printf("rank %d: %s is in %s memory\n", rank, name, is_in_segment(b.data) ? "shared" : "private");
}

int main(void)
{
	struct shardrun_client_options on = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_client *client;
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	struct shardrun_run *run;
	struct shardrun_array *arguments[2], *results[2];
	CHECK(shardrun_client_open(&on, &client), shardrun_client_message(client));
	int rank = shardrun_client_rank(client);
	options.client = client;
	CHECK(shardrun_module_read("memory", text, strlen(text), &module), shardrun_module_message(module));
	CHECK(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
	CHECK(shardrun_run_open(plan, &options, &run), shardrun_run_message(run));
	CHECK(shardrun_array_make(run, 0, "256x256xf32=1", &arguments[0]), shardrun_run_message(run));
	CHECK(shardrun_array_make(run, 1, "512x256xf32=2", &arguments[1]), shardrun_run_message(run));
	CHECK(shardrun_execute(run, arguments, 2, results, 2), shardrun_run_message(run));
	print_location("w", rank, arguments[0]);
	print_location("x", rank, arguments[1]);
	print_location("x * w", rank, results[0]);
	print_location("2 * w", rank, results[1]);
	for (int i = 0; i < 2; i++) {
		shardrun_array_free(arguments[i]);
		shardrun_array_free(results[i]);
	}
	fflush(stdout);
	shardrun_run_close(run);
	shardrun_client_close(client);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	return 0;
}
