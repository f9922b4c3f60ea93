/* shardrun-lower-to-work: replace every op by its loop nest, if the NEST column of the op table names a function for the op. */
#include "dialect/trip_count.h"
#include "kernels/nest/nest.h"
#include "work/work_passes.h"
#include "work/nest/nest_from_op.h"

static sr_nest_from_fn *const nest_functions[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define NEST(f) sr_nest_from_##f,
#include "dialect/table/all.ops"
};

/* Return true for a non-empty static tensor whose element type and rank kernels support. */
static bool is_supported(const struct sr_value *v)
{
	int64_t n;
	const struct sr_type *t = v->type;
	return t->kind == SR_TYPE_TENSOR && sr_type_is_static(t) && t->dtype != SR_DTYPE_NONE && t->rank <= SR_NEST_MAX_LOOPS &&
	       sr_type_elements(t, &n) && n > 0;
}

static int64_t element_count(const struct sr_value *v)
{
	int64_t n = 0;
	return sr_type_elements(v->type, &n) ? n : 0;
}

static const struct sr_value *operand_or_result(const struct sr_op *op, int i)
{
	return i < op->n_operands ? sr_operand(op, i) : sr_result(op, i - op->n_operands);
}

static struct sr_op *nest_from_op(struct sr_context *ctx, struct sr_op *op, sr_nest_from_fn *nest_from, bool interpreted)
{
	struct sr_lowering l = {.ctx = ctx, .op = op, .is_interpreted = interpreted,
				.builder = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc}};
	for (int i = 0; i < op->n_operands + op->n_results; i++)
		if (!is_supported(operand_or_result(op, i)))
			return NULL;
	return op->n_results && nest_from(&l) ? l.nest : NULL;
}

struct sr_op *sr_work_nest_from_op(struct sr_context *ctx, struct sr_op *op)
{
	return op->info->code ? nest_from_op(ctx, op, nest_functions[op->info->code], false) : NULL;
}

/* Return true if the op works on scalars only: such an op stays a kernel call. */
static bool is_of_scalars(const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands + op->n_results; i++)
		if (element_count(operand_or_result(op, i)) > 1)
			return false;
	return op->n_operands > 0;
}

/* Erase the op, and the slice nests and products that it was the last to use and that the op's own nest reads through. */
static void erase_with_slices(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_value *operands[SR_NEST_MAX_BUFFERS];
	int n = op->n_operands < SR_NEST_MAX_BUFFERS ? op->n_operands : 0;
	for (int i = 0; i < n; i++)
		operands[i] = sr_operand(op, i);
	sr_op_retire(ctx, op);
	for (int i = 0; i < n; i++) {
		struct sr_op *def = operands[i]->def;
		if (def && def->block && (sr_op_is(def, SR_OP_work_nest) || sr_op_has(def, SR_MATMUL)) && def->n_results == 1 &&
		    !operands[i]->uses)
			sr_op_retire(ctx, def); /* a value that is an operand twice is retired once: it then has no block */
	}
}

/* Expand the op into others; return the first of them, which is lowered next, or NULL if it is not expanded. */
static struct sr_op *expand_op(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	bool is_any_supported = op->n_results > 0;
	for (int i = 0; i < op->n_operands + op->n_results; i++)
		is_any_supported = is_any_supported && is_supported(operand_or_result(op, i));
	struct sr_op *first = is_any_supported ? sr_work_expand_wide_window(ctx, op) : NULL;
	if (is_any_supported && !first)
		first = sr_work_split_reduction(ctx, op);
	sr_arena_release(ctx->scratch, mark);
	if (first) {
		sr_op_retire(ctx, op);
		sr_ops_reclaim(ctx);
	}
	return first;
}

/* Replace the op by the nest that the function builds, if it builds one. */
static void lower_op(struct sr_context *ctx, struct sr_op *op, sr_nest_from_fn *nest_from, bool interpreted)
{
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	struct sr_op *nest = is_of_scalars(op) ? NULL : nest_from_op(ctx, op, nest_from, interpreted);
	sr_arena_release(ctx->scratch, mark);
	if (!nest)
		return;
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), sr_result(nest, i));
	erase_with_slices(ctx, op);
	sr_ops_reclaim(ctx);
}

/* Return true if the loop writes every element of loop state i, and nothing in the loop reads the state. */
static bool is_overwritten(struct sr_context *ctx, const struct sr_op *loop, const struct sr_induction_variable *counter, int i)
{
	const struct sr_op *update = sr_loop_carried_update(loop, i);
	return update && sr_op_is(update, SR_OP_stablehlo_dynamic_update_slice) &&
	       sr_operand(update, 0) == loop->regions[1].first->args[i] && sr_loop_writes_all_slices(ctx, loop, counter, update);
}

/* Replace the initial value of each loop state that the loop overwrites by an undefined value, such as the zeros with which the
 * stacks of a scan begin. */
static void drop_initial_values(struct sr_context *ctx, struct sr_op *loop)
{
	struct sr_induction_variable counter;
	if (!sr_loop_find_induction_variable(ctx, loop, &counter))
		return;
	for (int i = 0; i < loop->n_operands; i++) {
		struct sr_builder builder = {.ctx = ctx, .block = loop->block, .anchor = loop, .loc = loop->loc};
		struct sr_op *initial = sr_operand(loop, i)->def;
		const struct sr_type *type = sr_operand(loop, i)->type;
		if (!is_overwritten(ctx, loop, &counter, i))
			continue;
		sr_op_set_operand(loop, i, sr_result(sr_build(&builder, SR_OP_work_empty, NULL, 0, NULL, 0, &type, 1), 0));
		if (initial && initial->n_results == 1)
			sr_work_retire_unused(ctx, initial);
	}
}

/* Return true if an iteration of the loop changes loop state i. */
static bool changes_state(const struct sr_op *loop, int i)
{
	const struct sr_block *body = loop->regions[1].first;
	return sr_operand(sr_block_terminator(body), i) != body->args[i];
}

/* Return true for a nest that reads scalars only: computing its result twice costs no more than copying it. */
static bool is_fill(const struct sr_op *op)
{
	for (int i = 0; op && i < op->n_operands; i++)
		if (element_count(sr_operand(op, i)) > 1)
			return false;
	return op && sr_op_is(op, SR_OP_work_nest);
}

/* Give each loop state whose initial value is a fill that others use, too, its own copy of the fill, which is then computed
 * directly in the state's memory. */
static void duplicate_initial_fills(struct sr_context *ctx, struct sr_op *loop)
{
	for (int i = 0; i < loop->n_operands; i++) {
		struct sr_op *nest = sr_operand(loop, i)->def;
		if (!is_fill(nest) || !sr_result(nest, 0)->uses->next || !changes_state(loop, i))
			continue;
		struct sr_op *own_fill = sr_op_clone(ctx, nest, NULL);
		sr_op_insert_before(loop, own_fill);
		sr_op_set_operand(loop, i, sr_result(own_fill, 0));
	}
}

/* Prepare an op for lowering. Return false if the op is a transpose that was folded into matrix products and has no users left. */
static bool prepare_op(struct sr_context *ctx, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_stablehlo_while)) {
		drop_initial_values(ctx, op);
		duplicate_initial_fills(ctx, op);
	}
	return !sr_op_is(op, SR_OP_stablehlo_transpose) || sr_work_is_transposed_product(ctx, op) ||
	       !(sr_work_fold_transpose_into_producer(ctx, op) || sr_work_fold_transpose_into_readers(ctx, op));
}

/* Lower the ops in regions that execute in place: bodies of functions, loops and branches, but not of reducers and comparators. */
static void lower_region(struct sr_context *ctx, struct sr_region *region, bool interpreted)
{
	for (struct sr_block *block = region->first; block; block = block->next)
		for (struct sr_op *op = block->first, *next; op; op = next) {
			next = expand_op(ctx, op);
			if (next)
				continue;
			next = op->next;
			if (!prepare_op(ctx, op)) {
				erase_with_slices(ctx, op);
				sr_ops_reclaim(ctx);
				continue;
			}
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				lower_region(ctx, &op->regions[i], interpreted);
			if (op->info->code)
				lower_op(ctx, op, nest_functions[op->info->code], interpreted);
		}
}

/* Let nests read the operands of concatenations, also of concatenations of concatenations and of their slices, instead of a buffer
 * with the result. Backwards, since an op without readers left is erased, and whether the operands are read in place depends on
 * the readers. */
static void lower_concatenations(struct sr_context *ctx, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next)
		for (struct sr_op *op = block->last, *next, *last; op; op = last == op ? op->prev : last) {
			next = op->next;
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				lower_concatenations(ctx, &op->regions[i]);
			if (sr_op_is(op, SR_OP_stablehlo_concatenate) && !sr_result(op, 0)->uses)
				sr_work_retire_unused(ctx, op);
			else if (sr_op_is(op, SR_OP_stablehlo_concatenate) || sr_op_is(op, SR_OP_work_nest))
				lower_op(ctx, op, sr_nest_from_boxes, false);
			last = next ? next->prev : block->last;
		}
}

/* Functions that rewrite a group of ops, found by one of them. Each returns the op from which the pass continues: that op, or the
 * one that replaces it. */
static const struct {
	enum sr_op_code code;
	struct sr_op *(*rewrite)(struct sr_context *ctx, struct sr_op *op);
} groups[] = {
	{SR_OP_stablehlo_all_reduce, sr_work_localize_softmax},
	{SR_OP_stablehlo_fft, sr_work_transform_dimensions},
	{SR_OP_stablehlo_reduce, sr_work_sum_components},
	{SR_OP_stablehlo_concatenate, sr_work_sink_concatenate},
};

static struct sr_op *rewrite_group(struct sr_context *ctx, struct sr_op *op)
{
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if (sr_op_is(op, groups[i].code))
			return groups[i].rewrite(ctx, op);
	return op;
}

/* Rewrite groups of ops, before each becomes a loop nest of its own. */
static void rewrite_region(struct sr_context *ctx, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next)
		for (struct sr_op *op = block->first; op; op = op->next) {
			struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
			struct sr_op *stack = sr_work_unstack(ctx, op);
			op = stack ? stack : op;
			if (sr_op_has(op, SR_MATMUL)) {
				sr_work_put_few_rows_left(ctx, op);
				sr_work_fold_converts(ctx, op);
				sr_work_keep_rows(ctx, op);
			}
			op = rewrite_group(ctx, op);
			sr_arena_release(ctx->scratch, mark);
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				rewrite_region(ctx, &op->regions[i]);
		}
}

enum sr_status sr_run_lower_to_work(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func)) {
			rewrite_region(ctx, &op->regions[0]);
			lower_region(ctx, &op->regions[0], sr_option_bool(options, "interpreted"));
			lower_concatenations(ctx, &op->regions[0]);
		}
	return SR_OK;
}
