/* sdy-per-instruction-partitioning: partition selected ops one by one, each inside of a manual computation, and leave the rest of
 * the module global. A debugging aid that finds the op whose partition is wrong.
 *
 *	%0 = dot %a, %b {sdy.sharding [{"x"}, {}]}    becomes    %0 = sdy.manual_computation(%a, %b) ... manual_axes={"x"} {
 *							           dot of local shapes, and collectives where it needs them }
 *
 * Each op runs through the partition passes in a module of its own. Operands with extents not divisible by their shards are
 * padded before, results are sliced after. Requires: propagation done, calls inlined. Ops inside of control flow are not
 * partitioned. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "import/import.h"
#include "partition/partition.h"
#include "support/vec.h"
#include "upstream/upstream.h"
#include "upstream/upstream_passes.h"
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- selection of ops */

/* The option `filter`: parts of op names, bounds on the position among the candidate ops, or both: "dot, pad", "selectLow=2,
 * selectHigh=7". */
struct filter {
	int64_t low, high; /* first and last position of an op in the function that is partitioned; -1: no bound */
	SR_VEC(const char *) names;
};

static struct filter read_filter(struct sr_arena *arena, const char *text)
{
	static const char low[] = "selectLow=", high[] = "selectHigh=", blanks[] = " '\"";
	struct filter f = {-1, -1, {0}};
	for (const char *at = text; *at;) {
		at += strspn(at, blanks);
		size_t n = strcspn(at, ","), end = n;
		while (end > 0 && strchr(blanks, at[end - 1]))
			end--;
		if (strncmp(at, low, sizeof low - 1) == 0)
			f.low = atoll(at + sizeof low - 1);
		else if (strncmp(at, high, sizeof high - 1) == 0)
			f.high = atoll(at + sizeof high - 1);
		else if (end > 0)
			sr_push(arena, &f.names, sr_strndup(arena, at, end));
		at += n + (at[n] == ',');
	}
	return f;
}

static bool is_selected(const struct filter *f, const struct sr_op *op, int64_t position)
{
	if ((f->low >= 0 && position < f->low) || (f->high >= 0 && position > f->high))
		return false;
	for (size_t i = 0; i < f->names.n; i++)
		if (strstr(op->info->name, f->names.data[i]))
			return true;
	return f->names.n == 0;
}

static bool is_sharded(struct sr_context *ctx, struct sr_value *v)
{
	const struct sr_attr *s = sr_value_sharding(ctx, v);
	for (int d = 0; s && d < s->sharding->rank; d++)
		if (s->sharding->dims[d].axes.n > 0)
			return true;
	return false;
}

/* Return true if `inner` is the op `data`, or if all operands of `inner` are defined inside of that op. */
static bool captures_nothing(void *data, struct sr_op *inner)
{
	const struct sr_op *op = data;
	for (int i = 0; i < inner->n_operands && inner != op; i++) {
		const struct sr_value *v = sr_operand(inner, i);
		if (!sr_op_is_ancestor(op, sr_value_owner(v)))
			return false;
	}
	return true;
}

/* Return operand i of the op or, for i >= n_operands, result i - n_operands. */
static struct sr_value *value_at(const struct sr_op *op, int i)
{
	return i < op->n_operands ? sr_operand(op, i) : sr_result(op, i - op->n_operands);
}

/* Return true if the op is a candidate: it has static types, a sharded operand or result, and no region that captures outside
 * values. Of the sdy ops only constants and reshards compute something. */
static bool is_instruction(struct sr_context *ctx, struct sr_op *op)
{
	const struct sr_attr *target = sr_op_attr(op, SR_NAME_call_target_name);
	bool own = strcmp(op->info->dialect, "sdy") == 0 && !sr_op_is(op, SR_OP_sdy_constant) && !sr_op_is(op, SR_OP_sdy_reshard);
	if (own || sr_op_has(op, SR_TERMINATOR) || (target && target->s && strcmp(target->s, "Sharding") == 0))
		return false;
	bool has_sharded_value = false;
	for (int i = 0; i < op->n_operands + op->n_results; i++) {
		struct sr_value *v = value_at(op, i);
		if (!sr_type_is_static(v->type))
			return false;
		has_sharded_value = has_sharded_value || is_sharded(ctx, v);
	}
	return has_sharded_value && sr_walk(op, captures_nothing, op);
}

/* ---------------------------------------------------------------- one op */

struct op_partition {
	struct sr_context *ctx;
	const struct sr_op *module;
	bool uses_halo;
	struct sr_op *op;
	const struct sr_sdy_sharding *any_sharding;  /* some sharding of the op's values, which names the mesh */
	const struct sr_attr **in, **out;        /* closed shardings of operands and of results */
	const struct sr_type **padded_in, **padded_out;      /* padded types of operands and of results */
};

static const struct sr_attr *sharding_of(struct op_partition *c, struct sr_value *v, bool result)
{
	const struct sr_attr *a = sr_value_sharding(c->ctx, v);
	if (!a) {
		struct sr_sdy_sharding unsharded =
			sr_sdy_replicated_sharding(c->ctx->arena, c->any_sharding->mesh_name, v->type->rank, true);
		unsharded.mesh = c->any_sharding->mesh;
		return sr_attr_sharding(c->ctx, &unsharded);
	}
	if (!result || a->sharding->unreduced.n == 0)
		return a;
	struct sr_sdy_sharding reduced_sharding = *a->sharding;
	reduced_sharding.unreduced = (struct sr_sdy_axes){0};
	return sr_attr_sharding(c->ctx, &reduced_sharding);
}

/* Round each extent up to a multiple of its shards. */
static const struct sr_type *padded_type(struct op_partition *c, const struct sr_type *type, const struct sr_attr *sharding)
{
	const struct sr_mesh *mesh = sr_sharding_mesh(c->module, sharding->sharding);
	int64_t *shape = sr_dup(c->ctx->arena, type->shape, (size_t)type->rank, sizeof *shape);
	for (int d = 0; mesh && d < type->rank && d < sharding->sharding->rank; d++) {
		int64_t n = sr_axes_size(sr_axes_resolve(c->ctx->arena, mesh, sharding->sharding->dims[d].axes));
		shape[d] = (shape[d] + n - 1) / n * n;
	}
	return sr_type_with_shape(c->ctx, type, type->rank, shape);
}

/* Give the operand and the result of a reshard the same type, with the larger of each extent. */
static void make_types_equal(struct op_partition *c)
{
	int64_t *shape = sr_dup(c->ctx->arena, c->padded_in[0]->shape, (size_t)c->padded_in[0]->rank, sizeof *shape);
	for (int d = 0; d < c->padded_in[0]->rank; d++)
		shape[d] = shape[d] > c->padded_out[0]->shape[d] ? shape[d] : c->padded_out[0]->shape[d];
	c->padded_in[0] = c->padded_out[0] = sr_type_with_shape(c->ctx, c->padded_in[0], c->padded_in[0]->rank, shape);
}

static void read_shardings(struct op_partition *c)
{
	struct sr_op *op = c->op;
	struct sr_arena *arena = c->ctx->arena;
	for (int i = 0; i < op->n_operands + op->n_results && !c->any_sharding; i++) {
		const struct sr_attr *a = sr_value_sharding(c->ctx, value_at(op, i));
		c->any_sharding = a ? a->sharding : NULL;
	}
	c->in = SR_NEW_ARRAY(arena, const struct sr_attr *, op->n_operands);
	c->padded_in = SR_NEW_ARRAY(arena, const struct sr_type *, op->n_operands);
	c->out = SR_NEW_ARRAY(arena, const struct sr_attr *, op->n_results);
	c->padded_out = SR_NEW_ARRAY(arena, const struct sr_type *, op->n_results);
	for (int i = 0; i < op->n_operands; i++) {
		c->in[i] = sharding_of(c, sr_operand(op, i), false);
		c->padded_in[i] = padded_type(c, sr_operand(op, i)->type, c->in[i]);
	}
	for (int i = 0; i < op->n_results; i++) {
		c->out[i] = sharding_of(c, sr_result(op, i), true);
		c->padded_out[i] = padded_type(c, sr_result(op, i)->type, c->out[i]);
	}
	if (sr_op_is(op, SR_OP_sdy_reshard))
		make_types_equal(c);
}

/* Return a function that contains only a copy of the op, in a new module *temp with the same meshes. */
static struct sr_op *outline(struct op_partition *c, struct sr_op **temp)
{
	struct sr_context *ctx = c->ctx;
	struct sr_op *op = c->op;
	bool reshard = sr_op_is(op, SR_OP_sdy_reshard);
	*temp = sr_module_new(ctx);
	for (struct sr_op *mesh = sr_module_body(c->module)->first; mesh; mesh = mesh->next)
		if (sr_op_is(mesh, SR_OP_sdy_mesh))
			sr_op_append(sr_module_body(*temp), sr_op_clone(ctx, mesh, NULL));
	const struct sr_type **in = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_operands);
	const struct sr_type **out = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_results);
	for (int i = 0; i < op->n_operands; i++)
		in[i] = reshard ? c->padded_in[i] : sr_operand(op, i)->type;
	for (int i = 0; i < op->n_results; i++)
		out[i] = reshard ? c->padded_out[i] : sr_result(op, i)->type;
	struct sr_named_attr attrs[] = {
		{SR_NAME_sym_name, sr_attr_string(ctx, "outlined_op", 11)},
		{SR_NAME_sym_visibility, sr_attr_string(ctx, "private", 7)},
		{SR_NAME_function_type, sr_attr_type(ctx, sr_type_function(ctx, in, op->n_operands, out, op->n_results))},
	};
	struct sr_builder b = {.ctx = ctx, .block = sr_module_body(*temp), .loc = op->loc};
	struct sr_op *func = sr_build(&b, SR_OP_func_func, NULL, 0, attrs, 3, NULL, 0);
	sr_func_set_arg_attrs(ctx, func, "sdy.sharding", c->in);
	sr_func_set_result_attrs(ctx, func, "sdy.sharding", c->out);
	b.block = sr_block_new(ctx, &func->regions[0]);
	struct sr_op *copy = sr_op_clone(ctx, op, NULL);
	for (int i = 0; i < op->n_operands; i++)
		sr_op_set_operand(copy, i, sr_block_add_arg(ctx, b.block, in[i], op->loc));
	sr_op_append(b.block, copy);
	struct sr_value **results = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_results);
	for (int i = 0; i < op->n_results; i++) {
		results[i] = sr_result(copy, i);
		results[i]->type = out[i];
	}
	sr_build(&b, SR_OP_func_return, results, op->n_results, NULL, 0, NULL, 0);
	return func;
}

static enum sr_status partition_op(struct op_partition *c, struct sr_op *temp)
{
	static const struct sr_pass *const tables[] = {sr_partition_passes, sr_upstream_passes, sr_import_passes};
	/* reshards are inserted as sdy-insert-explicit-reshards does: every reduction is a sum */
	static const char pipeline[] = "shardrun-insert-reshards{cost=false},sdy-reshard-to-collectives,"
				       "shardrun-pad,shardrun-global-to-local,sdy-drop-sharding-and-mesh";
	struct sr_pass_list *list = sr_pass_list_new(c->ctx, &(struct sr_passes){tables, sizeof tables / sizeof *tables});
	enum sr_status status = c->uses_halo ? sr_pass_list_add(list, "shardrun-emit-forms", NULL) : SR_OK;
	if (!status)
		status = sr_pass_list_parse(list, pipeline);
	return status ? status : sr_pass_list_run(list, temp, &(struct sr_pass_run){0});
}

/* ---------------------------------------------------------------- back into the module */

static struct sr_value *pad_operand(struct op_partition *c, struct sr_builder *b, int i)
{
	struct sr_value *v = sr_operand(c->op, i);
	int rank = v->type->rank;
	int64_t *no_padding = SR_NEW_ARRAY(c->ctx->arena, int64_t, rank), *high = SR_NEW_ARRAY(c->ctx->arena, int64_t, rank);
	if (c->padded_in[i] == v->type)
		return v;
	for (int d = 0; d < rank; d++)
		high[d] = c->padded_in[i]->shape[d] - v->type->shape[d];
	const struct sr_attr *zeros_attr = sr_attr_i64s(c->ctx, no_padding, rank);
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, zeros_attr},
					{SR_NAME_edge_padding_high, sr_attr_i64s(c->ctx, high, rank)},
					{SR_NAME_interior_padding, zeros_attr}};
	struct sr_value *operands[] = {v, sr_build_splat(b, sr_type_with_shape(c->ctx, v->type, 0, NULL), 0)};
	struct sr_value *pad = sr_result(sr_build(b, SR_OP_stablehlo_pad, operands, 2, attrs, 3, &c->padded_in[i], 1), 0);
	sr_value_set_sharding(c->ctx, pad, c->in[i]);
	return pad;
}

static struct sr_value *slice_result(struct op_partition *c, struct sr_builder *b, struct sr_value *v, int i)
{
	const struct sr_type *type = sr_result(c->op, i)->type;
	int64_t *start = SR_NEW_ARRAY(c->ctx->arena, int64_t, type->rank), *ones = SR_NEW_ARRAY(c->ctx->arena, int64_t, type->rank);
	if (v->type == type)
		return v;
	for (int d = 0; d < type->rank; d++)
		ones[d] = 1;
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(c->ctx, start, type->rank)},
				   {SR_NAME_limit_indices, sr_attr_i64s(c->ctx, type->shape, type->rank)},
				   {SR_NAME_strides, sr_attr_i64s(c->ctx, ones, type->rank)}};
	struct sr_value *slice = sr_result(sr_build(b, SR_OP_stablehlo_slice, &v, 1, attrs, 3, &type, 1), 0);
	sr_value_set_sharding(c->ctx, slice, c->out[i]);
	return slice;
}

typedef SR_VEC(struct sr_sdy_axis) axis_refs;

/* Append the names of the axes that are not in `out` yet. */
static void add_axes(struct op_partition *c, axis_refs *out, struct sr_sdy_axes axes)
{
	for (int i = 0; i < axes.n; i++) {
		bool is_listed = false;
		for (size_t k = 0; k < out->n; k++)
			is_listed = is_listed || out->data[k].axis == axes.refs[i].axis;
		if (!is_listed)
			sr_push(c->ctx->arena, out, (struct sr_sdy_axis){axes.refs[i].axis, 1, 0});
	}
}

static const struct sr_attr *manual_axes(struct op_partition *c)
{
	axis_refs out = {0};
	for (int i = 0; i < c->op->n_operands + c->op->n_results; i++) {
		const struct sr_attr *a = i < c->op->n_operands ? c->in[i] : c->out[i - c->op->n_operands];
		for (int d = 0; d < a->sharding->rank; d++)
			add_axes(c, &out, a->sharding->dims[d].axes);
		add_axes(c, &out, a->sharding->replicated);
		add_axes(c, &out, a->sharding->unreduced);
	}
	return sr_attr_axes(c->ctx, out.data, (int)out.n);
}

static void replace_by_manual_computation(struct op_partition *c, struct sr_op *func)
{
	struct sr_context *ctx = c->ctx;
	struct sr_op *op = c->op;
	struct sr_builder b = {.ctx = ctx, .anchor = op, .loc = op->loc};
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_operands);
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = pad_operand(c, &b, i);
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, c->in, op->n_operands)},
				   {SR_NAME_out_shardings, sr_attr_shardings(ctx, c->out, op->n_results)},
				   {SR_NAME_manual_axes, manual_axes(c)}};
	struct sr_op *manual_op = sr_build(&b, SR_OP_sdy_manual_computation, operands, op->n_operands, attrs, 3, c->padded_out,
					   op->n_results);
	sr_region_take(&manual_op->regions[0], &func->regions[0]);
	struct sr_op *end = sr_block_terminator(manual_op->regions[0].first);
	struct sr_builder body_builder = {.ctx = ctx, .anchor = end, .loc = end->loc};
	struct sr_value **yielded_values = SR_NEW_ARRAY(ctx->arena, struct sr_value *, end->n_operands);
	for (int i = 0; i < end->n_operands; i++)
		yielded_values[i] = sr_operand(end, i);
	sr_build(&body_builder, SR_OP_sdy_return, yielded_values, end->n_operands, NULL, 0, NULL, 0);
	sr_op_erase(end);
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), slice_result(c, &b, sr_result(manual_op, i), i));
	sr_op_erase(op);
}

enum sr_status sr_partition_instructions(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct filter filter = read_filter(ctx->arena, sr_option_string(options, "filter"));
	SR_VEC(struct sr_op *) chosen = {0};
	int64_t position = 0;
	for (struct sr_op *func = sr_module_body(module)->first; func; func = func->next) {
		struct sr_block *body = sr_op_is(func, SR_OP_func_func) ? sr_func_entry(func) : NULL;
		for (struct sr_op *op = body ? body->first : NULL; op; op = op->next)
			if (is_instruction(ctx, op) && is_selected(&filter, op, position++))
				sr_push(ctx->arena, &chosen, op);
	}
	for (size_t i = 0; i < chosen.n; i++) {
		struct op_partition c = {.ctx = ctx, .module = module, .uses_halo = sr_option_bool(options, "enable-halo-exchange"),
				.op = chosen.data[i]};
		struct sr_op *temp;
		read_shardings(&c);
		struct sr_op *func = outline(&c, &temp);
		enum sr_status status = partition_op(&c, temp);
		if (status)
			return status;
		replace_by_manual_computation(&c, func);
	}
	return SR_OK;
}
