/* Queries on operands of elementwise ops that are moved (readers, shardings), and rebuilding of uniform values. */
#include "partition/reshard/sink.h"

struct sr_op *sr_value_only_reader(const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (use->owner != v->uses->owner)
			return NULL;
	return v->uses ? v->uses->owner : NULL;
}

bool sr_types_have_same_shape(const struct sr_type *a, const struct sr_type *b)
{
	for (int d = 0; a->rank == b->rank && d < a->rank; d++)
		if (a->shape[d] != b->shape[d])
			return false;
	return a->rank == b->rank;
}

bool sr_value_has_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding)
{
	const struct sr_attr *own = sr_value_sharding(ctx, v);
	return sr_sdy_sharding_is_equivalent(own ? own->sharding : NULL, sharding->sharding);
}

int64_t sr_value_local_bytes(const struct sr_value *v, const struct sr_attr *sharding)
{
	const struct sr_op *op = sr_value_owner(v);
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(op), sharding->sharding);
	int64_t bytes;
	if (!mesh || !sr_type_bytes(v->type, &bytes))
		return 0;
	for (int d = 0; d < sharding->sharding->rank; d++)
		bytes /= sr_sdy_dim_shards(sharding->sharding, mesh, d);
	return bytes;
}

struct sr_value *sr_rebuild_uniform(struct sr_builder *at, const struct sr_value *v, const struct sr_type *type,
				    const struct sr_attr *sharding)
{
	const struct sr_attr *constant = sr_constant_value(v);
	struct sr_value *uniform;
	if (constant && constant->dense->splat) {
		int64_t n;
		const void *element = sr_dense_data(at->ctx, constant, false, &n);
		uniform = sr_build_constant(at, sr_attr_dense(at->ctx, type, element, n));
	} else if (v->def && sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim) && sr_operand(v->def, 0)->type->rank == 0) {
		struct sr_value *number = sr_operand(v->def, 0);
		const struct sr_attr *value = sr_constant_value(number);
		/* Rebuild a constant scalar, since the op that defines it may come after `at`. */
		if (value)
			number = sr_build_constant(at, value);
		uniform = sr_result(sr_build(at, sr_op_code_of(v->def), &number, 1, v->def->attrs, v->def->n_attrs, &type, 1), 0);
	} else {
		return NULL;
	}
	sr_value_set_sharding(at->ctx, uniform, sharding);
	return uniform;
}
