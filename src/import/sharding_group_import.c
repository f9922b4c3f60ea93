/* sdy-sharding-group-import: groups that have a value in common become one; ids become 0, 1, ... in the order of the least id of each; a
 * value is named once.
 *
 *	%a in 3 and 5, %b in 5, %c in 4   becomes   %a, %b in 0, %c in 1
 *
 * The values of a group must have one shape and lie in the same manual computation, or in none. */
#include "import/passes.h"
#include "support/vec.h"
#include <string.h>

struct group { /* an id as given */
	int64_t id;
	const struct sr_op *manual; /* the computation around it */
	const struct sr_type *type;
	int64_t least; /* id of the group it belongs to */
};

struct member {
	struct sr_op *op;
	size_t group;
};

struct importer {
	struct sr_context *ctx;
	SR_VEC(struct group) groups;
	SR_VEC(struct member) members;
	struct sr_map first_of; /* value -> 1 + index of the first member that names it */
	enum sr_status status;
};

static bool same_shape(const struct sr_type *a, const struct sr_type *b)
{
	return a->rank == b->rank && (a->rank == 0 || memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0);
}

static bool read_op(void *data, struct sr_op *op)
{
	struct importer *im = data;
	if (!sr_op_is(op, SR_OP_sdy_sharding_group))
		return true;
	struct sr_diags *diags = &im->ctx->diags;
	struct group new = {sr_op_int(op, "group_id", 0), sr_op_parent_of(op, SR_OP_sdy_manual_computation), sr_operand(op, 0)->type, 0};
	new.least = new.id;
	size_t i = 0;
	while (i < im->groups.n && im->groups.data[i].id != new.id)
		i++;
	if (i == im->groups.n)
		sr_push(im->ctx->arena, &im->groups, new);
	if (im->groups.data[i].manual != new.manual)
		im->status = sr_error(diags, SR_INVALID, sr_loc_place(op->loc),
				      "ShardingGroupOps values cannot cross ManualComputationOp boundaries for groupId: %lld", (long long)new.id);
	else if (!same_shape(im->groups.data[i].type, new.type))
		im->status = sr_error(diags, SR_INVALID, sr_loc_place(op->loc),
				      "ShardingGroupOps values must have the same shape for groupId: %lld", (long long)new.id);
	sr_push(im->ctx->arena, &im->members, (struct member){op, i});
	return im->status == SR_OK;
}

/* All of group b's company gets the lesser of the two names. */
static void unite(struct importer *im, size_t a, size_t b)
{
	int64_t x = im->groups.data[a].least, y = im->groups.data[b].least, least = x < y ? x : y;
	for (size_t i = 0; i < im->groups.n; i++)
		if (im->groups.data[i].least == x || im->groups.data[i].least == y)
			im->groups.data[i].least = least;
}

/* How many groups come before. */
static int64_t new_id(const struct importer *im, size_t group)
{
	int64_t n = 0, least = im->groups.data[group].least;
	for (size_t i = 0; i < im->groups.n; i++)
		if (im->groups.data[i].least == im->groups.data[i].id && im->groups.data[i].id < least)
			n++;
	return n;
}

enum sr_status sr_pass_sharding_group_import(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct importer im = {.ctx = ctx};
	sr_map_init(&im.first_of, ctx->arena);
	sr_walk_post(module, read_op, &im);
	if (im.status != SR_OK)
		return im.status;
	for (size_t i = 0; i < im.members.n; i++) {
		void **first = sr_map_at(&im.first_of, sr_operand(im.members.data[i].op, 0));
		if (!*first)
			*first = (void *)(uintptr_t)(i + 1);
		else
			unite(&im, im.members.data[(uintptr_t)*first - 1].group, im.members.data[i].group);
	}
	for (size_t i = 0; i < im.members.n; i++) {
		struct sr_op *op = im.members.data[i].op;
		const struct sr_attr *old = sr_op_attr(op, "group_id");
		if ((uintptr_t)sr_map_get(&im.first_of, sr_operand(op, 0)) == i + 1)
			sr_op_set_attr(ctx, op, "group_id", sr_attr_int(ctx, new_id(&im, im.members.data[i].group), old->type));
		else
			sr_op_erase(op);
	}
	return SR_OK;
}
