/* The threads of a process that plays several devices, one for each, which sleep between tasks. Signals are none of theirs. */
#ifndef SR_RUN_DEVICE_THREADS_H
#define SR_RUN_DEVICE_THREADS_H

struct sr_device_threads;
typedef void sr_device_threads_task(void *data, int member);

struct sr_device_threads *sr_device_threads_open(int n); /* NULL where they cannot be started */
void sr_device_threads_close(struct sr_device_threads *crew); /* NULL is fine */
/* Each member does the task; the caller goes on, until it waits for all of them. One task at a time. */
void sr_device_threads_begin(struct sr_device_threads *crew, sr_device_threads_task *task, void *data);
void sr_device_threads_wait(struct sr_device_threads *crew);

#endif
