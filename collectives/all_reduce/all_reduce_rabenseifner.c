/* All-reduce, Rabenseifner: recursive halving leaves one reduced block on every participant, recursive doubling gathers the blocks.
 *
 * Source: Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. Requires at least as many elements as
 * participants, else SR_NEXT. If n is no power of two, see fold_in.c (r more bytes for some members). 2 log2 p rounds of messages
 * for p participants, 2r(p-1)/p bytes per member for a result of r bytes; the halving phase sends f32 for narrow floats. Scratch r
 * (narrow floats 4r). For long messages among few members. Order: one participant computes a block, as a balanced tree over the
 * participants with the lower one's partial result on the left.
 *
 * n = 5: 0 sends its input to 1; participants 0..3 are members 1..4. Blocks reduced so far after each exchange, then blocks held:
 *	participant 0     1        2        3
 *	d = 2    ab       ab       cd       cd         of participants 0+2, 1+3, 0+2, 1+3
 *	d = 1    a        b        c        d          of all
 *	d = 1    ab       ab       cd       cd
 *	d = 2    abcd     abcd     abcd     abcd       and member 0 receives the result from 1 */
#include "collectives/algorithms.h"

/* Return the number of elements in blocks [low, high) of `count` elements divided into `power` blocks, and where they start. */
static int64_t block_span(int64_t count, int power, int low, int high, int64_t *start)
{
	*start = sr_block_start(count, power, low);
	return sr_block_start(count, power, high) - *start;
}

static int build_halving(struct sr_schedule_builder *b, struct sr_fold_in f, struct sr_area work, struct sr_area received, int step)
{
	int low = 0, high = f.power;
	for (int d = f.power / 2; d >= 1; d /= 2, step++) {
		int partner = f.rank ^ d, peer = sr_fold_in_member(f, partner), middle = low + d;
		bool is_upper = f.rank & d;
		int64_t kept_start, sent_start;
		int64_t sent_size = block_span(b->call->count, f.power, is_upper ? low : middle, is_upper ? middle : high,
					       &sent_start);
		*(is_upper ? &low : &high) = middle;
		int64_t kept_size = block_span(b->call->count, f.power, low, high, &kept_start);
		sr_build_recv(b, peer, step, received, 0, kept_size);
		sr_build_send(b, peer, step, work, sent_start, sent_size);
		sr_build_round(b);
		sr_build_reduce(b, work, kept_start, received, 0, kept_size, partner < f.rank);
		sr_build_round(b);
	}
	return step;
}

static int build_doubling(struct sr_schedule_builder *b, struct sr_fold_in f, int step)
{
	struct sr_area out = sr_build_out(b);
	for (int d = 1; d < f.power; d *= 2, step++) {
		int low = f.rank & ~(d - 1), peer_low = low ^ d, peer = sr_fold_in_member(f, f.rank ^ d);
		int64_t own_start, peer_start;
		int64_t own_size = block_span(b->call->count, f.power, low, low + d, &own_start);
		int64_t peer_size = block_span(b->call->count, f.power, peer_low, peer_low + d, &peer_start);
		sr_build_recv(b, peer, step, out, peer_start, peer_size);
		sr_build_send(b, peer, step, out, own_start, own_size);
		sr_build_round(b);
	}
	return step;
}

enum sr_status sr_all_reduce_rabenseifner(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int64_t count = call->count, own_start;
	if (count < sr_power_below(call->n))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area work = sr_build_partials(&b, count), received = sr_build_scratch(&b, work.type, count);
	struct sr_fold_in f = sr_phase_fold_in(&b, work, received);
	if (f.rank >= 0) {
		int step = build_halving(&b, f, work, received, 1);
		int64_t size = block_span(count, f.power, f.rank, f.rank + 1, &own_start);
		if (work.buffer != SR_OUT)
			sr_build_copy(&b, sr_build_out(&b), own_start, work, own_start, size);
		sr_build_round(&b);
		build_doubling(&b, f, step);
	}
	sr_phase_fold_out(&b, f);
	return sr_build_end(&b, out);
}
