/* What of an op may be sharded at all, so that each device can run the op on its part: the rule says which dimensions go
 * together, not whether a part of them can be computed. Everything that is not known to be right is whole. */
#include "partition/insert_reshards/insert_reshards.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/local/pad.h"
#include "partition/partition.h"

/* Where the factor occurs. */
struct occurrence {
	int operands, results, tensors; /* how many have it */
	bool all_tensors;               /* but scalars */
};

static struct occurrence occurrence_of(const struct sr_op_view *v, int factor)
{
	struct occurrence o = {.all_tensors = true};
	for (int t = 0; t < v->n_tensors; t++) {
		bool has = v->p.tensors[t].factors[factor].present;
		if (has)
			*(t < v->rule->n_operands ? &o.operands : &o.results) += 1;
		else if (sr_projection_mapping(&v->p, t)->rank > 0)
			o.all_tensors = false;
	}
	o.tensors = o.operands + o.results;
	return o;
}

/* ---------------------------------------------------------------- ops that need more than the rule says */

static bool in_all(const struct sr_op_view *v, int factor)
{
	return occurrence_of(v, factor).all_tensors;
}

static bool never(const struct sr_op_view *v, int factor)
{
	(void)v, (void)factor;
	return false;
}

/* What is written stands in the operand and in the update, which is operand `update`: other dimensions are found by an index, which
 * would have to be moved. */
static bool in_written(const struct sr_op_view *v, int factor, int update)
{
	return v->p.tensors[0].factors[factor].present && v->p.tensors[update].factors[factor].present;
}

static bool in_update(const struct sr_op_view *v, int factor)
{
	return in_written(v, factor, 1);
}

/* The factor is of a dimension that the update covers a part of: each device writes what its shard has of the update. */
static bool is_updated_in_parts(const struct sr_op_view *v, int factor)
{
	struct occurrence o = occurrence_of(v, factor);
	return o.operands == 1 && o.results == 1 && v->p.tensors[0].factors[factor].present &&
	       sr_slice_fits_any_shard(v->op, v->mesh.mesh);
}

/* The factor is of a sliced dimension, by the rule of the form: the device that has the slice gives it to the others. */
static bool is_sliced_in_parts(const struct sr_op_view *v, int factor)
{
	return sr_index_list_has(v->rule->reduction, factor);
}

/* Of a gather's or a scatter's operand: an index points along a dimension that has the factor. */
static bool is_indexed(const struct sr_op_view *v, const char *numbers, const char *list, int factor)
{
	const struct sr_attr *dict = sr_op_attr(v->op, numbers);
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, 0);
	const int64_t *indexed;
	int64_t n;
	if (!dict || !sr_struct_ints(v->ctx, dict, list, &indexed, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		for (int k = 0; k < map->dims[indexed[i]].n; k++)
			if (map->dims[indexed[i]].factors[k] == factor)
				return true;
	return false;
}

static bool is_scattered_along(const struct sr_op_view *v, int factor)
{
	return is_indexed(v, SR_NAME_scatter_dimension_numbers, SR_NAME_scatter_dims_to_operand_dims, factor);
}

/* A window as long as the dimension that an index points along may start past its front: what lies behind the end is dropped, the
 * rest moves from one part to the next. (A gather's start is moved back to where all of the window is inside.) */
static bool in_scattered(const struct sr_op_view *v, int factor)
{
	return !is_scattered_along(v, factor) && in_written(v, factor, v->rule->n_results + 1);
}

/* One element of the operand's dimension is taken by each index: whose part has it finds it, the others zeros. */
static bool is_found_in_parts(const struct sr_op_view *v, int factor)
{
	return sr_index_list_has(v->rule->reduction, factor) &&
	       is_indexed(v, SR_NAME_dimension_numbers, SR_NAME_start_index_map, factor);
}

/* One element is written by each index, in the part that has it; or updates are in parts, and each device combines its own. */
static bool is_scattered_in_parts(const struct sr_op_view *v, int factor)
{
	struct occurrence o = occurrence_of(v, factor);
	const struct sr_reducer *reducer = sr_op_reducer(v->op);
	if (v->rule->n_results != 1)
		return false;
	if (sr_index_list_has(v->rule->reduction, factor))
		return sr_reducer_identity(v->ctx, reducer, sr_result(v->op, 0)->type->dtype) != NULL;
	return o.operands == 1 && o.results == 1 && is_scattered_along(v, factor);
}

/* No element beside the operand's own. */
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

/* Batches and features, but within groups the groups alone; never along windows. */
static bool is_no_window(const struct sr_op_view *v, int factor)
{
	const struct sr_attr *numbers = sr_op_attr(v->op, SR_NAME_dimension_numbers);
	static const char *const fields[] = {SR_NAME_input_spatial_dimensions, SR_NAME_kernel_spatial_dimensions, SR_NAME_output_spatial_dimensions};
	bool grouped = sr_op_int(v->op, SR_NAME_batch_group_count, 1) > 1 || sr_op_int(v->op, SR_NAME_feature_group_count, 1) > 1;
	for (int t = 0; t < 3; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		const int64_t *spatial;
		int64_t n;
		if (!numbers || !sr_struct_ints(v->ctx, numbers, fields[t], &spatial, &n))
			return false;
		for (int64_t i = 0; i < n; i++)
			for (int k = 0; k < map->dims[spatial[i]].n; k++)
				if (map->dims[spatial[i]].factors[k] == factor)
					return false;
		for (int d = 0; grouped && d < map->rank; d++)
			for (int k = 1; k < map->dims[d].n; k++)
				if (map->dims[d].factors[k] == factor)
					return false;
	}
	return true;
}

/* The user's rule is the user's word; the targets that propagation knows are known to it alone. */
static bool is_given(const struct sr_op_view *v, int factor)
{
	(void)factor;
	return v->rule->custom || sr_op_attr(v->op, "sdy.sharding_rule");
}

/* How partial results over a reduction factor become whole, where the rule is not the user's. */
enum reduced { BY_NOTHING, BY_SUM, BY_BODY };

static const struct local_limits {
	bool (*may)(const struct sr_op_view *v, int factor); /* NULL: wherever the rule has it */
	bool exact;                                          /* with padding it would compute on whole values, */
	bool (*pads)(const struct sr_op *op);                /* but not for such an op */
	bool adds;                                           /* results have dimensions that no operand has */
	enum reduced reduced;
	bool (*in_parts)(const struct sr_op_view *v, int factor); /* a form of parts/ may have it sharded beside */
} local_limits[SR_LOCAL_COUNT] = {
	[SR_LOCAL_broadcast] = {.adds = true},
	[SR_LOCAL_concatenate] = {in_all},
	[SR_LOCAL_convolution] = {is_no_window, .exact = true, .reduced = BY_SUM},
	[SR_LOCAL_custom_call] = {is_given, .exact = true, .pads = sr_pad_is_library_call},
	[SR_LOCAL_dynamic_slice] = {.in_parts = is_sliced_in_parts},
	[SR_LOCAL_dynamic_update_slice] = {in_update, .in_parts = is_updated_in_parts},
	[SR_LOCAL_gather] = {.in_parts = is_found_in_parts},
	[SR_LOCAL_unshardable] = {never, .exact = true},
	[SR_LOCAL_pad] = {is_unpadded, .exact = true},
	[SR_LOCAL_product] = {.reduced = BY_SUM},
	[SR_LOCAL_reduce] = {.reduced = BY_BODY},
	[SR_LOCAL_reverse] = {in_all},
	[SR_LOCAL_scatter] = {in_scattered, .exact = true, .in_parts = is_scattered_in_parts},
	[SR_LOCAL_select_and_scatter] = {in_all, .exact = true},
	[SR_LOCAL_sort] = {in_all},
};

static const struct local_limits *limits_of(const struct sr_op *op)
{
	return &local_limits[sr_local_kind_of(op)];
}

bool sr_op_is_contraction(const struct sr_op *op)
{
	return limits_of(op)->reduced == BY_SUM;
}

/* ---------------------------------------------------------------- reductions */

/* False: no all_reduce makes partial results whole. */
static bool reduction_of(const struct sr_op_view *v, enum sr_unreduced_kind *kind)
{
	*kind = SR_UNREDUCED_SUM;
	if (limits_of(v->op)->reduced != BY_BODY)
		return limits_of(v->op)->reduced == BY_SUM || v->rule->custom;
	const struct sr_reducer *r = sr_op_reducer(v->op);
	return r && sr_reducer_unreduced_kind(r, sr_result(v->op, 0)->type->dtype == SR_I1, kind);
}

/* ---------------------------------------------------------------- dimensions */

/* Every dimension that has the factor is the product of its factors: an extent of another size is a part of what the factor
 * counts. */
static bool fills_its_dims(const struct sr_op_view *v, int factor)
{
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		const struct sr_type *type = sr_op_view_value(v, t)->type;
		for (int d = 0; d < map->rank; d++) {
			int64_t product = 1;
			bool has = false;
			for (int i = 0; i < map->dims[d].n; i++) {
				has = has || map->dims[d].factors[i] == factor;
				product *= v->rule->sizes[map->dims[d].factors[i]];
			}
			if (has && (type->kind != SR_TYPE_TENSOR || d >= type->rank || type->shape[d] != product))
				return false;
		}
	}
	return true;
}

/* Permuted dimensions are whole: their elements would have to move between devices (a halo), which is no part of this choice
 * yet. */
static bool is_permuted(const struct sr_op_view *v, int factor)
{
	return sr_index_list_has(v->rule->permutation, factor);
}

static bool may_be_sharded(const struct sr_op_view *v, int factor, bool reduces)
{
	struct occurrence o = occurrence_of(v, factor);
	const struct local_limits *l = limits_of(v->op);
	if (v->rule->sizes[factor] <= 1 || sr_index_list_has(v->rule->need_replication, factor) || is_permuted(v, factor) ||
	    !fills_its_dims(v, factor) || (l->may && !l->may(v, factor)))
		return false;
	if (sr_index_list_has(v->rule->reduction, factor))
		return reduces && o.results == 0;
	return o.results > 0 && (o.operands > 0 || l->adds);
}

static void make_present(struct sr_op_view *v)
{
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		for (int d = 0; d < map->rank; d++)
			for (int i = 0; i < map->dims[d].n; i++)
				v->p.tensors[t].factors[map->dims[d].factors[i]].present = true;
	}
}

struct sr_shardability sr_shardability_of(struct sr_op_view *v)
{
	struct sr_arena *arena = v->ctx->scratch;
	int n = v->rule->n_factors;
	struct sr_shardability limits = {SR_NEWS(arena, bool, n), SR_NEWS(arena, bool, n)};
	enum sr_unreduced_kind *kind = SR_NEW(arena, enum sr_unreduced_kind);
	const struct local_limits *l = limits_of(v->op);
	bool reduces = reduction_of(v, kind), exact = l->exact && !(l->pads && l->pads(v->op));
	make_present(v);
	v->reduces_by = kind;
	limits.reduces = reduces;
	for (int f = 0; f < n; f++)
		limits.whole[f] = !may_be_sharded(v, f, reduces), limits.exact[f] = exact;
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		for (int d = 0; d < map->rank; d++)
			for (int i = 0; i < map->dims[d].n && map->dims[d].n > 1; i++)
				limits.exact[map->dims[d].factors[i]] = true;
	}
	return limits;
}

struct sr_shardability sr_shardability_expanded(struct sr_op_view *v)
{
	struct sr_shardability limits = sr_shardability_of(v);
	const struct local_limits *l = limits_of(v->op);
	for (int f = 0; l->in_parts && f < v->rule->n_factors; f++) {
		if (!limits.whole[f] || v->rule->sizes[f] <= 1 || !fills_its_dims(v, f) || !l->in_parts(v, f))
			continue;
		limits.whole[f] = false;
		limits.reduces = limits.reduces || sr_index_list_has(v->rule->reduction, f);
	}
	return limits;
}

/* The longest prefix whose shards divide the size, the last axis perhaps in part. */
static struct sr_axes dividing_prefix(struct sr_arena *arena, struct sr_axes axes, int64_t size)
{
	struct sr_axes out = {axes.refs, 0};
	if (size == 0)
		return out;
	while (out.n < axes.n && size % axes.refs[out.n].size == 0)
		size /= axes.refs[out.n++].size;
	if (out.n == axes.n)
		return axes;
	struct sr_axis_ref part = axes.refs[out.n];
	for (int64_t whole = part.size; part.size > 1 && (whole % part.size || size % part.size);)
		part.size--;
	return part.size > 1 ? sr_axes_append(arena, out, part) : out;
}

/* A factor behind one that is not fully sharded would be a strided part of its dimension. True: something was cut. */
static bool cut_strided(const struct sr_op_view *v, struct sr_axes *axes)
{
	bool cut = false;
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		for (int d = 0; d < map->rank; d++) {
			bool full = true;
			for (int i = 0; i < map->dims[d].n; i++) {
				int f = map->dims[d].factors[i];
				if (!full && axes[f].n) {
					axes[f].n = 0;
					cut = true;
				}
				full = full && sr_axes_size(axes[f]) == v->rule->sizes[f];
			}
		}
	}
	return cut;
}

void sr_shardability_apply(const struct sr_op_view *v, const struct sr_shardability *limits, struct sr_axes *axes)
{
	for (int f = 0; f < v->rule->n_factors; f++) {
		if (limits->whole[f])
			axes[f].n = 0;
		else if (limits->exact[f])
			axes[f] = dividing_prefix(v->ctx->scratch, axes[f], v->rule->sizes[f]);
	}
	while (cut_strided(v, axes))
		;
}
