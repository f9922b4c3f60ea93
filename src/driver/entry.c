/* Find which results become which arguments in the next step. */
#include "driver/entry.h"
#include "plan/plan.h"
#include "support/map.h"
#include "support/vec.h"

const struct sr_type *sr_entry_type(const struct sr_entry *e, bool result, int i)
{
	const struct sr_type *type = sr_func_type(e->func);
	return result ? type->results[i] : type->inputs[i];
}

/* The arguments and results that have one type. */
struct of_type {
	int n_arguments;
	SR_VEC(int) results;
	size_t next; /* index of the next result to match */
};

static struct of_type *of_type(struct sr_map *types, const struct sr_type *type)
{
	void **at = sr_map_at(types, type);
	if (!*at)
		*at = SR_NEW(types->arena, struct of_type);
	return *at;
}

/* Match arguments to results by type: the k-th argument of a type to the k-th result of that type, if there are equally many of
 * both. -1: not matched. */
static void match_by_type(struct sr_entry *e)
{
	const struct sr_type *type = sr_func_type(e->func);
	struct sr_map types;
	sr_map_init(&types, e->ctx->arena);
	for (int i = 0; i < e->n_arguments; i++)
		of_type(&types, type->inputs[i])->n_arguments++;
	for (int r = 0; r < e->n_results; r++)
		sr_push(types.arena, &of_type(&types, type->results[r])->results, r);
	for (int i = 0; i < e->n_arguments; i++) {
		struct of_type *same_type = of_type(&types, type->inputs[i]);
		e->result_of[i] = (size_t)same_type->n_arguments == same_type->results.n
				      ? same_type->results.data[same_type->next++]
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
	bool named = false;
	e->n_arguments = type->n_inputs;
	e->n_results = type->n_results;
	e->result_of = SR_NEW_ARRAY(ctx->arena, int, e->n_arguments);
	for (int i = 0; i < e->n_arguments; i++) {
		const struct sr_attr *output = sr_func_arg_attr(e->func, i, "tf.aliasing_output");
		named = named || output;
		e->result_of[i] = output && output->i >= 0 && output->i < e->n_results ? (int)output->i : -1;
	}
	if (!named)
		match_by_type(e);
	return SR_OK;
}

bool sr_may_be_sharded(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && type->rank > 0 && sr_type_is_static(type);
}
