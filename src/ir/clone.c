/* Copy ops deeply. All ops of a region are created before their operands are set, so that graph regions may use values before
 * their definition, and use lists have the order that MLIR's cloning gives them. */
#include "ir/ir_pool.h"

static struct sr_value *map_value(const struct sr_map *map, struct sr_value *value)
{
	struct sr_value *mapped_value = value ? sr_map_get(map, value) : NULL;
	return mapped_value ? mapped_value : value;
}

/* Copy an op without operands and with empty regions, and map its results to those of the copy. */
static struct sr_op *clone_without_operands(struct sr_context *ctx, const struct sr_op *op, struct sr_map *map)
{
	struct sr_op *copy = SR_POOL_NEWS(ctx, struct sr_op, 1);
	copy->info = op->info;
	copy->loc = op->loc;
	copy->n_inherent = op->n_inherent;
	copy->inherent = op->inherent;
	copy->n_attrs = copy->cap_attrs = op->n_attrs;
	copy->attrs = SR_POOL_NEWS(ctx, struct sr_named_attr, op->n_attrs);
	for (int i = 0; i < op->n_attrs; i++)
		copy->attrs[i] = op->attrs[i];
	copy->n_operands = copy->cap_operands = op->n_operands;
	copy->operands = SR_POOL_NEWS(ctx, struct sr_use, op->n_operands);
	for (int i = 0; i < op->n_operands; i++)
		copy->operands[i].owner = copy;
	copy->n_regions = op->n_regions;
	copy->regions = SR_POOL_NEWS(ctx, struct sr_region, op->n_regions);
	for (int i = 0; i < op->n_regions; i++)
		copy->regions[i].op = copy;
	copy->n_results = op->n_results;
	copy->results = SR_POOL_NEWS(ctx, struct sr_value, op->n_results);
	for (int i = 0; i < op->n_results; i++) {
		copy->results[i] = (struct sr_value){.type = op->results[i].type, .def = copy, .index = i};
		sr_map_put(map, &op->results[i], &copy->results[i]);
	}
	return copy;
}

static void clone_region(struct sr_context *ctx, const struct sr_region *from, struct sr_region *to, struct sr_map *map);

static void clone_operands_and_regions(struct sr_context *ctx, const struct sr_op *op, struct sr_op *copy, struct sr_map *map)
{
	for (int i = 0; i < op->n_operands; i++)
		sr_op_set_operand(copy, i, map_value(map, op->operands[i].value));
	for (int i = 0; i < op->n_regions; i++)
		clone_region(ctx, &op->regions[i], &copy->regions[i], map);
}

static void clone_region(struct sr_context *ctx, const struct sr_region *from, struct sr_region *target_region, struct sr_map *map)
{
	for (const struct sr_block *b = from->first; b; b = b->next) {
		struct sr_block *copy = sr_block_new(ctx, target_region);
		copy->label = b->label;
		for (int i = 0; i < b->n_args; i++)
			sr_map_put(map, b->args[i], sr_block_add_arg(ctx, copy, b->args[i]->type, b->args[i]->loc));
		for (const struct sr_op *op = b->first; op; op = op->next)
			sr_op_append(copy, clone_without_operands(ctx, op, map));
	}
	struct sr_block *copy = target_region->first;
	for (const struct sr_block *b = from->first; b; b = b->next, copy = copy->next) {
		struct sr_op *inner = copy->first;
		for (const struct sr_op *op = b->first; op; op = op->next, inner = inner->next)
			clone_operands_and_regions(ctx, op, inner, map);
	}
}

struct sr_op *sr_op_clone(struct sr_context *ctx, const struct sr_op *op, struct sr_map *map)
{
	struct sr_map temporary_map;
	if (!map) {
		map = &temporary_map;
		sr_map_init(map, ctx->arena);
	}
	struct sr_op *copy = clone_without_operands(ctx, op, map);
	clone_operands_and_regions(ctx, op, copy, map);
	return copy;
}
