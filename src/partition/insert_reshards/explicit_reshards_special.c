/* Two kinds of ops for which upstream makes a better choice than common axes: reshapes with overflow axes (axes that do not fit the
 * first factors of a dimension), and matrix products whose result is cheaper to reshard than an operand. */
#include "partition/insert_reshards/explicit_reshards.h"
#include "partition/partition.h"

/* ---------------------------------------------------------------- reshapes with overflow axes */

static bool overflows(const struct sr_op_view *v, int tensor)
{
	for (int f = 0; f < v->rule->n_factors; f++)
		if (v->p.tensors[tensor].factors[f].overflow_axes.n)
			return true;
	return false;
}

static struct sr_axes axes_of_tensor(const struct sr_op_view *v, int tensor, int64_t *size)
{
	struct sr_axes out = {0};
	for (int f = 0; f < v->rule->n_factors; f++) {
		const struct sr_factor_sharding *s = &v->p.tensors[tensor].factors[f];
		out = sr_axes_concat(v->ctx->scratch, out, s->axes);
		out = sr_axes_concat(v->ctx->scratch, out, s->overflow_axes);
	}
	*size = sr_axes_size(out);
	return out;
}

/* Iterator over axes that are assigned to factors in parts: the rest of the current axis, then the following axes. */
struct axis_iterator {
	struct sr_axes axes;
	int next;
	struct sr_axis_ref remaining;
	bool has_any;
};

static void advance(struct axis_iterator *o)
{
	o->has_any = o->next < o->axes.n;
	if (o->has_any)
		o->remaining = o->axes.refs[o->next++];
}

/* Assign parts of the current axis to the factors in turn, as far as sizes divide. Returns false if no factor takes any part. */
static bool assign_current(struct sr_arena *arena, struct axis_iterator *o, struct sr_factor_sharding **factors, int64_t *capacity,
			   int n)
{
	bool is_assigned = false;
	for (int i = 0; i < n; i++) {
		if (capacity[i] <= 1)
			continue;
		int64_t sub_axis_size = sr_gcd(capacity[i], o->remaining.size);
		if (sub_axis_size == 1 && o->remaining.size != 1)
			continue;
		is_assigned = true;
		factors[i]->axes = sr_axes_append(arena, factors[i]->axes,
						  (struct sr_axis_ref){o->remaining.axis, o->remaining.pre, sub_axis_size});
		capacity[i] /= sub_axis_size;
		if (sub_axis_size == o->remaining.size) {
			advance(o);
			break;
		}
		o->remaining.pre *= sub_axis_size;
		o->remaining.size /= sub_axis_size;
	}
	return is_assigned;
}

/* Assign the axes to the factors of a tensor in the order of its dimensions. Axes that no factor takes become overflow axes of the
 * last factor. */
static void redistribute(struct sr_op_view *v, int tensor, struct sr_axes axes)
{
	struct sr_arena *arena = v->ctx->scratch;
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, tensor);
	struct sr_factor_sharding **factors = SR_NEW_ARRAY(arena, struct sr_factor_sharding *, v->rule->n_factors);
	int64_t *capacity = SR_NEW_ARRAY(arena, int64_t, v->rule->n_factors);
	int n = 0;
	for (int d = 0; d < map->rank; d++)
		for (int i = 0; i < map->dims[d].n; i++) {
			int f = map->dims[d].factors[i];
			struct sr_factor_sharding *s = &v->p.tensors[tensor].factors[f];
			if (!s->is_present || n == v->rule->n_factors)
				continue;
			s->axes = s->overflow_axes = (struct sr_axes){0};
			factors[n] = s;
			capacity[n++] = v->rule->sizes[f];
		}
	struct axis_iterator o = {.axes = axes};
	advance(&o);
	while (n && o.has_any && assign_current(arena, &o, factors, capacity, n))
		;
	for (; n && o.has_any; advance(&o))
		factors[n - 1]->overflow_axes = sr_axes_append(arena, factors[n - 1]->overflow_axes, o.remaining);
}

/* Return the axes by factor on which operand and result agree, after converting both projections to shardings and back. */
static struct sr_axes *agreed_axes(struct sr_op_view *v)
{
	struct sr_arena *arena = v->ctx->scratch;
	struct sr_axes *out = SR_NEW_ARRAY(arena, struct sr_axes, v->rule->n_factors);
	struct sr_sharding projected_shardings[2] = {sr_projection_sharding(arena, &v->p, 0, v->mesh.name),
						     sr_projection_sharding(arena, &v->p, 1, v->mesh.name)};
	const struct sr_sharding *shardings[2] = {&projected_shardings[0], &projected_shardings[1]};
	struct sr_projection p = sr_projection_build(arena, v->rule, v->mesh.mesh, shardings, false);
	for (int f = 0; f < v->rule->n_factors; f++) {
		const struct sr_factor_sharding *in = &p.tensors[0].factors[f], *result = &p.tensors[1].factors[f];
		if (in->is_present && result->is_present)
			out[f] = sr_axes_common_prefix(arena, in->axes, result->axes);
		else
			out[f] = in->is_present ? in->axes : result->axes;
	}
	return out;
}

sr_axes_per_factor sr_reshape_with_overflow(struct sr_op_view *v)
{
	int64_t sizes[2];
	bool is_changed[2] = {false, false};
	if (!sr_op_is(v->op, SR_OP_stablehlo_reshape) || v->n_tensors != 2 || !(overflows(v, 0) || overflows(v, 1)))
		return NULL;
	struct sr_axes in = axes_of_tensor(v, 0, &sizes[0]), out = axes_of_tensor(v, 1, &sizes[1]);
	for (int t = 0; t < 2; t++)
		redistribute(v, t, sizes[0] >= sizes[1] ? in : out);
	struct sr_axes *common = agreed_axes(v);
	for (int f = 0; f < v->rule->n_factors; f++)
		sr_op_view_set_factor(v, f, common[f], is_changed);
	for (int t = 0; t < 2; t++) {
		const struct sr_attr *sharding = t ? v->shardings[1] : sr_value_sharding(v->ctx, sr_operand(v->op, 0));
		is_changed[t] = !sr_sdy_sharding_is_equivalent(sharding ? sharding->sharding : NULL,
							       sr_op_view_sharding(v, t)->sharding);
	}
	sr_op_view_insert_reshards(v, is_changed);
	return common;
}

/* ---------------------------------------------------------------- matrix products */

struct product {
	int conflict; /* factor along which the result's sharding differs from an operand's; -1: none */
	struct sr_axes conflicting_axes, reduction, noncontracting_axes;
};

static bool overlaps_noncontracting(const struct product *p, struct sr_axes axes)
{
	return sr_axes_overlap(axes, p->noncontracting_axes);
}

/* Record one factor of a product in *p. Returns false if the factor rules out the rewrite of sr_product_reshard_result. */
static bool add_factor(const struct sr_op_view *v, int f, struct product *p)
{
	const struct sr_factor_sharding *a = &v->p.tensors[0].factors[f], *b = &v->p.tensors[1].factors[f],
					*out = &v->p.tensors[2].factors[f];
	struct sr_axes axes = a->is_present ? a->axes : b->axes;
	int64_t size = v->sizes[a->is_present ? 0 : 1];
	if (a->is_present && b->is_present) {
		size = v->sizes[0] > v->sizes[1] ? v->sizes[0] : v->sizes[1];
		if (!sr_axes_equal(a->axes, b->axes))
			return false;
		if (sr_index_list_has(v->rule->reduction, f)) {
			p->reduction = sr_axes_concat(v->ctx->scratch, p->reduction, axes);
			return true;
		}
	} else {
		if (overlaps_noncontracting(p, axes))
			return false;
		p->noncontracting_axes = sr_axes_concat(v->ctx->scratch, p->noncontracting_axes, axes);
	}
	if (sr_axes_equal(out->axes, axes))
		return true;
	if (axes.n == 0 || p->conflict >= 0 || v->sizes[2] > size)
		return false;
	p->conflict = f;
	p->conflicting_axes = axes;
	return true;
}

/* Reshard the result of a product instead of gathering an operand, if the result is smaller. Requires that the operands agree on
 * the axes of common factors, and that the result differs from the operands in the axes of a single factor, which the result shards
 * along the axes of the contracting factors. */
void sr_product_reshard_result(struct sr_op_view *v)
{
	struct product p = {.conflict = -1};
	if (sr_local_kind_of(v->op) != SR_LOCAL_product || !v->shardings[2])
		return;
	for (int f = 0; f < v->rule->n_factors; f++)
		if (!add_factor(v, f, &p))
			return;
	if (p.conflict < 0)
		return;
	struct sr_factor_sharding *out = &v->p.tensors[2].factors[p.conflict];
	if (out->axes.n == 0 || !sr_axes_equal(out->axes, p.reduction))
		return;
	out->axes = p.conflicting_axes;
	struct sr_value *result = sr_result(v->op, 0);
	sr_value_set_sharding(v->ctx, result, sr_op_view_sharding(v, 2));
	struct sr_builder builder = sr_builder_after(v->ctx, result);
	struct sr_value *reshard = sr_build_reshard(&builder, result, v->shardings[2]);
	sr_value_replace_except(result, reshard, reshard->def);
}
