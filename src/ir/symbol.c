/* Create modules and find symbols. */
#include "ir/ir.h"
#include <string.h>

struct sr_op *sr_module_new(struct sr_context *ctx)
{
	struct sr_op *module = sr_op_new(ctx, &(struct sr_op_spec){.info = sr_op_info_of(ctx, "builtin.module"), .n_regions = 1});
	sr_block_new(ctx, &module->regions[0]);
	return module;
}

struct sr_block *sr_module_body(const struct sr_op *module)
{
	return module->regions[0].first;
}

const char *sr_symbol_name(const struct sr_op *op)
{
	const struct sr_attr *name = sr_op_attr(op, "sym_name");
	return name && name->kind == SR_ATTR_STRING ? name->s : NULL;
}

struct sr_op *sr_symbol_find(const struct sr_op *table, const char *name)
{
	if (table->n_regions == 0 || !table->regions[0].first)
		return NULL;
	for (struct sr_op *op = table->regions[0].first->first; op; op = op->next) {
		const char *symbol = sr_symbol_name(op);
		if (symbol && (symbol == name || strcmp(symbol, name) == 0))
			return op;
	}
	return NULL;
}
