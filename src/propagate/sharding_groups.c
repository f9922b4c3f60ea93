/* Sharding groups: values in sdy.sharding_group ops with equal ids must have equal shardings.
 *
 * Requires ids from 0 on and one group per value (sdy-sharding-group-import). Before propagation, all members get the sharding that
 * some members have. If these differ, each member is replaced by an open sharding constraint inserted after it. */
#include "propagate/propagation.h"
#include "dialect/attr_names.h"

typedef SR_VEC(struct sr_value_group *) group_vec;

struct reader {
	struct sr_context *ctx;
	group_vec groups; /* the sharding groups, indexed by id */
	struct sr_map group_by_attr; /* maps a group_id attribute to its struct sr_value_group */
};

static bool read_group_op(void *data, struct sr_op *op)
{
	struct reader *r = data;
	if (!sr_op_is(op, SR_OP_sdy_sharding_group))
		return true;
	void **entry = sr_map_at(&r->group_by_attr, sr_op_attr(op, SR_NAME_group_id));
	struct sr_value_group *group = *entry;
	if (!group) {
		group = *entry = SR_NEW(r->ctx->arena, struct sr_value_group);
		group->id = sr_op_int(op, SR_NAME_group_id, 0);
		sr_push(r->ctx->arena, &r->groups, group);
	}
	sr_push(r->ctx->arena, &group->members, sr_operand(op, 0));
	return true;
}

/* Return true if no dimension is sharded or closed; unreduced axes are ignored. */
static bool is_open_and_replicated(const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].axes.n > 0 || s->dims[d].closed)
			return false;
	return true;
}

/* Return the sharding that members of the group have; NULL: none has one. *conflict: set if members have different ones. */
static const struct sr_attr *common_sharding(struct reader *r, const struct sr_value_group *group, bool *conflict)
{
	const struct sr_attr *common = NULL;
	*conflict = false;
	if (group->members.n == 1)
		return sr_value_sharding(r->ctx, group->members.data[0]);
	for (size_t i = 0; i < group->members.n && !*conflict; i++) {
		const struct sr_attr *s = sr_value_sharding(r->ctx, group->members.data[i]);
		if (!s || is_open_and_replicated(s->sharding))
			continue;
		*conflict = common && s != common;
		common = common ? common : s;
	}
	return common;
}

static bool is_other_user(void *data, struct sr_use *use)
{
	return use->owner != data;
}

/* Insert an open sharding constraint after the value, for all its users. */
static struct sr_value *constrain_open(struct reader *r, struct sr_value *v, const struct sr_sdy_sharding *like)
{
	struct sr_sdy_sharding open_sharding = sr_sdy_replicated_sharding(r->ctx->arena, like->mesh_name, like->rank, false);
	struct sr_named_attr attr = {sr_intern(r->ctx, SR_NAME_sharding), sr_attr_sharding(r->ctx, &open_sharding)};
	struct sr_builder b = {.ctx = r->ctx, .block = v->def ? v->def->block : v->block,
			       .anchor = v->def ? v->def->next : v->block->first, .loc = v->def ? v->def->loc : v->loc};
	struct sr_op *op = sr_build(&b, SR_OP_sdy_sharding_constraint, &v, 1, &attr, 1, &v->type, 1);
	sr_value_replace_if(v, sr_result(op, 0), is_other_user, op);
	return sr_result(op, 0);
}

static void unify(struct reader *r, struct sr_value_group *group)
{
	bool conflict;
	const struct sr_attr *sharding = common_sharding(r, group, &conflict);
	if (!sharding)
		return;
	struct sr_value *first = group->members.data[0];
	const struct sr_op *at = sr_value_owner(first);
	if (conflict)
		sr_report(&r->ctx->diags, SR_WARNING, sr_loc_source(at->loc),
			  "The initial operand shardings on the sharding groups of groupID: %lld do not match. Inserting an open "
			  "sharding constraint to all constrained values. This can be caused when shardings from different values "
			  "are grouped (e.g. from jax.shard_alike) but have separate inconsistent sharding constraints on them.",
			  (long long)group->id);
	for (size_t i = 0; i < group->members.n; i++) {
		if (conflict)
			group->members.data[i] = constrain_open(r, group->members.data[i], sharding->sharding);
		else
			sr_value_set_sharding(r->ctx, group->members.data[i], sharding);
	}
}

void sr_value_groups_read(struct sr_context *ctx, struct sr_op *module, struct sr_map *groups)
{
	struct reader r = {.ctx = ctx};
	sr_map_init(&r.group_by_attr, ctx->arena);
	sr_walk(module, read_group_op, &r);
	/* sort the groups by their ids */
	for (size_t i = 1; i < r.groups.n; i++)
		for (size_t k = i; k > 0 && r.groups.data[k - 1]->id > r.groups.data[k]->id; k--) {
			struct sr_value_group *swap = r.groups.data[k];
			r.groups.data[k] = r.groups.data[k - 1];
			r.groups.data[k - 1] = swap;
		}
	for (size_t i = 0; i < r.groups.n; i++) {
		unify(&r, r.groups.data[i]);
		for (size_t m = 0; m < r.groups.data[i]->members.n; m++)
			sr_map_put(groups, r.groups.data[i]->members.data[m], r.groups.data[i]);
	}
}
