#include "support/thread.h"
#include <signal.h>

bool sr_thread_begin(pthread_t *thread, void *(*run)(void *data), void *data)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool good = !pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return good;
}
