/* Broadcast, scatter and all-gather: the root sends a different block to each member, then the members exchange their blocks.
 *
 * Source: Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, "Interprocessor collective communication library", SHPCC 1994.
 * Requires at least n elements, else SR_NEXT. Two rounds, about 2r(n-1)/n bytes from the root (n - 1 blocks, then its own block to
 * all), r(n-2)/n from another member; no scratch. For long messages.
 *
 * n = 5, root 2: round 0 block k -> k round 1 k sends block k to all but 2 */
#include "collectives/algorithms.h"

enum sr_status sr_broadcast_scatter_gather(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member, root = call->from;
	int64_t count = call->count, own_start = sr_block_start(count, n, me), size = sr_block_size(count, n, me);
	if (count < n)
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	if (me == root)
		sr_build_copy(&b, out, 0, in, 0, count);
	else
		sr_build_recv(&b, root, 0, out, own_start, size);
	for (int s = 1; me == root && s < n; s++) {
		int dest = sr_wrap(me + s, n);
		sr_build_send(&b, dest, 0, in, sr_block_start(count, n, dest), sr_block_size(count, n, dest));
		if (s % SR_BURST == 0)
			sr_build_round(&b);
	}
	sr_build_round(&b);
	for (int s = 1; s < n; s++) {
		int source = sr_wrap(me - s, n), dest = sr_wrap(me + s, n);
		if (me != root)
			sr_build_recv(&b, source, 1, out, sr_block_start(count, n, source), sr_block_size(count, n, source));
		if (dest != root)
			sr_build_send(&b, dest, 1, me == root ? in : out, own_start, size);
		if (s % SR_BURST == 0)
			sr_build_round(&b);
	}
	return sr_build_end(&b, result);
}
