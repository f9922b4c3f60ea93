/* Find meshes, and read and set the shardings of values, wherever Shardy stores them. */
#include "dialect/ops.h"
#include "dialect/signature.h"
#include <string.h>

const struct sr_mesh *sr_op_mesh(const struct sr_op *op)
{
	const struct sr_attr *a = sr_op_is(op, SR_OP_sdy_mesh) ? sr_op_attr(op, "mesh") : NULL;
	return a ? a->mesh : NULL;
}

static struct sr_op *first_module_op(const struct sr_op *module)
{
	return module && module->regions[0].first ? module->regions[0].first->first : NULL;
}

struct sr_op *sr_first_mesh_op(const struct sr_op *module)
{
	struct sr_op *op = first_module_op(module);
	while (op && !(sr_op_mesh(op) && sr_op_mesh(op)->n_axes))
		op = op->next;
	return op;
}

const struct sr_mesh *sr_first_mesh(const struct sr_op *module)
{
	const struct sr_op *op = sr_first_mesh_op(module);
	return op ? sr_op_mesh(op) : NULL;
}

const struct sr_mesh *sr_mesh_find(const struct sr_op *module, const char *name)
{
	for (struct sr_op *op = name ? first_module_op(module) : NULL; op; op = op->next) {
		const struct sr_mesh *mesh = sr_op_mesh(op);
		const char *symbol = mesh ? sr_symbol_name(op) : NULL;
		if (symbol && strcmp(symbol, name) == 0)
			return mesh;
	}
	return NULL;
}

const struct sr_mesh *sr_mesh_of(const struct sr_op *module, const struct sr_mesh *mesh, const char *name)
{
	return mesh ? mesh : sr_mesh_find(module, name);
}

const struct sr_mesh *sr_sharding_mesh(const struct sr_op *module, const struct sr_sdy_sharding *s)
{
	return sr_mesh_of(module, s->mesh, s->mesh_name);
}

/* ---------------------------------------------------------------- location of a value's sharding */

/* Return the owner of a data-flow edge, given one of its targets: for a loop or branch the op's result; for an op with a body
 * and in/out shardings the target itself. */
static struct sr_value *edge_owner(const struct sr_value *target, const struct sr_op *op)
{
	struct sr_value *same_value = (struct sr_value *)(uintptr_t)target;
	if (target->def || sr_op_is(op, SR_OP_sdy_manual_computation) || sr_op_is(op, SR_OP_sdy_named_computation))
		return same_value;
	return target->index < op->n_results ? sr_result(op, target->index) : NULL;
}

/* Return the result of the sdy.data_flow_edge whose operand is `owner`; NULL if there is none. A value with an sdy.data_flow_edge
 * has no other use. */
static struct sr_value *edge_result(const struct sr_value *owner)
{
	struct sr_use *use = owner ? owner->uses : NULL;
	return use && !use->next && sr_op_is(use->owner, SR_OP_sdy_data_flow_edge) ? sr_result(use->owner, 0) : NULL;
}

struct sr_value *sr_value_before_barriers(const struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_sdy_propagation_barrier))
		v = sr_operand(v->def, 0);
	return (struct sr_value *)(uintptr_t)v;
}

struct sr_value *sr_shardable_value(const struct sr_value *v)
{
	const struct sr_op *op = sr_value_owner(v);
	struct sr_value *same_value = (struct sr_value *)(uintptr_t)v;
	if (sr_op_has(op, SR_DATA_FLOW_EDGE)) {
		struct sr_value *owner = edge_owner(v, op), *edge = edge_result(owner);
		return edge ? edge : v->def ? same_value : owner;
	}
	if (v->def || sr_op_is(op, SR_OP_func_func))
		return same_value;
	if (sr_op_is(op, SR_OP_stablehlo_async_start) && v->index < op->n_operands)
		return sr_shardable_value(sr_operand(op, v->index));
	return NULL;
}

/* An attribute that stores a sharding. */
struct attr_location {
	const char *name;
	bool is_list; /* true if the attribute has one entry per value, false if it is the sharding of one value */
};

static struct attr_location sharding_attr_location(const struct sr_op *op, const struct sr_value *v)
{
	if (sr_op_is(op, SR_OP_sdy_data_flow_edge) || sr_op_is(op, SR_OP_sdy_sharding_constraint) ||
	    sr_op_is(op, SR_OP_sdy_reshard))
		return (struct attr_location){"sharding", false};
	if (sr_op_has(op, SR_COLLECTIVE) && sr_attr_is_inherent(op, "out_sharding"))
		return (struct attr_location){"out_sharding", false};
	if (sr_op_is(op, SR_OP_sdy_manual_computation) || sr_op_is(op, SR_OP_sdy_named_computation))
		return (struct attr_location){v->def ? "out_shardings" : "in_shardings", true};
	return (struct attr_location){"sdy.sharding", true};
}

static bool is_manual_argument(const struct sr_op *op, const struct sr_value *v)
{
	return !v->def && sr_op_is(op, SR_OP_sdy_manual_computation);
}

static bool is_manual(const struct sr_sdy_axes *manual_axes, const char *axis)
{
	for (int i = 0; i < manual_axes->n; i++)
		if (manual_axes->refs[i].axis == axis)
			return true;
	return false;
}

/* Return the axes of `a` that refer to manual axes if selects_manual is true, and the other axes of `a` otherwise. */
static struct sr_sdy_axes select_axes(struct sr_context *ctx, struct sr_sdy_axes a, const struct sr_sdy_axes *manual,
				      bool selects_manual)
{
	struct sr_sdy_axis *refs = SR_NEW_ARRAY(ctx->arena, struct sr_sdy_axis, a.n);
	int n = 0;
	for (int i = 0; i < a.n; i++)
		if (is_manual(manual, a.refs[i].axis) == selects_manual)
			refs[n++] = a.refs[i];
	return (struct sr_sdy_axes){refs, n};
}

static struct sr_sdy_axes concatenate_axes(struct sr_context *ctx, struct sr_sdy_axes a, struct sr_sdy_axes b)
{
	struct sr_sdy_axis *refs = SR_NEW_ARRAY(ctx->arena, struct sr_sdy_axis, a.n + b.n);
	for (int i = 0; i < a.n + b.n; i++)
		refs[i] = i < a.n ? a.refs[i] : b.refs[i - a.n];
	return (struct sr_sdy_axes){refs, a.n + b.n};
}

const struct sr_attr *sr_sharding_without_axes(struct sr_context *ctx, const struct sr_attr *sharding, const struct sr_attr *manual)
{
	if (manual->axes->n == 0)
		return sharding;
	struct sr_sdy_sharding s = *sharding->sharding;
	struct sr_sdy_dim *dims = sr_dup(ctx->arena, s.dims, (size_t)s.rank, sizeof *dims);
	for (int i = 0; i < s.rank; i++)
		dims[i].axes = select_axes(ctx, dims[i].axes, manual->axes, false);
	s.dims = dims;
	s.replicated = select_axes(ctx, s.replicated, manual->axes, false);
	s.unreduced = select_axes(ctx, s.unreduced, manual->axes, false);
	return sr_attr_sharding(ctx, &s);
}

/* Return the manual axes of the outer sharding followed by the free axes of the inner one. */
const struct sr_attr *sr_sharding_with_axes(struct sr_context *ctx, const struct sr_attr *outer, const struct sr_attr *inner,
					    const struct sr_attr *manual)
{
	struct sr_sdy_sharding s = *inner->sharding;
	const struct sr_sdy_sharding *o = outer->sharding;
	struct sr_sdy_dim *dims = sr_dup(ctx->arena, s.dims, (size_t)s.rank, sizeof *dims);
	for (int i = 0; i < s.rank && i < o->rank; i++)
		dims[i].axes = concatenate_axes(ctx, select_axes(ctx, o->dims[i].axes, manual->axes, true), dims[i].axes);
	s.dims = dims;
	s.replicated = o->replicated;
	s.unreduced = o->unreduced;
	s.unreduced_kind = o->unreduced_kind;
	return sr_attr_sharding(ctx, &s);
}

const struct sr_attr *sr_value_sharding(struct sr_context *ctx, const struct sr_value *value)
{
	const struct sr_value *v = sr_shardable_value(value);
	if (!v)
		return NULL;
	const struct sr_op *op = sr_value_owner(v);
	if (sr_op_is(op, SR_OP_func_func))
		return sr_func_arg_attr(op, v->index, "sdy.sharding");
	struct attr_location location = sharding_attr_location(op, v);
	const struct sr_attr *a = sr_op_attr(op, location.name);
	if (!a || !location.is_list)
		return a && a->kind == SR_ATTR_SHARDING ? a : NULL;
	if (a->kind != SR_ATTR_SHARDINGS || v->index >= a->n)
		return NULL;
	if (is_manual_argument(op, v))
		return sr_sharding_without_axes(ctx, a->list[v->index], sr_op_attr(op, "manual_axes"));
	return a->list[v->index];
}

static const struct sr_attr *open_sharding(struct sr_context *ctx, const struct sr_type *t, const struct sr_attr *mesh_source)
{
	struct sr_sdy_sharding s = {.mesh_name = mesh_source->sharding->mesh_name, .mesh = mesh_source->sharding->mesh};
	s.rank = t->kind == SR_TYPE_TENSOR ? t->rank : 0;
	struct sr_sdy_dim *dims = SR_NEW_ARRAY(ctx->arena, struct sr_sdy_dim, s.rank);
	for (int i = 0; i < s.rank; i++)
		dims[i].priority = -1;
	s.dims = dims;
	return sr_attr_sharding(ctx, &s);
}

/* Return a list of shardings, one per value, in which entry `index` is `sharding`, and other entries are those of old_list or,
 * where that has none, open shardings. */
static const struct sr_attr *set_list_entry(struct sr_context *ctx, const struct sr_attr *old_list,
					    const struct sr_value *const *values, int n, int index, const struct sr_attr *sharding)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, n);
	for (int i = 0; i < n; i++)
		list[i] = i == index			? sharding
			  : old_list && i < old_list->n ? old_list->list[i]
							: open_sharding(ctx, values[i]->type, sharding);
	return sr_attr_shardings(ctx, list, n);
}

/* Return the values whose shardings are in one list: the op's results, or the arguments of its body. */
static const struct sr_value **values_in_same_list(struct sr_context *ctx, const struct sr_value *v, const struct sr_op *op, int *n)
{
	*n = v->def ? op->n_results : v->block->n_args;
	const struct sr_value **values = SR_NEW_ARRAY(ctx->arena, const struct sr_value *, *n);
	for (int i = 0; i < *n; i++)
		values[i] = v->def ? sr_result(op, i) : v->block->args[i];
	return values;
}

void sr_value_set_sharding(struct sr_context *ctx, struct sr_value *value, const struct sr_attr *sharding)
{
	const struct sr_value *v = sr_shardable_value(value);
	if (!v)
		return;
	struct sr_op *op = sr_value_owner(v);
	if (sr_op_is(op, SR_OP_func_func)) {
		sr_func_set_arg_attr(ctx, op, v->index, "sdy.sharding", sharding);
		return;
	}
	struct attr_location location = sharding_attr_location(op, v);
	if (!sharding || !location.is_list) {
		sr_op_set_attr(ctx, op, location.name, sharding);
		return;
	}
	int n;
	const struct sr_attr *old_list = sr_op_attr(op, location.name);
	const struct sr_value **values = values_in_same_list(ctx, v, op, &n);
	if (is_manual_argument(op, v) && old_list && v->index < old_list->n)
		sharding = sr_sharding_with_axes(ctx, old_list->list[v->index], sharding, sr_op_attr(op, "manual_axes"));
	sr_op_set_attr(ctx, op, location.name, set_list_entry(ctx, old_list, values, n, v->index, sharding));
}

const struct sr_attr *sr_sharding_attr(struct sr_context *ctx, const struct sr_mesh *mesh, const struct sr_sharding *s)
{
	return sr_attr_sharding(ctx, sr_sharding_to_sdy(ctx->scratch, mesh, s));
}

const struct sr_attr *sr_result_sharding_of_func(const struct sr_op *func, int result)
{
	return sr_func_result_attr(func, result, "sdy.sharding");
}

/* ---------------------------------------------------------------- printing, also for messages */

void sr_print_string(struct sr_buf *out, const char *s)
{
	size_t n = sr_interned_length(s);
	sr_buf_putc(out, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c == '\\')
			sr_buf_puts(out, "\\\\");
		else if (c >= 0x20 && c < 0x7f && c != '"')
			sr_buf_putc(out, (char)c);
		else
			sr_buf_printf(out, "\\%02X", c);
	}
	sr_buf_putc(out, '"');
}

void sr_print_mesh(struct sr_buf *out, const struct sr_mesh *mesh)
{
	sr_buf_puts(out, "<[");
	for (int i = 0; i < mesh->n_axes; i++) {
		if (i)
			sr_buf_puts(out, ", ");
		sr_print_string(out, mesh->axes[i].name);
		sr_buf_printf(out, "=%lld", (long long)mesh->axes[i].size);
	}
	sr_buf_putc(out, ']');
	for (int i = 0; mesh->device_ids && i < mesh->n_device_ids; i++) {
		sr_buf_puts(out, i ? ", " : ", device_ids=[");
		sr_buf_int(out, mesh->device_ids[i]);
	}
	sr_buf_puts(out, mesh->device_ids && mesh->n_device_ids ? "]>" : ">");
}
