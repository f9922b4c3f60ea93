/* Print aliases: #loc3 = loc(...), #map = affine_map<...>, #sparse = #sparse_tensor.encoding<...>, !tuple = tuple<...> of
 * more than 16 elements.
 *
 * A first print into a discarded buffer collects the aliases in the order of first use. They are then sorted by depth (an alias
 * precedes those that use it) and name, and numbered. Only locations of ops may be defined after the module ("deferred"); aliases
 * that an argument's location uses are defined before the module. */
#include "text/mlir/print/printer.h"
#include "text/mlir/print/aliases.h"
#include <stdlib.h>
#include <string.h>

struct alias {
	const void *target;
	const char *name; /* base name of the alias: "loc", "map", "tuple" */
	bool is_type, is_deferrable;
	int depth, order;
	int number;
	SR_VEC(struct alias *) children;
};

struct sr_aliases {
	struct sr_arena *arena;
	struct sr_map alias_of_target; /* map from attribute or type to struct alias */
	struct alias **sorted_aliases;
	size_t n;
	bool is_collecting;
	const void *current_target; /* attribute or type whose definition is being printed, where its own alias must not be used */
};

static void clear_deferrable(struct alias *a)
{
	if (!a->is_deferrable)
		return;
	a->is_deferrable = false;
	for (size_t i = 0; i < a->children.n; i++)
		clear_deferrable(a->children.data[i]);
}

static struct alias *visit_loc(struct sr_printer *p, const struct sr_attr *loc, bool is_deferrable)
{
	struct sr_aliases *aliases = p->aliases;
	void **at = sr_map_at(&aliases->alias_of_target, loc);
	struct alias *a = *at;
	if (a) {
		if (!is_deferrable)
			clear_deferrable(a);
		return a;
	}
	*at = a = SR_NEW(aliases->arena, struct alias);
	*a = (struct alias){
	    .target = loc, .name = "loc", .is_deferrable = is_deferrable, .depth = 1, .order = (int)aliases->alias_of_target.n};
	for (int i = 0; i < loc->n; i++) {
		if (loc->kind == SR_LOC_NAME && loc->list[i]->kind == SR_LOC_UNKNOWN)
			continue; /* an unknown location inside a name location is not printed, so it needs no alias */
		struct alias *child = visit_loc(p, loc->list[i], is_deferrable);
		sr_push(aliases->arena, &a->children, child);
		if (child->depth + 1 > a->depth)
			a->depth = child->depth + 1;
	}
	if (loc->value)
		sr_print_attribute(p, loc->value, SR_TYPE_SHOWN);
	return a;
}

void sr_visit_location(struct sr_printer *p, const struct sr_attr *loc, bool is_deferrable)
{
	if (sr_is_collecting_aliases(p))
		visit_loc(p, loc, is_deferrable);
}

bool sr_is_collecting_aliases(const struct sr_printer *p)
{
	return p->aliases && p->aliases->is_collecting;
}

static void visit_attr_or_type(struct sr_printer *p, const void *target, const char *name, bool is_type)
{
	void **at = sr_map_at(&p->aliases->alias_of_target, target);
	if (*at)
		return;
	struct alias *a = SR_NEW(p->aliases->arena, struct alias);
	*a = (struct alias){
	    .target = target, .name = name, .is_type = is_type, .depth = 1, .order = (int)p->aliases->alias_of_target.n};
	*at = a;
}

static const char *attr_alias_name(const struct sr_attr *a)
{
	static const struct {
		const char *start, *name;
	} dialect_names[] = {{"!affine_map", "map"}, {"!affine_set", "set"}, {"sparse_tensor.encoding<", "sparse"}};
	for (size_t i = 0; a->kind == SR_ATTR_OPAQUE && i < sizeof dialect_names / sizeof dialect_names[0]; i++)
		if (!strncmp(a->s, dialect_names[i].start, strlen(dialect_names[i].start)))
			return dialect_names[i].name;
	return NULL;
}

static bool print_alias_name(struct sr_printer *p, const void *target)
{
	struct sr_aliases *aliases = p->aliases;
	const struct alias *a = sr_map_get(&aliases->alias_of_target, target);
	if (!a || aliases->current_target == target)
		return false;
	sr_buf_printf(p->out, a->number ? "%c%s%d" : "%c%s", a->is_type ? '!' : '#', a->name, a->number);
	return true;
}

bool sr_print_attr_alias(struct sr_printer *p, const struct sr_attr *a)
{
	if (!p->aliases)
		return false;
	bool is_loc = a->kind >= SR_LOC_UNKNOWN && a->kind <= SR_LOC_FUSED;
	if (!p->aliases->is_collecting)
		return print_alias_name(p, a);
	if (is_loc)
		visit_loc(p, a, false);
	else if (attr_alias_name(a))
		visit_attr_or_type(p, a, attr_alias_name(a), false);
	return is_loc;
}

static bool has_alias(const struct sr_type *t)
{
	return t->kind == SR_TYPE_TUPLE && t->n_inputs > 16;
}

bool sr_print_type_alias(struct sr_printer *p, const struct sr_type *t)
{
	if (!p->aliases || !has_alias(t))
		return false;
	if (!p->aliases->is_collecting)
		return print_alias_name(p, t);
	visit_attr_or_type(p, t, "tuple", true);
	return false;
}

static int compare_aliases(const void *x, const void *y)
{
	const struct alias *a = *(struct alias *const *)x, *b = *(struct alias *const *)y;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->is_type != b->is_type)
		return a->is_type ? -1 : 1;
	int order = strcmp(a->name, b->name);
	return order ? order : a->order < b->order ? -1 : 1;
}

static void sort_and_number(struct sr_aliases *aliases)
{
	aliases->n = aliases->alias_of_target.n;
	aliases->sorted_aliases = SR_NEW_ARRAY(aliases->arena, struct alias *, aliases->n);
	for (size_t i = 0; i < aliases->n; i++)
		aliases->sorted_aliases[i] = aliases->alias_of_target.entries[i].value;
	if (aliases->n)
		qsort(aliases->sorted_aliases, aliases->n, sizeof *aliases->sorted_aliases, compare_aliases);
	static const char *const names[] = {"loc", "map", "set", "sparse", "tuple"};
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
		int number = 0;
		for (size_t i = 0; i < aliases->n; i++)
			if (!strcmp(aliases->sorted_aliases[i]->name, names[k]))
				aliases->sorted_aliases[i]->number = number++;
	}
	aliases->is_collecting = false;
}

/* Return true if the type could have or contain an alias. The collecting pass is skipped for modules in which no type does. */
static bool type_contains_alias(const struct sr_type *t)
{
	if (has_alias(t) || (t->encoding && attr_alias_name(t->encoding)))
		return true;
	for (int i = 0; i < t->n_inputs + t->n_results; i++)
		if (type_contains_alias(i < t->n_inputs ? t->inputs[i] : t->results[i - t->n_inputs]))
			return true;
	return false;
}

static bool contains_alias(const struct sr_attr *a)
{
	if (attr_alias_name(a) || (a->type && type_contains_alias(a->type)))
		return true;
	for (int i = 0; a->list && i < a->n; i++)
		if (a->list[i] && contains_alias(a->list[i]))
			return true;
	for (int i = 0; a->entries && i < a->n; i++)
		if (contains_alias(a->entries[i].value))
			return true;
	return false;
}

static bool has_no_aliases(void *data, struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		if (type_contains_alias(op->results[i].type))
			return false;
	for (int i = 0; i < op->n_operands; i++)
		if (type_contains_alias(sr_operand(op, i)->type))
			return false;
	for (int i = 0; i < op->n_attrs; i++)
		if (contains_alias(op->attrs[i].value))
			return false;
	return true;
}

struct sr_aliases *sr_aliases_of(struct sr_printer *printer, const struct sr_op *root)
{
	if (printer->options.uses_local_scope)
		return NULL;
	if (!printer->options.prints_debuginfo && sr_walk((struct sr_op *)root, has_no_aliases, NULL))
		return NULL;
	struct sr_printer p = *printer;
	struct sr_buf scratch;
	sr_buf_init(&scratch, p.arena);
	p.aliases = SR_NEW(p.arena, struct sr_aliases);
	p.aliases->arena = p.arena;
	p.aliases->is_collecting = true;
	sr_map_init(&p.aliases->alias_of_target, p.arena);
	p.out = &scratch;
	sr_print_op(&p, root);
	sort_and_number(p.aliases);
	return p.aliases;
}

void sr_print_aliases(struct sr_printer *p, bool is_deferred)
{
	struct sr_aliases *aliases = p->aliases;
	for (size_t i = 0; aliases && i < aliases->n; i++) {
		const struct alias *a = aliases->sorted_aliases[i];
		if (a->is_deferrable != is_deferred)
			continue;
		print_alias_name(p, a->target);
		sr_buf_puts(p->out, " = ");
		aliases->current_target = a->target;
		if (a->is_type)
			sr_print_type(p, a->target);
		else
			sr_print_attribute(p, a->target, SR_TYPE_SHOWN);
		aliases->current_target = NULL;
		sr_buf_putc(p->out, '\n');
	}
}
