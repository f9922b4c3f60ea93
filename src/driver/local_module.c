/* Print the local module in plain StableHLO, for readers that know no other dialect: without meshes, shardings and shardrun's
 * own attributes. */
#include "dialect/ops.h"
#include "driver/driver.h"
#include "support/map.h"
#include "support/vec.h"
#include "text/text.h"
#include <string.h>

typedef SR_VEC(const struct sr_attr *) attr_list;
typedef SR_VEC(struct sr_named_attr) entry_list;

static bool is_foreign(const char *name)
{
	return !strncmp(name, "sdy.", 4) || !strncmp(name, "shardrun.", 9);
}

/* Return the attribute dictionaries of a function's arguments or results, without entries of other dialects than StableHLO. */
static const struct sr_attr *keep_own_entries(struct sr_context *ctx, const struct sr_attr *dicts)
{
	attr_list out = {0};
	for (int i = 0; i < dicts->n; i++) {
		entry_list entries = {0};
		for (int k = 0; k < dicts->list[i]->n; k++)
			if (!is_foreign(dicts->list[i]->entries[k].name))
				sr_push(ctx->arena, &entries, dicts->list[i]->entries[k]);
		sr_push(ctx->arena, &out, sr_attr_dict(ctx, entries.data, (int)entries.n));
	}
	return sr_attr_array(ctx, out.data, (int)out.n);
}

static bool clean_op(void *data, struct sr_op *op)
{
	static const char *const dicts[] = {"arg_attrs", "res_attrs"};
	struct sr_context *ctx = data;
	if (sr_op_mesh(op)) {
		sr_op_erase(op);
		return true;
	}
	for (int i = op->n_attrs - 1; i >= 0; i--)
		if (is_foreign(op->attrs[i].name))
			sr_op_remove_attr(ctx, op, op->attrs[i].name);
	for (size_t i = 0; i < sizeof dicts / sizeof *dicts; i++) {
		const struct sr_attr *a = sr_op_attr(op, dicts[i]);
		if (a && a->kind == SR_ATTR_ARRAY)
			sr_op_set_attr(ctx, op, dicts[i], keep_own_entries(ctx, a));
	}
	return true;
}

/* ---- groups and pairs that refer to a mesh are listed ---- */

/* Return the coordinate along the permute's axes of the device that sends to the device at coordinate k; -1: no device sends to it.
 */
static int64_t permute_source(const struct sr_permute_axes *axes, int64_t k)
{
	if (axes->source_axes.n)
		return k;
	int64_t source = axes->sources ? axes->sources[k] : k + axes->step;
	return source < sr_digits_size(axes->axes) ? source : -1;
}

static enum sr_status list_pairs(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_permute_axes axes;
	enum sr_status status = sr_op_permute_axes(ctx, op, &axes);
	if (status || !axes.mesh)
		return status;
	int64_t n = sr_mesh_devices(axes.mesh), *pairs = SR_NEW_ARRAY(ctx->arena, int64_t, 2 * n), shape[] = {0, 2};
	for (int64_t target = 0; target < n; target++) {
		int64_t k = sr_digits_coordinate(axes.axes, target), source_coordinate = permute_source(&axes, k);
		if (source_coordinate < 0)
			continue;
		int64_t source = axes.source_axes.n
				     ? sr_digits_position(axes.source_axes, source_coordinate)
				     : target - sr_digits_position(axes.axes, k) + sr_digits_position(axes.axes, source_coordinate);
		pairs[2 * shape[0]] = sr_mesh_device(axes.source_axes.n ? axes.source_mesh : axes.mesh, source);
		pairs[2 * shape[0]++ + 1] = sr_mesh_device(axes.mesh, target);
	}
	sr_op_set_attr(ctx, op, "source_target_pairs", sr_attr_dense_i64(ctx, 2, shape, pairs));
	return SR_OK;
}

static enum sr_status list_groups(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_groups groups;
	enum sr_status status = sr_op_groups(ctx, op, &groups);
	if (!status)
		sr_op_set_attr(ctx, op, "replica_groups",
			       sr_attr_dense_i64(ctx, 2, (const int64_t[]){groups.n_groups, groups.group_size}, groups.ids));
	return status;
}

static bool list_devices(void *data, struct sr_op *op)
{
	const struct sr_attr *groups = sr_op_attr(op, "replica_groups"), *pairs = sr_op_attr(op, "source_target_pairs");
	enum sr_status status = SR_OK;
	if (groups && groups->kind == SR_ATTR_STRUCT)
		status = list_groups(data, op);
	if (!status && pairs && pairs->kind == SR_ATTR_STRUCT)
		status = list_pairs(data, op);
	return !status;
}

void sr_print_local_module(struct sr_context *ctx, const struct sr_op *module, struct sr_buf *out)
{
	struct sr_map copies;
	sr_map_init(&copies, ctx->arena);
	struct sr_op *copy = sr_op_clone(ctx, module, &copies);
	if (!sr_walk(copy, list_devices, ctx))
		return; /* nothing is printed for a module with malformed replica groups */
	sr_walk(copy, clean_op, ctx);
	sr_print(ctx, copy, &(struct sr_print_options){0}, out);
}
