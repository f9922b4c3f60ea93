/* Creation of threads that block all signals, and the mutex of the process environment. */
#include "support/thread.h"
#include <stdint.h>

static pthread_mutex_t environment_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void sr_environment_lock(void)
{
	pthread_mutex_lock(&environment_mutex);
}

void sr_environment_unlock(void)
{
	pthread_mutex_unlock(&environment_mutex);
}

bool sr_thread_begin(pthread_t *thread, void *(*run)(void *data), void *data)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool is_created = !pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_created;
}

static _Atomic uint64_t kept_signals; /* bit s: sr_thread_block_signals does not block signal s */

void sr_thread_keep_signals(const int *signals, int n)
{
	uint64_t bits = 0;
	for (int i = 0; i < n; i++)
		bits |= (uint64_t)1 << signals[i];
	sr_relaxed_store(kept_signals, bits);
}

void sr_thread_block_signals(sigset_t *before)
{
	static const int errors[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
	sigset_t blocked;
	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		sigdelset(&blocked, errors[i]);
	for (uint64_t bits = sr_relaxed_load(kept_signals); bits; bits &= bits - 1)
		sigdelset(&blocked, __builtin_ctzll(bits));
	pthread_sigmask(SIG_BLOCK, &blocked, before);
}

void sr_thread_restore_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
