/* Threads of this library. They block all signals, since the host process decides which of its threads handle them. */
#ifndef SR_SUPPORT_THREAD_H
#define SR_SUPPORT_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Start a joinable thread. Return false if the system cannot create one. */
bool sr_thread_begin(pthread_t *thread, void *(*run)(void *data), void *data);

/* Block the signals of the calling thread, except those that errors of the processor raise and those of
 * sr_thread_keep_signals. For calls of code that uses the stack pointer as a general register: a signal handler, which the kernel
 * starts below the stack pointer, would overwrite other memory. */
void sr_thread_block_signals(sigset_t *before);
void sr_thread_restore_signals(const sigset_t *before);

/* Let sr_thread_block_signals leave these signals unblocked. Their handlers must run on an alternate stack (sigaltstack,
 * SA_ONSTACK) in each thread that does not block them; signal numbers are below 64. n = 0: no signals. */
void sr_thread_keep_signals(const int *signals, int n);

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
