/* shardrun-global-to-local: give every value its local type, turn sdy collectives into stablehlo collectives, inline manual
 * computations.
 *
 *	%0 = stablehlo.add %arg0, %arg0 {sdy.sharding = <[<@mesh, [{"x"}]>]>} : tensor<8xf32>        mesh <["x"=4]>
 *	%0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
 *
 * Requires: shardings of operands and results agree with each op's rule, extents divisible by their shards, calls inlined or
 * with agreeing shardings. Leaves: no sdy op but meshes, no sharding but on the arguments and results of functions, whose global
 * types are kept as `shardrun.global_type`. Cost: linear in the module. Upstream's pass, sdy-convert-global-to-local, is
 * upstream/upstream_local.c, on the same walk (struct sr_local_upstream). */
#include "partition/device_coordinate.h"
#include "dialect/attr_names.h"
#include "partition/local/local.h"
#include "partition/partition.h"
#include "partition/partition_passes.h"
#include "support/vec.h"

#ifdef SR_FAULTS
void sr_fault_inject(struct sr_local *l, struct sr_op *op); /* injects a fault for `make check-faults` (tests/faults/fault.c) */
#endif

/* ---- functions that the rewrites share ---- */

const struct sr_local_value *sr_local_find(const struct sr_local *l, const struct sr_value *v)
{
	return sr_map_get(&l->values, v);
}

struct sr_axes sr_local_axes(const struct sr_local *l, const struct sr_value *v, int dim)
{
	const struct sr_local_value *info = sr_local_find(l, v);
	if (!info || !info->sharding || dim >= info->sharding->rank)
		return (struct sr_axes){0};
	return sr_axes_resolve(l->ctx->scratch, info->mesh, info->sharding->dims[dim].axes);
}

int64_t sr_local_shards(const struct sr_local *l, const struct sr_value *v, int dim)
{
	return sr_axes_size(sr_local_axes(l, v, dim));
}

static struct sr_value *build_scalar(struct sr_local *l, enum sr_dtype type, int64_t value)
{
	return sr_build_splat(&l->builder, sr_type_tensor(l->ctx, type, 0, NULL), (double)value);
}

struct sr_value *sr_local_lookup(struct sr_local *l, const int64_t *table, enum sr_dtype type)
{
	return sr_device_lookup(&l->builder, table, sr_mesh_devices(l->mesh), type, NULL);
}

enum sr_dtype sr_local_index_type(int64_t extent)
{
	return extent > INT32_MAX ? SR_I64 : SR_I32;
}

static struct sr_value *computed_offset(struct sr_local *l, struct sr_axes axes, int64_t unit, enum sr_dtype type)
{
	struct sr_value *v = sr_device_coordinate(&l->builder, l->mesh, axes);
	const struct sr_type *scalar = sr_type_tensor(l->ctx, type, 0, NULL);
	v = sr_result(sr_build(&l->builder, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &scalar, 1), 0);
	if (unit == 1)
		return v;
	struct sr_value *factors[] = {v, build_scalar(l, type, unit)};
	return sr_result(sr_build(&l->builder, SR_OP_stablehlo_multiply, factors, 2, NULL, 0, &scalar, 1), 0);
}

struct sr_value *sr_local_offset_of_type(struct sr_local *l, struct sr_axes axes, int64_t unit, enum sr_dtype type)
{
	if (sr_axes_size(axes) <= 1)
		return build_scalar(l, type, 0);
	int64_t n = sr_mesh_devices(l->mesh);
	if (n > l->max_listed)
		return computed_offset(l, axes, unit, type);
	int64_t *table = SR_NEW_ARRAY(l->ctx->scratch, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		table[i] = sr_mesh_coordinate_along(l->mesh, i, axes) * unit;
	return sr_local_lookup(l, table, type);
}

struct sr_value *sr_local_offset(struct sr_local *l, struct sr_axes axes, int64_t unit)
{
	return sr_local_offset_of_type(l, axes, unit, sr_local_index_type(unit * sr_axes_size(axes)));
}

struct sr_value *sr_local_slice_along(struct sr_local *l, struct sr_value *v, int dim, struct sr_axes axes)
{
	int rank = v->type->rank;
	int64_t *shape = sr_dup(l->ctx->scratch, v->type->shape, (size_t)rank, sizeof *shape);
	struct sr_value **operands = SR_NEW_ARRAY(l->ctx->scratch, struct sr_value *, rank + 1), *zero;
	shape[dim] /= sr_axes_size(axes);
	zero = build_scalar(l, sr_local_index_type(v->type->shape[dim]), 0);
	operands[0] = v;
	for (int d = 0; d < rank; d++)
		operands[d + 1] = d == dim ? sr_local_offset(l, axes, shape[dim]) : zero;
	const struct sr_type *type = sr_type_with_shape(l->ctx, v->type, rank, shape);
	struct sr_named_attr sizes = {SR_NAME_slice_sizes, sr_attr_i64s(l->ctx, shape, rank)};
	return sr_result(sr_build(&l->builder, SR_OP_stablehlo_dynamic_slice, operands, rank + 1, &sizes, 1, &type, 1), 0);
}

void sr_local_set_ints(struct sr_local *l, struct sr_op *op, const char *name, const int64_t *v, int64_t n)
{
	sr_op_set_attr(l->ctx, op, name, sr_attr_i64s(l->ctx, v, n));
}

void sr_local_replace(struct sr_local *l, struct sr_op *op, struct sr_value *const *replacements)
{
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_local_value *info = sr_local_find(l, sr_result(op, i));
		if (info && !sr_local_find(l, replacements[i]))
			sr_map_put(&l->values, replacements[i], (void *)(uintptr_t)info);
		sr_value_replace_all(sr_result(op, i), replacements[i]);
	}
	sr_op_erase(op);
}

/* ---- the LOCAL column ---- */

/* Rewriting function for each value of the LOCAL column; NULL: ops of this value need only local types. */
static sr_local_fn *const rewrites[SR_LOCAL_COUNT] = {
	[SR_LOCAL_all_gather] = sr_local_all_gather,
	[SR_LOCAL_all_reduce] = sr_local_all_reduce,
	[SR_LOCAL_all_slice] = sr_local_all_slice,
	[SR_LOCAL_all_to_all] = sr_local_all_to_all,
	[SR_LOCAL_collective_permute] = sr_local_collective_permute,
	[SR_LOCAL_reduce_scatter] = sr_local_reduce_scatter,
	[SR_LOCAL_replicated_to_unreduced] = sr_local_replicated_to_unreduced,
	[SR_LOCAL_sharded_to_unreduced] = sr_local_sharded_to_unreduced,
	[SR_LOCAL_constant] = sr_local_constant,
	[SR_LOCAL_convolution] = sr_local_convolution,
	[SR_LOCAL_drop] = sr_local_drop,
	[SR_LOCAL_dynamic_slice] = sr_local_slice_sizes,
	[SR_LOCAL_gather] = sr_local_slice_sizes,
	[SR_LOCAL_iota] = sr_local_iota,
	[SR_LOCAL_pad] = sr_local_pad,
	[SR_LOCAL_reduce_window] = sr_local_reduce_window,
	[SR_LOCAL_slice] = sr_local_slice,
	[SR_LOCAL_probe] = sr_local_probe,
};

/* ---- types ---- */

struct type_setting {
	struct sr_local *l;
	enum sr_status status;
};

/* Return the value's sharding, or NULL if it has no mesh or the value has rank 0. *mesh: the sharding's mesh. */
static const struct sr_sdy_sharding *sharding_on_mesh(struct sr_local *l, const struct sr_attr *a, const struct sr_mesh **mesh)
{
	*mesh = a && a->sharding && a->sharding->rank ? sr_sharding_mesh(l->module, a->sharding) : NULL;
	return *mesh ? a->sharding : NULL;
}

static const struct sr_type *local_type(struct type_setting *c, struct sr_op *op, const struct sr_type *global_type,
					const struct sr_sdy_sharding *s, const struct sr_mesh *mesh)
{
	struct sr_local *l = c->l;
	if (!s || global_type->kind != SR_TYPE_TENSOR)
		return global_type;
	int64_t *shape = sr_dup(l->ctx->scratch, global_type->shape, (size_t)global_type->rank, sizeof *shape);
	for (int d = 0; d < global_type->rank && d < s->rank; d++) {
		int64_t shards = sr_sdy_dim_shards(s, mesh, d);
		if (shape[d] % shards && !c->status)
			c->status = sr_op_error(op, &l->ctx->diags, SR_INTERNAL,
						"has dimension %d of extent %lld on %lld shards; it was not padded", d,
						(long long)shape[d], (long long)shards);
		shape[d] /= shards;
	}
	return sr_type_with_shape(l->ctx, global_type, global_type->rank, shape);
}

static void note_value(struct type_setting *c, struct sr_op *op, struct sr_value *v)
{
	struct sr_local_value *info = SR_NEW(c->l->ctx->scratch, struct sr_local_value);
	info->global_type = v->type;
	info->sharding = sharding_on_mesh(c->l, sr_value_sharding(c->l->ctx, v), &info->mesh);
	info->local_type = local_type(c, op, v->type, info->sharding, info->mesh);
	sr_map_put(&c->l->values, v, info);
}

static bool note_op(void *data, struct sr_op *op)
{
	struct type_setting *c = data;
	for (int i = 0; i < op->n_results; i++)
		note_value(c, op, sr_result(op, i));
	/* Block arguments of reductions, sorts and similar ops have no sharding, and their type does not change. */
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *block = op->regions[r].first; block; block = block->next)
			for (int i = 0; i < block->n_args; i++)
				note_value(c, op, block->args[i]);
	return !c->status;
}

static const struct sr_type *result_type(struct type_setting *c, struct sr_op *func, const struct sr_type *global_type, int i)
{
	const struct sr_mesh *mesh;
	const struct sr_sdy_sharding *s = sharding_on_mesh(c->l, sr_func_result_attr(func, i, "sdy.sharding"), &mesh);
	return local_type(c, func, global_type, s, mesh);
}

void sr_func_keep_global_types(struct sr_context *ctx, struct sr_op *func)
{
	const struct sr_type *t = sr_func_type(func);
	const struct sr_attr **in = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, t->n_inputs),
			     **out = SR_NEW_ARRAY(ctx->scratch, const struct sr_attr *, t->n_results);
	for (int i = 0; i < t->n_inputs; i++)
		in[i] = sr_func_arg_attr(func, i, SR_GLOBAL_TYPE) ? NULL : sr_attr_type(ctx, t->inputs[i]);
	for (int i = 0; i < t->n_results; i++)
		out[i] = sr_func_result_attr(func, i, SR_GLOBAL_TYPE) ? NULL : sr_attr_type(ctx, t->results[i]);
	sr_func_set_arg_attrs(ctx, func, SR_GLOBAL_TYPE, in);
	sr_func_set_result_attrs(ctx, func, SR_GLOBAL_TYPE, out);
}

static void convert_func(struct type_setting *c, struct sr_op *func)
{
	struct sr_context *ctx = c->l->ctx;
	const struct sr_type *t = sr_func_type(func);
	struct sr_block *entry = sr_func_entry(func);
	const struct sr_type **in = SR_NEW_ARRAY(ctx->scratch, const struct sr_type *, t->n_inputs),
			     **out = SR_NEW_ARRAY(ctx->scratch, const struct sr_type *, t->n_results);
	for (int i = 0; i < t->n_inputs; i++)
		in[i] = entry ? sr_local_find(c->l, entry->args[i])->local_type : t->inputs[i];
	for (int i = 0; i < t->n_results; i++)
		out[i] = result_type(c, func, t->results[i], i);
	if (!c->l->upstream)
		sr_func_keep_global_types(ctx, func);
	sr_func_set_type(ctx, func, sr_type_function(ctx, in, t->n_inputs, out, t->n_results));
}

static void set_types(struct sr_local *l)
{
	for (size_t i = 0; i < l->values.n; i++) {
		struct sr_value *v = (struct sr_value *)(uintptr_t)l->values.entries[i].key;
		if (v)
			v->type = ((struct sr_local_value *)l->values.entries[i].value)->local_type;
	}
}

/* ---- ops ---- */

/* Move the body of a manual computation before the op: operands replace its arguments, returned values the op's results. */
static void inline_manual(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_block *body = op->regions[0].first;
	struct sr_op *end = sr_block_terminator(body);
	struct sr_value **replacements = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, op->n_results);
	for (int i = 0; i < body->n_args; i++)
		sr_value_replace_all(body->args[i], sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		replacements[i] = sr_operand(end, i);
	for (struct sr_op *inner = body->first, *next; inner && inner != end; inner = next) {
		next = inner->next;
		sr_op_move_before(inner, op);
	}
	sr_op_erase(end);
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), replacements[i]);
	sr_op_erase(op);
}

struct ops {
	struct sr_arena *arena;
	SR_VEC(struct sr_op *) list;
};

static bool collect_op(void *data, struct sr_op *op)
{
	struct ops *ops = data;
	sr_push(ops->arena, &ops->list, op);
	return true;
}

/* Return the mesh of an op: of its out_sharding if it is a collective, else of a result or operand. */
static const struct sr_mesh *mesh_of(const struct sr_local *l, const struct sr_op *op)
{
	const struct sr_attr *out = sr_op_attr(op, SR_NAME_out_sharding);
	const struct sr_mesh *mesh = out && out->kind == SR_ATTR_SHARDING ? sr_sharding_mesh(l->module, out->sharding) : NULL;
	for (int i = 0; i < op->n_results + op->n_operands && !mesh; i++) {
		const struct sr_local_value *info =
			sr_local_find(l, i < op->n_results ? sr_result(op, i) : sr_operand(op, i - op->n_results));
		mesh = info ? info->mesh : NULL;
	}
	return mesh;
}

static enum sr_status rewrite(struct sr_local *l, struct sr_op *op, sr_local_fn *const *table)
{
	l->op = op;
	l->mesh = mesh_of(l, op);
	l->builder = (struct sr_builder){.ctx = l->ctx, .anchor = op, .loc = op->loc};
	if (!l->upstream && !sr_op_is(op, SR_OP_func_func))
		sr_op_remove_attr(l->ctx, op, "sdy.sharding");
	sr_local_fn *rewriting = table[sr_local_kind_of(op)];
	return rewriting ? rewriting(l, op) : SR_OK;
}

enum sr_status sr_local_rewrite_module(struct sr_local *l, sr_local_fn *const *table)
{
	struct sr_context *ctx = l->ctx;
	struct type_setting c = {.l = l};
	struct ops ops = {.arena = ctx->scratch};
	sr_map_init(&l->values, ctx->scratch);
	sr_walk(l->module, note_op, &c);
	for (struct sr_op *op = sr_module_body(l->module)->first; op && !c.status; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			convert_func(&c, op);
	if (c.status)
		return c.status;
	set_types(l);
	sr_walk(l->module, collect_op, &ops);
	for (size_t i = 0; i < ops.list.n; i++) {
#ifdef SR_FAULTS
		sr_fault_inject(l, ops.list.data[i]);
#endif
		enum sr_status status = rewrite(l, ops.list.data[i], table);
		if (status)
			return status;
	}
	/* The outermost op comes first: inner ops have already been rewritten and move unchanged. */
	for (size_t i = 0; i < ops.list.n; i++)
		if (sr_op_is(ops.list.data[i], SR_OP_sdy_manual_computation))
			inline_manual(ctx, ops.list.data[i]);
	return SR_OK;
}

enum sr_status sr_localize(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_local l = {.ctx = ctx, .module = module, .n_replicas = 1};
	const struct sr_attr *replicas = sr_op_attr(module, "mhlo.num_replicas");
	l.groups_by_axes = sr_option_bool(options, "enable-rgv3");
	l.max_listed = sr_option_int(options, "max-listed-devices");
	l.n_replicas = replicas && replicas->i > 0 ? replicas->i : 1;
	return sr_local_rewrite_module(&l, rewrites);
}
