/* Assign SSA names as MLIR does: arguments %arg0, results %0, constants %c and %cst, special names for results of a few ops.
 *
 * All values of a region are numbered before the regions of its ops, so those regions start at the next number of the enclosing
 * region, and sibling regions start at the same number. A name that is taken in this region or an enclosing one gets the suffix
 * _N from one counter. In the generic form, numbers are unique in the module: the counters continue from the last region to the
 * first. */
#include "text/mlir/form/form.h"
#include <string.h>

struct scope { /* names of a region */
	const struct scope *outer_scope;
	struct sr_map used_names; /* set of names in use, interned */
};

struct counters {
	unsigned next_value, next_argument; /* numbers of the next value %0 and the next argument %arg0 */
	unsigned next_suffix;	  /* number of the next suffix _N */
};

struct sr_value_names {
	struct sr_context *ctx;
	bool is_generic;
	struct sr_map names; /* map from the first value of a result group to its name without the % */
};

static bool is_used_name(const struct scope *scope, const char *name)
{
	for (; scope; scope = scope->outer_scope)
		if (sr_map_has(&scope->used_names, name))
			return true;
	return false;
}

static void assign_name(struct sr_value_names *names, struct scope *scope, struct counters *n, const struct sr_value *v,
			const char *name)
{
	name = sr_intern(names->ctx, name);
	for (const char *base = name; is_used_name(scope, name);)
		name = sr_intern(names->ctx, sr_printf(names->ctx->arena, "%s_%u", base, n->next_suffix++));
	sr_map_put(&scope->used_names, name, (void *)name);
	sr_map_put(&names->names, v, (void *)name);
}

static void assign_number(struct sr_value_names *names, struct counters *n, const struct sr_value *v)
{
	sr_map_put(&names->names, v, sr_printf(names->ctx->arena, "%u", n->next_value++));
}

/* Return true if each result group of the op has a name: the signature has several results. */
static bool has_result_names(const struct sr_op *op)
{
	return op->info->signature && op->info->signature->n_results > 1 && op->info->code != SR_OP_chlo_scan;
}

static void name_results(struct sr_value_names *names, struct scope *scope, struct counters *n, const struct sr_op *op)
{
	const struct sr_signature *sig = op->info->signature;
	int counts[16];
	if (op->n_results == 0)
		return;
	if (!names->is_generic && op->info->code == SR_OP_stablehlo_constant) {
		const struct sr_type *t = op->results[0].type;
		bool is_integer = t->element && t->element->kind == SR_TYPE_INTEGER;
		assign_name(names, scope, n, &op->results[0], is_integer ? "c" : "cst");
	} else if (!names->is_generic && op->info->code == SR_OP_func_constant) {
		assign_name(names, scope, n, &op->results[0], "f");
	} else if (!names->is_generic && has_result_names(op) &&
		   sr_slots_count(sig->results, sig->n_results, op->n_results, NULL, 0, counts)) {
		for (int i = 0, first = 0; i < sig->n_results; first += counts[i++])
			if (counts[i])
				assign_name(names, scope, n, &op->results[first], sig->results[i].name);
	} else {
		assign_number(names, n, &op->results[0]);
	}
}

static void name_args(struct sr_value_names *names, struct scope *scope, struct counters *n, const struct sr_block *block)
{
	bool is_entry = block == block->region->first;
	const struct sr_op *owner = block->region->op;
	enum sr_op_code code = owner && !names->is_generic ? sr_op_code_of(owner) : SR_OP_UNREGISTERED;
	int n_inputs = 0;
	if (code == SR_OP_chlo_scan) {
		int first;
		sr_operands_of(owner, 0, &first, &n_inputs);
	}
	for (int i = 0; i < block->n_args; i++) {
		char name[32];
		if (code == SR_OP_stablehlo_while)
			assign_name(names, scope, n, block->args[i], "iterArg");
		else if (code == SR_OP_chlo_scan)
			assign_name(names, scope, n, block->args[i], i < n_inputs ? "input" : "carry");
		else if (is_entry) {
			snprintf(name, sizeof name, "arg%u", n->next_argument++);
			assign_name(names, scope, n, block->args[i], name);
		} else
			assign_number(names, n, block->args[i]);
	}
}

static void name_region(struct sr_value_names *names, const struct scope *outer_scope, struct counters *outer_counters,
			const struct sr_region *region)
{
	struct scope scope = {.outer_scope = outer_scope};
	struct counters region_counters = *outer_counters, *n = names->is_generic ? outer_counters : &region_counters;
	sr_map_init(&scope.used_names, names->ctx->arena);
	for (const struct sr_block *b = region->first; b; b = b->next) {
		name_args(names, &scope, n, b);
		for (const struct sr_op *op = b->first; op; op = op->next)
			name_results(names, &scope, n, op);
	}
	for (const struct sr_block *b = region->last; b; b = b->prev)
		for (const struct sr_op *op = b->last; op; op = op->prev)
			for (int i = op->n_regions; i-- > 0;)
				name_region(names, &scope, n, &op->regions[i]);
}

struct sr_value_names *sr_value_names_of(struct sr_context *ctx, const struct sr_op *root, bool is_generic)
{
	struct sr_value_names *names = SR_NEW(ctx->arena, struct sr_value_names);
	struct scope scope = {.outer_scope = NULL};
	struct counters n = {0, 0, 0};
	names->ctx = ctx;
	names->is_generic = is_generic;
	sr_map_init(&names->names, ctx->arena);
	sr_map_init(&scope.used_names, ctx->arena);
	name_results(names, &scope, &n, root);
	for (int i = root->n_regions; i-- > 0;)
		name_region(names, &scope, &n, &root->regions[i]);
	return names;
}

void sr_value_names_to_locs(struct sr_context *ctx, const struct sr_op *root)
{
	const struct sr_value_names *names = sr_value_names_of(ctx, root, false);
	for (size_t i = 0; i < names->names.n; i++) {
		struct sr_value *v = (struct sr_value *)(uintptr_t)names->names.entries[i].key;
		const char *name = sr_printf(ctx->arena, "%%%s", (const char *)names->names.entries[i].value);
		const struct sr_attr **loc = v->def ? &v->def->loc : &v->loc;
		if (!v->def || v->index == 0)
			*loc = sr_loc_name(ctx, name, *loc);
	}
}

/* Return the first value of the result group that contains v, and in *n the group's size. The group has one name (%0:2). */
static const struct sr_value *result_group_of(const struct sr_value_names *names, const struct sr_value *v, int *n)
{
	const struct sr_op *op = v->def;
	int first = v->index, group_end = first + 1;
	while (first > 0 && !sr_map_has(&names->names, &op->results[first]))
		first--;
	while (group_end < op->n_results && !sr_map_has(&names->names, &op->results[group_end]))
		group_end++;
	*n = group_end - first;
	return &op->results[first];
}

void sr_print_value(struct sr_printer *p, const struct sr_value *v)
{
	int n = 1;
	const struct sr_value *first = v->def ? result_group_of(p->names, v, &n) : v;
	const char *name = sr_map_get(&p->names->names, first);
	if (!name) {
		sr_buf_puts(p->out, "<<UNKNOWN SSA VALUE>>");
		return;
	}
	sr_buf_putc(p->out, '%');
	sr_buf_puts(p->out, name);
	if (n > 1)
		sr_buf_printf(p->out, "#%d", v->index - first->index);
}

void sr_print_result_names(struct sr_printer *p, const struct sr_op *op)
{
	for (int i = 0, n; i < op->n_results; i += n) {
		const struct sr_value *first = result_group_of(p->names, &op->results[i], &n);
		const char *name = sr_map_get(&p->names->names, first);
		sr_buf_printf(p->out, "%s%%%s", i ? ", " : "", name ? name : "?");
		if (n > 1)
			sr_buf_printf(p->out, ":%d", n);
	}
	if (op->n_results)
		sr_buf_puts(p->out, " = ");
}

int sr_block_number(const struct sr_block *block)
{
	int n = 0;
	while ((block = block->prev))
		n++;
	return n;
}
