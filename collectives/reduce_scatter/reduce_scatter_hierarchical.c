/* Reduce-scatter, hierarchical: for each member of another node, a node reduces its subtrees of that member's block and sends the
 * partial results.
 *
 * Source: the definition, over shared memory within nodes. Requires members on several nodes. With p subtrees (hierarchy.h) on a
 * node of m members, the node sends p r bytes for each of the n - m members elsewhere, for a result of r bytes. The members of a
 * node take turns at reducing for others. Blocks are divided into pipeline segments, so scratch does not grow with r; two
 * rendezvous. Order: the tree over member index, the bits of all_reduce's "ordered".
 *
 * n = 5, nodes {0 1 2} {3 4}, member 3 (k3 is block 3 of member k; its node's subtrees are 3 and 4):
 *	rendezvous on the node; 30, 40 -> 0 and 32, 42 -> 2; 03 + 13, 23 <- 0; out = ((03 + 13) + (23 + 33)) + 43; rendezvous */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

enum { SEGMENT_BYTES = 2 << 20, MIN_SEGMENT_ELEMENTS = 4096 /* fewest elements in a pipelined segment */ };

struct blocks {
	struct sr_schedule_builder *b;
	const struct sr_hierarchy *l;
	/* partial results: of all subtrees for this member's block; of this node's subtrees for the blocks of others */
	struct sr_area sums, outgoing;
	int64_t block, segment;        /* elements of a member's block; of a pipeline segment, which is the stride in both areas */
};

/* Append the reductions of a member's block over each of this node's subtrees. Packed partial results are written one after
 * another; otherwise each is written at the index of its subtree. */
static void fold_subtrees(struct blocks *s, struct sr_area dst, bool is_packed, int member, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	for (int p = 0, subtree_index = 0; p < l->n_subtrees; p++)
		if (l->subtrees[p].node == l->my_node)
			sr_build_fold_range(s->b, dst, (is_packed ? subtree_index++ : p) * s->segment, sr_build_in(s->b),
					    member * s->block + at, count, l->subtrees[p].first, l->subtrees[p].n);
}

/* Return true if `member` is the member of its node that reduces for `block`, which is on another node. */
static bool reduces_for(const struct sr_hierarchy *l, int member, int block)
{
	int node = l->call->node[member];
	return l->call->node[block] != node && sr_hierarchy_worker(l, node, l->local_index[block]) == member;
}

/* Append messages of this node's partial results to the members of `node` for which this member reduces. */
static void send_sums(struct blocks *s, int node, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	int64_t bytes = l->max_subtrees * s->segment * sr_dtype_bytes(s->outgoing.type);
	struct sr_area outgoing = s->outgoing;
	for (int k = 0; k < l->call->n; k++) {
		if (!reduces_for(l, l->call->member, k))
			continue;
		for (int p = 0, local = 0; l->call->node[k] == node && p < l->n_subtrees; p++)
			if (l->subtrees[p].node == l->my_node)
				sr_build_send(s->b, k, p, outgoing, local++ * s->segment, count);
		outgoing.offset += bytes;
	}
}

/* Append one pipeline segment: the partial results of this member's block and of the blocks it reduces for other nodes, then
 * the messages, node by node. */
static void build_segment(struct blocks *s, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	int me = l->call->member;
	struct sr_area outgoing = s->outgoing;
	for (int k = 0; k < l->call->n; k++)
		if (reduces_for(l, me, k)) {
			fold_subtrees(s, outgoing, true, k, at, count);
			outgoing.offset += l->max_subtrees * s->segment * sr_dtype_bytes(outgoing.type);
		}
	fold_subtrees(s, s->sums, false, me, at, count);
	sr_build_round(s->b);
	for (int d = 1; d < l->n_nodes; d++) {
		int source_node = sr_wrap(l->my_node - d, l->n_nodes);
		for (int p = 0; p < l->n_subtrees; p++)
			if (l->subtrees[p].node == source_node)
				sr_build_recv(s->b, sr_hierarchy_worker(l, source_node, l->local_index[me]), p, s->sums,
					      p * s->segment, count);
		send_sums(s, sr_wrap(l->my_node + d, l->n_nodes), count);
		sr_hierarchy_end_burst(s->b, l, d, l->max_subtrees * l->max_members);
	}
	sr_hierarchy_combine(s->b, l, sr_build_out(s->b), at, s->sums, s->segment, count);
}

/* Add to sent_bytes the bytes of this member's input that other members of its node read. */
static void count_reading(struct blocks *s)
{
	const struct sr_hierarchy *l = s->l;
	for (int k = 0; k < l->call->n; k++)
		if (l->call->node[k] == l->my_node ? k != l->call->member : !reduces_for(l, l->call->member, k))
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
	enum sr_dtype partial_type = sr_accumulator(call->type, call->monoid);
	int n_blocks = 0;
	for (int k = 0; k < call->n; k++)
		n_blocks += reduces_for(&l, call->member, k);
	/* pipeline segment, equal on all members: computed from the largest number of members that one member may reduce for */
	int64_t limit = SEGMENT_BYTES / sr_dtype_bytes(partial_type) / call->n;
	limit = limit > MIN_SEGMENT_ELEMENTS ? limit : MIN_SEGMENT_ELEMENTS;
	s.segment = s.block < limit ? s.block : limit;
	s.sums = sr_build_scratch(&b, partial_type, l.n_subtrees * s.segment);
	s.outgoing = sr_build_scratch(&b, partial_type, n_blocks * l.max_subtrees * s.segment);
	b.shared[SR_IN] = true;
	sr_build_rendezvous(&b, 1);
	for (int64_t at = 0; at < s.block; at += s.segment)
		build_segment(&s, at, s.block - at < s.segment ? s.block - at : s.segment);
	sr_build_rendezvous(&b, 2);
	count_reading(&s);
	return sr_build_end(&b, result);
}
