/* Opens and executes 50 programs, each of which sorts 2,000,000 to 2,490,000 numbers, and keeps them open. Prints the largest
 * arena of a program, and whether the process has used much more memory than that. */
#include "check_call.h"
#include <shardrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { PROGRAMS = 50, ELEMENTS = 2000000, MORE_ELEMENTS = 10000 };

static const char text[] =
	"func.func @main(%%x: tensor<8xf32>) -> tensor<8xf32> {\n"
	"  %%i = stablehlo.iota dim = 0 : tensor<%dxf32>\n"
	"  %%n = stablehlo.negate %%i : tensor<%dxf32>\n"
	"  %%s = \"stablehlo.sort\"(%%n) <{dimension = 0 : i64, is_stable = true}> ({\n"
	"  ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):\n"
	"    %%l = stablehlo.compare LT, %%p, %%q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
	"    stablehlo.return %%l : tensor<i1>\n"
	"  }) : (tensor<%dxf32>) -> tensor<%dxf32>\n"
	"  %%h = stablehlo.slice %%s [0:8] : (tensor<%dxf32>) -> tensor<8xf32>\n"
	"  %%r = stablehlo.add %%h, %%x : tensor<8xf32>\n"
	"  return %%r : tensor<8xf32>\n"
	"}\n";

static long peak_kb(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

int main(void)
{
	struct shardrun_client_options on = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_client *client;
	struct shardrun_run *runs[PROGRAMS];
	long first_peak = 0;
	CHECK(shardrun_client_open(&on, &client), shardrun_client_message(client));
	options.client = client;
	options.codegen = "off";
	for (int k = 0; k < PROGRAMS; k++) {
		struct shardrun_module *module;
		struct shardrun_plan *plan;
		struct shardrun_array *x, *y;
		struct shardrun_buffer shard;
		char m[sizeof text + 100];
		int n = ELEMENTS + k * MORE_ELEMENTS;
		snprintf(m, sizeof m, text, n, n, n, n, n);
		CHECK(shardrun_module_read("sort", m, strlen(m), &module), shardrun_module_message(module));
		CHECK(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
		CHECK(shardrun_run_open(plan, &options, &runs[k]), shardrun_run_message(runs[k]));
		CHECK(shardrun_array_make(runs[k], 0, "8xf32=1", &x), shardrun_run_message(runs[k]));
		CHECK(shardrun_execute(runs[k], &x, 1, &y, 1), shardrun_run_message(runs[k]));
		if (shardrun_array_slice(y, &shard) || ((const float *)shard.data)[0] != (float)(2 - n))
			printf("program %d: wrong\n", k);
		first_peak = k ? first_peak : peak_kb();
		shardrun_array_free(x);
		shardrun_array_free(y);
		shardrun_plan_free(plan);
		shardrun_module_free(module);
	}
	long growth = peak_kb() - first_peak, largest_arena = 2 * 4L * (ELEMENTS + (PROGRAMS - 1) * MORE_ELEMENTS) / 1024;
	printf("peak memory %ld kB after one program, %ld kB more after %d\n", first_peak, growth, PROGRAMS);
	int is_shared = first_peak > largest_arena && growth < largest_arena / 2;
	printf("%s\n", is_shared ? "memory is that of the largest arena" : "memory grows with programs");
	for (int k = 0; k < PROGRAMS; k++)
		shardrun_run_close(runs[k]);
	shardrun_client_close(client);
	return 0;
}
