/* Record provenance: which tensor an axis came from, found by comparing the factors before and after the application of a rule,
 * since strategies do not record the source of an axis. As in upstream, the source is the first tensor, operands before
 * results, that had the factor's new axes before. If axes of two factors of one dimension merge into one axis, the merged axis
 * is recorded. */
#include "propagate/propagation.h"

struct sr_tensor_factors *sr_copy_factors(struct sr_arena *arena, const struct sr_projection *p)
{
	struct sr_tensor_factors *tensors = sr_dup(arena, p->tensors, (size_t)p->n_tensors, sizeof *tensors);
	for (int t = 0; t < p->n_tensors; t++)
		tensors[t].factors = sr_dup(arena, tensors[t].factors, (size_t)p->rule->n_factors, sizeof *tensors[t].factors);
	return tensors;
}

struct record {
	struct sr_provenance *provenance;
	const struct sr_rule_application *s;
	const struct sr_tensor_factors *factors_before;
	const struct sr_projection *projection_after;
	SR_VEC(struct sr_propagated_axis) events; /* the axes that one tensor received */
};

static int source_of(const struct record *r, int factor, struct sr_axes axes)
{
	for (int t = 0; t < r->projection_after->n_tensors; t++) {
		const struct sr_factor_sharding *f = &r->factors_before[t].factors[factor];
		if (f->is_present && sr_axes_is_prefix(axes, f->axes))
			return t;
	}
	return -1;
}

static int find_event(const struct record *r, struct sr_axis_ref axis)
{
	for (size_t i = 0; i < r->events.n; i++)
		if (sr_axis_ref_equal(r->events.data[i].axis, axis))
			return (int)i;
	return -1;
}

static void drop_event(struct record *r, struct sr_axis_ref axis)
{
	int i = find_event(r, axis);
	for (size_t k = (size_t)i + 1; i >= 0 && k < r->events.n; k++)
		r->events.data[k - 1] = r->events.data[k];
	r->events.n -= i >= 0;
}

/* Return the value that has the tensor's sharding; for a function result, the returned value. */
static struct sr_value *value_of(const struct record *r, int tensor)
{
	const struct sr_sharding_holder *holder = r->s->holders[tensor];
	return holder && !holder->value ? value_of(r, 0) : holder ? holder->value : NULL;
}

static void add_event(struct record *r, int factor, struct sr_axis_ref axis, int source, int target)
{
	struct sr_propagated_axis event = {.step = r->provenance->step, .op = r->s->op, .func_result = r->s->func_result,
					   .mesh = r->projection_after->mesh, .axis = axis, .factor = factor, .source = source,
					   .target = target, .n_operands = r->s->rule->n_operands, .from = value_of(r, source),
					   .to = value_of(r, target)};
	if (event.from && event.to && find_event(r, axis) < 0)
		sr_push(r->provenance->ctx->arena, &r->events, event);
}

/* Record a factor's new axes. *previous: the last axis of the preceding factor of the dimension, which the first axis may
 * continue; its axis is NULL if there is none. */
static void record_factor(struct record *r, int tensor, int factor, struct sr_axis_ref *previous)
{
	struct sr_axes old_axes = r->factors_before[tensor].factors[factor].axes,
		       new_axes = r->projection_after->tensors[tensor].factors[factor].axes;
	if (new_axes.n == 0 || sr_axes_equal(old_axes, new_axes))
		return;
	struct sr_axis_ref last = new_axes.refs[new_axes.n - 1];
	if (previous->axis && sr_axis_can_merge(*previous, last)) {
		drop_event(r, *previous);
		last = sr_axis_merge(*previous, last);
	}
	*previous = new_axes.refs[new_axes.n - 1];
	int source = source_of(r, factor, new_axes);
	if (source < 0)
		return;
	/* compare from the last old axis on, since that axis may have grown by a sub-axis */
	for (int i = old_axes.n > 0 ? old_axes.n - 1 : 0; i < new_axes.n; i++) {
		struct sr_axis_ref axis = i == new_axes.n - 1 ? last : new_axes.refs[i];
		if (i >= old_axes.n || !sr_axis_ref_equal(old_axes.refs[i], axis))
			add_event(r, factor, axis, source, tensor);
	}
}

void sr_record_rule_application(struct sr_provenance *provenance, const struct sr_rule_application *s,
				const struct sr_tensor_factors *factors_before,
				const struct sr_projection *projection_after)
{
	struct record r = {
	    .provenance = provenance, .s = s, .factors_before = factors_before, .projection_after = projection_after};
	for (int t = 0; t < projection_after->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(projection_after, t);
		r.events.n = 0;
		for (int d = 0; d < map->rank; d++) {
			struct sr_axis_ref previous = {0};
			for (int i = 0; i < map->dims[d].n; i++)
				record_factor(&r, t, map->dims[d].factors[i], &previous);
		}
		for (size_t i = 0; i < r.events.n; i++)
			sr_provenance_record(provenance, &r.events.data[i]);
	}
	provenance->step++;
}

void sr_record_group(struct sr_provenance *provenance, const struct sr_sharding_holder *source,
		     const struct sr_sharding_holder *target, const struct sr_sharding *now)
{
	struct sr_propagated_axis event = {
	    .step = provenance->step, .mesh = source->mesh, .from = source->value, .to = target->value};
	for (int d = 0; d < now->rank; d++)
		for (int i = 0; i < now->dims[d].axes.n; i++) {
			event.axis = now->dims[d].axes.refs[i];
			if (!target->sharding || !sr_axes_has(target->sharding->dims[d].axes, event.axis))
				sr_provenance_record(provenance, &event);
		}
}
