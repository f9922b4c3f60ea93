/* SPMD expansion of dynamic_slice and dynamic_update_slice along a sharded dimension.
 *
 *	slice of w elements at %i, shards of m: each device slices w elements of its shard, as close to %i as possible, shifts
 *	them to their position in the slice and fills with zeros; the sum over the devices is the slice
 *	update: each device changes those of its elements that the update covers, and nothing is sent
 */
#include "dialect/attr_names.h"
#include "partition/expand/expand.h"
#include "partition/partition.h"
#include "support/checked.h"

struct slice_position {
	int64_t extent, shard, size; /* extents of the dimension, of a shard, and of the slice or update */
	struct sr_axes axes;
	struct sr_value *start_in_shard; /* scalar: first element of the shard that is read or written */
	/* scalar: number of elements by which start_in_shard is behind the start of the slice; from -size to size */
	struct sr_value *shift;
};

/* Return the dimension along which a sharded operand is sliced; -1 if there is none. If there are several, the others are
 * replicated. */
static int sharded_dim(const struct sr_type *type, const struct sr_type *slice_type, struct sr_axes *axes)
{
	int dim = -1;
	for (int d = 0; d < type->rank; d++) {
		if (type->shape[d] == slice_type->shape[d] || !axes[d].n)
			continue;
		if (dim >= 0)
			axes[d] = (struct sr_axes){0};
		else
			dim = d;
	}
	return dim;
}

static struct slice_position position_along(const struct sr_type *type, const struct sr_type *slice_type, int dim,
					    struct sr_axes axes)
{
	return (struct slice_position){
		.extent = type->shape[dim], .shard = sr_expand_shard_extent(type->shape[dim], axes), .size = slice_type->shape[dim],
		.axes = axes};
}

/* Return the integer type in which all indices of the op are computed. */
static enum sr_dtype common_index_type(const struct sr_type *type)
{
	int64_t most = 0;
	for (int d = 0; d < type->rank; d++)
		most = type->shape[d] > most ? type->shape[d] : most;
	return sr_spmd_index_type(most);
}

/* Set start_in_shard and shift: clamp the index as the op does, subtract the shard's offset, and split the difference into a
 * position inside of the shard and a rest. */
static void set_position(struct sr_expansion *p, struct slice_position *at, struct sr_value *index)
{
	enum sr_dtype type = common_index_type(sr_operand(p->op, 0)->type);
	struct sr_value *first = sr_spmd_clamped_index(p, index, type, 0, at->extent - at->size),
			*rel = sr_spmd_binary(p, SR_OP_stablehlo_subtract, first,
					      sr_spmd_shard_offset(p, at->axes, at->shard, type));
	at->start_in_shard = sr_spmd_clamp(p, rel, 0, at->shard - at->size);
	at->shift = sr_spmd_clamp(p, sr_spmd_binary(p, SR_OP_stablehlo_subtract, at->start_in_shard, rel), -at->size, at->size);
}

/* Shift v along dim: element k of the result is element k + offset of v, or zero beyond its ends. offset: a scalar from -n to n. */
static struct sr_value *shifted(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_value *offset, int64_t n)
{
	struct sr_value *wide = sr_spmd_pad(p, v, dim, n, n, NULL),
			*first = sr_spmd_binary(p, SR_OP_stablehlo_add, offset, sr_spmd_constant(p, offset->type, n));
	return sr_spmd_dynamic_slice(p, wide, dim, first, v->type->shape[dim]);
}

static struct sr_value *negated(struct sr_expansion *p, struct sr_value *v)
{
	return sr_build_infer(&p->builder, SR_OP_stablehlo_negate, &v, 1, NULL, 0);
}

/* Operands of the manual computation and their axes; the indices are replicated. */
struct operands {
	struct sr_value *values[2 * SR_MAX_RANK];
	struct sr_axes *axes[2 * SR_MAX_RANK];
	int n;
};

static void add_operands(struct sr_expansion *p, struct operands *o, int first)
{
	for (int i = first; i < p->op->n_operands; i++) {
		o->values[o->n] = sr_operand(p->op, i);
		o->axes[o->n++] = sr_expand_no_axes(p, 0);
	}
}

/* Build the dynamic_slice of the shard, which starts at at->start_in_shard along dim and at the op's indices along other
 * dimensions. */
static struct sr_value *slice_of_shard(struct sr_expansion *p, struct sr_value *const *args, int dim,
				       const struct slice_position *at, const struct sr_type *slice_type)
{
	int rank = args[0]->type->rank;
	int64_t *sizes = sr_dup(p->ctx->arena, slice_type->shape, (size_t)rank, sizeof *sizes);
	struct sr_value *operands[SR_MAX_RANK + 1] = {args[0]};
	for (int d = 0; d < rank; d++)
		operands[d + 1] = d == dim ? at->start_in_shard : sr_spmd_convert(p, args[d + 1], at->start_in_shard->type->dtype);
	struct sr_named_attr attr = {SR_NAME_slice_sizes, sr_attr_i64s(p->ctx, sizes, rank)};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_dynamic_slice, operands, rank + 1, &attr, 1);
}

/* Clamp the indices of the other dimensions and convert them to one type. */
static void clamp_indices(struct sr_expansion *p, struct sr_value **args, const struct sr_type *type,
			  const struct sr_type *slice_type, int dim, enum sr_dtype dtype)
{
	for (int d = 0; d < type->rank; d++)
		if (d != dim)
			args[d] = sr_spmd_clamped_index(p, args[d], dtype, 0, type->shape[d] - slice_type->shape[d]);
}

bool sr_expand_dynamic_slice(struct sr_expansion *p)
{
	struct sr_value *in = sr_operand(p->op, 0), *out = sr_result(p->op, 0);
	struct sr_axes *axes = sr_expand_tensor_axes(p, 0), *required = sr_expand_tensor_axes(p, p->v->rule->n_operands),
		       *left = sr_expand_no_axes(p, out->type->rank);
	int rank = in->type->rank, dim = sharded_dim(in->type, out->type, axes);
	if (dim < 0 || rank > SR_MAX_RANK || in->type->dtype == SR_F8E8M0FNU) /* this type has no zero to fill with */
		return false;
	struct slice_position at = position_along(in->type, out->type, dim, axes[dim]);
	struct sr_owned_reduction reduction = {.scattered = sr_expand_no_axes(p, rank)};
	for (int d = 0; d < rank; d++)
		left[d] = d == dim ? (struct sr_axes){0} : axes[d];
	bool scatters = sr_axes_equal(required[dim], axes[dim]) && at.size % sr_axes_size(axes[dim]) == 0;
	*(scatters ? &reduction.scattered[dim] : &reduction.replicated_axes) = axes[dim];
	const struct sr_type *slice_type = sr_expand_local_type(p, out->type, left);
	sr_expand_cost_owned(p, sr_expand_type_bytes(slice_type), &reduction);
	left[dim] = reduction.scattered[dim];
	sr_expand_cost_reshard(p, in, 0, axes);
	sr_expand_cost_result(p, 0, left);
	if (at.size > at.shard || !sr_expand_pays(p))
		return false;

	struct operands o = {{in}, {axes}, 1};
	add_operands(p, &o, 1);
	struct sr_value **args = sr_expand_begin(p, o.values, o.axes, o.n, &out->type, &left, 1);
	set_position(p, &at, args[1 + dim]);
	clamp_indices(p, args + 1, in->type, out->type, dim, at.start_in_shard->type->dtype);
	struct sr_value *v = slice_of_shard(p, args, dim, &at, slice_type);
	v = sr_spmd_sum_owned(p, shifted(p, v, dim, negated(p, at.shift), at.size), NULL, &reduction);
	sr_expand_end(p, &v, 1);
	sr_expand_replace(p, out, 0);
	sr_expand_finish(p);
	return true;
}

bool sr_slice_fits_any_shard(const struct sr_op *op, const struct sr_mesh *mesh)
{
	enum sr_local_kind word = sr_local_kind_of(op);
	if (word != SR_LOCAL_dynamic_slice && word != SR_LOCAL_dynamic_update_slice)
		return false;
	const struct sr_type *type = sr_operand(op, 0)->type,
			     *slice_type = word == SR_LOCAL_dynamic_slice ? sr_result(op, 0)->type : sr_operand(op, 1)->type;
	for (int d = 0; d < type->rank; d++)
		if (slice_type->shape[d] != type->shape[d] &&
		    slice_type->shape[d] > sr_ceil_div(type->shape[d], sr_mesh_devices(mesh)))
			return false;
	return true;
}

const struct sr_sharding_rule *sr_expand_rule_of_dynamic_slice(struct sr_arena *arena, const struct sr_op *op,
							       const struct sr_sharding_rule *rule)
{
	const struct sr_type *type = sr_operand(op, 0)->type, *slice_type = sr_result(op, 0)->type;
	struct sr_sharding_rule *made = sr_dup(arena, rule, 1, sizeof *rule);
	struct sr_dim_mapping *dims = sr_dup(arena, rule->results[0].dims, (size_t)type->rank, sizeof *dims);
	struct sr_tensor_mapping *result = SR_NEW(arena, struct sr_tensor_mapping);
	int32_t *reduced = SR_NEWS(arena, int32_t, type->rank);
	int n = 0;
	for (int d = 0; d < type->rank; d++)
		if (type->shape[d] != slice_type->shape[d] && dims[d].n == 1) {
			reduced[n++] = dims[d].factors[0];
			dims[d].n = 0;
		}
	*result = (struct sr_tensor_mapping){dims, type->rank};
	made->results = result;
	made->reduction = (struct sr_index_list){reduced, n};
	made->need_replication = (struct sr_index_list){0};
	return made;
}

/* Return an i1 mask of the slice's shape: elements of the shard, starting at at->own, that the update covers. */
static struct sr_value *covered_mask(struct sr_expansion *p, const struct sr_type *slice_type, int dim,
				     const struct slice_position *at)
{
	int64_t n = at->size, dims = dim;
	struct sr_value *positions = sr_spmd_iota(p, at->shift->type->dtype, 1, &n, 0),
			*offset = sr_spmd_broadcast(p, at->shift, NULL, 1, &n);
	positions = sr_spmd_in_range(p, sr_spmd_binary(p, SR_OP_stablehlo_add, positions, offset), 0, n);
	return sr_spmd_broadcast(p, positions, &dims, slice_type->rank, slice_type->shape);
}

bool sr_expand_dynamic_update(struct sr_expansion *p)
{
	struct sr_value *in = sr_operand(p->op, 0), *update = sr_operand(p->op, 1), *out = sr_result(p->op, 0);
	struct sr_axes *axes = sr_expand_tensor_axes(p, 0), *slice_axes = sr_expand_no_axes(p, in->type->rank);
	int rank = in->type->rank, dim = sharded_dim(in->type, update->type, axes);
	if (dim < 0 || rank > SR_MAX_RANK)
		return false;
	struct slice_position at = position_along(in->type, update->type, dim, axes[dim]);
	for (int d = 0; d < rank; d++)
		slice_axes[d] = d == dim ? (struct sr_axes){0} : axes[d];
	sr_expand_cost_reshard(p, in, 0, axes);
	sr_expand_cost_reshard(p, update, 1, slice_axes);
	sr_expand_cost_result(p, 0, axes);
	if (at.size > at.shard || !sr_expand_pays(p))
		return false;

	struct operands o = {{in, update}, {axes, slice_axes}, 2};
	add_operands(p, &o, 2);
	struct sr_value **args = sr_expand_begin(p, o.values, o.axes, o.n, &out->type, &axes, 1), *operands[SR_MAX_RANK + 2];
	set_position(p, &at, args[2 + dim]);
	clamp_indices(p, args + 2, in->type, update->type, dim, at.start_in_shard->type->dtype);
	operands[0] = args[0];
	for (int d = 0; d < rank; d++)
		operands[d + 1] = args[d + 2];
	struct sr_value *was = slice_of_shard(p, operands, dim, &at, args[1]->type),
			*now = shifted(p, args[1], dim, at.shift, at.size);
	operands[1] = sr_spmd_select(p, covered_mask(p, args[1]->type, dim, &at), now, was);
	for (int d = 0; d < rank; d++)
		operands[d + 2] = d == dim ? at.start_in_shard : args[d + 2];
	struct sr_value *v = sr_build_infer(&p->builder, SR_OP_stablehlo_dynamic_update_slice, operands, rank + 2, NULL, 0);
	sr_expand_end(p, &v, 1);
	sr_expand_replace(p, out, 0);
	sr_expand_finish(p);
	return true;
}
