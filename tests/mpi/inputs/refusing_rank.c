/* The last rank that has a device refuses every other execution, since it passes no argument. The others get its message from the
 * event, or from the call that waits, and go on with the next execution. An argument still has its contents after a refused call.
 * Further ranks are idle and get the same statuses, also that of a step whose check fails. */
#include "check_call.h"
#include <shardrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "sdy.mesh @mesh = <[\"x\"=4]>\n"
			   "func.func @main(%x: tensor<8xf32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>})\n"
			   "    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
			   "  %0 = stablehlo.add %x, %x : tensor<8xf32>\n"
			   "  return %0 : tensor<8xf32>\n"
			   "}\n";

static const char check_program[] = "sdy.mesh @mesh = <[\"x\"=4]>\n"
			    "func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
			    "  check.expect_eq_const %x, dense<1.0> : tensor<8xf32>\n"
			    "  return\n"
			    "}\n";

int main(void)
{
	struct shardrun_client_options on = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_client *client;
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	struct shardrun_run *run;
	struct shardrun_array *x, *y;
	int n_refused = 0, n_correct = 0, n_differs = 0, n = 20;
	CHECK(shardrun_client_open(&on, &client), shardrun_client_message(client));
	int rank = shardrun_client_rank(client), is_refusing = rank == 3, is_idle = rank > 3;
	options.client = client;
	CHECK(shardrun_module_read("refusing", text, strlen(text), &module), shardrun_module_message(module));
	CHECK(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
	CHECK(shardrun_run_open(plan, &options, &run), shardrun_run_message(run));
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	for (int i = 0; i < n; i++) {
		struct shardrun_event *event = NULL;
		int passes_arguments = i % 2, is_async = i % 4 > 1;
		CHECK(shardrun_array_make(run, 0, "8xf32=3", &x), shardrun_run_message(run));
		enum sr_status status = is_async ? shardrun_execute_begin(run, &x, is_refusing && !passes_arguments ? 0 : 1, &y, 1, &event)
					       : shardrun_execute(run, &x, is_refusing && !passes_arguments ? 0 : 1, &y, 1);
		const char *message = status ? shardrun_run_message(run) : "";
		if (!status && is_async) {
			status = shardrun_event_wait(event);
			message = shardrun_event_message(event);
		}
		struct shardrun_buffer b;
		if (status == SR_USAGE && strstr(message, "got 0 argument arrays"))
			n_refused += !is_idle && (!is_async || is_refusing) ? !shardrun_array_slice(x, &b) && ((const float *)b.data)[0] == 3 : 1;
		else if (!status)
			n_correct += is_idle || (!shardrun_array_slice(y, &b) && ((const float *)b.data)[1] == 6);
		shardrun_array_free(x);
		shardrun_array_free(y);
		shardrun_event_free(event);
	}
	shardrun_run_close(run);
	CHECK(shardrun_module_read("differs", check_program, strlen(check_program), &module), shardrun_module_message(module));
	CHECK(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
	CHECK(shardrun_run_open(plan, &options, &run), shardrun_run_message(run));
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	for (int i = 0; i < n; i++)
		n_differs += shardrun_run_step(run) == SR_DIFFERS && (!is_idle || *shardrun_run_message(run));
	printf("rank %d: %d refused, %d right, %d differ\n", rank, n_refused, n_correct, n_differs);
	fflush(stdout);
	shardrun_run_close(run);
	shardrun_client_close(client);
	return 0;
}
