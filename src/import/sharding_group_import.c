/* Implement sdy-sharding-group-import: merge sharding groups that share a value (union-find), renumber them 0, 1, ... in the
 * order of first use, and keep one sharding_group op per value.
 *
 *	%a in groups 3 and 5, %b in 5, %c in 4   becomes   %a and %b in 0, %c in 1
 *
 * All values of a group must have the same shape and the same enclosing manual computation, if any. */
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include "support/vec.h"
#include <string.h>

struct group { /* a sharding group, as numbered in the input */
	int64_t id;
	const struct sr_op *manual; /* enclosing manual computation, or NULL */
	const struct sr_type *type;
	size_t parent; /* index of the union-find parent in `groups`; its own index for a representative */
	int first_use;       /* position among the groups in the order of first use; -1: not used yet */
};

struct member {
	struct sr_op *op;
	size_t group;
};

struct value_groups { /* indices of the sharding_group ops on the same value */
	SR_VEC(size_t) members;
};

struct importer {
	struct sr_context *ctx;
	SR_VEC(struct group) groups;
	SR_VEC(struct member) members;
	struct sr_map group_of_attr; /* maps a group_id attribute to 1 + the index in `groups` */
	struct sr_map values; /* maps a value to its struct value_groups */
	int n_used;
	enum sr_status status;
};

static bool has_same_shape(const struct sr_type *a, const struct sr_type *b)
{
	return a->rank == b->rank && (a->rank == 0 || memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0);
}

static bool read_op(void *data, struct sr_op *op)
{
	struct importer *im = data;
	if (!sr_op_is(op, SR_OP_sdy_sharding_group))
		return true;
	struct sr_diags *diags = &im->ctx->diags;
	const struct sr_op *manual = sr_op_parent_of(op, SR_OP_sdy_manual_computation);
	struct group new_group = {sr_op_int(op, SR_NAME_group_id, 0), manual, sr_operand(op, 0)->type, im->groups.n, -1};
	void **entry = sr_map_at(&im->group_of_attr, sr_op_attr(op, SR_NAME_group_id));
	if (!*entry) {
		sr_push(im->ctx->arena, &im->groups, new_group);
		*entry = (void *)(uintptr_t)im->groups.n;
	}
	size_t i = (size_t)(uintptr_t)*entry - 1;
	if (im->groups.data[i].manual != new_group.manual)
		im->status = sr_error(diags, SR_INVALID, sr_loc_source(op->loc),
				      "ShardingGroupOps values cannot cross ManualComputationOp boundaries for groupId: %lld",
				      (long long)new_group.id);
	else if (!has_same_shape(im->groups.data[i].type, new_group.type))
		im->status = sr_error(diags, SR_INVALID, sr_loc_source(op->loc),
				      "ShardingGroupOps values must have the same shape for groupId: %lld", (long long)new_group.id);
	void **of = sr_map_at(&im->values, sr_operand(op, 0));
	if (!*of)
		*of = SR_NEW(im->ctx->arena, struct value_groups);
	struct value_groups *groups = *of;
	sr_push(im->ctx->arena, &groups->members, im->members.n);
	sr_push(im->ctx->arena, &im->members, (struct member){op, i});
	return im->status == SR_OK;
}

static void mark_used(struct importer *im, size_t group)
{
	if (im->groups.data[group].first_use < 0)
		im->groups.data[group].first_use = im->n_used++;
}

/* Return the representative of `group`, halving the path. */
static size_t representative(struct importer *im, size_t group)
{
	struct group *groups = im->groups.data;
	while (groups[group].parent != group)
		group = groups[group].parent = groups[groups[group].parent].parent;
	return group;
}

/* Merge the sets of sharding groups that contain a and b. */
static void merge_groups(struct importer *im, size_t a, size_t b)
{
	im->groups.data[representative(im, b)].parent = representative(im, a);
}

/* Return, for each representative, the new id of its group; length groups.n. */
static int64_t *assign_new_ids(struct importer *im)
{
	int64_t *ids = SR_NEW_ARRAY(im->ctx->arena, int64_t, (int)im->groups.n), n = 0;
	size_t *groups_by_first_use = SR_NEW_ARRAY(im->ctx->arena, size_t, im->n_used);
	for (size_t i = 0; i < im->groups.n; i++)
		groups_by_first_use[im->groups.data[i].first_use] = i;
	for (int i = 0; i < im->n_used; i++)
		if (representative(im, groups_by_first_use[i]) == groups_by_first_use[i])
			ids[groups_by_first_use[i]] = n++;
	return ids;
}

/* Merge all groups that share a value, visiting values in the order of first use. */
static void merge_sharing_groups(struct importer *im)
{
	for (size_t i = 0; i < im->members.n; i++) {
		struct value_groups *of = sr_map_get(&im->values, sr_operand(im->members.data[i].op, 0));
		for (size_t k = 0; k < of->members.n && of->members.data[0] == i; k++) {
			size_t first = im->members.data[i].group, group = im->members.data[of->members.data[k]].group;
			mark_used(im, first);
			mark_used(im, group);
			merge_groups(im, first, group);
		}
	}
}

enum sr_status sr_pass_sharding_group_import(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct importer im = {.ctx = ctx};
	sr_map_init(&im.group_of_attr, ctx->arena);
	sr_map_init(&im.values, ctx->arena);
	sr_walk_post(module, read_op, &im);
	if (im.status != SR_OK)
		return im.status;
	merge_sharing_groups(&im);
	const int64_t *ids = assign_new_ids(&im);
	for (size_t i = 0; i < im.members.n; i++) {
		struct sr_op *op = im.members.data[i].op;
		const struct sr_attr *old = sr_op_attr(op, SR_NAME_group_id);
		const struct value_groups *of = sr_map_get(&im.values, sr_operand(op, 0));
		int64_t id = ids[representative(&im, im.members.data[i].group)];
		if (of->members.data[0] == i)
			sr_op_set_attr(ctx, op, SR_NAME_group_id, sr_attr_int(ctx, id, old->type));
		else
			sr_op_erase(op);
	}
	return SR_OK;
}
