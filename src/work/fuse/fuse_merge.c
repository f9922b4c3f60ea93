/* Merging: two nests over the same loops become one that has the results of both.
 *
 * The new loops are the consumer's, then the producer's loops without a counterpart (it reduces over them). Loops that either
 * side reduces over are inner loops, and so are loops that only one side has: the other side computes its values once for all
 * their iterations. */
#include "dialect/signature.h"
#include "support/vec.h"
#include "work/fuse/fuse.h"
#include <string.h>

struct pairing {
	struct sr_fusion f;
	int64_t *to;                 /* the producer's loops in terms of the consumer's loops */
	bool is_known[SR_NEST_MAX_LOOPS];   /* for each loop of the producer: true if it has a row in `to` */
	bool is_used[SR_NEST_MAX_LOOPS];    /* for each loop of the consumer: true if it is used in a row */
	int own[SR_NEST_MAX_LOOPS], n_own; /* loops of the producer without a counterpart */
	bool inner[SR_NEST_MAX_LOOPS];   /* for each new loop (the consumer's, then `own`): true if it is an inner loop */
	bool are_siblings;
};

static struct sr_fuse_side *producer(struct pairing *p)
{
	return &p->f.sides[SR_FUSE_PRODUCER];
}
static struct sr_fuse_side *consumer(struct pairing *p)
{
	return &p->f.sides[SR_FUSE_CONSUMER];
}

/* Return true if each row of `to` is one loop of the consumer, or several as digits, and no consumer loop is used twice. */
static bool is_one_to_one(struct pairing *p)
{
	const struct sr_work_nest *pt = &producer(p)->nest, *ct = &consumer(p)->nest;
	memset(p->is_used, 0, sizeof p->is_used);
	for (int l = 0; l < pt->n_loops; l++) {
		const int64_t *row = p->to + l * (ct->n_loops + 1);
		int64_t stride = 1, terms = 0;
		if (!p->is_known[l] || pt->loops[l] == 1)
			continue;
		for (int k = 0; k < ct->n_loops; k++) {
			terms += ct->loops[k] > 1 && row[k];
			if (ct->loops[k] > 1 && row[k] && p->is_used[k])
				return false;
		}
		for (int paired_loop = 0; paired_loop >= 0 && terms; terms -= paired_loop >= 0) {
			paired_loop = -1;
			for (int k = 0; k < ct->n_loops && paired_loop < 0; k++)
				if (ct->loops[k] > 1 && row[k] == stride && !p->is_used[k])
					paired_loop = k;
			if (paired_loop >= 0) {
				p->is_used[paired_loop] = true;
				stride *= ct->loops[paired_loop];
			}
		}
		if (terms || stride != pt->loops[l] || row[ct->n_loops])
			return false;
	}
	return true;
}

/* Pair the remaining loops one to one, in order, if their extents agree; if one side has none left, leave those of the other
 * side unpaired. */
static bool pair_remaining_loops(struct pairing *p)
{
	const struct sr_work_nest *pt = &producer(p)->nest, *ct = &consumer(p)->nest;
	int remaining_loops[SR_NEST_MAX_LOOPS], n_remaining = 0;
	for (int k = 0; k < ct->n_loops; k++)
		if (!p->is_used[k] && ct->loops[k] > 1)
			remaining_loops[n_remaining++] = k;
	p->n_own = 0;
	for (int l = 0; l < pt->n_loops; l++)
		if (!p->is_known[l] && pt->loops[l] > 1)
			p->own[p->n_own++] = l;
	if (!p->n_own || !n_remaining)
		return true;
	if (p->n_own != n_remaining)
		return false;
	for (int i = 0; i < n_remaining; i++) {
		if (pt->loops[p->own[i]] != ct->loops[remaining_loops[i]])
			return false;
		p->to[p->own[i] * (ct->n_loops + 1) + remaining_loops[i]] = 1;
		p->is_known[p->own[i]] = p->is_used[remaining_loops[i]] = true;
	}
	p->n_own = 0;
	return true;
}

/* ---- the new loops ---- */

/* List the inner loops of a side, as new loops, in order. Return false if one of them is not a single new loop. */
static bool inner_of(struct pairing *p, int side, int *out, int *n)
{
	const struct sr_work_nest *nest = &p->f.sides[side].nest;
	int n_c = consumer(p)->nest.n_loops;
	*n = 0;
	for (int l = nest->parallel; l < nest->n_loops; l++) {
		int at = -1;
		if (nest->loops[l] == 1)
			continue;
		if (side == SR_FUSE_CONSUMER)
			at = l;
		for (int i = 0; at < 0 && i < p->n_own; i++)
			at = p->own[i] == l ? n_c + i : -1;
		for (int k = 0; at < 0 && k < n_c; k++)
			at = p->to[l * (n_c + 1) + k] == 1 && consumer(p)->nest.loops[k] == nest->loops[l] ? k : -1;
		if (at < 0)
			return false;
		out[(*n)++] = at;
	}
	return true;
}

/* Select the inner loops and their order. Return false if the two sides do not agree. */
static bool choose_inner(struct pairing *p, int *inner, int *n)
{
	int inner_loops[2][SR_NEST_MAX_LOOPS], n_inner[2], n_c = consumer(p)->nest.n_loops;
	for (int side = 0; side < 2; side++)
		if (!inner_of(p, side, inner_loops[side], &n_inner[side]))
			return false;
	if (n_inner[0] && n_inner[1] &&
	    (n_inner[0] != n_inner[1] || memcmp(inner_loops[0], inner_loops[1], sizeof **inner_loops * (size_t)n_inner[0])))
		return false;
	*n = n_inner[0] ? n_inner[0] : n_inner[1];
	memcpy(inner, n_inner[0] ? inner_loops[0] : inner_loops[1], sizeof *inner * (size_t)*n);
	memset(p->inner, 0, sizeof p->inner);
	for (int i = 0; i < *n; i++)
		p->inner[inner[i]] = true;
	for (int l = 0; l < n_c + p->n_own; l++) {
		bool is_common = l < n_c && (p->is_used[l] || consumer(p)->nest.loops[l] == 1);
		if (is_common || p->inner[l])
			continue;
		/* the values of one side are computed once for all iterations of this loop: only the last loop may be such */
		if (*n || l < n_c - 1)
			return false;
		p->inner[inner[(*n)++] = l] = true;
	}
	/* a reduction runs over all inner loops, so its side must not get further inner loops */
	for (int side = 0; side < 2; side++)
		if (n_inner[side] != *n && sr_fuse_facts_of(p->f.sides[side].op).has_reduction)
			return false;
	return true;
}

/* Set the new loops, parallel ones first, and express both sides in them. */
static bool set_loops(struct pairing *p)
{
	struct sr_fusion *f = &p->f;
	const struct sr_work_nest *pt = &producer(p)->nest, *ct = &consumer(p)->nest;
	int inner[SR_NEST_MAX_LOOPS], order[SR_NEST_MAX_LOOPS], n_inner, n = ct->n_loops + p->n_own, at = 0;
	if (n > SR_NEST_MAX_LOOPS || !choose_inner(p, inner, &n_inner))
		return false;
	for (int l = 0; l < n; l++) {
		order[l] = p->inner[l] ? -1 : at++;
		if (order[l] >= 0)
			f->loops[order[l]] = l < ct->n_loops ? ct->loops[l] : pt->loops[p->own[l - ct->n_loops]];
	}
	f->parallel = at;
	f->n_loops = n;
	for (int i = 0; i < n_inner; i++, at++) {
		order[inner[i]] = at;
		f->loops[at] = inner[i] < ct->n_loops ? ct->loops[inner[i]] : pt->loops[p->own[inner[i] - ct->n_loops]];
	}
	int64_t *consumer_loops = SR_NEW_ARRAY(f->ctx->scratch, int64_t, ct->n_loops * (n + 1) + 1),
		*producer_loops = SR_NEW_ARRAY(f->ctx->scratch, int64_t, pt->n_loops * (n + 1) + 1);
	for (int l = 0; l < ct->n_loops; l++)
		consumer_loops[l * (n + 1) + order[l]] = 1;
	for (int l = 0; l < pt->n_loops; l++)
		for (int k = 0; k < ct->n_loops; k++)
			producer_loops[l * (n + 1) + order[k]] = p->to[l * (ct->n_loops + 1) + k];
	for (int i = 0; i < p->n_own; i++)
		producer_loops[p->own[i] * (n + 1) + order[ct->n_loops + i]] = 1;
	consumer(p)->new_loops = consumer_loops;
	producer(p)->new_loops = producer_loops;
	return sr_fuse_prepare(f);
}

/* Return true if every element of the result is written once: its map names all parallel loops, and all inner loops or none. */
static bool is_written_once(const struct pairing *p, const struct sr_indexing_map *a)
{
	int n = 0, n_inner_used = 0;
	for (int l = 0; l < p->f.n_loops; l++) {
		bool uses_loop = false;
		for (int d = 0; d < a->rank; d++)
			uses_loop = uses_loop || sr_indexing_map_row(a, d)[l];
		if (p->f.loops[l] == 1)
			continue;
		if (l < p->f.parallel && !uses_loop)
			return false;
		n += l >= p->f.parallel;
		n_inner_used += l >= p->f.parallel && uses_loop;
	}
	return n_inner_used == 0 || n_inner_used == n;
}

/* ---- reads and results ---- */

static bool has_other_users(const struct sr_value *v, const struct sr_op *c)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (use->owner != c)
			return true;
	return false;
}

static bool choose_results(struct pairing *p)
{
	struct sr_fusion *f = &p->f;
	struct sr_op *c = consumer(p)->op;
	f->n_results = 0;
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < f->sides[side].op->n_results; i++) {
			struct sr_value *v = sr_result(f->sides[side].op, i);
			if (!has_other_users(v, c))
				continue;
			if (!is_written_once(p, &f->sides[side].result_indexing_maps[i]))
				return false;
			f->results[f->n_results++] = v;
		}
	return f->n_results > 0;
}

/* Replace the reads of producer results in the consumer. Return false if a result is read in another iteration than it is
 * computed in. */
static bool link_producer_reads(struct pairing *p)
{
	struct sr_fuse_side *c = consumer(p), *producer_side = producer(p);
	for (int i = 0; i < c->nest.n_operands; i++) {
		struct sr_value *v = c->nest.operands[i];
		if (v->def != producer_side->op)
			continue;
		if (sr_fuse_is_from_memory(&c->nest, i) ||
		    !sr_indexing_map_equal(&c->reads[i].access, &producer_side->result_indexing_maps[v->index]))
			return false;
		c->reads[i].producer_result = v->index;
	}
	return true;
}

/* ---- order in the block ---- */

enum { MAX_DISTANCE = 512 }; /* maximum number of ops inspected between producer and consumer */

/* Return true if the op, or one nested in it, reads the result of a marked op of the block. */
static bool reads_marked(const struct sr_op *op, const struct sr_block *block)
{
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *def = sr_operand(op, i)->def;
		if (def && def->mark & SR_FUSE_MARKED && def->block == block)
			return true;
	}
	for (int r = 0; r < op->n_regions && !sr_op_is(op, SR_OP_work_nest); r++)
		for (const struct sr_block *b = op->regions[r].first; b; b = b->next)
			for (const struct sr_op *inner = b->first; inner; inner = inner->next)
				if (reads_marked(inner, block))
					return true;
	return false;
}

struct dependents {
	/* ops between producer and consumer that depend on the producer; they are moved after the new nest */
	SR_VEC(struct sr_op *) ops;
};

/* Collect and mark the ops that depend on p. Return false if one of them has side effects, or p and c are too far apart. */
static bool mark_dependents(struct sr_context *ctx, struct sr_op *p, const struct sr_op *c, struct dependents *out)
{
	int n = 0;
	p->mark |= SR_FUSE_MARKED;
	for (struct sr_op *op = p->next; op != c; op = op->next) {
		if (!op || ++n > MAX_DISTANCE)
			return false;
		if (!reads_marked(op, p->block))
			continue;
		if (!sr_op_is_pure(op) || sr_op_has(op, SR_COLLECTIVE))
			return false;
		op->mark |= SR_FUSE_MARKED;
		sr_push(ctx->scratch, &out->ops, op);
	}
	return true;
}

/* Collect the ops that depend on p. Return false if one of them has side effects, p and c are too far apart, or c depends on
 * one of them. */
static bool find_dependents(struct sr_context *ctx, struct sr_op *p, struct sr_op *c, struct dependents *out)
{
	bool is_valid = mark_dependents(ctx, p, c, out);
	p->mark &= ~SR_FUSE_MARKED; /* The consumer c itself may read results of p. */
	is_valid = is_valid && !reads_marked(c, c->block);
	for (size_t i = 0; i < out->ops.n; i++)
		out->ops.data[i]->mark &= ~SR_FUSE_MARKED;
	return is_valid;
}

static enum sr_fuse_reason find_merge_obstacle(struct pairing *p, struct dependents *dependents)
{
	enum sr_fuse_reason costs;
	if (!is_one_to_one(p) || !pair_remaining_loops(p) || !set_loops(p))
		return SR_FUSE_OTHER_LOOPS;
	if (!link_producer_reads(p) || !choose_results(p))
		return SR_FUSE_OTHER_ELEMENTS;
	costs = sr_fuse_judge_merging(&p->f, p->are_siblings);
	if (costs)
		return costs;
	return find_dependents(p->f.ctx, producer(p)->op, consumer(p)->op, dependents) ? SR_FUSE_NO_REASON : SR_FUSE_READ_BETWEEN;
}

static struct sr_op *merge_pair(struct pairing *p, enum sr_fuse_reason *why)
{
	struct sr_context *ctx = p->f.ctx;
	struct sr_op *first = producer(p)->op, *c = consumer(p)->op;
	struct dependents dependents = {0};
	enum sr_fuse_reason reason = find_merge_obstacle(p, &dependents);
	if (reason) {
		sr_fuse_raise_reason(why, reason);
		return NULL;
	}
	struct sr_op *new = sr_fuse_build(&p->f, c), *anchor = c->next;
	/* Copy the reasons recorded on the siblings, since fusions with the producers of their operands are not tried again. */
	if (p->are_siblings) {
		sr_fuse_copy_reasons(ctx, first, new);
		sr_fuse_copy_reasons(ctx, c, new);
	}
	sr_fuse_sweep(ctx, c);
	sr_fuse_sweep(ctx, first);
	for (size_t i = 0; i < dependents.ops.n; i++)
		if (dependents.ops.data[i]->block)
			sr_op_move_before(dependents.ops.data[i], anchor);
	return new;
}

static bool begin_pairing(struct pairing *p, const struct sr_fusion *unfused_nest, struct sr_op *first)
{
	struct sr_op *c = unfused_nest->sides[SR_FUSE_CONSUMER].op;
	if (first->block != c->block || !sr_fuse_fits(first, c))
		return false;
	p->f = *unfused_nest;
	*producer(p) = (struct sr_fuse_side){.op = first, .nest = sr_work_read(unfused_nest->ctx, first)};
	p->to = SR_NEW_ARRAY(unfused_nest->ctx->scratch, int64_t, producer(p)->nest.n_loops * (consumer(p)->nest.n_loops + 1) + 1);
	return true;
}

/* Merge the producer `first` and the consumer. Their loops are paired by the elements of the producer that the consumer reads. */
struct sr_op *sr_fuse_merge(const struct sr_fusion *unfused_nest, struct sr_op *first, enum sr_fuse_reason *why)
{
	struct pairing p = {0};
	if (!begin_pairing(&p, unfused_nest, first))
		return NULL;
	const struct sr_work_nest *ct = &consumer(&p)->nest;
	for (int i = 0; i < ct->n_operands; i++) { /* use the operand by which most loops are paired */
		struct sr_fuse_split loop_split = {0};
		bool is_known[SR_NEST_MAX_LOOPS];
		int n = 0, best_n_paired = 0, n_c = ct->n_loops;
		int64_t *to = SR_NEW_ARRAY(unfused_nest->ctx->scratch, int64_t, producer(&p)->nest.n_loops * (n_c + 1) + 1);
		struct sr_value *v = ct->operands[i];
		if (v->def != first)
			continue;
		if (!sr_indexing_map_is_affine(&ct->accesses[i]) ||
		    !sr_fuse_loops_of(&producer(&p)->nest, v->index, &ct->accesses[i], ct->loops, n_c, to, is_known, &loop_split))
			return NULL;
		for (int l = 0; l < producer(&p)->nest.n_loops; l++) {
			n += is_known[l];
			best_n_paired += p.is_known[l];
		}
		if (n > best_n_paired) {
			memcpy(p.is_known, is_known, sizeof is_known);
			p.to = to;
		}
	}
	return merge_pair(&p, why);
}

/* Merge two nests that read the same operand; loops are paired by its dimensions. */
struct sr_op *sr_fuse_merge_siblings(const struct sr_fusion *unfused_nest, struct sr_op *first, int producer_operand,
				     int consumer_operand)
{
	struct pairing p = {.are_siblings = true};
	enum sr_fuse_reason why = SR_FUSE_NO_REASON;
	int producer_dim[SR_NEST_MAX_LOOPS], consumer_dim[SR_NEST_MAX_LOOPS];
	if (!begin_pairing(&p, unfused_nest, first))
		return NULL;
	const struct sr_work_nest *pt = &producer(&p)->nest, *ct = &consumer(&p)->nest;
	const struct sr_indexing_map *a = &pt->accesses[producer_operand], *b = &ct->accesses[consumer_operand];
	const int64_t *shape = pt->operands[producer_operand]->type->shape;
	bool is_same = pt->n_loops == ct->n_loops && !memcmp(pt->loops, ct->loops, sizeof *pt->loops * (size_t)pt->n_loops) &&
		       sr_indexing_map_equal(a, b);
	if (!is_same &&
	    (!sr_indexing_map_is_permutation(a, shape, producer_dim) || !sr_indexing_map_is_permutation(b, shape, consumer_dim)))
		return NULL;
	for (int l = 0; l < pt->n_loops; l++)
		for (int k = 0; k < ct->n_loops; k++)
			if (is_same ? k == l
				    : producer_dim[l] >= 0 && producer_dim[l] == consumer_dim[k] && pt->loops[l] == ct->loops[k]) {
				p.to[l * (ct->n_loops + 1) + k] = 1;
				p.is_known[l] = true;
			}
	return merge_pair(&p, &why);
}
