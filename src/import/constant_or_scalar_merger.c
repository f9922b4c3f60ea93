/* Implement sdy-constant-or-scalar-merger, the inverse of sdy-constant-or-scalar-splitter: merge equal constants, and equal
 * broadcasts of one scalar, that have equal shardings and are in the same region. */
#include "import/op_class.h"
#include "import/import_passes.h"

struct key { /* key of an op; ops with equal keys are merged */
	const struct sr_attr *attrs;
	const struct sr_region *region;
	const struct sr_type *type;
	const struct sr_value *operand;
};

struct merger {
	struct sr_context *ctx;
	struct sr_map first_ops; /* maps an interned key to the first op that has it */
};

static bool merge_op(void *data, struct sr_op *op)
{
	struct merger *m = data;
	struct key key = {.attrs = sr_attr_dict(m->ctx, op->attrs, op->n_attrs), .region = op->block ? op->block->region : NULL};
	if (sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim) && sr_type_is_scalar(sr_operand(op, 0)->type)) {
		key.type = sr_result(op, 0)->type;
		key.operand = sr_operand(op, 0);
	} else if (!sr_op_has(op, SR_CONSTANT) && !sr_op_is(op, SR_OP_sdy_constant)) {
		return true;
	}
	const char *interned_key = sr_intern_n(m->ctx, (const char *)&key, sizeof key);
	struct sr_op *first = sr_map_get(&m->first_ops, interned_key);
	if (!first) {
		sr_map_put(&m->first_ops, interned_key, op);
		return true;
	}
	sr_value_replace_all(sr_result(op, 0), sr_result(first, 0));
	sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_constant_or_scalar_merger(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct merger m = {.ctx = ctx};
	sr_map_init(&m.first_ops, ctx->arena);
	sr_walk_post(func, merge_op, &m);
	return SR_OK;
}
