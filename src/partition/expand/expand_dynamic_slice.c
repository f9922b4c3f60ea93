/* Forms of dynamic_slice and dynamic_update_slice along sharded dimensions that they slice (form/form.h).
 *
 *	slice of w elements at %i, shards of m: each device slices w elements of its shard, as close to %i as possible, shifts
 *	them to their position in the slice and fills with zeros; the sum over the devices is the slice
 *	update: each device changes those of its elements that the update covers, and nothing is sent
 *
 * No slice may be longer than a shard. */
#include "dialect/attr_names.h"
#include "partition/expand/expand.h"
#include "partition/insert_reshards/insert_reshards.h"

struct position {
	bool is_sharded;
	int64_t extent, shard, size; /* extents of the dimension, of a shard, and of the slice or update */
	struct sr_axes axes;
	struct sr_value *start; /* scalar: first element of the shard that is read or written */
	/* scalar, if sharded: number of elements from the start of the slice to `start`; from -size to size */
	struct sr_value *shift;
};

struct slicing {
	int rank;
	int first_index;        /* operand number of the first index */
	struct position dims[SR_MAX_RANK];
	struct sr_axes *slice;  /* axes that shard each dimension of the update, or of the slice before its sum over the devices */
	struct sr_axes slicing_axes; /* axes that shard the sliced dimensions, all dimensions together */
	enum sr_dtype index;    /* integer type in which indices are computed */
};

/* Read the op and its layouts. */
static enum sr_form_use read_slicing(const struct sr_form_query *q, struct slicing *s)
{
	bool updates = sr_op_is(q->op, SR_OP_stablehlo_dynamic_update_slice);
	const struct sr_type *type = sr_operand(q->op, 0)->type,
			     *slice = updates ? sr_operand(q->op, 1)->type : sr_result(q->op, 0)->type;
	struct sr_axes *axes = sr_form_axes(q, 0);
	int64_t max_extent = 0;
	*s = (struct slicing){.rank = type->rank, .first_index = 1 + updates};
	s->slice = SR_NEW_ARRAY(q->arena, struct sr_axes, type->rank);
	for (int d = 0; d < type->rank; d++) {
		bool is_sharded = axes[d].n && type->shape[d] != slice->shape[d];
		s->dims[d] = (struct position){.is_sharded = is_sharded, .extent = type->shape[d], .size = slice->shape[d],
					       .shard = sr_expand_shard_extent(type->shape[d], axes[d]), .axes = axes[d]};
		if (is_sharded && s->dims[d].size > s->dims[d].shard)
			return SR_FORM_IMPOSSIBLE;
		*(is_sharded ? &s->slicing_axes : &s->slice[d]) = is_sharded ? sr_axes_concat(q->arena, s->slicing_axes, axes[d])
									     : axes[d];
		max_extent = type->shape[d] > max_extent ? type->shape[d] : max_extent;
	}
	s->index = sr_spmd_index_type(max_extent);
	return s->slicing_axes.n ? SR_FORM_USED : SR_FORM_UNUSED;
}

/* Set start and shift of each dimension: clamp the index as the op does; along a sharded dimension subtract the shard's offset, and
 * split the difference into a position inside of the shard and the rest. */
static void set_positions(struct sr_expansion *p, struct slicing *s, struct sr_value *const *args)
{
	for (int d = 0; d < s->rank; d++) {
		struct position *at = &s->dims[d];
		struct sr_value *first = at->start =
			sr_spmd_clamped_index(p, args[s->first_index + d], s->index, 0, at->extent - at->size);
		if (!at->is_sharded)
			continue;
		struct sr_value *offset = sr_spmd_shard_offset(p, at->axes, at->shard, s->index);
		first = sr_build_binary(&p->builder, SR_OP_stablehlo_subtract, first, offset);
		at->start = sr_spmd_clamp(p, first, 0, at->shard - at->size);
		at->shift = sr_build_binary(&p->builder, SR_OP_stablehlo_subtract, at->start, first);
		at->shift = sr_spmd_clamp(p, at->shift, -at->size, at->size);
	}
}

/* Shift v along each sharded dimension by the dimension's shift, or with `is_inverse` by its negation. Element k of the result is
 * element k + shift of v, or zero beyond its ends. */
static struct sr_value *shift_dims(struct sr_expansion *p, const struct slicing *s, struct sr_value *v, bool is_inverse)
{
	struct sr_builder *b = &p->builder;
	for (int d = 0; d < s->rank; d++) {
		const struct position *at = &s->dims[d];
		if (!at->is_sharded)
			continue;
		struct sr_dim_padding padding = {.low = at->size, .high = at->size};
		struct sr_value *n = sr_build_integer(b, at->shift->type, at->size),
				*padded_value = sr_build_pad_dim(b, v, d, padding, NULL);
		struct sr_value *first = is_inverse ? sr_build_binary(b, SR_OP_stablehlo_subtract, n, at->shift)
						    : sr_build_binary(b, SR_OP_stablehlo_add, at->shift, n);
		v = sr_build_dynamic_slice_dim(b, padded_value, d, first, at->size);
	}
	return v;
}

/* Build the dynamic_slice on the shard, at each dimension's start. */
static struct sr_value *slice_of_shard(struct sr_expansion *p, const struct slicing *s, struct sr_value *shard,
				       const struct sr_type *type)
{
	struct sr_value *starts[SR_MAX_RANK];
	for (int d = 0; d < s->rank; d++)
		starts[d] = s->dims[d].start;
	return sr_build_dynamic_slice(&p->builder, shard, starts, type->shape);
}

/* ---------------------------------------------------------------- dynamic_slice */

/* Return the rule of a dynamic_slice as computed by this form: factors of sliced dimensions are reduced, since the devices that
 * shard them sum their parts of the slice. */
static const struct sr_sharding_rule *rule_of_slice(struct sr_context *ctx, struct sr_arena *arena, const struct sr_op *op,
						    const struct sr_sharding_rule *rule)
{
	(void)ctx;
	const struct sr_type *type = sr_operand(op, 0)->type, *slice_type = sr_result(op, 0)->type;
	struct sr_sharding_rule *slice_rule = sr_dup(arena, rule, 1, sizeof *rule);
	struct sr_dim_mapping *dims = sr_dup(arena, rule->results[0].dims, (size_t)type->rank, sizeof *dims);
	struct sr_tensor_mapping *result = SR_NEW(arena, struct sr_tensor_mapping);
	int32_t *reduced_factors = SR_NEW_ARRAY(arena, int32_t, type->rank);
	int n = 0;
	for (int d = 0; d < type->rank; d++)
		if (type->shape[d] != slice_type->shape[d] && dims[d].n == 1) {
			reduced_factors[n++] = dims[d].factors[0];
			dims[d].n = 0;
		}
	*result = (struct sr_tensor_mapping){dims, type->rank};
	slice_rule->results = result;
	slice_rule->reduction = (struct sr_index_list){reduced_factors, n};
	slice_rule->need_replication = (struct sr_index_list){0};
	return slice_rule;
}

static bool supports_slice(const struct sr_op_view *v, int factor)
{
	return sr_spmd_is_supported(v) && sr_index_list_has(v->rule->reduction, factor);
}

static enum sr_form_use cost_slice(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct slicing s;
	struct sr_owned_reduction reduction;
	enum sr_form_use use = read_slicing(q, &s);
	(void)sum;
	return use != SR_FORM_USED || sr_owned_reduction_of(q, s.slicing_axes, s.slice, &reduction) ? use : SR_FORM_IMPOSSIBLE;
}

static void emit_slice(const struct sr_form_query *q)
{
	struct slicing s;
	struct sr_expansion p = sr_expansion_of(q);
	struct sr_owned_reduction reduction;
	struct sr_value **args = sr_form_begin(&p, NULL, 0, q->layouts), *v;
	enum sr_dtype type = sr_result(q->op, 0)->type->dtype;
	read_slicing(q, &s);
	sr_owned_reduction_of(q, s.slicing_axes, s.slice, &reduction);
	set_positions(&p, &s, args);
	v = slice_of_shard(&p, &s, args[0], sr_expand_local_type(&p, sr_result(q->op, 0)->type, s.slice));
	/* the bits are shifted as integers, since not every element type has a zero */
	v = shift_dims(&p, &s, sr_spmd_bitcast(&p, v, sr_spmd_bits_type(type)), true);
	v = sr_spmd_sum_owned(&p, v, NULL, &reduction);
	v = v->type->dtype == type ? v : sr_spmd_bitcast(&p, v, type);
	sr_form_end(&p, &v);
}

const struct sr_op_form sr_form_dynamic_slice = {"owner", supports_slice, cost_slice, emit_slice, rule_of_slice};

/* ---------------------------------------------------------------- dynamic_update_slice */

static bool supports_update(const struct sr_op_view *v, int factor)
{
	return sr_spmd_is_supported(v) && v->p.tensors[0].factors[factor].is_present && !v->p.tensors[1].factors[factor].is_present;
}

static enum sr_form_use cost_update(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct slicing s;
	(void)sum;
	return read_slicing(q, &s);
}

/* Return the new contents of the slice of the shard at the starts: `old_slice` with the elements that the update covers replaced.
 */
static struct sr_value *build_updated_slice(struct sr_expansion *p, const struct slicing *s, struct sr_value *old_slice,
					    struct sr_value *update)
{
	struct sr_value *new_slice = shift_dims(p, s, update, false), *is_covered = NULL;
	for (int64_t d = 0; d < s->rank; d++) {
		const struct position *at = &s->dims[d];
		if (!at->is_sharded)
			continue;
		const struct sr_type *vector = sr_type_tensor(p->ctx, s->index, 1, &at->size);
		struct sr_value *positions = sr_spmd_positions(p, s->index, vector, 0, at->shift);
		positions = sr_build_broadcast(&p->builder, sr_spmd_in_range(p, positions, 0, at->size), old_slice->type, &d);
		is_covered = is_covered ? sr_build_binary(&p->builder, SR_OP_stablehlo_and, is_covered, positions) : positions;
	}
	return sr_build_select(&p->builder, is_covered, new_slice, old_slice);
}

static void emit_update(const struct sr_form_query *q)
{
	struct slicing s;
	struct sr_expansion p = sr_expansion_of(q);
	const struct sr_attr **layouts = sr_dup(q->arena, q->layouts, (size_t)q->op->n_operands + 1, sizeof *layouts);
	read_slicing(q, &s);
	layouts[1] = sr_sharding_attr_of_axes(q->ctx, &q->mesh, s.slice, s.rank);
	struct sr_value **args = sr_form_begin(&p, NULL, 0, layouts), *operands[SR_MAX_RANK + 2] = {args[0]};
	set_positions(&p, &s, args);
	operands[1] = build_updated_slice(&p, &s, slice_of_shard(&p, &s, args[0], args[1]->type), args[1]);
	for (int d = 0; d < s.rank; d++)
		operands[d + 2] = s.dims[d].start;
	struct sr_value *v = sr_build_infer(&p.builder, SR_OP_stablehlo_dynamic_update_slice, operands, s.rank + 2, NULL, 0);
	sr_form_end(&p, &v);
}

const struct sr_op_form sr_form_dynamic_update_slice = {"owner", supports_update, cost_update, emit_update};
