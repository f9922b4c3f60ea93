/* Lower elementwise ops and splat constants to loop nests. Also defines the builder of nests that the other files of this
 * folder use. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "work/nest/nest_from_op.h"
#include <string.h>

struct sr_nest_builder sr_nest_builder_new(struct sr_lowering *l, const int64_t *loops, int n_loops, int parallel, int n_operands)
{
	struct sr_context *ctx = l->ctx;
	struct sr_nest_builder p = {.l = l, .nest = {.loops = loops, .n_loops = n_loops, .parallel = parallel}};
	p.nest.operands = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, n_operands + 1);
	p.nest.accesses = SR_NEW_ARRAY(ctx->scratch, struct sr_indexing_map, n_operands + 1);
	p.nest.n_results = l->op->n_results;
	p.nest.result_types = SR_NEW_ARRAY(ctx->scratch, const struct sr_type *, p.nest.n_results);
	p.nest.result_indexing_maps = SR_NEW_ARRAY(ctx->scratch, struct sr_indexing_map, p.nest.n_results);
	for (int i = 0; i < p.nest.n_results; i++) {
		int rank = sr_result(l->op, i)->type->rank;
		p.nest.result_types[i] = sr_result(l->op, i)->type;
		p.nest.result_indexing_maps[i] = sr_indexing_map_new(ctx, rank, n_loops);
		for (int d = 0; d < rank; d++) /* the parallel loops are the result's dimensions, in order */
			sr_indexing_map_row(&p.nest.result_indexing_maps[i], d)[d] = 1;
	}
	return p;
}

struct sr_nest_builder sr_nest_builder_over_result(struct sr_lowering *l, int n_operands)
{
	const struct sr_type *t = sr_result(l->op, 0)->type;
	return sr_nest_builder_new(l, t->shape, t->rank, t->rank, n_operands);
}

struct sr_indexing_map *sr_nest_builder_add_operand(struct sr_nest_builder *p, struct sr_value *v)
{
	int i = p->nest.n_operands++;
	p->nest.operands[i] = v;
	p->nest.accesses[i] = sr_indexing_map_new(p->l->ctx, v->type->rank, p->nest.n_loops);
	return &p->nest.accesses[i];
}

void sr_nest_builder_create_op(struct sr_nest_builder *p)
{
	p->l->nest = sr_work_build(&p->l->builder, &p->nest, &p->body);
}

bool sr_nest_builder_yield(struct sr_nest_builder *p, struct sr_value *const *values, int n)
{
	sr_work_yield(&p->body, values, n);
	return true;
}

bool sr_nest_from_none(struct sr_lowering *l)
{
	(void)l;
	return false;
}

/* If a comparison reads signed integers as unsigned ones, bitcast its arguments. */
static void read_unsigned(struct sr_nest_builder *p, struct sr_value **args)
{
	const struct sr_type *operand_type = args[0]->type;
	if (!sr_op_is(p->l->op, SR_OP_stablehlo_compare) || !sr_comparison_type_is(p->l->op, "UNSIGNED") ||
	    sr_dtypes[operand_type->dtype].class != SR_CLASS_SINT)
		return;
	struct sr_type element = {.kind = SR_TYPE_INTEGER, .width = sr_dtypes[operand_type->dtype].bits, .sign = SR_UNSIGNED};
	const struct sr_type *to = sr_type_tensor_of(p->l->ctx, sr_type_intern(p->l->ctx, &element), 0, NULL, NULL);
	for (int i = 0; i < 2; i++)
		args[i] = sr_result(sr_build(&p->body, SR_OP_stablehlo_bitcast_convert, &args[i], 1, NULL, 0, &to, 1), 0);
}

/* Build the op on scalars, without its discardable attributes. */
static struct sr_value *scalar_op(struct sr_nest_builder *p)
{
	struct sr_op *op = p->l->op;
	struct sr_named_attr *attrs = SR_NEW_ARRAY(p->l->ctx->scratch, struct sr_named_attr, op->n_attrs + 1);
	const struct sr_type *type = sr_element_scalar(p->l->ctx, sr_result(op, 0)->type);
	int n = 0;
	for (int i = 0; i < op->n_attrs; i++)
		if (sr_attr_is_inherent(op, op->attrs[i].name))
			attrs[n++] = op->attrs[i];
	struct sr_value **args = sr_dup(p->l->ctx->scratch, p->body.block->args, (size_t)op->n_operands, sizeof *args);
	read_unsigned(p, args);
	return sr_result(sr_build(&p->body, sr_op_code_of(op), args, op->n_operands, attrs, n, &type, 1), 0);
}

bool sr_nest_from_map(struct sr_lowering *l)
{
	const struct sr_type *out = sr_result(l->op, 0)->type;
	/* a bitcast between different widths changes the rank, so it takes scalars; other ops may take rank-0 operands */
	bool bitcast = sr_op_is(l->op, SR_OP_stablehlo_bitcast_convert);
	for (int i = 0; i < l->op->n_operands; i++)
		if (sr_operand(l->op, i)->type->rank != out->rank && (bitcast || sr_operand(l->op, i)->type->rank))
			return false;
	struct sr_nest_builder p = sr_nest_builder_over_result(l, l->op->n_operands);
	for (int i = 0; i < l->op->n_operands; i++) {
		struct sr_value *v = sr_operand(l->op, i);
		struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, v);
		for (int d = 0; d < v->type->rank; d++)
			sr_indexing_map_row(a, d)[d] = 1;
	}
	sr_nest_builder_create_op(&p);
	struct sr_value *v = scalar_op(&p);
	return sr_nest_builder_yield(&p, &v, 1);
}

bool sr_nest_from_constant(struct sr_lowering *l)
{
	const struct sr_type *t = sr_result(l->op, 0)->type;
	const struct sr_attr *value = sr_op_attr(l->op, SR_NAME_value);
	int64_t bytes;
	if (!value || value->kind != SR_ATTR_DENSE || !value->dense->splat || !sr_type_bytes(t, &bytes) ||
	    bytes <= SR_WORK_MAX_SPLAT_BYTES)
		return false;
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 0);
	sr_nest_builder_create_op(&p);
	const void *data = sr_dense_data(l->ctx, value, false, &bytes);
	struct sr_value *v = sr_build_constant(&p.body, sr_attr_dense(l->ctx, sr_element_scalar(l->ctx, t), data, bytes));
	return sr_nest_builder_yield(&p, &v, 1);
}
