/* The basic strategy: each factor takes the axes that every tensor has or can take. This never conflicts, so the order of factors
 * does not matter. Upstream: basic_factor_propagation. */
#include "propagate/factors.h"
#include "support/vec.h"

typedef SR_VEC(struct sr_axis_ref) ref_vec;

static struct sr_axes list_of(const ref_vec *v)
{
	return (struct sr_axes){v->data, (int)v->n};
}

/* Return the longest list that is compatible with `old` and `new`: their common prefix, then the rest of the longer one. `new` may
 * extend the prefix only if *can_grow is set; a conflict clears *can_grow. */
static struct sr_axes common_prefix(struct sr_arena *arena, struct sr_axes old, struct sr_axes new, bool *can_grow)
{
	ref_vec out = {0};
	int i = 0;
	for (; i < old.n && i < new.n; i++) {
		struct sr_axis_ref a = old.refs[i], b = new.refs[i];
		bool last_old = i == old.n - 1, last_new = i == new.n - 1, is_equal = sr_axis_ref_equal(a, b);
		bool new_shorter = !is_equal && sr_axis_is_prefix(b, a), old_shorter = !is_equal && sr_axis_is_prefix(a, b);
		if (!is_equal && !new_shorter && !old_shorter)
			goto conflict;
		if ((new_shorter && !last_new) || (old_shorter && (!*can_grow || !last_old))) {
			/* the shorter sub-axis is not followed by its own continuation, so the lists conflict */
			sr_push(arena, &out, new_shorter ? b : a);
			goto conflict;
		}
		sr_push(arena, &out, new_shorter ? a : b);
	}
	for (int k = i; k < old.n; k++)
		sr_push(arena, &out, old.refs[k]);
	for (int k = i; k < new.n && *can_grow; k++)
		sr_push(arena, &out, new.refs[k]);
	return list_of(&out);
conflict:
	*can_grow = false;
	return list_of(&out);
}

struct sr_axes sr_compatible_major_axes(const struct sr_factor_propagation *a, int factor)
{
	const struct sr_projection *p = a->projection;
	enum sr_direction direction = a->directions[factor];
	struct sr_axes axes = {0};
	if (direction == SR_DIRECTION_NONE)
		return axes;
	/* Begin with the tensors that shardings come from. If propagation has one direction, the tensors on the other side
	 * cannot add axes, but they can conflict. */
	bool can_grow = true, is_backward = direction == SR_DIRECTION_BACKWARD;
	int n_results = p->n_tensors - p->n_operands, n_first = is_backward ? n_results : p->n_operands;
	for (int k = 0; k < p->n_tensors; k++) {
		int t = !is_backward ? k : k < n_results ? p->n_operands + k : k - n_results;
		if (k == n_first && direction != SR_DIRECTION_BOTH)
			can_grow = false;
		if (p->tensors[t].factors[factor].is_present)
			axes = common_prefix(a->arena, axes, p->tensors[t].factors[factor].axes, &can_grow);
	}
	return axes;
}

bool sr_prefix_across_factors(const struct sr_factor_propagation *a, const struct sr_tensor_factors *tensor, int factor,
			      struct sr_axis_ref ref,
			      struct sr_axis_ref *out)
{
	*out = ref;
	for (int f = 0; f < a->projection->rule->n_factors; f++) {
		const struct sr_factor_sharding *other_factor = &tensor->factors[f];
		if (f == factor || !other_factor->is_present)
			continue;
		if (!sr_axis_prefix_without_overlaps(*out, other_factor->overflow_axes, out) ||
		    !sr_axis_prefix_without_overlaps(*out, other_factor->axes, out))
			return false;
	}
	return true;
}

bool sr_prefix_within_factor(const struct sr_factor_propagation *a, const struct sr_tensor_factors *tensor, int factor,
			     struct sr_axis_ref ref,
			     int64_t shards_before, struct sr_axis_ref *out)
{
	const struct sr_factor_sharding *f = &tensor->factors[factor];
	if (!sr_axis_prefix_without_overlaps(ref, tensor->replicated_axes, &ref) ||
	    !sr_axis_prefix_without_overlaps(ref, tensor->unreduced_axes, &ref))
		return false;
	*out = ref;
	if (sr_axes_has(f->axes, ref))
		return true;
	/* The tensor's factor does not have the axis yet, so the factor's axes would have to be extended. */
	if (!f->is_closed && f->overflow_axes.n == 0) {
		int64_t size = a->projection->rule->sizes[factor];
		if (f->is_minor_most)
			return true;
		int64_t common = size % shards_before == 0 ? sr_gcd(size / shards_before, ref.size) : 1;
		if (size % shards_before == 0 && (common == ref.size || common != 1)) {
			out->size = common;
			return true;
		}
	}
	/* The factor's axes cannot be extended; if they end with a prefix of the axis, the prefix is kept. */
	if (f->axes.n > 0 && sr_axis_is_prefix(f->axes.refs[f->axes.n - 1], ref)) {
		*out = f->axes.refs[f->axes.n - 1];
		return true;
	}
	return false;
}

static bool is_sub_axis(const struct sr_mesh *mesh, struct sr_axis_ref ref)
{
	return ref.pre != 1 || ref.size != sr_mesh_axis_size(mesh, ref.axis);
}

struct sr_axes sr_truncate_axes(const struct sr_factor_propagation *a, struct sr_axes axes,
				bool (*shorten)(void *data, struct sr_axis_ref ref, int64_t shards_before, struct sr_axis_ref *out),
				void *data)
{
	int64_t shards_before = 1;
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref truncated_ref;
		if (!shorten(data, axes.refs[i], shards_before, &truncated_ref) ||
		    (a->is_conservative && is_sub_axis(a->projection->mesh, truncated_ref)))
			return (struct sr_axes){axes.refs, i};
		if (!sr_axis_ref_equal(truncated_ref, axes.refs[i])) {
			struct sr_axis_ref *refs = sr_dup(a->arena, axes.refs, (size_t)i + 1, sizeof *refs);
			refs[i] = truncated_ref;
			return (struct sr_axes){refs, i + 1};
		}
		shards_before *= truncated_ref.size;
	}
	return axes;
}

struct all_tensors {
	const struct sr_factor_propagation *a;
	int factor;
};

/* Shorten ref to the prefix that is compatible with all tensors. */
static bool shorten_for_all(void *data, struct sr_axis_ref ref, int64_t shards_before, struct sr_axis_ref *out)
{
	const struct all_tensors *query = data;
	const struct sr_projection *p = query->a->projection;
	for (int t = 0; t < p->n_tensors; t++) {
		const struct sr_tensor_factors *tensor = &p->tensors[t];
		if (!sr_prefix_across_factors(query->a, tensor, query->factor, ref, &ref))
			return false;
		if (tensor->factors[query->factor].is_present &&
		    !sr_prefix_within_factor(query->a, tensor, query->factor, ref, shards_before, &ref))
			return false;
	}
	*out = ref;
	return true;
}

void sr_propagate_factors_basic(struct sr_factor_propagation *a)
{
	struct sr_projection *p = a->projection;
	for (int f = 0; f < p->rule->n_factors; f++) {
		struct all_tensors query = {a, f};
		struct sr_axes axes = sr_truncate_axes(a, sr_compatible_major_axes(a, f), shorten_for_all, &query);
		for (int t = 0; t < p->n_tensors; t++)
			if (sr_factor_expand(&p->tensors[t], f, axes))
				a->is_updated[t] = true;
	}
}
