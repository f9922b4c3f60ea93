/* Each allocation of the library on the last rank fails in turn, in each collective function: all ranks get the same status and
 * none waits; the same call without a failure succeeds. */
#define _GNU_SOURCE
#include "tests/unit/failing_allocations.h"
#include <mpi.h>
#include <shardrun.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
	"sdy.mesh @mesh = <[\"x\"=2]>\n"
	"func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>, tf.aliasing_output = 0 : i32},\n"
	"    %b: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}, tensor<f32>) {\n"
	"  %0 = stablehlo.add %a, %b : tensor<8x8xf32>\n"
	"  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>)\n"
	"    -> tensor<f32>\n"
	"  return %0, %1 : tensor<8x8xf32>, tensor<f32>\n"
	"}\n";

static struct shardrun_plan *plan;
static struct shardrun_client *client;
static struct shardrun_run *run;
static struct shardrun_array *arguments[2], *results[2];

/* Pairs of functions: a call that may fail, and one that undoes the call. */
static enum sr_status open_client(void)
{
	return shardrun_client_open(NULL, &client);
}

static void close_client(void)
{
	shardrun_client_close(client);
	client = NULL;
}

static enum sr_status open_run(void)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	options.client = client;
	options.codegen = "off";
	return shardrun_run_open(plan, &options, &run);
}

static void close_run(void)
{
	shardrun_run_close(run);
	run = NULL;
}

static enum sr_status execute(void)
{
	return shardrun_execute(run, arguments, 2, results, 2);
}

/* Pass the results of an execution as the next arguments. After a failed call nothing was donated, so the next call has the
 * same arguments. */
static void renew_arguments(void)
{
	if (!results[0])
		return;
	shardrun_array_free(arguments[0]);
	arguments[0] = results[0];
	shardrun_array_free(results[1]);
}

/* Call a function again and again, with the first, second, ... allocation failing, until none fails. Return true if all ranks
 * had equal statuses each time. */
static int try(const char *name, int fails, enum sr_status (*call)(void), void (*undo)(void))
{
	int failures = 0, is_agreed = 1;
	for (int allocation = 0, has_next = 1; has_next; allocation++) {
		int min_status, max_status;
		if (fails)
			fail_allocation(allocation);
		int status = call();
		has_next = fails && allocations_made() > allocation;
		MPI_Allreduce(&status, &min_status, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
		MPI_Allreduce(&status, &max_status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
		MPI_Allreduce(MPI_IN_PLACE, &has_next, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
		int agreed = min_status == max_status && (min_status == SR_OK || (min_status == SR_NO_MEMORY && has_next));
		if (!agreed && fails)
			printf("%s: allocation %d: status %d to %d\n", name, allocation, min_status, max_status);
		is_agreed = is_agreed && agreed;
		failures += max_status != SR_OK;
		undo();
	}
	if (fails)
		printf("%s: %s\n", name, is_agreed && failures ? "agreed" : "not agreed");
	return is_agreed && !call();
}

int main(void)
{
	struct shardrun_module *module;
	int rank, size;
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int fails = rank == size - 1;
	int is_ready = !shardrun_module_read("m", text, strlen(text), &module) && !shardrun_plan_make(module, NULL, &plan);
	is_ready = is_ready && try("client_open", fails, open_client, close_client);
	is_ready = is_ready && try("run_open", fails, open_run, close_run);
	is_ready = is_ready && !shardrun_array_make(run, 0, "8x8xf32=1", &arguments[0]);
	is_ready = is_ready && !shardrun_array_make(run, 1, "8x8xf32=2", &arguments[1]);
	is_ready = is_ready && try("execute", fails, execute, renew_arguments);
	renew_arguments();
	shardrun_array_free(arguments[0]);
	shardrun_array_free(arguments[1]);
	shardrun_run_close(run);
	shardrun_client_close(client);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	MPI_Finalize();
	printf("rank %d: %s\n", rank, is_ready ? "good" : "bad");
	return !is_ready;
}
