/* Parse attribute and type aliases: #name = ..., !name = ...
 *
 * Aliases share attributes, but passes and the printer walk them as trees, so a chain of n aliases that each use the previous one
 * twice is a tree of 2^n nodes. Each alias therefore records its nesting depth and its expanded size, and the expanded size of a
 * module is limited in proportion to its text. */
#include "text/mlir/parse/parser.h"
#include <string.h>

enum {
	MAX_DEPTH = 6000,     /* maximum nesting of expanded attributes; each call site nested through an alias adds 3 */
	BASE_EXPANDED_SIZE = 1 << 20, /* expanded number of attributes and types that is allowed whatever the module's size */
	EXPANDED_SIZE_PER_BYTE = 64  /* additional expanded size per byte of the module's text */
};

static void check_new_alias(struct sr_parser *p, const struct sr_map *aliases, const char *name, const char *position)
{
	if (strchr(name, '.'))
		sr_parser_fail(p, position,
			       "alias names must not contain a '.', since they are reserved for dialect-defined names");
	if (sr_map_has(aliases, name))
		sr_parser_fail(p, position, "redefinition of alias '%s'", name);
}

void sr_parser_alias(struct sr_parser *p, bool is_type)
{
	struct sr_map *aliases = is_type ? &p->type_aliases : &p->attr_aliases;
	const char *position = p->tok, *name = sr_intern_n(p->ctx, p->tok + 1, p->len - 1);
	struct sr_alias *alias = SR_NEW(p->arena, struct sr_alias);
	int64_t outer_size = p->expanded_size;
	check_new_alias(p, aliases, name, position);
	sr_parser_next(p);
	sr_parser_expect(p, '=');
	p->expanded_size = 0;
	p->max_depth = 0;
	alias->target = is_type ? (const void *)sr_parser_type(p) : (const void *)sr_parser_attr(p, NULL);
	alias->expanded_size = p->expanded_size;
	alias->depth = p->max_depth;
	p->expanded_size = outer_size;
	sr_map_put(aliases, name, alias);
}

const void *sr_parser_use_alias(struct sr_parser *p, const struct sr_map *aliases, const char *name)
{
	const struct sr_alias *alias = sr_map_get(aliases, name);
	if (!alias)
		return NULL;
	int depth = p->depth + alias->depth;
	if (depth > MAX_DEPTH)
		sr_parser_fail(p, p->tok, "nested more than %d levels deep by aliases", MAX_DEPTH);
	if (depth > p->max_depth)
		p->max_depth = depth;
	p->expanded_size += alias->expanded_size;
	int64_t limit = BASE_EXPANDED_SIZE + EXPANDED_SIZE_PER_BYTE * (int64_t)(p->end - p->text);
	if (p->expanded_size > limit)
		sr_parser_fail(p, p->tok, "aliases expand to more than %lld attributes and types", (long long)limit);
	return alias->target;
}

const struct sr_attr *sr_parser_known_loc(const struct sr_parser *p, const char *name)
{
	const struct sr_alias *alias = sr_map_get(&p->attr_aliases, name);
	return alias ? alias->target : NULL;
}

void sr_parser_resolve_locations(struct sr_parser *p)
{
	for (size_t i = 0; i < p->deferred.n; i++) {
		const struct sr_deferred_loc *d = &p->deferred.data[i];
		const struct sr_attr *loc = sr_parser_known_loc(p, d->name);
		if (!loc)
			sr_parser_fail(p, d->position, "operation location alias was never defined");
		if (loc->kind < SR_LOC_UNKNOWN || loc->kind > SR_LOC_FUSED)
			sr_parser_fail(p, d->position, "expected location, but found another attribute");
		*d->loc = loc;
	}
}
