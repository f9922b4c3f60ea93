/* Parse SSA names, regions and blocks, and keep the scopes of names. A name that is used before its definition refers to a
 * placeholder value until the definition is parsed. */
#include "text/mlir/parse/parser.h"

void sr_parser_push_scope(struct sr_parser *p)
{
	struct sr_scope *scope = SR_NEW(p->arena, struct sr_scope);
	sr_map_init(&scope->names, p->arena);
	scope->outer_scope = p->scope;
	p->scope = scope;
}

/* Return the value that an outer scope defines by the name of the forward use f; NULL if none does. An isolated op that uses such a
 * value is an error, which the verifier reports. */
static struct sr_value *find_in_outer_scopes(const struct sr_scope *scope, const char *name, const struct sr_forward_use *f)
{
	for (scope = scope->outer_scope; scope; scope = scope->outer_scope) {
		const struct sr_ssa_def *ssa = sr_map_get(&scope->names, name);
		struct sr_value *value = !ssa ? NULL : ssa->op && f->index < ssa->n ? &ssa->op->results[ssa->first + f->index] : ssa->arg;
		if (value && value->type == f->value->type)
			return value;
	}
	return NULL;
}

static void resolve_in_outer_scopes(const struct sr_scope *scope)
{
	for (size_t i = 0; i < scope->names.n; i++) {
		struct sr_ssa_def *ssa = scope->names.entries[i].value;
		for (struct sr_forward_use **at = &ssa->forward_uses; *at;) {
			struct sr_value *value = find_in_outer_scopes(scope, scope->names.entries[i].key, *at);
			if (value) {
				sr_value_replace_all((*at)->value, value);
				*at = (*at)->next;
			} else {
				at = &(*at)->next;
			}
		}
	}
}

void sr_parser_pop_scope(struct sr_parser *p)
{
	struct sr_scope *scope = p->scope;
	const struct sr_forward_use *first = NULL;
	const char *name = NULL;
	resolve_in_outer_scopes(scope);
	for (size_t i = 0; i < scope->names.n; i++) {
		const struct sr_ssa_def *ssa = scope->names.entries[i].value;
		for (const struct sr_forward_use *f = ssa->forward_uses; f; f = f->next)
			if (!first || f->position < first->position) {
				first = f;
				name = scope->names.entries[i].key;
			}
	}
	if (first)
		sr_parser_fail(p, first->position, "use of undeclared SSA value name '%%%s'", name);
	p->scope = scope->outer_scope;
}

static struct sr_ssa_def *ssa_def_of(struct sr_parser *p, const char *name)
{
	void **at = sr_map_at(&p->scope->names, name);
	if (!*at)
		*at = SR_NEW(p->arena, struct sr_ssa_def);
	return *at;
}

struct sr_ssa_name sr_parser_ssa_name(struct sr_parser *p)
{
	struct sr_ssa_name name = {.position = p->tok};
	if (p->kind != SR_TOK_PERCENT)
		sr_parser_expected(p, "SSA operand");
	name.name = sr_intern_n(p->ctx, p->tok + 1, p->len - 1);
	sr_parser_next(p);
	if (p->kind == SR_TOK_HASH && p->tok[1] >= '0' && p->tok[1] <= '9') {
		for (size_t i = 1; i < p->len; i++) {
			if (name.index > 1 << 24)
				sr_parser_fail(p, p->tok, "invalid SSA value result number");
			name.index = name.index * 10 + (p->tok[i] - '0');
		}
		sr_parser_next(p);
	}
	return name;
}

void sr_parser_ssa_names(struct sr_parser *p, sr_ssa_names *out)
{
	if (p->kind != SR_TOK_PERCENT)
		return;
	do {
		struct sr_ssa_name name = sr_parser_ssa_name(p);
		sr_push(p->scratch, out, name);
	} while (sr_parser_accept(p, ','));
}

static struct sr_value *check_type(struct sr_parser *p, struct sr_ssa_name name, struct sr_value *value, const struct sr_type *type)
{
	if (value->type != type)
		sr_parser_fail(p, name.position, "use of value '%%%s' expects different type than prior uses: '%s' vs '%s'",
			       name.name, sr_type_string(p->ctx, type), sr_type_string(p->ctx, value->type));
	return value;
}

struct sr_value *sr_parser_value(struct sr_parser *p, struct sr_ssa_name name, const struct sr_type *type)
{
	struct sr_ssa_def *ssa = ssa_def_of(p, name.name);
	if (ssa->arg && name.index == 0)
		return check_type(p, name, ssa->arg, type);
	if (ssa->arg || (ssa->op && name.index >= ssa->n))
		sr_parser_fail(p, name.position, "reference to invalid result number");
	if (ssa->op)
		return check_type(p, name, &ssa->op->results[ssa->first + name.index], type);
	for (struct sr_forward_use *f = ssa->forward_uses; f; f = f->next)
		if (f->index == name.index)
			return check_type(p, name, f->value, type);
	struct sr_forward_use *f = SR_NEW(p->arena, struct sr_forward_use);
	f->value = SR_NEW(p->arena, struct sr_value);
	f->value->type = type;
	f->index = name.index;
	f->position = name.position;
	f->next = ssa->forward_uses;
	ssa->forward_uses = f;
	return f->value;
}

static struct sr_ssa_def *define_name(struct sr_parser *p, struct sr_ssa_name name)
{
	struct sr_ssa_def *ssa = ssa_def_of(p, name.name);
	if (ssa->op || ssa->arg)
		sr_parser_fail(p, name.position, "redefinition of SSA value '%%%s'", name.name);
	ssa->position = name.position;
	sr_push(p->arena, &p->scope->defined, ssa);
	return ssa;
}

static void resolve_forward_use(struct sr_parser *p, struct sr_ssa_name name, const struct sr_forward_use *f,
				struct sr_value *value)
{
	if (f->value->type != value->type)
		sr_parser_fail(p, name.position, "definition of SSA value '%%%s#%d' has type '%s' but its use expects '%s'",
			       name.name, f->index, sr_type_string(p->ctx, value->type), sr_type_string(p->ctx, f->value->type));
	sr_value_replace_all(f->value, value);
}

static void record_loc_name(struct sr_parser *p, const struct sr_attr **loc, const char *name)
{
	if (p->ctx->keep_names)
		sr_push(p->arena, &p->loc_names, (struct sr_loc_value_name){loc, name});
}

static void define_arg(struct sr_parser *p, struct sr_ssa_name name, struct sr_value *value)
{
	struct sr_ssa_def *ssa = define_name(p, name);
	record_loc_name(p, &value->loc, name.name);
	ssa->arg = value;
	for (const struct sr_forward_use *f = ssa->forward_uses; f; f = f->next) {
		if (f->index != 0)
			sr_parser_fail(p, f->position, "reference to invalid result number");
		resolve_forward_use(p, name, f, value);
	}
	ssa->forward_uses = NULL;
}

void sr_parser_define_results(struct sr_parser *p, struct sr_ssa_name name, struct sr_op *op, int first, int n)
{
	struct sr_ssa_def *ssa = define_name(p, name);
	if (first == 0)
		record_loc_name(p, &op->loc, name.name);
	ssa->op = op;
	ssa->first = first;
	ssa->n = n;
	for (const struct sr_forward_use *f = ssa->forward_uses; f; f = f->next) {
		if (f->index >= n)
			sr_parser_fail(p, f->position, "reference to invalid result number");
		resolve_forward_use(p, name, f, &op->results[first + f->index]);
	}
	ssa->forward_uses = NULL;
}

/* ---------------------------------------------------------------- blocks */

struct sr_argument sr_parser_argument(struct sr_parser *p, bool allows_attrs)
{
	struct sr_argument arg = {.name = sr_parser_ssa_name(p)};
	sr_parser_expect(p, ':');
	arg.type = sr_parser_type(p);
	if (allows_attrs && p->kind == '{')
		arg.attrs = sr_parser_dict(p);
	arg.loc = sr_parser_trailing_loc(p, &arg.loc_alias);
	return arg;
}

static void add_argument(struct sr_parser *p, struct sr_block *block, const struct sr_argument *arg)
{
	const struct sr_attr *loc = arg->loc ? arg->loc : sr_parser_loc_at(p, arg->name.position);
	struct sr_value *value = sr_block_add_arg(p->ctx, block, arg->type, loc);
	if (arg->loc_alias)
		sr_parser_defer_loc(p, &value->loc, arg->loc_alias, arg->name.position);
	define_arg(p, arg->name, value);
}

static void parse_block_body(struct sr_parser *p, struct sr_block *block)
{
	while (p->kind != '}' && p->kind != SR_TOK_CARET) {
		if (p->kind == SR_TOK_END)
			sr_parser_expected(p, "'}'");
		sr_parser_op(p, block);
	}
}

static void parse_labelled_block(struct sr_parser *p, struct sr_region *region)
{
	const char *position = p->tok;
	const char *label = sr_intern_n(p->ctx, p->tok, p->len);
	for (const struct sr_block *b = region->first; b; b = b->next)
		if (b->label == label)
			sr_parser_fail(p, position, "redefinition of block '%s'", label);
	struct sr_block *block = sr_block_new(p->ctx, region);
	block->label = label;
	sr_parser_next(p);
	if (sr_parser_accept(p, '(')) {
		while (p->kind != ')') {
			struct sr_argument arg = sr_parser_argument(p, false);
			add_argument(p, block, &arg);
			if (!sr_parser_accept(p, ','))
				break;
		}
		sr_parser_expect(p, ')');
	}
	sr_parser_expect(p, ':');
	parse_block_body(p, block);
}

static void parse_blocks(struct sr_parser *p, struct sr_region *region, const sr_arguments *args)
{
	bool has_args = args && args->n > 0;
	if (p->kind == '}' && !has_args)
		return;
	if (p->kind != SR_TOK_CARET || has_args) {
		struct sr_block *entry = sr_block_new(p->ctx, region);
		if (has_args && p->kind == SR_TOK_CARET)
			sr_parser_fail(p, p->tok, "invalid block name in region with named arguments");
		for (size_t i = 0; has_args && i < args->n; i++)
			add_argument(p, entry, &args->data[i]);
		parse_block_body(p, entry);
	}
	while (p->kind == SR_TOK_CARET)
		parse_labelled_block(p, region);
}

struct sr_region *sr_parser_region(struct sr_parser *p, const sr_arguments *args, bool is_isolated, const char *dialect)
{
	struct sr_region *region = SR_NEW(p->arena, struct sr_region);
	const char *outer_dialect = p->dialect;
	sr_parser_enter(p);
	sr_parser_expect(p, '{');
	p->dialect = dialect;
	if (is_isolated)
		sr_parser_push_scope(p);
	size_t n_outer_names = p->scope->defined.n;
	parse_blocks(p, region, args);
	sr_parser_expect(p, '}');
	while (p->scope->defined.n > n_outer_names) {
		struct sr_ssa_def *ssa = sr_pop(&p->scope->defined);
		ssa->op = NULL;
		ssa->arg = NULL;
	}
	if (is_isolated)
		sr_parser_pop_scope(p);
	p->dialect = outer_dialect;
	sr_parser_leave(p);
	return region;
}
