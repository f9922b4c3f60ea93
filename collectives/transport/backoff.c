/* Backoff of polling threads: the number of spins, yields and the length of sleeps. */
#include "collectives/transport/backoff.h"
#include <sched.h>
#include <time.h>

enum { SPINS = 2000, YIELDS = 100, MIN_SLEEP_NS = 10000 };

struct sr_backoff sr_backoff_after(int polls, bool oversubscribed)
{
	long sleeps = (long)polls - YIELDS - (oversubscribed ? 0 : SPINS);
	if (sleeps > 0)
		return (struct sr_backoff){SR_BACKOFF_SLEEP, sleeps < SR_MAX_SLEEP_NS / MIN_SLEEP_NS ? sleeps * MIN_SLEEP_NS : SR_MAX_SLEEP_NS};
	return (struct sr_backoff){.kind = sleeps + YIELDS > 0 ? SR_BACKOFF_YIELD : SR_BACKOFF_SPIN};
}

void sr_backoff_wait(int polls, bool oversubscribed)
{
	struct sr_backoff backoff = sr_backoff_after(polls, oversubscribed);
	if (backoff.kind == SR_BACKOFF_YIELD)
		sched_yield();
	else if (backoff.kind == SR_BACKOFF_SLEEP)
		nanosleep(&(struct timespec){.tv_nsec = backoff.nap_ns}, NULL);
}
