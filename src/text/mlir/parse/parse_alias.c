/* Aliases of attributes and types: #name = ..., !name = ..., read once and shared wherever they are named.
 *
 * What is shared is a graph, and whoever walks or prints it walks a tree: an alias that names another twice, and that one a third
 * twice, is a tree of 2^n. So each alias knows how deep it nests and how many attributes and types it is when written out, and a
 * module may not come to much more than its text. */
#include "text/mlir/parse/parser.h"
#include <string.h>

enum {
	MAX_DEPTH = 6000,     /* of what is read; a call site in a call site by an alias is 3 deeper */
	FREE_WEIGHT = 1 << 20, /* that any module may come to */
	WEIGHT_PER_BYTE = 64  /* and that each byte of its text adds */
};

static void check_new(struct sr_parser *p, const struct sr_map *aliases, const char *name, const char *where)
{
	if (strchr(name, '.'))
		sr_parser_fail(p, where, "alias names must not contain a '.', since they are reserved for dialect-defined names");
	if (sr_map_has(aliases, name))
		sr_parser_fail(p, where, "redefinition of alias '%s'", name);
}

void sr_parser_alias(struct sr_parser *p, bool type)
{
	struct sr_map *aliases = type ? &p->type_aliases : &p->attr_aliases;
	const char *where = p->tok, *name = sr_intern_n(p->ctx, p->tok + 1, p->len - 1);
	struct sr_alias *alias = SR_NEW(p->arena, struct sr_alias);
	int64_t outer = p->weight;
	check_new(p, aliases, name, where);
	sr_parser_next(p);
	sr_parser_expect(p, '=');
	p->weight = 0;
	p->deepest = 0;
	alias->thing = type ? (const void *)sr_parser_type(p) : (const void *)sr_parser_attr(p, NULL);
	alias->weight = p->weight;
	alias->depth = p->deepest;
	p->weight = outer;
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
	if (depth > p->deepest)
		p->deepest = depth;
	p->weight += alias->weight;
	int64_t most = FREE_WEIGHT + WEIGHT_PER_BYTE * (int64_t)(p->end - p->text);
	if (p->weight > most)
		sr_parser_fail(p, p->tok, "aliases stand for more than %lld attributes and types", (long long)most);
	return alias->thing;
}

const struct sr_attr *sr_parser_known_loc(const struct sr_parser *p, const char *name)
{
	const struct sr_alias *alias = sr_map_get(&p->attr_aliases, name);
	return alias ? alias->thing : NULL;
}

void sr_parser_resolve_locations(struct sr_parser *p)
{
	for (size_t i = 0; i < p->deferred.n; i++) {
		const struct sr_deferred_loc *d = &p->deferred.data[i];
		const struct sr_attr *loc = sr_parser_known_loc(p, d->name);
		if (!loc)
			sr_parser_fail(p, d->where, "operation location alias was never defined");
		if (loc->kind < SR_LOC_UNKNOWN || loc->kind > SR_LOC_FUSED)
			sr_parser_fail(p, d->where, "expected location, but found another attribute");
		*d->loc = loc;
	}
}
