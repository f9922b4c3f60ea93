/* Lower collectives: one instruction per operand, which reads and writes blocks in place if their rows are long, else between
 * packing moves. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "plan/plan_groups.h"
#include "plan/lower/lower.h"
#include <string.h>

/* How the collectives with replica groups differ. */
struct collective_traits {
	enum sr_coll coll;
	enum sr_grouping grouping_with_channel; /* what the ids in replica_groups mean if the op has a channel */
	bool only_first_receives;           /* true if only the first member of a group gets the result */
	bool has_idle_devices;                  /* true if devices may be in no group; they get zeros */
};

static int64_t channel(const struct sr_op *op)
{
	const struct sr_attr *c = sr_op_attr(op, SR_NAME_channel_handle), *h = c ? sr_attr_field(c, SR_NAME_handle) : NULL;
	return h ? h->i : 0;
}

/* Return a text attribute of the op: the collective's cause, or the shardings that it converts between. */
static uint32_t text_of(struct sr_plan_builder *b, const struct sr_op *op, const char *attr, const char *default_text)
{
	const struct sr_attr *a = sr_op_attr(op, attr);
	return sr_plan_add_text(b, a && a->kind == SR_ATTR_STRING ? a->s : default_text);
}

static uint32_t shardings_text(struct sr_plan_builder *b, const struct sr_op *op)
{
	return sr_op_attr(op, "shardrun.shardings") ? 1 + text_of(b, op, "shardrun.shardings", "") : 0;
}

/* Append the instruction of a collective c, of which kind, group, reduction and layouts are set. */
static void add_collective(struct sr_plan_builder *b, struct sr_op *op, struct sr_collective_instr c, int in, int out)
{
	enum sr_dtype type = (enum sr_dtype)b->buffers.data[in].dtype;
	c.members = -1;
	c.reshard_text = shardings_text(b, op);
	c.count = b->buffers.data[in].bytes / sr_dtype_bytes(type);
	struct sr_instr *instr = sr_plan_add_instr(b, SR_INSTR_COLLECTIVE, (int[]){in, out}, 2, &c, sizeof c);
	instr->dtype = (uint8_t)type;
	uint32_t text = text_of(b, op, "shardrun.cause", "user");
	struct sr_instr_list *list = &b->computations.data[b->computation];
	list->instrs.data[list->instrs.n - 1].cause = text;
}

/* Move between a tensor and its packed form: n blocks one after another, each a row-major tensor with one chunk of dimension d.
 * pack: from the tensor to the packed form. */
static void repack(struct sr_plan_builder *b, int source, int target, enum sr_dtype type, const struct sr_type *full_type,
		   int64_t d, int64_t n_blocks, bool pack)
{
	int64_t shape[SR_KERNEL_MAX_RANK + 1], dense_strides[SR_KERNEL_MAX_RANK + 1], packed_strides[SR_KERNEL_MAX_RANK + 1],
	    block = 1, stride = 1;
	struct sr_move_params m;
	int n = 0;
	for (int i = 0; i < full_type->rank; i++) {
		if (i == d)
			shape[n++] = n_blocks;
		shape[n++] = i == d ? full_type->shape[i] / n_blocks : full_type->shape[i];
	}
	for (int i = n - 1; i >= 0; i--) {
		dense_strides[i] = stride;
		stride *= shape[i];
	}
	for (int i = n - 1; i >= 0; i--)
		if (i != d) {
			packed_strides[i] = block;
			block *= shape[i];
		}
	packed_strides[d] = block;
	sr_move_init(&m, type, n, shape);
	memcpy(pack ? m.src_stride : m.dst_stride, dense_strides, sizeof(int64_t) * (size_t)n);
	memcpy(pack ? m.dst_stride : m.src_stride, packed_strides, sizeof(int64_t) * (size_t)n);
	sr_plan_add_move(b, source, target, &m);
}

/* If rows have at least this many bytes, copying them one by one is as fast as copying in bulk, and the collective reads and
 * writes blocks in place. Shorter rows are packed by a move before the collective, or unpacked by one after it. */
enum { MIN_ROW_BYTES = 64 };

/* Describe the blocks along dimension d as strided rows of the buffer. Return false if the rows are too short. */
static bool find_rows(enum sr_dtype type, const struct sr_type *full_type, int64_t d, int64_t n_blocks, struct sr_coll_layout *form)
{
	struct sr_coll_layout f = {1, full_type->shape[d] / n_blocks * sr_dtype_bytes(type)};
	for (int i = 0; i < full_type->rank; i++)
		*(i < d ? &f.rows : &f.row) *= i == d ? 1 : full_type->shape[i];
	f.stride = n_blocks * f.row;
	if (f.rows < 1 || f.row < MIN_ROW_BYTES)
		return false;
	*form = f;
	return true;
}

/* Return true if blocks along d are contiguous: no earlier dimension has an extent above 1. */
static bool is_contiguous(const struct sr_type *t, int64_t d)
{
	for (int64_t i = 0; i < d; i++)
		if (t->shape[i] != 1)
			return false;
	return true;
}

/* Lower collective_reduce: keep the value on the first member of each group and set it to zero elsewhere, by a permute of the
 * first members onto themselves. */
static void keep_on_first(struct sr_plan_builder *b, int group, int source, int target)
{
	const struct sr_group_list list = b->groups.data[group];
	enum sr_dtype type = (enum sr_dtype)b->buffers.data[source].dtype;
	struct sr_collective_instr c = {
	    .coll = SR_PERMUTE, .group = -1, .members = sr_plan_grid_group(b), .n_pairs = (int32_t)list.n_groups};
	c.count = b->buffers.data[source].bytes / sr_dtype_bytes(type);
	c.pairs = b->ids.n;
	for (int64_t g = 0; g < list.n_groups; g++) {
		int64_t first = b->ids.data[list.first + (uint64_t)(g * list.size)];
		sr_plan_add_ids(b, (int64_t[]){first, first}, 2);
	}
	struct sr_instr *instr = sr_plan_add_instr(b, SR_INSTR_COLLECTIVE, (int[]){source, target}, 2, &c, sizeof c);
	instr->dtype = (uint8_t)type;
}

/* Lower a reduction whose body is not one known op: gather the values that this device reduces as rows, then execute the body. */
static enum sr_status lower_with_body(struct sr_plan_builder *b, struct sr_op *op, int k, const struct collective_traits *collective_traits, int group, int64_t size)
{
	struct sr_value *in = sr_operand(op, k), *out = sr_result(op, k);
	enum sr_dtype type = sr_plan_dtype(in);
	bool is_reduce_scatter = collective_traits->coll == SR_REDUCE_SCATTER;
	int64_t n = sr_plan_elements(b, in), scatter_dim = sr_op_int(op, SR_NAME_scatter_dimension, 0);
	int source = sr_plan_buffer_for(b, in), target = sr_plan_buffer_for(b, out),
	    rows = sr_plan_buffer(b, type, is_reduce_scatter ? n : n * size);
	if (sr_plan_group_is_uneven(b, group))
		return sr_lower_unsupported(b, op, "reduces in groups of different sizes with a body that is not a single op, which is not supported");
	struct sr_collective_instr c = {.group = group};
	if (is_reduce_scatter && !is_contiguous(in->type, scatter_dim) &&
	    !find_rows(type, in->type, scatter_dim, size, &c.form[SR_IN])) {
		int packed_buffer = sr_plan_buffer(b, type, n);
		repack(b, source, packed_buffer, type, in->type, scatter_dim, size, true);
		source = packed_buffer;
	}
	c.coll = is_reduce_scatter ? SR_ALL_TO_ALL : SR_ALL_GATHER;
	add_collective(b, op, c, source, rows);
	int reduced_buffer = collective_traits->only_first_receives ? sr_plan_buffer(b, type, n) : target;
	enum sr_status status = sr_lower_reduced_rows(b, op, rows, size, reduced_buffer);
	if (!status && collective_traits->only_first_receives)
		keep_on_first(b, group, reduced_buffer, target);
	return status;
}

static enum sr_status lower_operand(struct sr_plan_builder *b, struct sr_op *op, int k, const struct collective_traits *collective_traits, int group, int64_t size)
{
	enum sr_coll coll = collective_traits->coll;
	struct sr_collective_instr c = {.coll = (int32_t)coll, .group = group};
	struct sr_value *in = sr_operand(op, k), *out = sr_result(op, k);
	enum sr_dtype type = sr_plan_dtype(in);
	int source = sr_plan_buffer_for(b, in), target = sr_plan_buffer_for(b, out);
	int64_t pack_dim = -1,
		unpack_dim = -1; /* dimension along which to pack before the collective, and to unpack after it; -1: none */
	if (op->n_regions) {
		c.monoid = sr_monoid_of(op, 0, 0);
		if (c.monoid < 0)
			return lower_with_body(b, op, k, collective_traits, group, size);
	}
	if (coll == SR_ALL_GATHER)
		unpack_dim = sr_op_int(op, SR_NAME_all_gather_dim, 0);
	if (coll == SR_REDUCE_SCATTER)
		pack_dim = sr_op_int(op, SR_NAME_scatter_dimension, 0);
	if (coll == SR_ALL_TO_ALL) {
		pack_dim = sr_op_int(op, SR_NAME_split_dimension, 0);
		unpack_dim = sr_op_int(op, SR_NAME_concat_dimension, 0);
	}
	if (pack_dim >= 0 && !is_contiguous(in->type, pack_dim) && !find_rows(type, in->type, pack_dim, size, &c.form[SR_IN])) {
		int packed_buffer = sr_plan_buffer(b, type, sr_plan_elements(b, in));
		repack(b, source, packed_buffer, type, in->type, pack_dim, size, true);
		source = packed_buffer;
	}
	int end = target;
	if (unpack_dim >= 0 && !is_contiguous(out->type, unpack_dim) &&
	    !find_rows(type, out->type, unpack_dim, size, &c.form[SR_OUT]))
		end = sr_plan_buffer(b, type, sr_plan_elements(b, out));
	if (collective_traits->only_first_receives) {
		int result_buffer = sr_plan_buffer(b, type, sr_plan_elements(b, out));
		add_collective(b, op, c, source, result_buffer);
		keep_on_first(b, group, result_buffer, target);
		return SR_OK;
	}
	add_collective(b, op, c, source, end);
	if (end != target)
		repack(b, end, target, type, out->type, unpack_dim, size, false);
	return SR_OK;
}

/* Lower a broadcast with run-time roots (the last operand, with one root per other operand) as an all-gather, from which the
 * root's chunk is taken. */
static enum sr_status lower_dynamic_root(struct sr_plan_builder *b, struct sr_op *op, enum sr_coll coll, int group, int64_t size)
{
	struct sr_value *root = sr_operand(op, op->n_operands - 1);
	enum sr_dtype type = sr_plan_dtype(root);
	int64_t zero = 0;
	if (coll != SR_BROADCAST || !sr_dtype_is_integer(type) || sr_plan_elements(b, root) != op->n_operands - 1)
		return sr_lower_unsupported(
			b, op, "has a run-time root, which is supported for collective_broadcast only");
	int zero_constant = sr_plan_add_constant(b, type, &zero, sr_dtype_bytes(type), 1);
	for (int k = 0; k + 1 < op->n_operands; k++) {
		struct sr_value *v = sr_operand(op, k);
		int64_t n = sr_plan_elements(b, v);
		int gathered_buffer = sr_plan_buffer(b, sr_plan_dtype(v), n * size);
		struct sr_dynamic_slice_params p = {.rank = 2,
					      .bytes = sr_dtype_bytes(sr_plan_dtype(v)),
					      .index_type = (int32_t)type,
					      .src = {size, n},
					      .size = {1, n}};
		add_collective(b, op, (struct sr_collective_instr){.coll = SR_ALL_GATHER, .group = group}, sr_plan_buffer_for(b, v),
			       gathered_buffer);
		struct sr_move_params m;
		int own_value = sr_plan_buffer(b, type, 1);
		sr_move_init(&m, type, 1, (int64_t[]){1});
		m.src_offset = k;
		sr_plan_add_move(b, sr_plan_buffer_for(b, root), own_value, &m);
		int buffers[] = {gathered_buffer, own_value, zero_constant, sr_plan_buffer_for(b, sr_result(op, k))};
		sr_plan_add_kernel(b, SR_KERNEL_DYNAMIC_SLICE, sr_plan_dtype(v), 1, buffers, 4, &p, sizeof p);
	}
	return SR_OK;
}

enum sr_status sr_lower_collective_permute(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_collective_instr c = {
	    .coll = SR_PERMUTE, .group = -1, .members = sr_plan_grid_group(b), .reshard_text = shardings_text(b, op)};
	if (b->lanes)
		return sr_lower_unsupported(b, op, "is inside the body of a reduction or sort, which is not supported");
	enum sr_status status = sr_plan_pairs_of(b, op, channel(op) > 0, &c);
	if (status)
		return status;
	for (int k = 0; k < op->n_operands; k++) {
		int in = sr_plan_buffer_for(b, sr_operand(op, k)), out = sr_plan_buffer_for(b, sr_result(op, k));
		enum sr_dtype type = sr_plan_dtype(sr_operand(op, k));
		uint32_t text = text_of(b, op, "shardrun.cause", "user");
		c.count = b->buffers.data[in].bytes / sr_dtype_bytes(type);
		struct sr_instr *instr = sr_plan_add_instr(b, SR_INSTR_COLLECTIVE, (int[]){in, out}, 2, &c, sizeof c);
		instr->dtype = (uint8_t)type;
		instr->cause = text;
	}
	return SR_OK;
}

static enum sr_status lower_grouped(struct sr_plan_builder *b, struct sr_op *op, const struct collective_traits *collective_traits)
{
	int group;
	if (b->lanes)
		return sr_lower_unsupported(b, op, "is inside the body of a reduction or sort, which is not supported");
	enum sr_grouping how = channel(op) <= 0			     ? SR_CROSS_REPLICA
			       : sr_op_attr(op, SR_NAME_use_global_device_ids) ? SR_FLATTENED
									 : collective_traits->grouping_with_channel;
	enum sr_status status = sr_plan_groups_of(b, op, how, collective_traits->only_first_receives,
						  collective_traits->has_idle_devices, &group);
	if (status)
		return status;
	int64_t size = b->groups.data[group].size;
	if (sr_op_attr(op, SR_NAME_has_dynamic_root))
		return lower_dynamic_root(b, op, collective_traits->coll, group, size);
	for (int k = 0; !status && k < op->n_operands && k < op->n_results; k++)
		status = lower_operand(b, op, k, collective_traits, group, size);
	return status;
}

enum sr_status sr_lower_all_gather(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_grouped(b, op, &(struct collective_traits){SR_ALL_GATHER, SR_CROSS_BOTH});
}

enum sr_status sr_lower_all_reduce(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_grouped(b, op, &(struct collective_traits){SR_ALL_REDUCE, SR_CROSS_BOTH});
}

enum sr_status sr_lower_all_to_all(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_grouped(b, op, &(struct collective_traits){SR_ALL_TO_ALL, SR_CROSS_PARTITION});
}

enum sr_status sr_lower_collective_broadcast(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_grouped(b, op, &(struct collective_traits){SR_BROADCAST, SR_CROSS_PARTITION, .has_idle_devices = true});
}

enum sr_status sr_lower_collective_reduce(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_grouped(
	    b, op,
	    &(struct collective_traits){SR_ALL_REDUCE, SR_CROSS_PARTITION, .only_first_receives = true, .has_idle_devices = true});
}

enum sr_status sr_lower_reduce_scatter(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_grouped(b, op, &(struct collective_traits){SR_REDUCE_SCATTER, SR_CROSS_BOTH});
}

static enum sr_status device_id(struct sr_plan_builder *b, struct sr_op *op, int32_t replica)
{
	sr_plan_add_instr(b, SR_INSTR_DEVICE_ID, (int[]){sr_plan_buffer_for(b, sr_result(op, 0))}, 1, &replica, sizeof replica);
	return SR_OK;
}

enum sr_status sr_lower_partition_id(struct sr_plan_builder *b, struct sr_op *op)
{
	return device_id(b, op, false);
}

enum sr_status sr_lower_replica_id(struct sr_plan_builder *b, struct sr_op *op)
{
	return device_id(b, op, true);
}
