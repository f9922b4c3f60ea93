/* Parse ops: result names, the generic form, dispatch to custom forms, and creation of the op. */
#include "text/mlir/parse/parser.h"
#include <string.h>

struct result_group {
	struct sr_ssa_name name;
	int n;
};
typedef SR_VEC(struct result_group) result_groups;

const char *sr_default_dialect(const struct sr_op_info *info)
{
	return info->code == SR_OP_func_func ? "func" : info->code == SR_OP_builtin_module ? "builtin" : "";
}

void sr_parser_set_attr(struct sr_parser *p, struct sr_op_state *s, const char *name, const struct sr_attr *value)
{
	sr_parser_add_attr(p, &s->attrs, sr_intern(p->ctx, name), value, s->position);
}

void sr_parser_optional_dict(struct sr_parser *p, struct sr_op_state *s)
{
	if (p->kind == '{')
		sr_parser_dict_into(p, &s->attrs);
}

void sr_parser_add_region(struct sr_parser *p, struct sr_op_state *s, struct sr_region *region)
{
	sr_push(p->scratch, &s->regions, region);
}

static void parse_properties(struct sr_parser *p, struct sr_op_state *s)
{
	if (!sr_parser_accept(p, '<'))
		return;
	size_t old_n = s->attrs.n;
	if (p->kind != '{')
		sr_parser_expected(p, "'{'");
	sr_parser_dict_into(p, &s->attrs);
	sr_parser_expect(p, '>');
	if (s->info->code != SR_OP_UNREGISTERED)
		return;
	const char **names = SR_NEW_ARRAY(p->arena, const char *, s->attrs.n - old_n);
	for (size_t i = old_n; i < s->attrs.n; i++)
		names[i - old_n] = s->attrs.data[i].name;
	s->inherent_names = names;
	s->n_inherent_names = (int)(s->attrs.n - old_n);
}

static void parse_region_list(struct sr_parser *p, struct sr_op_state *s)
{
	if (!sr_parser_accept(p, '('))
		return;
	bool is_isolated = s->info->traits & SR_ISOLATED;
	do {
		sr_parser_add_region(p, s, sr_parser_region(p, NULL, is_isolated, sr_default_dialect(s->info)));
	} while (sr_parser_accept(p, ','));
	sr_parser_expect(p, ')');
}

void sr_parser_generic(struct sr_parser *p, struct sr_op_state *s)
{
	s->operands_position = p->tok;
	sr_parser_expect(p, '(');
	sr_parser_ssa_names(p, &s->operands);
	sr_parser_expect(p, ')');
	if (p->kind == '[')
		sr_parser_fail(p, p->tok, "successor blocks are not supported: '%s' has no branches", s->info->name);
	parse_properties(p, s);
	parse_region_list(p, s);
	sr_parser_optional_dict(p, s);
	sr_parser_expect(p, ':');
	s->has_operand_types = true;
	const char *position = p->tok;
	if (p->kind != '(')
		sr_parser_fail(p, position, "expected function type");
	sr_parser_function_types(p, &s->operand_types, &s->results);
	if (s->operand_types.n != s->operands.n)
		sr_parser_fail(p, position, "expected %zu operand type%s but had %zu", s->operands.n, s->operands.n == 1 ? "" : "s",
			       s->operand_types.n);
}

/* ---------------------------------------------------------------- creating the op */

/* Concatenate the operand groups in the order of the signature. */
static void flatten_groups(struct sr_parser *p, struct sr_op_state *s)
{
	const struct sr_signature *sig = s->info->signature;
	for (int i = 0; s->has_groups && sig && i < sig->n_operands; i++)
		for (size_t k = 0; k < s->operand_groups[i].n; k++)
			sr_push(p->scratch, &s->operands, s->operand_groups[i].data[k]);
}

/* Append the types of all operands, group by group. A group without types has `only_type`, the one type that the form mentions. */
static void append_group_types(struct sr_parser *p, struct sr_op_state *s, const struct sr_type *only_type)
{
	const struct sr_signature *sig = s->info->signature;
	for (int i = 0; i < sig->n_operands; i++) {
		if (s->group_types[i].n && s->group_types[i].n != s->operand_groups[i].n)
			sr_parser_fail(p, s->operands_position, "%zu operands present, but expected %zu", s->operand_groups[i].n,
				       s->group_types[i].n);
		for (size_t k = 0; k < s->operand_groups[i].n; k++) {
			const struct sr_type *t = s->group_types[i].n ? s->group_types[i].data[k] : only_type;
			if (!t)
				sr_parser_fail(p, s->operands_position, "'%s' op: the type of operand '%s' is not given",
					       s->info->name, sig->operands[i].name);
			sr_push(p->scratch, &s->operand_types, t);
		}
	}
}

static void complete_types(struct sr_parser *p, struct sr_op_state *s)
{
	const struct sr_signature *sig = s->info->signature;
	const struct sr_type *only_type = s->results.n ? s->results.data[0] : NULL;
	for (int i = 0; sig && !only_type && i < sig->n_operands; i++)
		if (s->group_types[i].n)
			only_type = s->group_types[i].data[0];
	if (!s->has_operand_types && sig && s->has_groups)
		append_group_types(p, s, only_type);
	else if (!s->has_operand_types)
		for (size_t k = 0; only_type && k < s->operands.n; k++)
			sr_push(p->scratch, &s->operand_types, only_type);
	for (int i = 0; sig && only_type && (int)s->results.n < sig->n_results && sig->results[i].arity == SR_ARITY_ONE; i++)
		sr_push(p->scratch, &s->results, only_type);
	if (s->operand_types.n != s->operands.n)
		sr_parser_fail(p, s->operands_position, "number of operands and types do not match: got %zu operands and %zu types",
			       s->operands.n, s->operand_types.n);
}

static void fill_attrs(struct sr_parser *p, struct sr_op_state *s)
{
	const struct sr_signature *sig = s->info->signature;
	for (int i = 0; sig && i < sig->n_attrs; i++) {
		size_t k = 0;
		if (!sig->attrs[i].has_empty_default)
			continue;
		while (k < s->attrs.n && strcmp(s->attrs.data[k].name, sig->attrs[i].name))
			k++;
		const char *default_text = sig->attrs[i].default_text;
		if (k == s->attrs.n)
			sr_parser_set_attr(p, s, sig->attrs[i].name,
					   sr_attr_string(p->ctx, default_text, sr_interned_length(default_text)));
	}
}

static struct sr_op *create_op(struct sr_parser *p, struct sr_op_state *s)
{
	fill_attrs(p, s);
	if (!s->operands_position)
		s->operands_position = s->position;
	flatten_groups(p, s);
	complete_types(p, s);
	p->form_op = NULL;
	struct sr_value **operands = SR_NEW_ARRAY(p->scratch, struct sr_value *, s->operands.n);
	for (size_t i = 0; i < s->operands.n; i++)
		operands[i] = sr_parser_value(p, s->operands.data[i], s->operand_types.data[i]);
	struct sr_op_spec spec = {.info = s->info, .loc = sr_parser_loc_at(p, s->loc_position ? s->loc_position : s->position),
				  .operands = operands, .n_operands = (int)s->operands.n,
				  .results = s->results.data, .n_results = (int)s->results.n,
				  .attrs = s->attrs.data, .n_attrs = (int)s->attrs.n, .n_regions = (int)s->regions.n};
	struct sr_op *op = sr_op_new(p->ctx, &spec);
	for (size_t i = 0; i < s->regions.n; i++)
		sr_region_take(&op->regions[i], s->regions.data[i]);
	op->inherent = s->inherent_names;
	op->n_inherent = s->n_inherent_names;
	return op;
}

static void parse_trailing_loc(struct sr_parser *p, struct sr_op *op)
{
	const char *alias, *position = p->tok;
	const struct sr_attr *loc = sr_parser_trailing_loc(p, &alias);
	if (loc)
		op->loc = loc;
	else if (alias)
		sr_parser_defer_loc(p, &op->loc, alias, position);
}

/* ---------------------------------------------------------------- names */

static void fail_unknown_op(struct sr_parser *p, const char *position, const char *name)
{
	const char *dot = strchr(name, '.');
	sr_parser_fail(p, position,
		       "operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with "
		       "the MLIR tool used: '%s' (dialect '%.*s')",
		       name, dot ? (int)(dot - name) : 0, name);
}

/* Parse the name of an op, with or without the default dialect as prefix. */
static const struct sr_op_info *parse_op_name(struct sr_parser *p)
{
	const char *position = p->tok;
	if (p->kind != SR_TOK_BARE)
		sr_parser_expected(p, "operation name");
	const char *name = sr_intern_n(p->ctx, p->tok, p->len);
	if (!memchr(p->tok, '.', p->len))
		name = sr_intern(p->ctx, sr_printf(p->arena, "%s.%.*s", *p->dialect ? p->dialect : "builtin", (int)p->len, p->tok));
	const struct sr_op_info *info = sr_op_info_of(p->ctx, name);
	if (info->code == SR_OP_UNREGISTERED)
		sr_parser_fail(p, position, "custom op '%.*s' is unknown", (int)p->len, p->tok);
	sr_parser_next(p);
	return info;
}

static void parse_result_names(struct sr_parser *p, result_groups *out)
{
	if (p->kind != SR_TOK_PERCENT)
		return;
	do {
		struct result_group g = {{sr_intern_n(p->ctx, p->tok + 1, p->len - 1), 0, p->tok}, 1};
		if (p->kind != SR_TOK_PERCENT)
			sr_parser_expected(p, "valid ssa identifier");
		sr_parser_next(p);
		if (sr_parser_accept(p, ':')) {
			const char *position = p->tok;
			int64_t n = sr_parser_integer(p);
			if (n < 1 || n > 1 << 24)
				sr_parser_fail(p, position, "expected named operation to have at least 1 result");
			g.n = (int)n;
		}
		sr_push(p->scratch, out, g);
	} while (sr_parser_accept(p, ','));
	sr_parser_expect(p, '=');
}

static void define_results(struct sr_parser *p, const result_groups *names, struct sr_op *op)
{
	if (names->n == 0)
		return;
	if (op->n_results == 0)
		sr_parser_fail(p, names->data[0].name.position, "cannot name an operation with no results");
	int64_t total = 0;
	for (size_t i = 0; i < names->n; i++)
		total += names->data[i].n;
	if (total != op->n_results)
		sr_parser_fail(p, names->data[0].name.position, "operation defines %d results but was provided %lld to bind",
			       op->n_results, (long long)total);
	int first = 0;
	for (size_t i = 0; i < names->n; first += names->data[i++].n)
		sr_parser_define_results(p, names->data[i].name, op, first, names->data[i].n);
}

void sr_parser_op(struct sr_parser *p, struct sr_block *block)
{
	result_groups names = {0};
	struct sr_arena_position scratch_mark = sr_arena_mark(p->scratch);
	struct sr_op_state *s = SR_NEW(p->scratch, struct sr_op_state);
	const char *outer_form_op = p->form_op;
	const int outer_depth = p->form_depth;
	p->form_op = NULL;
	parse_result_names(p, &names);
	s->position = p->tok;
	if (p->kind == SR_TOK_STRING) {
		const char *name = sr_parser_string(p);
		if (!*name)
			sr_parser_fail(p, s->position, "empty operation name is invalid");
		s->info = sr_op_info_of(p->ctx, name);
		if (s->info->code == SR_OP_UNREGISTERED && !p->ctx->allow_unregistered)
			fail_unknown_op(p, s->position, name);
		sr_parser_generic(p, s);
	} else if (p->kind == SR_TOK_BARE) {
		s->info = parse_op_name(p);
		p->form_op = s->info->name;
		p->form_depth = p->depth;
		sr_parser_form(p, s);
	} else {
		sr_parser_expected(p, "operation name in quotes");
	}
	struct sr_op *op = create_op(p, s);
	sr_op_append(block, op);
	parse_trailing_loc(p, op);
	define_results(p, &names, op);
	p->form_op = outer_form_op;
	p->form_depth = outer_depth;
	sr_arena_release(p->scratch, scratch_mark);
}
