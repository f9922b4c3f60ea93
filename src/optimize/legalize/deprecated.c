/* stablehlo-legalize-deprecated-ops: rewrite deprecated ops as the ops that replaced them. map and rng have no replacement: with
 * fail-on-unused they are an error. */
#include "optimize/legalize/decompose.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "optimize/pass_functions.h"
#include <string.h>

static void replace(struct sr_op *op, struct sr_value *v)
{
	sr_value_replace_all(sr_result(op, 0), v);
}

static bool broadcast(struct sr_builder *b, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *to = sr_result(op, 0)->type;
	int64_t *dims = SR_NEW_ARRAY(b->ctx->arena, int64_t, v->type->rank);
	for (int i = 0; i < v->type->rank; i++)
		dims[i] = to->rank - v->type->rank + i;
	replace(op, sr_build_broadcast(b, v, to, dims));
	return true;
}

static bool create_token(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *type = sr_result(op, 0)->type;
	replace(op, sr_result(sr_build(b, SR_OP_stablehlo_after_all, NULL, 0, NULL, 0, &type, 1), 0));
	return true;
}

static bool cross_replica_sum(struct sr_builder *b, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	struct sr_named_attr attr = {SR_NAME_replica_groups, sr_op_attr(op, SR_NAME_replica_groups)};
	struct sr_op *new_op = sr_build(b, SR_OP_stablehlo_all_reduce, &v, 1, &attr, 1, &v->type, 1);
	sr_build_reducer(b->ctx, &new_op->regions[0], SR_OP_stablehlo_add, v->type->element, new_op->loc);
	replace(op, sr_result(new_op, 0));
	return true;
}

/* ---------------------------------------------------------------- einsum */

/* Subscripts of an einsum's operands and result: "ij,jk->ik". */
struct subscripts {
	const char *in[2], *out;
	int n[2], n_out;
};

static bool read_subscripts(const char *s, int operands, struct subscripts *e)
{
	const char *arrow = strstr(s, "->"), *comma = strchr(s, ',');
	if (!arrow || strchr(s, '.') || strchr(s, ' ') || (operands == 2) != (comma && comma < arrow))
		return false;
	const char *end = operands == 2 ? comma : arrow;
	e->in[0] = s, e->n[0] = (int)(end - s);
	e->in[1] = operands == 2 ? comma + 1 : arrow, e->n[1] = operands == 2 ? (int)(arrow - comma - 1) : 0;
	e->out = arrow + 2, e->n_out = (int)strlen(e->out);
	return true;
}

static int find_subscript(const char *s, int n, char letter)
{
	for (int i = 0; i < n; i++)
		if (s[i] == letter)
			return i;
	return -1;
}

struct dims {
	int64_t dims[SR_MAX_RANK];
	int n;
};

/* Rewrite einsum as dot_general and transpose. Fails if a subscript of only one operand does not occur in the result, or if one
 * occurs twice in the result. */
static bool einsum(struct sr_builder *b, struct sr_op *op)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_attr *config = sr_op_attr(op, SR_NAME_einsum_config);
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", "dot");
	struct subscripts e;
	struct dims batch[2] = {0}, contract[2] = {0};
	char order[3 * SR_MAX_RANK];
	int n = 0;
	if (!config || !def || def->n_fields != 4 || !read_subscripts(config->s, 2, &e) ||
	    e.n[0] != sr_operand(op, 0)->type->rank || e.n[1] != sr_operand(op, 1)->type->rank || e.n[0] > SR_MAX_RANK ||
	    e.n[1] > SR_MAX_RANK)
		return false;
	for (int i = 0; i < e.n[0]; i++) {
		int j = find_subscript(e.in[1], e.n[1], e.in[0][i]);
		bool is_kept = find_subscript(e.out, e.n_out, e.in[0][i]) >= 0;
		if (j < 0 && !is_kept)
			return false;
		struct dims *to = j < 0 ? NULL : is_kept ? batch : contract;
		if (to)
			to[0].dims[to[0].n++] = i, to[1].dims[to[1].n++] = j;
		if (j >= 0 && is_kept)
			order[n++] = e.in[0][i];
	}
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < e.n[side]; i++)
			if (find_subscript(e.in[1 - side], e.n[1 - side], e.in[side][i]) < 0)
				order[n++] = e.in[side][i];
	if (n != e.n_out)
		return false;
	const struct sr_attr *fields[4] = {
	    sr_attr_i64s(ctx, batch[0].dims, batch[0].n), sr_attr_i64s(ctx, batch[1].dims, batch[1].n),
	    sr_attr_i64s(ctx, contract[0].dims, contract[0].n), sr_attr_i64s(ctx, contract[1].dims, contract[1].n)};
	const struct sr_type *to = sr_result(op, 0)->type;
	int64_t shape[3 * SR_MAX_RANK], permutation[3 * SR_MAX_RANK];
	for (int i = 0; i < n; i++) {
		int at = find_subscript(e.out, e.n_out, order[i]);
		if (at < 0)
			return false;
		shape[i] = to->shape[at];
		permutation[at] = i;
	}
	struct sr_named_attr attr = {SR_NAME_dot_dimension_numbers, sr_attr_struct(ctx, def, fields)},
			transpose = {SR_NAME_permutation, sr_attr_i64s(ctx, permutation, n)};
	const struct sr_type *type = sr_type_tensor_of(ctx, to->element, n, shape, NULL);
	struct sr_value *operands[] = {sr_operand(op, 0), sr_operand(op, 1)};
	struct sr_value *v = sr_result(sr_build(b, SR_OP_stablehlo_dot_general, operands, 2, &attr, 1, &type, 1), 0);
	replace(op, type == to ? v : sr_result(sr_build(b, SR_OP_stablehlo_transpose, &v, 1, &transpose, 1, &to, 1), 0));
	return true;
}

/* Rewrite unary_einsum as an einsum whose other operand is the scalar 1. */
static bool unary_einsum(struct sr_builder *b, struct sr_op *op)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_attr *config = sr_op_attr(op, SR_NAME_einsum_config);
	const struct sr_type *t = sr_operand(op, 0)->type, *type = sr_result(op, 0)->type;
	if (!config)
		return false;
	const char *text = sr_printf(ctx->arena, ",%s", config->s);
	struct sr_value *operands[] = {sr_build_splat(b, sr_type_tensor_of(ctx, t->element, 0, NULL, NULL), 1), sr_operand(op, 0)};
	struct sr_named_attr attr = {SR_NAME_einsum_config, sr_attr_string(ctx, text, strlen(text))};
	struct sr_op *new_op = sr_build(b, SR_OP_stablehlo_einsum, operands, 2, &attr, 1, &type, 1);
	replace(op, sr_result(new_op, 0));
	struct sr_builder builder = {.ctx = ctx, .block = new_op->block, .anchor = new_op, .loc = new_op->loc};
	if (einsum(&builder, new_op))
		sr_op_erase(new_op);
	return true;
}

/* Rewrite dot: contract the last dimension of lhs with the first of rhs. */
static bool dot(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", "dot");
	int64_t last = sr_operand(op, 0)->type->rank - 1, first = 0;
	struct sr_value *operands[] = {sr_operand(op, 0), sr_operand(op, 1)};
	const struct sr_attr *fields[] = {NULL, NULL, sr_attr_i64s(b->ctx, &last, 1), sr_attr_i64s(b->ctx, &first, 1)};
	struct sr_named_attr *attrs = SR_NEW_ARRAY(b->ctx->arena, struct sr_named_attr, op->n_attrs + 1);
	for (int i = 0; i < op->n_attrs; i++)
		attrs[i] = op->attrs[i];
	attrs[op->n_attrs] = (struct sr_named_attr){SR_NAME_dot_dimension_numbers, sr_attr_struct(b->ctx, def, fields)};
	replace(op,
		sr_result(sr_build(b, SR_OP_stablehlo_dot_general, operands, 2, attrs, op->n_attrs + 1, &sr_result(op, 0)->type, 1),
			  0));
	return true;
}

static const struct sr_decomposition deprecated[] = {
	{SR_OP_stablehlo_broadcast, broadcast},
	{SR_OP_stablehlo_create_token, create_token},
	{SR_OP_stablehlo_cross__replica__sum, cross_replica_sum},
	{SR_OP_stablehlo_dot, dot},
	{SR_OP_stablehlo_einsum, einsum},
	{SR_OP_stablehlo_unary_einsum, unary_einsum},
	{0},
};

static bool has_no_replacement(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_map) || sr_op_is(op, SR_OP_stablehlo_rng);
}

enum sr_status sr_run_legalize_deprecated_ops(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	if (sr_option_bool(options, "fail-on-unused") && sr_report_illegal_op(ctx, root, has_no_replacement))
		return SR_INVALID;
	sr_decompose(ctx, root, deprecated);
	return SR_OK;
}
