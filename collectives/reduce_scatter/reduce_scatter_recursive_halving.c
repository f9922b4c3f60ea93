/* Reduce-scatter, recursive halving: exchange half of the remaining blocks with a partner at distance n/2, n/4, ..., 1.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005. Requires
 * n to be a power of two, else SR_NEXT. log2 n rounds of messages, r(n-1) bytes per member for a result of r bytes, twice that for
 * narrow floats, whose partial results are f32. Scratch 1.5nr (narrow floats 3nr), since the input is copied. Order: a balanced
 * tree over the members, the lower member's partial result on the left.
 *
 * n = 8, member 5 (blocks 0..7; after each exchange):
 *	d = 4   sends 0-3 to 1, holds 4-7 of 1, 5
 *	d = 2   sends 6-7 to 7, holds 4-5 of 1, 5, 3, 7
 *	d = 1   sends 4   to 4, holds 5   of all */
#include "collectives/algorithms.h"

enum sr_status sr_reduce_scatter_recursive_halving(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member, low = 0, step = 0;
	int64_t block = call->count / n;
	enum sr_dtype type = sr_accumulator(call->type, call->monoid);
	if (n != sr_power_below(n))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area work = sr_build_scratch(&b, type, call->count), received = sr_build_scratch(&b, type, n / 2 * block);
	sr_build_copy(&b, work, 0, sr_build_in(&b), 0, call->count);
	sr_build_round(&b);
	for (int d = n / 2; d >= 1; d /= 2, step++) {
		bool upper = me & d;
		int sent_block = upper ? low : low + d;
		low += upper ? d : 0;
		sr_build_recv(&b, me ^ d, step, received, 0, d * block);
		sr_build_send(&b, me ^ d, step, work, sent_block * block, d * block);
		sr_build_round(&b);
		sr_build_reduce(&b, work, low * block, received, 0, d * block, upper);
		sr_build_round(&b);
	}
	sr_build_copy(&b, sr_build_out(&b), 0, work, me * block, block);
	return sr_build_end(&b, out);
}
