/* All-reduce, recursive doubling: exchange the whole with a partner at distance 1, 2, 4, ...
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005.
 * Requires nothing; with n no power of two see fold_in.c (two more rounds of messages for some). log2 n exchanges of r bytes, r
 * log2 n bytes per member, twice that for narrow floats, whose partials are f32. Scratch r (narrow floats 4r). For short messages.
 * Order: a balanced tree over the ranks, the lower rank's partial on the left on both sides, so all have equal bits.
 *
 * n = 5, after handing in 0 to 1 (01 stands for x0 + x1):
 *	member   0     1        2        3        4
 *	start    -     01       2        3        4
 *	d = 1    -     012      012      34       34
 *	d = 2    -     01234    01234    01234    01234
 *	end      01234 from 1 */
#include "collectives/algorithms.h"

enum sr_status sr_all_reduce_recursive_doubling(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int64_t count = call->count;
	int step = 1;
	sr_build_begin(&b, call, arena);
	struct sr_area work = sr_build_work(&b, count), received = sr_build_scratch(&b, work.type, count);
	struct sr_fold_in f = sr_phase_fold_in(&b, work, received);
	for (int d = 1; f.rank >= 0 && d < f.power; d *= 2, step++) {
		int partner = f.rank ^ d, peer = sr_fold_in_member(f, partner);
		sr_build_recv(&b, peer, step, received, 0, count);
		sr_build_send(&b, peer, step, work, 0, count);
		sr_build_round(&b);
		sr_build_reduce(&b, work, 0, received, 0, count, partner < f.rank);
		sr_build_round(&b);
	}
	if (work.where != SR_OUT && f.rank >= 0)
		sr_build_copy(&b, sr_build_out(&b), 0, work, 0, count);
	sr_build_round(&b);
	sr_phase_fold_out(&b, f);
	return sr_build_end(&b, out);
}
