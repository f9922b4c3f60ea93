/* All-reduce, exchange: every member sends its input to every other member and reduces all of them.
 *
 * Source: the definition. No precondition. One round of messages and a local one, r(n-1) bytes per member for a result of r bytes,
 * scratch nr. For short messages: the latency of a single message. Order: the tree over member index, in the accumulator, rounded
 * once; the same bits as "ordered".
 *
 * n = 5, member 2: x2 -> 3, 4, 0, 1 received x0 x1 x2 x3 x4 out = ((x0 + x1) + (x2 + x3)) + x4 */
#include "collectives/algorithms.h"

enum sr_status sr_all_reduce_exchange(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t count = call->count;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), slots = sr_build_scratch(&b, call->type, n * count);
	sr_build_copy(&b, slots, me * count, in, 0, count);
	for (int first = 1, end; first < n; first = end) {
		end = sr_burst_end(first, n);
		for (int s = first; s < end; s++)
			sr_build_recv(&b, sr_wrap(me - s, n), 0, slots, sr_wrap(me - s, n) * count, count);
		for (int s = first; s < end; s++)
			sr_build_send(&b, sr_wrap(me + s, n), 0, in, 0, count);
		sr_build_round(&b);
	}
	sr_build_fold(&b, sr_build_out(&b), 0, slots, 0, count, n, count);
	return sr_build_end(&b, out);
}
