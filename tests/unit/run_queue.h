/* The execution queue: which threads execute the tasks of each device, and in which order. */
#pragma once
#include "run/execution_queue.h"

enum { QUEUE_DEVICES = 3 };

struct noted_task {
	struct sr_queue_task base;
	pthread_t threads[QUEUE_DEVICES]; /* the thread that executed the task on each device */
	int numbers[QUEUE_DEVICES];       /* number of tasks that each device had executed before */
	_Atomic bool is_done;
};

static struct sr_launch queue_launch = {.size = 1};
static struct sr_execution_queue *queue;
static int n_executed[QUEUE_DEVICES]; /* number of tasks that each device has executed */

static void note_thread(struct sr_queue_task *base, int k)
{
	struct noted_task *task = (struct noted_task *)base;
	task->threads[k] = pthread_self();
	task->numbers[k] = n_executed[k]++;
}

static void note_end(struct sr_queue_task *base)
{
	atomic_store(&((struct noted_task *)base)->is_done, true);
}

static void open_queue(void)
{
	memset(n_executed, 0, sizeof n_executed);
	queue = sr_execution_queue_open(&queue_launch, NULL, QUEUE_DEVICES);
	ck_assert_ptr_nonnull(queue);
}

static void execute_awaited(struct noted_task *task)
{
	*task = (struct noted_task){.base = {.run = note_thread, .end = note_end}};
	sr_execution_queue_submit_awaited(queue, &task->base);
	sr_execution_queue_wait(queue, &task->is_done);
}

START_TEST(the_waiting_thread_executes_the_last_device)
{
	struct noted_task task;
	open_queue();
	for (int i = 0; i < 100; i++) {
		execute_awaited(&task);
		ck_assert(pthread_equal(task.threads[QUEUE_DEVICES - 1], pthread_self()));
		for (int k = 0; k < QUEUE_DEVICES; k++) {
			ck_assert_int_eq(task.numbers[k], i);
			ck_assert(k == QUEUE_DEVICES - 1 || !pthread_equal(task.threads[k], pthread_self()));
		}
	}
	sr_execution_queue_close(queue);
}
END_TEST

START_TEST(a_task_that_nobody_waits_for_is_executed)
{
	struct noted_task task = {.base = {.run = note_thread, .end = note_end}};
	open_queue();
	sr_execution_queue_submit(queue, &task.base);
	while (!atomic_load(&task.is_done))
		usleep(100);
	for (int k = 0; k < QUEUE_DEVICES; k++)
		ck_assert(!pthread_equal(task.threads[k], pthread_self()));
	sr_execution_queue_close(queue);
}
END_TEST

enum { QUEUE_THREADS = 4, TASKS_PER_THREAD = 200 };

/* Submit tasks; at every third, another one before it that is awaited after it. Returns NULL, or `data` if tasks of one thread
 * were executed in another order. */
static void *submit_tasks(void *data)
{
	struct noted_task tasks[2];
	int last_number = -1;
	for (int i = 0; i < TASKS_PER_THREAD; i++) {
		bool begins_two = i % 3 == 0;
		if (begins_two) {
			tasks[0] = (struct noted_task){.base = {.run = note_thread, .end = note_end}};
			sr_execution_queue_submit(queue, &tasks[0].base);
		}
		execute_awaited(&tasks[1]);
		if (begins_two)
			sr_execution_queue_wait(queue, &tasks[0].is_done);
		for (int t = !begins_two; t < 2; t++) {
			if (tasks[t].numbers[0] <= last_number)
				return data;
			last_number = tasks[t].numbers[0];
			for (int k = 1; k < QUEUE_DEVICES; k++)
				if (tasks[t].numbers[k] != last_number)
					return data;
		}
	}
	return NULL;
}

START_TEST(all_devices_execute_the_tasks_of_several_threads_in_one_order)
{
	pthread_t threads[QUEUE_THREADS];
	open_queue();
	for (int i = 0; i < QUEUE_THREADS; i++)
		pthread_create(&threads[i], NULL, submit_tasks, &queue);
	for (int i = 0; i < QUEUE_THREADS; i++) {
		void *failure;
		pthread_join(threads[i], &failure);
		ck_assert_ptr_null(failure);
	}
	sr_execution_queue_drain(queue);
	ck_assert_int_eq(n_executed[0], QUEUE_THREADS * (TASKS_PER_THREAD + (TASKS_PER_THREAD + 2) / 3));
	sr_execution_queue_close(queue);
}
END_TEST
