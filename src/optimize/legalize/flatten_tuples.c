/* Replace custom calls that return one tuple, as PyTorch/XLA writes calls with several results, by calls with several results,
 * since propagation and partitioning do not support tuples. */
#include "optimize/legalize/flatten_tuples.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "support/vec.h"
#include <string.h>

struct call_collection {
	struct sr_arena *arena;
	SR_VEC(struct sr_op *) list;
};

/* Return true for a custom call with a tuple result that is only used by get_tuple_element. */
static bool has_only_element_uses(const struct sr_op *op)
{
	const struct sr_type *type = op->n_results == 1 ? op->results[0].type : NULL;
	if (!sr_op_is(op, SR_OP_stablehlo_custom_call) || !type || type->kind != SR_TYPE_TUPLE)
		return false;
	for (int i = 0; i < type->n_inputs; i++)
		if (type->inputs[i]->kind == SR_TYPE_TUPLE)
			return false;
	for (const struct sr_use *use = op->results[0].uses; use; use = use->next)
		if (!sr_op_is(use->owner, SR_OP_stablehlo_get_tuple_element))
			return false;
	return true;
}

static bool collect(void *data, struct sr_op *op)
{
	struct call_collection *calls = data;
	if (has_only_element_uses(op))
		sr_push(calls->arena, &calls->list, op);
	return true;
}

static void flatten(struct sr_context *ctx, struct sr_op *call)
{
	const struct sr_type *type = call->results[0].type;
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, call->n_operands);
	for (int i = 0; i < call->n_operands; i++)
		operands[i] = sr_operand(call, i);
	struct sr_op *new_op = sr_op_new(ctx, &(struct sr_op_spec){.info = call->info,
								 .loc = call->loc,
								 .operands = operands,
								 .n_operands = call->n_operands,
								 .results = type->inputs,
								 .n_results = type->n_inputs,
								 .attrs = call->attrs,
								 .n_attrs = call->n_attrs});
	sr_op_remove_attr(ctx, new_op, "xla_shape"); /* the attribute describes the tuple result, which no longer exists */
	sr_op_insert_before(call, new_op);
	for (const struct sr_use *use = call->results[0].uses, *next; use; use = next) {
		struct sr_op *element = use->owner;
		next = use->next;
		sr_value_replace_all(sr_result(element, 0), sr_result(new_op, (int)sr_op_int(element, SR_NAME_index, 0)));
		sr_op_erase(element);
	}
	sr_op_erase(call);
}

void sr_flatten_tuples(struct sr_context *ctx, struct sr_op *root)
{
	struct call_collection calls = {.arena = ctx->arena};
	sr_walk(root, collect, &calls);
	for (size_t i = 0; i < calls.list.n; i++)
		flatten(ctx, calls.list.data[i]);
}
