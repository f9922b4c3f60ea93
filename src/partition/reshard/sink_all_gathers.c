/* shardrun-sink-all-gathers: a value is gathered behind what works on it element by element.
 *
 *	%1 = sdy.all_gather [{"x"}] %g
 *	%2 = stablehlo.multiply %rate, %1           on every device, whole
 *	%3 = stablehlo.subtract %w, %2
 * becomes
 *	%1 = stablehlo.multiply %rate', %g          %rate' and %w' are this device's parts of %rate and %w: nothing is sent
 *	%2 = stablehlo.subtract %w', %1
 *	%3 = sdy.all_gather [{"x"}] %2
 *
 * as an optimizer's step on weights that every device has whole, or a sum of two gathered values, of which one is sent then.
 * Every element is computed as before: the bits stay. Requires: sdy collectives. Leaves the rest alone: gathers with other
 * readers, results of more bytes than what was gathered, and small ones, of which looking up the own part takes longer than
 * computing all. */
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/partition_passes.h"
#include "partition/reshard/sink.h"

struct late {
	struct sr_context *ctx;
	int64_t min_bytes; /* of a result on a device */
};

/* Whether another op gathers the same for other readers: they will be one. */
static bool is_shared(const struct sr_op *gather)
{
	const struct sr_attr *axes = sr_op_attr(gather, SR_NAME_gathering_axes);
	for (const struct sr_use *use = sr_operand(gather, 0)->uses; use; use = use->next)
		if (use->owner != gather && use->owner->info == gather->info && sr_op_attr(use->owner, SR_NAME_gathering_axes) == axes)
			return true;
	return false;
}

/* The all_gather whose result v is and one op alone reads; NULL: there is none, or what it gathers is partial. */
static struct sr_op *gather_of(struct sr_context *ctx, const struct sr_value *v)
{
	struct sr_op *op = v->def;
	if (!op || !sr_op_is(op, SR_OP_sdy_all_gather) || !sr_value_only_reader(v) || is_shared(op))
		return NULL;
	const struct sr_attr *in = sr_value_sharding(ctx, sr_operand(op, 0));
	return in && !in->sharding->unreduced.n && !sr_op_attr(op, SR_NAME_out_sharding)->sharding->unreduced.n ? op : NULL;
}

/* The collective by the gather's axes that makes a value lie so. */
static struct sr_value *along_axes_of(struct sr_builder *at, const struct sr_op *gather, enum sr_op_code code, struct sr_value *v,
				      const struct sr_attr *out)
{
	struct sr_context *ctx = at->ctx;
	const struct sr_attr *gathered = sr_op_attr(gather, SR_NAME_gathering_axes);
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(gather), out->sharding);
	struct sr_axes *axes = SR_NEWS(ctx->arena, struct sr_axes, gathered->n);
	for (int d = 0; d < gathered->n; d++)
		axes[d] = sr_axes_resolve(ctx->arena, mesh, *gathered->list[d]->axes);
	const struct sr_attr *cause = sr_op_attr(gather, "shardrun.cause");
	struct sr_collective made = {.code = code, .mesh = mesh, .axes = axes, .out = out, .cause = cause};
	return sr_collective_build(at, &made, v);
}

/* v cut by the axes that the gather puts together, so that it lies as `part` says; one number everywhere is made again. */
static struct sr_value *cut(struct sr_builder *at, const struct sr_op *gather, struct sr_value *v, const struct sr_attr *part)
{
	struct sr_value *again = sr_rebuild_uniform(at, v, v->type, part);
	return again ? again : along_axes_of(at, gather, SR_OP_sdy_all_slice, v, part);
}

/* Whether another operand's gather does the same. */
static bool is_like(struct sr_context *ctx, const struct sr_op *a, const struct sr_op *b)
{
	return sr_op_attr(a, SR_NAME_gathering_axes) == sr_op_attr(b, SR_NAME_gathering_axes) &&
	       sr_value_has_sharding(ctx, sr_operand(b, 0), sr_value_sharding(ctx, sr_operand(a, 0)));
}

/* Each operand is gathered alike, lies as the gather leaves its own and can be cut, or is one number. */
static bool can_be_cut(struct sr_context *ctx, const struct sr_op *op, const struct sr_attr *whole)
{
	const struct sr_type *type = sr_result(op, 0)->type;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		bool number = v->type->rank == 0 && type->rank > 0;
		if (!number && (!sr_types_have_same_shape(v->type, type) || !sr_value_has_sharding(ctx, v, whole)))
			return false;
	}
	return true;
}

static int bits(const struct sr_type *t)
{
	return t->dtype == SR_DTYPE_NONE ? 0 : sr_dtypes[t->dtype].bits;
}

/* Return true if operand i of op is an earlier operand too. */
static bool is_repeated(const struct sr_op *op, int i)
{
	for (int k = 0; k < i; k++)
		if (sr_operand(op, k) == sr_operand(op, i))
			return true;
	return false;
}

/* Return true if an element of the result has no more bits than those of the distinct operands gathered, and the result has
 * min_bytes on a device. */
static bool pays(const struct late *l, const struct sr_op *op, const struct sr_op *gather)
{
	const struct sr_value *result = sr_result(op, 0);
	int sent = 0, would = bits(result->type);
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *other = gather_of(l->ctx, sr_operand(op, i));
		if (other && !is_repeated(op, i) && is_like(l->ctx, gather, other))
			sent += bits(sr_operand(op, i)->type);
	}
	return would > 0 && would <= sent && sr_value_local_bytes(result, sr_op_attr(gather, SR_NAME_out_sharding)) >= l->min_bytes;
}

/* The op on parts. */
static void make_late(struct sr_context *ctx, struct sr_op *op, struct sr_op *gather)
{
	struct sr_builder at = {.ctx = ctx, .anchor = op->next, .loc = op->loc};
	const struct sr_attr *part = sr_value_sharding(ctx, sr_operand(gather, 0));
	struct sr_value *result = sr_result(op, 0);
	struct sr_value *whole = along_axes_of(&at, gather, SR_OP_sdy_all_gather, result, sr_op_attr(gather, SR_NAME_out_sharding));
	sr_value_replace_all(result, whole);
	sr_op_set_operand(whole->def, 0, result);
	sr_value_set_sharding(ctx, result, part);
	at.anchor = op;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		struct sr_op *other = gather_of(ctx, v);
		if (other && is_like(ctx, gather, other)) {
			sr_op_set_operand(op, i, sr_operand(other, 0));
			if (other != gather && !v->uses)
				sr_op_erase(other);
		} else if (v->type->rank == result->type->rank) {
			sr_op_set_operand(op, i, cut(&at, gather, v, part));
		}
	}
	sr_op_erase(gather);
}

static bool visit(void *data, struct sr_op *op)
{
	struct late *l = data;
	struct sr_op *gather = NULL;
	if (!sr_op_has(op, SR_ELEMENTWISE | SR_PURE) || op->n_results != 1)
		return true;
	for (int i = 0; i < op->n_operands && !gather; i++)
		gather = gather_of(l->ctx, sr_operand(op, i));
	if (!gather || gather->block != op->block)
		return true;
	const struct sr_attr *whole = sr_op_attr(gather, SR_NAME_out_sharding);
	if (sr_value_has_sharding(l->ctx, sr_result(op, 0), whole) && can_be_cut(l->ctx, op, whole) && pays(l, op, gather))
		make_late(l->ctx, op, gather);
	return true;
}

enum sr_status sr_sink_all_gathers(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct late l = {.ctx = ctx, .min_bytes = sr_option_int(options, "min-bytes")};
	sr_walk(module, visit, &l);
	return SR_OK;
}
