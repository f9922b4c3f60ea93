/* Backoff of a thread that polls for other threads or processes: it spins for a while if there is a core for each of them, then
 * yields the core some times, then sleeps between polls, a little longer each time.
 *
 * Yielding alone is not enough. On Linux 6.18 two groups of processes that yielded while waiting for each other, on cores that
 * others used too, were not scheduled for 45 s; with sleeps they ran normally. */
#ifndef SR_COLLECTIVES_TRANSPORT_BACKOFF_H
#define SR_COLLECTIVES_TRANSPORT_BACKOFF_H

#include <stdbool.h>

enum { SR_MAX_SLEEP_NS = 100000 }; /* maximum sleep in nanoseconds; short enough to keep messages in flight moving */

struct sr_backoff {
	enum { SR_BACKOFF_SPIN, SR_BACKOFF_YIELD, SR_BACKOFF_SLEEP } kind;
	long nap_ns; /* nanoseconds to sleep; 0 unless kind is SR_BACKOFF_SLEEP */
};

/* Return what to do after `polls` unsuccessful polls (>= 1). oversubscribed: there are more waiting threads than cores. */
struct sr_backoff sr_backoff_after(int polls, bool oversubscribed);
/* Spin, yield or sleep as sr_backoff_after says. */
void sr_backoff_wait(int polls, bool oversubscribed);

#endif
