/* Find which results become which arguments in the next step. */
#include "driver/entry.h"
#include "plan/plan.h"

const struct sr_type *sr_entry_type(const struct sr_entry *e, bool result, int i)
{
	const struct sr_type *type = sr_func_type(e->func);
	return result ? type->results[i] : type->inputs[i];
}

static int count_of_type(const struct sr_entry *e, bool results, const struct sr_type *type, int before)
{
	int n = 0;
	for (int i = 0; i < before; i++)
		n += sr_entry_type(e, results, i) == type;
	return n;
}

/* Match an argument to a result by type: the k-th argument to the k-th result, if there are equally many; -1: none. */
static int match_by_type(const struct sr_entry *e, int argument)
{
	const struct sr_type *type = sr_entry_type(e, false, argument);
	int k = count_of_type(e, false, type, argument);
	if (count_of_type(e, false, type, e->n_arguments) != count_of_type(e, true, type, e->n_results))
		return -1;
	for (int r = 0; r < e->n_results; r++)
		if (sr_entry_type(e, true, r) == type && k-- == 0)
			return r;
	return -1;
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
	e->result_of = SR_NEWS(ctx->arena, int, e->n_arguments);
	for (int i = 0; i < e->n_arguments; i++) {
		const struct sr_attr *output = sr_func_arg_attr(e->func, i, "tf.aliasing_output");
		named = named || output;
		e->result_of[i] = output && output->i >= 0 && output->i < e->n_results ? (int)output->i : -1;
	}
	for (int i = 0; i < e->n_arguments && !named; i++)
		e->result_of[i] = match_by_type(e, i);
	return SR_OK;
}

bool sr_may_be_sharded(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && type->rank > 0 && sr_type_is_static(type);
}
