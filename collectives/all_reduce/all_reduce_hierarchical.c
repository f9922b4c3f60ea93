/* All-reduce in two levels: the members of a node sum what they can by themselves, slice by slice; the owners of a slice on all
 * nodes exchange these sums and put them together, block by block; then the members of a node read the slices of its owners.
 *
 * Source: Rabenseifner's reduce-scatter and all-gather (ICCS 2004) between nodes, all_reduce_segment_blocks.c within them. Requires members
 * on several nodes. With p parts on a node (hierarchy.h; 1 in 4 + 4) and N nodes, out of a node go (p + 1) r (N - 1) / N bytes.
 * Slices are cut into segments, so scratch does not grow with r: four rounds of messages a segment, two meetings. A short one is a
 * single slice, and the owners exchange their sums whole: one round of messages, p r (N - 1) bytes.
 * Order: the tree over member index, the same bits as "ordered".
 *
 * n = 5, nodes {0 1 2} {3 4}, slices a b c, owners 0 3, 1 4, 2 3; parts 01, 2 | 3, 4: member 1, blocks b0 b1 of slice b:
 *	everybody here; b of 01, b of 2 folded; b1 of both -> 4; b0 of 3, 4 <- 4; b0 = ((0 + 1) + (2 + 3)) + 4; b0 -> 4, b1 <- 4; everybody
 *	here; a read of 0, c of 2; everybody here */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

/* SHORT: bytes to other nodes for which a second round of messages is dearer. */
enum { SEGMENT_BYTES = 256 << 10, SHORT_BYTES = 8 << 10 };

struct slices {
	struct sr_schedule_builder *b;
	const struct sr_hierarchy *l;
	int n;                /* slices: as many as the largest node has members */
	struct sr_area sums;  /* of all parts */
	int64_t most;         /* elements of a segment: the stride in sums */
	bool is_short;        /* every node puts all of a slice together itself */
};

/* Block a, the a-th node's (where it is short all of them are the whole), of `count` elements from `start`. */
static int64_t block(const struct slices *s, int64_t count, int a, int64_t *start)
{
	*start = 0;
	if (s->is_short)
		return count;
	*start = sr_block_start(count, s->l->n_nodes, a);
	return sr_block_size(count, s->l->n_nodes, a);
}

/* The sums of my node's parts to the blocks' owners, and theirs of mine. */
static void exchange_sums(struct slices *s, int slice, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	int64_t mine, theirs, size = block(s, count, l->mine, &mine);
	for (int d = 1; d < l->n_nodes; d++) {
		int from = sr_wrap(l->mine - d, l->n_nodes), to = sr_wrap(l->mine + d, l->n_nodes);
		for (int p = 0; p < l->n_parts; p++)
			if (l->parts[p].node == from)
				sr_build_recv(s->b, sr_hierarchy_worker(l, from, slice), p, s->sums, p * s->most + mine, size);
		int64_t n = block(s, count, to, &theirs);
		for (int p = 0; p < l->n_parts; p++)
			if (l->parts[p].node == l->mine)
				sr_build_send(s->b, sr_hierarchy_worker(l, to, slice), p, s->sums, p * s->most + theirs, n);
		sr_hierarchy_end_burst(s->b, l, d, l->most_parts);
	}
	sr_build_round(s->b);
}

/* My block of the result to the other owners, and theirs to me. */
static void exchange_blocks(struct slices *s, int slice, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	struct sr_area out = sr_build_out(s->b);
	int64_t mine, theirs, size = block(s, count, l->mine, &mine);
	for (int d = 1; d < l->n_nodes; d++) {
		int from = sr_wrap(l->mine - d, l->n_nodes), to = sr_wrap(l->mine + d, l->n_nodes);
		int64_t n = block(s, count, from, &theirs);
		sr_build_recv(s->b, sr_hierarchy_worker(l, from, slice), l->call->n, out, at + theirs, n);
		sr_build_send(s->b, sr_hierarchy_worker(l, to, slice), l->call->n, out, at + mine, size);
		sr_hierarchy_end_burst(s->b, l, d, 1);
	}
	sr_build_round(s->b);
}

static void build_segment(struct slices *s, int slice, int64_t at, int64_t count)
{
	const struct sr_hierarchy *l = s->l;
	struct sr_area sums = s->sums;
	int64_t mine, size = block(s, count, l->mine, &mine);
	for (int p = 0; p < l->n_parts; p++)
		if (l->parts[p].node == l->mine)
			sr_build_fold_range(s->b, sums, p * s->most, sr_build_in(s->b), at, count, l->parts[p].first,
					    l->parts[p].n);
	sr_build_round(s->b);
	exchange_sums(s, slice, count);
	sums.offset += mine * sr_dtype_bytes(sums.type);
	sr_hierarchy_combine(s->b, l, sr_build_out(s->b), at + mine, sums, s->most, size);
	if (!s->is_short)
		exchange_blocks(s, slice, at, count);
}

/* Elements of my slices, and of my node's members' inputs that others read in theirs. */
static void count_reading(struct slices *s)
{
	const struct sr_hierarchy *l = s->l;
	int64_t owned = 0, whole = l->call->count;
	for (int k = 0; k < s->n; k++)
		if (sr_hierarchy_worker(l, l->mine, k) == l->call->me)
			owned += sr_block_size(whole, s->n, k);
	sr_build_count_read_bytes(s->b, 1, whole - owned);
	sr_build_count_read_bytes(s->b, l->count[l->mine] - 1, owned);
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
	s.n = s.is_short ? 1 : l.most;
	enum sr_dtype carried = sr_accumulator(call->type, call->monoid);
	int64_t longest = sr_block_size(call->count, s.n, 0), limit = sr_pipeline_segment(SEGMENT_BYTES, l.n_parts, carried);
	s.most = longest < limit ? longest : limit;
	s.sums = sr_build_scratch(&b, carried, l.n_parts * s.most);
	b.shared[SR_IN] = b.shared[SR_OUT] = true;
	sr_build_rendezvous(&b, 1);
	for (int k = 0; k < s.n; k++) {
		int64_t start = sr_block_start(call->count, s.n, k), size = sr_block_size(call->count, s.n, k);
		for (int64_t at = 0; sr_hierarchy_worker(&l, l.mine, k) == call->me && at < size; at += s.most)
			build_segment(&s, k, start + at, size - at < s.most ? size - at : s.most);
	}
	sr_build_rendezvous(&b, 2);
	for (int k = 0; k < s.n; k++) {
		int owner = sr_hierarchy_worker(&l, l.mine, k);
		int64_t start = sr_block_start(call->count, s.n, k);
		if (owner != call->me)
			sr_build_read(&b, sr_build_out(&b), start, owner, sr_build_out(&b), start, sr_block_size(call->count, s.n,
														 k));
	}
	sr_build_rendezvous(&b, 3);
	count_reading(&s);
	return sr_build_end(&b, result);
}
