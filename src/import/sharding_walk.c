/* Apply a function to every sharding of a module. A function's arg_attrs and res_attrs are rebuilt once, not per entry. */
#include "import/sharding_walk.h"
#include "dialect/attr_names.h"
#include <string.h>

/* Map an attribute that is a SHARDING or SHARDINGS; return other attributes unchanged. */
static const struct sr_attr *sharding_attr_map(struct sr_context *ctx, const struct sr_attr *attr, sr_sharding_map_fn *fn,
					       void *data)
{
	if (attr->kind == SR_ATTR_SHARDING)
		return fn(data, attr);
	if (attr->kind != SR_ATTR_SHARDINGS)
		return attr;
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, attr->n);
	bool has_changed = false;
	for (int i = 0; i < attr->n; i++) {
		list[i] = fn(data, attr->list[i]);
		has_changed = has_changed || list[i] != attr->list[i];
	}
	return has_changed ? sr_attr_shardings(ctx, list, attr->n) : attr;
}

/* Return the dictionary with entry `name` set to `value`, or without the entry if value is NULL. */
static const struct sr_attr *set_entry(struct sr_context *ctx, const struct sr_attr *dict, const char *name,
				       const struct sr_attr *value)
{
	struct sr_named_attr *entries = sr_dup(ctx->arena, dict->entries, (size_t)dict->n, sizeof *entries);
	int n = 0;
	for (int i = 0; i < dict->n; i++) {
		bool is_match = strcmp(entries[i].name, name) == 0;
		if (is_match && !value)
			continue;
		entries[n] = entries[i];
		if (is_match)
			entries[n].value = value;
		n++;
	}
	return sr_attr_dict(ctx, entries, n);
}

static void set_list(struct sr_context *ctx, struct sr_op *func, const char *name, const struct sr_attr *old,
		     const struct sr_attr *const *list)
{
	bool is_empty = true;
	for (int i = 0; i < old->n; i++)
		is_empty = is_empty && list[i]->n == 0;
	sr_op_set_attr(ctx, func, name, is_empty ? NULL : sr_attr_array(ctx, list, old->n));
}

void sr_func_shardings_map(struct sr_context *ctx, struct sr_op *func, const char *name, sr_sharding_map_fn *fn, void *data)
{
	const struct sr_attr *old = sr_op_attr(func, name);
	if (!old)
		return;
	const struct sr_attr **list = sr_dup(ctx->arena, old->list, (size_t)old->n, sizeof *list);
	bool has_changed = false;
	for (int i = 0; i < old->n; i++) {
		const struct sr_attr *s = sr_dict_get(old->list[i], "sdy.sharding");
		const struct sr_attr *replacement = s && s->kind == SR_ATTR_SHARDING ? fn(data, s) : s;
		if (replacement != s) {
			list[i] = set_entry(ctx, old->list[i], "sdy.sharding", replacement);
			has_changed = true;
		}
	}
	if (has_changed)
		set_list(ctx, func, name, old, list);
}

void sr_func_attrs_drop(struct sr_context *ctx, struct sr_op *func, const char *name, const char *const *names, int n)
{
	const struct sr_attr *old = sr_op_attr(func, name);
	if (!old)
		return;
	const struct sr_attr **list = sr_dup(ctx->arena, old->list, (size_t)old->n, sizeof *list);
	for (int i = 0; i < old->n; i++)
		for (int k = 0; k < n; k++)
			if (sr_dict_get(list[i], names[k]))
				list[i] = set_entry(ctx, list[i], names[k], NULL);
	set_list(ctx, func, name, old, list);
}

struct walk {
	struct sr_context *ctx;
	sr_sharding_map_fn *fn;
	void *data;
};

static bool map_op(void *data, struct sr_op *op)
{
	const struct walk *w = data;
	if (sr_op_is(op, SR_OP_func_func)) {
		sr_func_shardings_map(w->ctx, op, SR_NAME_arg_attrs, w->fn, w->data);
		sr_func_shardings_map(w->ctx, op, SR_NAME_res_attrs, w->fn, w->data);
		return true;
	}
	for (int i = 0; i < op->n_attrs; i++) {
		const struct sr_attr *new = sharding_attr_map(w->ctx, op->attrs[i].value, w->fn, w->data);
		if (new != op->attrs[i].value)
			sr_op_set_attr(w->ctx, op, op->attrs[i].name, new);
	}
	return true;
}

void sr_shardings_map(struct sr_context *ctx, struct sr_op *root, sr_sharding_map_fn *fn, void *data)
{
	struct walk w = {ctx, fn, data};
	sr_walk(root, map_op, &w);
}
