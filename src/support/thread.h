/* Threads of our own. Signals are none of theirs: whoever called us has said which of its threads takes them. */
#ifndef SR_SUPPORT_THREAD_H
#define SR_SUPPORT_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* False where there can be no more. The caller joins it. */
bool sr_thread_begin(pthread_t *thread, void *(*run)(void *data), void *data);

/* Around whatever changes the environment of the process, or has a library read it, in this library's threads; may be nested.
 * sr_env does so itself. */
void sr_environment_lock(void);
void sr_environment_unlock(void);

/* A word that one thread writes and others look at now and then: no order is promised, but what is read was written. */
#define sr_relaxed_store(word, value) atomic_store_explicit(&(word), value, memory_order_relaxed)
#define sr_relaxed_load(word) atomic_load_explicit(&(word), memory_order_relaxed)
/* One more, by the only thread that writes it. */
#define sr_relaxed_increment(word) sr_relaxed_store(word, sr_relaxed_load(word) + 1)

#endif
