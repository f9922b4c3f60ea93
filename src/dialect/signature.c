/* Compile op signatures from the op table's notation:
 *
 *	signature:  "operand:class, ... -> result:class, ... ; region:kind, ..."   name*: variadic   name?: optional
 *	attributes: "name:kind, name?:kind, name?:kind=default"                    kind may be enum.x or struct.x
 *
 * A syntax error in the table is an internal error: it aborts, naming the op. */
#include "dialect/signature.h"
#include "support/bug.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

struct notation_reader {
	struct sr_strings *strings;
	const char *op, *at;
};

_Noreturn static void syntax_error(const struct notation_reader *r, const char *problem)
{
	sr_bug("op table: %s: %s at \"%s\"", r->op, problem, r->at);
}

static void skip_blanks(struct notation_reader *r)
{
	while (*r->at == ' ')
		r->at++;
}

static bool take_token(struct notation_reader *r, const char *token)
{
	skip_blanks(r);
	size_t n = strlen(token);
	if (strncmp(r->at, token, n) != 0)
		return false;
	r->at += n;
	return true;
}

static const char *read_name(struct notation_reader *r, size_t *n)
{
	skip_blanks(r);
	const char *start = r->at;
	*n = strspn(start, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (*n == 0)
		syntax_error(r, "a name is missing");
	r->at += *n;
	return start;
}

typedef int find_fn(const char *name, size_t n);

static int region_class_find(const char *name, size_t n)
{
	static const char *const names[] = {
#define REGION_KIND(id) #id,
#include "dialect/classes.def"
	};
	for (int i = 0; i < SR_REGION_COUNT; i++)
		if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
			return i;
	return -1;
}

/* Parse groups of operands, results or regions up to the end of the notation or up to "->" or ";", which the caller parses. */
static const struct sr_slot *parse_slots(struct notation_reader *r, find_fn *find, int *n)
{
	SR_VEC(struct sr_slot) v = {0};
	for (skip_blanks(r); *r->at && *r->at != '-' && *r->at != ';'; skip_blanks(r)) {
		struct sr_slot s = {0};
		size_t len;
		const char *name = read_name(r, &len);
		s.name = sr_strings_intern(r->strings, name, len);
		s.arity = take_token(r, "*") ? SR_ARITY_VARIADIC : take_token(r, "?") ? SR_ARITY_OPTIONAL : SR_ARITY_ONE;
		if (!take_token(r, ":"))
			syntax_error(r, "a : is missing");
		name = read_name(r, &len);
		s.class = find(name, len);
		if (s.class < 0)
			syntax_error(r, "no such class");
		sr_push(r->strings->arena, &v, s);
		if (!take_token(r, ","))
			break;
	}
	*n = (int)v.n;
	return v.data;
}

/* Parse a kind such as "i64" or "struct.dot", and find the definition of the enum or struct in the op's dialect. */
static void parse_kind(struct notation_reader *r, struct sr_attr_slot *slot)
{
	size_t n, def_name_length;
	const char *name = read_name(r, &n);
	slot->kind = sr_attr_kind_find(name, n);
	if (slot->kind < 0)
		syntax_error(r, "no such kind");
	if (take_token(r, ".")) {
		const char *def_name = read_name(r, &def_name_length);
		const char *dialect = sr_strings_intern(r->strings, r->op, strcspn(r->op, "."));
		def_name = sr_strings_intern(r->strings, def_name, def_name_length);
		slot->def = sr_attr_def_find(dialect, def_name);
		if (!slot->def)
			syntax_error(r, "no such attribute definition");
	}
	slot->kind_name = sr_strings_intern(r->strings, name, (size_t)(r->at - name));
}

static const struct sr_attr_slot *parse_attributes(struct notation_reader *r, int *n)
{
	SR_VEC(struct sr_attr_slot) v = {0};
	for (skip_blanks(r); *r->at; skip_blanks(r)) {
		struct sr_attr_slot s = {0};
		size_t len;
		const char *name = read_name(r, &len);
		s.name = sr_strings_intern(r->strings, name, len);
		s.is_optional = take_token(r, "?");
		if (!take_token(r, ":"))
			syntax_error(r, "a : is missing");
		parse_kind(r, &s);
		if (take_token(r, "=")) {
			len = strcspn(r->at, ",");
			s.default_text = sr_strings_intern(r->strings, r->at, len);
			r->at += len;
		}
		s.has_empty_default = s.default_text && !s.is_optional;
		if (s.kind == SR_KIND_unit || s.default_text)
			s.is_optional = true;
		sr_push(r->strings->arena, &v, s);
		if (!take_token(r, ","))
			break;
	}
	if (*r->at)
		syntax_error(r, "unexpected text");
	*n = (int)v.n;
	return v.data;
}

static const int *sort_attrs_by_name(struct sr_arena *arena, const struct sr_attr_slot *attrs, int n)
{
	int *order = SR_NEW_ARRAY(arena, int, n);
	for (int i = 0; i < n; i++) {
		int position = i;
		for (; position > 0 && strcmp(attrs[order[position - 1]].name, attrs[i].name) > 0; position--)
			order[position] = order[position - 1];
		order[position] = i;
	}
	return order;
}

const struct sr_signature *sr_signature_compile(struct sr_strings *strings, const char *op, const char *signature,
						const char *attributes_text)
{
	struct sr_signature *s = SR_NEW(strings->arena, struct sr_signature);
	struct notation_reader r = {strings, op, signature};
	s->operands = parse_slots(&r, sr_type_class_find, &s->n_operands);
	if (!take_token(&r, "->"))
		syntax_error(&r, "-> is missing");
	s->results = parse_slots(&r, sr_type_class_find, &s->n_results);
	if (take_token(&r, ";"))
		s->regions = parse_slots(&r, region_class_find, &s->n_regions);
	skip_blanks(&r);
	if (*r.at)
		syntax_error(&r, "unexpected text");
	r.at = attributes_text;
	s->attrs = parse_attributes(&r, &s->n_attrs);
	for (int i = 0; i < s->n_attrs; i++)
		if (strcmp(s->attrs[i].name, "operandSegmentSizes") == 0)
			s->has_operand_segments = true;
	s->attrs_by_name = sort_attrs_by_name(strings->arena, s->attrs, s->n_attrs);
	return s;
}

bool sr_slots_count(const struct sr_slot *list, int n_slots, int n, const int64_t *sizes, int64_t n_sizes, int *counts)
{
	int n_single = 0, n_variadic = 0;
	for (int i = 0; i < n_slots; i++)
		if (list[i].arity == SR_ARITY_ONE)
			n_single++;
		else
			n_variadic++;
	if (sizes) {
		int64_t total = 0;
		for (int i = 0; i < n_sizes && i < n_slots; i++) {
			if (sizes[i] < 0 || sizes[i] > n || (list[i].arity == SR_ARITY_ONE && sizes[i] != 1))
				return false;
			counts[i] = (int)sizes[i];
			total += sizes[i];
		}
		return n_sizes == n_slots && total == n;
	}
	if (n_variadic == 0 ? n != n_single : n < n_single || (n - n_single) % n_variadic != 0)
		return false;
	for (int i = 0; i < n_slots; i++) {
		counts[i] = list[i].arity == SR_ARITY_ONE ? 1 : (n - n_single) / n_variadic;
		if (list[i].arity == SR_ARITY_OPTIONAL && counts[i] > 1)
			return false;
	}
	return true;
}

bool sr_attr_is_inherent(const struct sr_op *op, const char *name)
{
	const struct sr_signature *s = op->info->signature;
	if (!s) {
		for (int i = 0; i < op->n_inherent; i++)
			if (strcmp(op->inherent[i], name) == 0)
				return true;
		return false;
	}
	for (int i = 0; i < s->n_attrs; i++)
		if (strcmp(s->attrs[i].name, name) == 0)
			return true;
	return false;
}
