/* Threads of this library. They block all signals, since the host process decides which of its threads handle them. */
#ifndef SR_SUPPORT_THREAD_H
#define SR_SUPPORT_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Start a joinable thread. Return false if the system cannot create one. */
bool sr_thread_begin(pthread_t *thread, void *(*run)(void *data), void *data);

/* Recursive lock around code of this library that changes the process environment or calls libraries that read the environment.
 * sr_env takes the lock itself. */
void sr_environment_lock(void);
void sr_environment_unlock(void);

/* Relaxed atomic access to a variable that one thread writes and others poll; no ordering is implied. */
#define sr_relaxed_store(word, value) atomic_store_explicit(&(word), value, memory_order_relaxed)
#define sr_relaxed_load(word) atomic_load_explicit(&(word), memory_order_relaxed)
/* Increment a variable; only for the one thread that writes it. */
#define sr_relaxed_increment(word) sr_relaxed_store(word, sr_relaxed_load(word) + 1)

#endif
