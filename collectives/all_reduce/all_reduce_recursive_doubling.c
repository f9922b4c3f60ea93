/* All-reduce, recursive doubling: exchange partial results with the neighbouring group of 1, 2, 4, ... members.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005. If n is
 * no power of two the last group is smaller, and each of its members sends to several members of the full group. No precondition.
 * ceil(log2 n) exchanges, r log2 n bytes per member for a result of r bytes (more in a small group), twice that for narrow floats,
 * whose partial results are f32. Scratch r (narrow floats 4r). For short messages. Order: the tree over member index, the same bits
 * as "ordered".
 *
 * n = 5 (01 stands for x0 + x1):
 *	member   0       1       2       3       4
 *	d = 1    01      01      23      23      4
 *	d = 2    0123    0123    0123    0123    4
 *	d = 4    all     all     all     all     all      4 sends to 0, 1, 2, 3; 0 sends to 4 */
#include "collectives/algorithms.h"

/* Append the exchange with the neighbouring group of d members, if it exists. */
static void build_exchange(struct sr_schedule_builder *b, struct sr_area work, struct sr_area received, int64_t d, int step)
{
	int64_t me = b->call->member, lower_group = me / (2 * d) * (2 * d), upper_group = lower_group + d, i = me % d,
		count = b->call->count;
	int64_t upper_size = b->call->n - upper_group < d ? b->call->n - upper_group : d;
	bool is_in_upper_group = me >= upper_group;
	if (upper_size <= 0)
		return;
	sr_build_recv(b, (int)(is_in_upper_group ? lower_group + i : upper_group + i % upper_size), step, received, 0, count);
	if (!is_in_upper_group && i < upper_size)
		sr_build_send(b, (int)(upper_group + i), step, work, 0, count);
	for (int64_t to = lower_group + i, n_sent = 1; is_in_upper_group && to < upper_group; to += upper_size, n_sent++) {
		sr_build_send(b, (int)to, step, work, 0, count);
		if (n_sent % SR_BURST == 0) /* end the round after SR_BURST sends; each receiver's round has a single message */
			sr_build_round(b);
	}
	sr_build_round(b);
	sr_build_reduce(b, work, 0, received, 0, count, is_in_upper_group);
	sr_build_round(b);
}

enum sr_status sr_all_reduce_recursive_doubling(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int64_t count = call->count;
	int step = 1;
	sr_build_begin(&b, call, arena);
	struct sr_area work = sr_build_partials(&b, count), received = sr_build_scratch(&b, work.type, count);
	sr_build_copy(&b, work, 0, sr_build_in(&b), 0, count);
	sr_build_round(&b);
	for (int64_t d = 1; d < call->n; d *= 2, step++)
		build_exchange(&b, work, received, d, step);
	if (work.buffer != SR_OUT)
		sr_build_copy(&b, sr_build_out(&b), 0, work, 0, count);
	return sr_build_end(&b, out);
}
