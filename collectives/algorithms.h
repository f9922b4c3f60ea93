/* The builders that algorithms.def names, and the phases that several of them share. */
#ifndef SR_COLLECTIVES_ALGORITHMS_H
#define SR_COLLECTIVES_ALGORITHMS_H

#include "collectives/builder.h"

#define ALGORITHM(coll, name, in_place, order, builder, precondition, doc, source) \
	enum sr_status builder(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out);
#include "collectives/algorithms.def"

/* All-gather on the output, by blocks (sr_block_start of `count`), in n - 1 rounds to the right neighbour; member me holds block
 * (me + shift) mod n when the phase begins. all_gather/all_gather_ring.c */
void sr_phase_gather_ring(struct sr_schedule_builder *b, int64_t count, int shift, int tag);

/* Members beyond the largest power of two join a neighbour: what all_reduce/all_reduce_rabenseifner.c does before and
 * after. With r = n - power, members 0, 2, .. 2r-2 hand their input to the right one and wait; rank is the place among the `power`
 * that stay, -1 for one that waits. all_reduce/fold_in.c */
struct sr_fold_in {
	int power, extra, rank;
};
struct sr_fold_in sr_phase_fold_in(struct sr_schedule_builder *b, struct sr_area work, struct sr_area received);
void sr_phase_fold_out(struct sr_schedule_builder *b, struct sr_fold_in f);
int sr_fold_in_member(struct sr_fold_in f, int rank); /* the member of a rank */

#endif
