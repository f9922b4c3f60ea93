/* shardrun-fuse: fuse each nest with the nests that produce its operands, in block order; then nests that read the same operand.
 * A nest that only copies all elements in order becomes a reshape, and long sums are divided. */
#include "work/fuse/fuse.h"
#include "dialect/attr_names.h"
#include "work/work_passes.h"

static struct sr_op *producer_of(const struct sr_op *c, int operand)
{
	struct sr_op *def = sr_operand(c, operand)->def;
	return def && sr_op_is(def, SR_OP_work_nest) ? def : NULL;
}

/* Fuse nest c with one of its producers. Return the nest that replaces c, or NULL with why[i] set for each operand i. */
static struct sr_op *fuse_with_producer(struct sr_context *ctx, struct sr_op *c, enum sr_fuse_reason *why)
{
	struct sr_fusion unfused_nest = sr_fuse_single(ctx, c);
	struct sr_op *new = NULL;
	bool has_last_resort = false;
	for (int i = 0; !new && i < c->n_operands; i++)
		if (producer_of(c, i))
			new = sr_fuse_compose(&unfused_nest, i, false, &has_last_resort, &why[i]);
	for (int i = 0; !new && i < c->n_operands; i++)
		if (producer_of(c, i))
			new = sr_fuse_merge(&unfused_nest, producer_of(c, i), &why[i]);
	for (int i = 0; !new && has_last_resort && i < c->n_operands; i++)
		if (producer_of(c, i))
			new = sr_fuse_compose(&unfused_nest, i, true, &has_last_resort, &why[i]);
	return new;
}

/* Perform one fusion of c and return the new nest, or return NULL with the reasons recorded on c. */
static struct sr_op *fuse_once(struct sr_context *ctx, struct sr_op *c)
{
	enum sr_fuse_reason why[SR_NEST_MAX_BUFFERS] = {SR_FUSE_NO_REASON};
	struct sr_op *new = sr_fuse_read_through(ctx, c);
	bool reads_nests = false, has_reason = false;
	if (new || c->n_operands > SR_NEST_MAX_BUFFERS)
		return new;
	for (int i = 0; i < c->n_operands; i++) {
		reads_nests = reads_nests || producer_of(c, i);
		why[i] = sr_fuse_is_reshape_of_nest(sr_operand(c, i)) ? SR_FUSE_RESHAPE : SR_FUSE_NO_REASON;
		has_reason = has_reason || producer_of(c, i) || why[i];
	}
	if (reads_nests)
		new = fuse_with_producer(ctx, c, why);
	if (!new && has_reason)
		sr_fuse_set_reasons(ctx, c, why);
	return new;
}

enum { MAX_USERS = 16 }; /* maximum number of an operand's users that are tried */

static struct sr_op *fuse_with_sibling(struct sr_context *ctx, struct sr_op *c)
{
	struct sr_fusion unfused_nest = sr_fuse_single(ctx, c);
	for (int i = 0; i < c->n_operands; i++) {
		int n = 0;
		for (struct sr_use *use = sr_operand(c, i)->uses; use && n < MAX_USERS; use = use->next, n++) {
			struct sr_op *p = use->owner;
			if (p == c || p->block != c->block || !sr_op_is(p, SR_OP_work_nest) || !sr_op_is_before(p, c))
				continue;
			struct sr_op *new = sr_fuse_merge_siblings(&unfused_nest, p, sr_use_index(use), i);
			if (new)
				return new;
		}
	}
	return NULL;
}

/* Replace nest c by a reshape if c only copies; return the reshape, or NULL. */
static struct sr_op *replace_by_reshape(struct sr_context *ctx, struct sr_op *c)
{
	if (!sr_work_is_reshape(ctx, c))
		return NULL;
	struct sr_builder b = {.ctx = ctx, .block = c->block, .anchor = c, .loc = c->loc};
	struct sr_value *source = sr_operand(c, 0);
	const struct sr_type *type = sr_result_type(c, 0);
	struct sr_op *view = sr_build(&b, SR_OP_stablehlo_reshape, &source, 1, NULL, 0, &type, 1);
	sr_value_replace_all(sr_result(c, 0), sr_result(view, 0));
	sr_op_retire(ctx, c);
	return view;
}

/* Return the concatenation that c transposes if c does nothing else, and if each of its operands is the result of the same number of
 * one nest, has extent 1 along the dimension of the concatenation, and has no other reader; else NULL. */
static struct sr_op *transposed_stack(const struct sr_op *c)
{
	struct sr_op *stack = c->n_operands == 1 && c->n_results == 1 && sr_work_only_yields(c) ? sr_operand(c, 0)->def : NULL;
	if (!stack || !sr_op_is(stack, SR_OP_stablehlo_concatenate) || sr_result(stack, 0)->uses->next || stack->n_operands < 2)
		return NULL;
	int64_t dim = sr_op_int(stack, SR_NAME_dimension, 0);
	const struct sr_op *nest = sr_operand(stack, 0)->def;
	bool is_stack = nest && sr_op_is(nest, SR_OP_work_nest) && nest->n_results == stack->n_operands && stack->block == c->block;
	for (int i = 0; is_stack && i < stack->n_operands; i++) {
		const struct sr_value *v = sr_operand(stack, i);
		is_stack = v == sr_result(nest, i) && !v->uses->next && v->type->shape[dim] == 1;
	}
	return is_stack ? stack : NULL;
}

/* Return the dimension of c's result to which c moves dimension `dim` of its operand; -1 if c is no transpose, or changes the order
 * of other dimensions. */
static int moved_dimension(struct sr_context *ctx, struct sr_op *c, int64_t dim)
{
	struct sr_work_nest nest = sr_work_read(ctx, c);
	int *from = SR_NEW_ARRAY(ctx->scratch, int, nest.n_loops + 1), *to = SR_NEW_ARRAY(ctx->scratch, int, nest.n_loops + 1);
	int moved = -1;
	if (nest.parallel != nest.n_loops || !sr_indexing_map_is_permutation(&nest.accesses[0], sr_operand_type(c, 0)->shape, from) ||
	    !sr_indexing_map_is_permutation(&nest.result_indexing_maps[0], sr_result_type(c, 0)->shape, to))
		return -1;
	for (int l = 0; l < nest.n_loops; l++) {
		if (nest.loops[l] > 1 && (from[l] < 0 || to[l] < 0))
			return -1;
		moved = from[l] == dim ? to[l] : moved;
		for (int k = 0; k < l; k++)
			if (nest.loops[k] > 1 && nest.loops[l] > 1 && from[k] != dim && from[l] != dim && (from[k] < from[l]) != (to[k] < to[l]))
				return -1;
	}
	return moved;
}

/* Replace nest c by a concatenation along another dimension if c transposes a concatenation of a nest's results, so that the nest
 * can write its results there; return that concatenation, or NULL. */
static struct sr_op *stack_along_other_dimension(struct sr_context *ctx, struct sr_op *c)
{
	struct sr_op *stack = transposed_stack(c);
	int moved = stack ? moved_dimension(ctx, c, sr_op_int(stack, SR_NAME_dimension, 0)) : -1;
	if (moved < 0)
		return NULL;
	struct sr_builder b = {.ctx = ctx, .block = c->block, .anchor = c, .loc = stack->loc};
	const struct sr_type *out = sr_result_type(c, 0);
	struct sr_value **slices = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, stack->n_operands);
	int64_t *shape = sr_dup(ctx->scratch, out->shape, (size_t)out->rank, sizeof *shape);
	shape[moved] = 1;
	const struct sr_type *type = sr_type_with_shape(ctx, out, out->rank, shape);
	for (int i = 0; i < stack->n_operands; i++) {
		struct sr_value *v = sr_operand(stack, i);
		slices[i] = sr_result(sr_build(&b, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, &type, 1), 0);
	}
	struct sr_named_attr dim = {SR_NAME_dimension, sr_attr_i64(ctx, moved)};
	struct sr_op *new = sr_build(&b, SR_OP_stablehlo_concatenate, slices, stack->n_operands, &dim, 1, &out, 1);
	sr_value_replace_all(sr_result(c, 0), sr_result(new, 0));
	sr_fuse_sweep(ctx, c);
	return new;
}

static struct sr_op *run_in_scratch_scope(struct sr_context *ctx, struct sr_op *op, struct sr_op *(*one)(struct sr_context *, struct sr_op *))
{
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	struct sr_op *new = one(ctx, op);
	sr_arena_release(ctx->scratch, mark);
	sr_ops_reclaim(ctx);
	return new;
}

static void fuse_region(struct sr_context *ctx, struct sr_region *region, struct sr_op *(*one)(struct sr_context *, struct sr_op *))
{
	for (struct sr_block *block = region->first; block; block = block->next)
		for (struct sr_op *op = block->first, *new; op; op = op->next) {
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				fuse_region(ctx, &op->regions[i], one);
			op->mark = 0;
			while (sr_op_is(op, SR_OP_work_nest) && (new = run_in_scratch_scope(ctx, op, one)))
				op = new;
		}
}

enum sr_status sr_run_fuse(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func)) {
			fuse_region(ctx, &op->regions[0], fuse_once);
			fuse_region(ctx, &op->regions[0], fuse_with_sibling);
			fuse_region(ctx, &op->regions[0], replace_by_reshape);
			fuse_region(ctx, &op->regions[0], stack_along_other_dimension);
			fuse_region(ctx, &op->regions[0], sr_fuse_copy_before_update);
			fuse_region(ctx, &op->regions[0], sr_fuse_divide_sums);
			fuse_region(ctx, &op->regions[0], sr_fuse_order_loops);
		}
	return SR_OK;
}
