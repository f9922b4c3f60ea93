/* Search for symbol references in attributes: symbol attributes at any depth, and the meshes of shardings. */
#include "optimize/symbol_uses.h"
#include "dialect/attr_names.h"
#include <string.h>

struct symbol_visit {
	void (*fn)(void *data, const char *name);
	void *data;
};

static void visit_attr(const struct symbol_visit *v, const struct sr_attr *a)
{
	if (!a)
		return;
	if (a->kind == SR_ATTR_SYMBOL)
		v->fn(v->data, a->s);
	if (a->sharding && a->sharding->mesh_name)
		v->fn(v->data, a->sharding->mesh_name);
	for (int i = 0; a->list && i < a->n; i++)
		visit_attr(v, a->list[i]);
	for (int i = 0; a->entries && i < a->n; i++)
		visit_attr(v, a->entries[i].value);
}

static bool visit_op(void *data, struct sr_op *op)
{
	for (int i = 0; i < op->n_attrs; i++)
		visit_attr(data, op->attrs[i].value);
	return true;
}

void sr_symbol_uses(struct sr_op *op, void (*fn)(void *data, const char *name), void *data)
{
	struct symbol_visit v = {fn, data};
	sr_walk(op, visit_op, &v);
}

bool sr_symbol_is_private(const struct sr_op *op)
{
	const struct sr_attr *visibility = sr_op_attr(op, SR_NAME_sym_visibility);
	return visibility && visibility->kind == SR_ATTR_STRING && strcmp(visibility->s, "public") != 0;
}
