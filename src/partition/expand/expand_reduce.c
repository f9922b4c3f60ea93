/* Form of reductions (form/form.h) along sharded dimensions whose body no collective has, for example maximum with its index: each
 * device reduces its shard, and the partial results are gathered and reduced again.
 *
 *	%r = reduce(%x) across [1]                     %x [{}, {"x"}], "x"=4
 *	%p = reduce(%shard) across [1]
 *	%r = reduce(all_gather(reshape %p to 1 x n) along "x": 4 x n) across [0]
 *
 * The specification requires an associative body; the order of elements along a dimension is kept. The first reduction starts from
 * the body's identity if that is known, else from the op's initial values, which the specification allows to enter any number of
 * times. Shards must divide the reduced dimensions. */
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/expand/expand.h"

bool sr_form_reduce_exists(const struct sr_op *op)
{
	const struct sr_reducer *r = sr_op_reducer(op);
	enum sr_unreduced_kind kind;
	return op->n_results && !(r && sr_reducer_unreduced_kind(r, sr_result(op, 0)->type->dtype == SR_I1, &kind));
}

/* Return the op's rule without its reduction factors, since no collective reduces partial results. */
static const struct sr_sharding_rule *rule_without_reduction(struct sr_context *ctx, struct sr_arena *arena, const struct sr_op *op,
							     const struct sr_sharding_rule *rule)
{
	struct sr_sharding_rule *out = sr_dup(arena, rule, 1, sizeof *rule);
	(void)ctx, (void)op;
	out->reduction = (struct sr_index_list){0};
	return out;
}

/* A reduced dimension is in the inputs and in no result. */
static bool supports(const struct sr_op_view *v, int factor)
{
	bool is_in_result = false;
	for (int t = v->rule->n_operands; t < v->n_tensors; t++)
		is_in_result = is_in_result || v->p.tensors[t].factors[factor].is_present;
	return !is_in_result && v->p.tensors[0].factors[factor].is_present && sr_spmd_is_supported(v);
}

/* Store in *axes the axes of the reduced dimensions. Returns false if their shards are not equal, or have a single element. */
static bool read_axes(const struct sr_form_query *q, struct sr_axes *axes)
{
	const struct sr_type *type = sr_operand(q->op, 0)->type;
	const struct sr_axes *by_dim = sr_form_axes(q, 0);
	const int64_t *dims;
	int64_t n;
	*axes = (struct sr_axes){0};
	if (!sr_op_ints(q->ctx, q->op, SR_NAME_dimensions, &dims, &n))
		return false;
	for (int64_t i = 0; i < n; i++) {
		int64_t shards = sr_axes_size(by_dim[dims[i]]), extent = type->shape[dims[i]];
		if (shards > 1 && (extent % shards || extent == shards))
			return false;
		*axes = sr_axes_concat(q->arena, *axes, by_dim[dims[i]]);
	}
	return true;
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sr_axes axes;
	if (!read_axes(q, &axes))
		return SR_FORM_IMPOSSIBLE;
	const struct sr_mesh_links *links = sr_cost_model_links(q->costs, q->mesh.mesh);
	for (int i = 0; axes.n && i < q->op->n_results; i++) {
		double partial_bytes = sr_cost_model_local_bytes(sr_result(q->op, i)->type, q->layouts[q->op->n_operands + i]->sharding,
								 q->mesh.mesh);
		sr_wire_cost_add(sum,
					sr_cost_collective(links, SR_ALL_GATHER, partial_bytes * (double)sr_axes_size(axes), axes));
	}
	return axes.n ? SR_FORM_USED : SR_FORM_UNUSED;
}

/* Build a copy of the reduction of these inputs and initial values, and store its results in place of the inputs. */
static void reduce(struct sr_expansion *p, struct sr_value **operands, const int64_t *dims, int64_t n_dims,
		   const struct sr_type *const *types)
{
	struct sr_op *copy = sr_form_clone(p, operands, p->op->n_operands, types, p->op->n_results);
	sr_op_set_attr(p->ctx, copy, SR_NAME_dimensions, sr_attr_i64s(p->ctx, dims, n_dims));
	for (int i = 0; i < copy->n_results; i++)
		operands[i] = sr_result(copy, i);
}

static void emit(const struct sr_form_query *q)
{
	struct sr_expansion p = sr_expansion_of(q);
	struct sr_axes axes;
	int n = q->op->n_results;
	int64_t shape[SR_MAX_RANK + 1] = {1}, n_dims = 0, first_dim = 0;
	const int64_t *dims = NULL;
	const struct sr_type **types = SR_NEW_ARRAY(q->arena, const struct sr_type *, n);
	struct sr_value **args = sr_form_begin(&p, NULL, 0, q->layouts),
			**inits = sr_dup(q->arena, args + n, (size_t)n, sizeof *inits);
	for (int i = 0; i < n; i++)
		types[i] = sr_expand_local_type(&p, sr_result(q->op, i)->type, sr_form_axes(q, 2 * n + i));
	const struct sr_attr *identity = n == 1 ? sr_reducer_identity(q->ctx, sr_op_reducer(q->op), args[1]->type->dtype) : NULL;
	if (identity)
		args[1] = sr_build_constant(&p.builder, identity);
	read_axes(q, &axes);
	sr_op_ints(q->ctx, q->op, SR_NAME_dimensions, &dims, &n_dims);
	reduce(&p, args, dims, n_dims, types);
	for (int i = 0; i < n; i++) {
		for (int d = 0; d < types[i]->rank; d++)
			shape[d + 1] = types[i]->shape[d];
		args[i] = sr_spmd_all_gather(&p, sr_build_reshape(&p.builder, args[i], types[i]->rank + 1, shape), 0, axes);
		args[n + i] = inits[i];
	}
	reduce(&p, args, &first_dim, 1, types);
	sr_form_end(&p, args);
}

const struct sr_op_form sr_form_reduce = {"reduce-and-gather", supports, cost, emit, rule_without_reduction};
