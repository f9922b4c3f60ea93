#include "collectives/transport/backoff.h"
#include <sched.h>
#include <time.h>

enum { LOOKS = 2000, YIELDS = 100, LEAST_NAP_NS = 10000 };

struct sr_backoff sr_backoff_after(int looks, bool crowded)
{
	long nap = (long)looks - YIELDS - (crowded ? 0 : LOOKS);
	if (nap > 0)
		return (struct sr_backoff){SR_BACKOFF_SLEEP, nap < SR_MAX_SLEEP_NS / LEAST_NAP_NS ? nap * LEAST_NAP_NS : SR_MAX_SLEEP_NS};
	return (struct sr_backoff){.kind = nap + YIELDS > 0 ? SR_BACKOFF_YIELD : SR_BACKOFF_SPIN};
}

void sr_backoff_wait(int looks, bool crowded)
{
	struct sr_backoff p = sr_backoff_after(looks, crowded);
	if (p.kind == SR_BACKOFF_YIELD)
		sched_yield();
	else if (p.kind == SR_BACKOFF_SLEEP)
		nanosleep(&(struct timespec){.tv_nsec = p.nap_ns}, NULL);
}
