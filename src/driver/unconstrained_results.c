/* shardrun-mark-unconstrained-results: mark results that have no user sharding and do not become arguments of the next step as unconstrained
 * (SR_UNCONSTRAINED): propagation gives them a sharding, which the search may replace by one that needs less communication.
 *
 *	%c = dot(%a, %b), partial over y        all_reduce; or reduce_scatter, if the result may be sharded over y
 *
 * A result that becomes an argument must have that argument's sharding. So must results of the type of an argument that is
 * donated without naming its result. */
#include "driver/driver.h"
#include "driver/entry.h"
#include "partition/partition.h"

static bool is_of_donated_type(const struct sr_entry *e, int result)
{
	const struct sr_type *type = sr_entry_type(e, true, result);
	for (int i = 0; i < e->n_arguments; i++)
		if (sr_func_arg_attr(e->func, i, "jax.buffer_donor") && sr_entry_type(e, false, i) == type)
			return true;
	return false;
}

static bool becomes_argument(const struct sr_entry *e, int result)
{
	for (int i = 0; i < e->n_arguments; i++)
		if (e->result_of[i] == result)
			return true;
	return false;
}

enum sr_status sr_mark_unconstrained_results(struct sr_context *ctx, struct sr_op *module, const char *function)
{
	struct sr_entry e;
	enum sr_status status = sr_entry_read(ctx, module, function, &e);
	if (status || !e.func)
		return status;
	for (int r = 0; r < e.n_results; r++)
		if (sr_may_be_sharded(sr_entry_type(&e, true, r)) && !sr_result_sharding_of_func(e.func, r) &&
		    !becomes_argument(&e, r) && !is_of_donated_type(&e, r))
			sr_func_set_result_attr(ctx, e.func, r, SR_UNCONSTRAINED, sr_attr_i64(ctx, -1));
	return SR_OK;
}

enum sr_status sr_mark_unconstrained_results_pass(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *o)
{
	const char *function = sr_option_string(o, "function");
	return sr_mark_unconstrained_results(ctx, root, *function ? function : NULL);
}
