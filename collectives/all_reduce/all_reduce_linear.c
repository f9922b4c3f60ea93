/* All-reduce, linear: member 0 receives all inputs, reduces them and sends the result to all members.
 *
 * Source: the definition. No precondition. Two rounds of messages; r bytes per member, r(n-1) from member 0, scratch nr there. The
 * reference for tests; never the fastest. Order: the tree over member index, the same bits as "ordered" and "exchange".
 *
 * n = 5: x1, x2, x3, x4 -> 0 out = ((x0 + x1) + (x2 + x3)) + x4 on 0 out -> 1, 2, 3, 4 */
#include "collectives/algorithms.h"

static void build_root(struct sr_schedule_builder *b, int n, int64_t count)
{
	struct sr_area out = sr_build_out(b), slots = sr_build_scratch(b, b->call->type, n * count);
	sr_build_copy(b, slots, 0, sr_build_in(b), 0, count);
	for (int k = 1; k < n; k++)
		sr_build_recv(b, k, 0, slots, k * count, count);
	sr_build_round(b);
	sr_build_fold(b, out, 0, slots, 0, count, n, count);
	sr_build_round(b);
	for (int k = 1; k < n; k++)
		sr_build_send(b, k, 1, out, 0, count);
}

enum sr_status sr_all_reduce_linear(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	sr_build_begin(&b, call, arena);
	if (call->member == 0) {
		build_root(&b, call->n, call->count);
	} else {
		sr_build_send(&b, 0, 0, sr_build_in(&b), 0, call->count);
		sr_build_round(&b);
		sr_build_recv(&b, 0, 1, sr_build_out(&b), 0, call->count);
	}
	return sr_build_end(&b, out);
}
