/* Op priorities: the directions in which shardings are propagated through an op, by level. Each level allows all that earlier
 * levels allow:
 *
 *	0  elementwise ops and ops that only move data (PRIORITY passthrough, offload, same_shape; forward: forward only), if no
 *	   operand has another use
 *	1  the same ops, regardless of uses
 *	2  all ops along pass-through factors; broadcasts backward only
 *	3  all ops along all factors; broadcasts backward only
 *	4  everything
 *
 * Upstream: op_priority_propagation. */
#include "propagate/propagation.h"
#include "dialect/attr_names.h"
#include <string.h>

static bool is_offload(const struct sr_op *op)
{
	const struct sr_attr *target = sr_op_attr(op, SR_NAME_call_target_name);
	return target && target->s && (strcmp(target->s, "MoveToDevice") == 0 || strcmp(target->s, "MoveToHost") == 0);
}

static bool is_passthrough_op(const struct sr_op *op)
{
	enum sr_priority class = sr_op_priority(op);
	return class == SR_PRIORITY_passthrough || sr_op_is_elementwise(op) || (class == SR_PRIORITY_offload && is_offload(op));
}

/* Return true if an operand has other uses. Scalars are ignored, since they cannot be sharded. */
static bool shares_operand(const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_value *v = sr_operand(op, i);
		bool is_scalar = v->type->kind == SR_TYPE_TENSOR && v->type->rank == 0;
		if (v->uses->next && !is_scalar)
			return true;
	}
	return false;
}

/* Return the direction of all factors at levels 0 and 1. */
static enum sr_direction direction_of_first_levels(const struct sr_op *op, int level)
{
	enum sr_direction direction = SR_DIRECTION_NONE;
	if (is_passthrough_op(op))
		direction = SR_DIRECTION_BOTH;
	else if (sr_op_priority(op) == SR_PRIORITY_forward)
		direction = SR_DIRECTION_FORWARD;
	if (direction != SR_DIRECTION_NONE && level == 0 && shares_operand(op))
		return SR_DIRECTION_NONE;
	return direction;
}

static bool contains_factor(struct sr_index_list list, int factor)
{
	for (int i = 0; i < list.n; i++)
		if (list.indices[i] == factor)
			return true;
	return false;
}

static bool is_pass_through(const struct sr_sharding_rule *rule, int factor)
{
	return !contains_factor(rule->reduction, factor) && !contains_factor(rule->need_replication, factor) &&
		!contains_factor(rule->permutation, factor);
}

static enum sr_direction union_of(enum sr_direction a, enum sr_direction b)
{
	if (a != SR_DIRECTION_NONE && b != SR_DIRECTION_NONE && a != b)
		return SR_DIRECTION_BOTH;
	return a > b ? a : b;
}

static enum sr_direction barrier_direction(const struct sr_op *op)
{
	const struct sr_attr *allowed_direction = sr_op_attr(op, SR_NAME_allowed_direction);
	return allowed_direction ? (enum sr_direction)allowed_direction->i : SR_DIRECTION_NONE;
}

int sr_op_directions(const struct sr_op *op, const struct sr_sharding_rule *rule, int level, enum sr_direction *directions)
{
	enum sr_direction all_direction = SR_DIRECTION_BOTH, pass_direction = SR_DIRECTION_NONE;
	bool broadcast = sr_op_priority(op) == SR_PRIORITY_broadcast;
	if (sr_op_is(op, SR_OP_sdy_propagation_barrier)) {
		all_direction = barrier_direction(op);
	} else if (level < SR_DIRECTIONS_ALL) {
		enum sr_direction late = broadcast ? SR_DIRECTION_BACKWARD : SR_DIRECTION_BOTH;
		enum sr_direction first_level_direction = direction_of_first_levels(op, level);
		all_direction = level == 3 ? union_of(first_level_direction, late) : first_level_direction;
		pass_direction = level >= 2 ? late : SR_DIRECTION_NONE;
	}
	for (int f = 0; f < rule->n_factors; f++) {
		directions[f] = pass_direction != SR_DIRECTION_NONE && is_pass_through(rule, f)
				    ? union_of(all_direction, pass_direction)
				    : all_direction;
		if (contains_factor(rule->blocked, f))
			directions[f] = SR_DIRECTION_NONE;
	}
	return (int)all_direction + 4 * (int)union_of(all_direction, pass_direction);
}
