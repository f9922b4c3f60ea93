#include "collectives/transport/patience.h"
#include <sched.h>
#include <time.h>

enum { LOOKS = 2000, YIELDS = 100, LEAST_NAP_NS = 10000 };

struct sr_patience sr_patience_after(int looks, bool crowded)
{
	long nap = (long)looks - YIELDS - (crowded ? 0 : LOOKS);
	if (nap > 0)
		return (struct sr_patience){SR_NAP, nap < SR_MOST_NAP_NS / LEAST_NAP_NS ? nap * LEAST_NAP_NS : SR_MOST_NAP_NS};
	return (struct sr_patience){.kind = nap + YIELDS > 0 ? SR_YIELD : SR_LOOK};
}

void sr_be_patient(int looks, bool crowded)
{
	struct sr_patience p = sr_patience_after(looks, crowded);
	if (p.kind == SR_YIELD)
		sched_yield();
	else if (p.kind == SR_NAP)
		nanosleep(&(struct timespec){.tv_nsec = p.nap_ns}, NULL);
}
