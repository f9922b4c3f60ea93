/* Builder of sdy collectives. A table lists for each op the attribute that holds its axes, and the attribute's format. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/collective.h"
#include <string.h>

enum axes_attr_form { SINGLE_LIST, LIST_PER_DIM, PARAMS };

static const struct row {
	enum sr_op_code code;
	const char *axes; /* name of the attribute with the axes; NULL: the op has none */
	enum axes_attr_form form;
	bool is_reduction;
} rows[] = {
	{SR_OP_sdy_all_gather, SR_NAME_gathering_axes, LIST_PER_DIM, false},
	{SR_OP_sdy_all_reduce, SR_NAME_reduction_axes, SINGLE_LIST, true},
	{SR_OP_sdy_all_slice, SR_NAME_slicing_axes, LIST_PER_DIM, false},
	{SR_OP_sdy_all_to_all, SR_NAME_params, PARAMS, false},
	{SR_OP_sdy_collective_permute, NULL, SINGLE_LIST, false},
	{SR_OP_sdy_reduce_scatter, SR_NAME_reduce_scatter_axes, LIST_PER_DIM, true},
	{SR_OP_sdy_replicated_to_unreduced, SR_NAME_axes, SINGLE_LIST, false},
	{SR_OP_sdy_sharded_to_unreduced, SR_NAME_axes, LIST_PER_DIM, false},
};

static const struct row *row_of(enum sr_op_code code)
{
	const struct row *row = rows;
	while (row->code != code)
		row++;
	return row;
}

bool sr_collective_reduces(enum sr_op_code code)
{
	return row_of(code)->is_reduction;
}

enum sr_unreduced_kind sr_collective_kind(const struct sr_op *reduction)
{
	return (enum sr_unreduced_kind)sr_op_int(reduction, SR_NAME_reduction_op, SR_UNREDUCED_SUM);
}

static const struct sr_attr *axes_attr(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_sdy_axes axes_as_written = sr_axes_to_sdy(ctx->scratch, mesh, axes);
	return sr_attr_axes(ctx, axes_as_written.refs, axes_as_written.n);
}

const struct sr_attr *sr_all_axes_attr(struct sr_context *ctx, const struct sr_mesh *mesh)
{
	struct sr_sdy_axis *all_axes = SR_NEW_ARRAY(ctx->arena, struct sr_sdy_axis, mesh->n_axes);
	for (int i = 0; i < mesh->n_axes; i++)
		all_axes[i] = (struct sr_sdy_axis){mesh->axes[i].name, 1, 0};
	return sr_attr_axes(ctx, all_axes, mesh->n_axes);
}

struct sr_axes *sr_axes_by_dim(struct sr_arena *arena, const struct sr_sharding *s)
{
	struct sr_axes *axes = SR_NEW_ARRAY(arena, struct sr_axes, s->rank);
	for (int d = 0; d < s->rank; d++)
		axes[d] = s->dims[d].axes;
	return axes;
}

static const struct sr_attr *list_per_dim(struct sr_context *ctx, const struct sr_collective *c, int rank)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, rank);
	for (int d = 0; d < rank; d++)
		list[d] = axes_attr(ctx, c->mesh, c->axes[d]);
	return sr_attr_axes_list(ctx, list, rank);
}

static const struct sr_attr *all_to_all_params(struct sr_context *ctx, const struct sr_collective *c)
{
	const struct sr_attr *fields[] = {axes_attr(ctx, c->mesh, *c->axes), sr_attr_i64(ctx, c->src), sr_attr_i64(ctx, c->tgt)},
			     *param = sr_attr_struct(ctx, sr_attr_def_find("sdy", "all_to_all_param"), fields);
	return sr_attr_array(ctx, &param, 1);
}

static bool has_no_axes(const struct row *row, const struct sr_collective *c, int rank)
{
	if (row->form != LIST_PER_DIM)
		return false;
	for (int d = 0; d < rank; d++)
		if (c->axes[d].n)
			return false;
	return true;
}

struct sr_value *sr_collective_build(struct sr_builder *at, const struct sr_collective *c, struct sr_value *v)
{
	struct sr_context *ctx = at->ctx;
	const struct row *row = row_of(c->code);
	struct sr_named_attr attrs[4];
	int n = 0, rank = v->type->rank;
	if (has_no_axes(row, c, rank))
		return v;
	if (row->axes)
		attrs[n++] = (struct sr_named_attr){row->axes, row->form == PARAMS	     ? all_to_all_params(ctx, c)
							  : row->form == LIST_PER_DIM ? list_per_dim(ctx, c, rank)
										      : axes_attr(ctx, c->mesh, *c->axes)};
	attrs[n++] = (struct sr_named_attr){SR_NAME_out_sharding, c->out};
	if (row->is_reduction && c->kind != SR_UNREDUCED_SUM)
		attrs[n++] = (struct sr_named_attr){SR_NAME_reduction_op,
						    sr_attr_enum(ctx, "sdy", SR_NAME_reduction_op,
								 sr_unreduced_kind_names[c->kind])};
	if (c->cause)
		attrs[n++] = (struct sr_named_attr){"shardrun.cause", c->cause};
	return sr_result(sr_build(at, c->code, &v, 1, attrs, n, &v->type, 1), 0);
}

enum sr_op_code sr_collective_reducer(enum sr_unreduced_kind kind)
{
	static const enum sr_op_code reducers[] = {
		[SR_UNREDUCED_SUM] = SR_OP_stablehlo_add,
		[SR_UNREDUCED_MAX] = SR_OP_stablehlo_maximum,
		[SR_UNREDUCED_MIN] = SR_OP_stablehlo_minimum,
	};
	return reducers[kind];
}

bool sr_collective_starts_from_identity(struct sr_context *ctx, const struct sr_op *reduction)
{
	const struct sr_op *reduce = sr_operand(reduction, 0)->def;
	if (!reduce || !sr_op_is(reduce, SR_OP_stablehlo_reduce))
		return true;
	for (int i = reduce->n_results; i < reduce->n_operands; i++) {
		const struct sr_op *init = sr_operand(reduce, i)->def;
		const struct sr_attr *value = init && sr_op_has(init, SR_CONSTANT) ? sr_op_attr(init, SR_NAME_value) : NULL;
		if (!value || value != sr_reducer_identity(ctx, sr_op_reducer(reduce), sr_operand(reduce, i)->type->dtype))
			return false;
	}
	return true;
}

/* ---- text of shardings, for the report ---- */

void sr_collective_put_axes(struct sr_buf *out, const struct sr_mesh *mesh, struct sr_axes axes)
{
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref a = axes.refs[i];
		sr_buf_printf(out, "%s%s", i ? ", " : "", a.axis);
		if (a.size != sr_mesh_axis_size(mesh, a.axis))
			sr_buf_printf(out, ":(%lld)%lld", (long long)a.pre, (long long)a.size);
	}
}

static void put_layout(struct sr_buf *out, struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sdy_sharding *s)
{
	sr_buf_putc(out, '[');
	for (int d = 0; d < s->rank; d++) {
		sr_buf_puts(out, d ? ", {" : "{");
		sr_collective_put_axes(out, mesh, sr_axes_resolve(arena, mesh, s->dims[d].axes));
		sr_buf_putc(out, '}');
	}
	sr_buf_putc(out, ']');
}

/* Return the first of the shardings that is not replicated; if all are replicated, the first of them. */
static const struct sr_sdy_sharding *first_nontrivial_sharding(const struct sr_attr *shardings)
{
	for (int i = 0; i < shardings->n; i++)
		if (!sr_sdy_sharding_is_replicated(shardings->list[i]->sharding))
			return shardings->list[i]->sharding;
	return shardings->n ? shardings->list[0]->sharding : NULL;
}

const struct sr_attr *sr_collective_shardings_attr(const struct sr_builder *at, const struct sr_mesh *mesh, struct sr_axes axes)
{
	const struct sr_op *manual_op = at->block->region->op;
	while (!sr_op_is(manual_op, SR_OP_sdy_manual_computation))
		manual_op = sr_op_parent(manual_op);
	const struct sr_sdy_sharding *in = first_nontrivial_sharding(sr_op_attr(manual_op, SR_NAME_in_shardings)),
					 *out = first_nontrivial_sharding(sr_op_attr(manual_op, SR_NAME_out_shardings));
	struct sr_buf text;
	sr_buf_init(&text, at->ctx->scratch);
	if (in)
		put_layout(&text, at->ctx->scratch, mesh, in);
	sr_buf_puts(&text, in ? " to " : "[] to ");
	if (out)
		put_layout(&text, at->ctx->scratch, mesh, out);
	sr_buf_puts(&text, " over ");
	sr_collective_put_axes(&text, mesh, axes);
	return sr_attr_string(at->ctx, text.data, text.n);
}
