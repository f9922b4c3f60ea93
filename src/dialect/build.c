/* Build ops at an insertion point, with explicit or inferred result types. A failure to infer a type is an internal error
 * (sr_bug). */
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "support/bug.h"
#include <stdlib.h>

static void insert_op(struct sr_builder *b, struct sr_op *op)
{
	if (b->anchor)
		sr_op_insert_before(b->anchor, op);
	else if (b->block)
		sr_op_append(b->block, op);
}

static struct sr_op *create_op(struct sr_builder *b, enum sr_op_code code, struct sr_value *const *operands, int n_operands,
			       const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *const *results, int n_results)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_op_info *info = sr_info(ctx, code);
	struct sr_named_attr *named = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, n_attrs);
	int n = 0;
	for (int i = 0; i < n_attrs; i++)
		if (attrs[i].value)
			named[n++] = (struct sr_named_attr){sr_intern(ctx, attrs[i].name), attrs[i].value};
	struct sr_op_spec spec = {.info = info, .loc = b->loc, .operands = operands, .n_operands = n_operands, .results = results,
				  .n_results = n_results, .attrs = named, .n_attrs = n, .n_regions = info->signature->n_regions};
	return sr_op_new(ctx, &spec);
}

struct sr_op *sr_build(struct sr_builder *b, enum sr_op_code code, struct sr_value *const *operands, int n_operands,
		       const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *const *results, int n_results)
{
	struct sr_op *op = create_op(b, code, operands, n_operands, attrs, n_attrs, results, n_results);
	insert_op(b, op);
	return op;
}

struct sr_value *sr_build_infer(struct sr_builder *b, enum sr_op_code code, struct sr_value *const *operands, int n_operands,
				const struct sr_named_attr *attrs, int n_attrs)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *unknown_type = sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_NONE}), *type = NULL;
	struct sr_op *op = create_op(b, code, operands, n_operands, attrs, n_attrs, &unknown_type, 1);
	struct sr_infer in = {ctx, op, &type, &ctx->diags, false};
	if (sr_op_infer(&in) != SR_OK || !type)
		sr_bug("the type of %s cannot be inferred: %s", op->info->name, ctx->diags.first ? ctx->diags.first->message : "");
	op->results[0].type = type;
	insert_op(b, op);
	return sr_result(op, 0);
}

struct sr_value *sr_build_constant(struct sr_builder *b, const struct sr_attr *dense)
{
	struct sr_named_attr value = {"value", dense};
	return sr_result(sr_build(b, SR_OP_stablehlo_constant, NULL, 0, &value, 1, &dense->type, 1), 0);
}

struct sr_value *sr_build_splat(struct sr_builder *b, const struct sr_type *tensor, double value)
{
	unsigned char element[16] = {0};
	bool is_integer = sr_dtype_is_integer(tensor->dtype); /* only then is the value in the range of int64_t */
	sr_element_set(tensor->dtype, element, is_integer ? (int64_t)value : 0, value, 0);
	return sr_build_constant(b, sr_attr_dense(b->ctx, tensor, element, sr_dtype_bytes(tensor->dtype)));
}

const struct sr_attr *sr_constant_value(const struct sr_value *v)
{
	const struct sr_attr *value = v->def && sr_op_has(v->def, SR_CONSTANT) ? sr_op_attr(v->def, SR_NAME_value) : NULL;
	return value && value->kind == SR_ATTR_DENSE && !value->dense->strings && value->type == v->type ? value : NULL;
}

bool sr_constant_integer(struct sr_context *ctx, const struct sr_value *v, int64_t *out)
{
	const struct sr_attr *dense = sr_constant_value(v);
	int64_t bytes, n;
	if (!dense || !sr_type_elements(v->type, &n) || n != 1 || !sr_dtype_is_integer(v->type->dtype))
		return false;
	const void *data = sr_dense_data(ctx, dense, true, &bytes);
	if (!data || bytes < sr_dtype_bytes(v->type->dtype))
		return false;
	sr_element_get(v->type->dtype, data, out, NULL, NULL);
	return true;
}
