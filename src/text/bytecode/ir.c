/* Read the ops of a bytecode file: regions, blocks, value numbers and use-list orders.
 *
 * Values are numbered in the order of definition, starting at the innermost region isolated from above; nested regions continue
 * the numbering of the region around them. A forward reference uses a placeholder value until its definition is read. */
#include "text/bytecode/bytecode.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_REGIONS = 200 }; /* maximum nesting of regions, equal to that of the text parser */
enum {
	HAS_ATTRS = 1,
	HAS_RESULTS = 2,
	HAS_OPERANDS = 4,
	HAS_SUCCESSORS = 8,
	HAS_REGIONS = 16,
	HAS_USE_ORDERS = 32,
	HAS_PROPERTIES = 64
};

struct use_order { /* use-list order of a value, applied when all uses exist */
	struct sr_value *value;
	bool lists_pairs; /* true if `indices` lists pairs (position, default position), false if it lists the whole permutation */
	const uint8_t *data; /* position in the file, for messages */
	const int *indices;
	int n;
};

struct scope {
	SR_VEC(struct sr_value *)
	values; /* value of each number; NULL before its first use or definition; a value without type is a placeholder */
};

struct ir {
	struct sr_bytecode *b;
	struct scope *scope;
	size_t next_value, end_value; /* next value number, and end of the value numbers, of the region being read */
	int depth; /* nesting depth of the region being read */
	SR_VEC(struct use_order) orders;
};

static void read_region(struct ir *ir, struct sr_cursor *c, struct sr_region *r);

static void define_value(struct ir *ir, const uint8_t *at, struct sr_value *value)
{
	if (ir->next_value == ir->end_value)
		sr_bytecode_fail(ir->b, at, "a region defines more values than it declares");
	struct sr_value **slot = &ir->scope->values.data[ir->next_value++], *placeholder = *slot;
	*slot = value;
	if (!placeholder)
		return;
	sr_value_replace_all(placeholder, value);
	/* Sort the value's uses when all exist: those read before the definition were added in another order than the default. */
	sr_push(ir->b->arena, &ir->orders, (struct use_order){.value = value});
}

static struct sr_value *read_operand(struct ir *ir, struct sr_cursor *c)
{
	int index = sr_cursor_index(ir->b, c, (int)ir->scope->values.n, "value");
	struct sr_value **slot = &ir->scope->values.data[index];
	if (!*slot)
		*slot = SR_NEW(ir->b->arena, struct sr_value);
	return *slot;
}

/* ---------------------------------------------------------------- use-list orders */

static void read_use_orders(struct ir *ir, struct sr_cursor *c, struct sr_value **values, int n)
{
	int n_orders = n > 1 ? sr_cursor_count(ir->b, c) : 1;
	for (int i = 0; i < n_orders; i++) {
		struct use_order order = {.data = c->at};
		int value_index = n > 1 ? sr_cursor_index(ir->b, c, n, "value of the op or block") : 0;
		uint64_t count;
		if (n == 0)
			sr_bytecode_fail(ir->b, c->at, "a use-list order for an op or block without values");
		order.value = values[value_index];
		order.lists_pairs = sr_cursor_varint_with_flag(ir->b, c, &count);
		if (count > (uint64_t)(c->end - c->at) || count > INT32_MAX)
			sr_bytecode_fail(ir->b, order.data, "a use-list order of %llu uses exceeds the section",
					 (unsigned long long)count);
		order.n = (int)count;
		int *indices = SR_NEW_ARRAY(ir->b->arena, int, order.n);
		for (int k = 0; k < order.n; k++)
			indices[k] = sr_cursor_index(ir->b, c, INT32_MAX, "use");
		order.indices = indices;
		sr_push(ir->b->arena, &ir->orders, order);
	}
}

static bool number_op(void *data, struct sr_op *op)
{
	op->mark = (*(int *)data)++;
	return true;
}

static bool clear_number(void *data, struct sr_op *op)
{
	op->mark = 0;
	return true;
}

static int compare_uses_descending(const void *a, const void *b)
{
	const struct sr_use *x = *(struct sr_use *const *)a, *y = *(struct sr_use *const *)b;
	int op_order = (x->owner->mark < y->owner->mark) - (x->owner->mark > y->owner->mark);
	return op_order ? op_order : (sr_use_index(x) < sr_use_index(y)) - (sr_use_index(x) > sr_use_index(y));
}

/* Return the permutation of a value's n uses: element i is the new position of the use at position i of the default order. */
static int *use_permutation(struct ir *ir, const struct use_order *o, int n)
{
	int *permutation = SR_NEW_ARRAY(ir->b->arena, int, n);
	bool *is_taken = SR_NEW_ARRAY(ir->b->arena, bool, n);
	for (int i = 0; i < n; i++)
		permutation[i] = i;
	if (o->lists_pairs ? o->n % 2 : o->n && o->n != n)
		sr_bytecode_fail(ir->b, o->data, "a use-list order of %d entries for a value with %d uses", o->n, n);
	for (int i = 0; i < o->n; i++)
		if (o->indices[i] >= n)
			sr_bytecode_fail(ir->b, o->data, "use index %d out of range: the value has %d", o->indices[i], n);
	for (int i = 0; o->lists_pairs && i < o->n; i += 2)
		permutation[o->indices[i + 1]] = o->indices[i];
	for (int i = 0; !o->lists_pairs && i < o->n; i++)
		permutation[i] = o->indices[i];
	for (int i = 0; i < n; i++) {
		if (is_taken[permutation[i]])
			sr_bytecode_fail(ir->b, o->data, "a use-list order is not a permutation");
		is_taken[permutation[i]] = true;
	}
	return permutation;
}

static void apply_use_order(struct ir *ir, const struct use_order *o)
{
	int n = 0;
	for (const struct sr_use *u = o->value->uses; u; u = u->next)
		n++;
	if (n == 0)
		return;
	struct sr_use **uses = SR_NEW_ARRAY(ir->b->arena, struct sr_use *, n),
		      **sorted = SR_NEW_ARRAY(ir->b->arena, struct sr_use *, n);
	int i = 0;
	for (struct sr_use *u = o->value->uses; u; u = u->next)
		uses[i++] = u;
	qsort(uses, (size_t)n, sizeof *uses, compare_uses_descending);
	const int *permutation = use_permutation(ir, o, n);
	for (i = 0; i < n; i++)
		sorted[permutation[i]] = uses[i];
	for (i = n - 1; i >= 0; i--) /* iterate from last to first, since sr_use_set inserts at the head of the list */
		sr_use_set(sorted[i], o->value);
}

/* ---------------------------------------------------------------- ops */

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct sr_attr_slot *const *)a)->name, (*(const struct sr_attr_slot *const *)b)->name);
}

/* Read the properties of a non-VHLO op: the attributes of its signature, sorted by name. */
static void read_signature_properties(struct ir *ir, struct sr_cursor *c, const struct sr_bytecode_op *op, sr_bytecode_attrs *out)
{
	const struct sr_signature *sig = op->info->signature;
	if (!sig)
		sr_bytecode_unsupported(ir->b, c->at, "properties of the unknown op '%s'", op->info->name);
	const struct sr_attr_slot **slots = SR_NEW_ARRAY(ir->b->arena, const struct sr_attr_slot *, sig->n_attrs);
	for (int i = 0; i < sig->n_attrs; i++)
		slots[i] = &sig->attrs[i];
	qsort(slots, (size_t)sig->n_attrs, sizeof *slots, compare_names);
	for (int i = 0; i < sig->n_attrs; i++) {
		struct sr_named_attr named = {sr_intern(ir->b->ctx, slots[i]->name), NULL};
		named.value = slots[i]->is_optional ? sr_bytecode_optional_attr(ir->b, c) : sr_bytecode_attr(ir->b, c);
		if (named.value)
			sr_push(ir->b->arena, out, named);
	}
}

static void read_dict_attrs(struct ir *ir, struct sr_cursor *c, sr_bytecode_attrs *out)
{
	const struct sr_attr *dict = sr_bytecode_attr_of(ir->b, c, SR_ATTR_DICT, "a dictionary");
	for (int i = 0; i < dict->n; i++)
		sr_push(ir->b->arena, out, dict->entries[i]);
}

static void read_properties(struct ir *ir, struct sr_cursor *c, const struct sr_bytecode_op *op, sr_bytecode_attrs *out)
{
	if (!op->is_registered) {
		read_dict_attrs(ir, c, out);
		return;
	}
	struct sr_cursor properties = ir->b->properties[sr_cursor_index(ir->b, c, ir->b->n_properties, "list of properties")];
	if (op->vhlo)
		sr_vhlo_properties(ir->b, &properties, op, out);
	else
		read_signature_properties(ir, &properties, op, out);
	sr_cursor_end(ir->b, &properties, "an op's properties");
}

static void read_regions(struct ir *ir, struct sr_cursor *c, struct sr_op *op, bool is_isolated)
{
	struct sr_cursor isolated_section, *region_cursor = c;
	struct scope *outer_scope = ir->scope;
	size_t outer_next_value = ir->next_value, outer_end_value = ir->end_value;
	if (is_isolated) {
		ir->scope = SR_NEW(ir->b->arena, struct scope);
		if (ir->b->version >= SR_BC_LAZY_REGIONS && op->n_regions) {
			const uint8_t *at = c->at;
			int id;
			isolated_section = sr_cursor_section(ir->b, c, &id);
			if (id != SR_SECTION_IR)
				sr_bytecode_fail(ir->b, at, "expected a section of ops, found section %d", id);
			region_cursor = &isolated_section;
		}
	}
	for (int i = 0; i < op->n_regions; i++)
		read_region(ir, region_cursor, &op->regions[i]);
	if (region_cursor != c)
		sr_cursor_end(ir->b, region_cursor, "the regions of an op");
	ir->scope = outer_scope;
	ir->next_value = outer_next_value;
	ir->end_value = outer_end_value;
}

static const struct sr_op_info *op_info_in_block(struct ir *ir, const struct sr_bytecode_op *op, const struct sr_block *block)
{
	const struct sr_op *parent = block->region ? block->region->op : NULL;
	return op->is_return && parent && sr_op_is(parent, SR_OP_func_func) ? sr_info(ir->b->ctx, SR_OP_func_return) : op->info;
}

static void define_results(struct ir *ir, const uint8_t *at, struct sr_cursor *c, struct sr_op *op, bool has_use_orders)
{
	struct sr_value **list = SR_NEW_ARRAY(ir->b->arena, struct sr_value *, op->n_results);
	for (int i = 0; i < op->n_results; i++)
		list[i] = &op->results[i];
	if (has_use_orders)
		read_use_orders(ir, c, list, op->n_results);
	for (int i = 0; i < op->n_results && ir->depth; i++)
		define_value(ir, at, list[i]);
}

static void read_op(struct ir *ir, struct sr_cursor *c, struct sr_block *block)
{
	struct sr_bytecode *b = ir->b;
	const uint8_t *at = c->at;
	const struct sr_bytecode_op *name = &b->ops[sr_cursor_index(b, c, b->n_ops, "op name")];
	int mask = sr_cursor_byte(b, c);
	struct sr_op_spec spec = {.info = op_info_in_block(ir, name, block), .loc = sr_bytecode_loc(b, c)};
	sr_bytecode_attrs attrs = {0};
	if (spec.info->code == SR_OP_UNREGISTERED && !b->ctx->allow_unregistered)
		sr_bytecode_unsupported(b, at, "the op '%s' is not registered", spec.info->name);
	if (mask & HAS_ATTRS)
		read_dict_attrs(ir, c, &attrs);
	if (mask & HAS_PROPERTIES)
		read_properties(ir, c, name, &attrs);
	if (name->vhlo)
		sr_vhlo_convert_attrs(b, at, name, &attrs);
	if (mask & HAS_RESULTS)
		spec.results = sr_bytecode_type_list(b, c, &spec.n_results);
	if (mask & HAS_OPERANDS) {
		spec.n_operands = sr_cursor_count(b, c);
		struct sr_value **operands = SR_NEW_ARRAY(b->arena, struct sr_value *, spec.n_operands);
		for (int i = 0; i < spec.n_operands; i++)
			operands[i] = read_operand(ir, c);
		spec.operands = operands;
	}
	if (mask & HAS_SUCCESSORS)
		sr_bytecode_unsupported(b, c->at, "successor blocks are not supported: '%s' has no branches", spec.info->name);
	/* Use-list orders refer to the op's results but precede the number of regions, which must be known to create the op. Skip
	 * them here, and read them after the op is created. */
	struct sr_cursor orders = *c;
	struct ir skipped_ir = {.b = b};
	struct sr_value placeholder = {0};
	if (mask & HAS_USE_ORDERS) {
		struct sr_value **placeholders = SR_NEW_ARRAY(b->arena, struct sr_value *, spec.n_results);
		for (int i = 0; i < spec.n_results; i++)
			placeholders[i] = &placeholder;
		read_use_orders(&skipped_ir, c, placeholders, spec.n_results);
	}
	bool is_isolated = false;
	if (mask & HAS_REGIONS) {
		uint64_t n;
		is_isolated = sr_cursor_varint_with_flag(b, c, &n);
		if (n > (uint64_t)(c->end - c->at))
			sr_bytecode_fail(b, c->at, "an op with %llu regions exceeds the section", (unsigned long long)n);
		spec.n_regions = (int)n;
	}
	spec.attrs = attrs.data;
	spec.n_attrs = (int)attrs.n;
	struct sr_op *op = sr_op_new(b->ctx, &spec);
	sr_op_append(block, op);
	define_results(ir, at, &orders, op, mask & HAS_USE_ORDERS);
	read_regions(ir, c, op, is_isolated);
}

/* ---------------------------------------------------------------- blocks and regions */

static void read_arguments(struct ir *ir, struct sr_cursor *c, struct sr_block *block)
{
	struct sr_bytecode *b = ir->b;
	int n = sr_cursor_count(b, c);
	for (int i = 0; i < n; i++) {
		const uint8_t *at = c->at;
		uint64_t index;
		bool has_loc = true;
		if (b->version >= SR_BC_ELIDED_LOCS)
			has_loc = sr_cursor_varint_with_flag(b, c, &index);
		else
			index = sr_cursor_varint(b, c);
		const struct sr_type *type = sr_bytecode_type_at(b, at, index);
		const struct sr_attr *loc = has_loc ? sr_bytecode_loc(b, c) : b->ctx->unknown_loc;
		define_value(ir, at, sr_block_add_arg(b->ctx, block, type, loc));
	}
	if (b->version >= SR_BC_USE_ORDERS && sr_cursor_byte(b, c))
		read_use_orders(ir, c, block->args, block->n_args);
}

static void read_block(struct ir *ir, struct sr_cursor *c, struct sr_block *block)
{
	const uint8_t *at = c->at;
	uint64_t n;
	bool has_args = sr_cursor_varint_with_flag(ir->b, c, &n);
	if (n > (uint64_t)(c->end - c->at))
		sr_bytecode_fail(ir->b, at, "a block of %llu ops cannot fit into %zu bytes", (unsigned long long)n,
				 (size_t)(c->end - c->at));
	if (has_args)
		read_arguments(ir, c, block);
	for (uint64_t i = 0; i < n; i++)
		read_op(ir, c, block);
}

static void read_region(struct ir *ir, struct sr_cursor *c, struct sr_region *r)
{
	struct sr_bytecode *b = ir->b;
	const uint8_t *at = c->at;
	int n_blocks = sr_cursor_count(b, c);
	if (n_blocks == 0)
		return;
	if (++ir->depth > MAX_REGIONS)
		sr_bytecode_fail(b, at, "regions nest deeper than %d", MAX_REGIONS);
	int n_values = sr_cursor_count(b, c);
	size_t first = ir->scope->values.n;
	if (first + (size_t)n_values > INT32_MAX)
		sr_bytecode_fail(b, at, "too many values");
	for (int i = 0; i < n_values; i++)
		sr_push(b->arena, &ir->scope->values, NULL);
	ir->next_value = first;
	ir->end_value = first + (size_t)n_values;
	struct sr_block *block = NULL;
	for (int i = 0; i < n_blocks; i++)
		block = sr_block_new(b->ctx, r);
	for (block = r->first; block; block = block->next)
		read_block(ir, c, block);
	for (size_t i = first; i < ir->scope->values.n; i++)
		if (ir->scope->values.data[i] && !ir->scope->values.data[i]->type)
			sr_bytecode_fail(b, at, "a region uses a value that is never defined");
	ir->scope->values.n = first;
	ir->depth--;
}

/* Erase an unrealized_conversion_cast between VHLO types and the types of Shardy's ops, since both become one type. */
static bool erase_cast(void *data, struct sr_op *op)
{
	(void)data;
	bool is_removable = sr_op_is(op, SR_OP_builtin_unrealized_conversion_cast) && op->n_operands == op->n_results;
	for (int i = 0; is_removable && i < op->n_results; i++)
		is_removable = op->results[i].type == sr_operand(op, i)->type && sr_operand(op, i)->def != op;
	if (!is_removable)
		return true;
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(&op->results[i], sr_operand(op, i));
	sr_op_erase(op);
	return true;
}

void sr_bytecode_ir(struct sr_bytecode *b, struct sr_block *block)
{
	struct ir *ir = SR_NEW(b->arena, struct ir);
	struct sr_cursor c = b->sections[SR_SECTION_IR];
	int value_number = 0;
	ir->b = b;
	ir->scope = SR_NEW(b->arena, struct scope);
	read_block(ir, &c, block);
	sr_cursor_end(b, &c, "the ops");
	for (struct sr_op *op = block->first; op; op = op->next)
		sr_walk(op, number_op, &value_number);
	for (size_t i = 0; i < ir->orders.n; i++)
		apply_use_order(ir, &ir->orders.data[i]);
	for (struct sr_op *op = block->first, *next; op; op = next) {
		next = op->next;
		sr_walk(op, clear_number, NULL);
		sr_walk(op, erase_cast, NULL);
	}
}
