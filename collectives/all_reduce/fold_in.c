/* Reduction to a power of two of members: r = n - power members send their input to a neighbour before the algorithm and receive
 * the result from it afterwards.
 *
 * Source: Rabenseifner, Träff, "More efficient reduction algorithms for non-power-of-two number of processors", EuroPVM/MPI 2004
 * (the simple scheme). n = 5, power 4, r = 1: member 0 sends to 1; participants 0 1 2 3 are members 1 2 3 4. n = 7: 0, 2, 4 send
 * to 1, 3, 5; participants are members 1 3 5 6. The left neighbour's contribution is the left operand. Afterwards `work` holds
 * this member's (converted) input, reduced with the neighbour's if there is one. */
#include "collectives/algorithms.h"

enum { RETURN_TAG = 1000 }; /* message tag of the returned result, larger than the tag of any other step */

struct sr_fold_in sr_phase_fold_in(struct sr_schedule_builder *b, struct sr_area work, struct sr_area received)
{
	int n = b->call->n, me = b->call->member, power = sr_power_below(n);
	int64_t count = b->call->count;
	struct sr_fold_in f = {.power = power, .extra = n - power};
	f.rank = me >= 2 * f.extra ? me - f.extra : me % 2 ? me / 2 : -1;
	if (f.rank < 0) {
		sr_build_send(b, me + 1, 0, sr_build_in(b), 0, count);
		sr_build_round(b);
		return f;
	}
	sr_build_copy(b, work, 0, sr_build_in(b), 0, count);
	if (me < 2 * f.extra) {
		received.type = b->call->type;
		sr_build_recv(b, me - 1, 0, received, 0, count);
		sr_build_round(b);
		sr_build_reduce(b, work, 0, received, 0, count, true);
	}
	sr_build_round(b);
	return f;
}

void sr_phase_fold_out(struct sr_schedule_builder *b, struct sr_fold_in f)
{
	int me = b->call->member;
	if (me >= 2 * f.extra)
		return;
	if (f.rank < 0)
		sr_build_recv(b, me + 1, RETURN_TAG, sr_build_out(b), 0, b->call->count);
	else
		sr_build_send(b, me - 1, RETURN_TAG, sr_build_out(b), 0, b->call->count);
	sr_build_round(b);
}

int sr_fold_in_member(struct sr_fold_in f, int rank)
{
	return rank < f.extra ? 2 * rank + 1 : rank + f.extra;
}
