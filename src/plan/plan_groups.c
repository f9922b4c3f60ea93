/* Replica groups and permute pairs of collectives: as digits of the device number if they follow from mesh axes, else as lists.
 *
 * Device ids are replica * partitions + partition. Without a channel, groups name replicas, for each partition separately; with
 * a channel they name partitions (permute, all_to_all, broadcast: for each replica separately) or replicas across all
 * partitions; with use_global_device_ids they name devices (StableHLO specification, "Grouping of processes"). */
#include "plan/plan_groups.h"
#include "dialect/attr_names.h"
#include <string.h>

typedef SR_VEC(struct sr_digit) digit_vec;

static int64_t partitions_of(const struct sr_plan_builder *b)
{
	return b->n_devices / b->n_replicas;
}

/* Return the number of different ids that the groups may contain. */
static int64_t id_count(const struct sr_plan_builder *b, enum sr_grouping how)
{
	return how == SR_FLATTENED ? b->n_devices : how == SR_CROSS_PARTITION ? partitions_of(b) : b->n_replicas;
}

/* ---- tables ---- */

static uint64_t add_device_order(struct sr_plan_builder *b, const struct sr_mesh *mesh)
{
	if (!mesh->n_device_ids)
		return 0;
	void **at = sr_map_at(&b->orders, mesh);
	if (!*at) {
		uint64_t first = sr_plan_add_ids(b, (int64_t[]){mesh->n_device_ids}, 1);
		sr_plan_add_ids(b, mesh->device_ids, mesh->n_device_ids);
		*at = (void *)(uintptr_t)(1 + first);
	}
	return (uint64_t)(uintptr_t)*at;
}

static int add_group_list(struct sr_plan_builder *b, struct sr_group_list list, const int64_t *ids, int64_t n)
{
	for (size_t i = 0; i < b->groups.n; i++) {
		const struct sr_group_list *l = &b->groups.data[i];
		if (l->n_groups == list.n_groups && l->size == list.size && l->n_outer == list.n_outer && l->n_inner == list.n_inner &&
		    l->order == list.order && !memcmp(b->ids.data + l->first, ids, sizeof(int64_t) * (size_t)n))
			return (int)i;
	}
	list.first = sr_plan_add_ids(b, ids, n);
	sr_push(b->arena, &b->groups, list);
	return (int)b->groups.n - 1;
}

int sr_plan_add_group(struct sr_plan_builder *b, struct sr_groups g)
{
	return add_group_list(b, (struct sr_group_list){.n_groups = g.n_groups, .size = g.group_size}, g.ids, g.n_groups * g.group_size);
}

static int group_of_digits(struct sr_plan_builder *b, const digit_vec *outer, const digit_vec *inner, uint64_t order)
{
	struct sr_digits a = {outer->data, (int)outer->n}, c = {inner->data, (int)inner->n};
	struct sr_group_list list = {.n_groups = sr_digits_size(a), .size = sr_digits_size(c), .n_outer = a.n,
				     .n_inner = c.n, .order = order};
	int64_t *numbers = SR_NEW_ARRAY(b->arena, int64_t, 2 * (a.n + c.n));
	if (a.n + c.n == 0)
		return sr_plan_add_group(b, (struct sr_groups){(int64_t[]){0}, 1, 1});
	for (int i = 0; i < a.n + c.n; i++) {
		struct sr_digit d = i < a.n ? a.digits[i] : c.digits[i - a.n];
		numbers[2 * i] = d.size;
		numbers[2 * i + 1] = d.stride;
	}
	return add_group_list(b, list, numbers, 2 * (a.n + c.n));
}

int sr_plan_grid_group(struct sr_plan_builder *b)
{
	digit_vec no_digits = {0}, all_digits = {0};
	if (b->n_devices == b->options->n_devices)
		return -1;
	if (b->n_devices > 1)
		sr_push(b->arena, &all_digits, ((struct sr_digit){b->n_devices, 1}));
	return group_of_digits(b, &no_digits, &all_digits, 0);
}

/* ---- groups ---- */

static void push_digit(struct sr_plan_builder *b, digit_vec *out, int64_t size, int64_t stride)
{
	if (size > 1)
		sr_push(b->arena, out, ((struct sr_digit){size, stride}));
}

static void push_scaled(struct sr_plan_builder *b, digit_vec *out, struct sr_digits digits, int64_t scale)
{
	for (int i = 0; i < digits.n; i++)
		push_digit(b, out, digits.digits[i].size, digits.digits[i].stride * scale);
}

/* Convert digits of replica or partition ids to digits of device ids. */
static int group_from_axes(struct sr_plan_builder *b, const struct sr_group_axes *g, enum sr_grouping how)
{
	int64_t partitions = partitions_of(b), scale = how == SR_CROSS_REPLICA || how == SR_CROSS_BOTH ? partitions : 1;
	digit_vec outer = {0}, inner = {0};
	push_scaled(b, &outer, g->group_digits, scale);
	if (how == SR_CROSS_REPLICA)
		push_digit(b, &outer, partitions, 1);
	if (how == SR_CROSS_PARTITION)
		push_digit(b, &outer, b->n_replicas, partitions);
	if (how == SR_CROSS_BOTH)
		push_digit(b, &inner, partitions, 1);
	push_scaled(b, &inner, g->member_digits, scale);
	return group_of_digits(b, &outer, &inner, g->mesh ? add_device_order(b, g->mesh) : 0);
}

/* Convert rows of replica or partition ids to rows of device ids. */
static struct sr_groups device_rows(struct sr_plan_builder *b, struct sr_groups in, enum sr_grouping how)
{
	int64_t partitions = partitions_of(b);
	int64_t n_copies = how == SR_CROSS_REPLICA     ? partitions
			 : how == SR_CROSS_PARTITION ? b->n_replicas
						     : 1,
		devices_per_id = how == SR_CROSS_BOTH ? partitions : 1;
	struct sr_groups out = {SR_NEW_ARRAY(b->arena, int64_t, in.n_groups * n_copies * in.group_size * devices_per_id),
				in.n_groups * n_copies, in.group_size * devices_per_id};
	for (int64_t g = 0; g < in.n_groups; g++)
		for (int64_t c = 0; c < n_copies; c++)
			for (int64_t i = 0; i < in.group_size; i++)
				for (int64_t s = 0; s < devices_per_id; s++) {
					int64_t id = in.ids[g * in.group_size + i];
					int64_t device = how == SR_CROSS_REPLICA     ? id * partitions + c
							 : how == SR_CROSS_PARTITION ? c * partitions + id
							 : how == SR_CROSS_BOTH	     ? id * partitions + s
										     : id;
					out.ids[((g * n_copies + c) * devices_per_id + s) * in.group_size + i] = id < 0 ? -1
															: device;
				}
	return out;
}

/* Check that every id is a device's and, unless `is_partial`, that every device is in a group. */
static enum sr_status check_ids(struct sr_plan_builder *b, struct sr_op *op, struct sr_groups g, bool is_partial)
{
	bool *is_named = SR_NEW_ARRAY(b->arena, bool, b->n_devices);
	for (int64_t i = 0; i < g.n_groups * g.group_size; i++) {
		if (g.ids[i] >= b->n_devices)
			return sr_op_error(op, &b->ctx->diags, SR_INVALID,
					   "names device %lld in its groups, but the number of devices is %lld",
					   (long long)g.ids[i], (long long)b->n_devices);
		if (g.ids[i] >= 0)
			is_named[g.ids[i]] = true;
	}
	for (int64_t d = 0; !is_partial && d < b->n_devices; d++)
		if (!is_named[d])
			return sr_op_error(op, &b->ctx->diags, SR_INVALID,
					   "has device %lld in none of its groups, but each of the %lld devices must be in one",
					   (long long)d, (long long)b->n_devices);
	return SR_OK;
}

/* Return true if the digits of the mesh give the same groups as the listed ids. A device order only applies to partition or
 * device ids. */
static bool digits_match_ids(const struct sr_plan_builder *b, const struct sr_mesh *mesh, enum sr_grouping how)
{
	bool has_device_order = mesh && mesh->n_device_ids;
	return mesh && sr_mesh_devices(mesh) == id_count(b, how) &&
	       (!has_device_order || how == SR_FLATTENED || how == SR_CROSS_PARTITION);
}

static struct sr_groups all_in_one_group(struct sr_plan_builder *b, int64_t n)
{
	struct sr_groups g = {SR_NEW_ARRAY(b->arena, int64_t, n), 1, n};
	for (int64_t i = 0; i < n; i++)
		g.ids[i] = i;
	return g;
}

enum sr_status sr_plan_groups_of(struct sr_plan_builder *b, struct sr_op *op, enum sr_grouping how, bool as_list, bool is_partial,
				 int *group)
{
	const struct sr_attr *a = sr_op_attr(op, SR_NAME_replica_groups);
	struct sr_digit all_ids = {id_count(b, how), 1};
	struct sr_group_axes axes;
	struct sr_groups groups;
	/* a list of no groups means that all devices are in one group */
	bool no_rows = a && a->kind == SR_ATTR_DENSE && a->type->rank == 2 && !a->type->shape[0];
	enum sr_status status = sr_op_group_axes(b->ctx, op, &axes);
	if (status)
		return status;
	if (no_rows)
		axes.member_digits = (struct sr_digits){&all_ids, 1};
	if (!as_list && (no_rows || digits_match_ids(b, axes.mesh, how))) {
		*group = group_from_axes(b, &axes, how);
		return SR_OK;
	}
	if (no_rows)
		groups = all_in_one_group(b, all_ids.size);
	else
		status = sr_op_groups(b->ctx, op, &groups);
	if (status)
		return status;
	groups = device_rows(b, groups, how);
	*group = sr_plan_add_group(b, groups);
	return check_ids(b, op, groups, is_partial);
}

bool sr_plan_group_is_uneven(const struct sr_plan_builder *b, int group)
{
	const struct sr_group_list *list = &b->groups.data[group];
	for (int64_t i = 0; !list->n_outer && !list->n_inner && i < list->n_groups * list->size; i++)
		if (b->ids.data[list->first + (uint64_t)i] < 0)
			return true;
	return false;
}

/* ---- permutes ---- */

static void put_digits(struct sr_plan_builder *b, struct sr_digits digits)
{
	for (int i = 0; i < digits.n; i++)
		sr_plan_add_ids(b, (int64_t[]){digits.digits[i].size, digits.digits[i].stride}, 2);
}

static enum sr_status pairs_of_axes(struct sr_plan_builder *b, struct sr_op *op, bool across_partitions,
				    const struct sr_permute_axes *axes, struct sr_collective_instr *instr)
{
	struct sr_permute head = {.n_axes = axes->axes.n,
				  .n_other_axes = axes->other_axes.n,
				  .n_source_axes = axes->source_axes.n,
				  .step = axes->step,
				  .order = add_device_order(b, axes->mesh),
				  .devices = sr_mesh_devices(axes->mesh)};
	if (!across_partitions || head.devices != partitions_of(b))
		return sr_op_error(op, &b->ctx->diags, SR_INVALID,
				   "names axes of a mesh of %lld devices for its pairs, which should be those of a channel's %lld partitions",
				   (long long)head.devices, (long long)partitions_of(b));
	if (axes->source_mesh)
		head.source_order = add_device_order(b, axes->source_mesh);
	if (axes->sources)
		head.n_sources = sr_digits_size(axes->axes);
	instr->n_pairs = SR_PAIRS_OF_AXES;
	instr->pairs = sr_plan_add_ids(b, (const int64_t *)(const void *)&head, sizeof head / sizeof(int64_t));
	put_digits(b, axes->axes);
	put_digits(b, axes->other_axes);
	put_digits(b, axes->source_axes);
	sr_plan_add_ids(b, axes->sources, head.n_sources);
	return SR_OK;
}

enum sr_status sr_plan_pairs_of(struct sr_plan_builder *b, struct sr_op *op, bool across_partitions,
				struct sr_collective_instr *instr)
{
	int64_t n, partitions = partitions_of(b), n_copies = across_partitions ? b->n_replicas : partitions;
	const int64_t *pairs;
	struct sr_permute_axes axes;
	enum sr_status status = sr_op_permute_axes(b->ctx, op, &axes);
	if (status)
		return status;
	if (axes.mesh)
		return pairs_of_axes(b, op, across_partitions, &axes, instr);
	sr_op_ints(b->ctx, op, SR_NAME_source_target_pairs, &pairs, &n);
	instr->pairs = b->ids.n;
	for (int64_t c = 0; c < n_copies; c++)
		for (int64_t i = 0; i < n; i++) {
			int64_t id = across_partitions ? c * partitions + pairs[i] : pairs[i] * partitions + c;
			if (pairs[i] < 0 || id >= b->n_devices)
				return sr_op_error(op, &b->ctx->diags, SR_INVALID,
						   "names device %lld, but the number of devices is %lld",
						   (long long)pairs[i], (long long)b->n_devices);
			sr_push(b->arena, &b->ids, id);
		}
	instr->n_pairs = (int32_t)(n_copies * n / 2);
	return SR_OK;
}
