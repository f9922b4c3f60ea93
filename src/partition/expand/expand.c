/* Common functions of SPMD expansions: shardings, price, the manual computation around an expansion's body, and the table of
 * expansions by op. */
#include "partition/expand/expand.h"
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/partition.h"
#include "support/checked.h"

/* ---------------------------------------------------------------- shardings */

struct sr_axes *sr_expand_no_axes(struct sr_expansion *p, int rank)
{
	return SR_NEW_ARRAY(p->ctx->arena, struct sr_axes, rank);
}

struct sr_axes *sr_expand_tensor_axes(struct sr_expansion *p, int tensor)
{
	struct sr_arena *arena = p->ctx->arena;
	const struct sr_attr *sharding = p->v->shardings[tensor];
	int rank = sr_op_view_value(p->v, tensor)->type->rank;
	struct sr_axes *axes = sr_expand_no_axes(p, rank);
	for (int d = 0; sharding && d < rank; d++)
		axes[d] = sr_axes_resolve(arena, p->mesh, sharding->sharding->dims[d].axes);
	return axes;
}

struct sr_axes sr_expand_all_axes(struct sr_expansion *p, const struct sr_axes *axes, int rank)
{
	struct sr_axes all = {0};
	for (int d = 0; d < rank; d++)
		all = sr_axes_concat(p->ctx->arena, all, axes[d]);
	return all;
}

struct sr_axes sr_axes_after_prefix(struct sr_axes all, struct sr_axes front)
{
	struct sr_axes start = {all.refs, front.n};
	if (all.n <= front.n || !sr_axes_equal(start, front))
		return (struct sr_axes){0};
	return (struct sr_axes){all.refs + front.n, all.n - front.n};
}

int64_t sr_expand_shard_extent(int64_t extent, struct sr_axes axes)
{
	return sr_ceil_div(extent, sr_axes_size(axes));
}

const struct sr_type *sr_expand_local_type(struct sr_expansion *p, const struct sr_type *global, const struct sr_axes *axes)
{
	int64_t *shape = sr_dup(p->ctx->arena, global->shape, (size_t)global->rank, sizeof *shape);
	for (int d = 0; d < global->rank; d++)
		shape[d] = sr_expand_shard_extent(shape[d], axes[d]);
	return sr_type_with_shape(p->ctx, global, global->rank, shape);
}

static const struct sr_attr *sharding_by(struct sr_expansion *p, const struct sr_axes *axes, int rank)
{
	return sr_sharding_attr_of_axes(p->ctx, &p->v->mesh, axes, rank);
}

/* ---------------------------------------------------------------- price */

double sr_expand_type_bytes(const struct sr_type *type)
{
	double bytes = sr_dtype_bytes(type->dtype);
	for (int d = 0; d < type->rank; d++)
		bytes *= (double)type->shape[d];
	return bytes;
}

void sr_expand_cost(struct sr_expansion *p, enum sr_coll coll, double r, struct sr_axes axes, int n)
{
	p->price += sr_cost_model_collective(p->c->costs, p->mesh, coll, r, axes, n * p->latency);
}

static void add_reshard_cost(struct sr_expansion *p, struct sr_reshard_cost cost)
{
	p->price += cost.steps.bytes + p->latency * cost.steps.rounds;
}

void sr_expand_cost_reshard(struct sr_expansion *p, const struct sr_value *v, int tensor, const struct sr_axes *to)
{
	const struct sr_attr *required = sharding_by(p, to, v->type->rank);
	if (!sr_is_rematerializable(v))
		add_reshard_cost(p, sr_cost_model_reshard(p->c->costs, p->v->mesh, v->type, p->v->shardings[tensor], required));
}

void sr_expand_cost_result(struct sr_expansion *p, int result, const struct sr_axes *from)
{
	const struct sr_type *type = sr_result(p->op, result)->type;
	add_reshard_cost(p, sr_cost_model_reshard(p->c->costs, p->v->mesh, type, sharding_by(p, from, type->rank),
						  p->v->shardings[p->v->rule->n_operands + result]));
}

bool sr_expand_pays(struct sr_expansion *p)
{
	double alternative = sr_cheapest_axes_bytes(p->c, p->v);
	p->would_pay = p->price < alternative || (p->divides_work && p->price <= alternative);
	return p->would_pay && !p->query_only;
}

/* ---------------------------------------------------------------- the manual computation */

static struct sr_value *resharded(struct sr_builder *at, struct sr_value *v, const struct sr_attr *to)
{
	const struct sr_attr *has = sr_value_sharding(at->ctx, v);
	bool has_sharding = !has ? sr_sdy_sharding_is_replicated(to->sharding)
			 : has->sharding->mesh_name == to->sharding->mesh_name &&
				   sr_sdy_sharding_is_equivalent(has->sharding, to->sharding);
	return has_sharding ? v : sr_build_reshard(at, v, to);
}

static bool needs_padding(const struct sr_type *const *types, struct sr_axes *const *axes, int n)
{
	for (int i = 0; i < n; i++)
		for (int d = 0; d < types[i]->rank; d++)
			if (types[i]->shape[d] % sr_axes_size(axes[i][d]))
				return true;
	return false;
}

struct sr_value **sr_expand_begin(struct sr_expansion *p, struct sr_value *const *operands, struct sr_axes *const *axes, int n,
				  const struct sr_type *const *results, struct sr_axes *const *result_axes, int n_results)
{
	struct sr_context *ctx = p->ctx;
	struct sr_builder outer_builder = sr_builder_before(ctx, p->op);
	struct sr_value **in = SR_NEW_ARRAY(ctx->arena, struct sr_value *, n);
	const struct sr_attr **in_shardings = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, n),
			     **out_shardings = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, n_results);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, n);
	for (int i = 0; i < n; i++) {
		types[i] = operands[i]->type;
		in_shardings[i] = sharding_by(p, axes[i], types[i]->rank);
		in[i] = resharded(&outer_builder, operands[i], in_shardings[i]);
	}
	for (int i = 0; i < n_results; i++)
		out_shardings[i] = sharding_by(p, result_axes[i], results[i]->rank);
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, in_shardings, n)},
				   {SR_NAME_out_shardings, sr_attr_shardings(ctx, out_shardings, n_results)},
				   {SR_NAME_manual_axes, sr_all_axes_attr(ctx, p->mesh)}};
	outer_builder.loc = p->op->loc;
	p->manual = sr_build(&outer_builder, SR_OP_sdy_manual_computation, in, n, attrs, 3, results, n_results);
	if (needs_padding(types, axes, n) || needs_padding(results, result_axes, n_results))
		sr_op_set_attr(ctx, p->manual, SR_PADDED, sr_attr_unit(ctx));
	struct sr_block *body = sr_block_new(ctx, &p->manual->regions[0]);
	for (int i = 0; i < n; i++)
		sr_block_add_arg(ctx, body, sr_expand_local_type(p, operands[i]->type, axes[i]), p->op->loc);
	p->builder = (struct sr_builder){.ctx = ctx, .block = body, .loc = p->op->loc};
	return sr_dup(ctx->arena, body->args, (size_t)n, sizeof(struct sr_value *));
}

void sr_expand_end(struct sr_expansion *p, struct sr_value *const *locals, int n)
{
	sr_build(&p->builder, SR_OP_sdy_return, locals, n, NULL, 0, NULL, 0);
}

void sr_expand_replace(struct sr_expansion *p, struct sr_value *v, int result)
{
	struct sr_builder at = sr_builder_before(p->ctx, p->op);
	const struct sr_attr *required = sr_sharding_or_replicated(p->ctx, v, p->v->mesh);
	sr_value_replace_all(v, resharded(&at, sr_result(p->manual, result), required));
}

void sr_expand_finish(struct sr_expansion *p)
{
	sr_op_erase(p->op);
}

/* ---------------------------------------------------------------- forms */

struct sr_axes *sr_form_axes(const struct sr_form_query *q, int t)
{
	return sr_axes_by_dim(q->arena, sr_sharding_resolve(q->arena, q->mesh.mesh, q->layouts[t]->sharding));
}

struct sr_value **sr_form_begin(struct sr_expansion *p, const struct sr_form_query *q, const struct sr_attr *const *layouts)
{
	struct sr_op *op = q->op;
	struct sr_context *ctx = q->ctx;
	int n = op->n_operands;
	*p = (struct sr_expansion){.ctx = ctx, .module = q->module, .op = op, .mesh = q->mesh.mesh};
	struct sr_value **operands = SR_NEW_ARRAY(q->arena, struct sr_value *, n);
	struct sr_axes **axes = SR_NEW_ARRAY(q->arena, struct sr_axes *, n + op->n_results);
	const struct sr_type **types = SR_NEW_ARRAY(q->arena, const struct sr_type *, n + op->n_results);
	for (int i = 0; i < n + op->n_results; i++) {
		types[i] = i < n ? sr_operand(op, i)->type : sr_result(op, i - n)->type;
		axes[i] = sr_axes_by_dim(q->arena, sr_sharding_resolve(q->arena, q->mesh.mesh, layouts[i]->sharding));
	}
	for (int i = 0; i < n; i++)
		operands[i] = sr_operand(op, i);
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, layouts, n)},
				   {SR_NAME_out_shardings, sr_attr_shardings(ctx, layouts + n, op->n_results)},
				   {SR_NAME_manual_axes, sr_all_axes_attr(ctx, p->mesh)}};
	struct sr_builder before = sr_builder_before(ctx, op);
	p->manual = sr_build(&before, SR_OP_sdy_manual_computation, operands, n, attrs, 3, types + n, op->n_results);
	if (needs_padding(types, axes, n + op->n_results))
		sr_op_set_attr(ctx, p->manual, SR_PADDED, sr_attr_unit(ctx));
	struct sr_block *body = sr_block_new(ctx, &p->manual->regions[0]);
	for (int i = 0; i < n; i++)
		sr_block_add_arg(ctx, body, sr_expand_local_type(p, types[i], axes[i]), op->loc);
	p->builder = (struct sr_builder){.ctx = ctx, .block = body, .loc = op->loc};
	return sr_dup(ctx->arena, body->args, (size_t)n, sizeof(struct sr_value *));
}

void sr_form_end(struct sr_expansion *p, struct sr_value *const *locals)
{
	sr_expand_end(p, locals, p->op->n_results);
	for (int i = 0; i < p->op->n_results; i++)
		sr_value_replace_all(sr_result(p->op, i), sr_result(p->manual, i));
	sr_expand_finish(p);
}

/* ---------------------------------------------------------------- the table */

static sr_expand_fn *const forms[SR_LOCAL_COUNT] = {
	[SR_LOCAL_sort] = sr_expand_sort,
};

/* Types of less than a byte: collectives do not support them. */
static bool is_sub_byte(enum sr_dtype t)
{
	return t != SR_I1 && sr_dtypes[t].bits < 8;
}

bool sr_spmd_is_supported(const struct sr_op_view *v)
{
	for (int t = 0; t < v->n_tensors; t++)
		if (is_sub_byte(sr_op_view_value(v, t)->type->dtype))
			return false;
	return sr_expand_is_allowed(v->module, v->op);
}

/* Return true if every tensor is static and sharded on the op's mesh, and none is unreduced. */
static bool has_static_sharded_tensors(const struct sr_op_view *v)
{
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_type *type = sr_op_view_value(v, t)->type;
		const struct sr_sdy_sharding *s = v->shardings[t] ? v->shardings[t]->sharding : NULL;
		int64_t elements;
		if (type->kind != SR_TYPE_TENSOR || type->dtype == SR_DTYPE_NONE || is_sub_byte(type->dtype) ||
		    !sr_type_is_static(type) || !sr_type_elements(type, &elements) ||
		    elements == 0 || (s && (s->unreduced.n || s->rank != type->rank)))
			return false;
	}
	return true;
}

bool sr_expand_is_allowed(const struct sr_op *module, const struct sr_op *op)
{
	const struct sr_attr *replicas = sr_op_attr(module, "mhlo.num_replicas");
	return !(replicas && replicas->i > 1) && !sr_op_parent_of(op, SR_OP_sdy_manual_computation);
}

/* Return the expansion of the op; NULL if there is none for the op or at its position. */
static sr_expand_fn *form_of(const struct sr_op *module, const struct sr_op *op)
{
	return sr_expand_is_allowed(module, op) ? forms[sr_local_kind_of(op)] : NULL;
}

bool sr_expand_has_form(const struct sr_op *module, const struct sr_op *op)
{
	return form_of(module, op) != NULL;
}

bool sr_expand_op(struct sr_reshard_inserter *c, const struct sr_op_view *v)
{
	struct sr_expansion p = {.c = c, .ctx = v->ctx, .v = v, .module = v->module, .op = v->op, .mesh = v->mesh.mesh};
	sr_expand_fn *form = form_of(v->module, v->op);
	p.latency = form ? sr_cost_model_loop_latency(c->costs, v->op) : 0;
	return form && has_static_sharded_tensors(v) && form(&p);
}

bool sr_expand_would_pay(struct sr_context *ctx, struct sr_op *module, struct sr_cost_model *costs, struct sr_op *op)
{
	bool reduce = sr_local_kind_of(op) == SR_LOCAL_reduce;
	sr_expand_fn *form = reduce ? NULL : form_of(module, op);
	const struct sr_sharding_rule *rule = reduce || form ? sr_op_rule(ctx, op, false) : NULL;
	struct sr_reshard_inserter c = {.costs = costs};
	struct sr_op_view v;
	if (!rule || !sr_op_view_init(&v, ctx, module, op, rule) || !has_static_sharded_tensors(&v))
		return false;
	if (reduce)
		return sr_can_split_reduction(&v);
	struct sr_expansion p = {.c = &c, .ctx = ctx, .v = &v, .module = module, .op = op, .mesh = v.mesh.mesh, .query_only = true,
			     .latency = sr_cost_model_loop_latency(costs, op)};
	form(&p);
	return p.would_pay;
}
