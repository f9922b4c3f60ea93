/* The aggressive strategy: every tensor takes as many axes of each factor as it can. If two factors compete for an axis, a fixed
 * order decides, which is the same for all tensors. Upstream: aggressive_factor_propagation.
 *
 * The order: the factor whose axes come from the larger tensor; for an elementwise op, the factor with more shards; the first
 * tensor; the first factor. */
#include "propagate/factors.h"

struct rank {
	int64_t size;   /* number of elements of the largest tensor that has all axes of the factor; -1: no tensor has them */
	int64_t shards; /* number of shards along the factor; 0 if the op is not elementwise */
	int tensor, factor;
};

static bool has_higher_rank(const struct rank *a, const struct rank *b)
{
	if (a->size != b->size)
		return a->size > b->size;
	if (a->shards != b->shards)
		return a->shards > b->shards;
	if (a->tensor != b->tensor)
		return a->tensor < b->tensor;
	return a->factor < b->factor;
}

static int64_t tensor_size(const struct sr_projection *p, int tensor)
{
	uint64_t size = 1; /* the product may overflow, but only for tensors that no machine can hold */
	for (int f = 0; f < p->rule->n_factors; f++)
		if (p->tensors[tensor].factors[f].is_present)
			size *= (uint64_t)p->rule->sizes[f];
	return (int64_t)size;
}

static void find_sources(const struct sr_projection *p, const struct sr_axes *axes, struct rank *ranks)
{
	for (int t = 0; t < p->n_tensors; t++) {
		int64_t size = tensor_size(p, t);
		for (int f = 0; f < p->rule->n_factors; f++) {
			const struct sr_factor_sharding *sharding = &p->tensors[t].factors[f];
			if (sharding->is_present && axes[f].n > 0 && size > ranks[f].size &&
			    sr_axes_is_prefix(axes[f], sharding->axes)) {
				ranks[f].size = size;
				ranks[f].tensor = t;
			}
		}
	}
}

static struct rank *order_factors(const struct sr_factor_propagation *a, const struct sr_axes *axes)
{
	int n = a->projection->rule->n_factors;
	struct rank *ranks = SR_NEW_ARRAY(a->arena, struct rank, n);
	for (int f = 0; f < n; f++)
		ranks[f] = (struct rank){-1, a->is_elementwise ? sr_axes_size(axes[f]) : 0, -1, f};
	find_sources(a->projection, axes, ranks);
	for (int i = 1; i < n; i++) {
		struct rank r = ranks[i];
		int k = i;
		for (; k > 0 && has_higher_rank(&r, &ranks[k - 1]); k--)
			ranks[k] = ranks[k - 1];
		ranks[k] = r;
	}
	return ranks;
}

struct prefix_query {
	const struct sr_factor_propagation *a;
	const struct sr_tensor_factors *tensor;
	int factor;
};

static bool shorten_within(void *data, struct sr_axis_ref ref, int64_t shards_before, struct sr_axis_ref *out)
{
	const struct prefix_query *one = data;
	return sr_prefix_within_factor(one->a, one->tensor, one->factor, ref, shards_before, out);
}

static bool shorten_across(void *data, struct sr_axis_ref ref, int64_t shards_before, struct sr_axis_ref *out)
{
	const struct prefix_query *one = data;
	return sr_prefix_across_factors(one->a, one->tensor, one->factor, ref, out);
}

/* Return the axes of a factor that a tensor can take in its present state; an empty list if it cannot take more than it has. */
static struct sr_axes axes_to_take(const struct sr_factor_propagation *a, const struct sr_tensor_factors *tensor, int factor,
				   struct sr_axes axes)
{
	struct prefix_query one = {a, tensor, factor};
	if (!tensor->factors[factor].is_present)
		return (struct sr_axes){0};
	axes = sr_truncate_axes(a, axes, shorten_within, &one);
	if (!sr_axes_is_strict_prefix(tensor->factors[factor].axes, axes))
		return (struct sr_axes){0};
	return sr_truncate_axes(a, axes, shorten_across, &one);
}

/* Limit an operand of an elementwise op to the axes that the results have taken, since more axes on the operand save nothing. */
static struct sr_axes limit_to_results(const struct sr_projection *p, int factor, struct sr_axes axes)
{
	for (int t = p->n_operands; t < p->n_tensors; t++) {
		const struct sr_factor_sharding *result = &p->tensors[t].factors[factor];
		if (result->is_present && sr_axes_is_strict_prefix(result->axes, axes))
			axes = result->axes;
	}
	return axes;
}

static void expand_tensor(struct sr_factor_propagation *a, int t, const struct sr_axes *axes, const struct rank *order)
{
	struct sr_projection *p = a->projection;
	for (int i = 0; i < p->rule->n_factors; i++) {
		int factor = order[i].factor;
		struct sr_axes taken_axes = axes_to_take(a, &p->tensors[t], factor, axes[factor]);
		if (taken_axes.n == 0)
			continue;
		if (a->is_elementwise && t < p->n_operands)
			taken_axes = limit_to_results(p, factor, taken_axes);
		if (sr_factor_expand(&p->tensors[t], factor, taken_axes))
			a->is_updated[t] = true;
	}
}

void sr_propagate_factors_aggressive(struct sr_factor_propagation *a)
{
	struct sr_projection *p = a->projection;
	struct sr_axes *axes = SR_NEW_ARRAY(a->arena, struct sr_axes, p->rule->n_factors);
	bool has_changed = false;
	for (int f = 0; f < p->rule->n_factors; f++) {
		axes[f] = sr_compatible_major_axes(a, f);
		has_changed = has_changed || axes[f].n > 0;
	}
	if (!has_changed)
		return;
	const struct rank *order = order_factors(a, axes);
	for (int t = p->n_operands; t < p->n_tensors; t++)
		expand_tensor(a, t, axes, order);
	for (int t = 0; t < p->n_operands; t++)
		expand_tensor(a, t, axes, order);
}
