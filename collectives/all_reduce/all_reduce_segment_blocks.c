/* All-reduce in shared memory, by blocks: member k reduces block k of all inputs, then every member reads the others' blocks.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005
 * (reduce-scatter and all-gather for long messages), over shared memory. Requires all members on one node. Three rendezvous,
 * 2r(n-1)/n bytes of each member are read for a result of r bytes, no scratch. For long messages. In place a member writes only its
 * own block, which no other member reads. Order: the tree over member index, the same bits as "ordered".
 *
 * n = 5, member 2 (k2 is block 2 of member k):
 *	rendezvous; out2 = ((02 + 12) + (22 + 32)) + 42; rendezvous; out3 out4 out0 out1 are read; rendezvous */
#include "collectives/algorithms.h"

enum sr_status sr_all_reduce_segment_blocks(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t count = call->count, own_start = sr_block_start(count, n, me);
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	b.shared[SR_IN] = b.shared[SR_OUT] = true;
	sr_build_rendezvous(&b, 1);
	sr_build_fold_members(&b, out, own_start, in, own_start, sr_block_size(count, n, me));
	sr_build_rendezvous(&b, 2);
	for (int s = 1; s < n; s++) {
		int k = sr_wrap(me + s, n);
		sr_build_read(&b, out, sr_block_start(count, n, k), k, out, sr_block_start(count, n, k), sr_block_size(count, n,
														       k));
	}
	sr_build_rendezvous(&b, 3);
	/* each of the other n - 1 members reads this member's block of the result */
	sr_build_count_read_bytes(&b, n - 1, sr_block_size(count, n, me));
	/* the other members also read this member's input, each the range of its own block */
	sr_build_count_read_bytes(&b, 1, count - sr_block_size(count, n, me));
	return sr_build_end(&b, result);
}
