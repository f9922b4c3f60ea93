/* Use the C API from several threads at once, as shardrun.h permits, under ThreadSanitizer. Each thread loads the models of the
 * command line in an order of its own, plans, prints, executes and frees them, on a client of its own and on one that all
 * threads share, and writes results; some writes fail. Arrays are freed by another thread than the executing one. Compiled
 * programs are opened by all threads, which share the JIT module. */
#include <pthread.h>
#include <shardrun.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, N_ARRAYS = 2000, N_OPENINGS = 20, MAX_ARGUMENTS = 64 };

static char **models;
static int n_models;
static atomic_int failures;
static pthread_barrier_t round_barrier;

/* Check the status of a call; on failure print the message, which is evaluated after the call. */
#define CHECK(call, what, message)                                          \
	({                                                                  \
		enum sr_status status_ = (call);                            \
		if (status_) {                                              \
			failures++;                                         \
			printf("%s: status %d: %s", what, (int)status_, message); \
		}                                                           \
		!status_;                                                   \
	})

/* Execute a plan once with zeros as arguments. */
static void run_plan(const char *model, struct shardrun_plan *plan, int thread)
{
	struct shardrun_client_options on = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_client *client;
	struct shardrun_run *run;
	char path[64];
	const char *const valid_paths[] = {path}, *const invalid_paths[] = {"no/such/folder/y.npy"};
	on.devices_per_rank = -1;
	on.threads = 1 + thread % 2;
	snprintf(path, sizeof path, "thread%d.npy", thread);
	if (CHECK(shardrun_client_open(&on, &client), model, shardrun_client_message(client))) {
		options.client = client;
		options.codegen = "off";
		if (CHECK(shardrun_run_open(plan, &options, &run), model, shardrun_run_message(run)) &&
		    CHECK(shardrun_run_step(run), model, shardrun_run_message(run))) {
			(void)shardrun_run_write(run, invalid_paths, 1);
			CHECK(shardrun_run_write(run, valid_paths, 1), model, shardrun_run_message(run));
		}
		shardrun_run_close(run);
	}
	shardrun_client_close(client);
}

static struct shardrun_client *shared_client;

static void count_event(void *data, enum sr_status status, const char *message)
{
	(void)message;
	atomic_fetch_add((atomic_int *)data, !status);
}

/* Execute a plan on the client that all threads share, three times without waiting. */
static void run_on_shared_client(const char *model, struct shardrun_plan *plan)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_run *run;
	struct shardrun_array *arguments[MAX_ARGUMENTS], *results[3];
	struct shardrun_event *events[3];
	struct shardrun_buffer shard;
	atomic_int n_done = 0;
	int n = 0, n_begun = 0;
	options.client = shared_client;
	options.codegen = "off";
	if (CHECK(shardrun_run_open(plan, &options, &run), model, shardrun_run_message(run)))
		while (n_begun < 3) {
			for (n = 0; n < MAX_ARGUMENTS && !shardrun_array_make(run, n, NULL, &arguments[n]);)
				n++;
			int is_begun = CHECK(shardrun_execute_begin(run, arguments, n, &results[n_begun], 1, &events[n_begun]), model,
					     shardrun_run_message(run));
			for (int i = 0; i < n; i++)
				shardrun_array_free(arguments[i]);
			if (!is_begun)
				break;
			CHECK(shardrun_event_on_set(events[n_begun], count_event, &n_done), model, "no memory");
			n_begun++;
		}
	for (int i = 0; i < n_begun; i++) {
		CHECK(shardrun_event_wait(events[i]), model, shardrun_event_message(events[i]));
		CHECK(shardrun_array_shard(results[i], 0, &shard), model, "no shard");
		shardrun_array_free(results[i]);
		shardrun_event_free(events[i]);
	}
	shardrun_run_close(run); /* returns after the last callback of an event has returned */
	if (n_done != n_begun)
		failures++;
}

static const char sine_program[] = "func.func @main(%a: tensor<1000xf32>) -> (tensor<1000xf32>) {\n"
			   "  %0 = stablehlo.sine %a : tensor<1000xf32>\n"
			   "  return %0 : tensor<1000xf32>\n"
			   "}\n";

static struct shardrun_plan *plan_sine(void)
{
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	if (!CHECK(shardrun_module_read("sine", sine_program, strlen(sine_program), &module), "sine", shardrun_module_message(module)) ||
	    !CHECK(shardrun_plan_make(module, NULL, &plan), "sine", shardrun_plan_message(plan)))
		exit(1);
	shardrun_module_free(module);
	return plan;
}

/* Open a compiled program again and again, while other threads do the same. */
static void open_compiled(void)
{
	struct shardrun_plan *plan = plan_sine();
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	options.client = shared_client;
	options.codegen = "on";
	options.cache = "off";
	for (int i = 0; i < N_OPENINGS; i++) {
		struct shardrun_run *run;
		if (CHECK(shardrun_run_open(plan, &options, &run), "sine", shardrun_run_message(run)))
			CHECK(shardrun_run_step(run), "sine", shardrun_run_message(run));
		shardrun_run_close(run);
	}
	shardrun_plan_free(plan);
}

static void *compile(void *data)
{
	int thread = (int)(intptr_t)data;
	pthread_barrier_wait(&round_barrier);
	for (int i = 0; i < n_models; i++) {
		const char *model = models[(i * 7 + thread * 3) % n_models];
		struct shardrun_module *module = NULL;
		struct shardrun_plan *plan = NULL;
		if (CHECK(shardrun_module_load(model, &module), model, shardrun_module_message(module))) {
			(void)shardrun_module_text(module);
			if (CHECK(shardrun_plan_make(module, NULL, &plan), model, shardrun_plan_message(plan))) {
				(void)shardrun_plan_report(plan);
				(void)shardrun_plan_text(plan);
				(void)shardrun_plan_module_text(plan);
				run_plan(model, plan, thread);
				run_on_shared_client(model, plan);
			}
		}
		shardrun_plan_free(plan);
		shardrun_module_free(module);
	}
	open_compiled();
	return NULL;
}

/* ---- arrays ---- */

static struct shardrun_array *_Atomic free_queue[N_ARRAYS];

static void *free_arrays(void *unused)
{
	for (int i = 0; i < N_ARRAYS; i++) {
		struct shardrun_array *array;
		while (!(array = free_queue[i]))
			sched_yield();
		shardrun_array_free(array);
	}
	return unused;
}

static void execute(void)
{
	struct shardrun_plan *plan = plan_sine();
	struct shardrun_run *run;
	struct shardrun_array *x, *y;
	pthread_t freeing_thread;
	if (!CHECK(shardrun_run_open(plan, NULL, &run), "sine", shardrun_run_message(run)) ||
	    !CHECK(shardrun_array_make(run, 0, "1000xf32=1", &x), "sine", shardrun_run_message(run)))
		exit(1);
	shardrun_plan_free(plan);
	pthread_create(&freeing_thread, NULL, free_arrays, NULL);
	for (int i = 0; i < N_ARRAYS; i++) {
		if (!CHECK(shardrun_execute(run, &x, 1, &y, 1), "sine", shardrun_run_message(run)))
			exit(1);
		free_queue[i] = y;
	}
	shardrun_run_close(run);
	pthread_join(freeing_thread, NULL);
	shardrun_array_free(x);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	models = argv + 1;
	n_models = argc - 1;
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	options.devices_per_rank = -1;
	options.threads = 1;
	pthread_barrier_init(&round_barrier, NULL, THREADS);
	if (!CHECK(shardrun_client_open(&options, &shared_client), "client", shardrun_client_message(shared_client)))
		return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, compile, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	shardrun_client_close(shared_client);
	execute();
	printf("%d failures\n", failures);
	return failures != 0;
}
