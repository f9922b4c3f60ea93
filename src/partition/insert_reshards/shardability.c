/* Shardability of factors: which factors of an op may be sharded such that each device can run the op on its shards. The sharding
 * rule states which dimensions correspond, but not whether a shard along them can be computed independently. Factors that are not
 * known to be safe are replicated. */
#include "partition/form/form.h"
#include "partition/insert_reshards/insert_reshards.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/local/pad.h"
#include "partition/partition.h"

/* Number of tensors of an op that have a factor. */
struct occurrence {
	int operands, results, tensors; /* number of operands, of results, and of tensors in all that have the factor */
	bool all_tensors;               /* true if all tensors of rank > 0 have the factor */
};

static struct occurrence occurrence_of(const struct sr_op_view *v, int factor)
{
	struct occurrence o = {.all_tensors = true};
	for (int t = 0; t < v->n_tensors; t++) {
		bool has_factor = v->p.tensors[t].factors[factor].is_present;
		if (has_factor)
			*(t < v->rule->n_operands ? &o.operands : &o.results) += 1;
		else if (sr_projection_mapping(&v->p, t)->rank > 0)
			o.all_tensors = false;
	}
	o.tensors = o.operands + o.results;
	return o;
}

/* ---------------------------------------------------------------- conditions beyond the sharding rule */

static bool is_in_all_tensors(const struct sr_op_view *v, int factor)
{
	return occurrence_of(v, factor).all_tensors;
}

static bool is_never_shardable(const struct sr_op_view *v, int factor)
{
	(void)v, (void)factor;
	return false;
}

/* Return true if both the operand and the update (operand number `update`) have the factor. Other dimensions are addressed by an
 * index, which would have to be adjusted for a shard. */
static bool is_in_operand_and_update(const struct sr_op_view *v, int factor, int update)
{
	return v->p.tensors[0].factors[factor].is_present && v->p.tensors[update].factors[factor].is_present;
}

static bool is_in_update(const struct sr_op_view *v, int factor)
{
	return is_in_operand_and_update(v, factor, 1);
}

/* Return true if the indices of a scatter address an operand dimension with this factor. */
static bool is_scattered_along(const struct sr_op_view *v, int factor)
{
	const struct sr_attr *numbers = sr_op_attr(v->op, SR_NAME_scatter_dimension_numbers);
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, 0);
	const int64_t *indexed;
	int64_t n;
	if (!numbers || !sr_struct_ints(v->ctx, numbers, SR_NAME_scatter_dims_to_operand_dims, &indexed, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		for (int k = 0; k < map->dims[indexed[i]].n; k++)
			if (map->dims[indexed[i]].factors[k] == factor)
				return true;
	return false;
}

/* Return true if the factor's dimension is in the windows of a scatter but its indices do not address it. Along an indexed
 * dimension, even a window of full extent may start after index 0: elements past the end are dropped, so shards cannot be computed
 * independently. (A gather clamps the start so that the entire window is inside.) */
static bool in_scattered_window(const struct sr_op_view *v, int factor)
{
	return !is_scattered_along(v, factor) && is_in_operand_and_update(v, factor, v->rule->n_results + 1);
}

/* Return true if the pad op adds nothing along the factor's dimension. */
static bool is_unpadded(const struct sr_op_view *v, int factor)
{
	static const char *const names[] = {SR_NAME_edge_padding_low, SR_NAME_edge_padding_high, SR_NAME_interior_padding};
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const int64_t *pad;
		int64_t n;
		if (!sr_op_ints(v->ctx, v->op, names[i], &pad, &n))
			return false;
		for (int d = 0; d < map->rank && d < n; d++)
			if (pad[d] && map->dims[d].n && map->dims[d].factors[0] == factor)
				return false;
	}
	return true;
}

/* Return true for batch and feature factors of a convolution; if it is grouped, for the group factor only. Spatial factors are
 * never shardable here. */
static bool is_not_spatial(const struct sr_op_view *v, int factor)
{
	const struct sr_attr *numbers = sr_op_attr(v->op, SR_NAME_dimension_numbers);
	static const char *const fields[] = {SR_NAME_input_spatial_dimensions, SR_NAME_kernel_spatial_dimensions,
					     SR_NAME_output_spatial_dimensions};
	bool is_grouped = sr_op_int(v->op, SR_NAME_batch_group_count, 1) > 1 ||
			  sr_op_int(v->op, SR_NAME_feature_group_count, 1) > 1;
	for (int t = 0; t < 3; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		const int64_t *spatial_dims;
		int64_t n;
		if (!numbers || !sr_struct_ints(v->ctx, numbers, fields[t], &spatial_dims, &n))
			return false;
		for (int64_t i = 0; i < n; i++)
			for (int k = 0; k < map->dims[spatial_dims[i]].n; k++)
				if (map->dims[spatial_dims[i]].factors[k] == factor)
					return false;
		for (int d = 0; is_grouped && d < map->rank; d++)
			for (int k = 1; k < map->dims[d].n; k++)
				if (map->dims[d].factors[k] == factor)
					return false;
	}
	return true;
}

/* Return true for the factor of the independent right-hand sides of a triangular solve, which upstream's rule replicates. */
static bool is_right_hand_side(const struct sr_op_view *v, int factor)
{
	return !v->p.tensors[0].factors[factor].is_present && v->p.tensors[1].factors[factor].is_present &&
	       v->p.tensors[2].factors[factor].is_present;
}

/* Return true if the user wrote the op's rule: such a rule is trusted, but rules of custom-call targets that only propagation knows
 * are not. */
static bool has_users_rule(const struct sr_op_view *v, int factor)
{
	(void)factor;
	return v->rule->custom || sr_op_attr(v->op, "sdy.sharding_rule");
}

/* Way in which partial results over a reduction factor are combined, unless the user wrote the rule. */
enum reduced_by { NOT_REDUCED, REDUCED_BY_SUM, REDUCED_BY_BODY };

static const struct local_limits {
	bool (*condition)(const struct sr_op_view *v, int factor); /* additional condition for sharding a factor; NULL: none */
	/* the number of shards must divide the size, because shardrun-pad would otherwise replicate the op */
	bool must_divide;
	/* function that returns true for ops to which must_divide does not apply; NULL: none */
	bool (*pads_result)(const struct sr_op *op);
	bool adds_dims;                       /* true if results have dimensions that no operand has */
	/* function that returns true for factors that may be sharded although the rule replicates them; NULL: none */
	bool (*is_independent)(const struct sr_op_view *v, int factor);
	enum reduced_by reduced_by;
} local_limits[SR_LOCAL_COUNT] = {
	[SR_LOCAL_broadcast] = {.adds_dims = true},
	[SR_LOCAL_concatenate] = {is_in_all_tensors},
	[SR_LOCAL_convolution] = {is_not_spatial, .must_divide = true, .reduced_by = REDUCED_BY_SUM},
	[SR_LOCAL_custom_call] = {has_users_rule, .must_divide = true, .pads_result = sr_pad_is_library_call},
	[SR_LOCAL_dynamic_update_slice] = {is_in_update},
	[SR_LOCAL_unshardable] = {is_never_shardable, .must_divide = true},
	[SR_LOCAL_pad] = {is_unpadded, .must_divide = true},
	[SR_LOCAL_product] = {.reduced_by = REDUCED_BY_SUM},
	[SR_LOCAL_reduce] = {.reduced_by = REDUCED_BY_BODY},
	[SR_LOCAL_reverse] = {is_in_all_tensors},
	[SR_LOCAL_scatter] = {in_scattered_window, .must_divide = true},
	[SR_LOCAL_select_and_scatter] = {is_in_all_tensors, .must_divide = true},
	[SR_LOCAL_sort] = {is_in_all_tensors},
	[SR_LOCAL_triangular_solve] = {.is_independent = is_right_hand_side},
};

static const struct local_limits *row_of(const struct sr_op *op)
{
	return &local_limits[sr_local_kind_of(op)];
}

bool sr_op_is_contraction(const struct sr_op *op)
{
	return row_of(op)->reduced_by == REDUCED_BY_SUM;
}

/* ---------------------------------------------------------------- reductions */

/* Find the kind of reduction that combines partial results of the op. Returns false if no all_reduce does. */
static bool reduction_of(const struct sr_op_view *v, enum sr_unreduced_kind *kind)
{
	*kind = SR_UNREDUCED_SUM;
	if (row_of(v->op)->reduced_by != REDUCED_BY_BODY)
		return row_of(v->op)->reduced_by == REDUCED_BY_SUM || v->rule->custom;
	const struct sr_reducer *r = sr_op_reducer(v->op);
	return r && sr_reducer_unreduced_kind(r, sr_result(v->op, 0)->type->dtype == SR_I1, kind);
}

/* ---------------------------------------------------------------- factors */

/* Return true if, in every dimension with the factor, the extent is the product of the dimension's factors. Otherwise the tensor
 * covers only a part of the factor. */
static bool fills_its_dims(const struct sr_op_view *v, int factor)
{
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		const struct sr_type *type = sr_op_view_value(v, t)->type;
		for (int d = 0; d < map->rank; d++) {
			int64_t product = 1;
			bool has_factor = false;
			for (int i = 0; i < map->dims[d].n; i++) {
				has_factor = has_factor || map->dims[d].factors[i] == factor;
				product *= v->rule->sizes[map->dims[d].factors[i]];
			}
			if (has_factor && (type->kind != SR_TYPE_TENSOR || d >= type->rank || type->shape[d] != product))
				return false;
		}
	}
	return true;
}

/* Return true for permutation factors, which are replicated here: sharding them needs a form (form/form.h). */
static bool is_permuted(const struct sr_op_view *v, int factor)
{
	return sr_index_list_has(v->rule->permutation, factor);
}

static bool is_shardable(const struct sr_op_view *v, int factor, bool can_reduce)
{
	struct occurrence o = occurrence_of(v, factor);
	const struct local_limits *l = row_of(v->op);
	bool must_replicate = sr_index_list_has(v->rule->need_replication, factor) &&
			  !(l->is_independent && l->is_independent(v, factor));
	if (v->rule->sizes[factor] <= 1 || must_replicate || is_permuted(v, factor) || !fills_its_dims(v, factor) ||
	    (l->condition && !l->condition(v, factor)))
		return false;
	if (sr_index_list_has(v->rule->reduction, factor))
		return can_reduce && o.results == 0;
	return o.results > 0 && (o.operands > 0 || l->adds_dims);
}

static void mark_present_factors(struct sr_op_view *v)
{
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		for (int d = 0; d < map->rank; d++)
			for (int i = 0; i < map->dims[d].n; i++)
				v->p.tensors[t].factors[map->dims[d].factors[i]].is_present = true;
	}
}

struct sr_shardability sr_shardability_of(struct sr_op_view *v)
{
	struct sr_arena *arena = v->ctx->scratch;
	int n = v->rule->n_factors;
	struct sr_shardability shardability = {SR_NEW_ARRAY(arena, bool, n), SR_NEW_ARRAY(arena, bool, n)};
	enum sr_unreduced_kind *kind = SR_NEW(arena, enum sr_unreduced_kind);
	const struct local_limits *l = row_of(v->op);
	bool can_reduce = reduction_of(v, kind), must_divide = l->must_divide && !(l->pads_result && l->pads_result(v->op));
	mark_present_factors(v);
	v->reduces_by = kind;
	shardability.can_reduce = can_reduce;
	for (int f = 0; f < n; f++)
		shardability.must_replicate[f] = !is_shardable(v, f, can_reduce), shardability.must_divide[f] = must_divide;
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		for (int d = 0; d < map->rank; d++)
			for (int i = 0; i < map->dims[d].n && map->dims[d].n > 1; i++)
				shardability.must_divide[map->dims[d].factors[i]] = true;
	}
	return shardability;
}

struct sr_shardability sr_shardability_expanded(struct sr_op_view *v)
{
	struct sr_shardability shardability = sr_shardability_of(v);
	for (int f = 0; f < v->rule->n_factors; f++) {
		if (!shardability.must_replicate[f] || v->rule->sizes[f] <= 1 || !sr_form_supports(v, f))
			continue;
		if (!shardability.needs_form)
			shardability.needs_form = SR_NEW_ARRAY(v->ctx->scratch, bool, v->rule->n_factors);
		shardability.must_replicate[f] = false;
		shardability.needs_form[f] = true;
		shardability.can_reduce = shardability.can_reduce || sr_index_list_has(v->rule->reduction, f);
	}
	return shardability;
}

/* Return the longest prefix of the axes whose number of shards divides the size; the last axis may be split. */
static struct sr_axes dividing_prefix(struct sr_arena *arena, struct sr_axes axes, int64_t size)
{
	struct sr_axes out = {axes.refs, 0};
	if (size == 0)
		return out;
	while (out.n < axes.n && size % axes.refs[out.n].size == 0)
		size /= axes.refs[out.n++].size;
	if (out.n == axes.n)
		return axes;
	struct sr_axis_ref prefix = axes.refs[out.n];
	for (int64_t axis_size = prefix.size; prefix.size > 1 && (axis_size % prefix.size || size % prefix.size);)
		prefix.size--;
	return prefix.size > 1 ? sr_axes_append(arena, out, prefix) : out;
}

/* Clear the axes of factors after a factor that is not fully sharded, since a device would get a strided part of the dimension.
 * Returns true if axes were cleared. */
static bool clear_strided_axes(const struct sr_op_view *v, struct sr_axes *axes)
{
	bool has_cleared = false;
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		for (int d = 0; d < map->rank; d++) {
			bool is_full = true;
			for (int i = 0; i < map->dims[d].n; i++) {
				int f = map->dims[d].factors[i];
				if (!is_full && axes[f].n) {
					axes[f].n = 0;
					has_cleared = true;
				}
				is_full = is_full && sr_axes_size(axes[f]) == v->rule->sizes[f];
			}
		}
	}
	return has_cleared;
}

void sr_shardability_apply(const struct sr_op_view *v, const struct sr_shardability *shardability, struct sr_axes *axes)
{
	bool has_form_factor = false;
	for (int f = 0; shardability->needs_form && f < v->rule->n_factors; f++)
		has_form_factor = has_form_factor || (shardability->needs_form[f] && axes[f].n);
	for (int f = 0; f < v->rule->n_factors; f++) {
		bool may_pad = has_form_factor && (shardability->needs_form[f] || !sr_index_list_has(v->rule->reduction, f));
		if (shardability->must_replicate[f])
			axes[f].n = 0;
		else if (shardability->must_divide[f] && !may_pad)
			axes[f] = dividing_prefix(v->ctx->scratch, axes[f], v->rule->sizes[f]);
	}
	while (clear_strided_axes(v, axes))
		;
}
