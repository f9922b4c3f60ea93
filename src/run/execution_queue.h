/* The in-order queue of a device set's local devices. Every device executes all tasks in the order in which they were submitted;
 * devices do not wait for each other between tasks. If MPI connects a process that has several devices, progress of their messages
 * is one more member of the queue.
 *
 * Who executes a task:
 * - a small task is executed on all devices by the thread that submits it, if the queue is idle;
 * - else each device but the last has a thread. The last device is executed by a thread that waits for a task, or by a thread of its
 *   own, which is started when a task is submitted that nobody waits for;
 * - idle threads spin for some microseconds before they sleep, unless they and a waiting thread outnumber the cores;
 * - where only the thread that initialized MPI may call it (sr_launch::is_funneled), the members that call MPI have no thread:
 * their tasks
 *   advance only while the thread that initialized MPI waits in sr_execution_queue_wait or a function that uses it.
 *
 * Any thread may submit tasks and wait for them. A task's functions may submit tasks, but not wait for any. */
#ifndef SR_RUN_EXECUTION_QUEUE_H
#define SR_RUN_EXECUTION_QUEUE_H

#include "support/thread.h"
#include <stdint.h>

struct sr_execution_queue;
struct sr_launch;
struct sr_transport;

/* A task of the queue, embedded in the submitter's struct. The submitter owns it and keeps it until `end` is called. */
struct sr_queue_task {
	void (*run)(struct sr_queue_task *task, int k); /* execute the task on the k-th local device */
	void (*end)(struct sr_queue_task *task);        /* called once, after all devices have run it; may free the task */
	/* execute the task on all devices by one thread; NULL: not possible. Required of small tasks if there are several
	 * devices */
	void (*run_together)(struct sr_queue_task *task);
	bool is_small; /* true if the task takes about as long as waking threads */
	/* number of devices that have not yet run the task; set by the queue */
	_Atomic int devices_left;
};

/* Create the queue of n >= 1 local devices. transport is NULL for a single device, and on an idle rank, whose tasks call MPI.
 * Returns NULL if memory or threads run out. */
struct sr_execution_queue *sr_execution_queue_open(const struct sr_launch *launch, struct sr_transport *transport, int n);
/* Wait for all tasks, stop the threads and free the queue; `queue` may be NULL. */
void sr_execution_queue_close(struct sr_execution_queue *queue);

/* Append a task. Waits while too many tasks are queued, except in a task's own functions. Allocates nothing. */
void sr_execution_queue_submit(struct sr_execution_queue *queue, struct sr_queue_task *task);
/* Append a task that the caller will wait for at once: like sr_execution_queue_submit, but starts no thread for the last device. */
void sr_execution_queue_submit_awaited(struct sr_execution_queue *queue, struct sr_queue_task *task);
/* Wait until *is_done is set, which a task's `end` function does. May execute tasks on this thread. */
void sr_execution_queue_wait(struct sr_execution_queue *queue, const _Atomic bool *is_done);
/* Wait until all tasks that were submitted before have ended. */
void sr_execution_queue_drain(struct sr_execution_queue *queue);
/* Return true if some tasks advance only while the thread that initialized MPI waits. */
bool sr_execution_queue_has_threadless(const struct sr_execution_queue *queue);
/* Execute on this thread the tasks that only the thread that initialized MPI may execute; return at once if there are none or this
 * is another thread. */
void sr_execution_queue_advance(struct sr_execution_queue *queue);
/* Wait until no task is queued, and block submissions by other threads until sr_execution_queue_resume. */
void sr_execution_queue_pause(struct sr_execution_queue *queue);
void sr_execution_queue_resume(struct sr_execution_queue *queue);

#endif
