/* Parse a file of alias definitions, ops (with or without a module around them) and a resource section. */
#include "text/mlir/parse/parser.h"
#include "text/bytecode/bytecode.h"
#include "text/hlo/hlo.h"
#include "text/mlir/print/printer.h"
#include <string.h>

/* Wrap the locations in p->loc_names in value names. Location aliases must be resolved. */
static void wrap_locs_in_names(struct sr_parser *p)
{
	for (size_t i = 0; i < p->loc_names.n; i++) {
		const struct sr_loc_value_name *k = &p->loc_names.data[i];
		*k->loc = sr_loc_name(p->ctx, sr_printf(p->arena, "%%%s", k->name), *k->loc);
	}
}

/* Return the file's only module, or a new module around its ops. */
static struct sr_op *parse_top_level(struct sr_parser *p)
{
	struct sr_op *module = sr_module_new(p->ctx);
	struct sr_block *body = sr_module_body(module);
	module->loc = sr_loc_file(p->ctx, p->file, 0, 0);
	sr_parser_push_scope(p);
	p->dialect = "builtin";
	while (p->kind != SR_TOK_END) {
		if (p->kind == SR_TOK_HASH)
			sr_parser_alias(p, false);
		else if (p->kind == SR_TOK_BANG)
			sr_parser_alias(p, true);
		else if (p->kind == SR_TOK_RESOURCES)
			sr_parser_resources(p);
		else
			sr_parser_op(p, body);
	}
	sr_parser_pop_scope(p);
	sr_parser_resolve_locations(p);
	wrap_locs_in_names(p);
	struct sr_op *sole_op = body->first;
	if (sole_op && sole_op == body->last && sr_op_is(sole_op, SR_OP_builtin_module)) {
		sr_op_unlink(sole_op);
		return sole_op;
	}
	return module;
}

bool sr_is_binary_module(const char *bytes, size_t n)
{
	return sr_is_bytecode(bytes, n) || sr_is_hlo_proto(bytes, n);
}

enum sr_status sr_parse_at(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			   struct sr_op **module)
{
	if (sr_is_bytecode(text, n)) {
		enum sr_status status = sr_parse_bytecode(ctx, file, text, n, module);
		if (status == SR_OK && ctx->keep_names)
			sr_value_names_to_locs(ctx, *module);
		return status;
	}
	if (sr_is_hlo_proto(text, n))
		return sr_parse_hlo_proto(ctx, file, text, n, module);
	struct sr_parser *p = SR_NEW(ctx->arena, struct sr_parser);
	if (line_offset == 0) /* for a section of a file, the caller has registered the file as source */
		sr_diags_add_source(&ctx->diags, sr_intern(ctx, file), text, n);
	if (sr_is_hlo(text, n))
		return sr_parse_hlo(ctx, file, text, n, line_offset, module);
	if (setjmp(p->error_jump))
		return SR_INVALID;
	sr_parser_init(p, ctx, file, text, n, line_offset);
	sr_parser_next(p);
	*module = parse_top_level(p);
	return p->had_error ? SR_INVALID : SR_OK;
}

enum sr_status sr_parse(struct sr_context *ctx, const char *file, const char *text, size_t n, struct sr_op **module)
{
	return sr_parse_at(ctx, file, text, n, 0, module);
}

/* Parse a text that is one attribute (if `attr` is not NULL) or one type. */
static enum sr_status parse_attr_or_type(struct sr_context *ctx, const char *text, const struct sr_attr **attr,
					 const struct sr_type **type)
{
	struct sr_parser *p = SR_NEW(ctx->arena, struct sr_parser);
	if (setjmp(p->error_jump))
		return SR_INVALID;
	sr_parser_init(p, ctx, "-", text, strlen(text), 0);
	sr_parser_next(p);
	if (attr)
		*attr = sr_parser_attr(p, NULL);
	else
		*type = sr_parser_type(p);
	if (p->kind != SR_TOK_END)
		sr_parser_expected(p, "the end of the text");
	return p->had_error ? SR_INVALID : SR_OK;
}

enum sr_status sr_parse_attr(struct sr_context *ctx, const char *text, const struct sr_attr **out)
{
	return parse_attr_or_type(ctx, text, out, NULL);
}

enum sr_status sr_parse_type(struct sr_context *ctx, const char *text, const struct sr_type **out)
{
	return parse_attr_or_type(ctx, text, NULL, out);
}
