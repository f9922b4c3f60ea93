/* Patterns of sdy.manual_computation. */
#include "optimize/patterns/patterns.h"
#include "dialect/attr_names.h"

/* Remove arguments of a manual_computation that its body does not use, with their operands and shardings. */
bool sr_pattern_unused_manual_inputs(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_block *body = op->regions[0].first;
	const struct sr_attr *in = sr_op_attr(op, SR_NAME_in_shardings);
	const struct sr_attr **kept_shardings = SR_NEW_ARRAY(rw->ctx->arena, const struct sr_attr *, op->n_operands);
	int n = 0;
	for (int i = 0; i < body->n_args; i++)
		if (body->args[i]->uses)
			kept_shardings[n++] = in->list[i];
	if (n == body->n_args)
		return false;
	for (int i = body->n_args - 1; i >= 0; i--)
		if (!body->args[i]->uses) {
			sr_op_remove_operand(op, i);
			sr_block_remove_arg(body, i);
		}
	sr_op_set_attr(rw->ctx, op, SR_NAME_in_shardings, sr_attr_shardings(rw->ctx, kept_shardings, n));
	sr_rewrite_notify_modified(rw, op);
	return true;
}

/* Return the number of devices along the manual axes, by the mesh of the first sharding. */
static int64_t manual_devices(const struct sr_op *op)
{
	const struct sr_attr *in = sr_op_attr(op, SR_NAME_in_shardings), *out = sr_op_attr(op, SR_NAME_out_shardings);
	const struct sr_attr *axes = sr_op_attr(op, SR_NAME_manual_axes);
	const struct sr_attr *first = in->n ? in->list[0] : out->n ? out->list[0] : NULL;
	const struct sr_mesh *mesh = first ? sr_sharding_mesh(sr_op_module(op), first->sharding) : NULL;
	int64_t n = 1;
	for (int i = 0; mesh && axes && axes->axes && i < axes->axes->n; i++)
		n *= sr_mesh_axis_size(mesh, axes->axes->refs[i].axis);
	return n;
}

/* manual_computation over axes of one device -> its body; one without inputs, results and ops -> nothing. */
bool sr_pattern_redundant_manual(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_block *body = op->regions[0].first;
	if (op->n_operands == 0 && op->n_results == 0 && body->first == body->last) {
		sr_rewrite_erase(rw, op);
		return true;
	}
	if (manual_devices(op) != 1)
		return false;
	for (int i = 0; i < body->n_args; i++)
		sr_rewrite_replace_value(rw, body->args[i], sr_operand(op, i));
	sr_rewrite_inline_block(rw, op, body);
	sr_rewrite_erase(rw, op);
	return true;
}
