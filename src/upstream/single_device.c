/* sdy-resolve-single-device-sharding: compute an op whose results are on one device only there, and send the results to every
 * device.
 *
 * 	%0 = stablehlo.custom_call @f(%arg0) {sdy.sharding = <[<@only_3, []>]>}          sdy.mesh @only_3 = <[], device_ids=[3]>
 * 	%0 = stablehlo.if (my device is 3) {f(%arg0)} else {zeros}; sdy.all_reduce over all axes
 *
 * The axes are those of the module's first mesh; without a mesh the pass does nothing. */
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "dialect/op_builders.h"
#include "upstream/upstream_passes.h"
#include "support/vec.h"
#include <string.h>

struct single_device_pass {
	struct sr_context *ctx;
	struct sr_op *module, *func, *mesh_op;
	bool uses_replica_id;
	SR_VEC(struct sr_op *) ops;
	enum sr_status status;
};

/* Return the device of a single-device sharding; -1 if it has several devices. */
static int64_t device_of(const struct single_device_pass *s, const struct sr_attr *sharding)
{
	const struct sr_mesh *mesh = sharding ? sr_sharding_mesh(s->module, sharding->sharding) : NULL;
	return mesh && sr_mesh_is_single_device(mesh) ? mesh->device_ids[0] : -1;
}

/* Return the device on which the op's results are; -1: not on a single device. */
static int64_t device_of_op(struct single_device_pass *s, struct sr_op *op)
{
	int64_t device = -1;
	bool is_sharded = false;
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_attr *a = sr_value_sharding(s->ctx, sr_result(op, i));
		int64_t d = sr_result_type(op, i)->kind == SR_TYPE_TENSOR ? device_of(s, a) : -1;
		is_sharded = is_sharded || (d < 0 && a && !sr_sdy_sharding_is_replicated(a->sharding));
		if (d >= 0 && device >= 0 && d != device)
			s->status = sr_op_error(op, &s->ctx->diags, SR_INVALID, "has results on device %lld and on device %lld",
						(long long)device, (long long)d);
		device = d >= 0 ? d : device;
	}
	if (device >= 0 && is_sharded)
		s->status = sr_op_error(op, &s->ctx->diags, SR_INVALID,
					"has a result on device %lld and another that is sharded", (long long)device);
	return device;
}

static bool list_op(void *data, struct sr_op *op)
{
	struct single_device_pass *s = data;
	if (strncmp(op->info->name, "sdy.", 4) != 0 && device_of_op(s, op) >= 0)
		sr_push(s->ctx->scratch, &s->ops, op);
	return !s->status;
}

static struct sr_value *is_device(struct single_device_pass *s, struct sr_builder *b, int64_t device)
{
	struct sr_value *device_id = sr_build_device_id(b, s->uses_replica_id);
	return sr_build_compare(b, device_id, SR_EQ, sr_build_scalar(b, SR_I64, device), NULL);
}

/* Clone the op into the branch, with its operands as they were before they were resharded to the device. */
static void fill_branch(struct single_device_pass *s, struct sr_op *op, struct sr_block *block)
{
	struct sr_op *copy = sr_op_clone(s->ctx, op, NULL);
	struct sr_builder b = {.ctx = s->ctx, .block = block, .loc = op->loc};
	struct sr_value **results = SR_NEW_ARRAY(s->ctx->scratch, struct sr_value *, op->n_results);
	sr_op_remove_attr(s->ctx, copy, "sdy.sharding");
	for (int i = 0; i < copy->n_operands; i++) {
		struct sr_op *def = sr_operand(copy, i)->def;
		if (def && sr_op_is(def, SR_OP_sdy_reshard) && device_of(s, sr_op_attr(def, SR_NAME_sharding)) >= 0)
			sr_op_set_operand(copy, i, sr_operand(def, 0));
	}
	sr_op_append(block, copy);
	for (int i = 0; i < op->n_results; i++)
		results[i] = sr_result(copy, i);
	sr_build(&b, SR_OP_stablehlo_return, results, op->n_results, NULL, 0, NULL, 0);
}

static void fill_other_branch(struct single_device_pass *s, struct sr_op *op, struct sr_block *block)
{
	struct sr_builder b = {.ctx = s->ctx, .block = block, .loc = op->loc};
	struct sr_value **results = SR_NEW_ARRAY(s->ctx->scratch, struct sr_value *, op->n_results);
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_type *type = sr_result_type(op, i);
		results[i] = type->kind == SR_TYPE_TENSOR
				     ? sr_build_splat(&b, type, 0)
				     : sr_result(sr_build(&b, SR_OP_stablehlo_create_token, NULL, 0, NULL, 0, &type, 1), 0);
	}
	sr_build(&b, SR_OP_stablehlo_return, results, op->n_results, NULL, 0, NULL, 0);
}

/* Send the result to every device by an all_reduce; erase the readers' reshards to the replicated sharding. */
static void broadcast_result(struct single_device_pass *s, struct sr_builder *b, struct sr_value *local_value,
			     struct sr_value *broadcast)
{
	struct sr_context *ctx = s->ctx;
	const struct sr_mesh *mesh = sr_op_mesh(s->mesh_op);
	struct sr_axes all_axes = sr_mesh_unused_axes(ctx->arena, mesh, (struct sr_axes){0});
	struct sr_sdy_sharding w = sr_sdy_replicated_sharding(ctx->scratch, sr_symbol_name(s->mesh_op), broadcast->type->rank,
							      true);
	struct sr_collective c = {.code = SR_OP_sdy_all_reduce, .mesh = mesh, .axes = &all_axes, .out = sr_attr_sharding(ctx, &w)};
	broadcast = sr_collective_build(b, &c, broadcast);
	for (struct sr_use *use = local_value->uses, *next; use; use = next) {
		struct sr_op *reader = use->owner;
		next = use->next;
		if (sr_op_is(reader, SR_OP_sdy_reshard) && sr_op_attr(reader, SR_NAME_sharding) == c.out) {
			sr_value_replace_all(sr_result(reader, 0), broadcast);
			sr_op_erase(reader);
		} else {
			sr_use_set(use, broadcast);
		}
	}
}

static void resolve(struct single_device_pass *s, struct sr_op *op)
{
	struct sr_context *ctx = s->ctx;
	struct sr_builder b = {.ctx = ctx, .anchor = op, .loc = op->loc};
	const struct sr_type **types = SR_NEW_ARRAY(ctx->scratch, const struct sr_type *, op->n_results);
	SR_VEC(struct sr_op *) reshards = {0};
	for (int i = 0; i < op->n_results; i++)
		types[i] = sr_result_type(op, i);
	for (int i = 0; i < op->n_operands; i++)
		if (sr_operand(op, i)->def && sr_op_is(sr_operand(op, i)->def, SR_OP_sdy_reshard))
			sr_push(ctx->scratch, &reshards, sr_operand(op, i)->def);
	struct sr_value *is_owner = is_device(s, &b, device_of_op(s, op));
	struct sr_op *choice = sr_build(&b, SR_OP_stablehlo_if, &is_owner, 1, NULL, 0, types, op->n_results);
	fill_branch(s, op, sr_block_new(ctx, &choice->regions[0]));
	fill_other_branch(s, op, sr_block_new(ctx, &choice->regions[1]));
	for (int i = 0; i < op->n_results; i++) {
		if (types[i]->kind == SR_TYPE_TENSOR)
			broadcast_result(s, &b, sr_result(op, i), sr_result(choice, i));
		else
			sr_value_replace_all(sr_result(op, i), sr_result(choice, i));
	}
	sr_op_erase(op);
	for (size_t i = 0; i < reshards.n; i++)
		if (reshards.data[i]->block && !sr_result(reshards.data[i], 0)->uses)
			sr_op_erase(reshards.data[i]);
}

enum sr_status sr_resolve_single_device_sharding(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct single_device_pass s = {.ctx = ctx, .module = sr_op_module(func), .func = func};
	enum sr_status status = sr_upstream_by_replica(ctx, func, options, &s.uses_replica_id);
	s.mesh_op = sr_first_mesh_op(s.module);
	if (status || !s.mesh_op)
		return status;
	sr_walk_post(func, list_op, &s);
	for (size_t i = 0; i < s.ops.n && !s.status; i++)
		resolve(&s, s.ops.data[i]);
	return s.status;
}
