/* All-reduce, hierarchical: the members of a node reduce their subtrees slice by slice; the owners of a slice, one
 * member on each node, exchange these partial results, and each owner combines one block of the slice; then all members read the
 * slices from their owners on the node.
 *
 * Source: Rabenseifner's reduce-scatter and all-gather (ICCS 2004) between nodes, all_reduce_segment_blocks.c within them. Requires
 * members on several nodes. With p subtrees on a node (hierarchy.h) and N nodes, a node sends (p + 1) r (N - 1) / N bytes for a
 * result of r bytes. Slices are divided into pipeline segments, so scratch does not grow with r: two rounds of messages per
 * segment, and three rendezvous. A short result is a single slice whose partial results are exchanged in full: one round of
 * messages, p r (N - 1) bytes. Order: the tree over member index, the same bits as "ordered".
 *
 * n = 5, nodes {0 1 2} {3 4}, slices a b c, owners 0 3, 1 4, 2 3; subtrees 01, 2 | 3, 4. Member 1, blocks b0 b1 of slice b:
 *	rendezvous on the node; b of 0+1 and b of 2 are reduced; b1 of both -> 4; b0 of 3, 4 <- 4; b0 = ((0 + 1) + (2 + 3)) + 4; b0 -> 4,
 *	b1 <- 4; rendezvous; a is read from 0, c from 2; rendezvous */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

/* SHORT_BYTES: up to this many bytes to other nodes a second round of messages costs more than it saves. */
enum { SEGMENT_BYTES = 256 << 10, SHORT_BYTES = 8 << 10 };

struct slices {
	struct sr_schedule_builder *b;
	const struct sr_hierarchy *l;
	int n;                /* number of slices: the largest number of members on a node */
	struct sr_area sums;  /* partial results of all subtrees, one slice after another */
	int64_t segment;         /* elements of a pipeline segment, and the distance in `sums` between partial results */
	bool is_short;        /* true if every node combines whole slices by itself, without a second exchange */
};

/* Return the size of the a-th node's block of a segment of `count` elements, and its start. If short, every block is the whole
 * segment. */
static int64_t node_block(const struct slices *s, int64_t count, int a, int64_t *start)
{
	*start = 0;
	if (s->is_short)
		return count;
	*start = sr_block_start(count, s->l->n_nodes, a);
	return sr_block_size(count, s->l->n_nodes, a);
}

/* Append messages that send this node's partial results to the owners of the other blocks, and that receive the owners' partial
 * results for this node's block. */
static void exchange_sums(struct slices *s, int slice, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	int64_t own_start, peer_start, size = node_block(s, count, l->my_node, &own_start);
	for (int d = 1; d < l->n_nodes; d++) {
		int source_node = sr_wrap(l->my_node - d, l->n_nodes), dest_node = sr_wrap(l->my_node + d, l->n_nodes);
		for (int p = 0; p < l->n_subtrees; p++)
			if (l->subtrees[p].node == source_node)
				sr_build_recv(s->b, sr_hierarchy_worker(l, source_node, slice), p, s->sums,
					      p * s->segment + own_start, size);
		int64_t n = node_block(s, count, dest_node, &peer_start);
		for (int p = 0; p < l->n_subtrees; p++)
			if (l->subtrees[p].node == l->my_node)
				sr_build_send(s->b, sr_hierarchy_worker(l, dest_node, slice), p, s->sums,
					      p * s->segment + peer_start, n);
		sr_hierarchy_end_burst(s->b, l, d, l->max_subtrees);
	}
	sr_build_round(s->b);
}

/* Append messages that send this node's block of the result to the other owners, and that receive their blocks. */
static void exchange_blocks(struct slices *s, int slice, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	struct sr_area out = sr_build_out(s->b);
	int64_t own_start, peer_start, size = node_block(s, count, l->my_node, &own_start);
	for (int d = 1; d < l->n_nodes; d++) {
		int source_node = sr_wrap(l->my_node - d, l->n_nodes), dest_node = sr_wrap(l->my_node + d, l->n_nodes);
		int64_t n = node_block(s, count, source_node, &peer_start);
		sr_build_recv(s->b, sr_hierarchy_worker(l, source_node, slice), l->call->n, out, at + peer_start, n);
		sr_build_send(s->b, sr_hierarchy_worker(l, dest_node, slice), l->call->n, out, at + own_start, size);
		sr_hierarchy_end_burst(s->b, l, d, 1);
	}
	sr_build_round(s->b);
}

static void build_segment(struct slices *s, int slice, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	struct sr_area sums = s->sums;
	int64_t own_start, size = node_block(s, count, l->my_node, &own_start);
	for (int p = 0; p < l->n_subtrees; p++)
		if (l->subtrees[p].node == l->my_node)
			sr_build_fold_range(s->b, sums, p * s->segment, sr_build_in(s->b), at, count, l->subtrees[p].first,
					    l->subtrees[p].n);
	sr_build_round(s->b);
	exchange_sums(s, slice, count);
	sums.offset += own_start * sr_dtype_bytes(sums.type);
	sr_hierarchy_combine(s->b, l, sr_build_out(s->b), at + own_start, sums, s->segment, size);
	if (!s->is_short)
		exchange_blocks(s, slice, at, count);
}

/* Count the bytes that other members of the node read from this member: the slices of the result that it owns, and the parts of its
 * input that belong to their slices. */
static void count_read_bytes(struct slices *s)
{
	const struct sr_hierarchy *l = s->l;
	int64_t owned_elements = 0, n_elements = l->call->count;
	for (int k = 0; k < s->n; k++)
		if (sr_hierarchy_worker(l, l->my_node, k) == l->call->member)
			owned_elements += sr_block_size(n_elements, s->n, k);
	sr_build_count_read_bytes(s->b, 1, n_elements - owned_elements);
	sr_build_count_read_bytes(s->b, l->count[l->my_node] - 1, owned_elements);
}

enum sr_status sr_all_reduce_hierarchical(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	struct sr_hierarchy l;
	struct slices s = {.b = &b, .l = &l, .n = 1};
	if (!sr_hierarchy_find(call, arena, &l))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	s.is_short = l.n_nodes > 1 && sr_coll_out_bytes(call) <= SHORT_BYTES / (l.n_nodes - 1);
	s.n = s.is_short ? 1 : l.max_members;
	enum sr_dtype partial_type = sr_accumulator(call->type, call->monoid);
	int64_t longest = sr_block_size(call->count, s.n, 0),
		limit = sr_pipeline_segment(SEGMENT_BYTES, l.n_subtrees, partial_type);
	s.segment = longest < limit ? longest : limit;
	s.sums = sr_build_scratch(&b, partial_type, l.n_subtrees * s.segment);
	b.shared[SR_IN] = b.shared[SR_OUT] = true;
	sr_build_rendezvous(&b, 1);
	for (int k = 0; k < s.n; k++) {
		int64_t start = sr_block_start(call->count, s.n, k), size = sr_block_size(call->count, s.n, k);
		for (int64_t at = 0; sr_hierarchy_worker(&l, l.my_node, k) == call->member && at < size; at += s.segment)
			build_segment(&s, k, start + at, size - at < s.segment ? size - at : s.segment);
	}
	sr_build_rendezvous(&b, 2);
	for (int k = 0; k < s.n; k++) {
		int owner = sr_hierarchy_worker(&l, l.my_node, k);
		int64_t start = sr_block_start(call->count, s.n, k);
		if (owner != call->member)
			sr_build_read(&b, sr_build_out(&b), start, owner, sr_build_out(&b), start, sr_block_size(call->count, s.n,
														 k));
	}
	sr_build_rendezvous(&b, 3);
	count_read_bytes(&s);
	return sr_build_end(&b, result);
}
