/* Memory of handles: ownership, lifetime, memory left by calls, and allocations that fail. Part of api.c. */
#pragma once
#include "tests/unit/failing_allocations.h"

START_TEST(two_arrays_over_donated_memory_are_refused)
{
	_Alignas(64) static float memory[64];
	struct shardrun_array *x, *y, *results[2];
	open_on_client(donating_program);
	ck_assert_int_eq(shardrun_array_over(run, 0, memory, &x), SR_OK);
	ck_assert_int_eq(shardrun_array_over(run, 1, memory, &y), SR_OK);
	expect_refused((struct shardrun_array *[]){x, y}, 2, "arguments 0 and 1 share memory, and argument 0 is donated");
	shardrun_array_free(y);
	ck_assert_int_eq(shardrun_array_over(run, 1, memory + 16, &y), SR_OK);
	/* the call that was refused donated no argument */
	ck_assert_int_eq(shardrun_execute(run, (struct shardrun_array *[]){x, y}, 2, results, 2), SR_OK);
	shardrun_array_free(results[0]);
	shardrun_array_free(results[1]);
	shardrun_array_free(x);
	shardrun_array_free(y);
}
END_TEST

/* Return the bytes of this process's data segment, from /proc. */
static long data_bytes(void)
{
	long total_pages = 0, resident_pages = 0;
	FILE *in = fopen("/proc/self/statm", "r");
	if (!in || fscanf(in, "%ld %ld", &total_pages, &resident_pages) != 2)
		resident_pages = 0;
	if (in)
		fclose(in);
	return resident_pages * sysconf(_SC_PAGESIZE);
}

/* 10,000 calls of each kind must leave at most one block of the arena allocated. */
START_TEST(calls_keep_no_memory)
{
	enum { WARMUP_CALLS = 100, CALLS = 10000, MAX_GROWTH = 2 << 20 };
	char path[SCRATCH_PATH];
	const char *const paths[] = {path};
	struct shardrun_array *x;
	long bytes_before = 0;
	open_on_client(one);
	close(make_scratch_file(path));
	for (int i = 0; i < WARMUP_CALLS + CALLS; i++) {
		if (i == WARMUP_CALLS)
			bytes_before = data_bytes();
		ck_assert_int_eq(shardrun_run_fill(run, 0, "2x3xf32=1"), SR_OK);
		ck_assert_int_eq(shardrun_run_fill(run, 0, "3xf32=1"), SR_USAGE);
		ck_assert_ptr_nonnull(strstr(shardrun_run_message(run), "2x3xf32"));
		ck_assert_int_eq(shardrun_array_make(run, 0, "2x3xf32=1", &x), SR_OK);
		ck_assert_str_eq(shardrun_run_message(run), "");
		shardrun_array_free(x);
		if (i % 10 == 0)
			ck_assert_int_eq(shardrun_run_write(run, paths, 1), SR_OK);
	}
	unlink(path);
	if (!getenv("ASAN_OPTIONS")) /* sanitizers keep freed memory for a while */
		ck_assert_int_lt(data_bytes() - bytes_before, MAX_GROWTH);
}
END_TEST

/* A run keeps a reference to its plan, and a plan to its module. */
START_TEST(handles_are_freed_in_any_order)
{
	struct shardrun_buffer x;
	struct shardrun_run *second_run;
	open_run();
	ck_assert_int_eq(shardrun_run_open(plan, NULL, &second_run), SR_OK);
	shardrun_module_free(module);
	shardrun_plan_free(plan);
	module = NULL;
	plan = NULL;
	shardrun_run_close(second_run);
	for (int i = 0; i < 50; i++) { /* overwrite the memory that was freed */
		char *noise = malloc((size_t)i * 5000);
		if (noise)
			memset(noise, 0x5a, (size_t)i * 5000);
		free(noise);
	}
	ck_assert_msg(!shardrun_run_fill(run, 0, "2x3xf32=1 2 3 4 5 6"), "%s", shardrun_run_message(run));
	ck_assert_int_eq(shardrun_run_fill(run, 1, "2x3xf32=10"), SR_OK);
	ck_assert_int_eq(shardrun_run_step(run), SR_OK);
	ck_assert_int_eq(shardrun_run_result(run, 0, &x), SR_OK);
	ck_assert_float_eq(((const float *)x.data)[5], 16);
}
END_TEST

/* Each allocation while a run on eight devices is opened fails in turn: the call returns a status, and the next run works. */
START_TEST(an_opening_without_memory_is_a_status)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options on_client = SHARDRUN_RUN_OPTIONS_INIT;
	long allocation = 0, has_failed = 1;
	options.devices_per_rank = -1;
	options.threads = 1;
	on_client.codegen = "off";
	make_plan(eight_devices_program);
	for (; has_failed; allocation++) { /* in iteration i the i-th allocation fails, until fewer allocations are made */
		ck_assert_msg(!shardrun_client_open(&options, &client), "%s", shardrun_client_message(client));
		on_client.client = client;
		fail_allocation(allocation);
		enum sr_status status = shardrun_run_open(plan, &on_client, &run);
		has_failed = allocations_made() > allocation;
		ck_assert_msg(status == SR_OK || status == SR_NO_MEMORY, "allocation %ld: status %d", allocation, (int)status);
		ck_assert_str_ne(status ? shardrun_run_message(run) : "-", "");
		shardrun_run_close(run);
		status = shardrun_run_open(plan, &on_client, &run);
		ck_assert_msg(!status, "after allocation %ld: %s", allocation, shardrun_run_message(run));
		ck_assert_msg(!shardrun_run_step(run), "after allocation %ld: %s", allocation, shardrun_run_message(run));
		shardrun_run_close(run);
		run = NULL;
		shardrun_client_close(client);
		client = NULL;
	}
	ck_assert_int_gt(allocation, 10);
}
END_TEST

/* Opening a run fails, since there is no rank 5; opening it again on the same devices must fail, too. */
START_TEST(failed_device_set_is_not_cached)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options on_client = SHARDRUN_RUN_OPTIONS_INIT;
	static const int ranks[8] = {[7] = 5};
	options.ranks = ranks;
	options.n_ranks = 8;
	options.devices_per_rank = 8;
	make_plan(eight_devices_program);
	ck_assert_int_eq(shardrun_client_open(&options, &client), SR_OK);
	on_client.client = client;
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(shardrun_run_open(plan, &on_client, &run), SR_USAGE);
		ck_assert_str_ne(shardrun_run_message(run), "");
		shardrun_run_close(run);
	}
	run = NULL;
}
END_TEST
