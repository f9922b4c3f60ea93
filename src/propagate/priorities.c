/* User priorities: dimensions with a lower number are propagated before others. A round begins with all dimensions of later
 * priority empty and closed and their axes kept out of the tensor as replicated axes, and gives each its own back when its turn
 * comes. Upstream: user_priority_propagation. */
#include "propagate/priorities.h"

/* A sharding with priorities, as given. */
struct reference {
	struct sr_sharding_holder *holder;
	const struct sr_sharding *given;
};

struct reader {
	struct sr_propagation *flow;
	SR_VEC(struct reference) references;
	SR_VEC(int) priorities; /* above 0, ascending */
};

static int priority_of(const struct sr_dim_sharding *dim)
{
	return dim->priority < 0 ? 0 : dim->priority;
}

static void add_priority(struct reader *r, int priority)
{
	size_t i = 0;
	while (i < r->priorities.n && r->priorities.data[i] < priority)
		i++;
	if (i < r->priorities.n && r->priorities.data[i] == priority)
		return;
	sr_push(r->flow->ctx->arena, &r->priorities, 0);
	for (size_t k = r->priorities.n - 1; k > i; k--)
		r->priorities.data[k] = r->priorities.data[k - 1];
	r->priorities.data[i] = priority;
}

static struct sr_axes sorted(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_axis_ref *refs = sr_dup(arena, axes.refs, (size_t)axes.n, sizeof *refs);
	for (int i = 1; i < axes.n; i++)
		for (int k = i; k > 0 && sr_axis_compare(mesh, refs[k], refs[k - 1]) < 0; k--) {
			struct sr_axis_ref swap = refs[k];
			refs[k] = refs[k - 1];
			refs[k - 1] = swap;
		}
	return (struct sr_axes){refs, axes.n};
}

/* Lists one after the other; nothing is merged, for they are taken apart again. */
static struct sr_axes joined(struct sr_arena *arena, struct sr_axes a, struct sr_axes b)
{
	struct sr_axis_ref *refs = SR_NEWS(arena, struct sr_axis_ref, a.n + b.n);
	for (int i = 0; i < a.n + b.n; i++)
		refs[i] = i < a.n ? a.refs[i] : b.refs[i - a.n];
	return (struct sr_axes){refs, a.n + b.n};
}

static void begin(struct reader *r, struct sr_sharding_holder *holder)
{
	const struct sr_sharding *given = holder ? holder->sharding : NULL;
	if (!given)
		return;
	struct sr_arena *arena = r->flow->ctx->arena;
	struct sr_sharding first = *given;
	struct sr_dim_sharding *dims = sr_dup(arena, given->dims, (size_t)given->rank, sizeof *dims);
	bool later = false;
	for (int d = 0; d < given->rank; d++) {
		if (priority_of(&dims[d]) > 0) {
			later = true;
			add_priority(r, dims[d].priority);
			first.replicated = joined(arena, first.replicated, dims[d].axes);
			dims[d] = (struct sr_dim_sharding){{0}, true, -1};
		}
		dims[d].priority = -1;
	}
	first.dims = dims;
	first.replicated = sorted(arena, holder->mesh, first.replicated);
	if (later)
		sr_push(arena, &r->references, (struct reference){holder, given});
	if (!sr_sharding_equal(&first, given))
		sr_propagation_assign(r->flow, holder, &first);
}

/* The holder's sharding with the dimensions of this priority as they were given. */
static void restore(struct sr_propagation *flow, const struct reference *ref, int priority)
{
	struct sr_arena *arena = flow->ctx->arena;
	struct sr_sharding now = *ref->holder->sharding;
	struct sr_dim_sharding *dims = sr_dup(arena, now.dims, (size_t)now.rank, sizeof *dims);
	struct sr_axes back = {0};
	for (int d = 0; d < now.rank; d++)
		if (priority_of(&ref->given->dims[d]) == priority) {
			dims[d] = ref->given->dims[d];
			dims[d].priority = -1;
			back = joined(arena, back, dims[d].axes);
		}
	struct sr_axis_ref *refs = SR_NEWS(arena, struct sr_axis_ref, now.replicated.n);
	int n = 0;
	for (int i = 0; i < now.replicated.n; i++) {
		bool seen = false;
		for (int k = 0; k < back.n; k++)
			seen = seen || sr_axis_ref_equal(now.replicated.refs[i], back.refs[k]);
		if (!seen)
			refs[n++] = now.replicated.refs[i];
	}
	now.dims = dims;
	now.replicated = (struct sr_axes){refs, n};
	sr_propagation_assign(flow, ref->holder, &now);
}

static bool has_priority(const struct sr_sharding *s, int priority)
{
	for (int d = 0; d < s->rank; d++)
		if (priority_of(&s->dims[d]) == priority)
			return true;
	return false;
}

static void begin_value(struct reader *r, struct sr_value *v)
{
	/* Behind a data-flow edge the edge holds the sharding. */
	if (!sr_edge_op_of_target(r->flow->ctx, v))
		begin(r, sr_propagation_holder(r->flow, v));
}

static void begin_all(struct reader *r)
{
	struct sr_propagation *flow = r->flow;
	for (int i = 0; i < flow->n_ops; i++) {
		struct sr_op *op = flow->ops[i].op;
		/* of functions, and of computations whose attributes hold their arguments' shardings */
		bool has_args = op && (sr_op_is(op, SR_OP_func_func) || (sr_op_has(op, SR_DATA_FLOW_EDGE) && sr_op_has(op, SR_ISOLATED)));
		struct sr_block *entry = has_args ? op->regions[0].first : NULL;
		for (int k = 0; entry && k < entry->n_args; k++)
			begin_value(r, entry->args[k]);
		for (int k = 0; op && k < op->n_results; k++)
			begin_value(r, sr_result(op, k));
	}
	for (size_t i = 0; i < flow->func_results.n; i++)
		begin(r, flow->func_results.data[i].result);
}

void sr_propagate_by_user_priority(struct sr_propagation *flow, void (*propagate)(struct sr_propagation *flow, void *data), void *data)
{
	struct reader r = {.flow = flow};
	begin_all(&r);
	propagate(flow, data);
	for (size_t i = 0; i < r.priorities.n; i++) {
		int priority = r.priorities.data[i];
		for (size_t k = 0; k < r.references.n; k++)
			if (has_priority(r.references.data[k].given, priority))
				restore(flow, &r.references.data[k], priority);
		propagate(flow, data);
	}
}
