/* shardrun-combine-collectives: small collectives of one kind over the same groups become one over a packed buffer, where the rounds
 * that are saved take longer than the copies.
 *
 *	%a = all_reduce(%x : 4), %b = all_reduce(%y : 2x3)
 *	%p = concatenate(%x, reshape(%y) : 6), %q = all_reduce(%p : 10), %a = slice %q[0:4], %b = reshape(slice %q[4:10])
 *
 * Requires a local module of static shapes. Leaves the same bits: every element is summed by itself, in the order of the members.
 *
 * A block is read once. A small collective waits for others like it, and what reads its result waits with it, where that is small
 * and without effects, too. The first op that reads something that waits and is not so ends it: the collective is made before that
 * op, and what waited with it follows. So nothing large lives longer than before. A collective does not wait for one that it
 * reads; hence no two that wait read each other. Cost: linear in operands, but for the depth of nesting. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "kernels/nest/nest.h"
#include "optimize/pass_functions.h"
#include "partition/op_builders.h"
#include "support/vec.h"

enum { AT_ONCE = 30, /* kinds that wait: bits of an op's mark, which says what it needs */ ALL = (1 << AT_ONCE) - 1 };

typedef SR_VEC(struct sr_op *) sr_ops;

/* Collectives of one kind. */
struct waiting {
	sr_ops members;
	int64_t bytes; /* of their results: no more than stay in a cache */
};

struct delayed {
	struct sr_op *op;
	int needs;  /* kinds */
	bool moves; /* behind one that several have become */
};

struct packing {
	struct sr_context *ctx;
	struct sr_machine machine;
	struct sr_block *block;
	struct waiting waiting[AT_ONCE];
	SR_VEC(struct delayed) delayed; /* in order */
};

/* ---- how a kind is packed ---- */

/* A member's operand as it is packed, along the last dimension, and its result from the part of the packed one. */
struct way {
	enum sr_op_code code;
	int rank; /* of what is packed */
	struct sr_value *(*result)(struct sr_builder *b, struct sr_value *part, const struct sr_op *member);
};

static struct sr_value *reshaped(struct sr_builder *b, struct sr_value *v, int rank, const int64_t *shape)
{
	return sr_type_with_shape(b->ctx, v->type, rank, shape) == v->type ? v : sr_make_reshape(b, v, rank, shape);
}

static struct sr_value *as_it_is(struct sr_builder *b, struct sr_value *part, const struct sr_op *member)
{
	const struct sr_type *type = sr_result_type(member, 0);
	return reshaped(b, part, type->rank, type->shape);
}

/* What each device gave stands one after another: it goes to where the dimension is that they are gathered along. */
static struct sr_value *along_its_dimension(struct sr_builder *b, struct sr_value *part, const struct sr_op *member)
{
	const struct sr_type *given = sr_operand_type(member, 0);
	int64_t shape[SR_NEST_MAX_LOOPS], order[SR_NEST_MAX_LOOPS], along = sr_op_int(member, SR_NAME_all_gather_dim, 0);
	shape[0] = part->type->shape[0];
	for (int d = 0; d < given->rank; d++)
		shape[d + 1] = given->shape[d];
	for (int d = 0; d <= given->rank; d++)
		order[d] = d < along ? d + 1 : d == along ? 0 : d;
	struct sr_value *apart = reshaped(b, part, given->rank + 1, shape);
	return as_it_is(b, along ? sr_make_transpose(b, apart, order) : apart, member);
}

static const struct way ways[] = {
	{SR_OP_stablehlo_all_reduce, 1, as_it_is},
	{SR_OP_stablehlo_all_gather, 2, along_its_dimension},
};

static const struct way *way_of(const struct sr_op *op)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (sr_op_is(op, ways[i].code))
			return &ways[i];
	return NULL;
}

/* ---- which are packed ---- */

static bool bytes_of(const struct sr_value *v, int64_t *bytes)
{
	return v->type->kind == SR_TYPE_TENSOR && v->type->dtype != SR_DTYPE_NONE && v->type->rank < SR_NEST_MAX_LOOPS &&
	       sr_type_bytes(v->type, bytes) && *bytes > 0;
}

/* Bytes read once and written once; false: they are not known. */
static bool copies_of(const struct packing *c, const struct sr_value *v, double *seconds)
{
	int64_t bytes;
	if (!bytes_of(v, &bytes) || bytes > INT32_MAX)
		return false;
	*seconds += sr_cost_of_elementwise(&c->machine, &(struct sr_elementwise_work){.read_bytes = bytes, .written_bytes = bytes}).seconds;
	return true;
}

/* Return the slowest link of an op's first group. Groups along mesh axes are not listed: there are as many ids as devices. A group of
 * more than MOST_LISTED members spans nodes. */
static enum sr_link link_of(const struct packing *c, struct sr_op *op)
{
	enum { MOST_LISTED = 1 << 16 };
	struct sr_group_axes axes;
	struct sr_groups listed;
	if (sr_op_group_axes(c->ctx, op, &axes))
		return SR_LINK_NODE;
	if (!axes.mesh)
		return sr_op_groups(c->ctx, op, &listed) ? SR_LINK_NODE : sr_cost_link(&c->machine, listed.ids, listed.group_size);
	int64_t n = sr_digits_size(axes.inner);
	if (n > MOST_LISTED)
		return SR_LINK_NETWORK;
	int64_t *ids = SR_NEWS(c->ctx->scratch, int64_t, n);
	for (int64_t k = 0; k < n; k++)
		ids[k] = sr_mesh_device(axes.mesh, sr_digits_position(axes.inner, k));
	return sr_cost_link(&c->machine, ids, n);
}

/* Return half the seconds of the one round that a collective over this link takes at least: combining two saves one round. */
static double saved(const struct packing *c, enum sr_link link)
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

static int64_t channel(const struct sr_op *op)
{
	const struct sr_attr *c = sr_op_attr(op, SR_NAME_channel_handle), *h = c ? sr_attr_field(c, SR_NAME_handle) : NULL;
	return h ? h->i : 0;
}

static bool may_wait(const struct packing *c, struct sr_op *op)
{
	double seconds = 0;
	return way_of(op) && op->n_operands == 1 && op->n_results == 1 && (!op->n_regions || sr_op_reducer(op)) &&
	       sr_operand_type(op, 0)->element == sr_result_type(op, 0)->element && copies_of(c, sr_operand(op, 0), &seconds) &&
	       copies_of(c, sr_result(op, 0), &seconds) && seconds < saved(c, link_of(c, op));
}

/* Channels are told apart by nobody: whether there is one says what the groups' numbers mean. */
static bool alike(const struct sr_op *x, const struct sr_op *y)
{
	static const char *const same[] = {SR_NAME_replica_groups, SR_NAME_use_global_device_ids};
	bool all = x->info == y->info && sr_result_type(x, 0)->element == sr_result_type(y, 0)->element &&
		   sr_op_reducer(x) == sr_op_reducer(y) && (channel(x) > 0) == (channel(y) > 0);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		all = all && sr_op_attr(x, same[i]) == sr_op_attr(y, same[i]);
	return all;
}

/* What waits with what it reads. */
static bool may_be_delayed(const struct packing *c, const struct sr_op *op)
{
	double seconds = 0;
	bool small = sr_op_is_pure(op) && !sr_op_has(op, SR_TERMINATOR) && !sr_op_has(op, SR_CONTROL_FLOW);
	for (int i = 0; small && i < op->n_operands; i++)
		small = copies_of(c, sr_operand(op, i), &seconds);
	for (int i = 0; small && i < op->n_results; i++)
		small = copies_of(c, sr_result(op, i), &seconds);
	return small && seconds < 2 * saved(c, SR_LINK_NODE);
}

/* ---- one of several ---- */

static int64_t elements(const struct sr_value *v)
{
	int64_t n = 0;
	return sr_type_elements(v->type, &n) ? n : 0;
}

/* What the report says of this one it says of all: where most of the bytes come from. */
static const struct sr_op *largest(const sr_ops *members)
{
	const struct sr_op *most = members->data[0];
	for (size_t i = 1; i < members->n; i++)
		if (elements(sr_operand(members->data[i], 0)) > elements(sr_operand(most, 0)))
			most = members->data[i];
	return most;
}

/* The places of all, this one's first; unknown ones and repetitions are left out. */
static const struct sr_attr *places_of(struct sr_context *ctx, const struct sr_op *first, const sr_ops *members)
{
	SR_VEC(const struct sr_attr *) list = {0};
	for (size_t i = 0; i <= members->n; i++) {
		const struct sr_attr *loc = i ? members->data[i - 1]->loc : first->loc;
		bool old = loc == ctx->unknown_loc;
		for (size_t k = 0; k < list.n; k++)
			old = old || list.data[k] == loc;
		if (!old)
			sr_push(ctx->scratch, &list, loc);
	}
	if (list.n < 2)
		return list.n ? list.data[0] : ctx->unknown_loc;
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_LOC_FUSED, .list = list.data, .n = (int)list.n});
}

static struct sr_value *pack(struct sr_builder *b, const struct way *way, const sr_ops *members)
{
	struct sr_value **parts = SR_NEWS(b->ctx->scratch, struct sr_value *, members->n);
	for (size_t i = 0; i < members->n; i++) {
		struct sr_value *v = sr_operand(members->data[i], 0);
		int64_t shape[] = {1, elements(v)};
		b->loc = members->data[i]->loc;
		parts[i] = reshaped(b, v, way->rank, shape + 2 - way->rank);
	}
	return sr_make_concatenate(b, parts, (int)members->n, way->rank - 1);
}

static struct sr_value *play(struct sr_builder *b, const struct way *way, const sr_ops *members, struct sr_value *packed)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_op *first = largest(members);
	int64_t shape[] = {elements(sr_result(first, 0)) / elements(sr_operand(first, 0)), packed->type->shape[way->rank - 1]};
	const struct sr_type *type = sr_type_with_shape(ctx, packed->type, way->rank, shape + 2 - way->rank);
	struct sr_named_attr attrs[] = {
		{SR_NAME_replica_groups, sr_op_attr(first, SR_NAME_replica_groups)},
		{SR_NAME_channel_handle, sr_op_attr(first, SR_NAME_channel_handle)},
		{SR_NAME_use_global_device_ids, sr_op_attr(first, SR_NAME_use_global_device_ids)},
		{SR_NAME_all_gather_dim, way->rank > 1 ? sr_attr_i64(ctx, 0) : NULL},
		{"shardrun.cause", sr_op_attr(first, "shardrun.cause")},
		{"shardrun.shardings", sr_op_attr(first, "shardrun.shardings")},
	};
	b->loc = places_of(ctx, first, members);
	struct sr_op *op = sr_build(b, way->code, &packed, 1, attrs, sizeof attrs / sizeof *attrs, &type, 1);
	if (op->n_regions)
		sr_build_reducer(ctx, &op->regions[0], sr_op_reducer(first)->code, type->element, b->loc);
	return sr_result(op, 0);
}

static void unpack(struct sr_builder *b, const struct way *way, const sr_ops *members, struct sr_value *packed)
{
	int64_t start[] = {0, 0}, limit[] = {packed->type->shape[0], 0};
	for (size_t i = 0; i < members->n; i++) {
		struct sr_op *member = members->data[i];
		limit[1] = start[1] + elements(sr_operand(member, 0));
		b->loc = member->loc;
		struct sr_value *part = sr_make_slice(b, packed, start + 2 - way->rank, limit + 2 - way->rank, NULL);
		sr_value_replace_all(sr_result(member, 0), way->result(b, part, member));
		sr_op_erase(member);
		start[1] = limit[1];
	}
}

/* ---- waiting ---- */

/* The ops that read a result need the kinds in `bits`, or no longer. */
static void mark_readers(struct packing *c, const struct sr_op *op, int bits, bool need)
{
	for (int i = 0; i < op->n_results; i++)
		for (const struct sr_use *use = op->results[i].uses; use; use = use->next) {
			struct sr_op *reader = sr_op_ancestor_in(c->block, use->owner);
			if (reader)
				reader->mark = need ? reader->mark | bits : reader->mark & ~bits;
		}
}

/* A kind waits no longer: it is made before `at`; false: there is one of it alone, which stays. */
static bool make(struct packing *c, int kind, struct sr_op *at)
{
	sr_ops *members = &c->waiting[kind].members;
	bool several = members->n > 1;
	for (size_t i = 0; i < members->n; i++)
		mark_readers(c, members->data[i], 1 << kind, false);
	if (several) {
		const struct way *way = way_of(members->data[0]);
		struct sr_builder b = {.ctx = c->ctx, .block = c->block, .anchor = at};
		struct sr_value *packed = pack(&b, way, members);
		unpack(&b, way, members, play(&b, way, members, packed));
	}
	c->waiting[kind] = (struct waiting){0};
	return several;
}

/* The kinds in `bits` wait no longer, nor does what waits for them alone. */
static void end_waiting(struct packing *c, int bits, struct sr_op *at)
{
	int made = 0;
	size_t n = 0;
	for (int kind = 0; kind < AT_ONCE; kind++)
		if (bits & 1 << kind && make(c, kind, at))
			made |= 1 << kind;
	for (size_t i = 0; i < c->delayed.n; i++) {
		struct delayed d = c->delayed.data[i];
		mark_readers(c, d.op, d.needs & bits, false);
		d.moves = d.moves || d.needs & made;
		d.needs &= ~bits;
		if (d.needs)
			c->delayed.data[n++] = d;
		else if (d.moves)
			sr_op_move_before(d.op, at);
	}
	c->delayed.n = n;
}

/* The kind that op is of, or a free one; -1: there is none. */
static int kind_of(const struct packing *c, const struct sr_op *op)
{
	int free = -1;
	for (int kind = AT_ONCE - 1; kind >= 0; kind--) {
		const sr_ops *members = &c->waiting[kind].members;
		if (!members->n)
			free = kind;
		else if (alike(members->data[0], op))
			return kind;
	}
	return free;
}

static void wait(struct packing *c, struct sr_op *op)
{
	int64_t bytes = 0;
	int kind = kind_of(c, op);
	if (kind < 0) {
		end_waiting(c, ALL, op);
		kind = 0;
	}
	if (bytes_of(sr_result(op, 0), &bytes) && c->waiting[kind].bytes + bytes > c->machine.cache_bytes[SR_LEVEL_L2])
		end_waiting(c, 1 << kind, op);
	c->waiting[kind].bytes += bytes;
	sr_push(c->ctx->scratch, &c->waiting[kind].members, op);
	mark_readers(c, op, 1 << kind, true);
}

static void read_op(struct packing *c, struct sr_op *op)
{
	bool waits = may_wait(c, op);
	if (op->mark && !waits && may_be_delayed(c, op)) {
		sr_push(c->ctx->scratch, &c->delayed, (struct delayed){op, op->mark, false});
		mark_readers(c, op, op->mark, true);
		return;
	}
	if (op->mark || sr_op_has(op, SR_TERMINATOR))
		end_waiting(c, sr_op_has(op, SR_TERMINATOR) ? ALL : op->mark, op);
	if (waits)
		wait(c, op);
}

/* Blocks that run as they stand, those inside first. */
static void pack_region(struct packing *c, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next) {
		for (struct sr_op *op = block->first; op; op = op->next) {
			op->mark = 0;
			for (int i = 0; sr_op_has(op, SR_CONTROL_FLOW) && i < op->n_regions; i++)
				pack_region(c, &op->regions[i]);
		}
		c->block = block;
		for (struct sr_op *op = block->first, *next; op; op = next) {
			next = op->next;
			read_op(c, op);
		}
	}
}

enum sr_status sr_run_combine_collectives(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct packing c = {.ctx = ctx};
	struct sr_machine core;
	(void)options;
	sr_machine_default(&core);
	sr_machine_of_rank(ctx->machine ? ctx->machine : &core, 1, &c.machine);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			pack_region(&c, &op->regions[0]);
	return SR_OK;
}
