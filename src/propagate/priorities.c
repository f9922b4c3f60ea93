/* Propagate dimension shardings with lower priority numbers first. Initially all dimensions of later priorities are empty and
 * closed, and their axes are explicitly replicated, so that nothing else uses them. Each round restores the dimensions of its
 * priority. Upstream: user_priority_propagation. */
#include "propagate/priorities.h"

/* A sharding with priorities, as the user wrote it. */
struct reference {
	struct sr_sharding_holder *holder;
	const struct sr_sharding *user_sharding;
};

struct reader {
	struct sr_propagation *state;
	SR_VEC(struct reference) references;
	SR_VEC(int) priorities; /* the distinct priorities greater than 0, in ascending order */
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
	sr_push(r->state->ctx->arena, &r->priorities, 0);
	for (size_t k = r->priorities.n - 1; k > i; k--)
		r->priorities.data[k] = r->priorities.data[k - 1];
	r->priorities.data[i] = priority;
}

static struct sr_axes sort_axes(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
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

/* Concatenate two lists without merging axes, since the lists are separated again later. */
static struct sr_axes concat_axes(struct sr_arena *arena, struct sr_axes a, struct sr_axes b)
{
	struct sr_axis_ref *refs = SR_NEW_ARRAY(arena, struct sr_axis_ref, a.n + b.n);
	for (int i = 0; i < a.n + b.n; i++)
		refs[i] = i < a.n ? a.refs[i] : b.refs[i - a.n];
	return (struct sr_axes){refs, a.n + b.n};
}

static void remove_later_priorities(struct reader *r, struct sr_sharding_holder *holder)
{
	const struct sr_sharding *written_sharding = holder ? holder->sharding : NULL;
	if (!written_sharding)
		return;
	struct sr_arena *arena = r->state->ctx->arena;
	struct sr_sharding first = *written_sharding;
	struct sr_dim_sharding *dims = sr_dup(arena, written_sharding->dims, (size_t)written_sharding->rank, sizeof *dims);
	bool has_later = false;
	for (int d = 0; d < written_sharding->rank; d++) {
		if (priority_of(&dims[d]) > 0) {
			has_later = true;
			add_priority(r, dims[d].priority);
			first.replicated = concat_axes(arena, first.replicated, dims[d].axes);
			dims[d] = (struct sr_dim_sharding){{0}, true, -1};
		}
		dims[d].priority = -1;
	}
	first.dims = dims;
	first.replicated = sort_axes(arena, holder->mesh, first.replicated);
	if (has_later)
		sr_push(arena, &r->references, (struct reference){holder, written_sharding});
	if (!sr_sharding_equal(&first, written_sharding))
		sr_propagation_assign(r->state, holder, &first);
}

/* Restore the shardings that the user wrote for the dimensions of this priority. */
static void restore_priority(struct sr_propagation *state, const struct reference *ref, int priority)
{
	struct sr_arena *arena = state->ctx->arena;
	struct sr_sharding now = *ref->holder->sharding;
	struct sr_dim_sharding *dims = sr_dup(arena, now.dims, (size_t)now.rank, sizeof *dims);
	struct sr_axes restored_axes = {0};
	for (int d = 0; d < now.rank; d++)
		if (priority_of(&ref->user_sharding->dims[d]) == priority) {
			dims[d] = ref->user_sharding->dims[d];
			dims[d].priority = -1;
			restored_axes = concat_axes(arena, restored_axes, dims[d].axes);
		}
	struct sr_axis_ref *refs = SR_NEW_ARRAY(arena, struct sr_axis_ref, now.replicated.n);
	int n = 0;
	for (int i = 0; i < now.replicated.n; i++) {
		bool is_restored = false;
		for (int k = 0; k < restored_axes.n; k++)
			is_restored = is_restored || sr_axis_ref_equal(now.replicated.refs[i], restored_axes.refs[k]);
		if (!is_restored)
			refs[n++] = now.replicated.refs[i];
	}
	now.dims = dims;
	now.replicated = (struct sr_axes){refs, n};
	sr_propagation_assign(state, ref->holder, &now);
}

static bool has_priority(const struct sr_sharding *s, int priority)
{
	for (int d = 0; d < s->rank; d++)
		if (priority_of(&s->dims[d]) == priority)
			return true;
	return false;
}

static void remove_later_of_value(struct reader *r, struct sr_value *v)
{
	/* if the value has a data-flow edge, the edge holds the sharding */
	if (!sr_edge_op_of_target(r->state->ctx, v))
		remove_later_priorities(r, sr_propagation_holder(r->state, v));
}

static void remove_all_later_priorities(struct reader *r)
{
	struct sr_propagation *state = r->state;
	for (int i = 0; i < state->n_ops; i++) {
		struct sr_op *op = state->ops[i].op;
		/* functions, and ops with attributes that hold the shardings of their block arguments */
		bool has_args = op && (sr_op_is(op, SR_OP_func_func) || (sr_op_has(op, SR_DATA_FLOW_EDGE) && sr_op_has(op, SR_ISOLATED)));
		struct sr_block *entry = has_args ? op->regions[0].first : NULL;
		for (int k = 0; entry && k < entry->n_args; k++)
			remove_later_of_value(r, entry->args[k]);
		for (int k = 0; op && k < op->n_results; k++)
			remove_later_of_value(r, sr_result(op, k));
	}
	for (size_t i = 0; i < state->func_results.n; i++)
		remove_later_priorities(r, state->func_results.data[i].result);
}

void sr_propagate_by_user_priority(struct sr_propagation *state, void (*propagate)(struct sr_propagation *state, void *data),
				   void *data)
{
	struct reader r = {.state = state};
	remove_all_later_priorities(&r);
	propagate(state, data);
	for (size_t i = 0; i < r.priorities.n; i++) {
		int priority = r.priorities.data[i];
		for (size_t k = 0; k < r.references.n; k++)
			if (has_priority(r.references.data[k].user_sharding, priority))
				restore_priority(state, &r.references.data[k], priority);
		propagate(state, data);
	}
}
