/* chlo's constants, broadcasting ops and top_k as stablehlo ops. Static shapes. */
#include "optimize/chlo_structure.h"
#include "dialect/signature.h"
#include <string.h>

typedef bool restructure_fn(struct sr_builder *b, struct sr_op *op);

static void replace(struct sr_op *op, struct sr_value *v)
{
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
}

/* ---------------------------------------------------------------- constants */

static bool constant(struct sr_builder *b, struct sr_op *op)
{
	replace(op, sr_build_constant(b, sr_op_attr(op, "value")));
	return true;
}

/* Every element the attribute's value. */
static bool constant_like(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_attr *value = sr_op_attr(op, "value");
	const struct sr_type *type = sr_result(op, 0)->type;
	unsigned char element[16] = {0};
	if (!value || (value->kind != SR_ATTR_FLOAT && value->kind != SR_ATTR_INTEGER && value->kind != SR_ATTR_BOOL))
		return false;
	double d = value->kind == SR_ATTR_FLOAT ? sr_float_decode(value->type->dtype, (uint64_t)value->i) : (double)value->i;
	sr_element_set(type->dtype, element, value->i, d, 0);
	replace(op, sr_build_constant(b, sr_attr_dense(b->ctx, type, element, sr_dtype_bytes(type->dtype))));
	return true;
}

/* ---------------------------------------------------------------- broadcasts */

/* v spread to the shape of the result: its dimensions are the result's last ones, extents of 1 repeated. */
static struct sr_value *spread(struct sr_builder *b, struct sr_value *v, const struct sr_type *to)
{
	if (v->type->rank == to->rank && memcmp(v->type->shape, to->shape, (size_t)to->rank * sizeof *to->shape) == 0)
		return v;
	int64_t *dims = SR_NEWS(b->ctx->arena, int64_t, v->type->rank);
	for (int i = 0; i < v->type->rank; i++)
		dims[i] = to->rank - v->type->rank + i;
	const struct sr_type *type = sr_type_with_shape(b->ctx, v->type, to->rank, to->shape);
	struct sr_named attr = {"broadcast_dimensions", sr_attr_i64s(b->ctx, dims, v->type->rank)};
	return sr_result(sr_build(b, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1, &type, 1), 0);
}

/* broadcast_dimensions, where given, must say what numpy's rule says. */
static bool is_numpy_broadcast(struct sr_context *ctx, const struct sr_op *op)
{
	const int64_t *dims;
	int64_t n;
	if (!sr_op_attr(op, "broadcast_dimensions"))
		return true;
	if (!sr_op_ints(ctx, op, "broadcast_dimensions", &dims, &n))
		return false;
	int larger = sr_operand(op, 0)->type->rank, smaller = sr_operand(op, 1)->type->rank;
	if (larger < smaller) {
		int swap = larger;
		larger = smaller;
		smaller = swap;
	}
	for (int64_t i = 0; i < n; i++)
		if (n != smaller || dims[i] != larger - smaller + i)
			return false;
	return n == smaller;
}

/* Comparison attributes change dialect with their op. */
static const struct sr_attr *converted(struct sr_context *ctx, const struct sr_attr *a)
{
	return a->kind == SR_ATTR_ENUM ? sr_attr_enum(ctx, "stablehlo", a->def->name, sr_attr_enum_name(a)) : a;
}

/* chlo.broadcast_NAME: stablehlo.NAME, or chlo.NAME where that is none, on operands of the result's shape. A predicate may stay a
 * scalar. */
static bool broadcast(struct sr_builder *b, struct sr_op *op)
{
	static const char prefix[] = "chlo.broadcast_";
	struct sr_context *ctx = b->ctx;
	const char *name = op->info->name + strlen(prefix);
	const struct sr_type *type = sr_result(op, 0)->type;
	const struct sr_op_info *info = sr_op_info(ctx, sr_printf(ctx->arena, "stablehlo.%s", name));
	if (!info->code)
		info = sr_op_info(ctx, sr_printf(ctx->arena, "chlo.%s", name));
	if (!info->code || !sr_type_is_static(type) || (op->n_operands == 2 && !is_numpy_broadcast(ctx, op)))
		return false;
	struct sr_value *operands[3];
	struct sr_named attrs[8];
	int n_attrs = 0;
	for (int i = 0; i < op->n_operands; i++) {
		bool scalar = op->n_operands == 3 && i == 0 && sr_operand(op, i)->type->rank == 0;
		operands[i] = scalar ? sr_operand(op, i) : spread(b, sr_operand(op, i), type);
	}
	for (int i = 0; i < op->n_attrs && n_attrs < 8; i++)
		if (strcmp(op->attrs[i].name, "broadcast_dimensions") != 0)
			attrs[n_attrs++] = (struct sr_named){op->attrs[i].name, converted(ctx, op->attrs[i].value)};
	replace(op, sr_result(sr_build(b, (enum sr_op_code)info->code, operands, op->n_operands, attrs, n_attrs, &type, 1), 0));
	return true;
}

/* ---------------------------------------------------------------- top_k */

/* (a, b, ia, ib): a before b where it is greater; floats in total order. */
static void fill_comparator(struct sr_context *ctx, struct sr_op *sort, const struct sr_type *element)
{
	struct sr_block *block = sr_block_new(ctx, &sort->regions[0]);
	const struct sr_type *value = sr_type_tensor_of(ctx, element, 0, NULL, NULL), *index = sr_type_tensor(ctx, SR_I32, 0, NULL);
	struct sr_value *args[2];
	for (int i = 0; i < 4; i++) {
		struct sr_value *arg = sr_block_add_arg(ctx, block, i < 2 ? value : index, sort->loc);
		if (i < 2)
			args[i] = arg;
	}
	struct sr_builder inside = {.ctx = ctx, .block = block, .loc = sort->loc};
	struct sr_named attrs[] = {{"comparison_direction", sr_attr_enum(ctx, "stablehlo", "comparison_direction", "GT")},
				   {"compare_type", sr_attr_enum(ctx, "stablehlo", "comparison_type", "TOTALORDER")}};
	struct sr_value *v = sr_build_infer(&inside, SR_OP_stablehlo_compare, args, 2, attrs,
				sr_dtype_is_float(element->dtype) ? 2 : 1);
	sr_build(&inside, SR_OP_stablehlo_return, &v, 1, NULL, 0, NULL, 0);
}

static struct sr_value *first_of_last_dimension(struct sr_builder *b, struct sr_value *v, int64_t k)
{
	int rank = v->type->rank;
	int64_t *start = SR_NEWS(b->ctx->arena, int64_t, rank), *stride = SR_NEWS(b->ctx->arena, int64_t, rank);
	int64_t *limit = sr_dup(b->ctx->arena, v->type->shape, (size_t)rank, sizeof *limit);
	for (int i = 0; i < rank; i++)
		stride[i] = 1;
	limit[rank - 1] = k;
	struct sr_named attrs[] = {{"start_indices", sr_attr_i64s(b->ctx, start, rank)},
				   {"limit_indices", sr_attr_i64s(b->ctx, limit, rank)},
				   {"strides", sr_attr_i64s(b->ctx, stride, rank)}};
	return sr_build_infer(b, SR_OP_stablehlo_slice, &v, 1, attrs, 3);
}

/* Sort values together with their positions, greatest first, and keep the first k. */
static bool top_k(struct sr_builder *b, struct sr_op *op)
{
	struct sr_context *ctx = b->ctx;
	struct sr_value *x = sr_operand(op, 0);
	int last = x->type->rank - 1;
	if (last < 0)
		return false;
	int64_t extent = x->type->shape[last], k = sr_op_int(op, "k", 0);
	const struct sr_type *types[] = {x->type, sr_type_tensor(ctx, SR_I32, x->type->rank, x->type->shape)};
	struct sr_named iota_attr = {"iota_dimension", sr_attr_i64(ctx, last)};
	struct sr_value *iota = sr_result(sr_build(b, SR_OP_stablehlo_iota, NULL, 0, &iota_attr, 1, &types[1], 1), 0);
	struct sr_value *pair[] = {x, iota};
	struct sr_named attrs[] = {{"dimension", sr_attr_i64(ctx, last)},
				   {"is_stable", sr_attr_bool(ctx, sr_op_int(op, "is_stable", 1))}};
	struct sr_op *sort = sr_build(b, SR_OP_stablehlo_sort, pair, 2, attrs, 2, types, 2);
	fill_comparator(ctx, sort, x->type->element);
	for (int i = 0; i < 2; i++)
		sr_value_replace_all(sr_result(op, i), first_of_last_dimension(b, sr_result(sort, i), k < extent ? k : extent));
	sr_op_erase(op);
	return true;
}

/* ---------------------------------------------------------------- */

static const struct {
	enum sr_op_code code;
	restructure_fn *fn;
} table[] = {
	{SR_OP_chlo_constant, constant},
	{SR_OP_chlo_constant_like, constant_like},
	{SR_OP_chlo_ragged_dot, sr_chlo_ragged_dot},
	{SR_OP_chlo_scan, sr_chlo_scan},
	{SR_OP_chlo_top_k, top_k},
};

bool sr_chlo_restructure(struct sr_builder *b, struct sr_op *op, void (*made)(void *data, struct sr_op *op), void *data)
{
	struct sr_block *block = op->block;
	struct sr_op *next = op->next;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (sr_op_is(op, table[i].code))
			return table[i].fn(b, op);
	if (strncmp(op->info->name, "chlo.broadcast_", strlen("chlo.broadcast_")) != 0 || !broadcast(b, op))
		return false;
	struct sr_op *last = next ? next->prev : block->last;
	if (strcmp(last->info->dialect, "chlo") == 0)
		made(data, last);
	return true;
}
