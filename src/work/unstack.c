/* Compute the parts of a stack, an array of a few components that is concatenated from them (jnp.stack of the fluxes of conserved
 * quantities), each by ops of its own:
 *
 *	add(stack(a, b), y)  ->  stack(add(a, y[0]), add(b, y[1]))
 *
 * The same holds for slices and concatenations along other dimensions, which shift the components. The parts have one dimension
 * less than the stack, so that their nests are fused with those of other arrays of this shape, such as the speeds that all
 * components are multiplied by, and the last stack alone is stored. This precedes the lowering to loop nests; ops are divided in
 * block order, so that the operands of each are divided before. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "work/unstack.h"
#include <string.h>

enum {
	MAX_PARTS = SR_UNSTACK_MAX_PARTS, /* maximum components, each of which has its own ops */
	MAX_OPERANDS = SR_WORK_MAX_ELEMENTWISE_OPERANDS, /* maximum operands of an op that is divided */
	MAX_USERS = 8,         /* maximum users of a stack */
	MIN_ROW = 64,          /* minimum elements of a component */
	MIN_BYTES = 64 << 10,  /* minimum bytes of the stack */
	MAX_CHEAP_OPS = 4,     /* maximum ops of a part that is shifted: others are stored, which a stack does best */
	MAX_DEPTH = 8,         /* maximum length of a chain of ops that is divided from its beginning on */
};

/* Return true if the op concatenates n values of extent 1 along dim. */
static bool concatenates_parts(const struct sr_op *op, int dim, int64_t n)
{
	bool is_stack = op && sr_op_is(op, SR_OP_stablehlo_concatenate) && op->n_operands == n &&
			sr_op_int(op, SR_NAME_dimension, -1) == dim;
	for (int i = 0; is_stack && i < op->n_operands; i++)
		is_stack = sr_operand_type(op, i)->shape[dim] == 1;
	return is_stack;
}

/* Return true if the op is divided into one for each component: it keeps the components, in their order. An elementwise op that
 * computes the next value of loop state is not divided: one nest computes it in the state's memory. */
static bool keeps_components(const struct sr_op *op, int dim, int64_t n)
{
	if (sr_op_is(op, SR_OP_stablehlo_concatenate))
		return op->n_operands <= MAX_OPERANDS && sr_op_int(op, SR_NAME_dimension, -1) != dim;
	if (sr_op_is(op, SR_OP_stablehlo_slice))
		return sr_result_type(op, 0)->shape[dim] == n;
	for (const struct sr_use *use = op->n_results == 1 ? sr_result(op, 0)->uses : NULL; use; use = use->next)
		if (sr_op_has(use->owner, SR_TERMINATOR))
			return false;
	return sr_work_is_elementwise(op) && sr_result_type(op, 0)->rank > dim;
}

/* Return `list` of `rank` elements without element dim. */
static int64_t *without(struct sr_unstacker *u, const int64_t *list, int rank)
{
	int64_t *new = sr_dup(u->b.ctx->scratch, list, (size_t)rank, sizeof *list);
	memmove(new + u->dim, new + u->dim + 1, (size_t)(rank - 1 - u->dim) * sizeof *list);
	return new;
}

static const struct sr_type *part_type(struct sr_unstacker *u, const struct sr_type *t)
{
	return sr_type_with_shape(u->b.ctx, t, t->rank - 1, without(u, t->shape, t->rank));
}

static bool has_shape(const struct sr_value *v, const struct sr_type *t)
{
	return v->type->rank == t->rank && !memcmp(v->type->shape, t->shape, (size_t)t->rank * sizeof *t->shape);
}

/* Return true if the broadcast inserts dimension dim and changes nothing else. */
static bool inserts_dimension(struct sr_context *ctx, const struct sr_op *op, int dim)
{
	const int64_t *dims;
	int64_t n;
	bool is_in_order = sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim) &&
			   sr_op_ints(ctx, op, SR_NAME_broadcast_dimensions, &dims, &n);
	for (int64_t d = 0; is_in_order && d < n; d++)
		is_in_order = dims[d] == d + (d >= dim);
	return is_in_order;
}

/* Return v, of extent 1 along dim, without this dimension. */
static struct sr_value *squeeze(struct sr_unstacker *u, struct sr_value *v)
{
	const struct sr_type *type = part_type(u, v->type);
	const struct sr_op *def = v->def;
	bool is_view = def && (sr_op_is(def, SR_OP_stablehlo_reshape) || inserts_dimension(u->b.ctx, def, u->dim));
	if (is_view && has_shape(sr_operand(def, 0), type))
		return sr_operand(def, 0);
	return sr_build_reshape(&u->b, v, type->rank, type->shape);
}

/* Return component i of a broadcast, or NULL: the components differ. */
static struct sr_value *part_of_broadcast(struct sr_unstacker *u, const struct sr_op *op)
{
	const struct sr_type *type = part_type(u, sr_result_type(op, 0));
	struct sr_value *from = sr_operand(op, 0);
	const int64_t *dims;
	int64_t n, *to = SR_NEW_ARRAY(u->b.ctx->scratch, int64_t, from->type->rank + 1), kept = 0;
	int64_t *shape = SR_NEW_ARRAY(u->b.ctx->scratch, int64_t, from->type->rank + 1);
	if (!sr_op_ints(u->b.ctx, op, SR_NAME_broadcast_dimensions, &dims, &n))
		return NULL;
	bool is_identity = true;
	for (int64_t d = 0; d < n; d++) {
		if (dims[d] == u->dim && from->type->shape[d] != 1)
			return NULL;
		if (dims[d] == u->dim)
			continue;
		to[kept] = dims[d] - (dims[d] > u->dim);
		is_identity = is_identity && to[kept] == kept;
		shape[kept++] = from->type->shape[d];
	}
	if (u->dim < n && dims[u->dim] == u->dim && is_identity && from->def && inserts_dimension(u->b.ctx, from->def, u->dim))
		from = sr_operand(from->def, 0);
	else
		from = sr_build_reshape(&u->b, from, (int)kept, shape);
	return is_identity && has_shape(from, type) ? from : sr_build_broadcast(&u->b, from, type, to);
}

/* Build component i of the result of an op that keeps components. */
static struct sr_value *build_part(struct sr_unstacker *u, const struct sr_op *op, int i, int depth)
{
	struct sr_value *operands[MAX_OPERANDS];
	int rank = sr_result_type(op, 0)->rank;
	for (int k = 0; k < op->n_operands; k++)
		operands[k] = sr_unstack_part(u, sr_operand(op, k), i, depth + 1);
	if (sr_op_is(op, SR_OP_stablehlo_concatenate)) {
		int along = (int)sr_op_int(op, SR_NAME_dimension, 0);
		return sr_build_concatenate(&u->b, operands, op->n_operands, along - (along > u->dim));
	}
	if (sr_op_is(op, SR_OP_stablehlo_slice)) {
		const int64_t *start, *limit, *strides;
		int64_t n;
		sr_op_ints(u->b.ctx, op, SR_NAME_start_indices, &start, &n);
		sr_op_ints(u->b.ctx, op, SR_NAME_limit_indices, &limit, &n);
		sr_op_ints(u->b.ctx, op, SR_NAME_strides, &strides, &n);
		return sr_build_slice(&u->b, operands[0], without(u, start, rank), without(u, limit, rank), without(u, strides, rank));
	}
	return sr_work_build_elementwise(&u->b, op, operands, part_type(u, sr_result_type(op, 0)));
}

/* Return component i of v that was built before, or NULL. */
static struct sr_value *built_part(const struct sr_unstacker *u, const struct sr_value *v, int i)
{
	for (size_t k = 0; k < u->built.n; k++)
		if (u->built.data[k].whole == v && u->built.data[k].dim == u->dim && u->built.data[k].number == i)
			return u->built.data[k].part;
	return NULL;
}

struct sr_value *sr_unstack_part(struct sr_unstacker *u, struct sr_value *v, int i, int depth)
{
	struct sr_op *def = v->def;
	struct sr_value *part = built_part(u, v, i);
	const struct sr_attr *number = v->type->rank ? sr_constant_value(v) : NULL;
	if (part || !v->type->rank)
		return part ? part : v;
	if (concatenates_parts(def, u->dim, u->n))
		return squeeze(u, sr_operand(def, i));
	if (number && number->dense->splat) {
		int64_t bytes;
		const void *element = sr_dense_data(u->b.ctx, number, false, &bytes);
		return sr_build_constant(&u->b, sr_attr_dense(u->b.ctx, part_type(u, v->type), element, bytes));
	}
	if (def && sr_op_is(def, SR_OP_stablehlo_broadcast_in_dim))
		part = part_of_broadcast(u, def);
	bool is_divided = def && def->block == u->b.block && depth < MAX_DEPTH && (u->divides_shared || sr_value_has_one_use(v));
	if (!part && is_divided && sr_work_is_elementwise(def))
		part = build_part(u, def, i, depth);
	part = part ? part : squeeze(u, sr_build_slice_dim(&u->b, v, u->dim, i, 1, 1));
	struct sr_built_part built = {.whole = v, .part = part, .dim = u->dim, .number = i};
	if (u->divides_shared)
		sr_push(u->b.ctx->scratch, &u->built, built);
	return part;
}

struct sr_value *sr_unstack_join(struct sr_unstacker *u, struct sr_value *const *parts, const struct sr_type *type)
{
	struct sr_context *ctx = u->b.ctx;
	struct sr_value *with_dim[MAX_PARTS];
	int64_t *shape = sr_dup(ctx->scratch, type->shape, (size_t)type->rank, sizeof *shape);
	int64_t *dims = sr_make_ints(ctx, type->rank, 0);
	shape[u->dim] = 1;
	for (int d = 0; d < type->rank - 1; d++)
		dims[d] = d + (d >= u->dim);
	for (int i = 0; i < u->n; i++)
		with_dim[i] = sr_build_broadcast(&u->b, parts[i], sr_type_with_shape(ctx, type, type->rank, shape), dims);
	return sr_build_concatenate(&u->b, with_dim, (int)u->n, u->dim);
}

/* Return true if at most MAX_CHEAP_OPS ops, none of them expensive, compute v elementwise. *ops: increased by their number. */
static bool is_cheap(const struct sr_value *v, const struct sr_block *block, int *ops)
{
	const struct sr_op *def = v->def;
	bool is_one = def && def->block == block && sr_value_has_one_use(v);
	if (is_one && (sr_op_is(def, SR_OP_stablehlo_reshape) || sr_op_is(def, SR_OP_stablehlo_broadcast_in_dim)))
		return is_cheap(sr_operand(def, 0), block, ops);
	if (!is_one || !sr_work_is_elementwise(def))
		return true;
	if (sr_op_is(def, SR_OP_stablehlo_divide) || sr_work_is_expensive(def) || ++*ops > MAX_CHEAP_OPS)
		return false;
	for (int i = 0; i < def->n_operands; i++)
		if (!is_cheap(sr_operand(def, i), block, ops))
			return false;
	return true;
}

/* Return true if a part is computed elementwise, perhaps shifted after that. */
static bool is_computed(const struct sr_value *v, const struct sr_block *block, int depth)
{
	const struct sr_op *def = v->def;
	if (!def || def->block != block || depth == MAX_DEPTH)
		return false;
	if (sr_op_is(def, SR_OP_stablehlo_reshape) || sr_op_is(def, SR_OP_stablehlo_broadcast_in_dim) ||
	    sr_op_is(def, SR_OP_stablehlo_slice) || sr_op_is(def, SR_OP_stablehlo_concatenate))
		return is_computed(sr_operand(def, 0), block, depth + 1);
	return sr_work_is_elementwise(def);
}

bool sr_work_is_stack(const struct sr_op *op)
{
	if (!op || !sr_op_is(op, SR_OP_stablehlo_concatenate))
		return false;
	const struct sr_value *v = sr_result(op, 0);
	int dim = (int)sr_op_int(op, SR_NAME_dimension, 0), n_users = 0;
	int64_t row = 1;
	bool is_shifted = false;
	if (op->n_operands < 2 || op->n_operands > MAX_PARTS || !v->uses || !sr_type_is_static(v->type) ||
	    sr_value_bytes(v) < MIN_BYTES || !concatenates_parts(op, dim, op->n_operands) ||
	    !is_computed(sr_operand(op, 0), op->block, 0))
		return false;
	for (int d = dim + 1; d < v->type->rank; d++)
		row *= v->type->shape[d];
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		if (++n_users > MAX_USERS || use->owner->block != op->block ||
		    !keeps_components(use->owner, dim, op->n_operands))
			return false;
		is_shifted = is_shifted || !sr_work_is_elementwise(use->owner);
	}
	for (int i = 0, ops = 0; i < op->n_operands && is_shifted; i++, ops = 0)
		if (!is_cheap(sr_operand(op, i), op->block, &ops))
			return false;
	return row >= MIN_ROW;
}

/* Replace a user of the stack by ops on its parts and a stack of their results, which is returned. */
static struct sr_op *divide_user(struct sr_context *ctx, struct sr_op *stack, struct sr_op *user)
{
	int dim = (int)sr_op_int(stack, SR_NAME_dimension, 0), n = stack->n_operands;
	struct sr_unstacker u = {.b = {.ctx = ctx, .block = user->block, .anchor = user, .loc = user->loc}, .dim = dim, .n = n};
	struct sr_value *parts[MAX_PARTS];
	for (int i = 0; i < n; i++)
		parts[i] = build_part(&u, user, i, 0);
	struct sr_value *new = sr_unstack_join(&u, parts, sr_result_type(user, 0));
	sr_value_replace_all(sr_result(user, 0), new);
	sr_work_retire_unused(ctx, user);
	return new->def;
}

struct sr_op *sr_work_unstack(struct sr_context *ctx, struct sr_op *op)
{
	for (int k = 0; k < op->n_operands; k++)
		if (sr_work_is_stack(sr_operand(op, k)->def))
			return divide_user(ctx, sr_operand(op, k)->def, op);
	return NULL;
}
