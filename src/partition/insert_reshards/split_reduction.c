/* Split a reduction over a sharded dimension if no collective has its body, for example maximum with its index: each device
 * reduces its shard, and the partial results are gathered and reduced again.
 *
 * 	%r = reduce(%x) across [1] : 8x16 -> 8                                     %x [{}, {"x"}], "x"=4
 *  becomes
 * 	%s = reshape %x : 8x4x4 [{}, {"x"}, {}];  %p = reduce(%s) across [2] : 8x4 [{}, {"x"}];  %r = reduce(%p) across [1] : 8
 *
 * The specification requires an associative body; the order of elements is kept. The first reduction starts from the body's
 * identity if that is known, else from the op's initial values, which the specification allows to enter any number of times. */
#include "partition/insert_reshards/insert_reshards.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/local/pad.h"
#include "partition/partition.h"

struct split {
	struct sr_context *ctx;
	struct sr_op *op;
	int n_inputs;
	const struct sr_type *type;   /* tensor type of each input of the reduce */
	const int64_t *dims;          /* dimensions that the reduce op reduces */
	int64_t n_dims;
	struct sr_axes *axes; /* axes of the inputs per dimension; length: rank */
	int64_t *shards;      /* number of shards of each reduced dimension; 0: it is not split; length: rank */
	const struct sr_mesh_ref *mesh;
};

static bool is_reduced(const struct split *s, int dim)
{
	for (int64_t i = 0; i < s->n_dims; i++)
		if (s->dims[i] == dim)
			return true;
	return false;
}

/* Read the op and its sharding. Returns false if no reduced dimension is sharded, so that nothing is split. */
static bool read_split(struct split *s, const struct sr_op_view *v)
{
	struct sr_arena *arena = v->ctx->arena;
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, 0);
	bool is_any_split = false;
	*s = (struct split){.ctx = v->ctx,
			    .op = v->op,
			    .n_inputs = v->op->n_operands / 2,
			    .type = sr_operand(v->op, 0)->type,
			    .mesh = &v->mesh};
	if (!sr_op_is(v->op, SR_OP_stablehlo_reduce) || !sr_op_ints(v->ctx, v->op, SR_NAME_dimensions, &s->dims, &s->n_dims) ||
	    !sr_type_is_static(s->type))
		return false;
	s->axes = SR_NEW_ARRAY(arena, struct sr_axes, map->rank);
	s->shards = SR_NEW_ARRAY(arena, int64_t, map->rank);
	for (int d = 0; d < map->rank; d++) {
		s->axes[d] = v->p.tensors[0].factors[map->dims[d].factors[0]].axes;
		int64_t n = sr_axes_size(s->axes[d]), extent = s->type->shape[d];
		if (!is_reduced(s, d) || n == 1)
			continue;
		if (extent % n || extent / n < 2)
			s->axes[d] = (struct sr_axes){0};
		else
			s->shards[d] = n;
		is_any_split = is_any_split || s->shards[d];
	}
	return is_any_split;
}

/* Compute rank, shape and axes of the inputs after reshape, with an additional dimension for the shards of each split dimension;
 * is_reduced_shape: of the results of the first reduction. dims: dimensions to reduce. Returns the rank. */
static int split_shape(const struct split *s, bool is_reduced_shape, int64_t *shape, struct sr_axes *axes, int64_t *dims,
		       int *n_dims)
{
	int rank = 0;
	*n_dims = 0;
	for (int d = 0; d < s->type->rank; d++) {
		bool is_reduced_dim = is_reduced(s, d);
		if (s->shards[d]) {
			if (is_reduced_shape)
				dims[(*n_dims)++] = rank;
			axes[rank] = s->axes[d];
			shape[rank++] = s->shards[d];
		}
		if (is_reduced_dim && is_reduced_shape)
			continue;
		if (is_reduced_dim)
			dims[(*n_dims)++] = rank;
		axes[rank] = s->shards[d] ? (struct sr_axes){0} : s->axes[d];
		shape[rank++] = s->type->shape[d] / (s->shards[d] ? s->shards[d] : 1);
	}
	return rank;
}

static const struct sr_type *type_with_shape(const struct split *s, const struct sr_type *like, const int64_t *shape, int rank)
{
	return sr_type_with_shape(s->ctx, like, rank, shape);
}

/* Build a copy of the reduction before the op, on other operands and dimensions. */
static struct sr_op *build_reduction(const struct split *s, struct sr_value *const *operands, const int64_t *dims, int n_dims,
				     const struct sr_type *const *types)
{
	struct sr_map map;
	sr_map_init(&map, s->ctx->arena);
	struct sr_op *copy = sr_op_clone(s->ctx, s->op, &map);
	sr_op_insert_before(s->op, copy);
	sr_op_set_operands(s->ctx, copy, operands, 2 * s->n_inputs);
	sr_op_set_attr(s->ctx, copy, SR_NAME_dimensions, sr_attr_i64s(s->ctx, dims, n_dims));
	return sr_op_with_results(s->ctx, copy, types, s->n_inputs);
}

bool sr_can_split_reduction(const struct sr_op_view *v)
{
	struct split s;
	struct sr_op_view view = *v;
	return sr_local_kind_of(v->op) == SR_LOCAL_reduce && !sr_shardability_of(&view).can_reduce && read_split(&s, v);
}

static struct sr_value *first_init(const struct split *s, struct sr_builder *at)
{
	struct sr_value *init = sr_operand(s->op, s->n_inputs);
	const struct sr_attr *identity = sr_reducer_identity(s->ctx, sr_op_reducer(s->op), init->type->dtype);
	return identity ? sr_build_constant(at, identity) : init;
}

enum sr_status sr_split_reduction(struct sr_reshard_inserter *c, const struct sr_op_view *v, bool *is_done)
{
	struct split s;
	int n_dims;
	if (!read_split(&s, v))
		return SR_OK;
	struct sr_context *ctx = s.ctx;
	int64_t *shape = SR_NEW_ARRAY(ctx->arena, int64_t, 2 * s.type->rank),
		*dims = SR_NEW_ARRAY(ctx->arena, int64_t, 2 * s.type->rank);
	struct sr_axes *axes = SR_NEW_ARRAY(ctx->arena, struct sr_axes, 2 * s.type->rank);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, 2 * s.n_inputs);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, s.n_inputs);
	struct sr_op **new_ops = SR_NEW_ARRAY(ctx->arena, struct sr_op *, s.n_inputs + 2);
	struct sr_builder at = sr_builder_before(ctx, s.op);

	int rank = split_shape(&s, false, shape, axes, dims, &n_dims);
	for (int i = 0; i < s.n_inputs; i++) {
		struct sr_value *in = sr_operand(s.op, i), *init = sr_operand(s.op, s.n_inputs + i);
		const struct sr_type *type = type_with_shape(&s, in->type, shape, rank);
		new_ops[i] = sr_build(&at, SR_OP_stablehlo_reshape, &in, 1, NULL, 0, &type, 1);
		sr_value_set_axes(ctx, sr_result(new_ops[i], 0), s.mesh, axes);
		operands[i] = sr_result(new_ops[i], 0);
		operands[s.n_inputs + i] = s.n_inputs == 1 ? first_init(&s, &at) : init;
	}
	int64_t *first_dims = sr_dup(ctx->arena, dims, (size_t)n_dims, sizeof *dims);
	int n_first_dims = n_dims;
	rank = split_shape(&s, true, shape, axes, dims, &n_dims);
	for (int i = 0; i < s.n_inputs; i++)
		types[i] = type_with_shape(&s, sr_result(s.op, i)->type, shape, rank);
	struct sr_op *first = new_ops[s.n_inputs] = build_reduction(&s, operands, first_dims, n_first_dims, types);
	for (int i = 0; i < s.n_inputs; i++) {
		sr_value_set_axes(ctx, sr_result(first, i), s.mesh, axes);
		operands[i] = sr_result(first, i);
		operands[s.n_inputs + i] = sr_operand(s.op, s.n_inputs + i);
		types[i] = sr_result(s.op, i)->type;
	}
	struct sr_op *last = new_ops[s.n_inputs + 1] = build_reduction(&s, operands, dims, n_dims, types);
	for (int i = 0; i < s.n_inputs; i++)
		sr_value_replace_all(sr_result(s.op, i), sr_result(last, i));
	sr_op_erase(s.op);
	*is_done = true;
	return sr_insert_reshards_at_each(c, new_ops, s.n_inputs + 2);
}
