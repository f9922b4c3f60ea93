/* Declarations of the builders listed in algorithms.def, and of the phases that several algorithms share. */
#ifndef SR_COLLECTIVES_ALGORITHMS_H
#define SR_COLLECTIVES_ALGORITHMS_H

#include "collectives/builder.h"

#define ALGORITHM(coll, name, in_place, order, builder, precondition, doc, source) \
	enum sr_status builder(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out);
#include "collectives/algorithms.def"

/* Append a ring all-gather on the output: n - 1 rounds, each sending one block to the right neighbour. The output consists of n
 * blocks of `count` elements in total (sr_block_start). On entry the member with index me holds block (me + shift) mod n. Message
 * tags start at `tag`. Defined in all_gather/all_gather_ring.c. */
void sr_phase_gather_ring(struct sr_schedule_builder *b, int64_t count, int shift, int tag);

/* Reduce the number of participating members to the largest power of two `power` <= n, as all_reduce_rabenseifner.c needs it.
 * With r = n - power, members 0, 2, .. 2r-2 send their input to the member on their right and then stay idle until
 * sr_phase_fold_out. `rank` numbers the `power` participants from 0; it is -1 on an idle member. Defined in
 * all_reduce/fold_in.c. */
struct sr_fold_in {
	int power, extra, rank;
};
struct sr_fold_in sr_phase_fold_in(struct sr_schedule_builder *b, struct sr_area work, struct sr_area received);
void sr_phase_fold_out(struct sr_schedule_builder *b, struct sr_fold_in f);
int sr_fold_in_member(struct sr_fold_in f, int rank); /* Return the member index of participant `rank`. */

#endif
