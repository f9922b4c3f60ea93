/* Layout modes: the order of dimensions in memory that a framework asks for main's arguments and results (attribute
 * mhlo.layout_mode). Programs support only row-major values, so main takes and returns such values with their dimensions in memory
 * order:
 *
 *	func @main(%arg0: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"})       a layout lists dimensions from minor to major
 *	func @main(%arg0: tensor<3x2xf32>)                                    after it; with
 *	  %0 = stablehlo.transpose %arg0, dims = [1, 0]                       in place of %arg0
 *
 * "default" is row-major. "auto" leaves the order to the compiler: row-major, and for results of transposes the order of the
 * transposed value, so that nothing is moved. */
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "plan/plan.h"
#include "pjrt/options.h"
#include <stdlib.h>
#include <string.h>

static const char mode_name[] = "mhlo.layout_mode";

/* Read the layout mode of a value of this rank. *order: the order of dimensions from major to minor; NULL: row-major. *is_auto:
 * set if the mode leaves the order to the compiler. */
static enum sr_status read_mode(struct sr_context *ctx, struct sr_op *func, const struct sr_attr *mode, int rank,
				const int64_t **order, bool *is_auto)
{
	const char *text = mode && mode->kind == SR_ATTR_STRING ? mode->s : "default", *p = text;
	*order = NULL;
	*is_auto = !strcmp(text, "auto");
	if (*is_auto || !strcmp(text, "default"))
		return SR_OK;
	int64_t *dims = SR_NEW_ARRAY(ctx->scratch, int64_t, rank + 1);
	bool ok = *p++ == '{', is_identity = true;
	for (int i = rank - 1; ok && i >= 0; i--) {
		char *end;
		dims[i] = strtol(p, &end, 10);
		ok = end > p && dims[i] >= 0 && dims[i] < rank && (!i || *end == ',');
		is_identity = is_identity && dims[i] == i;
		p = end + (i > 0);
		for (int k = i + 1; ok && k < rank; k++)
			ok = dims[k] != dims[i];
	}
	ok = ok && (*p == '}' || *p == ':') && !strstr(p, "T(");
	if (!ok)
		return sr_op_error(func, &ctx->diags, SR_UNSUPPORTED, "asks for layout \"%s\" of a value of rank %d; an order of its dimensions is expected",
				   text, rank);
	*order = is_identity ? NULL : dims;
	return SR_OK;
}

/* ---- types and shardings with their dimensions in another order ---- */

static const struct sr_type *ordered_type(struct sr_context *ctx, const struct sr_type *t, const int64_t *order)
{
	int64_t *shape = SR_NEW_ARRAY(ctx->scratch, int64_t, t->rank);
	for (int i = 0; i < t->rank; i++)
		shape[i] = t->shape[order[i]];
	return sr_type_with_shape(ctx, t, t->rank, shape);
}

static const struct sr_attr *ordered_sharding(struct sr_context *ctx, const struct sr_attr *a, const int64_t *order)
{
	if (!a || a->kind != SR_ATTR_SHARDING)
		return a;
	struct sr_sdy_sharding s = *a->sharding;
	struct sr_sdy_dim *dims = SR_NEW_ARRAY(ctx->scratch, struct sr_sdy_dim, s.rank);
	for (int i = 0; i < s.rank; i++)
		dims[i] = a->sharding->dims[order[i]];
	s.dims = dims;
	return sr_attr_sharding(ctx, &s);
}

static struct sr_value *transpose(struct sr_builder *b, struct sr_value *v, const int64_t *permutation)
{
	struct sr_named_attr attr = {SR_NAME_permutation, sr_attr_i64s(b->ctx, permutation, v->type->rank)};
	return sr_build_infer(b, SR_OP_stablehlo_transpose, &v, 1, &attr, 1);
}

/* ---- arguments and results ---- */

struct module_layouts {
	struct sr_context *ctx;
	struct sr_op *func;
	const struct sr_type **in, **out; /* types of main's arguments and results */
	const int64_t **orders;           /* orders of dimensions of the arguments, then of the results */
};

static void set_argument(struct module_layouts *l, int i, const int64_t *order)
{
	struct sr_context *ctx = l->ctx;
	struct sr_value *arg = sr_func_entry(l->func)->args[i];
	struct sr_builder b = {.ctx = ctx, .block = sr_func_entry(l->func), .anchor = sr_func_entry(l->func)->first, .loc = l->func->loc};
	int64_t *inverse = SR_NEW_ARRAY(ctx->scratch, int64_t, arg->type->rank);
	for (int k = 0; k < arg->type->rank; k++)
		inverse[order[k]] = k;
	l->in[i] = arg->type = ordered_type(ctx, arg->type, order);
	sr_func_set_arg_attr(ctx, l->func, i, "sdy.sharding", ordered_sharding(ctx, sr_func_arg_attr(l->func, i, "sdy.sharding"), order));
	struct sr_value *logical = transpose(&b, arg, inverse);
	sr_value_replace_all(arg, logical);
	sr_op_set_operand(logical->def, 0, arg);
}

/* Return the order of dimensions that v can have in memory without a copy: that of its operand, transposed, or of an argument.
 * NULL: row-major. */
static const int64_t *copy_free_order(struct module_layouts *l, const struct sr_value *v)
{
	struct sr_op *op = v->def;
	const int64_t *permutation;
	int64_t n;
	if (!op || !sr_op_is(op, SR_OP_stablehlo_transpose) || !sr_op_ints(l->ctx, op, SR_NAME_permutation, &permutation, &n))
		return NULL;
	const int64_t *operand_order = copy_free_order(l, sr_operand(op, 0));
	int64_t *order = SR_NEW_ARRAY(l->ctx->scratch, int64_t, n + 1);
	for (int64_t k = 0; k < n; k++)
		for (int64_t d = 0; d < n; d++)
			if (permutation[d] == (operand_order ? operand_order[k] : k))
				order[k] = d;
	return order;
}

static void set_result(struct module_layouts *l, int i, const int64_t *order)
{
	struct sr_context *ctx = l->ctx;
	struct sr_op *end = sr_block_terminator(sr_func_entry(l->func));
	struct sr_builder b = {.ctx = ctx, .anchor = end, .loc = end->loc};
	sr_op_set_operand(end, i, transpose(&b, sr_operand(end, i), order));
	l->out[i] = sr_operand(end, i)->type;
	sr_func_set_result_attr(ctx, l->func, i, "sdy.sharding", ordered_sharding(ctx, sr_func_result_attr(l->func, i, "sdy.sharding"), order));
}

static bool are_equal_orders(const int64_t *a, const int64_t *b, int rank)
{
	return a == b || (a && b && !memcmp(a, b, sizeof *a * (size_t)rank));
}

/* Remove the donation of an argument whose result has another order of dimensions: the result cannot use the memory in place. */
static void remove_aliases(struct module_layouts *l, int n_arguments, int n_results)
{
	static const char alias_attr[] = "tf.aliasing_output";
	for (int i = 0; i < n_arguments; i++) {
		const struct sr_attr *a = sr_func_arg_attr(l->func, i, alias_attr);
		if (!a || a->kind != SR_ATTR_INTEGER || a->i < 0 || a->i >= n_results || are_equal_orders(l->orders[i], l->orders[n_arguments + a->i], l->in[i]->rank))
			continue;
		sr_func_set_arg_attr(l->ctx, l->func, i, alias_attr, NULL);
		sr_func_set_arg_attr(l->ctx, l->func, i, "jax.buffer_donor", sr_attr_bool(l->ctx, true));
	}
}

static enum sr_status apply_modes(struct module_layouts *l, const struct sr_type *type)
{
	bool is_auto;
	struct sr_op *end = sr_block_terminator(sr_func_entry(l->func));
	enum sr_status status = SR_OK;
	for (int i = 0; !status && i < type->n_inputs; i++) {
		const struct sr_attr *mode = sr_func_arg_attr(l->func, i, mode_name);
		status = read_mode(l->ctx, l->func, mode, type->inputs[i]->rank, &l->orders[i], &is_auto);
		if (!status && l->orders[i])
			set_argument(l, i, l->orders[i]);
	}
	for (int i = 0; !status && i < type->n_results; i++) {
		const int64_t **order = &l->orders[type->n_inputs + i];
		status = read_mode(l->ctx, l->func, sr_func_result_attr(l->func, i, mode_name), type->results[i]->rank, order, &is_auto);
		if (!status && is_auto)
			*order = copy_free_order(l, sr_operand(end, i));
		if (!status && *order)
			set_result(l, i, *order);
	}
	return status;
}

enum sr_status sr_pjrt_apply_layouts(struct sr_context *ctx, struct sr_op *module, const int64_t *const **orders)
{
	enum sr_status status = SR_OK;
	struct sr_op *func = sr_find_entry_function(ctx, module, NULL, &status);
	if (status || !func || !sr_func_entry(func))
		return status;
	const struct sr_type *type = sr_func_type(func);
	int n = type->n_inputs + type->n_results;
	struct module_layouts l = {.ctx = ctx, .func = func, .in = sr_dup(ctx->arena, type->inputs, (size_t)type->n_inputs, sizeof(void *)),
			    .out = sr_dup(ctx->arena, type->results, (size_t)type->n_results, sizeof(void *)),
			    .orders = SR_NEW_ARRAY(ctx->arena, const int64_t *, n)};
	status = apply_modes(&l, type);
	if (status)
		return status;
	remove_aliases(&l, type->n_inputs, type->n_results);
	sr_func_set_type(ctx, func, sr_type_function(ctx, l.in, type->n_inputs, l.out, type->n_results));
	*orders = l.orders;
	return SR_OK;
}
