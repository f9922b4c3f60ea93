/* Computation of a device's coordinates from partition_id, by division and remainder. If the mesh lists its devices in another
 * order, partition_id is first mapped to a position by a table. */
#include "partition/device_coordinate.h"
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "dialect/attr_names.h"
#include "dialect/signature.h"

/* Build the op partition_id, of type ui32. */
static struct sr_value *build_device_id(struct sr_builder *at)
{
	const struct sr_type *type = sr_type_tensor(at->ctx, SR_UI32, 0, NULL);
	return sr_result(sr_build(at, SR_OP_stablehlo_partition_id, NULL, 0, NULL, 0, &type, 1), 0);
}

struct sr_value *sr_device_lookup(struct sr_builder *at, const int64_t *table, int64_t n, enum sr_dtype type,
				  struct sr_value *index)
{
	struct sr_context *ctx = at->ctx;
	int64_t bytes = sr_dtype_bytes(type);
	char *data = sr_alloc(ctx->arena, (size_t)n, (size_t)bytes);
	for (int64_t i = 0; i < n; i++)
		sr_element_set(type, data + i * bytes, table[i], (double)table[i], 0);
	struct sr_value *constant = sr_build_constant(at, sr_attr_dense(ctx, sr_type_tensor(ctx, type, 1, &n), data, n * bytes));
	struct sr_value *start = index ? index : build_device_id(at);
	return sr_build_reshape(at, sr_build_dynamic_slice(at, constant, &start, (int64_t[]){1}), 0, NULL);
}

static struct sr_value *binary_with_constant(struct sr_builder *at, enum sr_op_code code, struct sr_value *v, int64_t number)
{
	return sr_build_binary(at, code, v, sr_build_integer(at, v->type, number));
}

static struct sr_value *mesh_position(struct sr_builder *at, const struct sr_mesh *mesh)
{
	int64_t n = mesh->n_device_ids, *positions = SR_NEW_ARRAY(at->ctx->arena, int64_t, n);
	struct sr_value *id = build_device_id(at);
	if (!n)
		return id;
	for (int64_t i = 0; i < n; i++)
		positions[mesh->device_ids[i]] = i;
	return sr_device_lookup(at, positions, n, SR_UI32, id);
}

struct sr_value *sr_device_coordinate(struct sr_builder *at, const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_digits digits = sr_mesh_digits(at->ctx->arena, mesh, axes);
	struct sr_value *position = digits.n ? mesh_position(at, mesh) : NULL, *sum = NULL;
	int64_t n = sr_mesh_devices(mesh);
	for (int i = 0; i < digits.n; i++) {
		struct sr_digit d = digits.digits[i];
		struct sr_value *v = d.stride == 1 ? position
						   : binary_with_constant(at, SR_OP_stablehlo_divide, position, d.stride);
		if (d.stride * d.size < n)
			v = binary_with_constant(at, SR_OP_stablehlo_remainder, v, d.size);
		if (sum)
			v = sr_build_binary(at, SR_OP_stablehlo_add, binary_with_constant(at, SR_OP_stablehlo_multiply, sum, d.size), v);
		sum = v;
	}
	return sum ? sum : sr_build_splat(at, sr_type_tensor(at->ctx, SR_UI32, 0, NULL), 0);
}

struct sr_value *sr_device_equals(struct sr_builder *at, struct sr_value *v, int64_t value, bool is_equal)
{
	return sr_build_compare(at, v, is_equal ? SR_EQ : SR_NE, sr_build_splat(at, v->type, (double)value), NULL);
}
