/* Parse locations: loc("file":1:2), ranges, names, call sites, fused locations, unknown, and aliases that may be defined later. */
#include "text/mlir/parse/parser.h"
#include <string.h>

static const struct sr_attr *parse_location(struct sr_parser *p);

const struct sr_attr *sr_parser_loc_at(struct sr_parser *p, const char *position)
{
	struct sr_src_loc loc = sr_parser_src_loc(p, position);
	return sr_loc_file(p->ctx, loc.file, loc.line, loc.col);
}

static int parse_line_or_column(struct sr_parser *p)
{
	const char *position = p->tok;
	int64_t v = sr_parser_integer(p);
	if (v < 0 || v > INT32_MAX)
		sr_parser_fail(p, position, "expected integer line or column number in location");
	return (int)v;
}

/* Parse "file":line:col [to [line]:col], or "name" [(child)]. */
static const struct sr_attr *parse_file_or_name(struct sr_parser *p)
{
	struct sr_attr a = {.kind = SR_LOC_FILE, .s = sr_parser_string(p)};
	if (sr_parser_accept(p, ':')) {
		a.line = parse_line_or_column(p);
		if (!sr_parser_accept(p, ':')) /* a location "file":line without a column */
			return sr_attr_intern(p->ctx, &a);
		a.col = parse_line_or_column(p);
		if (sr_parser_accept_word(p, "to")) {
			a.end_line = p->kind == ':' ? a.line : parse_line_or_column(p);
			sr_parser_expect(p, ':');
			a.end_col = parse_line_or_column(p);
		}
		return sr_attr_intern(p->ctx, &a);
	}
	const struct sr_attr *child = p->ctx->unknown_loc;
	if (sr_parser_accept(p, '(')) {
		child = parse_location(p);
		sr_parser_expect(p, ')');
	}
	return sr_loc_name(p->ctx, a.s, child);
}

static const struct sr_attr *parse_callsite(struct sr_parser *p)
{
	const struct sr_attr *list[2];
	sr_parser_expect(p, '(');
	list[0] = parse_location(p);
	sr_parser_expect_word(p, "at");
	list[1] = parse_location(p);
	sr_parser_expect(p, ')');
	struct sr_attr a = {.kind = SR_LOC_CALLSITE, .list = list, .n = 2};
	return sr_attr_intern(p->ctx, &a);
}

static void append_if_absent(struct sr_parser *p, sr_attrs *list, const struct sr_attr *loc)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->data[i] == loc)
			return;
	if (loc->kind != SR_LOC_UNKNOWN)
		sr_push(p->arena, list, loc);
}

/* Parse a fused location. Like MLIR, drop unknown and duplicate locations and flatten nested fused locations with equal
 * metadata. */
static const struct sr_attr *parse_fused(struct sr_parser *p)
{
	struct sr_attr a = {.kind = SR_LOC_FUSED};
	sr_attrs list = {0};
	if (sr_parser_accept(p, '<')) {
		a.value = sr_parser_attr(p, NULL);
		sr_parser_expect(p, '>');
	}
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		const struct sr_attr *l = parse_location(p);
		bool is_flattened = l->kind == SR_LOC_FUSED && l->value == a.value;
		for (int i = 0; i < (is_flattened ? l->n : 1); i++)
			append_if_absent(p, &list, is_flattened ? l->list[i] : l);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	if (list.n <= 1 && !a.value)
		return list.n ? list.data[0] : p->ctx->unknown_loc;
	if (list.n == 0)
		sr_push(p->arena, &list, p->ctx->unknown_loc);
	a.list = list.data;
	a.n = (int)list.n;
	return sr_attr_intern(p->ctx, &a);
}

static bool is_loc(const struct sr_attr *a)
{
	return a->kind >= SR_LOC_UNKNOWN && a->kind <= SR_LOC_FUSED;
}

static const struct sr_attr *parse_instance(struct sr_parser *p)
{
	if (p->kind == SR_TOK_STRING)
		return parse_file_or_name(p);
	if (p->kind == SR_TOK_HASH) {
		const char *position = p->tok;
		const struct sr_attr *a = sr_parser_attr(p, NULL);
		if (!is_loc(a))
			sr_parser_fail(p, position, "expected location, but found another attribute");
		return a;
	}
	if (sr_parser_accept_word(p, "unknown"))
		return p->ctx->unknown_loc;
	if (sr_parser_accept_word(p, "callsite"))
		return parse_callsite(p);
	if (sr_parser_accept_word(p, "fused"))
		return parse_fused(p);
	sr_parser_expected(p, "location instance");
}

static const struct sr_attr *parse_location(struct sr_parser *p)
{
	sr_parser_enter(p);
	const struct sr_attr *a = sr_parser_is_word(p, "loc") ? sr_parser_loc(p) : parse_instance(p);
	sr_parser_leave(p);
	return a;
}

const struct sr_attr *sr_parser_loc(struct sr_parser *p)
{
	sr_parser_expect_word(p, "loc");
	sr_parser_expect(p, '(');
	const struct sr_attr *a = parse_instance(p);
	sr_parser_expect(p, ')');
	return a;
}

const struct sr_attr *sr_parser_trailing_loc(struct sr_parser *p, const char **alias)
{
	*alias = NULL;
	if (!sr_parser_is_word(p, "loc"))
		return NULL;
	const char *start = p->tok;
	sr_parser_next(p);
	sr_parser_expect(p, '(');
	if (p->kind == SR_TOK_HASH && !memchr(p->tok, '.', p->len)) {
		const char *name = sr_intern_n(p->ctx, p->tok + 1, p->len - 1);
		const struct sr_attr *known_loc = sr_parser_known_loc(p, name);
		sr_parser_next(p);
		sr_parser_expect(p, ')');
		if (known_loc && !is_loc(known_loc))
			sr_parser_fail(p, start, "expected location, but found another attribute");
		if (!known_loc)
			*alias = name;
		return known_loc;
	}
	const struct sr_attr *a = parse_instance(p);
	sr_parser_expect(p, ')');
	return a;
}

void sr_parser_defer_loc(struct sr_parser *p, const struct sr_attr **loc, const char *alias, const char *position)
{
	struct sr_deferred_loc d = {loc, alias, position};
	*loc = p->ctx->unknown_loc;
	sr_push(p->arena, &p->deferred, d);
}
