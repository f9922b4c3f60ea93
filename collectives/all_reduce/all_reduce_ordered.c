/* All-reduce, ordered: block k goes from everybody to member k, which folds the contributions and sends the
 * result to everybody.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005 (the
 * reduce-scatter and all-gather of long messages), with direct exchanges in both halves. Requires nothing.
 * Bytes: 2r(n-1)/n per member. Blocks are cut into s segments that follow each other through three stages (contributions, fold,
 * results), so there are s + 2 rounds (of more than 33 members each in bursts), and scratch is two times n segments, 8 MB at most up to 4096
 * members, whatever r is.
 * Order: the tree over member index for every element, in the accumulator, rounded once: the result does not depend on the size, on
 * the segments or on who owns the element.
 *
 * n = 5, member 2, segment j of block k is kj:
 *	round 0   20 <- 0, 1, 3, 4   k0 -> k
 *	round 1   21 <- ...  k1 -> k   fold 20
 *	round 2   22 <- ...  k2 -> k   fold 21   20 -> 0, 1, 3, 4   k0 <- k          and so on */
#include "collectives/algorithms.h"

enum { SEGMENT_BYTES = 128 << 10 };

struct plan {
	struct sr_schedule_builder *b;
	struct sr_area slots[2]; /* n segments each; segment of member k at k * segment */
	int64_t segment, segments;
};

/* Elements of segment j of block k: from *start, returns how many. */
static int64_t piece(const struct plan *p, int k, int64_t j, int64_t *start)
{
	const struct sr_coll_call *call = p->b->call;
	int64_t size = sr_block_size(call->count, call->n, k) - j * p->segment;
	*start = sr_block_start(call->count, call->n, k) + j * p->segment;
	return j < 0 || size <= 0 ? 0 : size < p->segment ? size : p->segment;
}

/* Contributions at distances from `first` on: segment j of my block from everybody, of the others' blocks to them. */
static void build_contributions(struct plan *p, int64_t j, int first, int end)
{
	int n = p->b->call->n, me = p->b->call->me;
	struct sr_area in = sr_build_in(p->b);
	int64_t start, mine = piece(p, me, j, &start);
	sr_build_copy(p->b, p->slots[j & 1], me * p->segment, in, start, first == 1 ? mine : 0);
	for (int s = first; s < end; s++) {
		int from = sr_wrap(me - s, n);
		sr_build_recv(p->b, from, 0, p->slots[j & 1], from * p->segment, mine);
	}
	for (int s = first; s < end; s++) {
		int to = sr_wrap(me + s, n);
		int64_t size = piece(p, to, j, &start);
		sr_build_send(p->b, to, 0, in, start, size);
	}
}

/* Results likewise: segment j of my block to everybody, of the others' blocks from them. */
static void build_results(struct plan *p, int64_t j, int first, int end)
{
	int n = p->b->call->n, me = p->b->call->me;
	struct sr_area out = sr_build_out(p->b);
	int64_t start, size;
	for (int s = first; s < end; s++) {
		int from = sr_wrap(me - s, n);
		size = piece(p, from, j, &start);
		sr_build_recv(p->b, from, 1, out, start, size);
	}
	size = piece(p, me, j, &start);
	for (int s = first; s < end; s++)
		sr_build_send(p->b, sr_wrap(me + s, n), 1, out, start, size);
}

enum sr_status sr_all_reduce_ordered(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	struct plan p = {.b = &b};
	int64_t longest = sr_block_size(call->count, call->n, 0), most = sr_pipeline_segment(SEGMENT_BYTES, call->n, call->type);
	sr_build_begin(&b, call, arena);
	p.segment = longest < most ? longest : most;
	p.segments = (longest + p.segment - 1) / p.segment;
	for (int i = 0; i < 2; i++)
		p.slots[i] = sr_build_scratch(&b, call->type, i < p.segments ? call->n * p.segment : 0);
	for (int64_t j = 0; j < p.segments + 2; j++) {
		int64_t start, mine = piece(&p, call->me, j - 1, &start);
		sr_build_fold(&b, sr_build_out(&b), start, p.slots[(j - 1) & 1], 0, p.segment, call->n, mine);
		for (int first = 1, end; first < call->n; first = end) {
			end = sr_burst_end(first, call->n);
			if (j < p.segments)
				build_contributions(&p, j, first, end);
			if (j >= 2)
				build_results(&p, j - 2, first, end);
			sr_build_round(&b);
		}
	}
	return sr_build_end(&b, out);
}
