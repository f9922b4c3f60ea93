/* Create modules and find symbols. A symbol table is a hash map from names to ops. The first search fills it; from then on, inserting,
 * removing and renaming ops keeps it current. */
#include "ir/ir_pool.h"
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

struct sr_symbol_table *sr_symbol_table_new(struct sr_context *ctx)
{
	struct sr_symbol_table *symbols = SR_NEW(ctx->arena, struct sr_symbol_table);
	sr_map_init(&symbols->ops, ctx->arena);
	return symbols;
}

static const void *key_of(const char *name)
{
	return (const void *)(uintptr_t)(sr_hash_bytes(name, strlen(name), 0) | 1);
}

/* Return the filled symbol table that has the op's name; NULL: none. */
static struct sr_symbol_table *table_around(const struct sr_op *op)
{
	const struct sr_region *region = op->block ? op->block->region : NULL;
	return region && region->symbols && region->symbols->is_filled && region->first == op->block ? region->symbols : NULL;
}

static void add(struct sr_symbol_table *symbols, struct sr_op *op)
{
	const char *name = sr_symbol_name(op);
	symbols->visits++;
	void **at = name ? sr_map_at(&symbols->ops, key_of(name)) : NULL;
	if (at && *at)
		symbols->is_ambiguous = true;
	else if (at)
		*at = op;
}

void sr_symbol_added(struct sr_op *op)
{
	struct sr_symbol_table *symbols = table_around(op);
	if (symbols)
		add(symbols, op);
}

void sr_symbol_removed(struct sr_op *op)
{
	struct sr_symbol_table *symbols = table_around(op);
	const char *name = symbols ? sr_symbol_name(op) : NULL;
	if (name)
		sr_map_remove(&symbols->ops, key_of(name));
}

void sr_symbols_changed(struct sr_region *region)
{
	if (!region->symbols || !region->symbols->is_filled)
		return;
	sr_map_init(&region->symbols->ops, region->symbols->ops.arena);
	region->symbols->is_filled = region->symbols->is_ambiguous = false;
}

static bool has_name(const struct sr_op *op, const char *name)
{
	const char *symbol = sr_symbol_name(op);
	return symbol && (symbol == name || strcmp(symbol, name) == 0);
}

struct sr_op *sr_symbol_find(const struct sr_op *table, const char *name)
{
	struct sr_symbol_table *symbols = table->n_regions ? table->regions[0].symbols : NULL;
	struct sr_op *op = table->n_regions && table->regions[0].first ? table->regions[0].first->first : NULL;
	if (symbols && !symbols->is_filled) {
		symbols->is_filled = true;
		for (struct sr_op *symbol = op; symbol; symbol = symbol->next)
			add(symbols, symbol);
	}
	if (symbols && !symbols->is_ambiguous) {
		symbols->visits++;
		op = sr_map_get(&symbols->ops, key_of(name));
		return op && has_name(op, name) ? op : NULL;
	}
	while (op && !has_name(op, name))
		op = op->next;
	return op;
}
