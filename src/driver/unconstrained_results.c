/* shardrun-mark-unconstrained-results: mark results that have no user sharding and do not become arguments of the next step as unconstrained
 * (SR_UNCONSTRAINED): propagation gives them a sharding, which the search may replace by one that needs less communication.
 *
 *	%c = dot(%a, %b), partial over y        all_reduce; or reduce_scatter, if the result may be sharded over y
 *
 * A result that becomes an argument must have that argument's sharding. The same holds for results whose type is that of an
 * argument that is donated without naming its result. */
#include "driver/driver.h"
#include "driver/entry.h"
#include "partition/partition.h"

enum sr_status sr_mark_unconstrained_results(struct sr_context *ctx, struct sr_op *module, const char *function)
{
	struct sr_entry e;
	enum sr_status status = sr_entry_read(ctx, module, function, &e);
	if (status || !e.func)
		return status;
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	const struct sr_type *type = sr_func_type(e.func);
	const struct sr_attr **unconstrained_attrs = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, e.n_results);
	bool *is_argument = SR_NEW_ARRAY(ctx->scratch, bool, e.n_results), has_unconstrained = false;
	struct sr_map donated_types;
	sr_map_init(&donated_types, ctx->scratch);
	for (int i = 0; i < e.n_arguments; i++) {
		if (e.result_of_argument[i] >= 0)
			is_argument[e.result_of_argument[i]] = true;
		if (sr_func_arg_attr(e.func, i, "jax.buffer_donor"))
			sr_map_put(&donated_types, type->inputs[i], &e);
	}
	for (int r = 0; r < e.n_results; r++)
		if (sr_may_be_sharded(type->results[r]) && !sr_result_sharding_of_func(e.func, r) && !is_argument[r] &&
		    !sr_map_has(&donated_types, type->results[r])) {
			unconstrained_attrs[r] = sr_attr_i64(ctx, -1);
			has_unconstrained = true;
		}
	if (has_unconstrained)
		sr_func_set_result_attrs(ctx, e.func, SR_UNCONSTRAINED, unconstrained_attrs);
	sr_arena_release(ctx->scratch, mark);
	return SR_OK;
}

enum sr_status sr_mark_unconstrained_results_pass(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *o)
{
	const char *function = sr_option_string(o, "function");
	return sr_mark_unconstrained_results(ctx, root, *function ? function : NULL);
}
