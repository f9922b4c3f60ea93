#include "support/thread.h"
#include <signal.h>

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
