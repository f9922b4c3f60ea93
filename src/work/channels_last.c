/* shardrun-channels-last: store the data of convolutions with the channels as the last dimension (NHWC), the layout in which libraries
 * compute convolutions without copies. Programs of PyTorch have channels second (NCHW).
 *
 * The pass finds the values of channels-first convolutions and, through loop nests between equal dimensions (elementwise ops, pads,
 * pooling) and select_and_scatters (gradients of pooling), the values that are computed from them or for them. It changes their types
 * and, to match, the dimension numbers of convolutions, the indexing maps and loops of nests and the windows of select_and_scatters.
 * Values that other ops define or use, such as arguments of the function, keep their layout, and so do the results of
 * convolutions of such values that are quick in any layout:
 *
 *	%1 = convolution(%x, %w) [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1] : 8x64x28x28
 *	%2 = nest loops [8, 64, 28, 28] (%1[d0, d1, d2, d3]) -> [d0, d1, d2, d3] : 8x64x28x28
 *	->
 *	%1 = convolution(%x, %w) [b, f, 0, 1]x[o, i, 0, 1]->[b, 0, 1, f] : 8x28x28x64
 *	%2 = nest loops [8, 28, 28, 64] (%1[d0, d1, d2, d3]) -> [d0, d1, d2, d3] : 8x28x28x64
 */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "support/map.h"
#include "work/work_passes.h"
#include <string.h>

/* Minimum number of output channels of a convolution whose data the pass stores with channels last. */
enum { MIN_CHANNELS = 8 };

/* Fields of the attribute #stablehlo.conv: three for the input, then three for the kernel and three for the output. */
enum { CONV_INPUT = 0, CONV_KERNEL = 3, CONV_OUTPUT = 6, CONV_FIELDS = 9 };

/* Return the number that dimension d of a channels-first tensor gets. */
static int64_t new_dim(int64_t d, int rank)
{
	return d == 0 ? 0 : d == 1 ? rank - 1 : d - 1;
}

/* Set to[new_dim(d)] = from[d] for each of the tensor's dimensions, which have n numbers each. */
static void move_dims(int64_t *to, const int64_t *from, int rank, int64_t n)
{
	for (int d = 0; d < rank; d++)
		memcpy(to + new_dim(d, rank) * n, from + d * n, sizeof *from * (size_t)n);
}

/* Return true if the op is a convolution whose input and output have the dimensions batch, channels, spatial dimensions, and whose
 * element type libraries support. */
static bool is_channels_first(struct sr_op *op)
{
	const struct sr_type *in = sr_operand_type(op, 0), *out = sr_result_type(op, 0);
	const struct sr_attr *numbers = sr_op_is(op, SR_OP_stablehlo_convolution) ? sr_op_attr(op, SR_NAME_dimension_numbers) : NULL;
	if (!numbers || out->rank < 3 || out->shape[1] < MIN_CHANNELS || (in->dtype != SR_F32 && in->dtype != SR_BF16))
		return false;
	for (int group = CONV_INPUT; group <= CONV_OUTPUT; group += CONV_OUTPUT - CONV_INPUT)
		if (numbers->list[group]->i != 0 || numbers->list[group + 1]->i != 1)
			return false;
	return true;
}

/* Return the loop that alone indexes the channels of a tensor with this map, without an offset; -1: there is none. */
static int channel_loop(const struct sr_indexing_map *a)
{
	const int64_t *row = sr_indexing_map_row(a, 1);
	int loop = -1;
	for (int l = 0; l < a->n_loops; l++) {
		if (row[l] && (loop >= 0 || row[l] != 1))
			return -1;
		loop = row[l] ? l : loop;
	}
	bool has_index = (a->index && a->index[1] >= 0) || (a->divisor && a->divisor[1] != 1);
	return row[a->n_loops] || has_index ? -1 : loop;
}

static bool is_pooling_gradient(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_select_and_scatter);
}

static bool accepts_any_layout(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_work_nest) || sr_op_is(op, SR_OP_stablehlo_convolution) || is_pooling_gradient(op);
}

/* Return true if the ops that define and use the value can be changed for another layout of it. */
static bool is_movable(const struct sr_value *v, int rank)
{
	bool movable = v->def && v->type->rank == rank && accepts_any_layout(v->def);
	for (const struct sr_use *use = v->uses; movable && use; use = use->next)
		movable = accepts_any_layout(use->owner);
	return movable;
}

static void add(struct sr_map *values, struct sr_value *v, int rank)
{
	if (is_movable(v, rank))
		sr_map_put(values, v, v);
}

/* Add the operands and results of the nest whose channels have the same loop as those of v, one of them. */
static void add_from_nest(struct sr_context *ctx, struct sr_map *values, struct sr_op *op, const struct sr_value *v)
{
	struct sr_work_nest nest = sr_work_read(ctx, op);
	int rank = v->type->rank, loop = -1;
	for (int i = 0; i < nest.n_operands && loop < 0; i++)
		loop = nest.operands[i] == v ? channel_loop(&nest.accesses[i]) : -1;
	if (v->def == op)
		loop = channel_loop(&nest.result_indexing_maps[v->index]);
	for (int i = 0; i < nest.n_operands && loop >= 0; i++)
		if (nest.accesses[i].rank == rank && channel_loop(&nest.accesses[i]) == loop)
			add(values, nest.operands[i], rank);
	for (int i = 0; i < nest.n_results && loop >= 0; i++)
		if (nest.result_indexing_maps[i].rank == rank && channel_loop(&nest.result_indexing_maps[i]) == loop)
			add(values, sr_result(op, i), rank);
}

/* Add what has the layout of v by op, the op that defines v or one that uses it. */
static void add_from_op(struct sr_context *ctx, struct sr_map *values, struct sr_op *op, const struct sr_value *v)
{
	if (sr_op_is(op, SR_OP_work_nest))
		add_from_nest(ctx, values, op, v);
	for (int i = 0; is_pooling_gradient(op) && i < 3; i++)
		add(values, i < 2 ? sr_operand(op, i) : sr_result(op, 0), v->type->rank);
}

/* Return true if the convolution is about as quick with the channels first: its window has a single element, so that it is a matrix
 * product, or it is depthwise along one dimension. */
static bool is_quick_in_any_layout(struct sr_op *op)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	const struct sr_type *kernel = sr_operand_type(op, 1);
	int64_t in = numbers->list[CONV_KERNEL]->i, out = numbers->list[CONV_KERNEL + 1]->i;
	int n_wide = 0;
	for (int d = 0; d < kernel->rank; d++)
		n_wide += d != in && d != out && kernel->shape[d] != 1;
	return n_wide == 0 || (n_wide == 1 && kernel->shape[in] == 1 && sr_op_int(op, SR_NAME_feature_group_count, 1) > 1);
}

/* Add the data of the convolution. The result keeps its layout if that of the input is fixed and the convolution is quick in any
 * layout: otherwise nests read the result transposed. */
static void add_convolution(struct sr_map *values, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	add(values, in, out->type->rank);
	if (is_movable(in, out->type->rank) || !is_quick_in_any_layout(op))
		add(values, out, out->type->rank);
}

static void add_convolutions(struct sr_map *values, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next)
		for (struct sr_op *op = block->first; op; op = op->next) {
			if (sr_op_is(op, SR_OP_stablehlo_convolution) && is_channels_first(op))
				add_convolution(values, op);
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				add_convolutions(values, &op->regions[i]);
		}
}

/* Add the values that nests and select_and_scatters connect with those in the set. */
static void add_connected(struct sr_context *ctx, struct sr_map *values)
{
	for (size_t i = 0; i < values->n; i++) {
		struct sr_value *v = values->entries[i].value;
		add_from_op(ctx, values, v->def, v);
		for (struct sr_use *use = v->uses; use; use = use->next)
			add_from_op(ctx, values, use->owner, v);
	}
}

/* Return true if the op is a select_and_scatter of which not all tensors are in the set. */
static bool is_partly_in(const struct sr_map *values, const struct sr_op *op)
{
	return is_pooling_gradient(op) && !(sr_map_has(values, sr_operand(op, 0)) && sr_map_has(values, sr_operand(op, 1)) &&
					    sr_map_has(values, sr_result(op, 0)));
}

/* If one of the op's tensors must keep its layout, move the others from the set `values` to `removed`. */
static void remove_tied_by_op(struct sr_map *values, struct sr_map *removed, struct sr_op *op)
{
	for (int i = 0; i < 3 && is_partly_in(values, op); i++) {
		struct sr_value *v = i < 2 ? sr_operand(op, i) : sr_result(op, 0);
		if (!sr_map_has(values, v))
			continue;
		sr_map_remove(values, v);
		sr_map_put(removed, v, v);
	}
}

static void remove_tied_by_ops_of(struct sr_map *values, struct sr_map *removed, const struct sr_value *v)
{
	remove_tied_by_op(values, removed, v->def);
	for (const struct sr_use *use = v->uses; use; use = use->next)
		remove_tied_by_op(values, removed, use->owner);
}

/* Remove the values of select_and_scatters of which another tensor must keep its layout. Each removal can affect only the ops that
 * define or use the value. */
static void remove_tied(struct sr_map *values)
{
	struct sr_map removed;
	sr_map_init(&removed, values->arena);
	for (size_t i = 0; i < values->n; i++)
		if (values->entries[i].key)
			remove_tied_by_ops_of(values, &removed, values->entries[i].key);
	for (size_t i = 0; i < removed.n; i++)
		remove_tied_by_ops_of(values, &removed, removed.entries[i].value);
}

/* Change the dimension numbers of an input, kernel or output (the group of fields) of a convolution. */
static void move_conv_dims(struct sr_context *ctx, struct sr_op *op, int group, int rank)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers), *fields[CONV_FIELDS];
	int64_t moved[SR_MAX_RANK], n;
	const int64_t *dims;
	memcpy(fields, numbers->list, sizeof fields);
	for (int i = group; i < group + 2; i++)
		fields[i] = sr_attr_i64(ctx, new_dim(fields[i]->i, rank));
	if (sr_attr_ints(ctx, fields[group + 2], &dims, &n)) {
		for (int64_t i = 0; i < n; i++)
			moved[i] = new_dim(dims[i], rank);
		fields[group + 2] = sr_attr_i64s(ctx, moved, n);
	}
	sr_op_set_attr(ctx, op, SR_NAME_dimension_numbers, sr_attr_struct(ctx, numbers->def, fields));
}

/* Change a map of a nest for the new layout of its tensor. */
static void move_map_dims(struct sr_context *ctx, struct sr_indexing_map *a)
{
	struct sr_indexing_map old = *a;
	int64_t **lists[] = {&a->index, &a->limit, &a->divisor};
	a->map = SR_NEW_ARRAY(ctx->scratch, int64_t, a->rank * (a->n_loops + 1));
	move_dims(a->map, old.map, a->rank, a->n_loops + 1);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (*lists[i]) {
			const int64_t *from = *lists[i];
			*lists[i] = SR_NEW_ARRAY(ctx->scratch, int64_t, a->rank);
			move_dims(*lists[i], from, a->rank, 1);
		}
	a->attr = NULL;
}

/* Return true if loop d of the nest's first `rank` loops, all parallel, indexes dimension d of the result. */
static bool loops_follow_dims(const struct sr_work_nest *nest, int result)
{
	const struct sr_indexing_map *a = &nest->result_indexing_maps[result];
	if (nest->parallel != a->rank)
		return false;
	for (int d = 0; d < a->rank; d++)
		for (int l = 0; l <= a->n_loops; l++)
			if (sr_indexing_map_row(a, d)[l] && (l != d || sr_indexing_map_row(a, d)[l] != 1))
				return false;
	return true;
}

static void move_nest(struct sr_context *ctx, const struct sr_map *values, struct sr_op *op)
{
	struct sr_work_nest nest = sr_work_read(ctx, op);
	bool reorders_loops = false;
	for (int i = 0; i < nest.n_operands; i++)
		if (sr_map_has(values, nest.operands[i]))
			move_map_dims(ctx, &nest.accesses[i]);
	for (int i = 0; i < nest.n_results; i++)
		if (sr_map_has(values, sr_result(op, i))) {
			reorders_loops = reorders_loops || loops_follow_dims(&nest, i);
			move_map_dims(ctx, &nest.result_indexing_maps[i]);
		}
	int *order = SR_NEW_ARRAY(ctx->scratch, int, nest.n_loops + 1);
	for (int l = 0; l < nest.n_loops; l++)
		order[l] = l < nest.parallel ? (int)new_dim(l, nest.parallel) : l;
	if (reorders_loops) /* loops in the order of the new dimensions of the results */
		sr_work_reorder_loops(ctx, op, &nest, order);
	sr_work_update(ctx, op, &nest);
}

/* Change the window of a select_and_scatter, whose tensors all have the new layout. */
static void move_window(struct sr_context *ctx, struct sr_op *op)
{
	int rank = sr_result_type(op, 0)->rank;
	int64_t moved[2 * SR_MAX_RANK], n;
	const int64_t *v;
	static const char *const lists[] = {SR_NAME_window_dimensions, SR_NAME_window_strides};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (sr_op_ints(ctx, op, lists[i], &v, &n) && n == rank) {
			move_dims(moved, v, rank, 1);
			sr_op_set_attr(ctx, op, lists[i], sr_attr_i64s(ctx, moved, n));
		}
	if (sr_op_ints(ctx, op, SR_NAME_padding, &v, &n) && n == 2 * rank) {
		move_dims(moved, v, rank, 2);
		sr_op_set_attr(ctx, op, SR_NAME_padding, sr_attr_dense_i64(ctx, 2, (int64_t[]){rank, 2}, moved));
	}
}

/* Change op, which defines v or has v as operand number `operand` (-1: it defines v). Nests and select_and_scatters, which change as a
 * whole, are added to `whole_ops`. */
static void move_op(struct sr_context *ctx, struct sr_map *whole_ops, struct sr_op *op, int operand, const struct sr_value *v)
{
	if (sr_op_is(op, SR_OP_stablehlo_convolution))
		move_conv_dims(ctx, op, operand < 0 ? CONV_OUTPUT : operand ? CONV_KERNEL : CONV_INPUT, v->type->rank);
	else
		sr_map_put(whole_ops, op, op);
}

static void move_ops(struct sr_context *ctx, const struct sr_map *values)
{
	struct sr_map whole_ops;
	sr_map_init(&whole_ops, ctx->scratch);
	for (size_t i = 0; i < values->n; i++) {
		const struct sr_value *v = values->entries[i].key;
		if (v)
			move_op(ctx, &whole_ops, v->def, -1, v);
		for (struct sr_use *use = v ? v->uses : NULL; use; use = use->next)
			move_op(ctx, &whole_ops, use->owner, sr_use_index(use), v);
	}
	for (size_t i = 0; i < whole_ops.n; i++) {
		struct sr_op *op = whole_ops.entries[i].value;
		if (is_pooling_gradient(op))
			move_window(ctx, op);
		else
			move_nest(ctx, values, op);
	}
}

static void run_on_function(struct sr_context *ctx, struct sr_op *function)
{
	struct sr_map values;
	sr_map_init(&values, ctx->scratch);
	add_convolutions(&values, &function->regions[0]);
	add_connected(ctx, &values);
	remove_tied(&values);
	move_ops(ctx, &values);
	for (size_t i = 0; i < values.n; i++) {
		struct sr_value *v = values.entries[i].value;
		int64_t shape[SR_MAX_RANK];
		if (!v)
			continue;
		move_dims(shape, v->type->shape, v->type->rank, 1);
		v->type = sr_type_with_shape(ctx, v->type, v->type->rank, shape);
	}
}

enum sr_status sr_run_channels_last(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func)) {
			struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
			run_on_function(ctx, op);
			sr_arena_release(ctx->scratch, mark);
		}
	return SR_OK;
}
