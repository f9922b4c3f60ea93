/* Reduce-scatter in two levels: for a member of another node a node sums what it can by itself, and sends it.
 *
 * Source: the definition, over shared memory within nodes. Requires members on several nodes. With p parts on a node (hierarchy.h; 1
 * in 4 + 4) of m members, p r bytes go out of it for each of the n - m members elsewhere, for a result of r bytes. The members
 * take turns at summing for others. Blocks are cut into segments, so scratch does not grow with r; two meetings.
 * Order: the tree over member index, the bits of all_reduce's "ordered".
 *
 * n = 5, nodes {0 1 2} {3 4}, member 3 (k3 is block 3 of member k):   everybody here; 30 + 40 -> 0 and 32 + 42 -> 2 as their
 * parts 3, 4;
 *	03 + 13, 23 <- 0; out = ((03 + 13) + (23 + 33)) + 43; everybody here */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

enum { SEGMENT_BYTES = 2 << 20, LEAST_SEGMENT = 4096 /* elements */ };

struct blocks {
	struct sr_schedule_builder *b;
	const struct sr_hierarchy *l;
	struct sr_area sums, given; /* of all parts of my block; of my node's for another's */
	int64_t block, most;        /* elements of a member's block; of a segment: the stride in both areas */
};

/* The sums of my node's parts of a member's block: each at its part's place, or one behind the other. */
static void fold_parts(struct blocks *s, struct sr_area to, bool close, int member, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	for (int p = 0, own = 0; p < l->n_parts; p++)
		if (l->parts[p].node == l->mine)
			sr_build_fold_range(s->b, to, (close ? own++ : p) * s->most, sr_build_in(s->b), member * s->block + at,
					    count, l->parts[p].first, l->parts[p].n);
}

/* Is the member the one of its node that sums for `other`, of another node? */
static bool works_for(const struct sr_hierarchy *l, int member, int other)
{
	int node = l->call->node[member];
	return l->call->node[other] != node && sr_hierarchy_worker(l, node, l->local[other]) == member;
}

/* To whom I work for on a node: the sums of my node's parts of each one's block. */
static void send_sums(struct blocks *s, int node, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	int64_t bytes = l->most_parts * s->most * sr_dtype_bytes(s->given.type);
	struct sr_area given = s->given;
	for (int k = 0; k < l->call->n; k++) {
		if (!works_for(l, l->call->me, k))
			continue;
		for (int p = 0, own = 0; l->call->node[k] == node && p < l->n_parts; p++)
			if (l->parts[p].node == l->mine)
				sr_build_send(s->b, k, p, given, own++ * s->most, count);
		given.offset += bytes;
	}
}

/* The sums of my node's parts for whom I work, each at a place of its own, then messages node by node. */
static void build_segment(struct blocks *s, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	int me = l->call->me;
	struct sr_area given = s->given;
	for (int k = 0; k < l->call->n; k++)
		if (works_for(l, me, k)) {
			fold_parts(s, given, true, k, at, count);
			given.offset += l->most_parts * s->most * sr_dtype_bytes(given.type);
		}
	fold_parts(s, s->sums, false, me, at, count);
	sr_build_round(s->b);
	for (int d = 1; d < l->n_nodes; d++) {
		int from = sr_wrap(l->mine - d, l->n_nodes);
		for (int p = 0; p < l->n_parts; p++)
			if (l->parts[p].node == from)
				sr_build_recv(s->b, sr_hierarchy_worker(l, from, l->local[me]), p, s->sums, p * s->most, count);
		send_sums(s, sr_wrap(l->mine + d, l->n_nodes), count);
		sr_hierarchy_end_burst(s->b, l, d, l->most_parts * l->most);
	}
	sr_hierarchy_combine(s->b, l, sr_build_out(s->b), at, s->sums, s->most, count);
}

/* Of my input others of my node read what they sum; of the rest nothing. */
static void count_reading(struct blocks *s)
{
	const struct sr_hierarchy *l = s->l;
	for (int k = 0; k < l->call->n; k++)
		if (l->call->node[k] == l->mine ? k != l->call->me : !works_for(l, l->call->me, k))
			sr_build_count_read_bytes(s->b, 1, s->block);
}

enum sr_status sr_reduce_scatter_hierarchical(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	struct sr_hierarchy l;
	struct blocks s = {.b = &b, .l = &l, .block = call->count / call->n};
	if (!sr_hierarchy_find(call, arena, &l))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	enum sr_dtype carried = sr_accumulator(call->type, call->monoid);
	int others = 0;
	for (int k = 0; k < call->n; k++)
		others += works_for(&l, call->me, k);
	/* the same on all members: by the most that one may work for */
	int64_t limit = SEGMENT_BYTES / sr_dtype_bytes(carried) / call->n;
	limit = limit > LEAST_SEGMENT ? limit : LEAST_SEGMENT;
	s.most = s.block < limit ? s.block : limit;
	s.sums = sr_build_scratch(&b, carried, l.n_parts * s.most);
	s.given = sr_build_scratch(&b, carried, others * l.most_parts * s.most);
	b.shared[SR_IN] = true;
	sr_build_rendezvous(&b, 1);
	for (int64_t at = 0; at < s.block; at += s.most)
		build_segment(&s, at, s.block - at < s.most ? s.block - at : s.most);
	sr_build_rendezvous(&b, 2);
	count_reading(&s);
	return sr_build_end(&b, result);
}
