/* Executions that sr_execute_begin begins: order, events, failed arguments, memory. */
#pragma once
#include "run/device_team.h"
#include "run/execution.h"
#include "run/layout.h"
#include <unistd.h>

/* Build a program that computes x + 1 from x; if is_donated, the result is in the memory of x. */
static void make_increment(bool is_donated)
{
	int x = add_buffer(&builder, 0, 4), one = add_buffer(&builder, 2, 4), y = add_buffer(&builder, is_donated ? 0 : 4, 4);
	add_value(&builder, x, false, is_donated);
	add_constant(&builder, one, 1);
	add_value(&builder, y, true, false);
	add_instr(&builder, "add", x, one, y);
	load_program();
}

/* Equal layouts of two programs are one object, which is removed with the last program and array that use it. */
START_TEST(programs_share_layouts)
{
	make_increment(false);
	struct sr_layout *layout = executable.layouts[0];
	struct sr_layout_table *table = executable.device_set->memory->layouts;
	struct sr_array *x = new_input_array(0, 1), *y;
	ck_assert_ptr_eq(executable.layouts[1], layout);
	struct sr_executable second_executable;
	const struct sr_executable_options options = {.model = "other"};
	ck_assert_int_eq(sr_executable_open(&second_executable, &client, executable.program, &options, arena, &diags), SR_OK);
	ck_assert(sr_executable_make_layouts(&second_executable));
	ck_assert_ptr_eq(second_executable.layouts[1], layout);
	ck_assert_int_eq(sr_execute(&(struct sr_execution){&second_executable, &x, 1, &y, 1}, &diags), SR_OK);
	ck_values(y, 2);
	sr_array_release(y);
	ck_assert_int_eq(layout->n_unused, 1);
	sr_executable_close(&second_executable);
	ck_assert_int_eq(layout->n_values, 2);
	sr_executable_close(&executable);
	ck_assert_int_eq(layout->references, 2); /* the array and the layout table hold one reference each */
	sr_layout_table_trim(table);
	ck_values(x, 1);
	sr_array_release(x);
	ck_assert_int_eq(layout->references, 1);
	sr_layout_table_trim(table);
	ck_assert(sr_layout_table_is_empty(table));
}
END_TEST

static struct sr_event *begin_execution(struct sr_array *x, struct sr_array **y)
{
	struct sr_event *event = NULL;
	enum sr_status status = sr_execute_begin(&(struct sr_execution){&executable, &x, 1, y, 1}, &event, &diags);
	ck_assert_msg(!status, "%s", diags.first ? diags.first->message : "");
	return event;
}

static void check_event(struct sr_event *event, enum sr_status expected, const char *message)
{
	ck_assert_int_eq(sr_event_wait(event), expected);
	ck_assert_str_eq(sr_event_message(event), message);
	sr_event_release(event);
}

static void check_begun_executions_run_in_order(bool variant)
{
	make_increment(variant);
	executable.is_small = false; /* execute on a thread of the queue */
	struct sr_array *x = new_input_array(0, 0), *y;
	struct sr_event *event = NULL;
	for (int i = 0; i < 100; i++) {
		sr_event_release(event);
		event = begin_execution(x, &y);
		sr_array_release(x); /* the execution keeps a reference */
		x = y;
	}
	check_event(event, SR_OK, "");
	ck_values(x, 100);
	sr_array_release(x);
	ck_assert_int_eq(sr_memory_pool_used(executable.device_set->memory->devices[0].pool), 0);
}

START_TEST(begun_executions_run_in_order)
{
	check_begun_executions_run_in_order(false);
	teardown();
	setup();
	check_begun_executions_run_in_order(true);
}
END_TEST

struct device_visits { /* executions that each of two devices has begun */
	_Atomic int of[2];
};

/* Hold the second device in its first execution until the first device is in its second one. */
static enum sr_status hold_second_device(void *data, struct sr_execution_context *x, const struct sr_instr *instr)
{
	enum { MAX_WAIT_MS = 20000 };
	struct device_visits *visits = data;
	(void)instr;
	if (atomic_fetch_add(&visits->of[x->device->id], 1) || !x->device->id)
		return SR_OK;
	for (int i = 0; i < MAX_WAIT_MS && atomic_load(&visits->of[0]) < 2; i++)
		usleep(1000);
	return atomic_load(&visits->of[0]) < 2 ? SR_INTERNAL : SR_OK;
}

/* One device begins the second execution, whose argument is the result of the first execution, while another device still runs
 * the first execution. */
START_TEST(two_executions_are_under_way)
{
	struct device_visits visits = {0};
	sr_client_close(&client);
	client = (struct sr_client){.launch = {.size = 1}};
	const struct sr_client_options options = {.threads = 1, .devices_per_rank = SR_DEVICES_ALL};
	ck_assert_int_eq(sr_client_open(&client, &options, arena, &diags), SR_OK);
	int x = add_buffer(&builder, 0, 4), one = add_buffer(&builder, 1, 4), y = add_buffer(&builder, 2, 4);
	int scratch = add_buffer(&builder, 3, 4);
	builder.head.n_devices = 2;
	add_value(&builder, x, false, false);
	add_constant(&builder, one, 1);
	add_value(&builder, y, true, false);
	add_instr(&builder, "add", x, one, scratch);
	add_instr(&builder, "add", x, one, y);
	load_program();
	executable.is_small = false;
	sr_device_teams_free(executable.devices, 2); /* on a machine with one core, one thread would run both devices in turn */
	executable.loaded.instrs[0].kind = SR_INSTR_CHECK;
	executable.loaded.hooks = (struct sr_hooks){.data = &visits, .inspect = hold_second_device};
	struct sr_array *a = new_input_array(0, 5), *b, *c;
	memcpy(a->shards[1].data, a->shards[0].data, 16);
	struct sr_event *first_event = begin_execution(a, &b), *second_event = begin_execution(b, &c);
	check_event(first_event, SR_OK, "");
	check_event(second_event, SR_OK, "");
	ck_values(c, 7);
	ck_assert_float_eq(((float *)c->shards[1].data)[3], 7);
	sr_array_release(a);
	sr_array_release(b);
	sr_array_release(c);
}
END_TEST

/* An execution waits for its arguments. If an argument failed, the execution and all executions on its results fail without
 * running. */
static void check_a_failed_argument_fails_what_depends_on_it(bool variant)
{
	make_increment(false);
	struct sr_array *x = new_input_array(0, 5), *independent = new_input_array(0, 7), *y, *z, *w;
	x->ready = sr_event_new();
	executable.is_small = false;
	struct sr_event *ready_event = sr_event_keep(x->ready), *first_event = begin_execution(x, &y), *second_event = begin_execution(y, &z),
			*third_event = begin_execution(independent, &w);
	ck_assert(!sr_event_is_set(first_event) && !sr_event_is_set(second_event) && !sr_event_is_set(third_event));
	sr_event_set(ready_event, variant ? SR_INTERNAL : SR_OK, variant ? "the transfer failed" : "");
	check_event(third_event, SR_OK, "");
	ck_values(w, 8);
	check_event(first_event, variant ? SR_INTERNAL : SR_OK, variant ? "the transfer failed" : "");
	check_event(second_event, variant ? SR_INTERNAL : SR_OK, variant ? "the transfer failed" : "");
	if (!variant)
		ck_values(z, 7);
	sr_event_release(ready_event);
	struct sr_array *all[] = {x, independent, y, z, w};
	for (int i = 0; i < 5; i++)
		sr_array_release(all[i]);
}

START_TEST(a_failed_argument_fails_what_depends_on_it)
{
	check_a_failed_argument_fails_what_depends_on_it(false);
	teardown();
	setup();
	check_a_failed_argument_fails_what_depends_on_it(true);
}
END_TEST

static void check_a_failed_argument_is_not_donated_to_an_execution_that_is_waited_for(bool variant)
{
	make_increment(true);
	struct sr_array *x = new_input_array(0, 5), *y;
	void *memory = x->shards[0].data;
	x->ready = sr_event_new();
	sr_event_set(x->ready, SR_NO_MEMORY, "no room");
	ck_assert_int_eq(execute(&x, 1, &y, 1), SR_NO_MEMORY);
	ck_assert_str_eq(diags.first->message, "no room");
	ck_assert(!y && !x->is_donated && x->shards[0].data == memory);
	sr_array_release(x);
}

START_TEST(a_failed_argument_is_not_donated_to_an_execution_that_is_waited_for)
{
	check_a_failed_argument_is_not_donated_to_an_execution_that_is_waited_for(false);
	teardown();
	setup();
	check_a_failed_argument_is_not_donated_to_an_execution_that_is_waited_for(true);
}
END_TEST

static void count_call(void *data, enum sr_status status, const char *message)
{
	(void)message;
	atomic_fetch_add((_Atomic int *)data, !status);
}

enum { N_THREADS = 8, N_EXECUTIONS = 300 };

/* Begin many executions on a thread. Return NULL on success. ck_assert is not used here, since Check is not thread-safe. */
static void *begin_executions(void *data)
{
	struct sr_arena *thread_arena = sr_arena_new();
	struct sr_diags messages;
	sr_diags_init(&messages, thread_arena);
	struct sr_array *x = sr_array_new(executable.layouts[0]), *y;
	bool is_begun = sr_array_allocate_all(x, executable.device_set->memory);
	memset(x->shards[0].data, 0, 16);
	for (int i = 0; i < N_EXECUTIONS && is_begun; i++) {
		struct sr_event *event;
		is_begun = !sr_execute_begin(&(struct sr_execution){&executable, &x, 1, &y, 1}, &event, &messages);
		is_begun = is_begun && sr_event_on_set(event, count_call, data);
		sr_event_release(event);
		sr_array_release(x);
		x = y;
	}
	is_begun = is_begun && !sr_event_wait(x->ready) && ((const float *)x->shards[0].data)[3] == N_EXECUTIONS;
	sr_array_release(x);
	sr_arena_free(thread_arena);
	return is_begun ? NULL : data;
}

static void check_several_threads_begin_executions(bool variant)
{
	pthread_t threads[N_THREADS];
	_Atomic int n = 0;
	make_increment(false);
	executable.is_small = variant;
	for (int i = 0; i < N_THREADS; i++)
		pthread_create(&threads[i], NULL, begin_executions, &n);
	for (int i = 0; i < N_THREADS; i++) {
		void *failure;
		pthread_join(threads[i], &failure);
		ck_assert_ptr_null(failure);
	}
	sr_execution_queue_drain(executable.device_set->queue);
	ck_assert_int_eq(n, N_THREADS * N_EXECUTIONS);
}

START_TEST(several_threads_begin_executions)
{
	check_several_threads_begin_executions(false);
	teardown();
	setup();
	check_several_threads_begin_executions(true);
}
END_TEST

/* Executions of which each one is begun by the callback of the previous one's event. */
struct execution_chain {
	struct sr_array *x;
	int n_remaining;
	_Atomic bool is_done;
};

static void begin_next_execution(void *data, enum sr_status status, const char *message)
{
	struct execution_chain *c = data;
	struct sr_array *y;
	struct sr_event *event;
	(void)message;
	if (status || !c->n_remaining-- ||
	    sr_execute_begin(&(struct sr_execution){&executable, &c->x, 1, &y, 1}, &event, &diags)) {
		c->is_done = true;
		return;
	}
	sr_array_release(c->x);
	c->x = y;
	sr_event_on_set(event, begin_next_execution, c);
	sr_event_release(event);
}

static void check_functions_of_events_begin_executions(bool variant)
{
	make_increment(false);
	executable.is_small = variant;
	struct execution_chain c = {.x = new_input_array(0, 0), .n_remaining = 50};
	begin_next_execution(&c, SR_OK, "");
	sr_execution_queue_wait(executable.device_set->queue, &c.is_done);
	ck_values(c.x, 50);
	sr_array_release(c.x);
}

START_TEST(functions_of_events_begin_executions)
{
	check_functions_of_events_begin_executions(false);
	teardown();
	setup();
	check_functions_of_events_begin_executions(true);
}
END_TEST

START_TEST(a_loaded_program_owns_its_bytes)
{
	make_increment(false);
	struct sr_array *x = new_input_array(0, 3), *y;
	memset(&builder, 0, sizeof builder); /* overwrite the program that the caller passed */
	run(&x, 1, &y, 1);
	ck_values(y, 4);
	sr_array_release(x);
	sr_array_release(y);
}
END_TEST

START_TEST(equal_constants_are_shared)
{
	struct sr_executable first_executable, second_executable;
	const char *data;
	make_increment(false);
	first_executable = executable;
	executable = (struct sr_executable){0};
	load_program();
	data = first_executable.constants->data;
	ck_assert_ptr_eq(executable.constants, first_executable.constants);
	ck_assert_int_eq(executable.constants->references, 2);
	second_executable = executable;
	builder.data[0] += 1;
	load_program();
	ck_assert_ptr_ne(executable.constants, first_executable.constants);
	sr_executable_close(&first_executable);
	ck_assert_ptr_eq(second_executable.constants->data, data);
	ck_assert_float_eq(((const float *)(const void *)data)[0], 1);
	sr_executable_close(&second_executable);
	ck_assert_ptr_eq(client.constants.first, executable.constants);
	ck_assert_ptr_null(client.constants.first->next);
}
END_TEST
