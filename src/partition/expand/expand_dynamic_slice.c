/* Forms of dynamic_slice and dynamic_update_slice along sharded dimensions that they slice (form/form.h).
 *
 *	slice of w elements at %i, shards of m: each device slices w elements of its shard, as close to %i as possible, shifts
 *	them to their position in the slice and fills with zeros; the sum over the devices is the slice
 *	update: each device changes those of its elements that the update covers, and nothing is sent
 *	copy, an update by a slice of the updated tensor, both at constant indices and inside of shards: the device that has the
 *	slice sends it to the one that has the updated elements; nothing is sent if it has these, too
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
	/* constant index at which the update starts, if it is inside of a shard; -1: it is not. If it is, `shift` is not used, and
	 * is_owner is a scalar: true on devices that have this shard */
	int64_t index;
	struct sr_value *is_owner;
};

struct slicing {
	int rank;
	int first_index;        /* operand number of the first index */
	struct position dims[SR_MAX_RANK];
	struct sr_axes *slice;  /* axes that shard each dimension of the update, or of the slice before its sum over the devices */
	struct sr_axes slicing_axes; /* axes that shard the sliced dimensions, all dimensions together */
	enum sr_dtype index;    /* integer type in which indices are computed */
};

/* Return the constant index of an update of a sharded dimension, if the update is inside of a shard; else -1. */
static int64_t index_inside_of_shard(const struct sr_form_query *q, struct sr_value *v, const struct position *at)
{
	int64_t index, last = at->extent - at->size;
	if (!sr_constant_integer(q->ctx, v, &index))
		return -1;
	index = index < 0 ? 0 : index > last ? last : index;
	return index % at->shard + at->size <= at->shard ? index : -1;
}

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
		s->dims[d].index = -1;
		if (is_sharded && updates)
			s->dims[d].index = index_inside_of_shard(q, sr_operand(q->op, s->first_index + d), &s->dims[d]);
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
		if (at->index >= 0) {
			int64_t local = at->index % at->shard;
			at->start = sr_build_integer(&p->builder, offset->type, local);
			at->is_owner = sr_spmd_in_range(p, offset, at->index - local, at->index - local + 1);
			continue;
		}
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
		if (!at->is_sharded || at->index >= 0)
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
		struct sr_value *is_inside = at->is_owner;
		if (at->index < 0)
			is_inside = sr_spmd_in_range(p, sr_spmd_positions(p, s->index, vector, 0, at->shift), 0, at->size);
		is_inside = sr_build_broadcast(&p->builder, is_inside, old_slice->type, &d);
		is_covered = is_covered ? sr_build_binary(&p->builder, SR_OP_stablehlo_and, is_covered, is_inside) : is_inside;
	}
	return sr_build_select(&p->builder, is_covered, new_slice, old_slice);
}

/* Set start[d] to the constant index along dimension d of the slice of the updated tensor that is the update. Return false if it is
 * another update, or one of these slices is not inside of a shard. */
static bool find_copied_slice(const struct sr_form_query *q, const struct slicing *s, int64_t *start)
{
	const struct sr_op *reshard = sr_value_def_of(sr_operand(q->op, 1), SR_OP_sdy_reshard);
	const struct sr_op *slice = sr_value_def_of(sr_operand(reshard ? reshard : q->op, reshard ? 0 : 1), SR_OP_stablehlo_slice);
	if (!slice || sr_operand(slice, 0) != sr_operand(q->op, 0))
		return false;
	for (int d = 0; d < s->rank; d++) {
		const struct position *at = &s->dims[d];
		start[d] = sr_op_int_at(q->ctx, slice, SR_NAME_start_indices, d, 0);
		if (sr_op_int_at(q->ctx, slice, SR_NAME_strides, d, 0) != 1 ||
		    (at->is_sharded && (at->index < 0 || start[d] % at->shard + at->size > at->shard)))
			return false;
	}
	return true;
}

/* Build the slice that a copy reads, the elements from `start` on, on the devices that have the updated elements. */
static struct sr_value *build_copied_slice(struct sr_expansion *p, const struct slicing *s, struct sr_value *shard,
					   const struct sr_type *type, const int64_t *start)
{
	int64_t first[SR_MAX_RANK], end[SR_MAX_RANK];
	for (int d = 0; d < s->rank; d++) {
		first[d] = s->dims[d].is_sharded ? start[d] % s->dims[d].shard : start[d];
		end[d] = first[d] + type->shape[d];
	}
	struct sr_value *v = sr_build_slice(&p->builder, shard, first, end, NULL);
	for (int d = 0; d < s->rank; d++) {
		const struct position *at = &s->dims[d];
		if (!at->is_sharded || start[d] / at->shard == at->index / at->shard)
			continue;
		int64_t n = sr_axes_size(at->axes), *sources = sr_make_ints(p->ctx, n, -1);
		sources[at->index / at->shard] = start[d] / at->shard;
		v = sr_spmd_permute(p, v, at->axes, (struct sr_permute_sources){.list = sources});
	}
	return v;
}

static void emit_update(const struct sr_form_query *q)
{
	struct slicing s;
	struct sr_expansion p = sr_expansion_of(q);
	const struct sr_attr **layouts = sr_dup(q->arena, q->layouts, (size_t)q->op->n_operands + 1, sizeof *layouts);
	struct sr_value *inputs[SR_MAX_RANK + 2];
	int64_t copied_start[SR_MAX_RANK];
	read_slicing(q, &s);
	bool is_copy = find_copied_slice(q, &s, copied_start);
	for (int i = 0; i < q->op->n_operands; i++)
		inputs[i] = sr_operand(q->op, i);
	const struct sr_type *type = sr_expand_local_type(&p, inputs[1]->type, s.slice);
	layouts[1] = is_copy ? layouts[0] : sr_sharding_attr_of_axes(q->ctx, &q->mesh, s.slice, s.rank);
	if (is_copy) { /* the slice is built of the shard */
		sr_retract_replication(q->ctx, q->op, inputs[1]);
		inputs[1] = inputs[0];
	}
	struct sr_value **args = sr_form_begin(&p, inputs, q->op->n_operands, layouts), *starts[SR_MAX_RANK];
	struct sr_value *update = is_copy ? build_copied_slice(&p, &s, args[0], type, copied_start) : args[1];
	set_positions(&p, &s, args);
	update = build_updated_slice(&p, &s, slice_of_shard(&p, &s, args[0], type), update);
	for (int d = 0; d < s.rank; d++)
		starts[d] = s.dims[d].start;
	struct sr_value *v = sr_build_update_slice(&p.builder, args[0], update, starts);
	sr_form_end(&p, &v);
}

const struct sr_op_form sr_form_dynamic_update_slice = {"owner", supports_update, cost_update, emit_update};
