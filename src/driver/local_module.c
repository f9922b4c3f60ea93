/* The local module in plain StableHLO, for readers that know no other dialect: without meshes, shardings and our own attributes. */
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

/* Return the dictionaries of a function's arguments or results without foreign entries. */
static const struct sr_attr *clean_dicts(struct sr_context *ctx, const struct sr_attr *dicts)
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
			sr_op_set_attr(ctx, op, dicts[i], clean_dicts(ctx, a));
	}
	return true;
}

void sr_print_local_module(struct sr_context *ctx, const struct sr_op *module, struct sr_buf *out)
{
	struct sr_map copies;
	sr_map_init(&copies, ctx->arena);
	struct sr_op *copy = sr_op_clone(ctx, module, &copies);
	sr_walk(copy, clean_op, ctx);
	sr_print(ctx, copy, &(struct sr_print_options){0}, out);
}
