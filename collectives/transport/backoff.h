/* How a thread waits that looks again and again for what others do: it looks only, for a while, where its machine has a core
 * for each; then it gives the core away some times; then it sleeps between looks, a little longer each time.
 *
 * Nobody gives the core away for ever. On Linux 6.18 two sessions of processes that waited for each other in that way, on cores
 * which others wanted too, got no core at all for 45 s; with naps they went on as all others. */
#ifndef SR_COLLECTIVES_TRANSPORT_BACKOFF_H
#define SR_COLLECTIVES_TRANSPORT_BACKOFF_H

#include <stdbool.h>

enum { SR_MAX_SLEEP_NS = 100000 }; /* messages on their way want to be looked after */

struct sr_backoff {
	enum { SR_BACKOFF_SPIN, SR_BACKOFF_YIELD, SR_BACKOFF_SLEEP } kind;
	long nap_ns; /* 0 but for a nap */
};

/* What to do after so many looks in vain, 1 and up; crowded: there are not cores for all. */
struct sr_backoff sr_backoff_after(int looks, bool crowded);
/* And do it. */
void sr_backoff_wait(int looks, bool crowded);

#endif
