/* Reduce-scatter, direct: every member sends every block to its owner, which reduces the contributions.
 *
 * Source: the definition. No precondition. r(n-1) bytes per member for a result of r bytes. Blocks are divided into s pipeline
 * segments; one is reduced while the next is exchanged: s + 1 rounds, scratch 2n segments, independent of r. Order: the tree over
 * member index in the accumulator, rounded once; the bits of all_reduce's "ordered".
 *
 * n = 5, member 2 (k2 is block 2 of member k): 02 12 32 42 <- 0, 1, 3, 4 20 -> 0 21 -> 1 23 -> 3 24 -> 4
 *	out = ((02 + 12) + (22 + 32)) + 42 */
#include "collectives/algorithms.h"

enum { SEGMENT_BYTES = 128 << 10 };

enum sr_status sr_reduce_scatter_direct(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t block = call->count / n, limit = sr_pipeline_segment(SEGMENT_BYTES, n, call->type), segment = block < limit ? block : limit;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), slots[2];
	for (int i = 0; i < 2; i++)
		slots[i] = sr_build_scratch(&b, call->type, i == 0 || block > segment ? n * segment : 0);
	for (int64_t j = 0, at = 0, previous_size = 0; at < block || previous_size > 0; j++) {
		int64_t size = block - at < segment ? block - at : segment;
		sr_build_copy(&b, slots[j & 1], me * segment, in, me * block + at, size);
		sr_build_fold(&b, sr_build_out(&b), at - previous_size, slots[(j + 1) & 1], 0, segment, n, previous_size);
		for (int first = 1, end; first < n; first = end) {
			end = sr_burst_end(first, n);
			for (int s = first; s < end; s++)
				sr_build_recv(&b, sr_wrap(me - s, n), 0, slots[j & 1], sr_wrap(me - s, n) * segment, size);
			for (int s = first; s < end; s++)
				sr_build_send(&b, sr_wrap(me + s, n), 0, in, sr_wrap(me + s, n) * block + at, size);
			sr_build_round(&b);
		}
		at += size;
		previous_size = size;
	}
	return sr_build_end(&b, out);
}
