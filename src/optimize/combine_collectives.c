/* shardrun-simplify-collectives: combine small collectives of one kind over the same groups into one over a concatenated buffer, if
 * the saved rounds take longer than the copies (XLA's collective combiner). Several halos for one neighbour are one message.
 *
 *	%a = all_reduce(%x : 4), %b = all_reduce(%y : 2x3)
 *	%p = concatenate(%x, reshape(%y) : 6), %q = all_reduce(%p : 10), %a = slice %q[0:4], %b = reshape(slice %q[4:10])
 *
 * Requires a local module of static shapes. Results keep their bits: every element is reduced by itself, in the order of the
 * members.
 *
 * Blocks are processed in order. A small collective is held back until others of its kind have been found. Its users are held back
 * as well, if they are small and pure. The first other op that reads a held-back value ends this: the combined collective is
 * inserted before that op, followed by the delayed users. So no large value lives longer than before. A collective that reads a
 * held-back one is not added to its group, so combined collectives are independent. Cost: linear in operands, times the nesting
 * depth. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "kernels/nest/nest.h"
#include "optimize/pass_functions.h"
#include "dialect/op_builders.h"
#include "support/vec.h"

enum { MAX_KINDS = 30, /* maximum number of kinds held back; each takes one bit in an op's mark */
       ALL_KINDS = (1 << MAX_KINDS) - 1,
       OPERAND_MOVES = 1 << MAX_KINDS /* bit in the mark of an op that reads a delayed op which must move */ };

typedef SR_VEC(struct sr_op *) sr_ops;

/* A kind of collectives whose combining is delayed until others of the kind have been found ("held back"). */
struct delayed_kind {
	sr_ops members;
	int64_t bytes; /* bytes of the results of the collectives, at most the size of the L2 cache */
};

struct delayed_op {
	struct sr_op *op;
	int awaited_kinds;  /* kinds of held-back collectives whose results the op reads, one bit per kind */
	bool must_move; /* true if the op must move after a combined collective or after a delayed op that must move */
};

struct combiner {
	struct sr_context *ctx;
	struct sr_machine machine;
	struct sr_block *block;
	struct delayed_kind delayed_kinds[MAX_KINDS];
	SR_VEC(struct delayed_op) delayed; /* ops that read collectives that are held back, in program order */
};

/* ---- how a kind is combined ---- */

/* Method to combine collectives of one kind: how the operands are concatenated, along the last dimension, and how a member's result
 * is made from its slice of the combined result. */
struct method {
	enum sr_op_code code;
	int rank; /* rank of the concatenated operand */
	bool has_pairs; /* source_target_pairs name the devices, not replica groups */
	struct sr_value *(*result)(struct sr_builder *b, struct sr_value *slice, const struct sr_op *member);
};

static struct sr_value *result_of_slice(struct sr_builder *b, struct sr_value *slice, const struct sr_op *member)
{
	const struct sr_type *type = sr_result_type(member, 0);
	return sr_build_reshape(b, slice, type->rank, type->shape);
}

/* Make a member's result from its slice, whose leading dimension stands for the gathered devices: transpose that dimension to the
 * one along which the member gathers. */
static struct sr_value *result_of_gathered_slice(struct sr_builder *b, struct sr_value *slice, const struct sr_op *member)
{
	const struct sr_type *operand = sr_operand_type(member, 0);
	int64_t shape[SR_NEST_MAX_LOOPS], order[SR_NEST_MAX_LOOPS], gather_dim = sr_op_int(member, SR_NAME_all_gather_dim, 0);
	shape[0] = slice->type->shape[0];
	for (int d = 0; d < operand->rank; d++)
		shape[d + 1] = operand->shape[d];
	for (int d = 0; d <= operand->rank; d++)
		order[d] = d < gather_dim ? d + 1 : d == gather_dim ? 0 : d;
	struct sr_value *blocks_by_device = sr_build_reshape(b, slice, operand->rank + 1, shape);
	return result_of_slice(b, gather_dim ? sr_build_transpose(b, blocks_by_device, order) : blocks_by_device, member);
}

static const struct method methods[] = {
	{SR_OP_stablehlo_all_reduce, 1, false, result_of_slice},
	{SR_OP_stablehlo_all_gather, 2, false, result_of_gathered_slice},
	{SR_OP_stablehlo_collective_permute, 1, true, result_of_slice},
};

static const struct method *method_of(const struct sr_op *op)
{
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (sr_op_is(op, methods[i].code))
			return &methods[i];
	return NULL;
}

/* ---- which collectives are combined ---- */

static bool bytes_of(const struct sr_value *v, int64_t *bytes)
{
	return v->type->kind == SR_TYPE_TENSOR && v->type->dtype != SR_DTYPE_NONE && v->type->rank < SR_NEST_MAX_LOOPS &&
	       sr_type_bytes(v->type, bytes) && *bytes > 0;
}

/* Add the seconds to read and write v once. Return false if its size is not known. */
static bool add_copy_seconds(const struct combiner *c, const struct sr_value *v, double *seconds)
{
	int64_t bytes;
	if (!bytes_of(v, &bytes) || bytes > INT32_MAX)
		return false;
	const struct sr_elementwise_work copy = {.read_bytes = bytes, .written_bytes = bytes};
	*seconds += sr_cost_of_elementwise(&c->machine, &copy).seconds;
	return true;
}

/* Read the ids of a collective's first group, or of its pairs. Returns their number; 0 if they are malformed. */
static int64_t list_first_group(struct sr_context *ctx, struct sr_op *op, bool has_pairs, const int64_t **ids)
{
	int64_t n = 0;
	struct sr_groups groups;
	if (has_pairs)
		return sr_op_ints(ctx, op, SR_NAME_source_target_pairs, ids, &n) ? n : 0;
	if (sr_op_groups(ctx, op, &groups))
		return 0;
	*ids = groups.ids;
	return groups.group_size;
}

/* Return the slowest link of an op's first group, or among the devices of its pairs. Groups and pairs along mesh axes
 * are not written out, since they would hold as many ids as devices; a group of more than MAX_LISTED members is assumed to span
 * nodes. */
static enum sr_link link_of(const struct combiner *c, struct sr_op *op)
{
	enum { MAX_LISTED = 1 << 16 };
	bool has_pairs = method_of(op)->has_pairs;
	struct sr_group_axes axes = {0};
	struct sr_permute_axes permute = {0};
	const int64_t *listed = NULL;
	if (has_pairs ? sr_op_permute_axes(c->ctx, op, &permute) : sr_op_group_axes(c->ctx, op, &axes))
		return SR_LINK_NODE;
	const struct sr_mesh *mesh = has_pairs ? permute.mesh : axes.mesh;
	struct sr_digits members = has_pairs ? permute.axes : axes.member_digits;
	if (!mesh) {
		int64_t n = list_first_group(c->ctx, op, has_pairs, &listed);
		return n ? sr_cost_link(&c->machine, listed, n) : SR_LINK_NODE;
	}
	int64_t n = sr_digits_size(members);
	if (n > MAX_LISTED)
		return SR_LINK_NETWORK;
	int64_t *ids = SR_NEW_ARRAY(c->ctx->scratch, int64_t, n);
	for (int64_t k = 0; k < n; k++)
		ids[k] = sr_mesh_device(mesh, sr_digits_position(members, k));
	return sr_cost_link(&c->machine, ids, n);
}

/* Return half the minimum seconds of one round of a collective over this link. Combining two collectives saves one round. */
static double saved_seconds(const struct combiner *c, enum sr_link link)
{
	struct sr_collective_work round = {0};
	if (link == SR_LINK_NETWORK) {
		round.rounds[SR_LINK_NETWORK] = 1;
		round.messages[SR_LINK_NETWORK] = 2;
	} else {
		round.segment_rounds = 1;
	}
	return sr_cost_of_collective(&c->machine, &round).seconds / 2;
}

static bool is_small_collective(const struct combiner *c, struct sr_op *op)
{
	double seconds = 0;
	return method_of(op) && op->n_operands == 1 && op->n_results == 1 && (!op->n_regions || sr_op_reducer(op)) &&
	       sr_operand_type(op, 0)->element == sr_result_type(op, 0)->element && add_copy_seconds(c, sr_operand(op, 0), &seconds) &&
	       add_copy_seconds(c, sr_result(op, 0), &seconds) && seconds < saved_seconds(c, link_of(c, op));
}

/* Return true if two collectives can be combined: same op, groups or pairs, and attributes. */
static bool can_combine(const struct sr_op *x, const struct sr_op *y)
{
	return x->info == y->info && sr_result_type(x, 0)->element == sr_result_type(y, 0)->element &&
	       sr_op_reducer(x) == sr_op_reducer(y) && sr_op_attr(x, SR_NAME_replica_groups) == sr_op_attr(y, SR_NAME_replica_groups) &&
	       sr_op_attr(x, SR_NAME_source_target_pairs) == sr_op_attr(y, SR_NAME_source_target_pairs) &&
	       sr_have_same_group_numbering(x, y);
}

/* Return true if op, a reader of a held-back collective, can be held back as well. */
static bool may_be_delayed(const struct combiner *c, const struct sr_op *op)
{
	double seconds = 0;
	bool is_small = sr_op_is_pure(op) && !sr_op_has(op, SR_TERMINATOR) && !sr_op_has(op, SR_CONTROL_FLOW);
	for (int i = 0; is_small && i < op->n_operands; i++)
		is_small = add_copy_seconds(c, sr_operand(op, i), &seconds);
	for (int i = 0; is_small && i < op->n_results; i++)
		is_small = add_copy_seconds(c, sr_result(op, i), &seconds);
	return is_small && seconds < 2 * saved_seconds(c, SR_LINK_NODE);
}

/* ---- the combined collective ---- */

static int64_t element_count(const struct sr_value *v)
{
	int64_t n = 0;
	return sr_type_elements(v->type, &n) ? n : 0;
}

/* Return the member with the largest result. The combined collective takes its description for the report. */
static const struct sr_op *largest_member(const sr_ops *members)
{
	const struct sr_op *largest_op = members->data[0];
	for (size_t i = 1; i < members->n; i++)
		if (element_count(sr_operand(members->data[i], 0)) > element_count(sr_operand(largest_op, 0)))
			largest_op = members->data[i];
	return largest_op;
}

/* Return a fused location of all members, in program order, without duplicates and unknown locations. */
static const struct sr_attr *fused_location(struct sr_context *ctx, const struct sr_op *first, const sr_ops *members)
{
	SR_VEC(const struct sr_attr *) list = {0};
	for (size_t i = 0; i <= members->n; i++) {
		const struct sr_attr *loc = i ? members->data[i - 1]->loc : first->loc;
		bool is_listed = loc == ctx->unknown_loc;
		for (size_t k = 0; k < list.n; k++)
			is_listed = is_listed || list.data[k] == loc;
		if (!is_listed)
			sr_push(ctx->scratch, &list, loc);
	}
	if (list.n < 2)
		return list.n ? list.data[0] : ctx->unknown_loc;
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_LOC_FUSED, .list = list.data, .n = (int)list.n});
}

static struct sr_value *concatenate_operands(struct sr_builder *b, const struct method *method, const sr_ops *members)
{
	struct sr_value **operands = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, members->n);
	for (size_t i = 0; i < members->n; i++) {
		struct sr_value *v = sr_operand(members->data[i], 0);
		int64_t shape[] = {1, element_count(v)};
		b->loc = members->data[i]->loc;
		operands[i] = sr_build_reshape(b, v, method->rank, shape + 2 - method->rank);
	}
	return sr_build_concatenate(b, operands, (int)members->n, method->rank - 1);
}

static struct sr_value *build_collective(struct sr_builder *b, const struct method *method, const sr_ops *members,
					 struct sr_value *packed_operands)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_op *first = largest_member(members);
	int64_t shape[] = {element_count(sr_result(first, 0)) / element_count(sr_operand(first, 0)),
			   packed_operands->type->shape[method->rank - 1]};
	const struct sr_type *type = sr_type_with_shape(ctx, packed_operands->type, method->rank, shape + 2 - method->rank);
	struct sr_named_attr attrs[] = {
		{SR_NAME_replica_groups, sr_op_attr(first, SR_NAME_replica_groups)},
		{SR_NAME_source_target_pairs, sr_op_attr(first, SR_NAME_source_target_pairs)},
		{SR_NAME_channel_handle, sr_op_attr(first, SR_NAME_channel_handle)},
		{SR_NAME_use_global_device_ids, sr_op_attr(first, SR_NAME_use_global_device_ids)},
		{SR_NAME_all_gather_dim, method->rank > 1 ? sr_attr_i64(ctx, 0) : NULL},
		{"shardrun.cause", sr_op_attr(first, "shardrun.cause")},
		{"shardrun.shardings", sr_op_attr(first, "shardrun.shardings")},
	};
	b->loc = fused_location(ctx, first, members);
	struct sr_op *op = sr_build(b, method->code, &packed_operands, 1, attrs, sizeof attrs / sizeof *attrs, &type, 1);
	if (op->n_regions)
		sr_build_reducer(ctx, &op->regions[0], sr_op_reducer(first)->code, type->element, b->loc);
	return sr_result(op, 0);
}

static void split_result(struct sr_builder *b, const struct method *method, const sr_ops *members, struct sr_value *packed_results)
{
	int64_t start[] = {0, 0}, limit[] = {packed_results->type->shape[0], 0};
	for (size_t i = 0; i < members->n; i++) {
		struct sr_op *member = members->data[i];
		limit[1] = start[1] + element_count(sr_operand(member, 0));
		b->loc = member->loc;
		struct sr_value *slice = sr_build_slice(b, packed_results, start + 2 - method->rank, limit + 2 - method->rank, NULL);
		sr_value_replace_all(sr_result(member, 0), method->result(b, slice, member));
		sr_op_erase(member);
		start[1] = limit[1];
	}
}

/* ---- holding back ---- */

/* For all ops that use op's results, set or clear `bits` in their marks. */
static void mark_readers(struct combiner *c, const struct sr_op *op, int bits, bool is_needed)
{
	for (int i = 0; i < op->n_results; i++)
		for (const struct sr_use *use = op->results[i].uses; use; use = use->next) {
			struct sr_op *reader = sr_op_ancestor_in(c->block, use->owner);
			if (reader)
				reader->mark = is_needed ? reader->mark | bits : reader->mark & ~bits;
		}
}

/* End the holding back of a kind: insert the combined collective before `at`. Returns false, and changes nothing, if the kind has a
 * single member. */
static bool release_kind(struct combiner *c, int kind, struct sr_op *at)
{
	sr_ops *members = &c->delayed_kinds[kind].members;
	bool has_several_members = members->n > 1;
	for (size_t i = 0; i < members->n; i++)
		mark_readers(c, members->data[i], 1 << kind, false);
	if (has_several_members) {
		const struct method *method = method_of(members->data[0]);
		struct sr_builder b = {.ctx = c->ctx, .block = c->block, .anchor = at};
		struct sr_value *packed_operands = concatenate_operands(&b, method, members);
		split_result(&b, method, members, build_collective(&b, method, members, packed_operands));
	}
	c->delayed_kinds[kind] = (struct delayed_kind){0};
	return has_several_members;
}

/* End the holding back of the kinds in `bits`, and of the delayed ops that need no other kind. */
static void release_kinds(struct combiner *c, int bits, struct sr_op *at)
{
	int combined_kinds = 0;
	size_t n = 0;
	for (int kind = 0; kind < MAX_KINDS; kind++)
		if (bits & 1 << kind && release_kind(c, kind, at))
			combined_kinds |= 1 << kind;
	for (size_t i = 0; i < c->delayed.n; i++) {
		struct delayed_op d = c->delayed.data[i];
		mark_readers(c, d.op, d.awaited_kinds & bits, false);
		d.must_move = d.must_move || d.awaited_kinds & combined_kinds || d.op->mark & OPERAND_MOVES;
		d.awaited_kinds &= ~bits;
		if (d.must_move)
			mark_readers(c, d.op, OPERAND_MOVES, true);
		if (d.awaited_kinds)
			c->delayed.data[n++] = d;
		else if (d.must_move)
			sr_op_move_before(d.op, at);
	}
	c->delayed.n = n;
}

/* Return the number of the held-back kind to which op belongs, or a free number for a new kind; -1 if no number is free. */
static int kind_of(const struct combiner *c, const struct sr_op *op)
{
	int free_kind = -1;
	for (int kind = MAX_KINDS - 1; kind >= 0; kind--) {
		const sr_ops *members = &c->delayed_kinds[kind].members;
		if (!members->n)
			free_kind = kind;
		else if (can_combine(members->data[0], op))
			return kind;
	}
	return free_kind;
}

static void delay_collective(struct combiner *c, struct sr_op *op)
{
	int64_t bytes = 0;
	int kind = kind_of(c, op);
	if (kind < 0) {
		release_kinds(c, ALL_KINDS, op);
		kind = 0;
	}
	if (bytes_of(sr_result(op, 0), &bytes) && c->delayed_kinds[kind].bytes + bytes > c->machine.cache_bytes[SR_LEVEL_L2])
		release_kinds(c, 1 << kind, op);
	c->delayed_kinds[kind].bytes += bytes;
	sr_push(c->ctx->scratch, &c->delayed_kinds[kind].members, op);
	mark_readers(c, op, 1 << kind, true);
}

static void read_op(struct combiner *c, struct sr_op *op)
{
	bool is_delayed = is_small_collective(c, op);
	int awaited_kinds = op->mark & ALL_KINDS;
	if (awaited_kinds && !is_delayed && may_be_delayed(c, op)) {
		sr_push(c->ctx->scratch, &c->delayed, (struct delayed_op){op, awaited_kinds, op->mark & OPERAND_MOVES});
		mark_readers(c, op, op->mark, true);
		return;
	}
	if (awaited_kinds || sr_op_has(op, SR_TERMINATOR))
		release_kinds(c, sr_op_has(op, SR_TERMINATOR) ? ALL_KINDS : awaited_kinds, op);
	if (is_delayed)
		delay_collective(c, op);
}

/* Combine the collectives of a region that is executed as control flow (a function, loop or branch), inner regions first. */
static void combine_region(struct combiner *c, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next) {
		for (struct sr_op *op = block->first; op; op = op->next) {
			op->mark = 0;
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				combine_region(c, &op->regions[i]);
		}
		c->block = block;
		sr_share_nested_permutes(c->ctx, block);
		for (struct sr_op *op = block->first, *next; op; op = next) {
			next = op->next;
			read_op(c, op);
		}
	}
}

enum sr_status sr_run_combine_collectives(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct combiner c = {.ctx = ctx};
	struct sr_machine core;
	(void)options;
	sr_machine_default(&core);
	sr_machine_of_rank(ctx->machine ? ctx->machine : &core, 1, &c.machine);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			combine_region(&c, &op->regions[0]);
	return SR_OK;
}
