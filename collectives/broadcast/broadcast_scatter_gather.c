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
	int64_t count = call->count, mine = sr_block_start(count, n, me), size = sr_block_size(count, n, me);
	if (count < n)
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	if (me == root)
		sr_build_copy(&b, out, 0, in, 0, count);
	else
		sr_build_recv(&b, root, 0, out, mine, size);
	for (int s = 1; me == root && s < n; s++) {
		int to = sr_wrap(me + s, n);
		sr_build_send(&b, to, 0, in, sr_block_start(count, n, to), sr_block_size(count, n, to));
		if (s % SR_BURST == 0)
			sr_build_round(&b);
	}
	sr_build_round(&b);
	for (int s = 1; s < n; s++) {
		int from = sr_wrap(me - s, n), to = sr_wrap(me + s, n);
		if (me != root)
			sr_build_recv(&b, from, 1, out, sr_block_start(count, n, from), sr_block_size(count, n, from));
		if (to != root)
			sr_build_send(&b, to, 1, me == root ? in : out, mine, size);
		if (s % SR_BURST == 0)
			sr_build_round(&b);
	}
	return sr_build_end(&b, result);
}
