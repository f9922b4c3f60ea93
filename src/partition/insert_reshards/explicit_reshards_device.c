/* Insertion of reshards at an op that is placed on a single device: its operands are replicated and then resharded to the device,
 * its results are resharded to the mesh.
 *
 *	%0 = custom_call @f(%arg0) {<@device_1, []>}                                  %arg0 <@mesh, [{"x"}]>
 *	%1 = sdy.reshard %arg0 <@mesh, [{}]>; %2 = sdy.reshard %1 <@device_1, []>
 *	%0 = custom_call @f(%2); %3 = sdy.reshard %0 <@mesh, [{}]> */
#include "partition/insert_reshards/explicit_reshards.h"
#include "dialect/attr_names.h"

struct placed_value {
	struct sr_context *ctx;
	struct sr_op *module, *op;
	struct sr_mesh_ref mesh;      /* mesh of all devices */
	const struct sr_attr *device; /* sharding on the single device, which the op's results have */
};

static struct sr_mesh_ref global_mesh(const struct sr_op *module)
{
	const struct sr_op *op = sr_first_mesh_op(module);
	return op ? (struct sr_mesh_ref){sr_op_mesh(op), sr_symbol_name(op)} : (struct sr_mesh_ref){0};
}

static const struct sr_mesh *mesh_of(const struct placed_value *p, const struct sr_attr *s)
{
	return sr_sharding_mesh(p->module, s->sharding);
}

static void place_operands(struct placed_value *p)
{
	struct sr_builder at = sr_builder_before(p->ctx, p->op);
	for (int i = 0; i < p->op->n_operands; i++) {
		struct sr_value *v = sr_operand(p->op, i);
		if (v->type->kind != SR_TYPE_TENSOR)
			continue;
		const struct sr_attr *s = sr_sharding_or_replicated(p->ctx, v, p->mesh);
		if (mesh_of(p, s) == mesh_of(p, p->device) && sr_sdy_sharding_is_equivalent(s->sharding, p->device->sharding))
			continue;
		if (sr_sdy_sharding_has_axes(s->sharding) || mesh_of(p, s) != p->mesh.mesh)
			v = sr_build_reshard(&at, v, sr_replicated_on(p->ctx, p->mesh, v->type));
		sr_op_set_operand(p->op, i, sr_build_reshard(&at, v, p->device));
	}
}

static void place_results(struct placed_value *p, const struct sr_attr *const *shardings)
{
	struct sr_builder at = sr_builder_before(p->ctx, p->op);
	at.anchor = p->op->next;
	for (int i = 0; i < p->op->n_results; i++) {
		struct sr_value *v = sr_result(p->op, i);
		if (v->type->kind != SR_TYPE_TENSOR)
			continue;
		const struct sr_attr *replicated_sharding = sr_replicated_on(p->ctx, p->mesh, v->type), *target = shardings[i];
		struct sr_value *out = sr_build_reshard(&at, v, replicated_sharding);
		struct sr_op *first = out->def;
		if (target && !sr_is_single_device(p->module, target) && target != replicated_sharding)
			out = sr_build_reshard(&at, out, target);
		sr_value_replace_except(v, out, first);
	}
}

static void place_value(struct placed_value *p)
{
	for (int i = 0; i < p->op->n_results; i++) {
		struct sr_value *v = sr_result(p->op, i);
		if (v->type->kind == SR_TYPE_TENSOR)
			sr_value_set_sharding(p->ctx, v, p->device);
		else if (v->type->kind == SR_TYPE_TOKEN)
			sr_value_set_sharding(p->ctx, v, sr_replicated_on(p->ctx, p->mesh, v->type));
	}
}

enum sr_status sr_explicit_reshards_single_device(struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
						  const struct sr_attr *const *given_results)
{
	struct placed_value p = {ctx, module, op, global_mesh(module), NULL};
	const struct sr_attr *last = NULL;
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_attr *s = given_results[i];
		if (!s || !sr_is_single_device(module, s))
			continue;
		if (last && mesh_of(&p, last)->device_ids[0] != mesh_of(&p, s)->device_ids[0])
			return sr_op_error(op, &ctx->diags, SR_INVALID, "has conflicting single-device result shardings");
		last = s;
	}
	if (!p.mesh.mesh || !last)
		return SR_OK;
	struct sr_sdy_sharding device = sr_sdy_replicated_sharding(ctx->arena, last->sharding->mesh_name, 0, true);
	device.mesh = last->sharding->mesh;
	p.device = sr_attr_sharding(ctx, &device);
	place_operands(&p);
	place_results(&p, given_results);
	place_value(&p);
	return SR_OK;
}
