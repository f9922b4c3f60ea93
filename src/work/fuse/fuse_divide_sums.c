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

/* Choose blocks of about the square root of an accumulator's terms. Return false if the sums are short, or the number of terms has
 * no such divisor. */
static bool choose_blocks(struct division *d)
{
	int n_inner = d->nest.n_loops - d->nest.parallel;
	int64_t terms = sr_fuse_count_iterations(d->nest.loops + d->nest.parallel, n_inner), rest = 1, blocks = 1;
	int64_t results = sr_fuse_count_iterations(d->nest.loops, d->nest.parallel), accumulators = count_accumulators(d);
	int64_t least = MIN_BLOCK * accumulators, most = sr_min(terms / MIN_BLOCK, MAX_BLOCK);
	bool is_long = terms / accumulators >= SR_FUSE_MIN_TERMS;
	double best = INFINITY; /* smallest ratio of the larger to the smaller of a block's terms squared and terms * accumulators */
	for (int k = n_inner - 1; is_long && k >= 0 && rest <= most; rest *= inner_extent(d, k), k--)
		for (int64_t step = 1; step <= inner_extent(d, k) && step <= most / rest; step++) {
			if (inner_extent(d, k) % step || rest * step < least)
				continue;
			double ratio = (double)(rest * step) * (double)(rest * step) / ((double)terms * (double)accumulators);
			if (fmax(ratio, 1 / ratio) < best) {
				best = fmax(ratio, 1 / ratio);
				d->k = k;
				d->step = step;
			}
		}
	if (best == INFINITY)
		return false;
	for (int i = 0; i <= d->k; i++) {
		int64_t extent = i < d->k ? inner_extent(d, i) : inner_extent(d, i) / d->step;
		blocks *= extent;
		if (i < d->k || extent > 1)
			d->block_loops[d->n_block_loops++] = extent;
	}
	return results <= MAX_BYTES / (int64_t)sizeof(float) / blocks && d->n_block_loops + d->nest.parallel <= SR_MAX_RANK &&
	       d->nest.n_loops + 1 <= SR_NEST_MAX_LOOPS;
}

/* One of the two nests: its description, and the original nest's loops in terms of its own, dimensions [original loops][own loops +
 * 1]. */
struct part {
	struct sr_work_nest nest;
	int64_t *to;
	bool is_second;
};

/* Allocate the lists of a part, and return its loops, which the caller sets. */
static int64_t *begin_part(const struct division *d, struct part *p, int n_loops, int parallel)
{
	size_t n = (size_t)d->nest.n_operands + (size_t)d->nest.n_results + d->sums.n;
	int64_t *loops = SR_NEW_ARRAY(d->ctx->scratch, int64_t, n_loops);
	p->nest = (struct sr_work_nest){.loops = loops, .n_loops = n_loops, .parallel = parallel};
	p->nest.operands = SR_NEW_ARRAY(d->ctx->scratch, struct sr_value *, n);
	p->nest.accesses = SR_NEW_ARRAY(d->ctx->scratch, struct sr_indexing_map, n);
	p->nest.result_indexing_maps = SR_NEW_ARRAY(d->ctx->scratch, struct sr_indexing_map, n);
	p->nest.result_types = SR_NEW_ARRAY(d->ctx->scratch, const struct sr_type *, n);
	p->to = SR_NEW_ARRAY(d->ctx->scratch, int64_t, (size_t)d->nest.n_loops * ((size_t)n_loops + 1));
	return loops;
}

static bool substitute(const struct division *d, const struct part *p, const struct sr_indexing_map *a, struct sr_indexing_map *out)
{
	return sr_indexing_map_substitute_loops(d->ctx, a, p->to, p->nest.n_loops, 0, out);
}

/* Add operand i of the original nest. Return false if its map overflows. */
static bool add_operand(const struct division *d, struct part *p, int i)
{
	p->nest.operands[p->nest.n_operands] = d->nest.operands[i];
	return substitute(d, p, &d->nest.accesses[i], &p->nest.accesses[p->nest.n_operands++]);
}

/* Add the results of the original nest that the part computes. Return false if a map overflows. */
static bool add_results(const struct division *d, struct part *p)
{
	const struct sr_op *end = sr_block_terminator(d->op->regions[0].first);
	for (int i = 0; i < d->nest.n_results; i++) {
		struct sr_indexing_map *a = &p->nest.result_indexing_maps[p->nest.n_results];
		if (follows(d, sr_operand(end, i)) != p->is_second)
			continue;
		p->nest.result_types[p->nest.n_results++] = d->nest.result_types[i];
		if (!substitute(d, p, &d->nest.result_indexing_maps[i], a))
			return false;
	}
	return true;
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

/* Describe the nest of the blocks' sums, which are its first results, and of the results that vary along the inner loops. Its loops
 * run over blocks, then over the parallel and the remaining inner loops. Return false if a map's coefficient overflows. */
static bool describe_first(const struct division *d, struct part *p)
{
	int n_blocks = d->n_block_loops, parallel = n_blocks + d->nest.parallel, n = n_blocks + d->nest.n_loops - d->k;
	int64_t *loops = begin_part(d, p, n, parallel);
	struct sr_indexing_map a, moved;
	for (int l = 0; l < n_blocks; l++)
		loops[l] = d->block_loops[l];
	for (int l = 0; l < d->nest.n_loops; l++) {
		int inner = l - d->nest.parallel, at = inner < 0 ? n_blocks + l : inner < d->k ? inner : n_blocks + l - d->k;
		loops[at] = inner == d->k ? d->step : d->nest.loops[l];
		p->to[l * (n + 1) + at] = 1;
		if (inner == d->k && n_blocks > d->k)
			p->to[l * (n + 1) + d->k] = d->step;
	}
	for (; p->nest.n_results < (int)d->sums.n; p->nest.n_results++) {
		p->nest.result_types[p->nest.n_results] = sr_type_tensor(d->ctx, SR_F32, parallel, loops);
		p->nest.result_indexing_maps[p->nest.n_results] = map_of_sums(d, n, 0, n_blocks);
	}
	for (int i = 0; i < d->nest.n_operands; i++)
		if (!add_operand(d, p, i))
			return false;
	for (const struct sr_op *op = d->op->regions[0].first->first; op; op = op->next)
		if (sr_fuse_index_map(d->ctx, op, d->nest.n_loops, &a) && !substitute(d, p, &a, &moved))
			return false;
	return add_results(d, p);
}

/* Describe the nest that adds the blocks' sums, its first operands, and computes what follows. Its inner loops run over blocks.
 * None of its maps depends on the original inner loops. */
static bool describe_second(const struct division *d, struct part *p)
{
	int parallel = d->nest.parallel, n = parallel + d->n_block_loops;
	int64_t *loops = begin_part(d, p, n, parallel);
	for (int l = 0; l < n; l++)
		loops[l] = l < parallel ? d->nest.loops[l] : d->block_loops[l - parallel];
	for (int l = 0; l < parallel; l++)
		p->to[l * (n + 1) + l] = 1;
	for (; p->nest.n_operands < (int)d->sums.n; p->nest.n_operands++)
		p->nest.accesses[p->nest.n_operands] = map_of_sums(d, n, parallel, 0);
	for (size_t i = 0; i < d->arguments.n; i++)
		if (!add_operand(d, p, d->arguments.data[i]->index))
			return false;
	return add_results(d, p);
}

/* Copy an op into the body; the map of a work.index is expressed in the part's loops. */
static struct sr_op *copy_op(const struct division *d, const struct part *p, struct sr_builder *body, struct sr_op *op,
			     struct sr_map *copies)
{
	struct sr_op *copy = sr_op_clone(d->ctx, op, copies);
	struct sr_indexing_map a, moved;
	if (sr_fuse_index_map(d->ctx, op, d->nest.n_loops, &a) && substitute(d, p, &a, &moved))
		sr_op_set_attr(d->ctx, copy, SR_NAME_indexing_map, sr_indexing_map_attr(d->ctx, &moved));
	sr_op_append(body->block, copy);
	return copy;
}

/* Build a part: its sums begin with -0 in the first nest, and add the first operands in the second. */
static struct sr_op *build_part(const struct division *d, struct sr_builder *b, const struct part *p)
{
	const struct sr_block *old_body = d->op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(old_body);
	size_t n_arguments = p->is_second ? d->arguments.n : (size_t)old_body->n_args, n_sums = 0;
	struct sr_value *const *arguments = p->is_second ? d->arguments.data : old_body->args;
	struct sr_value **values = SR_NEW_ARRAY(d->ctx->scratch, struct sr_value *, d->sums.n + (size_t)end->n_operands);
	struct sr_builder body;
	struct sr_map copies;
	struct sr_op *new = sr_work_build(b, &p->nest, &body);
	sr_map_init(&copies, d->ctx->scratch);
	for (size_t i = 0; i < n_arguments; i++)
		sr_map_put(&copies, arguments[i], body.block->args[i + (p->is_second ? d->sums.n : 0)]);
	for (struct sr_op *op = old_body->first; op != end; op = op->next) {
		bool is_sum = sr_op_is(op, SR_OP_work_reduce), is_follower = sr_map_get(&d->follows, op);
		if (p->is_second ? !is_follower && !sr_map_get(&d->invariants, op) : is_follower && !is_sum)
			continue;
		struct sr_value *zero = is_sum && !p->is_second ? sr_build_splat(&body, sr_result_type(op, 0), -0.) : NULL;
		struct sr_op *copy = copy_op(d, p, &body, op, &copies);
		if (is_sum)
			sr_op_set_operand(copy, zero ? 1 : 0, zero ? zero : body.block->args[n_sums++]);
	}
	int n = 0;
	for (size_t i = 0; i < d->sums.n && !p->is_second; i++)
		values[n++] = sr_map_get(&copies, sr_result(d->sums.data[i], 0));
	for (int i = 0; i < end->n_operands; i++)
		if (follows(d, sr_operand(end, i)) == p->is_second)
			values[n++] = sr_map_get(&copies, sr_operand(end, i));
	sr_work_yield(&body, values, n);
	return new;
}

struct sr_op *sr_fuse_divide_sums(struct sr_context *ctx, struct sr_op *op)
{
	struct division d = {.ctx = ctx, .op = op, .nest = sr_work_read(ctx, op)};
	struct part parts[2] = {{.is_second = false}, {.is_second = true}};
	const struct sr_op *end = sr_block_terminator(op->regions[0].first);
	if (d.nest.parallel == d.nest.n_loops || !choose_blocks(&d))
		return NULL;
	sr_map_init(&d.follows, ctx->scratch);
	sr_map_init(&d.invariants, ctx->scratch);
	if (!find_sums(&d) || d.nest.n_results + d.nest.n_operands + (int)d.sums.n > SR_FUSE_MAX_BUFFERS ||
	    !describe_first(&d, &parts[0]) || !describe_second(&d, &parts[1]))
		return NULL;
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_op *first = build_part(&d, &b, &parts[0]);
	for (size_t i = 0; i < d.sums.n; i++)
		parts[1].nest.operands[i] = sr_result(first, (int)i);
	struct sr_op *second = build_part(&d, &b, &parts[1]);
	int of_first = (int)d.sums.n, of_second = 0;
	for (int i = 0; i < d.nest.n_results; i++) {
		bool is_sum = follows(&d, sr_operand(end, i));
		sr_value_replace_all(sr_result(op, i), is_sum ? sr_result(second, of_second++) : sr_result(first, of_first++));
	}
	sr_op_retire(ctx, op);
	return second;
}
