/* PROGRAMS programs of 8 devices open on one client, executed by THREADS threads in turn, argv[1] times (10,000). Arrays are
 * results of one program and arguments of others; some programs donate them. Every value is checked, and the memory, file
 * descriptors and mappings of the process may not grow.
 *
 * With -DFUNNELED the host initializes MPI with MPI_THREAD_FUNNELED; its main thread then executes everything. argv[2] is the
 * number of devices per rank; default: all. With one rank and a third argument the threads do not wait for each other: each has
 * chains of its own. */
#ifdef FUNNELED
#include <mpi.h>
#endif
#include <dirent.h>
#include <pthread.h>
#include "check_call.h"
#include <shardrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 50, THREADS = 8, CHAINS = 16, DEVICES = 8, ELEMENTS = 64, MODULUS = 1024, WARMUP_EXECUTIONS = 100 };

/* program P: y = (x + sum of x + P) mod MODULUS, exact in f32 */
static const char text[] =
	"sdy.mesh @mesh = <[\"x\"=8]>\n"
	"func.func @main(%%x: tensor<64xf32> {%ssdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>})\n"
	"    -> (tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
	"  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %%p = stablehlo.constant dense<%d.0> : tensor<64xf32>\n"
	"  %%m = stablehlo.constant dense<1024.0> : tensor<64xf32>\n"
	"  %%s = stablehlo.reduce(%%x init: %%z) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>\n"
	"  %%b = stablehlo.broadcast_in_dim %%s, dims = [] : (tensor<f32>) -> tensor<64xf32>\n"
	"  %%0 = stablehlo.add %%x, %%b : tensor<64xf32>\n"
	"  %%1 = stablehlo.add %%0, %%p : tensor<64xf32>\n"
	"  %%2 = stablehlo.remainder %%1, %%m : tensor<64xf32>\n"
	"  return %%2 : tensor<64xf32>\n"
	"}\n";

static struct shardrun_client *client;
static struct shardrun_run *runs[PROGRAMS];
static struct shardrun_array *values[CHAINS];
static int expected[CHAINS][ELEMENTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static int n_begun, n_to_begin; /* number of executions begun so far; number to begin */
static int is_concurrent;

static int is_donating(int program)
{
	return program % 3 == 0;
}

static void open_program(int program)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	char model[2048];
	options.client = client;
	options.codegen = "off";
	snprintf(model, sizeof model, text, is_donating(program) ? "tf.aliasing_output = 0 : i32, " : "", program);
	CHECK(shardrun_module_read("many", model, strlen(model), &module), shardrun_module_message(module));
	CHECK(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
	CHECK(shardrun_run_open(plan, &options, &runs[program]), shardrun_run_message(runs[program]));
	shardrun_plan_free(plan);
	shardrun_module_free(module);
}

static void update_expected(int *x, int program)
{
	int sum = 0;
	for (int i = 0; i < ELEMENTS; i++)
		sum += x[i];
	for (int i = 0; i < ELEMENTS; i++)
		x[i] = (x[i] + sum + program) % MODULUS;
}

/* Begin execution i; wait for every third execution. */
static void execute(int i)
{
	int chain = i % CHAINS, program = i * 7 % PROGRAMS;
	struct shardrun_array *result;
	struct shardrun_event *event = NULL;
	if (i % 3)
		CHECK(shardrun_execute_begin(runs[program], &values[chain], 1, &result, 1, &event),
		      shardrun_run_message(runs[program]));
	else
		CHECK(shardrun_execute(runs[program], &values[chain], 1, &result, 1), shardrun_run_message(runs[program]));
	shardrun_array_free(values[chain]);
	shardrun_event_free(event);
	values[chain] = result;
	update_expected(expected[chain], program);
}

/* Thread function: begin every THREADS-th execution, in order, so that all ranks begin the same executions. */
static void *execute_in_turn(void *thread)
{
	int thread_index = (int)(size_t)thread;
	pthread_mutex_lock(&lock);
	while (n_begun < n_to_begin) {
		if (n_begun % THREADS != thread_index) {
			pthread_cond_wait(&turn_changed, &lock);
			continue;
		}
		execute(n_begun);
		n_begun++;
		pthread_cond_broadcast(&turn_changed);
	}
	pthread_cond_broadcast(&turn_changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* Thread function: begin the executions of every THREADS-th chain, while other threads begin those of others. */
static void *execute_own_chains(void *thread)
{
	for (int i = n_begun; i < n_to_begin; i++)
		if (i % CHAINS % THREADS == (int)(size_t)thread)
			execute(i);
	return NULL;
}

static void execute_until(int n)
{
	pthread_t threads[THREADS];
	n_to_begin = n;
#ifdef FUNNELED
	for (; n_begun < n_to_begin; n_begun++) /* only the main thread may call MPI */
		execute(n_begun);
	return;
#endif
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, is_concurrent ? execute_own_chains : execute_in_turn, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	n_begun = n_to_begin;
}

static int check_values(void)
{
	int n_wrong = 0;
	for (int c = 0; c < CHAINS; c++)
		for (int k = 0; k < shardrun_array_shards(values[c]); k++) {
			struct shardrun_buffer b;
			CHECK(shardrun_array_shard(values[c], k, &b), "an execution has failed\n");
			for (int i = 0; i < b.local[0]; i++)
				n_wrong += ((const float *)b.data)[i] != (float)expected[c][b.start[0] + i];
		}
	return n_wrong;
}

struct usage {
	long memory_pages, descriptors, mappings; /* resident memory in pages; numbers of open file descriptors and of memory mappings */
};

static struct usage usage_now(void)
{
	struct usage u = {0};
	FILE *f = fopen("/proc/self/statm", "r");
	long size;
	if (!f || fscanf(f, "%ld %ld", &size, &u.memory_pages) != 2)
		exit(SR_INTERNAL);
	fclose(f);
	f = fopen("/proc/self/maps", "r");
	for (int c; (c = getc(f)) != EOF;)
		u.mappings += c == '\n';
	fclose(f);
	DIR *d = opendir("/proc/self/fd");
	while (readdir(d))
		u.descriptors++;
	closedir(d);
	return u;
}

int main(int argc, char **argv)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	int n = argc > 1 ? atoi(argv[1]) : 10000;
#ifdef FUNNELED
	int level;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#endif
	options.devices_per_rank = argc > 2 ? atoi(argv[2]) : -1;
	is_concurrent = argc > 3;
	CHECK(shardrun_client_open(&options, &client), shardrun_client_message(client));
	for (int i = 0; i < PROGRAMS; i++)
		open_program(i);
	for (int i = 0; i < CHAINS; i++)
		CHECK(shardrun_array_make(runs[i % PROGRAMS], 0, NULL, &values[i]), shardrun_run_message(runs[i % PROGRAMS]));
	int n_warmup = is_concurrent ? n / 2 : WARMUP_EXECUTIONS; /* at first the number of concurrent executions still grows */
	execute_until(n_warmup);
	int n_wrong = check_values();
	struct usage usage_before = usage_now();
	execute_until(n);
	n_wrong += check_values();
	struct usage usage_after = usage_now();
	if (!shardrun_client_rank(client))
		printf("at %d: %ld kB, %ld descriptors, %ld mappings; at %d: %ld kB, %ld descriptors, %ld mappings\n", n_warmup,
		       usage_before.memory_pages * 4, usage_before.descriptors, usage_before.mappings, n, usage_after.memory_pages * 4,
		       usage_after.descriptors, usage_after.mappings);
	long allowance = is_concurrent ? 4 : 1;
	int has_grown = usage_after.memory_pages > usage_before.memory_pages + 256 * allowance || usage_after.descriptors > usage_before.descriptors ||
		    usage_after.mappings > usage_before.mappings + 4 * allowance;
	for (int i = 0; i < CHAINS; i++)
		shardrun_array_free(values[i]);
	for (int i = 0; i < PROGRAMS; i++)
		shardrun_run_close(runs[i]);
	if (!shardrun_client_rank(client))
		printf("%d executions, %d wrong elements, %s\n", n, n_wrong, has_grown ? "grows" : "does not grow");
	shardrun_client_close(client);
#ifdef FUNNELED
	MPI_Finalize();
#endif
	return n_wrong || has_grown;
}
