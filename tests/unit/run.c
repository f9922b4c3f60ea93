/* Client, executable, arrays and executions in one process: addresses of values, buffers that move with them, no allocation in a
 * loop. */
#include "collectives/transport/memory_file.h"
#include "kernels/fast/blas.h"
#include "run/backend.h"
#include "run/execution.h"
#include "run/launcher.h"
#include "run/loop_times.h"
#include "run/memory_pool.h"
#include "run/process_environment.h"
#include "support/large_pages.h"
#include "tests/unit/allocations.h"
#include "tests/unit/run_program.h"
#include "tests/unit/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "tests/unit/run_event.h"
#include "tests/unit/run_queue.h"
#include "tests/unit/run_workers.h"

static struct sr_arena *arena;
static struct sr_diags diags;
static struct sr_client client;
static struct program_builder builder;
static struct sr_executable executable;
static long allocated_bytes; /* number of bytes that executions have allocated */

static void setup(void)
{
	arena = sr_arena_new();
	sr_diags_init(&diags, arena);
	client = (struct sr_client){.launch = {.size = 1}};
	ck_assert_int_eq(sr_client_open(&client, &(struct sr_client_options){.features = UINT64_MAX}, arena, &diags), SR_OK);
	program_begin(&builder);
}

static void teardown(void)
{
	sr_executable_close(&executable);
	sr_client_close(&client);
	sr_arena_free(arena);
}

static void load_program(void)
{
	const char *message;
	const struct sr_program *p = program_end(&builder);
	enum sr_status status = sr_program_check(p, p->bytes, &message);
	ck_assert_msg(!status, "%s", message);
	status = sr_executable_open(&executable, &client, p, &(struct sr_executable_options){.model = "made"}, arena, &diags);
	ck_assert_msg(!status, "%s", diags.first ? diags.first->message : "");
	ck_assert(sr_executable_make_layouts(&executable));
}

static struct sr_array *new_input_array(int i, float value)
{
	struct sr_array *a = sr_array_new(executable.layouts[i]);
	ck_assert(a && sr_array_allocate_all(a, executable.device_set->memory));
	for (int k = 0; k < 4; k++)
		((float *)a->shards[0].data)[k] = value;
	return a;
}

/* Return an array of this layout over memory of the caller. */
static struct sr_array *new_array_over(struct sr_layout *layout, void *memory)
{
	struct sr_array *a = sr_array_new(layout);
	ck_assert_ptr_nonnull(a);
	a->shards[0].data = memory;
	return a;
}

static enum sr_status execute(struct sr_array *const *arguments, int n_arguments, struct sr_array **results, int n_results)
{
	return sr_execute(&(struct sr_execution){&executable, arguments, n_arguments, results, n_results}, &diags);
}

static void expect_refused(struct sr_array *const *arguments, int n_arguments, const char *words)
{
	struct sr_array *results[2];
	sr_diags_clear(&diags);
	ck_assert_int_eq(execute(arguments, n_arguments, results, 2), SR_USAGE);
	ck_assert_ptr_nonnull(strstr(diags.first->message, words));
	ck_assert_ptr_null(results[0]);
}

static void run(struct sr_array *const *arguments, int n_arguments, struct sr_array **results, int n_results)
{
	long n_before = allocations;
	enum sr_status status = execute(arguments, n_arguments, results, n_results);
	allocated_bytes += allocations - n_before; /* do not count Check's own allocations */
	ck_assert_msg(!status, "%s", diags.first ? diags.first->message : "");
}

#define ck_values(array, value)                                            \
	do {                                                               \
		for (int k_ = 0; k_ < 4; k_++)                             \
			ck_assert_float_eq(((float *)(array)->shards[0].data)[k_], value); \
	} while (0)

#include "tests/unit/run_executions.h"

/* Build a program from w (donated) and x to w + x, in the memory of w, and w * x. With `cut` a temporary overlaps the end of w's
 * region, so it cannot be moved. */
static void make_update_with_overlap(bool cut)
{
	int w = add_buffer(&builder, 0, 4), x = add_buffer(&builder, 2, 4), product = add_buffer(&builder, 3, 4), sum = add_buffer(&builder, 0, 4);
	if (cut)
		add_buffer(&builder, 0, 17);
	add_value(&builder, w, false, true);
	add_value(&builder, x, false, false);
	add_value(&builder, sum, true, false);
	add_value(&builder, product, true, false);
	add_instr(&builder, "multiply", w, x, product);
	add_instr(&builder, "add", w, x, sum);
	load_program();
}

static void make_update(void)
{
	make_update_with_overlap(false);
}

START_TEST(result_takes_donated_memory)
{
	make_update();
	struct sr_array *arguments[] = {new_input_array(0, 2), new_input_array(1, 3)}, *results[2];
	void *w = arguments[0]->shards[0].data, *x = arguments[1]->shards[0].data;
	run(arguments, 2, results, 2);
	ck_values(results[0], 5);
	ck_values(results[1], 6);
	ck_assert_ptr_eq(results[0]->shards[0].data, w); /* the result is in the memory of w, without a copy */
	ck_assert_ptr_eq(arguments[1]->shards[0].data, x);
	ck_assert(arguments[0]->is_donated && !arguments[0]->shards[0].data && !arguments[1]->is_donated);
	expect_refused(arguments, 2, "donated to an execution before");
	for (int i = 0; i < 2; i++) {
		sr_array_release(arguments[i]);
		sr_array_release(results[i]);
	}
}
END_TEST

START_TEST(the_callers_memory_is_computed_in)
{
	make_update();
	_Alignas(64) static float memory[16];
	struct sr_array *arguments[] = {new_array_over(executable.layouts[0], memory), new_input_array(1, 1)}, *results[2];
	memory[0] = 41;
	run(arguments, 2, results, 1);
	ck_assert_ptr_eq(results[0]->shards[0].data, memory);
	ck_assert_float_eq(memory[0], 42);
	sr_array_release(results[0]);
	sr_array_release(arguments[0]);
	sr_array_release(arguments[1]);
}
END_TEST

START_TEST(a_loop_of_executions_allocates_nothing)
{
	make_update();
	struct sr_array *arguments[] = {new_input_array(0, 0), new_input_array(1, 1)}, *results[2];
	for (int step = 0; step < 100; step++) {
		if (step == 2)
			allocated_bytes = 0;
		run(arguments, 2, results, 2);
		sr_array_release(arguments[0]);
		sr_array_release(results[1]);
		arguments[0] = results[0];
	}
	ck_assert_int_eq(allocated_bytes, 0);
	ck_values(arguments[0], 100);
	sr_array_release(arguments[0]);
	sr_array_release(arguments[1]);
}
END_TEST

/* A buffer that overlaps the end of an argument's region, and a result that is a constant, are copied. */
START_TEST(unmovable_values_are_copied)
{
	int x = add_buffer(&builder, 0, 4), wide_buffer = add_buffer(&builder, 0, 32), one = add_buffer(&builder, 2, 4),
	    sum = add_buffer(&builder, 3, 4);
	add_value(&builder, x, false, true);
	add_value(&builder, sum, true, false);
	add_value(&builder, one, true, false);
	add_constant(&builder, one, 1);
	add_instr(&builder, "add", x, one, sum);
	add_instr(&builder, "add", one, one, wide_buffer);
	load_program();
	for (int repeat = 0; repeat < 2; repeat++) {
		struct sr_array *argument = new_input_array(0, 6), *results[2];
		run(&argument, 1, results, 2);
		ck_values(results[0], 7);
		ck_values(results[1], 1);
		ck_assert_int_eq(sr_loaded_binding_owner(&executable.loaded, x), -1);
		sr_array_release(argument);
		sr_array_release(results[0]);
		sr_array_release(results[1]);
	}
}
END_TEST

/* Execute a program that returns one value twice and an argument unchanged. */
START_TEST(results_that_are_one_value_are_two_arrays)
{
	int x = add_buffer(&builder, 0, 4), sum = add_buffer(&builder, 1, 4);
	add_value(&builder, x, false, false);
	add_value(&builder, sum, true, false);
	add_value(&builder, sum, true, false);
	add_value(&builder, x, true, false);
	add_instr(&builder, "add", x, x, sum);
	load_program();
	struct sr_array *argument = new_input_array(0, 2), *results[3];
	run(&argument, 1, results, 3);
	for (int i = 0; i < 3; i++)
		ck_values(results[i], i < 2 ? 4 : 2);
	ck_assert(results[0]->shards[0].data != results[1]->shards[0].data && results[2]->shards[0].data != argument->shards[0].data);
	for (int i = 0; i < 3; i++)
		sr_array_release(results[i]);
	sr_array_release(argument);
}
END_TEST

/* A loop whose condition and body have no instructions, in a program that begins with it: it ends at once, since the predicate is
 * false. */
START_TEST(an_empty_loop_body_is_loaded)
{
	enum { AT = 64 }; /* byte offset of the loop in the parameters */
	int x = add_buffer(&builder, 0, 4), predicate = add_buffer(&builder, 1, 4), sum = add_buffer(&builder, 2, 4);
	const struct sr_while_instr loop = {.cond = 1, .body = 2, .predicate = predicate};
	builder.buffers[predicate] = (struct sr_buffer){ARENA_SLOT, 1, SR_I1};
	builder.inits[0] = (struct sr_constant){.buffer = predicate, .splat = 1, .n = 1};
	builder.head.constants.n = 1;
	add_value(&builder, x, false, false);
	add_value(&builder, sum, true, false);
	memcpy((char *)builder.params + AT, &loop, sizeof loop);
	builder.instrs[0] = (struct sr_instr){.kind = SR_INSTR_WHILE, .params = AT};
	builder.head.instrs.n = builder.computations[0].n = 1;
	builder.head.computations.n = 3;
	add_instr(&builder, "add", x, x, sum);
	load_program();
	struct sr_array *argument = new_input_array(0, 2), *result;
	run(&argument, 1, &result, 1);
	ck_values(result, 4);
	sr_array_release(argument);
	sr_array_release(result);
}
END_TEST

/* A nest that accesses few bytes is divided among threads, and its program is not small, if it computes much. */
START_TEST(nests_of_much_work_are_divided)
{
	static const int64_t n[] = {64, 1 << 20};
	for (int i = 0; i < 2; i++) {
		program_begin(&builder);
		int x = add_buffer(&builder, 0, 4), y = add_buffer(&builder, 1, 4);
		add_value(&builder, x, false, false);
		add_value(&builder, y, true, false);
		add_sums(&builder, x, y, n[i]);
		load_program();
		ck_assert_int_eq(executable.loaded.instrs[0].grain > 0, i);
		ck_assert_int_eq(executable.is_small, !i);
		struct sr_array *argument = new_input_array(0, 2), *result;
		run(&argument, 1, &result, 1);
		ck_values(result, 2 * (float)n[i]);
		sr_array_release(argument);
		sr_array_release(result);
		sr_executable_close(&executable);
	}
}
END_TEST

START_TEST(arrays_must_fit)
{
	make_update();
	struct sr_array *a = new_input_array(0, 1), *same_twice[] = {a, a}, *missing_second[] = {a, NULL};
	struct sr_layout *other_layout = sr_layout_new(executable.layouts[1]->hash + 1, 1, 1);
	struct sr_array *mistyped[] = {a, sr_array_new(other_layout)};
	expect_refused(same_twice, 2, "arguments 0 and 1 share memory, and argument 0 is donated");
	expect_refused(missing_second, 2, "is no array");
	expect_refused(mistyped, 2, "a different type");
	expect_refused(same_twice, 1, "got 1 argument arrays and 2 requested results");
	ck_assert(!a->is_donated);
	sr_array_release(a);
	sr_array_release(mistyped[1]);
	sr_layout_release(other_layout);
}
END_TEST

/* Two handles over overlapping memory, in either order of addresses, are refused if one is donated. */
START_TEST(donated_memory_must_not_overlap_arguments)
{
	_Alignas(64) static float memory[64];
	make_update();
	for (int k = 0; k < 2; k++) {
		struct sr_layout *long_layout = sr_layout_new(executable.layouts[0]->hash, 1, 1);
		long_layout->shards[0] = executable.layouts[0]->shards[0];
		long_layout->shards[0].bytes = 128;
		struct sr_array *w = new_array_over(k ? long_layout : executable.layouts[0], memory),
				*x = new_array_over(executable.layouts[1], memory + 16 * k), *results[2];
		expect_refused((struct sr_array *[]){w, x}, 2, "arguments 0 and 1 share memory, and argument 0 is donated");
		ck_assert(!w->is_donated && w->shards[0].data == memory);
		sr_array_release(x);
		x = new_array_over(executable.layouts[1], memory + 32);
		run((struct sr_array *[]){w, x}, 2, results, 2);
		ck_assert(w->is_donated);
		for (int i = 0; i < 2; i++)
			sr_array_release(results[i]);
		sr_array_release(w);
		sr_array_release(x);
		sr_layout_release(long_layout);
	}
}
END_TEST

static void put(const char *folder, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

START_TEST(ranks_that_do_not_divide_the_devices_get_one_each)
{
	static const struct { int devices, size, per_rank; } cases[] = {{8, 2, 4}, {5, 2, 1}, {7, 3, 1}, {2, 4, 1}, {6, 1, 6}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sr_client c = {.options = {.devices_per_rank = SR_DEVICES_AUTO},
				      .launch = {.mpi = true, .size = cases[i].size}};
		ck_assert_int_eq(sr_client_devices_per_rank(&c, cases[i].devices), cases[i].per_rank);
	}
}
END_TEST

/* Counting shared pages takes milliseconds, so it is done only if the process might not fit in memory. */
START_TEST(pages_are_counted_where_memory_is_short)
{
	char root[] = "/tmp/shardrun-root-XXXXXX", proc[sizeof root + 16], self[sizeof root + 16], command[2 * sizeof root + 16];
	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(proc, sizeof proc, "%s/proc", root);
	snprintf(self, sizeof self, "%s/proc/self", root);
	ck_assert(!mkdir(proc, 0700) && !mkdir(self, 0700));
	put(proc, "meminfo", "MemTotal:       1000000 kB\n");
	put(self, "statm", "1000 250 0 0 0 0 0\n");
	put(self, "smaps_rollup", "Pss:      999999999 kB\n"); /* a value that must not be read */
	sr_client_close(&client);
	client = (struct sr_client){.launch = {.size = 1}};
	ck_assert_int_eq(sr_client_open(&client, &(struct sr_client_options){.root = root}, arena, &diags), SR_OK);
	make_update();
	snprintf(command, sizeof command, "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Closed regions are reused, with their allocations: 100,000 are opened, at most as many at a time as there are numbers. If all
 * numbers are taken, opening returns a status; after some regions are closed, it succeeds again. */
START_TEST(regions_are_reused)
{
	enum { MAX_OPEN = (1 << 15) - 1, N_OPENINGS = 100000 }; /* maximum number of open regions besides region 0 */
	struct sr_shared_region **regions = calloc(MAX_OPEN, sizeof(struct sr_shared_region *)), *refused_region;
	struct sr_transport *t;
	size_t arena_bytes = 0;
	ck_assert_int_eq(sr_transport_open(arena, NULL, (const int[]){0, 0}, 2, &(struct sr_transport_options){0}, &t), SR_OK);
	for (int i = 0; i < N_OPENINGS; i++) {
		sr_shared_region_close(regions[i % MAX_OPEN]);
		ck_assert_int_eq(sr_shared_region_open(t, 4096, &regions[i % MAX_OPEN]), SR_OK);
		ck_assert_ptr_nonnull(regions[i % MAX_OPEN]);
		arena_bytes = i == MAX_OPEN ? sr_arena_used(arena) : arena_bytes;
	}
	ck_assert_uint_eq(sr_arena_used(arena), arena_bytes);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(sr_shared_region_open(t, 4096, &refused_region), SR_NO_MEMORY);
		ck_assert_ptr_null(refused_region);
		ck_assert_str_eq(sr_transport_no_segment_reason(t), "too many regions are open");
		sr_shared_region_close(regions[i]);
		ck_assert_int_eq(sr_shared_region_open(t, 4096, &regions[i]), SR_OK);
	}
	for (int i = 0; i < MAX_OPEN; i++)
		sr_shared_region_close(regions[i]);
	ck_assert_int_eq(sr_shared_region_open(t, 4096, &refused_region), SR_OK);
	free(regions);
	sr_transport_close(t);
}
END_TEST

/* OpenBLAS has the host's number of threads again after the last client is closed. */
START_TEST(blas_threads_of_the_host_are_restored)
{
	struct sr_client second_client = {.launch = {.size = 1}};
	if (!sr_blas.openblas_set_num_threads || !sr_blas.openblas_get_num_threads)
		return;
	sr_client_close(&client);
	sr_blas.openblas_set_num_threads(2);
	int n_before = sr_blas.openblas_get_num_threads();
	client = (struct sr_client){.launch = {.size = 1}};
	ck_assert_int_eq(sr_client_open(&client, &(struct sr_client_options){0}, arena, &diags), SR_OK);
	ck_assert_int_eq(sr_client_open(&second_client, &(struct sr_client_options){0}, arena, &diags), SR_OK);
	ck_assert_int_eq(sr_blas.openblas_get_num_threads(), 1);
	sr_client_close(&client);
	ck_assert_int_eq(sr_blas.openblas_get_num_threads(), 1);
	sr_client_close(&second_client);
	ck_assert_int_eq(sr_blas.openblas_get_num_threads(), n_before);
	sr_blas.openblas_set_num_threads(1);
}
END_TEST

/* Function for check ops: count the call in *data and report a difference. */
static enum sr_status check_differs(void *data, struct sr_execution_context *x, const struct sr_instr *instr)
{
	(*(int *)data)++;
	return x->program && instr ? SR_DIFFERS : SR_INTERNAL;
}

START_TEST(check_ops_call_the_callers_function)
{
	int x = add_buffer(&builder, 0, 4), n_calls = 0;
	add_value(&builder, x, false, false);
	add_instr(&builder, "add", x, x, x);
	load_program();
	executable.loaded.instrs[0].kind = SR_INSTR_CHECK;
	struct sr_array *argument = new_input_array(0, 1);
	ck_assert_int_eq(execute(&argument, 1, NULL, 0), SR_UNSUPPORTED);
	ck_assert_int_eq(diags.n_errors, 1);
	executable.loaded.hooks = (struct sr_hooks){.data = &n_calls, .inspect = check_differs};
	ck_assert_int_eq(execute(&argument, 1, NULL, 0), SR_DIFFERS);
	sr_array_release(argument);
	ck_assert_int_eq(n_calls, 1);
	ck_assert_int_eq(diags.n_errors, 1); /* the error was reported once, by the caller's function */
}
END_TEST

static enum sr_status run_out_of_memory(void *data)
{
	sr_arena_unwind(data);
}

/* A stage that unwinds the client's arena leaves the guard of the messages' arena as it was. */
START_TEST(a_stage_without_memory_keeps_the_callers_guard)
{
	jmp_buf unwind;
	struct sr_arena *messages_arena = sr_arena_new();
	struct sr_diags messages;
	sr_diags_init(&messages, messages_arena);
	sr_arena_guard(messages_arena, &unwind);
	ck_assert_int_eq(sr_client_stage(&client, run_out_of_memory, client.arena, &messages), SR_NO_MEMORY);
	ck_assert_ptr_nonnull(messages.first);
	ck_assert_ptr_eq(sr_arena_guard(messages_arena, NULL), &unwind);
	sr_arena_free(messages_arena);
}
END_TEST

START_TEST(clients_alone_use_base_kernels)
{
	struct sr_client base_client = {.launch = {.size = 1}};
	ck_assert_int_eq(sr_client_open(&base_client, &(struct sr_client_options){.threads = 1}, arena, &diags), SR_OK);
	ck_assert_int_eq(base_client.isa, SR_ISA_BASE);
	ck_assert_int_eq(base_client.threads, 1);
	sr_client_close(&base_client);
	ck_assert_int_eq(sr_client_open(&base_client, &(struct sr_client_options){.selection = "nonsense:"}, arena, &diags),
			 SR_USAGE);
}
END_TEST

START_TEST(each_chunk_is_done_once)
{
	for (int n = 2; n <= 6; n += 2)
		jobs_are_done_once(n);
}
END_TEST

START_TEST(workers_execute_at_once)
{
	jobs_are_done_together(2, 8);
	jobs_are_done_together(5, 8);
	jobs_are_done_together(5, 3);
}
END_TEST

START_TEST(slurm_lists_tasks_by_node)
{
	static const char list[] = "4(x2),3,1(x3)";
	static const int expected[] = {4, 4, 3, 1, 1, 1, 0};
	for (int node = 0; node < (int)(sizeof expected / sizeof *expected); node++)
		ck_assert_int_eq(sr_launcher_tasks(list, node), expected[node]);
	ck_assert_int_eq(sr_launcher_tasks("8", 0), 8);
	ck_assert_int_eq(sr_launcher_tasks(NULL, 0), 0);
	ck_assert_int_eq(sr_launcher_tasks("", 0), 0);
	ck_assert_int_eq(sr_launcher_tasks("4(x", 1), 0);
	ck_assert_int_eq(sr_launcher_tasks("many", 1), 0);
	ck_assert_int_eq(sr_launcher_tasks("99999999999", 0), 0);
}
END_TEST

/* If ranks outnumber cores, Open MPI is configured to yield, unless the user has set its options. */
START_TEST(crowded_ranks_yield)
{
	static const char yields[] = "OMPI_MCA_mpi_yield_when_idle";
	unsetenv(yields);
	setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1", 1);
	sr_process_environment_set(SR_ISA_BASE);
	ck_assert_ptr_null(getenv(yields));
	setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "100000", 1);
	sr_process_environment_set(SR_ISA_BASE);
	if (sr_launch_is_open_mpi())
		ck_assert_str_eq(getenv(yields), "1");
	setenv(yields, "0", 1);
	sr_process_environment_set(SR_ISA_BASE);
	ck_assert_str_eq(getenv(yields), "0");
	unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
	setenv("SLURM_PROCID", "0", 1);
	setenv("SLURM_NODEID", "1", 1);
	setenv("SLURM_STEP_TASKS_PER_NODE", "2,5(x2)", 1);
	ck_assert_int_eq(sr_launcher_node_ranks(), 5);
	unsetenv("SLURM_PROCID");
	ck_assert_int_eq(sr_launcher_node_ranks(), 0);
	unsetenv(yields);
}
END_TEST

/* Allocate a block of `bytes`, write it, and free it. Return the number of its pages that stay resident. */
static int64_t count_pages_after_use(struct sr_memory_pool *pool, int64_t bytes)
{
	int64_t page = sysconf(_SC_PAGESIZE), n_pages = bytes / page - 1, n_resident = 0;
	char *block = sr_memory_pool_alloc(pool, bytes), *first_page = block + (page - (intptr_t)block % page) % page;
	ck_assert_ptr_nonnull(block);
	memset(block, 1, (size_t)bytes);
	sr_memory_pool_free(pool, block);
	unsigned char *residency = calloc((size_t)n_pages, 1);
	ck_assert_int_eq(mincore(first_page, (size_t)(n_pages * page), residency), 0);
	for (int64_t i = 0; i < n_pages; i++)
		n_resident += residency[i] & 1;
	free(residency);
	return n_resident;
}

START_TEST(pages_that_are_needed_again_stay)
{
	int64_t bytes = (int64_t)80 << 20;
	struct sr_memory_pool *pool = sr_memory_pool_new(&sr_cpu_backend, 4 * bytes);
	ck_assert_ptr_nonnull(pool);
	ck_assert_int_eq(count_pages_after_use(pool, bytes), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(count_pages_after_use(pool, bytes), bytes / sysconf(_SC_PAGESIZE) - 1);
	ck_assert_int_eq(count_pages_after_use(pool, 3 * bytes), 0);
	sr_memory_pool_release(pool);
}
END_TEST

/* Return false if a byte of the block is not `value`. */
static bool is_filled(const char *block, int64_t bytes, char value)
{
	for (int64_t i = 0; i < bytes; i++)
		if (block[i] != value)
			return false;
	return true;
}

/* Blocks of random sizes are disjoint, also where the pool is almost full; once all are freed, the range is one free block. */
START_TEST(blocks_of_a_pool_are_disjoint)
{
	enum { BLOCKS = 40, STEPS = 20000, BYTES = 1 << 20 };
	struct sr_memory_pool *pool = sr_memory_pool_new(&sr_cpu_backend, BYTES);
	char *blocks[BLOCKS] = {NULL};
	int64_t sizes[BLOCKS];
	ck_assert_ptr_nonnull(pool);
	srand(1);
	for (int step = 0; step < STEPS; step++) {
		int k = rand() % BLOCKS;
		if (blocks[k]) {
			ck_assert_msg(is_filled(blocks[k], sizes[k], (char)k), "step %d: block %d was overwritten", step, k);
			sr_memory_pool_free(pool, blocks[k]);
			blocks[k] = NULL;
			continue;
		}
		sizes[k] = rand() % (1 << (8 + rand() % 9));
		blocks[k] = sr_memory_pool_alloc(pool, sizes[k]);
		if (blocks[k])
			memset(blocks[k], k, (size_t)sizes[k]);
	}
	for (int k = 0; k < BLOCKS; k++)
		if (blocks[k])
			sr_memory_pool_free(pool, blocks[k]);
	ck_assert_int_eq(sr_memory_pool_used(pool), 0);
	void *all = sr_memory_pool_alloc(pool, BYTES - SR_POOL_ALIGN);
	ck_assert_ptr_nonnull(all);
	sr_memory_pool_free(pool, all);
	sr_memory_pool_release(pool);
}
END_TEST

/* Reserve addresses that must not be accessed before allow_access is called for them. */
static void *reserve_without_access(int64_t bytes)
{
	void *range = sr_reserve_addresses((size_t)bytes);
	return range && !mprotect(range, (size_t)bytes, PROT_NONE) ? range : NULL;
}

static void allow_access(void *range, int64_t from, int64_t to)
{
	int64_t page = sysconf(_SC_PAGESIZE), begin = from / page * page;
	ck_assert_int_eq(mprotect((char *)range + begin, (size_t)(to - begin), PROT_READ | PROT_WRITE), 0);
}

static void release_addresses(void *range, int64_t bytes)
{
	munmap(range, (size_t)bytes);
}

/* A page that exists before the backend provides large pages would prevent one. */
START_TEST(pools_access_no_page_before_its_use_is_stated)
{
	static const struct sr_backend backend = {.reserve = reserve_without_access, .use = allow_access, .release = release_addresses};
	static const int64_t sizes[] = {1000, 3 << 20, SR_LARGE_PAGE - 64, 0, SR_LARGE_PAGE, 9 << 20};
	enum { N = sizeof sizes / sizeof *sizes };
	struct sr_memory_pool *pool = sr_memory_pool_new(&backend, 64 << 20);
	ck_assert_ptr_nonnull(pool);
	char *blocks[N];
	for (int i = 0; i < N; i++) {
		blocks[i] = sr_memory_pool_alloc(pool, sizes[i]);
		ck_assert_ptr_nonnull(blocks[i]);
		memset(blocks[i], i, (size_t)sizes[i]);
	}
	for (int i = 0; i < N; i++)
		sr_memory_pool_free(pool, blocks[i]);
	void *all = sr_memory_pool_alloc(pool, 48 << 20);
	ck_assert_ptr_nonnull(all);
	sr_memory_pool_free(pool, all);
	sr_memory_pool_release(pool);
}
END_TEST

START_TEST(memory_files_have_addresses_for_large_pages)
{
	enum { BYTES = 3 * SR_LARGE_PAGE + 4096 };
	struct sr_memory_file file;
	ck_assert(sr_memory_file_make(&file, BYTES));
	char *maps[3];
	for (int i = 0; i < 3; i++) {
		maps[i] = sr_memory_file_map(&file);
		ck_assert_ptr_ne(maps[i], MAP_FAILED);
		ck_assert_int_eq((uintptr_t)maps[i] % SR_LARGE_PAGE, 0);
	}
	for (int64_t i = 0; i < BYTES; i += 512)
		maps[0][i] = (char)(i / 512 % 127);
	sr_provide_large_pages(maps[1] + 5, maps[1] + BYTES);
	for (int64_t i = 0; i < BYTES; i += 512)
		ck_assert_int_eq(maps[1][i], maps[2][i]);
	for (int i = 0; i < 3; i++)
		munmap(maps[i], BYTES);
	close((int)file.fd);
}
END_TEST

int main(void)
{
	static const TTest *tests[48];
	size_t n = 0;
	tests[n++] = result_takes_donated_memory;
	tests[n++] = the_callers_memory_is_computed_in;
	if (COUNTS_ALLOCATIONS)
		tests[n++] = a_loop_of_executions_allocates_nothing;
	tests[n++] = unmovable_values_are_copied;
	tests[n++] = results_that_are_one_value_are_two_arrays;
	tests[n++] = an_empty_loop_body_is_loaded;
	tests[n++] = nests_of_much_work_are_divided;
	tests[n++] = arrays_must_fit;
	tests[n++] = donated_memory_must_not_overlap_arguments;
	tests[n++] = pages_are_counted_where_memory_is_short;
	tests[n++] = regions_are_reused;
	tests[n++] = pages_that_are_needed_again_stay;
	tests[n++] = blocks_of_a_pool_are_disjoint;
	tests[n++] = pools_access_no_page_before_its_use_is_stated;
	tests[n++] = memory_files_have_addresses_for_large_pages;
	tests[n++] = blas_threads_of_the_host_are_restored;
	tests[n++] = check_ops_call_the_callers_function;
	tests[n++] = a_stage_without_memory_keeps_the_callers_guard;
	tests[n++] = clients_alone_use_base_kernels;
	tests[n++] = each_chunk_is_done_once;
	tests[n++] = workers_execute_at_once;
	tests[n++] = loops_have_the_faster_number_of_threads;
	tests[n++] = ranks_that_do_not_divide_the_devices_get_one_each;
	tests[n++] = slurm_lists_tasks_by_node;
	tests[n++] = crowded_ranks_yield;
	tests[n++] = event_calls_functions_in_order;
	tests[n++] = event_is_set_by_another_thread;
	tests[n++] = event_that_nobody_sets_is_released_with_its_functions;
	tests[n++] = the_waiting_thread_executes_the_last_device;
	tests[n++] = a_task_that_nobody_waits_for_is_executed;
	tests[n++] = all_devices_execute_the_tasks_of_several_threads_in_one_order;
	tests[n++] = begun_executions_run_in_order;
	tests[n++] = two_executions_are_under_way;
	tests[n++] = programs_share_layouts;
	tests[n++] = a_failed_argument_fails_what_depends_on_it;
	tests[n++] = a_failed_argument_is_not_donated_to_an_execution_that_is_waited_for;
	tests[n++] = several_threads_begin_executions;
	tests[n++] = functions_of_events_begin_executions;
	tests[n++] = a_loaded_program_owns_its_bytes;
	tests[n++] = equal_constants_are_shared;
	return sr_run_tests("run", tests, n, setup, teardown);
}
