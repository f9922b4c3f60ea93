/* Annotations by search: on a copy of the module, arguments and results without a sharding are marked as free (SR_FREE),
 * propagation takes what is said as far as it goes, and the search finds the rest.
 *
 * An argument and a result that are one value from step to step lie alike: the result that an argument's memory is given to
 * (tf.aliasing_output), or else, where a function has as many arguments as results of a type, the k-th of them each. */
#include "dialect/names.h"
#include "driver/tune.h"
#include "partition/partition.h"

struct entry {
	struct sr_context *ctx;
	struct sr_op *func;
	int n_arguments, n_results;
	int *result_of; /* [n_arguments]; -1: none */
};

static const struct sr_type *type_at(const struct entry *e, bool result, int i)
{
	const struct sr_type *type = sr_func_type(e->func);
	return result ? type->results[i] : type->inputs[i];
}

static int count(const struct entry *e, bool results, const struct sr_type *type, int before)
{
	int n = 0;
	for (int i = 0; i < before; i++)
		n += type_at(e, results, i) == type;
	return n;
}

/* The result that goes with an argument by its type. */
static int by_type(const struct entry *e, int argument)
{
	const struct sr_type *type = type_at(e, false, argument);
	int k = count(e, false, type, argument);
	if (count(e, false, type, e->n_arguments) != count(e, true, type, e->n_results))
		return -1;
	for (int r = 0; r < e->n_results; r++)
		if (type_at(e, true, r) == type && k-- == 0)
			return r;
	return -1;
}

static enum sr_status find_entry(struct sr_context *ctx, struct sr_op *module, const char *function, struct entry *e)
{
	enum sr_status status = SR_OK;
	*e = (struct entry){.ctx = ctx, .func = sr_entry_find(ctx, module, function, &status)};
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
		e->result_of[i] = by_type(e, i);
	return SR_OK;
}

static bool may_be_sharded(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && type->rank > 0 && sr_type_is_static(type);
}

/* Of a pair with one sharding both have it. */
static void pair_annotated(const struct entry *e)
{
	for (int i = 0; i < e->n_arguments; i++) {
		int r = e->result_of[i];
		const struct sr_attr *a = sr_func_arg_attr(e->func, i, "sdy.sharding"),
				     *b = r < 0 ? NULL : sr_result_sharding_of_func(e->func, r);
		if (r >= 0 && a && !b)
			sr_func_set_result_attr(e->ctx, e->func, r, "sdy.sharding", a);
		else if (b && !a)
			sr_func_set_arg_attr(e->ctx, e->func, i, "sdy.sharding", b);
	}
}

static void mark(const struct entry *e)
{
	const struct sr_attr **arguments = SR_NEWS(e->ctx->arena, const struct sr_attr *, e->n_arguments),
			     **results = SR_NEWS(e->ctx->arena, const struct sr_attr *, e->n_results);
	for (int r = 0; r < e->n_results; r++)
		if (may_be_sharded(type_at(e, true, r)) && !sr_result_sharding_of_func(e->func, r))
			results[r] = sr_attr_i64(e->ctx, -1);
	for (int i = 0; i < e->n_arguments; i++) {
		int r = e->result_of[i];
		if (!may_be_sharded(type_at(e, false, i)) || sr_func_arg_attr(e->func, i, "sdy.sharding"))
			continue;
		arguments[i] = sr_attr_i64(e->ctx, r);
		if (r >= 0)
			results[r] = sr_attr_i64(e->ctx, i);
	}
	sr_func_set_arg_attrs(e->ctx, e->func, SR_FREE, arguments);
	sr_func_set_result_attrs(e->ctx, e->func, SR_FREE, results);
}

static enum sr_status run(struct sr_context *ctx, struct sr_op *module, const char *pipeline)
{
	struct sr_pass_list *list = sr_pass_list_new(ctx, &sr_all_passes);
	enum sr_status status = sr_pass_list_parse(list, pipeline);
	return status ? status : sr_pass_list_run(list, module, &(struct sr_pass_run){0});
}

static void collect(struct entry *e, struct sr_annotations *out)
{
	out->arguments = SR_NEWS(e->ctx->arena, const struct sr_attr *, e->n_arguments);
	out->results = SR_NEWS(e->ctx->arena, const struct sr_attr *, e->n_results);
	for (int i = 0; i < e->n_arguments; i++)
		out->arguments[i] = sr_func_arg_attr(e->func, i, "sdy.sharding");
	for (int r = 0; r < e->n_results; r++)
		out->results[r] = sr_result_sharding_of_func(e->func, r);
}

enum sr_status sr_tune_annotate(struct sr_context *ctx, const struct sr_op *module, const char *function, const char *mesh,
				double price, struct sr_annotations *out)
{
	struct sr_map map;
	struct entry e;
	sr_map_init(&map, ctx->arena);
	struct sr_op *copy = sr_op_clone(ctx, module, &map);
	enum sr_status status = sr_tune_set_mesh(ctx, copy, mesh);
	if (!status)
		status = find_entry(ctx, copy, function, &e);
	if (status)
		return status;
	pair_annotated(&e);
	mark(&e);
	status = run(ctx, copy, sr_printf(ctx->arena,
					  "shardrun-import-pipeline,sdy-propagation-pipeline,inline,symbol-dce,"
					  "shardrun-search{memory-price=%g}",
					  price));
	if (!status)
		status = find_entry(ctx, copy, function, &e);
	if (!status)
		collect(&e, out);
	return status;
}

enum sr_status sr_annotations_set(struct sr_context *ctx, struct sr_op *module, const char *function,
				  const struct sr_annotations *a)
{
	struct entry e;
	enum sr_status status = find_entry(ctx, module, function, &e);
	if (status)
		return status;
	sr_func_set_arg_attrs(ctx, e.func, "sdy.sharding", a->arguments);
	sr_func_set_result_attrs(ctx, e.func, "sdy.sharding", a->results);
	return SR_OK;
}
