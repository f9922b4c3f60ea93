/* shardrun-sink-into-loops: sink elementwise ops into loops. If their operand is a stack that a loop fills slice by slice, they run
 * in the loop on one slice per iteration.
 *
 *	%2 = while(%s = %any) { %1 = stablehlo.dynamic_update_slice %s, %g, %i, %0;  return %1 }
 *	%3 = stablehlo.subtract %w, %2
 *  becomes
 *	%3 = while(%s = %any) {
 *		%1 = stablehlo.dynamic_slice %w, %i, %0;  %2 = stablehlo.subtract %1, %g
 *		%3 = stablehlo.dynamic_update_slice %s, %2, %i, %0;  return %3 }
 *
 * For example an optimizer's update of the weights of scanned layers: the stack of gradients is never stored, and each slice is
 * used while it is in cache. A gather of the slice is then sunk after the op (sink_all_gathers.c). Requires: sdy collectives.
 * Unchanged: stacks with other readers or below min-bytes, results of another element type, operands made after the loop, and loops
 * that are not known to write every slice. */
#include "dialect/attr_names.h"
#include "dialect/trip_count.h"
#include "partition/partition_passes.h"
#include "partition/reshard/sink.h"

struct stacked_value {
	struct sr_context *ctx;
	struct sr_op *loop, *update; /* the loop, and the dynamic_update_slice in its body */
	struct sr_induction_variable counter;
	int index;         /* index of the loop-carried value */
	int64_t min_bytes; /* smallest stack on one device, in bytes, whose readers are sunk into the loop */
};

/* Return true if the loop writes every element of the stack, and the stack has at least min_bytes. */
static bool is_filled(const struct stacked_value *s)
{
	const struct sr_type *stack = sr_result(s->update, 0)->type, *slice = sr_operand(s->update, 1)->type;
	const struct sr_attr *sharding = sr_value_sharding(s->ctx, sr_result(s->update, 0));
	int dim = sr_dim_of_slices(stack, slice);
	if (dim == -2 || !sharding || sharding->sharding->rank != stack->rank || sharding->sharding->unreduced.n ||
	    sr_value_local_bytes(sr_result(s->update, 0), sharding) < s->min_bytes)
		return false;
	return (dim == -1 || !sharding->sharding->dims[dim].axes.n) && sr_loop_writes_all_slices(s->ctx, s->loop, &s->counter, s->update);
}

/* ---- the op after the loop ---- */

static bool is_defined_before(const struct sr_value *v, const struct sr_op *loop)
{
	return !v->def || v->def->block != loop->block || sr_op_is_before(v->def, loop);
}

/* Return true for a splat constant, and for a broadcast of a scalar that is available before the loop. */
static bool can_be_rebuilt(const struct stacked_value *s, const struct sr_value *v)
{
	if (sr_constant_value(v))
		return sr_constant_value(v)->dense->splat;
	if (!v->def || !sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim) || sr_operand(v->def, 0)->type->rank)
		return false;
	const struct sr_value *number = sr_operand(v->def, 0);
	return sr_constant_value(number) || is_defined_before(number, s->loop);
}

static bool is_scalar(const struct stacked_value *s, const struct sr_value *v)
{
	return v->type->rank == 0 && sr_result(s->loop, s->index)->type->rank > 0;
}

static bool can_be_sliced(const struct stacked_value *s, const struct sr_op *op, const struct sr_attr *sharding)
{
	const struct sr_value *stack = sr_result(s->loop, s->index);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		if (v == stack || (is_scalar(s, v) ? is_defined_before(v, s->loop) : can_be_rebuilt(s, v)))
			continue;
		if (is_scalar(s, v) || !sr_types_have_same_shape(v->type, stack->type) || !is_defined_before(v, s->loop) ||
		    !sr_value_has_sharding(s->ctx, v, sharding))
			return false;
	}
	return true;
}

static struct sr_value *slice_of(struct sr_builder *at, const struct stacked_value *s, struct sr_value *v,
				 const struct sr_attr *sharding)
{
	const struct sr_type *slice_type = sr_operand(s->update, 1)->type;
	const struct sr_type *type =
		sr_type_tensor_of(at->ctx, v->type->element, slice_type->rank, slice_type->shape, slice_type->encoding);
	struct sr_value *rebuilt_value = sr_rebuild_uniform(at, v, type, sharding);
	if (rebuilt_value)
		return rebuilt_value;
	struct sr_value **operands = SR_NEW_ARRAY(at->ctx->arena, struct sr_value *, slice_type->rank + 1);
	struct sr_named_attr sizes = {SR_NAME_slice_sizes, sr_attr_i64s(at->ctx, slice_type->shape, slice_type->rank)};
	operands[0] = v;
	for (int d = 0; d < slice_type->rank; d++)
		operands[1 + d] = sr_operand(s->update, 2 + d);
	struct sr_value *slice =
		sr_result(sr_build(at, SR_OP_stablehlo_dynamic_slice, operands, slice_type->rank + 1, &sizes, 1, &type, 1), 0);
	sr_value_set_sharding(at->ctx, slice, sharding);
	return slice;
}

/* Build the op in the loop's body on the slice that an iteration writes; the loop then carries the op's results. */
static void sink_op(const struct stacked_value *s, struct sr_op *op, const struct sr_attr *sharding)
{
	struct sr_context *ctx = s->ctx;
	struct sr_builder at = {.ctx = ctx, .anchor = s->update, .loc = op->loc};
	struct sr_value *stack = sr_result(s->loop, s->index), *update = sr_operand(s->update, 1);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_operands);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		operands[i] = v == stack ? update : is_scalar(s, v) ? v : slice_of(&at, s, v, sharding);
	}
	struct sr_op *sunk_op = sr_build(&at, sr_op_code_of(op), operands, op->n_operands, op->attrs, op->n_attrs, &update->type,
					 1);
	sr_value_set_sharding(ctx, sr_result(sunk_op, 0), sharding);
	sr_op_set_operand(s->update, 1, sr_result(sunk_op, 0));
	sr_value_replace_all(sr_result(op, 0), stack);
	sr_op_erase(op);
}

static bool sink_reader(const struct stacked_value *s)
{
	const struct sr_value *stack = sr_result(s->loop, s->index);
	const struct sr_attr *sharding = sr_value_sharding(s->ctx, sr_result(s->update, 0));
	struct sr_op *op = sr_value_only_reader(stack);
	if (!op || op->block != s->loop->block || !sr_op_has(op, SR_ELEMENTWISE | SR_PURE) || op->n_results != 1 || op->n_regions ||
	    sr_result(op, 0)->type != stack->type || !sr_value_has_sharding(s->ctx, sr_result(op, 0), sharding) ||
	    !can_be_sliced(s, op, sharding))
		return false;
	sink_op(s, op, sharding);
	return true;
}

static bool visit(void *data, struct sr_op *op)
{
	struct stacked_value s = *(const struct stacked_value *)data;
	if (!sr_op_is(op, SR_OP_stablehlo_while) || !sr_loop_find_induction_variable(s.ctx, op, &s.counter))
		return true;
	s.loop = op;
	for (s.index = 0; s.index < op->n_results; s.index++) {
		s.update = sr_loop_carried_update(op, s.index);
		bool is_slice_update = s.update && sr_op_is(s.update, SR_OP_stablehlo_dynamic_update_slice) &&
			      sr_operand(s.update, 0) == op->regions[1].first->args[s.index];
		for (bool has_changed = is_slice_update && is_filled(&s); has_changed;)
			has_changed = sink_reader(&s);
	}
	return true;
}

enum sr_status sr_sink_into_loops(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct stacked_value s = {.ctx = ctx, .min_bytes = sr_option_int(options, "min-bytes")};
	sr_walk_post(module, visit, &s);
	return SR_OK;
}
