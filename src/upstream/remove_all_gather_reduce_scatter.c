/* sdy-remove-all-gather-reduce-scatter-for-cmv1: remove the collectives around matrix products for backends with windowed
 * products ("collective matmul"), which gather and scatter within the product.
 *
 *	%0 = sdy.all_gather [{"x"}, {}] %b; %1 = dot %a, %0        becomes  %1 = dot %a, %b
 *	%0 = dot %a, %b; %1 = sdy.reduce_scatter [{"x"}, {}] %0    becomes  %1 = dot %a, %b with the sharding that %1 had
 *
 * An all_gather is removed only if the product is its only reader, a reduce_scatter only if it is the product's only reader. If an
 * operand is gathered, the reduce_scatter stays. */
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "support/vec.h"
#include "upstream/upstream_passes.h"

struct collective_removal {
	struct sr_context *ctx;
	SR_VEC(struct sr_op *) erased;
};

static struct sr_op *only_user(const struct sr_op *op)
{
	const struct sr_use *use = sr_result(op, 0)->uses;
	return use && !use->next ? use->owner : NULL;
}

static bool take_gathers(struct collective_removal *r, const struct sr_op *product)
{
	bool has_removed = false;
	for (int i = 0; i < product->n_operands; i++) {
		struct sr_op *def = sr_operand(product, i)->def;
		if (!def || !sr_op_is(def, SR_OP_sdy_all_gather) || !only_user(def))
			continue;
		sr_push(r->ctx->arena, &r->erased, def);
		has_removed = true;
	}
	return has_removed;
}

static bool visit(void *data, struct sr_op *op)
{
	struct collective_removal *r = data;
	if (!sr_op_has(op, SR_MATMUL))
		return true;
	if (take_gathers(r, op))
		return true;
	struct sr_op *user = only_user(op);
	const struct sr_attr *sharding = sr_value_sharding(r->ctx, sr_result(op, 0));
	if (!user || !sr_op_is(user, SR_OP_sdy_reduce_scatter) || !sharding || sharding->sharding->unreduced.n > 0)
		return true;
	sr_value_set_sharding(r->ctx, sr_result(op, 0), sr_op_attr(user, SR_NAME_out_sharding));
	sr_push(r->ctx->arena, &r->erased, user);
	return true;
}

enum sr_status sr_remove_all_gather_reduce_scatter(struct sr_context *ctx, struct sr_op *func,
						   const struct sr_pass_options *options)
{
	struct collective_removal r = {.ctx = ctx};
	sr_walk_post(func, visit, &r);
	for (size_t i = 0; i < r.erased.n; i++) {
		sr_value_replace_all(sr_result(r.erased.data[i], 0), sr_operand(r.erased.data[i], 0));
		sr_op_erase(r.erased.data[i]);
	}
	return SR_OK;
}
