/* Ops and uses.
 *
 * Setting a use moves it to the head of the value's use list, even if it held that value before. Growing an operand array
 * re-links its uses one by one in the same way. Use lists therefore have the order that MLIR's have after the same calls.
 * Operand arrays grow to the next power of two above the old capacity + 2, as in MLIR. */
#include "ir/ir_pool.h"
#include <string.h>

static void use_remove(struct sr_use *use)
{
	if (!use->value)
		return;
	*use->link = use->next;
	if (use->next)
		use->next->link = use->link;
	use->value = NULL;
	use->next = NULL;
	use->link = NULL;
}

static void use_add(struct sr_use *use, struct sr_value *value)
{
	use->value = value;
	if (!value)
		return;
	use->next = value->uses;
	use->link = &value->uses;
	if (value->uses)
		value->uses->link = &use->next;
	value->uses = use;
}

void sr_use_set(struct sr_use *use, struct sr_value *value)
{
	use_remove(use);
	use_add(use, value);
}

int sr_use_index(const struct sr_use *use)
{
	return (int)(use - use->owner->operands);
}

void sr_value_replace_all(struct sr_value *from, struct sr_value *to)
{
	if (from == to)
		return;
	while (from->uses)
		sr_use_set(from->uses, to);
}

void sr_value_replace_if(struct sr_value *from, struct sr_value *to, bool (*filter)(void *data, struct sr_use *use), void *data)
{
	if (from == to)
		return;
	for (struct sr_use *use = from->uses, *next; use; use = next) {
		next = use->next;
		if (filter(data, use))
			sr_use_set(use, to);
	}
}

/* ---------------------------------------------------------------- operands */

static int next_power_of_two(int n)
{
	int p = 1;
	while (p <= n)
		p *= 2;
	return p;
}

static void reserve_operands(struct sr_context *ctx, struct sr_op *op, int n)
{
	if (n <= op->cap_operands)
		return;
	int cap = next_power_of_two(op->cap_operands + 2);
	op->cap_operands = cap > n ? cap : n;
	struct sr_use *old_operands = op->operands;
	op->operands = SR_POOL_NEWS(ctx, struct sr_use, op->cap_operands);
	for (int i = 0; i < op->cap_operands; i++)
		op->operands[i].owner = op;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *value = old_operands[i].value;
		use_remove(&old_operands[i]);
		use_add(&op->operands[i], value);
	}
}

void sr_op_set_operand(struct sr_op *op, int index, struct sr_value *value)
{
	sr_use_set(&op->operands[index], value);
}

void sr_op_add_operand(struct sr_context *ctx, struct sr_op *op, struct sr_value *value)
{
	reserve_operands(ctx, op, op->n_operands + 1);
	use_add(&op->operands[op->n_operands++], value);
}

void sr_op_set_operands(struct sr_context *ctx, struct sr_op *op, struct sr_value *const *values, int n)
{
	while (op->n_operands > n)
		use_remove(&op->operands[--op->n_operands]);
	reserve_operands(ctx, op, n);
	op->n_operands = n;
	for (int i = 0; i < n; i++)
		sr_use_set(&op->operands[i], values[i]);
}

void sr_op_remove_operand(struct sr_op *op, int index)
{
	for (int i = index; i + 1 < op->n_operands; i++)
		sr_use_set(&op->operands[i], op->operands[i + 1].value);
	use_remove(&op->operands[--op->n_operands]);
}

/* ---------------------------------------------------------------- attributes */

static int compare_names(const char *a, const char *b)
{
	int order = *(const unsigned char *)a - *(const unsigned char *)b;
	return order || a == b ? order : strcmp(a, b);
}

/* Return the position of an attribute in the sorted list, or where to insert it. */
static int attr_position(const struct sr_op *op, const char *name, bool *is_found)
{
	int i = 0, order = 1;
	for (; i < op->n_attrs; i++) {
		order = compare_names(op->attrs[i].name, name);
		if (order >= 0)
			break;
	}
	*is_found = i < op->n_attrs && order == 0;
	return i;
}

const struct sr_attr *sr_op_attr(const struct sr_op *op, const char *name)
{
	bool is_found;
	int i = attr_position(op, name, &is_found);
	return is_found ? op->attrs[i].value : NULL;
}

static void insert_attr(struct sr_context *ctx, struct sr_op *op, int position, struct sr_named_attr named)
{
	if (op->n_attrs == op->cap_attrs) {
		struct sr_named_attr *old_attrs = op->attrs;
		op->cap_attrs = op->cap_attrs ? 2 * op->cap_attrs : 4;
		op->attrs = SR_POOL_NEWS(ctx, struct sr_named_attr, op->cap_attrs);
		for (int i = 0; i < op->n_attrs; i++)
			op->attrs[i] = old_attrs[i];
	}
	for (int i = op->n_attrs++; i > position; i--)
		op->attrs[i] = op->attrs[i - 1];
	op->attrs[position] = named;
}

void sr_op_set_attr(struct sr_context *ctx, struct sr_op *op, const char *name, const struct sr_attr *value)
{
	bool is_found;
	int position = attr_position(op, name, &is_found);
	const bool is_symbol = strcmp(name, "sym_name") == 0;
	if (is_symbol)
		sr_symbol_removed(op);
	if (!value) {
		if (!is_found)
			return;
		op->n_attrs--;
		for (int i = position; i < op->n_attrs; i++)
			op->attrs[i] = op->attrs[i + 1];
	} else if (is_found) {
		op->attrs[position].value = value;
	} else {
		insert_attr(ctx, op, position, (struct sr_named_attr){sr_intern(ctx, name), value});
	}
	if (is_symbol)
		sr_symbol_added(op);
}

void sr_op_remove_attr(struct sr_context *ctx, struct sr_op *op, const char *name)
{
	sr_op_set_attr(ctx, op, name, NULL);
}

/* ---------------------------------------------------------------- making */

struct sr_op *sr_op_new(struct sr_context *ctx, const struct sr_op_spec *spec)
{
	struct sr_op *op = SR_POOL_NEWS(ctx, struct sr_op, 1);
	op->info = spec->info;
	op->loc = spec->loc ? spec->loc : ctx->unknown_loc;
	op->n_results = spec->n_results;
	op->results = SR_POOL_NEWS(ctx, struct sr_value, spec->n_results);
	for (int i = 0; i < spec->n_results; i++)
		op->results[i] = (struct sr_value){.type = spec->results[i], .def = op, .index = i};
	op->n_operands = op->cap_operands = spec->n_operands;
	op->operands = SR_POOL_NEWS(ctx, struct sr_use, spec->n_operands);
	for (int i = 0; i < spec->n_operands; i++) {
		op->operands[i].owner = op;
		use_add(&op->operands[i], spec->operands ? spec->operands[i] : NULL);
	}
	op->cap_attrs = spec->n_attrs;
	op->attrs = SR_POOL_NEWS(ctx, struct sr_named_attr, spec->n_attrs);
	for (int i = 0; i < spec->n_attrs; i++)
		if (spec->attrs[i].value)
			sr_op_set_attr(ctx, op, spec->attrs[i].name, spec->attrs[i].value);
	op->n_regions = spec->n_regions;
	op->regions = SR_POOL_NEWS(ctx, struct sr_region, spec->n_regions);
	for (int i = 0; i < spec->n_regions; i++)
		op->regions[i].op = op;
	if (spec->n_regions && spec->info->traits & SR_SYMBOL_TABLE)
		op->regions[0].symbols = sr_symbol_table_new(ctx);
	return op;
}

struct sr_op *sr_op_with_results(struct sr_context *ctx, struct sr_op *op, const struct sr_type *const *results, int n)
{
	struct sr_op *replacement = sr_op_new(ctx, &(struct sr_op_spec){.info = op->info,
									.loc = op->loc,
									.n_operands = op->n_operands,
									.results = results,
									.n_results = n,
									.attrs = op->attrs,
									.n_attrs = op->n_attrs,
									.n_regions = op->n_regions});
	replacement->n_inherent = op->n_inherent;
	replacement->inherent = op->inherent;
	for (int i = 0; i < op->n_operands; i++)
		use_add(&replacement->operands[i], op->operands[i].value);
	for (int i = 0; i < op->n_regions; i++)
		sr_region_take(&replacement->regions[i], &op->regions[i]);
	if (op->block)
		sr_op_insert_before(op, replacement);
	sr_op_erase(op);
	return replacement;
}

/* ---------------------------------------------------------------- erasing, asking */

static void drop_uses(struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		use_remove(&op->operands[i]);
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first; b; b = b->next)
			for (struct sr_op *inner = b->first; inner; inner = inner->next)
				drop_uses(inner);
}

void sr_op_erase(struct sr_op *op)
{
	sr_op_unlink(op);
	drop_uses(op);
}

struct sr_op *sr_op_parent(const struct sr_op *op)
{
	return op->block && op->block->region ? op->block->region->op : NULL;
}

struct sr_op *sr_op_parent_of(const struct sr_op *op, int code)
{
	struct sr_op *parent = sr_op_parent(op);
	while (parent && parent->info->code != code)
		parent = sr_op_parent(parent);
	return parent;
}

bool sr_op_is_ancestor(const struct sr_op *ancestor, const struct sr_op *op)
{
	for (; op; op = sr_op_parent(op))
		if (op == ancestor)
			return true;
	return false;
}

struct sr_op *sr_op_ancestor_in(const struct sr_block *block, const struct sr_op *op)
{
	while (op && op->block != block)
		op = sr_op_parent(op);
	return (struct sr_op *)op;
}

struct sr_block *sr_value_block(const struct sr_value *v)
{
	return v->def ? v->def->block : v->block;
}

bool sr_op_is_pure(const struct sr_op *op)
{
	if (op->info->traits & SR_PURE)
		return true;
	if (op->info->traits & SR_DECLARED_EFFECTS) {
		const struct sr_attr *has_effects = sr_op_attr(op, "has_side_effect");
		return !has_effects || has_effects->kind != SR_ATTR_BOOL || !has_effects->i;
	}
	if (!(op->info->traits & SR_RECURSIVE_EFFECTS))
		return false;
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first; b; b = b->next)
			for (struct sr_op *inner = b->first; inner; inner = inner->next)
				if (!(inner->info->traits & SR_TERMINATOR) && !sr_op_is_pure(inner))
					return false;
	return true;
}

enum sr_status sr_op_error(struct sr_op *op, struct sr_diags *diags, enum sr_status status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = sr_vprintf(diags->arena, format, args);
	va_end(args);
	return sr_error(diags, status, sr_loc_source(op->loc), "'%s' op %s", op->info->name, message);
}
