/* All-to-all, Bruck: blocks are forwarded by the binary digits of the distance to their target.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing
 * systems", IEEE TPDS 8(11), 1997. No precondition. ceil(log2 n) exchanges, about (r/2) log2 n bytes per member for a result of r
 * bytes (exactly r/n times the number of ones in the binary digits of 0..n-1); scratch 2r. For short messages.
 *
 * n = 5, member 2. Slot d first holds the block for member 2 + d. In the round of digit b the slots whose number has that digit are
 * packed, sent to 2 + b and replaced by what 2 - b sent. In the end slot d holds the block that member 2 - d sent to this one:
 *	slots       0    1    2    3    4
 *	start       22   23   24   20   21       (from, to)
 *	b = 1       22   12   24   10   21       slots 1, 3 exchanged with members 3 and 1
 *	b = 2       22   12   02   40   21       slots 2, 3 with 4 and 0 */
#include "collectives/algorithms.h"

/* Append copies that pack or unpack the slots whose number has digit `bit`. Returns the number of these slots. */
static int64_t build_pack(struct sr_schedule_builder *b, struct sr_area slots, struct sr_area packed, int bit, int64_t block,
			  bool is_packing)
{
	int64_t k = 0;
	for (int d = bit; d < b->call->n; d++) {
		if (!(d & bit))
			continue;
		if (is_packing)
			sr_build_copy(b, packed, k * block, slots, d * block, block);
		else
			sr_build_copy(b, slots, d * block, packed, k * block, block);
		k++;
	}
	sr_build_round(b);
	return k;
}

enum sr_status sr_all_to_all_bruck(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member, step = 0;
	int64_t block = call->count / n, max_elements = (n + 1) / 2 * block;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b), slots = sr_build_scratch(&b, call->type, call->count);
	struct sr_area send_buffer = sr_build_scratch(&b, call->type, max_elements),
		       recv_buffer = sr_build_scratch(&b, call->type, max_elements);
	sr_build_copy(&b, slots, 0, in, me * block, (n - me) * block);
	sr_build_copy(&b, slots, (n - me) * block, in, 0, me * block);
	sr_build_round(&b);
	for (int bit = 1; bit < n; bit *= 2, step++) {
		int64_t blocks = build_pack(&b, slots, send_buffer, bit, block, true);
		sr_build_recv(&b, sr_wrap(me - bit, n), step, recv_buffer, 0, blocks * block);
		sr_build_send(&b, sr_wrap(me + bit, n), step, send_buffer, 0, blocks * block);
		sr_build_round(&b);
		build_pack(&b, slots, recv_buffer, bit, block, false);
	}
	for (int d = 0; d < n; d++)
		sr_build_copy(&b, out, sr_wrap(me - d, n) * block, slots, d * block, block);
	return sr_build_end(&b, result);
}
