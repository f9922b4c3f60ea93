/* Patterns that simplify reduce. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include "optimize/patterns/patterns.h"
#include "optimize/side_effects.h"

static struct sr_block *body_of(const struct sr_op *op)
{
	return op->regions[0].first;
}

static void replace_all(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *const *values)
{
	for (int i = 0; i < op->n_results; i++)
		sr_rewrite_replace_value(rw, sr_result(op, i), values[i]);
	sr_rewrite_erase(rw, op);
}

static bool types_fit(const struct sr_op *op, struct sr_value *const *values)
{
	for (int i = 0; i < op->n_results; i++)
		if (op->results[i].type != values[i]->type)
			return false;
	return true;
}

/* reduce over no dimensions -> inputs. */
bool sr_pattern_reduce_no_dims(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value **inputs = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_results);
	for (int i = 0; i < op->n_results; i++)
		inputs[i] = sr_operand(op, i);
	if (sr_match_ints(rw->ctx, op, SR_NAME_dimensions).n || !types_fit(op, inputs))
		return false;
	replace_all(rw, op, inputs);
	return true;
}

/* reduce whose body returns values defined outside -> these values. */
bool sr_pattern_reduce_outer_value(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_block *body = body_of(op);
	struct sr_value **values = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_results);
	for (int i = 0; i < op->n_results; i++) {
		values[i] = sr_operand(body->last, i);
		if (sr_value_block(values[i]) == body)
			return false;
	}
	if (!types_fit(op, values))
		return false;
	replace_all(rw, op, values);
	return true;
}

/* reduce of inputs without elements -> broadcast of the initial values. */
bool sr_pattern_reduce_empty(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value **values = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_results);
	struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, NULL, 0)};
	for (int i = 0; i < op->n_results; i++)
		if (!sr_match_empty(sr_operand(op, i)->type) || !sr_type_is_static(sr_result(op, i)->type))
			return false;
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *init = sr_operand(op, op->n_results + i);
		values[i] = sr_result(
			sr_rewrite_create(rw, op, SR_OP_stablehlo_broadcast_in_dim, &init, 1, &dims, 1, sr_result(op, i)->type), 0);
	}
	replace_all(rw, op, values);
	return true;
}

/* reduce of a splat x by an idempotent f, f(x, x) = x -> broadcast of f(initial value, x). */
bool sr_pattern_reduce_splat(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_reducer *r = sr_op_reducer(op);
	const struct sr_attr *value = sr_constant_value(sr_operand(op, 0));
	if (!r || !r->is_idempotent || !value || !value->dense->splat || sr_match_empty(value->type) ||
	    sr_operand(op, 1)->type->element != value->type->element)
		return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	const struct sr_type *scalar = sr_operand(op, 1)->type;
	struct sr_value *operands[] = {sr_operand(op, 1), sr_build_constant(&b, sr_splat_to(rw->ctx, value, scalar))};
	struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, NULL, 0)};
	sr_rewrite_notify_inserted(rw, operands[1]->def);
	struct sr_value *v = sr_result(sr_rewrite_create(rw, op, r->code, operands, 2, NULL, 0, scalar), 0);
	if (sr_result(op, 0)->type == scalar)
		return sr_rewrite_to_value(rw, op, v);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &dims, 1);
}

/* In a local module, reduce of x by f over dimensions of extent 1 -> f(initial value, reshape(x)). JAX prints such a sum as the
 * gradient of a broadcast; loop nests fuse with elementwise ops more often than with reductions. */
bool sr_pattern_reduce_unit_dims(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_reducer *r = op->n_results == 1 ? sr_op_reducer(op) : NULL;
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_dimensions);
	struct sr_value *x = sr_operand(op, 0), *init = sr_operand(op, 1);
	const struct sr_type *type = sr_result_type(op, 0);
	if (rw->config->keeps_shardings || !r || !dims.n || x->type->element != type->element || init->type->element != type->element)
		return false;
	for (int64_t i = 0; i < dims.n; i++)
		if (x->type->shape[dims.v[i]] != 1)
			return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *operands[] = {sr_build_broadcast(&b, init, type, NULL), sr_build_reshape(&b, x, type->rank, type->shape)};
	return sr_rewrite_replace_with(rw, op, r->code, operands, 2, NULL, 0);
}

/* In a local module, reduce by f of a stack, a concatenate of operands of extent 1 along the only reduced dimension ->
 * f(...f(f(initial value, x), y)...) of the operands' reshapes: a loop nest that computes the operands does not store them. Not for
 * floats of fewer than 32 bits, whose sums are accumulated in f32 by a reduction. */
bool sr_pattern_reduce_of_stack(struct sr_rewriter *rw, struct sr_op *op)
{
	enum { MAX_OPERANDS = 32 };
	const struct sr_reducer *r = op->n_results == 1 ? sr_op_reducer(op) : NULL;
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_dimensions);
	struct sr_op *stack = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_concatenate);
	struct sr_value *init = sr_operand(op, 1);
	const struct sr_type *type = sr_result_type(op, 0);
	if (rw->config->keeps_shardings || !r || !stack || dims.n != 1 || sr_op_int(stack, SR_NAME_dimension, 0) != dims.v[0] ||
	    stack->n_operands > MAX_OPERANDS || sr_operand(stack, 0)->type->element != type->element ||
	    init->type->element != type->element || !sr_type_is_static(type) ||
	    (sr_dtype_is_float(type->dtype) && sr_dtype_bytes(type->dtype) < 4))
		return false;
	for (int i = 0; i < stack->n_operands; i++)
		if (sr_operand(stack, i)->type->shape[dims.v[0]] != 1)
			return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *pair[] = {sr_build_broadcast(&b, init, type, NULL), NULL};
	for (int i = 0; i < stack->n_operands; i++) {
		pair[1] = sr_build_reshape(&b, sr_operand(stack, i), type->rank, type->shape);
		pair[0] = sr_result(sr_rewrite_create(rw, op, r->code, pair, 2, NULL, 0, type), 0);
	}
	return sr_rewrite_to_value(rw, op, pair[0]);
}

/* ---------------------------------------------------------------- unused results */

struct needed_pairs {
	const struct sr_block *body;
	struct sr_map visited;
	bool *pairs; /* for each pair of body arguments (accumulator, element): true if the pair is needed; length: n */
	int n;
};

static void mark_needed(struct needed_pairs *needs, const struct sr_value *v)
{
	if (sr_value_block(v) != needs->body || sr_map_has(&needs->visited, v))
		return;
	sr_map_put(&needs->visited, v, needs);
	if (!v->def) {
		needs->pairs[v->index % needs->n] = true;
		return;
	}
	for (int i = 0; i < v->def->n_operands; i++)
		mark_needed(needs, sr_operand(v->def, i));
}

static bool has_no_nested_regions(const struct sr_block *body)
{
	for (const struct sr_op *op = body->first; op; op = op->next)
		if (op->n_regions)
			return false;
	return true;
}

static int count(const bool *list, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += list[i];
	return sum;
}

/* Remove the returned values and pairs of arguments that are not in the lists from the body of a reduce. The remaining ops must not
 * use the removed values. */
static void prune_body(struct sr_rewriter *rw, struct sr_block *body, const bool *is_returned, const bool *is_needed, int n)
{
	struct sr_op *previous;
	for (int i = n; i-- > 0;)
		if (!is_returned[i])
			sr_op_remove_operand(body->last, i);
	for (struct sr_op *op = body->last; op; op = previous) {
		previous = op->prev;
		if (sr_op_is_trivially_dead(op))
			sr_rewrite_erase(rw, op);
	}
	for (int i = 2 * n; i-- > 0;)
		if (!is_needed[i % n])
			sr_block_remove_arg(body, i);
}

/* reduce with unused results -> reduce without these results and their inputs, if as many inputs as results are needed. */
bool sr_pattern_reduce_unused(struct sr_rewriter *rw, struct sr_op *op)
{
	int n = op->n_results;
	struct sr_block *body = body_of(op);
	bool *is_used = SR_NEW_ARRAY(rw->ctx->arena, bool, n), *is_needed = SR_NEW_ARRAY(rw->ctx->arena, bool, n);
	struct needed_pairs body_needs = {.body = body, .pairs = is_needed, .n = n};
	sr_map_init(&body_needs.visited, rw->ctx->arena);
	for (int i = 0; i < n; i++) {
		is_used[i] = sr_result(op, i)->uses != NULL;
		if (is_used[i])
			mark_needed(&body_needs, sr_operand(body->last, i));
	}
	int n_used = count(is_used, n);
	if (n_used == n || n_used == 0 || count(is_needed, n) != n_used || !has_no_nested_regions(body))
		return false;
	struct sr_value **operands = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, 2 * n_used);
	const struct sr_type **types = SR_NEW_ARRAY(rw->ctx->arena, const struct sr_type *, n_used);
	int k = 0, r = 0;
	for (int i = 0; i < 2 * n; i++)
		if (is_needed[i % n])
			operands[k++] = sr_operand(op, i);
	for (int i = 0; i < n; i++)
		if (is_used[i])
			types[r++] = sr_result(op, i)->type;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_named_attr dims = {SR_NAME_dimensions, sr_op_attr(op, SR_NAME_dimensions)};
	struct sr_op *new_op = sr_build(&b, SR_OP_stablehlo_reduce, operands, 2 * n_used, &dims, 1, types, n_used);
	prune_body(rw, body, is_used, is_needed, n);
	sr_region_take(&new_op->regions[0], &op->regions[0]);
	sr_rewrite_notify_inserted(rw, new_op);
	for (int i = 0, at = 0; i < n; i++)
		if (is_used[i])
			sr_rewrite_replace_value(rw, sr_result(op, i), sr_result(new_op, at++));
	sr_rewrite_erase(rw, op);
	return true;
}
