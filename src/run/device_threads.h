/* One thread per device of a process with several devices. The threads sleep between tasks and block all signals. */
#ifndef SR_RUN_DEVICE_THREADS_H
#define SR_RUN_DEVICE_THREADS_H

struct sr_device_threads;
typedef void sr_device_threads_task(void *data, int member);

struct sr_device_threads *sr_device_threads_open(int n); /* NULL if they cannot be started */
void sr_device_threads_close(struct sr_device_threads *threads); /* NULL is allowed */
/* Run the task on every thread. Returns at once; sr_device_threads_wait waits for completion. One task at a time. */
void sr_device_threads_begin(struct sr_device_threads *threads, sr_device_threads_task *task, void *data);
void sr_device_threads_wait(struct sr_device_threads *threads);

#endif
