/* Check constraints of Shardy's collectives: applying the op's axes to the operand's sharding must give out_sharding. */
#include "dialect/sdy/sdy_check.h"
#include <string.h>

sr_infer_fn sr_infer_sdy_all_gather, sr_infer_sdy_all_reduce, sr_infer_sdy_all_slice, sr_infer_sdy_all_to_all,
	sr_infer_sdy_collective_permute, sr_infer_sdy_reduce_scatter, sr_infer_sdy_replicated_to_unreduced,
	sr_infer_sdy_sharded_to_unreduced;

struct sharding_change {
	struct sr_sdy_check c;
	const struct sr_mesh *mesh, *operand_mesh;
	const struct sr_sdy_sharding *operand_sharding,
	    *out_sharding; /* sharding of the operand, which is replicated if it has none, and out_sharding */
	bool has_operand_sharding;
};

/* Report an error about the mesh, with a note at the operand's definition. */
static enum sr_status report_mesh_error(const struct sr_infer *in, const struct sr_mesh *operand_mesh, const char *message)
{
	const struct sr_value *operand = sr_operand(in->op, 0);
	struct sr_buf axis_text;
	sr_buf_init(&axis_text, in->diags->arena);
	sr_print_mesh(&axis_text, operand_mesh);
	sr_infer_error(in, "%s", message);
	sr_report(in->diags, SR_NOTE, sr_loc_source(operand->def ? operand->def->loc : operand->loc), "operand mesh: #sdy.mesh%s",
		  sr_buf_string(&axis_text));
	return SR_INVALID;
}

enum { ALLOW_NO_OPERAND_SHARDING = 1, ALLOW_DIFFERENT_MESH = 2 };

static struct sr_sdy_sharding replicated_like(struct sr_context *ctx, const struct sr_sdy_sharding *out_sharding)
{
	struct sr_sdy_sharding s = {.mesh_name = out_sharding->mesh_name, .mesh = out_sharding->mesh, .rank = out_sharding->rank};
	struct sr_sdy_dim *dims = SR_NEW_ARRAY(ctx->arena, struct sr_sdy_dim, out_sharding->rank);
	for (int d = 0; d < out_sharding->rank; d++)
		dims[d].priority = -1;
	s.dims = dims;
	return s;
}

/* Check what all collectives require, and fill *k. Set *is_attached to false if the op is in no module; its meshes are then unknown
 * and nothing else can be checked. `allowed_flags`: ALLOW_ flags. */
static enum sr_status begin_check(struct sr_infer *in, int allowed_flags, struct sharding_change *k, bool *is_attached)
{
	const struct sr_op *module = sr_op_module(in->op);
	const struct sr_attr *operand_attr = sr_value_sharding(in->ctx, sr_operand(in->op, 0));
	*k = (struct sharding_change){.c = {in->ctx, in->op, in->diags, "", 0, 0},
				      .out_sharding = sr_op_attr(in->op, "out_sharding")->sharding};
	*is_attached = module != NULL;
	in->is_verifying = true;
	if (in->types[0] && in->types[0] != sr_infer_operand(in, 0))
		return sr_infer_error(in, "requires the same type for all operands and results");
	in->types[0] = sr_infer_operand(in, 0);
	if (!module)
		return SR_OK;
	if (!operand_attr && !(allowed_flags & ALLOW_NO_OPERAND_SHARDING))
		return sr_infer_error(in, "collective on operand without sharding");
	if (sr_check_sharding(&k->c, k->out_sharding, in->types[0]))
		return SR_INVALID;
	struct sr_sdy_sharding *replicated_sharding = SR_NEW(in->ctx->arena, struct sr_sdy_sharding);
	*replicated_sharding = replicated_like(in->ctx, k->out_sharding);
	k->has_operand_sharding = operand_attr != NULL;
	k->operand_sharding = operand_attr ? operand_attr->sharding : replicated_sharding;
	k->mesh = sr_sharding_mesh(module, k->out_sharding);
	k->operand_mesh = sr_sharding_mesh(module, k->operand_sharding);
	if (!(allowed_flags & ALLOW_DIFFERENT_MESH) && k->operand_mesh && !sr_mesh_equal(k->mesh, k->operand_mesh))
		return report_mesh_error(in, k->operand_mesh, "result mesh does not match operand mesh");
	if (k->out_sharding->rank != k->operand_sharding->rank)
		return sr_infer_error(in, "result sharding has rank %d but operand sharding has rank %d", k->out_sharding->rank,
				      k->operand_sharding->rank);
	if (!k->operand_mesh)
		return sr_infer_error(in, "unknown mesh: @%s", k->operand_sharding->mesh_name);
	return SR_OK;
}

/* ---------------------------------------------------------------- axes of one dimension */

static struct sr_axes resolve_axes(const struct sharding_change *k, struct sr_sdy_axes axes)
{
	return sr_axes_resolve(k->c.ctx->arena, k->mesh, axes);
}

static bool is_axis_suffix(struct sr_axis_ref a, struct sr_axis_ref b)
{
	return sr_axis_contains(b, a) && a.pre * a.size == b.pre * b.size;
}

/* Compute the axes that remain after the trailing axes `gathered_axes` are removed from a dimension. */
static enum sr_status remove_gathered_axes(const struct sharding_change *k, struct sr_sdy_axes dim_axes,
					   struct sr_sdy_axes gathered_axes, int dim, const char *verb,
					   struct sr_axes *remaining_axes)
{
	struct sr_axes dim_refs = resolve_axes(k, dim_axes), gathered_refs = resolve_axes(k, gathered_axes);
	struct sr_axis_ref *refs = sr_dup(k->c.ctx->arena, dim_refs.refs, (size_t)dim_refs.n, sizeof *refs);
	int n = dim_refs.n;
	for (int i = gathered_refs.n - 1; i >= 0; i--) {
		if (n == 0 || !is_axis_suffix(gathered_refs.refs[i], refs[n - 1]))
			return sr_check_error(&k->c, "can't apply %s axis %s to operand sharding on dimension %d", verb,
					      sr_axis_str(k->c.ctx, gathered_axes.refs[i]), dim);
		struct sr_axis_ref prefix;
		bool has_prefix = sr_axis_prefix_without_overlap(refs[n - 1], gathered_refs.refs[i], &prefix);
		n--;
		if (has_prefix)
			refs[n++] = prefix;
	}
	*remaining_axes = (struct sr_axes){refs, n};
	return SR_OK;
}

static struct sr_axes add_sliced_axes(const struct sharding_change *k, struct sr_sdy_axes dim_axes, struct sr_sdy_axes sliced_axes)
{
	struct sr_axes out = resolve_axes(k, dim_axes), sliced_refs = resolve_axes(k, sliced_axes);
	for (int i = 0; i < sliced_refs.n; i++)
		out = sr_axes_append(k->c.ctx->arena, out, sliced_refs.refs[i]);
	return out;
}

static enum sr_status check_expected(const struct sharding_change *k, struct sr_axes expected_axes, int dim)
{
	if (sr_axes_equal(expected_axes, resolve_axes(k, k->out_sharding->dims[dim].axes)))
		return SR_OK;
	return sr_check_error(&k->c, "result sharding doesn't match expected sharding %s on dimension %d",
			      sr_axes_str(k->c.ctx, sr_axes_to_sdy(k->c.ctx->arena, k->mesh, expected_axes)), dim);
}

/* Check an attribute of axis lists per dimension. `gathering_verb` is the verb of messages if axes are removed; NULL: axes are
 * added. */
static enum sr_status check_per_dim(struct sr_infer *in, const struct sharding_change *k, const char *attr,
				    const char *gathering_verb)
{
	const struct sr_attr *lists = sr_op_attr(in->op, attr);
	struct sr_seen_axes seen_axes = {.mesh = k->mesh};
	for (int d = 0; d < lists->n; d++)
		if (sr_check_axes(&k->c, &seen_axes, *lists->list[d]->axes))
			return SR_INVALID;
	if (k->out_sharding->rank != lists->n)
		return sr_infer_error(in, "result sharding has rank %d but collective axes has rank %d", k->out_sharding->rank,
				      lists->n);
	for (int d = 0; d < lists->n; d++) {
		struct sr_sdy_axes dim_axes = k->operand_sharding->dims[d].axes, axes = *lists->list[d]->axes;
		struct sr_axes expected_axes;
		if (!gathering_verb)
			expected_axes = add_sliced_axes(k, dim_axes, axes);
		else if (remove_gathered_axes(k, dim_axes, axes, d, gathering_verb, &expected_axes))
			return SR_INVALID;
		if (check_expected(k, expected_axes, d))
			return SR_INVALID;
	}
	return SR_OK;
}

enum sr_status sr_infer_sdy_all_gather(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, 0, &k, &is_attached);
	return st || !is_attached ? st : check_per_dim(in, &k, "gathering_axes", "gathering");
}

enum sr_status sr_infer_sdy_all_slice(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, ALLOW_NO_OPERAND_SHARDING, &k, &is_attached);
	return st || !is_attached ? st : check_per_dim(in, &k, "slicing_axes", NULL);
}

/* ---------------------------------------------------------------- reductions */

static int reduction_kind_of(const struct sr_op *op)
{
	return (int)sr_op_int(op, "reduction_op", SR_UNREDUCED_SUM);
}

enum sr_status sr_infer_sdy_reduce_scatter(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, ALLOW_NO_OPERAND_SHARDING, &k, &is_attached);
	if (st || !is_attached)
		return st;
	if (sr_check_unreduced(&k.c, k.operand_sharding, k.out_sharding, -1, reduction_kind_of(in->op)))
		return SR_INVALID;
	return check_per_dim(in, &k, "reduce_scatter_axes", NULL);
}

static bool overlaps_dims(const struct sharding_change *k, struct sr_axis_ref ref)
{
	struct sr_axes one = {&ref, 1};
	for (int d = 0; d < k->operand_sharding->rank; d++)
		if (sr_axes_overlap(resolve_axes(k, k->operand_sharding->dims[d].axes), one))
			return true;
	return false;
}

static bool has_same_dim_axes(const struct sharding_change *k, bool compares_openness)
{
	for (int d = 0; d < k->out_sharding->rank; d++) {
		const struct sr_sdy_dim *a = &k->operand_sharding->dims[d], *b = &k->out_sharding->dims[d];
		if (!sr_axes_equal(resolve_axes(k, a->axes), resolve_axes(k, b->axes)))
			return false;
		if (compares_openness && (a->closed != b->closed || a->priority != b->priority))
			return false;
	}
	return true;
}

enum sr_status sr_infer_sdy_all_reduce(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, ALLOW_NO_OPERAND_SHARDING, &k, &is_attached);
	struct sr_sdy_axes axes = *sr_op_attr(in->op, "reduction_axes")->axes;
	if (st || !is_attached)
		return st;
	struct sr_seen_axes seen_axes = {.mesh = k.mesh};
	if (!has_same_dim_axes(&k, false))
		return sr_infer_error(in, "operand and result shardings are not equivalent");
	if (sr_check_sorted_axes(&k.c, &seen_axes, axes, "reduction"))
		return SR_INVALID;
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = sr_axis_resolve(k.mesh, axes.refs[i]);
		struct sr_axes one = {&ref, 1};
		const char *axis_text = sr_axis_str(in->ctx, axes.refs[i]);
		if (overlaps_dims(&k, ref) || sr_axes_overlap(resolve_axes(&k, k.operand_sharding->replicated), one))
			return sr_infer_error(in, "reduction axis %s overlaps with operand dimension sharding or replicated axes",
					      axis_text);
		if (sr_axes_overlap(resolve_axes(&k, k.out_sharding->unreduced), one))
			return sr_infer_error(in, "reduction axis %s overlaps with result unreduced axes", axis_text);
	}
	return sr_check_unreduced(&k.c, k.operand_sharding, k.out_sharding, -1, reduction_kind_of(in->op));
}

/* Check that out_sharding is unreduced along the operand's unreduced axes and the op's axes. */
static enum sr_status check_unreduced_sum(struct sr_infer *in, const struct sharding_change *k, struct sr_axes added_axes,
					  const char *added_name)
{
	struct sr_arena *arena = in->ctx->arena;
	struct sr_axes expected_axes = resolve_axes(k, k->operand_sharding->unreduced),
		       actual_axes = resolve_axes(k, k->out_sharding->unreduced);
	for (int i = 0; i < added_axes.n; i++)
		expected_axes = sr_axes_append(arena, expected_axes, added_axes.refs[i]);
	if (sr_axes_equal(sr_axes_sort_and_merge(arena, k->mesh, expected_axes), actual_axes))
		return SR_OK;
	return sr_infer_error(in, "out_unreduced_axes should be in_unreduced_axes + %s", added_name);
}

enum sr_status sr_infer_sdy_sharded_to_unreduced(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, 0, &k, &is_attached);
	const struct sr_attr *lists = sr_op_attr(in->op, "axes");
	if (st || !is_attached)
		return st;
	if (k.out_sharding->unreduced_kind != SR_UNREDUCED_SUM)
		return sr_infer_error(in, "out_sharding reduction_op must be SUM");
	if (check_per_dim(in, &k, "axes", "shard-to-unreduce"))
		return SR_INVALID;
	struct sr_axes all = {0};
	for (int d = 0; d < lists->n; d++)
		for (int i = 0; i < lists->list[d]->axes->n; i++)
			all = sr_axes_append(in->ctx->arena, all, sr_axis_resolve(k.mesh, lists->list[d]->axes->refs[i]));
	return check_unreduced_sum(in, &k, all, "sharded_to_unreduced_axes");
}

enum sr_status sr_infer_sdy_replicated_to_unreduced(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, 0, &k, &is_attached);
	struct sr_sdy_axes axes = *sr_op_attr(in->op, "axes")->axes;
	if (st || !is_attached)
		return st;
	struct sr_seen_axes seen_axes = {.mesh = k.mesh};
	if (k.out_sharding->unreduced_kind != SR_UNREDUCED_SUM)
		return sr_infer_error(in, "out_sharding reduction_op must be SUM");
	if (!has_same_dim_axes(&k, true))
		return sr_infer_error(in, "input and output must share the same dimension shardings");
	if (axes.n == 0)
		return sr_infer_error(in, "r2u axes must not be empty");
	if (sr_check_sorted_axes(&k.c, &seen_axes, axes, "r2u"))
		return SR_INVALID;
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = sr_axis_resolve(k.mesh, axes.refs[i]);
		const char *axis_text = sr_axis_str(in->ctx, axes.refs[i]);
		if (overlaps_dims(&k, ref))
			return sr_infer_error(in, "r2u axis %s overlaps with operand dimension sharding", axis_text);
		if (sr_axes_overlap(resolve_axes(&k, k.operand_sharding->unreduced), (struct sr_axes){&ref, 1}))
			return sr_infer_error(in, "r2u axis %s overlaps with operand unreduced axes", axis_text);
	}
	return check_unreduced_sum(in, &k, resolve_axes(&k, axes), "r2u_axes");
}

/* ---------------------------------------------------------------- all_to_all, collective_permute */

struct all_to_all_param {
	struct sr_sdy_axes axes;
	int64_t source_dim, target_dim;
};

static struct all_to_all_param read_param(const struct sr_attr *a)
{
	return (struct all_to_all_param){*sr_attr_field(a, "axes")->axes, sr_attr_field(a, "src_dim")->i, sr_attr_field(a, "tgt_dim")->i};
}

static enum sr_status check_dim(struct sr_infer *in, int64_t dim, int rank, const char *dim_role)
{
	if (dim >= 0 && dim < rank)
		return SR_OK;
	return sr_infer_error(in, "%s dimension %lld is out of range [0, %d)", dim_role, (long long)dim, rank);
}

static enum sr_status check_params(struct sr_infer *in, const struct sharding_change *k, const struct sr_attr *params,
				   bool *is_changed)
{
	struct sr_seen_axes seen_axes = {.mesh = k->mesh};
	int64_t last_source = -1;
	for (int i = 0; i < params->n; i++) {
		struct all_to_all_param p = read_param(params->list[i]);
		if (sr_check_axes(&k->c, &seen_axes, p.axes) || check_dim(in, p.source_dim, k->out_sharding->rank, "source") ||
		    check_dim(in, p.target_dim, k->out_sharding->rank, "target"))
			return SR_INVALID;
		int64_t dims[] = {p.source_dim, p.target_dim};
		for (int e = 0; e < 2; e++) {
			if (is_changed[dims[e]])
				return sr_infer_error(in, "overlapping source/target dimensions in all-to-all params: %lld",
						      (long long)dims[e]);
			is_changed[dims[e]] = true;
		}
		if (last_source >= p.source_dim)
			return sr_infer_error(in, "source dimensions are not sorted in ascending order: %lld appears after %lld",
					      (long long)p.source_dim, (long long)last_source);
		last_source = p.source_dim;
	}
	return SR_OK;
}

enum sr_status sr_infer_sdy_all_to_all(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, 0, &k, &is_attached);
	const struct sr_attr *params = sr_op_attr(in->op, "params");
	if (st || !is_attached)
		return st;
	if (params->n == 0)
		return sr_infer_error(in, "parameter list is empty");
	bool *is_changed = SR_NEW_ARRAY(in->ctx->arena, bool, k.out_sharding->rank);
	if (check_params(in, &k, params, is_changed))
		return SR_INVALID;
	for (int i = 0; i < params->n; i++) {
		struct all_to_all_param p = read_param(params->list[i]);
		struct sr_axes remaining_axes;
		if (remove_gathered_axes(&k, k.operand_sharding->dims[p.source_dim].axes, p.axes, (int)p.source_dim, "all-to-all",
					 &remaining_axes) ||
		    check_expected(&k, remaining_axes, (int)p.source_dim) ||
		    check_expected(&k, add_sliced_axes(&k, k.operand_sharding->dims[p.target_dim].axes, p.axes), (int)p.target_dim))
			return SR_INVALID;
	}
	for (int d = 0; d < k.out_sharding->rank; d++)
		if (!is_changed[d] && check_expected(&k, resolve_axes(&k, k.operand_sharding->dims[d].axes), d))
			return SR_INVALID;
	return SR_OK;
}

static bool has_same_mesh_name(const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b)
{
	return a->mesh_name == b->mesh_name && (a->mesh == b->mesh || (a->mesh && b->mesh && sr_mesh_equal(a->mesh, b->mesh)));
}

enum sr_status sr_infer_sdy_collective_permute(struct sr_infer *in)
{
	struct sharding_change k;
	bool is_attached;
	enum sr_status st = begin_check(in, ALLOW_DIFFERENT_MESH, &k, &is_attached);
	if (st || !is_attached)
		return st;
	if (!sr_mesh_same_axes(k.mesh, k.operand_mesh))
		return report_mesh_error(in, k.operand_mesh, "result mesh has different axes than operand mesh");
	if (!has_same_mesh_name(k.operand_sharding, k.out_sharding) && sr_mesh_equal(k.mesh, k.operand_mesh))
		return report_mesh_error(in, k.operand_mesh, "result mesh name is different but same device ids as operand");
	for (int d = 0; d < k.out_sharding->rank; d++) {
		int64_t operand_size = sr_axes_size(resolve_axes(&k, k.operand_sharding->dims[d].axes)),
			result_size = sr_axes_size(resolve_axes(&k, k.out_sharding->dims[d].axes));
		if (operand_size != result_size)
			return sr_infer_error(in, "sharded size of result doesn't match operand on dimension %d: %lld != %lld", d,
					      (long long)result_size, (long long)operand_size);
	}
	return SR_OK;
}
