/* SPMD expansion of triangular_solve and LAPACK's trsm: the columns of the right-hand side (rows, if the matrix is on the right)
 * are independent, so each device solves for its own with the replicated matrix. */
#include "dialect/attr_names.h"
#include "kernels/kernel.h"
#include "partition/expand/expand.h"

/* Return whether the matrix is on the left of the unknown: then the columns are independent. False: not a triangular solve. */
static bool read_side(const struct sr_op *op, bool *left)
{
	const struct sr_attr *target = sr_op_attr(op, SR_NAME_call_target_name), *given = sr_op_attr(op, SR_NAME_left_side);
	if (sr_op_is(op, SR_OP_stablehlo_custom_call)) {
		const struct sr_attr *config = sr_op_attr(op, "mhlo.backend_config"),
				     *side = config && config->kind == SR_ATTR_DICT ? sr_dict_get(config, "side") : NULL;
		if (!target || sr_lapack_find(target->s) != SR_LAPACK_TRSM || !side || op->n_operands != 2 || op->n_results != 1)
			return false;
		*left = side->i == 'L';
		return *left || side->i == 'R';
	}
	*left = given && given->i;
	return true;
}

/* Choose the axes of matrix and right-hand side, with `axes` on the independent dimension; leading dimensions are batches. Sets
 * p->price. */
static void choose_axes(struct sr_expansion *p, const struct sr_axes *given, int free_dim, struct sr_axes axes,
			struct sr_axes **layouts)
{
	int rank = sr_operand(p->op, 1)->type->rank;
	for (int i = 0; i < 2; i++) {
		layouts[i] = sr_expand_no_axes(p, rank);
		for (int d = 0; d < rank - 2; d++)
			layouts[i][d] = given[d];
	}
	layouts[1][free_dim] = axes;
	p->price = 0;
	for (int i = 0; i < 2; i++)
		sr_expand_cost_reshard(p, sr_operand(p->op, i), i, layouts[i]);
	sr_expand_cost_result(p, 0, layouts[1]);
}

bool sr_expand_triangular_solve(struct sr_expansion *p)
{
	struct sr_value *operands[] = {sr_operand(p->op, 0), sr_operand(p->op, 1)}, *out = sr_result(p->op, 0);
	struct sr_axes *given = sr_expand_given_axes(p, 1), *layouts[2], *moved[2];
	bool left;
	if (!read_side(p->op, &left) || out->type->rank < 2 || operands[0]->type->rank != out->type->rank)
		return false;
	int rank = out->type->rank, free_dim = rank - (left ? 1 : 2), solved = 2 * rank - 3 - free_dim;
	struct sr_axes both = sr_axes_concat(p->ctx->arena, given[free_dim], given[solved]);
	if (sr_axes_size(both) == 1)
		return false;
	choose_axes(p, given, free_dim, both, moved);
	double price = p->price;
	choose_axes(p, given, free_dim, given[free_dim], layouts);
	if (price < p->price || !given[free_dim].n) { /* move the axes of the other dimension to the independent one */
		p->price = price;
		layouts[0] = moved[0], layouts[1] = moved[1];
	}
	if (!sr_expand_pays(p))
		return false;
	struct sr_value **args = sr_expand_begin(p, operands, layouts, 2, &out->type, &layouts[1], 1);
	struct sr_op *op = sr_op_clone(p->ctx, p->op, NULL);
	struct sr_value *v = sr_result(op, 0);
	sr_op_set_operands(p->ctx, op, args, 2);
	sr_op_remove_attr(p->ctx, op, "sdy.sharding");
	v->type = args[1]->type;
	sr_op_append(p->at.block, op);
	sr_expand_end(p, &v, 1);
	sr_expand_replace(p, out, 0);
	sr_expand_finish(p);
	return true;
}
