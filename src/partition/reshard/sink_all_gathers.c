/* shardrun-sink-all-gathers: sink an all_gather below the elementwise op that reads it.
 *
 *	%1 = sdy.all_gather [{"x"}] %g
 *	%2 = stablehlo.multiply %rate, %1           on every device, replicated
 *	%3 = stablehlo.subtract %w, %2
 *  becomes
 *	%1 = stablehlo.multiply %rate', %g          %rate' and %w' are slices of %rate and %w, local: nothing is sent
 *	%2 = stablehlo.subtract %w', %1
 *	%3 = sdy.all_gather [{"x"}] %2
 *
 * For example an optimizer's update of replicated weights, or a sum of two gathered values, of which only one is then sent. Every
 * element is computed as before, so bits do not change. Requires: sdy collectives. Unchanged: gathers with other readers, results
 * with more bytes than the gathered operands, and results below min-bytes, for which slicing takes longer than computing
 * everything. */
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/partition_passes.h"
#include "partition/reshard/sink.h"

struct gather_sinking {
	struct sr_context *ctx;
	int64_t min_bytes; /* smallest result on one device, in bytes, for which an all_gather is sunk */
};

/* Return true if another op gathers the same value over the same axes. CSE will merge the two, so this one must not be sunk. */
static bool is_shared(const struct sr_op *gather)
{
	const struct sr_attr *axes = sr_op_attr(gather, SR_NAME_gathering_axes);
	for (const struct sr_use *use = sr_operand(gather, 0)->uses; use; use = use->next)
		if (use->owner != gather && use->owner->info == gather->info &&
		    sr_op_attr(use->owner, SR_NAME_gathering_axes) == axes)
			return true;
	return false;
}

/* Return the all_gather that defines v, if v has only one reader. NULL if there is none, or if unreduced axes are involved. */
static struct sr_op *gather_of(struct sr_context *ctx, const struct sr_value *v)
{
	struct sr_op *op = v->def;
	if (!op || !sr_op_is(op, SR_OP_sdy_all_gather) || !sr_value_only_reader(v) || is_shared(op))
		return NULL;
	const struct sr_attr *in = sr_value_sharding(ctx, sr_operand(op, 0));
	return in && !in->sharding->unreduced.n && !sr_op_attr(op, SR_NAME_out_sharding)->sharding->unreduced.n ? op : NULL;
}

/* Build the collective `code` on v over the gather's axes, with the result sharding `out`. */
static struct sr_value *build_collective_like(struct sr_builder *at, const struct sr_op *gather, enum sr_op_code code,
					      struct sr_value *v, const struct sr_attr *out)
{
	struct sr_context *ctx = at->ctx;
	const struct sr_attr *gathering_axes = sr_op_attr(gather, SR_NAME_gathering_axes);
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(gather), out->sharding);
	struct sr_axes *axes = SR_NEW_ARRAY(ctx->arena, struct sr_axes, gathering_axes->n);
	for (int d = 0; d < gathering_axes->n; d++)
		axes[d] = sr_axes_resolve(ctx->arena, mesh, *gathering_axes->list[d]->axes);
	const struct sr_attr *cause = sr_op_attr(gather, "shardrun.cause");
	struct sr_collective collective = {.code = code, .mesh = mesh, .axes = axes, .out = out, .cause = cause};
	return sr_collective_build(at, &collective, v);
}

/* Slice v along the gather's axes to the sharding `local_sharding`. Uniform values are rebuilt instead. */
static struct sr_value *slice_like_gather(struct sr_builder *at, const struct sr_op *gather, struct sr_value *v,
					  const struct sr_attr *local_sharding)
{
	struct sr_value *rebuilt_value = sr_rebuild_uniform(at, v, v->type, local_sharding);
	return rebuilt_value ? rebuilt_value : build_collective_like(at, gather, SR_OP_sdy_all_slice, v, local_sharding);
}

/* Return true if gather b has the same axes and operand sharding as gather a. */
static bool is_same_gather(struct sr_context *ctx, const struct sr_op *a, const struct sr_op *b)
{
	return sr_op_attr(a, SR_NAME_gathering_axes) == sr_op_attr(b, SR_NAME_gathering_axes) &&
	       sr_value_has_sharding(ctx, sr_operand(b, 0), sr_value_sharding(ctx, sr_operand(a, 0)));
}

/* Return true if each operand has the gather's result sharding, so that it can be sliced, or is a scalar. */
static bool can_slice_operands(struct sr_context *ctx, const struct sr_op *op, const struct sr_attr *gathered_sharding)
{
	const struct sr_type *type = sr_result(op, 0)->type;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		bool is_scalar = v->type->rank == 0 && type->rank > 0;
		if (!is_scalar && (!sr_types_have_same_shape(v->type, type) || !sr_value_has_sharding(ctx, v, gathered_sharding)))
			return false;
	}
	return true;
}

static int element_bits(const struct sr_type *t)
{
	return t->dtype == SR_DTYPE_NONE ? 0 : sr_dtypes[t->dtype].bits;
}

/* Return true if operand i of op is also an earlier operand. */
static bool is_repeated(const struct sr_op *op, int i)
{
	for (int k = 0; k < i; k++)
		if (sr_operand(op, k) == sr_operand(op, i))
			return true;
	return false;
}

/* Return true if sinking pays: an element of the result has no more bits than those of the distinct gathered operands together, and
 * the result has at least min_bytes on a device. */
static bool is_cheaper_after_op(const struct gather_sinking *l, const struct sr_op *op, const struct sr_op *gather)
{
	const struct sr_value *result = sr_result(op, 0);
	int operand_bits = 0, result_bits = element_bits(result->type);
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *other_gather = gather_of(l->ctx, sr_operand(op, i));
		if (other_gather && !is_repeated(op, i) && is_same_gather(l->ctx, gather, other_gather))
			operand_bits += element_bits(sr_operand(op, i)->type);
	}
	return result_bits > 0 && result_bits <= operand_bits &&
	       sr_value_local_bytes(result, sr_op_attr(gather, SR_NAME_out_sharding)) >= l->min_bytes;
}

/* Let the op compute on shards, and gather its result in place of its operands. */
static void sink_gather(struct sr_context *ctx, struct sr_op *op, struct sr_op *gather)
{
	struct sr_builder at = {.ctx = ctx, .anchor = op->next, .loc = op->loc};
	const struct sr_attr *local_sharding = sr_value_sharding(ctx, sr_operand(gather, 0));
	struct sr_value *result = sr_result(op, 0);
	struct sr_value *new_gather_result =
		build_collective_like(&at, gather, SR_OP_sdy_all_gather, result, sr_op_attr(gather, SR_NAME_out_sharding));
	sr_value_replace_all(result, new_gather_result);
	sr_op_set_operand(new_gather_result->def, 0, result);
	sr_value_set_sharding(ctx, result, local_sharding);
	at.anchor = op;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		struct sr_op *other_gather = gather_of(ctx, v);
		if (other_gather && is_same_gather(ctx, gather, other_gather)) {
			sr_op_set_operand(op, i, sr_operand(other_gather, 0));
			if (other_gather != gather && !v->uses)
				sr_op_erase(other_gather);
		} else if (v->type->rank == result->type->rank) {
			sr_op_set_operand(op, i, slice_like_gather(&at, gather, v, local_sharding));
		}
	}
	sr_op_erase(gather);
}

static bool visit(void *data, struct sr_op *op)
{
	struct gather_sinking *l = data;
	struct sr_op *gather = NULL;
	if (!sr_op_has(op, SR_ELEMENTWISE | SR_PURE) || op->n_results != 1)
		return true;
	for (int i = 0; i < op->n_operands && !gather; i++)
		gather = gather_of(l->ctx, sr_operand(op, i));
	if (!gather || gather->block != op->block)
		return true;
	const struct sr_attr *gathered_sharding = sr_op_attr(gather, SR_NAME_out_sharding);
	if (sr_value_has_sharding(l->ctx, sr_result(op, 0), gathered_sharding) &&
	    can_slice_operands(l->ctx, op, gathered_sharding) && is_cheaper_after_op(l, op, gather))
		sink_gather(l->ctx, op, gather);
	return true;
}

enum sr_status sr_sink_all_gathers(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct gather_sinking l = {.ctx = ctx, .min_bytes = sr_option_int(options, "min-bytes")};
	sr_walk(module, visit, &l);
	return SR_OK;
}
