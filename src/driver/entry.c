/* Find which results become which arguments in the next step, and make the entry's values global ones. */
#include "driver/entry.h"
#include "plan/plan.h"
#include "support/map.h"
#include "support/vec.h"

const struct sr_type *sr_entry_type(const struct sr_entry *e, bool is_result, int i)
{
	const struct sr_type *type = sr_func_type(e->func);
	return is_result ? type->results[i] : type->inputs[i];
}

/* The arguments and results that have one type. */
struct type_matches {
	int n_arguments;
	SR_VEC(int) results;
	size_t next_result; /* index of the next result to match */
};

static struct type_matches *find_type_matches(struct sr_map *types, const struct sr_type *type)
{
	void **at = sr_map_at(types, type);
	if (!*at)
		*at = SR_NEW(types->arena, struct type_matches);
	return *at;
}

/* Match arguments to results by type: the k-th argument of a type to the k-th result of the same type, if the function has equally
 * many of both. Set result_of_argument to -1 for arguments without a match. */
static void match_by_type(struct sr_entry *e)
{
	const struct sr_type *type = sr_func_type(e->func);
	struct sr_map types;
	sr_map_init(&types, e->ctx->arena);
	for (int i = 0; i < e->n_arguments; i++)
		find_type_matches(&types, type->inputs[i])->n_arguments++;
	for (int r = 0; r < e->n_results; r++)
		sr_push(types.arena, &find_type_matches(&types, type->results[r])->results, r);
	for (int i = 0; i < e->n_arguments; i++) {
		struct type_matches *same_type = find_type_matches(&types, type->inputs[i]);
		e->result_of_argument[i] = (size_t)same_type->n_arguments == same_type->results.n
				      ? same_type->results.data[same_type->next_result++]
				      : -1;
	}
}

enum sr_status sr_entry_read(struct sr_context *ctx, struct sr_op *module, const char *function, struct sr_entry *e)
{
	enum sr_status status = SR_OK;
	*e = (struct sr_entry){.ctx = ctx, .func = sr_find_entry_function(ctx, module, function, &status)};
	if (!e->func)
		return status;
	const struct sr_type *type = sr_func_type(e->func);
	bool is_named = false;
	e->n_arguments = type->n_inputs;
	e->n_results = type->n_results;
	e->result_of_argument = SR_NEW_ARRAY(ctx->arena, int, e->n_arguments);
	for (int i = 0; i < e->n_arguments; i++) {
		const struct sr_attr *output = sr_func_arg_attr(e->func, i, "tf.aliasing_output");
		is_named = is_named || output;
		e->result_of_argument[i] = output && output->i >= 0 && output->i < e->n_results ? (int)output->i : -1;
	}
	if (!is_named)
		match_by_type(e);
	return SR_OK;
}

bool sr_may_be_sharded(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && type->rank > 0 && sr_type_is_static(type);
}

/* Return the sharding without unreduced axes; NULL if it is NULL or has none. */
static const struct sr_attr *reduced(struct sr_context *ctx, const struct sr_attr *sharding)
{
	if (!sharding || !sharding->sharding->unreduced.n)
		return NULL;
	struct sr_sdy_sharding s = *sharding->sharding;
	s.unreduced = (struct sr_sdy_axes){0};
	return sr_attr_sharding(ctx, &s);
}

enum sr_status sr_entry_drop_unreduced_axes(struct sr_context *ctx, struct sr_op *module, const char *function)
{
	struct sr_entry e;
	enum sr_status status = sr_entry_read(ctx, module, function, &e);
	if (status || !e.func)
		return status;
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	const struct sr_attr **arguments = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, e.n_arguments);
	const struct sr_attr **results = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, e.n_results);
	for (int i = 0; i < e.n_arguments; i++)
		arguments[i] = reduced(ctx, sr_value_sharding(ctx, sr_func_entry(e.func)->args[i]));
	for (int i = 0; i < e.n_results; i++)
		results[i] = reduced(ctx, sr_result_sharding_of_func(e.func, i));
	sr_func_set_arg_attrs(ctx, e.func, "sdy.sharding", arguments);
	sr_func_set_result_attrs(ctx, e.func, "sdy.sharding", results);
	sr_arena_release(ctx->scratch, mark);
	return SR_OK;
}
