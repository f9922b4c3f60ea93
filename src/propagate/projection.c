/* Conversion between shardings by dimension and by factor. */
#include "propagate/projection.h"
#include "support/vec.h"

/* The axes of a dimension while they are distributed to factors. */
struct distribution {
	struct sr_arena *arena;
	struct sr_axes axes;
	int next; /* index in the dimension's axes of the axis after the current one */
	bool has_axis; /* true if `remaining` is valid */
	struct sr_axis_ref remaining; /* the part of the current axis that is still to be distributed */
};

static void next_axis(struct distribution *d)
{
	d->has_axis = d->next < d->axes.n;
	if (d->has_axis)
		d->remaining = d->axes.refs[d->next++];
}

static struct sr_axes take_remaining(struct distribution *d)
{
	struct sr_axes out = {0};
	for (; d->has_axis; next_axis(d))
		out = sr_axes_append(d->arena, out, d->remaining);
	return out;
}

typedef SR_VEC(struct sr_axis_ref) ref_vec;

/* Give a factor that is not the last of its dimension as many axes as divide it. */
static void distribute_to(struct distribution *d, struct sr_factor_sharding *f, int64_t size)
{
	ref_vec common_axes = {0};
	while (d->has_axis) {
		int64_t common_divisor = d->remaining.size == 1 ? 1 : sr_gcd(size, d->remaining.size);
		if (d->remaining.size != 1 && common_divisor <= 1)
			break;
		sr_push(d->arena, &common_axes, (struct sr_axis_ref){d->remaining.axis, d->remaining.pre, common_divisor});
		size /= common_divisor;
		if (common_divisor == d->remaining.size) {
			next_axis(d);
		} else {
			d->remaining.pre *= common_divisor;
			d->remaining.size /= common_divisor;
		}
	}
	f->axes = (struct sr_axes){common_axes.data, (int)common_axes.n};
	if (size > 1 && d->has_axis)
		f->overflow_axes = take_remaining(d);
}

static void project_dim(struct sr_arena *arena, const struct sr_sharding_rule *rule, const struct sr_dim_mapping *map,
			struct sr_axes axes, bool is_closed, struct sr_factor_sharding *factors)
{
	struct distribution d = {.arena = arena, .axes = axes};
	next_axis(&d);
	bool is_overflow = false;
	for (int i = 0; i < map->n; i++) {
		struct sr_factor_sharding *f = &factors[map->factors[i]];
		f->is_present = true;
		f->is_minor_most = i == map->n - 1;
		f->is_closed = is_closed || is_overflow;
		if (is_overflow)
			return;
		if (f->is_minor_most)
			f->axes = take_remaining(&d);
		else
			distribute_to(&d, f, rule->sizes[map->factors[i]]);
		is_overflow = f->overflow_axes.n > 0;
	}
}

const struct sr_tensor_mapping *sr_projection_mapping(const struct sr_projection *p, int tensor)
{
	return tensor < p->n_operands ? &p->rule->operands[tensor] : &p->rule->results[tensor - p->n_operands];
}

struct sr_projection sr_projection_build(struct sr_arena *arena, const struct sr_sharding_rule *rule, const struct sr_mesh *mesh,
					 const struct sr_sharding *const *shardings, bool closed_if_missing)
{
	struct sr_projection p = {rule, mesh, NULL, rule->n_operands, rule->n_operands + rule->n_results};
	p.tensors = SR_NEW_ARRAY(arena, struct sr_tensor_factors, p.n_tensors);
	for (int t = 0; t < p.n_tensors; t++) {
		const struct sr_sharding *s = shardings[t];
		const struct sr_tensor_mapping *map = sr_projection_mapping(&p, t);
		p.tensors[t].factors = SR_NEW_ARRAY(arena, struct sr_factor_sharding, rule->n_factors);
		for (int d = 0; d < map->rank; d++) {
			bool has_dim = s && d < s->rank;
			project_dim(arena, rule, &map->dims[d], has_dim ? s->dims[d].axes : (struct sr_axes){0},
				    has_dim ? s->dims[d].closed : closed_if_missing, p.tensors[t].factors);
		}
		if (s) {
			p.tensors[t].replicated_axes = s->replicated;
			p.tensors[t].unreduced_axes = s->unreduced;
			p.tensors[t].unreduced_kind = s->unreduced_kind;
		}
	}
	return p;
}

bool sr_factor_expand(struct sr_tensor_factors *tensor, int factor, struct sr_axes axes)
{
	struct sr_factor_sharding *f = &tensor->factors[factor];
	if (!f->is_present || !sr_axes_is_strict_prefix(f->axes, axes))
		return false;
	f->axes = axes;
	return true;
}

/* Append axes to a dimension's list, merging the first of them with the last axis of the list if possible. Return the product
 * of the appended sizes. */
static int64_t append_axes(struct sr_arena *arena, ref_vec *out, struct sr_axes axes)
{
	for (int i = 0; i < axes.n; i++) {
		if (i == 0 && out->n > 0 && sr_axis_can_merge(out->data[out->n - 1], axes.refs[0]))
			out->data[out->n - 1] = sr_axis_merge(out->data[out->n - 1], axes.refs[0]);
		else
			sr_push(arena, out, axes.refs[i]);
	}
	return sr_axes_size(axes);
}

struct sr_sharding sr_projection_sharding(struct sr_arena *arena, const struct sr_projection *p, int tensor, const char *mesh_name)
{
	const struct sr_tensor_mapping *map = sr_projection_mapping(p, tensor);
	const struct sr_tensor_factors *t = &p->tensors[tensor];
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(arena, struct sr_dim_sharding, map->rank);
	for (int d = 0; d < map->rank; d++) {
		ref_vec axes = {0};
		bool is_closed = false;
		for (int i = 0; i < map->dims[d].n; i++) {
			int factor = map->dims[d].factors[i];
			const struct sr_factor_sharding *f = &t->factors[factor];
			is_closed = is_closed || f->is_closed;
			int64_t n_shards = append_axes(arena, &axes, f->axes);
			append_axes(arena, &axes, f->overflow_axes);
			if (f->overflow_axes.n > 0 || n_shards < p->rule->sizes[factor])
				break;
		}
		dims[d] = (struct sr_dim_sharding){{axes.data, (int)axes.n}, is_closed, -1};
	}
	return (struct sr_sharding){.mesh_name = mesh_name, .dims = dims, .rank = map->rank, .replicated = t->replicated_axes,
				    .unreduced = t->unreduced_axes, .unreduced_kind = t->unreduced_kind};
}
