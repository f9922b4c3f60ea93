/* All-reduce, ordered: every member sends block k to member k, which reduces the contributions and sends the result to every
 * member.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005
 * (reduce-scatter and all-gather for long messages), with direct exchanges in both halves. No precondition. 2r(n-1)/n bytes per
 * member for a result of r bytes. Blocks are divided into s pipeline segments, which pass through three stages (contributions,
 * reduction, results), so there are s + 2 rounds (each split into bursts for more than 33 members). Scratch is 2n segments, at most
 * 8 MB up to 4096 members, independent of r. Order: the tree over member index for every element, in the accumulator, rounded once.
 * The result does not depend on the size, the segments, or the member that owns the element.
 *
 * n = 5, member 2; kj is segment j of block k:
 *	round 0   20 <- 0, 1, 3, 4   k0 -> k
 *	round 1   21 <- ...  k1 -> k   reduce 20
 *	round 2   22 <- ...  k2 -> k   reduce 21   20 -> 0, 1, 3, 4   k0 <- k          and so on */
#include "collectives/algorithms.h"

enum { SEGMENT_BYTES = 128 << 10 };

struct pipeline {
	struct sr_schedule_builder *b;
	struct sr_area slots[2]; /* two buffers of n segments each; the contribution of member k is at k * segment */
	int64_t segment, n_segments;
};

/* Return the size of segment j of block k, and its start; 0 if there is no such segment. */
static int64_t segment_of(const struct pipeline *p, int k, int64_t j, int64_t *start)
{
	const struct sr_coll_call *call = p->b->call;
	int64_t size = sr_block_size(call->count, call->n, k) - j * p->segment;
	*start = sr_block_start(call->count, call->n, k) + j * p->segment;
	return j < 0 || size <= 0 ? 0 : size < p->segment ? size : p->segment;
}

/* Append the exchange of contributions with partners at distances [first, end): receive segment j of this member's block from
 * each partner, and send each partner segment j of its block. */
static void build_contributions(struct pipeline *p, int64_t j, int first, int end)
{
	int n = p->b->call->n, me = p->b->call->member;
	struct sr_area in = sr_build_in(p->b);
	int64_t start, own_size = segment_of(p, me, j, &start);
	sr_build_copy(p->b, p->slots[j & 1], me * p->segment, in, start, first == 1 ? own_size : 0);
	for (int s = first; s < end; s++) {
		int source = sr_wrap(me - s, n);
		sr_build_recv(p->b, source, 0, p->slots[j & 1], source * p->segment, own_size);
	}
	for (int s = first; s < end; s++) {
		int to = sr_wrap(me + s, n);
		int64_t size = segment_of(p, to, j, &start);
		sr_build_send(p->b, to, 0, in, start, size);
	}
}

/* Append the exchange of results with partners at distances [first, end): send segment j of this member's block to each
 * partner, and receive segment j of each partner's block. */
static void build_results(struct pipeline *p, int64_t j, int first, int end)
{
	int n = p->b->call->n, me = p->b->call->member;
	struct sr_area out = sr_build_out(p->b);
	int64_t start, size;
	for (int s = first; s < end; s++) {
		int source = sr_wrap(me - s, n);
		size = segment_of(p, source, j, &start);
		sr_build_recv(p->b, source, 1, out, start, size);
	}
	size = segment_of(p, me, j, &start);
	for (int s = first; s < end; s++)
		sr_build_send(p->b, sr_wrap(me + s, n), 1, out, start, size);
}

enum sr_status sr_all_reduce_ordered(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	struct pipeline p = {.b = &b};
	int64_t longest = sr_block_size(call->count, call->n, 0), limit = sr_pipeline_segment(SEGMENT_BYTES, call->n, call->type);
	sr_build_begin(&b, call, arena);
	p.segment = longest < limit ? longest : limit;
	p.n_segments = (longest + p.segment - 1) / p.segment;
	for (int i = 0; i < 2; i++)
		p.slots[i] = sr_build_scratch(&b, call->type, i < p.n_segments ? call->n * p.segment : 0);
	for (int64_t j = 0; j < p.n_segments + 2; j++) {
		int64_t start, own_size = segment_of(&p, call->member, j - 1, &start);
		sr_build_fold(&b, sr_build_out(&b), start, p.slots[(j - 1) & 1], 0, p.segment, call->n, own_size);
		for (int first = 1, end; first < call->n; first = end) {
			end = sr_burst_end(first, call->n);
			if (j < p.n_segments)
				build_contributions(&p, j, first, end);
			if (j >= 2)
				build_results(&p, j - 2, first, end);
			sr_build_round(&b);
		}
	}
	return sr_build_end(&b, out);
}
