/* Composition: compute the producer's element inside the consumer, at the loops that the consumer's indexing map names. */
#include "work/fuse/fuse.h"
#include "dialect/attr_names.h"
#include <string.h>

static int64_t *identity_rows(struct sr_context *ctx, int n)
{
	return sr_indexing_map_identity(ctx, n).map;
}

struct sr_fusion sr_fuse_single(struct sr_context *ctx, struct sr_op *c)
{
	struct sr_fusion f = {.ctx = ctx};
	struct sr_fuse_side *s = &f.sides[SR_FUSE_CONSUMER];
	*s = (struct sr_fuse_side){.op = c, .nest = sr_work_read(ctx, c)};
	memcpy(f.loops, s->nest.loops, sizeof *f.loops * (size_t)s->nest.n_loops);
	f.n_loops = s->nest.n_loops;
	f.parallel = s->nest.parallel;
	s->new_loops = identity_rows(ctx, f.n_loops);
	for (int i = 0; i < c->n_results; i++)
		f.results[f.n_results++] = sr_result(c, i);
	return f;
}

static struct sr_op *replace_consumer(struct sr_fusion *f, struct sr_op *c)
{
	struct sr_op *new = sr_fuse_build(f, c);
	sr_fuse_sweep(f->ctx, c);
	return new;
}

static struct sr_op *split_loop(struct sr_context *ctx, struct sr_op *c, struct sr_fuse_split at)
{
	struct sr_fusion f = sr_fuse_single(ctx, c);
	struct sr_fuse_side *s = &f.sides[SR_FUSE_CONSUMER];
	int n = f.n_loops + 1;
	if (n > SR_NEST_MAX_LOOPS)
		return NULL;
	memmove(f.loops + at.loop + 1, f.loops + at.loop, sizeof *f.loops * (size_t)(f.n_loops - at.loop));
	f.loops[at.loop] /= at.factor;
	f.loops[at.loop + 1] = at.factor;
	f.parallel += at.loop < f.parallel;
	f.n_loops = n;
	s->new_loops = SR_NEW_ARRAY(ctx->scratch, int64_t, s->nest.n_loops * (n + 1) + 1);
	for (int l = 0; l < s->nest.n_loops; l++)
		s->new_loops[l * (n + 1) + l + (l > at.loop)] = l == at.loop ? at.factor : 1;
	s->new_loops[at.loop * (n + 1) + at.loop + 1] = 1;
	return sr_fuse_prepare(&f) ? replace_consumer(&f, c) : NULL;
}

/* Return true if a nest produces the value, perhaps through reshapes. */
static bool is_produced_by_nest(const struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_stablehlo_reshape))
		v = sr_operand(v->def, 0);
	return v->def && sr_op_is(v->def, SR_OP_work_nest);
}

static bool is_splat(const struct sr_value *v)
{
	const struct sr_attr *a = v->def && sr_op_is(v->def, SR_OP_stablehlo_constant) ? sr_op_attr(v->def, SR_NAME_value) : NULL;
	int64_t bytes;
	return a && a->kind == SR_ATTR_DENSE && a->dense->splat && sr_type_bytes(v->type, &bytes);
}

bool sr_fuse_is_reshape_of_nest(const struct sr_value *v)
{
	return v->def && sr_op_is(v->def, SR_OP_stablehlo_reshape) && is_produced_by_nest(v);
}

static bool is_concatenate(const struct sr_value *v)
{
	return v->def && sr_op_is(v->def, SR_OP_stablehlo_concatenate);
}

/* Find the operand of a concatenate that operand i of nest c reads, and its map there. Return false if it may read several
 * operands of the concatenate. Example: gathers with computed indices read one component of each index vector.
 *
 *	%1 = concatenate %rows, %columns, dim = 2      (d0, d1) -> [d0, d1, 1] of %1 is (d0, d1) -> [d0, d1, 0] of %columns */
static bool read_through_concatenate(struct sr_context *ctx, const struct sr_work_nest *c, int i, struct sr_value **v,
				     struct sr_indexing_map *a)
{
	struct sr_op *concatenate = c->operands[i]->def;
	int dim = (int)sr_op_int(concatenate, SR_NAME_dimension, 0), operand = 0;
	*a = c->accesses[i];
	int64_t *row = sr_indexing_map_row(a, dim), position = row[a->n_loops];
	for (int l = 0; l < a->n_loops; l++)
		if (row[l])
			return false;
	if (!sr_indexing_map_is_affine(a))
		return false;
	for (; operand < concatenate->n_operands - 1 && position >= sr_operand(concatenate, operand)->type->shape[dim]; operand++)
		position -= sr_operand(concatenate, operand)->type->shape[dim];
	*v = sr_operand(concatenate, operand);
	a->map = sr_dup(ctx->scratch, a->map, (size_t)a->rank * (size_t)(a->n_loops + 1), sizeof *a->map);
	a->attr = NULL;
	sr_indexing_map_row(a, dim)[a->n_loops] = position;
	return true;
}

struct sr_op *sr_fuse_read_through(struct sr_context *ctx, struct sr_op *c)
{
	bool has_read_through = false;
	for (int i = 0; i < c->n_operands; i++) {
		struct sr_value *v = sr_operand(c, i);
		has_read_through = has_read_through || is_splat(v) || sr_fuse_is_reshape_of_nest(v) || is_concatenate(v);
	}
	if (!has_read_through)
		return NULL;
	struct sr_fusion f = sr_fuse_single(ctx, c);
	struct sr_fuse_side *s = &f.sides[SR_FUSE_CONSUMER];
	bool has_changed = false;
	if (!sr_fuse_prepare(&f))
		return NULL;
	for (int i = 0; i < c->n_operands; i++) {
		struct sr_fuse_split loop_split;
		struct sr_value *v;
		struct sr_indexing_map a;
		has_changed = has_changed || (is_splat(s->nest.operands[i]) && s->nest.accesses[i].fill < 0 &&
					      !sr_fuse_is_index(&s->nest, i) && !sr_fuse_is_from_memory(&s->nest, i));
		if (is_concatenate(s->nest.operands[i]) && read_through_concatenate(ctx, &s->nest, i, &v, &a)) {
			s->reads[i] = (struct sr_fuse_read){v, a, -1};
			has_changed = true;
		} else if (sr_fuse_is_reshape_of_nest(s->nest.operands[i])) {
			if (sr_fuse_through_reshapes(ctx, &s->nest, i, &v, &a, &loop_split)) {
				s->reads[i] = (struct sr_fuse_read){v, a, -1};
				has_changed = true;
			} else if (loop_split.factor) {
				return split_loop(ctx, c, loop_split);
			}
		}
	}
	return has_changed ? replace_consumer(&f, c) : NULL;
}

/* Compose the producer of operand `operand` into the consumer. Every operand with the same value and map is replaced. */
struct sr_op *sr_fuse_compose(const struct sr_fusion *unfused_nest, int operand, bool last_resort, bool *has_last_resort,
			      enum sr_fuse_reason *why)
{
	struct sr_fusion f = *unfused_nest;
	struct sr_context *ctx = f.ctx;
	struct sr_op *c = f.sides[SR_FUSE_CONSUMER].op;
	struct sr_fuse_side *p = &f.sides[SR_FUSE_PRODUCER], *s = &f.sides[SR_FUSE_CONSUMER];
	struct sr_value *v = s->nest.operands[operand];
	const struct sr_indexing_map *a = &s->nest.accesses[operand];
	struct sr_fuse_split loop_split = {0};
	bool is_known[SR_NEST_MAX_LOOPS];
	*p = (struct sr_fuse_side){.op = v->def, .nest = sr_work_read(ctx, v->def)};
	if (!sr_indexing_map_is_affine(a) || sr_fuse_is_from_memory(&s->nest, operand)) {
		sr_fuse_raise_reason(why, SR_FUSE_BY_INDEX);
		return NULL;
	}
	sr_fuse_raise_reason(why, sr_fuse_fits(v->def, c) ? SR_FUSE_OTHER_LOOPS : SR_FUSE_TOO_LARGE);
	/* A producer that reduces over loops of extent 1, which have been dropped, is not composed: its reduction would become one
	 * over the consumer's inner loops. */
	bool has_reduction = p->nest.parallel < p->nest.n_loops ||
			     (f.parallel < f.n_loops && sr_fuse_facts_of(p->op).has_reduction);
	if (has_reduction || *why == SR_FUSE_TOO_LARGE)
		return NULL;
	p->new_loops = SR_NEW_ARRAY(ctx->scratch, int64_t, p->nest.n_loops * (f.n_loops + 1) + 1);
	if (!sr_fuse_loops_of(&p->nest, v->index, a, f.loops, f.n_loops, p->new_loops, is_known, &loop_split))
		return loop_split.factor && v->def->block == c->block ? split_loop(ctx, c, loop_split) : NULL;
	for (int l = 0; l < p->nest.n_loops; l++)
		if (!is_known[l])
			return NULL;
	enum sr_fuse_verdict verdict = sr_fuse_judge_composing(&f, why);
	*has_last_resort = *has_last_resort || verdict == SR_FUSE_LAST_RESORT;
	if (verdict == SR_FUSE_NO || (verdict == SR_FUSE_LAST_RESORT && !last_resort) || !sr_fuse_prepare(&f))
		return NULL;
	for (int i = 0; i < s->nest.n_operands; i++)
		if (s->nest.operands[i] == v && sr_indexing_map_equal(&s->nest.accesses[i], a) && !sr_fuse_is_from_memory(&s->nest, i))
			s->reads[i].producer_result = v->index;
	return replace_consumer(&f, c);
}
