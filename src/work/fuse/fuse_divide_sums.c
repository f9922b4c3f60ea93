/* Divide long sums: an accumulator would add thousands of terms one after another, whose rounding errors grow with their number.
 * Blocks of terms have sums of their own, which a second nest adds; threads share the blocks. Sums along contiguous rows and over
 * few columns have several accumulators (nest_order.c), and are divided if each of these adds many terms.
 *
 *	for j, i in K:  y[j] += f(i, j)                 for b, j, i in K/c:  partial[b, j] += f(b * K/c + i, j)
 *	g(y[j])                                 =>      for j, b:  y[j] += partial[b, j];  g(y[j])
 *
 * With about sqrt(K) terms one after another in each of the two sums, the error's bound is about 2 sqrt(K) roundings instead of K
 * (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). The division follows from the shape alone. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include "support/checked.h"
#include "support/integers.h"
#include "work/fuse/fuse.h"
#include <math.h>

enum {
	MIN_BLOCK = 32,          /* fewest terms of an accumulator in a block */
	ACCUMULATORS = 64,       /* of the sum of a row, and of as many sums of few columns as have a vector each */
	MAX_OF_COLUMN = 32,      /* most accumulators of a column's sum */
	MAX_BLOCK = 1 << 16,     /* most terms of a block's sum */
	MAX_BYTES = 16 << 20,    /* maximum bytes of the blocks' sums */
};

/* A nest whose sums are divided. Inner loop k, of `step` iterations in a block, is divided; those before it run over blocks. */
struct division {
	struct sr_context *ctx;
	struct sr_op *op;
	struct sr_work_nest nest;
	int k, n_block_loops;
	int64_t step;
	int64_t block_loops[SR_NEST_MAX_LOOPS]; /* extents of the loops over blocks */
	struct sr_map follows;                  /* ops of the body that compute with complete sums, the sums included */
	struct sr_map invariants;               /* other ops that those depend on */
	SR_VEC(struct sr_op *) sums;
	SR_VEC(struct sr_value *) arguments;    /* arguments of the body that those ops read */
};

static int64_t inner_extent(const struct division *d, int i)
{
	return d->nest.loops[d->nest.parallel + i];
}

/* Return true if the map depends on an inner loop of more than one iteration. */
static bool varies(const struct division *d, const struct sr_indexing_map *a)
{
	for (int r = 0; r < a->rank; r++)
		for (int l = d->nest.parallel; l < d->nest.n_loops; l++)
			if (sr_indexing_map_row(a, r)[l] && d->nest.loops[l] > 1)
				return true;
	return false;
}

/* Return how many accumulators each sum has: along rows, if the elements of the largest operand are contiguous in the last inner
 * loop, or of columns. */
static int64_t count_accumulators(const struct division *d)
{
	int64_t bytes = -1, width = d->nest.parallel ? d->nest.loops[d->nest.parallel - 1] : 1, n = 1;
	bool is_row = false;
	for (int i = 0; i < d->nest.n_operands; i++) {
		const struct sr_indexing_map *a = &d->nest.accesses[i];
		if (!varies(d, a) || sr_value_bytes(d->nest.operands[i]) <= bytes)
			continue;
		bytes = sr_value_bytes(d->nest.operands[i]);
		is_row = sr_indexing_map_row(a, a->rank - 1)[d->nest.n_loops - 1];
	}
	while (!is_row && width * n < ACCUMULATORS && n < MAX_OF_COLUMN)
		n *= 2;
	return is_row ? ACCUMULATORS : n;
}

/* Return true if the result's map names all inner loops. */
static bool names_inner_loops(const struct division *d, const struct sr_indexing_map *a)
{
	for (int l = d->nest.parallel; l < d->nest.n_loops; l++) {
		bool is_named = d->nest.loops[l] == 1;
		for (int r = 0; r < a->rank; r++)
			is_named = is_named || sr_indexing_map_row(a, r)[l];
		if (!is_named)
			return false;
	}
	return true;
}

static bool follows(const struct division *d, const struct sr_value *v)
{
	return v->def && sr_map_get(&d->follows, v->def);
}

/* Return true if the second nest can compute v, which does not follow a sum: the ops that it depends on, and arguments that no
 * inner loop changes, are noted. */
static bool is_invariant(struct division *d, struct sr_value *v)
{
	if (v->def) {
		if (sr_map_get(&d->invariants, v->def))
			return true;
		bool is_computed = !v->def->n_regions && !sr_op_is(v->def, SR_OP_work_index);
		for (int i = 0; i < v->def->n_operands && is_computed; i++)
			is_computed = is_invariant(d, sr_operand(v->def, i));
		if (is_computed)
			sr_map_put(&d->invariants, v->def, v->def);
		return is_computed;
	}
	const struct sr_indexing_map *a = &d->nest.accesses[v->index];
	if (!sr_indexing_map_is_affine(a) || varies(d, a))
		return false;
	for (size_t i = 0; i < d->arguments.n; i++)
		if (d->arguments.data[i] == v)
			return true;
	sr_push(d->ctx->scratch, &d->arguments, v);
	return true;
}

static bool is_f32_sum(const struct sr_op *op)
{
	const struct sr_reducer *r = op->n_operands == 2 ? sr_op_reducer(op) : NULL;
	return r && r->monoid == SR_MONOID_ADD && sr_result_type(op, 0)->dtype == SR_F32;
}

/* Find the sums and the ops that follow them. Return false if there are none, or if an op of the inner loops depends on a sum, or
 * the nest has other reductions. */
static bool find_sums(struct division *d)
{
	struct sr_op *end = sr_block_terminator(d->op->regions[0].first);
	for (struct sr_op *op = d->op->regions[0].first->first; op != end; op = op->next) {
		bool is_sum = sr_op_is(op, SR_OP_work_reduce), reads_sum = false;
		for (int i = 0; i < op->n_operands; i++)
			reads_sum = reads_sum || follows(d, sr_operand(op, i));
		if (is_sum && (reads_sum || !is_f32_sum(op) || !is_invariant(d, sr_operand(op, 1))))
			return false;
		for (int i = 0; i < op->n_operands && reads_sum; i++)
			if (!follows(d, sr_operand(op, i)) && !is_invariant(d, sr_operand(op, i)))
				return false;
		if (is_sum)
			sr_push(d->ctx->scratch, &d->sums, op);
		if (is_sum || reads_sum)
			sr_map_put(&d->follows, op, op);
	}
	for (int i = 0; i < end->n_operands; i++) {
		bool is_result = i < d->nest.n_results, is_sum = follows(d, sr_operand(end, i));
		if (is_sum && (!is_result || varies(d, &d->nest.result_indexing_maps[i])))
			return false;
		if (is_result && !is_sum && !names_inner_loops(d, &d->nest.result_indexing_maps[i]))
			return false;
	}
	return d->sums.n > 0;
}

/* Choose blocks of about the square root of an accumulator's terms. Return false if the terms are few, or their number has no such
 * divisor. */
static bool choose_blocks(struct division *d)
{
	int n_inner = d->nest.n_loops - d->nest.parallel;
	int64_t terms = 1, results = 1, rest = 1, accumulators = count_accumulators(d);
	for (int l = 0; l < d->nest.n_loops; l++) {
		int64_t *n = l < d->nest.parallel ? &results : &terms;
		if (sr_mul_overflows(*n, d->nest.loops[l], n))
			return false;
	}
	double best = INFINITY;
	int64_t least = MIN_BLOCK * accumulators, most = sr_min(terms / MIN_BLOCK, MAX_BLOCK);
	for (int k = n_inner - 1; k >= 0 && terms / accumulators >= SR_FUSE_MIN_TERMS; rest *= inner_extent(d, k), k--)
		for (int64_t step = 1; step <= inner_extent(d, k) && step <= most / rest; step++) {
			double distance = fabs(log((double)(rest * step)) - log((double)terms * (double)accumulators) / 2);
			if (inner_extent(d, k) % step == 0 && rest * step >= least && distance < best) {
				best = distance;
				d->k = k;
				d->step = step;
			}
		}
	if (best == INFINITY)
		return false;
	int64_t blocks = 1;
	for (int i = 0; i <= d->k; i++) {
		int64_t extent = i < d->k ? inner_extent(d, i) : inner_extent(d, i) / d->step;
		blocks *= extent;
		if (i < d->k || extent > 1)
			d->block_loops[d->n_block_loops++] = extent;
	}
	return results <= MAX_BYTES / (int64_t)sizeof(float) / blocks && d->n_block_loops + d->nest.parallel <= SR_MAX_RANK &&
	       d->nest.n_loops + 1 <= SR_NEST_MAX_LOOPS;
}

/* Write in `to` the nest's loops in terms of n loops of the first nest: over blocks, parallel ones, and inner ones. */
static void express_in_first(const struct division *d, int64_t *to, int n)
{
	for (int l = 0; l < d->nest.n_loops; l++) {
		int inner = l - d->nest.parallel;
		int64_t *row = to + l * (n + 1);
		row[inner >= 0 && inner < d->k ? inner : d->n_block_loops + l - (inner < 0 ? 0 : d->k)] = 1;
		if (inner == d->k && d->n_block_loops > d->k)
			row[d->k] = d->step;
	}
}

/* Return the map of the blocks' sums: dimensions of blocks, which loops from `block` on index, and of all parallel loops, indexed
 * by those from `parallel` on. */
static struct sr_indexing_map map_of_sums(const struct division *d, int n_loops, int block, int parallel)
{
	struct sr_indexing_map a = sr_indexing_map_new(d->ctx, d->n_block_loops + d->nest.parallel, n_loops);
	for (int r = 0; r < a.rank; r++)
		sr_indexing_map_row(&a, r)[r < d->n_block_loops ? block + r : parallel + r - d->n_block_loops] = 1;
	return a;
}

static void add_result(struct sr_work_nest *nest, const struct sr_type *type, struct sr_indexing_map a)
{
	nest->result_types[nest->n_results] = type;
	nest->result_indexing_maps[nest->n_results++] = a;
}

/* Allocate the lists of a nest of n_loops loops. */
static void begin_nest(const struct division *d, struct sr_work_nest *nest, int64_t *loops, int n_loops, int parallel)
{
	size_t n = (size_t)d->nest.n_operands + (size_t)d->nest.n_results + d->sums.n;
	*nest = (struct sr_work_nest){.loops = loops, .n_loops = n_loops, .parallel = parallel};
	nest->operands = SR_NEW_ARRAY(d->ctx->scratch, struct sr_value *, n);
	nest->accesses = SR_NEW_ARRAY(d->ctx->scratch, struct sr_indexing_map, n);
	nest->result_indexing_maps = SR_NEW_ARRAY(d->ctx->scratch, struct sr_indexing_map, n);
	nest->result_types = SR_NEW_ARRAY(d->ctx->scratch, const struct sr_type *, n);
}

/* Read the map of a work.index; return false for other ops. */
static bool index_map(const struct division *d, const struct sr_op *op, struct sr_indexing_map *a)
{
	if (!sr_op_is(op, SR_OP_work_index))
		return false;
	*a = sr_indexing_map_read(d->ctx, sr_op_attr(op, SR_NAME_indexing_map), 1, d->nest.n_loops);
	return true;
}

/* Describe the nest of the blocks' sums, which are its first results, and of the results that vary along the inner loops. Return
 * false if a map's coefficient overflows. */
static bool describe_first(const struct division *d, struct sr_work_nest *nest, const int64_t *to)
{
	const struct sr_work_nest *old = &d->nest;
	const struct sr_op *end = sr_block_terminator(d->op->regions[0].first);
	for (size_t i = 0; i < d->sums.n; i++)
		add_result(nest, sr_type_tensor(d->ctx, SR_F32, nest->parallel, nest->loops),
			   map_of_sums(d, nest->n_loops, 0, d->n_block_loops));
	bool is_ok = true;
	for (int i = 0; i < old->n_operands && is_ok; i++) {
		nest->operands[i] = old->operands[i];
		is_ok = sr_indexing_map_substitute_loops(d->ctx, &old->accesses[i], to, nest->n_loops, 0, &nest->accesses[i]);
	}
	nest->n_operands = old->n_operands;
	struct sr_indexing_map a, moved;
	for (const struct sr_op *op = d->op->regions[0].first->first; op && is_ok; op = op->next)
		is_ok = !index_map(d, op, &a) || sr_indexing_map_substitute_loops(d->ctx, &a, to, nest->n_loops, 0, &moved);
	for (int i = 0; i < old->n_results && is_ok; i++) {
		if (follows(d, sr_operand(end, i)))
			continue;
		is_ok = sr_indexing_map_substitute_loops(d->ctx, &old->result_indexing_maps[i], to, nest->n_loops, 0, &a);
		add_result(nest, old->result_types[i], a);
	}
	return is_ok;
}

/* Copy an op into the body; the map of a work.index is expressed in the new loops. */
static struct sr_op *copy_op(const struct division *d, struct sr_builder *body, struct sr_op *op, const int64_t *to, int n_loops,
			     struct sr_map *copies)
{
	struct sr_op *copy = sr_op_clone(d->ctx, op, copies);
	struct sr_indexing_map a, moved;
	if (index_map(d, op, &a) && sr_indexing_map_substitute_loops(d->ctx, &a, to, n_loops, 0, &moved))
		sr_op_set_attr(d->ctx, copy, SR_NAME_indexing_map, sr_indexing_map_attr(d->ctx, &moved));
	sr_op_append(body->block, copy);
	return copy;
}

static struct sr_op *build_first(const struct division *d, struct sr_builder *b)
{
	struct sr_context *ctx = d->ctx;
	const struct sr_block *old_body = d->op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(old_body);
	int n_loops = d->n_block_loops + d->nest.n_loops - d->k, parallel = d->n_block_loops + d->nest.parallel;
	int64_t *loops = SR_NEW_ARRAY(ctx->scratch, int64_t, n_loops);
	for (int l = 0; l < n_loops; l++)
		loops[l] = l < d->n_block_loops ? d->block_loops[l] : l < parallel ? d->nest.loops[l - d->n_block_loops]
			   : l == parallel ? d->step : inner_extent(d, d->k + l - parallel);
	int64_t *to = SR_NEW_ARRAY(ctx->scratch, int64_t, (size_t)d->nest.n_loops * ((size_t)n_loops + 1));
	express_in_first(d, to, n_loops);
	struct sr_work_nest nest;
	begin_nest(d, &nest, loops, n_loops, parallel);
	if (!describe_first(d, &nest, to))
		return NULL;
	struct sr_builder body;
	struct sr_map copies;
	struct sr_op *new = sr_work_build(b, &nest, &body);
	sr_map_init(&copies, ctx->scratch);
	for (int i = 0; i < d->nest.n_operands; i++)
		sr_map_put(&copies, old_body->args[i], body.block->args[i]);
	for (struct sr_op *op = old_body->first; op != end; op = op->next) {
		if (sr_op_is(op, SR_OP_work_reduce)) {
			struct sr_value *zero = sr_build_splat(&body, sr_result_type(op, 0), -0.);
			sr_op_set_operand(copy_op(d, &body, op, to, n_loops, &copies), 1, zero);
		} else if (!sr_map_get(&d->follows, op)) {
			copy_op(d, &body, op, to, n_loops, &copies);
		}
	}
	struct sr_value **values = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, d->sums.n + (size_t)end->n_operands);
	int n = 0;
	for (size_t i = 0; i < d->sums.n; i++)
		values[n++] = sr_map_get(&copies, sr_result(d->sums.data[i], 0));
	for (int i = 0; i < end->n_operands; i++)
		if (!follows(d, sr_operand(end, i)))
			values[n++] = sr_map_get(&copies, sr_operand(end, i));
	sr_work_yield(&body, values, n);
	return new;
}

/* Build the nest that adds the blocks' sums and computes what follows. */
static struct sr_op *build_second(const struct division *d, struct sr_builder *b, struct sr_op *first)
{
	struct sr_context *ctx = d->ctx;
	const struct sr_block *old_body = d->op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(old_body);
	int parallel = d->nest.parallel, n_loops = parallel + d->n_block_loops;
	int64_t *loops = SR_NEW_ARRAY(ctx->scratch, int64_t, n_loops);
	for (int l = 0; l < n_loops; l++)
		loops[l] = l < parallel ? d->nest.loops[l] : d->block_loops[l - parallel];
	int64_t *to = SR_NEW_ARRAY(ctx->scratch, int64_t, (size_t)d->nest.n_loops * ((size_t)n_loops + 1));
	for (int l = 0; l < parallel; l++) /* no map that is copied depends on the other loops */
		to[l * (n_loops + 1) + l] = 1;
	struct sr_work_nest nest;
	struct sr_indexing_map a;
	begin_nest(d, &nest, loops, n_loops, parallel);
	for (size_t i = 0; i < d->sums.n; i++) {
		nest.operands[nest.n_operands] = sr_result(first, (int)i);
		nest.accesses[nest.n_operands++] = map_of_sums(d, n_loops, parallel, 0);
	}
	bool is_ok = true;
	for (size_t i = 0; i < d->arguments.n; i++) {
		int k = d->arguments.data[i]->index;
		nest.operands[nest.n_operands] = d->nest.operands[k];
		is_ok = is_ok && sr_indexing_map_substitute_loops(ctx, &d->nest.accesses[k], to, n_loops, 0,
								  &nest.accesses[nest.n_operands++]);
	}
	for (int i = 0; i < d->nest.n_results && is_ok; i++)
		if (follows(d, sr_operand(end, i))) {
			is_ok = sr_indexing_map_substitute_loops(ctx, &d->nest.result_indexing_maps[i], to, n_loops, 0, &a);
			add_result(&nest, d->nest.result_types[i], a);
		}
	if (!is_ok)
		return NULL;
	struct sr_builder body;
	struct sr_map copies;
	struct sr_op *new = sr_work_build(b, &nest, &body);
	sr_map_init(&copies, ctx->scratch);
	for (size_t i = 0; i < d->arguments.n; i++)
		sr_map_put(&copies, d->arguments.data[i], body.block->args[d->sums.n + i]);
	int n = 0;
	for (struct sr_op *op = old_body->first; op != end; op = op->next) {
		if (!sr_map_get(&d->invariants, op) && !sr_map_get(&d->follows, op))
			continue;
		struct sr_op *copy = copy_op(d, &body, op, to, n_loops, &copies);
		if (sr_op_is(op, SR_OP_work_reduce))
			sr_op_set_operand(copy, 0, body.block->args[n++]);
	}
	struct sr_value **values = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, nest.n_results + 1);
	n = 0;
	for (int i = 0; i < d->nest.n_results; i++)
		if (follows(d, sr_operand(end, i)))
			values[n++] = sr_map_get(&copies, sr_operand(end, i));
	sr_work_yield(&body, values, n);
	return new;
}

struct sr_op *sr_fuse_divide_sums(struct sr_context *ctx, struct sr_op *op)
{
	struct division d = {.ctx = ctx, .op = op, .nest = sr_work_read(ctx, op)};
	const struct sr_op *end = sr_block_terminator(op->regions[0].first);
	if (d.nest.parallel == d.nest.n_loops)
		return NULL;
	sr_map_init(&d.follows, ctx->scratch);
	sr_map_init(&d.invariants, ctx->scratch);
	if (!choose_blocks(&d) || !find_sums(&d) || d.nest.n_results + d.nest.n_operands + (int)d.sums.n > SR_FUSE_MAX_BUFFERS)
		return NULL;
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_op *first = build_first(&d, &b), *second = first ? build_second(&d, &b, first) : NULL;
	if (!second)
		return NULL;
	int of_first = (int)d.sums.n, of_second = 0;
	for (int i = 0; i < d.nest.n_results; i++) {
		bool is_sum = follows(&d, sr_operand(end, i));
		sr_value_replace_all(sr_result(op, i), is_sum ? sr_result(second, of_second++) : sr_result(first, of_first++));
	}
	sr_op_retire(ctx, op);
	return second;
}
