/* Decide whether a fusion saves time: the memory traffic saved against the work done twice. All limits of fusion are here. */
#include "dialect/signature.h"
#include "support/checked.h"
#include "work/fuse/fuse.h"
#include <string.h>

enum {
	MAX_CHEAP_OPS = 4,       /* maximum number of ops in a body that may be duplicated for several users */
	MAX_READERS = 4,        /* maximum number of users for which a body may be duplicated */
	MAX_READERS_OF_COPY = 8, /* the same if the users then read other operands of the same size instead */
	/* minimum extent of an innermost loop along which a value is constant, so that computing the value once is worth a
	 * buffer, or keeping an index in its buffer */
	MIN_STRIP = 64,
	ROW_BYTES = 1 << 20, /* maximum bytes of a row of the inner loops, so that it stays in cache for the next stage */
	SHARED_BYTES = 4096, /* minimum bytes that two nests must both read to be merged as readers of one operand */
	TRANSPOSED_BYTES = 1 << 22, /* minimum bytes of a result that the caches do not hold until its rows are complete */
	MAX_KEPT_BYTES = 1 << 26, /* maximum bytes of the producer's results that may be live together with the consumer's */
};

bool sr_work_is_expensive(const struct sr_op *op)
{
	return sr_op_has(op, SR_ELEMENTWISE) && sr_kernel_is_expensive((enum sr_kernel)op->info->kernel);
}

/* Fields of a nest's mark: the number of ops, and these flags. */
enum { MARK_IS_SET = 1 << 30, EXPENSIVE = 1 << 29, REDUCES = 1 << 28, OPS = SR_FUSE_MARKED - 1 };

static struct sr_fuse_facts summarize(const struct sr_op *nest)
{
	struct sr_fuse_facts f = {0};
	for (struct sr_op *op = nest->regions[0].first->first; op; op = op->next) {
		f.ops += !sr_op_is(op, SR_OP_work_yield) && !sr_op_is(op, SR_OP_stablehlo_constant);
		f.is_expensive = f.is_expensive || sr_work_is_expensive(op);
		f.has_reduction = f.has_reduction || sr_op_is(op, SR_OP_work_reduce);
	}
	return f;
}

struct sr_fuse_facts sr_fuse_facts_of(struct sr_op *nest)
{
	if (!(nest->mark & MARK_IS_SET)) {
		struct sr_fuse_facts f = summarize(nest);
		nest->mark = MARK_IS_SET | (f.is_expensive ? EXPENSIVE : 0) | (f.has_reduction ? REDUCES : 0) |
			     (f.ops < OPS ? f.ops : OPS);
	}
	return (struct sr_fuse_facts){
	    .ops = nest->mark & OPS, .is_expensive = nest->mark & EXPENSIVE, .has_reduction = nest->mark & REDUCES};
}

int64_t sr_fuse_count_iterations(const int64_t *loops, int n)
{
	int64_t iterations = 1;
	for (int l = 0; l < n; l++)
		if (sr_mul_overflows(iterations, loops[l], &iterations))
			return INT64_MAX;
	return iterations;
}

/* Return true if an index operand selects whole rows, being constant along a long loop, or has a single element. For rows, the
 * interpreter copies each row at once, and few indices are stored. A slice at a run-time start has indices of a single element; it may
 * be elided (work/elided.c). */
static bool selects_rows(const struct sr_work_nest *nest, int operand)
{
	const struct sr_indexing_map *a = &nest->accesses[operand];
	int64_t n;
	for (int l = 0; l < nest->n_loops; l++) {
		bool varies = false;
		for (int d = 0; d < a->rank; d++)
			varies = varies || sr_indexing_map_row(a, d)[l];
		if (nest->loops[l] >= MIN_STRIP && !varies)
			return true;
	}
	return sr_type_elements(nest->operands[operand]->type, &n) && n == 1;
}

bool sr_fuse_is_from_memory(const struct sr_work_nest *nest, int operand)
{
	for (int i = 0; i < nest->n_operands; i++)
		if (nest->accesses[i].fill == operand)
			return true;
	return sr_fuse_is_index(nest, operand) && selects_rows(nest, operand);
}

bool sr_fuse_fits(struct sr_op *p, struct sr_op *c)
{
	int n = p->n_operands + p->n_results + c->n_results;
	for (int i = 0; i < c->n_operands; i++)
		n += sr_operand(c, i)->def != p;
	return n <= SR_FUSE_MAX_BUFFERS &&
	       sr_fuse_facts_of(p).ops + sr_fuse_facts_of(c).ops <= SR_FUSE_MAX_OPS;
}

static int64_t bytes_of(const struct sr_value *v)
{
	int64_t bytes;
	return sr_type_bytes(v->type, &bytes) ? bytes : INT64_MAX / 1024;
}

/* ---- composing ---- */

struct readers {
	struct sr_context *ctx;
	const struct sr_fuse_side *consumer;
	double producer_iterations; /* number of iterations of the producer */
	int n;
	double iterations;
	bool has_other_readers; /* true if an op of the block other than a nest reads the value */
	bool count_all;   /* true: continue counting after max_n */
	int max_n;
	bool has_many_readers;
};

/* Add to the counts that `nest` reads its operand i. */
static void add_reader(struct readers *r, const struct sr_work_nest *nest, int i)
{
	r->has_other_readers = r->has_other_readers || sr_fuse_is_from_memory(nest, i) ||
			       !sr_indexing_map_is_affine(&nest->accesses[i]);
	r->iterations += (double)sr_fuse_count_iterations(nest->loops, nest->n_loops);
	r->n++;
	r->has_many_readers = !r->count_all && r->n > r->max_n && r->iterations > r->producer_iterations;
}

static void count_readers(struct readers *r, const struct sr_block *block, struct sr_value *v)
{
	for (struct sr_use *use = v->uses; use && !r->has_other_readers && !r->has_many_readers; use = use->next) {
		struct sr_op *owner = use->owner;
		if (owner->block == block && sr_op_is(owner, SR_OP_stablehlo_reshape)) {
			count_readers(r, block, sr_result(owner, 0));
			continue;
		}
		if (owner->block != block || !sr_op_is(owner, SR_OP_work_nest)) {
			r->has_other_readers = true;
			continue;
		}
		if (owner == r->consumer->op) {
			add_reader(r, &r->consumer->nest, sr_use_index(use));
		} else {
			struct sr_work_nest nest = sr_work_read(r->ctx, owner);
			add_reader(r, &nest, sr_use_index(use));
		}
	}
}

static bool is_affine_nest(const struct sr_work_nest *nest)
{
	for (int i = 0; i < nest->n_operands; i++)
		if (!sr_indexing_map_is_affine(&nest->accesses[i]))
			return false;
	return true;
}

/* Return true if the nest reads at most half the bytes that it writes. */
static bool reads_half_of_result(struct sr_op *p)
{
	int64_t in = 0;
	for (int i = 0; i < p->n_operands; i++)
		in += bytes_of(sr_operand(p, i));
	return in <= bytes_of(sr_result(p, 0)) / 2;
}

static bool reads_scalars(const struct sr_op *p)
{
	int64_t n;
	for (int i = 0; i < p->n_operands; i++)
		if (!sr_type_elements(sr_operand(p, i)->type, &n) || n != 1)
			return false;
	return true;
}

/* Return true if the nest's few ops may be computed again for several readers. */
static bool is_cheap(struct sr_op *nest)
{
	struct sr_fuse_facts facts = sr_fuse_facts_of(nest);
	return !facts.is_expensive && facts.ops <= MAX_CHEAP_OPS;
}

/* Return true if readers of a large result can read the producer's operands instead with about the same memory traffic: an element
 * of one large operand and of small ones gives, by a few ops, an element of the result. The result is then not written. */
static bool is_read_as_fast_as_result(struct sr_op *p, const struct sr_work_nest *nest)
{
	enum { MIN_BYTES = 1 << 22, SMALL_PART = 16 };
	int64_t in = 0, out = bytes_of(sr_result(p, 0));
	for (int i = 0; i < p->n_operands; i++)
		in += bytes_of(sr_operand(p, i));
	return p->n_results == 1 && out >= MIN_BYTES && in <= out + out / SMALL_PART && is_cheap(p) && is_affine_nest(nest);
}

/* Return true if no dimension's index depends on a loop, or if each is that of `to` plus a constant. */
static bool is_shifted_or_constant(const struct sr_indexing_map *from, const struct sr_indexing_map *to)
{
	bool is_constant = true, is_shifted = from->rank == to->rank;
	for (int d = 0; d < from->rank; d++)
		for (int l = 0; l < to->n_loops; l++) {
			int64_t factor = sr_indexing_map_row(from, d)[l];
			is_constant = is_constant && !factor;
			is_shifted = is_shifted && factor == sr_indexing_map_row(to, d)[l];
		}
	return is_constant || is_shifted;
}

/* Return true if the nest copies from its large operands with constant offsets, such as a shifted array whose first row is a
 * halo's. Readers of the result can read the operands at the same cost. */
static bool is_shift(const struct sr_op *p, const struct sr_work_nest *nest)
{
	enum { MIN_BYTES = 1 << 16, SMALL_PART = 16 };
	int64_t out = bytes_of(sr_result(p, 0));
	bool shifts = p->n_results == 1 && out >= MIN_BYTES && sr_work_only_yields(p);
	for (int i = 0; i < p->n_operands && shifts; i++) {
		const struct sr_indexing_map *from = &nest->accesses[i];
		shifts = bytes_of(sr_operand(p, i)) <= out / SMALL_PART ||
			 (!from->index && !from->divisor && is_shifted_or_constant(from, &nest->result_indexing_maps[0]));
	}
	return shifts;
}

/* Return true if the producer's value is constant along the consumer's innermost loop, and that loop is long. */
static bool is_constant_along_strips(const struct sr_work_nest *p, const struct sr_work_nest *c, const int64_t *to)
{
	int last = c->n_loops - 1;
	if (last < 0 || c->loops[last] < MIN_STRIP)
		return false;
	for (int l = 0; l < p->n_loops; l++)
		if (to[l * (c->n_loops + 1) + last])
			return false;
	return true;
}

/* Return true for a nest that copies one element of a small operand. Each reader can read the element there instead, and then depends
 * on nothing but the operand. */
static bool copies_one_element(const struct sr_work_nest *p)
{
	enum { SMALL_BYTES = 4096 };
	return sr_fuse_count_iterations(p->loops, p->n_loops) == 1 && p->n_operands == 1 && bytes_of(p->operands[0]) <= SMALL_BYTES;
}

/* Return true if the readers that were counted may read the producer's operands instead of its result. */
static bool may_read_through(const struct readers *r)
{
	return !r->has_other_readers && r->n <= r->max_n && r->iterations <= r->n * r->producer_iterations;
}

enum sr_fuse_verdict sr_fuse_judge_composing(const struct sr_fusion *f, enum sr_fuse_reason *why)
{
	const struct sr_work_nest *pt = &f->sides[SR_FUSE_PRODUCER].nest, *ct = &f->sides[SR_FUSE_CONSUMER].nest;
	struct sr_op *p = f->sides[SR_FUSE_PRODUCER].op, *c = f->sides[SR_FUSE_CONSUMER].op;
	bool has_cheap_body = is_cheap(p), is_move = sr_fuse_facts_of(p).ops == 0 && is_affine_nest(pt);
	if (p->block != c->block) {
		sr_fuse_raise_reason(why, SR_FUSE_OTHER_BLOCK);
		return has_cheap_body && reads_scalars(p) ? SR_FUSE_YES : SR_FUSE_NO;
	}
	if ((has_cheap_body && reads_half_of_result(p)) || (is_move && copies_one_element(pt)))
		return SR_FUSE_YES;
	bool is_as_fast = is_read_as_fast_as_result(p, pt), shifts = is_shift(p, pt);
	struct readers r = {.ctx = f->ctx, .consumer = &f->sides[SR_FUSE_CONSUMER], .count_all = is_move,
			    .max_n = is_as_fast || shifts ? MAX_READERS_OF_COPY : MAX_READERS};
	r.producer_iterations = (double)sr_fuse_count_iterations(pt->loops, pt->n_loops);
	for (int i = 0; i < p->n_results; i++)
		count_readers(&r, c->block, sr_result(p, i));
	sr_fuse_raise_reason(why, r.has_other_readers ? SR_FUSE_OTHER_READER : SR_FUSE_RECOMPUTES);
	if (r.has_other_readers)
		return SR_FUSE_NO;
	if (r.iterations <= r.producer_iterations)
		return SR_FUSE_YES;
	if (shifts && r.n <= MAX_READERS_OF_COPY)
		return SR_FUSE_YES;
	if (is_move)
		return r.n == 1 ? SR_FUSE_YES : SR_FUSE_LAST_RESORT;
	if (r.n == 1 && is_constant_along_strips(pt, ct, f->sides[SR_FUSE_PRODUCER].new_loops))
		return SR_FUSE_YES;
	if (is_as_fast && may_read_through(&r))
		return SR_FUSE_YES;
	bool repeats_work = (double)sr_fuse_count_iterations(ct->loops, ct->n_loops) > r.producer_iterations;
	return has_cheap_body && is_affine_nest(pt) && !repeats_work && r.n <= MAX_READERS ? SR_FUSE_LAST_RESORT : SR_FUSE_NO;
}

/* ---- merging ---- */

/* Return true if the inner loops walk the largest operand contiguously. */
static bool has_contiguous_rows(const struct sr_fuse_side *s, int parallel)
{
	int64_t max_bytes = 0;
	bool is_contiguous = true;
	for (int i = 0; i < s->nest.n_operands; i++) {
		const struct sr_indexing_map *a = &s->reads[i].access;
		if (!a->rank || bytes_of(s->reads[i].value) <= max_bytes)
			continue;
		max_bytes = bytes_of(s->reads[i].value);
		is_contiguous = false;
		for (int l = parallel; l < a->n_loops; l++)
			is_contiguous = is_contiguous || sr_indexing_map_row(a, a->rank - 1)[l];
	}
	return is_contiguous;
}

static bool row_fits_cache(const struct sr_fusion *f)
{
	int64_t inner_iterations = sr_fuse_count_iterations(f->loops + f->parallel, f->n_loops - f->parallel);
	bool has_contiguous_sides = has_contiguous_rows(&f->sides[0], f->parallel) && has_contiguous_rows(&f->sides[1], f->parallel);
	/* longer sums of elements that are not contiguous are nests of their own, so that fuse_divide_sums.c divides them */
	return has_contiguous_sides ? inner_iterations <= ROW_BYTES / 8 : inner_iterations < SR_FUSE_MIN_TERMS;
}

static int64_t shared_bytes(const struct sr_fusion *f)
{
	int64_t bytes = 0;
	for (int i = 0; i < f->sides[0].nest.n_operands; i++)
		for (int k = 0; k < f->sides[1].nest.n_operands; k++) {
			const struct sr_fuse_read *a = &f->sides[0].reads[i], *b = &f->sides[1].reads[k];
			if (a->value == b->value && sr_indexing_map_equal(&a->access, &b->access))
				bytes += bytes_of(a->value);
		}
	return bytes;
}

/* Return true if the last dimension of a large tensor moves with loop l. */
static bool is_contiguous_along(const struct sr_value *v, const struct sr_indexing_map *a, int l)
{
	return a->rank && bytes_of(v) >= TRANSPOSED_BYTES && sr_indexing_map_row(a, a->rank - 1)[l];
}

/* Return true if the merged nest would reduce along rows of a large operand and write a result of the same loops whose rows are
 * along other loops: the gradient of a channels-first layer, summed over the images and stored with the channels last. A nest
 * without the reduction transposes in tiles. */
static bool writes_across_rows(const struct sr_fusion *f)
{
	int innermost = f->n_loops - 1;
	bool reads_rows = false, writes_across = false;
	for (int k = 0; k < 2; k++) {
		const struct sr_fuse_side *s = &f->sides[k];
		for (int i = 0; i < s->nest.n_operands; i++)
			reads_rows = reads_rows || is_contiguous_along(s->reads[i].value, &s->reads[i].access, innermost);
		for (int i = 0; s->nest.parallel == s->nest.n_loops && i < s->op->n_results; i++) {
			const struct sr_indexing_map *a = &s->result_indexing_maps[i];
			writes_across = writes_across || (bytes_of(sr_result(s->op, i)) >= TRANSPOSED_BYTES &&
							  !is_contiguous_along(sr_result(s->op, i), a, innermost));
		}
	}
	return f->parallel < f->n_loops && reads_rows && writes_across;
}

/* Return true if v has a reader at op `at` of the block or behind it, other than c. */
static bool is_read_from(const struct sr_value *v, const struct sr_op *c, const struct sr_op *at)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (use->owner != c && use->owner->block == at->block && (use->owner == at || sr_op_is_before(at, use->owner)))
			return true;
	return false;
}

/* Return true if the producer's results that have other users would add too much live memory. Those of a producer that reads little
 * add none if they have readers behind the consumer, since they are live there anyway. */
static bool keeps_results(const struct sr_fusion *f)
{
	enum { SMALL_PART = 16 };
	const struct sr_op *p = f->sides[SR_FUSE_PRODUCER].op, *c = f->sides[SR_FUSE_CONSUMER].op;
	int64_t read_bytes = 0, all_bytes = 0, live_bytes = 0;
	for (int i = 0; i < p->n_operands; i++)
		read_bytes += bytes_of(sr_operand(p, i));
	for (int i = 0; i < f->n_results; i++) {
		if (f->results[i]->def != p)
			continue;
		all_bytes += bytes_of(f->results[i]);
		live_bytes += is_read_from(f->results[i], c, c) ? bytes_of(f->results[i]) : 0;
	}
	return all_bytes - (read_bytes <= all_bytes / SMALL_PART ? live_bytes : 0) > MAX_KEPT_BYTES;
}

static int64_t elements_of(const struct sr_value *v)
{
	int64_t n;
	return sr_type_elements(v->type, &n) ? n : INT64_MAX / 1024;
}

/* Return true for a nest without reductions that does little work. */
static bool does_little(struct sr_op *nest)
{
	struct sr_fuse_facts f = sr_fuse_facts_of(nest);
	return !f.is_expensive && !f.has_reduction && f.ops <= MAX_CHEAP_OPS;
}

/* Return true if the consumer expands few elements to many with little work, so that merging would not save memory traffic. If the
 * elements are so few that an instruction takes more time than the traffic, as the columns at the border of an image, a producer
 * that does little is merged nevertheless. */
static bool expands_elements(struct sr_op *p, struct sr_op *c)
{
	enum { SMALL_BYTES = 32 << 10, FEW = 16 };
	int64_t in = 0, out = c->n_results == 1 ? elements_of(sr_result(c, 0)) : 0;
	for (int i = 0; i < c->n_operands; i++)
		in += elements_of(sr_operand(c, i));
	if (!out || in > out / 2 || !does_little(c))
		return false;
	return bytes_of(sr_result(c, 0)) > SMALL_BYTES || out > FEW * in || !does_little(p);
}

/* Return true if the consumer reads a result of the producer that depends on a reduction, which ends only with the inner loops. */
static bool reads_reduction(const struct sr_fusion *f)
{
	const struct sr_fuse_side *c = &f->sides[SR_FUSE_CONSUMER];
	struct sr_block *body = f->sides[SR_FUSE_PRODUCER].op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(body);
	for (struct sr_op *op = body->first; op; op = op->next) {
		op->mark = sr_op_is(op, SR_OP_work_reduce);
		for (int i = 0; i < op->n_operands; i++)
			op->mark |= sr_operand(op, i)->def && sr_operand(op, i)->def->mark;
	}
	for (int i = 0; i < c->nest.n_operands; i++) {
		int result = c->reads[i].producer_result;
		if (result >= 0 && sr_operand(end, result)->def && sr_operand(end, result)->def->mark)
			return true;
	}
	return false;
}

/* Return true if the readers of the consumer's result will compute it, so that no nest has to write it. */
static bool is_computed_by_readers(const struct sr_fusion *f)
{
	const struct sr_fuse_side *c = &f->sides[SR_FUSE_CONSUMER];
	struct readers r = {.ctx = f->ctx, .consumer = c, .max_n = MAX_READERS_OF_COPY};
	if (c->nest.parallel < c->nest.n_loops || !is_read_as_fast_as_result(c->op, &c->nest))
		return false;
	r.producer_iterations = (double)sr_fuse_count_iterations(c->nest.loops, c->nest.n_loops);
	count_readers(&r, c->op->block, sr_result(c->op, 0));
	return r.n > 0 && may_read_through(&r);
}

/* Return true if the consumer computes its result by a few ops from one result of the producer, which is live at each reader of the
 * consumer's result anyway: a reader that computes it again reads and keeps no other value, and the consumer's result need not be
 * written. The derivative of tanh reads tanh(x) and 1 - tanh(x). */
static bool is_derived_from_live_value(const struct sr_fusion *f)
{
	const struct sr_fuse_side *c = &f->sides[SR_FUSE_CONSUMER];
	struct readers r = {.ctx = f->ctx, .consumer = c, .max_n = MAX_READERS};
	const struct sr_value *from = NULL;
	int64_t other_bytes = 0;
	if (c->op->n_results != 1 || c->nest.parallel < c->nest.n_loops || !is_cheap(c->op) || !is_affine_nest(&c->nest))
		return false;
	const struct sr_value *result = sr_result(c->op, 0);
	for (int i = 0; i < c->op->n_operands; i++)
		if (sr_operand(c->op, i)->def == f->sides[SR_FUSE_PRODUCER].op && !from &&
		    sr_indexing_map_equal(&c->nest.accesses[i], &c->nest.result_indexing_maps[0]))
			from = sr_operand(c->op, i);
		else
			other_bytes += bytes_of(sr_operand(c->op, i));
	if (!from || bytes_of(from) > bytes_of(result) || bytes_of(result) < SHARED_BYTES || other_bytes > bytes_of(result) / 16)
		return false;
	r.producer_iterations = (double)sr_fuse_count_iterations(c->nest.loops, c->nest.n_loops);
	count_readers(&r, c->op->block, sr_result(c->op, 0));
	if (!r.n || !may_read_through(&r))
		return false;
	for (const struct sr_use *use = result->uses; use; use = use->next)
		if (!is_read_from(from, c->op, use->owner))
			return false;
	return true;
}

enum sr_fuse_reason sr_fuse_judge_merging(const struct sr_fusion *f, bool are_siblings)
{
	bool has_inner_loops = f->parallel < f->n_loops;
	bool is_reread = has_inner_loops && f->sides[0].nest.parallel < f->sides[0].nest.n_loops && f->sides[1].nest.n_loops > f->parallel;
	if (is_reread && !row_fits_cache(f) && reads_reduction(f))
		return SR_FUSE_LONG_ROWS;
	if (writes_across_rows(f))
		return SR_FUSE_TRANSPOSES;
	if (!are_siblings && is_computed_by_readers(f) && reads_reduction(f))
		return SR_FUSE_LIVE_MEMORY;
	if (!are_siblings && is_derived_from_live_value(f))
		return SR_FUSE_LIVE_MEMORY;
	if (are_siblings)
		return shared_bytes(f) >= SHARED_BYTES ? SR_FUSE_NO_REASON : SR_FUSE_EXPANDS;
	if (expands_elements(f->sides[SR_FUSE_PRODUCER].op, f->sides[SR_FUSE_CONSUMER].op))
		return SR_FUSE_EXPANDS;
	return keeps_results(f) ? SR_FUSE_LIVE_MEMORY : SR_FUSE_NO_REASON;
}
