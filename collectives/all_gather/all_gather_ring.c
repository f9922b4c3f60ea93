/* All-gather, ring: in each round every member forwards a block to its right neighbour.
 *
 * Source: Chan, Heimlich, Purkayastha, van de Geijn, "Collective communication: theory, practice, and experience", 2007. No
 * precondition. n - 1 rounds, one message each way, r(n-1)/n bytes per member for a result of r bytes; no scratch. Only neighbours
 * communicate. For long messages, and for networks where neighbours are close.
 *
 * n = 5, what member 2 sends to 3 and receives from 1, round by round:
 *	sends     b2  b1  b0  b4
 *	receives  b1  b0  b4  b3 */
#include "collectives/algorithms.h"

void sr_phase_gather_ring(struct sr_schedule_builder *b, int64_t count, int shift, int tag)
{
	int n = b->call->n, me = b->call->member;
	struct sr_area out = sr_build_out(b);
	for (int s = 0; s < n - 1; s++) {
		int sent_block = sr_wrap(sr_wrap(me + shift, n) - s, n), received_block = sr_wrap(sent_block - 1, n);
		sr_build_recv(b, sr_wrap(me - 1, n), tag + s, out, sr_block_start(count, n, received_block),
			      sr_block_size(count, n, received_block));
		sr_build_send(b, sr_wrap(me + 1, n), tag + s, out, sr_block_start(count, n, sent_block),
			      sr_block_size(count, n, sent_block));
		sr_build_round(b);
	}
}

enum sr_status sr_all_gather_ring(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	sr_build_begin(&b, call, arena);
	sr_build_copy(&b, sr_build_out(&b), call->member * call->count, sr_build_in(&b), 0, call->count);
	sr_build_round(&b);
	sr_phase_gather_ring(&b, call->n * call->count, 0, 0);
	return sr_build_end(&b, out);
}
