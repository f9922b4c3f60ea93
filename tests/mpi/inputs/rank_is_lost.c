/* The last rank with devices is killed or stopped at a random moment of its executions. All other ranks get a status, also from
 * the next calls, and can still read their arrays. Each rank writes its statuses to status.RANK. A stopped rank is killed after all
 * others have written.
 *	rank_is_lost kill|stop SEED DEVICES-PER-RANK [IDLE-RANKS [loop]]
 * loop: the program is an endless loop with an all_reduce, which is compiled, instead of a matrix product with an all_reduce. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <shardrun.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] =
	"sdy.mesh @mesh = <[\"x\"=%d]>\n"
	"func.func @main(%%a: tensor<%dx512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>},\n"
	"    %%b: tensor<512x512xf32>) -> (tensor<512x512xf32>) {\n"
	"  %%0 = stablehlo.dot_general %%a, %%a, contracting_dims = [0] x [0] : (tensor<%dx512xf32>, tensor<%dx512xf32>) -> tensor<512x512xf32>\n"
	"  %%1 = stablehlo.add %%0, %%b : tensor<512x512xf32>\n"
	"  return %%1 : tensor<512x512xf32>\n"
	"}\n";

static const char loop_text[] =
	"sdy.mesh @mesh = <[\"x\"=%d]>\n"
	"func.func @main(%%a: tensor<%dx512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>},\n"
	"    %%b: tensor<512x512xf32>) -> (tensor<512x512xf32>) {\n"
	"  %%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %%first = stablehlo.slice %%a [0:%d, 0:1] : (tensor<%dx512xf32>) -> tensor<%dx1xf32>\n"
	"  %%0 = stablehlo.while(%%v = %%first) : tensor<%dx1xf32>\n"
	"  cond {\n"
	"    %%t = stablehlo.constant dense<true> : tensor<i1>\n"
	"    stablehlo.return %%t : tensor<i1>\n"
	"  } do {\n"
	"    %%1 = stablehlo.reduce(%%v init: %%zero) applies stablehlo.add across dimensions = [0, 1]\n"
	"        : (tensor<%dx1xf32>, tensor<f32>) -> tensor<f32>\n"
	"    %%2 = stablehlo.broadcast_in_dim %%1, dims = [] : (tensor<f32>) -> tensor<%dx1xf32>\n"
	"    %%3 = stablehlo.subtract %%v, %%2 : tensor<%dx1xf32>\n"
	"    stablehlo.return %%3 : tensor<%dx1xf32>\n"
	"  }\n"
	"  %%4 = stablehlo.reduce(%%0 init: %%zero) applies stablehlo.add across dimensions = [0, 1]\n"
	"        : (tensor<%dx1xf32>, tensor<f32>) -> tensor<f32>\n"
	"  %%5 = stablehlo.broadcast_in_dim %%4, dims = [] : (tensor<f32>) -> tensor<512x512xf32>\n"
	"  return %%5 : tensor<512x512xf32>\n"
	"}\n";

static int victim_signal;
static long delay_us;

static void *hit(void *unused)
{
	usleep((useconds_t)delay_us);
	kill(getpid(), victim_signal);
	return unused;
}

static void check_status(enum sr_status status, const char *message, const char *call)
{
	if (!status)
		return;
	fprintf(stderr, "%s: %s: %s\n", call, sr_status_name(status), message);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_status(int rank, enum sr_status first_status, enum sr_status second_status, int can_read, const char *message)
{
	char name[32], final_name[32];
	snprintf(name, sizeof name, "status.%d.tmp", rank);
	snprintf(final_name, sizeof final_name, "status.%d", rank);
	FILE *f = fopen(name, "w");
	fprintf(f, "rank %d: %s, then %s, array %s: %s", rank, sr_status_name(first_status), sr_status_name(second_status),
		can_read ? "read" : "lost", message);
	fclose(f);
	rename(name, final_name);
}

static void wait_for_others(int n, int victim)
{
	char name[32];
	for (int r = 0; r < n; r++) {
		if (r == victim)
			continue;
		snprintf(name, sizeof name, "status.%d", r);
		for (int k = 0; k < 6000 && access(name, R_OK); k++)
			usleep(10000);
	}
}

int main(int argc, char **argv)
{
	struct shardrun_client_options client_options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options run_options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	struct shardrun_client *client;
	struct shardrun_run *run;
	struct shardrun_array *arguments[2], *result;
	struct shardrun_buffer buffer;
	char program[4096];
	int rank, size, pid = getpid(), devices_per_rank = argc > 3 ? atoi(argv[3]) : 1, n_idle = argc > 4 ? atoi(argv[4]) : 0, level;
	int is_loop = argc > 5 && !strcmp(argv[5], "loop");
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int n_active = size - n_idle, victim = n_active - 1;
	MPI_Bcast(&pid, 1, MPI_INT, victim, MPI_COMM_WORLD);
	victim_signal = !strcmp(argv[1], "kill") ? SIGKILL : SIGSTOP;
	srand((unsigned)atoi(argv[2]));
	delay_us = rand() % 300000;
	int n_devices = n_active * devices_per_rank, rows = 64 * n_devices;
	if (is_loop)
		snprintf(program, sizeof program, loop_text, n_devices, rows, rows, rows, rows, rows, rows, rows, rows, rows, rows);
	else
		snprintf(program, sizeof program, text, n_devices, rows, rows, rows);
	check_status(shardrun_module_read("m", program, strlen(program), &module), shardrun_module_message(module), "module");
	check_status(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan), "plan");
	client_options.stall_timeout = 2;
	client_options.devices_per_rank = devices_per_rank;
	client_options.threads = 1;
	check_status(shardrun_client_open(&client_options, &client), shardrun_client_message(client), "client");
	run_options.client = client;
	run_options.codegen = is_loop ? "on" : "off";
	check_status(shardrun_run_open(plan, &run_options, &run), shardrun_run_message(run), "run");
	check_status(shardrun_array_make(run, 0, NULL, &arguments[0]), shardrun_run_message(run), "array");
	check_status(shardrun_array_make(run, 1, NULL, &arguments[1]), shardrun_run_message(run), "array");
	if (rank == victim) {
		pthread_t thread;
		pthread_create(&thread, NULL, hit, NULL);
		for (;;)
			if (!shardrun_execute(run, arguments, 2, &result, 1))
				shardrun_array_free(result);
	}
	enum sr_status first_status, second_status;
	while (!(first_status = shardrun_execute(run, arguments, 2, &result, 1)))
		shardrun_array_free(result);
	char message[1000];
	snprintf(message, sizeof message, "%s", shardrun_run_message(run));
	second_status = shardrun_execute(run, arguments, 2, &result, 1);
	int can_read = !shardrun_array_slice(arguments[1], &buffer) && (!buffer.data || ((const float *)buffer.data)[512 * 512 - 1] == 0);
	shardrun_array_free(arguments[0]);
	shardrun_array_free(arguments[1]);
	shardrun_run_close(run);
	shardrun_client_close(client);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	write_status(rank, first_status, second_status, can_read, message);
	wait_for_others(size, victim); /* the launcher would end all ranks when one exits without MPI_Finalize */
	if (!rank)
		kill(pid, SIGKILL);
	_exit(0); /* exit without MPI_Finalize, which would wait for the lost rank */
}
