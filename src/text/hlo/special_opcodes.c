/* Emit HLO opcodes that do not map to one op on all leaves. */
#include "text/hlo/hlo.h"
#include <string.h>

#define BUILD(name)                                                                                                                \
	void sr_hlo_build_##name(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in,                    \
				 const sr_hlo_values *operands, sr_hlo_values *out)
#define UNUSED(name) (void)(name)

/* ---------------------------------------------------------------- opcodes without an op of their own */

BUILD(parameter)
{
	UNUSED(h), UNUSED(operands);
	*out = f->parameters[in->parameter_number];
}

BUILD(constant)
{
	UNUSED(operands);
	for (size_t i = 0; i < in->constants.n; i++)
		sr_push(h->arena, out, sr_build_constant(&f->b, in->constants.data[i]));
}

BUILD(tuple)
{
	UNUSED(h), UNUSED(f), UNUSED(in);
	*out = *operands;
}

BUILD(tuple_element)
{
	int first_leaf;
	UNUSED(f);
	sr_hlo_check_operand_count(h, in, 1, true);
	int64_t index = sr_hlo_find_attr(in, "index")->i;
	const struct sr_hlo_instruction *tuple = &f->computation->instructions.data[in->operands.data[0]];
	const struct sr_hlo_shape *subshape = sr_hlo_subshape(tuple->shape, &index, 1, &first_leaf);
	if (!subshape)
		sr_parser_fail(&h->p, in->position, "%%%s has no element %lld", tuple->name, (long long)index);
	for (int i = 0; i < subshape->n_leaves; i++)
		sr_push(h->arena, out, operands->data[first_leaf + i]);
}

/* Build opcodes that return operand 0; their other operands only order execution. */
BUILD(first_operand)
{
	UNUSED(operands);
	sr_hlo_check_operand_count(h, in, 1, false);
	*out = *sr_hlo_operand(f, in, 0);
}

/* Emit inline the computation that a fusion or an asynchronous op calls. */
BUILD(inlined)
{
	const struct sr_hlo_attr_value *calls = sr_hlo_find_attr(in, "calls");
	sr_hlo_values *parameters = SR_NEW_ARRAY(h->arena, sr_hlo_values, in->operands.n);
	UNUSED(operands);
	for (size_t i = 0; i < in->operands.n; i++)
		parameters[i] = *sr_hlo_operand(f, in, i);
	sr_hlo_inline(h, &f->b, sr_hlo_find_computation(h, calls->names.data[0], calls->position), calls->position, parameters,
		      in->operands.n,
		      out);
}

/* Build copy. A copy with a sharding becomes a @Sharding custom call; another copy only changes the layout and is dropped. */
BUILD(copy)
{
	sr_types types = {0};
	struct sr_named_attr target_order = {"call_target_name", sr_attr_string(h->ctx, "Sharding", 8)};
	sr_hlo_check_operand_count(h, in, 1, true);
	sr_hlo_leaf_types(h, in->shape, &types);
	if (in->sharding && !h->is_partitioned)
		sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, operands, &types, &target_order, 1), out);
	else
		*out = *operands;
}

/* ---------------------------------------------------------------- bitcast */

static struct sr_value *transpose(struct sr_hlo *h, struct sr_builder *b, struct sr_value *v, const int64_t *permutation)
{
	int rank = v->type->rank;
	bool is_identity = true;
	int64_t *shape = SR_NEW_ARRAY(h->arena, int64_t, rank);
	for (int i = 0; i < rank; i++) {
		shape[i] = v->type->shape[permutation[i]];
		is_identity = is_identity && permutation[i] == i;
	}
	if (is_identity)
		return v;
	const struct sr_type *type = sr_type_with_shape(h->ctx, v->type, rank, shape);
	struct sr_named_attr attr = {"permutation", sr_attr_i64s(h->ctx, permutation, rank)};
	return sr_result(sr_build(b, SR_OP_stablehlo_transpose, &v, 1, &attr, 1, &type, 1), 0);
}

static struct sr_value *reshape(struct sr_hlo *h, struct sr_builder *b, struct sr_value *v, int rank, const int64_t *shape)
{
	const struct sr_type *type = sr_type_with_shape(h->ctx, v->type, rank, shape);
	return type == v->type ? v : sr_result(sr_build(b, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, &type, 1), 0);
}

/* Build bitcast, which reinterprets the operand's bytes with another shape and layout. If both layouts are row-major this is a
 * reshape. Otherwise transpose the operand to its physical order, reshape, and transpose to the result's logical order:
 *	f32[8,4]{0,1} -> f32[4,8]{1,0}        transpose
 *	f32[8,4]{0,1} -> f32[2,2,8]{2,1,0}    transpose to 4x8, reshape to 2x2x8 */
BUILD(bitcast)
{
	sr_hlo_check_operand_count(h, in, 1, true);
	const struct sr_hlo_shape *source_shape = f->computation->instructions.data[in->operands.data[0]].shape,
				  *target_shape = in->shape;
	int64_t n, m;
	bool from_is_row_major, to_is_row_major;
	if (!source_shape->type || !target_shape->type || !sr_type_elements(source_shape->type, &n) ||
	    !sr_type_elements(target_shape->type, &m))
		sr_hlo_unsupported(h, in->position, "a bitcast of tuples or of unknown extents is not supported");
	if (n != m || sr_dtypes[source_shape->type->dtype].bits != sr_dtypes[target_shape->type->dtype].bits)
		sr_hlo_unsupported(h, in->position, "a bitcast from %s to %s, whose elements are of another size, is not supported",
				   sr_type_string(h->ctx, source_shape->type), sr_type_string(h->ctx, target_shape->type));
	struct sr_value *v = operands->data[0];
	if (source_shape->type->dtype != target_shape->type->dtype) {
		const struct sr_type *type = sr_type_tensor(h->ctx, target_shape->type->dtype, source_shape->type->rank,
							    source_shape->type->shape);
		v = sr_result(sr_build(&f->b, SR_OP_stablehlo_bitcast_convert, &v, 1, NULL, 0, &type, 1), 0);
	}
	const int64_t *source_order = sr_hlo_major_to_minor(h, source_shape, &from_is_row_major),
		      *target_order = sr_hlo_major_to_minor(h, target_shape, &to_is_row_major);
	if (!from_is_row_major)
		v = transpose(h, &f->b, v, source_order);
	if (!to_is_row_major) {
		int rank = target_shape->type->rank;
		int64_t *shape = SR_NEW_ARRAY(h->arena, int64_t, rank), *inverse_order = SR_NEW_ARRAY(h->arena, int64_t, rank);
		for (int i = 0; i < rank; i++) {
			shape[i] = target_shape->type->shape[target_order[i]];
			inverse_order[target_order[i]] = i;
		}
		v = transpose(h, &f->b, reshape(h, &f->b, v, rank, shape), inverse_order);
	}
	sr_push(h->arena, out, reshape(h, &f->b, v, target_shape->type->rank, target_shape->type->shape));
}

/* ---------------------------------------------------------------- control flow */

BUILD(call)
{
	const struct sr_hlo_attr_value *callee = sr_hlo_find_attr(in, "to_apply");
	struct sr_hlo_computation *c = sr_hlo_find_computation(h, callee->names.data[0], callee->position);
	const char *name = sr_symbol_name(sr_hlo_emit_function(h, c, callee->position));
	struct sr_named_attr attr = {"callee", sr_attr_symbol(h->ctx, name)};
	sr_types types = {0};
	sr_hlo_leaf_types(h, in->shape, &types);
	sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, operands, &types, &attr, 1), out);
}

/* Build conditional. StableHLO's branches have no arguments, so each branch captures its operand. */
BUILD(conditional)
{
	const struct sr_hlo_attr_value *list = sr_hlo_find_attr(in, "branch_computations"),
				       *branch_attrs[] = {sr_hlo_find_attr(in, "true_computation"),
							  sr_hlo_find_attr(in, "false_computation")};
	sr_named_attrs attrs = {0};
	sr_types types = {0};
	UNUSED(operands);
	sr_hlo_check_operand_count(h, in, 1, false);
	struct sr_value *index = sr_hlo_operand(f, in, 0)->n == 1 ? sr_hlo_operand(f, in, 0)->data[0] : NULL;
	bool is_predicate = index && index->type->dtype == SR_I1;
	size_t n = list ? list->names.n : 2;
	if (!index || index->type->rank || (!is_predicate && index->type->dtype != SR_I32))
		sr_parser_fail(&h->p, in->position, "the index of 'conditional' must be pred[] or s32[]");
	if (in->operands.n != n + 1 || (is_predicate && n != 2) || (!list && (!branch_attrs[0] || !branch_attrs[1])))
		sr_parser_fail(&h->p, in->position,
			       "'conditional' needs an operand for each branch, and exactly is_predicate branches for an index of "
			       "type pred[]");
	sr_hlo_leaf_types(h, in->shape, &types);
	sr_hlo_attrs(h, in, NULL, 0, &attrs);
	struct sr_op *op = sr_op_new(
	    h->ctx, &(struct sr_op_spec){.info = sr_info(h->ctx, is_predicate ? SR_OP_stablehlo_if : in->opcode->code),
					 .loc = f->b.loc,
					 .operands = &index,
					 .n_operands = 1,
					 .results = types.data,
					 .n_results = (int)types.n,
					 .attrs = attrs.data,
					 .n_attrs = (int)attrs.n,
					 .n_regions = (int)n});
	sr_op_append(f->b.block, op);
	for (size_t i = 0; i < n; i++) {
		const struct sr_hlo_attr_value *v = list ? list : branch_attrs[i];
		sr_hlo_emit_region(h, &op->regions[i], v->names.data[list ? i : 0], v->position, sr_hlo_operand(f, in, i + 1), 1);
	}
	sr_hlo_append_results(h, op, out);
}

BUILD(after_all)
{
	const struct sr_type *type = in->shape->type;
	struct sr_op *op = sr_build(&f->b, operands->n ? in->opcode->code : SR_OP_stablehlo_create_token, operands->data,
				    (int)operands->n, NULL, 0, &type, type ? 1 : 0);
	sr_hlo_append_results(h, op, out);
}

/* ---------------------------------------------------------------- collectives */

/* Build a variadic collective whose StableHLO op takes one operand: one op per operand. */
BUILD(per_operand)
{
	sr_types types = {0};
	sr_hlo_leaf_types(h, in->shape, &types);
	if (types.n != operands->n)
		sr_parser_fail(&h->p, in->position, "'%s' has %zu operands, but %zu results", in->opcode->name, operands->n,
			       types.n);
	for (size_t i = 0; i < types.n; i++) {
		sr_hlo_values operand = {&operands->data[i], 1, 1};
		sr_types type = {&types.data[i], 1, 1};
		sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, &operand, &type, NULL, 0), out);
	}
}

static int64_t group_size(struct sr_hlo *h, const struct sr_hlo_instruction *in)
{
	sr_named_attrs attrs = {0};
	sr_hlo_attrs(h, in, NULL, 0, &attrs);
	for (size_t i = 0; i < attrs.n; i++)
		if (!strcmp(attrs.data[i].name, "replica_groups"))
			return attrs.data[i].value->type->shape[1];
	return 0;
}

static struct sr_op *emit_all_to_all(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in,
				     const sr_hlo_values *operands, const sr_types *types, int64_t dim, bool has_dim)
{
	struct sr_named_attr extra_attrs[] = {{"concat_dimension", sr_attr_i64(h->ctx, dim)},
				  {"split_count", sr_attr_i64(h->ctx, group_size(h, in))},
				  {"split_dimension", has_dim ? NULL : sr_attr_i64(h->ctx, dim)}};
	return sr_hlo_emit_op(h, f, in, in->opcode->code, operands, types, extra_attrs, 3);
}

/* Build all-to-all. With `dimensions`, an array is split and concatenated along one dimension. Without `dimensions`, there is one
 * operand and one result per group member: concatenate the operands along a new dimension, exchange along it, and slice the
 * result. */
BUILD(all_to_all)
{
	const struct sr_hlo_attr_value *dimension = sr_hlo_find_attr(in, "dimensions");
	int64_t n = (int64_t)operands->n, shape[64] = {1};
	sr_types types = {0};
	sr_hlo_check_operand_count(h, in, 1, false);
	sr_hlo_leaf_types(h, in->shape, &types);
	if (dimension) {
		sr_hlo_append_results(h, emit_all_to_all(h, f, in, operands, &types, dimension->i, true), out);
		return;
	}
	const struct sr_type *operand_type = operands->data[0]->type;
	for (int64_t i = 0; i < n; i++)
		if (operands->data[i]->type != operand_type || types.n != (size_t)n || operand_type->rank > 62)
			sr_parser_fail(&h->p, in->position, "'all-to-all' without dimensions has operands and results of one type");
	memcpy(shape + 1, operand_type->shape, sizeof *shape * (size_t)operand_type->rank);
	sr_hlo_values operand_rows = {0}, stacked_values = {0};
	for (int64_t i = 0; i < n; i++)
		sr_push(h->arena, &operand_rows, reshape(h, &f->b, operands->data[i], operand_type->rank + 1, shape));
	shape[0] = n;
	const struct sr_type *stacked_type = sr_type_with_shape(h->ctx, operand_type, operand_type->rank + 1, shape);
	struct sr_named_attr attr = {"dimension", sr_attr_i64(h->ctx, 0)};
	sr_push(h->arena, &stacked_values,
		sr_result(sr_build(&f->b, SR_OP_stablehlo_concatenate, operand_rows.data, (int)n, &attr, 1, &stacked_type, 1), 0));
	struct sr_value *received_value = sr_result(
	    emit_all_to_all(h, f, in, &stacked_values, &(sr_types){&stacked_type, 1, 1}, 0, false), 0);
	int64_t start[64] = {0}, limit[64], stride[64];
	memcpy(limit, shape, sizeof limit);
	for (int d = 0; d < 64; d++)
		stride[d] = 1;
	shape[0] = 1;
	const struct sr_type *row = sr_type_with_shape(h->ctx, operand_type, operand_type->rank + 1, shape);
	for (int64_t i = 0; i < n; i++) {
		start[0] = i, limit[0] = i + 1;
		struct sr_named_attr ranges[] = {{"start_indices", sr_attr_i64s(h->ctx, start, stacked_type->rank)},
					    {"limit_indices", sr_attr_i64s(h->ctx, limit, stacked_type->rank)},
					    {"strides", sr_attr_i64s(h->ctx, stride, stacked_type->rank)}};
		struct sr_op *slice = sr_build(&f->b, SR_OP_stablehlo_slice, &received_value, 1, ranges, 3, &row, 1);
		sr_push(h->arena, out, reshape(h, &f->b, sr_result(slice, 0), operand_type->rank, operand_type->shape));
	}
}

/* Emit the custom call that JAX uses for ragged_all_to_all, with groups and channel in its backend_config. */
BUILD(ragged_all_to_all)
{
	static const char target_order[] = "ragged_all_to_all";
	const struct sr_hlo_attr_value *groups_attr = sr_hlo_find_attr(in, "replica_groups"),
		*channel = sr_hlo_find_attr(in, "channel_id");
	const struct sr_attr *groups = groups_attr->n_stablehlo_attrs ? groups_attr->stablehlo_attrs[0].value
								       : sr_hlo_group_of_all_devices(h, in);
	struct sr_named_attr config[2] = {{sr_intern(h->ctx, "replica_groups"), groups}};
	if (channel)
		config[1] = (struct sr_named_attr){sr_intern(h->ctx, "channel_id"), channel->stablehlo_attrs[0].value};
	struct sr_named_attr extra_attrs[] = {
		{"api_version", sr_attr_enum(h->ctx, "stablehlo", "custom_call_api_version", "API_VERSION_TYPED_FFI")},
		{"backend_config", sr_attr_dict(h->ctx, config, channel ? 2 : 1)},
		{"call_target_name", sr_attr_string(h->ctx, target_order, sizeof target_order - 1)}};
	sr_types types = {0};
	sr_hlo_leaf_types(h, in->shape, &types);
	sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, operands, &types, extra_attrs, 3), out);
}

/* ---------------------------------------------------------------- other opcodes */

/* Build rng, and pass the result's shape as the third operand that the StableHLO op requires. */
BUILD(rng)
{
	const struct sr_type *type = in->shape->type;
	sr_hlo_check_operand_count(h, in, 2, true);
	if (!type || !sr_type_is_static(type))
		sr_hlo_unsupported(h, in->position, "random numbers of unknown extents are not supported");
	int64_t rank = type->rank;
	sr_hlo_values rng_operands = {0};
	sr_push(h->arena, &rng_operands, operands->data[0]);
	sr_push(h->arena, &rng_operands, operands->data[1]);
	sr_push(h->arena, &rng_operands, sr_build_constant(&f->b, sr_attr_dense_i64(h->ctx, 1, &rank, type->shape)));
	sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, &rng_operands, &(sr_types){&type, 1, 1}, NULL, 0), out);
}

BUILD(top_k)
{
	sr_types types = {0};
	if (!sr_hlo_find_attr(in, "largest")->i)
		sr_hlo_unsupported(h, in->position, "'topk' of the smallest elements is not supported");
	sr_hlo_leaf_types(h, in->shape, &types);
	sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, operands, &types, NULL, 0), out);
}

/* Build custom-call. The target TopK, which XLA uses instead of an opcode, becomes chlo.top_k. */
BUILD(custom_call)
{
	const char *target_order = sr_hlo_find_attr(in, "custom_call_target")->names.data[0];
	sr_types types = {0};
	sr_hlo_leaf_types(h, in->shape, &types);
	const struct sr_type *first = types.n ? types.data[0] : NULL;
	if (!strcmp(target_order, "TopK") && types.n == 2 && first->kind == SR_TYPE_TENSOR && first->rank) {
		struct sr_named_attr k = {"k", sr_attr_i64(h->ctx, first->shape[first->rank - 1])};
		sr_hlo_append_results(
		    h, sr_build(&f->b, SR_OP_chlo_top_k, operands->data, (int)operands->n, &k, 1, types.data, (int)types.n), out);
		return;
	}
	sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, operands, &types, NULL, 0), out);
}
