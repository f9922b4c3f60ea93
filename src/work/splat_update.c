/* Find splat values that need no buffer because only scatters read them, as updates: such scatters read the splat's one
 * element. */
#include "dialect/attr_names.h"
#include "work/emit/emit.h"
#include "work/work.h"

bool sr_work_scatter_has_kernel(const struct sr_op *op, int *monoid)
{
	const struct sr_block *body = op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(body);
	bool replaces = op->n_operands == 3 && end->n_operands == 1 && body->n_args == 2 && sr_operand(end, 0) == body->args[1];

	*monoid = op->n_operands == 3 && !replaces ? sr_monoid_of(op, 0, 0) : -1;
	return replaces || *monoid >= 0;
}

static bool is_read_by_scatters(const struct sr_op *op)
{
	int monoid;
	for (const struct sr_use *use = sr_result(op, 0)->uses; use; use = use->next) {
		const struct sr_op *owner = use->owner;
		if (owner->block != op->block || !sr_op_is(owner, SR_OP_stablehlo_scatter) || !sr_work_scatter_has_kernel(owner,
				&monoid))
			return false;
		if (sr_operand(owner, 0) == use->value || sr_operand(owner, 1) == use->value)
			return false;
	}
	return sr_result(op, 0)->uses != NULL;
}

static const struct sr_attr *splat_constant(const struct sr_op *op)
{
	const struct sr_attr *value = sr_op_is(op, SR_OP_stablehlo_constant) ? sr_op_attr(op, SR_NAME_value) : NULL;
	return value && value->kind == SR_ATTR_DENSE && (value->dense->splat || value->type->rank == 0) ? value : NULL;
}

/* Find the element that all elements of the op's result equal. Return false if there is none. */
static bool find_splat(const struct sr_op *op, struct sr_work_splat *s)
{
	int64_t n;
	*s = (struct sr_work_splat){0};
	if (op->n_results != 1 || !sr_type_elements(sr_result(op, 0)->type, &n) || n < 2)
		return false;
	if (!sr_op_is(op, SR_OP_work_nest)) {
		s->constant = splat_constant(op);
		return s->constant;
	}
	const struct sr_value *yielded_value = sr_operand(sr_block_terminator(op->regions[0].first), 0);
	if (yielded_value->def && op->n_operands == 0)
		s->constant = splat_constant(yielded_value->def);
	else if (!yielded_value->def && op->n_operands == 1 && sr_type_elements(sr_operand(op, 0)->type, &n) && n == 1)
		s->value = sr_operand(op, 0);
	return s->constant || s->value;
}

bool sr_work_may_elide_splat(const struct sr_op *op)
{
	struct sr_work_splat s;
	return find_splat(op, &s) && is_read_by_scatters(op);
}

bool sr_work_elided_splat(const struct sr_op *op, struct sr_work_splat *s)
{
	return sr_work_is_elided(op) && find_splat(op, s);
}
