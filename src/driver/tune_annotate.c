/* Find shardings by search: on a copy of the module, arguments and results without a sharding are marked as unconstrained
 * (SR_UNCONSTRAINED), propagation extends the user's shardings, and the search chooses the others. */
#include "dialect/attr_names.h"
#include "driver/entry.h"
#include "driver/tune.h"
#include "partition/partition.h"

/* If only one of an argument and the result that becomes its next value has a sharding, give the sharding to the other. */
static void share_annotations(const struct sr_entry *e)
{
	for (int i = 0; i < e->n_arguments; i++) {
		int r = e->result_of_argument[i];
		const struct sr_attr *a = sr_func_arg_attr(e->func, i, "sdy.sharding"),
				     *b = r < 0 ? NULL : sr_result_sharding_of_func(e->func, r);
		if (r >= 0 && a && !b)
			sr_func_set_result_attr(e->ctx, e->func, r, "sdy.sharding", a);
		else if (b && !a)
			sr_func_set_arg_attr(e->ctx, e->func, i, "sdy.sharding", b);
	}
}

static void mark_unconstrained(const struct sr_entry *e)
{
	const struct sr_attr **arguments = SR_NEW_ARRAY(e->ctx->arena, const struct sr_attr *, e->n_arguments),
			     **results = SR_NEW_ARRAY(e->ctx->arena, const struct sr_attr *, e->n_results);
	for (int r = 0; r < e->n_results; r++)
		if (sr_may_be_sharded(sr_entry_type(e, true, r)) && !sr_result_sharding_of_func(e->func, r))
			results[r] = sr_attr_i64(e->ctx, -1);
	for (int i = 0; i < e->n_arguments; i++) {
		int r = e->result_of_argument[i];
		if (!sr_may_be_sharded(sr_entry_type(e, false, i)) || sr_func_arg_attr(e->func, i, "sdy.sharding"))
			continue;
		arguments[i] = sr_attr_i64(e->ctx, r);
		if (r >= 0)
			results[r] = sr_attr_i64(e->ctx, i);
	}
	sr_func_set_arg_attrs(e->ctx, e->func, SR_UNCONSTRAINED, arguments);
	sr_func_set_result_attrs(e->ctx, e->func, SR_UNCONSTRAINED, results);
}

static enum sr_status run_pipeline(struct sr_context *ctx, struct sr_op *module, const char *pipeline)
{
	struct sr_pass_list *list = sr_pass_list_new(ctx, &sr_compiler_passes);
	enum sr_status status = sr_pass_list_parse(list, pipeline);
	return status ? status : sr_pass_list_run(list, module, &(struct sr_pass_run){0});
}

static void collect_shardings(struct sr_entry *e, struct sr_annotations *out)
{
	out->arguments = SR_NEW_ARRAY(e->ctx->arena, const struct sr_attr *, e->n_arguments);
	out->results = SR_NEW_ARRAY(e->ctx->arena, const struct sr_attr *, e->n_results);
	for (int i = 0; i < e->n_arguments; i++)
		out->arguments[i] = sr_func_arg_attr(e->func, i, "sdy.sharding");
	for (int r = 0; r < e->n_results; r++)
		out->results[r] = sr_result_sharding_of_func(e->func, r);
}

enum sr_status sr_tune_annotate(struct sr_context *ctx, const struct sr_op *module, const char *function, const char *mesh,
				double price, struct sr_annotations *out)
{
	struct sr_map map;
	struct sr_entry e;
	sr_map_init(&map, ctx->arena);
	struct sr_op *copy = sr_op_clone(ctx, module, &map);
	enum sr_status status = sr_tune_set_mesh(ctx, copy, mesh);
	if (!status)
		status = sr_entry_read(ctx, copy, function, &e);
	if (status || !e.func)
		return status;
	share_annotations(&e);
	mark_unconstrained(&e);
	status = run_pipeline(ctx, copy,
			      sr_printf(ctx->arena,
					"shardrun-import-pipeline,sdy-propagation-pipeline{verify-unreduced-axes=false},inline,symbol-dce,"
					"shardrun-search-shardings{memory-price=%g}",
					price));
	if (!status)
		status = sr_entry_read(ctx, copy, function, &e);
	if (!status)
		collect_shardings(&e, out);
	return status;
}

enum sr_status sr_annotations_set(struct sr_context *ctx, struct sr_op *module, const char *function,
				  const struct sr_annotations *a)
{
	struct sr_entry e;
	enum sr_status status = sr_entry_read(ctx, module, function, &e);
	if (status || !e.func)
		return status;
	sr_func_set_arg_attrs(ctx, e.func, "sdy.sharding", a->arguments);
	sr_func_set_result_attrs(ctx, e.func, "sdy.sharding", a->results);
	return SR_OK;
}
